//! Point on line: a point of one body stays on a straight line of the other.

use super::prismatic::axis_check;
use super::{
    AT, AT_A, AT_B, AXIS, AXIS_A, Joint, JointEntry, JointPattern, JointPoint, JointTerms, POINT_A,
    POINT_B, Reacts, Want, primitive, read_axis, read_markers, write_markers,
};
use crate::field::Value;
use crate::space::{Axis, Marker, Site, Vector, perp};
use crate::tree::topology::Hinge;

/// A point of body b stays on a line of body a; body b may turn.
#[derive(Clone, Debug, PartialEq)]
pub struct PointOnLine {
    /// A point of the line, on body a.
    pub a: Marker,
    /// The sliding point, on body b.
    pub b: Marker,
    /// Direction of the line, on body a.
    pub axis: Axis,
}

impl PointOnLine {
    /// A line through a global place along a global direction, as things stand in the start pose.
    pub fn at(place: Vector, axis: Vector) -> PointOnLine {
        PointOnLine {
            a: Marker::global(place),
            b: Marker::global(place),
            axis: Axis::global(axis),
        }
    }
}

pub(super) const ENTRY: JointEntry = JointEntry {
    kind: "point_on_line",
    summary: "A point of body_b stays on a straight line of body_a; body_b may turn.",
    keys: &[AT, POINT_A, POINT_B, AT_A, AT_B, AXIS, AXIS_A],
    read: |f| {
        let [a, b] = read_markers(f)?;
        let axis = read_axis(f)?;
        Ok(PointOnLine { a, b, axis }.into())
    },
    example: |draw| {
        PointOnLine {
            a: [draw(), draw()].into(),
            b: [draw(), draw()].into(),
            axis: [draw(), 1.5 + draw()].into(),
        }
        .into()
    },
};

impl Joint for PointOnLine {
    fn kind(&self) -> &'static str {
        ENTRY.kind
    }
    fn row_names(&self) -> &'static [&'static str] {
        &["distance from the line"]
    }
    fn needs_orientation(&self) -> [bool; 2] {
        [true, false]
    }
    fn markers(&self) -> [Option<Vector>; 2] {
        [Some(self.a.point), Some(self.b.point)]
    }
    fn reacts(&self) -> Reacts {
        Reacts {
            force: true,
            torque: false,
        }
    }
    fn place(&mut self, a: &Site, b: &Site) {
        self.a.place(a);
        self.b.place(b);
        self.axis.place(a);
    }
    fn check(&self) -> Result<(), String> {
        axis_check(&self.axis)
    }
    fn pattern(&self) -> JointPattern {
        primitive::normal_distance_pattern()
    }
    fn eval(&self, at: &JointPoint<'_>, want: Want, out: &mut JointTerms) {
        let normal = perp(self.axis.direction);
        primitive::normal_distance(normal, self.a.point, self.b.point, at, want, out);
    }
    fn hinge(&self) -> Option<Hinge> {
        let axis = self.axis.direction;
        Some(Hinge::slotted(self.a.point, self.b.point, axis))
    }
    fn fields(&self) -> Vec<(&'static str, Value)> {
        let mut fields = write_markers(&self.a, &self.b);
        fields.push(("axis_a", Value::Vector(self.axis.direction)));
        fields
    }
}
