//! Unknowns, equations and failures of an assembly in words.

use super::Assembly;
use crate::assemble::{MotionKind, Plan};
use crate::force::{ForceWant, OutOfDomain};
use crate::joint::{COLUMNS, Want};
use linkwork_dae::system::{At, EvalError, Row};

impl Plan {
    /// Body name and words for value and rate of a coordinate of a frame.
    fn coordinate(&self, i: usize) -> Option<(&str, [&'static str; 2])> {
        let body = *self.body_of.get(i)? as usize;
        let body = self.bodies.get(body)?;
        let words = match (body.motion, i - body.first) {
            (MotionKind::Target, _) => ["target", "rate of the target"],
            (_, 0) => ["x", "x velocity"],
            (_, 1) => ["y", "y velocity"],
            (MotionKind::Planar { .. }, _) => ["angle", "angular velocity"],
            (_, 2) => ["z", "z velocity"],
            (_, 3) => [
                "rotation about its x axis",
                "angular velocity about its x axis",
            ],
            (_, 4) => [
                "rotation about its y axis",
                "angular velocity about its y axis",
            ],
            _ => [
                "rotation about its z axis",
                "angular velocity about its z axis",
            ],
        };
        Some((&body.name, words))
    }

    /// Joint name and row name of a constraint row.
    fn constraint(&self, i: usize) -> Option<(&str, &'static str)> {
        let joint = self.joints.get(*self.joint_of.get(i)? as usize)?;
        let (own, _) = joint.places.rows().find(|(_, row)| *row == i)?;
        let names = joint.joint.row_names();
        let row = match own.checked_sub(names.len()) {
            None => names.get(own)?,
            Some(own) => joint.joint.velocity_row_names().get(own)?,
        };
        Some((&joint.name, row))
    }

    /// What has a state, its name, and the name of the state.
    fn state(&self, i: usize) -> Option<(&'static str, &str, &str)> {
        let word = self.wiring.state_names.get(i)?;
        let mut controls = self.wiring.controls.iter();
        if let Some(control) = controls.find(|c| c.states.contains(&i)) {
            return Some(("control", &control.name, word));
        }
        let force = self.forces.iter().find(|f| f.states.contains(&i))?;
        Some(("force", &force.name, word))
    }

    /// The carrier that an unknown or an equation belongs to, with words for it; else the same as the
    /// frames number it.
    fn carrier(&self, row: Row) -> Result<Row, (&str, &str)> {
        let mut all = self.carriers.iter();
        let (i, rate) = match row {
            Row::State(_) => return Ok(row),
            Row::Constraint(i) => {
                let own = self.carriers.iter().map(|c| c.rows.len()).sum::<usize>();
                return match all.find(|c| c.rows.contains(&i)) {
                    Some(c) => Err((&c.name, c.carrier.rows()[i - c.rows.start])),
                    None if i < self.dims.nc => Ok(row),
                    None => Ok(Row::Constraint(i - own)),
                };
            }
            Row::Position(i) => (i, 0),
            Row::Velocity(i) => (i, 1),
        };
        match all.find(|c| c.coordinates.contains(&i)) {
            Some(c) => Err((&c.name, &c.told[i - c.coordinates.start].words[rate])),
            None if i < self.plain_coordinates() => Ok(row),
            None => Ok(Row::Position(usize::MAX)),
        }
    }

    /// An unknown or an equation of the system in words.
    pub(super) fn describe(&self, row: Row) -> String {
        match self.carrier(row) {
            Ok(row) => self.describe_frames(row),
            Err((body, words)) => format!("body `{body}`, {words}"),
        }
    }

    /// The same as the frames number it.
    fn describe_frames(&self, row: Row) -> String {
        let text = match row {
            Row::Position(i) => self
                .coordinate(i)
                .map(|(body, words)| format!("body `{body}`, {}", words[0])),
            Row::Velocity(i) => self
                .coordinate(i)
                .map(|(body, words)| format!("body `{body}`, {}", words[1])),
            Row::Constraint(i) => self
                .constraint(i)
                .map(|(joint, word)| format!("joint `{joint}`, {word}")),
            Row::State(i) => self
                .state(i)
                .map(|(part, name, word)| format!("{part} `{name}`, {word}")),
        };
        text.unwrap_or_else(|| format!("{row:?}, which does not exist"))
    }

    /// The mode of a flexible body whose amplitude a coordinate is.
    pub(super) fn mode(&self, i: usize) -> Option<String> {
        let carrier = (self.carriers.iter()).find(|c| c.coordinates.contains(&i))?;
        carrier.told[i - carrier.coordinates.start].mode.clone()
    }

    pub(super) fn owner(&self, row: Row) -> String {
        let row = match self.carrier(row) {
            Ok(row) => row,
            Err((body, _)) => return body.to_string(),
        };
        let name = match row {
            Row::Position(i) | Row::Velocity(i) => self.coordinate(i).map(|(body, _)| body),
            Row::Constraint(i) => self.constraint(i).map(|(joint, _)| joint),
            Row::State(i) => self.state(i).map(|(_, name, _)| name),
        };
        name.unwrap_or("unknown").to_string()
    }
}

/// The failure of a force law, with the name of the force.
#[cold]
pub(super) fn out_of_domain(name: &str, e: OutOfDomain) -> EvalError {
    EvalError::Domain {
        what: format!("force `{name}`"),
        why: e.0.to_string(),
    }
}

impl Assembly {
    /// Who made an evaluation not finite: the inputs first, then element by element.
    #[cold]
    pub(super) fn culprit(&mut self, at: &At<'_>) -> EvalError {
        let not_finite = |what: String| EvalError::NotFinite { what };
        let first = |x: &[f64]| x.iter().position(|x| !x.is_finite());
        let plan = &*self.plan;
        if !at.t.is_finite() {
            return not_finite("time".into());
        }
        if let Some(i) = first(at.q) {
            return not_finite(plan.describe_frames(Row::Position(i)));
        }
        if let Some(i) = first(at.v) {
            return not_finite(plan.describe_frames(Row::Velocity(i)));
        }
        if let Some(i) = first(at.lambda) {
            return not_finite(format!(
                "reaction of {}",
                plan.describe_frames(Row::Constraint(i))
            ));
        }
        if let Some(i) = first(at.a) {
            return not_finite(format!(
                "{}, its acceleration",
                plan.describe_frames(Row::Position(i))
            ));
        }
        if let Some(i) = first(at.x) {
            return not_finite(plan.describe_frames(Row::State(i)));
        }
        let bad = |x: &[f64]| x.iter().any(|x| !x.is_finite());
        let on = self.turned.frames();
        for j in &plan.joints {
            let to = &j.places;
            let lambda = to.multipliers(at.lambda);
            let point = to.point(at.t, on, &lambda);
            j.joint.eval(&point, Want::ALL, &mut self.joint);
            let t = &self.joint;
            let of_positions = j.joint.rows();
            for (k, row) in to.rows() {
                let of_row = |from: &[u8], values: &[[f64; COLUMNS]]| {
                    let own = from.iter().filter(|f| usize::from(**f) / COLUMNS == k);
                    let mut values = own.map(|f| values.as_flattened()[usize::from(*f)]);
                    values.any(|x| !x.is_finite())
                };
                if (k < of_positions && bad(&[t.c[k]]))
                    || bad(&[t.cv[k], t.gamma[k]])
                    || of_row(&to.c_q.from, &t.c_q)
                    || of_row(&to.cv_q.from, &t.cv_q)
                {
                    return not_finite(plan.describe_frames(Row::Constraint(row)));
                }
            }
            if bad(&t.load) {
                return not_finite(format!("joint `{}`, its reaction", j.name));
            }
        }
        if let Some(what) = self.signals.culprit(plan) {
            return not_finite(what);
        }
        for f in &plan.forces {
            let inputs = self.signals.inputs_of(f);
            let (inputs, sides) = (&inputs[..f.inputs.len()], self.sides.of(&f.switches));
            let point = f.point(self.clock.now(at.t), on, inputs, at.x, sides);
            if let Err(e) = f.force.eval(&point, ForceWant::ALL, &mut self.force) {
                return out_of_domain(&f.name, e);
            }
            let t = &self.force;
            let entries = |slots: &[(u8, u32)], values: &[[f64; COLUMNS]]| {
                let mut values = slots
                    .iter()
                    .map(|s| values.as_flattened()[usize::from(s.0)]);
                values.any(|x| !x.is_finite())
            };
            if bad(&t.q) || entries(&f.stiffness, &t.stiffness) || entries(&f.damping, &t.damping) {
                return not_finite(format!("force `{}`", f.name));
            }
            if !f.states.is_empty() && bad(&t.states.f) {
                return not_finite(format!("force `{}`, its states", f.name));
            }
        }
        not_finite("the sum of all forces".into())
    }
}
