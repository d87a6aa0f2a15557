//! A pendulum on a rod held by a servo: mechanics, first-order states and an algebraic equation in
//! one loop.
//!
//! ```text
//!  point (x, y) on a unit circle, unit mass, gravity 9.81; tangential motor force u
//!  controller:  i' = e,   e = sin(t)/2 - x
//!  motor lag:   f' = (u - f)/0.05
//!  saturation:  0 = 20 e + 4 e' + 10 i - u - u^3/400      algebraic
//! ```

use crate::small::Equations;
use linkwork_dae::system::At;

const LAG: f64 = 0.05;
const GAINS: [f64; 3] = [20.0, 4.0, 10.0];
const SOFTNESS: f64 = 1.0 / 400.0;
const GRAVITY: f64 = 9.81;

/// See the [module](self).
#[derive(Clone, Debug)]
pub struct Servo;

const I: usize = 0;
const F: usize = 1;
const U: usize = 2;

impl Equations for Servo {
    const N: usize = 2;
    const C: usize = 1;
    const X: usize = 3;

    fn names(&self) -> Vec<(&'static str, &'static str)> {
        vec![("x", "m"), ("y", "m")]
    }

    fn state_names(&self) -> Vec<(&'static str, &'static str)> {
        vec![("integral", "m s"), ("motor", "N"), ("command", "N")]
    }

    fn start(&self) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
        (vec![0.0, -1.0], vec![0.0, 0.0], vec![0.0; 3])
    }

    fn differential(&self, i: usize) -> bool {
        i != U
    }

    fn mass(&self, _: &[f64], _: f64, m: &mut [f64]) {
        m.copy_from_slice(&[1.0, 0.0, 0.0, 1.0]);
    }

    fn force(&self, at: &At<'_>, f: &mut [f64]) {
        // along the tangent (-y, x)
        f[0] = -at.q[1] * at.x[F];
        f[1] = at.q[0] * at.x[F] - GRAVITY;
    }

    fn force_q(&self, at: &At<'_>, f_q: &mut [f64], _: &mut [f64], f_x: &mut [f64]) {
        f_q[1] = -at.x[F];
        f_q[2] = at.x[F];
        f_x[F] = -at.q[1];
        f_x[3 + F] = at.q[0];
    }

    fn constraint(&self, q: &[f64], _: f64, c: &mut [f64]) {
        c[0] = 0.5 * (q[0] * q[0] + q[1] * q[1] - 1.0);
    }

    fn c_q(&self, q: &[f64], _: f64, c_q: &mut [f64]) {
        c_q.copy_from_slice(q);
    }

    fn cv_q(&self, _: &[f64], v: &[f64], _: f64, out: &mut [f64]) {
        out.copy_from_slice(v);
    }

    fn lambda_q(&self, _: &[f64], lambda: &[f64], _: f64, out: &mut [f64]) {
        out[0] += lambda[0];
        out[3] += lambda[0];
    }

    fn gamma(&self, _: &[f64], v: &[f64], _: f64, gamma: &mut [f64]) {
        gamma[0] = -(v[0] * v[0] + v[1] * v[1]);
    }

    fn f(&self, at: &At<'_>, f: &mut [f64]) {
        let e = 0.5 * at.t.sin() - at.q[0];
        let rate = 0.5 * at.t.cos() - at.v[0];
        let u = at.x[U];
        f[I] = e;
        f[F] = (u - at.x[F]) / LAG;
        f[U] = GAINS[0] * e + GAINS[1] * rate + GAINS[2] * at.x[I] - u - SOFTNESS * u.powi(3);
    }

    fn f_q(&self, at: &At<'_>, f_q: &mut [f64], f_v: &mut [f64], f_x: &mut [f64]) {
        f_q[2 * I] = -1.0;
        f_q[2 * U] = -GAINS[0];
        f_v[2 * U] = -GAINS[1];
        f_x[3 * F + F] = -1.0 / LAG;
        f_x[3 * F + U] = 1.0 / LAG;
        f_x[3 * U + I] = GAINS[2];
        f_x[3 * U + U] = -1.0 - 3.0 * SOFTNESS * at.x[U] * at.x[U];
    }
}
