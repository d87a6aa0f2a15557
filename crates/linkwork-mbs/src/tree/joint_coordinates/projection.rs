//! What the assembly computes, changed to joint coordinates: forces and blocks inwards along the tree.

use super::square::Point;
use super::{JointCoordinates, Layout, Scratch, relations};
use crate::assembly::Own;
use crate::tree::{Vec3, Wrench, derivatives};
use linkwork_dae::linear::Singular;
use linkwork_dae::system::{At, Blocks, EvalError, Part, Parts, System, Terms};

/// The blocks of the assembly that some blocks here are made of.
fn needed(parts: Parts) -> Parts {
    let mut from = Parts::NONE;
    for (to, list) in [
        (Part::Mass, &[Part::Mass][..]),
        (Part::Cq, &[Part::Cq]),
        (Part::Rq, &[Part::Rq, Part::Rv]),
        (Part::Rv, &[Part::Rv]),
        (Part::CVq, &[Part::CVq, Part::Cq]),
        (Part::Rx, &[Part::Rx]),
        (Part::Rl, &[Part::Rl]),
        (Part::Fq, &[Part::Fq, Part::Fv]),
        (Part::Fv, &[Part::Fv]),
        (Part::Fx, &[Part::Fx]),
    ] {
        if parts.has(to) {
            from = list.iter().fold(from, |all, part| all | *part);
        }
    }
    from
}

/// The coordinates of a body as six numbers.
fn get(layout: &Layout, body: usize, from: &[f64]) -> (Vec3, Vec3) {
    let carried = &layout.bodies[body];
    let mut all = [0.0; 6];
    for (k, freedom) in carried.freedoms.iter().enumerate() {
        all[*freedom] = from[carried.first + k];
    }
    (Vec3::read(&all), Vec3::read(&all[3..]))
}

impl JointCoordinates {
    /// `J' x` of a vector of the assembly.
    fn project(&mut self, from: &[f64], out: &mut [f64]) {
        let (layout, scratch) = (&*self.layout, &mut self.scratch);
        let modes = layout.bodies.iter().flat_map(|body| {
            let first = body.first + body.freedoms.len();
            &from[first..first + body.modes]
        });
        let of_modes = &mut out[layout.joint_coordinates..];
        of_modes.iter_mut().zip(modes).for_each(|(to, x)| *to = *x);
        scratch.carried.fill(Wrench::ZERO);
        for (b, body) in self.bodies[..layout.bodies.len()].iter().enumerate() {
            let (force, torque) = get(layout, b, from);
            let torque = body.r.apply(torque);
            scratch.loads[b] = (force, torque);
            if let Some(node) = layout.nodes[b] {
                let arm = body.p - self.kin.pose[node].p;
                scratch.carried[node] += Wrench::new(torque, force).shifted_back(arm);
            }
        }
        for node in (0..self.tree.bodies()).rev() {
            let force = scratch.carried[node];
            for k in self.tree.dofs(node) {
                out[k] = self.kin.column[k].dot(force);
            }
            if let Some(perch) = layout.perch_at[node].map(|k| &layout.perches[k]) {
                let columns = &self.kin.column[self.tree.nv() + perch.column..];
                let amplitudes = &mut out[perch.first..perch.first + perch.modes];
                for (out, column) in amplitudes.iter_mut().zip(columns) {
                    *out += column.dot(force);
                }
            }
            if let Some(parent) = self.tree.parent(node) {
                scratch.carried[parent] += force.shifted_back(self.kin.pose[node].arm);
            }
        }
    }

