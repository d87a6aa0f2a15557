//! Torque in space on body b with the opposite one on body a, constant or a function of time and
//! signals.

use super::by_scalar::{Bodies, Law, at_time, twist};
use super::{Force, ForcePoint, MAX_INPUTS, derived};
use super::{ForceEnergy, OutOfDomain};
use crate::expr::{Formula, Now};
use crate::geometry::{Axis, Components, Site, apply};
use crate::joint::COLUMNS;
use crate::joint::fixture::{AXIS, AXIS_A, UP, Way, about};
use crate::part::{Keys, Kind, Part};
use crate::units::Unit;
use linkwork_dae::scalar::Scalar;

/// A motor between two bodies (from the ground, if body a is the ground), about an axis of body a.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Torque {
    /// The axis, on body a.
    pub axis: Axis,
    /// Torque on body b, N m.
    pub torque: Formula,
}

impl Torque {
    /// A torque about a global direction of the start pose.
    pub fn about(axis: impl Components, torque: Formula) -> Torque {
        Torque {
            axis: Axis::global(axis),
            torque,
        }
    }

    /// A constant torque about z.
    pub fn constant(torque: f64) -> Torque {
        Torque::about(UP, Formula::constant(torque))
    }
}

impl Kind for Torque {
    const NAME: &'static str = "torque";
    const SUMMARY: &'static str = "A torque on body_b about an axis of body_a and its opposite on body_a, constant or a \
              function of time and signals.";
}

impl Part for Torque {
    fn keys(&mut self, k: &mut Keys<'_>) {
        about(k, Way::About, [AXIS, AXIS_A], &mut self.axis);
        let doc = "Torque on body_b; may name signals.";
        k.key("torque", Unit::Torque, doc).formula(&mut self.torque);
    }
}

impl Law for Torque {
    fn wrench<S: Scalar>(&self, at: Bodies<'_, S>) -> Result<[S; COLUMNS], OutOfDomain> {
        let Bodies { inputs, a, b, .. } = at;
        let mut out = [S::from(0.0); COLUMNS];
        let axis = a.pose.direction(self.axis.direction);
        let torque = axis.map(|x| x * inputs[0]);
        twist(&mut out, 0, a, torque.map(|x| -x));
        twist(&mut out, 1, b, torque);
        Ok(out)
    }

    fn values(&self, now: Now) -> [f64; MAX_INPUTS] {
        at_time(now, [&self.torque])
    }
}

impl Force for Torque {
    fn inputs(&self) -> Vec<&Formula> {
        vec![&self.torque]
    }
    fn place(&mut self, a: &Site, _: &Site) {
        self.axis.place(a);
    }
    derived!(by_scalar);

    fn energy(&self, at: &ForcePoint<'_>) -> ForceEnergy {
        let axis = apply(&at.a.pose.rotation, self.axis.direction);
        let (of_a, of_b) = (at.a.spin(), at.b.spin());
        let rate: f64 = (0..3).map(|i| axis[i] * (of_b[i] - of_a[i])).sum();
        ForceEnergy::spent(at.input(0, &self.torque) * rate)
    }
    fn channels(&self) -> &'static [(&'static str, &'static str)] {
        &[("torque", "N m")]
    }
    fn observe(&self, at: &ForcePoint<'_>, out: &mut [f64]) {
        out[0] = at.input(0, &self.torque);
    }
}
