//! The iteration matrix of a step, and what its parts cost.

use super::Formulation;
use crate::linear::{FactorInfo, LinearSolver, Pattern, Singular, Work};
use crate::memory::Memory;
use crate::state::Link;
use crate::system::{Blocks, System};

/// Blocks, combined values and factors of the iteration matrix, and the Link they were made for.
pub struct Matrix {
    /// Derivative blocks.
    pub blocks: Blocks,
    /// What a tangent step does to velocities beyond `s1`, see [`Chart`](crate::chart::Chart); empty without a chart.
    pub bend: Vec<f64>,
    /// Where the values are.
    pub pattern: Pattern,
    /// Values in the order of the pattern.
    pub values: Vec<f64>,
    /// Factors.
    pub solver: Box<dyn LinearSolver>,
    /// A right-hand side with zeros for auxiliary equations; empty without them.
    pub long: Vec<f64>,
    /// The time discretisation the factors belong to.
    pub link: Link,
    /// Accepted steps since the force blocks were evaluated.
    pub age: u32,
    /// Whether blocks and factors can be used at all.
    pub valid: bool,
}

/// Multiplications that a pass over the system takes for each entry of the iteration matrix: every
/// entry stands for a coupling that the pass computes. Compiled code has 13 to 25 instructions for
/// each on the carriage and the car, about half of them arithmetic.
const PASS: f64 = 10.0;

impl Matrix {
    /// What new factors from kept force blocks cost, in corrector iterations: a pass over the system
    /// for `M` and `C_q`, or as many residuals as they take, and a factorisation, against a residual
    /// and a solve.
    pub fn update_price(&self, sys: &dyn System) -> f64 {
        let Work { factor, solve } = self.solver.work();
        let pass = PASS * (1 + self.pattern.nnz()) as f64;
        let passes = f64::from(sys.facts().mass_residuals.max(1));
        (passes * pass + factor) / (pass + solve)
    }

    /// Combines the blocks for a time discretisation and factors.
    pub fn factor(&mut self, form: &mut Formulation, link: Link) -> Result<FactorInfo, Singular> {
        form.combine(&self.blocks, &self.bend, link, &mut self.values);
        self.solver.factor(&self.values)
    }

    /// Solves in place with the last factors, for the unknowns of the formulation.
    pub fn solve(&mut self, b: &mut [f64]) {
        if self.long.is_empty() {
            self.solver.solve(b);
            return;
        }
        let (own, auxiliary) = self.long.split_at_mut(b.len());
        own.copy_from_slice(b);
        auxiliary.fill(0.0);
        self.solver.solve(&mut self.long);
        b.copy_from_slice(&self.long[..b.len()]);
    }

    /// The same for several right-hand sides.
    pub fn solve_all(&mut self, b: &mut [Vec<f64>]) {
        match self.long.is_empty() {
            true => self.solver.solve_all(b),
            false => b.iter_mut().for_each(|b| self.solve(b)),
        }
    }

    /// Saves or restores blocks and pivots. Values and factors follow from them: reading combines
    /// and factors anew, with the same result to the last bit.
    pub fn memory(&mut self, form: &mut Formulation, m: &mut Memory) {
        let Matrix {
            blocks,
            bend,
            pattern: _,
            values: _,
            long: _,
            solver,
            link,
            age,
            valid,
        } = self;
        m.section("matrix");
        link.memory(m);
        m.u32(age);
        m.bool(valid);
        if *valid {
            blocks.memory(m);
            m.slice(bend);
        }
        solver.memory(m);
        if self.valid && m.has_read() && self.factor(form, self.link).is_err() {
            self.valid = false;
            m.singular();
        }
    }
}
