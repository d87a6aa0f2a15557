//! Poses, joint columns, velocities and accelerations of all bodies, in world axes.
//!
//! The reference point of each body's motion is its own origin:
//!
//! ```text
//!  v_i = v_p + J v,    a_i = a_p + J a + v_i x (J v) - (J v) x w,    w = sum of J_k v_k, k on the parent
//! ```
//!
//! with `v_p`, `a_p` shifted to the origin of `i`. Accelerations are spatial ones; see
//! [`Kinematics::point_acceleration`] for those of points.

use super::spatial::{Mat3, Twist, Vec3};
use super::{Frame, Node, Placement, Tree};

/// Pose of one body in the world.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BodyPose {
    pub r: Mat3,
    pub p: Vec3,
    /// From the origin of the parent to this one.
    pub arm: Vec3,
}

impl BodyPose {
    /// The pose of a body from that of its parent, and its axes in the parent's joint frame.
    #[inline]
    pub fn next(node: &Node, parent: &BodyPose, q: &[f64]) -> (BodyPose, Mat3) {
        let (relative, shift) = node.joint.pose(&q[node.dofs()], &node.base);
        let frame = parent.r.times(&node.mount.r);
        let arm = parent.r.apply(node.mount.p) + frame.apply(shift);
        let pose = BodyPose {
            r: frame.times(&relative),
            p: parent.p + arm,
            arm,
        };
        (pose, relative)
    }

    /// The same for a revolute joint.
    #[inline]
    pub fn turned(node: &Node, parent: &BodyPose, q: f64) -> BodyPose {
        let (s, c) = q.sin_cos();
        let arm = parent.r.apply(node.mount.p);
        BodyPose {
            r: parent.r.times(&node.mount.r).turned_about_z(s, c),
            p: parent.p + arm,
            arm,
        }
    }

    pub const GROUND: BodyPose = BodyPose {
        r: Mat3::IDENTITY,
        p: Vec3::ZERO,
        arm: Vec3::ZERO,
    };
}

/// Kinematics of one tree at one state.
#[derive(Clone, Debug, Default)]
pub struct Kinematics {
    pub(super) pose: Vec<BodyPose>,
    /// Columns of the joint, at the origin of its child.
    pub(super) column: Vec<Twist>,
    pub(super) v: Vec<Twist>,
    pub(super) a: Vec<Twist>,
}

impl Kinematics {
    /// Room for a tree.
    pub fn new(tree: &Tree) -> Kinematics {
        Kinematics {
            pose: vec![BodyPose::default(); tree.bodies()],
            column: vec![Twist::ZERO; tree.nv()],
            v: vec![Twist::ZERO; tree.bodies()],
            a: vec![Twist::ZERO; tree.bodies()],
        }
    }

    /// Poses and columns at `q`.
    pub fn place(&mut self, tree: &Tree, q: &[f64]) {
        for i in 0..tree.nodes.len() {
            self.place_body(tree, i, q);
        }
    }

    #[inline]
    pub(super) fn place_body(&mut self, tree: &Tree, i: usize, q: &[f64]) {
        let node = &tree.nodes[i];
        let parent = match node.parent {
            Some(p) => &self.pose[p as usize],
            None => &BodyPose::GROUND,
        };
        let k = node.dof as usize;
        if node.turns() {
            let pose = BodyPose::turned(node, parent, q[k]);
            self.column[k] = Twist::new(pose.r.z, Vec3::ZERO);
            self.pose[i] = pose;
        } else {
            let (pose, relative) = BodyPose::next(node, parent, q);
            let columns = node.joint.columns(&relative);
            for (to, s) in self.column[node.dofs()].iter_mut().zip(&columns) {
                *to = s.turned(&pose.r);
            }
            self.pose[i] = pose;
        }
    }

    /// Velocities, and accelerations on top of the root acceleration `root` (0, or minus gravity).
    /// An empty `a` means 0: what is left is the bias.
    pub fn move_along(&mut self, tree: &Tree, v: &[f64], a: &[f64], root: Vec3) {
        for i in 0..tree.nodes.len() {
            self.move_body(tree, i, v, a, root);
        }
    }

