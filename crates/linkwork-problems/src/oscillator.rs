//! A slow forced mode coupled by inertia to a fast, lightly damped one.
//!
//! ```text
//!  [ 1    0.1 ] a + [ 0.02  0             ] v + [ 1  0       ] q = [ cos 0.7 t ]
//!  [ 0.1  1   ]     [ 0     2 zeta omega  ]     [ 0  omega^2 ]     [ 0         ]
//!
//!  q(0) = (1, 1e-3),  v(0) = 0
//! ```
//!
//! The fast mode dies out or is of no interest, yet it decides which orders of backward
//! differentiation are stable at the step of the slow one. The solution is a matrix exponential.

use crate::small::Equations;
use linkwork_dae::system::At;

const COUPLING: f64 = 0.1;
const SLOW_DAMPING: f64 = 0.02;
const DRIVE: f64 = 0.7;
const START: [f64; 2] = [1.0, 1e-3];

/// See the [module](self).
#[derive(Clone, Debug)]
pub struct Oscillator {
    /// Frequency of the fast mode, rad/s.
    pub omega: f64,
    /// Damping ratio of the fast mode.
    pub ratio: f64,
}

impl Oscillator {
    fn damping(&self) -> f64 {
        2.0 * self.ratio * self.omega
    }

    fn stiffness(&self) -> f64 {
        self.omega * self.omega
    }

    /// Positions at time `t`, by scaling and squaring of the exponential of the first-order system
    /// in `(q, v / omega, cos, sin)`; good to about `1e-16 omega t`.
    pub fn exact(&self, t: f64) -> [f64; 2] {
        const N: usize = 6;
        const TERMS: usize = 20;
        type Square = [[f64; N]; N];
        let product = |a: &Square, b: &Square| -> Square {
            std::array::from_fn(|i| {
                std::array::from_fn(|j| (0..N).map(|k| a[i][k] * b[k][j]).sum())
            })
        };
        let unit = self.omega.max(1.0);
        let mut rate = Square::default();
        rate[0][2] = unit;
        rate[1][3] = unit;
        // rows of the accelerations: M^-1 (f - D v - K q)
        let det = 1.0 - COUPLING * COUPLING;
        for (i, inverse) in [[1.0, -COUPLING], [-COUPLING, 1.0]].iter().enumerate() {
            let row = &mut rate[2 + i];
            row[0] = -inverse[0] / det / unit;
            row[1] = -inverse[1] / det * self.stiffness() / unit;
            row[2] = -inverse[0] / det * SLOW_DAMPING;
            row[3] = -inverse[1] / det * self.damping();
            row[4] = inverse[0] / det / unit;
        }
        rate[4][5] = -DRIVE;
        rate[5][4] = DRIVE;
        let largest = rate
            .as_flattened()
            .iter()
            .fold(0.0f64, |m, x| m.max(x.abs()));
        let squarings = (largest * t * N as f64).max(1.0).log2().ceil() as i32;
        let h = t / 2f64.powi(squarings);
        let one: Square = std::array::from_fn(|i| std::array::from_fn(|j| f64::from(i == j)));
        let mut power = one;
        for k in (1..=TERMS).rev() {
            // Horner: 1 + h A/k (1 + h A/(k+1) (..))
            power = product(&rate, &power);
            for (i, row) in power.iter_mut().enumerate() {
                for (j, x) in row.iter_mut().enumerate() {
                    *x = *x * h / k as f64 + f64::from(i == j);
                }
            }
        }
        for _ in 0..squarings {
            power = product(&power, &power);
        }
        let start = [START[0], START[1], 0.0, 0.0, 1.0, 0.0];
        [0, 1].map(|i| (0..N).map(|j| power[i][j] * start[j]).sum())
    }
}

impl Equations for Oscillator {
    const N: usize = 2;

    fn names(&self) -> Vec<(&'static str, &'static str)> {
        vec![("slow", "m"), ("fast", "m")]
    }

    fn start(&self) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
        (START.to_vec(), vec![0.0; 2], Vec::new())
    }

    fn mass(&self, _: &[f64], _: f64, m: &mut [f64]) {
        m.copy_from_slice(&[1.0, COUPLING, COUPLING, 1.0]);
    }

    fn force(&self, at: &At<'_>, f: &mut [f64]) {
        f[0] = (DRIVE * at.t).cos() - SLOW_DAMPING * at.v[0] - at.q[0];
        f[1] = -self.damping() * at.v[1] - self.stiffness() * at.q[1];
    }

    fn force_q(&self, _: &At<'_>, f_q: &mut [f64], f_v: &mut [f64], _: &mut [f64]) {
        f_q[0] = -1.0;
        f_q[3] = -self.stiffness();
        f_v[0] = -SLOW_DAMPING;
        f_v[3] = -self.damping();
    }
}
