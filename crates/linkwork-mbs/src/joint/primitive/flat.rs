//! Equations of bodies that move in the x-y plane alone.

use super::super::{COLUMNS, JointPoint, JointTerms, Want};
use crate::geometry::Vector;
use crate::kernel::{FLAT, Flat, Space};

/// Writes the entries of two bodies in the x-y plane.
#[inline(always)]
fn put_flat(row: &mut [f64; COLUMNS], values: [f64; 6]) {
    for (j, x) in FLAT.into_iter().zip(values) {
        row[j] = x;
    }
}

/// Linear, so that angles may pass any number of turns.
pub(super) fn turn(offset: f64, row: usize, at: &JointPoint<'_>, want: Want, out: &mut JointTerms) {
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
pub(super) fn slot(
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
