//! Eigenvalues and eigenvectors of a real matrix without symmetry.
//!
//! ```text
//!  balance -> split off zeros -> Hessenberg form -> real Schur form -> eigenvectors
//! ```
//!
//! Balancing makes rows and columns comparable (Parlett & Reinsch 1969). Zeros are split off before
//! anything else: a free direction of a mechanism is a Jordan block of two zeros, which rounding
//! `e` would turn into eigenvalues of the size `sqrt(e)`. What remains takes the classical way,
//! Householder reflections and double-shift QR sweeps (Francis 1961; Golub & Van Loan 2013,
//! section 7.5). Bad at: more than some hundred unknowns, since the work grows with their cube, and
//! the eigenvectors of eigenvalues that nearly coincide.

mod balance;
mod complex;
mod hermitian;
mod hessenberg;
mod kernel;
mod schur;
mod vectors;

pub use complex::Complex;
pub(crate) use hermitian::hermitian;

use crate::dense::Matrix;

/// An eigenvalue with its vector.
#[derive(Clone, Debug, PartialEq)]
pub struct Eigenpair {
    /// The eigenvalue.
    pub value: Complex,
    /// The vector, of any length.
    pub vector: Vec<Complex>,
    /// For a zero: how often the matrix must be applied until the vector vanishes. 1 for an
    /// eigenvector, 2 for one that the matrix turns into an eigenvector.
    pub depth: usize,
}

/// Why there are no eigenvalues.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EigenError {
    /// An entry is NaN or infinite.
    #[error("the matrix has entries that are not finite")]
    NotFinite,
    /// The sweeps did not come to an end.
    #[error("the eigenvalues of the matrix did not converge")]
    NotConverged,
}

