//! What speaks against a result that was reached, each with its own numbers.

use crate::audit::{Audit, EnergyAccount, Hidden};
use crate::branches::Branches;
use crate::plural::count;
use crate::settings::Settings;
use crate::start::{Changes, Shared};
use crate::verify::TIGHTEST;
use linkwork_dae::stats::Stats;
use serde::{Serialize, Serializer};
use std::fmt;

/// A run tolerates an error of `rtol` in each of about `rtol^(-1/(p+1))` steps, so the whole may be
/// off by a multiple of `rtol^(p/(p+1))`, p being the highest order of the method. On mechanisms
/// with known balance the multiple is 1 to 20; above this, something else happened.
const ENERGY_MULTIPLE: f64 = 30.0;
/// However loose the tolerance, a motion that makes or loses this share is in doubt.
const LARGEST_ENERGY_BOUND: f64 = 0.05;
/// The same for a fixed step, where no tolerance was asked for: one per cent.
const ENERGY_OF_FIXED_STEP: f64 = 1e-2;
/// Least balance that is asked for, whatever the tolerance: the accounts themselves are Simpson sums.
const LEAST_ENERGY_BOUND: f64 = 1e-6;
/// Position constraints may stay open by this many relative tolerances of the smallest size.
const RESIDUAL_TOLERANCES: f64 = 10.0;
/// Residual bound of a fixed step, relative to the smallest size.
const RESIDUAL_OF_FIXED_STEP: f64 = 1e-4;
/// More failed attempts than this share of the accepted steps are a sign of trouble.
pub(crate) const MANY_REJECTIONS: f64 = 0.5;
/// A short run may stumble this often.
const FEW_REJECTIONS: u64 = 20;

