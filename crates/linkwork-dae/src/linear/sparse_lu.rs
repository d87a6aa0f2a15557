//! Sparse LU for iteration matrices of mechanisms: one pattern, factored hundreds of times.
//!
//! ```text
//! first factor  pivots and structure of the factors                (choice)
//!               places of all entries and operations               (layout), then as below
//! later ones    numbers on the frozen structure, pivots watched    (frozen)
//! ```
//!
//! Where multipliers have left their bounds the factors are probed with one right-hand side, and pivots are
//! chosen anew if accuracy has been lost. So is a fresh choice: if preferring pivots for their sparsity has
//! cost accuracy, plain partial pivoting replaces it. Small pivots are not refused: near a singular pose the factors are
//! still useful, and the caller sees [`FactorInfo::pivot_ratio`].
//!
//! Fresh pivots may be needed in the middle of a simulation, so every phase keeps its buffers, with
//! space for twice the fill of the first factors. Only more fill than that allocates again.
//!
//! Bad at: matrices with much fill (plates of flexible bodies by the thousand), where a supernodal
//! method makes better use of the cache.

use super::buffers::reserve;
use super::choice::Choice;
use super::frozen::{Frozen, PivotRange};
use super::probe::Probe;
use super::{FactorInfo, Field, LinearSolver, Pattern, Singular, Work};
use crate::eigen::Complex;
use crate::memory::Memory;

/// Multiplications listed one by one at most; 16 MB of targets.
const LIST_LIMIT: usize = 4_000_000;

/// Fresh pivots are tried when the pivot ratio has fallen this far below that of the last choice: the
/// caller takes it for that of the matrix.
const RATIO_COLLAPSE: f64 = 1e-4;

/// Entries of the factors per entry of the matrix for which space is reserved from the start.
const EXPECTED_FILL: usize = 4;

/// Multiplications per entry of the matrix, likewise.
const EXPECTED_WORK: usize = 16;

/// Entries of the factors in a suggested order.
const SUGGESTED_FILL: usize = 12;

/// Row-wise backward error of the probe beyond which sparsity has cost accuracy.
const PROBE_TOLERANCE: f64 = 1e-11;

/// Sparse LU factorisation with threshold pivoting and reuse of the pivot sequence.
#[derive(Clone, Debug)]
pub struct SparseLu<T = f64> {
    pattern: Pattern,
    factors: Frozen<T>,
    /// Pivot ratio when the pivots were chosen; none without pivots.
    chosen_ratio: Option<f64>,
    /// Growth of multipliers, in terms of their bounds, that is known to do no harm.
    proven: f64,
    /// The values that the pivots were chosen for. Pivots follow from them alone.
    chosen_for: Vec<T>,
    /// Whether they were chosen for their size alone.
    by_size: bool,
    /// Whether the factors belong to the last values.
    factored: bool,
    /// Whether there is space for twice the fill of the first factors.
    reserved: bool,
    choice: Choice<T>,
    probe: Probe<T>,
}

impl<T: Field> Default for SparseLu<T> {
    fn default() -> SparseLu<T> {
        SparseLu::empty(LIST_LIMIT)
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
        SparseLu::empty(list_limit)
    }
}

impl<T: Field> SparseLu<T> {
    fn empty(list_limit: usize) -> SparseLu<T> {
        SparseLu {
            pattern: Pattern::default(),
            factors: Frozen::with_list_limit(list_limit),
            chosen_ratio: None,
            proven: 1.0,
            chosen_for: Vec::new(),
            by_size: false,
            factored: false,
            reserved: false,
            choice: Choice::default(),
            probe: Probe::default(),
        }
    }

    /// Reserves space for factors with `entries` entries and as many multiplications.
    fn reserve(&mut self, entries: usize, multiplications: usize) {
        self.choice.reserve(&self.pattern, entries);
        self.factors
            .reserve(&self.pattern, entries, multiplications);
        self.probe.reserve(self.pattern.n);
    }

    fn info(&mut self, range: &PivotRange, reused_pivots: bool) -> FactorInfo {
        self.factored = true;
        FactorInfo {
            pivot_ratio: range.ratio(),
            reused_pivots,
            nnz: self.factors.nnz(),
        }
    }

    /// Chooses pivots for values and remembers these.
    fn choose(&mut self, values: &[T]) -> Result<FactorInfo, Singular> {
        if let Some(singular) = self.first_non_finite(values) {
            return Err(singular);
        }
        let info = self.factor_with_fresh_pivots(values)?;
        self.chosen_for.clear();
        self.chosen_for.extend_from_slice(values);
        Ok(info)
    }

