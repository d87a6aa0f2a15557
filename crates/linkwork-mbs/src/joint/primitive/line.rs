//! Two points keep their distance.

use super::super::{COLUMNS, JointPoint, JointTerms, Want};
use super::MOVE_B;
use crate::geometry::{
    Frame, Vector, apply_transposed, dot, sub, times_hat, transposed_product, two_hats,
};
use crate::kernel::{Ends, Flat, Solid, Space};

/// Second derivatives of lines between two points.
pub(super) trait Line: Space {
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
pub(super) fn distance<X: Line>(
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
