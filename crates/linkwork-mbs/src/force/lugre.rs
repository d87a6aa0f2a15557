//! Dry friction with bristles (LuGre: Canudas de Wit, Olsson, Astrom & Lischinsky 1995), against turning
//! about an axis or sliding along it.
//!
//! ```text
//!  z' = v - s0 |v| z/g(v)           mean deflection of the bristles
//!  g(v) = F_c (1 + (r - 1) exp(-(v/v_s)^2))
//!  F = s0 z + s1 z' + s2 v
//! ```
//!
//! Below `g` the bristles carry like a spring of stiffness `s0`: a body on a slope stays where it is, which
//! regularised friction cannot do. In steady sliding `F = g(v) + s2 v`. `F_c` is a formula, so it may follow a
//! signal; it must stay greater than zero. Stiff bristles make small time constants, `g/(s0 v)`: use an
//! implicit method.

use super::evolution::{Evolution, Flow, Given, evaluate, given, probe};
use super::friction::Against;
use super::measure::{angle, displacement, observe, pull_and_tell};
use super::{Force, ForceEntry, ForcePattern, ForcePoint, ForceState, ForceTerms};
use super::{ForceEnergy, ForceWant, MAX_INPUTS, MAX_STATES, OutOfDomain};
use crate::expr::Formula;
use crate::field::{Form, Key, Value};
use crate::geometry::{Frame, Pose, Site, Vector};
use crate::joint::fixture::{AXIS, AXIS_A, AXIS_B};
use crate::joint::{AT, AT_A, AT_B, Fixture, POINT_A, POINT_B};
use crate::units::Unit;
use linkwork_dae::scalar::Scalar;

/// Dry friction with a state, which sticks.
#[derive(Clone, Debug, PartialEq)]
pub struct LuGre {
    /// Points and axis.
    pub fixture: Fixture,
    /// Turning or sliding.
    pub against: Against,
    /// Sliding friction `F_c`, N m or N.
    pub coulomb: Formula,
    /// Static over sliding friction `r`.
    pub static_ratio: f64,
    /// Speed `v_s` at which the extra static friction fades, rad/s or m/s.
    pub stribeck_speed: f64,
    /// Stiffness `s0` of the bristles, N m/rad or N/m.
    pub bristle_stiffness: f64,
    /// Damping `s1` of the bristles, N m s/rad or N s/m.
    pub bristle_damping: f64,
    /// Viscous part `s2`, N m s/rad or N s/m.
    pub viscous: f64,
    /// Deflection at the start, rad or m; `None`: settled where the bodies slide faster than the
    /// Stribeck speed, else zero.
    pub start: Option<f64>,
}

pub(super) const ENTRY: ForceEntry = ForceEntry {
    kind: "lugre_friction",
    summary: "Dry friction that sticks, against turning about an axis or sliding along it (LuGre); its state is the deflection of bristles.",
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
            "Static over sliding friction, 1 or more.",
        ),
        Key::required(
            "stribeck_speed",
            Unit::None,
            "Speed, in rad/s or m/s, at which the extra static friction fades.",
        ),
        Key::required(
            "bristle_stiffness",
            Unit::None,
            "Friction per deflection as long as it sticks, N m/rad or N/m.",
        ),
        Key::optional(
            "bristle_damping",
            Unit::None,
            "0",
            "Friction per rate of the deflection, N m s/rad or N s/m.",
        ),
        Key::optional(
            "viscous",
            Unit::None,
            "0",
            "Friction per speed, N m s/rad or N s/m.",
        ),
        Key::optional(
            "start",
            Unit::None,
            "settled if faster than the Stribeck speed, else 0",
            "Deflection at the start of the run, rad or m.",
        ),
    ],
    read: |f| {
        let word = f.choice("against", &["turning", "sliding"], Some("turning"))?;
        let (fixture, against) = match word {
            "sliding" => (Fixture::read(f)?, Against::Sliding),
            _ => (Fixture::read_about(f)?, Against::Turning),
        };
        Ok(LuGre {
            fixture,
            against,
            coulomb: f.signal("coulomb", Unit::None)?,
            static_ratio: f.positive_or("static_ratio", Unit::None, 1.0)?,
            stribeck_speed: f.positive("stribeck_speed", Unit::None)?,
            bristle_stiffness: f.positive("bristle_stiffness", Unit::None)?,
            bristle_damping: f.not_negative_or("bristle_damping", Unit::None, 0.0)?,
            viscous: f.not_negative_or("viscous", Unit::None, 0.0)?,
            start: f.optional_number("start", Unit::None)?,
        }
        .into())
    },
    example: |draw| {
        let mut fixture = Fixture::example(draw);
        (fixture.normal_a, fixture.normal_b) = (None, None);
        LuGre {
            fixture,
            against: if draw() > 0.0 {
                Against::Turning
            } else {
                Against::Sliding
            },
            coulomb: Formula::constant(2.0 + draw()),
            static_ratio: 1.5,
            stribeck_speed: 0.7,
            bristle_stiffness: 5.0 + draw(),
            bristle_damping: 0.3,
            viscous: 0.2,
            start: (draw() > 0.0).then_some(0.1),
        }
        .into()
    },
};

