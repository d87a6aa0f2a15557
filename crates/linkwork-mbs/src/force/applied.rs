//! Applied force: given components at a point of one body.
//!
//! With the arm `s` and the force `F`: `Q_b = (F, s x F)`. Turning the body turns the arm,
//! `d(s x F) = -s . F`; a body-fixed force turns along, `dF = F^`, and keeps its moment.

use super::{
    Force, ForceEnergy, ForceEntry, ForcePattern, ForcePoint, ForceTerms, ForceWant, OutOfDomain,
};
use crate::expr::Formula;
use crate::field::{Form, Key, Value};
use crate::space::{Marker, Site, Vector, cross, dot, perp};
use crate::units::Unit;

/// A force on body b that is constant or follows a function of time and signals.
#[derive(Clone, Debug, PartialEq)]
pub struct AppliedForce {
    /// Where it acts, on body b.
    pub point: Marker,
    /// Component along x, N.
    pub x: Formula,
    /// Component along y, N.
    pub y: Formula,
    /// Whether x and y are the axes of the body and not the global ones.
    pub body_fixed: bool,
}

impl AppliedForce {
    /// A constant force with global components.
    pub fn constant(point: Vector, force: Vector) -> AppliedForce {
        AppliedForce {
            point: point.into(),
            x: Formula::constant(force[0]),
            y: Formula::constant(force[1]),
            body_fixed: false,
        }
    }
}

pub(super) const ENTRY: ForceEntry = ForceEntry {
    kind: "force",
    summary: "A force at a point of a body, constant or a function of time and signals.",
    keys: &[
        Key::optional(
            "point",
            Unit::Length,
            "origin of the body",
            "Where the force acts, in the frame of the body.",
        )
        .takes(Form::Vector),
        Key::optional(
            "at",
            Unit::Length,
            "not used",
            "Global place, in the start pose, of the point where the force acts.",
        )
        .takes(Form::Vector),
        Key::optional(
            "x",
            Unit::Force,
            "0",
            "Component along x; may name signals.",
        )
        .takes(Form::Formula),
        Key::optional(
            "y",
            Unit::Force,
            "0",
            "Component along y; may name signals.",
        )
        .takes(Form::Formula),
        Key::optional(
            "frame",
            Unit::None,
            "global",
            "Whose axes x and y are: `global` or `body` (the force turns with the body).",
        )
        .takes(Form::Word),
    ],
    read: |f| {
        let point = if f.has("at") {
            if f.has("point") {
                return Err(f.error("point", "the global place of this point is given as well"));
            }
            Marker::global(f.vector("at", Unit::Length)?)
        } else {
            Marker::body(f.vector_or("point", Unit::Length, [0.0; 2])?)
        };
        Ok(AppliedForce {
            point,
            x: f.signal_or("x", Unit::Force, 0.0)?,
            y: f.signal_or("y", Unit::Force, 0.0)?,
            body_fixed: f.choice("frame", &["global", "body"], Some("global"))? == "body",
        }
        .into())
    },
    example: |draw| {
        let wave = |offset: f64, rate: f64| {
            Formula::parse(&format!("{offset} + cos({rate}*t)"))
                .unwrap_or_else(|_| Formula::constant(offset))
        };
        AppliedForce {
            point: [draw(), draw()].into(),
            x: wave(draw(), draw()),
            y: Formula::constant(draw()),
            body_fixed: draw() > 0.0,
        }
        .into()
    },
};

impl AppliedForce {
    /// Arm and force in global components.
    fn arm_and_force(&self, at: &ForcePoint<'_>) -> (Vector, Vector) {
        let f = [at.input(0, &self.x), at.input(1, &self.y)];
        (at.b.pose.direction(self.point.point), self.globally(at, f))
    }

    /// A force in global components.
    fn globally(&self, at: &ForcePoint<'_>, f: Vector) -> Vector {
        if self.body_fixed {
            at.b.pose.direction(f)
        } else {
            f
        }
    }
}

impl Force for AppliedForce {
    fn kind(&self) -> &'static str {
        ENTRY.kind
    }
    fn needs_orientation(&self) -> [bool; 2] {
        [false, self.body_fixed]
    }
    fn markers(&self) -> [Option<Vector>; 2] {
        [None, Some(self.point.point)]
    }
    fn is_external(&self) -> bool {
        true
    }
    fn place(&mut self, _a: &Site, b: &Site) {
        self.point.place(b);
    }
    fn inputs(&self) -> Vec<&Formula> {
        vec![&self.x, &self.y]
    }
    fn pattern(&self) -> ForcePattern {
        let stiffness = if self.body_fixed {
            vec![(3, 5), (4, 5)]
        } else if self.point.point == [0.0; 2] {
            Vec::new()
        } else {
            vec![(5, 5)]
        };
        ForcePattern {
            stiffness,
            damping: Vec::new(),
            by_input: vec![(3, 0), (4, 0), (5, 0), (3, 1), (4, 1), (5, 1)],
        }
    }
    fn eval(
        &self,
        at: &ForcePoint<'_>,
        want: ForceWant,
        out: &mut ForceTerms,
    ) -> Result<(), OutOfDomain> {
        let (s, f) = self.arm_and_force(at);
        if want.any(ForceWant::Q) {
            out.q = [0.0, 0.0, 0.0, f[0], f[1], cross(s, f)];
        }
        if want.any(ForceWant::STIFFNESS) {
            if self.body_fixed {
                let turned = perp(f);
                out.stiffness[3][5] = -turned[0];
                out.stiffness[4][5] = -turned[1];
            } else {
                out.stiffness[5][5] = dot(s, f);
            }
        }
        if want.any(ForceWant::BY_INPUT) {
            for (out, unit) in out.by_input.iter_mut().zip([[1.0, 0.0], [0.0, 1.0]]) {
                let f = self.globally(at, unit);
                *out = [0.0, 0.0, 0.0, f[0], f[1], cross(s, f)];
            }
        }
        Ok(())
    }
    fn energy(&self, at: &ForcePoint<'_>) -> ForceEnergy {
        let (s, f) = self.arm_and_force(at);
        ForceEnergy {
            potential: 0.0,
            power: dot(f, at.b.velocity_at(s)),
        }
    }
    fn channels(&self) -> &'static [(&'static str, &'static str)] {
        &[("x", "N"), ("y", "N")]
    }
    fn observe(&self, at: &ForcePoint<'_>, out: &mut [f64]) {
        out[..2].copy_from_slice(&self.arm_and_force(at).1);
    }
    fn fields(&self) -> Vec<(&'static str, Value)> {
        let frame = if self.body_fixed { "body" } else { "global" };
        vec![
            ("point", Value::Vector(self.point.point)),
            ("x", Value::from(&self.x)),
            ("y", Value::from(&self.y)),
            ("frame", Value::Text(frame.into())),
        ]
    }
}
