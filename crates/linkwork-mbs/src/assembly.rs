//! A mechanism in absolute coordinates as a system of equations.
//!
//! ```text
//!  q = (x, psi) of every body      R = R_base exp(psi), the base held here; an angle in the x-y plane
//!  v = (x', omega)                 omega in body axes; those of carriers are behind maps, `pull_back.rs`
//!  r = M a + omega x J omega + C_q' lambda - Q         M constant
//!  D = omega^ J - (J omega)^ - Q_v                     K = (C_q' lambda)_q - Q_q along the tangent
//!  E xdot = f                      states of the controls, then of the forces
//! ```
//!
//! One pass: frames once per body, then every force, then every joint, each with one virtual call that
//! fills a small local table; entries move from there to their places. Nothing is searched and nothing
//! is allocated.

mod capabilities;
mod carried;
mod chart;
mod clock;
mod closed;
mod evaluate;
mod excitation;
mod kinetic;
mod leap;
mod mapped;
mod meetings;
mod output;
mod pass;
mod points;
mod pull_back;
mod resting;
mod sides;
mod signals;
mod states;
mod switches;
mod words;

pub(crate) use carried::{Carried, Connection, Freedom, Own};
pub(crate) use meetings::Meeting;
pub(crate) use pass::{ElementSlot, Gather};
pub use pass::{JointPass, JointPlaces};
pub(crate) use pull_back::PullBack;

use crate::assemble::Plan;
use crate::error::ModelError;
use crate::force::ForceTerms;
use crate::forward::evaluate_in_one_pass;
use crate::joint::JointTerms;
use chart::Turned;
use clock::Clock;
use excitation::Excitations;
use linkwork_dae::chart::Chart;
use linkwork_dae::law::RowLaw;
use linkwork_dae::memory::Memory;
use linkwork_dae::state::State;
use linkwork_dae::system::{Capability, Dims, Facts, Names, Reference, System};
use mapped::Mapped;
use resting::Resting;
use sides::Sides;
use signals::{SignalPoint, Signals};
use std::sync::Arc;

/// An assembled mechanism; see [`crate::assemble()`].
#[derive(Clone, Debug)]
pub struct Assembly {
    plan: Arc<Plan>,
    facts: Arc<Facts>,
    /// `C_q' lambda - Q` of the elements on each frame: force (global), torque (body axes).
    loads: Vec<[f64; 6]>,
    joint: JointTerms,
    force: ForceTerms,
    signals: Signals,
    /// The bodies, placed, with what a motion leaves behind: bases of rotations and whole turns.
    turned: Turned,
    excitations: Excitations,
    clock: Clock,
    sides: Sides,
    /// Where bodies are behind maps.
    mapped: Option<Box<Mapped>>,
    /// Joints that evaluations leave out; empty: none.
    left_out: Vec<bool>,
    resting: Resting,
    /// What accelerations make of the rates of forces with curves over them.
    pulls: Vec<f64>,
    /// The same of points that may meet.
    accelerated: Vec<f64>,
}

impl Assembly {
    pub(crate) fn new(plan: Plan) -> Result<Assembly, ModelError> {
        let excitations = Excitations::new(&plan);
        let (dims, patterns) = match &plan.pull_back {
            None => (plan.dims, &plan.patterns),
            Some(pull_back) => (pull_back.dims, &pull_back.patterns),
        };
        let size = |scale: &Option<f64>| scale.unwrap_or(plan.length);
        let reference = |scale: &Option<f64>| match scale {
            None => Reference::Place,
            Some(_) => Reference::Size,
        };
        let inputs = plan.wiring.external.iter();
        let facts = Facts {
            patterns: patterns.clone(),
            scale: plan.scales.iter().map(size).collect(),
            rate: plan.rates.clone(),
            reference: plan.scales.iter().map(reference).collect(),
            scale_x: plan.wiring.state_scale.clone(),
            differential: plan.wiring.differential.clone(),
            guess: plan.guess.clone(),
            channels: output::channels(&plan)?,
            names: Names::new(dims, |row| plan.describe(row), |row| plan.owner(row))
                .with_pieces(|i| plan.mode(i)),
            inputs: inputs.map(|(name, _)| name.clone()).collect(),
            excitations: excitations.facts(),
            laws: laws(&plan, dims),
            impacts: plan.impacts,
            ..Facts::new(dims)
        };
        let plan = Arc::new(plan);
        let turned = Turned::new(&plan);
        let pulls = vec![0.0; plan.forces.iter().filter(|f| f.knows(1)).count()];
        let accelerated = vec![0.0; plan.meetings.len()];
        Ok(Assembly {
            loads: vec![[0.0; 6]; turned.frames.len()],
            signals: Signals::new(&plan),
            excitations,
            clock: Clock::of(&plan),
            sides: Sides::new(&plan),
            mapped: Mapped::new(&plan),
            turned,
            plan,
            facts: Arc::new(facts),
            joint: JointTerms::default(),
            force: ForceTerms::default(),
            left_out: Vec::new(),
            resting: Resting::default(),
            pulls,
            accelerated,
        })
    }

