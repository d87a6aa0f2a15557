//! Choice of fresh pivots: from the sparsest factors to the safest.
//!
//! ```text
//! plan          Markowitz counts, entries small in their column barred      (markowitz)
//! by threshold  rows preferred by the plan, or by the diagonal in minimum-degree order, unless
//!               they hold a small entry                                     (pivoting, ordering)
//! by size       the largest entry of each column
//! ```
//!
//! The plan does not see the numbers that elimination leaves; whoever takes its pivots has to look
//! at the multipliers.

use super::markowitz::Markowitz;
use super::ordering::MinimumDegree;
use super::pivoting::{PAIRED_THRESHOLD, Pivoting, Preferred};
use super::room::make_room;
use super::scaling::Scales;
use super::structure::Structure;
use super::{Pattern, Singular};

/// Multiplications per entry of the matrix up to which a Markowitz pairing is not bettered by
/// minimum degree, and is searched for.
pub(super) const CHEAP_WORK: usize = 4;

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
    /// Minimum-degree order, empty until needed.
    order: Vec<u32>,
    spare: Structure,
}

impl Choice {
    /// Drops what is known of an earlier pattern.
    pub fn forget(&mut self) {
        self.order.clear();
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

    /// Plans cheap pivots; false if there are none.
    pub fn plan(&mut self, pattern: &Pattern, values: &[f64]) -> bool {
        self.scales.fit_saddle(pattern, values);
        let (row_scale, structure) = (&self.scales.row, &mut self.structure);
        let limit = CHEAP_WORK * pattern.nnz();
        self.markowitz
            .plan(pattern, values, row_scale, limit, structure)
    }

    /// Keeps to the plan, if there is one, as far as the threshold allows.
    pub fn by_threshold(
        &mut self,
        pattern: &Pattern,
        values: &[f64],
        planned: bool,
    ) -> Result<(), Singular> {
        let row_scale = &self.scales.row;
        let mut choose = |preferred: Preferred<'_>, structure: &mut Structure| {
            let threshold = PAIRED_THRESHOLD;
            self.pivoting
                .choose(pattern, values, row_scale, preferred, threshold, structure)
        };
        let plan = Preferred {
            row: &self.structure.row,
            column: &self.structure.column,
        };
        let paired = planned && choose(plan, &mut self.spare).is_ok();
        // Numbers may have forced other pivots than planned, and more fill with them.
        let work = self.spare.multiplications();
        if paired && work <= 2 * CHEAP_WORK * pattern.nnz() {
            std::mem::swap(&mut self.structure, &mut self.spare);
            return Ok(());
        }
        if self.order.len() != pattern.n {
            self.minimum_degree.order(pattern, &mut self.order);
        }
        choose(Preferred::diagonal(&self.order), &mut self.structure)?;
        if paired && work < self.structure.multiplications() {
            std::mem::swap(&mut self.structure, &mut self.spare);
        }
        Ok(())
    }

    /// Takes the largest entry of each column, in the order of the last choice.
    pub fn by_size(&mut self, pattern: &Pattern, values: &[f64]) -> Result<(), Singular> {
        self.scales.fit_rows(pattern, values);
        let (row_scale, spare) = (&self.scales.row, &mut self.spare);
        let diagonal = Preferred::diagonal(&self.structure.column);
        self.pivoting
            .choose(pattern, values, row_scale, diagonal, 1.0, spare)?;
        std::mem::swap(&mut self.structure, &mut self.spare);
        Ok(())
    }
}