    /// Velocities alone.
    pub(super) fn velocities(&mut self, tree: &Tree, v: &[f64]) {
        for (i, node) in tree.nodes.iter().enumerate() {
            let mut own = match node.parent {
                Some(p) => self.v[p as usize].shifted(self.pose[i].arm),
                None => Twist::ZERO,
            };
            for k in node.dofs() {
                own += self.column[k] * v[k];
            }
            self.v[i] = own;
        }
    }

    /// Moves one body; returns velocity and acceleration of its parent, seen from its origin.
    #[inline]
    pub(super) fn move_body(
        &mut self,
        tree: &Tree,
        i: usize,
        v: &[f64],
        a: &[f64],
        root: Vec3,
    ) -> (Twist, Twist) {
        let node = &tree.nodes[i];
        let arm = self.pose[i].arm;
        let (v_p, a_p) = match node.parent {
            Some(p) => (
                self.v[p as usize].shifted(arm),
                self.a[p as usize].shifted(arm),
            ),
            None => (Twist::ZERO, Twist::new(Vec3::ZERO, root)),
        };
        if node.turns() {
            let k = node.dof as usize;
            let s = self.column[k].w;
            let speed = s * v[k];
            let mut w = a_p.w + v_p.w.cross(speed);
            if let Some(&a) = a.get(k) {
                w += s * a;
            }
            self.v[i] = Twist::new(v_p.w + speed, v_p.v);
            self.a[i] = Twist::new(w, a_p.v + v_p.v.cross(speed));
            return (v_p, a_p);
        }
        let (mut speed, mut rate, mut on_parent) = (Twist::ZERO, Twist::ZERO, Twist::ZERO);
        for (k, at) in node.dofs().enumerate() {
            let column = self.column[at];
            speed += column * v[at];
            if let Some(&a) = a.get(at) {
                rate += column * a;
            }
            if node.joint.rides_on_parent(k) {
                on_parent += column * v[at];
            }
        }
        let v_i = v_p + speed;
        self.v[i] = v_i;
        self.a[i] = a_p + rate + v_i.cross(speed) - speed.cross(on_parent);
        (v_p, a_p)
    }

    /// Moves a body against its parent beside what its joint does, behind [`Kinematics::move_body`]: velocities and accelerations
    /// as a free joint has them, all in world axes at its origin.
    pub(super) fn carry(&mut self, i: usize, speed: Twist, rate: Twist) {
        let on_parent = Twist::new(Vec3::ZERO, speed.v);
        let v = self.v[i] + speed;
        self.v[i] = v;
        self.a[i] = self.a[i] + rate + v.cross(speed) - speed.cross(on_parent);
    }

    /// Moves a body so that its parent moves against it by these, at a point from which `arm` leads to its origin; behind [`Kinematics::move_body`].
    pub(super) fn carry_back(&mut self, i: usize, arm: Vec3, [speed, rate]: [Twist; 2]) {
        let back = Vec3::ZERO - arm;
        let on_parent = Twist::new(Vec3::ZERO, speed.v);
        // what move_body left is the motion of the parent
        let (v, a) = (self.v[i].shifted(back), self.a[i].shifted(back));
        self.v[i] = (v - speed).shifted(arm);
        self.a[i] = (a - rate - v.cross(speed) + speed.cross(on_parent)).shifted(arm);
    }

    /// A frame in the world.
    pub fn frame(&self, frame: &Frame) -> Placement {
        match frame.body() {
            Some(b) => Placement {
                r: self.pose[b].r.times(&frame.place.r),
                p: self.pose[b].p + self.pose[b].r.apply(frame.place.p),
            },
            None => frame.place,
        }
    }

    /// Angular velocity of a body and velocity of its point that is now at `p` of the world.
    pub fn point_velocity(&self, frame: &Frame, p: Vec3) -> Twist {
        match frame.body() {
            Some(b) => self.v[b].shifted(p - self.pose[b].p),
            None => Twist::ZERO,
        }
    }

    /// Angular acceleration of a body and acceleration of its point that is now at `p`: the spatial
    /// acceleration with `omega x v_p` added to its linear part.
    pub fn point_acceleration(&self, frame: &Frame, p: Vec3) -> Twist {
        match frame.body() {
            Some(b) => {
                let v = self.point_velocity(frame, p);
                let a = self.a[b].shifted(p - self.pose[b].p);
                Twist::new(a.w, a.v + v.w.cross(v.v))
            }
            None => Twist::ZERO,
        }
    }
}
