//! Forward dynamics by articulated bodies: accelerations from forces, O(N).
//!
//! Featherstone (2008, chapter 7), in world axes about body origins and with accelerations of body
//! origins instead of spatial ones, so that linear velocities are not needed:
//!
//! ```text
//!  c   = (w_p x s v,  w_p x (w_p x r))                revolute about s, r from parent to child
//!  p   = (w x I w,  w x (w x h))                      load of the motion
//!  U = IA J,  D = J' U,  u = tau - J' p               from the leaves
//!  IA_p += X' (IA - U D^-1 U') X,   p_p += X' (p + (IA - U D^-1 U') c + U D^-1 u)
//!  a = D^-1 (u - U' (X a_p + c))                      from the root
//! ```
//!
//! A joint without inertia (`D` not positive) has no acceleration; it is named.

mod columns;

pub use columns::Columns;

use super::kinematics::BodyPose;
use super::mobility::MOST_DOF;
use super::small::{Small, inverted};
use super::spatial::{Mat3, Sym3, Twist, Vec3, Wrench};
use super::vector::linear;
use super::{Inertia, Kinematics, Node, Tree};
use linkwork_dae::linear::Singular;

/// `n = I alpha + H a`, `f = H' alpha + M a`.
#[derive(Clone, Copy, Debug, Default)]
struct Articulated {
    i: Sym3,
    h: Mat3,
    m: Sym3,
}

impl Articulated {
    #[inline]
    fn apply(&self, a: Twist) -> Wrench {
        Wrench::new(
            self.i.apply(a.w) + self.h.apply(a.v),
            self.h.apply_transposed(a.w) + self.m.apply(a.v),
        )
    }

    /// A rigid body.
    #[inline]
    fn rigid(o: &Inertia) -> Articulated {
        Articulated {
            i: o.i,
            h: Mat3::skew(o.h),
            m: Sym3::scalar(o.m),
        }
    }

    /// The same about the point that lies back by `arm`.
    #[inline]
    fn shifted_back(&self, arm: Vec3) -> Articulated {
        // H' = H + [r] M;  I' = I + [r] H^T + H [r]^T + [r] M [r]^T
        //    = I + ([r] G^T) + ([r] G^T)^T,  G = H + [r] M / 2
        let rm = self.m.matrix().crossed_by(arm);
        let g = (self.h + rm * 0.5).transposed();
        Articulated {
            i: self.i + Sym3::twice_symmetric_part(&g.crossed_by(arm)),
            h: self.h + rm,
            m: self.m,
        }
    }

    /// Subtracts `k u u'`.
    #[inline]
    fn subtract_square(&mut self, u: Wrench, k: f64) {
        let (n, f) = (u.n * k, u.f * k);
        self.i = self.i - Sym3::upper(n, u.n);
        self.h.x -= u.n * f.x;
        self.h.y -= u.n * f.y;
        self.h.z -= u.n * f.z;
        self.m = self.m - Sym3::upper(f, u.f);
    }
}

linear!(Articulated { i, h, m });

/// What is kept of a body between the sweeps.
#[derive(Clone, Copy, Debug, Default)]
struct Pass {
    pose: BodyPose,
    omega: Vec3,
    /// Bias acceleration of the joint.
    c: Twist,
    p: Wrench,
    inertia: Inertia,
}

/// Inertia and load that a body hands to its parent.
#[derive(Clone, Copy, Debug, Default)]
struct Handed {
    inertia: Articulated,
    p: Wrench,
}

impl Handed {
    #[inline]
    fn shifted_back(&self, arm: Vec3) -> Handed {
        Handed {
            inertia: self.inertia.shifted_back(arm),
            p: self.p.shifted_back(arm),
        }
    }
}

linear!(Handed { inertia, p });

/// Of each joint coordinate: column, `U`, and `u` or, divided by `D`, the acceleration at rest.
#[derive(Clone, Copy, Debug, Default)]
struct Column {
    j: Twist,
    u: Wrench,
    /// `u / D` where there is one coordinate.
    rate: f64,
    /// `1 / D` where there is one coordinate.
    per_d: f64,
}

/// Forward dynamics of one tree.
#[derive(Clone, Debug, Default)]
pub struct Aba {
    pass: Vec<Pass>,
    column: Vec<Column>,
    /// `D^-1` of joints with several coordinates, by body.
    inverse: Vec<Small>,
    /// Index into `inverse`.
    several: Vec<u32>,
    collected: Vec<Handed>,
    /// Accelerations that bodies keep for children further on: angular, and of the origin.
    kept: Vec<Twist>,
}

