//! The iteration matrix of a step size on the factors of another.
//!
//! The blocks are those of the factors, only the time discretisation is another one. Then the matrix
//! `A` of the step is known without any evaluation, and the old factors `B` solve with it by
//! iterative refinement:
//!
//! ```text
//!  x_0 = B^-1 b,   x_{i+1} = x_i + B^-1 (b - A x_i),   |x - x_i| <= c^(i+1) |x|
//! ```
//!
//! `c` is at most `|1 - r|` for first-order and `|1 - r^2|` for second-order terms, `r` the ratio of
//! the step sizes. (On a chart the bend is that of the factors: an error of the order of the rotation
//! within a step.) A solver that makes its factors from the blocks has no such matrix, and refines nothing. A sweep costs a product and a solve; a Newton iteration that is lost to the wrong
//! step size, or new factors, cost more.

use super::{Formulation, Matrix};
use crate::linear::Pattern;
use crate::memory::Memory;
use crate::state::{Link, norm};

/// Values for a step size and room to refine.
#[derive(Clone, Debug, Default)]
pub struct Followed {
    /// The step size followed, where it is not that of the factors.
    link: Option<Link>,
    /// Contraction of the last sweep, or its estimate.
    rate: f64,
    values: Vec<f64>,
    b: Vec<f64>,
    x: Vec<f64>,
}

/// Sweeps at most: with factors so far off that these do not suffice new ones are cheaper.
const MAX_SWEEPS: u32 = 4;
/// Share of the expected contraction that is believed at most.
const LUCKY: f64 = 0.1;
/// Error that refinement may leave, relative to the solution: it is the same in every step of a run at
/// one step size, and adds up.
const ENOUGH: f64 = 1e-3;
/// The same as a share of the error tolerance, where that is more.
const NEGLIGIBLE: f64 = 1e-5;

impl Followed {
    /// Room for a pattern.
    pub(crate) fn new(pattern: &Pattern) -> Followed {
        Followed {
            link: None,
            rate: 0.0,
            values: vec![0.0; pattern.nnz()],
            b: vec![0.0; pattern.n],
            x: vec![0.0; pattern.n],
        }
    }

    /// The step size followed, where it is not that of the factors.
    pub(super) fn link(&self) -> Option<Link> {
        self.link
    }

    /// The factors are those of the step size now.
    pub(super) fn forget(&mut self) {
        self.link = None;
    }

    /// Saves or restores which step size is followed; values follow from it.
    pub(super) fn memory(&mut self, m: &mut Memory) {
        let mut some = self.link.is_some();
        let mut link = self.link.unwrap_or_default();
        m.bool(&mut some);
        link.memory(m);
        m.f64(&mut self.rate);
        self.link = some.then_some(link);
    }
}

/// Subtracts `A x`.
fn subtract(pattern: &Pattern, values: &[f64], x: &[f64], b: &mut [f64]) {
    for (j, x) in x.iter().enumerate() {
        let span = pattern.span(j);
        for (&row, value) in pattern.row[span.clone()].iter().zip(&values[span]) {
            b[row as usize] -= value * x;
        }
    }
}

impl Matrix {
    /// Lets solves be those of a step size, on the factors at hand, where that is `worth` sweeps; else
    /// they are those of the factors.
    pub(crate) fn follow(&mut self, form: &mut dyn Formulation, link: Link, worth: bool) {
        if link == self.link || !worth {
            self.followed.forget();
        } else if self.followed.link != Some(link) {
            let ratio = link.vdot / self.link.vdot;
            self.followed.rate = (ratio * ratio - 1.0).abs();
            self.combine_followed(form, Some(link));
        }
    }

    pub(super) fn combine_followed(&mut self, form: &mut dyn Formulation, link: Option<Link>) {
        self.followed.link = link;
        if let Some(link) = link {
            form.combine(&self.blocks, &self.bend, link, &mut self.followed.values);
        }
    }

    /// Solves in place, refined where the step size is not that of the factors; returns the solves
    /// spent. `weight` is that of the unknowns of the formulation; what is left may be `share` of the
    /// solution, and is little in any case.
    pub(crate) fn solve_refined(&mut self, b: &mut [f64], weight: &[f64], share: f64) -> u32 {
        if self.followed.link.is_none() {
            self.solve(b);
            return 1;
        }
        let Followed {
            rate,
            values,
            b: rest,
            x,
            ..
        } = &mut self.followed;
        let n = b.len();
        x[..n].copy_from_slice(b);
        // own equations of auxiliary unknowns have no right-hand side
        x[n..].fill(0.0);
        self.solver.solve(x);
        let mut size = norm(&x[..n], weight);
        let enough = NEGLIGIBLE.max(ENOUGH.max(share) * size);
        for sweep in 1..=MAX_SWEEPS {
            if *rate * size <= enough || *rate >= 1.0 {
                b.copy_from_slice(&x[..n]);
                return sweep;
            }
            rest[..n].copy_from_slice(b);
            rest[n..].fill(0.0);
            subtract(&self.pattern, values, x, rest);
            self.solver.solve(rest);
            let d = norm(&rest[..n], weight);
            if !(d < size) {
                *rate = 1.0;
                b.copy_from_slice(&x[..n]);
                return 1 + sweep;
            }
            for (x, d) in x.iter_mut().zip(&*rest) {
                *x += d;
            }
            // one solution that happens to lie well says little of the next
            *rate = (d / size).max(LUCKY * *rate);
            size = d;
        }
        b.copy_from_slice(&x[..n]);
        1 + MAX_SWEEPS
    }
}
