//! Passenger car with double wishbones, spinning wheels and rack steering: periodic lane changes.
//!
//! 30 joint coordinates: chassis (x, y, z, roll, pitch, yaw) and, for each corner, angles of the lower
//! and the upper arm, three angles of the wheel carrier against the chassis, and the spin of the
//! wheel. 16 constraints close the loops: the upper ball joint of each corner and the length of its
//! tie rod, both in axes of the chassis. The rack has no coordinate: its displacement `u(t)` is given,
//! and is the excitation. 92 equations in the stabilised form.
//!
//! The data are round numbers of a compact car; they stand in for the car of Arnold, Fuchs & Fuehrer
//! (2006, section 4.2.2), who print none. Eigenvalues at the start: wheel slip -330 1/s, wheel hop
//! 72 rad/s, body 7.5 rad/s. There are no exact derivatives.
//!
//! ```text
//!  r = sum over bodies  J_v' (m (a - g) - F) + J_w' (I w' + w x I w - M)  + C_q' lambda
//! ```
//!
//! Everything is computed in axes of the chassis.

mod corner;
mod mass;

use crate::spatial::{Pose, V3, cross, dot, plus};
use corner::{CORNERS, Motion, OWN, Wrench, constraints};
use linkwork_dae::chart::Chart;
use linkwork_dae::memory::Memory;
use linkwork_dae::scalar::{Dual, Jet};
use linkwork_dae::state::State;
use linkwork_dae::system::{
    At, BlockPatterns, Capability, Channel, Dims, EvalError, Excitation, Excitations, Facts, Guess,
    Names, Part, Parts, Reference, Row, System, Terms,
};
use std::sync::Arc;

const GRAVITY: f64 = 9.81;
const SPEED: f64 = 20.0;
const MASS: f64 = 1300.0;
const INERTIA: V3 = [450.0, 1900.0, 2000.0];
/// Height of the chassis at the start.
const HEIGHT: f64 = 0.55;
const RACK_MASS: f64 = 3.0;
/// Inertia of the rack and its place on the chassis.
const RACK_INERTIA: V3 = [0.10, 0.01, 0.10];
const RACK: V3 = [1.07, 0.0, 0.24 - HEIGHT];
const SPEED_CONTROL: f64 = 5000.0;
/// Coordinates of the chassis.
const CHASSIS: usize = 6;
const N: usize = CHASSIS + 4 * OWN;
const CONSTRAINTS: usize = 16;

/// See the [module](self).
#[derive(Clone)]
pub struct Car {
    facts: Arc<Facts>,
    stroke: f64,
    offset: f64,
}

fn patterns() -> BlockPatterns {
    let own = |c: usize| (CHASSIS + OWN * c) as u32..(CHASSIS + OWN * (c + 1)) as u32;
    let all = || 0..N as u32;
    let body = || 0..CHASSIS as u32;
    let mut p = BlockPatterns::default();
    for part in [Part::Mass, Part::Rq, Part::Rv] {
        p[part].extend(body().flat_map(|i| all().map(move |j| (i, j))));
        for c in 0..4 {
            let columns = || body().chain(own(c));
            p[part].extend(own(c).flat_map(|i| columns().map(move |j| (i, j))));
        }
    }
    for c in 0..4 {
        for row in 4 * c as u32..4 * (c as u32 + 1) {
            // the spin comes last and does not enter
            p[Part::Cq].extend(own(c).take(OWN - 1).map(|j| (row, j)));
        }
    }
    p[Part::CVq] = p[Part::Cq].clone();
    p
}

