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
//! The order matters: the rank of `C_q` means nothing at a pose that violates `C`, because redundant rows then
//! have pivots of the size of the violation. Weights are relative to the coordinate scales; entries with weights of
//! [`TRUSTED`] and more are held where the constraints allow it. Redundant rows are
//! removed and named; at a singular pose the rows that are independent next to it are kept, since the mechanism is about
//! to leave it (Haug 1989, section 3.7, on both kinds of rank loss).

mod assemble;
mod branch;
mod consistency;
mod elimination;
mod failure;
mod least_change;
mod pose;
mod rank;
mod report;

pub use failure::{Level, StartError};
pub use report::{Accelerations, PoseCheck, Redundant, Start, StartReport};

use crate::linear::{DenseLu, LinearSolver, SparseLu};
use crate::saddle::{Saddle, SaddleError};
use crate::state::State;
use crate::system::{At, EvalError, Guess, Part, Row, Rows, System, Terms};
use assemble::{Assembly, Ending, Noise, assemble};
use least_change::LeastChange;
use rank::Rank;

/// Weight from which a start value counts as trusted.
pub const TRUSTED: f64 = 1e4;
/// Relative pivots below this mark a nearly singular pose.
const NEARLY_SINGULAR: f64 = 1e-4;
/// Largest relative violation of `C_q a = gamma` that counts as consistent at a singular pose.
const CONSISTENT_ACCELERATION: f64 = 1e-6;
/// Unknowns beyond which a failed assembly is not tried again from shaken guesses.
const RESTART_LIMIT: usize = 2000;
/// Weights are limited to what the step equations resolve.
const WEIGHT_RANGE: (f64, f64) = (1e-8, 1e8);

/// Unknowns up to which dense factors are the cheaper ones.
const DENSE_UNKNOWNS: usize = 30;

/// A direct solver suited to a system of `n` unknowns.
fn solver_for(n: usize) -> Box<dyn LinearSolver> {
    if n <= DENSE_UNKNOWNS {
        Box::new(DenseLu::new())
    } else {
        Box::new(SparseLu::new())
    }
}

