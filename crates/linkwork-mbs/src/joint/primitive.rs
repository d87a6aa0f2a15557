//! The equations that common joints are made of, differentiated by hand.
//!
//! Notation: `r` origin of a body, `s` arm to its marker in global components, `p = r + s` the
//! marker, `s^` the arm turned by a right angle, so `ds/d(angle) = s^` and `ds^/d(angle) = -s`
//! (Nikravesh 1988, chapter 4; Haug 1989, chapter 3).

use super::{JointPattern, JointPoint, JointTerms, Want};
use crate::space::{Vector, dot, perp};

/// `p_b - p_a = 0`, rows 0 and 1.
///
/// ```text
///  C_q = [ -I  -s_a^ | I  s_b^ ]      gamma = w_b^2 s_b - w_a^2 s_a
/// ```
#[inline(always)]
pub(super) fn coincidence(
    marker_a: Vector,
    marker_b: Vector,
    at: &JointPoint<'_>,
    want: Want,
    out: &mut JointTerms,
) {
    let (a, b) = (at.a, at.b);
    let sa = a.pose.direction(marker_a);
    let sb = b.pose.direction(marker_b);
    if want.any(Want::C) {
        out.c[0] = b.pose.x + sb[0] - (a.pose.x + sa[0]);
        out.c[1] = b.pose.y + sb[1] - (a.pose.y + sa[1]);
    }
    if want.any(Want::CV) {
        let va = a.velocity_at(sa);
        let vb = b.velocity_at(sb);
        out.cv[0] = vb[0] - va[0];
        out.cv[1] = vb[1] - va[1];
    }
    if want.any(Want::GAMMA) {
        let (wa, wb) = (a.omega * a.omega, b.omega * b.omega);
        out.gamma[0] = wb * sb[0] - wa * sa[0];
        out.gamma[1] = wb * sb[1] - wa * sa[1];
    }
    if want.any(Want::C_Q) {
        let [x, y, _] = &mut out.c_q;
        (x[0], x[2], x[3], x[5]) = (-1.0, sa[1], 1.0, -sb[1]);
        (y[1], y[2], y[4], y[5]) = (-1.0, -sa[0], 1.0, sb[0]);
    }
    if want.any(Want::LOAD) {
        let (lx, ly) = (at.lambda[0], at.lambda[1]);
        out.load = [
            -lx,
            -ly,
            lx * sa[1] - ly * sa[0],
            lx,
            ly,
            ly * sb[0] - lx * sb[1],
        ];
    }
    if want.any(Want::CV_Q) {
        let [x, y, _] = &mut out.cv_q;
        (x[2], x[5]) = (a.omega * sa[0], -b.omega * sb[0]);
        (y[2], y[5]) = (a.omega * sa[1], -b.omega * sb[1]);
    }
    if want.any(Want::HESS) {
        let l = [at.lambda[0], at.lambda[1]];
        out.hess[2][2] = dot(l, sa);
        out.hess[5][5] = -dot(l, sb);
    }
}

/// Entries of [`coincidence`], those of body a before those of body b.
#[rustfmt::skip]
pub(super) fn coincidence_pattern() -> JointPattern {
    JointPattern {
        c_q: vec![
            (0, 0), (1, 1), (0, 2), (1, 2),
            (0, 3), (1, 4), (0, 5), (1, 5),
        ],
        cv_q: vec![(0, 2), (1, 2), (0, 5), (1, 5)],
        hess: vec![(2, 2), (5, 5)],
    }
}

/// `angle_b - angle_a - offset = 0` in the given row; adds to the load of the rows before it.
#[inline(always)]
pub(super) fn relative_angle(
    offset: f64,
    row: usize,
    at: &JointPoint<'_>,
    want: Want,
    out: &mut JointTerms,
) {
    if want.any(Want::C) {
        out.c[row] = at.b.pose.angle - at.a.pose.angle - offset;
    }
    if want.any(Want::CV) {
        out.cv[row] = at.b.omega - at.a.omega;
    }
    if want.any(Want::GAMMA) {
        out.gamma[row] = 0.0;
    }
    if want.any(Want::C_Q) {
        out.c_q[row][2] = -1.0;
        out.c_q[row][5] = 1.0;
    }
    if want.any(Want::LOAD) {
        out.load[2] -= at.lambda[row];
        out.load[5] += at.lambda[row];
    }
}

