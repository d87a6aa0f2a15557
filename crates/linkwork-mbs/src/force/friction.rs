//! Dry friction, regularised: against turning about an axis or sliding along it.
//!
//! ```text
//!  F = F_c (1 + (s - 1) exp(-(v/v_s)^2)) tanh(v/v_t) + c v
//! ```
//!
//! `F_c` is the Coulomb force or torque (a formula, so it may follow a signal), `s` the ratio of
//! static to sliding friction (Stribeck), `v_t` the speed of transition: below it friction is
//! viscous, so a body on a slope creeps. Smaller values take smaller steps.

use super::by_scalar::{evaluate, inputs, probe};
use super::measure::{angle, displacement, observe, pull};
use super::smooth::tanh;
use super::{Force, ForceEntry, ForcePattern, ForcePoint, ForceTerms, Law, MAX_INPUTS};
use super::{ForceEnergy, ForceWant, OutOfDomain};
use crate::expr::Formula;
use crate::field::{Form, Key, Value};
use crate::geometry::{Frame, Pose, Site, Vector};
use crate::joint::fixture::{AXIS, AXIS_A, AXIS_B};
use crate::joint::{AT, AT_A, AT_B, COLUMNS, Fixture, POINT_A, POINT_B};
use crate::units::Unit;
use linkwork_dae::scalar::Scalar;

/// What friction works against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Against {
    /// Turning about the axis.
    Turning,
    /// Sliding along the axis.
    Sliding,
}

/// Regularised dry friction against turning about an axis or sliding along it.
#[derive(Clone, Debug, PartialEq)]
pub struct Friction {
    /// Points and axis.
    pub fixture: Fixture,
    /// Turning or sliding.
    pub against: Against,
    /// Coulomb torque, N m, or force, N.
    pub coulomb: Formula,
    /// Static over sliding friction.
    pub static_ratio: f64,
    /// Speed at which the extra static friction fades, rad/s or m/s.
    pub stribeck_speed: f64,
    /// Speed of transition, rad/s or m/s.
    pub transition_speed: f64,
    /// Viscous part, N m s/rad or N s/m.
    pub viscous: f64,
}

pub(super) const ENTRY: ForceEntry = ForceEntry {
    kind: "friction",
    summary: "Dry friction, regularised, against turning about an axis or sliding along it.",
    in_plane: true,
    keys: &[
        Key::optional("against", Unit::None, "turning", "`turning` or `sliding`.")
            .takes(Form::Word),
        AT,
        POINT_A,
        POINT_B,
        AT_A,
        AT_B,
        AXIS,
        AXIS_A,
        AXIS_B,
        Key::required(
            "coulomb",
            Unit::None,
            "Torque of sliding friction in N m, or force in N; may name signals.",
        )
        .takes(Form::Formula),
        Key::optional(
            "static_ratio",
            Unit::None,
            "1",
            "Static over sliding friction.",
        ),
        Key::optional(
            "stribeck_speed",
            Unit::None,
            "ten times the speed of transition",
            "Speed, in rad/s or m/s, at which the extra static friction fades.",
        ),
        Key::required(
            "transition_speed",
            Unit::None,
            "Speed, in rad/s or m/s, below which friction falls to zero.",
        ),
        Key::optional(
            "viscous",
            Unit::None,
            "0",
            "Friction per speed, N m s/rad or N s/m.",
        ),
    ],
    read: |f| {
        let transition_speed = f.positive("transition_speed", Unit::None)?;
        let word = f.choice("against", &["turning", "sliding"], Some("turning"))?;
        Ok(Friction {
            fixture: match word {
                "sliding" => Fixture::read(f)?,
                _ => Fixture::read_about(f)?,
            },
            against: if word == "sliding" {
                Against::Sliding
            } else {
                Against::Turning
            },
            coulomb: f.signal("coulomb", Unit::None)?,
            static_ratio: f.positive_or("static_ratio", Unit::None, 1.0)?,
            stribeck_speed: f.positive_or("stribeck_speed", Unit::None, 10.0 * transition_speed)?,
            transition_speed,
            viscous: f.not_negative_or("viscous", Unit::None, 0.0)?,
        }
        .into())
    },
    example: |draw| {
        let mut fixture = Fixture::example(draw);
        (fixture.normal_a, fixture.normal_b) = (None, None);
        Friction {
            fixture,
            against: if draw() > 0.0 {
                Against::Turning
            } else {
                Against::Sliding
            },
            coulomb: Formula::constant(2.0 + draw()),
            static_ratio: 1.5,
            stribeck_speed: 0.7,
            transition_speed: 0.3,
            viscous: 0.2,
        }
        .into()
    },
};

