//! Own states of forces: rates, their derivatives, start values.

use super::Assembly;
use super::pass::scatter;
use crate::assemble::{ForcePlan, Plan};
use crate::force::{ForcePoint, ForceTerms, MAX_STATES};
use linkwork_dae::system::{Blocks, Part, Parts};

use super::signals::Signals;

/// Puts what a force with states has computed into its places.
pub(super) fn place(
    plan: &Plan,
    signals: &Signals,
    force: &ForcePlan,
    terms: &ForceTerms,
    f: Option<&mut [f64]>,
    parts: Parts,
    out: &mut Blocks,
) {
    let t = &terms.states;
    let to = &force.by_states;
    if let Some(f) = f {
        for (f, rate) in f[force.states.clone()].iter_mut().zip(t.f) {
            *f = rate;
        }
    }
    for (part, slots, values) in [
        (Part::Fq, &to.f_q, t.f_q.as_flattened()),
        (Part::Fv, &to.f_v, t.f_v.as_flattened()),
        (Part::Fx, &to.f_x, t.f_x.as_flattened()),
    ] {
        if parts.has(part) {
            scatter(&mut out[part], slots, values);
        }
    }
    if parts.has(Part::Rx) {
        // r holds -Q
        let block = &mut out[Part::Rx];
        let values = t.by_state.as_flattened();
        for &(from, slot) in &to.r_x {
            block[slot as usize] -= values[from as usize];
        }
    }
    for (k, input) in force.inputs.iter().enumerate() {
        let gradient = signals.gradient(&plan.wiring.nodes[input.node]);
        for (i, places) in &input.rates {
            let d = t.f_u[usize::from(*i)][k];
            for (place, g) in places.iter().zip(gradient) {
                if parts.has(place.part) {
                    out[place.part][place.slot as usize] += d * g;
                }
            }
        }
    }
}

impl Assembly {
    /// Start values of states of forces that depend on the motion; frames are placed, signals read.
    pub(super) fn settle_forces(&mut self, t: f64, x: &mut [f64]) {
        let now = self.clock.now(t);
        for f in self.plan.forces.iter().filter(|f| !f.states.is_empty()) {
            let inputs = self.signals.inputs_of(f);
            let mut values = [0.0; MAX_STATES];
            let own = &mut x[f.states.clone()];
            let known = &mut values[..own.len()];
            known.copy_from_slice(own);
            let on = self.turned.frames();
            let at = ForcePoint {
                states: known,
                ..f.point(now, on, &inputs[..f.inputs.len()], &[], &[])
            };
            f.force.settle(&at, own);
        }
    }
}
