//! Sparse LU for iteration matrices of mechanisms: one pattern, factored hundreds of times.
//!
//! ```text
//! first factor  preferred pivots: Markowitz, or the diagonal in minimum-degree order
//!                                                                  (markowitz, ordering)
//!               pivot rows by threshold, structure of the factors  (pivoting), then as below
//! later ones    numbers on the frozen structure, pivots watched    (frozen)
//! ```
//!
//! When the watch finds the frozen pivots unsound they are chosen anew. A fresh choice is probed
//! with one right-hand side; if preferring pivots for their sparsity has cost accuracy, plain
//! partial pivoting replaces it. Small pivots are not refused: near a singular pose the factors are still useful, and the
//! caller sees [`FactorInfo::pivot_ratio`].
//!
//! Bad at: matrices with much fill (plates of flexible bodies by the thousand), where a supernodal
//! method makes better use of the cache.

use super::frozen::{Frozen, PivotRange};
use super::markowitz::{Pairing, markowitz};
use super::ordering::minimum_degree;
use super::pivoting::{
    PAIRED_THRESHOLD, PivotChoice, choose_pivots, plain_row_scales, saddle_row_scales,
};
use super::{FactorInfo, LinearSolver, Pattern, Singular};

/// Multiplications listed one by one at most; 16 MB of targets.
const LIST_LIMIT: usize = 4_000_000;

/// Fresh pivots are tried when the pivot ratio has fallen this far below that of the last choice.
const RATIO_COLLAPSE: f64 = 1e-4;

/// Smaller pivot ratios are those of a singular matrix.
const LEAST_RATIO: f64 = 1e-18;

/// Multiplications per entry of the matrix up to which a Markowitz pairing is not bettered by
/// minimum degree, and is searched for.
const CHEAP_WORK: usize = 4;

/// Entries below this fraction of the largest in their column are not planned as pivots.
const PLANNED_THRESHOLD: f64 = 0.1;

/// Row-wise backward error of the probe beyond which sparsity has cost accuracy.
const PROBE_TOLERANCE: f64 = 1e-11;

