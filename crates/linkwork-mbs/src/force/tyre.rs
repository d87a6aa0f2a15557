//! Tyre as a vertical spring and damper that follows a road.
//!
//! ```text
//!  F = k (r0 - (Z - h(X))) - c (Z' - h'(X) X')       on body b at (X, Y, Z), upwards
//! ```
//!
//! `h` is the height of the road at the abscissa of the wheel centre. The force stays when it
//! would pull, unless the tyre may lift off: then both terms end with the contact, the damper
//! over a small part of the compression so that the force has no jump.

use super::by_scalar::{evaluate, probe};
use super::smooth::step;
use super::{Force, ForceEntry, ForcePattern, ForcePoint, ForceTerms, Law, MAX_INPUTS, push};
use super::{ForceEnergy, ForceWant, OutOfDomain};
use crate::curve::Curve;
use crate::field::{Form, Key, Value};
use crate::geometry::{Frame, Marker, Site, Vector, lifted};
use crate::joint::COLUMNS;
use crate::units::Unit;
use linkwork_dae::scalar::{Dual, Scalar};

/// A tyre as a vertical spring and damper over a road.
#[derive(Clone, Debug, PartialEq)]
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

pub(super) const POINT: Key = Key::optional(
    "point",
    Unit::Length,
    "origin of the body",
    "Where the force acts, in the frame of the body.",
)
.takes(Form::Vector);
pub(super) const AT: Key = Key::optional(
    "at",
    Unit::Length,
    "not used",
    "Global place, in the start pose, of the point where the force acts.",
)
.takes(Form::Vector);

/// The point of a force on a single body: `point` or `at`.
pub(super) fn read_point(f: &crate::text::Fields<'_>) -> Result<Marker, crate::ModelError> {
    if f.has("at") {
        if f.has("point") {
            return Err(f.error("point", "the global place of this point is given as well"));
        }
        return Ok(Marker::global(f.vector("at", Unit::Length)?));
    }
    let point = f.vector_or("point", Unit::Length, [0.0; 3])?;
    Ok(Marker::body(point))
}

pub(super) const ENTRY: ForceEntry = ForceEntry {
    kind: "tyre",
    summary: "A wheel as a vertical spring and damper over a road profile; up is z.",
    in_plane: false,
    keys: &[
        POINT,
        AT,
        Key::required("stiffness", Unit::Stiffness, "Force per compression."),
        Key::optional(
            "damping",
            Unit::Damping,
            "0",
            "Force per rate of compression.",
        ),
        Key::required("radius", Unit::Length, "Radius of the tyre without load."),
        Key::optional(
            "road",
            Unit::Length,
            "0",
            "Height of the road: a formula of `x` or a table [[x, height], ...].",
        )
        .takes(Form::Curve),
        Key::optional(
            "lifts",
            Unit::None,
            "true",
            "Whether the tyre may leave the road; false: it also pulls.",
        )
        .takes(Form::Flag),
    ],
    read: |f| {
        Ok(Tyre {
            point: read_point(f)?,
            stiffness: f.positive("stiffness", Unit::Stiffness)?,
            damping: f.not_negative_or("damping", Unit::Damping, 0.0)?,
            radius: f.positive("radius", Unit::Length)?,
            road: f.curve_or("road", "x", [Unit::Length, Unit::Length], 0.0)?,
            lifts: f.flag_or("lifts", true)?,
        }
        .into())
    },
    example: |draw| {
        Tyre {
            point: [draw(), draw(), draw()].into(),
            stiffness: 20.0 + 5.0 * draw(),
            damping: 2.0 + draw(),
            radius: 3.0 + draw(),
            road: Curve::table(&[[-3.0, 0.1], [-1.0, draw()], [0.5, draw()], [3.0, 0.2]])
                .unwrap_or_else(|_| Curve::constant(0.1)),
            lifts: draw() > 0.0,
        }
        .into()
    },
};

