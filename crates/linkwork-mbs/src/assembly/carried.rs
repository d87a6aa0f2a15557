//! What a system in other coordinates has to know of an assembly: its bodies and joints one by one.

use super::Assembly;
use crate::assemble::{GROUND, Motion};
use crate::curve::Curve;
use crate::spatial::geometry::{Frame, Matrix, Pose};
use crate::tree::topology::Hinge;
use linkwork_dae::rotation::Quaternion;
use std::ops::Range;

/// The coordinates of a body in the plane, among dx, dy, dz and rotations about x, y, z.
const IN_PLANE: [&[usize]; 2] = [&[0, 1], &[0, 1, 5]];

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

/// Rows of the whole from those of a joint.
fn prescribed(first: usize, own: Vec<(usize, &Curve)>) -> Vec<(usize, Curve)> {
    own.into_iter()
        .map(|(row, curve)| (first + row, curve.clone()))
        .collect()
}

impl Assembly {
    /// All bodies.
    pub(crate) fn carried(&self) -> Vec<Carried> {
        if let Some(space) = &self.plan.space {
            let one = |body: &crate::assemble::SpaceBodyPlan| Carried {
                name: body.name.clone(),
                first: body.first,
                freedoms: body.freedoms,
                freedom: match body.motion {
                    Motion::Rigid { rotation } => Freedom::Space(rotation),
                    Motion::Planar { .. } => Freedom::Plane,
                    Motion::Point => Freedom::Point,
                },
            };
            return space.bodies.iter().map(one).collect();
        }
        let one = |body: &crate::assemble::BodyPlan| Carried {
            name: body.name.clone(),
            first: body.first,
            freedoms: IN_PLANE[usize::from(body.coordinates == 3)],
            freedom: if body.coordinates == 3 {
                Freedom::Plane
            } else {
                Freedom::PointInPlane
            },
        };
        self.plan.bodies.iter().map(one).collect()
    }

    /// All joints.
    pub(crate) fn connections(&self) -> Vec<Connection> {
        if let Some(space) = &self.plan.space {
            let one = |j: &crate::assemble::SpaceJointPlan| Connection {
                name: j.name.clone(),
                kind: j.joint.kind(),
                a: j.a,
                b: j.b,
                rows: j.row..j.row + j.rows,
                velocity_rows: j.velocity_row..j.velocity_row + j.velocity_rows,
                hinge: j.joint.hinge(),
                prescribed: prescribed(j.row, j.joint.prescribed()),
            };
            return space.joints.iter().map(one).collect();
        }
        let one = |j: &crate::assemble::JointPlan| Connection {
            name: j.name.clone(),
            kind: j.joint.kind(),
            a: j.places.a,
            b: j.places.b,
            rows: j.places.row..j.places.row + j.places.rows,
            velocity_rows: 0..0,
            hinge: j.joint.hinge(),
            prescribed: prescribed(j.places.row, j.joint.prescribed()),
        };
        self.plan.joints.iter().map(one).collect()
    }

    /// Whether anything reads signals, and coordinates through them.
    pub(crate) fn has_signals(&self) -> bool {
        !self.plan.wiring.nodes.is_empty()
    }

    /// Whether the model is in the plane.
    pub(crate) fn in_plane(&self) -> bool {
        self.plan.space.is_none()
    }

    /// Poses and velocities of all bodies at a point.
    pub(crate) fn frames_at(&mut self, q: &[f64], v: &[f64]) -> Vec<Frame> {
        self.place(q, v);
        if let Some(space) = &self.space {
            return space.placed()[GROUND + 1..].to_vec();
        }
        let lift = |f: &crate::space::Frame| {
            let (s, c) = (f.pose.sin, f.pose.cos);
            let rotation: Matrix = [[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]];
            Frame {
                pose: Pose {
                    position: [f.pose.x, f.pose.y, 0.0],
                    rotation,
                },
                velocity: [f.velocity[0], f.velocity[1], 0.0],
                omega: [0.0, 0.0, f.omega],
            }
        };
        self.frames[GROUND + 1..].iter().map(lift).collect()
    }

    /// Places a body for the next pass; the angle is that of a body in the plane.
    pub(crate) fn enter_frame(&mut self, body: usize, frame: &Frame, angle: f64) {
        if let Some(space) = &mut self.space {
            return space.enter_frame(body, frame);
        }
        let [x, y, _] = frame.pose.position;
        let [[cos, _, _], [sin, _, _], _] = frame.pose.rotation;
        let own = &mut self.frames[GROUND + 1 + body];
        own.pose = crate::space::Pose {
            x,
            y,
            angle,
            sin,
            cos,
        };
        own.velocity = [frame.velocity[0], frame.velocity[1]];
        own.omega = frame.omega[2];
    }

    /// Coordinates of a rotation about its base.
    pub(crate) fn rotation_vector(&self, k: usize, orientation: Quaternion) -> [f64; 3] {
        let space = self.space.as_ref();
        space.map_or([0.0; 3], |s| s.rotation_vector(k, orientation))
    }

    /// From now on evaluations leave these joints out, one entry for each joint; their rows keep
    /// whatever they hold.
    pub(crate) fn leave_out(&mut self, joints: &[bool]) {
        self.left_out.resize(joints.len(), false);
        self.left_out.copy_from_slice(joints);
        if let Some(space) = &mut self.space {
            space.leave_out(joints);
        }
    }
}
