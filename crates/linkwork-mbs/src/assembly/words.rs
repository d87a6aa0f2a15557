//! Unknowns, equations and failures of an assembly in words.

use super::{Assembly, force_inputs};
use crate::assemble::Plan;
use crate::force::{ForcePoint, ForceWant, OutOfDomain};
use crate::joint::{JointPoint, MAX_ROWS, Want};
use linkwork_dae::system::{At, EvalError, Row};

impl Plan {
    /// Body name and words for value and rate of a coordinate.
    fn coordinate(&self, i: usize) -> Option<(&str, [&'static str; 2])> {
        let body = *self.body_of.get(i)? as usize;
        if let Some(space) = &self.space {
            return space.coordinate(body, i);
        }
        let body = self.bodies.get(body)?;
        let words = [
            ["x", "x velocity"],
            ["y", "y velocity"],
            ["angle", "angular velocity"],
        ];
        Some((&body.name, words[i - body.first]))
    }

    /// Joint name and row name of a constraint row.
    fn constraint(&self, i: usize) -> Option<(&str, &'static str)> {
        let joint = *self.joint_of.get(i)? as usize;
        if let Some(space) = &self.space {
            return space.constraint(joint, i);
        }
        let joint = self.joints.get(joint)?;
        let row = joint.joint.row_names().get(i - joint.places.row)?;
        Some((&joint.name, row))
    }

    /// Control name and state name of a state.
    fn state(&self, i: usize) -> Option<(&str, &str)> {
        let w = &self.wiring;
        let control = w.controls.iter().find(|c| c.states.contains(&i))?;
        Some((&control.name, w.state_names.get(i)?))
    }

    pub(super) fn describe(&self, row: Row) -> String {
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
                .map(|(control, word)| format!("control `{control}`, {word}")),
        };
        text.unwrap_or_else(|| format!("{row:?}, which does not exist"))
    }

    pub(super) fn owner(&self, row: Row) -> String {
        let name = match row {
            Row::Position(i) | Row::Velocity(i) => self.coordinate(i).map(|(body, _)| body),
            Row::Constraint(i) => self.constraint(i).map(|(joint, _)| joint),
            Row::State(i) => self.state(i).map(|(control, _)| control),
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
            return not_finite(plan.describe(Row::Position(i)));
        }
        if let Some(i) = first(at.v) {
            return not_finite(plan.describe(Row::Velocity(i)));
        }
        if let Some(i) = first(at.lambda) {
            return not_finite(format!("reaction of {}", plan.describe(Row::Constraint(i))));
        }
        if let Some(i) = first(at.a) {
            return not_finite(format!(
                "{}, its acceleration",
                plan.describe(Row::Position(i))
            ));
        }
        if let Some(i) = first(at.x) {
            return not_finite(plan.describe(Row::State(i)));
        }
        if let (Some(space), Some(plan_of_space)) = (&mut self.space, &plan.space) {
            return space.culprit(plan, plan_of_space, &self.signals, at);
        }
        for j in &plan.joints {
            let mut lambda = [0.0; MAX_ROWS];
            for (l, x) in lambda.iter_mut().zip(at.lambda.iter().skip(j.places.row)) {
                *l = *x;
            }
            let (a, b) = (&self.frames[j.places.a], &self.frames[j.places.b]);
            let point = JointPoint {
                t: at.t,
                a,
                b,
                lambda: &lambda,
            };
            j.joint.eval(&point, Want::ALL, &mut self.joint);
            for row in 0..j.places.rows {
                let t = &self.joint;
                let entry = |k: &u8| usize::from(*k) / 6 == row;
                let values = [t.c[row], t.cv[row], t.gamma[row]];
                let matrix = (j.places.c_q.from.iter().filter(|k| entry(k)))
                    .map(|&k| t.c_q.as_flattened()[k as usize])
                    .chain(
                        (j.places.cv_q.from.iter().filter(|k| entry(k)))
                            .map(|&k| t.cv_q.as_flattened()[k as usize]),
                    );
                if values.into_iter().chain(matrix).any(|x| !x.is_finite()) {
                    return not_finite(plan.describe(Row::Constraint(j.places.row + row)));
                }
            }
            if first(&self.joint.load).is_some() {
                return not_finite(format!("joint `{}`, its reaction", j.name));
            }
        }
        if let Some(what) = self.signals.culprit(plan) {
            return not_finite(what);
        }
        for f in &plan.forces {
            let inputs = force_inputs(&self.signals, f);
            let point = ForcePoint {
                t: at.t,
                a: &self.frames[f.a],
                b: &self.frames[f.b],
                inputs: &inputs[..f.inputs.len()],
            };
            if let Err(e) = f.force.eval(&point, ForceWant::ALL, &mut self.force) {
                return out_of_domain(&f.name, e);
            }
            let t = &self.force;
            let stiffness = f
                .stiffness
                .iter()
                .map(|s| t.stiffness.as_flattened()[s.0 as usize]);
            let damping = f
                .damping
                .iter()
                .map(|s| t.damping.as_flattened()[s.0 as usize]);
            let mut all = t.q.iter().copied().chain(stiffness).chain(damping);
            if all.any(|x| !x.is_finite()) {
                return not_finite(format!("force `{}`", f.name));
            }
        }
        not_finite("the sum of all forces".into())
    }
}
