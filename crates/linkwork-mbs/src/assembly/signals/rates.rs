//! How fast signals change along a motion: exactly, by the chain rule.

use super::Signals;
use crate::assemble::{Plan, SignalNode, SignalSource};
use crate::assembly::sides::Sides;
use crate::expr::Now;
use linkwork_dae::scalar::Dual;
use linkwork_dae::state::State;
use linkwork_dae::system::Dims;

/// A value and its rate.
type Moving = Dual<1>;

fn moving(value: f64, rate: f64) -> Moving {
    Dual {
        v: value,
        d: [rate],
    }
}

impl Plan {
    /// What a node changes by the motion of a state, with the derivatives of the node.
    pub(super) fn rate_by_motion(&self, node: &SignalNode, gradient: &[f64], s: &State) -> f64 {
        let Dims { nv, nx, .. } = self.dims;
        let of = |variable: u32| match variable as usize {
            j if j < nv => s.v.get(j),
            j if j < 2 * nv => s.a.get(j - nv),
            j if j < 2 * nv + nx => s.xdot.get(j - 2 * nv),
            _ => None,
        };
        let variables = self.wiring.variables[node.support.clone()].iter();
        let terms = variables.zip(gradient);
        terms.map(|(j, d)| d * of(*j).copied().unwrap_or(0.0)).sum()
    }
}

impl Signals {
    /// Calls with the value and the rate of every switching function of a formula along the motion of a state; nodes are
    /// evaluated with their derivatives. Nobody knows the rates of multipliers: what reads one has none.
    pub fn for_each_rate(
        &mut self,
        plan: &Plan,
        (now, s): (Now, &State),
        sides: &Sides,
        mut call: impl FnMut(usize, [f64; 2]),
    ) {
        let w = &plan.wiring;
        let going = now.going(moving(now.t, 1.0));
        let mut rates = std::mem::take(&mut self.rates);
        for (i, node) in w.nodes.iter().enumerate() {
            rates[i] = match &node.source {
                SignalSource::Position(_)
                | SignalSource::Velocity(_)
                | SignalSource::Sensor { .. } => plan.rate_by_motion(node, self.gradient(node), s),
                SignalSource::Multiplier(_) => f64::NAN,
                SignalSource::Held(_) => 0.0,
                SignalSource::Input(k) => match &self.driven[*k] {
                    Some(course) => course.rate(now.side),
                    None => w.external[*k].1.eval_at(going).d[0],
                },
                SignalSource::Output {
                    control,
                    output,
                    inputs,
                    ..
                } => {
                    let (c, terms) = (&w.controls[*control], &self.terms[*control]);
                    let (n, m) = (c.states.len(), c.inputs.len());
                    let by_states = terms.y_x[output * n..]
                        .iter()
                        .zip(&s.xdot[c.states.clone()]);
                    let by_inputs = terms.y_u[output * m..].iter().zip(inputs);
                    by_states.map(|(d, rate)| d * rate).sum::<f64>()
                        + (by_inputs.map(|(d, chain)| d * rates[chain.node])).sum::<f64>()
                }
                SignalSource::Formula {
                    formula,
                    signals,
                    switches,
                } => {
                    let signal = |k: usize| {
                        let node = signals[k].node;
                        moving(self.values[node], rates[node])
                    };
                    let frozen = sides.frozen(switches);
                    for (i, k) in switches.clone().enumerate() {
                        let u = formula.corner(i, going, signal, frozen);
                        call(k, [u.v, u.d[0]]);
                    }
                    formula.eval_frozen(going, signal, frozen).d[0]
                }
            };
        }
        self.rates = rates;
    }
}
