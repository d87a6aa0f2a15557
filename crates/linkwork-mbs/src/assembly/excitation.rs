//! Time-dependent inputs of forces, as excitations of the system.
//!
//! Formulas of time alone count. Formulas that name signals do not: signals
//! depend on the state, and what the state does is no known function of time.
//!
//! Neither do drives. In absolute coordinates a prescribed motion `C = g(q) - u(t)` is a constraint that
//! `u` enters beside the coordinates: at given coordinates, speeds and multipliers no derivative block
//! depends on it. What moves with a drive there are the coordinates, and they are unknowns. In joint
//! coordinates a driven joint is `u(t)` itself, see `tree/joint_coordinates/driven.rs`.

use crate::assemble::Plan;
use crate::expr::{Formula, Now};
use crate::field::{Form, Key};
use linkwork_dae::system::Excitation;

/// An input of a force that varies in time.
#[derive(Clone, Debug)]
struct Excited {
    input: usize,
    formula: Formula,
    name: String,
}

/// A force with such inputs.
#[derive(Clone, Debug)]
struct ExcitedForce {
    /// Its index in the model.
    index: usize,
    /// All its formulas.
    formulas: Vec<Formula>,
    /// Its excitations among all of them.
    first: usize,
    count: usize,
}

/// All excitations of a mechanism and how far they are off their values.
#[derive(Clone, Debug, Default)]
pub(super) struct Excitations {
    forces: Vec<ExcitedForce>,
    list: Vec<Excited>,
    offset: Vec<f64>,
    moved: bool,
}

impl Excitations {
    pub(super) fn new(plan: &Plan) -> Excitations {
        let mut all = Excitations::default();
        for (k, f) in plan.forces.iter().enumerate() {
            all.add(k, &f.name, &f.force.list(), &f.force.inputs());
        }
        all.offset = vec![0.0; all.list.len()];
        all
    }

    fn add(&mut self, index: usize, force: &str, keys: &[Key], formulas: &[&Formula]) {
        let first = self.list.len();
        let mut keys = keys.iter().filter(|k| k.form == Form::Formula);
        for (input, formula) in formulas.iter().enumerate() {
            let key = keys.next();
            if formula.is_constant() || !formula.signals().is_empty() {
                continue;
            }
            let name = match key {
                Some(key) => format!("force `{force}`, {}", key.name),
                None => format!("force `{force}`"),
            };
            self.list.push(Excited {
                input,
                formula: (*formula).clone(),
                name,
            });
        }
        let count = self.list.len() - first;
        if count > 0 {
            self.forces.push(ExcitedForce {
                index,
                formulas: formulas.iter().map(|f| (*f).clone()).collect(),
                first,
                count,
            });
        }
    }

    /// Their names and sizes: the largest value within ten seconds, 1 where there is none.
    pub(super) fn facts(&self) -> Vec<Excitation> {
        let fact = |excited: &Excited| {
            let sizes = (0..100).map(|k| excited.formula.eval(0.1 * f64::from(k)).abs());
            let largest = sizes.filter(|x| x.is_finite()).fold(0.0, f64::max);
            Excitation {
                name: excited.name.clone(),
                scale: if largest > 0.0 { largest } else { 1.0 },
            }
        };
        self.list.iter().map(fact).collect()
    }

    pub(super) fn values(&self, t: f64, out: &mut [f64]) {
        for ((out, excited), offset) in out.iter_mut().zip(&self.list).zip(&self.offset) {
            *out = excited.formula.eval(t) + offset;
        }
    }

    pub(super) fn move_by(&mut self, offset: &[f64]) {
        self.offset.copy_from_slice(offset);
        self.moved = offset.iter().any(|x| *x != 0.0);
    }

    /// Moves the inputs of a force off their values, of which `wired` come from signals; without any
    /// a force reads its formulas itself. Returns how many are given now.
    #[inline]
    pub(super) fn shift(&self, force: usize, now: Now, inputs: &mut [f64], wired: usize) -> usize {
        if !self.moved {
            return wired;
        }
        let Some(excited) = self.forces.iter().find(|f| f.index == force) else {
            return wired;
        };
        let mut count = wired;
        if wired == 0 {
            count = excited.formulas.len();
            for (value, formula) in inputs.iter_mut().zip(&excited.formulas) {
                *value = formula.eval_at(now);
            }
        }
        let own = excited.first..excited.first + excited.count;
        for (e, offset) in self.list[own.clone()].iter().zip(&self.offset[own]) {
            inputs[e.input] += offset;
        }
        count
    }
}
