//! A mechanism in absolute coordinates as a system of equations.
//!
//! ```text
//!  q = (x, y, angle) of every body       M constant and diagonal (origins are centres of mass)
//!  r = M a + C_q' lambda - Q             K = (C_q' lambda)_q - Q_q       D = -Q_v
//! ```
//!
//! One pass: poses with sine and cosine once per body, then every joint, then every force, each
//! with one virtual call that fills a small local table; entries move from there to their places.
//! Nothing is searched and nothing is allocated.

mod output;
mod words;

use crate::assemble::{GROUND, JointPlan, Plan, Slot};
use crate::error::ModelError;
use crate::force::{ForcePoint, ForceTerms, ForceWant};
use crate::joint::{COLUMNS, JointPoint, JointTerms, MAX_ROWS, Want};
use crate::space::Frame;
use linkwork_dae::state::State;
use linkwork_dae::system::{
    At, BlockPatterns, Blocks, Channel, Dims, Energy, EvalError, Guess, Part, Parts, Row, System,
    Terms,
};
use std::sync::Arc;

/// An assembled mechanism; see [`crate::assemble()`].
#[derive(Debug)]
pub struct Assembly {
    plan: Arc<Plan>,
    channels: Arc<[Channel]>,
    /// The ground, then the bodies.
    frames: Vec<Frame>,
    /// Generalised load on each frame (three numbers, padded).
    loads: Vec<[f64; 4]>,
    joint: JointTerms,
    force: ForceTerms,
    /// Stands in for the blocks where none are asked for.
    no_blocks: Blocks,
}

impl Assembly {
    pub(crate) fn new(plan: Plan) -> Result<Assembly, ModelError> {
        let channels = output::channels(&plan)?;
        Ok(Assembly {
            frames: vec![Frame::GROUND; plan.bodies.len() + 1],
            loads: vec![[0.0; 4]; plan.bodies.len() + 1],
            plan: Arc::new(plan),
            channels: channels.into(),
            joint: JointTerms::default(),
            force: ForceTerms::default(),
            no_blocks: Blocks::default(),
        })
    }

    /// Names of the bodies, in the order of the model.
    pub fn body_names(&self) -> impl Iterator<Item = &str> {
        self.plan.bodies.iter().map(|b| b.name.as_str())
    }

    /// Typical length of the mechanism, m.
    pub fn length(&self) -> f64 {
        self.plan.length
    }

    /// Poses and velocities of all bodies; velocities are zero where `v` is empty.
    fn place(&mut self, q: &[f64], v: &[f64]) {
        let still = [0.0; 3];
        for (body, frame) in self.plan.bodies.iter().zip(&mut self.frames[GROUND + 1..]) {
            let coordinates = body.first..body.first + body.coordinates;
            let v = if v.is_empty() {
                &still[..body.coordinates]
            } else {
                &v[coordinates.clone()]
            };
            let pose = &mut frame.pose;
            match (&q[coordinates], v) {
                (&[x, y, angle], &[vx, vy, omega]) => {
                    (pose.x, pose.y, pose.angle) = (x, y, angle);
                    (pose.sin, pose.cos) = angle.sin_cos();
                    (frame.velocity, frame.omega) = ([vx, vy], omega);
                }
                (&[x, y], &[vx, vy]) => {
                    (pose.x, pose.y) = (x, y);
                    frame.velocity = [vx, vy];
                }
                _ => {}
            }
        }
    }

    fn pass(
        &mut self,
        at: &At<'_>,
        want: &mut Terms<'_>,
        parts: Parts,
        out: &mut Blocks,
    ) -> Result<(), EvalError> {
        let plan = &*self.plan;
        if let Some(mass) = &mut want.mass {
            mass.copy_from_slice(&plan.mass);
        }
        if parts.has(Part::Mass) {
            out[Part::Mass].copy_from_slice(&plan.mass);
        }
        let of_joints = joint_want(want, parts);
        let of_forces = force_want(want, parts);
        if of_joints == Want::NONE && of_forces == ForceWant::NONE {
            return Ok(());
        }
        self.place(at.q, at.v);
        if parts.has(Part::Rq) {
            out[Part::Rq].fill(0.0);
        }
        if parts.has(Part::Rv) {
            out[Part::Rv].fill(0.0);
        }
        self.loads.fill([0.0; 4]);
        if of_forces != ForceWant::NONE {
            self.add_forces(at.t, parts, out, of_forces)?;
        }
        self.collect_forces(at, want);
        if of_joints != Want::NONE {
            self.add_joints(at, want, parts, out, of_joints);
        }
        if let Some(r) = &mut want.r {
            collect(&self.plan, &self.loads, 1.0, r);
        }
        if all_finite(want, parts, out) {
            Ok(())
        } else {
            Err(self.culprit(at))
        }
    }