impl Aba {
    /// Room for a tree.
    pub fn new(tree: &Tree) -> Aba {
        let mut several = vec![0; tree.bodies()];
        let mut count = 0;
        for (s, node) in several.iter_mut().zip(&tree.nodes) {
            *s = count;
            count += u32::from(node.joint.dof() > 1);
        }
        Aba {
            pass: vec![Pass::default(); tree.bodies()],
            column: vec![Column::default(); tree.nv()],
            inverse: vec![Small::default(); count as usize],
            several,
            collected: vec![Handed::default(); tree.slots as usize],
            kept: vec![Twist::ZERO; tree.slots as usize],
        }
    }

    /// Accelerations at `(q, v)` under the joint forces `tau`. `external` are forces on the bodies,
    /// each in the frame of its body, or empty. On failure the first coordinate of a joint is named
    /// that has no inertia, or whose inertia is not finite.
    pub fn run(
        &mut self,
        tree: &Tree,
        q: &[f64],
        v: &[f64],
        tau: &[f64],
        external: &[Wrench],
        a: &mut [f64],
    ) -> Result<(), Singular> {
        self.place(tree, q, v);
        for (i, f) in external.iter().enumerate().take(tree.bodies()) {
            self.push(i, f.turned(&self.pass[i].pose.r));
        }
        self.solve(tree, tau, a)
    }

    /// Poses and loads of the motion, the first act of [`Aba::run`].
    pub(super) fn place(&mut self, tree: &Tree, q: &[f64], v: &[f64]) {
        for i in 0..tree.nodes.len() {
            self.outward(tree, i, q, v);
        }
    }

    /// Poses and velocities as they were placed.
    pub(super) fn hand_over(&self, tree: &Tree, v: &[f64], kin: &mut Kinematics) {
        for (i, (node, pass)) in tree.nodes.iter().zip(&self.pass).enumerate() {
            let mut velocity = match node.parent {
                Some(p) => kin.v[p as usize].shifted(pass.pose.arm),
                None => Twist::ZERO,
            };
            velocity.w = pass.omega;
            if !node.turns() {
                for k in node.dofs() {
                    velocity.v += self.column[k].j.v * v[k];
                }
            }
            kin.pose[i] = pass.pose;
            kin.v[i] = velocity;
        }
    }

    /// A force on a body, in world axes about its origin; the second act.
    #[inline]
    pub(super) fn push(&mut self, body: usize, f: Wrench) {
        self.pass[body].p = self.pass[body].p - f;
    }

    /// Accelerations; the last act.
    pub(super) fn solve(
        &mut self,
        tree: &Tree,
        tau: &[f64],
        a: &mut [f64],
    ) -> Result<(), Singular> {
        self.collected.fill(Handed::default());
        let mut carried = Handed::default();
        for i in (0..tree.nodes.len()).rev() {
            let node = &tree.nodes[i];
            let pass = &self.pass[i];
            let mut all = Handed {
                inertia: Articulated::rigid(&pass.inertia),
                p: pass.p,
            };
            let (arm, c) = (pass.pose.arm, pass.c);
            if node.sweep.continued {
                all += carried;
            }
            if let Some(slot) = node.sweep.slot {
                all += self.collected[slot as usize];
            }
            let done = if node.joint.dof() == 1 {
                self.inward_one(node, &mut all, c, tau[node.dof as usize])
            } else {
                self.inward_several(node, i, &mut all, c, &tau[node.dofs()])
            };
            if !done {
                return Err(Singular {
                    column: node.dof as usize,
                });
            }
            if node.sweep.chained {
                carried = all.shifted_back(arm);
            } else if node.parent.is_some() {
                self.collected[tree.slot_of_parent(node)] += all.shifted_back(arm);
            }
        }
        let mut last = Twist::ZERO;
        for i in 0..tree.nodes.len() {
            let node = &tree.nodes[i];
            let Pass { pose, c, .. } = &self.pass[i];
            let a_p = match node.parent {
                Some(_) if node.sweep.chained => last,
                Some(_) => self.kept[tree.slot_of_parent(node)],
                None => Twist::new(Vec3::ZERO, -tree.gravity),
            };
            let mut a_i = a_p.shifted(pose.arm) + *c;
            if node.joint.dof() == 1 {
                let k = node.dof as usize;
                let Column { j, u, rate, per_d } = self.column[k];
                a[k] = rate - a_i.dot(u) * per_d;
                a_i += j * a[k];
            } else {
                let inverse = &self.inverse[self.several[i] as usize];
                let mut wanted = [0.0; MOST_DOF];
                for (w, at) in wanted.iter_mut().zip(node.dofs()) {
                    *w = self.column[at].rate - a_i.dot(self.column[at].u);
                }
                for (k, at) in node.dofs().enumerate() {
                    a[at] = (0..MOST_DOF).map(|l| inverse[k][l] * wanted[l]).sum();
                    a_i += self.column[at].j * a[at];
                }
            }
            last = a_i;
            if let Some(slot) = node.sweep.slot {
                self.kept[slot as usize] = a_i;
            }
        }
        Ok(())
    }

