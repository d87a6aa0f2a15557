//! Motion that the constraints alone determine, as a [`Run`]: the same tables, verdicts and files.

use crate::audit::ConstraintResidual;
use crate::doubts;
use crate::explain::{self, Explanation};
use crate::options::Outputs;
use crate::run::{Ending, Recipe, Run, Verdict};
use crate::settings::{DEFAULT_OUTPUTS, OptionError};
use crate::simulation::Simulation;
use crate::table::Table;
use cpu_time::ThreadTime;
use linkwork_dae::initial::constraint_residuals;
use linkwork_dae::kinematic::{KinematicError, Kinematics, Reached, Stop};
use linkwork_dae::stats::Stats;
use linkwork_dae::system::{Row, Rows, System};

/// Why a model is no case for kinematics: options, or motion that is left free.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Refused {
    /// An option cannot be honoured.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// The constraints do not determine the motion.
    #[error("{message}")]
    Undetermined {
        /// What is left free.
        message: String,
        /// What to do about it.
        help: String,
    },
}

/// Computes the motion of a model without degrees of freedom up to its end time.
///
/// `tell` is called with the share that is done (0 to 1) and answers whether to go on.
///
/// ```
/// use linkwork::mbs::{Body, BodyRef, Formula, Model, joint::{Drive, Driven, Revolute}};
/// use linkwork::{Options, Simulation, kinematics};
///
/// let mut model = Model::planar("crank").gravity([0.0, -9.81]);
/// let rod = model.add_body(Body::planar("rod", 2.0, 0.1).at([0.5, 0.0]));
/// model.add_joint("hinge", BodyRef::GROUND, rod, Revolute::pin([0.0, 0.0]));
/// model.add_joint("motor", BodyRef::GROUND, rod, Drive::turn(Formula::parse("t")?));
/// let options = Options { t_end: Some(1.0), ..Options::default() };
/// let mut simulation = Simulation::from_model(&model)?.options(options);
/// let run = kinematics::kinematics(&mut simulation, &mut |_| true)?;
/// let x = run.channel("rod.x").expect("every body has its place");
/// assert!((x[200] - 0.5 * 1f64.cos()).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn kinematics(
    simulation: &mut Simulation,
    tell: &mut dyn FnMut(f64) -> bool,
) -> Result<Run, Refused> {
    let settings = simulation.settings()?;
    let clock = ThreadTime::try_now().ok();
    let (t_end, intervals) = match settings.outputs {
        Outputs::Uniform(n) => (settings.t_end, n),
        Outputs::Steps => (settings.t_end, DEFAULT_OUTPUTS),
    };
    let mut run = Run {
        model: simulation.name().to_string(),
        recipe: Recipe {
            method: "kinematics",
            formulation: "constraints",
            coordinates: simulation.coordinate_word(),
            jacobian: "exact",
            linear: "sparse",
            rtol: None,
            order_control: None,
            t_end,
        },
        table: Table::new(simulation.system().channels()),
        t_last: f64::NAN,
        verdict: Verdict::Failed,
        doubts: Vec::new(),
        ending: Ending::Finished,
        restarted_at: None,
        start: None,
        stats: Stats::default(),
        notes: Vec::new(),
        following: None,
        limiters: Vec::new(),
        constraint_residual: ConstraintResidual::default(),
        energy: None,
        cpu_seconds: 0.0,
        step_cpu_seconds: 0.0,
        longest_step_seconds: 0.0,
    };
    let start = match simulation.start() {
        Ok(start) => start,
        Err(why) => {
            let sys = simulation.system();
            if let Some(state) = why.state() {
                let mut row = vec![0.0; sys.channels().len()];
                sys.observe(state, &mut row);
                run.table.push(state.t, &row);
            }
            run.ending = Ending::Failed(explain::no_start(sys, &why));
            return Ok(run);
        }
    };
    let sys = simulation.system();
    run.doubts = doubts::about_start(sys, &start.report);
    run.doubts.extend(held_states(sys));
    let mut row = vec![0.0; sys.channels().len()];
    let begin = start.state.t;
    let mut motion = match Kinematics::new(sys, &start) {
        Ok(motion) => motion,
        Err(KinematicError::Free { coordinates }) => return Err(free(sys, &coordinates)),
        Err(KinematicError::NonHolonomic) => return Err(non_holonomic()),
        Err(other) => {
            run.ending = Ending::Failed(explain_stop(sys, &other));
            return Ok(run);
        }
    };
    let mut incomplete = 0;
    let mut failure = None;
    for k in 0..=intervals {
        let t = if k == intervals {
            t_end
        } else {
            begin + k as f64 / intervals as f64 * (t_end - begin)
        };
        let reached = if k == 0 {
            Ok(Reached::Complete)
        } else {
            motion.advance_to(t)
        };
        match reached {
            Ok(Reached::Complete) => {}
            Ok(Reached::PoseOnly) => incomplete += 1,
            Err(e) => {
                failure = Some(e);
                break;
            }
        }
        let state = motion.state().clone();
        motion.system().observe(&state, &mut row);
        run.table.push(state.t, &row);
        run.t_last = state.t;
        see(
            &mut run.constraint_residual,
            motion.system(),
            &state,
            &start.rows,
        );
        if !tell(k as f64 / intervals as f64) {
            run.ending = Ending::Stopped;
            run.doubts.insert(
                0,
                format!("stopped at t = {} before the end, {t_end}", state.t),
            );
            break;
        }
    }
    run.stats.steps = motion.stats.steps;
    run.stats.rejected = motion.stats.rejected;
    run.stats.newton_iterations = motion.stats.iterations;
    let passages = std::mem::take(&mut motion.passages);
    for p in passages.iter().take(3) {
        run.doubts.push(format!(
            "passed a singular pose between t = {} and {}, straight on: there {} depends on the \
             others and {} could go another way",
            p.from,
            p.to,
            sys.describe(Row::Constraint(p.row)),
            sys.describe(Row::Position(p.coordinate)),
        ));
    }
    if let Some(more) = passages.len().checked_sub(3).filter(|n| *n > 0) {
        run.doubts
            .push(format!("passed {more} more singular poses"));
    }
    if incomplete > 0 {
        run.doubts.push(format!(
            "the pose is singular at {incomplete} of the kept points: velocities and reactions have no value there"
        ));
    }
    if let Some(e) = failure {
        run.ending = Ending::Failed(explain_stop(sys, &e));
    }
    run.verdict = match run.ending {
        Ending::Failed(_) => Verdict::Failed,
        _ if run.doubts.is_empty() => Verdict::Converged,
        _ => Verdict::Degraded,
    };
    run.start = Some(start.report);
    let spent = clock.and_then(|c| c.try_elapsed().ok());
    run.cpu_seconds = spent.map_or(f64::NAN, |d| d.as_secs_f64());
    run.step_cpu_seconds = run.cpu_seconds;
    Ok(run)
}

