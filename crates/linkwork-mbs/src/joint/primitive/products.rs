//! Scalar products of directions and points of two bodies keep their values.

use super::super::{JointPoint, JointTerms, Want};
use super::blocks::{put, put_row, put_transposed, rates};
use super::{MOVE_B, TURN_A, TURN_B};
use crate::geometry::{
    Matrix, Vector, add, apply, apply_transposed, cross, dot, sub, times_hat, transposed_product,
    two_hats,
};

/// With `y_a = R_a' w_b` and `y_b = R_b' w_a`:
///
/// ```text
///  C_theta_a = u_a x y_a      hess_aa = u_a^ y_a^      hess_ab = -u_a^ R_a' R_b u_b^
/// ```
pub(super) fn dot1(
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
pub(super) fn dot2(
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
