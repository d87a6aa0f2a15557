//! Normal and creep forces of both wheels (Jaschinski 1990), for any scalar.

use super::contact::{Contact, rail, wheel};
use super::{Form, NOMINAL_SPIN, SPEED};
use linkwork_dae::scalar::Scalar;

const FRICTION: f64 = 0.12;
const E_HAT: f64 = 1.353_795_6;
const G_HAT: f64 = 0.711_521_8;
const POISSON: f64 = 0.28;
const SHEAR: f64 = 7.92e10;
const C11: f64 = 4.727_721_97;
const C22: f64 = 4.275_269_87;
const C23: f64 = 1.972_035_05;
/// As in the published code of the problem; its reference solution depends on it.
#[allow(clippy::approx_constant)]
const PI: f64 = 3.141_592_6;

fn tanh<S: Scalar>(x: S) -> S {
    let t = x.value().tanh();
    let d = 1.0 - t * t;
    x.lift([t, d, -2.0 * t * d, d * (6.0 * t * t - 2.0)])
}

fn atan<S: Scalar>(x: S) -> S {
    let v = x.value();
    let d = 1.0 / (1.0 + v * v);
    let dd = -2.0 * v * d * d;
    x.lift([v.atan(), d, dd, d * d * (8.0 * v * v * d - 2.0)])
}

fn abs<S: Scalar>(x: S) -> S {
    if x.value() < 0.0 { -x } else { x }
}

fn cube_root<S: Scalar>(x: S) -> S {
    let v = x.value();
    let r = v.cbrt();
    let d = r / (3.0 * v);
    x.lift([r, d, -2.0 / 3.0 * d / v, 10.0 / 9.0 * d / (v * v)])
}

/// Inclination of the contact plane.
fn inclination<S: Scalar>(c: &Contact<S>) -> S {
    let ((st, ct), (sp, cp), (ss, cs)) = (c.yaw, c.roll, c.turn);
    let slope = wheel(c.side, c.xi).d;
    let up = (slope * cp - sp * cs) * ct + ss * st;
    atan(up / (slope * sp + cs * cp) * -c.side.0)
}

/// Normal forces of the wheels at positive and negative abscissa from the multipliers `e` of their
/// contact conditions.
pub(super) fn normal<S: Scalar>(c: &[Contact<S>; 2], w: &[[S; 5]; 2], e: [S; 2]) -> [S; 2] {
    let [left, right] = [inclination(&c[0]), inclination(&c[1])];
    let ((sl, cl), (sr, cr)) = (left.sin_cos(), right.sin_cos());
    let d = -(sl * cr) - sr * cl;
    let w1 = w[0][0] * e[0] + w[1][0] * e[1];
    let w2 = w[0][1] * e[0] + w[1][1] * e[1];
    [(cr * w1 - sr * w2) / d, (-(cl * w1) - sl * w2) / d]
}

