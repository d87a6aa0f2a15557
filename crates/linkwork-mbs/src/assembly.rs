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

mod carried;
mod chart;
mod clock;
mod excitation;
mod kinetic;
mod mapped;
mod output;
mod pass;
mod pull_back;
mod resting;
mod signals;
mod states;
mod switches;
mod words;

pub(crate) use carried::{Carried, Connection, Freedom, Own};
pub(crate) use pass::{Gather, Slot};
pub use pass::{JointPass, JointPlaces};
pub(crate) use pull_back::PullBack;

use crate::assemble::{ForcePlan, GROUND, Motion, Plan};
use crate::error::ModelError;
use crate::force::{ForcePoint, ForceTerms, ForceWant, MAX_INPUTS};
use crate::forward::evaluate_in_one_pass;
use crate::geometry::{Vector, apply, cross, hat, product, sub};
use crate::joint::{JointTerms, Want};
use chart::Turned;
use clock::Clock;
use excitation::Excitations;
use linkwork_dae::chart::Chart;
use linkwork_dae::cosim::Polynomial;
use linkwork_dae::dense::Matrix;
use linkwork_dae::kinetic::BodyMotions;
use linkwork_dae::law::RowLaw;
use linkwork_dae::memory::Memory;
use linkwork_dae::state::State;
use linkwork_dae::system::{
    self, After, At, Blocks, Bodies, Capability, Capacities, Dims, Energy, EnergyAccount,
    EvalError, Facts, Inputs, Names, Part, Parts, Reference, System, Terms, TimeEvents,
};
use mapped::Mapped;
use pass::{add_loads, scatter};
use resting::Resting;
use signals::{SignalPoint, Signals, next_instant};
use std::sync::Arc;
use switches::Sides;