    pub(super) fn evaluate(
        &mut self,
        at: &At<'_>,
        want: &mut Terms<'_>,
        parts: Parts,
        out: &mut Blocks,
    ) -> Result<(), EvalError> {
        let derivatives = [Part::Rq, Part::Rv, Part::CVq, Part::Fq];
        let all = derivatives.into_iter().any(|part| parts.has(part));
        // inertia is the tree's own where blocks are stored, else it is among the relations
        let stored = self.stored.is_some();
        let stiff = parts.has(Part::Rq) || (!stored && all);
        let residual = want.r.is_some() || stiff;
        let biased = want.gamma.is_some() || (want.force.is_some() && !stored);
        let zero = std::mem::take(&mut self.scratch.zero);
        let v = if at.v.is_empty() { &zero[..] } else { at.v };
        let point = At {
            v,
            a: if at.a.is_empty() { &zero } else { at.a },
            ..*at
        };
        let flexible = self.assembly.is_mapped();
        if flexible {
            // maps read coordinates
            self.place_absolutely(at.q);
        } else {
            self.place(at.q);
        }
        if biased {
            self.move_along(v, &[]);
            let mut bias = std::mem::take(&mut self.scratch.bias);
            self.read_accelerations(&[], &mut bias);
            self.scratch.bias = bias;
        }
        if stored && !biased {
            self.kin.velocities(&self.tree, v);
            self.read_velocities();
        } else if !stored && (residual || !biased) {
            self.move_along(v, at.a);
            let mut a = std::mem::take(&mut self.scratch.state.a);
            self.read_accelerations(at.a, &mut a);
            self.scratch.state.a = a;
        }
        if flexible {
            self.velocity_coordinates(v);
        } else {
            self.enter_frames();
        }
        self.enter_multipliers(at.lambda);
        // all generators are renewed together
        let from = match parts.is_empty() || stored {
            true => parts,
            false if all => parts | Part::Mass | Part::Cq | Part::Rq | Part::Rv,
            false => parts | Part::Mass | Part::Cq,
        };
        let done = self.inner(at, want, from, residual);
        if done.is_ok() {
            if want.c_q.is_some() || !parts.is_empty() {
                let (tree, paths) = (&self.tree, &self.shape.paths);
                (self.operators).renew(tree, paths, &self.kin, &self.bodies, v, all && stored);
            }
            let mut eliminated = self.eliminated.take();
            if !parts.is_empty() {
                match &mut eliminated {
                    None => self.generate(&point, all, out.generators_mut()),
                    Some(eliminated) => self.generate(&point, all, eliminated.generators_mut()),
                }
            }
            self.place_terms(&point, want);
            if let (Some(eliminated), Some(mass)) = (&mut eliminated, &mut want.mass) {
                if let (Some(augmented), true) = (&self.shape.augmented, parts.is_empty()) {
                    let base = (&self.scratch.mass[..], &self.scratch.c_q[..]);
                    let here = relations::Point {
                        tree: &self.tree,
                        kin: &self.kin,
                        bodies: &self.bodies,
                    };
                    augmented.fill_base(
                        &self.layout,
                        (&here, &self.assembly),
                        base,
                        eliminated.generators_mut(),
                    );
                }
                eliminated.run();
                eliminated.fill(Part::Mass, mass);
            }
            if !parts.is_empty() {
                self.place_blocks(&point, parts, out);
            }
            if let (Some(eliminated), false) = (&mut eliminated, parts.is_empty()) {
                eliminated.run();
                for part in Part::ALL.into_iter().filter(|part| parts.has(*part)) {
                    eliminated.fill(part, &mut out[part]);
                }
            }
            self.eliminated = eliminated;
        }
        self.scratch.zero = zero;
        done
    }

    /// Forces of the assembly on the bodies of the tree, each in the frame of its body.
    fn gather(&mut self, from: &[f64], factor: f64) {
        let external = &mut self.scratch.carried;
        external.fill(Wrench::ZERO);
        for (b, node) in self.layout.nodes.iter().enumerate() {
            if let Some(node) = *node {
                let (force, torque) = get(&self.layout, b, from);
                let force = self.kin.pose[node].r.apply_transposed(force);
                let place = self.layout.frames[b].place();
                let own = Wrench::new(place.r.apply(torque), force).shifted_back(place.p);
                external[node] += own * factor;
            }
        }
    }

