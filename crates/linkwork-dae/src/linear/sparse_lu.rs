//! Sparse LU for iteration matrices of mechanisms: one pattern, factored hundreds of times.
//!
//! ```text
//! analyse       minimum-degree column order                        (ordering)
//! first factor  pivot rows by threshold, structure of the factors  (pivoting), then as below
//! later ones    numbers on the frozen structure, pivots watched    (frozen)
//! ```
//!
//! When the watch finds the frozen pivots unsound the rows are chosen anew, in the same column
//! order. Small pivots are not refused: near a singular pose the factors are still useful, and the
//! caller sees [`FactorInfo::pivot_ratio`].
//!
//! Bad at: matrices with much fill (plates of flexible bodies by the thousand), where a supernodal
//! method makes better use of the cache.

use super::frozen::{Frozen, PivotRange};
use super::ordering::minimum_degree;
use super::pivoting::choose_pivots;
use super::{FactorInfo, LinearSolver, Pattern, Singular};

/// Multiplications listed one by one at most; 16 MB of targets.
const LIST_LIMIT: usize = 4_000_000;

/// Fresh pivots are tried when the pivot ratio has fallen this far below that of the last choice.
const RATIO_COLLAPSE: f64 = 1e-4;

/// Smaller pivot ratios are those of a singular matrix.
const LEAST_RATIO: f64 = 1e-18;

/// Sparse LU factorisation with threshold pivoting and reuse of the pivot sequence.
#[derive(Clone, Debug)]
pub struct SparseLu {
    pattern: Pattern,
    order: Vec<u32>,
    factors: Option<Frozen>,
    /// Pivot ratio when the pivots were chosen.
    chosen_ratio: f64,
    /// Whether the factors belong to the last values.
    factored: bool,
    list_limit: usize,
}

impl Default for SparseLu {
    fn default() -> SparseLu {
        SparseLu::with_list_limit(LIST_LIMIT)
    }
}

impl SparseLu {
    /// A solver without a matrix; call [`LinearSolver::analyse`] next.
    pub fn new() -> SparseLu {
        SparseLu::default()
    }

    /// As [`SparseLu::new`]; matrices that need more multiplications than `list_limit` are renewed
    /// row by row instead of by a list of targets, which needs less memory.
    pub fn with_list_limit(list_limit: usize) -> SparseLu {
        SparseLu {
            pattern: Pattern::default(),
            order: Vec::new(),
            factors: None,
            chosen_ratio: 1.0,
            factored: false,
            list_limit,
        }
    }

    fn info(&mut self, range: &PivotRange, nnz: usize, reused_pivots: bool) -> FactorInfo {
        self.factored = true;
        FactorInfo {
            pivot_ratio: range.ratio(),
            reused_pivots,
            nnz,
        }
    }

    fn factor_with_fresh_pivots(&mut self, values: &[f64]) -> Result<FactorInfo, Singular> {
        self.factors = None;
        let choice = choose_pivots(&self.pattern, values, &self.order)?;
        let mut factors = Frozen::new(&self.pattern, &choice, self.list_limit);
        let range = factors.renew(values, false).map_err(|unsound| Singular {
            column: unsound.column,
        })?;
        // A NaN fails the comparison and counts as singular.
        let regular = range.ratio() >= LEAST_RATIO;
        if !regular {
            return Err(Singular {
                column: range.smallest_column,
            });
        }
        self.chosen_ratio = range.ratio();
        let nnz = factors.nnz();
        self.factors = Some(factors);
        Ok(self.info(&range, nnz, false))
    }

    fn first_non_finite(&self, values: &[f64]) -> Option<Singular> {
        // One non-finite term makes the sums non-finite; overflow of finite ones is sorted out below.
        let mut sum = [0.0f64; 4];
        let chunks = values.chunks_exact(4);
        for value in chunks.remainder() {
            sum[0] += value;
        }
        for chunk in chunks {
            for (sum, value) in sum.iter_mut().zip(chunk) {
                *sum += value;
            }
        }
        if (sum[0] + sum[1] + sum[2] + sum[3]).is_finite() {
            return None;
        }
        (0..self.pattern.n)
            .find(|&j| {
                values[self.pattern.span(j)]
                    .iter()
                    .any(|value| !value.is_finite())
            })
            .map(|column| Singular { column })
    }
}

impl LinearSolver for SparseLu {
    fn analyse(&mut self, pattern: &Pattern, _group: &[u32]) {
        self.order = minimum_degree(pattern);
        self.pattern.clone_from(pattern);
        self.factors = None;
        self.factored = false;
    }

    fn factor(&mut self, values: &[f64]) -> Result<FactorInfo, Singular> {
        self.factored = false;
        if let Some(singular) = self.first_non_finite(values) {
            return Err(singular);
        }
        if let Some(factors) = &mut self.factors {
            if let Ok(range) = factors.renew(values, true) {
                if range.ratio() >= RATIO_COLLAPSE * self.chosen_ratio {
                    let nnz = factors.nnz();
                    return Ok(self.info(&range, nnz, true));
                }
            }
        }
        self.factor_with_fresh_pivots(values)
    }

    fn solve(&mut self, b: &mut [f64]) {
        match &mut self.factors {
            Some(factors) if self.factored => factors.solve(b),
            _ => b.fill(f64::NAN),
        }
    }
}
