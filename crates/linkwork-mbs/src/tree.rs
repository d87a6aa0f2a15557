//! Trees of bodies in joint coordinates: recursions whose cost grows with the number of bodies.
//!
//! ```text
//!  inverse dynamics   tau = M a + c(q, v) - J' f_ext    rnea.rs         O(N)
//!  forward dynamics   a = M^-1 (tau - c + J' f_ext)     aba.rs          O(N)
//!  mass matrix        M, and M = L' L by branches       crba.rs, ltl.rs O(N d), d the depth
//!  derivatives        d tau / d(q, v)                   derivatives.rs  O(N d)
//!  d a / d(q, v, tau)                               forward_derivatives.rs   O(N^2)
//! ```
//!
//! Bodies are numbered so that parents come first. The frame of a body is the child frame of its
//! joint, whose axis is the third axis, so that no recursion multiplies by a general axis. Inverse
//! dynamics runs in body axes; everything that carries inertias towards the root runs in world axes
//! with the origin of each body as its reference point. World axes save the rotation of
//! articulated inertias, and local reference points keep the digits of long chains.
//!
//! Sources: Featherstone (2008) for the recursions and the factors by branches; Luh, Walker & Paul
//! (1980) for accelerations of points in inverse dynamics; Carpentier & Mansard (2018) for the
//! structure of the derivatives, derived here for columns that turn relative to the body.

pub mod aba;
pub mod branches;
pub mod crba;
pub mod derivatives;
pub mod dynamics;
pub mod explicit;
pub mod forward_derivatives;
pub mod inertia;
pub mod joint_coordinates;
pub mod kinematics;
pub mod ltl;
pub mod mobility;
pub mod rnea;
mod small;
pub mod spatial;
pub mod topology;
pub mod vector;

pub use aba::Aba;
pub use branches::Branches;
pub use crba::Crba;
pub use derivatives::Derivatives;
pub use dynamics::{Dynamics, DynamicsError};
pub use explicit::Explicit;
pub use forward_derivatives::ForwardDerivatives;
pub use inertia::{Inertia, Placement};
pub use joint_coordinates::JointCoordinates;
pub use kinematics::Kinematics;
pub use ltl::Ltl;
pub use mobility::Mobility;
pub use rnea::Rnea;
pub use spatial::{Mat3, Sym3, Twist, Vec3, Wrench};

use std::ops::Range;

/// Why a body cannot be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TreeError {
    /// The parent is not a body of this tree.
    #[error("the parent is not a body of this tree")]
    UnknownParent,
    /// Numbers that are not finite, a negative mass, or axes that are no rotation.
    #[error("the {0} is not finite, negative or no rotation")]
    NotSound(&'static str),
}

/// A frame on a body, or on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    body: Option<u32>,
    place: Placement,
}

impl Frame {
    /// The ground.
    pub const GROUND: Frame = Frame {
        body: None,
        place: Placement::IDENTITY,
    };

    /// Index of the body that carries the frame; `None` for the ground.
    pub fn body(&self) -> Option<usize> {
        self.body.map(|b| b as usize)
    }

    /// The frame in the frame of its body.
    pub fn place(&self) -> &Placement {
        &self.place
    }

    /// Another frame, given in this one.
    pub fn then(&self, inner: &Placement) -> Frame {
        Frame {
            body: self.body,
            place: self.place.then(inner),
        }
    }
}

/// One body with the joint that carries it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    parent: Option<u32>,
    dof: u32,
    joint: Mobility,
    /// Joint frame on the parent body.
    mount: Placement,
    /// Base orientation of a rotation vector.
    base: Mat3,
    inertia: Inertia,
    /// Second moments of mass of the same body.
    moments: Sym3,
    /// Inertia of the joint's own coordinate, of joints with one coordinate.
    armature: f64,
    sweep: Sweep,
}

/// How sweeps pass between a body and its parent. Along a chain everything is handed from one body to
/// the next; only a body that is the parent of later ones elsewhere needs a place to collect in.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sweep {
    /// The parent is the body just before.
    chained: bool,
    /// The body just after is chained to this one.
    continued: bool,
    /// Where children that are not chained are collected.
    slot: Option<u32>,
}

impl Node {
    /// Whether it is a hinge, for which the recursions have a short cut.
    #[inline]
    fn turns(&self) -> bool {
        // comparing kinds would compare pitches of screws as well
        matches!(self.joint, Mobility::Revolute)
    }

    #[inline]
    fn dofs(&self) -> Range<usize> {
        let from = self.dof as usize;
        from..from + self.joint.dof()
    }
}

/// A tree of bodies.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    nodes: Vec<Node>,
    nv: usize,
    /// Number of places in [`Sweep::slot`].
    slots: u32,
    gravity: Vec3,
}

impl Tree {
    /// A tree without bodies under the given gravity.
    pub fn new(gravity: Vec3) -> Tree {
        Tree {
            gravity,
            ..Tree::default()
        }
    }

