//! Linear complementarity: `0 <= z  complementary to  G z + q >= 0`, by Lemke's method (Cottle, Pang & Stone
//! 1992, section 4.4). With `G` positive semidefinite there is a solution, also where rows depend on each other;
//! entries of `z` that are not 0 belong to independent rows.

/// What is below zero by less than this share of the largest entry of `q` is not.
const ENDED: f64 = 1e-9;
/// Entries of the scaled tableau that are no pivots.
const NO_PIVOT: f64 = 1e-12;
const TIE: f64 = 1e-14;

/// Solves for `z`.
pub(super) fn complement(q: &[f64], g: impl Fn(usize, usize) -> f64) -> Vec<f64> {
    let n = q.len();
    let mut z = vec![0.0; n];
    let scale = q.iter().fold(0.0f64, |m, q| m.max(q.abs()));
    let least = ENDED * scale;
    if n == 0 || q.iter().all(|q| *q >= -least) {
        return z;
    }
    // columns: w (n), z (n), artificial, right-hand side
    let width = 2 * n + 2;
    let mut t = vec![0.0; n * width];
    // G scaled to a unit diagonal
    let d: Vec<f64> = (0..n)
        .map(|i| {
            let g = g(i, i);
            if g > 0.0 { 1.0 / g.sqrt() } else { 1.0 }
        })
        .collect();
    for i in 0..n {
        t[width * i + i] = 1.0;
        for j in 0..n {
            t[width * i + n + j] = -d[i] * g(i, j) * d[j];
        }
        t[width * i + 2 * n] = -1.0;
        t[width * i + 2 * n + 1] = d[i] * q[i];
    }
    let mut basis: Vec<usize> = (0..n).collect();
    let mut enter = 2 * n;
    let mut leave = (0..n)
        .min_by(|a, b| t[width * a + width - 1].total_cmp(&t[width * b + width - 1]))
        .unwrap_or(0);
    for _ in 0..50 * (n + 1) {
        let pivot = t[width * leave + enter];
        for x in &mut t[width * leave..width * (leave + 1)] {
            *x /= pivot;
        }
        let row = t[width * leave..width * (leave + 1)].to_vec();
        for i in (0..n).filter(|i| *i != leave) {
            let factor = t[width * i + enter];
            if factor != 0.0 {
                for (x, r) in t[width * i..width * (i + 1)].iter_mut().zip(&row) {
                    *x -= factor * r;
                }
            }
        }
        let left = std::mem::replace(&mut basis[leave], enter);
        if left == 2 * n {
            break;
        }
        enter = if left < n { left + n } else { left - n };
        let mut best: Option<(f64, usize)> = None;
        for i in 0..n {
            let x = t[width * i + enter];
            if x <= NO_PIVOT {
                continue;
            }
            let ratio = t[width * i + width - 1] / x;
            let better = best.is_none_or(|(least, _)| {
                ratio < least - TIE || (ratio <= least + TIE && basis[i] == 2 * n)
            });
            if better {
                best = Some((ratio, i));
            }
        }
        let Some((_, next)) = best else {
            break;
        };
        leave = next;
    }
    for (i, b) in basis.iter().enumerate() {
        if (n..2 * n).contains(b) {
            let x = t[width * i + width - 1];
            z[b - n] = d[b - n] * x.max(0.0);
        }
    }
    z
}
