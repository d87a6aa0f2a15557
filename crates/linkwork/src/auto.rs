//! Which method suits a model: a few trial steps, the fastest modes, and the reason in words.
//!
//! Tolerances mean the same whatever is chosen: a second-order method under error control has an
//! error of `tol^(2/3)` where BDF has one of `tol`; on the seven-body mechanism equal errors need
//! `rtol = 45 rtol_bdf^(3/2)` for generalised-alpha.

use crate::notes::Note;
use linkwork_dae::drive::{Flow, Observer, ObserverError, Plan, View};
use linkwork_dae::initial::Start;
use linkwork_dae::recipe::Recipe;
use linkwork_dae::saddle::SaddleError;
use linkwork_dae::spectrum::{Mode, fastest_modes};
use linkwork_dae::state::{State, Tolerances};
use linkwork_dae::stepper::STEPPERS;
use linkwork_dae::system::System;

/// Steps of the trial.
const TRIAL_STEPS: u64 = 80;
/// A mode is fast when a step of the trial spans this much of its phase or decay.
const UNRESOLVED: f64 = 0.5;
/// Damping below which a vibration rings and traps high orders.
const RINGING: f64 = 0.05;
/// Periods of a vibration within the run from which following each of them is dear.
const MANY_PERIODS: f64 = 300.0;
/// Tolerance down to which a second-order method competes.
const LOOSE: f64 = 1e-5;

/// What to run a model with, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Selection {
    /// Name of the method.
    pub method: &'static str,
    /// Name of the formulation.
    pub formulation: &'static str,
    /// Relative tolerance that gives the accuracy asked for.
    pub rtol: f64,
    /// The reason, in words.
    pub reason: String,
}

impl Selection {
    /// The selection as a note on the run.
    pub(crate) fn note(self) -> Note {
        Note::Chose {
            method: self.method,
            formulation: self.formulation,
            reason: self.reason,
        }
    }
}

/// What the trial showed.
#[derive(Clone, Debug, Default)]
struct Trial {
    steps: u64,
    rejected: u64,
    /// The last step.
    h: f64,
    state: State,
}

impl Observer for Trial {
    fn on_step(&mut self, view: &mut View<'_>) -> Result<Flow, ObserverError> {
        self.steps += 1;
        self.rejected = view.stats.rejected;
        self.h = view.to - view.from;
        self.state = view.state().clone();
        Ok(if self.steps >= TRIAL_STEPS {
            Flow::Stop
        } else {
            Flow::Continue
        })
    }
}

/// What suits a system from a consistent start, for an accuracy as of BDF at the tolerance of the plan.
/// The trial runs on a copy of the system.
pub fn select(sys: &dyn System, start: &Start, plan: &Plan) -> Selection {
    let (rtol, t_end) = (plan.tolerances.rtol, plan.t_end);
    let mut copy = sys.fork();
    let mut trial_plan = Plan::new(t_end, Tolerances::relative(rtol));
    trial_plan.max_attempts = 4 * TRIAL_STEPS;
    let recipe = Recipe::new(&STEPPERS[0], trial_plan);
    let trial = try_steps(&mut *copy, start, &recipe);
    let modes = modes_at(&mut *copy, start, &trial, &recipe).unwrap_or_default();
    let dims = sys.dims();
    let formulation = if dims.nc > 0 { "ggl" } else { "index3" };
    decide(&trial, &modes, formulation, rtol, t_end - start.state.t)
}

fn try_steps(sys: &mut dyn System, start: &Start, recipe: &Recipe) -> Trial {
    let mut trial = Trial {
        state: start.state.clone(),
        ..Trial::default()
    };
    // a system that the trial cannot be put together for has none
    if let Ok(mut engine) = recipe.engine(sys, &start.rows) {
        engine.run(&start.state, &start.rows, &mut trial);
        // as the system has it now: a failed attempt may have moved the base of a chart
        trial.state.copy_from(engine.state());
    }
    trial
}

fn modes_at(
    sys: &mut dyn System,
    start: &Start,
    trial: &Trial,
    recipe: &Recipe,
) -> Result<Vec<Mode>, SaddleError> {
    let mut saddle = recipe.saddle(sys, &start.rows);
    let scale = sys.facts().scale.clone();
    let rates = trial.state.v.iter().zip(&scale).map(|(v, s)| (v / s).abs());
    let duration = (recipe.plan.t_end - start.state.t).abs();
    let slowest = 1.0 / duration.max(f64::MIN_POSITIVE);
    let speed = rates.fold(slowest, f64::max);
    fastest_modes(sys, &mut saddle, &trial.state, speed)
}

fn decide(
    trial: &Trial,
    modes: &[Mode],
    formulation: &'static str,
    rtol: f64,
    duration: f64,
) -> Selection {
    let bdf = |reason: String| Selection {
        method: "bdf",
        formulation: "ggl",
        rtol,
        reason,
    };
    let Some(fast) = modes.first().filter(|m| m.rate() > 0.0) else {
        return bdf("no mode of the model stands out; bdf is the choice for smooth motion".into());
    };
    let span = fast.rate() * trial.h;
    let hertz = fast.im / std::f64::consts::TAU;
    if fast.damping() > RINGING && span > UNRESOLVED {
        return bdf(format!(
            "the model is stiff: its fastest mode decays within {:.1e} s, a step takes {:.1e} s; bdf steps over it",
            1.0 / fast.rate(),
            trial.h
        ));
    }
    let many = hertz * duration > MANY_PERIODS;
    if fast.damping() <= RINGING && many && span > UNRESOLVED && rtol >= LOOSE {
        return Selection {
            method: "gen-alpha",
            formulation,
            rtol: rounded((45.0 * rtol.powf(1.5)).min(rtol)),
            reason: format!(
                "a lightly damped vibration of {hertz:.3e} Hz need not be followed at this tolerance and would trap the high orders of bdf; generalised-alpha damps it (its tolerance is tightened to give the same accuracy)"
            ),
        };
    }
    let share = trial.rejected as f64 / trial.steps.max(1) as f64;
    let trouble = if share > 0.2 {
        format!(
            ", although {:.0} % of the first steps were rejected",
            100.0 * share
        )
    } else {
        String::new()
    };
    bdf(format!(
        "the fastest mode ({:.1e} 1/s) is resolved by steps of {:.1e} s, so the motion is smooth: bdf with its high orders needs the fewest steps{trouble}",
        fast.rate(),
        trial.h
    ))
}

/// Two digits are enough for a tolerance.
fn rounded(x: f64) -> f64 {
    format!("{x:.1e}").parse().unwrap_or(x)
}
