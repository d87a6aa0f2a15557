//! Loop closures: what a cut joint between two bodies of a tree needs.
//!
//! The cut joint knows its own equations `C` of two frames. Where their rate is
//!
//! ```text
//!  C' = E_a' V_a + E_b' V_b + C_t,      V = (omega, velocity of the frame's origin)
//! ```
//!
//! with one force `E_a, E_b` for each equation (world axes, about the origins of the frames), the tree
//! supplies the rest: `G = E_a' J_a + E_b' J_b` over both paths, and the accelerations of both origins
//! at resting joints, which give `gamma = -(E_a' A_a + E_b' A_b) - (dE/dt terms of the joint)`. These
//! are accelerations of points: the spatial acceleration plus `omega x v`.

use super::branches::Branches;
use super::spatial::{Force, Motion};
use super::{Frame, Kinematics, Placement, Tree};

/// A coordinate on one or both paths of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathDof {
    /// The coordinate.
    pub dof: usize,
    /// Its body.
    pub body: usize,
    /// Whether it moves the first frame.
    pub on_a: bool,
    /// Whether it moves the second frame.
    pub on_b: bool,
}

/// One side of a loop at a state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Side {
    /// The frame in the world.
    pub place: Placement,
    /// Angular velocity, and velocity of the frame's origin.
    pub velocity: Motion,
    /// Angular acceleration and acceleration of the origin, of whatever joint accelerations the
    /// kinematics were made with.
    pub acceleration: Motion,
}

/// Two frames of a tree that a cut joint connects.
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    a: Frame,
    b: Frame,
    path: Vec<PathDof>,
}

impl Loop {
    /// The loop between two frames.
    pub fn new(tree: &Tree, branches: &Branches, a: &Frame, b: &Frame) -> Loop {
        let last = |f: &Frame| f.body().map(|b| tree.dofs(b).end - 1);
        let mark = |f: &Frame| {
            let mut on = vec![false; tree.nv()];
            if let Some(last) = last(f) {
                for k in branches.path(last) {
                    on[k] = true;
                }
            }
            on
        };
        let (on_a, on_b) = (mark(a), mark(b));
        let body = tree.body_of_dof();
        Loop {
            a: *a,
            b: *b,
            path: (0..tree.nv())
                .filter(|&k| on_a[k] || on_b[k])
                .map(|dof| PathDof {
                    dof,
                    body: body[dof] as usize,
                    on_a: on_a[dof],
                    on_b: on_b[dof],
                })
                .collect(),
        }
    }

    /// The coordinates of both paths, ascending. Those on both move the frames as one: equations
    /// that only compare the frames have zeros there.
    pub fn path(&self) -> &[PathDof] {
        &self.path
    }

    /// Both frames. `kin` holds velocities and, for `gamma`, accelerations at resting joints
    /// ([`Kinematics::move_along`] without accelerations and without gravity).
    pub fn sides(&self, kin: &Kinematics) -> [Side; 2] {
        [&self.a, &self.b].map(|f| {
            let place = kin.frame(f);
            Side {
                place,
                velocity: kin.point_velocity(f, place.p),
                acceleration: kin.point_acceleration(f, place.p),
            }
        })
    }

    /// The rows of `G`, one for each pair of forces, over [`Loop::path`].
    pub fn jacobian(&self, kin: &Kinematics, e: &[[Force; 2]], out: &mut [f64]) {
        let [a, b] = [&self.a, &self.b].map(|f| kin.frame(f).p);
        for (row, [e_a, e_b]) in out.chunks_exact_mut(self.path.len().max(1)).zip(e) {
            for (g, k) in row.iter_mut().zip(&self.path) {
                let (j, p) = (kin.column[k.dof], kin.pose[k.body].p);
                *g = 0.0;
                if k.on_a {
                    *g += j.shifted(a - p).dot(*e_a);
                }
                if k.on_b {
                    *g += j.shifted(b - p).dot(*e_b);
                }
            }
        }
    }
}
