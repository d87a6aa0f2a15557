//! What one joint makes of the motion of its parent and of its own: all numbers of the augmented form.
//!
//! Parent `p`, child `c`, both at their centres of mass, positions and forces in world axes, rotations
//! and torques in body axes as the assembly has them. With `L` from `p` to `c`, `e` from the joint to
//! `c`, columns `w, u` of the joint at its origin and `s = u + w x e`,
//!
//! ```text
//!  dx_c = dx_p + theta_p x L + sum of s d           R_c theta~_c = theta_p + sum of w d
//! ```
//!
//! and the same for speeds. Columns are fixed in the child (sums `W_c, U_c` over `w v, u v`) or in the
//! parent (`W_p, U_p`). Let `Z = U_c + W_c x e`, `Y = Z + U_p + W_p x e`, `B = w_p + W_p`, `a_c`, `A` the
//! sums of `w a`, `u a`:
//!
//! ```text
//!  V_c = V_p + w_p x L + Y
//!  A_c = A_p + al_p x L + w_p x (V_c - V_p) + sum of s a + w_c x Z + w_p x U_p + (w_p x W_p) x e
//!        + W_p x (w_c x e)
//!  al_c = al_p + sum of w a + w_c x W_c + w_p x W_p
//! ```
//!
//! Their variations follow by varying every factor. A rotation of the parent turns everything beyond it
//! as one body, so that `theta_p` multiplies `V_c - V_p` and `A_c - A_p` only; a coordinate turns `e` and
//! the columns that are fixed in the child. Forces `f` and torques `t` that the child carries go back the
//! same way, `t_p = t + L x f` and `s.f + w.t` for the equation of a coordinate, with the variations of
//! `L`, of the columns and of the axes of both bodies.

use super::operators::Body;
use crate::tree::{Kinematics, Mat3, Tree, Vec3};
use std::ops::Range;

/// A body with what carries it.
#[derive(Clone, Debug)]
pub(super) struct Link {
    pub body: usize,
    pub parent: Option<usize>,
    /// Axes about which the parent turns.
    pub turns: Range<usize>,
    /// The body of the tree whose joint it is; none for a body that is welded on.
    pub node: Option<usize>,
    /// Coordinates of the joint.
    pub dofs: Range<usize>,
    /// The perch that it is, on its flexible body; nothing of the below is meant for such.
    pub perch: Option<usize>,
}

/// Most coordinates of a joint.
const MOST: usize = crate::tree::mobility::MOST_DOF;

/// Displacement by rotation of the parent, row by row; likewise rotation.
pub(super) const N_X: usize = 0;
pub(super) const N_T: usize = N_X + 9;
/// Motion along each coordinate, six numbers.
pub(super) const S: usize = N_T + 9;
/// End of the numbers that depend on the pose only.
pub(super) const BASE: usize = S + 6 * MOST;
/// Velocity by rotation of the parent.
pub(super) const V_T: usize = BASE;
/// Acceleration by rotation of the parent.
pub(super) const A_T: usize = V_T + 9;
/// Acceleration and angular acceleration by angular velocity of the parent.
pub(super) const A_W: usize = A_T + 9;
pub(super) const B_W: usize = A_W + 9;
/// Velocity by coordinates, acceleration by speeds and by coordinates, six numbers each.
pub(super) const V_D: usize = B_W + 9;
pub(super) const A_Y: usize = V_D + 6 * MOST;
pub(super) const A_D: usize = A_Y + 6 * MOST;
/// Torque on the parent by its rotation, and by coordinates, three numbers each.
pub(super) const T_T: usize = A_D + 6 * MOST;
pub(super) const T_D: usize = T_T + 9;
/// Equation of each coordinate by rotation of the parent, and by coordinates.
pub(super) const R_T: usize = T_D + 3 * MOST;
pub(super) const R_D: usize = R_T + 3 * MOST;
/// Number of all numbers.
pub(super) const COUNT: usize = R_D + MOST * MOST;

/// Numbers of one joint.
pub(super) type Numbers = [f64; COUNT];

/// Row of a coordinate in `R_D`.
pub(super) const fn by_coordinates(k: usize, l: usize) -> usize {
    R_D + MOST * k + l
}

/// A tree and its bodies at a point.
#[derive(Clone, Copy)]
pub(super) struct Point<'a> {
    pub tree: &'a Tree,
    pub kin: &'a Kinematics,
    pub bodies: &'a [Body],
}

fn put(out: &mut Numbers, at: usize, x: Vec3) {
    out[at..at + 3].copy_from_slice(&x.array());
}

/// Column `j` of three rows.
fn put_column(out: &mut Numbers, at: usize, j: usize, x: Vec3) {
    for (i, x) in x.array().into_iter().enumerate() {
        out[at + 3 * i + j] = x;
    }
}

impl Link {
    /// Axes of the parent that it turns about, with their numbers.
    fn axes(&self, r: &Mat3) -> impl Iterator<Item = (usize, Vec3)> + use<> {
        let axes = [r.x, r.y, r.z];
        self.turns.clone().map(move |j| (j, axes[j]))
    }

    /// The origin of the joint.
    fn origin(&self, at: &Point<'_>) -> Vec3 {
        match self.node {
            Some(node) => at.kin.pose[node].p,
            None => at.bodies[self.body].p,
        }
    }

