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

use super::by_scalar::at_time;
use super::evolution::{Evolution, Flow, Known, given, probe};
use super::friction::{Against, COULOMB, STRIBECK, VISCOUS};
use super::{Force, ForcePattern, ForcePoint, ForceState, derived};
use super::{ForceEnergy, MAX_INPUTS, MAX_STATES, OutOfDomain};
use crate::expr::{Formula, Now};
use crate::geometry::Frame;
use crate::joint::Fixture;
use crate::joint::mounted::sits_on;
use crate::part::{Keys, Kind, Part};
use crate::units::Unit;
use linkwork_dae::scalar::Scalar;

/// Dry friction with a state, which sticks.
#[derive(Clone, Debug, Default, PartialEq)]
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

impl Kind for LuGre {
    const NAME: &'static str = "lugre_friction";
    const SUMMARY: &'static str = "Dry friction that sticks, against turning about an axis or sliding along it (LuGre); its state is the deflection of bristles.";
}

impl Part for LuGre {
    fn keys(&mut self, k: &mut Keys<'_>) {
        self.against.keys(k, &mut self.fixture);
        k.key("coulomb", Unit::None, COULOMB)
            .like(2.0, 1.0)
            .formula_not_negative(&mut self.coulomb);
        let doc = "Static over sliding friction, 1 or more.";
        k.key("static_ratio", Unit::None, doc)
            .or(1.0)
            .like(1.5, 0.3)
            .at_least(1.0, &mut self.static_ratio);
        k.key("stribeck_speed", Unit::None, STRIBECK)
            .like(0.7, 0.1)
            .positive(&mut self.stribeck_speed);
        let doc = "Friction per deflection as long as it sticks, N m/rad or N/m.";
        k.key("bristle_stiffness", Unit::None, doc)
            .like(5.0, 1.0)
            .positive(&mut self.bristle_stiffness);
        let doc = "Friction per rate of the deflection, N m s/rad or N s/m.";
        k.key("bristle_damping", Unit::None, doc)
            .or(0.0)
            .like(0.3, 0.1)
            .not_negative(&mut self.bristle_damping);
        k.key("viscous", Unit::None, VISCOUS)
            .or(0.0)
            .like(0.2, 0.1)
            .not_negative(&mut self.viscous);
        let doc = "Deflection at the start of the run, rad or m.";
        k.key("start", Unit::None, doc)
            .or("settled if faster than the Stribeck speed, else 0")
            .like(0.1, 0.05)
            .number(&mut self.start);
    }
}

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
}

impl Evolution for LuGre {
    fn flow<S: Scalar>(
        &self,
        given: &Known<S>,
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
        let law = |speed| self.law(coulomb, speed, given.states[0]);
        let (wrench, rate) = self.against.pull(&self.fixture, a, b, law);
        let mut rates = [S::from(0.0); MAX_STATES];
        rates[0] = rate;
        Ok(Flow { wrench, rates })
    }

    fn values(&self, now: Now) -> [f64; MAX_INPUTS] {
        at_time(now, [&self.coulomb])
    }
}

impl Force for LuGre {
    fn needs_orientation(&self) -> [bool; 2] {
        [true, self.against == Against::Turning]
    }
    sits_on!(fixture);
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
        let speed = self.against.speed(&self.fixture, at);
        if let (Some(z), None, true) = (
            states.first_mut(),
            self.start,
            speed.abs() > self.stribeck_speed,
        ) {
            let steady = self.steady(given(self, at).inputs[0], speed);
            *z = speed.signum() * steady / self.bristle_stiffness;
        }
    }
    fn pattern(&self, flat: bool) -> ForcePattern {
        // inputs that no law could have had hide nothing
        let mut pattern = probe(self, flat);
        pattern.by_input = (0..12).map(|row| (row, 0)).collect();
        pattern
    }

    derived!(eval evolution);

    fn energy(&self, at: &ForcePoint<'_>) -> ForceEnergy {
        let (speed, given) = (self.against.speed(&self.fixture, at), given(self, at));
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
        let (speed, given) = (self.against.speed(&self.fixture, at), given(self, at));
        let z = given.states[0];
        let (force, _) = self.law(given.inputs[0], speed, z);
        out[..3].copy_from_slice(&[speed, force, z]);
    }
}
