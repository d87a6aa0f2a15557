//! Spring with hysteresis in the line between two points (Bouc 1967, Wen 1976).
//!
//! ```text
//!  u = length - free length
//!  F = a k u + (1 - a) k z + c u'                          pulls the points together
//!  z' = u' (1 - |z/Y|^n (s sign(u' z) + 1 - s))            deflection of the part that yields
//! ```
//!
//! `a` is the stiffness that is left beyond yielding, `Y` the deflection at which it yields, `n` how
//! sharply. In the usual letters `A = 1`, `beta = s/Y^n`, `gamma = (1 - s)/Y^n`. With `s` of one half or
//! more every cycle dissipates: of the power `(1 - a) k z (u' - z')` nothing is negative. The force does
//! not depend on how fast a path is run through (but for `c`). Where `u'` changes sign the path turns and the law has a
//! corner: steps end there. Undefined where the points coincide.

use super::evolution::{Evolution, Flow, Known, given};
use super::line::NO_DIRECTION;
use super::measure::pull_and_tell;
use super::{Force, ForcePoint, ForceState, MAX_STATES, derived};
use super::{ForceEnergy, OutOfDomain};
use crate::geometry::{Frame, Marker, Pose, Site, Vector, dot, norm, scaled, sub};
use crate::joint::mounted::stretches;
use crate::part::{Keys, Kind, Part};
use crate::units::Unit;
use linkwork_dae::scalar::Scalar;

/// A spring that yields.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hysteresis {
    /// The point on body a.
    pub a: Marker,
    /// The point on body b.
    pub b: Marker,
    /// Stiffness `k` before it yields, N/m.
    pub stiffness: f64,
    /// Share `a` of the stiffness that is left beyond yielding.
    pub hardening: f64,
    /// Deflection `Y` at which it yields, m.
    pub yield_deflection: f64,
    /// Exponent `n` of the transition, 1 or more.
    pub sharpness: f64,
    /// Shape `s` of unloading, 0.5 (straight) to 1.
    pub shape: f64,
    /// Damping `c`, N s/m.
    pub damping: f64,
    /// Length without force of the virgin spring, m; `None`: as in the start pose.
    pub free_length: Option<f64>,
    /// Deflection `z` at the start, m.
    pub start: f64,
}

impl Hysteresis {
    /// Between two body points, virgin and free of force in the start pose, with the usual shape.
    pub fn between(a: Vector, b: Vector, stiffness: f64, yield_deflection: f64) -> Hysteresis {
        Hysteresis {
            a: a.into(),
            b: b.into(),
            stiffness,
            hardening: 0.0,
            yield_deflection,
            sharpness: 2.0,
            shape: 0.5,
            damping: 0.0,
            free_length: None,
            start: 0.0,
        }
    }

    fn ends(&self) -> [Vector; 2] {
        [self.a.point, self.b.point]
    }

    fn length<S: Scalar>(&self, a: &Pose<S>, b: &Pose<S>) -> S {
        norm(sub(b.point(self.b.point), a.point(self.a.point)))
    }

    /// Tension and rate of the deflection `z`, with the spring taken to be drawn out or not.
    fn law<S: Scalar>(&self, length: S, rate: S, z: S, side: Option<bool>) -> (S, S) {
        let elongation = length - self.free_length.unwrap_or(0.0);
        let soft = self.stiffness * self.hardening;
        let yielding = self.stiffness - soft;
        let force = elongation * soft + z * yielding + rate * self.damping;
        let drawn = side.unwrap_or(rate.value() > 0.0);
        let share = if drawn == (z.value() > 0.0) {
            1.0
        } else {
            1.0 - 2.0 * self.shape
        };
        let flow = power(z / self.yield_deflection, self.sharpness) * share;
        (force, rate - rate * flow)
    }

    /// Length, its rate, tension and rate of the deflection.
    fn state(&self, at: &ForcePoint<'_>) -> ([f64; 2], [f64; 2]) {
        let d = sub(at.b.pose.point(self.b.point), at.a.pose.point(self.a.point));
        let v = sub(
            at.b.velocity_at(self.b.point),
            at.a.velocity_at(self.a.point),
        );
        let length = norm(d);
        let rate = dot(scaled(d, 1.0 / length), v);
        let given = given(self, at);
        let (force, z_rate) = self.law(length, rate, given.states[0], given.sides[0]);
        ([length, rate], [force, z_rate])
    }
}

/// `|x|^n`.
fn power<S: Scalar>(x: S, n: f64) -> S {
    let (v, sign) = (x.value().abs(), x.value().signum());
    let term = |k: i32, factor: f64| match factor {
        0.0 => 0.0,
        _ => factor * v.powf(n - f64::from(k)),
    };
    let (d, dd) = (n, n * (n - 1.0));
    x.lift([
        v.powf(n),
        sign * term(1, d),
        term(2, dd),
        sign * term(3, dd * (n - 2.0)),
    ])
}