    /// Accelerations by articulated bodies, with the elements' forces on them; `None` where constraints
    /// remain or a direction has no inertia.
    pub(in crate::tree) fn accelerations(
        &mut self,
        at: &At<'_>,
        a: &mut [f64],
        f: &mut [f64],
    ) -> Option<Result<(), EvalError>> {
        if self.layout.dims.rows() > 0 {
            return None;
        }
        let zero = std::mem::take(&mut self.scratch.zero);
        let v = if at.v.is_empty() { &zero[..] } else { at.v };
        let done = self.articulate(at, v, (&zero, a), f);
        self.scratch.zero = zero;
        match done {
            Ok(Ok(())) => Some(Ok(())),
            Ok(Err(_)) => None,
            Err(e) => Some(Err(e)),
        }
    }

    /// Accelerations of a tree without loops under joint forces and those of elements.
    pub(in crate::tree) fn articulate(
        &mut self,
        at: &At<'_>,
        v: &[f64],
        (tau, a): (&[f64], &mut [f64]),
        f: &mut [f64],
    ) -> Result<Result<(), Singular>, EvalError> {
        self.scratch.q.copy_from_slice(self.driven.moved(at.q));
        self.aba.place(&self.tree, &self.scratch.q, v);
        self.aba.hand_over(&self.tree, v, &mut self.kin);
        self.place_bodies();
        self.read_velocities();
        self.enter_frames();
        let s = &mut self.scratch;
        let inner = At {
            t: at.t,
            q: &s.state.q,
            v: &s.state.v,
            a: &[],
            lambda: &[],
            x: at.x,
        };
        let mut want = Terms {
            force: Some(&mut s.force),
            f: (!f.is_empty()).then_some(f),
            ..Terms::default()
        };
        let none = &mut Blocks::default();
        (self.assembly).pass_of(Own::Elements, &inner, &mut want, Parts::NONE, none)?;
        for (b, node) in self.layout.nodes.iter().enumerate() {
            if let Some(node) = *node {
                let body = &self.bodies[b];
                let (force, torque) = get(&self.layout, b, &self.scratch.force);
                let arm = body.p - self.kin.pose[node].p;
                let own = Wrench::new(body.r.apply(torque), force).shifted_back(arm);
                self.aba.push(node, own);
            }
        }
        Ok(self.aba.solve(&self.tree, tau, a))
    }

    /// Generators of the augmented form from the blocks of the assembly.
    fn generate(&mut self, at: &At<'_>, all: bool, out: &mut [f64]) {
        let Some(augmented) = &self.shape.augmented else {
            return;
        };
        let Scratch {
            r,
            loads,
            blocks,
            state,
            ..
        } = &mut self.scratch;
        let point = relations::Point {
            tree: &self.tree,
            kin: &self.kin,
            bodies: &self.bodies,
        };
        let (mass, c_q) = (&blocks[Part::Mass], &blocks[Part::Cq]);
        let here = (&point, &self.assembly);
        augmented.fill_base(&self.layout, here, (mass, c_q), out);
        if !all {
            return;
        }
        loads.fill(Default::default());
        let bodies = &self.bodies[..self.layout.bodies.len()];
        for (b, body) in bodies.iter().enumerate() {
            let (force, torque) = get(&self.layout, b, r);
            loads[b] = (force, body.r.apply(torque));
        }
        let coordinates = [&state.q[..], at.v, at.a];
        augmented.fill_others(&self.layout, here, coordinates, loads, blocks, out);
    }

