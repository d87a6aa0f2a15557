//! Vectors and matrices of space, for any scalar. Everything that has three components is made of these.

use crate::scalar::Scalar;

/// A vector in space.
pub type Vector<S = f64> = [S; 3];
/// A 3 x 3 matrix by rows.
pub type Matrix<S = f64> = [[S; 3]; 3];

/// The matrix that changes nothing.
pub const IDENTITY: Matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// Scalar product.
#[inline]
pub fn dot<S: Scalar>(a: Vector<S>, b: Vector<S>) -> S {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Vector product.
#[inline]
pub fn cross<S: Scalar>(a: Vector<S>, b: Vector<S>) -> Vector<S> {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// Sum.
#[inline]
pub fn add<S: Scalar>(a: Vector<S>, b: Vector<S>) -> Vector<S> {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// Difference.
#[inline]
pub fn sub<S: Scalar>(a: Vector<S>, b: Vector<S>) -> Vector<S> {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// Multiple.
#[inline]
pub fn scaled<S: Scalar>(a: Vector<S>, by: S) -> Vector<S> {
    [a[0] * by, a[1] * by, a[2] * by]
}

/// Length.
#[inline]
pub fn norm<S: Scalar>(a: Vector<S>) -> S {
    dot(a, a).sqrt()
}

/// `A x`.
#[inline]
pub fn apply<S: Scalar>(m: &Matrix<S>, x: Vector<S>) -> Vector<S> {
    [dot(m[0], x), dot(m[1], x), dot(m[2], x)]
}

/// `A' x`.
#[inline]
pub fn apply_transposed<S: Scalar>(m: &Matrix<S>, x: Vector<S>) -> Vector<S> {
    std::array::from_fn(|i| m[0][i] * x[0] + m[1][i] * x[1] + m[2][i] * x[2])
}

/// `A B`.
#[inline]
pub fn product<S: Scalar>(a: &Matrix<S>, b: &Matrix<S>) -> Matrix<S> {
    std::array::from_fn(|i| {
        std::array::from_fn(|j| a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j])
    })
}

/// `A' B`.
#[inline]
pub fn transposed_product<S: Scalar>(a: &Matrix<S>, b: &Matrix<S>) -> Matrix<S> {
    std::array::from_fn(|i| {
        std::array::from_fn(|j| a[0][i] * b[0][j] + a[1][i] * b[1][j] + a[2][i] * b[2][j])
    })
}

/// `a^`, the matrix of the vector product with `a` on the left.
#[inline]
pub fn hat<S: Scalar>(a: Vector<S>) -> Matrix<S> {
    let zero = S::from(0.0);
    [
        [zero, -a[2], a[1]],
        [a[2], zero, -a[0]],
        [-a[1], a[0], zero],
    ]
}

/// `A b^`, row by row: `(A b^)' = -b^ A'`.
#[inline]
pub fn times_hat<S: Scalar>(a: &Matrix<S>, b: Vector<S>) -> Matrix<S> {
    a.map(|row| cross(row, b))
}

/// `a^ b^ = b a' - (a . b) I`.
#[inline]
pub fn two_hats(a: Vector, b: Vector) -> Matrix {
    let d = dot(a, b);
    std::array::from_fn(|i| std::array::from_fn(|j| b[i] * a[j] - if i == j { d } else { 0.0 }))
}