    /// Adds a body on `parent`: joint frames on both, and the inertia in the frame of the new body.
    /// Returns that frame.
    pub fn add(
        &mut self,
        parent: &Frame,
        joint: Mobility,
        on_parent: &Placement,
        on_child: &Placement,
        inertia: &Inertia,
    ) -> Result<Frame, TreeError> {
        self.check(parent, on_parent, on_child, inertia)?;
        if matches!(joint, Mobility::Screw { pitch } if !pitch.is_finite()) {
            return Err(TreeError::NotSound("pitch"));
        }
        let place = on_child.inverse();
        let inertia = place.inertia(inertia);
        let index = self.nodes.len() as u32;
        let chained = parent.body.is_some_and(|p| p + 1 == index);
        if let Some(p) = parent.body() {
            let sweep = &mut self.nodes[p].sweep;
            if chained {
                sweep.continued = true;
            } else if sweep.slot.is_none() {
                sweep.slot = Some(self.slots);
                self.slots += 1;
            }
        }
        self.nodes.push(Node {
            parent: parent.body,
            dof: self.nv as u32,
            joint,
            mount: parent.place.then(on_parent),
            base: Mat3::IDENTITY,
            inertia,
            moments: inertia.second_moments(),
            armature: 0.0,
            sweep: Sweep {
                chained,
                ..Sweep::default()
            },
        });
        self.nv += joint.dof();
        Ok(Frame {
            body: Some(index),
            place,
        })
    }

    /// Fixes a body to `parent`: its inertia becomes part of the parent's. Returns its frame.
    pub fn weld(
        &mut self,
        parent: &Frame,
        at: &Placement,
        inertia: &Inertia,
    ) -> Result<Frame, TreeError> {
        self.check(parent, at, &Placement::IDENTITY, inertia)?;
        let frame = parent.then(at);
        if let Some(body) = frame.body() {
            let node = &mut self.nodes[body];
            node.inertia += frame.place.inertia(inertia);
            node.moments = node.inertia.second_moments();
        }
        Ok(frame)
    }

    fn check(
        &self,
        parent: &Frame,
        on_parent: &Placement,
        on_child: &Placement,
        inertia: &Inertia,
    ) -> Result<(), TreeError> {
        if parent.body().is_some_and(|b| b >= self.nodes.len()) {
            return Err(TreeError::UnknownParent);
        }
        let placed = on_parent.is_sound() && on_child.is_sound() && parent.place.is_sound();
        if !placed {
            return Err(TreeError::NotSound("joint frame"));
        }
        if !inertia.is_sound() {
            return Err(TreeError::NotSound("inertia"));
        }
        Ok(())
    }

    /// The place where a body collects from its parent's point of view: that of the parent.
    #[inline]
    fn slot_of_parent(&self, node: &Node) -> usize {
        let slot = node.parent.and_then(|p| self.nodes[p as usize].sweep.slot);
        slot.map_or(0, |s| s as usize)
    }

    /// Number of bodies that move.
    pub fn bodies(&self) -> usize {
        self.nodes.len()
    }

    /// Number of coordinates, and of speeds.
    pub fn nv(&self) -> usize {
        self.nv
    }

    /// Gravity.
    pub fn gravity(&self) -> Vec3 {
        self.gravity
    }

    /// The parent of a body; `None` for one on the ground.
    pub fn parent(&self, body: usize) -> Option<usize> {
        self.nodes[body].parent.map(|p| p as usize)
    }

    /// The joint that carries a body.
    pub fn joint(&self, body: usize) -> Mobility {
        self.nodes[body].joint
    }

    /// Coordinates of a body's joint.
    pub fn dofs(&self, body: usize) -> Range<usize> {
        self.nodes[body].dofs()
    }

    /// The frame of a body itself: the child frame of its joint.
    pub fn frame_of(&self, body: usize) -> Frame {
        Frame {
            body: Some(body as u32),
            place: Placement::IDENTITY,
        }
    }

    /// Inertia of a body in its frame.
    pub fn inertia(&self, body: usize) -> &Inertia {
        &self.nodes[body].inertia
    }

    /// Gives the coordinate of a joint an inertia of its own, that of a rotor; joints with several coordinates
    /// have none.
    pub fn set_armature(&mut self, body: usize, inertia: f64) {
        let node = &mut self.nodes[body];
        if node.joint.dof() == 1 {
            node.armature = inertia;
        }
    }

    /// The body that each coordinate belongs to.
    pub fn body_of_dof(&self) -> Vec<u32> {
        let bodies = 0..self.nodes.len() as u32;
        let of = |(b, n): (u32, &Node)| std::iter::repeat_n(b, n.joint.dof());
        bodies.zip(&self.nodes).flat_map(of).collect()
    }

    /// Base orientation of a joint with a rotation vector: the child's axes where the vector is 0.
    pub fn base(&self, body: usize) -> &Mat3 {
        &self.nodes[body].base
    }

    /// Sets the base orientation of a joint with a rotation vector.
    pub fn set_base(&mut self, body: usize, base: Mat3) {
        self.nodes[body].base = base;
    }

    /// Sets where a body is mounted on its parent.
    pub(crate) fn set_mount(&mut self, body: usize, mount: Placement) {
        self.nodes[body].mount = mount;
    }

    /// Moves every rotation vector into its base orientation and sets it to 0; the pose stays.
    pub fn rebase(&mut self, q: &mut [f64]) {
        for node in &mut self.nodes {
            if let Some(at) = node.joint.rotation_vector() {
                let psi = &mut q[node.dof as usize + at..][..3];
                node.base = node.base.times(&Mat3::exp(Vec3::read(psi)));
                psi.fill(0.0);
            }
        }
    }
}