    /// Evaluates the assembly.
    fn inner(
        &mut self,
        at: &At<'_>,
        want: &mut Terms<'_>,
        parts: Parts,
        residual: bool,
    ) -> Result<(), EvalError> {
        let s = &mut self.scratch;
        let inner = At {
            t: at.t,
            q: &s.state.q,
            v: &s.state.v,
            a: &s.state.a,
            lambda: &s.state.lambda,
            x: at.x,
        };
        let own = match self.stored {
            Some(_) => Own::Elements,
            None => Own::Inertia,
        };
        let forced = want.force.is_some();
        let base = want.generators.is_some() || (want.mass.is_some() && self.eliminated.is_some());
        let massive = own == Own::Inertia && (forced || base);
        let mut terms = Terms {
            r: residual.then_some(&mut s.r[..]),
            mass: massive.then_some(&mut s.mass[..]),
            force: forced.then_some(&mut s.force[..]),
            c: want.c.is_some().then_some(&mut s.c[..]),
            c_q: (want.c_q.is_some() || want.gamma.is_some() || base).then_some(&mut s.c_q[..]),
            cv: want.cv.is_some().then_some(&mut s.cv[..]),
            gamma: want.gamma.is_some().then_some(&mut s.gamma[..]),
            f: want.f.as_deref_mut(),
            generators: None,
        };
        match self.assembly.is_mapped() {
            true => (self.assembly).linearise(&inner, &mut terms, needed(parts), &mut s.blocks),
            false => (self.assembly).pass_of(own, &inner, &mut terms, needed(parts), &mut s.blocks),
        }
    }

    /// `r` and `Q` where inertia is the tree's own: by inverse dynamics with the elements' forces.
    fn invert(&mut self, at: &At<'_>, want: &mut Terms<'_>) {
        if let Some(r) = &mut want.r {
            let own = std::mem::take(&mut self.scratch.r);
            self.gather(&own, -1.0);
            self.scratch.r = own;
            let (q, external) = (&self.scratch.q, &self.scratch.carried);
            (self.rnea).run(&self.tree, q, at.v, at.a, external, r);
        }
        if let Some(force) = &mut want.force {
            let own = std::mem::take(&mut self.scratch.force);
            self.gather(&own, 1.0);
            self.scratch.force = own;
            let Scratch {
                q, rest, carried, ..
            } = &self.scratch;
            (self.rnea).run(&self.tree, q, at.v, rest, carried, force);
            for f in force.iter_mut() {
                *f = -*f;
            }
        }
    }

    /// The same as projections where inertia is among the relations.
    fn project_terms(&mut self, want: &mut Terms<'_>) {
        if let Some(force) = &mut want.force {
            let s = &mut self.scratch;
            let mut own = std::mem::take(&mut s.force);
            let pattern = &self.assembly.facts().patterns[Part::Mass];
            for (&(i, j), m) in pattern.iter().zip(&s.mass) {
                own[i as usize] -= m * s.bias[j as usize];
            }
            self.project(&own, force);
            self.scratch.force = own;
        }
        if let Some(r) = &mut want.r {
            let own = std::mem::take(&mut self.scratch.r);
            self.project(&own, r);
            self.scratch.r = own;
        }
    }

    fn place_terms(&mut self, at: &At<'_>, want: &mut Terms<'_>) {
        if self.stored.is_some() {
            self.invert(at, want);
        } else {
            self.project_terms(want);
        }
        let (layout, shape) = (&*self.layout, &*self.shape);
        let s = &mut self.scratch;
        if let (Some(mass), Some(stored)) = (&mut want.mass, &mut self.stored) {
            stored.inertial.mass(&self.tree, &self.kin, mass);
        }
        if let (Some(generators), Some(augmented)) = (&mut want.generators, &shape.augmented) {
            let point = relations::Point {
                tree: &self.tree,
                kin: &self.kin,
                bodies: &self.bodies,
            };
            let here = (&point, &self.assembly);
            augmented.fill_base(layout, here, (&s.mass, &s.c_q), generators);
        }
        let pick = |from: &[f64], to: &mut [f64]| {
            for (to, row) in to.iter_mut().zip(&layout.rows) {
                *to = from[*row as usize];
            }
        };
        if let Some(c) = &mut want.c {
            pick(&s.c, c);
            self.driven.close(c);
        }
        if let Some(cv) = &mut want.cv {
            pick(&s.cv, cv);
        }
        if let Some(gamma) = &mut want.gamma {
            let pattern = &self.assembly.facts().patterns[Part::Cq];
            for (&(i, j), x) in pattern.iter().zip(&s.c_q) {
                s.gamma[i as usize] -= x * s.bias[j as usize];
            }
            pick(&s.gamma, gamma);
        }
        if let Some(c_q) = &mut want.c_q {
            c_q.fill(0.0);
            let j = &self.operators.j;
            (shape.wide.c_q).run(&shape.paths, j, &s.c_q, c_q);
        }
    }

