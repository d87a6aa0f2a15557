//! Applied torque in space: given components on one body, along global axes or those of the body.

use super::applied::components;
use super::by_scalar::{self, Bodies, Law, twist};
use super::{Force, ForcePoint, MAX_INPUTS, derived};
use super::{ForceEnergy, OutOfDomain};
use crate::expr::{Formula, Now};
use crate::geometry::{Components, Site};
use crate::joint::COLUMNS;
use crate::part::{Keys, Kind, Part};
use crate::units::Unit;
use linkwork_dae::scalar::Scalar;

/// A torque on body b that is constant or follows functions of time and signals.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Moment {
    /// Components, N m.
    pub torque: [Formula; 3],
    /// Whether the components are along the axes of the body and not the global ones.
    pub body_fixed: bool,
}

impl Moment {
    /// A constant torque with global components.
    pub fn constant(torque: impl Components) -> Moment {
        Moment {
            torque: torque.vector().map(Formula::constant),
            body_fixed: false,
        }
    }

    /// The same along the axes of the body, with which it turns.
    pub fn turning(self) -> Moment {
        Moment {
            body_fixed: true,
            ..self
        }
    }
}

impl Kind for Moment {
    const NAME: &'static str = "moment";
    const SUMMARY: &'static str = "A torque on a body by components, constant or functions of time and signals: a thruster \
              pair that turns with it, or a torque along global axes.";
    const IN_PLANE: bool = false;
}

impl Part for Moment {
    fn keys(&mut self, k: &mut Keys<'_>) {
        let docs = [
            "Component about x; may name signals.",
            "Component about y; may name signals.",
            "Component about z; may name signals.",
        ];
        components(k, Unit::Torque, docs, 1, &mut self.torque);
        let doc = "Whose axes x, y and z are: `global` or `body` (the torque turns with the body).";
        k.key("frame", Unit::None, doc)
            .either(["global", "body"], &mut self.body_fixed);
    }
}

impl Law for Moment {
    fn wrench<S: Scalar>(&self, at: Bodies<'_, S>) -> Result<[S; COLUMNS], OutOfDomain> {
        let Bodies { inputs, b, .. } = at;
        let mut out = [S::from(0.0); COLUMNS];
        let torque = [inputs[0], inputs[1], inputs[2]];
        if self.body_fixed {
            out[9..].copy_from_slice(&torque);
        } else {
            twist(&mut out, 1, b, torque);
        }
        Ok(out)
    }

    fn values(&self, now: Now) -> [f64; MAX_INPUTS] {
        by_scalar::at_time(now, &self.torque)
    }
}

impl Force for Moment {
    fn needs_orientation(&self) -> [bool; 2] {
        [false, true]
    }
    fn is_external(&self) -> bool {
        true
    }
    fn stands_on_ground(&self) -> bool {
        !self.body_fixed
    }
    fn inputs(&self) -> Vec<&Formula> {
        self.torque.iter().collect()
    }
    fn place(&mut self, _: &Site, _: &Site) {}
    derived!(by_scalar);

    fn energy(&self, at: &ForcePoint<'_>) -> ForceEnergy {
        by_scalar::spent(self, at)
    }
    fn channels(&self) -> &'static [(&'static str, &'static str)] {
        &[("x", "N m"), ("y", "N m"), ("z", "N m")]
    }
    /// Global components.
    fn observe(&self, at: &ForcePoint<'_>, out: &mut [f64]) {
        let [x, y, z, ..] = by_scalar::inputs(self, at);
        let torque = match self.body_fixed {
            true => at.b.pose.turn([x, y, z]),
            false => [x, y, z],
        };
        out[..3].copy_from_slice(&torque);
    }
}
