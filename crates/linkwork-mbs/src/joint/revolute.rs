//! Revolute joint: a point of one body stays on a point of the other.

use super::{
    AT, AT_A, AT_B, Joint, JointEntry, JointPattern, JointPoint, JointTerms, POINT_A, POINT_B,
    Reacts, Want, primitive, read_markers, write_markers,
};
use crate::assembly::{JointPass, JointPlaces};
use crate::field::Value;
use crate::space::{Marker, Site, Vector};
use crate::tree::topology::Hinge;

/// Two points coincide; the bodies may turn against each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Revolute {
    /// The point on body a.
    pub a: Marker,
    /// The point on body b.
    pub b: Marker,
}

impl Revolute {
    /// A hinge at a global place in the start pose.
    pub fn at(place: Vector) -> Revolute {
        Revolute {
            a: Marker::global(place),
            b: Marker::global(place),
        }
    }

    /// A hinge between two points given in their body frames.
    pub fn between(a: Vector, b: Vector) -> Revolute {
        Revolute {
            a: a.into(),
            b: b.into(),
        }
    }
}

pub(super) const ENTRY: JointEntry = JointEntry {
    kind: "revolute",
    summary: "A point of one body stays on a point of the other; the bodies may turn.",
    keys: &[AT, POINT_A, POINT_B, AT_A, AT_B],
    read: |f| {
        let [a, b] = read_markers(f)?;
        Ok(Revolute { a, b }.into())
    },
    example: |draw| Revolute::between([draw(), draw()], [draw(), draw()]).into(),
};

impl Joint for Revolute {
    fn kind(&self) -> &'static str {
        ENTRY.kind
    }
    fn row_names(&self) -> &'static [&'static str] {
        &["x coincidence", "y coincidence"]
    }
    fn needs_orientation(&self) -> [bool; 2] {
        [false, false]
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
    }
    fn pattern(&self) -> JointPattern {
        primitive::coincidence_pattern()
    }
    fn eval(&self, at: &JointPoint<'_>, want: Want, out: &mut JointTerms) {
        primitive::coincidence(self.a.point, self.b.point, at, want, out);
    }
    fn run(&self, places: &JointPlaces, pass: &mut JointPass<'_>) {
        if !pass.coincidence([self.a.point, self.b.point], places) {
            pass.through_table(self, places);
        }
    }
    fn hinge(&self) -> Option<Hinge> {
        Some(Hinge::turning(self.a.point, self.b.point))
    }
    fn fields(&self) -> Vec<(&'static str, Value)> {
        write_markers(&self.a, &self.b)
    }
}
