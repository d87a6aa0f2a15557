//! Torsional spring and damper about an axis: `T = k(angle - free) + c rate`.
//!
//! The angle is that from the normal of body a to the normal of body b, seen along the axis of
//! body a, over whole turns; the spring winds up. Its characteristic may be a number, a formula of
//! the `angle` beyond the free one, or a table.

use super::by_scalar::probe;
use super::measure::{angle, observe, pull_angle};
use super::{Bodies, Force, ForcePattern, ForcePoint, Law, derived};
use super::{ForceEnergy, OutOfDomain};
use crate::curve::Curve;
use crate::geometry::Site;
use crate::joint::fixture::Way;
use crate::joint::mounted::rests;
use crate::joint::{COLUMNS, Fixture};
use crate::part::{Keys, Kind, Part};
use crate::units::Unit;
use linkwork_dae::scalar::Scalar;

/// A torsional spring and damper about an axis.
#[derive(Clone, Debug, Default, PartialEq)]
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

impl Kind for TorsionSpring {
    const NAME: &'static str = "torsion_spring";
    const SUMMARY: &'static str = "A torsional spring and damper about an axis of body_a.";
}

impl Part for TorsionSpring {
    fn keys(&mut self, k: &mut Keys<'_>) {
        self.fixture.axes(k, Way::About);
        self.fixture.normals(k);
        self.fixture.measured(k);
        k.key("stiffness", Unit::AngularStiffness, "Torque per angle.")
            .or(0.0)
            .like(2.0, 1.0)
            .not_negative(&mut self.stiffness);
        let doc = "Further torque: a formula of `angle` or a table [[angle, torque], ...].";
        k.key("torque", Unit::Torque, doc)
            .or("none")
            .curve("angle", Unit::Angle, &mut self.torque);
        let doc = "Torque per rate of the angle.";
        k.key("damping", Unit::AngularDamping, doc)
            .or(0.0)
            .not_negative(&mut self.damping);
        if k.table().is_some_and(|f| !f.in_plane()) {
            self.free_angle = Some(0.0);
        }
        let doc = "Angle at which there is no torque; in planar models that of body_b minus that of body_a.";
        k.key("free_angle", Unit::Angle, doc)
            .or("0; in planar models as in the start pose")
            .number(&mut self.free_angle);
    }
}

impl TorsionSpring {
    fn law<S: Scalar>(&self, angle: S, rate: S, sides: &[bool]) -> S {
        let twist = angle - self.free_angle.unwrap_or(0.0);
        let linear = twist * self.stiffness + rate * self.damping;
        match &self.torque {
            Some(curve) => linear + curve.eval_frozen(twist, sides),
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
    fn wrench<S: Scalar>(&self, at: Bodies<'_, S>) -> Result<[S; COLUMNS], OutOfDomain> {
        let Bodies {
            a, b, turns, sides, ..
        } = at;
        let turn = turns.first().copied().unwrap_or(0.0);
        let law = |z, rate| (self.law(z, rate, sides), ());
        Ok(pull_angle(&self.fixture, a, b, turn, law).0)
    }
}

impl Force for TorsionSpring {
    rests!(free_angle);
    fn place(&mut self, a: &Site, b: &Site) {
        self.fixture.place(a, b);
        let start = angle(&self.fixture, &a.pose, &b.pose, 0.0);
        self.free_angle.get_or_insert(start);
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

    derived!(eval by_scalar);

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
            power: -rate * (self.law(angle, rate, at.sides) - self.stiffness * twist),
        }
    }
    fn channels(&self) -> &'static [(&'static str, &'static str)] {
        &[("angle", "rad"), ("torque", "N m")]
    }
    fn observe(&self, at: &ForcePoint<'_>, out: &mut [f64]) {
        let (angle, rate) = self.turned(at);
        out[..2].copy_from_slice(&[angle, self.law(angle, rate, at.sides)]);
    }
    fn profiles(&self) -> [Option<(&'static str, &Curve)>; 2] {
        let torque = self.torque.as_ref();
        [torque.map(|curve| ("a corner of `torque`", curve)), None]
    }
    fn along_profile(&self, at: &ForcePoint<'_>) -> [f64; 2] {
        let (angle, rate) = self.turned(at);
        [angle - self.free_angle.unwrap_or(0.0), rate]
    }
}