/// Share of the free radius over which the damper of a landing tyre comes in.
const SOFT: f64 = 1e-2;

/// Height and slope of a curve at `x`, for any scalar: the slope is one more derivative.
fn height_and_slope<S: Scalar>(road: &Curve, x: S) -> (S, S) {
    let h = road.eval(Dual::<1, S>::variable(x, 0));
    (h.v, h.d[0])
}

impl Tyre {
    /// Compression, its rate, and the force upwards.
    fn state<S: Scalar>(&self, b: &Frame<S>) -> (S, S, S) {
        let p = b.pose.point(self.point.point);
        let v = b.velocity_at(self.point.point);
        let (h, slope) = height_and_slope(&self.road, p[0]);
        let compression = h - p[2] + self.radius;
        let rate = slope * v[0] - v[2];
        let (spring, damper) = (compression * self.stiffness, rate * self.damping);
        let force = if !self.lifts {
            spring + damper
        } else {
            let force = spring + damper * step(compression / (SOFT * self.radius));
            if compression.value() <= 0.0 || force.value() <= 0.0 {
                S::from(0.0)
            } else {
                force
            }
        };
        (compression, rate, force)
    }
}

impl Law for Tyre {
    fn wrench<S: Scalar>(
        &self,
        _: f64,
        _: &[S; MAX_INPUTS],
        _: &Frame<S>,
        b: &Frame<S>,
        _: &[f64],
    ) -> Result<[S; COLUMNS], OutOfDomain> {
        let zero = S::from(0.0);
        let (_, _, force) = self.state(b);
        let mut on = [zero; COLUMNS];
        push(&mut on, 1, b, lifted(self.point.point), [zero, zero, force]);
        Ok(on)
    }
}

impl Force for Tyre {
    fn kind(&self) -> &'static str {
        ENTRY.kind
    }
    fn needs_orientation(&self) -> [bool; 2] {
        [false, false]
    }
    fn markers(&self) -> [Option<Vector>; 2] {
        [None, Some(self.point.point)]
    }
    fn is_external(&self) -> bool {
        true
    }
    fn stands_on_ground(&self) -> bool {
        true
    }
    fn profile(&self) -> Option<&Curve> {
        Some(&self.road)
    }
    fn along_profile(&self, at: &ForcePoint<'_>) -> [f64; 2] {
        let (p, v) = (self.point.point, at.b.velocity_at(self.point.point));
        [at.b.pose.point(p)[0], v[0]]
    }
    fn place(&mut self, _: &Site, b: &Site) {
        self.point.place(b);
    }
    fn check(&self) -> Result<(), String> {
        for (what, x) in [("stiffness", self.stiffness), ("radius", self.radius)] {
            if !(x > 0.0 && x.is_finite()) {
                return Err(format!("the {what} must be greater than zero, it is {x}"));
            }
        }
        if !(self.damping >= 0.0 && self.damping.is_finite()) {
            return Err(format!(
                "the damping must not be negative, it is {}",
                self.damping
            ));
        }
        Ok(())
    }
    fn extent(&self) -> f64 {
        self.radius
    }
    fn pattern(&self, flat: bool) -> ForcePattern {
        // without lift-off and level ground, so that no state hides an entry
        probe(
            &Tyre {
                lifts: false,
                road: self.road.winding(),
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
    fn energy(&self, at: &ForcePoint<'_>) -> ForceEnergy {
        let (compression, rate, force) = self.state(at.b);
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
        let (compression, _, force) = self.state(at.b);
        let x = at.b.pose.point(self.point.point)[0];
        out[..3].copy_from_slice(&[compression, force, self.road.eval(x)]);
    }
    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![
            ("point", Value::Vector(self.point.point)),
            ("stiffness", Value::Number(self.stiffness)),
            ("damping", Value::Number(self.damping)),
            ("radius", Value::Number(self.radius)),
            ("road", self.road.value()),
            ("lifts", Value::Flag(self.lifts)),
        ]
    }
}
