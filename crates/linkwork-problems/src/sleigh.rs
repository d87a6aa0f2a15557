//! Chaplygin sleigh: a body on the plane whose knife edge at A forbids lateral velocity.
//!
//! ```text
//!  q = (x_A, y_A, theta), centre of mass at distance a ahead of A
//!  g = -sin(theta) x_A' + cos(theta) y_A' = 0
//! ```
//!
//! Closed form for the forward speed `u` and the turning rate (Neimark & Fufaev 1972):
//! `u = U tanh(k (t - t0))`, `theta' = sqrt(c/a) U / cosh(k (t - t0))`, `c = m a/(I + m a^2)`,
//! `U^2 = u_0^2 + a theta'_0^2/c`, `k = c U`, `t0 = -artanh(u_0/U)/k`.

use crate::small::Equations;
use linkwork_dae::system::{At, Energy};

const MASS: f64 = 1.0;
const INERTIA: f64 = 0.2;
const AHEAD: f64 = 0.5;
const SPEED: f64 = -0.5;
const TURN: f64 = 2.0;

/// See the [module](self).
#[derive(Clone, Debug)]
pub struct Sleigh;

/// Forward speed, turning rate and heading at time `t`.
pub fn exact(t: f64) -> (f64, f64, f64) {
    let c = MASS * AHEAD / (INERTIA + MASS * AHEAD * AHEAD);
    let top = (SPEED * SPEED + AHEAD / c * TURN * TURN).sqrt();
    let k = c * top;
    let t0 = -(SPEED / top).atanh() / k;
    let root = (c / AHEAD).sqrt();
    let gudermann = |x: f64| x.sinh().atan();
    let phase = k * (t - t0);
    (
        top * phase.tanh(),
        root * top / phase.cosh(),
        root * top / k * (gudermann(phase) - gudermann(-k * t0)),
    )
}

impl Equations for Sleigh {
    const N: usize = 3;
    const G: usize = 1;

    fn names(&self) -> Vec<(&'static str, &'static str)> {
        vec![("x", "m"), ("y", "m"), ("theta", "rad")]
    }

    fn start(&self) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
        (vec![0.0; 3], vec![SPEED, 0.0, TURN], Vec::new())
    }

    fn mass(&self, q: &[f64], _: f64, m: &mut [f64]) {
        let (s, c) = q[2].sin_cos();
        let ma = MASS * AHEAD;
        let turning = INERTIA + ma * AHEAD;
        m.copy_from_slice(&[
            MASS,
            0.0,
            -ma * s,
            0.0,
            MASS,
            ma * c,
            -ma * s,
            ma * c,
            turning,
        ]);
    }

    fn mass_q(&self, q: &[f64], a: &[f64], _: f64, out: &mut [f64]) {
        let (s, c) = q[2].sin_cos();
        let ma = MASS * AHEAD;
        out[2] -= ma * c * a[2];
        out[5] -= ma * s * a[2];
        out[8] -= ma * (c * a[0] + s * a[1]);
    }

    fn force(&self, at: &At<'_>, f: &mut [f64]) {
        let (s, c) = at.q[2].sin_cos();
        let centrifugal = MASS * AHEAD * at.v[2] * at.v[2];
        f.copy_from_slice(&[centrifugal * c, centrifugal * s, 0.0]);
    }

    fn force_q(&self, at: &At<'_>, f_q: &mut [f64], f_v: &mut [f64], _: &mut [f64]) {
        let (s, c) = at.q[2].sin_cos();
        let (ma, w) = (MASS * AHEAD, at.v[2]);
        f_q[2] = -ma * w * w * s;
        f_q[5] = ma * w * w * c;
        f_v[2] = 2.0 * ma * w * c;
        f_v[5] = 2.0 * ma * w * s;
    }

    fn g(&self, q: &[f64], v: &[f64], _: f64, g: &mut [f64]) {
        let (s, c) = q[2].sin_cos();
        g[0] = -s * v[0] + c * v[1];
    }

    fn g_v(&self, q: &[f64], _: &[f64], _: f64, g_v: &mut [f64]) {
        let (s, c) = q[2].sin_cos();
        g_v.copy_from_slice(&[-s, c, 0.0]);
    }

    fn g_q(&self, q: &[f64], v: &[f64], _: f64, g_q: &mut [f64]) {
        let (s, c) = q[2].sin_cos();
        g_q.copy_from_slice(&[0.0, 0.0, -c * v[0] - s * v[1]]);
    }

    fn mu_q(&self, q: &[f64], _: &[f64], mu: &[f64], _: f64, by_q: &mut [f64], _: &mut [f64]) {
        let (s, c) = q[2].sin_cos();
        by_q[2] -= c * mu[0];
        by_q[5] -= s * mu[0];
    }

    fn energy(&self, q: &[f64], v: &[f64], _: f64) -> Option<Energy> {
        let mut m = [0.0; 9];
        self.mass(q, 0.0, &mut m);
        let twice: f64 = (0..9).map(|k| v[k / 3] * m[k] * v[k % 3]).sum();
        Some(Energy {
            kinetic: 0.5 * twice,
            ..Energy::default()
        })
    }
}
