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
//! [`Flat`], else by [`Solid`].
//!
//! (Haug 1989, section 9.4, there with Euler parameters.) With `p = x + R s`, `w = R u` and small
//! rotations `theta` in body axes, everything follows from
//!
//! ```text
//!  d(R u) = R (theta x u)         (R u)' = R (omega x u)         d(R' f) = (R' f) x theta
//! ```
//!
//! and `a . R (theta x u) = theta . (u x R' a)`.

use super::{COLUMNS, JointPattern, JointPoint, JointTerms, Want};
use crate::geometry::{
    Frame, Matrix, Vector, add, apply, apply_transposed, cross, dot, sub, times_hat,
    transposed_product, two_hats,
};
use crate::kernel::{Ends, Flat, Solid, Space};

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

/// `factor * block` onto a part of a matrix.
#[inline(always)]
fn put(m: &mut [[f64; COLUMNS]], row: usize, column: usize, block: &Matrix, factor: f64) {
    for (m, b) in m[row..row + 3].iter_mut().zip(block) {
        for (m, b) in m[column..column + 3].iter_mut().zip(b) {
            *m += factor * b;
        }
    }
}

#[inline(always)]
fn put_transposed(
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
fn put_row(row: &mut [f64; COLUMNS], column: usize, x: Vector, factor: f64) {
    for (r, x) in row[column..column + 3].iter_mut().zip(x) {
        *r += factor * x;
    }
}

/// `R (omega x u)` and `R (omega x (omega x u))`.
#[inline(always)]
fn rates(frame: &Frame, u: Vector) -> [Vector; 2] {
    let first = cross(frame.omega, u);
    [first, cross(frame.omega, first)].map(|x| apply(&frame.pose.rotation, x))
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
                let mut to = Table { row, out };
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

/// Where the numbers of a coincidence go.
pub(crate) trait Places<X: Space> {
    /// `C`, its rate or `gamma`.
    fn rows(&mut self, what: Want, values: X::V);
    /// Entries of `C_q` on both bodies.
    fn c_q(&mut self, on: [X::E; 2]);
    /// Entries of `(C_q v)_q` by the turns of both bodies.
    fn cv_q(&mut self, on: [X::VT; 2]);
    /// `C_q' lambda`: the force on body b, opposite on body a, and its moments, that on a to be
    /// subtracted.
    fn load(&mut self, l: X::V, moments: [X::T; 2]);
    /// Entries of `(C_q' lambda)_q` by the turns: to be subtracted for body a, added for body b.
    fn hess(&mut self, on: [X::TT; 2]);
}

/// With `J = d(p_b - p_a)`, which is `-1` and `1` for the axes and `d(arm)` for the turns:
///
/// ```text
///  (C_q v)_theta = -+ d(arm)'       gamma = -+ arm'' of turning
///  load_theta = -+ moment           hess_theta,theta = -+ d(moment)
/// ```
#[inline(always)]
pub(crate) fn coincidence<X: Space, P: Places<X>>(
    points: [&Vector; 2],
    frames: [&Frame; 2],
    lambda: &[f64],
    want: Want,
    to: &mut P,
) {
    let ends = Ends::<X>::new(frames, points);
    if want.any(Want::C) {
        to.rows(Want::C, ends.apart());
    }
    if want.any(Want::CV) {
        to.rows(Want::CV, ends.velocity());
    }
    if want.any(Want::GAMMA) {
        let [a, b] = ends.both(X::second);
        to.rows(Want::GAMMA, X::minus(a, b));
    }
    if want.any(Want::C_Q) {
        let [a, b] = ends.both(X::by_turn);
        to.c_q([X::entries(-1.0, a), X::entries(1.0, b)]);
    }
    if want.any(Want::CV_Q) {
        let [a, b] = ends.both(X::rate_by_turn);
        to.cv_q([X::opposite(a), b]);
    }
    if want.any(Want::LOAD | Want::HESS) {
        let l = X::vector(lambda);
        if want.any(Want::HESS) {
            to.hess(ends.both(|f, s, arm| X::moment_by_turn(f, s, arm, l)));
        }
        if want.any(Want::LOAD) {
            to.load(l, ends.both(|f, s, arm| X::moment(f, s, arm, l)));
        }
    }
}

/// The table of a joint, from a row on.
struct Table<'a> {
    row: usize,
    out: &'a mut JointTerms,
}

impl<X: Space> Places<X> for Table<'_> {
    fn rows(&mut self, what: Want, values: X::V) {
        let to = match what {
            Want::C => &mut self.out.c,
            Want::CV => &mut self.out.cv,
            _ => &mut self.out.gamma,
        };
        to[self.row..self.row + X::AXES].copy_from_slice(values.as_ref());
    }
    fn c_q(&mut self, on: [X::E; 2]) {
        for (first, e) in [0, MOVE_B].into_iter().zip(on) {
            let e = e.as_ref();
            for i in 0..X::AXES {
                let row = &mut self.out.c_q[self.row + i];
                row[first + i] = e[i];
                let turns = &e[X::AXES + i * X::TURNS..][..X::TURNS];
                row[first + X::TURN..][..X::TURNS].copy_from_slice(turns);
            }
        }
    }
    fn cv_q(&mut self, on: [X::VT; 2]) {
        for (first, t) in [0, MOVE_B].into_iter().zip(on) {
            for (i, t) in t.as_ref().chunks_exact(X::TURNS).enumerate() {
                let row = &mut self.out.cv_q[self.row + i];
                row[first + X::TURN..][..X::TURNS].copy_from_slice(t);
            }
        }
    }
    fn load(&mut self, l: X::V, moments: [X::T; 2]) {
        for (side, (factor, moment)) in [-1.0, 1.0].into_iter().zip(moments).enumerate() {
            let half: &mut [f64; 6] = match self.out.load.as_chunks_mut::<6>() {
                ([a, _], _) if side == 0 => a,
                ([_, b], _) => b,
                _ => return,
            };
            X::load(half, l, moment, factor);
        }
    }
    fn hess(&mut self, on: [X::TT; 2]) {
        for (side, (factor, m)) in [-1.0, 1.0].into_iter().zip(on).enumerate() {
            let first = side * MOVE_B + X::TURN;
            for (i, m) in m.as_ref().chunks_exact(X::TURNS).enumerate() {
                for (j, m) in m.iter().enumerate() {
                    self.out.hess[first + i][first + j] += factor * m;
                }
            }
        }
    }
}

