//! The linear system of a pair of conjugate eigenvalues: one complex matrix.

use crate::eigen::Complex;
use crate::implicit::Implicit;
use crate::linear::{FactorInfo, LinearSolver, Singular};
use crate::memory::Memory;

/// A complex matrix on the pattern of the real one.
pub(super) struct Pair {
    solver: Box<dyn LinearSolver<Complex>>,
    values: Vec<Complex>,
    rhs: Vec<Complex>,
    bend: Vec<Complex>,
}

impl Pair {
    /// Symbolic work beside a real matrix.
    pub fn new(implicit: &Implicit) -> Pair {
        let Implicit { form, matrix, .. } = implicit;
        let mut solver = matrix.solver.complex();
        solver.analyse(&matrix.pattern, &form.groups());
        if !form.order().is_empty() {
            solver.suggest(form.order());
        }
        Pair {
            solver,
            values: vec![Complex::ZERO; matrix.pattern.nnz()],
            rhs: vec![Complex::ZERO; matrix.pattern.n],
            bend: vec![Complex::ZERO; matrix.bend.len()],
        }
    }

    /// Combines blocks for a complex `s`, with what a chart bends times `s`, and factors.
    pub fn factor(
        &mut self,
        implicit: &Implicit,
        bend: &[f64],
        s: Complex,
    ) -> Result<FactorInfo, Singular> {
        for (to, raw) in self.bend.iter_mut().zip(bend) {
            *to = Complex::new(*raw, 0.0) / s;
        }
        let Implicit { form, matrix, .. } = implicit;
        form.combine_complex(&matrix.blocks, &self.bend, s, &mut self.values);
        self.solver.factor(&self.values)
    }

    /// Solves in place, real and imaginary parts apart; right-hand sides of auxiliary equations are 0.
    pub fn solve(&mut self, re: &mut [f64], im: &mut [f64]) {
        let (own, auxiliary) = self.rhs.split_at_mut(re.len());
        for (z, (re, im)) in own.iter_mut().zip(re.iter().zip(im.iter())) {
            *z = Complex::new(*re, *im);
        }
        auxiliary.fill(Complex::ZERO);
        self.solver.solve(&mut self.rhs);
        for (z, (re, im)) in self.rhs.iter().zip(re.iter_mut().zip(im)) {
            (*re, *im) = (z.re, z.im);
        }
    }

    /// Saves or restores the pivots.
    pub fn memory(&mut self, m: &mut Memory) {
        self.solver.memory(m);
    }
}
