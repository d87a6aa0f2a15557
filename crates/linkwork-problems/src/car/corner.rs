//! One corner of the car: arms, carrier, wheel, strut, tyre. All vectors in axes of the chassis,
//! from its centre of mass.

use super::mass::{self, turned_inertia};
use super::{HEIGHT, SPEED, angular};
use crate::spatial::{Pose, V3, cross, dot, minus, plus};
use linkwork_dae::scalar::Scalar;

/// Coordinates of a corner: lower arm, upper arm, roll, pitch, yaw of the carrier, spin.
pub(super) const OWN: usize = 6;

const LOWER_MASS: f64 = 6.0;
const LOWER_INERTIA: V3 = [0.05, 0.03, 0.07];
const UPPER_MASS: f64 = 3.0;
const UPPER_INERTIA: V3 = [0.02, 0.015, 0.03];
const CARRIER_MASS: f64 = 15.0;
const CARRIER_INERTIA: V3 = [0.15, 0.15, 0.10];
const WHEEL_MASS: f64 = 18.0;
/// Across the axle and about it.
const WHEEL_INERTIA: [f64; 2] = [0.6, 1.1];
const STRUT_DAMPING: f64 = 4000.0;
const TYRE: [f64; 2] = [200_000.0, 200.0];
const TYRE_SLIP: f64 = 80_000.0;
const ROD: f64 = 0.330302891298;

pub(super) struct Corner {
    pub name: &'static str,
    x: f64,
    side: f64,
    /// Where the rod begins, and whether that is on the rack.
    rod: V3,
    steered: bool,
    free_length: f64,
    stiffness: f64,
    tyre_radius: f64,
    cornering: f64,
}

const fn front(name: &'static str, side: f64) -> Corner {
    Corner {
        name,
        x: 1.2,
        side,
        rod: [1.07, 0.33 * side, 0.24 - HEIGHT],
        steered: true,
        free_length: 0.523280,
        stiffness: 55_000.0,
        tyre_radius: 0.319295,
        cornering: 60_000.0,
    }
}

const fn rear(name: &'static str, side: f64) -> Corner {
    Corner {
        name,
        x: -1.4,
        side,
        rod: [-1.27, 0.33 * side, 0.24 - HEIGHT],
        steered: false,
        free_length: 0.517869,
        stiffness: 50_000.0,
        tyre_radius: 0.316781,
        cornering: 65_000.0,
    }
}

pub(super) const CORNERS: [Corner; 4] = [
    front("front_left", 1.0),
    front("front_right", -1.0),
    rear("rear_left", 1.0),
    rear("rear_right", -1.0),
];

/// Motion of the chassis: acceleration of its centre of mass, gravity included.
pub(super) struct Motion {
    pub linear: V3,
    pub omega: V3,
    pub turn: V3,
}

impl Motion {
    /// Acceleration of a point that moves on the chassis.
    pub(super) fn acceleration(&self, p: V3, d: V3, dd: V3) -> V3 {
        let mut a = plus(self.linear, 1.0, cross(self.turn, p));
        a = plus(a, 1.0, cross(self.omega, cross(self.omega, p)));
        a = plus(a, 2.0, cross(self.omega, d));
        plus(a, 1.0, dd)
    }

    /// Moment that turns a body fixed to the chassis.
    pub(super) fn spin(&self, i: V3) -> V3 {
        let (w, turn) = (self.omega, self.turn);
        let gyroscopic = cross(w, [i[0] * w[0], i[1] * w[1], i[2] * w[2]]);
        [0, 1, 2].map(|k| i[k] * turn[k] + gyroscopic[k])
    }
}

/// Force, and moment about the centre of mass of the chassis.
#[derive(Clone, Copy, Default)]
pub(super) struct Wrench {
    pub force: V3,
    pub moment: V3,
}

impl Wrench {
    pub(super) fn add(&mut self, other: &Wrench) {
        self.force = plus(self.force, 1.0, other.force);
        self.moment = plus(self.moment, 1.0, other.moment);
    }

    /// The moment about another point.
    fn about(&self, p: V3) -> V3 {
        minus(self.moment, cross(p, self.force))
    }
}

/// A frame on the chassis: a point of it, its motion, angular velocity and acceleration.
#[derive(Clone, Copy)]
struct Frame {
    p: V3,
    d: V3,
    dd: V3,
    omega: V3,
    turn: V3,
}

impl Frame {
    /// A frame that turns in a bearing on the chassis.
    fn bearing(p: V3, axis: V3, rate: f64, acceleration: f64) -> Frame {
        Frame {
            p,
            d: [0.0; 3],
            dd: [0.0; 3],
            omega: axis.map(|n| rate * n),
            turn: axis.map(|n| acceleration * n),
        }
    }

