//! Torsional spring and damper about an axis: `T = k(angle - free) + c rate`.
//!
//! The angle is that from the normal of body a to the normal of body b, seen along the axis of
//! body a, over whole turns; the spring winds up. Its characteristic may be a number, a formula of
//! the `angle` beyond the free one, or a table.

use super::by_scalar::{evaluate, probe};
use super::measure::{angle, observe, pull};
use super::{Force, ForceEntry, ForcePattern, ForcePoint, ForceTerms, Law, MAX_INPUTS};
use super::{ForceEnergy, ForceWant, OutOfDomain};
use crate::curve::Curve;
use crate::field::{Form, Key, Value};
use crate::geometry::{Frame, Site, Vector};
use crate::joint::fixture::{AXIS, AXIS_A, AXIS_B, NORMAL_A, NORMAL_B};
use crate::joint::{COLUMNS, Fixture};
use crate::units::Unit;
use linkwork_dae::scalar::Scalar;

/// A torsional spring and damper about an axis.
#[derive(Clone, Debug, PartialEq)]
pub struct TorsionSpring {
    /// Axis and normals; the points do not matter.
    pub fixture: Fixture,
    /// Stiffness, N m/rad.
    pub stiffness: f64,
    /// Torque over the angle beyond the free one, added to the stiffness.
    pub torque: Option<Curve>,
    /// Damping, N m s/rad.
    pub damping: f64,
    /// Angle without torque, rad; `None`: as in the start pose.
    pub free_angle: Option<f64>,
}

impl TorsionSpring {
    /// Between bodies that move in the x-y plane; the free angle is that of body b minus that of
    /// body a.
    pub fn planar(stiffness: f64, damping: f64, free_angle: Option<f64>) -> TorsionSpring {
        TorsionSpring {
            fixture: Fixture::upright([0.0; 3], [0.0; 3]),
            stiffness,
            torque: None,
            damping,
            free_angle,
        }
    }
}

pub(super) const ENTRY: ForceEntry = ForceEntry {
    kind: "torsion_spring",
    summary: "A torsional spring and damper about an axis of body_a.",
    in_plane: true,
    keys: &[
        AXIS,
        AXIS_A,
        AXIS_B,
        NORMAL_A,
        NORMAL_B,
        Key::optional(
            "stiffness",
            Unit::AngularStiffness,
            "0",
            "Torque per angle.",
        ),
        Key::optional(
            "torque",
            Unit::Torque,
            "none",
            "Further torque: a formula of `angle` or a table [[angle, torque], ...].",
        )
        .takes(Form::Curve),
        Key::optional(
            "damping",
            Unit::AngularDamping,
            "0",
            "Torque per rate of the angle.",
        ),
        Key::optional(
            "free_angle",
            Unit::Angle,
            "0; in planar models as in the start pose",
            "Angle at which there is no torque; in planar models that of body_b minus that of body_a.",
        ),
    ],
    read: |f| {
        let torque = f
            .has("torque")
            .then(|| f.curve("torque", "angle", [Unit::Angle, Unit::Torque]))
            .transpose()?;
        Ok(TorsionSpring {
            fixture: Fixture::read_angle(f)?,
            stiffness: f.not_negative_or("stiffness", Unit::AngularStiffness, 0.0)?,
            torque,
            damping: f.not_negative_or("damping", Unit::AngularDamping, 0.0)?,
            free_angle: match f.in_plane() {
                true => f.optional_number("free_angle", Unit::Angle)?,
                false => Some(f.number_or("free_angle", Unit::Angle, 0.0)?),
            },
        }
        .into())
    },
    example: |draw| {
        let mut fixture = Fixture::example(draw);
        (fixture.a, fixture.b) = ([0.0; 3].into(), [0.0; 3].into());
        TorsionSpring {
            fixture,
            stiffness: 2.0 + draw(),
            torque: Curve::table(&[[-1.0, draw()], [0.2, draw()], [2.0, draw()]]).ok(),
            damping: 1.5 + draw(),
            free_angle: Some(draw()),
        }
        .into()
    },
};