impl Kind for Hysteresis {
    const NAME: &'static str = "hysteresis";
    const SUMMARY: &'static str = "A spring with hysteresis between two points (Bouc-Wen): it yields, and every cycle dissipates; its state is the deflection of the part that yields.";
}

impl Part for Hysteresis {
    fn keys(&mut self, k: &mut Keys<'_>) {
        let why = "the two ends of a line cannot coincide";
        k.ends(&mut self.a, &mut self.b, why);
        let doc = "Force per elongation before it yields.";
        k.key("stiffness", Unit::Stiffness, doc)
            .like(3.0, 1.0)
            .positive(&mut self.stiffness);
        let doc = "Share of the stiffness that is left beyond yielding, 0 to 1.";
        k.key("hardening", Unit::None, doc)
            .or(0.0)
            .like(0.3, 0.2)
            .between(0.0, 1.0, &mut self.hardening);
        k.key("yield", Unit::Length, "Deflection at which it yields.")
            .like(1.2, 0.1)
            .positive(&mut self.yield_deflection);
        let doc = "Exponent of the transition, 1 or more; large: elastic, then plastic.";
        k.key("sharpness", Unit::None, doc)
            .or(2.0)
            .at_least(1.0, &mut self.sharpness);
        let doc = "Shape of unloading, 0.5 (straight) to 1 (slim loops).";
        k.key("shape", Unit::None, doc)
            .or(0.5)
            .between(0.5, 1.0, &mut self.shape);
        k.key("damping", Unit::Damping, "Force per rate of the length.")
            .or(0.0)
            .like(0.4, 0.1)
            .not_negative(&mut self.damping);
        let doc = "Length without force as long as it has not yielded.";
        k.key("free_length", Unit::Length, doc)
            .or("as in the start pose")
            .like(1.0, 0.5)
            .not_negative(&mut self.free_length);
        k.key("start", Unit::Length, "Deflection at the start of the run.")
            .or(0.0)
            .like(0.0, 0.1)
            .number(&mut self.start);
        let elastic = self.start.abs() <= self.yield_deflection;
        k.rule(
            "start",
            elastic,
            "it cannot start beyond its yield deflection",
        );
    }
}

impl Evolution for Hysteresis {
    fn flow<S: Scalar>(
        &self,
        given: &Known<S>,
        a: &Frame<S>,
        b: &Frame<S>,
        _: &[f64],
    ) -> Result<Flow<S>, OutOfDomain> {
        if self.length(&a.pose, &b.pose).value() == 0.0 {
            return Err(NO_DIRECTION);
        }
        let mut rates = [S::from(0.0); MAX_STATES];
        let (wrench, rate) = pull_and_tell(
            a,
            b,
            |a, b| [self.length(a, b)],
            |[length], [rate]| {
                let (force, z_rate) = self.law(length, rate, given.states[0], given.sides[0]);
                ([force], z_rate)
            },
        );
        rates[0] = rate;
        Ok(Flow { wrench, rates })
    }
}

impl Force for Hysteresis {
    stretches!();
    fn states(&self) -> Vec<ForceState> {
        vec![ForceState {
            name: "deflection",
            unit: "m",
            start: self.start,
            scale: self.yield_deflection,
        }]
    }
    fn switches(&self) -> Vec<(&'static str, f64)> {
        vec![("rate of the length", self.yield_deflection)]
    }
    fn switch_values(&self, at: &ForcePoint<'_>, out: &mut [f64]) {
        let ([_, rate], _) = self.state(at);
        out[0] = rate;
    }
    fn place(&mut self, a: &Site, b: &Site) {
        self.a.place(a);
        self.b.place(b);
        self.free_length
            .get_or_insert(self.length(&a.pose, &b.pose));
    }
    derived!(evolution);

    fn energy(&self, at: &ForcePoint<'_>) -> ForceEnergy {
        let ([length, rate], [force, z_rate]) = self.state(at);
        let (z, u) = (
            given(self, at).states[0],
            length - self.free_length.unwrap_or(0.0),
        );
        let soft = self.stiffness * self.hardening;
        let yielding = self.stiffness - soft;
        ForceEnergy {
            potential: 0.5 * (soft * u * u + yielding * z * z),
            power: -force * rate + soft * u * rate + yielding * z * z_rate,
        }
    }
    fn channels(&self) -> &'static [(&'static str, &'static str)] {
        &[("length", "m"), ("force", "N"), ("deflection", "m")]
    }
    fn observe(&self, at: &ForcePoint<'_>, out: &mut [f64]) {
        let ([length, _], [force, _]) = self.state(at);
        out[..3].copy_from_slice(&[length, force, given(self, at).states[0]]);
    }
}