/// Sparse LU factorisation with threshold pivoting and reuse of the pivot sequence.
#[derive(Clone, Debug)]
pub struct SparseLu {
    pattern: Pattern,
    /// Minimum-degree order, empty until needed.
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
        let choice = self.sparse_choice(values)?;
        let column_order = choice.column.clone();
        let mut fresh = self.freeze(values, &choice);
        let sound = match &mut fresh {
            Ok((factors, _)) => self.probe(factors, values) <= PROBE_TOLERANCE,
            Err(_) => false,
        };
        if !sound {
            let paired = (0..self.pattern.n as u32).collect();
            let scale = plain_row_scales(&self.pattern, values);
            let choice = choose_pivots(&self.pattern, values, &column_order, paired, scale, 1.0)?;
            fresh = self.freeze(values, &choice);
        }
        let (factors, range) = fresh?;
        self.chosen_ratio = range.ratio();
        let nnz = factors.nnz();
        self.factors = Some(factors);
        Ok(self.info(&range, nnz, false))
    }

    /// Pivots chosen for sparse factors as far as the threshold allows.
    fn sparse_choice(&mut self, values: &[f64]) -> Result<PivotChoice, Singular> {
        let n = self.pattern.n;
        let scale = saddle_row_scales(&self.pattern, values);
        let cheap = CHEAP_WORK * self.pattern.nnz();
        let planned = markowitz(&self.pattern, &self.small(values, &scale), cheap);
        let planned = planned.map(|Pairing { row, column }| {
            let mut paired = vec![0; n];
            for (&i, &j) in row.iter().zip(&column) {
                paired[j as usize] = i;
            }
            let (pattern, scale) = (&self.pattern, scale.clone());
            choose_pivots(pattern, values, &column, paired, scale, PAIRED_THRESHOLD)
        });
        // Numbers may have forced other pivots than planned, and more fill with them.
        match planned {
            Some(Ok(choice)) if choice.multiplications() <= 2 * cheap => Ok(choice),
            planned => {
                if self.order.len() != n {
                    self.order = minimum_degree(&self.pattern);
                }
                let paired = (0..n as u32).collect();
                let (pattern, order) = (&self.pattern, &self.order);
                let choice =
                    choose_pivots(pattern, values, order, paired, scale, PAIRED_THRESHOLD)?;
                Ok(match planned {
                    Some(Ok(other)) if other.multiplications() < choice.multiplications() => other,
                    _ => choice,
                })
            }
        }
    }

    /// Entries that are no good as first pivots of their columns.
    fn small(&self, values: &[f64], row_scale: &[f64]) -> Vec<bool> {
        let mut small = vec![false; values.len()];
        for j in 0..self.pattern.n {
            let span = self.pattern.span(j);
            let scaled = |p: usize| values[p].abs() * row_scale[self.pattern.row[p] as usize];
            let largest = span.clone().map(scaled).fold(0.0, f64::max);
            for p in span {
                small[p] = scaled(p) <= PLANNED_THRESHOLD * largest;
            }
        }
        small
    }

    fn freeze(
        &self,
        values: &[f64],
        choice: &PivotChoice,
    ) -> Result<(Frozen, PivotRange), Singular> {
        let mut factors = Frozen::new(&self.pattern, choice, self.list_limit);
        let range = factors.renew(values, false).map_err(|unsound| Singular {
            column: factors.column(unsound.position),
        })?;
        // A NaN fails the comparison and counts as singular.
        let regular = range.ratio() >= LEAST_RATIO;
        if !regular {
            return Err(Singular {
                column: factors.weakest_column(),
            });
        }
        Ok((factors, range))
    }

    /// `max_i |b - A x|_i / (max_j |a_ij| max |x| + |b_i|)` for a right-hand side of the size of the
    /// rows.
    fn probe(&self, factors: &mut Frozen, values: &[f64]) -> f64 {
        let mut largest = vec![0.0f64; self.pattern.n];
        for (&i, value) in self.pattern.row.iter().zip(values) {
            largest[i as usize] = largest[i as usize].max(value.abs());
        }
        let mut residual = largest.clone();
        for b in residual.iter_mut().step_by(2) {
            *b = -*b;
        }
        let mut x = residual.clone();
        factors.solve(&mut x);
        let mut size = 0.0f64;
        for (j, x) in x.iter().enumerate() {
            size = size.max(x.abs());
            for p in self.pattern.span(j) {
                residual[self.pattern.row[p] as usize] -= values[p] * x;
            }
        }
        let mut error = 0.0;
        for (residual, largest) in residual.iter().zip(&largest) {
            let relative = residual.abs() / (largest * size + largest);
            if relative > error || relative.is_nan() {
                error = relative;
            }
        }
        error
    }

    fn first_non_finite(&self, values: &[f64]) -> Option<Singular> {
        let non_finite = |j: &usize| values[self.pattern.span(*j)].iter().any(|a| !a.is_finite());
        let column = (0..self.pattern.n).find(non_finite)?;
        Some(Singular { column })
    }
}

impl LinearSolver for SparseLu {
    fn analyse(&mut self, pattern: &Pattern, _group: &[u32]) {
        self.order.clear();
        self.pattern.clone_from(pattern);
        self.factors = None;
        self.factored = false;
    }

    fn factor(&mut self, values: &[f64]) -> Result<FactorInfo, Singular> {
        self.factored = false;
        if let Some(factors) = &mut self.factors
            && let Ok(range) = factors.renew(values, true)
            && range.ratio() >= RATIO_COLLAPSE * self.chosen_ratio
        {
            let nnz = factors.nnz();
            return Ok(self.info(&range, nnz, true));
        }
        match self.first_non_finite(values) {
            Some(singular) => Err(singular),
            None => self.factor_with_fresh_pivots(values),
        }
    }

    fn solve(&mut self, b: &mut [f64]) {
        match &mut self.factors {
            Some(factors) if self.factored => factors.solve(b),
            _ => b.fill(f64::NAN),
        }
    }
}
