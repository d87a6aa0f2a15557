//! A mass under a force that jumps in secret, with a light one on it that follows at once: stiff.

use super::forced::Secret;
use crate::small::Equations;
use linkwork_dae::system::At;

/// Mass of the rider.
const MASS: f64 = 0.01;
/// Rate at which it comes back into its place, 1/s.
const RETURN: f64 = 10.0;

/// `m y'' = -c ((y - x)' + 10 (y - x))`, and its reaction on what it rides.
#[derive(Clone)]
pub struct Ridden {
    /// What it rides.
    pub base: Secret,
    /// Damping `c`; the fastest rate is a hundred times that.
    pub damping: f64,
}

impl Equations for Ridden {
    const N: usize = 2;

    fn names(&self) -> Vec<(&'static str, &'static str)> {
        vec![("mass", "m"), ("rider", "m")]
    }

    fn start(&self) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
        (vec![1.0, 1.0], vec![0.0, 0.0], vec![])
    }

    fn mass(&self, _: &[f64], _: f64, m: &mut [f64]) {
        m.copy_from_slice(&[1.0, 0.0, 0.0, MASS]);
    }

    fn force(&self, at: &At<'_>, f: &mut [f64]) {
        self.base.force(at, f);
        let pull = self.damping * (at.v[1] - at.v[0] + RETURN * (at.q[1] - at.q[0]));
        f[0] += pull;
        f[1] = -pull;
    }

    fn force_q(&self, at: &At<'_>, f_q: &mut [f64], f_v: &mut [f64], f_x: &mut [f64]) {
        self.base.force_q(at, f_q, f_v, f_x);
        for (f, c) in [(f_q, RETURN * self.damping), (f_v, self.damping)] {
            f[0] -= c;
            f[1..].copy_from_slice(&[c, c, -c]);
        }
    }
}
