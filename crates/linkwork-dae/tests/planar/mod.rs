//! Planar rigid bodies (x, y, angle) with revolute joints and driven coordinates, all derivatives
//! by hand: small enough to check on paper, rich enough for loops, redundancy and singular poses.
#![allow(dead_code)]

use linkwork_dae::chart::Chart;
use linkwork_dae::memory::Memory;
use linkwork_dae::state::State;
use linkwork_dae::system::{
    At, BlockPatterns, Blocks, Capability, Dims, Energy, EnergyAccount, EvalError, Facts, Guess,
    Names, Part, Parts, Row, System, Terms,
};

/// A rigid body with its start pose (centre of mass, angle).
#[derive(Clone, Copy, Debug)]
pub struct Body {
    pub mass: f64,
    pub inertia: f64,
    pub pose: [f64; 3],
}

/// A point of body `body`, or of the ground when `None`.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    pub body: Option<usize>,
    pub at: [f64; 2],
}

/// Two points that coincide.
#[derive(Clone, Copy, Debug)]
pub struct Revolute(pub Point, pub Point);

/// `q[3 body + axis] = offset + rate t + amplitude sin(frequency t)`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Drive {
    pub body: usize,
    pub axis: usize,
    pub offset: f64,
    pub rate: f64,
    pub amplitude: f64,
    pub frequency: f64,
}

impl Drive {
    /// A coordinate held at a value.
    pub fn held(body: usize, axis: usize, offset: f64) -> Drive {
        Drive {
            body,
            axis,
            offset,
            ..Drive::default()
        }
    }

    /// Value and two time derivatives.
    pub fn value(&self, t: f64) -> [f64; 3] {
        let (s, c) = (self.frequency * t).sin_cos();
        let (a, w) = (self.amplitude, self.frequency);
        [
            self.offset + self.rate * t + a * s,
            self.rate + a * w * c,
            -a * w * w * s,
        ]
    }
}

pub fn ground(x: f64, y: f64) -> Point {
    Point {
        body: None,
        at: [x, y],
    }
}

pub fn on(body: usize, x: f64, y: f64) -> Point {
    Point {
        body: Some(body),
        at: [x, y],
    }
}

/// The mechanism; rows are two per joint, then one per drive.
#[derive(Clone, Debug)]
pub struct Planar {
    pub bodies: Vec<Body>,
    pub joints: Vec<Revolute>,
    pub drives: Vec<Drive>,
    pub gravity: f64,
    pub facts: Facts,
}

impl Planar {
    pub fn new(bodies: Vec<Body>, joints: Vec<Revolute>, drives: Vec<Drive>) -> Planar {
        let n = 3 * bodies.len();
        let mut patterns = BlockPatterns::default();
        for i in 0..n as u32 {
            patterns[Part::Mass].push((i, i));
        }
        for b in 0..bodies.len() as u32 {
            patterns[Part::Rq].push((3 * b + 2, 3 * b + 2));
        }
        for (k, joint) in joints.iter().enumerate() {
            let row = 2 * k as u32;
            for b in [joint.0.body, joint.1.body].into_iter().flatten() {
                let column = 3 * b as u32;
                patterns[Part::Cq].extend([
                    (row, column),
                    (row, column + 2),
                    (row + 1, column + 1),
                    (row + 1, column + 2),
                ]);
                patterns[Part::CVq].extend([(row, column + 2), (row + 1, column + 2)]);
            }
        }
        for (k, drive) in drives.iter().enumerate() {
            let row = (2 * joints.len() + k) as u32;
            patterns[Part::Cq].push((row, (3 * drive.body + drive.axis) as u32));
        }
        let dims = Dims {
            nq: n,
            nv: n,
            nc: 2 * joints.len() + drives.len(),
            ..Dims::default()
        };
        let pose: Vec<f64> = bodies.iter().flat_map(|b| b.pose).collect();
        let facts = Facts {
            patterns,
            guess: Guess::at(&pose, &vec![0.0; n]),
            names: Names::new(
                dims,
                |row| describe(row, joints.len()),
                |row| owner(row, joints.len()),
            ),
            ..Facts::new(dims)
        };
        Planar {
            bodies,
            joints,
            drives,
            gravity: 9.81,
            facts,
        }
    }

