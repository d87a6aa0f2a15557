//! Values and derivatives of signals, controls by the clock.

mod rates;

use super::points::Frames;
use super::sides::Sides;
use crate::assemble::{ForcePlan, Plan, SignalNode, SignalSource};
use crate::control::ControlTerms;
use crate::expr::{Formula, Frozen, Now};
use crate::force::MAX_INPUTS;
use crate::sensor::{GRADIENT_COLUMNS, MAX_QUANTITIES};
use linkwork_dae::cosim::Polynomial;
use linkwork_dae::memory::Memory;
use linkwork_dae::scalar::Dual;
use linkwork_dae::state::State;
use linkwork_dae::system::{Blocks, Part, Parts};

/// Instants that differ by less than this share of the sample time are one.
const SAME_INSTANT: f64 = 1e-6;
/// Signals of a formula that are differentiated at once.
const LANES: usize = 4;

impl Frames<'_> {
    /// A quantity of a sensor, and the wanted columns of its gradient.
    fn sense(
        &self,
        plan: &Plan,
        sensor: usize,
        quantity: usize,
        columns: &[u8],
        own: &mut [f64],
    ) -> f64 {
        let s = &plan.sensors[sensor];
        let (a, b) = (&self.frames[s.a], &self.frames[s.b]);
        let turns = &self.turns[s.turns.clone()];
        if !own.is_empty() {
            let mut all = [[0.0; GRADIENT_COLUMNS]; MAX_QUANTITIES];
            s.sensor.gradient(a, b, turns, &mut all);
            pick(own, columns, &all[quantity]);
        }
        s.sensor.values(a, b, turns, s.flat)[quantity]
    }
}

fn pick(own: &mut [f64], columns: &[u8], all: &[f64]) {
    for (own, column) in own.iter_mut().zip(columns) {
        *own = all[usize::from(*column)];
    }
}

/// Where signals are evaluated, with frames placed.
#[derive(Clone, Copy)]
pub(super) struct SignalPoint<'a> {
    pub now: Now,
    pub q: &'a [f64],
    /// Velocities; empty: at rest.
    pub v: &'a [f64],
    pub x: &'a [f64],
    /// Multipliers; empty: none.
    pub lambda: &'a [f64],
    pub frames: Frames<'a>,
    /// Branches that formulas keep.
    pub sides: &'a Sides,
}

/// Scratch and memory of signals and controls.
#[derive(Clone, Debug)]
pub(super) struct Signals {
    /// Values of the nodes.
    values: Vec<f64>,
    /// Derivatives of the nodes in the order of their supports.
    gradient: Vec<f64>,
    /// Rates of the nodes along a motion, where they are asked for.
    rates: Vec<f64>,
    /// Inputs of the controls.
    inputs: Vec<f64>,
    terms: Vec<ControlTerms>,
    /// Discrete states and held outputs: all that a run leaves behind.
    memory: Vec<f64>,
    /// Whether a run is yet to begin.
    fresh: bool,
    /// Courses of the signals from outside that are driven.
    driven: Vec<Option<Polynomial>>,
}

impl Signals {
    pub fn new(plan: &Plan) -> Signals {
        let w = &plan.wiring;
        let terms = w
            .controls
            .iter()
            .map(|c| ControlTerms::new(c.states.len(), c.inputs.len(), c.control.outputs()));
        Signals {
            values: vec![0.0; w.nodes.len()],
            gradient: vec![0.0; w.variables.len()],
            rates: vec![0.0; w.nodes.len()],
            inputs: vec![0.0; w.inputs.len()],
            terms: terms.collect(),
            memory: w.memory.clone(),
            fresh: true,
            driven: vec![None; w.external.len()],
        }
    }

    /// Value of a node.
    pub fn value(&self, node: usize) -> f64 {
        self.values[node]
    }

    /// Values of the inputs of a force; leftovers beyond those it has.
    pub fn inputs_of(&self, force: &ForcePlan) -> [f64; MAX_INPUTS] {
        let mut values = [0.0; MAX_INPUTS];
        for (value, input) in values.iter_mut().zip(&force.inputs) {
            *value = self.value(input.node);
        }
        values
    }