    /// The same frame at another of its points.
    fn at(&self, arm: V3) -> Frame {
        let along = cross(self.omega, arm);
        let mut dd = plus(self.dd, 1.0, cross(self.turn, arm));
        dd = plus(dd, 1.0, cross(self.omega, along));
        Frame {
            p: plus(self.p, 1.0, arm),
            d: plus(self.d, 1.0, along),
            dd,
            ..*self
        }
    }

    /// What moves a body whose centre of mass is the point of the frame; `inertia` multiplies a
    /// vector by its inertia.
    fn wrench(&self, chassis: &Motion, mass: f64, inertia: impl Fn(V3) -> V3) -> Wrench {
        let force = chassis
            .acceleration(self.p, self.d, self.dd)
            .map(|a| mass * a);
        let omega = plus(chassis.omega, 1.0, self.omega);
        let mut turn = plus(chassis.turn, 1.0, self.turn);
        turn = plus(turn, 1.0, cross(chassis.omega, self.omega));
        let moment = plus(inertia(turn), 1.0, cross(omega, inertia(omega)));
        Wrench {
            force,
            moment: plus(moment, 1.0, cross(self.p, force)),
        }
    }
}

/// `x` turned about a unit axis (Rodrigues).
fn turned<S: Scalar>(axis: V3, angle: S, x: V3) -> [S; 3] {
    let (s, c) = angle.sin_cos();
    let (across, along) = (cross(axis, x), dot(axis, x));
    [0, 1, 2].map(|k| c * (x[k] - along * axis[k]) + s * across[k] + S::from(along * axis[k]))
}

/// `Rz(yaw) Rx(roll) Ry(pitch) x`.
fn oriented<S: Scalar>([roll, pitch, yaw]: [S; 3], x: V3) -> [S; 3] {
    let ((sr, cr), (sp, cp), (sy, cy)) = (roll.sin_cos(), pitch.sin_cos(), yaw.sin_cos());
    let a = [cp * x[0] + sp * x[2], S::from(x[1]), cp * x[2] - sp * x[0]];
    let b = [a[0], cr * a[1] - sr * a[2], sr * a[1] + cr * a[2]];
    [cy * b[0] - sy * b[1], sy * b[0] + cy * b[1], b[2]]
}

fn unit(x: V3) -> V3 {
    let length = dot(x, x).sqrt();
    x.map(|x| x / length)
}

/// A body of a corner: mass, centre of mass, inertia, and how each coordinate that carries it moves
/// it: velocity of the centre and angular velocity for a unit rate.
pub(super) struct Carried {
    pub mass: f64,
    pub centre: V3,
    pub inertia: [V3; 3],
    pub twists: [Option<(usize, V3, V3)>; 5],
}

impl Corner {
    /// The bodies at the coordinates of the corner.
    pub(super) fn carried(&self, q: &[f64]) -> [Carried; 4] {
        let (pivot, axis) = (self.lower_bearing(), self.lower_axis());
        let swing = |x: V3| plus(pivot, 1.0, turned(axis, q[0], minus(x, pivot)));
        let units = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let centre = swing(self.point(0.0, 0.5, 0.2));
        let lower = Carried {
            mass: LOWER_MASS,
            centre,
            inertia: turned_inertia(units.map(|e| turned(axis, q[0], e)), LOWER_INERTIA),
            twists: [mass::about(0, axis, pivot, centre), None, None, None, None],
        };
        let (pivot_u, axis_u) = (self.upper_bearing(), self.upper_axis());
        let arm = minus(self.point(-0.02, 0.53, 0.505), pivot_u);
        let centre = plus(pivot_u, 1.0, turned(axis_u, q[1], arm));
        let upper = Carried {
            mass: UPPER_MASS,
            centre,
            inertia: turned_inertia(units.map(|e| turned(axis_u, q[1], e)), UPPER_INERTIA),
            twists: [
                mass::about(1, axis_u, pivot_u, centre),
                None,
                None,
                None,
                None,
            ],
        };
        let ball = swing(self.lower_ball());
        let pose = Pose::new([0.0; 3], [0.0; 3], [q[2], q[3], q[4]], [0.0; 3]);
        // the lower arm carries the carrier by its ball, without turning it
        let lifted = Some((0, cross(axis, minus(ball, pivot)), [0.0; 3]));
        let at = |p: V3| plus(ball, 1.0, pose.outward(minus(p, self.lower_ball())));
        let about = |k: usize, axis: V3, p: V3| mass::about(k, axis, ball, p);
        let on_carrier = |p: V3| {
            let (roll, pitch) = (about(2, pose.roll, p), about(3, pose.pitch, p));
            [lifted, roll, pitch, about(4, [0.0, 0.0, 1.0], p), None]
        };
        let (centre, hub) = (at(self.point(0.0, 0.68, 0.3)), at(self.wheel_centre()));
        let carrier = Carried {
            mass: CARRIER_MASS,
            centre,
            inertia: turned_inertia(pose.axes, CARRIER_INERTIA),
            twists: on_carrier(centre),
        };
        let axle = pose.axes[1];
        let [across, about_axle] = WHEEL_INERTIA;
        let mut twists = on_carrier(hub);
        twists[4] = Some((5, [0.0; 3], axle));
        let wheel = Carried {
            mass: WHEEL_MASS,
            centre: hub,
            inertia: turned_inertia(pose.axes, [across, about_axle, across]),
            twists,
        };
        [lower, upper, carrier, wheel]
    }

