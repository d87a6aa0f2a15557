//! The fastest modes of a system at a state, from a few evaluations.
//!
//! The motion is `y' = F(y)`, `y = (q, v, x)` in the coordinates of a chart where there is one, with
//! accelerations from the constraints at the acceleration level. Arnoldi's method (1951) builds an orthonormal basis of the Krylov space of the
//! Jacobian from differences of `F`; the eigenvalues of the small Hessenberg matrix approach the
//! outer ones of the Jacobian first, which are those that decide about stiffness. Bad at: inner eigenvalues, and modes that
//! the start vector does not contain.

use crate::chart;
use crate::dense::Matrix;
use crate::eigen::eigenpairs;
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
}

/// Directions of the Krylov space.
const DIMENSION: usize = 16;
/// One-sided differences at this distance, in sizes of coordinates, are good to about 1e-6.
const STEP: f64 = 1e-7;
/// A direction shorter than this share of the largest entry is rounding: the motion does not leave the
/// space that is known.
const CLOSED: f64 = 1e-6;

/// The fastest modes at a state, fastest first, one of each conjugate pair. `speed` is a typical rate of the
/// motion in 1/s: it makes velocities comparable with positions.
pub fn fastest_modes(
    sys: &mut dyn System,
    saddle: &mut Saddle,
    s: &State,
    speed: f64,
) -> Result<Vec<Mode>, SaddleError> {
    let speed = speed.max(f64::MIN_POSITIVE);
    let Dims { nv, nx, .. } = sys.dims();
    let n = 2 * nv + nx;
    let mut work = State::new(sys.dims());
    let mut size = DIMENSION.min(n);
    let base = rates(sys, saddle, s, speed, &mut work, &vec![0.0; n])?;
    let mut basis = vec![start_vector(n)];
    let mut largest = 0.0f64;
    let mut h = Matrix::zero(size, size);
    for k in 0..size {
        let moved = rates(sys, saddle, s, speed, &mut work, &basis[k])?;
        let mut w: Vec<f64> = moved
            .iter()
            .zip(&base)
            .map(|(a, b)| (a - b) / STEP)
            .collect();
        for (j, b) in basis.iter().enumerate() {
            let c: f64 = w.iter().zip(b).map(|(w, b)| w * b).sum();
            h[(j, k)] = c;
            largest = largest.max(c.abs());
            for (w, b) in w.iter_mut().zip(b) {
                *w -= c * b;
            }
        }
        let norm = w.iter().map(|w| w * w).sum::<f64>().sqrt();
        if !(norm > CLOSED * largest) {
            size = k + 1;
            break;
        }
        if k + 1 < size {
            h[(k + 1, k)] = norm;
            basis.push(w.iter().map(|w| w / norm).collect());
        }
    }
    let known = Matrix::new(size, size, |i, j| h[(i, j)]);
    // without eigenvalues nothing is known
    let pairs = eigenpairs(&known).unwrap_or_default();
    let upper = pairs.iter().map(|p| p.value).filter(|z| z.im >= 0.0);
    let mut found: Vec<Mode> = upper.map(|z| Mode { re: z.re, im: z.im }).collect();
    found.sort_by(|a, b| b.rate().total_cmp(&a.rate()));
    Ok(found)
}

/// Scaled rates at the state, moved by `STEP` along a vector.
fn rates(
    sys: &mut dyn System,
    saddle: &mut Saddle,
    s: &State,
    speed: f64,
    work: &mut State,
    along: &[f64],
) -> Result<Vec<f64>, SaddleError> {
    let Dims { nv, .. } = sys.dims();
    let scale = sys.facts().scale.clone();
    let scale_x = sys.facts().scale_x.clone();
    work.copy_from(s);
    let (q, rest) = along.split_at(nv);
    let (v, x) = rest.split_at(nv);
    for (i, scale) in scale.iter().enumerate() {
        work.q[i] += STEP * scale * q[i];
        work.v[i] += STEP * (scale * speed) * v[i];
    }
    for (i, scale) in scale_x.iter().enumerate() {
        work.x[i] += STEP * scale * x[i];
    }
    saddle.accelerate(sys, work)?;
    let mut out = vec![0.0; along.len()];
    let (q, rest) = out.split_at_mut(nv);
    let (v, x) = rest.split_at_mut(nv);
    chart::rate(sys, &work.q, &work.v, q);
    for (i, scale) in scale.iter().enumerate() {
        q[i] /= scale;
        v[i] = work.a[i] / (scale * speed);
    }
    for (i, scale) in scale_x.iter().enumerate() {
        x[i] = work.xdot[i] / scale;
    }
    Ok(out)
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
