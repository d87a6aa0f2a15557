//! The geometric pass of a mechanism in space.
//!
//! ```text
//!  q = (x, psi) of every body      R = R_base exp(psi), the base held here
//!  v = (x', omega)                 omega in body axes
//!  r = M a + omega x J omega + C_q' lambda - Q         M constant
//!  D = omega^ J - (J omega)^ - Q_v                     K = (C_q' lambda)_q - Q_q along the tangent
//! ```

mod chart;
mod output;
mod words;

pub(super) use output::channels;

use super::excitation::Excitations;
use super::signals::{Frames, SignalPoint, Signals};
use super::{Own, force_want, joint_want, pass::scatter, wants_signals};
use crate::assemble::{GROUND, Motion, Plan, SpaceForcePlan, SpaceJointPlan, SpacePlan};
use crate::force::ForceWant;
use crate::joint::Want;
use crate::spatial::force::{ForcePoint, ForceTerms, MAX_INPUTS};
use crate::spatial::geometry::{Frame, IDENTITY, Vector, apply, cross, hat, product, sub};
use crate::spatial::joint::{COLUMNS, JointPoint, JointTerms, MAX_ROWS, MAX_TURNS};
use linkwork_dae::memory::Memory;
use linkwork_dae::rotation::{Quaternion, RotationVectors, matrix};
use linkwork_dae::system::{At, Blocks, EvalError, Part, Parts, Terms};
use std::sync::Arc;

/// Scratch and memory of a mechanism in space.
#[derive(Clone, Debug)]
pub(super) struct Space {
    /// The ground, then the bodies.
    frames: Vec<Frame>,
    /// `C_q' lambda - Q` of the elements on each frame: force (global), torque (body axes).
    loads: Vec<[f64; 6]>,
    joint: JointTerms,
    force: ForceTerms,
    /// Rotation vectors and their bases.
    rotations: RotationVectors,
    /// Angles beyond one turn, as they were a short while ago.
    turns: Vec<f64>,
    plan: Arc<Plan>,
    /// Joints that evaluations leave out; empty: none.
    left_out: Vec<bool>,
}

impl Space {
    /// `None` for a planar model.
    pub fn new(plan: &Arc<Plan>) -> Option<Space> {
        let space = plan.space.as_ref()?;
        let count = space.bodies.len() + GROUND + 1;
        Some(Space {
            frames: vec![Frame::GROUND; count],
            loads: vec![[0.0; 6]; count],
            joint: JointTerms::default(),
            force: ForceTerms::default(),
            rotations: RotationVectors::new(space.rotations.iter().copied()),
            turns: vec![0.0; space.turns],
            plan: plan.clone(),
            left_out: Vec::new(),
        })
    }

    /// Whether configurations are curved, or angles are kept count of.
    pub fn has_chart(&self) -> bool {
        !(self.rotations.is_empty() && self.turns.is_empty())
    }

    /// See [`super::Assembly::leave_out`].
    pub fn leave_out(&mut self, joints: &[bool]) {
        self.left_out.resize(joints.len(), false);
        self.left_out.copy_from_slice(joints);
    }

    /// See [`super::Assembly::enter_frame`].
    pub fn enter_frame(&mut self, body: usize, frame: &Frame) {
        self.frames[GROUND + 1 + body] = *frame;
    }

    /// The ground, then the bodies, where they were placed last.
    pub fn placed(&self) -> &[Frame] {
        &self.frames
    }

    /// Coordinates of a rotation about its base.
    pub fn rotation_vector(&self, k: usize, orientation: Quaternion) -> Vector {
        self.rotations.coordinates(k, orientation)
    }

    pub fn reset(&mut self) {
        self.rotations.reset();
        self.turns.fill(0.0);
    }

    /// Saves or restores bases and angles.
    pub fn memory(&mut self, m: &mut Memory) {
        self.rotations.memory(m);
        m.section("turns");
        m.slice(&mut self.turns);
    }

