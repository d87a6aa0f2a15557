//! Torque on body b with the opposite one on body a, constant or a function of time and signals.

use super::{
    Force, ForceEnergy, ForceEntry, ForcePattern, ForcePoint, ForceTerms, ForceWant, OutOfDomain,
};
use crate::expr::Formula;
use crate::field::{Form, Key, Value};
use crate::space::{Site, Vector};
use crate::units::Unit;

/// A motor between two bodies (from the ground, if body a is the ground).
#[derive(Clone, Debug, PartialEq)]
pub struct Torque {
    /// Torque on body b, N m.
    pub torque: Formula,
}

impl Torque {
    /// A constant torque.
    pub fn constant(torque: f64) -> Torque {
        Torque {
            torque: Formula::constant(torque),
        }
    }
}

pub(super) const ENTRY: ForceEntry = ForceEntry {
    kind: "torque",
    summary: "A torque on body_b and its opposite on body_a, constant or a function of time and signals.",
    keys: &[Key::required(
        "torque",
        Unit::Torque,
        "Torque on body_b; may name signals.",
    )
    .takes(Form::Formula)],
    read: |f| {
        Ok(Torque {
            torque: f.signal("torque", Unit::Torque)?,
        }
        .into())
    },
    example: |draw| Torque::constant(draw()).into(),
};

impl Force for Torque {
    fn kind(&self) -> &'static str {
        ENTRY.kind
    }
    fn needs_orientation(&self) -> [bool; 2] {
        [true, true]
    }
    fn markers(&self) -> [Option<Vector>; 2] {
        [None, None]
    }
    fn place(&mut self, _a: &Site, _b: &Site) {}
    fn inputs(&self) -> Vec<&Formula> {
        vec![&self.torque]
    }
    fn pattern(&self) -> ForcePattern {
        ForcePattern {
            by_input: vec![(2, 0), (5, 0)],
            ..ForcePattern::default()
        }
    }
    fn eval(
        &self,
        at: &ForcePoint<'_>,
        want: ForceWant,
        out: &mut ForceTerms,
    ) -> Result<(), OutOfDomain> {
        if want.any(ForceWant::Q) {
            let torque = at.input(0, &self.torque);
            out.q = [0.0, 0.0, -torque, 0.0, 0.0, torque];
        }
        if want.any(ForceWant::BY_INPUT) {
            (out.by_input[0][2], out.by_input[0][5]) = (-1.0, 1.0);
        }
        Ok(())
    }
    fn energy(&self, at: &ForcePoint<'_>) -> ForceEnergy {
        ForceEnergy {
            potential: 0.0,
            power: at.input(0, &self.torque) * (at.b.omega - at.a.omega),
        }
    }
    fn channels(&self) -> &'static [(&'static str, &'static str)] {
        &[("torque", "N m")]
    }
    fn observe(&self, at: &ForcePoint<'_>, out: &mut [f64]) {
        out[0] = at.input(0, &self.torque);
    }
    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![("torque", Value::from(&self.torque))]
    }
}
