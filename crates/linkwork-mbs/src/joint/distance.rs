//! Distance joint: two points keep their distance.

use super::mounted::{sits_on, told};
use super::span::Span;
use super::{Joint, JointPattern, JointPoint, JointTerms, Primitive, Reacts, Want, primitive};
use crate::geometry::Marker;
use crate::part::{Keys, Kind, Part};

/// A massless rod with balls at both ends.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Distance {
    /// The points and their distance.
    pub span: Span,
}

impl Distance {
    /// Between two body points; `None`: as far apart as in the start pose.
    pub fn between(a: impl Into<Marker>, b: impl Into<Marker>, length: Option<f64>) -> Distance {
        let span = Span::between(a, b, length);
        Distance { span }
    }

    fn parts(&self) -> [Primitive; 1] {
        [Primitive::Distance {
            a: self.span.a.point,
            b: self.span.b.point,
            length: self.span.reach(),
            flat: self.span.flat,
        }]
    }
}

impl Kind for Distance {
    const NAME: &'static str = "distance";
    const SUMMARY: &'static str =
        "A massless rod: a point of body_a and a point of body_b keep their distance.";
}

impl Part for Distance {
    fn keys(&mut self, k: &mut Keys<'_>) {
        let why = "a distance needs two points";
        self.span
            .keys(k, [why, "The distance.", "as in the start pose"]);
    }
}

impl Joint for Distance {
    told!(&["distance"]);
    sits_on!(span);
    fn eval(&self, at: &JointPoint<'_>, want: Want, out: &mut JointTerms) {
        primitive::evaluate(&self.parts(), at, want, out);
    }
    fn pattern(&self, _: bool) -> JointPattern {
        primitive::pattern(&self.parts())
    }
    fn needs_orientation(&self) -> [bool; 2] {
        [false, false]
    }
    fn reacts(&self) -> Reacts {
        Reacts::FORCE
    }
    fn extent(&self) -> f64 {
        self.span.reach()
    }
}
