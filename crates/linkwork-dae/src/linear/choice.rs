//! Choice of fresh pivots: from the sparsest factors to the safest.
//!
//! ```text
//! by threshold  the diagonal in minimum-degree order, unless it is small (ordering, pivoting)
//! cheap         least Markowitz counts, small entries barred             (markowitz)
//! by size       the largest entry of each column                         (pivoting)
//! ```
//!
//! The first two are both computed; the one with fewer multiplications is taken. Neither is better
//! in general: chains and nets are for minimum degree, closed loops with few freedoms for the count
//! of Markowitz, by factors of two to ten either way.

use super::buffers::reserve;
use super::markowitz::Markowitz;
use super::ordering::MinimumDegree;
use super::pivoting::Pivoting;
use super::scaling::Scales;
use super::structure::Structure;
use super::{Field, Pattern, Singular};

/// Least size of an accepted diagonal pivot relative to the largest candidate of its column.
const DIAGONAL_THRESHOLD: f64 = 0.03;

/// The same in a suggested order, whose pivots stay where they are as the values change: what a frozen
/// pivot may lose, too.
const SUGGESTED_THRESHOLD: f64 = 1e-3;

/// The last choice and the buffers of every phase.
#[derive(Clone, Debug, Default)]
pub(super) struct Choice<T> {
    /// Pivots and entries of the factors.
    pub structure: Structure,
    /// What made the candidates comparable.
    pub scales: Scales,
    markowitz: Markowitz<T>,
    pivoting: Pivoting<T>,
    minimum_degree: MinimumDegree,
    /// Minimum-degree order, or the suggested one.
    order: Vec<u32>,
    suggested: bool,
    spare: Structure,
    spare_scales: Scales,
}

impl<T: Field> Choice<T> {
    /// Begins with a pattern and the groups of unknowns that are eliminated together.
    pub fn analyse(&mut self, pattern: &Pattern, group: &[u32]) {
        self.minimum_degree.analyse(pattern, group);
        self.order.clear();
        self.suggested = false;
    }

    /// Takes an order of elimination over.
    pub fn suggest(&mut self, order: &[u32]) {
        self.order.clear();
        self.order.extend_from_slice(order);
        self.suggested = true;
    }

    /// Reserves space for factors with `entries` entries.
    pub fn reserve(&mut self, pattern: &Pattern, entries: usize) {
        let (n, nnz) = (pattern.n, pattern.nnz());
        self.structure.reserve(n, entries);
        self.scales.reserve(n);
        self.spare_scales.reserve(n);
        self.markowitz.reserve(n, entries);
        self.pivoting.reserve(n, entries);
        self.minimum_degree.reserve(n, nnz, entries);
        reserve(&mut self.order, n);
        self.spare.reserve(n, entries);
    }

    /// Sparse pivots that are not small.
    pub fn sparse(&mut self, pattern: &Pattern, values: &[T]) -> Result<(), Singular> {
        self.scales.fit_saddle(pattern, values);
        let mut threshold = SUGGESTED_THRESHOLD;
        if !self.suggested {
            let (scales, order) = (&self.scales, &mut self.order);
            self.minimum_degree.order(pattern, values, scales, order);
            threshold = DIAGONAL_THRESHOLD;
        }
        let (row_scale, order) = (&self.scales.row, &self.order);
        let structure = &mut self.structure;
        (self.pivoting).choose(pattern, values, row_scale, order, threshold, structure)?;
        let Some(limit) = structure.multiplications().checked_sub(1) else {
            return Ok(());
        };
        if !self.suggested {
            self.spare_scales.fit_rows(pattern, values);
            let row_scale = &self.spare_scales.row;
            let cheaper = &mut self.spare;
            if (self.markowitz).plan(pattern, values, row_scale, limit, cheaper) {
                std::mem::swap(&mut self.structure, &mut self.spare);
                std::mem::swap(&mut self.scales, &mut self.spare_scales);
            }
        }
        Ok(())
    }

    /// The largest entry of each column, in the order of the last choice.
    pub fn by_size(&mut self, pattern: &Pattern, values: &[T]) -> Result<(), Singular> {
        self.scales.fit_rows(pattern, values);
        let (row_scale, order) = (&self.scales.row, &self.structure.column);
        self.pivoting
            .choose(pattern, values, row_scale, order, 1.0, &mut self.spare)?;
        std::mem::swap(&mut self.structure, &mut self.spare);
        Ok(())
    }
}
