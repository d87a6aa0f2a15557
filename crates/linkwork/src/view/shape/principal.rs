//! Principal axes of a symmetric matrix by Jacobi rotations.

use super::Vector;

/// Eigenvalues and right-handed eigenvectors.
pub(super) fn principal(matrix: [[f64; 3]; 3]) -> (Vector, [Vector; 3]) {
    const SWEEPS: usize = 30;
    let mut a = matrix;
    let mut v = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    for _ in 0..SWEEPS {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            if a[p][q] == 0.0 || !a[p][q].is_finite() {
                continue;
            }
            let theta = 0.5 * (a[q][q] - a[p][p]) / a[p][q];
            let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
            let c = 1.0 / (t * t + 1.0).sqrt();
            let s = t * c;
            for row in &mut a {
                (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
            }
            for k in 0..3 {
                (a[p][k], a[q][k]) = (c * a[p][k] - s * a[q][k], s * a[p][k] + c * a[q][k]);
            }
            for row in &mut v {
                (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
            }
        }
    }
    let axis = |k: usize| [v[0][k], v[1][k], v[2][k]];
    // products of rotations keep the hand of the axes
    ([a[0][0], a[1][1], a[2][2]], [axis(0), axis(1), axis(2)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_diagonalise() {
        let m = [[2.0, 0.3, -0.4], [0.3, 1.0, 0.2], [-0.4, 0.2, 3.0]];
        let (values, axes) = principal(m);
        for (value, axis) in values.iter().zip(axes) {
            for i in 0..3 {
                let image: f64 = (0..3).map(|j| m[i][j] * axis[j]).sum();
                assert!((image - value * axis[i]).abs() < 1e-12);
            }
        }
        assert!((values.iter().sum::<f64>() - 6.0).abs() < 1e-12);
    }
}
