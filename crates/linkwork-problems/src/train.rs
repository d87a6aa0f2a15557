//! Railway carriage on two bogies and four wheelsets through an S-shaped line change.
//!
//! 41 coordinates: car body (y, z, roll, pitch, yaw), bogies and wheelsets (x, y, z, roll, pitch,
//! yaw), as deviations in a frame that moves with 20 m/s; 8 constraints, one for each wheel on its
//! rail. Masses and suspension are those of the Manchester benchmark vehicle 1 (Iwnicki 1998); wheel
//! and rail geometry, creep and track are defined here. In the size of its equations and the
//! topology of its Jacobian it is the carriage of Arnold, Fuchs & Fuehrer (2006): 98 equations in
//! the stabilised form.
//!
//! ```text
//!  constraint  z + sigma b sin phi - f(sigma e) = 0,   f(c) = 0.10 c + 5 c^2
//!              e = y - u_k - w_k x + sigma b (cos psi cos phi - 1 + w_k sin psi cos phi)
//!  creep       F = -(F~_x e_x + F~_y e_y) / sqrt(1 + |F~|^2 / (mu N0)^2)
//! ```
//!
//! The lateral offset `u_k` and the slope `w_k` of the track under each wheelset are the excitations.
//! There are no exact derivatives: this is a system of residuals, to be differenced.

mod forces;

use crate::spatial::Pose;
use linkwork_dae::chart::Chart;
use linkwork_dae::jacobian::differences::Differences;
use linkwork_dae::memory::Memory;
use linkwork_dae::scalar::{Jet, Scalar};
use linkwork_dae::state::{State, Tolerances, Weights};
use linkwork_dae::system::{
    At, BlockPatterns, Blocks, Capability, Channel, Dims, EvalError, Excitation, Excitations,
    Facts, Names, Part, Parts, Row, System, Terms,
};
use std::sync::Arc;

const GRAVITY: f64 = 9.81;
/// Speed, m/s.
pub const SPEED: f64 = 20.0;
const RADIUS: f64 = 0.46;
/// Half the distance of the contacts.
const HALF_GAUGE: f64 = 0.75;
const CONICITY: [f64; 2] = [0.10, 5.0];
const SIDES: [f64; 2] = [1.0, -1.0];

/// Mass, moments of inertia, nominal place along the track and height.
struct Body {
    name: &'static str,
    mass: f64,
    inertia: [f64; 3],
    x: f64,
    z: f64,
    /// First coordinate; the car has no x.
    first: usize,
    wheelset: bool,
}

const fn bogie(name: &'static str, x: f64, first: usize) -> Body {
    Body {
        name,
        mass: 2615.0,
        inertia: [1722.0, 1476.0, 3067.0],
        x,
        z: 0.60,
        first,
        wheelset: false,
    }
}

const fn wheelset(name: &'static str, x: f64, first: usize) -> Body {
    Body {
        name,
        mass: 1813.0,
        inertia: [1120.0, 112.0, 1120.0],
        x,
        z: RADIUS,
        first,
        wheelset: true,
    }
}

const CAR: usize = 0;
const BODIES: [Body; 7] = [
    Body {
        name: "car",
        mass: 32000.0,
        inertia: [56800.0, 1.97e6, 1.97e6],
        x: 0.0,
        z: 1.80,
        first: 0,
        wheelset: false,
    },
    bogie("front_bogie", 9.5, 5),
    wheelset("wheelset1", 10.78, 11),
    wheelset("wheelset2", 8.22, 17),
    bogie("rear_bogie", -9.5, 23),
    wheelset("wheelset3", -8.22, 29),
    wheelset("wheelset4", -10.78, 35),
];
/// Bogies with their wheelsets.
const BOGIES: [(usize, [usize; 2]); 2] = [(1, [2, 3]), (4, [5, 6])];
const WHEELSETS: [usize; 4] = [2, 3, 5, 6];
const N: usize = 41;
const CONSTRAINTS: usize = 8;

