//! Choice of fresh pivots: from the sparsest factors to the safest.
//!
//! ```text
//! cheap         least Markowitz counts, small entries barred             (markowitz)
//! by threshold  the diagonal in minimum-degree order, unless it is small (ordering, pivoting)
//! by size       the largest entry of each column                         (pivoting)
//! ```

use super::markowitz::Markowitz;
use super::ordering::MinimumDegree;
use super::pivoting::Pivoting;
use super::room::make_room;
use super::scaling::Scales;
use super::structure::Structure;
use super::{Pattern, Singular};

/// Multiplications per entry of the matrix up to which a Markowitz pairing is not bettered by
/// minimum degree, and is searched for.
pub(super) const CHEAP_WORK: usize = 4;

/// Least size of an accepted diagonal pivot relative to the largest candidate of its column.
const DIAGONAL_THRESHOLD: f64 = 0.03;

/// The same in a suggested order, whose pivots stay where they are as the values change: what a frozen
/// pivot may lose, too.
const SUGGESTED_THRESHOLD: f64 = 1e-3;

/// The last choice and the buffers of every phase.
#[derive(Clone, Debug, Default)]
pub(super) struct Choice {
    /// Pivots and entries of the factors.
    pub structure: Structure,
    /// What made the candidates comparable.
    pub scales: Scales,
    markowitz: Markowitz,
    pivoting: Pivoting,
    minimum_degree: MinimumDegree,
    /// Minimum-degree order, empty until needed, or the suggested one.
    order: Vec<u32>,
    suggested: bool,
    spare: Structure,
}

impl Choice {
    /// Drops what is known of an earlier pattern.
    pub fn forget(&mut self) {
        self.order.clear();
        self.suggested = false;
    }

    /// Takes an order of elimination over.
    pub fn suggest(&mut self, order: &[u32]) {
        self.order.clear();
        self.order.extend_from_slice(order);
        self.suggested = true;
    }

    /// Makes room for factors with `entries` entries.
    pub fn make_room(&mut self, pattern: &Pattern, entries: usize) {
        let (n, nnz) = (pattern.n, pattern.nnz());
        self.structure.make_room(n, entries);
        self.scales.make_room(n);
        self.markowitz.make_room(n, entries);
        self.pivoting.make_room(n, entries);
        self.minimum_degree.make_room(n, nnz, entries);
        make_room(&mut self.order, n);
        self.spare.make_room(n, entries);
    }

    /// Sparse pivots that are not small.
    pub fn sparse(&mut self, pattern: &Pattern, values: &[f64]) -> Result<(), Singular> {
        self.scales.fit_saddle(pattern, values);
        let (row_scale, structure) = (&self.scales.row, &mut self.structure);
        let limit = CHEAP_WORK * pattern.nnz();
        let markowitz = &mut self.markowitz;
        if !self.suggested && markowitz.plan(pattern, values, row_scale, limit, structure) {
            return Ok(());
        }
        if self.order.len() != pattern.n {
            self.minimum_degree.order(pattern, &mut self.order);
        }
        let threshold = match self.suggested {
            true => SUGGESTED_THRESHOLD,
            false => DIAGONAL_THRESHOLD,
        };
        let order = &self.order;
        self.pivoting
            .choose(pattern, values, row_scale, order, threshold, structure)
    }

    /// The largest entry of each column, in the order of the last choice.
    pub fn by_size(&mut self, pattern: &Pattern, values: &[f64]) -> Result<(), Singular> {
        self.scales.fit_rows(pattern, values);
        let (row_scale, order) = (&self.scales.row, &self.structure.column);
        self.pivoting
            .choose(pattern, values, row_scale, order, 1.0, &mut self.spare)?;
        std::mem::swap(&mut self.structure, &mut self.spare);
        Ok(())
    }
}