/// With `y_a = R_a' w_b` and `y_b = R_b' w_a`:
///
/// ```text
///  C_theta_a = u_a x y_a      hess_aa = u_a^ y_a^      hess_ab = -u_a^ R_a' R_b u_b^
/// ```
fn dot1(
    ua: Vector,
    ub: Vector,
    value: f64,
    row: usize,
    at: &JointPoint<'_>,
    want: Want,
    out: &mut JointTerms,
) {
    let (a, b) = (at.a, at.b);
    let (ra, rb) = (&a.pose.rotation, &b.pose.rotation);
    let (wa, wb) = (apply(ra, ua), apply(rb, ub));
    let (ya, yb) = (apply_transposed(ra, wb), apply_transposed(rb, wa));
    let (ga, gb) = (cross(ua, ya), cross(ub, yb));
    if want.any(Want::C) {
        out.c[row] = dot(wa, wb) - value;
    }
    if want.any(Want::C_Q) {
        put_row(&mut out.c_q[row], TURN_A, ga, 1.0);
        put_row(&mut out.c_q[row], TURN_B, gb, 1.0);
    }
    if want.any(Want::CV) {
        out.cv[row] = dot(ga, a.omega) + dot(gb, b.omega);
    }
    if want.any(Want::GAMMA) {
        let ([va, aa], [vb, ab]) = (rates(a, ua), rates(b, ub));
        out.gamma[row] = -(dot(wb, aa) + 2.0 * dot(va, vb) + dot(wa, ab));
    }
    if want.any(Want::CV_Q) {
        let (da, db) = (cross(a.omega, ua), cross(b.omega, ub));
        let (va, vb) = (apply(ra, da), apply(rb, db));
        let on_a = add(cross(da, ya), cross(ua, apply_transposed(ra, vb)));
        let on_b = add(cross(db, yb), cross(ub, apply_transposed(rb, va)));
        put_row(&mut out.cv_q[row], TURN_A, on_a, 1.0);
        put_row(&mut out.cv_q[row], TURN_B, on_b, 1.0);
    }
    if want.any(Want::LOAD | Want::HESS) {
        let l = at.lambda[row];
        if want.any(Want::LOAD) {
            put_row(&mut out.load, TURN_A, ga, l);
            put_row(&mut out.load, TURN_B, gb, l);
        }
        if want.any(Want::HESS) {
            put(&mut out.hess, TURN_A, TURN_A, &two_hats(ua, ya), l);
            put(&mut out.hess, TURN_B, TURN_B, &two_hats(ub, yb), l);
            let mixed = hat_between(ua, ra, rb, ub);
            put(&mut out.hess, TURN_A, TURN_B, &mixed, -l);
            put_transposed(&mut out.hess, TURN_B, TURN_A, &mixed, -l);
        }
    }
}

