//! From a guess to a consistent start: positions, kept rows, velocities, accelerations.
//!
//! ```text
//!  guess -> finite? -> close the loops -> rank of C_q -> redundant or singular pose?
//!        -> removed rows consistent? -> velocities -> accelerations and multipliers
//!
//!  min 1/2 (q - q0)' W (q - q0)  s.t.  C(q, t0) = 0
//!  min 1/2 (v - v0)' W (v - v0)  s.t.  C_q v + C_t = 0
//! ```
//!
//! The order matters: the rank of `C_q` means nothing at a pose that violates `C`, because
//! redundant rows then have pivots of the size of the violation. Weights are relative to the
//! coordinate scales; entries with weights of [`TRUSTED`] and more are held where the constraints
//! allow it. Redundant rows are removed and named; at a singular pose the rows that are
//! independent next to it are kept, since the mechanism is about to leave it (Haug 1989 on both
//! kinds of rank loss).

mod acceleration;
mod algebraic;
mod assemble;
mod beside;
mod branch;
mod close;
mod consistency;
mod elimination;
mod exchange;
mod failure;
mod guess;
mod least_change;
mod pose;
mod rank;
mod report;
mod steady;
mod velocity;

pub use algebraic::{Algebraic, Undetermined};
pub use beside::beside;
pub(crate) use exchange::other_rows;
pub use failure::{Level, StartError};
pub use report::{Accelerations, PoseCheck, Redundant, Start, StartReport};

use crate::law::Law;
use crate::linear::{DenseLu, LinearSolver, SparseLu};
use crate::state::State;
use crate::system::{After, EvalError, Guess, Row, Rows, System, Terms};
use assemble::{Assembly, Ending};
use least_change::LeastChange;
use rank::Rank;

/// Weight from which a start value counts as trusted.
pub const TRUSTED: f64 = 1e4;
/// Weight from which a start value is exact: a start that cannot keep it is refused.
pub const EXACT: f64 = 1e6;
/// Share of the size of a coordinate, or of the fastest speed, that an exact value may be rounded by.
const ROUNDED: f64 = 1e-4;
/// Relative pivots below this mark a nearly singular pose.
const NEARLY_SINGULAR: f64 = 1e-4;
/// Unknowns up to which dense factors are the cheaper ones.
const DENSE_UNKNOWNS: usize = 30;

/// A direct solver suited to a system of `n` unknowns.
pub(crate) fn solver_for(n: usize) -> Box<dyn LinearSolver> {
    if n <= DENSE_UNKNOWNS {
        Box::new(DenseLu::new())
    } else {
        Box::new(SparseLu::new())
    }
}

/// Makes a guess consistent and says what was found on the way.
///
/// What an earlier run has left in the system is forgotten, and the events of the start time happen
/// here.
pub fn start(sys: &mut dyn System, guess: &Guess) -> Result<Start, StartError> {
    let dims = sys.dims();
    sys.reset();
    let (weight_q, weight_v) = guess::check_guess(sys, guess)?;
    let mut state = State::new(dims);
    state.t = guess.t;
    state.q.copy_from_slice(&guess.q);
    state.v.copy_from_slice(&guess.v);
    state.x.copy_from_slice(&guess.x);
    let mut residual_before = guess::check_first_evaluation(sys, &state)?;

    let (mut assembly, iterations) =
        close::close(sys, guess, &weight_q).map_err(|e| eval_failed(e, &state))?;
    // what is open there may be a gap
    let gaps = sys.facts().laws.iter().filter(|law| law.law != Law::LASTS);
    for law in gaps.map(|law| law.row as usize) {
        for c in [&mut residual_before, &mut assembly.c] {
            c.get_mut(law).into_iter().for_each(|c| *c = 0.0);
        }
    }
    state.q.copy_from_slice(&assembly.q);
    if assembly.ending != Ending::Closed {
        return Err(not_closed(&assembly, iterations, state));
    }

    let all: Vec<usize> = sys.facts().lasting().collect();
    let here = rank::analyse(
        &LeastChange::new(sys, &all, &weight_q).scaled_rows(&assembly.c_q),
        &[],
    )
    .among(&all);
    let mut pose = judge(&here);
    let mut kept = here.kept.clone();
    let mut regained = Vec::new();
    let rank_may_rise = !here.dropped.is_empty() && here.kept.len() < dims.nv;
    if rank_may_rise {
        let place = assemble::Place {
            t: guess.t,
            v: &guess.v,
            x: &guess.x,
        };
        if let Some(near) = pose::explore(sys, place, &state.q, &here)
            && !steady::is_steady(sys, guess, &state, &here, &weight_v)
        {
            kept = near.kept;
            regained.clone_from(&near.regained);
            pose = PoseCheck::Singular {
                rows: near.regained,
                regained: near.pivot,
            };
        }
    }
    let redundant: Vec<&rank::Dependence> = here
        .dropped
        .iter()
        .filter(|d| !regained.contains(&d.row))
        .collect();
    let rows = Rows::of(kept.iter().map(|&i| i as u32).collect());

    velocity::solve_velocity(sys, &mut state, guess, &kept, &weight_v)
        .map_err(|e| eval_failed(e, &state))?;
    if let Some(rows) = consistency::velocity_violations(sys, &state, &guess.v, &all)
        .map_err(|e| eval_failed(e, &state))?
    {
        let state = Box::new(state);
        let level = Level::Velocity;
        return Err(match pose {
            PoseCheck::Singular { rows: at, .. } => StartError::SingularStart {
                rows: at,
                violated: rows,
                level,
                state,
            },
            _ => StartError::Contradictory { rows, level, state },
        });
    }
    if let Some(rows) = consistency::acceleration_violations(sys, &state, &redundant)
        .map_err(|e| eval_failed(e, &state))?
    {
        return Err(StartError::Contradictory {
            rows,
            level: Level::Acceleration,
            state: Box::new(state),
        });
    }

    let entries = not_kept(sys, guess, &state);
    if !entries.is_empty() {
        let state = Box::new(state);
        return Err(StartError::NotKept { entries, state });
    }

    let mut algebraic = Algebraic::new(sys);
    algebraic
        .solve(sys, &mut state)
        .map_err(|e| undetermined(sys, e, &state))?;
    let started = sys.time_events().map(|e| e.on_time_event(&mut state));
    let started = started.transpose().map_err(|e| eval_failed(e, &state))?;
    if started.is_some_and(|after| after != After::Continue) {
        algebraic
            .solve(sys, &mut state)
            .map_err(|e| undetermined(sys, e, &state))?;
    }
    let accelerations = acceleration::accelerate(sys, &mut state, &rows, &pose)?;
    let report = StartReport {
        dof: dims.nv - kept.len(),
        iterations,
        residual_before,
        residual_after: assembly.c,
        moved: difference(&state.q, &guess.q),
        velocity_moved: difference(&state.v, &guess.v),
        redundant: redundant
            .iter()
            .map(|d| Redundant {
                row: d.row,
                depends_on: d.on.iter().map(|c| c.0).collect(),
            })
            .collect(),
        not_unique: not_unique(&here),
        pose,
        accelerations,
    };
    Ok(Start {
        state,
        rows,
        report,
    })
}

