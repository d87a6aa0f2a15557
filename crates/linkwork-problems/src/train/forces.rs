//! Suspension, gravity and creep forces of the carriage.
//!
//! An element between bodies P and Q is a displacement in axes of Q; its force acts on P at the
//! point, and with the opposite sign on Q at the same place.

use super::{
    BODIES, BOGIES, CAR, GRAVITY, HALF_GAUGE, RADIUS, SIDES, SPEED, Train, WHEELSETS, contact,
    lateral, profile,
};
use crate::spatial::{Pose, V3, cross, dot, minus, plus};
use linkwork_dae::system::At;

const PRIMARY: Spring = Spring {
    stiffness: [31.391e6, 3.884e6, 1.220e6],
    damping: [15e3, 2e3, 4e3],
    preload: -45653.2875,
};
const SECONDARY: Spring = Spring {
    stiffness: [160e3, 160e3, 430e3],
    damping: [20e3, 32e3, 20e3],
    preload: -78480.0,
};
const SECONDARY_HEIGHT: f64 = 0.2275;
const STOP_HEIGHT: f64 = 0.05;
const STOP: f64 = 9.3e7;
const ROLL_BAR: f64 = 940e3;
const CREEP: [f64; 2] = [8.0e6, 7.0e6];
/// At rest.
pub(super) const WHEEL_LOAD: f64 = 54546.0525;
/// Friction times the wheel load at rest.
const CREEP_LIMIT: f64 = 0.30 * WHEEL_LOAD;

struct Spring {
    stiffness: V3,
    damping: V3,
    preload: f64,
}

impl Spring {
    fn force(&self, d: V3, rate: V3) -> V3 {
        let mut f = [0, 1, 2].map(|k| -self.stiffness[k] * d[k] - self.damping[k] * rate[k]);
        f[2] += self.preload;
        f
    }
}

impl Train {
    /// Poses of all bodies.
    pub(super) fn place(&mut self, q: &[f64], v: &[f64]) {
        for (body, pose) in BODIES.iter().zip(&mut self.poses) {
            let y = body.y();
            let x = |from: &[f64]| if y == 0 { 0.0 } else { from[y - 1] };
            let speed = |i: usize| v.get(i).copied().unwrap_or(0.0);
            let angle = |k: usize| {
                // wheelsets are described in axes that do not spin
                if body.wheelset && k == 1 {
                    0.0
                } else {
                    q[y + 2 + k]
                }
            };
            let vx = if v.is_empty() { 0.0 } else { x(v) };
            *pose = Pose::new(
                [body.x + x(q), q[y], body.z + q[y + 1]],
                [vx, speed(y), speed(y + 1)],
                [0, 1, 2].map(angle),
                [0, 1, 2].map(|k| speed(y + 2 + k)),
            );
        }
    }

    /// Adds a force and a moment about the centre of mass to the load of a body.
    fn push(&mut self, body: usize, force: V3, moment: V3) {
        let y = BODIES[body].y();
        if y > 0 {
            self.load[y - 1] += force[0];
        }
        self.load[y] += force[1];
        self.load[y + 1] += force[2];
        let moments = self.poses[body].moments(moment);
        for (load, m) in self.load[y + 2..].iter_mut().zip(moments) {
            *load += m;
        }
    }

    /// A force on body `p` with the given arm, and its reaction on body `q`. The arm is not found
    /// from the point: its rounding would look like a dependence on the place of the body.
    fn between(&mut self, p: usize, q: usize, arm: V3, force: V3) {
        let point = plus(self.poses[p].r, 1.0, arm);
        let reaction = cross(minus(point, self.poses[q].r), force);
        self.push(p, force, cross(arm, force));
        self.push(q, force.map(|f| -f), reaction.map(|m| -m));
    }

    /// A spring on body `p` with the given arm, which turns with `omega`, against body `q`.
    fn spring(
        &mut self,
        spring: &Spring,
        (p, q): (usize, usize),
        (arm, omega): (V3, V3),
        rest: V3,
    ) {
        let (own, against) = (self.poses[p], self.poses[q]);
        let span = minus(plus(own.r, 1.0, arm), against.r);
        let d = minus(against.inward(span), rest);
        let velocity = plus(own.v, 1.0, cross(omega, arm));
        let carried = plus(against.v, 1.0, cross(against.omega, span));
        let rate = against.inward(minus(velocity, carried));
        self.between(p, q, arm, against.outward(spring.force(d, rate)));
    }

    /// All forces at the poses at hand; wheel and rail need coordinates and time as well.
    pub(super) fn apply_forces(&mut self, at: &At<'_>) {
        self.load.fill(0.0);
        for body in &BODIES {
            self.load[body.y() + 1] -= body.mass * GRAVITY;
        }
        for (bogie, wheelsets) in BOGIES {
            for w in wheelsets {
                self.primary(w, bogie);
            }
            self.secondary(bogie, at);
        }
        for k in 0..WHEELSETS.len() {
            for side in SIDES {
                self.creep(k, side, at);
            }
        }
    }

    fn primary(&mut self, w: usize, bogie: usize) {
        let axle = self.poses[w];
        for side in SIDES {
            let arm = axle.pitch.map(|a| side * a);
            let (from, to) = (&BODIES[bogie], &BODIES[w]);
            let rest = [to.x - from.x, side, to.z - from.z];
            self.spring(&PRIMARY, (w, bogie), (arm, axle.carrier), rest);
        }
    }

    fn secondary(&mut self, bogie: usize, at: &At<'_>) {
        let pose = self.poses[bogie];
        let (b, c) = (&BODIES[bogie], &BODIES[CAR]);
        for side in SIDES {
            let arm = pose.outward([0.0, side, SECONDARY_HEIGHT]);
            let rest = [b.x, side, b.z + SECONDARY_HEIGHT - c.z];
            self.spring(&SECONDARY, (bogie, CAR), (arm, pose.omega), rest);
        }
        let car = self.poses[CAR];
        let arm = pose.outward([0.0, 0.0, STOP_HEIGHT]);
        let d = dot(car.axes[1], minus(plus(pose.r, 1.0, arm), car.r));
        let force = car.axes[1].map(|y| -STOP * d * d * d * y);
        self.between(bogie, CAR, arm, force);
        let (of_car, of_bogie) = (c.y() + 2, b.y() + 2);
        let moment = -ROLL_BAR * (at.q[of_car] - at.q[of_bogie]);
        self.load[of_car] += moment;
        self.load[of_bogie] -= moment;
    }

    fn creep(&mut self, k: usize, side: f64, at: &At<'_>) {
        let w = WHEELSETS[k];
        let pose = self.poses[w];
        let (u, slope) = self.excitations_at(k, at.t);
        let (f, _) = profile(side * lateral(contact(at.q, w), side, u.v, slope.v));
        let mut arm = pose.pitch.map(|a| side * HALF_GAUGE * a);
        arm[2] -= RADIUS + f;
        let turning = plus(pose.omega, SPEED / RADIUS, pose.pitch);
        let mut sliding = plus(pose.v, 1.0, cross(turning, arm));
        sliding[0] += SPEED;
        let ahead = pose.roll;
        let left = [-ahead[1], ahead[0], 0.0];
        let x = CREEP[0] * dot(sliding, ahead) / SPEED;
        let y = CREEP[1] * dot(sliding, left) / SPEED;
        let limit = (1.0 + (x * x + y * y) / (CREEP_LIMIT * CREEP_LIMIT)).sqrt();
        let force = plus(ahead.map(|e| -x / limit * e), -y / limit, left);
        self.push(w, force, cross(arm, force));
    }
}