/// `u^ R_a' R_b v^`.
#[inline(always)]
fn hat_between(u: Vector, ra: &Matrix, rb: &Matrix, v: Vector) -> Matrix {
    let m = times_hat(&transposed_product(ra, rb), v);
    // column by column: u^ m
    let columns: Matrix = std::array::from_fn(|j| cross(u, [m[0][j], m[1][j], m[2][j]]));
    std::array::from_fn(|i| std::array::from_fn(|j| columns[j][i]))
}

/// The point on body a enters only through `u . s_a`, which is part of `value`: with
/// `D = p_b - x_a` and `e = R_a' D` the equation is `u . e = value`.
///
/// ```text
///  C_x = -+ w        C_theta_a = u x e        C_theta_b = s_b x R_b' w
///  hess_x,theta_a = +- R_a u^      hess_aa = u^ e^      hess_bb = s_b^ (R_b' w)^
///  hess_ab = -u^ R_a' R_b s_b^
/// ```
fn dot2(
    u: Vector,
    sb: Vector,
    value: f64,
    row: usize,
    at: &JointPoint<'_>,
    want: Want,
    out: &mut JointTerms,
) {
    let (a, b) = (at.a, at.b);
    let (ra, rb) = (&a.pose.rotation, &b.pose.rotation);
    let w = apply(ra, u);
    let wb = apply_transposed(rb, w);
    let e = apply_transposed(ra, sub(b.pose.point(sb), a.pose.position));
    let (ga, gb) = (cross(u, e), cross(sb, wb));
    if want.any(Want::C) {
        out.c[row] = dot(u, e) - value;
    }
    if want.any(Want::C_Q) {
        let r = &mut out.c_q[row];
        put_row(r, 0, w, -1.0);
        put_row(r, TURN_A, ga, 1.0);
        put_row(r, MOVE_B, w, 1.0);
        put_row(r, TURN_B, gb, 1.0);
    }
    if want.any(Want::CV | Want::GAMMA | Want::CV_Q) {
        let relative = sub(b.velocity_at(sb), a.velocity);
        let du = cross(a.omega, u);
        if want.any(Want::CV) {
            out.cv[row] = dot(w, relative) + dot(du, e);
        }
        if want.any(Want::GAMMA) {
            let turning = dot(cross(a.omega, du), e);
            let mixed = dot(apply(ra, du), relative);
            out.gamma[row] = -(turning + 2.0 * mixed + dot(w, rates(b, sb)[1]));
        }
        if want.any(Want::CV_Q) {
            let dw = apply(ra, du);
            let on_a = add(cross(du, e), cross(u, apply_transposed(ra, relative)));
            let on_b = add(
                cross(sb, apply_transposed(rb, dw)),
                cross(cross(b.omega, sb), wb),
            );
            let r = &mut out.cv_q[row];
            put_row(r, 0, dw, -1.0);
            put_row(r, TURN_A, on_a, 1.0);
            put_row(r, MOVE_B, dw, 1.0);
            put_row(r, TURN_B, on_b, 1.0);
        }
    }
    if want.any(Want::LOAD | Want::HESS) {
        let l = at.lambda[row];
        if want.any(Want::LOAD) {
            put_row(&mut out.load, 0, w, -l);
            put_row(&mut out.load, TURN_A, ga, l);
            put_row(&mut out.load, MOVE_B, w, l);
            put_row(&mut out.load, TURN_B, gb, l);
        }
        if want.any(Want::HESS) {
            let h = &mut out.hess;
            let bend = times_hat(ra, u);
            put(h, 0, TURN_A, &bend, l);
            put_transposed(h, TURN_A, 0, &bend, l);
            put(h, MOVE_B, TURN_A, &bend, -l);
            put_transposed(h, TURN_A, MOVE_B, &bend, -l);
            put(h, TURN_A, TURN_A, &two_hats(u, e), l);
            put(h, TURN_B, TURN_B, &two_hats(sb, wb), l);
            let mixed = hat_between(u, ra, rb, sb);
            put(h, TURN_A, TURN_B, &mixed, -l);
            put_transposed(h, TURN_B, TURN_A, &mixed, -l);
        }
    }
}