    /// Whether a coordinate is fixed in the parent.
    fn rides(&self, tree: &Tree, k: usize) -> bool {
        // two sliders in a row have no column that turns
        self.node.is_some_and(|node| {
            let own = tree.dofs(node);
            own.contains(&k) && tree.joint(node).rides_on_parent(k - own.start)
        })
    }

    /// Numbers that depend on the pose only.
    pub fn pose(&self, at: &Point<'_>, out: &mut Numbers) {
        let c = &at.bodies[self.body];
        if let Some(p) = self.parent {
            let p = &at.bodies[p];
            let arm = c.p - p.p;
            for (j, axis) in self.axes(&p.r) {
                put_column(out, N_X, j, axis.cross(arm));
                put_column(out, N_T, j, c.r.apply_transposed(axis));
            }
        }
        let e = c.p - self.origin(at);
        for (n, k) in self.dofs.clone().enumerate() {
            let column = at.kin.column[k];
            put(out, S + 6 * n, column.v + column.w.cross(e));
            put(out, S + 6 * n + 3, c.r.apply_transposed(column.w));
        }
    }

    /// All other numbers; `load` is the force and the torque that the child carries.
    pub fn motion(
        &self,
        at: &Point<'_>,
        (v, a): (&[f64], &[f64]),
        (f, t): (Vec3, Vec3),
        out: &mut Numbers,
    ) {
        let c = &at.bodies[self.body];
        let ground = Body::default();
        let p = self.parent.map_or(&ground, |p| &at.bodies[p]);
        let (w_p, al_p, w_c) = (p.v.w, p.a.w, c.v.w);
        let (arm, e) = (c.p - p.p, c.p - self.origin(at));
        let zero = Vec3::ZERO;
        let [mut w_on_c, mut w_on_p, mut u_on_c, mut u_on_p] = [zero; 4];
        let [mut wa_on_c, mut wa_on_p, mut ua_on_c] = [zero; 3];
        for k in self.dofs.clone() {
            let s = at.kin.column[k];
            let (v, a) = (v[k], a.get(k).copied().unwrap_or(0.0));
            if self.rides(at.tree, k) {
                w_on_p += s.w * v;
                u_on_p += s.v * v;
                wa_on_p += s.w * a;
            } else {
                w_on_c += s.w * v;
                u_on_c += s.v * v;
                wa_on_c += s.w * a;
                ua_on_c += s.v * a;
            }
        }
        let z = u_on_c + w_on_c.cross(e);
        let y = z + u_on_p + w_on_p.cross(e);
        let before = w_p + w_on_p;
        let back = |x: Vec3| c.r.apply_transposed(x);
        if self.parent.is_some() {
            let relative = w_on_c + w_on_p;
            for (j, axis) in self.axes(&p.r) {
                put_column(out, V_T, j, axis.cross(c.v.v - p.v.v));
                put_column(out, A_T, j, axis.cross(c.a.v - p.a.v));
                let turned = axis.cross(w_p.cross(arm)) + w_p.cross(axis.cross(arm));
                put_column(out, A_W, j, turned + axis.cross(y) * 2.0);
                put_column(out, B_W, j, back(axis.cross(relative)));
                let torque = -arm.cross(axis.cross(f));
                put_column(out, T_T, j, p.r.apply_transposed(torque));
            }
        }
        for (n, k) in self.dofs.clone().enumerate() {
            let w = at.kin.column[k].w;
            let u = at.kin.column[k].v;
            let we = w.cross(e);
            let s = u + we;
            let rides = self.rides(at.tree, k);
            let by_d = w_p.cross(s) + w.cross(z) + w_on_p.cross(we);
            let before_w = before.cross(w);
            put(out, V_D + 6 * n, by_d);
            put(out, V_D + 6 * n + 3, back(before_w));
            let (x, turn) = if rides {
                let own = w_p.cross(u) + w_p.cross(w).cross(e) + w.cross(w_c.cross(e));
                (by_d + own, w_p.cross(w) - w_on_c.cross(w))
            } else {
                (by_d + w_c.cross(s), before_w)
            };
            put(out, A_Y + 6 * n, x);
            put(out, A_Y + 6 * n + 3, back(turn));
            let dw = w.cross(w_on_c);
            let x = al_p.cross(s)
                + w_p.cross(by_d)
                + w.cross(ua_on_c + wa_on_c.cross(e))
                + wa_on_p.cross(we)
                + dw.cross(z)
                + w_c.cross(w.cross(z))
                + w_p.cross(w_on_p).cross(we)
                + w_on_p.cross(dw.cross(e) + w_c.cross(we));
            let turn = w.cross(wa_on_c) + before.cross(dw) - w.cross(c.a.w);
            put(out, A_D + 6 * n, x);
            put(out, A_D + 6 * n + 3, back(turn));
            let moment = s.cross(f);
            if self.parent.is_some() {
                let torque = w.cross(t) + moment;
                put(out, T_D + 3 * n, p.r.apply_transposed(torque));
                put(out, R_T + 3 * n, p.r.apply_transposed(moment));
            }
            for (m, l) in self.dofs.clone().enumerate() {
                let other = at.kin.column[l].w;
                out[by_coordinates(n, m)] = if rides {
                    f.dot(w.cross(other.cross(e))) + w.dot(other.cross(t))
                } else {
                    other.dot(moment)
                };
            }
        }
    }
}