    fn factor_with_fresh_pivots(&mut self, values: &[T]) -> Result<FactorInfo, Singular> {
        (self.chosen_ratio, self.proven) = (None, 1.0);
        self.choice.sparse(&self.pattern, values)?;
        let sparse = match self.by_size {
            true => None,
            false => self.freeze(values).ok(),
        };
        let range = match sparse {
            Some(range) if self.is_accurate(values) => range,
            _ => {
                self.choice.by_size(&self.pattern, values)?;
                self.freeze(values)?
            }
        };
        self.chosen_ratio = Some(range.ratio());
        if !self.reserved {
            let (entries, multiplications) = (self.factors.nnz(), self.factors.multiplications());
            // Columns and rows twice as long have four times as many products.
            self.reserve(2 * entries, 4 * multiplications);
            self.reserved = true;
        }
        Ok(self.info(&range, false))
    }

    /// Factors with the last choice.
    fn freeze(&mut self, values: &[T]) -> Result<PivotRange, Singular> {
        let Choice {
            structure, scales, ..
        } = &self.choice;
        self.factors.adopt(&self.pattern, structure, scales, values)
    }

    /// Whether multipliers that have grown so far beyond their bounds leave accurate factors. What has
    /// been found so goes for twice as much.
    fn may_grow(&mut self, growth: f64, values: &[T]) -> bool {
        if growth > self.proven && self.is_accurate(values) {
            self.proven = 2.0 * growth;
        }
        growth <= self.proven
    }

    fn is_accurate(&mut self, values: &[T]) -> bool {
        let (probe, factors) = (&mut self.probe, &mut self.factors);
        probe.backward_error(&self.pattern, values, factors) <= PROBE_TOLERANCE
    }

    fn first_non_finite(&self, values: &[T]) -> Option<Singular> {
        let non_finite = |j: &usize| {
            values[self.pattern.span(*j)]
                .iter()
                .any(|a| !a.size().is_finite())
        };
        let column = (0..self.pattern.n).find(non_finite)?;
        Some(Singular { column })
    }
}

impl<T: Field> LinearSolver<T> for SparseLu<T> {
    fn another(&self) -> Box<dyn LinearSolver<T>> {
        Box::new(SparseLu::<T>::default())
    }

    fn complex(&self) -> Box<dyn LinearSolver<Complex>> {
        Box::new(SparseLu::<Complex>::default())
    }

    fn analyse(&mut self, pattern: &Pattern, group: &[u32]) {
        self.pattern.clone_from(pattern);
        self.choice.analyse(pattern, group);
        self.chosen_ratio = None;
        self.factored = false;
        self.reserved = false;
        let nnz = pattern.nnz();
        self.chosen_for.clear();
        reserve(&mut self.chosen_for, nnz);
        self.reserve(EXPECTED_FILL * nnz, EXPECTED_WORK * nnz);
    }

    fn suggest(&mut self, order: &[u32]) {
        if order.len() == self.pattern.n {
            self.choice.suggest(order);
            // nobody looks for a sparser order, so that loops may fill more
            let nnz = self.pattern.nnz();
            self.reserve(SUGGESTED_FILL * nnz, 2 * EXPECTED_WORK * nnz);
        }
    }

    fn factor(&mut self, values: &[T]) -> Result<FactorInfo, Singular> {
        self.factored = false;
        if let Some(chosen_ratio) = self.chosen_ratio
            && let Ok(range) = self.factors.renew(values)
            && range.ratio() >= RATIO_COLLAPSE * chosen_ratio
            && self.may_grow(range.growth, values)
        {
            return Ok(self.info(&range, true));
        }
        self.by_size = false;
        self.choose(values)
    }

    fn factor_by_size(&mut self, values: &[T]) -> Result<FactorInfo, Singular> {
        self.factored = false;
        self.by_size = true;
        self.choose(values)
    }

    fn solve(&mut self, b: &mut [T]) {
        if self.factored {
            self.factors.solve(b);
        } else {
            b.fill(T::real(f64::NAN));
        }
    }

    fn solve_all(&mut self, b: &mut [Vec<T>]) {
        match self.factored {
            true => self.factors.solve_all(b),
            false => b.iter_mut().for_each(|b| b.fill(T::real(f64::NAN))),
        }
    }

    fn work(&self) -> Work {
        Work {
            factor: self.factors.multiplications() as f64,
            solve: self.factors.nnz() as f64,
        }
    }

    /// Pivots, their scales and their bounds are chosen again for the same values, by the one that won them.
    fn memory(&mut self, m: &mut Memory) {
        m.section("sparse");
        let mut chosen = self.chosen_ratio.is_some();
        m.bool(&mut chosen);
        if m.is_reading() {
            self.chosen_ratio = None;
            self.factored = false;
            self.chosen_for.resize(self.pattern.nnz(), T::default());
        }
        if !chosen {
            return;
        }
        T::memory(m, &mut self.chosen_for);
        m.bool(&mut self.by_size);
        self.choice.memory(m);
        let mut proven = self.proven;
        m.f64(&mut proven);
        if m.has_read() {
            let values = std::mem::take(&mut self.chosen_for);
            let finite = self.first_non_finite(&values).is_none();
            if !finite || self.factor_with_fresh_pivots(&values).is_err() {
                m.singular();
            }
            self.chosen_for = values;
            self.factored = false;
            self.proven = proven;
        }
    }
}