    /// The same mechanism with all lengths in another unit.
    pub fn in_unit(mut self, factor: f64) -> Planar {
        self.gravity *= factor;
        for b in &mut self.bodies {
            b.inertia *= factor * factor;
        }
        for joint in &mut self.joints {
            for p in [&mut joint.0, &mut joint.1] {
                p.at = p.at.map(|x| factor * x);
            }
        }
        for i in (0..self.facts.guess.q.len()).filter(|i| i % 3 != 2) {
            self.facts.guess.q[i] *= factor;
            self.facts.guess.v[i] *= factor;
            self.facts.scale[i] *= factor;
        }
        self
    }

    /// Offset of a body point from the centre of mass, in the ground frame.
    fn arm(q: &[f64], p: &Point) -> [f64; 2] {
        let Some(b) = p.body else { return [0.0; 2] };
        let (s, c) = q[3 * b + 2].sin_cos();
        [c * p.at[0] - s * p.at[1], s * p.at[0] + c * p.at[1]]
    }

    /// Place of a point.
    pub fn place(q: &[f64], p: &Point) -> [f64; 2] {
        let Some(b) = p.body else { return p.at };
        let arm = Self::arm(q, p);
        [q[3 * b] + arm[0], q[3 * b + 1] + arm[1]]
    }

    /// The ends of a joint with their signs.
    fn ends(joint: &Revolute) -> [(Point, f64); 2] {
        [(joint.0, 1.0), (joint.1, -1.0)]
    }

    fn fill_c(&self, at: &At<'_>, out: &mut [f64]) {
        for (k, joint) in self.joints.iter().enumerate() {
            let (a, b) = (Self::place(at.q, &joint.0), Self::place(at.q, &joint.1));
            out[2 * k] = a[0] - b[0];
            out[2 * k + 1] = a[1] - b[1];
        }
        for (k, d) in self.drives.iter().enumerate() {
            out[2 * self.joints.len() + k] = at.q[3 * d.body + d.axis] - d.value(at.t)[0];
        }
    }

    fn fill_c_q(&self, at: &At<'_>, out: &mut [f64]) {
        let mut k = 0;
        for joint in &self.joints {
            for (p, sign) in Self::ends(joint) {
                if p.body.is_some() {
                    let arm = Self::arm(at.q, &p);
                    out[k..k + 4].copy_from_slice(&[sign, -sign * arm[1], sign, sign * arm[0]]);
                    k += 4;
                }
            }
        }
        out[k..].fill(1.0);
    }

    fn fill_cv(&self, at: &At<'_>, out: &mut [f64]) {
        out.fill(0.0);
        for (k, joint) in self.joints.iter().enumerate() {
            for (p, sign) in Self::ends(joint) {
                if let Some(b) = p.body {
                    let (arm, w) = (Self::arm(at.q, &p), at.v[3 * b + 2]);
                    out[2 * k] += sign * (at.v[3 * b] - arm[1] * w);
                    out[2 * k + 1] += sign * (at.v[3 * b + 1] + arm[0] * w);
                }
            }
        }
        for (k, d) in self.drives.iter().enumerate() {
            out[2 * self.joints.len() + k] = at.v[3 * d.body + d.axis] - d.value(at.t)[1];
        }
    }

    fn fill_gamma(&self, at: &At<'_>, out: &mut [f64]) {
        out.fill(0.0);
        for (k, joint) in self.joints.iter().enumerate() {
            for (p, sign) in Self::ends(joint) {
                if let Some(b) = p.body {
                    let (arm, w) = (Self::arm(at.q, &p), at.v[3 * b + 2]);
                    out[2 * k] += sign * w * w * arm[0];
                    out[2 * k + 1] += sign * w * w * arm[1];
                }
            }
        }
        for (k, d) in self.drives.iter().enumerate() {
            out[2 * self.joints.len() + k] = d.value(at.t)[2];
        }
    }

    fn mass_of(&self, i: usize) -> f64 {
        let b = &self.bodies[i / 3];
        if i % 3 == 2 { b.inertia } else { b.mass }
    }

    fn force_on(&self, i: usize) -> f64 {
        if i % 3 == 1 {
            -self.gravity * self.bodies[i / 3].mass
        } else {
            0.0
        }
    }

    fn fill_r(&self, at: &At<'_>, out: &mut [f64]) {
        for (i, r) in out.iter_mut().enumerate() {
            *r = self.mass_of(i) * at.a[i] - self.force_on(i);
        }
        for (k, joint) in self.joints.iter().enumerate() {
            let l = [at.lambda[2 * k], at.lambda[2 * k + 1]];
            for (p, sign) in Self::ends(joint) {
                if let Some(b) = p.body {
                    let arm = Self::arm(at.q, &p);
                    out[3 * b] += sign * l[0];
                    out[3 * b + 1] += sign * l[1];
                    out[3 * b + 2] += sign * (arm[0] * l[1] - arm[1] * l[0]);
                }
            }
        }
        for (k, d) in self.drives.iter().enumerate() {
            out[3 * d.body + d.axis] += at.lambda[2 * self.joints.len() + k];
        }
    }
}

