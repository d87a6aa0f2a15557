//! Coordinates, rows and failures of a mechanism in space in words.

use super::{Space, inputs, multipliers};
use crate::assemble::{Motion, Plan, SpacePlan};
use crate::assembly::signals::Signals;
use crate::assembly::words::out_of_domain;
use crate::force::ForceWant;
use crate::joint::Want;
use crate::spatial::force::ForcePoint;
use crate::spatial::joint::{COLUMNS, JointPoint};
use linkwork_dae::system::{At, EvalError, Row};

impl SpacePlan {
    /// Name and words for value and rate of a coordinate of a body.
    pub fn coordinate(&self, body: usize, i: usize) -> Option<(&str, [&'static str; 2])> {
        let body = self.bodies.get(body)?;
        let words = match (body.motion, i - body.first) {
            (_, 0) => ["x", "x velocity"],
            (_, 1) => ["y", "y velocity"],
            (Motion::Planar { .. }, _) => ["angle", "angular velocity"],
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
    pub fn constraint(&self, joint: usize, i: usize) -> Option<(&str, &'static str)> {
        let joint = self.joints.get(joint)?;
        let row = if (joint.row..joint.row + joint.rows).contains(&i) {
            joint.joint.row_names().get(i - joint.row)?
        } else {
            let i = i.checked_sub(joint.velocity_row)?;
            joint.joint.velocity_row_names().get(i)?
        };
        Some((&joint.name, row))
    }
}

impl Space {
    /// Who made an evaluation not finite, element by element; inputs are finite.
    #[cold]
    pub fn culprit(
        &mut self,
        plan: &Plan,
        space: &SpacePlan,
        signals: &Signals,
        at: &At<'_>,
    ) -> EvalError {
        let not_finite = |what: String| EvalError::NotFinite { what };
        let bad = |x: &[f64]| x.iter().any(|x| !x.is_finite());
        for j in &space.joints {
            let lambda = multipliers(j, at.lambda);
            let point = JointPoint {
                t: at.t,
                a: &self.frames[j.a],
                b: &self.frames[j.b],
                lambda: &lambda[..j.rows + j.velocity_rows],
                turns: &self.turns[j.turns.clone()],
            };
            j.joint.eval(&point, Want::ALL, &mut self.joint);
            let t = &self.joint;
            for k in 0..j.rows + j.velocity_rows {
                let of_row = |from: &[u8], values: &[[f64; COLUMNS]]| {
                    let own = from.iter().filter(|f| usize::from(**f) / COLUMNS == k);
                    let mut values = own.map(|f| values.as_flattened()[usize::from(*f)]);
                    values.any(|x| !x.is_finite())
                };
                let row = if k < j.rows {
                    j.row + k
                } else {
                    j.velocity_row + k - j.rows
                };
                if (k < j.rows && bad(&[t.c[k]]))
                    || bad(&[t.cv[k], t.gamma[k]])
                    || of_row(&j.c_q.from, &t.c_q)
                    || of_row(&j.cv_q.from, &t.cv_q)
                {
                    return not_finite(plan.describe(Row::Constraint(row)));
                }
            }
            if bad(&t.load) {
                return not_finite(format!("joint `{}`, its reaction", j.name));
            }
        }
        if let Some(what) = signals.culprit(plan) {
            return not_finite(what);
        }
        for f in &space.forces {
            let inputs = inputs(signals, f);
            let point = ForcePoint {
                t: at.t,
                a: &self.frames[f.a],
                b: &self.frames[f.b],
                inputs: &inputs[..f.inputs.len()],
                turns: &self.turns[f.turns.clone()],
            };
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
        }
        not_finite("the sum of all forces".into())
    }
}
