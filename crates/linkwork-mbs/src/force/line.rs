//! Force in the line between two points, of any law: an actuator, a nonlinear spring, a force that
//! a formula gives.
//!
//! ```text
//!  F = limit(f(t, signals)) + s(elongation) + d(rate)        pulls the points together
//! ```
//!
//! `f` is a formula of time and signals, limited between two values with rounded corners; `s` and `d`
//! are formulas or tables of elongation and rate. Undefined where the points coincide.

use super::by_scalar::{at_time, inputs, probe, spent};
use super::smooth::limit;
use super::{Bodies, Force, ForcePattern, ForcePoint, Law, derived, push};
use super::{ForceEnergy, MAX_INPUTS, OutOfDomain};
use crate::curve::Curve;
use crate::expr::{Formula, Now};
use crate::geometry::{Frame, Marker, Site, Vector, dot, lifted, norm, scaled, sub};
use crate::joint::COLUMNS;
use crate::joint::mounted::stretches;
use crate::part::{Keys, Kind, Part};
use crate::units::Unit;
use linkwork_dae::scalar::Scalar;

/// A force of any law in the line between two points.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LineForce {
    /// The point on body a.
    pub a: Marker,
    /// The point on body b.
    pub b: Marker,
    /// What is commanded, N; positive pulls.
    pub force: Formula,
    /// Smallest and largest commanded force, N.
    pub limits: [f64; 2],
    /// Force over elongation beyond the free length.
    pub elastic: Option<Curve>,
    /// Force over the rate of the length.
    pub viscous: Option<Curve>,
    /// Length without elongation, m; `None`: as in the start pose.
    pub free_length: Option<f64>,
}

impl Kind for LineForce {
    const NAME: &'static str = "line_force";
    const SUMMARY: &'static str = "A force in the line between two points: an actuator with limits, a nonlinear spring \
              or damper, or any formula.";
}

impl Part for LineForce {
    fn keys(&mut self, k: &mut Keys<'_>) {
        let why = "the two ends of a line cannot coincide";
        k.ends(&mut self.a, &mut self.b, why);
        let doc = "Commanded force, pulling; may name signals.";
        k.key("force", Unit::Force, doc)
            .or(0.0)
            .formula(&mut self.force);
        let [least, most] = &mut self.limits;
        k.key("least", Unit::Force, "Smallest commanded force.")
            .or(f64::NEG_INFINITY)
            .called("none")
            .like(-2.0, 1.0)
            .number(least);
        k.key("most", Unit::Force, "Largest commanded force.")
            .or(f64::INFINITY)
            .called("none")
            .like(2.0, 1.0)
            .number(most);
        k.rule(
            "most",
            *least < *most,
            "`most` must be greater than `least`",
        );
        let doc = "Spring force: a formula of `elongation` or a table [[elongation, force], ...].";
        k.key("elastic", Unit::Force, doc).or("0").curve(
            "elongation",
            Unit::Length,
            &mut self.elastic,
        );
        let doc = "Damper force: a formula of `rate` or a table [[rate, force], ...].";
        k.key("viscous", Unit::Force, doc)
            .or("0")
            .curve("rate", Unit::Velocity, &mut self.viscous);
        let doc = "Length at which the elongation is zero.";
        k.key("free_length", Unit::Length, doc)
            .or("as in the start pose")
            .like(1.0, 0.5)
            .not_negative(&mut self.free_length);
    }
}

/// Direction from a point of a to one of b, length, rate.
pub(super) fn line<S: Scalar>(
    a: &Frame<S>,
    b: &Frame<S>,
    [from, to]: [Vector; 2],
) -> (Vector<S>, S, S) {
    let d = sub(b.pose.point(to), a.pose.point(from));
    let length = norm(d);
    let u = scaled(d, S::from(1.0) / length);
    let v = sub(b.velocity_at(to), a.velocity_at(from));
    (u, length, dot(u, v))
}