fn see(
    residual: &mut ConstraintResidual,
    sys: &mut dyn System,
    state: &linkwork_dae::state::State,
    rows: &Rows,
) {
    if let Ok((position, velocity)) = constraint_residuals(sys, state, rows) {
        residual.position = residual.position.max(position);
        // NaN where the pose is singular
        residual.velocity = residual.velocity.max(velocity);
    }
}

/// States of controls would have to be integrated.
fn held_states(sys: &dyn System) -> Option<String> {
    let mut differential = vec![true; sys.dims().nx];
    sys.differential(&mut differential);
    let first = differential.iter().position(|d| *d)?;
    Some(format!(
        "states of controls are not integrated, {} and others stay at their start values: forces \
         that depend on them are wrong; `linkwork run` integrates them",
        sys.describe(Row::State(first))
    ))
}

fn free(sys: &dyn System, coordinates: &[Row]) -> Refused {
    let names: Vec<String> = coordinates
        .iter()
        .take(6)
        .map(|r| sys.describe(*r))
        .collect();
    let more = match coordinates.len().saturating_sub(6) {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    let n = coordinates.len();
    let degrees = if n == 1 { "degree" } else { "degrees" };
    Refused::Undetermined {
        message: format!(
            "the joints leave {n} {degrees} of freedom: {}{more}",
            names.join("; ")
        ),
        help: format!(
            "add {n} [[joint]] of kind \"drive\" to say how it moves, or simulate it with `linkwork run`"
        ),
    }
}

fn non_holonomic() -> Refused {
    Refused::Undetermined {
        message: "rolling constraints do not determine positions".into(),
        help: "simulate the model with `linkwork run`".into(),
    }
}

/// Why there is no way on, in words.
fn explain_stop(sys: &dyn System, e: &KinematicError) -> Explanation {
    let mut advice = Vec::new();
    let (t, cause) = match e {
        KinematicError::Stuck {
            t,
            cause,
            examination,
        } => {
            let (what, row) = match cause {
                Stop::NoPose { row } => ("no pose beyond was found; still open is", row),
                Stop::Singular { row } => ("velocities are undetermined at", row),
                Stop::Far { row } => ("the next pose would be far away, on another branch:", row),
                Stop::Kink { row } => ("the velocity would jump:", row),
            };
            let mut cause = format!("{what} {}", sys.describe(*row));
            if e.is_singular() {
                if let Some(x) = examination {
                    cause = format!(
                        "the mechanism locks or branches here: the constraints hardly determine {} \
                         any more (relative pivot {:.1e}); {cause}",
                        sys.describe(Row::Position(x.coordinate)),
                        x.smallest
                    );
                }
                advice.push(
                    "drive another coordinate, one that moves freely through this pose (the crank instead of the slider)"
                        .to_string(),
                );
                advice.push("keep the driven motion short of this pose, or change the lengths of the links so that it is never reached".into());
            } else {
                advice.push("make the drive smooth at this time: a formula that jumps asks for poses far apart".into());
                advice.push("keep more points: --outputs 2000 starts with shorter steps".into());
            }
            (*t, cause)
        }
        KinematicError::Contradictory { t, row, residual } => {
            advice.push(format!(
                "remove joint `{}` or give it fewer equations: it followed from the others at the start only",
                sys.owner(Row::Constraint(*row))
            ));
            (
                *t,
                format!(
                    "too many constraints: {} followed from the others at the start and is violated now, by {residual:.2e}",
                    sys.describe(Row::Constraint(*row))
                ),
            )
        }
        KinematicError::Eval { t, source } => {
            advice.push(
                "look at the formulas of the part that is named: at this time they have no value"
                    .into(),
            );
            (*t, format!("no value: {source}"))
        }
        other => (f64::NAN, other.to_string()),
    };
    Explanation {
        t,
        cause,
        attempts: Vec::new(),
        advice,
    }
}
