//! Spherical joint: two points coincide.

use super::{
    AT, AT_A, AT_B, Joint, JointEntry, JointPattern, JointPoint, JointTerms, POINT_A, POINT_B,
    Primitive, Reacts, primitive, read_markers, write_markers,
};
use crate::field::Value;
use crate::joint::Want;
use crate::spatial::geometry::{Marker, Site, Vector};
use crate::tree::topology::Hinge;

/// A ball in a socket.
#[derive(Clone, Debug, PartialEq)]
pub struct Spherical {
    /// The point on body a.
    pub a: Marker,
    /// The point on body b.
    pub b: Marker,
}

impl Spherical {
    /// At a global place of the start pose.
    pub fn at(place: Vector) -> Spherical {
        Spherical {
            a: Marker::global(place),
            b: Marker::global(place),
        }
    }

    /// Between two body points.
    pub fn between(a: Vector, b: Vector) -> Spherical {
        Spherical {
            a: a.into(),
            b: b.into(),
        }
    }

    fn parts(&self) -> [Primitive; 1] {
        [Primitive::Coincidence {
            a: self.a.point,
            b: self.b.point,
        }]
    }
}

pub(super) const ENTRY: JointEntry = JointEntry {
    kind: "spherical",
    summary: "A point of body_a and a point of body_b coincide; all rotations are free.",
    keys: &[AT, POINT_A, POINT_B, AT_A, AT_B],
    read: |f| {
        let [a, b] = read_markers(f)?;
        Ok(Spherical { a, b }.into())
    },
    example: |draw| {
        let (a, b) = ([draw(), draw(), draw()], [draw(), draw(), draw()]);
        Spherical::between(a, b).into()
    },
};

impl Joint for Spherical {
    fn kind(&self) -> &'static str {
        ENTRY.kind
    }
    fn row_names(&self) -> &'static [&'static str] {
        &["x coincidence", "y coincidence", "z coincidence"]
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
        primitive::pattern(&self.parts())
    }
    fn eval(&self, at: &JointPoint<'_>, want: Want, out: &mut JointTerms) {
        primitive::evaluate(&self.parts(), at, want, out);
    }
    fn hinge(&self) -> Option<Hinge> {
        Some(Hinge::ball(self.a.point, self.b.point))
    }
    fn fields(&self) -> Vec<(&'static str, Value)> {
        write_markers(&self.a, &self.b)
    }
}
