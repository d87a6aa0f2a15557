//! The fastest modes of a system at a state, from a few evaluations.
//!
//! The motion is `y' = F(y)`, `y = (q, v, x)` in the coordinates of a chart where there is one, with accelerations from the constraints at the
//! acceleration level. Arnoldi's method (1951) builds an orthonormal basis of the Krylov space of the
//! Jacobian from differences of `F`; the eigenvalues of the small Hessenberg matrix approach the
//! outer ones of the Jacobian first, which are those that decide about stiffness. They come from
//! shifted QR steps (Golub & Van Loan 2013, section 7.5). Bad at: inner eigenvalues, and modes that
//! the start vector does not contain.

use crate::chart;
use crate::saddle::{Saddle, SaddleError};
use crate::state::State;
use crate::system::System;

/// An eigenvalue `re + i im`, 1/s.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mode {
    /// Rate of growth; negative when damped.
    pub re: f64,
    /// Angular frequency; 0 for an aperiodic mode.
    pub im: f64,
}

impl Mode {
    /// `|lambda|`.
    pub fn rate(&self) -> f64 {
        self.re.hypot(self.im)
    }

    /// Share of critical damping: 1 for an aperiodic decay, 0 for an undamped vibration.
    pub fn damping(&self) -> f64 {
        -self.re / self.rate().max(f64::MIN_POSITIVE)
    }
}

/// Directions of the Krylov space.
const DIMENSION: usize = 16;

/// The fastest modes at a state, fastest first, one of each conjugate pair. `speed` is a typical
/// rate of the motion in 1/s: it makes velocities comparable with positions.
pub fn fastest_modes(
    sys: &mut dyn System,
    saddle: &mut Saddle,
    s: &State,
    speed: f64,
) -> Result<Vec<Mode>, SaddleError> {
    let dims = sys.dims();
    let n = 2 * dims.nv + dims.nx;
    let mut unit = vec![1.0; n];
    sys.scale(&mut unit[..dims.nv]);
    for i in 0..dims.nv {
        unit[dims.nv + i] = unit[i] * speed.max(f64::MIN_POSITIVE);
    }
    sys.scale_x(&mut unit[2 * dims.nv..]);
    let mut work = s.clone();
    let mut rate = |y: Option<(&[f64], f64)>| -> Result<Vec<f64>, SaddleError> {
        work.copy_from(s);
        if let Some((w, e)) = y {
            for i in 0..dims.nv {
                work.q[i] += e * unit[i] * w[i];
                work.v[i] += e * unit[dims.nv + i] * w[dims.nv + i];
            }
            for (i, x) in work.x.iter_mut().enumerate() {
                *x += e * unit[2 * dims.nv + i] * w[2 * dims.nv + i];
            }
        }
        saddle.accelerate(sys, &mut work)?;
        let mut y = [&work.v[..], &work.a, &work.xdot].concat();
        chart::rate(sys, &work.q, &work.v, &mut y[..dims.nv]);
        Ok(y.iter().zip(&unit).map(|(y, u)| y / u).collect())
    };
    // one-sided differences at this distance are good to about 1e-6
    const STEP: f64 = 1e-7;
    let base = rate(None)?;
    let m = DIMENSION.min(n);
    let mut basis = vec![start_vector(n)];
    let mut h = vec![vec![0.0; m]; m + 1];
    let mut size = m;
    for k in 0..m {
        let moved = rate(Some((&basis[k], STEP)))?;
        let mut w: Vec<f64> = moved
            .iter()
            .zip(&base)
            .map(|(a, b)| (a - b) / STEP)
            .collect();
        for (j, b) in basis.iter().enumerate() {
            let c: f64 = w.iter().zip(b).map(|(w, b)| w * b).sum();
            h[j][k] = c;
            for (w, b) in w.iter_mut().zip(b) {
                *w -= c * b;
            }
        }
        let norm = w.iter().map(|w| w * w).sum::<f64>().sqrt();
        let largest = h.iter().flatten().fold(0.0f64, |m, x| m.max(x.abs()));
        if !(norm > 1e-6 * largest) || k + 1 == m {
            size = k + 1;
            break;
        }
        h[k + 1][k] = norm;
        basis.push(w.iter().map(|w| w / norm).collect());
    }
    let small: Vec<Vec<f64>> = h[..size].iter().map(|row| row[..size].to_vec()).collect();
    let mut modes: Vec<Mode> = eigenvalues(&small)
        .into_iter()
        .filter(|m| m.im >= 0.0)
        .collect();
    modes.sort_by(|a, b| b.rate().total_cmp(&a.rate()));
    Ok(modes)
}

/// A fixed unit vector without symmetry.
fn start_vector(n: usize) -> Vec<f64> {
    const GOLDEN: f64 = 0.618_033_988_749_895;
    let w: Vec<f64> = (0..n)
        .map(|i| (i as f64 * GOLDEN + 0.3).fract() - 0.5)
        .collect();
    let norm = w.iter().map(|w| w * w).sum::<f64>().sqrt();
    w.iter().map(|w| w / norm.max(f64::MIN_POSITIVE)).collect()
}

#[derive(Clone, Copy, Default)]
struct Complex(f64, f64);