impl Body {
    /// Number of coordinates.
    fn coordinates(&self) -> usize {
        if self.first == 0 { 5 } else { 6 }
    }

    /// Index of y.
    fn y(&self) -> usize {
        if self.first == 0 { 0 } else { self.first + 1 }
    }
}

/// What is declared to be nonzero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Declared {
    /// Full blocks of coupled bodies.
    Topology,
    /// Everything: nothing is known.
    Full,
    /// What is nonzero at the start.
    AtStart,
    /// What is nonzero anywhere.
    Nonzeros,
}

/// See the [module](self).
#[derive(Clone)]
pub struct Train {
    facts: Arc<Facts>,
    poses: [Pose; BODIES.len()],
    load: [f64; N],
    offset: [f64; 8],
}

fn topology() -> BlockPatterns {
    let mut coupled = vec![(CAR, CAR)];
    for (bogie, wheelsets) in BOGIES {
        coupled.extend([(bogie, bogie), (bogie, CAR), (CAR, bogie)]);
        for w in wheelsets {
            coupled.extend([(w, w), (w, bogie), (bogie, w)]);
        }
    }
    let span = |b: usize| {
        let first = BODIES[b].first as u32;
        first..first + BODIES[b].coordinates() as u32
    };
    let block = |a: usize, b: usize| span(a).flat_map(move |i| span(b).map(move |j| (i, j)));
    let mut p = BlockPatterns::default();
    for (a, b) in coupled {
        p[Part::Rq].extend(block(a, b));
    }
    p[Part::Rv] = p[Part::Rq].clone();
    p[Part::Mass] = (0..BODIES.len()).flat_map(|b| block(b, b)).collect();
    for (k, w) in WHEELSETS.into_iter().enumerate() {
        for row in [2 * k as u32, 2 * k as u32 + 1] {
            p[Part::Cq].extend(span(w).map(|j| (row, j)));
        }
    }
    p[Part::CVq] = p[Part::Cq].clone();
    p
}

/// What is nonzero at the start or in the curve. Differences carry rounding: forces of 1e5 N over
/// increments of 1e-8 leave some N/m in rows that do not depend on a coordinate, such as the moment of
/// an axle-box force about the axle, so tiny true entries cannot be told from none.
fn nonzeros(in_the_curve: bool) -> BlockPatterns {
    const ROUNDING: f64 = 10.0;
    let mut train = Train::new(Declared::Full);
    let full = train.facts().patterns.clone();
    let mut s = State::new(train.facts().dims);
    s.lambda.fill(-forces::WHEEL_LOAD);
    if in_the_curve {
        s.t = 5.0;
        let wave = |i: usize, x: &mut f64| *x += 0.1 * (1.0 + 2.3 * i as f64).sin();
        let values = [&mut s.q, &mut s.v, &mut s.a];
        let all = values.into_iter().flatten().enumerate();
        all.for_each(|(i, x)| wave(i, x));
        for body in &BODIES {
            s.q[body.y()] += track(SPEED * s.t + body.x)[0];
        }
    }
    let mut w = Weights::new(&train, &Tolerances::relative(1e-4));
    w.start(&s);
    let mut differences = Differences::new(&train, Parts::ALL);
    let mut blocks = Blocks::new(&full);
    let none = Terms::default();
    // the equations have a value everywhere
    let _ = differences.by_columns(&mut train, &s.at(), &w, &none, false, Some(&mut blocks));
    let (mass, c_q) = blocks.mass_and_c_q();
    let mut want = Terms {
        mass: Some(mass),
        c_q: Some(c_q),
        ..Terms::default()
    };
    let _ = train.eval(&s.at(), &mut want);
    let mut p = BlockPatterns::default();
    for part in Part::ALL {
        let noise = match part {
            Part::Rq | Part::Rv => ROUNDING,
            Part::CVq => 1e-6,
            _ => 0.0,
        };
        let values = full[part].iter().zip(&blocks[part]);
        let kept = values.filter(|(_, x)| x.abs() > noise);
        p[part] = kept.map(|(e, _)| *e).collect();
    }
    p
}

