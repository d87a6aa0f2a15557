//! Matrices of the size of a joint.

use super::mobility::MOST_DOF;

/// A matrix of which the leading rows and columns are used.
pub(super) type Small = [[f64; MOST_DOF]; MOST_DOF];

/// Pivots below this share of the largest entry are taken for zero: some hundred roundings.
const SINGULAR: f64 = 1e-14;

/// Inverse of the leading `n` rows and columns, rest 0, by Gauss-Jordan with row pivoting; `None`
/// where it is singular.
pub(super) fn inverted(mut a: Small, n: usize) -> Option<Small> {
    let mut out = Small::default();
    for (k, row) in out.iter_mut().enumerate().take(n) {
        row[k] = 1.0;
    }
    let size = a[..n]
        .iter()
        .flat_map(|r| &r[..n])
        .fold(0.0f64, |m, x| m.max(x.abs()));
    for k in 0..n {
        let best = (k..n).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs()))?;
        a.swap(k, best);
        out.swap(k, best);
        let pivot = a[k][k];
        if !(pivot.abs() > SINGULAR * size) || !pivot.is_finite() {
            return None;
        }
        for j in 0..n {
            a[k][j] /= pivot;
            out[k][j] /= pivot;
        }
        for i in (0..n).filter(|&i| i != k) {
            let factor = a[i][k];
            for j in 0..n {
                a[i][j] -= factor * a[k][j];
                out[i][j] -= factor * out[k][j];
            }
        }
    }
    Some(out)
}