    /// A point given at the start in the inertial frame, left side.
    fn point(&self, dx: f64, y: f64, z: f64) -> V3 {
        [self.x + dx, self.side * y, z - HEIGHT]
    }
    fn lower_bearing(&self) -> V3 {
        self.point(0.0, 0.35, 0.21)
    }
    fn upper_bearing(&self) -> V3 {
        self.point(-0.02, 0.42, 0.5)
    }
    fn lower_axis(&self) -> V3 {
        unit([1.0, 0.0, 0.05])
    }
    fn upper_axis(&self) -> V3 {
        unit([1.0, 0.0, -0.03])
    }
    fn lower_ball(&self) -> V3 {
        self.point(0.0, 0.68, 0.19)
    }
    fn upper_ball(&self) -> V3 {
        self.point(-0.03, 0.64, 0.51)
    }
    /// The end of the rod on the carrier, which is on the same side of both axles.
    fn rod_end(&self) -> V3 {
        let dx = if self.steered { -0.14 } else { 0.14 };
        self.point(dx, 0.66, 0.23)
    }
    fn wheel_centre(&self) -> V3 {
        self.point(0.0, 0.75, 0.3)
    }

    /// Moves the bodies of the corner under a chassis with this motion and this pose above the road:
    /// fills its rows and returns what acts on the chassis.
    pub(super) fn dynamics(
        &self,
        (q, v, a): (&[f64], &[f64], &[f64]),
        chassis: &Motion,
        body: &Pose,
        r: &mut [f64],
    ) -> Wrench {
        let (pivot, axis) = (self.lower_bearing(), self.lower_axis());
        let swing = |x: V3| turned(axis, q[0], x);
        let lower = Frame::bearing(pivot, axis, v[0], a[0]);
        let centre = lower.at(swing(minus(self.point(0.0, 0.5, 0.2), pivot)));
        let inertia = |x: V3| {
            about(
                &|x| turned(axis, q[0], x),
                &|x| turned(axis, -q[0], x),
                LOWER_INERTIA,
                x,
            )
        };
        let of_lower = centre.wrench(chassis, LOWER_MASS, inertia);
        let ball = lower.at(swing(minus(self.lower_ball(), pivot)));

        let (pivot_u, axis_u) = (self.upper_bearing(), self.upper_axis());
        let upper = Frame::bearing(pivot_u, axis_u, v[1], a[1]);
        let arm = minus(self.point(-0.02, 0.53, 0.505), pivot_u);
        let centre = upper.at(turned(axis_u, q[1], arm));
        let inertia = |x: V3| {
            about(
                &|x| turned(axis_u, q[1], x),
                &|x| turned(axis_u, -q[1], x),
                UPPER_INERTIA,
                x,
            )
        };
        let of_upper = centre.wrench(chassis, UPPER_MASS, inertia);

        let (angle, rate) = ([q[2], q[3], q[4]], [v[2], v[3], v[4]]);
        let pose = Pose::new([0.0; 3], [0.0; 3], angle, rate);
        let carrier = Frame {
            omega: pose.omega,
            turn: angular(&pose, rate, [a[2], a[3], a[4]]),
            ..ball
        };
        let from_ball = |p: V3| pose.outward(minus(p, self.lower_ball()));
        let centre = carrier.at(from_ball(self.point(0.0, 0.68, 0.3)));
        let inertia = |x: V3| {
            about(
                &|x| pose.outward(x),
                &|x| pose.inward(x),
                CARRIER_INERTIA,
                x,
            )
        };
        let of_carrier = centre.wrench(chassis, CARRIER_MASS, inertia);

        let axle = pose.axes[1];
        let hub = carrier.at(from_ball(self.wheel_centre()));
        let mut turn = plus(hub.turn, a[5], axle);
        turn = plus(turn, v[5], cross(hub.omega, axle));
        let wheel = Frame {
            omega: plus(hub.omega, v[5], axle),
            turn,
            ..hub
        };
        let [across, about_axle] = WHEEL_INERTIA;
        let inertia = |x: V3| {
            plus(
                x.map(|x| across * x),
                (about_axle - across) * dot(x, axle),
                axle,
            )
        };
        let mut of_wheel = wheel.wrench(chassis, WHEEL_MASS, inertia);
        let tyre = self.tyre(body, &wheel, axle);
        of_wheel.force = minus(of_wheel.force, tyre.force);
        of_wheel.moment = minus(of_wheel.moment, tyre.moment);

        let mut outer = of_carrier;
        outer.add(&of_wheel);
        r[5] += dot(axle, of_wheel.about(wheel.p));
        let moments = pose.moments(outer.about(ball.p));
        r[2..5].copy_from_slice(&moments);
        r[1] += dot(axis_u, of_upper.about(pivot_u));
        let reach = cross(axis, minus(ball.p, pivot));
        r[0] += dot(axis, of_lower.about(pivot)) + dot(reach, outer.force);
        r[0] += self.strut(&lower, axis, q[0]);
        let mut total = outer;
        total.add(&of_lower);
        total.add(&of_upper);
        total
    }