/// Makes a guess consistent and says what was found on the way.
///
/// May be called in the middle of a run: the guess is then the state at hand.
pub fn start(sys: &mut dyn System, guess: &Guess) -> Result<Start, StartError> {
    let dims = sys.dims();
    let (weight_q, weight_v) = check_guess(sys, guess)?;
    let mut state = State::new(dims);
    state.t = guess.t;
    state.q.copy_from_slice(&guess.q);
    state.v.copy_from_slice(&guess.v);
    let residual_before = check_first_evaluation(sys, &state)?;

    let (assembly, iterations) =
        close(sys, guess, &weight_q).map_err(|e| eval_failed(e, &state))?;
    state.q.copy_from_slice(&assembly.q);
    if assembly.ending != Ending::Closed {
        return Err(not_closed(&assembly, iterations, state));
    }

    let all: Vec<usize> = (0..dims.nc).collect();
    let here = rank::analyse(
        &LeastChange::new(sys, &all, &weight_q).scaled_rows(&assembly.c_q),
        &[],
    );
    let mut pose = judge(&here);
    let mut kept = here.kept.clone();
    let mut regained = Vec::new();
    let rank_may_rise = !here.dropped.is_empty() && here.kept.len() < dims.nv;
    if rank_may_rise {
        if let Some(near) = pose::explore(sys, state.t, &state.q, &here) {
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
    let rows = Rows {
        c: kept.iter().map(|&i| i as u32).collect(),
    };

    solve_velocity(sys, &mut state, guess, &kept, &weight_v).map_err(|e| eval_failed(e, &state))?;
    if let Some(rows) =
        consistency::velocity_violations(sys, &state, &all).map_err(|e| eval_failed(e, &state))?
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

    let accelerations = accelerate(sys, &mut state, &rows, &pose)?;
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

/// Largest `|C|` and `|C_q v + C_t|` over the given rows at a state.
pub fn constraint_residuals(
    sys: &mut dyn System,
    s: &State,
    rows: &Rows,
) -> Result<(f64, f64), EvalError> {
    let nc = sys.dims().nc;
    let (mut c, mut cv) = (vec![0.0; nc], vec![0.0; nc]);
    let mut want = Terms {
        c: Some(&mut c),
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

/// Lengths and finiteness of the guess; returns usable weights of `q` and `v`.
fn check_guess(sys: &dyn System, guess: &Guess) -> Result<(Vec<f64>, Vec<f64>), StartError> {
    let dims = sys.dims();
    for (what, found, expected) in [
        ("positions", guess.q.len(), dims.nq),
        ("velocities", guess.v.len(), dims.nv),
    ] {
        if found != expected {
            return Err(StartError::WrongLength {
                what,
                found,
                expected,
            });
        }
    }
    let partial = || {
        Box::new(State {
            t: guess.t,
            q: guess.q.clone(),
            v: guess.v.clone(),
            ..State::new(dims)
        })
    };
    if !guess.t.is_finite() {
        return Err(StartError::NotFinite {
            what: "the start time".to_string(),
            state: partial(),
        });
    }
    type Naming = fn(usize) -> Row;
    for (values, row, what) in [
        (&guess.q, Row::Position as Naming, "start value of"),
        (&guess.v, Row::Velocity, "start value of"),
        (&guess.weight_q, Row::Position, "assembly weight of"),
        (&guess.weight_v, Row::Velocity, "assembly weight of"),
    ] {
        if let Some(i) = values.iter().position(|x| !x.is_finite()) {
            return Err(StartError::NotFinite {
                what: format!("{what} {}", sys.describe(row(i))),
                state: partial(),
            });
        }
    }
    let usable = |weight: &[f64], n: usize| {
        let mut w = weight.to_vec();
        w.resize(n, 1.0);
        for w in &mut w {
            *w = w.clamp(WEIGHT_RANGE.0, WEIGHT_RANGE.1);
        }
        w
    };
    Ok((
        usable(&guess.weight_q, dims.nq),
        usable(&guess.weight_v, dims.nv),
    ))
}

/// Every term must be finite at the guess; returns `C` there.
fn check_first_evaluation(sys: &mut dyn System, s: &State) -> Result<Vec<f64>, StartError> {
    let dims = sys.dims();
    let mass_at = sys.patterns()[Part::Mass].clone();
    let c_q_at = sys.patterns()[Part::Cq].clone();
    let (mut mass, mut c_q) = (vec![0.0; mass_at.len()], vec![0.0; c_q_at.len()]);
    let mut force = vec![0.0; dims.nv];
    let [mut c, mut cv, mut gamma] = [(); 3].map(|()| vec![0.0; dims.nc]);
    let mut want = Terms {
        r: None,
        mass: Some(&mut mass),
        force: Some(&mut force),
        c: Some(&mut c),
        c_q: Some(&mut c_q),
        cv: Some(&mut cv),
        gamma: Some(&mut gamma),
    };
    let at = At {
        a: &[],
        lambda: &[],
        ..s.at()
    };
    sys.eval(&at, &mut want).map_err(|e| eval_failed(e, s))?;
    let bad = |x: &[f64]| x.iter().position(|x| !x.is_finite());
    let culprit = if let Some(k) = bad(&mass) {
        Some(("the mass matrix", Row::Velocity(mass_at[k].0 as usize)))
    } else if let Some(i) = bad(&force) {
        Some(("the force", Row::Velocity(i)))
    } else if let Some(i) = bad(&c) {
        Some(("the residual", Row::Constraint(i)))
    } else if let Some(k) = bad(&c_q) {
        Some(("the Jacobian", Row::Constraint(c_q_at[k].0 as usize)))
    } else if let Some(i) = bad(&cv) {
        Some(("the velocity equation", Row::Constraint(i)))
    } else {
        bad(&gamma).map(|i| ("the acceleration equation", Row::Constraint(i)))
    };
    match culprit {
        None => Ok(c),
        Some((term, row)) => Err(StartError::NotFinite {
            what: format!("{term} of {}", sys.describe(row)),
            state: Box::new(s.clone()),
        }),
    }
}

/// Closes all rows: from the guess, from shaken guesses when that fails, and once more with the
/// trusted entries at their exact values. Returns the total number of iterations too.
fn close(
    sys: &mut dyn System,
    guess: &Guess,
    weight: &[f64],
) -> Result<(Assembly, usize), EvalError> {
    const SHAKES: [f64; 5] = [0.02, 0.1, 0.3, 0.6, 1.0];
    let nc = sys.dims().nc;
    let all: Vec<usize> = (0..nc).collect();
    let mut change = LeastChange::new(sys, &all, weight);
    let mut best = assemble(sys, guess.t, &guess.q, &mut change, nc)?;
    let mut iterations = best.iterations;
    if best.ending != Ending::Closed && guess.q.len() <= RESTART_LIMIT {
        for (seed, shake) in SHAKES.iter().enumerate() {
            let mut noise = Noise::new(100 + seed as u64);
            let shaken: Vec<f64> = guess
                .q
                .iter()
                .zip(weight.iter().zip(change.scale()))
                .map(|(q, (w, s))| {
                    q + noise.next() * shake * s * if *w < TRUSTED { 1.0 } else { 0.0 }
                })
                .collect();
            let Ok(tried) = assemble(sys, guess.t, &shaken, &mut change, nc) else {
                continue;
            };
            iterations += tried.iterations;
            if tried.ending == Ending::Closed || tried.rms < best.rms {
                best = tried;
            }
            if best.ending == Ending::Closed {
                break;
            }
        }
    }
    let moved_little = weight
        .iter()
        .zip(best.q.iter().zip(&guess.q))
        .zip(change.scale())
        .filter(|((w, _), _)| **w >= TRUSTED)
        .all(|((_, (q, g)), s)| (q - g).abs() < 1e-3 * s);
    if best.ending == Ending::Closed && moved_little {
        if let Some(sharper) = sharpen(weight) {
            let held: Vec<f64> = (best.q.iter().zip(&guess.q))
                .zip(weight)
                .map(|((q, g), w)| if *w >= TRUSTED { *g } else { *q })
                .collect();
            if held != best.q {
                let mut change = LeastChange::new(sys, &all, &sharper);
                if let Ok(a) = assemble(sys, guess.t, &held, &mut change, nc) {
                    iterations += a.iterations;
                    if a.ending == Ending::Closed {
                        best = a;
                    }
                }
            }
        }
    }
    Ok((best, iterations))
}

/// Weights for a second pass that holds trusted entries to rounding; `None` without any.
fn sharpen(weight: &[f64]) -> Option<Vec<f64>> {
    weight.iter().any(|w| *w >= TRUSTED).then(|| {
        weight
            .iter()
            .map(|w| if *w >= TRUSTED { w * w } else { *w })
            .collect()
    })
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

/// Least weighted change of the velocity guess that meets `C_q v + C_t = 0`, trusted entries held
/// where possible.
fn solve_velocity(
    sys: &mut dyn System,
    s: &mut State,
    guess: &Guess,
    kept: &[usize],
    weight: &[f64],
) -> Result<(), EvalError> {
    let plain = least_velocity(sys, s, &guess.v, kept, weight)?;
    let mut chosen = plain;
    if let Some(sharper) = sharpen(weight) {
        let held = least_velocity(sys, s, &guess.v, kept, &sharper)?;
        s.v.copy_from_slice(&held);
        if consistency::velocity_violations(sys, s, kept)?.is_none() {
            chosen = held;
        }
    }
    s.v.copy_from_slice(&chosen);
    Ok(())
}

fn least_velocity(
    sys: &mut dyn System,
    s: &State,
    guess: &[f64],
    kept: &[usize],
    weight: &[f64],
) -> Result<Vec<f64>, EvalError> {
    // The equations are linear; repetition removes the bias of the regularised step.
    const REPETITIONS: usize = 4;
    let mut change = LeastChange::new(sys, kept, weight);
    let mut c_q = vec![0.0; sys.patterns()[Part::Cq].len()];
    let mut cv = vec![0.0; sys.dims().nc];
    let mut v = guess.to_vec();
    let mut d = vec![0.0; v.len()];
    for repetition in 0..REPETITIONS {
        let at = At {
            t: s.t,
            q: &s.q,
            v: &v,
            a: &[],
            lambda: &[],
        };
        let mut want = Terms {
            c_q: Some(&mut c_q),
            cv: Some(&mut cv),
            ..Terms::default()
        };
        sys.eval(&at, &mut want)?;
        if repetition == 0 {
            change.rescale(&c_q);
            if !change.factor(&c_q, 0.0) {
                break;
            }
        }
        if kept.iter().all(|&i| cv[i] == 0.0) {
            break;
        }
        change.step(&cv, &mut d);
        for (v, d) in v.iter_mut().zip(&d) {
            *v += d;
        }
    }
    Ok(v)
}

/// Accelerations and multipliers, and where they come from.
fn accelerate(
    sys: &mut dyn System,
    state: &mut State,
    rows: &Rows,
    pose: &PoseCheck,
) -> Result<Accelerations, StartError> {
    let mut saddle = Saddle::new(sys, rows, solver_for(sys.dims().nv + rows.c.len()));
    let failed = |e: SaddleError, state: &State, at: &[usize]| match e {
        SaddleError::Eval(e) => eval_failed(e, state),
        SaddleError::Singular {
            row: row @ (Row::Velocity(_) | Row::Position(_)),
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
        match saddle.accelerate(sys, state) {
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
    if violation <= CONSISTENT_ACCELERATION {
        let followed = branch::accelerate(sys, &mut saddle, state);
        return Ok(if followed {
            Accelerations::Branch
        } else {
            Accelerations::LeastNorm
        });
    }
    let index = match row {
        Row::Constraint(i) | Row::Velocity(i) | Row::Position(i) => i,
    };
    Err(StartError::SingularStart {
        rows: if at.is_empty() {
            vec![index]
        } else {
            at.to_vec()
        },
        violated: vec![(index, violation)],
        level: Level::Acceleration,
        state: Box::new(state.clone()),
    })
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

fn difference(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}