/// Force on one wheel in track axes, from its normal force, the displacement and the velocity
/// `(x', y', z', yaw', roll', deviation of the spin)`.
pub(super) fn creep<S: Scalar>(form: Form, c: &Contact<S>, x: S, n: S, v: &[S]) -> [S; 3] {
    if n.value() == 0.0 {
        return [S::from(0.0); 3];
    }
    let ((sp, cp), (ss, cs)) = (c.roll, c.turn);
    let s = c.side.0;
    let delta = inclination(c);
    let (sd, cd) = delta.sin_cos();
    let (st, ct) = match form {
        // yaw seen in the contact plane
        Form::Published => (yaw_angle(c) / cd).sin_cos(),
        Form::Consistent => c.yaw,
    };
    let w = v[5] + NOMINAL_SPIN;
    let profile = wheel(c.side, c.xi);
    let (r, xi) = (profile.v, c.xi);
    let g = rail(c.side, c.abscissa(x));

    let steep = |d: S| (d * d + 1.0) * (d * d + 1.0).sqrt();
    let rail_curvature = -g.dd / steep(g.d);
    let wheel_curvature = profile.dd / steep(profile.d);
    let a = S::from(0.5) / (r * (profile.d * profile.d + 1.0).sqrt());
    let b = (rail_curvature + wheel_curvature) * 0.5;
    let load = abs(n) * (3.0 * (1.0 - POISSON) * E_HAT);
    let size = cube_root(load / ((a + b) * (2.0 * PI * SHEAR * G_HAT.sqrt())));

    let w1 = -(w * r * (st * cs + ct * sp * ss)) + v[0]
        - v[3] * (r * (st * sp * cs + ct * ss) + xi * st * cp)
        - v[4] * ct * (xi * sp - r * cp * cs);
    let w2 = w * r * cp * ss + v[1] + v[4] * (xi * cp + r * sp * cs);
    let w3 = -(w * r * (ct * cs - st * sp * ss)) + v[2] + SPEED
        - v[3] * (xi * ct * cp + r * (ct * sp * cs - st * ss))
        + v[4] * st * (xi * sp - r * cp * cs);
    let rolling = [
        w1 - v[0] * 2.0,
        w2 - v[1] * 2.0,
        w3 - v[2] * 2.0 - 2.0 * SPEED,
    ];
    let speed =
        (rolling[0] * rolling[0] + rolling[1] * rolling[1] + rolling[2] * rolling[2]).sqrt() * 0.5;
    let zero = S::from(0.0);
    let [ahead, aside] = match form {
        Form::Published => [[st, zero, ct], [ct * cd, sd * s, -(st * cd)]],
        Form::Consistent => {
            // in the plane of contact: axle x normal, normal x that
            let ahead = [st * cp * cd, st * cp * sd * s, ct * cp * cd + sp * sd * s];
            let length = dot(ahead, ahead).sqrt();
            let [x, y, z] = ahead.map(|u| u / length);
            [[x, y, z], [cd * z, sd * z * s, -(sd * y * s) - cd * x]]
        }
    };
    let sliding = [w1, w2, w3];
    let along = dot(sliding, ahead) / speed;
    let across = dot(sliding, aside) / speed;
    let turning = match form {
        Form::Published => -(sd * w) * s + cd * v[3],
        Form::Consistent => {
            let of_axle = cd * sp - ct * cp * sd * s;
            w * of_axle + cd * v[3] - st * sd * v[4] * s
        }
    };
    let spin = turning / speed;

    let limit = n * FRICTION;
    let stiffness = size * size * SHEAR / limit;
    let mut tx = -(limit * tanh(stiffness * along * C11));
    let mut ty = -(limit * tanh(stiffness * across * C22 + stiffness * size * spin * C23));
    let total = tx * tx + ty * ty;
    if total.value() > limit.value() * limit.value() {
        let shrink = abs(limit) / total.sqrt();
        (tx, ty) = (tx * shrink, ty * shrink);
    }
    std::array::from_fn(|i| ahead[i] * tx + aside[i] * ty)
}

fn dot<S: Scalar>(a: [S; 3], b: [S; 3]) -> S {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The yaw angle behind its sine and cosine; it stays far below a right angle.
fn yaw_angle<S: Scalar>(c: &Contact<S>) -> S {
    atan(c.yaw.0 / c.yaw.1)
}

/// Moments of a force at the contact, for yaw, roll and spin.
pub(super) fn moments<S: Scalar>(c: &Contact<S>, f: &[S; 3]) -> [S; 3] {
    let ((st, ct), (sp, cp), (ss, cs)) = (c.yaw, c.roll, c.turn);
    let (r, xi) = (wheel(c.side, c.xi).v, c.xi);
    [
        -((xi * st + r * ss * ct * cp) * f[0]) - r * ss * sp * f[1]
            + (r * ss * st * cp - xi * ct) * f[2],
        -((xi * ct * sp - r * cs * ct * cp) * f[0])
            + (xi * cp + r * cs * sp) * f[1]
            + (xi * st * sp - r * cs * st * cp) * f[2],
        -(r * (cs * st + ss * ct * sp) * f[0]) + r * ss * cp * f[1]
            - r * (cs * ct - ss * st * sp) * f[2],
    ]
}