    pub fn frames(&self) -> Frames<'_> {
        Frames::Space {
            frames: &self.frames,
            turns: &self.turns,
        }
    }

    /// Poses and velocities of all bodies; velocities are zero where `v` is empty.
    pub fn place(&mut self, space: &SpacePlan, q: &[f64], v: &[f64]) {
        let still = [0.0; 6];
        for (body, frame) in space.bodies.iter().zip(&mut self.frames[GROUND + 1..]) {
            let coordinates = body.first..body.first + body.freedoms.len();
            let v = if v.is_empty() {
                &still[..body.freedoms.len()]
            } else {
                &v[coordinates.clone()]
            };
            match (&q[coordinates], v, body.motion) {
                (&[x, y, z, _, _, _], &[vx, vy, vz, wx, wy, wz], Motion::Rigid { rotation }) => {
                    frame.pose.position = [x, y, z];
                    frame.pose.rotation = matrix(self.rotations.orientation(rotation, q));
                    (frame.velocity, frame.omega) = ([vx, vy, vz], [wx, wy, wz]);
                }
                (&[x, y, angle], &[vx, vy, w], Motion::Planar { z }) => {
                    let (s, c) = angle.sin_cos();
                    frame.pose.position = [x, y, z];
                    frame.pose.rotation = [[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]];
                    (frame.velocity, frame.omega) = ([vx, vy, 0.0], [0.0, 0.0, w]);
                }
                (&[x, y, z], &[vx, vy, vz], Motion::Point) => {
                    frame.pose.position = [x, y, z];
                    frame.pose.rotation = IDENTITY;
                    frame.velocity = [vx, vy, vz];
                }
                _ => {}
            }
        }
    }

    /// Renews the remembered angles.
    pub fn wind(&mut self, t: f64, q: &[f64]) {
        if self.turns.is_empty() {
            return;
        }
        let plan = self.plan.clone();
        let Some(space) = &plan.space else {
            return;
        };
        self.place(space, q, &[]);
        for j in space.joints.iter().filter(|j| !j.turns.is_empty()) {
            let turns = &mut self.turns[j.turns.clone()];
            let known = known(turns);
            let at = JointPoint {
                t,
                a: &self.frames[j.a],
                b: &self.frames[j.b],
                lambda: &[],
                turns: &known[..turns.len()],
            };
            j.joint.wind(&at, turns);
        }
        for f in space.forces.iter().filter(|f| !f.turns.is_empty()) {
            let turns = &mut self.turns[f.turns.clone()];
            let known = known(turns);
            let at = ForcePoint {
                t,
                a: &self.frames[f.a],
                b: &self.frames[f.b],
                inputs: &[],
                turns: &known[..turns.len()],
            };
            f.force.wind(&at, turns);
        }
        for s in &space.sensors {
            let turns = &mut self.turns[s.turns.clone()];
            (s.sensor).wind(&self.frames[s.a], &self.frames[s.b], turns);
        }
    }

    /// Computes the wanted terms and blocks; tells whether everything may be finite.
    #[allow(clippy::too_many_arguments)]
    pub fn pass(
        &mut self,
        own: Own,
        plan: &Plan,
        (signals, excitations): (&mut Signals, &Excitations),
        at: &At<'_>,
        want: &mut Terms<'_>,
        parts: Parts,
        out: &mut Blocks,
    ) -> Result<(), EvalError> {
        let Some(space) = &plan.space else {
            return Ok(());
        };
        let of_joints = joint_want(want, parts) | Want::HESS_V.when(parts.has(Part::Rv));
        let of_forces = force_want(want, parts);
        let of_controls = !plan.wiring.nodes.is_empty() && wants_signals(want, parts);
        if own == Own::All {
            self.place(space, at.q, at.v);
        }
        for part in [Part::Rq, Part::Rv, Part::Rx] {
            if parts.has(part) {
                out[part].fill(0.0);
            }
        }
        self.loads.fill([0.0; 6]);
        if of_controls {
            let place = SignalPoint {
                t: at.t,
                q: at.q,
                v: at.v,
                x: at.x,
                frames: self.frames(),
            };
            signals.evaluate(plan, &place, !parts.is_empty());
            let f = want.f.as_deref_mut();
            if f.is_some() || parts.has(Part::Fq) || parts.has(Part::Fv) || parts.has(Part::Fx) {
                signals.rates(plan, at.x, f, parts, out);
            }
        }
        if of_forces != ForceWant::NONE {
            if own != Own::Elements {
                self.turn_bodies(space, parts, out);
            }
            self.add_forces(plan, (signals, excitations), at.t, parts, out, of_forces)?;
        }
        if let Some(force) = &mut want.force {
            for (body, load) in space.bodies.iter().zip(&self.loads[GROUND + 1..]) {
                for (k, &freedom) in body.freedoms.iter().enumerate() {
                    let i = body.first + k;
                    force[i] = match own {
                        Own::Elements => -load[freedom],
                        _ => plan.weight[i] - load[freedom],
                    };
                }
            }
        }
        if of_joints != Want::NONE {
            self.add_joints(space, at, want, parts, out, of_joints);
        }
        if let Some(r) = &mut want.r {
            match own {
                Own::Elements => self.read_loads(space, r),
                _ => self.collect(plan, space, at.a, r),
            }
        }
        Ok(())
    }

    /// Gyroscopic torques: `-Q = omega x J omega` and its derivative by `omega`.
    fn turn_bodies(&mut self, space: &SpacePlan, parts: Parts, out: &mut Blocks) {
        let frames = self.frames[GROUND + 1..].iter();
        let loads = self.loads[GROUND + 1..].iter_mut();
        for ((body, frame), load) in space.bodies.iter().zip(frames).zip(loads) {
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

    fn add_forces(
        &mut self,
        plan: &Plan,
        (signals, excitations): (&Signals, &Excitations),
        t: f64,
        parts: Parts,
        out: &mut Blocks,
        want: ForceWant,
    ) -> Result<(), EvalError> {
        let terms = &mut self.force;
        let forces = plan.space.iter().flat_map(|space| &space.forces);
        for (k, f) in forces.enumerate() {
            let mut inputs = inputs(signals, f);
            let count = excitations.shift(k, t, &mut inputs, f.inputs.len());
            let point = ForcePoint {
                t,
                a: &self.frames[f.a],
                b: &self.frames[f.b],
                inputs: &inputs[..count],
                turns: &self.turns[f.turns.clone()],
            };
            if let Err(e) = f.force.eval(&point, want, terms) {
                return Err(super::words::out_of_domain(&f.name, e));
            }
            if want.any(ForceWant::Q) {
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
            if want.any(ForceWant::BY_INPUT) {
                for (input, by) in f.inputs.iter().zip(&terms.by_input) {
                    let gradient = signals.gradient(&plan.wiring.nodes[input.node]);
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

    fn add_joints(
        &mut self,
        space: &SpacePlan,
        at: &At<'_>,
        want: &mut Terms<'_>,
        parts: Parts,
        out: &mut Blocks,
        of_joints: Want,
    ) {
        let terms = &mut self.joint;
        for (k, j) in space.joints.iter().enumerate() {
            if self.left_out.get(k) == Some(&true) {
                continue;
            }
            let lambda = multipliers(j, at.lambda);
            let point = JointPoint {
                t: at.t,
                a: &self.frames[j.a],
                b: &self.frames[j.b],
                lambda: &lambda[..j.rows + j.velocity_rows],
                turns: &self.turns[j.turns.clone()],
            };
            j.joint.eval(&point, of_joints, terms);
            if of_joints.any(Want::LOAD) {
                add_loads(&mut self.loads, j.a, j.b, &terms.load, 1.0);
            }
            if let Some(c) = &mut want.c {
                c[j.row..j.row + j.rows].copy_from_slice(&terms.c[..j.rows]);
            }
            for (wanted, values) in [(&mut want.cv, &terms.cv), (&mut want.gamma, &terms.gamma)] {
                if let Some(to) = wanted {
                    copy_rows(to, j, values);
                }
            }
            if let Some(c_q) = &mut want.c_q {
                super::pass::gather(c_q, &j.c_q, terms.c_q.as_flattened());
            }
            if parts.has(Part::Cq) {
                super::pass::gather(&mut out[Part::Cq], &j.c_q, terms.c_q.as_flattened());
            }
            if parts.has(Part::CVq) {
                super::pass::gather(&mut out[Part::CVq], &j.cv_q, terms.cv_q.as_flattened());
            }
            if parts.has(Part::Rq) {
                scatter(&mut out[Part::Rq], &j.hess, terms.hess.as_flattened());
            }
            if parts.has(Part::Rv) {
                scatter(&mut out[Part::Rv], &j.hess_v, terms.hess_v.as_flattened());
            }
        }
    }

    /// `r = load`.
    fn read_loads(&self, space: &SpacePlan, r: &mut [f64]) {
        for (body, load) in space.bodies.iter().zip(&self.loads[GROUND + 1..]) {
            let own = &mut r[body.first..body.first + body.freedoms.len()];
            for (r, &freedom) in own.iter_mut().zip(body.freedoms) {
                *r = load[freedom];
            }
        }
    }

    /// `r = M a - weight + load`.
    fn collect(&self, plan: &Plan, space: &SpacePlan, a: &[f64], r: &mut [f64]) {
        for (body, load) in space.bodies.iter().zip(&self.loads[GROUND + 1..]) {
            for (k, &freedom) in body.freedoms.iter().enumerate() {
                let i = body.first + k;
                r[i] = load[freedom] - plan.weight[i];
            }
        }
        for (&(i, j), m) in plan.patterns[Part::Mass].iter().zip(&plan.mass) {
            r[i as usize] += m * a[j as usize];
        }
    }
}

/// A copy of some remembered angles.
fn known(turns: &[f64]) -> [f64; MAX_TURNS] {
    let mut known = [0.0; MAX_TURNS];
    for (known, turn) in known.iter_mut().zip(turns) {
        *known = *turn;
    }
    known
}

/// Multipliers of a joint: of positions, then of velocities; zeros where there are none.
fn multipliers(j: &SpaceJointPlan, lambda: &[f64]) -> [f64; MAX_ROWS] {
    let mut own = [0.0; MAX_ROWS];
    if let Some(from) = lambda.get(j.row..j.row + j.rows) {
        own[..j.rows].copy_from_slice(from);
    }
    if let Some(from) = lambda.get(j.velocity_row..j.velocity_row + j.velocity_rows) {
        own[j.rows..j.rows + j.velocity_rows].copy_from_slice(from);
    }
    own
}

fn copy_rows(to: &mut [f64], j: &SpaceJointPlan, from: &[f64; MAX_ROWS]) {
    to[j.row..j.row + j.rows].copy_from_slice(&from[..j.rows]);
    let of_velocities = &from[j.rows..j.rows + j.velocity_rows];
    to[j.velocity_row..j.velocity_row + j.velocity_rows].copy_from_slice(of_velocities);
}

/// Values of the inputs of a force; leftovers beyond those it has.
fn inputs(signals: &Signals, force: &SpaceForcePlan) -> [f64; MAX_INPUTS] {
    let mut values = [0.0; MAX_INPUTS];
    for (value, input) in values.iter_mut().zip(&force.inputs) {
        *value = signals.value(input.node);
    }
    values
}

/// Adds the twelve local entries of an element to its two bodies (the ground takes its share too).
#[inline(always)]
fn add_loads(loads: &mut [[f64; 6]], a: usize, b: usize, local: &[f64; COLUMNS], factor: f64) {
    for i in 0..6 {
        loads[a][i] += factor * local[i];
        loads[b][i] += factor * local[6 + i];
    }
}