    fn place_blocks(&mut self, at: &At<'_>, parts: Parts, out: &mut Blocks) {
        let (layout, shape) = (&*self.layout, &*self.shape);
        let (o, wide) = (&self.operators, &shape.wide);
        let point = Point {
            tree: &self.tree,
            paths: &shape.paths,
            kin: &self.kin,
            bodies: &self.bodies,
            nodes: &layout.nodes,
        };
        let from = &self.scratch.blocks;
        if let (Some(stored), true) = (&mut self.stored, parts.has(Part::Rv)) {
            let factors = [(&o.j, &from[Part::Rv])];
            stored.damping.run(&point, &factors, &mut out[Part::Rv]);
        }
        if let (Some(stored), true) = (&mut self.stored, parts.has(Part::Rq)) {
            let factors = [(&o.j, &from[Part::Rq]), (&o.w, &from[Part::Rv])];
            (stored.stiffness).run(&point, &factors, &mut out[Part::Rq]);
            for (b, body) in self.bodies.iter().enumerate() {
                let (force, torque) = get(layout, b, &self.scratch.r);
                self.scratch.loads[b] = (force, body.r.apply(torque));
            }
            let from = &self.scratch.loads;
            stored.bend.run(&point, from, &mut out[Part::Rq]);
        }
        if let Some(stored) = &mut self.stored {
            let (tree, kin) = (&self.tree, &mut self.kin);
            if parts.has(Part::Mass) {
                stored.inertial.mass(tree, kin, &mut out[Part::Mass]);
            }
            if parts.has(Part::Rq) || parts.has(Part::Rv) {
                let point = derivatives::Point {
                    q: &self.scratch.q,
                    v: at.v,
                    a: at.a,
                    external: &[],
                };
                (stored.inertial).add_derivatives(tree, kin, &point, parts, out);
            }
        }
        let from = &self.scratch.blocks;
        let wide_blocks = [
            (Part::Cq, &wide.c_q, &o.j, Part::Cq),
            (Part::CVq, &wide.cv_by_q, &o.j, Part::CVq),
            (Part::CVq, &wide.cv_by_v, &o.w, Part::Cq),
            (Part::Rx, &wide.r_x, &o.j, Part::Rx),
            (Part::Rl, &wide.r_l, &o.j, Part::Rl),
            (Part::Fq, &wide.f_by_q, &o.j, Part::Fq),
            (Part::Fq, &wide.f_by_v, &o.w, Part::Fv),
            (Part::Fv, &wide.f_v, &o.j, Part::Fv),
        ];
        for part in [Part::Cq, Part::CVq, Part::Rx, Part::Rl, Part::Fq, Part::Fv] {
            if parts.has(part) {
                out[part].fill(0.0);
            }
        }
        for (to, spread, by, part) in wide_blocks {
            if parts.has(to) {
                spread.run(&shape.paths, by, &from[part], &mut out[to]);
            }
        }
        if parts.has(Part::Fx) {
            out[Part::Fx].copy_from_slice(&from[Part::Fx]);
        }
    }
}
