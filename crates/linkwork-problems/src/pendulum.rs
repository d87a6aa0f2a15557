//! Planar pendulum in Cartesian coordinates: `x^2 + y^2 = 1`, unit mass, released at `x = side`.
//!
//! The constraint is written as `(x^2 + y^2 - 1)/2`, so the multiplier is the rod tension per
//! length: `lambda = u^2 + v^2 - g y`. Closed form: `theta` from the downward vertical,
//! `sin(theta/2) = k sn(K - sqrt(g) t | 1/2)`, `k^2 = 1/2`.
//!
//! With `g = 9.81` and `side = -1` it is benchmark A01 of the IFToMM library (Gonzalez et al.).

use crate::small::Equations;
use linkwork_dae::system::{At, Energy};

/// See the [module](self).
#[derive(Clone, Debug)]
pub struct Pendulum {
    /// Gravity.
    pub g: f64,
    /// Start at `x = side`, 1 or -1.
    pub side: f64,
}

impl Equations for Pendulum {
    const N: usize = 2;
    const C: usize = 1;

    fn names(&self) -> Vec<(&'static str, &'static str)> {
        vec![("x", "m"), ("y", "m")]
    }

    fn start(&self) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
        (vec![self.side, 0.0], vec![0.0, 0.0], Vec::new())
    }

    fn mass(&self, _: &[f64], _: f64, m: &mut [f64]) {
        m.copy_from_slice(&[1.0, 0.0, 0.0, 1.0]);
    }

    fn force(&self, _: &At<'_>, f: &mut [f64]) {
        f.copy_from_slice(&[0.0, -self.g]);
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

    fn energy(&self, q: &[f64], v: &[f64], _: f64) -> Option<Energy> {
        Some(Energy {
            kinetic: 0.5 * (v[0] * v[0] + v[1] * v[1]),
            potential: self.g * q[1],
            ..Energy::default()
        })
    }
}
