//! Evaluation of models with bodies behind maps: at the frames, then pulled back to the coordinates.

use super::chart::Turned;
use super::pull_back::{PullBack, needed};
use super::{Assembly, Own};
use crate::assemble::{GROUND, Plan};
use crate::carrier::{FrameMap, OwnTerms};
use linkwork_dae::dense::Matrix;
use linkwork_dae::kinetic::{BodyMotions, MotionRow};
use linkwork_dae::state::State;
use linkwork_dae::system::{At, Blocks, EvalError, Part, Parts, Terms};

/// What acts on a frame, zero where it has no freedom.
pub(super) fn load(plan: &Plan, body: usize, from: &[f64]) -> [f64; 6] {
    let body = &plan.bodies[body];
    let mut load = [0.0; 6];
    for (i, freedom) in (body.first..).zip(body.freedoms) {
        load[*freedom] = from[i];
    }
    load
}

/// What an evaluation needs beside the elements.
#[derive(Clone, Debug)]
pub(super) struct Mapped {
    /// The point as the frames see it.
    pub state: State,
    /// Velocities and accelerations of all coordinates, zero where there are none.
    v: Vec<f64>,
    a: Vec<f64>,
    /// Of each frame behind a map.
    maps: Vec<FrameMap>,
    /// `b` of all of them.
    bias: Vec<f64>,
    /// Of each carrier.
    own: Vec<OwnTerms>,
    bend: Vec<f64>,
    /// Values along the frames.
    r: Vec<f64>,
    force: Vec<f64>,
    mass: Vec<f64>,
    c_q: Vec<f64>,
    c: Vec<f64>,
    cv: Vec<f64>,
    gamma: Vec<f64>,
    blocks: Blocks,
}

fn copy_or_clear(to: &mut [f64], from: &[f64]) {
    match from.is_empty() {
        true => to.fill(0.0),
        false => to.copy_from_slice(from),
    }
}

impl Mapped {
    /// Room for a model; `None` where no body is behind a map.
    pub fn new(plan: &Plan) -> Option<Box<Mapped>> {
        let pull = plan.pull_back.as_ref()?;
        let zeros = |n: usize| vec![0.0; n];
        let inner = plan.dims;
        let mut maps = Vec::new();
        for c in &plan.carriers {
            maps.extend((c.frames.clone()).map(|_| FrameMap::new(c.coordinates.len())));
        }
        let own = plan.carriers.iter();
        let own = own.map(|c| OwnTerms::new(c.coordinates.len(), c.rows.len()));
        let largest = (0..maps.len()).map(|k| pull.bend_size(k)).max();
        Some(Box::new(Mapped {
            state: State::new(inner),
            v: zeros(pull.dims.nv),
            a: zeros(pull.dims.nv),
            bias: zeros(inner.nv - plan.plain_coordinates()),
            maps,
            own: own.collect(),
            bend: zeros(largest.unwrap_or(0)),
            r: zeros(inner.nv),
            force: zeros(inner.nv),
            mass: zeros(plan.patterns[Part::Mass].len()),
            c_q: zeros(plan.patterns[Part::Cq].len()),
            c: zeros(inner.nc),
            cv: zeros(inner.rows()),
            gamma: zeros(inner.rows()),
            blocks: Blocks::new(&plan.patterns),
        }))
    }

    /// How a frame followed the coordinates in the last pass, by its number among all frames behind maps.
    pub fn map(&self, frame: usize) -> Option<&FrameMap> {
        self.maps.get(frame)
    }

    /// Velocities and accelerations of the last pass.
    pub fn rates(&self) -> [&[f64]; 2] {
        [&self.v, &self.a]
    }

    /// Places all frames and takes the point over; missing vectors count as zero.
    pub fn enter(
        &mut self,
        plan: &Plan,
        turned: &mut Turned,
        at: &At<'_>,
    ) -> Result<(), EvalError> {
        let plain = plan.plain_coordinates();
        copy_or_clear(&mut self.v, at.v);
        copy_or_clear(&mut self.a, at.a);
        turned.place(plan, at.q, at.v);
        let s = &mut self.state;
        s.t = at.t;
        s.q[..plain].copy_from_slice(&at.q[..plain]);
        s.v[..plain].copy_from_slice(&self.v[..plain]);
        s.a[..plain].copy_from_slice(&self.a[..plain]);
        let mut maps = self.maps.iter_mut();
        for c in &plan.carriers {
            let point = turned.point(plan, c, at.q, &self.v, &self.a);
            for (k, body) in c.frames.clone().enumerate() {
                let Some(map) = maps.next() else {
                    break;
                };
                let mapped = c.carrier.map(k, &point, map);
                mapped.map_err(|why| EvalError::Domain {
                    what: format!("body `{}`", c.name),
                    why: why.into(),
                })?;
                let (v, mut a) = (map.times(point.v), map.times(point.a));
                a.iter_mut().zip(map.bias).for_each(|(a, b)| *a += b);
                let frame = &mut turned.frames[GROUND + 1 + body];
                let [x, y, z, turn @ ..] = v;
                (frame.velocity, frame.omega) = ([x, y, z], turn);
                let (body, pose) = (&plan.bodies[body], &frame.pose);
                for (i, &freedom) in (body.first..).zip(body.freedoms) {
                    match freedom {
                        0..3 => s.q[i] = pose.position[freedom],
                        _ => s.q[i] = pose.angle,
                    }
                    (s.v[i], s.a[i]) = (v[freedom], a[freedom]);
                    self.bias[i - plain] = map.bias[freedom];
                }
            }
        }
        let (nc, count) = (s.lambda.len() - plan.dims.ng, at.lambda.len());
        if at.lambda.is_empty() {
            s.lambda.fill(0.0);
        } else {
            s.lambda[..nc].copy_from_slice(&at.lambda[..nc]);
            s.lambda[nc..].copy_from_slice(&at.lambda[count - plan.dims.ng..]);
        }
        copy_or_clear(&mut s.x, at.x);
        Ok(())
    }