/// Exact values that the start has others for, worst first.
fn not_kept(sys: &dyn System, guess: &Guess, s: &State) -> Vec<(Row, f64)> {
    let facts = sys.facts();
    let speeds = s.v.iter().chain(&guess.v).zip(facts.scale.iter().cycle());
    let rate = speeds.fold(0.0, |m: f64, (v, scale)| m.max((v / scale).abs()));
    let positions = s.q.iter().zip(&guess.q).zip(&guess.weight_q);
    let velocities = s.v.iter().zip(&guess.v).zip(&guess.weight_v);
    // weights are those of squares; rounding of a product is none of theirs
    let is_exact = |weight: &f64, size: &f64| weight * size * size >= 0.5 * EXACT;
    let mut entries = Vec::new();
    for (i, (((q, given), weight), size)) in positions.zip(&facts.scale).enumerate() {
        if is_exact(weight, size) && (q - given).abs() > ROUNDED * size {
            entries.push((Row::Position(i), q - given));
        }
    }
    for (i, (((v, given), weight), size)) in velocities.zip(&facts.scale).enumerate() {
        if is_exact(weight, size) && (v - given).abs() > ROUNDED * size * rate {
            entries.push((Row::Velocity(i), v - given));
        }
    }
    entries.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
    entries
}

/// Largest `|C|` and `|C_q v + C_t|` over the given rows at a state.
pub fn constraint_residuals(
    sys: &mut dyn System,
    s: &State,
    rows: &Rows,
) -> Result<(f64, f64), EvalError> {
    let dims = sys.dims();
    // non-holonomic rows have no position residual: theirs stays 0
    let (mut c, mut cv) = (vec![0.0; dims.rows()], vec![0.0; dims.rows()]);
    let mut want = Terms {
        c: Some(&mut c[..dims.nc]),
        cv: Some(&mut cv),
        ..Terms::default()
    };
    sys.eval(&s.at(), &mut want)?;
    let largest = |x: &[f64]| {
        let mut l = 0.0;
        for &i in &rows.c {
            let r = x[i as usize].abs();
            if r > l || r.is_nan() {
                l = r;
            }
        }
        l
    };
    Ok((largest(&c), largest(&cv)))
}

fn judge(here: &Rank) -> PoseCheck {
    let smallest_pivot = here.smallest();
    if smallest_pivot >= NEARLY_SINGULAR {
        return PoseCheck::Regular { smallest_pivot };
    }
    PoseCheck::NearlySingular {
        smallest_pivot,
        rows: (here.kept.iter().zip(&here.pivots))
            .filter(|(_, p)| **p < NEARLY_SINGULAR)
            .map(|(i, _)| *i)
            .collect(),
    }
}

/// Rows whose multipliers are a choice: dependent ones and those they depend on.
fn not_unique(here: &Rank) -> Vec<usize> {
    let mut rows: Vec<usize> = (here.dropped.iter())
        .flat_map(|d| std::iter::once(d.row).chain(d.on.iter().map(|c| c.0)))
        .collect();
    rows.sort_unstable();
    rows.dedup();
    rows
}

fn not_closed(assembly: &Assembly, iterations: usize, state: State) -> StartError {
    let rows = consistency::worst(&assembly.c);
    let state = Box::new(state);
    if assembly.ending == Ending::Stuck {
        StartError::Contradictory {
            rows,
            level: Level::Position,
            state,
        }
    } else {
        StartError::NotAssembled {
            rows,
            iterations,
            state,
        }
    }
}

fn eval_failed(source: EvalError, state: &State) -> StartError {
    StartError::Eval {
        source,
        state: Box::new(state.clone()),
    }
}

fn undetermined(sys: &dyn System, why: Undetermined, state: &State) -> StartError {
    let (row, ending) = match why {
        Undetermined::Eval(e) => return eval_failed(e, state),
        Undetermined::Singular { row } => (row, ""),
        Undetermined::NotConverged { row } => (row, " (Newton's method did not converge)"),
    };
    StartError::NotFinite {
        what: format!("the start value of {}{ending}", sys.describe(row)),
        state: Box::new(state.clone()),
    }
}

fn difference(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}