/// Second derivatives of lines between two points.
trait Line: Space {
    /// `C''` without accelerations: `v . v / l + u . (arm_b'' - arm_a'')`.
    fn bow(ends: &Ends<'_, Self>, u: Self::V, v: Self::V, i: f64) -> f64
    where
        Self: Sized;
    /// `lambda C_qq` by the turn of one body: `lambda/l (J' J + sign d . J_q)`.
    fn turned(
        end: (&Frame, &Vector, Self::V),
        d: Self::V,
        u: Self::V,
        lambda: f64,
        i: f64,
        sign: f64,
    ) -> Self::TT;
}

impl Line for Flat {
    #[inline(always)]
    fn bow(ends: &Ends<'_, Flat>, u: [f64; 2], v: [f64; 2], i: f64) -> f64 {
        let [a, b] = ends.both(|f, s, arm| Flat::moment_of_rate(f, s, arm, u)[0] * f.omega[2]);
        Flat::dot(Flat::times(v, i), v) - a + b
    }
    #[inline(always)]
    fn turned(
        (_, _, arm): (&Frame, &Vector, [f64; 2]),
        d: [f64; 2],
        _: [f64; 2],
        lambda: f64,
        i: f64,
        sign: f64,
    ) -> [f64; 1] {
        [lambda * i * (Flat::dot(arm, arm) - sign * Flat::dot(d, arm))]
    }
}

impl Line for Solid {
    #[inline(always)]
    fn bow(ends: &Ends<'_, Solid>, u: Vector, v: Vector, i: f64) -> f64 {
        let [a, b] = ends.both(Solid::second);
        dot(v, v) * i + dot(u, sub(b, a))
    }
    #[inline(always)]
    fn turned(
        (f, s, _): (&Frame, &Vector, Vector),
        _: Vector,
        u: Vector,
        lambda: f64,
        i: f64,
        sign: f64,
    ) -> [f64; 9] {
        let r = &f.pose.rotation;
        let j = times_hat(r, *s);
        let square = transposed_product(&j, &j);
        let bend = two_hats(*s, apply_transposed(r, u));
        std::array::from_fn(|k| {
            let (square, bend) = (square[k / 3][k % 3], bend[k / 3][k % 3]);
            lambda * i * square + sign * lambda * bend
        })
    }
}

/// Near the solution this is `|d| - l`, but it is polynomial in `d`: nothing happens at `d = 0`.
///
/// ```text
///  l C_q = J' d      l C_qq = J' J + d . J_q,    J = d_q
/// ```
fn distance<X: Line>(
    points: [&Vector; 2],
    length: f64,
    row: usize,
    at: &JointPoint<'_>,
    want: Want,
    out: &mut JointTerms,
) {
    let ends = Ends::<X>::new([at.a, at.b], points);
    let d = ends.apart();
    let i = 1.0 / length;
    let u = X::times(d, i);
    let g = ends.along(u);
    if want.any(Want::C) {
        out.c[row] = 0.5 * (X::dot(d, d) * i - length);
    }
    if want.any(Want::C_Q) {
        out.c_q[row] = g;
    }
    if want.any(Want::LOAD) {
        let l = at.lambda[row];
        for (load, g) in out.load.iter_mut().zip(g) {
            *load += l * g;
        }
    }
    if want.any(Want::CV | Want::CV_Q | Want::GAMMA) {
        let v = ends.velocity();
        if want.any(Want::CV) {
            out.cv[row] = X::dot(u, v);
        }
        if want.any(Want::GAMMA) {
            out.gamma[row] = -X::bow(&ends, u, v, i);
        }
        if want.any(Want::CV_Q) {
            let r = &mut out.cv_q[row];
            *r = ends.along(X::times(v, i));
            let [a, b] = ends.both(|f, s, arm| X::moment_of_rate(f, s, arm, u));
            for k in 0..X::TURNS {
                r[X::TURN + k] -= a.as_ref()[k];
                r[MOVE_B + X::TURN + k] += b.as_ref()[k];
            }
        }
    }
    if want.any(Want::HESS) {
        let lambda = at.lambda[row];
        stretch(&ends, d, u, lambda, i, &mut out.hess);
    }
}

/// Adds `lambda/l (J' J + d . J_q)`.
#[inline(always)]
fn stretch<X: Line>(
    ends: &Ends<'_, X>,
    d: X::V,
    u: X::V,
    lambda: f64,
    i: f64,
    h: &mut [[f64; COLUMNS]; COLUMNS],
) {
    let factor = lambda * i;
    let j = ends.both(X::by_turn);
    for k in 0..X::AXES {
        for (p, q, sign) in [(0, 0, 1.0), (0, 1, -1.0), (1, 0, -1.0), (1, 1, 1.0)] {
            h[p * MOVE_B + k][q * MOVE_B + k] += sign * factor;
        }
        for (side, j) in j.iter().enumerate() {
            // the axes of a body and its own turn have the same sign in J
            for m in 0..X::TURNS {
                let x = factor * j.as_ref()[k * X::TURNS + m];
                let turn = side * MOVE_B + X::TURN + m;
                for (of, sign) in [(side, 1.0), (1 - side, -1.0)] {
                    h[of * MOVE_B + k][turn] += sign * x;
                    h[turn][of * MOVE_B + k] += sign * x;
                }
            }
        }
    }
    let own = [
        X::turned(
            (ends.a, ends.points[0], ends.arms[0]),
            d,
            u,
            lambda,
            i,
            -1.0,
        ),
        X::turned((ends.b, ends.points[1], ends.arms[1]), d, u, lambda, i, 1.0),
    ];
    let [ja, jb] = [j[0].as_ref(), j[1].as_ref()];
    for m in 0..X::TURNS {
        for n in 0..X::TURNS {
            for (side, own) in own.iter().enumerate() {
                let first = side * MOVE_B + X::TURN;
                h[first + m][first + n] += own.as_ref()[m * X::TURNS + n];
            }
            let mixed: f64 = (0..X::AXES)
                .map(|k| ja[k * X::TURNS + m] * jb[k * X::TURNS + n])
                .sum();
            h[X::TURN + m][MOVE_B + X::TURN + n] -= factor * mixed;
            h[MOVE_B + X::TURN + n][X::TURN + m] -= factor * mixed;
        }
    }
}

/// The columns of two bodies in the x-y plane.
const FLAT: [usize; 6] = [0, 1, 5, 6, 7, 11];

/// Writes the entries of two bodies in the x-y plane.
#[inline(always)]
fn put_flat(row: &mut [f64; COLUMNS], values: [f64; 6]) {
    for (j, x) in FLAT.into_iter().zip(values) {
        row[j] = x;
    }
}

/// Linear, so that angles may pass any number of turns.
fn turn(offset: f64, row: usize, at: &JointPoint<'_>, want: Want, out: &mut JointTerms) {
    let [turn_a, turn_b] = [FLAT[2], FLAT[5]];
    if want.any(Want::C) {
        out.c[row] = at.b.pose.angle - at.a.pose.angle - offset;
    }
    if want.any(Want::CV) {
        out.cv[row] = at.b.omega[2] - at.a.omega[2];
    }
    if want.any(Want::GAMMA) {
        out.gamma[row] = 0.0;
    }
    if want.any(Want::C_Q) {
        (out.c_q[row][turn_a], out.c_q[row][turn_b]) = (-1.0, 1.0);
    }
    if want.any(Want::LOAD) {
        out.load[turn_a] -= at.lambda[row];
        out.load[turn_b] += at.lambda[row];
    }
}

/// `n . (p_b - p_a) = 0` with `n` fixed in body a (Nikravesh 1988, chapter 4; Haug 1989, chapter 3).
///
/// As `n . s_a` is constant, only `D = p_b - r_a` matters. With `m = n^`:
///
/// ```text
///  C_q  = [ -n  m.D | n  n.s_b^ ]
///  C_qq = r_a,angle_a: -m   r_b,angle_a: m   angle_a,angle_a: -n.D
///         angle_a,angle_b: m.s_b^            angle_b,angle_b: -n.s_b
///  (C_q v)_q = C_qq v       gamma = -v' C_qq v
/// ```
fn slot(
    [normal, marker_a, marker_b]: [Vector; 3],
    row: usize,
    at: &JointPoint<'_>,
    want: Want,
    out: &mut JointTerms,
) {
    let (a, b) = (at.a, at.b);
    let flat = |x: Vector| Flat::vector(&x);
    let n = Flat::arm(a, &normal);
    let m = [-n[1], n[0]];
    let sb = Flat::arm(b, &marker_b);
    let d = Flat::minus(Flat::point(b, sb), flat(a.pose.position));
    let (nd, md) = (Flat::dot(n, d), Flat::dot(m, d));
    // n . s_b^ and m . s_b^ follow from the components of s_b along n and m.
    let (ns, ms) = (Flat::dot(n, sb), Flat::dot(m, sb));
    let (wa, wb) = (a.omega[2], b.omega[2]);
    let entries = [-n[0], -n[1], md, n[0], n[1], -ms];
    if want.any(Want::C) {
        out.c[row] = nd - Flat::dot(flat(normal), flat(marker_a));
    }
    if want.any(Want::C_Q) {
        put_flat(&mut out.c_q[row], entries);
    }
    if want.any(Want::LOAD) {
        for (j, x) in FLAT.into_iter().zip(entries) {
            out.load[j] += x * at.lambda[row];
        }
    }
    if want.any(Want::CV | Want::CV_Q | Want::GAMMA) {
        let v = Flat::minus(flat(b.velocity), flat(a.velocity));
        if want.any(Want::CV) {
            out.cv[row] = Flat::dot(n, v) + wa * md - wb * ms;
        }
        if want.any(Want::CV_Q | Want::GAMMA) {
            let mv = Flat::dot(m, v);
            let h = [
                -m[0] * wa,
                -m[1] * wa,
                mv - nd * wa + ns * wb,
                m[0] * wa,
                m[1] * wa,
                ns * wa - ns * wb,
            ];
            put_flat(&mut out.cv_q[row], h);
            if want.any(Want::GAMMA) {
                out.gamma[row] = -(mv * wa + h[2] * wa + h[5] * wb);
            }
        }
    }
    if want.any(Want::HESS) {
        let l = at.lambda[row];
        let h = &mut out.hess;
        let [xa, ya, ta, xb, yb, tb] = FLAT;
        for (i, x) in [
            (xa, -l * m[0]),
            (ya, -l * m[1]),
            (xb, l * m[0]),
            (yb, l * m[1]),
        ] {
            h[i][ta] += x;
            h[ta][i] += x;
        }
        h[ta][ta] -= l * nd;
        h[ta][tb] += l * ns;
        h[tb][ta] += l * ns;
        h[tb][tb] -= l * ns;
    }
}