    /// Wanted terms and blocks along the coordinates.
    pub fn pass(
        &mut self,
        of: &mut Assembly,
        at: &At<'_>,
        want: &mut Terms<'_>,
        parts: Parts,
        out: &mut Blocks,
    ) -> Result<(), EvalError> {
        let plan = of.plan.clone();
        let Some(pull) = &plan.pull_back else {
            return Ok(());
        };
        self.enter(&plan, &mut of.turned, at)?;
        let stiff = parts.has(Part::Rq);
        let forced = want.force.is_some();
        let mut terms = Terms {
            r: (want.r.is_some() || stiff).then_some(&mut self.r[..]),
            mass: (want.mass.is_some() || forced).then_some(&mut self.mass[..]),
            force: forced.then_some(&mut self.force[..]),
            c: want.c.is_some().then_some(&mut self.c[..]),
            c_q: (want.c_q.is_some() || want.gamma.is_some()).then_some(&mut self.c_q[..]),
            cv: want.cv.is_some().then_some(&mut self.cv[..]),
            gamma: want.gamma.is_some().then_some(&mut self.gamma[..]),
            f: want.f.as_deref_mut(),
            generators: None,
        };
        let (at_frames, blocks) = (self.state.at(), &mut self.blocks);
        of.pass_of(Own::Inertia, &at_frames, &mut terms, needed(parts), blocks)?;
        for (c, own) in plan.carriers.iter().zip(&mut self.own) {
            let point = of.turned.point(&plan, c, at.q, &self.v, &self.a);
            let lambda = at.lambda.get(c.rows.clone()).unwrap_or(&[]);
            c.carrier.own(&point, lambda, !parts.is_empty(), own);
        }
        self.pull_terms(&plan, pull, want);
        for part in Part::ALL {
            if parts.has(part) {
                let from = |part: Part| &self.blocks[part];
                pull.fill(part, &self.maps, from, &self.own, &mut out[part]);
            }
        }
        if stiff {
            self.bend(&plan, pull, &of.turned, at.q, &mut out[Part::Rq]);
        }
        Ok(())
    }

    fn pull_terms(&mut self, plan: &Plan, pull: &PullBack, want: &mut Terms<'_>) {
        if let Some(mass) = &mut want.mass {
            pull.fill(Part::Mass, &self.maps, |_| &self.mass, &self.own, mass);
        }
        if let Some(c_q) = &mut want.c_q {
            pull.fill(Part::Cq, &self.maps, |_| &self.c_q, &self.own, c_q);
        }
        if let Some(r) = &mut want.r {
            self.pull(plan, &self.r, r, |own| &own.r);
        }
        if let Some(force) = &mut want.force {
            subtract_bias(plan, Part::Mass, &self.mass, &self.bias, &mut self.force);
            self.pull(plan, &self.force, force, |own| &own.force);
        }
        if let Some(gamma) = &mut want.gamma {
            subtract_bias(plan, Part::Cq, &self.c_q, &self.bias, &mut self.gamma);
            self.place_rows(plan, &self.gamma, gamma, |own| &own.gamma);
        }
        if let Some(c) = &mut want.c {
            self.place_rows(plan, &self.c, c, |own| &own.c);
        }
        if let Some(cv) = &mut want.cv {
            self.place_rows(plan, &self.cv, cv, |own| &own.cv);
        }
    }

    /// `out = J' from`, and what carriers have by themselves.
    fn pull(&self, plan: &Plan, from: &[f64], out: &mut [f64], of: fn(&OwnTerms) -> &[f64]) {
        let plain = plan.plain_coordinates();
        out[..plain].copy_from_slice(&from[..plain]);
        let mut maps = self.maps.iter();
        for (c, own) in plan.carriers.iter().zip(&self.own) {
            let out = &mut out[c.coordinates.clone()];
            out.copy_from_slice(of(own));
            for (body, map) in c.frames.clone().zip(maps.by_ref()) {
                map.pull(&load(plan, body, from), out);
            }
        }
    }

