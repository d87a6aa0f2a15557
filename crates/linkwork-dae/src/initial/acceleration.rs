//! Start accelerations and multipliers, also where the pose is singular.

use super::failure::{Level, StartError};
use super::report::{Accelerations, PoseCheck};
use super::{branch, eval_failed, solver_for};
use crate::saddle::{Saddle, SaddleError};
use crate::state::State;
use crate::system::{Row, Rows, System};

/// Largest relative violation of `C_q a = gamma` that counts as consistent at a singular pose.
const CONSISTENT_ACCELERATION: f64 = 1e-6;
/// Accelerations and multipliers, and where they come from.
pub(super) fn accelerate(
    sys: &mut dyn System,
    state: &mut State,
    rows: &Rows,
    pose: &PoseCheck,
) -> Result<Accelerations, StartError> {
    let mut saddle = Saddle::new(sys, rows, solver_for(sys.dims().nv + rows.c.len()));
    let failed = |e: SaddleError, state: &State, at: &[usize]| match e {
        SaddleError::Eval(e) => eval_failed(e, state),
        SaddleError::Singular {
            row: row @ (Row::Velocity(_) | Row::Position(_) | Row::State(_)),
        } => StartError::MasslessDirection {
            row,
            state: Box::new(state.clone()),
        },
        SaddleError::Singular {
            row: Row::Constraint(i),
        }
        | SaddleError::NotProjected {
            row: Row::Constraint(i),
            ..
        } => StartError::SingularStart {
            rows: if at.is_empty() { vec![i] } else { at.to_vec() },
            violated: Vec::new(),
            level: Level::Acceleration,
            state: Box::new(state.clone()),
        },
        SaddleError::Unsettled { row } => StartError::Unsettled {
            row,
            state: Box::new(state.clone()),
        },
        SaddleError::NotProjected { row, .. } => StartError::MasslessDirection {
            row,
            state: Box::new(state.clone()),
        },
    };
    let at = match pose {
        PoseCheck::Regular { .. } => &[][..],
        PoseCheck::NearlySingular { rows, .. } | PoseCheck::Singular { rows, .. } => rows,
    };
    if !matches!(pose, PoseCheck::Singular { .. }) {
        match saddle.accelerate_by_factors(sys, state) {
            Ok(()) => return Ok(Accelerations::Solved),
            Err(SaddleError::Singular {
                row: Row::Constraint(_),
            }) => {}
            Err(e) => return Err(failed(e, state, at)),
        }
    }
    let (violation, row) = saddle
        .accelerate_minimum_norm(sys, state)
        .map_err(|e| failed(e, state, at))?;
    let consistent = violation <= CONSISTENT_ACCELERATION;
    if consistent && branch::accelerate(sys, &mut saddle, state) {
        return Ok(Accelerations::Branch);
    }
    let index = match row {
        Row::Constraint(i) | Row::Velocity(i) | Row::Position(i) | Row::State(i) => i,
    };
    Err(StartError::SingularStart {
        rows: if at.is_empty() {
            vec![index]
        } else {
            at.to_vec()
        },
        violated: if consistent {
            Vec::new()
        } else {
            vec![(index, violation)]
        },
        level: Level::Acceleration,
        state: Box::new(state.clone()),
    })
}
