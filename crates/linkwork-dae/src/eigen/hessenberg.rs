//! Hessenberg form by Householder reflections (Golub & Van Loan 2013, algorithm 7.4.2).

use crate::dense::{Matrix, reflector};

/// `A = Q H Q'`, `H` zero below its first subdiagonal.
pub(super) struct Form {
    pub h: Matrix,
    pub q: Matrix,
}

pub(super) fn reduce(a: &Matrix) -> Form {
    let n = a.rows();
    let mut h = a.clone();
    let mut q = Matrix::unit(n);
    for k in 0..n.saturating_sub(2) {
        let x: Vec<f64> = (k + 1..n).map(|i| h[(i, k)]).collect();
        let Some(w) = reflector(&x) else { continue };
        for j in k..n {
            let c = 2.0 * (k + 1..n).map(|i| w[i - k - 1] * h[(i, j)]).sum::<f64>();
            for i in k + 1..n {
                h[(i, j)] -= c * w[i - k - 1];
            }
        }
        for m in [&mut h, &mut q] {
            for i in 0..n {
                let c = 2.0 * (k + 1..n).map(|j| w[j - k - 1] * m[(i, j)]).sum::<f64>();
                for j in k + 1..n {
                    m[(i, j)] -= c * w[j - k - 1];
                }
            }
        }
        for i in k + 2..n {
            h[(i, k)] = 0.0;
        }
    }
    Form { h, q }
}
