//! Inverse dynamics: joint forces of a given motion, in one sweep out and one back.
//!
//! In body axes with accelerations of points instead of spatial ones (Luh, Walker & Paul 1980), so
//! that linear velocities are not needed at all. With `A = [alpha] + [omega]^2`, the acceleration of
//! the point `r` of a body is `a + A r`, hence
//!
//! ```text
//!  a_i = R' (a_p + A_p t) + 2 (R' w_p) x v_r + a_r        t: joint on the parent; v_r, a_r: relative
//!  f   = m a + A h                                        h: first moment of mass
//!  n   = vee(A P - (A P)') + h x a                        P: second moments of mass
//! ```
//!
//! and the whole velocity-dependent load comes from the nine entries of `A`.

use super::spatial::{Mat3, Sym3, Vec3, Wrench};
use super::{Node, Tree};

/// What is kept of a body between the sweeps and for its children.
#[derive(Clone, Copy, Debug, Default)]
struct Swept {
    /// Axes of the body in the axes of its parent.
    r: Mat3,
    /// Joint origin on the parent.
    t: Vec3,
    load: Wrench,
    omega: Vec3,
    alpha: Vec3,
    accel: Vec3,
    /// `[alpha] + [omega]^2`.
    field: Mat3,
}

/// Inverse dynamics of one tree.
#[derive(Clone, Debug, Default)]
pub struct Rnea {
    pass: Vec<Swept>,
}

/// `[alpha] + [omega]^2`.
#[inline]
fn field(w: Vec3, alpha: Vec3) -> Mat3 {
    let s = Sym3::square(w);
    Mat3 {
        x: Vec3::new(-(s.yy + s.zz), s.xy + alpha.z, s.xz - alpha.y),
        y: Vec3::new(s.xy - alpha.z, -(s.xx + s.zz), s.yz + alpha.x),
        z: Vec3::new(s.xz + alpha.y, s.yz - alpha.x, -(s.xx + s.yy)),
    }
}

/// `int r x (A r) dm`, from the second moments `p`.
#[inline]
fn moment(a: &Mat3, p: &Sym3) -> Vec3 {
    // rows of A times columns of P, off the diagonal only
    let (rows, p) = (a.transposed(), p.matrix());
    Vec3::new(
        rows.z.dot(p.y) - rows.y.dot(p.z),
        rows.x.dot(p.z) - rows.z.dot(p.x),
        rows.y.dot(p.x) - rows.x.dot(p.y),
    )
}

impl Rnea {
    /// Room for a tree.
    pub fn new(tree: &Tree) -> Rnea {
        Rnea {
            pass: vec![Swept::default(); tree.bodies()],
        }
    }

    /// Joint forces that make the motion `(q, v, a)`. `external` are forces on the bodies, each in
    /// the frame of its body, or empty.
    pub fn run(
        &mut self,
        tree: &Tree,
        q: &[f64],
        v: &[f64],
        a: &[f64],
        external: &[Wrench],
        tau: &mut [f64],
    ) {
        let ground = Swept {
            accel: -tree.gravity,
            ..Swept::default()
        };
        for i in 0..tree.nodes.len() {
            let node = &tree.nodes[i];
            let parent = match node.parent {
                Some(p) => &self.pass[p as usize],
                None => &ground,
            };
            let mut pass = if node.turns() {
                let k = node.dof as usize;
                revolute(node, parent, q[k], v[k], a[k])
            } else {
                let k = node.dofs();
                general(node, parent, &q[k.clone()], &v[k.clone()], &a[k])
            };
            let Swept {
                accel, field: a, ..
            } = pass;
            let inertia = &node.inertia;
            pass.load = Wrench::new(
                moment(&a, &node.moments) + inertia.h.cross(accel),
                accel * inertia.m + a.apply(inertia.h),
            );
            if let Some(&f) = external.get(i) {
                pass.load = pass.load - f;
            }
            self.pass[i] = pass;
        }
        for i in (0..tree.nodes.len()).rev() {
            let node = &tree.nodes[i];
            let Swept { r, t, load, .. } = self.pass[i];
            let k = node.dof as usize;
            if node.turns() {
                tau[k] = load.n.z + node.armature * a[k];
            } else {
                let relative = node.mount.r.transposed().times(&r);
                let columns = node.joint.columns(&relative);
                for (tau, s) in tau[node.dofs()].iter_mut().zip(&columns) {
                    *tau = s.dot(load);
                }
                tau[k] += node.armature * a[k];
            }
            if let Some(p) = node.parent {
                self.pass[p as usize].load += load.turned(&r).shifted_back(t);
            }
        }
    }
}

#[inline]
fn revolute(node: &Node, parent: &Swept, q: f64, v: f64, a: f64) -> Swept {
    let (s, c) = q.sin_cos();
    let r = node.mount.r.turned_about_z(s, c);
    let t = node.mount.p;
    let carried = r.apply_transposed(parent.omega);
    let turned = r.apply_transposed(parent.alpha);
    let omega = Vec3::new(carried.x, carried.y, carried.z + v);
    let alpha = Vec3::new(
        turned.x + carried.y * v,
        turned.y - carried.x * v,
        turned.z + a,
    );
    Swept {
        r,
        t,
        load: Wrench::ZERO,
        omega,
        alpha,
        accel: r.apply_transposed(parent.accel + parent.field.apply(t)),
        field: field(omega, alpha),
    }
}

fn general(node: &Node, parent: &Swept, q: &[f64], v: &[f64], a: &[f64]) -> Swept {
    let (relative, shift) = node.joint.pose(q, &node.base);
    let r = node.mount.r.times(&relative);
    let t = node.mount.point(shift);
    let columns = node.joint.columns(&relative);
    let (mut speed, mut rate) = (super::Twist::ZERO, super::Twist::ZERO);
    let mut on_parent = Vec3::ZERO;
    for k in 0..node.joint.dof() {
        speed += columns[k] * v[k];
        rate += columns[k] * a[k];
        if node.joint.rides_on_parent(k) {
            on_parent += columns[k].w * v[k];
        }
    }
    // Columns fixed in the parent turn backwards as seen from the child. For displacements that is
    // the difference between the derivative in the child and that in the parent, which is the one
    // the acceleration of a point takes.
    let carried = r.apply_transposed(parent.omega);
    let omega = carried + speed.w;
    let alpha = r.apply_transposed(parent.alpha) + carried.cross(speed.w) + rate.w
        - speed.w.cross(on_parent);
    let accel = r.apply_transposed(parent.accel + parent.field.apply(t))
        + carried.cross(speed.v) * 2.0
        + rate.v;
    Swept {
        r,
        t,
        load: Wrench::ZERO,
        omega,
        alpha,
        accel,
        field: field(omega, alpha),
    }
}
