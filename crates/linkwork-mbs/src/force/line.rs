//! Force in the line between two points, of any law: an actuator, a nonlinear spring, a force that
//! a formula gives.
//!
//! ```text
//!  F = limit(f(t, signals)) + s(elongation) + d(rate)        pulls the points together
//! ```
//!
//! `f` is a formula of time and signals, limited between two values with rounded corners; `s` and `d`
//! are formulas or tables of elongation and rate. Undefined where the points coincide.

use super::by_scalar::{evaluate, inputs, power, probe};
use super::smooth::limit;
use super::{Force, ForceEntry, ForcePattern, ForcePoint, ForceTerms, Law, MAX_INPUTS, push};
use super::{ForceEnergy, ForceWant, OutOfDomain};
use crate::curve::Curve;
use crate::expr::Formula;
use crate::field::{Form, Key, Value};
use crate::geometry::{Frame, Marker, Site, Vector, dot, lifted, norm, scaled, sub};
use crate::joint::{AT_A, AT_B, COLUMNS, POINT_A, POINT_B, read_markers, write_markers};
use crate::units::Unit;
use linkwork_dae::scalar::Scalar;

/// A force of any law in the line between two points.
#[derive(Clone, Debug, PartialEq)]
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

pub(super) const ENTRY: ForceEntry = ForceEntry {
    kind: "line_force",
    summary: "A force in the line between two points: an actuator with limits, a nonlinear spring \
              or damper, or any formula.",
    in_plane: true,
    keys: &[
        POINT_A,
        POINT_B,
        AT_A,
        AT_B,
        Key::optional(
            "force",
            Unit::Force,
            "0",
            "Commanded force, pulling; may name signals.",
        )
        .takes(Form::Formula),
        Key::optional("least", Unit::Force, "none", "Smallest commanded force."),
        Key::optional("most", Unit::Force, "none", "Largest commanded force."),
        Key::optional(
            "elastic",
            Unit::Force,
            "0",
            "Spring force: a formula of `elongation` or a table [[elongation, force], ...].",
        )
        .takes(Form::Curve),
        Key::optional(
            "viscous",
            Unit::Force,
            "0",
            "Damper force: a formula of `rate` or a table [[rate, force], ...].",
        )
        .takes(Form::Curve),
        Key::optional(
            "free_length",
            Unit::Length,
            "as in the start pose",
            "Length at which the elongation is zero.",
        ),
    ],
    read: |f| {
        if f.has("at") {
            return Err(f.error("at", "the two ends of a line cannot coincide"));
        }
        let [a, b] = read_markers(f)?;
        let curve = |key: &'static str, variable: &str, unit: Unit| {
            f.has(key)
                .then(|| f.curve(key, variable, [unit, Unit::Force]))
                .transpose()
        };
        let limits = [
            f.number_or("least", Unit::Force, f64::NEG_INFINITY)?,
            f.number_or("most", Unit::Force, f64::INFINITY)?,
        ];
        if !(limits[0] < limits[1]) {
            return Err(f.error("most", "`most` must be greater than `least`"));
        }
        Ok(LineForce {
            a,
            b,
            force: f.signal_or("force", Unit::Force, 0.0)?,
            limits,
            elastic: curve("elastic", "elongation", Unit::Length)?,
            viscous: curve("viscous", "rate", Unit::Velocity)?,
            free_length: f.optional_number("free_length", Unit::Length)?,
        }
        .into())
    },
    example: |draw| {
        LineForce {
            a: [draw(), draw(), draw()].into(),
            b: [draw(), draw(), draw()].into(),
            force: Formula::parse(&format!("3*sin({}*t)", draw()))
                .unwrap_or_else(|_| Formula::constant(1.0)),
            limits: [-2.0, 2.0 + draw()],
            elastic: Curve::table(&[[-1.0, -2.0], [0.1, draw()], [2.0, 3.0]]).ok(),
            viscous: Curve::table(&[[-2.0, -1.0], [0.3, draw()], [2.0, 1.0]]).ok(),
            free_length: Some(1.0 + 0.5 * draw()),
        }
        .into()
    },
};

impl LineForce {
    /// Direction from a to b, length, rate.
    fn line<S: Scalar>(&self, a: &Frame<S>, b: &Frame<S>) -> (Vector<S>, S, S) {
        let d = sub(b.pose.point(self.b.point), a.pose.point(self.a.point));
        let length = norm(d);
        let u = scaled(d, S::from(1.0) / length);
        let v = sub(b.velocity_at(self.b.point), a.velocity_at(self.a.point));
        (u, length, dot(u, v))
    }

