//! Applied force in space: given components at a point of one body.

use super::by_scalar::{self, Bodies, Law, push};
use super::{Force, ForcePattern, ForcePoint, ForceTerms, MAX_INPUTS};
use super::{ForceEnergy, ForceWant, OutOfDomain};
use crate::expr::{Formula, Now};
use crate::geometry::{Components, Frame, Marker, Site, Vector, lifted};
use crate::joint::COLUMNS;
use crate::kernel::{Flat, Space};
use crate::part::{Keys, Kind, Part};
use crate::units::Unit;
use linkwork_dae::scalar::Scalar;

/// A force on body b that is constant or follows functions of time and signals.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AppliedForce {
    /// Where it acts, on body b.
    pub point: Marker,
    /// Components, N.
    pub force: [Formula; 3],
    /// Whether the components are along the axes of the body and not the global ones.
    pub body_fixed: bool,
    /// Whether body b moves in the x-y plane, once placed.
    pub flat: bool,
}

/// Rows of body b in the x-y plane.
const X: u8 = 6;
const Y: u8 = 7;
const TURN: u8 = 11;

impl AppliedForce {
    /// A constant force with global components at a body point.
    pub fn constant(point: impl Components, force: impl Components) -> AppliedForce {
        AppliedForce {
            point: Marker::body(point),
            force: force.vector().map(Formula::constant),
            body_fixed: false,
            flat: false,
        }
    }

    /// With the arm `s`: `Q = (F, s x F)`. Turning the body turns the arm, `d(s x F) = -s . F`; a
    /// body-fixed force turns along, `dF = F^`, and keeps its moment.
    fn fill_flat(&self, at: &ForcePoint<'_>, want: ForceWant, out: &mut ForceTerms) {
        let [x, y, turn] = [X, Y, TURN].map(usize::from);
        let s = Flat::arm(at.b, &self.point.point);
        let globally = |f: Vector| match self.body_fixed {
            true => Flat::arm(at.b, &f),
            false => Flat::vector(&f),
        };
        let put = |row: &mut [f64; COLUMNS], f: [f64; 2]| {
            *row = [0.0; COLUMNS];
            (row[x], row[y]) = (f[0], f[1]);
            row[turn] = Flat::moment(at.b, &self.point.point, s, f)[0];
        };
        let [fx, fy, ..] = by_scalar::inputs(self, at);
        let f = globally([fx, fy, 0.0]);
        if want.any(ForceWant::Q) {
            put(&mut out.q, f);
        }
        if want.any(ForceWant::STIFFNESS) {
            if self.body_fixed {
                (out.stiffness[x][turn], out.stiffness[y][turn]) = (f[1], -f[0]);
            } else {
                out.stiffness[turn][turn] = Flat::dot(s, f);
            }
        }
        if want.any(ForceWant::BY_INPUT) {
            put(&mut out.by_input[0], globally([1.0, 0.0, 0.0]));
            put(&mut out.by_input[1], globally([0.0, 1.0, 0.0]));
            out.by_input[2] = [0.0; COLUMNS];
        }
    }

    fn force_of<S: Scalar>(&self, inputs: &[S; MAX_INPUTS], b: &Frame<S>) -> Vector<S> {
        let force = [inputs[0], inputs[1], inputs[2]];
        if self.body_fixed {
            b.pose.turn(force)
        } else {
            force
        }
    }
}

impl Kind for AppliedForce {
    const NAME: &'static str = "force";
    const SUMMARY: &'static str =
        "A force at a point of a body, constant or a function of time and signals.";
}

/// Keys of the three components; examples have a formula in one of them.
pub(super) fn components(
    k: &mut Keys<'_>,
    unit: Unit,
    docs: [&'static str; 3],
    varied: usize,
    slots: &mut [Formula; 3],
) {
    let keys = ["x", "y", "z"].into_iter().zip(docs).zip(slots);
    for (i, ((name, doc), slot)) in keys.enumerate() {
        let item = k.key(name, unit, doc).or(0.0);
        match i == varied {
            true => item.formula(slot),
            false => item.like(0.0, 1.0).formula(slot),
        }
    }
}

impl Part for AppliedForce {
    fn keys(&mut self, k: &mut Keys<'_>) {
        k.point(&mut self.point);
        let docs = [
            "Component along x; may name signals.",
            "Component along y; may name signals.",
            "Component along z; may name signals.",
        ];
        components(k, Unit::Force, docs, 0, &mut self.force);
        let doc = "Whose axes x, y and z are: `global` or `body` (the force turns with the body).";
        k.key("frame", Unit::None, doc)
            .either(["global", "body"], &mut self.body_fixed);
    }
}

impl Law for AppliedForce {
    fn wrench<S: Scalar>(&self, at: Bodies<'_, S>) -> Result<[S; COLUMNS], OutOfDomain> {
        let Bodies { inputs, b, .. } = at;
        let mut out = [S::from(0.0); COLUMNS];
        let force = self.force_of(inputs, b);
        push(&mut out, 1, b, lifted(self.point.point), force);
        Ok(out)
    }

    fn values(&self, now: Now) -> [f64; MAX_INPUTS] {
        by_scalar::at_time(now, &self.force)
    }
}

impl Force for AppliedForce {
    fn needs_orientation(&self) -> [bool; 2] {
        [false, self.body_fixed]
    }
    fn markers(&self) -> [Option<Vector>; 2] {
        [None, Some(self.point.point)]
    }
    fn is_external(&self) -> bool {
        true
    }
    fn inputs(&self) -> Vec<&Formula> {
        self.force.iter().collect()
    }
    fn place(&mut self, _: &Site, b: &Site) {
        self.point.place(b);
        self.flat = b.flat;
    }
    fn pattern(&self, flat: bool) -> ForcePattern {
        if !flat {
            return by_scalar::probe(self, flat);
        }
        let stiffness = match (self.body_fixed, self.point.point == [0.0; 3]) {
            (true, _) => vec![(X, TURN), (Y, TURN)],
            (false, true) => Vec::new(),
            (false, false) => vec![(TURN, TURN)],
        };
        let inputs = (0..2).flat_map(|k| [X, Y, TURN].map(|row| (row, k)));
        ForcePattern {
            stiffness,
            damping: Vec::new(),
            by_input: inputs.collect(),
            ..ForcePattern::default()
        }
    }
    fn eval(
        &self,
        at: &ForcePoint<'_>,
        want: ForceWant,
        out: &mut ForceTerms,
    ) -> Result<(), OutOfDomain> {
        match self.flat {
            true => self.fill_flat(at, want, out),
            false => by_scalar::evaluate(self, at, want, out)?,
        }
        Ok(())
    }
    fn energy(&self, at: &ForcePoint<'_>) -> ForceEnergy {
        let inputs = by_scalar::inputs(self, at);
        let force = self.force_of(&inputs, at.b);
        let v = at.b.velocity_at(self.point.point);
        ForceEnergy::spent(force.iter().zip(v).map(|(f, v)| f * v).sum())
    }
    fn channels(&self) -> &'static [(&'static str, &'static str)] {
        &[("x", "N"), ("y", "N"), ("z", "N")]
    }
    fn observe(&self, at: &ForcePoint<'_>, out: &mut [f64]) {
        let inputs = by_scalar::inputs(self, at);
        out[..3].copy_from_slice(&self.force_of(&inputs, at.b));
    }
}
