//! What a system in other coordinates has to know of an assembly: its bodies and joints one by one.

use super::Assembly;
use crate::assemble::{BodyPlan, CarrierPlan, GROUND, JointPlan, MotionKind};
use crate::carrier::{Carrier, FrameMap};
use crate::curve::Curve;
use crate::geometry::{Frame, Vector};
use crate::model::Axes;
use crate::tree::topology::Hinge;
use linkwork_dae::rotation::Quaternion;
use std::ops::Range;
use std::sync::Arc;

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
    /// Number of further coordinates, which are amplitudes of modes.
    pub modes: usize,
}

/// A joint between two frames; 0 is the ground, body `i` is `i + 1`.
#[derive(Clone, Debug)]
pub(crate) struct Connection {
    pub name: String,
    pub kind: &'static str,
    pub a: usize,
    pub b: usize,
    /// Frames of flexible bodies that modes move, where it sits on such.
    pub perches: [Option<usize>; 2],
    pub rows: Range<usize>,
    pub velocity_rows: Range<usize>,
    pub hinge: Option<Hinge>,
    /// Rows that are a quantity minus a function of time, with the latter.
    pub prescribed: Vec<(usize, Curve)>,
}

impl Assembly {
    /// All bodies, of flexible ones the floating frame.
    pub(crate) fn carried(&self) -> Vec<Carried> {
        let one = |body: &BodyPlan| Carried {
            name: body.name.clone(),
            first: body.first,
            freedoms: body.freedoms,
            freedom: match body.motion {
                MotionKind::Rigid { rotation } => Freedom::Space(rotation),
                MotionKind::Planar { .. } | MotionKind::Mapped(_) => Freedom::Plane,
                MotionKind::Point => Freedom::Point,
                MotionKind::Bead { .. } => Freedom::PointInPlane,
                MotionKind::Target => Freedom::Target,
            },
            modes: 0,
        };
        let selected = self.plan.bodies[..self.plan.selected].iter().map(one);
        let flexible = self.plan.carriers.iter().map(|c| {
            let freedoms = c.carrier.freedoms();
            Carried {
                name: c.name.clone(),
                first: c.coordinates.start,
                freedoms,
                freedom: c.rotation.map_or(Freedom::Plane, Freedom::Space),
                modes: c.coordinates.len() - freedoms.len(),
            }
        });
        selected.chain(flexible).collect()
    }

    /// The body of [`Assembly::carried`] that a frame belongs to, counted from 1, with its place on it where it is fixed to it,
    /// or else its number on the body.
    fn carrier_of(&self, frame: usize) -> (usize, Result<Vector, usize>) {
        let Some(body) = frame.checked_sub(GROUND + 1 + self.plan.selected) else {
            return (frame, Ok([0.0; 3]));
        };
        let body = body + self.plan.selected;
        let all = self.plan.carriers.iter().enumerate();
        let found = all.clone().find(|(_, c)| c.frames.contains(&body));
        match found {
            Some((k, c)) => {
                let number = body - c.frames.start;
                let place = c.carrier.fixed_at(number).ok_or(number);
                (GROUND + 1 + self.plan.selected + k, place)
            }
            None => (frame, Ok([0.0; 3])),
        }
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
            let [(a, on_a), (b, on_b)] = [to.a, to.b].map(|frame| self.carrier_of(frame));
            let places = [on_a, on_b].map(Result::unwrap_or_default);
            Connection {
                name: j.name.clone(),
                kind: j.joint.kind(),
                a,
                b,
                perches: [on_a.err(), on_b.err()],
                rows: to.row..to.row + if first { to.rows } else { 0 },
                velocity_rows: to.velocity_row
                    ..to.velocity_row + if first { to.velocity_rows } else { 0 },
                hinge: match (j.joint.hinge().filter(|_| !to.stays), points) {
                    (hinge, 0) => hinge,
                    (hinge, _) => hinge.and_then(Hinge::of_a_point),
                }
                .map(|hinge| hinge.on(places)),
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
        let bodies = &self.turned.frames[GROUND + 1..];
        let mut frames = bodies[..self.plan.selected].to_vec();
        for c in &self.plan.carriers {
            let mut frame = bodies[c.frames.start];
            for (v, &freedom) in v[c.coordinates.clone()].iter().zip(c.carrier.freedoms()) {
                match freedom {
                    0..3 => frame.velocity[freedom] = *v,
                    _ => frame.omega[freedom - 3] = *v,
                }
            }
            frames.push(frame);
        }
        frames
    }

    /// A flexible body of [`Assembly::carried`].
    fn carrier_plan(&self, body: usize) -> Option<&CarrierPlan> {
        self.plan
            .carriers
            .get(body.checked_sub(self.plan.selected)?)
    }

    /// What is behind the frames of a flexible body of [`Assembly::carried`].
    pub(crate) fn carrier(&self, body: usize) -> Option<Arc<dyn Carrier>> {
        self.carrier_plan(body).map(|c| c.carrier.clone())
    }

    /// Name of one of its frames.
    pub(crate) fn frame_name(&self, body: usize, frame: usize) -> String {
        let plan = self.carrier_plan(body);
        let name = plan.and_then(|c| self.plan.bodies.get(c.frames.start + frame));
        name.map_or_else(String::new, |b| b.name.clone())
    }

    /// How a frame of a flexible body followed its coordinates in the last pass.
    pub(crate) fn frame_map(&self, body: usize, frame: usize) -> Option<&FrameMap> {
        let own = body.checked_sub(self.plan.selected)?;
        let before = self.plan.carriers.get(..own)?.iter();
        let first: usize = before.map(|c| c.frames.len()).sum();
        self.mapped.as_ref()?.map(first + frame)
    }

    /// `(J' l)_q` of such a frame at the coordinates `q` of the last pass, between the coordinates that bend it.
    pub(crate) fn bend_frame(
        &self,
        (body, frame): (usize, usize),
        q: &[f64],
        load: &[f64; 6],
        out: &mut [f64],
    ) {
        if let (Some(c), Some(mapped)) = (self.carrier_plan(body), &self.mapped) {
            let [v, a] = mapped.rates();
            let point = self.turned.point(&self.plan, c, q, v, a);
            c.carrier.bend(frame, &point, load, out);
        }
    }

    /// Pose and velocities of such a frame, behind [`Assembly::frames_at`] the same point.
    pub(crate) fn deformed_frame(
        &self,
        (body, frame): (usize, usize),
        q: &[f64],
        v: &[f64],
    ) -> Frame {
        let Some(c) = self.carrier_plan(body) else {
            return Frame::GROUND;
        };
        let mut map = FrameMap::new(c.coordinates.len());
        let rest = vec![0.0; v.len()];
        let point = self.turned.point(&self.plan, c, q, v, &rest);
        let moves = c.carrier.map(frame, &point, &mut map).is_ok();
        let [x, y, z, turn @ ..] = if moves { map.times(point.v) } else { [0.0; 6] };
        Frame {
            velocity: [x, y, z],
            omega: turn,
            ..self.turned.frames[GROUND + 1 + c.frames.start + frame]
        }
    }

    /// Whether there are bodies behind maps, whose inertia is the assembly's own.
    pub(crate) fn is_mapped(&self) -> bool {
        !self.plan.carriers.is_empty()
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
