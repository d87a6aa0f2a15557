//! Dry friction, regularised: against turning about an axis or sliding along it.
//!
//! ```text
//!  F = F_c (1 + (s - 1) exp(-(v/v_s)^2)) tanh(v/v_t) + c v
//! ```
//!
//! `F_c` is the Coulomb force or torque (a formula, so it may follow a signal), `s` the ratio of
//! static to sliding friction (Stribeck), `v_t` the speed of transition: below it friction is
//! viscous, so a body on a slope creeps. Smaller values take smaller steps.

use super::by_scalar::{at_time, inputs};
use super::measure::{angle, displacement, observe, pull_and_tell, pull_angle};
use super::smooth::tanh;
use super::{Bodies, Force, ForcePoint, Law, MAX_INPUTS, derived};
use super::{ForceEnergy, OutOfDomain};
use crate::expr::{Formula, Now};
use crate::geometry::{Frame, Pose};
use crate::joint::fixture::Way;
use crate::joint::mounted::sits_on;
use crate::joint::{COLUMNS, Fixture};
use crate::part::{Keys, Kind, Part, Word};
use crate::units::Unit;
use linkwork_dae::scalar::Scalar;

/// What friction works against.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Against {
    /// Turning about the axis.
    #[default]
    Turning,
    /// Sliding along the axis.
    Sliding,
}

impl Word for Against {
    const WORDS: &'static [(&'static str, Against)] =
        &[("turning", Against::Turning), ("sliding", Against::Sliding)];
}

pub(super) const COULOMB: &str =
    "Torque of sliding friction in N m, or force in N; may name signals.";
const OR_NONE: &str = "Torque of sliding friction in N m, or force in N; may name signals, and is none while it is below zero.";
pub(super) const STRIBECK: &str =
    "Speed, in rad/s or m/s, at which the extra static friction fades.";
pub(super) const VISCOUS: &str = "Friction per speed, N m s/rad or N s/m.";

impl Against {
    /// The keys of any friction: what it works against, and where.
    pub(crate) fn keys(&mut self, k: &mut Keys<'_>, fixture: &mut Fixture) {
        k.key("against", Unit::None, "`turning` or `sliding`.")
            .word(self);
        fixture.points(k);
        let way = match self {
            Against::Turning => Way::About,
            Against::Sliding => Way::Along,
        };
        fixture.axes(k, way);
    }

    /// Only its rate counts; the angle may jump by whole turns.
    fn measure<S: Scalar>(self, fixture: &Fixture, a: &Pose<S>, b: &Pose<S>) -> S {
        match self {
            Against::Turning => angle(fixture, a, b, 0.0),
            Against::Sliding => displacement(fixture, a, b),
        }
    }

    /// What friction does, a function of the speed, with something else that it tells.
    pub(super) fn pull<S: Scalar, T>(
        self,
        fixture: &Fixture,
        a: &Frame<S>,
        b: &Frame<S>,
        law: impl FnOnce(S) -> (S, T),
    ) -> ([S; COLUMNS], T) {
        match self {
            Against::Turning => pull_angle(fixture, a, b, 0.0, |_, speed| law(speed)),
            Against::Sliding => pull_and_tell(
                a,
                b,
                |a, b| [displacement(fixture, a, b)],
                |_, [speed]| {
                    let (force, told) = law(speed);
                    ([force], told)
                },
            ),
        }
    }

    pub(super) fn speed(self, fixture: &Fixture, at: &ForcePoint<'_>) -> f64 {
        let [(_, rate)] = observe(at.a, at.b, |a, b| [self.measure(fixture, a, b)]);
        rate
    }
}

/// Regularised dry friction against turning about an axis or sliding along it.
#[derive(Clone, Debug, Default, PartialEq)]
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

impl Kind for Friction {
    const NAME: &'static str = "friction";
    const SUMMARY: &'static str =
        "Dry friction, regularised, against turning about an axis or sliding along it.";
}

impl Part for Friction {
    fn keys(&mut self, k: &mut Keys<'_>) {
        self.against.keys(k, &mut self.fixture);
        k.key("coulomb", Unit::None, OR_NONE)
            .like(2.0, 1.0)
            .formula_not_negative(&mut self.coulomb);
        k.key("static_ratio", Unit::None, "Static over sliding friction.")
            .or(1.0)
            .at_least(1.0, &mut self.static_ratio);
        let doc = "Speed, in rad/s or m/s, below which friction falls to zero.";
        k.key("transition_speed", Unit::None, doc)
            .like(0.3, 0.1)
            .positive(&mut self.transition_speed);
        k.key("stribeck_speed", Unit::None, STRIBECK)
            .or(10.0 * self.transition_speed)
            .called("ten times the speed of transition")
            .like(0.7, 0.1)
            .positive(&mut self.stribeck_speed);
        k.key("viscous", Unit::None, VISCOUS)
            .or(0.0)
            .like(0.2, 0.1)
            .not_negative(&mut self.viscous);
    }
}

impl Friction {
    fn law<S: Scalar>(&self, coulomb: S, speed: S) -> S {
        // below zero it would drive
        let coulomb = match coulomb.value() < 0.0 {
            true => S::from(0.0),
            false => coulomb,
        };
        let x = speed / self.stribeck_speed;
        let fading = (-(x * x)).exp() * (self.static_ratio - 1.0) + 1.0;
        coulomb * fading * tanh(speed / self.transition_speed) + speed * self.viscous
    }
}

impl Law for Friction {
    fn wrench<S: Scalar>(&self, at: Bodies<'_, S>) -> Result<[S; COLUMNS], OutOfDomain> {
        let Bodies { inputs, a, b, .. } = at;
        let law = |speed| (self.law(inputs[0], speed), ());
        Ok(self.against.pull(&self.fixture, a, b, law).0)
    }

    fn values(&self, now: Now) -> [f64; MAX_INPUTS] {
        at_time(now, [&self.coulomb])
    }
}

impl Force for Friction {
    fn needs_orientation(&self) -> [bool; 2] {
        [true, self.against == Against::Turning]
    }
    sits_on!(fixture);
    fn inputs(&self) -> Vec<&Formula> {
        vec![&self.coulomb]
    }
    derived!(by_scalar);

    fn energy(&self, at: &ForcePoint<'_>) -> ForceEnergy {
        let speed = self.against.speed(&self.fixture, at);
        ForceEnergy::spent(-speed * self.law(inputs(self, at)[0], speed))
    }
    fn channels(&self) -> &'static [(&'static str, &'static str)] {
        match self.against {
            Against::Turning => &[("speed", "rad/s"), ("torque", "N m")],
            Against::Sliding => &[("speed", "m/s"), ("force", "N")],
        }
    }
    fn observe(&self, at: &ForcePoint<'_>, out: &mut [f64]) {
        let speed = self.against.speed(&self.fixture, at);
        out[..2].copy_from_slice(&[speed, self.law(inputs(self, at)[0], speed)]);
    }
}