    /// Adds the generalised forces to the loads of the bodies, their derivatives to K and D.
    fn add_forces(
        &mut self,
        t: f64,
        parts: Parts,
        out: &mut Blocks,
        of_forces: ForceWant,
    ) -> Result<(), EvalError> {
        let terms = &mut self.force;
        for f in &self.plan.forces {
            let point = ForcePoint {
                t,
                a: &self.frames[f.a],
                b: &self.frames[f.b],
            };
            if let Err(e) = f.force.eval(&point, of_forces, terms) {
                return Err(words::out_of_domain(&f.name, e));
            }
            if of_forces.any(ForceWant::Q) {
                add_loads(&mut self.loads, f.a, f.b, &terms.q);
            }
            if parts.has(Part::Rq) {
                let values = terms.stiffness.as_flattened();
                scatter(&mut out[Part::Rq], &f.stiffness, values);
            }
            if parts.has(Part::Rv) {
                let values = terms.damping.as_flattened();
                scatter(&mut out[Part::Rv], &f.damping, values);
            }
        }
        Ok(())
    }

    /// Starts `Q` and `r` with inertia, gravity and the forces; leaves the loads empty.
    fn collect_forces(&mut self, at: &At<'_>, want: &mut Terms<'_>) {
        let plan = &*self.plan;
        if let Some(force) = &mut want.force {
            force.copy_from_slice(&plan.weight);
            collect(plan, &self.loads, 1.0, force);
        }
        if let Some(r) = &mut want.r {
            let inertia = plan.mass.iter().zip(at.a).zip(&plan.weight);
            for (r, ((m, a), w)) in r.iter_mut().zip(inertia) {
                *r = m * a - w;
            }
            collect(plan, &self.loads, -1.0, r);
            self.loads.fill([0.0; 4]);
        }
    }

    /// Adds `C_q' lambda` to the loads of the bodies; fills the rows of the joints, and K.
    fn add_joints(
        &mut self,
        at: &At<'_>,
        want: &mut Terms<'_>,
        parts: Parts,
        out: &mut Blocks,
        of_joints: Want,
    ) {
        let terms = &mut self.joint;
        let uses_lambda = of_joints.any(Want::LOAD | Want::HESS);
        let lambda = if uses_lambda { at.lambda } else { &[] };
        let [c, cv, gamma, c_q] = [&mut want.c, &mut want.cv, &mut want.gamma, &mut want.c_q]
            .map(|x| x.as_deref_mut().unwrap_or(&mut []));
        for j in &self.plan.joints {
            let rows = j.row..j.row + j.rows;
            let point = JointPoint {
                t: at.t,
                a: &self.frames[j.a],
                b: &self.frames[j.b],
                lambda: lambda.get(rows).unwrap_or(&[]),
            };
            j.joint.eval(&point, of_joints, terms);
            if of_joints.any(Want::LOAD) {
                add_loads(&mut self.loads, j.a, j.b, &terms.load);
            }
            if of_joints.any(Want::C) {
                copy(c, j, &terms.c);
            }
            if of_joints.any(Want::CV) {
                copy(cv, j, &terms.cv);
            }
            if of_joints.any(Want::GAMMA) {
                copy(gamma, j, &terms.gamma);
            }
            if of_joints.any(Want::C_Q) {
                let values = terms.c_q.as_flattened();
                if !c_q.is_empty() {
                    gather(c_q, j.c_q.first, &j.c_q.from, values);
                }
                if parts.has(Part::Cq) {
                    gather(&mut out[Part::Cq], j.c_q.first, &j.c_q.from, values);
                }
            }
            if of_joints.any(Want::CV_Q) {
                let values = terms.cv_q.as_flattened();
                gather(&mut out[Part::CVq], j.cv_q.first, &j.cv_q.from, values);
            }
            if of_joints.any(Want::HESS) {
                scatter(&mut out[Part::Rq], &j.hess, terms.hess.as_flattened());
            }
        }
    }
}

fn joint_want(want: &Terms<'_>, parts: Parts) -> Want {
    Want::C.when(want.c.is_some())
        | Want::C_Q.when(want.c_q.is_some() || parts.has(Part::Cq))
        | Want::CV.when(want.cv.is_some())
        | Want::GAMMA.when(want.gamma.is_some())
        | Want::LOAD.when(want.r.is_some())
        | Want::CV_Q.when(parts.has(Part::CVq))
        | Want::HESS.when(parts.has(Part::Rq))
}

