//! Balancing: a diagonal similarity that makes row and column norms equal.

use crate::dense::Matrix;

/// `D^-1 A D` and `D`; entries of `D` are powers of two, so nothing is rounded.
pub(super) fn balance(a: &Matrix) -> (Matrix, Vec<f64>) {
    const SWEEPS: usize = 50;
    // a smaller gain is not worth another sweep
    const GAIN: f64 = 0.95;
    let n = a.rows();
    let mut a = a.clone();
    let mut scale = vec![1.0; n];
    for _ in 0..SWEEPS {
        let mut settled = true;
        for i in 0..n {
            let others = || (0..n).filter(|&j| j != i);
            let column: f64 = others().map(|j| a[(j, i)].abs()).sum();
            let row: f64 = others().map(|j| a[(i, j)].abs()).sum();
            if column == 0.0 || row == 0.0 {
                continue;
            }
            let exponent = (0.5 * (row / column).log2()).round();
            let f = 2f64.powi(exponent as i32);
            if !f.is_normal() || column * f + row / f >= GAIN * (column + row) {
                continue;
            }
            settled = false;
            scale[i] *= f;
            for j in 0..n {
                a[(i, j)] /= f;
            }
            for j in 0..n {
                a[(j, i)] *= f;
            }
        }
        if settled {
            break;
        }
    }
    (a, scale)
}