/// Lateral offset of the track and its first three derivatives at the track position `s`.
fn track(s: f64) -> [f64; 4] {
    const OFFSET: f64 = 4.0;
    const LENGTH: f64 = 210.0;
    let q = ((s - 25.0) / LENGTH).clamp(0.0, 1.0);
    let p = 1.0 - q;
    let slope = 140.0 * OFFSET / LENGTH;
    [
        OFFSET * q.powi(4) * (35.0 - 84.0 * q + 70.0 * q * q - 20.0 * q.powi(3)),
        slope * (q * p).powi(3),
        slope / LENGTH * 3.0 * (q * p).powi(2) * (p - q),
        slope / (LENGTH * LENGTH) * 6.0 * q * p * (p * p - 3.0 * q * p + q * q),
    ]
}

/// What a constraint depends on: x, y, z, roll, yaw of its wheelset.
type Contact<S> = [S; 5];

/// `e` of a wheel.
fn lateral<S: Scalar>([x, y, _, roll, yaw]: Contact<S>, side: f64, u: S, w: S) -> S {
    let ((_, cf), (sp, cp)) = (roll.sin_cos(), yaw.sin_cos());
    y - u - w * x + (cp * cf - 1.0 + w * sp * cf) * (side * HALF_GAUGE)
}

/// `f` and its slope.
fn profile<S: Scalar>(c: S) -> (S, S) {
    let [a, b] = CONICITY;
    (c * (c * b + a), c * (2.0 * b) + a)
}

fn constraint<S: Scalar>(at: Contact<S>, side: f64, u: S, w: S) -> S {
    let (f, _) = profile(lateral(at, side, u, w) * side);
    let (sf, _) = at[3].sin_cos();
    at[2] + sf * (side * HALF_GAUGE) - f
}

impl Train {
    /// The carriage with patterns as declared.
    pub fn new(declared: Declared) -> Train {
        let dims = Dims {
            nq: N,
            nv: N,
            nc: CONSTRAINTS,
            ..Dims::default()
        };
        let mut channels = Vec::new();
        for body in &BODIES {
            let names = ["x", "y", "z", "roll", "pitch", "yaw"];
            for name in &names[6 - body.coordinates()..] {
                let unit = if name.len() == 1 { "m" } else { "rad" };
                channels.push(Channel::new(format!("{}.{name}", body.name), unit));
            }
        }
        for k in 1..=4 {
            for side in ["left", "right"] {
                channels.push(Channel::new(format!("wheelset{k}.load.{side}"), "N"));
            }
        }
        let describe = |row: Row| match row {
            Row::Position(i) => format!("coordinate `{}`", channels[i].name),
            Row::Velocity(i) => format!("velocity of `{}`", channels[i].name),
            Row::Constraint(i) => {
                let side = if i % 2 == 0 { "left" } else { "right" };
                format!("{} wheel of `{}` on its rail", side, owner(row))
            }
            Row::State(i) => format!("state {i}, which does not exist"),
        };
        let excitation = |i: usize| Excitation {
            name: format!("excitation {}", i + 1),
            scale: 1e-2,
        };
        let facts = Facts {
            patterns: match declared {
                Declared::Topology => topology(),
                Declared::Full => BlockPatterns::full(dims),
                Declared::AtStart => nonzeros(false),
                Declared::Nonzeros => nonzeros(true),
            },
            exact: Parts::NONE,
            names: Names::new(dims, describe, owner),
            channels,
            excitations: (0..8).map(excitation).collect(),
            ..Facts::new(dims)
        };
        Train {
            facts: Arc::new(facts),
            poses: [Pose::default(); BODIES.len()],
            load: [0.0; N],
            offset: [0.0; 8],
        }
    }

