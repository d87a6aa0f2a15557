//! The fastest modes of a system at a state, from a few evaluations.
//!
//! The motion is `y' = F(y)`, `y = (q, v, x)` in the coordinates of a chart where there is one, with
//! accelerations from the constraints at the acceleration level. Arnoldi's method (1951) builds an orthonormal basis of the Krylov space of the
//! Jacobian from differences of `F`; the eigenvalues of the small Hessenberg matrix approach the
//! outer ones of the Jacobian first, which are those that decide about stiffness. They come from
//! Francis' double-shift sweeps (Golub & Van Loan 2013, section 7.5). Bad at: inner eigenvalues, and modes that
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
        eigenvalues(&h, size, |mode| self.found.push(mode));
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

/// Eigenvalues of the leading part of a small upper Hessenberg matrix by double-shift sweeps, one of each conjugate pair. What has not
/// converged after many sweeps is left out.
fn eigenvalues(h: &Small<f64>, size: usize, mut found: impl FnMut(Mode)) {
    const SWEEPS: u32 = 60;
    // after so many without success an unusual shift breaks the cycle
    const PATIENCE: u32 = 10;
    let mut a = *h;
    let (mut end, mut sweeps) = (size, 0);
    while end > 0 && sweeps < SWEEPS {
        let last = end - 1;
        let first = block_start(&a, last);
        match last - first {
            0 => found(Mode {
                re: a[last][last],
                im: 0.0,
            }),
            1 => pair(&a, first, &mut found),
            _ => {
                sweeps += 1;
                sweep(&mut a, first, last, sweeps % PATIENCE == 0);
                continue;
            }
        }
        (end, sweeps) = (first, 0);
    }
}

/// First row of the unreduced block that ends at `last`.
fn block_start(a: &Small<f64>, last: usize) -> usize {
    let reduced = |&k: &usize| {
        let beside = a[k - 1][k - 1].abs() + a[k][k].abs();
        // a NaN ends the search too
        !(a[k][k - 1].abs() > f64::EPSILON * beside)
    };
    (1..=last).rev().find(reduced).unwrap_or(0)
}

/// Eigenvalues of a block of two rows.
fn pair(a: &Small<f64>, k: usize, found: &mut impl FnMut(Mode)) {
    let mean = 0.5 * (a[k][k] + a[k + 1][k + 1]);
    let half = 0.5 * (a[k][k] - a[k + 1][k + 1]);
    let square = half * half + a[k][k + 1] * a[k + 1][k];
    let root = square.abs().sqrt();
    if square < 0.0 {
        found(Mode { re: mean, im: root });
        return;
    }
    for re in [mean + root, mean - root] {
        found(Mode { re, im: 0.0 });
    }
}

/// One implicit double-shift sweep over a block of three rows or more.
fn sweep(a: &mut Small<f64>, first: usize, last: usize, unusual: bool) {
    let (sum, product) = if unusual {
        let w = a[last][last - 1].abs() + a[last - 1][last - 2].abs();
        (1.5 * w, w * w)
    } else {
        let (p, q) = (a[last - 1][last - 1], a[last][last]);
        (p + q, p * q - a[last - 1][last] * a[last][last - 1])
    };
    // first column of (A - s1)(A - s2)
    let (p, below) = (a[first][first], a[first + 1][first]);
    let mut x = [
        p * (p - sum) + product + a[first][first + 1] * below,
        below * (p + a[first + 1][first + 1] - sum),
        below * a[first + 2][first + 1],
    ];
    for k in first..last {
        let rows = (last + 1 - k).min(3);
        let norm = x.iter().map(|x| x * x).sum::<f64>().sqrt();
        if norm > 0.0 {
            let per_square = 1.0 / (norm * (norm + x[0].abs()));
            x[0] += norm.copysign(x[0]);
            let w = &x[..rows];
            for j in k.max(first + 1) - 1..=last {
                let c: f64 = (0..rows).map(|i| w[i] * a[k + i][j]).sum();
                for i in 0..rows {
                    a[k + i][j] -= per_square * c * w[i];
                }
            }
            for row in &mut a[first..=last.min(k + 3)] {
                let c: f64 = w.iter().zip(&row[k..]).map(|(w, x)| w * x).sum();
                for (x, w) in row[k..].iter_mut().zip(w) {
                    *x -= per_square * c * w;
                }
            }
        }
        if k > first {
            for row in &mut a[k + 1..k + rows] {
                row[k - 1] = 0.0;
            }
        }
        let under = |i: usize| if k + i <= last { a[k + i][k] } else { 0.0 };
        x = [under(1), under(2), under(3)];
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
        let wanted = [(3.0, 0.0), (-1.0, 2.0)];
        assert_eq!(found.len(), 2);
        for (f, w) in found.iter().zip(wanted) {
            assert!(
                (f.re - w.0).abs() < 1e-12 && (f.im - w.1).abs() < 1e-12,
                "{f:?}"
            );
        }
    }
    /// Full ones, of every size, against those that come with vectors.
    #[test]
    fn eigenvalues_of_any_matrix() {
        for size in 1..=DIMENSION {
            let mut h: Small<f64> = Default::default();
            let mut a = crate::dense::Matrix::zero(size, size);
            for i in 0..size {
                for j in i.max(1) - 1..size {
                    h[i][j] = ((7 * i + 3 * j + size) as f64 * 0.618).fract() - 0.4;
                    a[(i, j)] = h[i][j];
                }
            }
            let mut found = Vec::new();
            eigenvalues(&h, size, |mode| found.push((mode.re, mode.im)));
            let all = crate::eigen::eigenpairs(&a).unwrap();
            let upper = all.iter().map(|p| p.value).filter(|z| z.im >= 0.0);
            let mut wanted: Vec<_> = upper.map(|z| (z.re, z.im)).collect();
            for list in [&mut found, &mut wanted] {
                list.sort_by(|a, b| a.0.total_cmp(&b.0));
            }
            assert_eq!(found.len(), wanted.len(), "{size}");
            for (f, w) in found.iter().zip(&wanted) {
                let apart = (f.0 - w.0).hypot(f.1 - w.1);
                assert!(apart < 1e-10, "{size}: {f:?} {w:?}");
            }
        }
    }
}
