//! The equations that most joints are made of, with all derivatives by hand.
//!
//! ```text
//!  coincidence   p_b - p_a = 0                 one row per axis, global components
//!  dot1          w_a . w_b = c                 two body directions keep their angle
//!  dot2          w_a . (p_b - p_a) = c         a point of b keeps its place along a direction of a
//!  distance      (d . d - l^2)/(2 l) = 0       d = p_b - p_a
//!  turn          angle_b - angle_a = c         of bodies that move in the x-y plane
//!  slot          dot2 for such bodies
//! ```
//!
//! Between bodies that move in the x-y plane coincidence and distance are seen by
//! `Flat`, else by `Solid`.
//!
//! (Haug 1989, section 9.4, there with Euler parameters.) With `p = x + R s`, `w = R u` and small
//! rotations `theta` in body axes, everything follows from
//!
//! ```text
//!  d(R u) = R (theta x u)         (R u)' = R (omega x u)         d(R' f) = (R' f) x theta
//! ```
//!
//! and `a . R (theta x u) = theta . (u x R' a)`.

mod blocks;
mod coincidence;
mod flat;
mod line;
mod products;

pub(crate) use coincidence::{Places, coincidence};

use coincidence::FromRow;
use flat::{slot, turn};
use line::distance;
use products::{dot1, dot2};

use super::{COLUMNS, JointPattern, JointPoint, JointTerms, Want};
use crate::geometry::{Vector, dot};
use crate::kernel::{FLAT, Flat, Solid, Space};

/// First columns of the rotations.
const TURN_A: usize = 3;
const MOVE_B: usize = 6;
const TURN_B: usize = 9;

/// One to three equations; points from the centres of mass, everything in body axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Primitive {
    /// Two points coincide.
    Coincidence {
        /// The point on body a.
        a: Vector,
        /// The point on body b.
        b: Vector,
        /// Whether both bodies move in the x-y plane.
        flat: bool,
    },
    /// Two directions have a given scalar product.
    Dot1 {
        /// The direction on body a.
        a: Vector,
        /// The direction on body b.
        b: Vector,
        /// The product; zero keeps them perpendicular.
        value: f64,
    },
    /// A point of body b is a given length ahead of a point of body a, along a direction of a.
    Dot2 {
        /// The direction on body a.
        axis: Vector,
        /// The point on body a.
        a: Vector,
        /// The point on body b.
        b: Vector,
        /// The length.
        value: f64,
    },
    /// Two points have a given distance.
    Distance {
        /// The point on body a.
        a: Vector,
        /// The point on body b.
        b: Vector,
        /// The distance, greater than zero.
        length: f64,
        /// Whether both bodies move in the x-y plane.
        flat: bool,
    },
    /// The angles of two bodies in the x-y plane have a given difference.
    Turn {
        /// Angle of body b minus that of body a.
        offset: f64,
    },
    /// A point of body b stays on a line of body a, both in the x-y plane.
    Slot {
        /// The direction across the line, on body a.
        normal: Vector,
        /// A point of the line, on body a.
        a: Vector,
        /// The point on body b.
        b: Vector,
    },
}

impl Primitive {
    /// Number of equations.
    pub fn rows(&self) -> usize {
        match self {
            Primitive::Coincidence { flat: true, .. } => 2,
            Primitive::Coincidence { .. } => 3,
            _ => 1,
        }
    }

    /// Fills rows from `row` on; adds to `load` and `hess`.
    pub fn eval(&self, row: usize, at: &JointPoint<'_>, want: Want, out: &mut JointTerms) {
        match *self {
            Primitive::Coincidence { a, b, flat } => {
                let (points, frames) = ([&a, &b], [at.a, at.b]);
                let lambda = at.lambda.get(row..).unwrap_or(&[]);
                let mut to = FromRow { row, out };
                if flat {
                    coincidence::<Flat, _>(points, frames, lambda, want, &mut to);
                } else {
                    coincidence::<Solid, _>(points, frames, lambda, want, &mut to);
                }
            }
            Primitive::Dot1 { a, b, value } => dot1(a, b, value, row, at, want, out),
            Primitive::Dot2 { axis, a, b, value } => {
                let value = value + dot(axis, a);
                dot2(axis, b, value, row, at, want, out);
            }
            Primitive::Distance { a, b, length, flat } => {
                if flat {
                    distance::<Flat>([&a, &b], length, row, at, want, out);
                } else {
                    distance::<Solid>([&a, &b], length, row, at, want, out);
                }
            }
            Primitive::Turn { offset } => turn(offset, row, at, want, out),
            Primitive::Slot { normal, a, b } => slot([normal, a, b], row, at, want, out),
        }
    }

