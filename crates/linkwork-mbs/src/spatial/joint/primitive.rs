//! The equations that most joints are made of, with all derivatives by hand.
//!
//! ```text
//!  coincidence   p_b - p_a = 0                 3 rows, global components
//!  dot1          w_a . w_b = c                 two body directions keep their angle
//!  dot2          w_a . (p_b - p_a) = c         a point of b keeps its place along a direction of a
//!  distance      (d . d - l^2)/(2 l) = 0       d = p_b - p_a
//! ```
//!
//! (Haug 1989, section 9.4, there with Euler parameters.) With `p = x + R s`, `w = R u` and small
//! rotations `theta` in body axes, everything follows from
//!
//! ```text
//!  d(R u) = R (theta x u)         (R u)' = R (omega x u)         d(R' f) = (R' f) x theta
//! ```
//!
//! and `a . R (theta x u) = theta . (u x R' a)`.

use super::{COLUMNS, JointPattern, JointPoint, JointTerms};
use crate::joint::Want;
use crate::spatial::geometry::{
    Frame, IDENTITY, Matrix, Vector, add, apply, apply_transposed, cross, dot, scaled, sub,
    times_hat, transposed_product, two_hats,
};

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
            Primitive::Coincidence { .. } => 3,
            _ => 1,
        }
    }

    /// Fills rows from `row` on; adds to `load` and `hess`.
    pub fn eval(&self, row: usize, at: &JointPoint<'_>, want: Want, out: &mut JointTerms) {
        match *self {
            Primitive::Coincidence { a, b } => coincidence(a, b, row, at, want, out),
            Primitive::Dot1 { a, b, value } => dot1(a, b, value, row, at, want, out),
            Primitive::Dot2 { axis, a, b, value } => {
                let value = value + dot(axis, a);
                dot2(axis, b, value, row, at, want, out);
            }
            Primitive::Distance { a, b, length } => distance(a, b, length, row, at, want, out),
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
            Primitive::Coincidence { a, b } => {
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
    for entries in [&mut out.c_q, &mut out.cv_q, &mut out.hess] {
        entries.sort_unstable();
        entries.dedup();
    }
    out
}

/// With `J = d(p_b - p_a) = [ -I  R_a s_a^ | I  -R_b s_b^ ]` and `l = R' lambda`:
///
/// ```text
///  (C_q v)_theta = -+ R (omega x s)^       gamma = -+ R (omega x (omega x s))
///  load_theta = +- s x l                   hess_theta,theta = +- s^ l^
/// ```
fn coincidence(
    sa: Vector,
    sb: Vector,
    row: usize,
    at: &JointPoint<'_>,
    want: Want,
    out: &mut JointTerms,
) {
    let (a, b) = (at.a, at.b);
    let (ra, rb) = (&a.pose.rotation, &b.pose.rotation);
    if want.any(Want::C) {
        let c = sub(b.pose.point(sb), a.pose.point(sa));
        out.c[row..row + 3].copy_from_slice(&c);
    }
    if want.any(Want::C_Q) {
        let c_q = &mut out.c_q;
        put(c_q, row, 0, &IDENTITY, -1.0);
        put(c_q, row, MOVE_B, &IDENTITY, 1.0);
        put(c_q, row, TURN_A, &times_hat(ra, sa), 1.0);
        put(c_q, row, TURN_B, &times_hat(rb, sb), -1.0);
    }
    if want.any(Want::CV) {
        let cv = sub(b.velocity_at(sb), a.velocity_at(sa));
        out.cv[row..row + 3].copy_from_slice(&cv);
    }
    if want.any(Want::GAMMA) {
        let gamma = sub(rates(a, sa)[1], rates(b, sb)[1]);
        out.gamma[row..row + 3].copy_from_slice(&gamma);
    }
    if want.any(Want::CV_Q) {
        let cv_q = &mut out.cv_q;
        put(cv_q, row, TURN_A, &times_hat(ra, cross(a.omega, sa)), 1.0);
        put(cv_q, row, TURN_B, &times_hat(rb, cross(b.omega, sb)), -1.0);
    }
    if want.any(Want::LOAD | Want::HESS) {
        let lambda = [at.lambda[row], at.lambda[row + 1], at.lambda[row + 2]];
        let (la, lb) = (apply_transposed(ra, lambda), apply_transposed(rb, lambda));
        if want.any(Want::LOAD) {
            put_row(&mut out.load, 0, lambda, -1.0);
            put_row(&mut out.load, MOVE_B, lambda, 1.0);
            put_row(&mut out.load, TURN_A, cross(sa, la), -1.0);
            put_row(&mut out.load, TURN_B, cross(sb, lb), 1.0);
        }
        if want.any(Want::HESS) {
            put(&mut out.hess, TURN_A, TURN_A, &two_hats(sa, la), -1.0);
            put(&mut out.hess, TURN_B, TURN_B, &two_hats(sb, lb), 1.0);
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

/// Near the solution this is `|d| - l`, but it is polynomial in `d`: nothing happens at `d = 0`.
///
/// ```text
///  l C_q = J' d      l C_qq = J' J + d . J_q,    (d . J_q)_theta,theta = -+ s^ (R' d)^
/// ```
fn distance(
    sa: Vector,
    sb: Vector,
    length: f64,
    row: usize,
    at: &JointPoint<'_>,
    want: Want,
    out: &mut JointTerms,
) {
    let (a, b) = (at.a, at.b);
    let (ra, rb) = (&a.pose.rotation, &b.pose.rotation);
    let d = sub(b.pose.point(sb), a.pose.point(sa));
    let i = 1.0 / length;
    let u = scaled(d, i);
    let along = |u: Vector| -> [Vector; 4] {
        let on_a = cross(sa, apply_transposed(ra, u));
        let on_b = cross(sb, apply_transposed(rb, u));
        [u.map(|x| -x), on_a.map(|x| -x), u, on_b]
    };
    let g = along(u);
    if want.any(Want::C) {
        out.c[row] = 0.5 * (dot(d, d) * i - length);
    }
    if want.any(Want::C_Q) {
        out.c_q[row].copy_from_slice(g.as_flattened());
    }
    if want.any(Want::LOAD) {
        let l = at.lambda[row];
        for (load, g) in out.load.iter_mut().zip(g.as_flattened()) {
            *load += l * g;
        }
    }
    if want.any(Want::CV | Want::CV_Q | Want::GAMMA) {
        let v = sub(b.velocity_at(sb), a.velocity_at(sa));
        if want.any(Want::CV) {
            out.cv[row] = dot(u, v);
        }
        if want.any(Want::GAMMA) {
            let turning = sub(rates(b, sb)[1], rates(a, sa)[1]);
            out.gamma[row] = -(dot(v, v) * i + dot(u, turning));
        }
        if want.any(Want::CV_Q) {
            out.cv_q[row].copy_from_slice(along(scaled(v, i)).as_flattened());
            let (da, db) = (cross(a.omega, sa), cross(b.omega, sb));
            let r = &mut out.cv_q[row];
            put_row(r, TURN_A, cross(da, apply_transposed(ra, u)), -1.0);
            put_row(r, TURN_B, cross(db, apply_transposed(rb, u)), 1.0);
        }
    }
    if want.any(Want::HESS) {
        let l = at.lambda[row];
        let h = &mut out.hess;
        spread(h, sa, sb, ra, rb, l * i);
        put(
            h,
            TURN_A,
            TURN_A,
            &two_hats(sa, apply_transposed(ra, u)),
            -l,
        );
        put(h, TURN_B, TURN_B, &two_hats(sb, apply_transposed(rb, u)), l);
    }
}

/// Adds `factor J' J`, `J = [ -I  R_a s_a^ | I  -R_b s_b^ ]`.
fn spread(
    h: &mut [[f64; COLUMNS]; COLUMNS],
    sa: Vector,
    sb: Vector,
    ra: &Matrix,
    rb: &Matrix,
    factor: f64,
) {
    put(h, 0, 0, &IDENTITY, factor);
    put(h, MOVE_B, MOVE_B, &IDENTITY, factor);
    put(h, 0, MOVE_B, &IDENTITY, -factor);
    put(h, MOVE_B, 0, &IDENTITY, -factor);
    let (ja, jb) = (times_hat(ra, sa), times_hat(rb, sb));
    // -I with R_a s_a^ and so on
    for (column, j, sign) in [(TURN_A, &ja, 1.0), (TURN_B, &jb, -1.0)] {
        put(h, 0, column, j, -sign * factor);
        put_transposed(h, column, 0, j, -sign * factor);
        put(h, MOVE_B, column, j, sign * factor);
        put_transposed(h, column, MOVE_B, j, sign * factor);
    }
    put(h, TURN_A, TURN_A, &transposed_product(&ja, &ja), factor);
    put(h, TURN_B, TURN_B, &transposed_product(&jb, &jb), factor);
    let mixed = transposed_product(&ja, &jb);
    put(h, TURN_A, TURN_B, &mixed, -factor);
    put_transposed(h, TURN_B, TURN_A, &mixed, -factor);
}