    /// Derivatives of a node.
    pub fn gradient(&self, node: &SignalNode) -> &[f64] {
        &self.gradient[node.support.clone()]
    }

    /// Whether a run is yet to begin.
    pub fn is_fresh(&self) -> bool {
        self.fresh
    }

    /// The memory at the beginning of a run.
    pub fn reset(&mut self, plan: &Plan) {
        self.memory.copy_from_slice(&plan.wiring.memory);
        self.fresh = true;
    }

    /// Saves or restores discrete states and held outputs.
    pub fn memory(&mut self, m: &mut Memory) {
        m.section("signals");
        m.slice(&mut self.memory);
        m.bool(&mut self.fresh);
        for course in &mut self.driven {
            let mut is_driven = course.is_some();
            let mut p = course.unwrap_or_default();
            m.bool(&mut is_driven);
            p.memory(m);
            if m.has_read() {
                *course = is_driven.then_some(p);
            }
        }
    }

    /// Lets a signal from outside follow a polynomial.
    pub fn drive(&mut self, input: usize, course: &Polynomial) {
        if let Some(slot) = self.driven.get_mut(input) {
            *slot = Some(*course);
        }
    }

    /// Values of all nodes and inputs and, where wanted, the derivatives of the nodes.
    pub fn evaluate(&mut self, plan: &Plan, at: &SignalPoint<'_>, with_gradient: bool) {
        let w = &plan.wiring;
        for (i, node) in w.nodes.iter().enumerate() {
            let (done, rest) = self.gradient.split_at_mut(node.support.start);
            let own = &mut rest[..if with_gradient { node.support.len() } else { 0 }];
            self.values[i] = match &node.source {
                SignalSource::Position(j) => {
                    own.fill(1.0);
                    at.q[*j]
                }
                SignalSource::Velocity(j) => {
                    own.fill(1.0);
                    at.v.get(*j).copied().unwrap_or(0.0)
                }
                SignalSource::Sensor {
                    sensor,
                    quantity,
                    columns,
                } => at.frames.sense(plan, *sensor, *quantity, columns, own),
                SignalSource::Multiplier(row) => {
                    own.fill(1.0);
                    at.lambda.get(*row).copied().unwrap_or(0.0)
                }
                SignalSource::Held(k) => self.memory[*k],
                SignalSource::Input(k) => match &self.driven[*k] {
                    Some(course) => course.at(at.now.side),
                    None => w.external[*k].1.eval_at(at.now),
                },
                SignalSource::Output {
                    control,
                    output,
                    states,
                    inputs,
                } => {
                    let c = &w.controls[*control];
                    for k in c.inputs.clone().take(inputs.len()) {
                        self.inputs[k] = self.values[w.inputs[k]];
                    }
                    let u = &self.inputs[c.inputs.clone()];
                    let terms = &mut self.terms[*control];
                    c.control.output(u, &at.x[c.states.clone()], terms);
                    own.fill(0.0);
                    if !own.is_empty() {
                        let (n, m) = (states.len(), u.len());
                        let y_x = &terms.y_x[output * n..(output + 1) * n];
                        for (slot, d) in states.iter().zip(y_x) {
                            own[*slot as usize] += d;
                        }
                        let y_u = &terms.y_u[output * m..(output + 1) * m];
                        for (chain, d) in inputs.iter().zip(y_u) {
                            let from = &done[w.nodes[chain.node].support.clone()];
                            add(own, &chain.slots, from, *d);
                        }
                    }
                    terms.y[*output]
                }
                SignalSource::Formula {
                    formula,
                    signals,
                    switches,
                } => {
                    let sides = at.sides.frozen(switches);
                    let values = &self.values;
                    let signal = |k: usize| values[signals[k].node];
                    if !own.is_empty() {
                        own.fill(0.0);
                        let mut first = 0;
                        while first < signals.len() {
                            let d = partials(formula, at.now, first, signal, sides);
                            for (chain, d) in signals[first..].iter().zip(d) {
                                let from = &done[w.nodes[chain.node].support.clone()];
                                add(own, &chain.slots, from, d);
                            }
                            first += LANES;
                        }
                    }
                    formula.eval_frozen(at.now, signal, sides)
                }
            };
        }
        for (input, node) in self.inputs.iter_mut().zip(&w.inputs) {
            *input = self.values[*node];
        }
    }