impl Friction {
    fn law<S: Scalar>(&self, coulomb: S, speed: S) -> S {
        let x = speed / self.stribeck_speed;
        let fading = (-(x * x)).exp() * (self.static_ratio - 1.0) + 1.0;
        coulomb * fading * tanh(speed / self.transition_speed) + speed * self.viscous
    }

    /// Only its rate counts; the angle may jump by whole turns.
    fn measure<S: Scalar>(&self, a: &Pose<S>, b: &Pose<S>) -> S {
        match self.against {
            Against::Turning => angle(&self.fixture, a, b, 0.0),
            Against::Sliding => displacement(&self.fixture, a, b),
        }
    }

    fn speed(&self, at: &ForcePoint<'_>) -> f64 {
        let [(_, rate)] = observe(at.a, at.b, |a, b| [self.measure(a, b)]);
        rate
    }
}

impl Law for Friction {
    fn wrench<S: Scalar>(
        &self,
        _: f64,
        inputs: &[S; MAX_INPUTS],
        a: &Frame<S>,
        b: &Frame<S>,
        _: &[f64],
    ) -> Result<[S; COLUMNS], OutOfDomain> {
        Ok(pull(
            a,
            b,
            |a, b| [self.measure(a, b)],
            |_, [rate]| [self.law(inputs[0], rate)],
        ))
    }

    fn values(&self, t: f64) -> [f64; MAX_INPUTS] {
        let mut values = [0.0; MAX_INPUTS];
        values[0] = self.coulomb.eval(t);
        values
    }
}

impl Force for Friction {
    fn kind(&self) -> &'static str {
        ENTRY.kind
    }
    fn needs_orientation(&self) -> [bool; 2] {
        [true, self.against == Against::Turning]
    }
    fn markers(&self) -> [Option<Vector>; 2] {
        [Some(self.fixture.a.point), Some(self.fixture.b.point)]
    }
    fn inputs(&self) -> Vec<&Formula> {
        vec![&self.coulomb]
    }
    fn place(&mut self, a: &Site, b: &Site) {
        self.fixture.place(a, b);
    }
    fn check(&self) -> Result<(), String> {
        for (what, x) in [
            ("static ratio", self.static_ratio),
            ("Stribeck speed", self.stribeck_speed),
            ("speed of transition", self.transition_speed),
        ] {
            if !(x > 0.0 && x.is_finite()) {
                return Err(format!("the {what} must be greater than zero, it is {x}"));
            }
        }
        self.fixture.check()
    }
    fn pattern(&self, flat: bool) -> ForcePattern {
        probe(self, flat)
    }
    fn eval(
        &self,
        at: &ForcePoint<'_>,
        want: ForceWant,
        out: &mut ForceTerms,
    ) -> Result<(), OutOfDomain> {
        evaluate(self, at, want, out)
    }
    fn energy(&self, at: &ForcePoint<'_>) -> ForceEnergy {
        let speed = self.speed(at);
        ForceEnergy {
            potential: 0.0,
            power: -speed * self.law(inputs(self, at)[0], speed),
        }
    }
    fn channels(&self) -> &'static [(&'static str, &'static str)] {
        match self.against {
            Against::Turning => &[("speed", "rad/s"), ("torque", "N m")],
            Against::Sliding => &[("speed", "m/s"), ("force", "N")],
        }
    }
    fn observe(&self, at: &ForcePoint<'_>, out: &mut [f64]) {
        let speed = self.speed(at);
        out[..2].copy_from_slice(&[speed, self.law(inputs(self, at)[0], speed)]);
    }
    fn fields(&self) -> Vec<(&'static str, Value)> {
        let against = match self.against {
            Against::Turning => "turning",
            Against::Sliding => "sliding",
        };
        let mut fields = vec![("against", Value::Text(against.into()))];
        fields.extend(self.fixture.axis_fields());
        fields.push(("coulomb", Value::from(&self.coulomb)));
        for (key, x) in [
            ("static_ratio", self.static_ratio),
            ("stribeck_speed", self.stribeck_speed),
            ("transition_speed", self.transition_speed),
            ("viscous", self.viscous),
        ] {
            fields.push((key, Value::Number(x)));
        }
        fields
    }
}
