//! Real Schur form by Francis' double-shift sweeps (Golub & Van Loan 2013, section 7.5).

use super::EigenError;
use crate::dense::{Matrix, reflector};

/// Sweeps per eigenvalue before giving up; two or three are usual.
const SWEEPS: usize = 60;
/// After this many sweeps without success an unusual shift breaks the cycle.
const PATIENCE: usize = 10;

/// Turns the Hessenberg matrix `h` into upper triangular form with 2 x 2 blocks for complex pairs,
/// and multiplies the transformations onto `q`.
pub(super) fn triangulate(h: &mut Matrix, q: &mut Matrix) -> Result<(), EigenError> {
    let n = h.rows();
    let norm = h.size();
    // the rows from `end` on are finished
    let mut end = n;
    let mut sweeps = 0;
    while end > 1 {
        let last = end - 1;
        let first = block_start(h, last, norm);
        if first == last {
            end -= 1;
            sweeps = 0;
        } else if first + 1 == last {
            split_pair(h, q, first);
            end -= 2;
            sweeps = 0;
        } else {
            if sweeps == SWEEPS {
                return Err(EigenError::NotConverged);
            }
            sweeps += 1;
            sweep(h, q, first, last, sweeps % PATIENCE == 0);
        }
    }
    Ok(())
}

/// First row of the unreduced block that ends at `last`; negligible entries become zeros.
fn block_start(h: &mut Matrix, last: usize, norm: f64) -> usize {
    for k in (1..=last).rev() {
        let beside = h[(k - 1, k - 1)].abs() + h[(k, k)].abs();
        let size = if beside > 0.0 { beside } else { norm };
        if h[(k, k - 1)].abs() <= f64::EPSILON * size {
            h[(k, k - 1)] = 0.0;
            return k;
        }
    }
    0
}

/// One implicit double-shift sweep over the block `first..=last` of at least three rows.
fn sweep(h: &mut Matrix, q: &mut Matrix, first: usize, last: usize, unusual: bool) {
    let (s, t) = if unusual {
        let w = h[(last, last - 1)].abs() + h[(last - 1, last - 2)].abs();
        (1.5 * w, w * w)
    } else {
        let (a, b) = (h[(last - 1, last - 1)], h[(last - 1, last)]);
        let (c, d) = (h[(last, last - 1)], h[(last, last)]);
        (a + d, a * d - b * c)
    };
    let (a, b) = (h[(first, first)], h[(first, first + 1)]);
    let (c, d) = (h[(first + 1, first)], h[(first + 1, first + 1)]);
    // first column of (H - s1)(H - s2)
    let mut x = vec![
        a * a + b * c - s * a + t,
        c * (a + d - s),
        c * h[(first + 2, first + 1)],
    ];
    for k in first..last {
        if let Some(w) = reflector(&x) {
            reflect(h, q, k, &w, k.max(first + 1) - 1, last);
        }
        if k > first {
            for i in k + 1..(k + 3).min(last + 1) {
                h[(i, k - 1)] = 0.0;
            }
        }
        let below = (k + 4).min(last + 1);
        x = (k + 1..below).map(|i| h[(i, k)]).collect();
    }
}

/// Applies the reflection `I - 2 w w'` in the rows from `k` on, from both sides.
fn reflect(h: &mut Matrix, q: &mut Matrix, k: usize, w: &[f64], from: usize, last: usize) {
    let n = h.rows();
    for j in from..n {
        let c = 2.0 * (0..w.len()).map(|i| w[i] * h[(k + i, j)]).sum::<f64>();
        for (i, w) in w.iter().enumerate() {
            h[(k + i, j)] -= c * w;
        }
    }
    let rows_of_h = (k + w.len() + 1).min(last + 1);
    for (m, rows) in [(h, rows_of_h), (q, n)] {
        for i in 0..rows {
            let c = 2.0 * (0..w.len()).map(|j| w[j] * m[(i, k + j)]).sum::<f64>();
            for (j, w) in w.iter().enumerate() {
                m[(i, k + j)] -= c * w;
            }
        }
    }
}

/// Makes the 2 x 2 block at `k` triangular if its eigenvalues are real.
fn split_pair(h: &mut Matrix, q: &mut Matrix, k: usize) {
    let n = h.rows();
    let (a, b, c, d) = (h[(k, k)], h[(k, k + 1)], h[(k + 1, k)], h[(k + 1, k + 1)]);
    let half = 0.5 * (a - d);
    let discriminant = half * half + b * c;
    if discriminant < 0.0 {
        return;
    }
    // (z, c) is the eigenvector of d + z; this z is a sum without cancellation
    let z = half + discriminant.sqrt().copysign(half);
    let r = z.hypot(c);
    if r == 0.0 {
        return;
    }
    let (cos, sin) = (z / r, c / r);
    for j in k..n {
        let (x, y) = (h[(k, j)], h[(k + 1, j)]);
        h[(k, j)] = cos * x + sin * y;
        h[(k + 1, j)] = cos * y - sin * x;
    }
    for (m, rows) in [(&mut *h, k + 2), (q, n)] {
        for i in 0..rows {
            let (x, y) = (m[(i, k)], m[(i, k + 1)]);
            m[(i, k)] = cos * x + sin * y;
            m[(i, k + 1)] = cos * y - sin * x;
        }
    }
    h[(k + 1, k)] = 0.0;
}
