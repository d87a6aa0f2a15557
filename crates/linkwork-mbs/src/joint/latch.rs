//! Latch of a joint: its turning or sliding ends while an event holds it.
//!
//! ```text
//!  g = (w_b - w_a).u    or    d/dt (u.d)
//! ```
//!
//! No kind of its own in model text: events that lock a hinge or a slide, or reverse its motion, bring it along.

use super::Joint;
use super::by_scalar::derived;
use super::dry_friction::hinders;
use super::dry_friction::slip;
use super::{Fixture, MAX_ROWS, Rolling, rows};
use crate::force::Against;
use crate::geometry::Frame;
use crate::part::{Keys, OfKind, Part};
use linkwork_dae::law::Law;
use linkwork_dae::scalar::Scalar;

/// What holds a hinge or a slide.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Latch {
    pub fixture: Fixture,
    pub against: Against,
}

impl Part for Latch {
    fn keys(&mut self, _: &mut Keys<'_>) {}
}

impl Rolling for Latch {
    fn rolling<S: Scalar>(&self, a: &Frame<S>, b: &Frame<S>) -> [S; MAX_ROWS] {
        rows([slip(self.against, &self.fixture, a, b)])
    }
}

impl OfKind for Latch {
    fn kind(&self) -> &'static str {
        "latch"
    }
}

impl Joint for Latch {
    fn row_names(&self) -> &'static [&'static str] {
        &[]
    }
    fn velocity_row_names(&self) -> &'static [&'static str] {
        &["motion"]
    }
    hinders!();
    derived!(evaluate_rolling);
    fn laws(&self) -> Vec<(usize, Law)> {
        vec![(0, Law::Held { at_first: false })]
    }
}