    /// Adds the entries that can be nonzero.
    fn pattern(&self, row: usize, out: &mut JointPattern) {
        let row = row as u8;
        let zero = |x: Vector| x == [0.0; 3];
        let groups = |columns: &[usize]| -> Vec<u8> {
            columns
                .iter()
                .flat_map(|c| *c as u8..*c as u8 + 3)
                .collect()
        };
        let square = |out: &mut Vec<(u8, u8)>, rows: &[u8], columns: &[u8]| {
            out.extend(rows.iter().flat_map(|i| columns.iter().map(|j| (*i, *j))));
        };
        match self {
            Primitive::Coincidence { flat: true, .. } => {
                for first in [0, MOVE_B as u8] {
                    let turn = first + Flat::TURN as u8;
                    for i in 0..2 {
                        out.c_q.push((row + i, first + i));
                    }
                    for list in [&mut out.c_q, &mut out.cv_q] {
                        list.extend([(row, turn), (row + 1, turn)]);
                    }
                    out.hess.push((turn, turn));
                }
            }
            Primitive::Turn { .. } => {
                let turn = Flat::TURN as u8;
                out.c_q.extend([(row, turn), (row, MOVE_B as u8 + turn)]);
            }
            Primitive::Slot { .. } => {
                for list in [&mut out.c_q, &mut out.cv_q] {
                    list.extend(FLAT.map(|j| (row, j as u8)));
                }
                let (turn_a, turn_b) = (FLAT[2] as u8, FLAT[5] as u8);
                for i in FLAT.map(|i| i as u8) {
                    out.hess.extend([(i, turn_a), (turn_a, i)]);
                }
                out.hess.push((turn_b, turn_b));
            }
            Primitive::Distance { flat: true, .. } => {
                for list in [&mut out.c_q, &mut out.cv_q] {
                    list.extend(FLAT.map(|j| (row, j as u8)));
                }
                for (i, p) in FLAT.into_iter().enumerate() {
                    for (j, q) in FLAT.into_iter().enumerate() {
                        // x and y never meet
                        if i % 3 == j % 3 || i % 3 == 2 || j % 3 == 2 {
                            out.hess.push((p as u8, q as u8));
                        }
                    }
                }
            }
            Primitive::Coincidence { a, b, .. } => {
                for i in 0..3u8 {
                    out.c_q.extend([(row + i, i), (row + i, MOVE_B as u8 + i)]);
                }
                for (turn, s) in [(TURN_A, *a), (TURN_B, *b)] {
                    if zero(s) {
                        continue;
                    }
                    let turn = groups(&[turn]);
                    square(&mut out.c_q, &[row, row + 1, row + 2], &turn);
                    square(&mut out.cv_q, &[row, row + 1, row + 2], &turn);
                    square(&mut out.hess, &turn, &turn);
                }
            }
            Primitive::Dot1 { .. } => {
                let turns = groups(&[TURN_A, TURN_B]);
                square(&mut out.c_q, &[row], &turns);
                square(&mut out.cv_q, &[row], &turns);
                square(&mut out.hess, &turns, &turns);
            }
            Primitive::Dot2 { b, .. } => {
                let turned = if zero(*b) {
                    groups(&[TURN_A])
                } else {
                    groups(&[TURN_A, TURN_B])
                };
                let moved = groups(&[0, MOVE_B]);
                for list in [&mut out.c_q, &mut out.cv_q] {
                    square(list, &[row], &turned);
                    square(list, &[row], &moved);
                }
                square(&mut out.hess, &turned, &turned);
                let turn_a = groups(&[TURN_A]);
                square(&mut out.hess, &moved, &turn_a);
                square(&mut out.hess, &turn_a, &moved);
            }
            Primitive::Distance { a, b, .. } => {
                let mut turned = Vec::new();
                for (turn, s) in [(TURN_A, *a), (TURN_B, *b)] {
                    if !zero(s) {
                        turned.extend(groups(&[turn]));
                    }
                }
                let moved = groups(&[0, MOVE_B]);
                for list in [&mut out.c_q, &mut out.cv_q] {
                    square(list, &[row], &turned);
                    square(list, &[row], &moved);
                }
                for i in 0..3u8 {
                    let pair = [i, MOVE_B as u8 + i];
                    square(&mut out.hess, &pair, &pair);
                }
                square(&mut out.hess, &moved, &turned);
                square(&mut out.hess, &turned, &moved);
                square(&mut out.hess, &turned, &turned);
            }
        }
    }
}

/// Fills the wanted terms of a joint that is a list of primitives.
#[inline]
pub fn evaluate(list: &[Primitive], at: &JointPoint<'_>, want: Want, out: &mut JointTerms) {
    let rows = list.iter().map(Primitive::rows).sum();
    if want.any(Want::LOAD) {
        out.load = [0.0; COLUMNS];
    }
    if want.any(Want::HESS) {
        out.hess = [[0.0; COLUMNS]; COLUMNS];
    }
    for (wanted, matrix) in [(Want::C_Q, &mut out.c_q), (Want::CV_Q, &mut out.cv_q)] {
        if want.any(wanted) {
            matrix[..rows].fill([0.0; COLUMNS]);
        }
    }
    let mut row = 0;
    for primitive in list {
        primitive.eval(row, at, want, out);
        row += primitive.rows();
    }
}

/// Entries of a joint that is a list of primitives.
pub fn pattern(list: &[Primitive]) -> JointPattern {
    let mut out = JointPattern::default();
    let mut row = 0;
    for primitive in list {
        primitive.pattern(row, &mut out);
        row += primitive.rows();
    }
    // a single coincidence goes straight into place, those of body a before those of body b
    let alone = matches!(list, [Primitive::Coincidence { .. }]);
    let part = |&(i, j): &(u8, u8)| {
        let turns = j % MOVE_B as u8 >= 3;
        if alone {
            (j / MOVE_B as u8, turns, i, j)
        } else {
            (0, false, i, j)
        }
    };
    for entries in [&mut out.c_q, &mut out.cv_q, &mut out.hess] {
        entries.sort_unstable_by_key(part);
        entries.dedup();
    }
    out
}