/// Something that speaks against a result; shown as a sentence.
#[derive(Clone, Debug, PartialEq)]
pub enum Doubt {
    /// Redundant constraints share their load in many ways, and reactions were to be unique.
    ReactionsNotUnique(Shared),
    /// The motion starts far from where it was told to.
    StartChanged(Changes),
    /// The start pose is near one where constraints depend on each other.
    NearlySingular {
        /// Smallest relative pivot.
        pivot: f64,
        /// The equations.
        equations: String,
    },
    /// Constraints depend on each other in the start pose.
    Singular {
        /// The equations.
        equations: String,
    },
    /// The start chooses none of the branches that meet in its pose; starts beside it lead to different motions.
    Branches(Branches),
    /// Reactions have a pole at the start.
    ReactionsUnbalanced,
    /// The start is beyond a stop, a rope or a contact.
    Beyond {
        /// Whose.
        name: String,
        /// By how much.
        by: f64,
    },
    /// Constraints were not held.
    ConstraintsOpen {
        /// Largest residual.
        by: f64,
        /// What was to be expected.
        bound: f64,
    },
    /// Energies or powers have no value.
    EnergyWithoutValue,
    /// Energy was made or lost.
    EnergyUnbalanced {
        /// How much, J.
        missing: f64,
        /// What was exchanged, J.
        exchanged: f64,
        /// The share of it that was to be expected.
        bound: f64,
    },
    /// Constraints are open by so little, and bear so much, that either branch is as good: with a slope `s` of the
    /// equation that fails, forces go as `1/s^2`, and the two are told apart while `s^2` is more than what is open.
    Undetermined {
        /// When.
        t: f64,
        /// Energy that open constraints hide, J.
        hidden: f64,
        /// What was exchanged, J.
        exchanged: f64,
    },
    /// Steps failed again and again.
    ManyFailures {
        /// Failed attempts.
        failed: u64,
        /// Accepted steps.
        steps: u64,
    },
    /// Kept points without accelerations and reactions.
    Incomplete {
        /// How many.
        points: usize,
        /// Time of the first.
        first: f64,
    },
    /// Somebody stopped the run.
    Stopped {
        /// When.
        t: f64,
        /// Where it should have ended.
        t_end: f64,
    },
    /// The end is farther off than is promised, or the motion is elsewhere on the way.
    Inaccurate {
        /// Error at the end, relative to the ranges of the channels.
        error: f64,
        /// The same in tolerances; none for a fixed step.
        tolerances: Option<f64>,
        /// What was promised.
        bound: f64,
        /// The channel that is off first, or most.
        channel: String,
        /// When two computations part, if they do.
        parted: Option<f64>,
        /// What the run was held against.
        companion: String,
        /// The tolerance that should do; none for a fixed step, or where there is none.
        helps: Option<f64>,
        /// Whether the two part before it is seen how errors grow.
        early: bool,
    },
    /// Errors grow exponentially, and have grown too large within the run. Up to there chaos looks like the one
    /// departure from an unstable state.
    Chaotic {
        /// Their rate, 1/s.
        rate: f64,
        /// Until when two computations agree.
        horizon: f64,
        /// The tolerance that would carry to the end as errors grow; none for a fixed step.
        needed: Option<f64>,
    },
    /// The second computation could not be made.
    Unverified {
        /// Why.
        why: String,
    },
    /// A checkpoint is not there.
    NotSaved {
        /// Why.
        why: String,
    },
    /// A motion has gone straight on where it could have branched.
    PassedSingularPose {
        /// The pose lies after this time,
        from: f64,
        /// and before this one.
        to: f64,
        /// The equation that depends on the others there.
        equation: String,
        /// What could have gone another way.
        coordinate: String,
    },
    /// The same, so many more times.
    PassedMore(usize),
    /// So many kept points of a kinematic motion have no velocities and reactions.
    PosesOnly(usize),
    /// States of controls stand still.
    StatesHeld {
        /// The first of them.
        first: String,
    },
    /// An equilibrium is unstable in these directions.
    Unstable(Vec<String>),
    /// Nothing holds an equilibrium in these directions.
    Neutral(Vec<String>),
    /// A model written with an equilibrium as its start says nothing of the states of its controls.
    StatesNotWritten,
    /// Inputs of a coupling were off, and nothing could be repeated.
    InputsOff {
        /// Macro steps.
        some: u64,
        /// Of so many.
        of: u64,
        /// Largest error over tolerance.
        most: f64,
    },
    /// Macro steps with too large an error.
    CouplingErrors {
        /// Macro steps.
        some: u64,
        /// Of so many.
        of: u64,
        /// Largest error over tolerance.
        most: f64,
    },
    /// Macro steps were repeated again and again.
    ManyRepetitions {
        /// How often.
        repeated: u64,
        /// Accepted macro steps.
        accepted: u64,
    },
    /// A connection has made energy.
    ConnectionEnergy {
        /// Its name.
        connection: String,
        /// How much, J.
        residual: f64,
        /// What went through, J.
        through: f64,
        /// The share of it that was to be expected.
        bound: f64,
    },
    /// A doubt about a subsystem.
    InPart {
        /// Its name.
        part: String,
        /// The doubt.
        doubt: Box<Doubt>,
    },
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Doubt::ReactionsNotUnique(shared) => write!(f, "{shared}"),
            Doubt::StartChanged(changes) => write!(f, "{changes}"),
            Doubt::NearlySingular { pivot, equations } => write!(
                f,
                "the start pose is nearly singular (relative pivot {pivot:.1e}): reactions of \
                 {equations} are uncertain"
            ),
            Doubt::Singular { equations } => write!(
                f,
                "the start pose is singular, branches of motion meet there; no longer independent: \
                 {equations}"
            ),
            Doubt::Branches(branches) => write!(f, "{branches}"),
            Doubt::ReactionsUnbalanced => f.write_str(
                "reactions at the start do not balance: they have a pole at the singular pose",
            ),
            Doubt::Beyond { name, by } => write!(
                f,
                "the start is beyond {name} by {by:.3e} (m or rad): bodies overlap, or have passed their stop or rope"
            ),
            Doubt::ConstraintsOpen { by, bound } => {
                write!(
                    f,
                    "constraints stay open by up to {by:.1e}, more than {bound:.1e}"
                )
            }
            Doubt::EnergyWithoutValue => f.write_str(
                "the energy balance has no value: energies or powers grew without bound",
            ),
            Doubt::EnergyUnbalanced {
                missing,
                exchanged,
                bound,
            } => write!(
                f,
                "the energy balance is off by {missing:.2e} J, {:.1e} of the {exchanged:.2e} J in play \
                 (bound {bound:.1e})",
                missing / exchanged
            ),
            Doubt::Undetermined {
                t,
                hidden,
                exchanged,
            } => write!(
                f,
                "passed a pose at t = {t:.6} that is singular as far as constraints hold: what they are open by hides \
                 {hidden:.1e} J of the {exchanged:.1e} J in play, and the motion may have gone on along another branch; \
                 other methods or a longer max_step may lead past it"
            ),
            Doubt::ManyFailures { failed, steps } => write!(
                f,
                "{failed} failed attempts for {}: the motion is hardly smooth at this tolerance",
                count(*steps, "accepted step", "accepted steps")
            ),
            Doubt::Incomplete { points, first } => write!(
                f,
                "accelerations and reactions are undetermined at {points} of the kept points, first at \
                 t = {first}"
            ),
            Doubt::Stopped { t, t_end } => write!(f, "stopped at t = {t} before the end, {t_end}"),
            Doubt::Inaccurate {
                error,
                tolerances,
                bound,
                channel,
                parted,
                companion,
                helps,
                early,
            } => {
                match (parted, tolerances) {
                    (Some(t), _) => write!(
                        f,
                        "a second computation goes elsewhere from t = {t} on; at the end the two are {error:.1e} of \
                         the range of a channel apart (bound {bound:.1e})"
                    )?,
                    (None, Some(n)) if *bound > 99.0 * error / n => {
                        write!(
                            f,
                            "the end is not within 100 tolerances but {}",
                            rounded(*n)
                        )?;
                    }
                    _ => write!(
                        f,
                        "the end is not within {:.0} % of how far channels move but {:.0} %",
                        100.0 * bound,
                        100.0 * error
                    )?,
                }
                let place = if parted.is_some() { "first" } else { "most" };
                write!(f, ", held against {companion}, `{channel}` {place}; ")?;
                match helps {
                    Some(rtol) => write!(f, "rtol {rtol:.0e} ")?,
                    None => write!(f, "a smaller rtol ")?,
                }
                match early {
                    true => write!(
                        f,
                        "tells more: the two part too early to see how errors grow, and if the motion forgets its start \
                         nothing helps"
                    ),
                    false => write!(f, "helps, unless the motion forgets its start"),
                }
            }
            Doubt::Chaotic {
                rate,
                horizon,
                needed,
            } => {
                write!(
                    f,
                    "the motion is chaotic, or passes close to an unstable state: errors grow as exp({rate:.2} t), and two \
                     computations agree until t = {horizon} only; what follows is one of many motions"
                )?;
                match needed {
                    Some(rtol) if *rtol >= TIGHTEST => {
                        write!(f, ", and rtol {rtol:.0e} should carry to the end")
                    }
                    Some(rtol) => write!(
                        f,
                        ": if errors go on like this, the end takes rtol {rtol:.0e}, which is below rounding"
                    ),
                    None => Ok(()),
                }
            }
            Doubt::Unverified { why } => {
                write!(f, "no independent computation reached the end: {why}")
            }
            Doubt::NotSaved { why } => write!(f, "the checkpoint could not be written: {why}"),
            Doubt::PassedSingularPose {
                from,
                to,
                equation,
                coordinate,
            } => write!(
                f,
                "passed a singular pose between t = {from} and {to}, straight on: there {equation} \
                 depends on the others and {coordinate} could go another way"
            ),
            Doubt::PassedMore(n) => write!(f, "passed {n} more singular poses"),
            Doubt::PosesOnly(n) => write!(
                f,
                "the pose is singular at {n} of the kept points: velocities and reactions have no value \
                 there"
            ),
            Doubt::StatesHeld { first } => write!(
                f,
                "states of controls are not integrated, {first} and others stay at their start values: \
                 forces that depend on them are wrong; a simulation integrates them"
            ),
            Doubt::Unstable(directions) => write!(
                f,
                "the equilibrium is unstable, pushed away in {}: {}",
                count(directions.len() as u64, "direction", "directions"),
                directions.join("; ")
            ),
            Doubt::Neutral(directions) => write!(
                f,
                "nothing holds the pose in {}, any place there is as good: {}",
                count(directions.len() as u64, "direction", "directions"),
                directions.join("; ")
            ),
            Doubt::StatesNotWritten => f.write_str(
                "states of controls are not part of the model text: they start as before",
            ),
            Doubt::InputsOff { some, of, most } => write!(
                f,
                "in {some} of {} inputs were further from what they should have been than the tolerance, \
                 up to {most:.1} times, and nothing could be repeated; a smaller max_step helps where they \
                 change without notice",
                count(*of, "macro step", "macro steps")
            ),
            Doubt::CouplingErrors { some, of, most } => write!(
                f,
                "{some} of {} {} an estimated error above what a step may err by, up to {most:.1} times",
                count(*of, "macro step", "macro steps"),
                if *some == 1 { "has" } else { "have" }
            ),
            Doubt::ManyRepetitions { repeated, accepted } => write!(
                f,
                "{repeated} repeated macro steps for {}: the coupling is at the limit of its stability",
                count(*accepted, "accepted one", "accepted ones")
            ),
            Doubt::ConnectionEnergy {
                connection,
                residual,
                through,
                bound,
            } => write!(
                f,
                "connection `{connection}` has brought in {residual:.2e} J, {:.1e} of the {through:.2e} J \
                 that went through (bound {bound:.1e})",
                residual.abs() / through
            ),
            Doubt::InPart { part, doubt } => write!(f, "subsystem `{part}`: {doubt}"),
        }
    }
}

