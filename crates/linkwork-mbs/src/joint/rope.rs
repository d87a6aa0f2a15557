//! Rope: two points are at most so far apart.
//!
//! ```text
//!  length - |d| >= 0
//! ```
//!
//! It is taut by an impact and pulls as long as it has to, see [`linkwork_dae::law`].

use super::limit::restitution;
use super::{
    Constraint, Joint, JointEntry, JointPattern, JointPoint, JointTerms, MAX_ROWS, Reacts, Want,
    by_scalar,
};
use crate::geometry::{Marker, Pose, Site, Vector, norm, sub};
use crate::part::{Keys, Part};
use crate::units::Unit;
use linkwork_dae::law::Law;
use linkwork_dae::scalar::Scalar;

/// A rope without mass that does not stretch.
#[derive(Clone, Debug, Default, PartialEq)]
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
    blank: || Rope::default().into(),
};

impl Part for Rope {
    fn keys(&mut self, k: &mut Keys<'_>) {
        k.ends(&mut self.a, &mut self.b, "a rope needs two points");
        k.key("length", Unit::Length, "The largest distance.")
            .or("taut in the start pose")
            .positive(&mut self.length);
        restitution(k, &mut self.restitution);
    }
}

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
}