    /// Offset and slope of the track under wheelset `k` as motions.
    fn excitations_at(&self, k: usize, t: f64) -> (Jet, Jet) {
        let [y, d, dd, ddd] = track(SPEED * t + BODIES[WHEELSETS[k]].x);
        let v = SPEED;
        (
            Jet::new(y + self.offset[2 * k], v * d, v * v * dd),
            Jet::new(d + self.offset[2 * k + 1], v * dd, v * v * ddd),
        )
    }

    /// One row of `C_q`, by the six coordinates of its wheelset.
    fn constraint_row(&self, q: &[f64], row: usize, t: f64) -> [f64; 6] {
        let (k, side) = (row / 2, SIDES[row % 2]);
        let (u, w) = self.excitations_at(k, t);
        let at = contact(q, WHEELSETS[k]);
        let (_, slope) = profile(side * lateral(at, side, u.v, w.v));
        let ((sf, cf), (sp, cp)) = (at[3].sin_cos(), at[4].sin_cos());
        let by_roll = -side * HALF_GAUGE * sf * (cp + w.v * sp);
        let by_yaw = side * HALF_GAUGE * cf * (w.v * cp - sp);
        [
            side * slope * w.v,
            -side * slope,
            1.0,
            side * HALF_GAUGE * cf - side * slope * by_roll,
            0.0,
            -side * slope * by_yaw,
        ]
    }

    /// Constraint `row` along the motion with velocities `v` and no acceleration.
    fn along(&self, at: &At<'_>, row: usize) -> Jet {
        let (k, side) = (row / 2, SIDES[row % 2]);
        let (u, w) = self.excitations_at(k, at.t);
        let (q, v) = (contact(at.q, WHEELSETS[k]), contact(at.v, WHEELSETS[k]));
        let motion = std::array::from_fn(|i| Jet::new(q[i], v[i], 0.0));
        constraint(motion, side, u, w)
    }

    fn c_q(&self, at: &At<'_>, out: &mut [f64]) {
        let rows: [_; CONSTRAINTS] =
            std::array::from_fn(|row| self.constraint_row(at.q, row, at.t));
        for (x, &(i, j)) in out.iter_mut().zip(&self.facts.patterns[Part::Cq]) {
            let first = BODIES[WHEELSETS[i as usize / 2]].first;
            let own = (j as usize).checked_sub(first).filter(|j| *j < 6);
            *x = own.map_or(0.0, |j| rows[i as usize][j]);
        }
    }

    fn mass(&self, out: &mut [f64]) {
        let mut blocks = [[[0.0; 3]; 3]; BODIES.len()];
        for ((m, body), pose) in blocks.iter_mut().zip(&BODIES).zip(&self.poses) {
            *m = pose.mass(body.inertia, body.wheelset);
        }
        for (x, &(i, j)) in out.iter_mut().zip(&self.facts.patterns[Part::Mass]) {
            let (i, j) = (i as usize, j as usize);
            let b = BODIES.partition_point(|b| b.first <= i) - 1;
            let (body, angles) = (&BODIES[b], BODIES[b].y() + 2);
            let own = j >= body.first && j < body.first + body.coordinates();
            *x = if i >= angles && own && j >= angles {
                blocks[b][i - angles][j - angles]
            } else if i == j {
                body.mass
            } else {
                0.0
            };
        }
    }

    /// `M a` and what the velocities add to it.
    fn inertia(&self, at: &At<'_>, accelerated: bool, out: &mut [f64]) {
        for (body, pose) in BODIES.iter().zip(&self.poses) {
            let y = body.y();
            let a = |i: usize| if accelerated { at.a[i] } else { 0.0 };
            for i in body.first..y + 2 {
                out[i] = body.mass * a(i);
            }
            let angles = y + 2;
            let rate = [0, 1, 2].map(|k| at.v[angles + k]);
            let turn = [0, 1, 2].map(|k| a(angles + k));
            let spin = body.wheelset.then_some(SPEED / RADIUS);
            let moments = pose.inertia(body.inertia, rate, turn, spin);
            out[angles..angles + 3].copy_from_slice(&moments);
        }
    }
}

