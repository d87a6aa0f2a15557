//! Rope: two points are at most so far apart.
//!
//! ```text
//!  length - |d| >= 0
//! ```
//!
//! It is taut by an impact and pulls as long as it has to, see [`linkwork_dae::law`].

use super::limit::{RESTITUTION, check_restitution};
use super::{
    AT_A, AT_B, Constraint, Joint, JointEntry, JointPattern, JointPoint, JointTerms, MAX_ROWS,
    POINT_A, POINT_B, Reacts, Want, by_scalar, read_markers, write_markers,
};
use crate::field::{Key, Value};
use crate::geometry::{Marker, Pose, Site, Vector, norm, sub};
use crate::units::Unit;
use linkwork_dae::law::Law;
use linkwork_dae::scalar::Scalar;

/// A rope without mass that does not stretch.
#[derive(Clone, Debug, PartialEq)]
pub struct Rope {
    /// The point on body a.
    pub a: Marker,
    /// The point on body b.
    pub b: Marker,
    /// Its length, m; `None`: taut in the start pose.
    pub length: Option<f64>,
    /// Speed of departure over speed of approach where it becomes taut.
    pub restitution: f64,
    flat: bool,
}

impl Rope {
    /// Between two body points.
    pub fn between(a: impl Into<Marker>, b: impl Into<Marker>, length: Option<f64>) -> Rope {
        Rope {
            a: a.into(),
            b: b.into(),
            length,
            restitution: 0.0,
            flat: false,
        }
    }
}

pub(super) const ENTRY: JointEntry = JointEntry {
    kind: "rope",
    summary: "A rope: a point of body_a and a point of body_b are at most its length apart.",
    in_plane: true,
    keys: &[
        POINT_A,
        POINT_B,
        AT_A,
        AT_B,
        Key::optional(
            "length",
            Unit::Length,
            "taut in the start pose",
            "The largest distance.",
        ),
        RESTITUTION,
    ],
    read: |f| {
        if f.has("at") {
            return Err(f.error("at", "a rope needs two points"));
        }
        let [a, b] = read_markers(f)?;
        let length = f
            .has("length")
            .then(|| f.positive("length", Unit::Length))
            .transpose()?;
        Ok(Rope {
            restitution: f.not_negative_or("restitution", Unit::None, 0.0)?,
            ..Rope::between(a, b, length)
        }
        .into())
    },
    example: |draw| {
        let (a, b) = ([draw(), draw(), draw()], [draw(), draw(), draw()]);
        Rope {
            restitution: 0.25,
            ..Rope::between(a, b, Some(1.5 + draw()))
        }
        .into()
    },
};

impl Constraint for Rope {
    fn constraint<S: Scalar>(
        &self,
        _: &[S; MAX_ROWS],
        a: &Pose<S>,
        b: &Pose<S>,
        _: &[f64],
    ) -> [S; MAX_ROWS] {
        let mut d = sub(b.point(self.b.point), a.point(self.a.point));
        if self.flat {
            d[2] = S::from(0.0);
        }
        let mut out = [S::from(0.0); MAX_ROWS];
        out[0] = -norm(d) + self.length.unwrap_or(0.0);
        out
    }
}

impl Joint for Rope {
    fn kind(&self) -> &'static str {
        ENTRY.kind
    }
    fn row_names(&self) -> &'static [&'static str] {
        &["slack"]
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
    fn check(&self) -> Result<(), String> {
        let length = self.length.unwrap_or(0.0);
        if !(length > 0.0 && length.is_finite()) {
            return Err(format!(
                "the length must be greater than zero, it is {length}"
            ));
        }
        check_restitution(self.restitution)
    }
    fn extent(&self) -> f64 {
        self.length.unwrap_or(0.0)
    }
    fn laws(&self) -> Vec<(usize, Law)> {
        let restitution = self.restitution;
        vec![(0, Law::OneSided { restitution })]
    }
    fn pattern(&self, flat: bool) -> JointPattern {
        by_scalar::probe(flat, |at, out| {
            by_scalar::evaluate(self, at, Want::ALL, out)
        })
    }
    fn eval(&self, at: &JointPoint<'_>, want: Want, out: &mut JointTerms) {
        by_scalar::evaluate(self, at, want, out);
    }
    fn fields(&self) -> Vec<(&'static str, Value)> {
        let mut fields = write_markers(&self.a, &self.b);
        fields.extend(self.length.map(|x| ("length", Value::Number(x))));
        fields.push(("restitution", Value::Number(self.restitution)));
        fields
    }
}
