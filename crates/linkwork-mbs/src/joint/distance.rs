//! Distance joint: a massless rod between two points.

use super::{
    AT_A, AT_B, Joint, JointEntry, JointPattern, JointPoint, JointTerms, POINT_A, POINT_B, Reacts,
    Want, primitive, read_markers, write_markers,
};
use crate::field::{Key, Value};
use crate::space::{Marker, Site, Vector};
use crate::units::Unit;

/// Two points keep their distance. The multiplier is the compressive force in the rod's line.
#[derive(Clone, Debug, PartialEq)]
pub struct Distance {
    /// The point on body a.
    pub a: Marker,
    /// The point on body b.
    pub b: Marker,
    /// The distance, m; `None`: as in the start pose.
    pub length: Option<f64>,
}

pub(super) const ENTRY: JointEntry = JointEntry {
    kind: "distance",
    summary: "Two points keep their distance, as if joined by a massless rod.",
    keys: &[
        POINT_A,
        POINT_B,
        AT_A,
        AT_B,
        Key::optional(
            "length",
            Unit::Length,
            "as in the start pose",
            "The distance; must be greater than zero.",
        ),
    ],
    read: |f| {
        if f.has("at") {
            return Err(f.error("at", "the two points of a distance cannot coincide"));
        }
        let [a, b] = read_markers(f)?;
        let length = if f.has("length") {
            Some(f.positive("length", Unit::Length)?)
        } else {
            None
        };
        Ok(Distance { a, b, length }.into())
    },
    example: |draw| {
        Distance {
            a: [draw(), draw()].into(),
            b: [draw(), draw()].into(),
            length: Some(1.5 + draw()),
        }
        .into()
    },
};

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
        let (p, q) = (a.pose.point(self.a.point), b.pose.point(self.b.point));
        self.length.get_or_insert((q[0] - p[0]).hypot(q[1] - p[1]));
    }
    fn check(&self) -> Result<(), String> {
        match self.length {
            Some(l) if l > 0.0 && l.is_finite() => Ok(()),
            Some(l) => Err(format!(
                "the distance must be greater than zero, it is {l} m"
            )),
            None => Err("the distance is not known".into()),
        }
    }
    fn extent(&self) -> f64 {
        self.length.unwrap_or(0.0)
    }
    fn pattern(&self) -> JointPattern {
        primitive::separation_pattern()
    }
    fn eval(&self, at: &JointPoint<'_>, want: Want, out: &mut JointTerms) {
        let length = self.length.unwrap_or(1.0);
        primitive::separation(length, self.a.point, self.b.point, at, want, out);
    }
    fn fields(&self) -> Vec<(&'static str, Value)> {
        let mut fields = write_markers(&self.a, &self.b);
        fields.extend(self.length.map(|x| ("length", Value::Number(x))));
        fields
    }
}
