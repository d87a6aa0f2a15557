//! Blocks of three columns in the table of a joint.

use super::super::COLUMNS;
use crate::geometry::{Frame, Matrix, Vector, apply, cross};

/// `factor * block` onto a part of a matrix.
#[inline(always)]
pub(super) fn put(
    m: &mut [[f64; COLUMNS]],
    row: usize,
    column: usize,
    block: &Matrix,
    factor: f64,
) {
    for (m, b) in m[row..row + 3].iter_mut().zip(block) {
        for (m, b) in m[column..column + 3].iter_mut().zip(b) {
            *m += factor * b;
        }
    }
}

#[inline(always)]
pub(super) fn put_transposed(
    m: &mut [[f64; COLUMNS]],
    row: usize,
    column: usize,
    block: &Matrix,
    factor: f64,
) {
    for (i, m) in m[row..row + 3].iter_mut().enumerate() {
        for (j, m) in m[column..column + 3].iter_mut().enumerate() {
            *m += factor * block[j][i];
        }
    }
}

/// `factor * x` onto a part of a row.
#[inline(always)]
pub(super) fn put_row(row: &mut [f64; COLUMNS], column: usize, x: Vector, factor: f64) {
    for (r, x) in row[column..column + 3].iter_mut().zip(x) {
        *r += factor * x;
    }
}

/// `R (omega x u)` and `R (omega x (omega x u))`.
#[inline(always)]
pub(super) fn rates(frame: &Frame, u: Vector) -> [Vector; 2] {
    let first = cross(frame.omega, u);
    [first, cross(frame.omega, first)].map(|x| apply(&frame.pose.rotation, x))
}
