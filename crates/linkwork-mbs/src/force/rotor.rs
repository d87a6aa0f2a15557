//! Rotor of a motor behind a gear: inertia of its own on the turn of a hinge.
//!
//! ```text
//!  T = I w^2/2        w = c u_a . omega_a + n (u_b . omega_b - u_a . omega_a)
//! ```
//!
//! `n` is the ratio of the gear, `u_a` and `u_b` the axis on both bodies, `c` one if the rotor sits on body a,
//! whose spin it has as well, and zero if only the relative turn counts (armature). The axis stays fixed in
//! both bodies, so `T` has constant coefficients; gyroscopic torques are those of any body with such a kinetic
//! energy. The rotor's mass and its inertia across the axis belong to body a.

use super::measure::observe;
use super::{Force, ForcePattern, ForcePoint, ForceTerms};
use super::{ForceEnergy, ForceWant, OutOfDomain};
use crate::geometry::{Site, Vector};
use crate::joint::fixture::{UP, Way};
use crate::joint::{COLUMNS, Fixture};
use crate::part::{Keys, Kind, Part};
use crate::units::Unit;

/// A rotor on the turn of body b against body a.
#[derive(Clone, Debug, PartialEq)]
pub struct Rotor {
    /// The axis on both bodies; the points do not matter.
    pub fixture: Fixture,
    /// Inertia `I` about its axis, kg m^2.
    pub inertia: f64,
    /// Turns `n` of the rotor per turn of body b, both against body a.
    pub ratio: f64,
    /// Whether it sits on body a.
    pub carried: bool,
}

impl Rotor {
    /// A rotor on body a about a global direction of the start pose.
    pub fn about(axis: Vector, inertia: f64, ratio: f64) -> Rotor {
        Rotor {
            fixture: Fixture::at([0.0; 3], axis).without_points(),
            inertia,
            ratio,
            carried: true,
        }
    }

    /// Inertia of the relative turn alone.
    pub fn armature(self) -> Rotor {
        Rotor {
            carried: false,
            ..self
        }
    }
}

impl Kind for Rotor {
    const NAME: &'static str = "rotor";
    const SUMMARY: &'static str = "The inertia of a rotor behind a gear, on the turn of body_b against body_a about an axis; it exerts nothing else.";
}

impl Default for Rotor {
    fn default() -> Rotor {
        Rotor::about(UP, 0.0, 1.0)
    }
}

impl Part for Rotor {
    fn keys(&mut self, k: &mut Keys<'_>) {
        self.fixture.axes(k, Way::About);
        k.key("inertia", Unit::Inertia, "Inertia about its axis.")
            .like(0.3, 0.1)
            .positive(&mut self.inertia);
        let doc = "Turns of the rotor per turn of body_b, both against body_a.";
        k.key("ratio", Unit::None, doc)
            .or(1.0)
            .like(3.0, 1.0)
            .number(&mut self.ratio);
        let doc = "`body_a`: the rotor turns with it as well; `none`: only the relative turn counts (armature).";
        let mut armature = !self.carried;
        k.key("carrier", Unit::None, doc)
            .either(["body_a", "none"], &mut armature);
        self.carried = !armature;
    }
}

impl Force for Rotor {
    fn spin_inertia(&self) -> Option<[[f64; 6]; 6]> {
        let own = if self.carried { 1.0 } else { 0.0 };
        let (a, b) = (self.fixture.triad(0)[2], self.fixture.triad(1)[2]);
        let (a, b) = (a.map(|u| u * (own - self.ratio)), b.map(|u| u * self.ratio));
        let w = [a[0], a[1], a[2], b[0], b[1], b[2]];
        Some(w.map(|x| w.map(|y| self.inertia * x * y)))
    }
    fn place(&mut self, a: &Site, b: &Site) {
        self.fixture.place(a, b);
    }
    fn pattern(&self, _: bool) -> ForcePattern {
        ForcePattern::default()
    }
    fn eval(
        &self,
        _: &ForcePoint<'_>,
        want: ForceWant,
        out: &mut ForceTerms,
    ) -> Result<(), OutOfDomain> {
        if want.any(ForceWant::Q) {
            out.q = [0.0; COLUMNS];
        }
        Ok(())
    }
    fn energy(&self, _: &ForcePoint<'_>) -> ForceEnergy {
        // kinetic energy is counted with that of the bodies
        ForceEnergy::default()
    }
    fn channels(&self) -> &'static [(&'static str, &'static str)] {
        &[("speed", "rad/s")]
    }
    /// Speed of the rotor against body a.
    fn observe(&self, at: &ForcePoint<'_>, out: &mut [f64]) {
        let [(_, rate)] = observe(at.a, at.b, |a, b| [self.fixture.angle(a, b, 0.0)]);
        out[0] = self.ratio * rate;
    }
}
