//! Rope: two points are at most so far apart.
//!
//! ```text
//!  length - |d| >= 0
//! ```
//!
//! It is taut by an impact and pulls as long as it has to, see [`linkwork_dae::law`].

use super::by_scalar::derived;
use super::limit::restitution;
use super::mounted::{sits_on, told};
use super::span::Span;
use super::{Constraint, Joint, MAX_ROWS, Poses, Reacts, rows};
use crate::geometry::Marker;
use crate::part::{Keys, Kind, Part};
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

impl Kind for Rope {
    const NAME: &'static str = "rope";
    const SUMMARY: &'static str =
        "A rope: a point of body_a and a point of body_b are at most its length apart.";
}

impl Part for Rope {
    fn keys(&mut self, k: &mut Keys<'_>) {
        let why = "a rope needs two points";
        self.span
            .keys(k, [why, "The largest distance.", "taut in the start pose"]);
        restitution(k, &mut self.restitution);
    }
}

impl Constraint for Rope {
    fn constraint<S: Scalar>(&self, at: Poses<'_, S>) -> [S; MAX_ROWS] {
        let Poses { a, b, .. } = at;
        let apart = self.span.apart(a, b);
        // where its ends meet it has no direction, and as much slack as it can have
        let apart = if apart.value() == 0.0 {
            S::from(0.0)
        } else {
            apart
        };
        rows([-apart + self.span.reach()])
    }
}

impl Joint for Rope {
    told!(&["slack"]);
    sits_on!(span);
    derived!(evaluate);
    fn needs_orientation(&self) -> [bool; 2] {
        [false, false]
    }
    fn reacts(&self) -> Reacts {
        Reacts::FORCE
    }
    fn extent(&self) -> f64 {
        self.span.reach()
    }
    fn laws(&self) -> Vec<(usize, Law)> {
        let restitution = self.restitution;
        vec![(0, Law::OneSided { restitution })]
    }
}