/// All eigenvalues with their vectors: zeros first, then as the sweeps find them; conjugate pairs
/// are neighbours, the one with positive imaginary part first.
pub fn eigenpairs(a: &Matrix) -> Result<Vec<Eigenpair>, EigenError> {
    if !a.is_finite() {
        return Err(EigenError::NotFinite);
    }
    let (balanced, scale) = balance::balance(a);
    let split = kernel::split(&balanced);
    let mut pairs: Vec<Eigenpair> = split.zeros();
    let rest = split.rest();
    let mut form = hessenberg::reduce(rest);
    schur::triangulate(&mut form.h, &mut form.q)?;
    for (value, vector) in vectors::of_schur_form(&form.h) {
        let inner: Vec<Complex> = (0..rest.rows())
            .map(|i| {
                let mut sum = Complex::ZERO;
                for (x, q) in vector.iter().zip(form.q.row(i)) {
                    sum = sum + x.scale(*q);
                }
                sum
            })
            .collect();
        pairs.push(Eigenpair {
            value,
            vector: split.lift(value, &inner),
            depth: 1,
        });
    }
    for pair in &mut pairs {
        for (x, d) in pair.vector.iter_mut().zip(&scale) {
            *x = x.scale(*d);
        }
    }
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers in [-1, 1] without structure: a sum of products of sines has full rank.
    fn noise(i: usize, j: usize) -> f64 {
        let (x, y) = (i as f64 + 1.0, j as f64 + 1.0);
        (1e4 * (12.9898 * x + 78.233 * y).sin()).fract()
    }

    /// Largest `|A x - lambda x|` over `|A| |x|`.
    fn defect(a: &Matrix, pair: &Eigenpair) -> f64 {
        let mut worst = 0.0f64;
        let size = pair.vector.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        for i in 0..a.rows() {
            let mut sum = Complex::ZERO - pair.value * pair.vector[i];
            for (x, a) in pair.vector.iter().zip(a.row(i)) {
                sum = sum + x.scale(*a);
            }
            worst = worst.max(sum.abs());
        }
        worst / (a.size() * size)
    }

    #[test]
    fn pairs_satisfy_their_equation() {
        for n in [1, 2, 3, 4, 7, 20, 41] {
            let a = Matrix::new(n, n, noise);
            let pairs = eigenpairs(&a).unwrap();
            assert_eq!(pairs.len(), n);
            for pair in &pairs {
                // backward stable: some roundings per entry
                assert!(defect(&a, pair) < 1e-14, "n = {n}: {}", defect(&a, pair));
            }
            let trace: f64 = (0..n).map(|i| a[(i, i)]).sum();
            let sum: f64 = pairs.iter().map(|p| p.value.re).sum();
            assert!((trace - sum).abs() < 1e-12);
        }
    }

    #[test]
    fn known_values_of_a_companion_matrix() {
        // (x - 3)(x^2 + 2 x + 5)
        let c = [[1.0, 1.0, 15.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        let mut found = eigenpairs(&Matrix::new(3, 3, |i, j| c[i][j])).unwrap();
        found.sort_by(|a, b| a.value.im.total_cmp(&b.value.im));
        let wanted = [(-1.0, -2.0), (3.0, 0.0), (-1.0, 2.0)];
        for (f, w) in found.iter().zip(wanted) {
            assert!((f.value.re - w.0).abs() < 1e-13 && (f.value.im - w.1).abs() < 1e-13);
        }
    }

    #[test]
    fn free_directions_are_exact_zeros() {
        // two masses joined by a spring, free to drift: z' = w, w' = -k (z1 - z2)
        let k = 1e6;
        let a = [
            [0.0, 0.0, 1.0, 0.0],
            [0.0, 0.0, 0.0, 1.0],
            [-k, k, 0.0, 0.0],
            [k, -k, 0.0, 0.0],
        ];
        let pairs = eigenpairs(&Matrix::new(4, 4, |i, j| a[i][j])).unwrap();
        let zeros: Vec<_> = pairs.iter().filter(|p| p.value == Complex::ZERO).collect();
        assert_eq!(zeros.len(), 2);
        assert_eq!([zeros[0].depth, zeros[1].depth], [1, 2]);
        let v = &zeros[0].vector;
        assert!((v[0].re - v[1].re).abs() < 1e-12 * v[0].abs() && v[2].abs() < 1e-9);
        let rest: Vec<f64> = (pairs.iter().filter(|p| p.value != Complex::ZERO))
            .map(|p| p.value.im.abs())
            .collect();
        for w in rest {
            assert!((w / (2.0 * k).sqrt() - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn slow_modes_beside_fast_ones_are_not_zeros() {
        // rates 1e-3 and 1e6: squares 18 decades apart, not coupled
        let a = Matrix::new(4, 4, |i, j| match (i, j) {
            (0, 2) | (1, 3) => 1.0,
            (2, 0) => -1e12,
            (3, 1) => -1e-6,
            _ => 0.0,
        });
        let mut rates: Vec<f64> = eigenpairs(&a).unwrap().iter().map(|p| p.value.im).collect();
        rates.sort_by(f64::total_cmp);
        assert!((rates[2] / 1e-3 - 1.0).abs() < 1e-9 && (rates[3] / 1e6 - 1.0).abs() < 1e-12);
    }

    /// Three equal oscillators behind a change of coordinates: vectors of one eigenvalue are independent.
    #[test]
    fn equal_eigenvalues_have_vectors_of_their_own() {
        let n = 6;
        let plain = Matrix::new(n, n, |i, j| match (i, j) {
            (i, j) if j == i + 3 => 1.0,
            (i, j) if i == j + 3 => -10.73,
            _ => 0.0,
        });
        let mixing = Matrix::new(n, n, |i, j| noise(i, j) + if i == j { 2.0 } else { 0.0 });
        let a = mixing.solve(&plain.times(&mixing), 1e-12).unwrap();
        let pairs = eigenpairs(&a).unwrap();
        let upper: Vec<_> = pairs.iter().filter(|p| p.value.im > 0.0).collect();
        assert_eq!(upper.len(), 3);
        let product = |a: &Eigenpair, b: &Eigenpair| {
            let terms = a.vector.iter().zip(&b.vector);
            terms.fold(Complex::ZERO, |sum, (a, b)| sum + a.conj() * *b)
        };
        let cosine = |a: &Eigenpair, b: &Eigenpair| {
            product(a, b).abs() / (product(a, a).re * product(b, b).re).sqrt()
        };
        for (k, pair) in upper.iter().enumerate() {
            assert!(defect(&a, pair) < 1e-13);
            for other in &upper[..k] {
                assert!(cosine(pair, other) < 0.99, "{}", cosine(pair, other));
            }
        }
    }

    #[test]
    fn bad_matrices_are_refused() {
        let a = Matrix::new(2, 2, |_, _| f64::NAN);
        assert_eq!(eigenpairs(&a), Err(EigenError::NotFinite));
        assert_eq!(eigenpairs(&Matrix::zero(0, 0)), Ok(vec![]));
        assert_eq!(eigenpairs(&Matrix::zero(3, 3)).unwrap().len(), 3);
    }
}
