//! Motion that the constraints alone determine, as a [`Run`]: the same tables, verdicts and files.

use crate::advice::Advice;
use crate::audit::ConstraintResidual;
use crate::doubts::Doubt;
use crate::explain::{self, Explanation};
use crate::options::{Options, Outputs};
use crate::run::{Ending, Run};
use crate::settings::{OptionError, Settings};
use crate::simulation::Simulation;
use crate::start::about_start;
use crate::table::Table;
use cpu_time::ThreadTime;
use linkwork_dae::initial::constraint_residuals;
use linkwork_dae::kinematic::{KinematicError, Kinematics, Passage, Reached, Stop};
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
/// use linkwork::{Simulation, kinematics};
///
/// let mut model = Model::planar("crank").gravity([0.0, -9.81]);
/// let rod = model.add_body(Body::planar("rod", 2.0, 0.1).at([0.5, 0.0]));
/// model.add_joint("hinge", BodyRef::GROUND, rod, Revolute::pin([0.0, 0.0]));
/// model.add_joint("motor", BodyRef::GROUND, rod, Drive::turn(Formula::parse("t")?));
/// let mut simulation = Simulation::of(&model)?.t_end(1.0);
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
    simulation.check_room(&settings)?;
    let clock = ThreadTime::try_now().ok();
    let mut options = settings.options.clone();
    options.method = Some("kinematics".into());
    options.formulation = Some("constraints".into());
    options.rtol = None;
    let table = Table::new(simulation.system().channels());
    let mut run = Run::new(simulation.name(), &options, table);
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
    let strict = run.options.strict == Some(true);
    (run.doubts, run.notes) = about_start(sys, &start.report, strict);
    run.doubts.extend(held_states(sys));
    let motion = match Kinematics::new(sys, &start) {
        Ok(motion) => motion,
        Err(KinematicError::Free { coordinates }) => return Err(free(sys, &coordinates)),
        Err(KinematicError::NonHolonomic) => return Err(non_holonomic()),
        Err(other) => {
            run.ending = Ending::Failed(explain_stop(sys, &other));
            return Ok(run);
        }
    };
    let walk = walk(motion, &start.rows, &settings, &mut run, tell);
    run.doubts.extend(passed(sys, &walk.passages));
    if walk.poses_only > 0 {
        run.doubts.push(Doubt::PosesOnly(walk.poses_only));
    }
    if let Some(e) = walk.failure {
        run.ending = Ending::Failed(explain_stop(sys, &e));
    }
    run.judge();
    run.start = Some(start.report);
    let spent = clock.and_then(|c| c.try_elapsed().ok());
    run.cpu_seconds = spent.map_or(f64::NAN, |d| d.as_secs_f64());
    run.step_cpu_seconds = run.cpu_seconds;
    Ok(run)
}

/// What a walk through the kept points has met.
#[derive(Default)]
struct Walk {
    passages: Vec<Passage>,
    /// Points without velocities and reactions.
    poses_only: usize,
    failure: Option<KinematicError>,
}

/// Goes from point to point and keeps them as rows of the run.
fn walk(
    mut motion: Kinematics<'_>,
    rows: &Rows,
    settings: &Settings,
    run: &mut Run,
    tell: &mut dyn FnMut(f64) -> bool,
) -> Walk {
    let (begin, t_end) = (motion.state().t, settings.t_end());
    let mut row = vec![0.0; motion.system().channels().len()];
    let mut walk = Walk::default();
    for t in points(settings, begin) {
        let share = (t - begin) / (t_end - begin);
        let reached = match t > begin {
            false => Ok(Reached::Complete),
            true => motion.advance_to(t),
        };
        match reached {
            Ok(Reached::Complete) => {}
            Ok(Reached::PoseOnly) => walk.poses_only += 1,
            Err(e) => {
                walk.failure = Some(e);
                break;
            }
        }
        let state = motion.state().clone();
        motion.system().observe(&state, &mut row);
        run.table.push(state.t, &row);
        run.t_last = state.t;
        see(&mut run.constraint_residual, motion.system(), &state, rows);
        if !tell(share) {
            run.ending = Ending::Stopped;
            run.doubts.insert(0, Doubt::Stopped { t: state.t, t_end });
            break;
        }
    }
    run.stats.steps = motion.stats.steps;
    run.stats.rejected = motion.stats.rejected;
    run.stats.newton_iterations = motion.stats.iterations;
    walk.passages = motion.passages;
    walk
}

/// The times of the rows.
fn points(settings: &Settings, begin: f64) -> Vec<f64> {
    let t_end = settings.t_end();
    let usual = Options::new().completed().outputs;
    let intervals = match (&settings.outputs, usual) {
        (Outputs::At(times), _) => return times.to_vec(),
        (Outputs::Uniform(n), _) => *n,
        (Outputs::Steps, Some(Outputs::Uniform(n))) => n,
        (Outputs::Steps, _) => 1,
    };
    let at = |k: usize| begin + k as f64 / intervals as f64 * (t_end - begin);
    (0..intervals).map(at).chain([t_end]).collect()
}

/// The first singular poses on the way, and how many more there were.
fn passed(sys: &dyn System, passages: &[Passage]) -> Vec<Doubt> {
    const TOLD: usize = 3;
    let told = passages.iter().take(TOLD);
    let told = told.map(|p| Doubt::PassedSingularPose {
        from: p.from,
        to: p.to,
        equation: sys.describe(Row::Constraint(p.row)),
        coordinate: sys.describe(Row::Position(p.coordinate)),
    });
    let more = passages.len().saturating_sub(TOLD);
    told.chain((more > 0).then_some(Doubt::PassedMore(more)))
        .collect()
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
fn held_states(sys: &dyn System) -> Option<Doubt> {
    let differential = sys.facts().differential.clone();
    let first = differential.iter().position(|d| *d)?;
    let first = sys.describe(Row::State(first));
    Some(Doubt::StatesHeld { first })
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
        help: format!("add {n} [[joint]] of kind \"drive\" to say how it moves, or simulate it"),
    }
}

fn non_holonomic() -> Refused {
    Refused::Undetermined {
        message: "rolling constraints do not determine positions".into(),
        help: "simulate the model".into(),
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
                        .into(),
                );
                advice.push("keep the driven motion short of this pose, or change the lengths of the links so that it is never reached".into());
            } else {
                advice.push("make the drive smooth at this time: a formula that jumps asks for poses far apart".into());
                advice.push(Advice::MoreOutputs(2000));
            }
            (*t, cause)
        }
        KinematicError::Contradictory { t, row, residual } => {
            let joint = sys.owner(Row::Constraint(*row));
            advice.push(Advice::Other(format!(
                "remove joint `{joint}` or give it fewer equations: it followed from the others at the start only"
            )));
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
