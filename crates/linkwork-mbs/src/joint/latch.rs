//! Latch of a joint: its turning or sliding ends while an event holds it.
//!
//! ```text
//!  g = (w_b - w_a).u    or    d/dt (u.d)
//! ```
//!
//! No kind of its own in model text: events that lock a hinge or a slide, or reverse its motion, bring it along.

use super::dry_friction::slip;
use super::mounted::{Mounted, sits_on};
use super::{Fixture, JointPoint, JointTerms, MAX_ROWS, Reacts, Rolling, Want, by_scalar};
use crate::force::Against;
use crate::geometry::{Frame, Vector};
use crate::part::{Keys, Part};
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
        let mut out = [S::from(0.0); MAX_ROWS];
        out[0] = slip(self.against, &self.fixture, a, b);
        out
    }
}

impl Mounted for Latch {
    sits_on!(fixture: Fixture, evaluate_rolling);

    const KIND: &'static str = "latch";
    const ROWS: &'static [&'static str] = &[];
    const VELOCITY_ROWS: &'static [&'static str] = &["motion"];

    fn oriented(&self) -> [bool; 2] {
        [true, self.against == Against::Turning]
    }
    fn attached(&self) -> [Option<Vector>; 2] {
        match self.against {
            Against::Turning => [None, None],
            Against::Sliding => [Some(self.fixture.a.point), Some(self.fixture.b.point)],
        }
    }
    fn exerts(&self) -> Reacts {
        let torque = self.against == Against::Turning;
        Reacts {
            force: !torque,
            torque,
        }
    }
    fn in_force(&self) -> Vec<(usize, Law)> {
        vec![(0, Law::Held { at_first: false })]
    }
}
