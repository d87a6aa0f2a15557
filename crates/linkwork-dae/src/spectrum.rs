//! The fastest modes of a system at a state, from a few evaluations.
//!
//! The motion is `y' = F(y)`, `y = (q, v, x)` in the coordinates of a chart where there is one, with
//! accelerations from the constraints at the acceleration level. Arnoldi's method (1951) builds an orthonormal basis of the Krylov space of the
//! Jacobian from differences of `F`; the eigenvalues of the small Hessenberg matrix approach the
//! outer ones of the Jacobian first, which are those that decide about stiffness. They come from
//! shifted QR steps (Golub & Van Loan 2013, section 7.5). Bad at: inner eigenvalues, and modes that
//! the start vector does not contain.

use crate::chart;
use crate::saddle::{Saddle, SaddleError};
use crate::state::State;
use crate::system::{Dims, System};

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

/// Most modes that can be found.
pub const MAX_MODES: usize = DIMENSION;

/// What was found.
#[derive(Clone, Copy, Debug, Default)]
pub struct Modes<'a> {
    /// Fastest first, one of each conjugate pair.
    pub found: &'a [Mode],
    /// Whether there are no others.
    pub complete: bool,
}

/// Finds modes without allocating.
pub struct Spectrum {
    dims: Dims,
    /// Sizes of coordinates and first-order states; velocities come from a rate.
    scale: Vec<f64>,
    scale_x: Vec<f64>,
    work: State,
    base: Vec<f64>,
    moved: Vec<f64>,
    /// Orthonormal, one more than directions.
    basis: Vec<Vec<f64>>,
    found: Vec<Mode>,
}

type Small<T> = [[T; DIMENSION]; DIMENSION];

impl Spectrum {
    /// Room for a system.
    pub fn new(sys: &dyn System) -> Spectrum {
        let dims = sys.dims();
        let n = 2 * dims.nv + dims.nx;
        let scale = sys.facts().scale.clone();
        let scale_x = sys.facts().scale_x.clone();
        Spectrum {
            dims,
            scale,
            scale_x,
            work: State::new(dims),
            base: vec![0.0; n],
            moved: vec![0.0; n],
            basis: vec![vec![0.0; n]; DIMENSION.min(n) + 1],
            found: Vec::with_capacity(DIMENSION),
        }
    }

    /// The fastest modes at a state. `speed` is a typical rate of the motion in 1/s: it makes
    /// velocities comparable with positions.
    pub fn modes(
        &mut self,
        sys: &mut dyn System,
        saddle: &mut Saddle,
        s: &State,
        speed: f64,
    ) -> Result<Modes<'_>, SaddleError> {
        // one-sided differences at this distance are good to about 1e-6
        const STEP: f64 = 1e-7;
        let speed = speed.max(f64::MIN_POSITIVE);
        let n = self.base.len();
        let m = DIMENSION.min(n);
        self.rates(sys, saddle, s, speed, None)?;
        std::mem::swap(&mut self.base, &mut self.moved);
        start_vector(&mut self.basis[0]);
        let mut h: Small<f64> = Default::default();
        let mut size = m;
        let mut complete = m == n;
        for k in 0..m {
            self.rates(sys, saddle, s, speed, Some((k, STEP)))?;
            let (basis, next) = self.basis.split_at_mut(k + 1);
            let w = &mut next[0];
            for ((w, a), b) in w.iter_mut().zip(&self.moved).zip(&self.base) {
                *w = (a - b) / STEP;
            }
            for (j, b) in basis.iter().enumerate() {
                let c: f64 = w.iter().zip(b).map(|(w, b)| w * b).sum();
                h[j][k] = c;
                for (w, b) in w.iter_mut().zip(b) {
                    *w -= c * b;
                }
            }
            let norm = w.iter().map(|w| w * w).sum::<f64>().sqrt();
            let largest = h.iter().flatten().fold(0.0f64, |m, x| m.max(x.abs()));
            if !(norm > 1e-6 * largest) {
                // a subspace that the motion does not leave: all that it takes part in is known
                complete = true;
                size = k + 1;
                break;
            }
            if k + 1 < m {
                h[k + 1][k] = norm;
                for w in w.iter_mut() {
                    *w /= norm;
                }
            }
        }
        self.found.clear();
        eigenvalues(&h, size, |mode| {
            if mode.im >= 0.0 {
                self.found.push(mode);
            }
        });
        self.found
            .sort_unstable_by(|a, b| b.rate().total_cmp(&a.rate()));
        let found = &self.found[..];
        Ok(Modes { found, complete })
    }

    /// Scaled rates at the state, moved along a vector of the basis, into `moved`.
    fn rates(
        &mut self,
        sys: &mut dyn System,
        saddle: &mut Saddle,
        s: &State,
        speed: f64,
        along: Option<(usize, f64)>,
    ) -> Result<(), SaddleError> {
        let Dims { nv, .. } = self.dims;
        let work = &mut self.work;
        work.copy_from(s);
        if let Some((k, e)) = along {
            let (q, rest) = self.basis[k].split_at(nv);
            let (v, x) = rest.split_at(nv);
            for (i, scale) in self.scale.iter().enumerate() {
                work.q[i] += e * scale * q[i];
                work.v[i] += e * (scale * speed) * v[i];
            }
            for (i, scale) in self.scale_x.iter().enumerate() {
                work.x[i] += e * scale * x[i];
            }
        }
        saddle.accelerate(sys, work)?;
        let (q, rest) = self.moved.split_at_mut(nv);
        let (v, x) = rest.split_at_mut(nv);
        chart::rate(sys, &work.q, &work.v, q);
        for (i, scale) in self.scale.iter().enumerate() {
            q[i] /= scale;
            v[i] = work.a[i] / (scale * speed);
        }
        for (i, scale) in self.scale_x.iter().enumerate() {
            x[i] = work.xdot[i] / scale;
        }
        Ok(())
    }
}