    /// Names of the bodies, in the order of the model.
    pub fn body_names(&self) -> impl Iterator<Item = &str> {
        let plan = &self.plan;
        let first = plan.frames_of.iter().map(|frames| frames.start);
        first.map(|i| plan.bodies[i].name.as_str())
    }

    /// Typical length of the mechanism, m.
    pub fn length(&self) -> f64 {
        self.plan.length
    }

    /// Whether angles that pass whole turns are remembered.
    pub(crate) fn keeps_turns(&self) -> bool {
        self.plan.turns > 0
    }

    /// Poses and velocities of all bodies; velocities are zero where `v` is empty.
    fn place(&mut self, q: &[f64], v: &[f64]) {
        self.turned.place(&self.plan, q, v);
    }

    /// Values of the signals at a state whose frames are placed.
    fn read_signals(&mut self, s: &State) {
        self.read_signals_with(s, false);
    }

    /// The same where it is asked what acts, not what equations to solve: formulas that slide take the shares last found.
    fn read_signals_as_found(&mut self, s: &State) {
        self.sides.blend(true);
        self.read_signals(s);
        self.sides.blend(false);
    }

    /// The same with their derivatives where wanted.
    fn read_signals_with(&mut self, s: &State, gradient: bool) {
        if !self.plan.wiring.nodes.is_empty() {
            let place = SignalPoint {
                now: self.clock.now(s.t),
                q: &s.q,
                v: &s.v,
                x: &s.x,
                lambda: &s.lambda,
                frames: self.turned.frames(),
                sides: &self.sides,
            };
            self.signals.evaluate(&self.plan, &place, gradient);
        }
    }
}

/// Rows that are not always in force; behind maps, rows of velocities follow those of carriers.
fn laws(plan: &Plan, dims: Dims) -> Vec<RowLaw> {
    let (inner, more) = (plan.dims.nc as u32, (dims.nc - plan.dims.nc) as u32);
    let mut laws = plan.laws.clone();
    for law in laws.iter_mut().filter(|law| law.row >= inner) {
        law.row += more;
    }
    laws
}

impl System for Assembly {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    evaluate_in_one_pass!(pass);

    fn observe(&mut self, s: &State, out: &mut [f64]) {
        let used = self.with_frames(s, |this, seen| {
            this.read_signals_as_found(seen);
            this.fill_channels(seen, out)
        });
        let mut rest = out[used..].iter_mut();
        for (i, _, _) in self.plan.told_coordinates() {
            let values = [s.q[i], s.v[i], s.a[i]].into_iter();
            values.zip(rest.by_ref()).for_each(|(x, out)| *out = x);
        }
        for ((carrier, quantity), out) in self.plan.recovered().zip(rest.by_ref()) {
            let told = carrier.coordinates.clone().zip(&carrier.told);
            let told = told.filter(|(_, told)| told.channel.is_some());
            let parts = told.zip(&quantity.factors);
            *out = parts.map(|((i, _), factor)| factor * s.q[i]).sum();
        }
        let mut rest = rest.into_slice();
        for carrier in &self.plan.carriers {
            let point = (self.turned).point(&self.plan, carrier, &s.q, &s.v, &s.a);
            let (own, later) = rest.split_at_mut(carrier.energies);
            carrier.carrier.tell_energies(&point, own);
            rest = later;
        }
    }

    fn chart(&self) -> Option<&dyn Chart> {
        self.turned
            .has_chart()
            .then_some(&self.turned as &dyn Chart)
    }

    fn capability<'a>(&'a mut self, wanted: Capability<'_, 'a>) {
        match wanted {
            Capability::Chart(to) if self.turned.has_chart() => *to = Some(&mut self.turned),
            Capability::TimeEvents(to) => *to = Some(self),
            Capability::Capacities(to) => *to = Some(self),
            Capability::Inputs(to) => *to = Some(self),
            Capability::Excitations(to) => *to = Some(self),
            Capability::Energy(to) => *to = Some(self),
            Capability::Bodies(to) => *to = Some(self),
            Capability::Switching(to) if self.plan.knows_surroundings() => *to = Some(self),
            Capability::Chart(_)
            | Capability::StageForm(_)
            | Capability::Switching(_)
            | Capability::ForwardDynamics(_) => {}
        }
    }

    fn reset(&mut self) {
        self.signals.reset(&self.plan);
        self.turned.reset();
        self.clock.reset();
        self.sides.reset(&self.plan);
        self.resting.reset();
    }

    fn memory(&mut self, m: &mut Memory) {
        self.signals.memory(m);
        self.turned.memory(m);
        self.clock.memory(m);
        self.sides.memory(m);
    }

    fn fork(&self) -> Box<dyn System> {
        Box::new(self.clone())
    }
}
