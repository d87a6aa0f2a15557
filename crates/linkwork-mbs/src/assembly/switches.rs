//! Switching functions of forces: sides that are frozen within a step, and change where one crosses zero.
//!
//! A function counts as positive while its side lasts, so it is told with the sign of the side.

use super::{Assembly, force_inputs};
use crate::assemble::Plan;
use crate::force::{ForcePoint, MAX_SWITCHES};
use crate::lanes::Lanes;
use linkwork_dae::memory::Memory;
use linkwork_dae::saddle::{Saddle, SaddleError};
use linkwork_dae::state::State;
use linkwork_dae::switching::{Crossing, Switch, Switching};
use linkwork_dae::system::After;

/// The sides of all switching functions of a model.
#[derive(Clone, Debug)]
pub(super) struct Sides {
    positive: Vec<bool>,
}

impl Sides {
    pub fn new(plan: &Plan) -> Sides {
        Sides {
            positive: vec![true; plan.switches.len()],
        }
    }

    /// Whether there is nothing to switch.
    pub fn is_empty(&self) -> bool {
        self.positive.is_empty()
    }

    /// Those of one force.
    pub fn of(&self, range: &std::ops::Range<usize>) -> &[bool] {
        &self.positive[range.clone()]
    }

    pub fn reset(&mut self) {
        self.positive.fill(true);
    }

    pub fn memory(&mut self, m: &mut Memory) {
        for side in &mut self.positive {
            m.bool(side);
        }
    }
}

impl Assembly {
    /// Calls with the value of every switching function; frames are placed, signals read.
    fn for_each_switch(&self, t: f64, x: &[f64], mut call: impl FnMut(usize, f64)) {
        let t = self.clock.side(t);
        for f in self.plan.forces.iter().filter(|f| !f.switches.is_empty()) {
            let inputs = force_inputs(&self.signals, f);
            let at = ForcePoint {
                t,
                a: &self.turned.frames[f.a],
                b: &self.turned.frames[f.b],
                inputs: &inputs[..f.inputs.len()],
                turns: &self.turned.turns[f.turns.clone()],
                states: &x[f.states.clone()],
                sides: &[],
                lanes: &Lanes::ALL,
            };
            let mut values = [0.0; MAX_SWITCHES];
            let values = &mut values[..f.switches.len()];
            f.force.switch_values(&at, values);
            for (k, value) in f.switches.clone().zip(values) {
                call(k, *value);
            }
        }
    }

    /// Sides at the start of a run: those on which the functions are.
    pub(super) fn take_sides(&mut self, t: f64, x: &[f64]) {
        let mut sides = std::mem::take(&mut self.sides.positive);
        self.for_each_switch(t, x, |k, value| sides[k] = !(value < 0.0));
        self.sides.positive = sides;
    }

    /// The switching functions in words.
    pub(crate) fn switch_list(&self) -> &[Switch] {
        &self.plan.switches
    }

    /// Changes the sides of those that crossed.
    pub(crate) fn flip(&mut self, crossed: &[Crossing]) -> After {
        for crossing in crossed {
            if let Some(side) = self.sides.positive.get_mut(crossing.switch) {
                *side = !*side;
            }
        }
        After::Restart
    }
}

impl Switching for Assembly {
    fn switches(&self) -> &[Switch] {
        self.switch_list()
    }

    fn values(&mut self, s: &State, out: &mut [f64]) {
        self.with_frames(s, |this, seen| {
            this.read_signals(seen);
            this.for_each_switch(seen.t, &seen.x, |k, value| {
                out[k] = if this.sides.positive[k] {
                    value
                } else {
                    -value
                };
            });
        });
    }

    fn on_switch(
        &mut self,
        crossed: &[Crossing],
        _: &mut State,
        _: &mut Saddle,
    ) -> Result<After, SaddleError> {
        Ok(self.flip(crossed))
    }
}