impl System for Planar {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn eval(&mut self, at: &At<'_>, want: &mut Terms<'_>) -> Result<(), EvalError> {
        if let Some(out) = want.r.as_deref_mut() {
            self.fill_r(at, out);
        }
        if let Some(out) = want.mass.as_deref_mut() {
            for (i, m) in out.iter_mut().enumerate() {
                *m = self.mass_of(i);
            }
        }
        if let Some(out) = want.force.as_deref_mut() {
            for (i, f) in out.iter_mut().enumerate() {
                *f = self.force_on(i);
            }
        }
        if let Some(out) = want.c.as_deref_mut() {
            self.fill_c(at, out);
        }
        if let Some(out) = want.c_q.as_deref_mut() {
            self.fill_c_q(at, out);
        }
        if let Some(out) = want.cv.as_deref_mut() {
            self.fill_cv(at, out);
        }
        if let Some(out) = want.gamma.as_deref_mut() {
            self.fill_gamma(at, out);
        }
        Ok(())
    }

    fn linearise(
        &mut self,
        at: &At<'_>,
        want: &mut Terms<'_>,
        parts: Parts,
        out: &mut Blocks,
    ) -> Result<(), EvalError> {
        self.eval(at, want)?;
        if parts.has(Part::Mass) {
            for i in 0..3 * self.bodies.len() {
                out[Part::Mass][i] = self.mass_of(i);
            }
        }
        if parts.has(Part::Cq) {
            self.fill_c_q(at, &mut out[Part::Cq]);
        }
        if parts.has(Part::Rq) {
            out[Part::Rq].fill(0.0);
            for (k, joint) in self.joints.iter().enumerate() {
                for (p, sign) in Self::ends(joint) {
                    if let Some(b) = p.body {
                        let arm = Self::arm(at.q, &p);
                        out[Part::Rq][b] -=
                            sign * (arm[0] * at.lambda[2 * k] + arm[1] * at.lambda[2 * k + 1]);
                    }
                }
            }
        }
        if parts.has(Part::CVq) {
            let mut k = 0;
            for joint in &self.joints {
                for (p, sign) in Self::ends(joint) {
                    if let Some(b) = p.body {
                        let (arm, w) = (Self::arm(at.q, &p), at.v[3 * b + 2]);
                        out[Part::CVq][k] = -sign * w * arm[0];
                        out[Part::CVq][k + 1] = -sign * w * arm[1];
                        k += 2;
                    }
                }
            }
        }
        Ok(())
    }

    fn observe(&mut self, _s: &State, _out: &mut [f64]) {}

    fn chart(&self) -> Option<&dyn Chart> {
        None
    }

    fn capability<'a>(&'a mut self, wanted: Capability<'_, 'a>) {
        if let Capability::Energy(to) = wanted {
            *to = Some(self);
        }
    }

    fn reset(&mut self) {}

    fn memory(&mut self, _: &mut Memory) {}

    fn fork(&self) -> Box<dyn System> {
        Box::new(self.clone())
    }
}

impl EnergyAccount for Planar {
    fn energy(&mut self, s: &State) -> Option<Energy> {
        let mut e = Energy::default();
        for (i, v) in s.v.iter().enumerate() {
            e.kinetic += 0.5 * self.mass_of(i) * v * v;
            e.potential -= self.force_on(i) * s.q[i];
        }
        Some(e)
    }
}

/// A slender rod between two points.
pub fn rod(from: [f64; 2], to: [f64; 2], mass: f64) -> Body {
    let d = [to[0] - from[0], to[1] - from[1]];
    let length = d[0].hypot(d[1]);
    Body {
        mass,
        inertia: mass * length * length / 12.0,
        pose: [
            (from[0] + to[0]) / 2.0,
            (from[1] + to[1]) / 2.0,
            d[1].atan2(d[0]),
        ],
    }
}