/// The fastest modes at a state, fastest first, one of each conjugate pair: [`Spectrum::modes`] for
/// once.
pub fn fastest_modes(
    sys: &mut dyn System,
    saddle: &mut Saddle,
    s: &State,
    speed: f64,
) -> Result<Vec<Mode>, SaddleError> {
    let mut spectrum = Spectrum::new(sys);
    let modes = spectrum.modes(sys, saddle, s, speed)?;
    Ok(modes.found.to_vec())
}

/// A fixed unit vector without symmetry.
fn start_vector(w: &mut [f64]) {
    const GOLDEN: f64 = 0.618_033_988_749_895;
    for (i, w) in w.iter_mut().enumerate() {
        *w = (i as f64 * GOLDEN + 0.3).fract() - 0.5;
    }
    let norm = w.iter().map(|w| w * w).sum::<f64>().sqrt();
    for w in w {
        *w /= norm.max(f64::MIN_POSITIVE);
    }
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

/// Eigenvalues of the leading part of a small upper Hessenberg matrix by complex QR steps with
/// Wilkinson's shift. What has not converged after many steps is left out.
fn eigenvalues(h: &Small<f64>, size: usize, mut found: impl FnMut(Mode)) {
    const STEPS: usize = 60;
    let mut a: Small<Complex> = h.map(|row| row.map(|x| Complex(x, 0.0)));
    let mut found = |z: Complex| {
        let real = z.1.abs() <= 1e-9 * z.abs();
        found(Mode {
            re: z.0,
            im: if real { 0.0 } else { z.1 },
        });
    };
    let mut n = size;
    let mut steps = 0;
    while n > 0 && steps < STEPS * size {
        if n == 1 {
            found(a[0][0]);
            break;
        }
        let below = a[n - 1][n - 2].abs();
        let beside = a[n - 1][n - 1].abs() + a[n - 2][n - 2].abs();
        if below <= f64::EPSILON * beside || !below.is_finite() {
            found(a[n - 1][n - 1]);
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
fn qr_step(a: &mut Small<Complex>, n: usize, shift: Complex) {
    for (i, row) in a.iter_mut().enumerate().take(n) {
        row[i] = row[i].sub(shift);
    }
    let mut rotations = [(Complex::default(), Complex::default()); DIMENSION];
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
        rotations[k] = (c, s);
    }
    for (k, (c, s)) in rotations.into_iter().take(n - 1).enumerate() {
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
        let rows = [[1.0, 1.0, 15.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        let mut h: Small<f64> = Default::default();
        for (h, row) in h.iter_mut().zip(rows) {
            h[..3].copy_from_slice(&row);
        }
        let mut found = Vec::new();
        eigenvalues(&h, 3, |mode| found.push(mode));
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
