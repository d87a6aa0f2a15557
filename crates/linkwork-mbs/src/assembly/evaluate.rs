//! One pass over the bodies, forces and joints of a mechanism: terms and blocks that are asked for.

use super::pass::{add_loads, scatter};
use super::signals::SignalPoint;
use super::{Assembly, JointPass, Own, states, words};
use crate::assemble::{GROUND, MotionKind, Plan};
use crate::expr::Now;
use crate::force::ForceWant;
use crate::geometry::{Vector, apply, cross, hat, product, sub};
use crate::joint::Want;
use linkwork_dae::system::{At, Blocks, EvalError, Part, Parts, Terms};

impl Assembly {
    #[inline]
    pub(super) fn pass(
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
        let now = self.clock.now(at.t);
        let at = &At { t: now.side, ..*at };
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
                now,
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
            self.add_forces((now, at.x), f, parts, out, of_forces)?;
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
        (now, x): (Now, &[f64]),
        mut rates: Option<&mut [f64]>,
        parts: Parts,
        out: &mut Blocks,
        of_forces: ForceWant,
    ) -> Result<(), EvalError> {
        let terms = &mut self.force;
        let on = self.turned.frames();
        for (k, f) in self.plan.forces.iter().enumerate() {
            let mut inputs = self.signals.inputs_of(f);
            let count = (self.excitations).shift(k, now, &mut inputs, f.inputs.len());
            let sides = self.sides.of(&f.switches);
            let point = f.point(now, on, &inputs[..count], x, sides);
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
            on: self.turned.frames(),
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
            ([x, y, angle], &[ax, ay, turn], MotionKind::Planar { .. }) => {
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
