//! Time-dependent inputs of forces, as excitations of the system.
//!
//! Formulas of time alone count. Drives do not: in absolute coordinates a prescribed motion enters
//! the constraints and no derivative block. Neither do formulas that name signals, which depend on
//! the state as well.

use crate::assemble::Plan;
use crate::expr::Formula;
use crate::force::MAX_INPUTS;

/// A force with inputs that vary in time.
#[derive(Clone, Debug)]
struct Excited {
    force: usize,
    formulas: Vec<Formula>,
    /// Index of the first of them among all excitations.
    first: usize,
}

/// All excitations of a mechanism and how far they are off their values.
#[derive(Clone, Debug, Default)]
pub(super) struct Excitations {
    forces: Vec<Excited>,
    offset: Vec<f64>,
    moved: bool,
}

impl Excitations {
    pub(super) fn new(plan: &Plan) -> Excitations {
        let mut all = Excitations::default();
        for (force, f) in plan.forces.iter().enumerate() {
            let formulas = f.force.inputs();
            let varies = formulas.iter().any(|formula| !formula.is_constant());
            if f.inputs.is_empty() && varies {
                let formulas: Vec<Formula> = formulas.into_iter().cloned().collect();
                let first = all.offset.len();
                all.offset.resize(first + formulas.len(), 0.0);
                all.forces.push(Excited {
                    force,
                    formulas,
                    first,
                });
            }
        }
        all
    }

    pub(super) fn count(&self) -> usize {
        self.offset.len()
    }

    pub(super) fn values(&self, t: f64, out: &mut [f64]) {
        let formulas = self.forces.iter().flat_map(|f| &f.formulas);
        for ((out, formula), offset) in out.iter_mut().zip(formulas).zip(&self.offset) {
            *out = formula.eval(t) + offset;
        }
    }

    /// The largest value within ten seconds; 1 where there is none.
    pub(super) fn scale(&self, out: &mut [f64]) {
        let formulas = self.forces.iter().flat_map(|f| &f.formulas);
        for (out, formula) in out.iter_mut().zip(formulas) {
            let sizes = (0..100).map(|k| formula.eval(0.1 * f64::from(k)).abs());
            let largest = sizes.filter(|x| x.is_finite()).fold(0.0, f64::max);
            *out = if largest > 0.0 { largest } else { 1.0 };
        }
    }

    pub(super) fn move_by(&mut self, offset: &[f64]) {
        self.offset.copy_from_slice(offset);
        self.moved = offset.iter().any(|x| *x != 0.0);
    }

    /// Inputs of a force off their values, with their number; `None` where nothing is moved.
    pub(super) fn inputs(&self, force: usize, t: f64) -> Option<([f64; MAX_INPUTS], usize)> {
        if !self.moved {
            return None;
        }
        let excited = self.forces.iter().find(|f| f.force == force)?;
        let mut values = [0.0; MAX_INPUTS];
        for (k, (value, formula)) in values.iter_mut().zip(&excited.formulas).enumerate() {
            *value = formula.eval(t) + self.offset[excited.first + k];
        }
        Some((values, excited.formulas.len()))
    }
}