/// An assembled mechanism; see [`crate::assemble()`].
#[derive(Debug)]
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
            reference: plan.scales.iter().map(reference).collect(),
            scale_x: plan.wiring.state_scale.clone(),
            differential: plan.wiring.differential.clone(),
            guess: plan.guess.clone(),
            channels: output::channels(&plan)?,
            names: Names::new(dims, |row| plan.describe(row), |row| plan.owner(row)),
            inputs: inputs.map(|(name, _)| name.clone()).collect(),
            excitations: excitations.facts(),
            laws: laws(&plan, dims),
            impacts: plan.impacts,
            ..Facts::new(dims)
        };
        let plan = Arc::new(plan);
        let turned = Turned::new(&plan);
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

    /// A copy with scratch of its own.
    pub(crate) fn copy(&self) -> Assembly {
        Assembly {
            plan: self.plan.clone(),
            facts: self.facts.clone(),
            loads: self.loads.clone(),
            joint: JointTerms::default(),
            force: ForceTerms::default(),
            signals: self.signals.clone(),
            turned: self.turned.clone(),
            excitations: self.excitations.clone(),
            clock: self.clock.clone(),
            sides: self.sides.clone(),
            mapped: self.mapped.clone(),
            left_out: self.left_out.clone(),
            resting: self.resting.clone(),
        }
    }

    /// Poses and velocities of all bodies; velocities are zero where `v` is empty.
    fn place(&mut self, q: &[f64], v: &[f64]) {
        self.turned.place(&self.plan, q, v);
    }

    #[inline]
    fn pass(
        &mut self,
        at: &At<'_>,
        want: &mut Terms<'_>,
        parts: Parts,
        out: &mut Blocks,
    ) -> Result<(), EvalError> {
        match self.mapped {
            None => self.pass_of(Own::All, at, want, parts, out),
            Some(_) => self.pass_mapped(at, want, parts, out),
        }
    }

    /// Wanted terms and blocks; poses, inertia and weight of the bodies may be someone else's.
    pub(crate) fn pass_of(
        &mut self,
        own: Own,
        at: &At<'_>,
        want: &mut Terms<'_>,
        parts: Parts,
        out: &mut Blocks,
    ) -> Result<(), EvalError> {
        let at = &At {
            t: self.clock.side(at.t),
            ..*at
        };
        let plan = &*self.plan;
        if let Some(mass) = &mut want.mass {
            mass.copy_from_slice(&plan.mass);
        }
        if parts.has(Part::Mass) {
            out[Part::Mass].copy_from_slice(&plan.mass);
        }
        if parts.has(Part::Rl) {
            out[Part::Rl].fill(0.0);
            for slot in &plan.target_slots {
                // the column of a target in `C_q` is -1
                out[Part::Rl][*slot as usize] = 1.0;
            }
        }
        let by_multiplier = plan.reads_multipliers && parts.has(Part::Rl);
        let of_joints = joint_want(want, parts);
        let mut of_forces = force_want(want, parts);
        if plan.evolves {
            of_forces = of_forces | state_want(want, parts);
        }
        if by_multiplier {
            of_forces = of_forces | ForceWant::BY_INPUT;
        }
        let of_controls =
            !plan.wiring.nodes.is_empty() && (by_multiplier || wants_signals(want, parts));
        if of_joints == Want::NONE && of_forces == ForceWant::NONE && !of_controls {
            return Ok(());
        }
        if own == Own::All {
            self.turned.place(&self.plan, at.q, at.v);
        }
        for part in [Part::Rq, Part::Rv, Part::Rx] {
            if parts.has(part) {
                out[part].fill(0.0);
            }
        }
        if plan.dims.nx > 0 {
            for part in [Part::Fq, Part::Fv, Part::Fx] {
                if parts.has(part) {
                    out[part].fill(0.0);
                }
            }
        }
        self.loads.fill([0.0; 6]);
        if of_controls {
            let place = SignalPoint {
                t: at.t,
                q: at.q,
                v: at.v,
                x: at.x,
                lambda: at.lambda,
                frames: self.turned.frames(),
                sides: &self.sides,
            };
            self.signals.evaluate(&self.plan, &place, !parts.is_empty());
            let f = want.f.as_deref_mut();
            if f.is_some() || parts.has(Part::Fq) || parts.has(Part::Fv) || parts.has(Part::Fx) {
                self.signals.rates(&self.plan, at.x, f, parts, out);
            }
        }
        if of_forces != ForceWant::NONE {
            if own != Own::Elements {
                if self.plan.gyroscopic {
                    self.turn_bodies(parts, out);
                }
                if !self.plan.spins.is_empty() {
                    self.turn_rotors(parts, out);
                }
            }
            let f = want.f.as_deref_mut();
            self.add_forces(at, f, parts, out, of_forces)?;
        }
        if !self.plan.targets.is_empty() {
            self.release_targets(own, at, want);
        }
        if let Some(force) = &mut want.force {
            for (body, load) in self.plan.bodies.iter().zip(&self.loads[GROUND + 1..]) {
                for (k, &freedom) in body.freedoms.iter().enumerate() {
                    let i = body.first + k;
                    force[i] = match own {
                        Own::Elements => -load[freedom],
                        _ => self.plan.weight[i] - load[freedom],
                    };
                }
            }
        }
        if of_joints != Want::NONE {
            self.add_joints(at, want, parts, out, of_joints);
        }
        if let Some(r) = &mut want.r {
            match own {
                Own::Elements => read_loads(&self.plan, &self.loads, r),
                _ => collect(&self.plan, &self.loads, at.a, r),
            }
        }
        if all_finite(want, parts, out) {
            Ok(())
        } else {
            Err(self.culprit(at))
        }
    }

    /// Values of the signals at a state whose frames are placed.
    fn read_signals(&mut self, s: &State) {
        if !self.plan.wiring.nodes.is_empty() {
            let place = SignalPoint {
                t: self.clock.side(s.t),
                q: &s.q,
                v: &s.v,
                x: &s.x,
                lambda: &s.lambda,
                frames: self.turned.frames(),
                sides: &self.sides,
            };
            self.signals.evaluate(&self.plan, &place, false);
        }
    }

    /// Gyroscopic torques: `-Q = omega x J omega` and its derivative by `omega`.
    fn turn_bodies(&mut self, parts: Parts, out: &mut Blocks) {
        let frames = self.turned.frames[GROUND + 1..].iter();
        let loads = self.loads[GROUND + 1..].iter_mut();
        for ((body, frame), load) in self.plan.bodies.iter().zip(frames).zip(loads) {
            if body.gyroscopic.is_empty() {
                continue;
            }
            let spin = apply(&body.inertia, frame.omega);
            let torque = cross(frame.omega, spin);
            for i in 0..3 {
                load[3 + i] += torque[i];
            }
            if parts.has(Part::Rv) {
                let turned = product(&hat(frame.omega), &body.inertia);
                let of_spin = hat(spin);
                let d: [Vector; 3] = std::array::from_fn(|i| sub(turned[i], of_spin[i]));
                scatter(&mut out[Part::Rv], &body.gyroscopic, d.as_flattened());
            }
        }
    }

    /// The same of inertia that forces have of their own: with `p = I w`, `-Q = omega x p` on each side.
    fn turn_rotors(&mut self, parts: Parts, out: &mut Blocks) {
        for spin in &self.plan.spins {
            let sides = [spin.a, spin.b];
            let omega = sides.map(|side| self.turned.frames[side].omega);
            let w = omega.as_flattened();
            let momentum = |side: usize| -> Vector {
                std::array::from_fn(|i| {
                    let row = &spin.inertia[3 * side + i];
                    row.iter().zip(w).map(|(m, w)| m * w).sum()
                })
            };
            let mut d = [[0.0; 6]; 6];
            for (side, body) in sides.into_iter().enumerate() {
                let p = momentum(side);
                let torque = cross(omega[side], p);
                for i in 0..3 {
                    self.loads[body][3 + i] += torque[i];
                }
                let rows: [_; 3] = std::array::from_fn(|i| spin.inertia[3 * side + i]);
                let (turn, of_p) = (hat(omega[side]), hat(p));
                for i in 0..3 {
                    for j in 0..6 {
                        let turned: f64 = (0..3).map(|k| turn[i][k] * rows[k][j]).sum();
                        let own = if j / 3 == side { of_p[i][j % 3] } else { 0.0 };
                        d[3 * side + i][j] = turned - own;
                    }
                }
            }
            if parts.has(Part::Rv) {
                scatter(&mut out[Part::Rv], &spin.gyroscopic, d.as_flattened());
            }
        }
    }

    /// Takes the generalised forces from the loads of the bodies (`r` holds `-Q`) and adds their
    /// derivatives to K and D.
    fn add_forces(
        &mut self,
        at: &At<'_>,
        mut rates: Option<&mut [f64]>,
        parts: Parts,
        out: &mut Blocks,
        of_forces: ForceWant,
    ) -> Result<(), EvalError> {
        let t = at.t;
        let terms = &mut self.force;
        let turned = &self.turned;
        for (k, f) in self.plan.forces.iter().enumerate() {
            let mut inputs = force_inputs(&self.signals, f);
            let count = (self.excitations).shift(k, t, &mut inputs, f.inputs.len());
            let point = ForcePoint {
                t,
                a: &turned.frames[f.a],
                b: &turned.frames[f.b],
                inputs: &inputs[..count],
                turns: &turned.turns[f.turns.clone()],
                states: at.x.get(f.states.clone()).unwrap_or(&[]),
                sides: self.sides.of(&f.switches),
                lanes: &f.lanes,
            };
            let wanted = of_forces & f.has;
            if wanted == ForceWant::NONE {
                continue;
            }
            if let Err(e) = f.force.eval(&point, wanted, terms) {
                return Err(words::out_of_domain(&f.name, e));
            }
            if !f.states.is_empty() {
                let rates = rates.as_deref_mut();
                states::place(&self.plan, &self.signals, f, terms, rates, parts, out);
            }
            if of_forces.any(ForceWant::Q) {
                add_loads(&mut self.loads, f.a, f.b, &terms.q, -1.0);
            }
            if parts.has(Part::Rq) {
                let values = terms.stiffness.as_flattened();
                scatter(&mut out[Part::Rq], &f.stiffness, values);
            }
            if parts.has(Part::Rv) {
                let values = terms.damping.as_flattened();
                scatter(&mut out[Part::Rv], &f.damping, values);
            }
            if of_forces.any(ForceWant::BY_INPUT) {
                for (input, by) in f.inputs.iter().zip(&terms.by_input) {
                    let node = &self.plan.wiring.nodes[input.node];
                    let gradient = self.signals.gradient(node);
                    for (row, places) in &input.rows {
                        // r holds -Q
                        let d = -by[usize::from(*row)];
                        for (place, g) in places.iter().zip(gradient) {
                            if parts.has(place.part) {
                                out[place.part][place.slot as usize] += d * g;
                            }
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Targets do not feel the joints that follow them: what `C_q' lambda` puts on them is taken off again. Nor
    /// do they have weight, which whoever has their inertia takes for granted.
    #[inline(never)]
    fn release_targets(&mut self, own: Own, at: &At<'_>, want: &Terms<'_>) {
        if want.r.is_none() && want.force.is_none() {
            return;
        }
        let plan = &self.plan;
        for &(target, row) in &plan.targets {
            let body = plan.body_of[target as usize] as usize;
            let load = &mut self.loads[GROUND + 1 + body][0];
            if let Some(lambda) = at.lambda.get(row as usize) {
                *load += lambda;
            }
            if own == Own::Elements {
                *load += plan.bodies[body].mass * plan.gravity[0];
            }
        }
    }

    /// Adds `C_q' lambda` to the loads of the bodies; fills the rows of the joints, K and D.
    fn add_joints(
        &mut self,
        at: &At<'_>,
        want: &mut Terms<'_>,
        parts: Parts,
        out: &mut Blocks,
        of_joints: Want,
    ) {
        let uses_lambda = of_joints.any(Want::LOAD | Want::HESS | Want::HESS_V);
        let [c, cv, gamma, c_q] = [&mut want.c, &mut want.cv, &mut want.gamma, &mut want.c_q]
            .map(|x| x.as_deref_mut().unwrap_or(&mut []));
        let mut pass = JointPass {
            t: at.t,
            frames: &self.turned.frames,
            turns: &self.turned.turns,
            lambda: if uses_lambda { at.lambda } else { &[] },
            want: of_joints,
            parts,
            loads: &mut self.loads,
            c,
            cv,
            gamma,
            c_q,
            blocks: out,
            terms: &mut self.joint,
        };
        if let Some(awake) = self.resting.awake() {
            for k in awake.iter().map(|k| *k as usize) {
                if !self.left_out.get(k).is_some_and(|left_out| *left_out) {
                    let j = &self.plan.joints[k];
                    j.joint.run(&j.places, &mut pass);
                }
            }
            return;
        }
        if self.left_out.is_empty() {
            for j in &self.plan.joints {
                j.joint.run(&j.places, &mut pass);
            }
            return;
        }
        for (j, left_out) in self.plan.joints.iter().zip(&self.left_out) {
            if !left_out {
                j.joint.run(&j.places, &mut pass);
            }
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

fn joint_want(want: &Terms<'_>, parts: Parts) -> Want {
    Want::C.when(want.c.is_some())
        | Want::C_Q.when(want.c_q.is_some() || parts.has(Part::Cq))
        | Want::CV.when(want.cv.is_some())
        | Want::GAMMA.when(want.gamma.is_some())
        | Want::LOAD.when(want.r.is_some())
        | Want::CV_Q.when(parts.has(Part::CVq))
        | Want::HESS.when(parts.has(Part::Rq))
        | Want::HESS_V.when(parts.has(Part::Rv))
}

fn force_want(want: &Terms<'_>, parts: Parts) -> ForceWant {
    ForceWant::Q.when(want.r.is_some() || want.force.is_some())
        | ForceWant::STIFFNESS.when(parts.has(Part::Rq))
        | ForceWant::DAMPING.when(parts.has(Part::Rv))
        | ForceWant::BY_INPUT
            .when(parts.has(Part::Rq) || parts.has(Part::Rv) || parts.has(Part::Rx))
}

/// What forces with states are asked beside.
fn state_want(want: &Terms<'_>, parts: Parts) -> ForceWant {
    let blocks = [Part::Rx, Part::Fq, Part::Fv, Part::Fx];
    ForceWant::RATES.when(want.f.is_some())
        | ForceWant::SLOPES.when(blocks.into_iter().any(|part| parts.has(part)))
}

/// Whether a request needs signals: everything that forces and controls have a part in.
fn wants_signals(want: &Terms<'_>, parts: Parts) -> bool {
    let blocks = [Part::Rq, Part::Rv, Part::Rx, Part::Fq, Part::Fv, Part::Fx];
    want.r.is_some()
        || want.force.is_some()
        || want.f.is_some()
        || blocks.into_iter().any(|part| parts.has(part))
}

/// Values of the inputs of a force; leftovers beyond those it has.
fn force_inputs(signals: &Signals, force: &ForcePlan) -> [f64; MAX_INPUTS] {
    let mut values = [0.0; MAX_INPUTS];
    for (value, input) in values.iter_mut().zip(&force.inputs) {
        *value = signals.value(input.node);
    }
    values
}

/// `r = load`.
fn read_loads(plan: &Plan, loads: &[[f64; 6]], r: &mut [f64]) {
    for (body, load) in plan.bodies.iter().zip(&loads[GROUND + 1..]) {
        for (r, &freedom) in r[body.first..].iter_mut().zip(body.freedoms) {
            *r = load[freedom];
        }
    }
}

/// `r = M a - weight + load`.
#[inline(always)]
fn collect(plan: &Plan, loads: &[[f64; 6]], a: &[f64], r: &mut [f64]) {
    for (body, load) in plan.bodies.iter().zip(&loads[GROUND + 1..]) {
        let coordinates = body.first..body.first + body.freedoms.len();
        let [fx, fy, _] = body.weight;
        match (&mut r[coordinates.clone()], &a[coordinates], body.motion) {
            ([x, y, angle], &[ax, ay, turn], Motion::Planar { .. }) => {
                *x = body.mass * ax + (load[0] - fx);
                *y = body.mass * ay + (load[1] - fy);
                *angle = body.inertia[2][2] * turn + load[5];
            }
            (r, _, _) => {
                let weight = &plan.weight[body.first..];
                for ((r, &freedom), weight) in r.iter_mut().zip(body.freedoms).zip(weight) {
                    *r = load[freedom] - weight;
                }
            }
        }
    }
    for &(i, j, m) in &plan.rest_of_mass {
        r[i as usize] += m * a[j as usize];
    }
}

/// Whether everything just computed is finite. A sum is not finite if one of its terms is not;
/// the reverse fails only for numbers near overflow, which are as useless.
fn all_finite(want: &Terms<'_>, parts: Parts, out: &Blocks) -> bool {
    let mut sum = 0.0;
    let terms = [
        &want.r,
        &want.force,
        &want.c,
        &want.cv,
        &want.gamma,
        &want.c_q,
        &want.f,
    ];
    for term in terms.into_iter().flatten() {
        sum += total(term);
    }
    for part in Part::ALL {
        if part != Part::Mass && parts.has(part) {
            sum += total(&out[part]);
        }
    }
    sum.is_finite()
}

/// Sum in four lanes, which the compiler may keep in vector registers.
#[inline]
fn total(x: &[f64]) -> f64 {
    let mut lanes = [0.0; 4];
    let chunks = x.chunks_exact(4);
    let rest = chunks.remainder();
    for c in chunks {
        for (lane, x) in lanes.iter_mut().zip(c) {
            *lane += x;
        }
    }
    rest.iter().sum::<f64>() + (lanes[0] + lanes[1]) + (lanes[2] + lanes[3])
}

impl System for Assembly {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    evaluate_in_one_pass!(pass);

    fn observe(&mut self, s: &State, out: &mut [f64]) {
        let used = self.with_frames(s, |this, seen| {
            this.read_signals(seen);
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
        Box::new(self.copy())
    }
}

impl TimeEvents for Assembly {
    fn next_time_event(&self, t: f64) -> Option<f64> {
        let instants = [next_instant(&self.plan, t), self.clock.next(t)];
        instants.into_iter().flatten().min_by(f64::total_cmp)
    }

    fn on_time_event(&mut self, s: &mut State) -> After {
        let kinked = self.clock.pass(s.t);
        if self.plan.wiring.controls.is_empty() && !self.plan.evolves && self.sides.is_empty() {
            return if kinked {
                After::Restart
            } else {
                After::Continue
            };
        }
        let mut x = std::mem::take(&mut s.x);
        let jumped = self.with_frames(s, |this, seen| {
            let motion = (&seen.q[..], &seen.v[..]);
            let placed = (this.turned.frames(), &this.sides);
            let begins = this.signals.is_fresh();
            let jumped = (this.signals).tick(&this.plan, seen.t, motion, &mut x, placed);
            if begins {
                this.settle_forces(seen.t, &mut x);
                this.take_sides(seen.t, &x);
            }
            jumped
        });
        s.x = x;
        if jumped || kinked {
            After::Restart
        } else {
            After::Continue
        }
    }
}

impl Capacities for Assembly {
    fn capacity(&mut self, law: usize, s: &State) -> f64 {
        let Some(&joint) = self.plan.law_joints.get(law).filter(|_| self.holds(law)) else {
            return 0.0;
        };
        let mut bearing = self.plan.wiring.bearing.iter();
        if let Some(&(_, node)) = bearing.find(|(j, _)| *j == joint) {
            let value = self.with_frames(s, |this, seen| {
                this.read_signals(seen);
                this.signals.value(node)
            });
            return value.max(0.0);
        }
        let formula = self.plan.joints[joint].joint.capacity();
        formula.map_or(0.0, |f| f.eval(self.clock.side(s.t)).max(0.0))
    }

    fn holds(&self, law: usize) -> bool {
        let joint = self.plan.law_joints.get(law);
        joint.is_none_or(|j| self.sides.holds(*j))
    }

    fn reversal(&mut self) -> Option<(usize, f64)> {
        let (joint, restitution) = self.sides.take_reversed()?;
        let law = self.plan.law_joints.iter().position(|j| *j == joint);
        law.map(|law| (law, restitution))
    }

    fn rest(&mut self, laws: &[bool]) {
        self.resting.rest(&self.plan, laws);
    }
}

impl Inputs for Assembly {
    fn set_input(&mut self, input: usize, course: &Polynomial) {
        self.signals.drive(input, course);
    }
}

impl system::Excitations for Assembly {
    fn excitation(&self, t: f64, out: &mut [f64]) {
        self.excitations.values(t, out);
    }

    fn offset_excitations(&mut self, offset: &[f64]) {
        self.excitations.move_by(offset);
    }
}

impl EnergyAccount for Assembly {
    fn energy(&mut self, s: &State) -> Option<Energy> {
        let energy = self.with_frames(s, |this, seen| {
            this.read_signals(seen);
            this.energy_account(seen)
        });
        let plan = &self.plan;
        let own = plan.carriers.iter().map(|c| {
            let point = self.turned.point(plan, c, &s.q, &s.v, &s.a);
            c.carrier.energy(&point)
        });
        Some(own.fold(energy, |e, own| Energy {
            kinetic: e.kinetic + own.kinetic,
            potential: e.potential + own.potential,
            power: e.power + own.power,
        }))
    }
}

impl Bodies for Assembly {
    fn motions(&mut self, q: &[f64], v: &Matrix) -> BodyMotions {
        match self.mapped {
            None => self.momenta(v),
            Some(_) => {
                let frames = self.frame_velocities(q, v);
                self.with_own_momenta(self.momenta(&frames), q, v)
            }
        }
    }
}