    /// Calls with the value of every switching function of a formula; nodes are evaluated.
    pub fn for_each_corner(
        &self,
        plan: &Plan,
        now: Now,
        sides: &Sides,
        mut call: impl FnMut(usize, f64),
    ) {
        for node in &plan.wiring.nodes {
            let SignalSource::Formula {
                formula,
                signals,
                switches,
            } = &node.source
            else {
                continue;
            };
            let signal = |k: usize| self.values[signals[k].node];
            let frozen = sides.frozen(switches);
            for (i, k) in switches.clone().enumerate() {
                call(k, formula.corner(i, now, signal, frozen));
            }
        }
    }

    /// How long a step may be that does not leap over anything in a formula, while signals go on as they do; nodes are
    /// evaluated with their derivatives.
    pub fn told_for(&self, plan: &Plan, s: &State) -> f64 {
        let w = &plan.wiring;
        let rate = |node: &SignalNode| plan.rate_by_motion(node, self.gradient(node), s);
        let mut longest = f64::INFINITY;
        for (node, unseen) in &w.narrow {
            if let SignalSource::Formula {
                formula, signals, ..
            } = &w.nodes[*node].source
            {
                let signal = |k: usize| {
                    let node = signals[k].node;
                    [self.values[node], rate(&w.nodes[node])]
                };
                longest = longest.min(formula.told_for(s.t, signal, *unseen));
            }
        }
        for formula in &w.narrow_in_time {
            let none = |_| [f64::NAN, 0.0];
            longest = longest.min(formula.told_for(s.t, none, plan.unseen()));
        }
        longest
    }

    /// Rates of the states, and their derivatives in the blocks; nodes are evaluated.
    pub fn rates(
        &mut self,
        plan: &Plan,
        x: &[f64],
        mut f: Option<&mut [f64]>,
        parts: Parts,
        out: &mut Blocks,
    ) {
        let w = &plan.wiring;
        for (c, terms) in w.controls.iter().zip(&mut self.terms) {
            if c.states.is_empty() {
                continue;
            }
            let u = &self.inputs[c.inputs.clone()];
            c.control.rates(u, &x[c.states.clone()], terms);
            if let Some(f) = &mut f {
                f[c.states.clone()].copy_from_slice(&terms.f);
            }
            if parts.has(Part::Fx) {
                for (slot, d) in c.by_state.iter().zip(&terms.f_x) {
                    out[Part::Fx][*slot as usize] += d;
                }
            }
            let m = c.inputs.len();
            for (k, places) in c.by_input.iter().enumerate() {
                let node = &w.nodes[w.inputs[c.inputs.start + k]];
                let gradient = &self.gradient[node.support.clone()];
                if gradient.is_empty() {
                    continue;
                }
                for (i, places) in places.chunks_exact(gradient.len()).enumerate() {
                    let d = terms.f_u[i * m + k];
                    for (place, g) in places.iter().zip(gradient) {
                        if parts.has(place.part) {
                            out[place.part][place.slot as usize] += d * g;
                        }
                    }
                }
            }
        }
    }