    fn tension<S: Scalar>(&self, commanded: S, length: S, rate: S) -> S {
        let mut force = limit(commanded, self.limits);
        if let Some(curve) = &self.elastic {
            force += curve.eval(length - self.free_length.unwrap_or(0.0));
        }
        if let Some(curve) = &self.viscous {
            force += curve.eval(rate);
        }
        force
    }
}

impl Law for LineForce {
    fn wrench<S: Scalar>(
        &self,
        _: f64,
        inputs: &[S; MAX_INPUTS],
        a: &Frame<S>,
        b: &Frame<S>,
        _: &[f64],
    ) -> Result<[S; COLUMNS], OutOfDomain> {
        let (u, length, rate) = self.line(a, b);
        if length.value() == 0.0 {
            return Err(OutOfDomain::because(
                "its length is zero, so its force has no direction",
            ));
        }
        let pull = scaled(u, self.tension(inputs[0], length, rate));
        let mut on = [S::from(0.0); COLUMNS];
        push(&mut on, 0, a, lifted(self.a.point), pull);
        push(&mut on, 1, b, lifted(self.b.point), pull.map(|x| -x));
        Ok(on)
    }

    fn values(&self, t: f64) -> [f64; MAX_INPUTS] {
        let mut values = [0.0; MAX_INPUTS];
        values[0] = self.force.eval(t);
        values
    }
}

impl Force for LineForce {
    fn kind(&self) -> &'static str {
        ENTRY.kind
    }
    fn needs_orientation(&self) -> [bool; 2] {
        [false, false]
    }
    fn markers(&self) -> [Option<Vector>; 2] {
        [Some(self.a.point), Some(self.b.point)]
    }
    fn inputs(&self) -> Vec<&Formula> {
        vec![&self.force]
    }
    fn place(&mut self, a: &Site, b: &Site) {
        self.a.place(a);
        self.b.place(b);
        let d = sub(b.pose.point(self.b.point), a.pose.point(self.a.point));
        self.free_length.get_or_insert(norm(d));
    }
    fn check(&self) -> Result<(), String> {
        let [least, most] = self.limits;
        if !(least < most) {
            return Err(format!("the limits {least} and {most} leave no force"));
        }
        match self.free_length {
            Some(l) if !(l >= 0.0 && l.is_finite()) => Err(format!(
                "the free length must be zero or greater, it is {l}"
            )),
            _ => Ok(()),
        }
    }
    fn extent(&self) -> f64 {
        self.free_length.unwrap_or(0.0)
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
    fn eval(
        &self,
        at: &ForcePoint<'_>,
        want: ForceWant,
        out: &mut ForceTerms,
    ) -> Result<(), OutOfDomain> {
        evaluate(self, at, want, out)
    }
    fn energy(&self, at: &ForcePoint<'_>) -> ForceEnergy {
        let given = inputs(self, at);
        let q = self.wrench(at.t, &given, at.a, at.b, at.turns);
        ForceEnergy {
            potential: 0.0,
            power: q.map_or(0.0, |q| power(&q, at.a, at.b)),
        }
    }
    fn channels(&self) -> &'static [(&'static str, &'static str)] {
        &[("length", "m"), ("force", "N")]
    }
    fn observe(&self, at: &ForcePoint<'_>, out: &mut [f64]) {
        let (_, length, rate) = self.line(at.a, at.b);
        let commanded = inputs(self, at)[0];
        out[..2].copy_from_slice(&[length, self.tension(commanded, length, rate)]);
    }
    fn fields(&self) -> Vec<(&'static str, Value)> {
        let mut fields = write_markers(&self.a, &self.b);
        fields.push(("force", Value::from(&self.force)));
        for (key, x) in ["least", "most"].into_iter().zip(self.limits) {
            if x.is_finite() {
                fields.push((key, Value::Number(x)));
            }
        }
        for (key, curve) in [("elastic", &self.elastic), ("viscous", &self.viscous)] {
            if let Some(curve) = curve {
                fields.push((key, curve.value()));
            }
        }
        if let Some(length) = self.free_length {
            fields.push(("free_length", Value::Number(length)));
        }
        fields
    }
}