/// Adds the entries of [`relative_angle`].
pub(super) fn relative_angle_pattern(row: u8, pattern: &mut JointPattern) {
    pattern.c_q.extend([(row, 2), (row, 5)]);
}

/// `n . (p_b - p_a) = 0` in row 0, with `n` fixed in body a.
///
/// As `n . s_a` is constant, only `D = p_b - r_a` matters. With `m = n^`:
///
/// ```text
///  C_q  = [ -n  m.D | n  n.s_b^ ]
///  C_qq = r_a,angle_a: -m   r_b,angle_a: m   angle_a,angle_a: -n.D
///         angle_a,angle_b: m.s_b^            angle_b,angle_b: -n.s_b
///  (C_q v)_q = C_qq v       gamma = -v' C_qq v
/// ```
#[inline(always)]
pub(super) fn normal_distance(
    normal: Vector,
    marker_a: Vector,
    marker_b: Vector,
    at: &JointPoint<'_>,
    want: Want,
    out: &mut JointTerms,
) {
    let (a, b) = (at.a, at.b);
    let n = a.pose.direction(normal);
    let m = perp(n);
    let sb = b.pose.direction(marker_b);
    let d = [b.pose.x + sb[0] - a.pose.x, b.pose.y + sb[1] - a.pose.y];
    let (nd, md) = (dot(n, d), dot(m, d));
    // n . s_b^ and m . s_b^ follow from the components of s_b along n and m.
    let (ns, ms) = (dot(n, sb), dot(m, sb));
    let row = [-n[0], -n[1], md, n[0], n[1], -ms];
    if want.any(Want::C) {
        out.c[0] = nd - dot(normal, marker_a);
    }
    if want.any(Want::C_Q) {
        out.c_q[0] = row;
    }
    if want.any(Want::LOAD) {
        out.load = row.map(|x| x * at.lambda[0]);
    }
    if want.any(Want::CV | Want::CV_Q | Want::GAMMA) {
        let v = [b.velocity[0] - a.velocity[0], b.velocity[1] - a.velocity[1]];
        if want.any(Want::CV) {
            out.cv[0] = dot(n, v) + a.omega * md - b.omega * ms;
        }
        if want.any(Want::CV_Q | Want::GAMMA) {
            let mv = dot(m, v);
            let h = [
                -m[0] * a.omega,
                -m[1] * a.omega,
                mv - nd * a.omega + ns * b.omega,
                m[0] * a.omega,
                m[1] * a.omega,
                ns * a.omega - ns * b.omega,
            ];
            out.cv_q[0] = h;
            if want.any(Want::GAMMA) {
                out.gamma[0] = -(mv * a.omega + h[2] * a.omega + h[5] * b.omega);
            }
        }
    }
    if want.any(Want::HESS) {
        let l = at.lambda[0];
        let h = &mut out.hess;
        let (mx, my) = (l * m[0], l * m[1]);
        (h[0][2], h[1][2], h[3][2], h[4][2]) = (-mx, -my, mx, my);
        (h[2][0], h[2][1], h[2][3], h[2][4]) = (-mx, -my, mx, my);
        h[2][2] = -l * nd;
        (h[2][5], h[5][2]) = (l * ns, l * ns);
        h[5][5] = -l * ns;
    }
}

/// Entries of [`normal_distance`].
pub(super) fn normal_distance_pattern() -> JointPattern {
    let row: Vec<(u8, u8)> = (0..6).map(|j| (0, j)).collect();
    let mut hess = vec![(2, 2), (2, 5), (5, 2), (5, 5)];
    for i in [0, 1, 3, 4] {
        hess.extend([(i, 2), (2, i)]);
    }
    JointPattern {
        c_q: row.clone(),
        cv_q: row,
        hess,
    }
}

