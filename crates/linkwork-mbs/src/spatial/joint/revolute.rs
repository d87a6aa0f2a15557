//! Revolute joint: two points coincide and two axes stay parallel.
//!
//! The axes are parallel when the one of body b is perpendicular to two directions of body a.

use super::fixture::{AXIS, AXIS_A, AXIS_B};
use super::{
    AT, AT_A, AT_B, Fixture, Joint, JointEntry, JointPattern, JointPoint, JointTerms, POINT_A,
    POINT_B, Primitive, Reacts, primitive,
};
use crate::field::Value;
use crate::joint::Want;
use crate::spatial::geometry::{Site, Vector};

/// A hinge.
#[derive(Clone, Debug, PartialEq)]
pub struct Revolute {
    /// Where it is and which way the axis points.
    pub fixture: Fixture,
}

impl Revolute {
    /// At a global place of the start pose, about a global direction.
    pub fn at(place: Vector, axis: Vector) -> Revolute {
        Revolute {
            fixture: Fixture::at(place, axis),
        }
    }

    fn parts(&self) -> [Primitive; 3] {
        let [p, q, _] = self.fixture.triad(0);
        let axis = self.fixture.triad(1)[2];
        let across = |u: Vector| Primitive::Dot1 {
            a: u,
            b: axis,
            value: 0.0,
        };
        [
            Primitive::Coincidence {
                a: self.fixture.a.point,
                b: self.fixture.b.point,
            },
            across(p),
            across(q),
        ]
    }
}

pub(super) const ENTRY: JointEntry = JointEntry {
    kind: "revolute",
    summary: "A hinge: a point of body_a and a point of body_b coincide, and an axis is common.",
    keys: &[AT, POINT_A, POINT_B, AT_A, AT_B, AXIS, AXIS_A, AXIS_B],
    read: |f| {
        let fixture = Fixture::read(f)?;
        Ok(Revolute { fixture }.into())
    },
    example: |draw| {
        let mut fixture = Fixture::example(draw);
        (fixture.normal_a, fixture.normal_b) = (None, None);
        Revolute { fixture }.into()
    },
};

impl Joint for Revolute {
    fn kind(&self) -> &'static str {
        ENTRY.kind
    }
    fn row_names(&self) -> &'static [&'static str] {
        &[
            "x coincidence",
            "y coincidence",
            "z coincidence",
            "first tilt of the axis",
            "second tilt of the axis",
        ]
    }
    fn needs_orientation(&self) -> [bool; 2] {
        [true, true]
    }
    fn markers(&self) -> [Option<Vector>; 2] {
        [Some(self.fixture.a.point), Some(self.fixture.b.point)]
    }
    fn reacts(&self) -> Reacts {
        Reacts {
            force: true,
            torque: true,
        }
    }
    fn place(&mut self, a: &Site, b: &Site) {
        self.fixture.place(a, b);
    }
    fn check(&self) -> Result<(), String> {
        self.fixture.check()
    }
    fn pattern(&self) -> JointPattern {
        primitive::pattern(&self.parts())
    }
    fn eval(&self, at: &JointPoint<'_>, want: Want, out: &mut JointTerms) {
        primitive::evaluate(&self.parts(), at, want, out);
    }
    fn fields(&self) -> Vec<(&'static str, Value)> {
        self.fixture.axis_fields()
    }
}
