//! Distance joint: two points keep their distance.

use super::Want;
use super::{
    Joint, JointEntry, JointPattern, JointPoint, JointTerms, Primitive, Reacts, primitive,
};
use crate::geometry::{Marker, Site, Vector, norm, sub};
use crate::part::{Keys, Part};
use crate::units::Unit;

/// A massless rod with balls at both ends.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Distance {
    /// The point on body a.
    pub a: Marker,
    /// The point on body b.
    pub b: Marker,
    /// The distance, m; `None`: as in the start pose.
    pub length: Option<f64>,
    flat: bool,
}

impl Distance {
    /// Between two body points.
    pub fn between(a: impl Into<Marker>, b: impl Into<Marker>, length: Option<f64>) -> Distance {
        Distance {
            a: a.into(),
            b: b.into(),
            length,
            flat: false,
        }
    }

    fn parts(&self) -> [Primitive; 1] {
        [Primitive::Distance {
            a: self.a.point,
            b: self.b.point,
            length: self.length.unwrap_or(0.0),
            flat: self.flat,
        }]
    }
}

pub(super) const ENTRY: JointEntry = JointEntry {
    kind: "distance",
    summary: "A massless rod: a point of body_a and a point of body_b keep their distance.",
    in_plane: true,
    blank: || Distance::default().into(),
};

impl Part for Distance {
    fn keys(&mut self, k: &mut Keys<'_>) {
        k.ends(&mut self.a, &mut self.b, "a distance needs two points");
        k.key("length", Unit::Length, "The distance.")
            .or("as in the start pose")
            .positive(&mut self.length);
    }
}

impl Joint for Distance {
    fn kind(&self) -> &'static str {
        ENTRY.kind
    }
    fn row_names(&self) -> &'static [&'static str] {
        &["distance"]
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
        let d = sub(b.pose.point(self.b.point), a.pose.point(self.a.point));
        self.length.get_or_insert(norm(d));
        self.flat = a.flat && b.flat && d[2] == 0.0;
    }
    fn extent(&self) -> f64 {
        self.length.unwrap_or(0.0)
    }
    fn pattern(&self, _: bool) -> JointPattern {
        primitive::pattern(&self.parts())
    }
    fn eval(&self, at: &JointPoint<'_>, want: Want, out: &mut JointTerms) {
        primitive::evaluate(&self.parts(), at, want, out);
    }
}