    /// Equations: those of positions, then those of carriers, then those of velocities.
    fn place_rows(&self, plan: &Plan, from: &[f64], out: &mut [f64], of: fn(&OwnTerms) -> &[f64]) {
        let nc = plan.dims.nc;
        out[..nc].copy_from_slice(&from[..nc]);
        let of_velocities = out.len() - (from.len() - nc);
        out[of_velocities..].copy_from_slice(&from[nc..]);
        for (c, own) in plan.carriers.iter().zip(&self.own) {
            out[c.rows.clone()].copy_from_slice(of(own));
        }
    }

    /// Adds `(J' r~)_q`.
    fn bend(&mut self, plan: &Plan, pull: &PullBack, turned: &Turned, q: &[f64], k: &mut [f64]) {
        let mut map = 0;
        for c in &plan.carriers {
            let point = turned.point(plan, c, q, &self.v, &self.a);
            for (frame, body) in c.frames.clone().enumerate() {
                let bend = &mut self.bend[..pull.bend_size(map)];
                c.carrier
                    .bend(frame, &point, &load(plan, body, &self.r), bend);
                pull.add_bend(map, bend, k);
                map += 1;
            }
        }
    }
}

/// `out -= X b` for a block along the frames.
fn subtract_bias(plan: &Plan, part: Part, values: &[f64], bias: &[f64], out: &mut [f64]) {
    let plain = plan.plain_coordinates();
    for (&(i, j), x) in plan.patterns[part].iter().zip(values) {
        if let Some(j) = (j as usize).checked_sub(plain) {
            out[i as usize] -= x * bias[j];
        }
    }
}

impl Assembly {
    /// Wanted terms and blocks where bodies are behind maps.
    #[inline(never)]
    pub(super) fn pass_mapped(
        &mut self,
        at: &At<'_>,
        want: &mut Terms<'_>,
        parts: Parts,
        out: &mut Blocks,
    ) -> Result<(), EvalError> {
        let Some(mut mapped) = self.mapped.take() else {
            return Ok(());
        };
        let done = mapped.pass(self, at, want, parts, out);
        self.mapped = Some(mapped);
        done
    }

    /// Does something with a state as the frames see it, all of them placed. A state that has no place
    /// is seen as the last one.
    pub(super) fn with_frames<T>(
        &mut self,
        s: &State,
        act: impl FnOnce(&mut Assembly, &State) -> T,
    ) -> T {
        let Some(mut mapped) = self.mapped.take() else {
            self.place(&s.q, &s.v);
            return act(self, s);
        };
        let plan = self.plan.clone();
        let _ = mapped.enter(&plan, &mut self.turned, &s.at());
        for (seen, rate) in mapped.state.xdot.iter_mut().zip(&s.xdot) {
            *seen = *rate;
        }
        let done = act(self, &mapped.state);
        self.mapped = Some(mapped);
        done
    }

    /// Velocities of all frames for velocities of the coordinates in the columns of `v`.
    pub(super) fn frame_velocities(&mut self, q: &[f64], v: &Matrix) -> Matrix {
        let mut all = Matrix::zero(self.plan.dims.nv, v.columns());
        let mut s = State::new(self.facts.dims);
        s.q.copy_from_slice(q);
        for k in 0..v.columns() {
            s.v.copy_from_slice(&v.column(k));
            self.with_frames(&s, |_, seen| {
                for (i, v) in seen.v.iter().enumerate() {
                    all[(i, k)] = *v;
                }
            });
        }
        all
    }

    /// Motions with those that carriers count themselves, for velocities in the columns of `v`.
    pub(super) fn with_own_momenta(
        &self,
        mut motions: BodyMotions,
        q: &[f64],
        v: &Matrix,
    ) -> BodyMotions {
        let plan = &self.plan;
        for c in &plan.carriers {
            let count = c.coordinates.len();
            let zeros = vec![0.0; self.plan.scales.len()];
            let mut own = OwnTerms::new(count, c.rows.len());
            let point = self.turned.point(plan, c, q, &zeros, &zeros);
            c.carrier.own(&point, &[], false, &mut own);
            if own.mass.iter().all(|m| *m == 0.0) {
                continue;
            }
            let mass = |i: usize, j: usize| own.mass[i * count + j];
            let at = motions.rows.len();
            let mut grown = [&motions.velocity, &motions.momentum].map(|old| {
                let mut new = Matrix::zero(at + count, v.columns());
                for k in 0..v.columns() {
                    (0..at).for_each(|i| new[(i, k)] = old[(i, k)]);
                }
                new
            });
            for k in 0..v.columns() {
                for i in 0..count {
                    grown[0][(at + i, k)] = v[(c.coordinates.start + i, k)];
                    let momentum = (0..count).map(|j| mass(i, j) * v[(c.coordinates.start + j, k)]);
                    grown[1][(at + i, k)] = momentum.sum();
                }
            }
            [motions.velocity, motions.momentum] = grown;
            let body = plan.bodies[c.frames.start].index;
            let row = MotionRow { body, turns: None };
            motions.rows.resize(at + count, row);
        }
        motions
    }
}