    /// Start values of states that depend on the inputs, each with those before it settled.
    fn settle(
        &mut self,
        plan: &Plan,
        t: f64,
        (q, v): (&[f64], &[f64]),
        x: &mut [f64],
        (on, sides): (Frames<'_>, &Sides),
    ) {
        for c in plan.wiring.controls.iter() {
            if c.states.is_empty() {
                continue;
            }
            let at = SignalPoint {
                now: t.into(),
                q,
                v,
                x,
                lambda: &[],
                frames: on,
                sides,
            };
            self.evaluate(plan, &at, false);
            let u = &self.inputs[c.inputs.clone()];
            c.control.settle(u, &mut x[c.states.clone()]);
        }
    }

    /// Takes the samples that are due. Controls that are due at the same instant all read before
    /// one of them writes, so their order has no meaning. Tells whether something jumped that
    /// drives the motion.
    pub fn tick(
        &mut self,
        plan: &Plan,
        t: f64,
        (q, v): (&[f64], &[f64]),
        x: &mut [f64],
        (frames, sides): (Frames<'_>, &Sides),
    ) -> bool {
        let mut jumped = std::mem::take(&mut self.fresh);
        if jumped {
            self.settle(plan, t, (q, v), x, (frames, sides));
        }
        let at = SignalPoint {
            now: t.into(),
            q,
            v,
            x,
            lambda: &[],
            frames,
            sides,
        };
        self.evaluate(plan, &at, false);
        for (c, terms) in plan.wiring.controls.iter().zip(&mut self.terms) {
            let due = c.period.is_some_and(|p| is_instant(t - plan.guess.t, p));
            if !due {
                continue;
            }
            let u = &self.inputs[c.inputs.clone()];
            let (z, y) = self.memory[c.memory.start..c.held.end].split_at_mut(c.memory.len());
            terms.y.copy_from_slice(y);
            c.control.sample(u, z, y);
            jumped |= c.drives && terms.y[..] != *y;
        }
        jumped
    }

    /// Whether every value is a number; else the name of the first control at fault.
    pub fn culprit(&self, plan: &Plan) -> Option<String> {
        let bad = |x: &[f64]| x.iter().any(|x| !x.is_finite());
        let of_control = plan.wiring.controls.iter().zip(&self.terms);
        for (c, terms) in of_control {
            if bad(&self.inputs[c.inputs.clone()]) {
                return Some(format!("control `{}`, its input", c.name));
            }
            if bad(&self.memory[c.memory.start..c.held.end]) {
                return Some(format!("control `{}`, its memory", c.name));
            }
            if bad(&terms.f) || bad(&terms.y) {
                return Some(format!("control `{}`", c.name));
            }
        }
        None
    }
}

/// `own[slots] += factor * from`.
fn add(own: &mut [f64], slots: &[u32], from: &[f64], factor: f64) {
    for (slot, g) in slots.iter().zip(from) {
        own[*slot as usize] += factor * g;
    }
}

/// Derivatives of a formula by its signals from `first` on.
fn partials(
    formula: &Formula,
    now: Now,
    first: usize,
    signal: impl Fn(usize) -> f64,
    sides: Frozen<'_>,
) -> [f64; LANES] {
    let variable = |k: usize| {
        // a lane out of range makes a constant
        Dual::<LANES>::variable(signal(k), k.wrapping_sub(first))
    };
    formula
        .eval_frozen(now.going(Dual::from(now.t)), variable, sides)
        .d
}

/// Samples since the start, and how far into the current interval, both at time `t` after it.
fn ticks(t: f64, period: f64) -> (f64, f64) {
    let x = t / period + SAME_INSTANT;
    (x.floor(), x - x.floor())
}

/// Whether a sample is due at time `t` after the start.
fn is_instant(t: f64, period: f64) -> bool {
    ticks(t, period).1 <= 2.0 * SAME_INSTANT
}

/// The first sample after `t`, over all clocks.
pub(super) fn next_instant(plan: &Plan, t: f64) -> Option<f64> {
    let start = plan.guess.t;
    let periods = plan.wiring.controls.iter().filter_map(|c| c.period);
    let instants = periods.map(|p| start + (ticks(t - start, p).0 + 1.0) * p);
    // instants as good as equal are one: the earliest, which the others recognise as their own
    instants.min_by(f64::total_cmp)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_are_recognised_after_many_periods() {
        for (a, b) in [(0.1, 0.3), (1e-3, 7e-3), (0.01, 0.015)] {
            for k in 1..20_000 {
                for p in [a, b] {
                    let t = f64::from(k) * p;
                    assert!(is_instant(t, p) && is_instant(t.next_up(), p));
                    assert!(is_instant(t.next_down(), p));
                    assert!(!is_instant(t + 0.4 * p, p) && !is_instant(t - 0.001 * p, p));
                    assert_eq!(ticks(t.next_down(), p).0, f64::from(k));
                }
            }
        }
    }
}
