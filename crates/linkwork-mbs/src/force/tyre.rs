//! Tyre as a vertical spring and damper that follows a road.
//!
//! ```text
//!  F = k (r0 - (Z - h(X))) - c (Z' - h'(X) X')       on body b at (X, Y, Z), upwards
//! ```
//!
//! `h` is the height of the road at the abscissa of the wheel centre. The force stays when it
//! would pull, unless the tyre may lift off: then both terms end with the contact, the damper
//! over a small part of the compression so that the force has no jump.

use super::by_scalar::probe;
use super::smooth::step;
use super::{Bodies, Force, ForcePattern, ForcePoint, Law, derived, push};
use super::{ForceEnergy, MAX_SWITCHES, OutOfDomain};
use crate::curve::Curve;
use crate::geometry::{Frame, Marker, Site, Vector, lifted};
use crate::joint::COLUMNS;
use crate::joint::mounted::stands;
use crate::part::{Keys, Kind, Part};
use crate::units::Unit;
use linkwork_dae::scalar::{Dual, Scalar};

/// A tyre as a vertical spring and damper over a road.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tyre {
    /// The wheel centre, on body b.
    pub point: Marker,
    /// Stiffness `k`, N/m.
    pub stiffness: f64,
    /// Damping `c`, N s/m.
    pub damping: f64,
    /// Radius without load `r0`, m.
    pub radius: f64,
    /// Height of the road `h`, m, over the abscissa, m.
    pub road: Curve,
    /// Whether the tyre may leave the road.
    pub lifts: bool,
}

impl Kind for Tyre {
    const NAME: &'static str = "tyre";
    const SUMMARY: &'static str =
        "A wheel as a vertical spring and damper over a road profile; up is z.";
    const IN_PLANE: bool = false;
}

impl Part for Tyre {
    fn keys(&mut self, k: &mut Keys<'_>) {
        k.point(&mut self.point);
        k.key("stiffness", Unit::Stiffness, "Force per compression.")
            .like(20.0, 5.0)
            .positive(&mut self.stiffness);
        k.key("damping", Unit::Damping, "Force per rate of compression.")
            .or(0.0)
            .like(2.0, 1.0)
            .not_negative(&mut self.damping);
        k.key("radius", Unit::Length, "Radius of the tyre without load.")
            .like(3.0, 1.0)
            .positive(&mut self.radius);
        let doc = "Height of the road: a formula of `x` or a table [[x, height], ...].";
        k.key("road", Unit::Length, doc)
            .or(0.0)
            .curve("x", Unit::Length, &mut self.road);
        let doc = "Whether the tyre may leave the road; false: it also pulls.";
        k.key("lifts", Unit::None, doc)
            .or(true)
            .flag(&mut self.lifts);
    }
}

/// Share of the free radius over which the damper of a landing tyre comes in.
const SOFT: f64 = 1e-2;

/// Height and slope of a curve at `x`, for any scalar: the slope is one more derivative.
fn height_and_slope<S: Scalar>(road: &Curve, x: S, sides: &[bool]) -> (S, S) {
    let h = road.eval_frozen(Dual::<1, S>::variable(x, 0), sides);
    (h.v, h.d[0])
}

impl Tyre {
    /// Compression, its rate, and what spring and damper make of them: below zero the tyre would pull.
    fn pressed<S: Scalar>(&self, b: &Frame<S>, corners: &[bool]) -> (S, S, S) {
        let p = b.pose.point(self.point.point);
        let v = b.velocity_at(self.point.point);
        let (h, slope) = height_and_slope(&self.road, p[0], corners);
        let compression = h - p[2] + self.radius;
        let rate = slope * v[0] - v[2];
        let (spring, damper) = (compression * self.stiffness, rate * self.damping);
        let landing = if self.lifts {
            step(compression / (SOFT * self.radius))
        } else {
            S::from(1.0)
        };
        (compression, rate, spring + damper * landing)
    }

