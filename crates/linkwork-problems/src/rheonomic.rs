//! A small DAE with everything that makes integrators go wrong: a constraint that depends on time,
//! a mass that depends on the configuration, forces that depend on velocity and time.
//!
//! ```text
//!  M = diag(1 + 0.3 x^2, 1),  Q = (-0.3 x' - 2 x + 0.5 cos t, -9.81 - 0.05 y'^3)
//!  C = x^2 + y^2 - l(t)^2,    l = 1 + 0.1 sin 2t
//! ```

use crate::small::Equations;
use linkwork_dae::system::At;

/// See the [module](self).
#[derive(Clone, Debug)]
pub struct Rheonomic;

/// `l`, `l'`, `l''`.
fn length(t: f64) -> (f64, f64, f64) {
    let (s, c) = (2.0 * t).sin_cos();
    (1.0 + 0.1 * s, 0.2 * c, -0.4 * s)
}

impl Equations for Rheonomic {
    const N: usize = 2;
    const C: usize = 1;

    fn names(&self) -> Vec<(&'static str, &'static str)> {
        vec![("x", "m"), ("y", "m")]
    }

    fn start(&self) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
        let (s, c) = 0.9f64.sin_cos();
        let q = vec![s, -c];
        let v = vec![0.7 * c + 0.2 * q[0], 0.7 * s + 0.2 * q[1]];
        (q, v, Vec::new())
    }

    fn mass(&self, q: &[f64], _: f64, m: &mut [f64]) {
        m.copy_from_slice(&[1.0 + 0.3 * q[0] * q[0], 0.0, 0.0, 1.0]);
    }

    fn mass_q(&self, q: &[f64], a: &[f64], _: f64, out: &mut [f64]) {
        out[0] += 0.6 * q[0] * a[0];
    }

    fn force(&self, at: &At<'_>, f: &mut [f64]) {
        f[0] = -0.3 * at.v[0] - 2.0 * at.q[0] + 0.5 * at.t.cos();
        f[1] = -9.81 - 0.05 * at.v[1].powi(3);
    }

    fn force_q(&self, at: &At<'_>, f_q: &mut [f64], f_v: &mut [f64], _: &mut [f64]) {
        f_q[0] = -2.0;
        f_v[0] = -0.3;
        f_v[3] = -0.15 * at.v[1] * at.v[1];
    }

    fn constraint(&self, q: &[f64], t: f64, c: &mut [f64]) {
        let (l, ..) = length(t);
        c[0] = q[0] * q[0] + q[1] * q[1] - l * l;
    }

    fn c_q(&self, q: &[f64], _: f64, c_q: &mut [f64]) {
        c_q.copy_from_slice(&[2.0 * q[0], 2.0 * q[1]]);
    }

    fn c_t(&self, _: &[f64], t: f64, c_t: &mut [f64]) {
        let (l, ld, _) = length(t);
        c_t[0] = -2.0 * l * ld;
    }

    fn cv_q(&self, _: &[f64], v: &[f64], _: f64, out: &mut [f64]) {
        out.copy_from_slice(&[2.0 * v[0], 2.0 * v[1]]);
    }

    fn lambda_q(&self, _: &[f64], lambda: &[f64], _: f64, out: &mut [f64]) {
        out[0] += 2.0 * lambda[0];
        out[3] += 2.0 * lambda[0];
    }

    fn gamma(&self, _: &[f64], v: &[f64], t: f64, gamma: &mut [f64]) {
        let (l, ld, ldd) = length(t);
        gamma[0] = -2.0 * (v[0] * v[0] + v[1] * v[1]) + 2.0 * (ld * ld + l * ldd);
    }
}