fn facts(channels: Vec<Channel>, stroke: f64) -> Facts {
    let dims = Dims {
        nq: N,
        nv: N,
        nc: CONSTRAINTS,
        ..Dims::default()
    };
    let (mut q, mut v) = (vec![0.0; N], vec![0.0; N]);
    q[2] = HEIGHT;
    v[0] = SPEED;
    for c in 0..4 {
        v[CHASSIS + OWN * c + 5] = SPEED / 0.3;
    }
    let describe = |row: Row| match row {
        Row::Position(i) => format!("coordinate `{}`", channels[i].name),
        Row::Velocity(i) => format!("velocity of `{}`", channels[i].name),
        Row::Constraint(i) => {
            let words = ["ball, x", "ball, y", "ball, z", "tie rod"];
            format!("{} of `{}`", words[i % 4], CORNERS[i / 4].name)
        }
        Row::State(i) => format!("state {i}, which does not exist"),
    };
    let owner = |row: Row| {
        let corner = match row {
            Row::Position(i) | Row::Velocity(i) => i.checked_sub(CHASSIS).map(|k| k / OWN),
            Row::Constraint(i) => Some(i / 4),
            Row::State(_) => None,
        };
        corner.map_or("chassis", |c| CORNERS[c].name).to_string()
    };
    // the car goes far and its wheels turn far: neither may loosen the tolerance
    let far = |i: usize| i == 0 || (i >= CHASSIS && (i - CHASSIS) % OWN == OWN - 1);
    let reference = |i: usize| match far(i) {
        true => Reference::Size,
        false => Reference::Itself,
    };
    Facts {
        patterns: patterns(),
        exact: Parts::NONE,
        reference: (0..N).map(reference).collect(),
        guess: Guess::at(&q, &v),
        names: Names::new(dims, describe, owner),
        channels,
        excitations: vec![Excitation {
            name: "excitation 1".into(),
            scale: stroke.abs().max(1e-6),
        }],
        ..Facts::new(dims)
    }
}

/// Angular acceleration of a pose for accelerations of its angles.
fn angular(pose: &Pose, rate: V3, acceleration: V3) -> V3 {
    let turning = cross([0.0, 0.0, rate[2]], pose.roll);
    let mut a = plus([0.0, 0.0, acceleration[2]], acceleration[0], pose.roll);
    a = plus(a, acceleration[1], pose.pitch);
    a = plus(a, rate[0], turning);
    plus(a, rate[1], cross(pose.carrier, pose.pitch))
}

/// Three numbers from `first` on.
fn three(x: &[f64], first: usize) -> V3 {
    [x[first], x[first + 1], x[first + 2]]
}

impl Car {
    /// The car whose rack moves by so many metres.
    pub fn new(stroke: f64) -> Car {
        let names = ["x", "y", "z", "roll", "pitch", "yaw"];
        let mut channels = Vec::new();
        for name in names {
            let unit = if name.len() == 1 { "m" } else { "rad" };
            channels.push(Channel::new(format!("chassis.{name}"), unit));
        }
        let own = ["lower", "upper", "roll", "pitch", "yaw", "spin"];
        for c in &CORNERS {
            for name in own {
                channels.push(Channel::new(format!("{}.{name}", c.name), "rad"));
            }
        }
        Car {
            facts: Arc::new(facts(channels, stroke)),
            stroke,
            offset: 0.0,
        }
    }

    /// Displacement of the rack: half a hertz, started smoothly.
    fn rack(&self, t: f64) -> Jet {
        use std::f64::consts::PI;
        let (s, c) = (PI * t).sin_cos();
        let wave = Jet::new(s, PI * c, -PI * PI * s) * Jet::from(self.stroke);
        // g = exp(-4 t^2): g' = -8 t g, g'' = (64 t^2 - 8) g
        let g = (-4.0 * t * t).exp();
        let started = Jet::new(1.0 - g, 8.0 * t * g, (8.0 - 64.0 * t * t) * g);
        wave * started + Jet::from(self.offset)
    }

    /// Residual without multipliers.
    fn dynamics(&self, q: &[f64], v: &[f64], a: &[f64], t: f64, r: &mut [f64]) {
        r.fill(0.0);
        let (angle, rate) = (three(q, 3), three(v, 3));
        let pose = Pose::new(three(q, 0), three(v, 0), angle, rate);
        let mut linear = three(a, 0);
        linear[2] += GRAVITY;
        let chassis = Motion {
            linear: pose.inward(linear),
            omega: pose.inward(pose.omega),
            turn: pose.inward(angular(&pose, rate, three(a, 3))),
        };
        let mut total = Wrench::default();
        for (k, c) in CORNERS.iter().enumerate() {
            let first = CHASSIS + OWN * k;
            let span = first..first + OWN;
            let (x, xd, xdd) = (&q[span.clone()], &v[span.clone()], &a[span.clone()]);
            let wrench = c.dynamics((x, xd, xdd), &chassis, &pose, &mut r[span]);
            total.add(&wrench);
        }
        let u = self.rack(t);
        let rack = [RACK[0], RACK[1] + u.v, RACK[2]];
        let a = chassis.acceleration(rack, [0.0, u.d, 0.0], [0.0, u.dd, 0.0]);
        let mut own = Wrench {
            force: a.map(|a| RACK_MASS * a),
            moment: chassis.spin(RACK_INERTIA),
        };
        own.moment = plus(own.moment, 1.0, cross(rack, own.force));
        total.add(&own);
        total.force = plus(total.force, MASS, chassis.linear);
        total.moment = plus(total.moment, 1.0, chassis.spin(INERTIA));
        let ahead = dot(pose.v, pose.axes[0]);
        total.force[0] -= SPEED_CONTROL * (SPEED - ahead);
        r[..3].copy_from_slice(&pose.outward(total.force));
        r[3..6].copy_from_slice(&pose.moments(pose.outward(total.moment)));
    }