    /// Compression, its rate, and the force upwards. Sides: whether it presses, if it may lift, then the corners.
    fn state<S: Scalar>(&self, b: &Frame<S>, sides: &[bool]) -> (S, S, S) {
        let (side, corners) = match sides.split_first() {
            Some((side, corners)) if self.lifts => (Some(*side), corners),
            _ => (None, sides),
        };
        let (compression, rate, force) = self.pressed(b, corners);
        let presses = side.unwrap_or(!self.lifts || force.value() > 0.0);
        let force = if presses { force } else { S::from(0.0) };
        (compression, rate, force)
    }
}

impl Law for Tyre {
    fn wrench<S: Scalar>(&self, at: Bodies<'_, S>) -> Result<[S; COLUMNS], OutOfDomain> {
        let Bodies { b, sides, .. } = at;
        let zero = S::from(0.0);
        let (_, _, force) = self.state(b, sides);
        let mut on = [zero; COLUMNS];
        let at = lifted(self.point.point);
        push(&mut on, 1, b, at, [zero, zero, force]);
        Ok(on)
    }
}

impl Force for Tyre {
    fn needs_orientation(&self) -> [bool; 2] {
        [false, false]
    }
    stands!();
    fn profiles(&self) -> [Option<(&'static str, &Curve)>; 2] {
        [Some(("a corner of the road", &self.road)), None]
    }
    fn lets_go(&self) -> bool {
        false
    }
    fn along_profile(&self, at: &ForcePoint<'_>) -> [f64; 2] {
        let (p, v) = (self.point.point, at.b.velocity_at(self.point.point));
        [at.b.pose.point(p)[0], v[0]]
    }
    fn place(&mut self, _: &Site, b: &Site) {
        self.point.place(b);
    }
    fn pattern(&self, flat: bool) -> ForcePattern {
        // without lift-off and level ground, so that no state hides an entry
        let tyre = Tyre {
            lifts: false,
            road: self.road.winding(),
            ..self.clone()
        };
        probe(&tyre, flat)
    }
    derived!(eval by_scalar);
    fn switches(&self) -> Vec<(&'static str, f64)> {
        let lift = ("press on the road", SOFT * self.radius * self.stiffness);
        let mut all = Vec::from_iter(self.lifts.then_some(lift));
        let corners = self.road.corners();
        // of more the jumps are found as they come
        if all.len() + corners <= MAX_SWITCHES {
            all.extend(std::iter::repeat_n(("a corner of the road", 1.0), corners));
        }
        all
    }
    fn switch_values(&self, at: &ForcePoint<'_>, out: &mut [f64]) {
        let x = at.b.pose.point(self.point.point)[0];
        let (lift, corners) = out.split_at_mut(usize::from(self.lifts).min(out.len()));
        if let Some(lift) = lift.first_mut() {
            *lift = self.pressed(at.b, &[]).2;
        }
        for (k, out) in corners.iter_mut().enumerate() {
            *out = self.road.corner(k, x);
        }
    }

    fn energy(&self, at: &ForcePoint<'_>) -> ForceEnergy {
        let (compression, rate, force) = self.state(at.b, at.sides);
        let touching = !self.lifts || compression > 0.0;
        let spring = if touching {
            self.stiffness * compression
        } else {
            0.0
        };
        // the road does work: power of the force on the wheel and of the road on the spring
        let v = at.b.velocity_at(self.point.point);
        ForceEnergy {
            potential: 0.5 * spring * compression,
            power: force * v[2] + spring * rate,
        }
    }
    fn channels(&self) -> &'static [(&'static str, &'static str)] {
        &[("compression", "m"), ("force", "N"), ("road", "m")]
    }
    fn observe(&self, at: &ForcePoint<'_>, out: &mut [f64]) {
        let (compression, _, force) = self.state(at.b, at.sides);
        let x = at.b.pose.point(self.point.point)[0];
        out[..3].copy_from_slice(&[compression, force, self.road.eval(x)]);
    }
}