impl Complex {
    fn add(self, o: Complex) -> Complex {
        Complex(self.0 + o.0, self.1 + o.1)
    }
    fn sub(self, o: Complex) -> Complex {
        Complex(self.0 - o.0, self.1 - o.1)
    }
    fn mul(self, o: Complex) -> Complex {
        Complex(self.0 * o.0 - self.1 * o.1, self.0 * o.1 + self.1 * o.0)
    }
    fn conj(self) -> Complex {
        Complex(self.0, -self.1)
    }
    fn scale(self, c: f64) -> Complex {
        Complex(c * self.0, c * self.1)
    }
    fn abs(self) -> f64 {
        self.0.hypot(self.1)
    }
    fn sqrt(self) -> Complex {
        let r = self.abs();
        let re = (0.5 * (r + self.0)).max(0.0).sqrt();
        let im = (0.5 * (r - self.0)).max(0.0).sqrt();
        Complex(re, im.copysign(self.1))
    }
}

/// Eigenvalues of a small upper Hessenberg matrix by complex QR steps with Wilkinson's shift. What
/// has not converged after many steps is left out.
fn eigenvalues(h: &[Vec<f64>]) -> Vec<Mode> {
    const STEPS: usize = 60;
    let mut a: Vec<Vec<Complex>> = h
        .iter()
        .map(|row| row.iter().map(|&x| Complex(x, 0.0)).collect())
        .collect();
    let mut found = Vec::new();
    let mut n = a.len();
    let mut steps = 0;
    while n > 0 && steps < STEPS * h.len() {
        if n == 1 {
            found.push(a[0][0]);
            break;
        }
        let below = a[n - 1][n - 2].abs();
        let beside = a[n - 1][n - 1].abs() + a[n - 2][n - 2].abs();
        if below <= f64::EPSILON * beside || !below.is_finite() {
            found.push(a[n - 1][n - 1]);
            n -= 1;
            continue;
        }
        steps += 1;
        let shift = if steps % 12 == 0 {
            // an exceptional shift breaks cycles
            Complex(beside, below)
        } else {
            wilkinson(
                a[n - 2][n - 2],
                a[n - 2][n - 1],
                a[n - 1][n - 2],
                a[n - 1][n - 1],
            )
        };
        qr_step(&mut a, n, shift);
    }
    let real = |z: &Complex| Mode {
        re: z.0,
        im: if z.1.abs() <= 1e-9 * z.abs() {
            0.0
        } else {
            z.1
        },
    };
    found.iter().map(real).collect()
}

/// The eigenvalue of a 2x2 matrix nearer to its last entry.
fn wilkinson(a: Complex, b: Complex, c: Complex, d: Complex) -> Complex {
    let half = a.sub(d).scale(0.5);
    let root = half.mul(half).add(b.mul(c)).sqrt();
    let mean = a.add(d).scale(0.5);
    let (x, y) = (mean.add(root), mean.sub(root));
    if x.sub(d).abs() < y.sub(d).abs() {
        x
    } else {
        y
    }
}

/// `A - s = Q R`, `A := R Q + s` on the leading `n` rows and columns, by Givens rotations.
fn qr_step(a: &mut [Vec<Complex>], n: usize, shift: Complex) {
    for (i, row) in a.iter_mut().enumerate().take(n) {
        row[i] = row[i].sub(shift);
    }
    let mut rotations = Vec::with_capacity(n - 1);
    for k in 0..n - 1 {
        let (x, y) = (a[k][k], a[k + 1][k]);
        let norm = x.abs().hypot(y.abs());
        let (c, s) = if norm > 0.0 {
            (x.scale(1.0 / norm), y.scale(1.0 / norm))
        } else {
            (Complex(1.0, 0.0), Complex(0.0, 0.0))
        };
        for j in k..n {
            let (p, q) = (a[k][j], a[k + 1][j]);
            a[k][j] = c.conj().mul(p).add(s.conj().mul(q));
            a[k + 1][j] = c.mul(q).sub(s.mul(p));
        }
        rotations.push((c, s));
    }
    for (k, (c, s)) in rotations.into_iter().enumerate() {
        for row in a.iter_mut().take((k + 2).min(n)) {
            let (p, q) = (row[k], row[k + 1]);
            row[k] = p.mul(c).add(q.mul(s));
            row[k + 1] = q.mul(c.conj()).sub(p.mul(s.conj()));
        }
    }
    for (i, row) in a.iter_mut().enumerate().take(n) {
        row[i] = row[i].add(shift);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eigenvalues_of_known_matrices() {
        // companion of (x - 3)(x^2 + 2x + 5): 3, -1 +- 2i
        let h = vec![
            vec![1.0, 1.0, 15.0],
            vec![1.0, 0.0, 0.0],
            vec![0.0, 1.0, 0.0],
        ];
        let mut found = eigenvalues(&h);
        found.sort_by(|a, b| a.im.total_cmp(&b.im));
        let wanted = [(-1.0, -2.0), (3.0, 0.0), (-1.0, 2.0)];
        assert_eq!(found.len(), 3);
        for (f, w) in found.iter().zip(wanted) {
            assert!(
                (f.re - w.0).abs() < 1e-12 && (f.im - w.1).abs() < 1e-12,
                "{f:?}"
            );
        }
    }
}