/// What a tension between the points does, a function of length and rate.
pub(super) fn draw<S: Scalar>(
    at: &Bodies<'_, S>,
    ends: [Vector; 2],
    tension: impl FnOnce(S, S) -> S,
) -> Result<[S; COLUMNS], OutOfDomain> {
    let (u, length, rate) = line(at.a, at.b, ends);
    if length.value() == 0.0 {
        return Err(NO_DIRECTION);
    }
    let pull = scaled(u, tension(length, rate));
    let mut on = [S::from(0.0); COLUMNS];
    push(&mut on, 0, at.a, lifted(ends[0]), pull);
    push(&mut on, 1, at.b, lifted(ends[1]), pull.map(|x| -x));
    Ok(on)
}

pub(super) const NO_DIRECTION: OutOfDomain =
    OutOfDomain::because("its length is zero, so its force has no direction");

impl LineForce {
    fn ends(&self) -> [Vector; 2] {
        [self.a.point, self.b.point]
    }

    fn tension<S: Scalar>(&self, commanded: S, [length, rate]: [S; 2], sides: &[bool]) -> S {
        let mut force = limit(commanded, self.limits);
        let of_elastic = self.elastic.as_ref().map_or(0, Curve::corners);
        let (elastic, viscous) = sides.split_at(of_elastic.min(sides.len()));
        if let Some(curve) = &self.elastic {
            force += curve.eval_frozen(length - self.free_length.unwrap_or(0.0), elastic);
        }
        if let Some(curve) = &self.viscous {
            force += curve.eval_frozen(rate, viscous);
        }
        force
    }
}

impl Law for LineForce {
    fn wrench<S: Scalar>(&self, at: Bodies<'_, S>) -> Result<[S; COLUMNS], OutOfDomain> {
        draw(&at, self.ends(), |length, rate| {
            self.tension(at.inputs[0], [length, rate], at.sides)
        })
    }

    fn values(&self, now: Now) -> [f64; MAX_INPUTS] {
        at_time(now, [&self.force])
    }
}

impl Force for LineForce {
    stretches!();
    fn inputs(&self) -> Vec<&Formula> {
        vec![&self.force]
    }
    fn place(&mut self, a: &Site, b: &Site) {
        self.a.place(a);
        self.b.place(b);
        let d = sub(b.pose.point(self.b.point), a.pose.point(self.a.point));
        self.free_length.get_or_insert(norm(d));
    }
    fn pattern(&self, flat: bool) -> ForcePattern {
        // a spring may be slack, a damper free, where one happens to look
        let winding = |curve: &Option<Curve>| curve.as_ref().map(Curve::winding);
        probe(
            &LineForce {
                elastic: winding(&self.elastic),
                viscous: winding(&self.viscous),
                ..self.clone()
            },
            flat,
        )
    }

    derived!(eval by_scalar);

    fn energy(&self, at: &ForcePoint<'_>) -> ForceEnergy {
        spent(self, at)
    }
    fn channels(&self) -> &'static [(&'static str, &'static str)] {
        &[("length", "m"), ("force", "N")]
    }
    fn observe(&self, at: &ForcePoint<'_>, out: &mut [f64]) {
        let (_, length, rate) = line(at.a, at.b, self.ends());
        let commanded = inputs(self, at)[0];
        let force = self.tension(commanded, [length, rate], at.sides);
        out[..2].copy_from_slice(&[length, force]);
    }
    fn profiles(&self) -> [Option<(&'static str, &Curve)>; 2] {
        let [elastic, viscous] = [&self.elastic, &self.viscous].map(Option::as_ref);
        [
            elastic.map(|curve| ("a corner of `elastic`", curve)),
            viscous.map(|curve| ("a corner of `viscous`", curve)),
        ]
    }
    fn along_profile(&self, at: &ForcePoint<'_>) -> [f64; 2] {
        let (_, length, rate) = line(at.a, at.b, self.ends());
        [length - self.free_length.unwrap_or(0.0), rate]
    }
}
