//! Torsional spring and damper: `T = k (angle - free) + c rate`, with `angle` of body b minus a.
//!
//! Angles count full turns; the spring winds up.

use super::{
    Force, ForceEnergy, ForceEntry, ForcePattern, ForcePoint, ForceTerms, ForceWant, OutOfDomain,
};
use crate::field::{Key, Value};
use crate::space::{Site, Vector};
use crate::units::Unit;

/// Turns two bodies towards a relative angle.
#[derive(Clone, Debug, PartialEq)]
pub struct TorsionSpring {
    /// Stiffness, N m/rad.
    pub stiffness: f64,
    /// Damping, N m s/rad.
    pub damping: f64,
    /// Relative angle without torque, rad; `None`: as in the start pose.
    pub free_angle: Option<f64>,
}

pub(super) const ENTRY: ForceEntry = ForceEntry {
    kind: "torsion_spring",
    summary: "A torsional spring and damper between two bodies.",
    keys: &[
        Key::optional(
            "stiffness",
            Unit::AngularStiffness,
            "0",
            "Torque per relative angle.",
        ),
        Key::optional(
            "damping",
            Unit::AngularDamping,
            "0",
            "Torque per relative angular velocity.",
        ),
        Key::optional(
            "free_angle",
            Unit::Angle,
            "as in the start pose",
            "Angle of body_b minus angle of body_a at which there is no torque.",
        ),
    ],
    read: |f| {
        Ok(TorsionSpring {
            stiffness: f.not_negative_or("stiffness", Unit::AngularStiffness, 0.0)?,
            damping: f.not_negative_or("damping", Unit::AngularDamping, 0.0)?,
            free_angle: f.optional_number("free_angle", Unit::Angle)?,
        }
        .into())
    },
    example: |draw| {
        TorsionSpring {
            stiffness: 2.0 + draw(),
            damping: 1.5 + draw(),
            free_angle: Some(draw()),
        }
        .into()
    },
};

/// The entries where the two angles meet.
fn angles() -> Vec<(u8, u8)> {
    vec![(2, 2), (2, 5), (5, 2), (5, 5)]
}

impl TorsionSpring {
    /// Twist beyond the free angle, its rate.
    fn twist(&self, at: &ForcePoint<'_>) -> (f64, f64) {
        let angle = at.b.pose.angle - at.a.pose.angle;
        (
            angle - self.free_angle.unwrap_or(0.0),
            at.b.omega - at.a.omega,
        )
    }
}

impl Force for TorsionSpring {
    fn kind(&self) -> &'static str {
        ENTRY.kind
    }
    fn needs_orientation(&self) -> [bool; 2] {
        [true, true]
    }
    fn markers(&self) -> [Option<Vector>; 2] {
        [None, None]
    }
    fn place(&mut self, a: &Site, b: &Site) {
        self.free_angle.get_or_insert(b.pose.angle - a.pose.angle);
    }
    fn check(&self) -> Result<(), String> {
        for (what, x) in [("stiffness", self.stiffness), ("damping", self.damping)] {
            if !(x >= 0.0 && x.is_finite()) {
                return Err(format!("the {what} must be zero or greater, it is {x}"));
            }
        }
        Ok(())
    }
    fn pattern(&self) -> ForcePattern {
        let when = |x: f64| if x == 0.0 { Vec::new() } else { angles() };
        ForcePattern {
            stiffness: when(self.stiffness),
            damping: when(self.damping),
            by_input: Vec::new(),
        }
    }
    fn eval(
        &self,
        at: &ForcePoint<'_>,
        want: ForceWant,
        out: &mut ForceTerms,
    ) -> Result<(), OutOfDomain> {
        if want.any(ForceWant::Q) {
            let (twist, rate) = self.twist(at);
            let torque = self.stiffness * twist + self.damping * rate;
            out.q = [0.0, 0.0, torque, 0.0, 0.0, -torque];
        }
        let spread = |m: &mut [[f64; 6]; 6], x: f64| {
            (m[2][2], m[2][5]) = (x, -x);
            (m[5][2], m[5][5]) = (-x, x);
        };
        if want.any(ForceWant::STIFFNESS) {
            spread(&mut out.stiffness, self.stiffness);
        }
        if want.any(ForceWant::DAMPING) {
            spread(&mut out.damping, self.damping);
        }
        Ok(())
    }
    fn energy(&self, at: &ForcePoint<'_>) -> ForceEnergy {
        let (twist, rate) = self.twist(at);
        ForceEnergy {
            potential: 0.5 * self.stiffness * twist * twist,
            power: -self.damping * rate * rate,
        }
    }
    fn channels(&self) -> &'static [(&'static str, &'static str)] {
        &[("angle", "rad"), ("torque", "N m")]
    }
    fn observe(&self, at: &ForcePoint<'_>, out: &mut [f64]) {
        let (twist, rate) = self.twist(at);
        out[0] = at.b.pose.angle - at.a.pose.angle;
        out[1] = self.stiffness * twist + self.damping * rate;
    }
    fn fields(&self) -> Vec<(&'static str, Value)> {
        let mut fields = vec![
            ("stiffness", Value::Number(self.stiffness)),
            ("damping", Value::Number(self.damping)),
        ];
        fields.extend(self.free_angle.map(|x| ("free_angle", Value::Number(x))));
        fields
    }
}