    /// Moment of the strut about the axis of the lower arm, against its rotation.
    fn strut(&self, lower: &Frame, axis: V3, angle: f64) -> f64 {
        let pivot = self.lower_bearing();
        let foot = lower.at(turned(
            axis,
            angle,
            minus(self.point(0.0, 0.58, 0.2), pivot),
        ));
        let span = minus(foot.p, self.point(0.0, 0.5, 0.62));
        let length = dot(span, span).sqrt();
        let along = span.map(|x| x / length);
        let tension =
            self.stiffness * (length - self.free_length) + STRUT_DAMPING * dot(along, foot.d);
        tension * dot(along, cross(axis, minus(foot.p, pivot)))
    }

    /// Force of the road on the wheel, in axes of the chassis.
    fn tyre(&self, body: &Pose, wheel: &Frame, axle: V3) -> Wrench {
        let centre = plus(body.r, 1.0, body.outward(wheel.p));
        let carried = cross(body.omega, body.outward(wheel.p));
        let velocity = plus(plus(body.v, 1.0, carried), 1.0, body.outward(wheel.d));
        let omega = plus(body.omega, 1.0, body.outward(wheel.omega));
        let a = body.outward(axle);
        let upright = (1.0 - a[2] * a[2]).sqrt();
        let radius = centre[2] / upright;
        let down = minus(a.map(|x| a[2] * x), [0.0, 0.0, 1.0]).map(|x| x / upright);
        let ahead = cross(a, [0.0, 0.0, 1.0]).map(|x| x / upright);
        let left = cross([0.0, 0.0, 1.0], ahead);
        let arm = down.map(|x| radius * x);
        let sliding = plus(velocity, 1.0, cross(omega, arm));
        let load = TYRE[0] * (self.tyre_radius - radius) - TYRE[1] * velocity[2];
        let mut force = ahead.map(|x| -TYRE_SLIP * dot(sliding, ahead) / SPEED * x);
        force = plus(force, -self.cornering * dot(sliding, left) / SPEED, left);
        force[2] += load;
        let (force, arm) = (body.inward(force), body.inward(arm));
        Wrench {
            force,
            moment: cross(plus(wheel.p, 1.0, arm), force),
        }
    }
}

/// `R I R' x`.
fn about(out: &dyn Fn(V3) -> V3, inward: &dyn Fn(V3) -> V3, i: V3, x: V3) -> V3 {
    let own = inward(x);
    out([i[0] * own[0], i[1] * own[1], i[2] * own[2]])
}

/// The gap of the upper ball joint and the rod, by the first five coordinates of a corner.
pub(super) fn constraints<S: Scalar>(
    corner: &Corner,
    [lower, upper, roll, pitch, yaw]: [S; 5],
    rack: S,
) -> [S; 4] {
    let (pivot, pivot_u) = (corner.lower_bearing(), corner.upper_bearing());
    let ball = turned(
        corner.lower_axis(),
        lower,
        minus(corner.lower_ball(), pivot),
    );
    let on_carrier = |p: V3| {
        let arm = oriented([roll, pitch, yaw], minus(p, corner.lower_ball()));
        [0, 1, 2].map(|k| ball[k] + arm[k] + pivot[k])
    };
    let top = on_carrier(corner.upper_ball());
    let arm = minus(corner.upper_ball(), pivot_u);
    let on_arm = turned(corner.upper_axis(), upper, arm);
    let gap = [0, 1, 2].map(|k| on_arm[k] + pivot_u[k] - top[k]);
    let mut span = on_carrier(corner.rod_end());
    for (x, from) in span.iter_mut().zip(corner.rod) {
        *x -= S::from(from);
    }
    if corner.steered {
        span[1] -= rack;
    }
    let square = span[0] * span[0] + span[1] * span[1] + span[2] * span[2];
    [gap[0], gap[1], gap[2], (square - ROD * ROD) * 0.5]
}
