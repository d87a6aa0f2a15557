//! Eigenvalues and unitary eigenvectors of a small Hermitian matrix by Jacobi's rotations.
//!
//! Slower than reduction to a tridiagonal matrix, but as accurate as it gets, real where the matrix is,
//! and short (Golub & Van Loan 2013, section 8.5).

use super::Complex;

/// Sweeps after which nothing changes any more: convergence is quadratic.
const SWEEPS: usize = 40;

/// Eigenvalues, largest first, and for each the coordinates of its vector. The matrix is given by rows;
/// its lower triangle is not read.
pub(crate) fn hermitian(matrix: &[Vec<Complex>]) -> Vec<(f64, Vec<Complex>)> {
    let n = matrix.len();
    let mut h: Vec<Vec<Complex>> = (0..n)
        .map(|i| {
            let upper = |j: usize| match i.cmp(&j) {
                std::cmp::Ordering::Less => matrix[i][j],
                std::cmp::Ordering::Equal => Complex::new(matrix[i][i].re, 0.0),
                std::cmp::Ordering::Greater => matrix[j][i].conj(),
            };
            (0..n).map(upper).collect()
        })
        .collect();
    let mut u: Vec<Vec<Complex>> = (0..n)
        .map(|i| {
            (0..n)
                .map(|j| if i == j { Complex::ONE } else { Complex::ZERO })
                .collect()
        })
        .collect();
    let size = (h.iter().flatten()).fold(0.0f64, |m, x| m.max(x.abs()));
    for _ in 0..SWEEPS {
        let mut largest = 0.0f64;
        for p in 0..n {
            for q in p + 1..n {
                let beside = h[p][q].abs();
                largest = largest.max(beside);
                if beside > f64::EPSILON * f64::EPSILON * size {
                    rotate(&mut h, &mut u, p, q);
                }
            }
        }
        if largest <= f64::EPSILON * size {
            break;
        }
    }
    let mut pairs: Vec<(f64, Vec<Complex>)> = (0..n)
        .map(|j| (h[j][j].re, u.iter().map(|row| row[j]).collect()))
        .collect();
    pairs.sort_by(|a, b| b.0.total_cmp(&a.0));
    pairs
}

/// Turns the plane of two vectors until they are conjugate.
fn rotate(h: &mut [Vec<Complex>], u: &mut [Vec<Complex>], p: usize, q: usize) {
    let beside = h[p][q];
    let phase = beside.scale(1.0 / beside.abs());
    let theta = (h[q][q].re - h[p][p].re) / (2.0 * beside.abs());
    let t = theta.signum() / (theta.abs() + theta.hypot(1.0));
    let c = 1.0 / t.hypot(1.0);
    let s = t * c;
    let turned = |x: Complex, y: Complex| {
        (
            x.scale(c) - (phase.conj() * y).scale(s),
            (phase * x).scale(s) + y.scale(c),
        )
    };
    for row in h.iter_mut().chain(u.iter_mut()) {
        (row[p], row[q]) = turned(row[p], row[q]);
    }
    for j in 0..h.len() {
        let (x, y) = turned(h[p][j].conj(), h[q][j].conj());
        (h[p][j], h[q][j]) = (x.conj(), y.conj());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_are_unitary_and_diagonalise() {
        for n in [0, 1, 2, 3, 6, 9] {
            let entry = |i: usize, j: usize| {
                let (x, y) = (i as f64, j as f64);
                Complex::new((x * y + x + y).sin(), (x - y) * (x + y).cos())
            };
            let matrix: Vec<Vec<Complex>> = (0..n)
                .map(|i| (0..n).map(|j| entry(i, j)).collect())
                .collect();
            let pairs = hermitian(&matrix);
            assert_eq!(pairs.len(), n);
            for (a, (value, x)) in pairs.iter().enumerate() {
                for i in 0..n {
                    let mut sum = Complex::ZERO - x[i].scale(*value);
                    for j in 0..n {
                        sum = sum + matrix[i][j] * x[j];
                    }
                    // some roundings per entry
                    assert!(sum.abs() < 1e-13, "n = {n}: {}", sum.abs());
                }
                for (b, (_, y)) in pairs.iter().enumerate() {
                    let mut sum = Complex::ZERO;
                    for (x, y) in x.iter().zip(y) {
                        sum = sum + x.conj() * *y;
                    }
                    let wanted = f64::from(u8::from(a == b));
                    assert!((sum - Complex::new(wanted, 0.0)).abs() < 1e-14);
                }
            }
        }
    }
}