/// `(d . d - l^2) / (2 l) = 0` in row 0, with `d = p_b - p_a`.
///
/// Near the solution this is `|d| - l`, but it is polynomial in `d`: nothing happens at `d = 0`.
/// With `J = d_q = [ -I  -s_a^ | I  s_b^ ]`:
///
/// ```text
///  l C_q = d' J      l C_qq = J' J + d . J_q,    d . J_q = diag(0, 0, d.s_a, 0, 0, -d.s_b)
/// ```
#[inline(always)]
pub(super) fn separation(
    length: f64,
    marker_a: Vector,
    marker_b: Vector,
    at: &JointPoint<'_>,
    want: Want,
    out: &mut JointTerms,
) {
    let (a, b) = (at.a, at.b);
    let sa = a.pose.direction(marker_a);
    let sb = b.pose.direction(marker_b);
    let d = [
        b.pose.x + sb[0] - (a.pose.x + sa[0]),
        b.pose.y + sb[1] - (a.pose.y + sa[1]),
    ];
    let i = 1.0 / length;
    let (ta, tb) = (perp(sa), perp(sb));
    let (dx, dy) = (d[0] * i, d[1] * i);
    let u = [dx, dy];
    let row = [-dx, -dy, -dot(u, ta), dx, dy, dot(u, tb)];
    if want.any(Want::C) {
        out.c[0] = 0.5 * (dot(d, d) * i - length);
    }
    if want.any(Want::C_Q) {
        out.c_q[0] = row;
    }
    if want.any(Want::LOAD) {
        out.load = row.map(|x| x * at.lambda[0]);
    }
    if want.any(Want::CV | Want::CV_Q | Want::GAMMA) {
        let (va, vb) = (a.velocity_at(sa), b.velocity_at(sb));
        let v = [vb[0] - va[0], vb[1] - va[1]];
        if want.any(Want::CV) {
            out.cv[0] = dot(u, v);
        }
        if want.any(Want::CV_Q | Want::GAMMA) {
            // l C_qq v = J' v_rel + (d . J_q) v
            let w = [v[0] * i, v[1] * i];
            let h = [
                -w[0],
                -w[1],
                -dot(w, ta) + dot(u, sa) * a.omega,
                w[0],
                w[1],
                dot(w, tb) - dot(u, sb) * b.omega,
            ];
            out.cv_q[0] = h;
            if want.any(Want::GAMMA) {
                out.gamma[0] =
                    -(dot(w, v) + dot(u, sa) * a.omega * a.omega - dot(u, sb) * b.omega * b.omega);
            }
        }
    }
    if want.any(Want::HESS) {
        let l = at.lambda[0] * i;
        let h = &mut out.hess;
        for k in 0..2 {
            (h[k][k], h[k + 3][k + 3]) = (l, l);
            (h[k][k + 3], h[k + 3][k]) = (-l, -l);
            let (p, q) = (l * ta[k], l * tb[k]);
            (h[k][2], h[2][k], h[k + 3][2], h[2][k + 3]) = (p, p, -p, -p);
            (h[k][5], h[5][k], h[k + 3][5], h[5][k + 3]) = (-q, -q, q, q);
        }
        h[2][2] = l * (dot(sa, sa) + dot(d, sa));
        h[5][5] = l * (dot(sb, sb) - dot(d, sb));
        let cross = -l * dot(sa, sb);
        (h[2][5], h[5][2]) = (cross, cross);
    }
}

/// Entries of [`separation`].
pub(super) fn separation_pattern() -> JointPattern {
    let row: Vec<(u8, u8)> = (0..6).map(|j| (0, j)).collect();
    let mut hess = Vec::new();
    for i in 0..6u8 {
        for j in 0..6u8 {
            // x and y never meet.
            if i % 3 == j % 3 || i % 3 == 2 || j % 3 == 2 {
                hess.push((i, j));
            }
        }
    }
    JointPattern {
        c_q: row.clone(),
        cv_q: row,
        hess,
    }
}