/// What the constraints of a wheelset depend on, from all coordinates.
fn contact(q: &[f64], wheelset: usize) -> Contact<f64> {
    let f = BODIES[wheelset].first;
    [q[f], q[f + 1], q[f + 2], q[f + 3], q[f + 5]]
}

impl System for Train {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn eval(&mut self, at: &At<'_>, want: &mut Terms<'_>) -> Result<(), EvalError> {
        if want.r.is_some() || want.force.is_some() || want.mass.is_some() {
            self.place(at.q, at.v);
        }
        if want.r.is_some() || want.force.is_some() {
            self.apply_forces(at);
        }
        if let Some(r) = want.r.as_deref_mut() {
            self.inertia(at, true, r);
            for (r, load) in r.iter_mut().zip(&self.load) {
                *r -= load;
            }
            for (row, lambda) in at.lambda.iter().enumerate() {
                let first = BODIES[WHEELSETS[row / 2]].first;
                let c_q = self.constraint_row(at.q, row, at.t);
                for (r, c) in r[first..].iter_mut().zip(c_q) {
                    *r += c * lambda;
                }
            }
        }
        if let Some(force) = want.force.as_deref_mut() {
            self.inertia(at, false, force);
            for (f, load) in force.iter_mut().zip(&self.load) {
                *f = load - *f;
            }
        }
        if let Some(mass) = want.mass.as_deref_mut() {
            self.mass(mass);
        }
        if let Some(c) = want.c.as_deref_mut() {
            for (row, c) in c.iter_mut().enumerate() {
                let (k, side) = (row / 2, SIDES[row % 2]);
                let (u, w) = self.excitations_at(k, at.t);
                *c = constraint(contact(at.q, WHEELSETS[k]), side, u.v, w.v);
            }
        }
        if let Some(c_q) = want.c_q.as_deref_mut() {
            self.c_q(at, c_q);
        }
        if let Some(cv) = want.cv.as_deref_mut() {
            for (row, cv) in cv.iter_mut().enumerate() {
                *cv = self.along(at, row).d;
            }
        }
        if let Some(gamma) = want.gamma.as_deref_mut() {
            for (row, gamma) in gamma.iter_mut().enumerate() {
                *gamma = -self.along(at, row).dd;
            }
        }
        Ok(())
    }

    fn observe(&mut self, s: &State, out: &mut [f64]) {
        let (q, loads) = out.split_at_mut(N);
        q.copy_from_slice(&s.q);
        for (load, lambda) in loads.iter_mut().zip(&s.lambda) {
            *load = -lambda;
        }
    }

    fn chart(&self) -> Option<&dyn Chart> {
        None
    }

    fn capability<'a>(&'a mut self, wanted: Capability<'_, 'a>) {
        if let Capability::Excitations(to) = wanted {
            *to = Some(self);
        }
    }

    fn reset(&mut self) {}

    fn memory(&mut self, _: &mut Memory) {}

    fn fork(&self) -> Box<dyn System> {
        Box::new(self.clone())
    }
}

impl Excitations for Train {
    fn excitation(&self, t: f64, out: &mut [f64]) {
        for (k, out) in out.chunks_mut(2).enumerate() {
            let (u, w) = self.excitations_at(k, t);
            out.copy_from_slice(&[u.v, w.v]);
        }
    }

    fn offset_excitations(&mut self, offset: &[f64]) {
        self.offset.copy_from_slice(offset);
    }
}

/// The body that a row belongs to.
fn owner(row: Row) -> String {
    let body = match row {
        Row::Position(i) | Row::Velocity(i) => {
            BODIES.partition_point(|b| b.first <= i).saturating_sub(1)
        }
        Row::Constraint(i) => WHEELSETS[i / 2],
        Row::State(_) => CAR,
    };
    BODIES[body].name.to_string()
}