/// `n` four-bars side by side: `n + 1` unit cranks inclined by `phi` from the vertical, all turning
/// with `-omega` (clockwise), joined by `n` unit couplers. Singular at `phi = pi/2`.
pub fn n_four_bar(n: usize, phi: f64, omega: f64) -> Planar {
    let (s, c) = phi.sin_cos();
    let top: Vec<[f64; 2]> = (0..=n).map(|i| [i as f64 + s, c]).collect();
    let mut bodies = Vec::new();
    let mut joints = Vec::new();
    for (i, top) in top.iter().enumerate() {
        bodies.push(rod([i as f64, 0.0], *top, 1.0));
        joints.push(Revolute(on(i, -0.5, 0.0), ground(i as f64, 0.0)));
    }
    for i in 0..n {
        let k = bodies.len();
        bodies.push(rod(top[i], top[i + 1], 1.0));
        joints.push(Revolute(on(k, -0.5, 0.0), on(i, 0.5, 0.0)));
        joints.push(Revolute(on(k, 0.5, 0.0), on(i + 1, 0.5, 0.0)));
    }
    let mut planar = Planar::new(bodies, joints, Vec::new());
    for i in 0..=n {
        planar.facts.guess.v[3 * i..3 * i + 3].copy_from_slice(&[
            -0.5 * omega * c,
            0.5 * omega * s,
            omega,
        ]);
    }
    for k in n + 1..=2 * n {
        planar.facts.guess.v[3 * k..3 * k + 2].copy_from_slice(&[-omega * c, omega * s]);
    }
    planar
}

/// Two unit cranks with a coupler of length 2 and a third crank of length `third` in the middle:
/// redundant for `third = 1`, contradictory otherwise.
pub fn parallelogram(phi: f64, third: f64) -> Planar {
    let (s, c) = phi.sin_cos();
    let mut bodies = Vec::new();
    let mut joints = Vec::new();
    for (i, length) in [1.0, third, 1.0].into_iter().enumerate() {
        let x = i as f64;
        bodies.push(rod([x, 0.0], [x + length * s, length * c], 1.0));
        joints.push(Revolute(on(i, -length / 2.0, 0.0), ground(x, 0.0)));
    }
    bodies.push(rod([s, c], [2.0 + s, c], 2.0));
    joints.push(Revolute(on(3, -1.0, 0.0), on(0, 0.5, 0.0)));
    joints.push(Revolute(on(3, 1.0, 0.0), on(2, 0.5, 0.0)));
    joints.push(Revolute(on(3, 0.0, 0.0), on(1, third / 2.0, 0.0)));
    Planar::new(bodies, joints, Vec::new())
}

/// Crank of length `l1` at an angle, rod of length `l2`, slider on the x axis.
pub fn slider_crank(l1: f64, l2: f64, angle: f64) -> Planar {
    let a = [l1 * angle.cos(), l1 * angle.sin()];
    let s = a[0] + (l2 * l2 - a[1] * a[1]).max(0.0).sqrt();
    let slider = Body {
        mass: 1.0,
        inertia: 0.1,
        pose: [s, 0.0, 0.0],
    };
    Planar::new(
        vec![rod([0.0, 0.0], a, 1.0), rod(a, [s, 0.0], 1.0), slider],
        vec![
            Revolute(on(0, -l1 / 2.0, 0.0), ground(0.0, 0.0)),
            Revolute(on(1, -l2 / 2.0, 0.0), on(0, l1 / 2.0, 0.0)),
            Revolute(on(1, l2 / 2.0, 0.0), on(2, 0.0, 0.0)),
        ],
        vec![Drive::held(2, 1, 0.0), Drive::held(2, 2, 0.0)],
    )
}

fn describe(row: Row, joints: usize) -> String {
    let coordinate = |i: usize| format!("body `b{}`, {}", i / 3, ["x", "y", "angle"][i % 3]);
    match row {
        Row::Position(i) => coordinate(i),
        Row::Velocity(i) => format!("{} velocity", coordinate(i)),
        Row::Constraint(i) if i < 2 * joints => {
            format!("joint `j{}`, {} coincidence", i / 2, ["x", "y"][i % 2])
        }
        Row::Constraint(i) => format!("drive `d{}`", i - 2 * joints),
        Row::State(i) => format!("state {i}"),
    }
}

fn owner(row: Row, joints: usize) -> String {
    match row {
        Row::Position(i) | Row::Velocity(i) => format!("b{}", i / 3),
        Row::Constraint(i) if i < 2 * joints => format!("j{}", i / 2),
        Row::Constraint(i) => format!("d{}", i - 2 * joints),
        Row::State(i) => format!("x{i}"),
    }
}
