//! The floating frame among the coordinates of a flexible body.

use crate::carrier::CarrierPoint;
use crate::geometry::{Matrix, Vector};
use linkwork_dae::rotation::{Quaternion, exp};

/// Which of x, y, z and the turns about them are coordinates: all, or x, y and an angle of a body that stays in its plane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Floating {
    pub flat: bool,
}

impl Floating {
    /// Number of its coordinates.
    pub fn count(self) -> usize {
        if self.flat { 3 } else { 6 }
    }

    /// The first of them that turns.
    pub fn turns(self) -> usize {
        if self.flat { 2 } else { 3 }
    }

    /// The coordinate of a freedom.
    pub fn at(self, freedom: usize) -> Option<usize> {
        match (self.flat, freedom) {
            (false, freedom) => Some(freedom),
            (true, 0 | 1) => Some(freedom),
            (true, 5) => Some(2),
            (true, _) => None,
        }
    }

    /// The coordinate of a turn about an axis, counted from the first turn on.
    pub fn turn(self, axis: usize) -> Option<usize> {
        self.at(3 + axis).map(|k| k - self.turns())
    }

    /// Three freedoms, zero where they are none.
    pub fn three(self, x: &[f64], first: usize) -> Vector {
        let one = |i: usize| self.at(first + i).and_then(|k| x.get(k));
        std::array::from_fn(|i| one(i).copied().unwrap_or(0.0))
    }

    /// Orientation at a point.
    pub fn orientation(self, at: &CarrierPoint<'_>) -> Quaternion {
        match self.flat {
            true => exp([0.0, 0.0, at.q[self.turns()]]),
            false => at.orientation,
        }
    }

    /// Writes three rows from the given one on, by the turns, into a matrix with so many columns.
    pub fn put(self, to: &mut [f64], columns: usize, row: usize, block: &Matrix) {
        for (i, values) in block.iter().enumerate() {
            for (j, x) in values.iter().enumerate() {
                if let Some(column) = self.at(3 + j) {
                    to[(row + i) * columns + column] = *x;
                }
            }
        }
    }

    /// Writes a block between freedoms from the given ones on into a square matrix.
    pub fn put_square(
        self,
        to: &mut [f64],
        columns: usize,
        [row, column]: [usize; 2],
        block: &Matrix,
    ) {
        for (i, values) in block.iter().enumerate() {
            for (j, x) in values.iter().enumerate() {
                if let (Some(i), Some(j)) = (self.at(row + i), self.at(column + j)) {
                    to[i * columns + j] = *x;
                }
            }
        }
    }
}