    #[inline]
    fn outward(&mut self, tree: &Tree, i: usize, q: &[f64], v: &[f64]) {
        let node = &tree.nodes[i];
        let (parent, w_p) = match node.parent {
            Some(p) => (&self.pass[p as usize].pose, self.pass[p as usize].omega),
            None => (&BodyPose::GROUND, Vec3::ZERO),
        };
        let (pose, speed, bend) = if node.turns() {
            let k = node.dof as usize;
            let pose = BodyPose::turned(node, parent, q[k]);
            self.column[k].j = Twist::new(pose.r.z, Vec3::ZERO);
            (pose, Twist::new(pose.r.z * v[k], Vec3::ZERO), Twist::ZERO)
        } else {
            general(node, parent, q, v, &mut self.column[node.dofs()])
        };
        let omega = w_p + speed.w;
        let c = Twist::new(
            w_p.cross(speed.w) + bend.w,
            w_p.cross(w_p.cross(pose.arm) + speed.v * 2.0) + bend.v,
        );
        let moved = node.inertia.turned(&pose.r);
        let p = Wrench::new(
            omega.cross(moved.i.apply(omega)),
            omega.cross(omega.cross(moved.h)),
        );
        self.pass[i] = Pass {
            pose,
            omega,
            c,
            p,
            inertia: moved,
        };
    }

    /// Takes the joint out of inertia and load; `false`: it has no inertia.
    #[inline]
    fn inward_one(&mut self, node: &Node, all: &mut Handed, c: Twist, tau: f64) -> bool {
        let column = &mut self.column[node.dof as usize];
        let u = if node.turns() {
            let s = column.j.w;
            Wrench::new(all.inertia.i.apply(s), all.inertia.h.apply_transposed(s))
        } else {
            all.inertia.apply(column.j)
        };
        let d = column.j.dot(u) + node.armature;
        let per_d = 1.0 / d;
        let rate = (tau - column.j.dot(all.p)) * per_d;
        column.u = u;
        column.per_d = per_d;
        column.rate = rate;
        all.inertia.subtract_square(u, per_d);
        all.p += all.inertia.apply(c) + u * rate;
        d > 0.0
    }

    /// The same for several coordinates; `false`: there is no inertia in some direction.
    fn inward_several(
        &mut self,
        node: &Node,
        i: usize,
        all: &mut Handed,
        c: Twist,
        tau: &[f64],
    ) -> bool {
        let nd = node.joint.dof();
        let columns = &mut self.column[node.dofs()];
        let mut d = Small::default();
        for k in 0..nd {
            columns[k].u = all.inertia.apply(columns[k].j);
            columns[k].rate = tau[k] - columns[k].j.dot(all.p);
        }
        for k in 0..nd {
            for l in 0..nd {
                d[k][l] = columns[k].j.dot(columns[l].u);
            }
        }
        let Some(inverse) = inverted(d, nd) else {
            return false;
        };
        self.inverse[self.several[i] as usize] = inverse;
        for k in 0..nd {
            let rate: f64 = (0..nd).map(|l| inverse[k][l] * columns[l].rate).sum();
            all.p += columns[k].u * rate;
        }
        // one coordinate after the other: what each takes away of the inertia is of rank one
        let mut sound = true;
        for column in columns.iter() {
            let u = all.inertia.apply(column.j);
            let d = column.j.dot(u);
            sound &= d > 0.0;
            all.inertia.subtract_square(u, 1.0 / d);
        }
        all.p += all.inertia.apply(c);
        sound
    }
}

/// BodyPose, relative velocity and what columns fixed in the parent add to the acceleration.
fn general(
    node: &Node,
    parent: &BodyPose,
    q: &[f64],
    v: &[f64],
    column: &mut [Column],
) -> (BodyPose, Twist, Twist) {
    let (pose, relative) = BodyPose::next(node, parent, q);
    let columns = node.joint.columns(&relative);
    let (mut speed, mut on_parent) = (Twist::ZERO, Vec3::ZERO);
    for (k, (at, to)) in node.dofs().zip(column).enumerate() {
        to.j = columns[k].turned(&pose.r);
        speed += to.j * v[at];
        if node.joint.rides_on_parent(k) {
            on_parent += to.j.w * v[at];
        }
    }
    let bend = Twist::new(on_parent.cross(speed.w), Vec3::ZERO);
    (pose, speed, bend)
}