    /// Rows of `C_q` of a corner, by its first five coordinates.
    fn rows(&self, q: &[f64], corner: usize, t: f64) -> [[f64; OWN - 1]; 4] {
        let first = CHASSIS + OWN * corner;
        let x = std::array::from_fn(|k| Dual::<5>::variable(q[first + k], k));
        let u = Dual::constant(self.rack(t).v);
        constraints(&CORNERS[corner], x, u).map(|c| c.d)
    }

    /// Constraints of a corner along the motion without acceleration.
    fn along(&self, at: &At<'_>, corner: usize) -> [Jet; 4] {
        let first = CHASSIS + OWN * corner;
        let speed = |k: usize| at.v.get(first + k).copied().unwrap_or(0.0);
        let x = std::array::from_fn(|k| Jet::new(at.q[first + k], speed(k), 0.0));
        constraints(&CORNERS[corner], x, self.rack(at.t))
    }
}

impl System for Car {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn eval(&mut self, at: &At<'_>, want: &mut Terms<'_>) -> Result<(), EvalError> {
        let mut rows = [[[0.0; OWN - 1]; 4]; 4];
        if want.r.is_some() || want.c_q.is_some() {
            rows = std::array::from_fn(|corner| self.rows(at.q, corner, at.t));
        }
        if let Some(r) = want.r.as_deref_mut() {
            self.dynamics(at.q, at.v, at.a, at.t, r);
            for (corner, rows) in rows.iter().enumerate() {
                let first = CHASSIS + OWN * corner;
                for (row, lambda) in rows.iter().zip(&at.lambda[4 * corner..]) {
                    for (r, c) in r[first..].iter_mut().zip(row) {
                        *r += c * lambda;
                    }
                }
            }
        }
        if let Some(force) = want.force.as_deref_mut() {
            self.dynamics(at.q, at.v, &[0.0; N], at.t, force);
            force.iter_mut().for_each(|f| *f = -*f);
        }
        if let Some(mass) = want.mass.as_deref_mut() {
            self.mass(at.q, at.t, mass);
        }
        if want.c.is_some() || want.cv.is_some() || want.gamma.is_some() {
            for corner in 0..4 {
                let motion = self.along(at, corner);
                let put = |to: &mut Option<&mut [f64]>, of: fn(Jet) -> f64| {
                    if let Some(to) = to {
                        to[4 * corner..][..4].copy_from_slice(&motion.map(of));
                    }
                };
                put(&mut want.c, |jet| jet.v);
                put(&mut want.cv, |jet| jet.d);
                put(&mut want.gamma, |jet| -jet.dd);
            }
        }
        if let Some(c_q) = want.c_q.as_deref_mut() {
            for (x, &(i, j)) in c_q.iter_mut().zip(&self.facts.patterns[Part::Cq]) {
                let (corner, i) = (i as usize / 4, i as usize % 4);
                *x = rows[corner][i][j as usize - CHASSIS - OWN * corner];
            }
        }
        Ok(())
    }

    fn observe(&mut self, s: &State, out: &mut [f64]) {
        out.copy_from_slice(&s.q);
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

impl Excitations for Car {
    fn excitation(&self, t: f64, out: &mut [f64]) {
        out.fill(self.rack(t).v);
    }

    fn offset_excitations(&mut self, offset: &[f64]) {
        self.offset = offset.first().copied().unwrap_or(0.0);
    }
}