fn force_want(want: &Terms<'_>, parts: Parts) -> ForceWant {
    ForceWant::Q.when(want.r.is_some() || want.force.is_some())
        | ForceWant::STIFFNESS.when(parts.has(Part::Rq))
        | ForceWant::DAMPING.when(parts.has(Part::Rv))
}

/// Adds the six local entries of an element to its two bodies (the ground takes its share too).
#[inline(always)]
fn add_loads(loads: &mut [[f64; 4]], a: usize, b: usize, local: &[f64; COLUMNS]) {
    let on_a = &mut loads[a];
    on_a[0] += local[0];
    on_a[1] += local[1];
    on_a[2] += local[2];
    let on_b = &mut loads[b];
    on_b[0] += local[3];
    on_b[1] += local[4];
    on_b[2] += local[5];
}

/// Adds the loads of the bodies, times a sign, to their coordinates.
#[inline(always)]
fn collect(plan: &Plan, loads: &[[f64; 4]], sign: f64, out: &mut [f64]) {
    for (body, load) in plan.bodies.iter().zip(&loads[GROUND + 1..]) {
        let out = &mut out[body.first..body.first + body.coordinates];
        if let [x, y, rest @ ..] = out {
            *x += sign * load[0];
            *y += sign * load[1];
            if let [angle] = rest {
                *angle += sign * load[2];
            }
        }
    }
}

/// Moves the one to three rows of a joint to their places.
#[inline(always)]
fn copy(to: &mut [f64], joint: &JointPlan, from: &[f64; MAX_ROWS]) {
    to[joint.row] = from[0];
    if joint.rows > 1 {
        to[joint.row + 1] = from[1];
        if joint.rows > 2 {
            to[joint.row + 2] = from[2];
        }
    }
}

#[inline(always)]
fn gather(block: &mut [f64], first: usize, from: &[u8], values: &[f64]) {
    for (to, &from) in block[first..first + from.len()].iter_mut().zip(from) {
        *to = values[from as usize];
    }
}

#[inline(always)]
fn scatter(block: &mut [f64], slots: &[Slot], values: &[f64]) {
    for &(from, to) in slots {
        block[to as usize] += values[from as usize];
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
    ];
    for term in terms.into_iter().flatten() {
        sum += total(term);
    }
    for part in [Part::Cq, Part::Rq, Part::Rv, Part::CVq] {
        if parts.has(part) {
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
    fn dims(&self) -> Dims {
        self.plan.dims
    }

    fn patterns(&self) -> &BlockPatterns {
        &self.plan.patterns
    }

    fn eval(&mut self, at: &At<'_>, want: &mut Terms<'_>) -> Result<(), EvalError> {
        let mut none = std::mem::take(&mut self.no_blocks);
        let result = self.pass(at, want, Parts::NONE, &mut none);
        self.no_blocks = none;
        result
    }

    fn linearise(
        &mut self,
        at: &At<'_>,
        want: &mut Terms<'_>,
        parts: Parts,
        out: &mut Blocks,
    ) -> Result<(), EvalError> {
        self.pass(at, want, parts, out)
    }

    fn guess(&self) -> Guess {
        self.plan.guess.clone()
    }

    fn scale(&self, out: &mut [f64]) {
        for (o, angular) in out.iter_mut().zip(&self.plan.angular) {
            *o = if *angular { 1.0 } else { self.plan.length };
        }
    }

    fn magnitude(&self, q: &[f64], out: &mut [f64]) {
        for ((o, q), angular) in out.iter_mut().zip(q).zip(&self.plan.angular) {
            *o = if *angular { 1.0 } else { q.abs() };
        }
    }

    fn groups(&self, out: &mut [u32]) {
        out.copy_from_slice(&self.plan.body_of);
    }

    fn channels(&self) -> &[Channel] {
        &self.channels
    }

    fn observe(&mut self, s: &State, out: &mut [f64]) {
        self.place(&s.q, &s.v);
        self.fill_channels(s, out);
    }

    fn energy(&mut self, s: &State) -> Option<Energy> {
        self.place(&s.q, &s.v);
        Some(self.energy_account(s))
    }

    fn describe(&self, row: Row) -> String {
        self.plan.describe(row)
    }

    fn owner(&self, row: Row) -> String {
        self.plan.owner(row)
    }

    fn fork(&self) -> Box<dyn System> {
        Box::new(Assembly {
            plan: self.plan.clone(),
            channels: self.channels.clone(),
            frames: vec![Frame::GROUND; self.frames.len()],
            loads: vec![[0.0; 4]; self.frames.len()],
            joint: JointTerms::default(),
            force: ForceTerms::default(),
            no_blocks: Blocks::default(),
        })
    }
}
