//! Fixed joint: two bodies move as one.

use super::{
    AT, AT_A, AT_B, Joint, JointEntry, JointPattern, JointPoint, JointTerms, POINT_A, POINT_B,
    Reacts, Want, primitive, read_markers, write_markers,
};
use crate::field::{Key, Value};
use crate::space::{Marker, Site, Vector};
use crate::tree::topology::Hinge;
use crate::units::Unit;

/// Two points coincide and the relative angle is constant.
#[derive(Clone, Debug, PartialEq)]
pub struct Fixed {
    /// The point on body a.
    pub a: Marker,
    /// The point on body b.
    pub b: Marker,
    /// Angle of body b minus angle of body a, rad; `None`: as in the start pose.
    pub angle: Option<f64>,
}

impl Fixed {
    /// Welds the bodies as they stand in the start pose; reactions are given at `place`.
    pub fn at(place: Vector) -> Fixed {
        Fixed {
            a: Marker::global(place),
            b: Marker::global(place),
            angle: None,
        }
    }
}

pub(super) const ANGLE: Key = Key::optional(
    "angle",
    Unit::Angle,
    "as in the start pose",
    "Angle of body_b minus angle of body_a.",
);

pub(super) const ENTRY: JointEntry = JointEntry {
    kind: "fixed",
    summary: "The two bodies move as one.",
    keys: &[AT, POINT_A, POINT_B, AT_A, AT_B, ANGLE],
    read: |f| {
        let [a, b] = read_markers(f)?;
        let angle = f.optional_number("angle", Unit::Angle)?;
        Ok(Fixed { a, b, angle }.into())
    },
    example: |draw| {
        Fixed {
            a: [draw(), draw()].into(),
            b: [draw(), draw()].into(),
            angle: Some(draw()),
        }
        .into()
    },
};

impl Joint for Fixed {
    fn kind(&self) -> &'static str {
        ENTRY.kind
    }
    fn row_names(&self) -> &'static [&'static str] {
        &["x coincidence", "y coincidence", "equal angle"]
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
        self.angle.get_or_insert(b.pose.angle - a.pose.angle);
    }
    fn pattern(&self) -> JointPattern {
        let mut pattern = primitive::coincidence_pattern();
        primitive::relative_angle_pattern(2, &mut pattern);
        pattern
    }
    fn eval(&self, at: &JointPoint<'_>, want: Want, out: &mut JointTerms) {
        primitive::coincidence(self.a.point, self.b.point, at, want, out);
        primitive::relative_angle(self.angle.unwrap_or(0.0), 2, at, want, out);
    }
    fn hinge(&self) -> Option<Hinge> {
        Some(Hinge::welded(self.a.point, self.b.point, self.angle?))
    }
    fn fields(&self) -> Vec<(&'static str, Value)> {
        let mut fields = write_markers(&self.a, &self.b);
        fields.extend(self.angle.map(|x| ("angle", Value::Number(x))));
        fields
    }
}