impl LuGre {
    /// Steady friction `g`.
    fn steady<S: Scalar>(&self, coulomb: S, speed: S) -> S {
        let x = speed / self.stribeck_speed;
        coulomb * ((-(x * x)).exp() * (self.static_ratio - 1.0) + 1.0)
    }

    /// Friction and rate of the deflection.
    fn law<S: Scalar>(&self, coulomb: S, speed: S, z: S) -> (S, S) {
        let size = speed * speed.value().signum();
        let rate = speed - size * z * self.bristle_stiffness / self.steady(coulomb, speed);
        let force = z * self.bristle_stiffness + rate * self.bristle_damping + speed * self.viscous;
        (force, rate)
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

impl Evolution for LuGre {
    fn flow<S: Scalar>(
        &self,
        given: &Given<S>,
        a: &Frame<S>,
        b: &Frame<S>,
        _: &[f64],
    ) -> Result<Flow<S>, OutOfDomain> {
        let coulomb = given.inputs[0];
        if !(coulomb.value() > 0.0) {
            return Err(OutOfDomain::because(
                "its Coulomb friction is not greater than zero",
            ));
        }
        let (wrench, rate) = pull_and_tell(
            a,
            b,
            |a, b| [self.measure(a, b)],
            |_, [speed]| {
                let (force, rate) = self.law(coulomb, speed, given.states[0]);
                ([force], rate)
            },
        );
        let mut rates = [S::from(0.0); MAX_STATES];
        rates[0] = rate;
        Ok(Flow { wrench, rates })
    }

    fn values(&self, t: f64) -> [f64; MAX_INPUTS] {
        let mut values = [0.0; MAX_INPUTS];
        values[0] = self.coulomb.eval(t);
        values
    }
}

impl Force for LuGre {
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
    fn states(&self) -> Vec<ForceState> {
        let largest = self.coulomb.eval(0.0).abs() * self.static_ratio / self.bristle_stiffness;
        vec![ForceState {
            name: "deflection of the bristles",
            unit: match self.against {
                Against::Turning => "rad",
                Against::Sliding => "m",
            },
            start: self.start.unwrap_or(0.0),
            scale: if largest > 0.0 { largest } else { 1.0 },
        }]
    }
    fn settle(&self, at: &ForcePoint<'_>, states: &mut [f64]) {
        let speed = self.speed(at);
        if let (Some(z), None, true) = (
            states.first_mut(),
            self.start,
            speed.abs() > self.stribeck_speed,
        ) {
            let steady = self.steady(given(self, at).inputs[0], speed);
            *z = speed.signum() * steady / self.bristle_stiffness;
        }
    }
    fn place(&mut self, a: &Site, b: &Site) {
        self.fixture.place(a, b);
    }
    fn check(&self) -> Result<(), String> {
        for (what, x) in [
            ("Stribeck speed", self.stribeck_speed),
            ("stiffness of the bristles", self.bristle_stiffness),
        ] {
            if !(x > 0.0 && x.is_finite()) {
                return Err(format!("the {what} must be greater than zero, it is {x}"));
            }
        }
        if !(self.static_ratio >= 1.0 && self.static_ratio.is_finite()) {
            let x = self.static_ratio;
            return Err(format!("the static ratio must be 1 or greater, it is {x}"));
        }
        self.fixture.check()
    }
    fn pattern(&self, flat: bool) -> ForcePattern {
        // inputs that no law could have had hide nothing
        let mut pattern = probe(self, flat);
        pattern.by_input = (0..12).map(|row| (row, 0)).collect();
        pattern
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
        let (speed, given) = (self.speed(at), given(self, at));
        let z = given.states[0];
        let (force, rate) = self.law(given.inputs[0], speed, z);
        ForceEnergy {
            potential: 0.5 * self.bristle_stiffness * z * z,
            power: -force * speed + self.bristle_stiffness * z * rate,
        }
    }
    fn channels(&self) -> &'static [(&'static str, &'static str)] {
        match self.against {
            Against::Turning => &[("speed", "rad/s"), ("torque", "N m"), ("deflection", "rad")],
            Against::Sliding => &[("speed", "m/s"), ("force", "N"), ("deflection", "m")],
        }
    }
    fn observe(&self, at: &ForcePoint<'_>, out: &mut [f64]) {
        let (speed, given) = (self.speed(at), given(self, at));
        let z = given.states[0];
        let (force, _) = self.law(given.inputs[0], speed, z);
        out[..3].copy_from_slice(&[speed, force, z]);
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
            ("bristle_stiffness", self.bristle_stiffness),
            ("bristle_damping", self.bristle_damping),
            ("viscous", self.viscous),
        ] {
            fields.push((key, Value::Number(x)));
        }
        fields.extend(self.start.map(|x| ("start", Value::Number(x))));
        fields
    }
}
