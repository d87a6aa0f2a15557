//! Choice of fresh pivots: from the sparsest factors to the safest.
//!
//! ```text
//! by threshold  the diagonal in minimum-degree order, unless it is small (ordering, pivoting)
//! cheap         least Markowitz counts, small entries barred             (markowitz)
//! by size       the largest entry of each column                         (pivoting)
//! ```
//!
//! Of the first two the one with fewer multiplications is taken. Neither is better
//! in general: chains and nets are for minimum degree, closed loops with few freedoms for the count
//! of Markowitz, by factors of two to ten either way. So both are computed at first; later choices for the
//! same pattern begin with the better one and look at the other when it was cheaper than that.

use super::buffers::reserve;
use super::markowitz::Markowitz;
use super::ordering::MinimumDegree;
use super::pivoting::Pivoting;
use super::scaling::Scales;
use super::structure::Structure;
use super::{Field, Pattern, Singular};
use crate::memory::Memory;

/// Least size of an accepted diagonal pivot relative to the largest candidate of its column.
const DIAGONAL_THRESHOLD: f64 = 0.03;

/// The same in a suggested order, whose pivots stay where they are as the values change: what a frozen
/// pivot may lose, too.
const SUGGESTED_THRESHOLD: f64 = 1e-3;

/// Who won when both were computed, and what the other took.
#[derive(Clone, Copy, Debug)]
struct Contest {
    cheap: bool,
    other: u64,
}

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
    /// None before the first choice for a pattern.
    contest: Option<Contest>,
    spare: Structure,
    spare_scales: Scales,
}

impl<T: Field> Choice<T> {
    /// Begins with a pattern and the groups of unknowns that are eliminated together.
    pub fn analyse(&mut self, pattern: &Pattern, group: &[u32]) {
        self.minimum_degree.analyse(pattern, group);
        self.order.clear();
        self.suggested = false;
        self.contest = None;
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
        if self.suggested {
            self.scales.fit_saddle(pattern, values);
            return self.by_threshold(pattern, values, SUGGESTED_THRESHOLD);
        }
        if let Some(Contest { cheap: true, other }) = self.contest
            && self.cheap(pattern, values, other)
        {
            return Ok(());
        }
        self.scales.fit_saddle(pattern, values);
        let (scales, order) = (&self.scales, &mut self.order);
        self.minimum_degree.order(pattern, values, scales, order);
        self.by_threshold(pattern, values, DIAGONAL_THRESHOLD)?;
        let taken = self.structure.multiplications() as u64;
        let lost = |c: Contest| !c.cheap && taken <= c.other;
        if taken > 0 && !self.contest.is_some_and(lost) {
            let cheap = self.cheap(pattern, values, taken - 1);
            self.contest = Some(Contest {
                cheap,
                other: taken,
            });
        }
        Ok(())
    }

    /// The diagonal in the order at hand, unless it is small.
    fn by_threshold(
        &mut self,
        pattern: &Pattern,
        values: &[T],
        threshold: f64,
    ) -> Result<(), Singular> {
        let (row_scale, structure) = (&self.scales.row, &mut self.structure);
        (self.pivoting).choose(
            pattern,
            values,
            row_scale,
            &self.order,
            threshold,
            structure,
        )
    }

    /// Least Markowitz counts, if that takes no more than `limit` multiplications.
    fn cheap(&mut self, pattern: &Pattern, values: &[T], limit: u64) -> bool {
        self.spare_scales.fit_rows(pattern, values);
        let (row_scale, cheaper) = (&self.spare_scales.row, &mut self.spare);
        let limit = limit as usize;
        let found = (self.markowitz).plan(pattern, values, row_scale, limit, cheaper);
        if found {
            std::mem::swap(&mut self.structure, &mut self.spare);
            std::mem::swap(&mut self.scales, &mut self.spare_scales);
        }
        found
    }

    /// Saves or restores what later choices begin with.
    pub fn memory(&mut self, m: &mut Memory) {
        let mut known = self.contest.is_some();
        m.bool(&mut known);
        let mut contest = self.contest.unwrap_or(Contest {
            cheap: false,
            other: 0,
        });
        if known {
            m.bool(&mut contest.cheap);
            m.u64(&mut contest.other);
        }
        if m.is_reading() {
            self.contest = known.then_some(contest);
        }
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
