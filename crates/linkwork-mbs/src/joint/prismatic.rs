//! Prismatic joint: one body slides along a straight guide of the other.

use super::fixed::ANGLE;
use super::{
    AT, AT_A, AT_B, AXIS, AXIS_A, Joint, JointEntry, JointPattern, JointPoint, JointTerms, POINT_A,
    POINT_B, Reacts, Want, primitive, read_axis, read_markers, write_markers,
};
use crate::field::Value;
use crate::space::{Axis, Marker, Site, Vector, perp};
use crate::tree::topology::Hinge;
use crate::units::Unit;

/// A point of body b stays on a line of body a, and the relative angle is constant.
#[derive(Clone, Debug, PartialEq)]
pub struct Prismatic {
    /// A point of the guide, on body a.
    pub a: Marker,
    /// The sliding point, on body b.
    pub b: Marker,
    /// Direction of the guide, on body a.
    pub axis: Axis,
    /// Angle of body b minus angle of body a, rad; `None`: as in the start pose.
    pub angle: Option<f64>,
}

impl Prismatic {
    /// A guide through a global place along a global direction, as things stand in the start pose.
    pub fn at(place: Vector, axis: Vector) -> Prismatic {
        Prismatic {
            a: Marker::global(place),
            b: Marker::global(place),
            axis: Axis::global(axis),
            angle: None,
        }
    }
}

pub(super) const ENTRY: JointEntry = JointEntry {
    kind: "prismatic",
    summary: "`body_b` slides along a straight guide of body_a without turning against it.",
    keys: &[AT, POINT_A, POINT_B, AT_A, AT_B, AXIS, AXIS_A, ANGLE],
    read: |f| {
        let [a, b] = read_markers(f)?;
        let axis = read_axis(f)?;
        let angle = f.optional_number("angle", Unit::Angle)?;
        Ok(Prismatic { a, b, axis, angle }.into())
    },
    example: |draw| {
        Prismatic {
            a: [draw(), draw()].into(),
            b: [draw(), draw()].into(),
            axis: [1.5 + draw(), draw()].into(),
            angle: Some(draw()),
        }
        .into()
    },
};

impl Joint for Prismatic {
    fn kind(&self) -> &'static str {
        ENTRY.kind
    }
    fn row_names(&self) -> &'static [&'static str] {
        &["distance from the guide", "equal angle"]
    }
    fn needs_orientation(&self) -> [bool; 2] {
        [true, true]
    }
    fn markers(&self) -> [Option<Vector>; 2] {
        [Some(self.a.point), Some(self.b.point)]
    }
    fn reacts(&self) -> Reacts {
        Reacts {
            force: true,
            torque: true,
        }
    }
    fn place(&mut self, a: &Site, b: &Site) {
        self.a.place(a);
        self.b.place(b);
        self.axis.place(a);
        self.angle.get_or_insert(b.pose.angle - a.pose.angle);
    }
    fn check(&self) -> Result<(), String> {
        axis_check(&self.axis)
    }
    fn pattern(&self) -> JointPattern {
        let mut pattern = primitive::normal_distance_pattern();
        primitive::relative_angle_pattern(1, &mut pattern);
        pattern
    }
    fn eval(&self, at: &JointPoint<'_>, want: Want, out: &mut JointTerms) {
        let normal = perp(self.axis.direction);
        primitive::normal_distance(normal, self.a.point, self.b.point, at, want, out);
        primitive::relative_angle(self.angle.unwrap_or(0.0), 1, at, want, out);
    }
    fn hinge(&self) -> Option<Hinge> {
        let axis = self.axis.direction;
        Some(Hinge::sliding(
            self.a.point,
            self.b.point,
            axis,
            self.angle?,
        ))
    }
    fn fields(&self) -> Vec<(&'static str, Value)> {
        let mut fields = write_markers(&self.a, &self.b);
        fields.push(("axis_a", Value::Vector(self.axis.direction)));
        fields.extend(self.angle.map(|x| ("angle", Value::Number(x))));
        fields
    }
}

/// Complaint about an axis without direction.
pub(super) fn axis_check(axis: &Axis) -> Result<(), String> {
    if axis.is_valid() {
        Ok(())
    } else {
        Err("the axis needs a direction, its components are zero or not finite".into())
    }
}
