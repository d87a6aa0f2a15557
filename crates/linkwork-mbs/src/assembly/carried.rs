//! What a system in other coordinates has to know of an assembly: its bodies and joints one by one.

use super::Assembly;
use crate::assemble::{BodyPlan, GROUND, JointPlan, Motion};
use crate::curve::Curve;
use crate::geometry::Frame;
use crate::model::Axes;
use crate::tree::topology::Hinge;
use linkwork_dae::rotation::Quaternion;
use std::ops::Range;

/// What of a pass is the assembly's own, beside the elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Own {
    /// Poses from its coordinates, inertia and weight of the bodies.
    All,
    /// Inertia and weight; frames are those of [`Assembly::enter_frame`].
    Inertia,
    /// Nothing but the elements, at frames of [`Assembly::enter_frame`].
    Elements,
}

/// What the coordinates of a body mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Freedom {
    /// Position and rotation vector; number of the rotation.
    Space(usize),
    /// x, y and an angle.
    Plane,
    /// A position in space.
    Point,
    /// A position in the plane.
    PointInPlane,
    /// One number.
    Target,
}

/// A body in absolute coordinates.
#[derive(Clone, Debug)]
pub(crate) struct Carried {
    pub name: String,
    /// First coordinate.
    pub first: usize,
    /// What its coordinates are, among dx, dy, dz and rotations about x, y, z.
    pub freedoms: &'static [usize],
    pub freedom: Freedom,
}

/// A joint between two frames; 0 is the ground, body `i` is `i + 1`.
#[derive(Clone, Debug)]
pub(crate) struct Connection {
    pub name: String,
    pub kind: &'static str,
    pub a: usize,
    pub b: usize,
    pub rows: Range<usize>,
    pub velocity_rows: Range<usize>,
    pub hinge: Option<Hinge>,
    /// Rows that are a quantity minus a function of time, with the latter.
    pub prescribed: Vec<(usize, Curve)>,
}

impl Assembly {
    /// All bodies.
    pub(crate) fn carried(&self) -> Vec<Carried> {
        let one = |body: &BodyPlan| Carried {
            name: body.name.clone(),
            first: body.first,
            freedoms: body.freedoms,
            freedom: match body.motion {
                Motion::Rigid { rotation } => Freedom::Space(rotation),
                // refused in joint coordinates
                Motion::Mapped(map) => Freedom::Space(map),
                Motion::Planar { .. } => Freedom::Plane,
                Motion::Point => Freedom::Point,
                Motion::Bead { .. } => Freedom::PointInPlane,
                Motion::Target => Freedom::Target,
            },
        };
        self.plan.bodies.iter().map(one).collect()
    }

    /// All joints.
    pub(crate) fn connections(&self) -> Vec<Connection> {
        let one = |j: &JointPlan| {
            let to = &j.places;
            // the first part of a joint has its rows
            let first = !to.is_further();
            let row_of = |own: usize| to.rows().find(|(i, _)| *i == own).map(|(_, row)| row);
            let follows = j.joint.prescribed().into_iter();
            let is_point = |frame: usize| match frame.checked_sub(GROUND + 1) {
                Some(b) => !self.plan.bodies[b].freedoms.contains(&5),
                None => false,
            };
            let points = [to.a, to.b].into_iter().filter(|f| is_point(*f)).count();
            Connection {
                name: j.name.clone(),
                kind: j.joint.kind(),
                a: to.a,
                b: to.b,
                rows: to.row..to.row + if first { to.rows } else { 0 },
                velocity_rows: to.velocity_row
                    ..to.velocity_row + if first { to.velocity_rows } else { 0 },
                hinge: match (j.joint.hinge().filter(|_| !to.stays), points) {
                    (hinge, 0) => hinge,
                    (hinge, _) => hinge.and_then(Hinge::of_a_point),
                },
                prescribed: follows
                    .filter_map(|(own, curve)| Some((row_of(own)?, curve.clone())))
                    .collect(),
            }
        };
        self.plan.joints.iter().map(one).collect()
    }

    /// Whether the model is in the plane.
    pub(crate) fn in_plane(&self) -> bool {
        self.plan.axes == Axes::Plane
    }

    /// Poses and velocities of all bodies at a point.
    pub(crate) fn frames_at(&mut self, q: &[f64], v: &[f64]) -> Vec<Frame> {
        self.place(q, v);
        self.turned.frames[GROUND + 1..].to_vec()
    }

    /// Whether anything reads signals, and coordinates through them.
    pub(crate) fn has_signals(&self) -> bool {
        !self.plan.wiring.nodes.is_empty()
    }

    /// Places a body for the next pass.
    pub(crate) fn enter_frame(&mut self, body: usize, frame: &Frame) {
        self.turned.enter(&self.plan, body, frame);
    }

    /// Coordinates of a rotation about its base.
    pub(crate) fn rotation_vector(&self, k: usize, orientation: Quaternion) -> [f64; 3] {
        self.turned.rotation_vector(k, orientation)
    }

    /// From now on evaluations leave these joints out, one entry for each joint; their rows keep
    /// whatever they hold.
    pub(crate) fn leave_out(&mut self, joints: &[bool]) {
        self.left_out.resize(joints.len(), false);
        self.left_out.copy_from_slice(joints);
    }
}
