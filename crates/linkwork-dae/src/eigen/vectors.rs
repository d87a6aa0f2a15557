//! Eigenvalues and eigenvectors of a real Schur form, by back substitution.

use super::Complex;
use crate::dense::Matrix;

/// Every eigenvalue of the quasi-triangular `t` with its vector.
pub(super) fn of_schur_form(t: &Matrix) -> Vec<(Complex, Vec<Complex>)> {
    let n = t.rows();
    let mut pairs = Vec::with_capacity(n);
    let mut k = 0;
    while k < n {
        let paired = k + 1 < n && t[(k + 1, k)] != 0.0;
        if !paired {
            let value = Complex::new(t[(k, k)], 0.0);
            let mut x = vec![Complex::ZERO; n];
            x[k] = Complex::ONE;
            substitute(t, value, &mut x, k);
            pairs.push((value, x));
            k += 1;
            continue;
        }
        let (a, b, c, d) = (t[(k, k)], t[(k, k + 1)], t[(k + 1, k)], t[(k + 1, k + 1)]);
        let half = 0.5 * (a - d);
        let value = Complex::new(0.5 * (a + d), (-(half * half + b * c)).max(0.0).sqrt());
        let mut x = vec![Complex::ZERO; n];
        // the second row of the block: c x_k + (d - lambda) x_(k+1) = 0
        x[k] = (value - Complex::new(d, 0.0)).scale(1.0 / c);
        x[k + 1] = Complex::ONE;
        substitute(t, value, &mut x, k);
        let conjugate = x.iter().map(|x| x.conj()).collect();
        pairs.push((value, x));
        pairs.push((value.conj(), conjugate));
        k += 2;
    }
    pairs
}

/// Eigenvalues that differ by less, relative to their size, are equal.
const EQUAL: f64 = 1e-9;
/// Residuals below this share of the eigenvalue are rounding.
const ROUNDED: f64 = 1e-11;

/// Solves `(T - lambda) x = 0` for the entries above `k`, those from `k` on given.
///
/// Where another eigenvalue is the same, a block of the diagonal is singular. If its equations have
/// solutions all the same, the shortest is taken: a quotient of roundings would lead to the vector of the
/// other eigenvalue, again and again.
fn substitute(t: &Matrix, value: Complex, x: &mut [Complex], k: usize) {
    /// Vectors of nearly defective eigenvalues grow without bound; they are shortened on the way.
    const LARGE: f64 = 1e100;
    let least = f64::EPSILON * t.size().max(f64::MIN_POSITIVE);
    let mut i = k;
    while i > 0 {
        i -= 1;
        let sum = |row: usize, x: &[Complex]| {
            let mut sum = Complex::ZERO;
            for j in i + 1..x.len() {
                sum = sum + x[j].scale(t[(row, j)]);
            }
            sum
        };
        let pivot = |j: usize| Complex::new(t[(j, j)], 0.0) - value;
        let largest = x.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        let is_rounding = |r: Complex| r.abs() <= ROUNDED * value.abs() * largest;
        if i > 0 && t[(i, i - 1)] != 0.0 {
            let (r0, r1) = (sum(i - 1, x), sum(i, x));
            let (b, c) = (t[(i - 1, i)], t[(i, i - 1)]);
            let (p, q) = (pivot(i - 1), pivot(i));
            let determinant = p * q - Complex::new(b * c, 0.0);
            let same = determinant.abs() <= EQUAL * value.abs().powi(2);
            let rows = [[p, Complex::new(b, 0.0), r0], [Complex::new(c, 0.0), q, r1]];
            let shortest = same.then(|| shortest(rows)).flatten();
            (x[i - 1], x[i]) = match shortest {
                Some((y, residual)) if is_rounding(residual) => y,
                _ => {
                    let determinant = apart(determinant, least * least);
                    (
                        (r1.scale(b) - r0 * q) / determinant,
                        (r0.scale(c) - r1 * p) / determinant,
                    )
                }
            };
            i -= 1;
        } else if !(pivot(i).abs() <= EQUAL * value.abs() && is_rounding(sum(i, x))) {
            x[i] = (Complex::ZERO - sum(i, x)) / apart(pivot(i), least);
        }
        let size = x.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        if size > LARGE {
            for x in x.iter_mut() {
                *x = x.scale(1.0 / size);
            }
        }
    }
}

/// The shortest solution of the larger of two proportional equations `g y + r = 0`, and the residual of
/// the other.
fn shortest(rows: [[Complex; 3]; 2]) -> Option<((Complex, Complex), Complex)> {
    let size = |[g, h, _]: &[Complex; 3]| g.abs().powi(2) + h.abs().powi(2);
    let [larger, other] = if size(&rows[0]) >= size(&rows[1]) {
        rows
    } else {
        [rows[1], rows[0]]
    };
    let [g, h, r] = larger;
    let squares = size(&larger);
    if squares.is_nan() || squares <= 0.0 {
        return None;
    }
    let by = r.scale(-1.0 / squares);
    let y = (by * g.conj(), by * h.conj());
    Some((y, other[0] * y.0 + other[1] * y.1 + other[2]))
}

/// The number, kept away from zero.
fn apart(z: Complex, least: f64) -> Complex {
    if z.abs() < least {
        Complex::new(least, 0.0)
    } else {
        z
    }
}
