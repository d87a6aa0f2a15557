//! What moves the target of a servo: a lag of second order between a signal and a coordinate.
//!
//! ```text
//!  Q = m (w^2 (u - s) - 2 d w s')
//! ```
//!
//! Not a force of model text: the assembly adds one for each joint that follows a signal
//! ([`Joint::target`](crate::joint::Joint::target)). The inertia `m` of a target has no meaning by itself, as its
//! bodies do not act back on it; it is large, so that corrections normal to constraints move bodies and not
//! targets.

use super::{Force, ForceEnergy, ForcePattern, ForcePoint, ForceTerms, ForceWant, OutOfDomain};
use crate::expr::Formula;
use crate::geometry::Site;
use crate::part::{Keys, OfKind, Part};

/// Local place of the target: the first freedom of body b.
const TARGET: usize = 6;

/// See the [module](self).
#[derive(Clone, Debug)]
pub(crate) struct Follow {
    pub signal: Formula,
    /// `m`.
    pub inertia: f64,
    /// `w`, rad/s.
    pub rate: f64,
    /// `d`.
    pub damping: f64,
}

impl Part for Follow {
    fn keys(&mut self, _: &mut Keys<'_>) {}
}

impl OfKind for Follow {
    fn kind(&self) -> &'static str {
        "target"
    }
}

impl Force for Follow {
    fn needs_orientation(&self) -> [bool; 2] {
        [false, false]
    }
    fn is_external(&self) -> bool {
        true
    }
    fn inputs(&self) -> Vec<&Formula> {
        vec![&self.signal]
    }
    fn place(&mut self, _: &Site, _: &Site) {}
    fn pattern(&self, _: bool) -> ForcePattern {
        let target = TARGET as u8;
        ForcePattern {
            stiffness: vec![(target, target)],
            damping: vec![(target, target)],
            by_input: vec![(target, 0)],
            ..ForcePattern::default()
        }
    }
    fn eval(
        &self,
        at: &ForcePoint<'_>,
        want: ForceWant,
        out: &mut ForceTerms,
    ) -> Result<(), OutOfDomain> {
        let pull = self.inertia * self.rate * self.rate;
        let drag = 2.0 * self.damping * self.inertia * self.rate;
        if want.any(ForceWant::Q) {
            let (s, rate) = (at.b.pose.position[0], at.b.velocity[0]);
            out.q.fill(0.0);
            out.q[TARGET] = pull * (at.input(0, &self.signal) - s) - drag * rate;
        }
        out.stiffness[TARGET][TARGET] = pull;
        out.damping[TARGET][TARGET] = drag;
        out.by_input[0][TARGET] = pull;
        Ok(())
    }
    fn energy(&self, _: &ForcePoint<'_>) -> ForceEnergy {
        ForceEnergy::default()
    }
    fn channels(&self) -> &'static [(&'static str, &'static str)] {
        &[("target", "")]
    }
    fn observe(&self, at: &ForcePoint<'_>, out: &mut [f64]) {
        out[0] = at.b.pose.position[0];
    }
}
