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

use crate::assemble::{GROUND, Plan, Slot};
use crate::error::ModelError;
use crate::force::{ForcePoint, ForceTerms, ForceWant};
use crate::joint::{JointPoint, JointTerms, MAX_ROWS, Want};
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
    joint: JointTerms,
    force: ForceTerms,
}

impl Assembly {
    pub(crate) fn new(plan: Plan) -> Result<Assembly, ModelError> {
        let channels = output::channels(&plan)?;
        Ok(Assembly {
            frames: vec![Frame::GROUND; plan.bodies.len() + 1],
            plan: Arc::new(plan),
            channels: channels.into(),
            joint: JointTerms::default(),
            force: ForceTerms::default(),
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
        for (body, frame) in self.plan.bodies.iter().zip(&mut self.frames[GROUND + 1..]) {
            let i = body.first;
            let pose = &mut frame.pose;
            (pose.x, pose.y) = (q[i], q[i + 1]);
            if body.oriented {
                pose.angle = q[i + 2];
                (pose.sin, pose.cos) = q[i + 2].sin_cos();
            }
            if v.is_empty() {
                (frame.velocity, frame.omega) = ([0.0; 2], 0.0);
            } else {
                frame.velocity = [v[i], v[i + 1]];
                if body.oriented {
                    frame.omega = v[i + 2];
                }
            }
        }
    }

    fn pass(
        &mut self,
        at: &At<'_>,
        want: &mut Terms<'_>,
        parts: Parts,
        mut out: Option<&mut Blocks>,
    ) -> Result<(), EvalError> {
        self.constant_terms(at, want, parts, &mut out);
        let of_joints = joint_want(want, parts);
        let of_forces = force_want(want, parts);
        if of_joints == Want::NONE && of_forces == ForceWant::NONE {
            return Ok(());
        }
        self.place(at.q, at.v);
        if of_joints != Want::NONE {
            self.add_joints(at, want, parts, &mut out, of_joints);
        }
        if of_forces != ForceWant::NONE {
            self.add_forces(at, want, parts, &mut out, of_forces)?;
        }
        if all_finite(want, parts, out.as_deref()) {
            Ok(())
        } else {
            Err(self.culprit(at))
        }
    }

    /// Mass, inertia forces and gravity; clears what elements add to.
    fn constant_terms(
        &self,
        at: &At<'_>,
        want: &mut Terms<'_>,
        parts: Parts,
        out: &mut Option<&mut Blocks>,
    ) {
        let plan = &*self.plan;
        if let Some(mass) = &mut want.mass {
            mass.copy_from_slice(&plan.mass);
        }
        if let Some(force) = &mut want.force {
            force.copy_from_slice(&plan.weight);
        }
        if let Some(r) = &mut want.r {
            let inertia = plan.mass.iter().zip(at.a).zip(&plan.weight);
            for (r, ((m, a), w)) in r.iter_mut().zip(inertia) {
                *r = m * a - w;
            }
        }
        if let Some(out) = out {
            if parts.has(Part::Mass) {
                out[Part::Mass].copy_from_slice(&plan.mass);
            }
            if parts.has(Part::Rq) {
                out[Part::Rq].fill(0.0);
            }
            if parts.has(Part::Rv) {
                out[Part::Rv].fill(0.0);
            }
        }
    }

    fn add_joints(
        &mut self,
        at: &At<'_>,
        want: &mut Terms<'_>,
        parts: Parts,
        out: &mut Option<&mut Blocks>,
        of_joints: Want,
    ) {
        let terms = &mut self.joint;
        let uses_lambda = of_joints.any(Want::LOAD | Want::HESS);
        for j in &self.plan.joints {
            let rows = j.row..j.row + j.rows;
            let mut lambda = [0.0; MAX_ROWS];
            if uses_lambda {
                for (l, x) in lambda.iter_mut().zip(&at.lambda[rows.clone()]) {
                    *l = *x;
                }
            }
            let point = JointPoint {
                t: at.t,
                a: &self.frames[j.a],
                b: &self.frames[j.b],
                lambda,
            };
            j.joint.eval(&point, of_joints, terms);
            if let Some(c) = &mut want.c {
                copy(&mut c[rows.clone()], &terms.c);
            }
            if let Some(cv) = &mut want.cv {
                copy(&mut cv[rows.clone()], &terms.cv);
            }
            if let Some(gamma) = &mut want.gamma {
                copy(&mut gamma[rows], &terms.gamma);
            }
            if let Some(r) = &mut want.r {
                for &(from, to) in &j.columns {
                    r[to as usize] += terms.load[from as usize];
                }
            }
            let c_q = terms.c_q.as_flattened();
            if let Some(values) = &mut want.c_q {
                gather(values, j.c_q.first, &j.c_q.from, c_q);
            }
            let Some(out) = out else { continue };
            if parts.has(Part::Cq) {
                gather(&mut out[Part::Cq], j.c_q.first, &j.c_q.from, c_q);
            }
            if parts.has(Part::CVq) {
                let cv_q = terms.cv_q.as_flattened();
                gather(&mut out[Part::CVq], j.cv_q.first, &j.cv_q.from, cv_q);
            }
            if parts.has(Part::Rq) {
                scatter(&mut out[Part::Rq], &j.hess, terms.hess.as_flattened());
            }
        }
    }

    fn add_forces(
        &mut self,
        at: &At<'_>,
        want: &mut Terms<'_>,
        parts: Parts,
        out: &mut Option<&mut Blocks>,
        of_forces: ForceWant,
    ) -> Result<(), EvalError> {
        let terms = &mut self.force;
        for f in &self.plan.forces {
            let point = ForcePoint {
                t: at.t,
                a: &self.frames[f.a],
                b: &self.frames[f.b],
            };
            if let Err(e) = f.force.eval(&point, of_forces, terms) {
                return Err(words::out_of_domain(&f.name, e));
            }
            if let Some(force) = &mut want.force {
                for &(from, to) in &f.columns {
                    force[to as usize] += terms.q[from as usize];
                }
            }
            if let Some(r) = &mut want.r {
                for &(from, to) in &f.columns {
                    r[to as usize] -= terms.q[from as usize];
                }
            }
            let Some(out) = out else { continue };
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

/// Rows are few and of varying number: a loop beats a call to the block copy of the library.
#[inline(always)]
fn copy(to: &mut [f64], from: &[f64; MAX_ROWS]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = *from;
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
fn all_finite(want: &Terms<'_>, parts: Parts, out: Option<&Blocks>) -> bool {
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
    if let Some(out) = out {
        for part in [Part::Cq, Part::Rq, Part::Rv, Part::CVq] {
            if parts.has(part) {
                sum += total(&out[part]);
            }
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
        self.pass(at, want, Parts::NONE, None)
    }

    fn linearise(
        &mut self,
        at: &At<'_>,
        want: &mut Terms<'_>,
        parts: Parts,
        out: &mut Blocks,
    ) -> Result<(), EvalError> {
        self.pass(at, want, parts, Some(out))
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
            joint: JointTerms::default(),
            force: ForceTerms::default(),
        })
    }
}
