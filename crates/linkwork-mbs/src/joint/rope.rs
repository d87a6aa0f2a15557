//! Rope: two points are at most so far apart.
//!
//! ```text
//!  length - |d| >= 0
//! ```
//!
//! It is taut by an impact and pulls as long as it has to, see [`linkwork_dae::law`].

use super::limit::restitution;
use super::mounted::{Mounted, sits_on};
use super::span::Span;
use super::{Constraint, JointEntry, JointPoint, JointTerms, MAX_ROWS, Reacts, Want, by_scalar};
use crate::geometry::{Marker, Pose};
use crate::part::{Keys, Part};
use linkwork_dae::law::Law;
use linkwork_dae::scalar::Scalar;

/// A rope without mass that does not stretch.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rope {
    /// The points and its length.
    pub span: Span,
    /// Speed of departure over speed of approach where it becomes taut.
    pub restitution: f64,
}

impl Rope {
    /// Between two body points; `None`: taut in the start pose.
    pub fn between(a: impl Into<Marker>, b: impl Into<Marker>, length: Option<f64>) -> Rope {
        Rope {
            span: Span::between(a, b, length),
            restitution: 0.0,
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
        let why = "a rope needs two points";
        self.span
            .keys(k, [why, "The largest distance.", "taut in the start pose"]);
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
        let mut out = [S::from(0.0); MAX_ROWS];
        out[0] = -self.span.apart(a, b) + self.span.reach();
        out
    }
}

impl Mounted for Rope {
    sits_on!(span: Span, evaluate);
    const KIND: &'static str = ENTRY.kind;
    const ROWS: &'static [&'static str] = &["slack"];

    fn oriented(&self) -> [bool; 2] {
        [false, false]
    }
    fn exerts(&self) -> Reacts {
        Reacts::FORCE
    }
    fn length(&self) -> f64 {
        self.span.reach()
    }
    fn in_force(&self) -> Vec<(usize, Law)> {
        let restitution = self.restitution;
        vec![(0, Law::OneSided { restitution })]
    }
}