/// A number of tolerances in words.
fn rounded(tolerances: f64) -> String {
    match tolerances < 1e5 {
        true => format!("{tolerances:.0}"),
        false => format!("{tolerances:.0e}"),
    }
}

impl Serialize for Doubt {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Doubts about the motion: drift, energy balance, a struggling integrator, missing reactions.
pub(crate) fn about_motion(
    settings: &Settings,
    stats: &Stats,
    audit: &Audit,
    incomplete: &[f64],
    finished: bool,
) -> Vec<Doubt> {
    let mut doubts = Vec::new();
    let share = match settings.step() {
        None => RESIDUAL_TOLERANCES * settings.rtol(),
        Some(_) => RESIDUAL_OF_FIXED_STEP,
    };
    let (by, bound) = (audit.residual().position, share * audit.residual_scale());
    if by > bound {
        doubts.push(Doubt::ConstraintsOpen { by, bound });
    }
    if let Some(e) = audit.energy()
        && let Some(bound) = energy_bound(settings, audit.covered())
    {
        // rounding of the stored energy, for motions that exchange next to nothing
        let least = bound * e.exchanged + 1e-12 * e.start.abs().max(e.end.abs());
        doubts.extend(unbalanced(&e, bound, least));
        let Hidden { energy, t } = audit.hidden();
        if energy > least {
            doubts.push(Doubt::Undetermined {
                t,
                hidden: energy,
                exchanged: e.exchanged,
            });
        }
    }
    let (failed, steps) = (stats.rejected + stats.newton_failures, stats.steps);
    // a run that failed explains its last attempts itself
    if finished && failed > FEW_REJECTIONS && failed as f64 > MANY_REJECTIONS * steps as f64 {
        doubts.push(Doubt::ManyFailures { failed, steps });
    }
    if let Some(&first) = incomplete.first() {
        let points = incomplete.len();
        doubts.push(Doubt::Incomplete { points, first });
    }
    doubts
}

/// Share of the energy in play that may be missing; none for motions below the tolerance.
fn energy_bound(settings: &Settings, covered: f64) -> Option<f64> {
    // positions are kept to a share of the size of the mechanism: to a larger one of a motion that covers less
    let share = settings.rtol() / covered.min(1.0);
    match settings.step() {
        None if share > LARGEST_ENERGY_BOUND => None,
        None => {
            let p = settings.order_of_balance() as f64;
            let bound = ENERGY_MULTIPLE * share.powf(p / (p + 1.0));
            Some(bound.clamp(LEAST_ENERGY_BOUND, LARGEST_ENERGY_BOUND))
        }
        Some(_) => Some(ENERGY_OF_FIXED_STEP),
    }
}

fn unbalanced(e: &EnergyAccount, bound: f64, least: f64) -> Option<Doubt> {
    let (missing, exchanged) = (e.imbalance().abs(), e.exchanged);
    if missing <= least {
        return None;
    }
    if !(missing.is_finite() && exchanged.is_finite()) {
        return Some(Doubt::EnergyWithoutValue);
    }
    Some(Doubt::EnergyUnbalanced {
        missing,
        exchanged,
        bound,
    })
}