impl TorsionSpring {
    fn law<S: Scalar>(&self, angle: S, rate: S) -> S {
        let twist = angle - self.free_angle.unwrap_or(0.0);
        let linear = twist * self.stiffness + rate * self.damping;
        match &self.torque {
            Some(curve) => linear + curve.eval(twist),
            None => linear,
        }
    }

    fn turned(&self, at: &ForcePoint<'_>) -> (f64, f64) {
        let turn = at.turns.first().copied().unwrap_or(0.0);
        let [found] = observe(at.a, at.b, |a, b| [angle(&self.fixture, a, b, turn)]);
        found
    }
}

impl Law for TorsionSpring {
    fn wrench<S: Scalar>(
        &self,
        _: f64,
        _: &[S; MAX_INPUTS],
        a: &Frame<S>,
        b: &Frame<S>,
        turns: &[f64],
    ) -> Result<[S; COLUMNS], OutOfDomain> {
        let turn = turns.first().copied().unwrap_or(0.0);
        Ok(pull(
            a,
            b,
            |a, b| [angle(&self.fixture, a, b, turn)],
            |[z], [rate]| [self.law(z, rate)],
        ))
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
        self.fixture.place(a, b);
        let start = angle(&self.fixture, &a.pose, &b.pose, 0.0);
        self.free_angle.get_or_insert(start);
    }
    fn check(&self) -> Result<(), String> {
        for (what, x) in [("stiffness", self.stiffness), ("damping", self.damping)] {
            if !(x >= 0.0 && x.is_finite()) {
                return Err(format!("the {what} must be zero or greater, it is {x}"));
            }
        }
        self.fixture.check()
    }
    fn pattern(&self, flat: bool) -> ForcePattern {
        // a spring may be slack where one happens to look
        probe(
            &TorsionSpring {
                torque: self.torque.as_ref().map(Curve::winding),
                ..self.clone()
            },
            flat,
        )
    }
    fn eval(
        &self,
        at: &ForcePoint<'_>,
        want: ForceWant,
        out: &mut ForceTerms,
    ) -> Result<(), OutOfDomain> {
        evaluate(self, at, want, out)
    }
    fn turns(&self) -> usize {
        usize::from(self.fixture.counts())
    }
    fn wind(&self, at: &ForcePoint<'_>, turns: &mut [f64]) {
        let (angle, _) = self.turned(at);
        if let (Some(turn), true) = (turns.first_mut(), angle.is_finite()) {
            *turn = angle;
        }
    }
    fn energy(&self, at: &ForcePoint<'_>) -> ForceEnergy {
        let (angle, rate) = self.turned(at);
        let twist = angle - self.free_angle.unwrap_or(0.0);
        // what a characteristic stores is counted as power, not as energy
        ForceEnergy {
            potential: 0.5 * self.stiffness * twist * twist,
            power: -rate * (self.law(angle, rate) - self.stiffness * twist),
        }
    }
    fn channels(&self) -> &'static [(&'static str, &'static str)] {
        &[("angle", "rad"), ("torque", "N m")]
    }
    fn observe(&self, at: &ForcePoint<'_>, out: &mut [f64]) {
        let (angle, rate) = self.turned(at);
        out[..2].copy_from_slice(&[angle, self.law(angle, rate)]);
    }
    fn fields(&self) -> Vec<(&'static str, Value)> {
        let mut fields = self.fixture.fields();
        fields.retain(|(key, _)| !key.starts_with("point") && *key != "angle");
        fields.push(("stiffness", Value::Number(self.stiffness)));
        if let Some(torque) = &self.torque {
            fields.push(("torque", torque.value()));
        }
        fields.push(("damping", Value::Number(self.damping)));
        fields.extend(self.free_angle.map(|x| ("free_angle", Value::Number(x))));
        fields
    }
}
