//! A method on a copy of the system, for a few steps.

use super::Lane;
use crate::price::Price;
use linkwork_dae::drive::{Ending, Flow, Observer, ObserverError, View};
use linkwork_dae::state::State;
use linkwork_dae::system::{Rows, System};

/// How far a method gets.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Progress {
    /// Simulated time for a unit of work.
    pub pace: f64,
    /// Mean step.
    pub h: f64,
    /// Failed attempts for each step.
    pub failures: f64,
}

/// Steps may cost so many times what is foreseen: derivatives by differences do.
const DEAR: f64 = 4.0;

/// Order by which steps at other tolerances are told from those of a trial: the lowest of collocation, the highest of
/// backward differentiation.
const ORDER: f64 = 5.0;

/// What a trial is not to look at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Past {
    /// What is below so many tolerances.
    pub noise: f64,
    /// Steps before this work is done.
    pub paid: f64,
}

/// Runs a method from a state for some steps, the first of the length that the run has.
pub(super) fn run(
    lane: &Lane,
    sys: &dyn System,
    (state, h): (&State, f64),
    rows: &Rows,
    past: Past,
) -> Progress {
    let worth = lane.worth(sys, state, rows);
    let mut copy = sys.fork();
    let mut recipe = lane.settings.recipe.clone();
    recipe.plan.t_end = f64::MAX;
    recipe.plan.first_step = Some(h);
    recipe.plan.max_attempts = u64::MAX;
    recipe.plan.tolerances = recipe.plan.tolerances.times(past.noise);
    let mut trial = Trial {
        price: worth.price,
        steps: worth.steps,
        paid: past.paid,
        budget: (DEAR * worth.trial).max(past.paid),
        since: Count::at(state.t),
        now: Count::at(state.t),
        half: false,
        h: 0.0,
    };
    let engine = recipe.engine(&mut *copy, rows);
    let ending = engine.map(|mut engine| engine.run(state, rows, &mut trial));
    match ending {
        Ok(Ending::Finished | Ending::Stopped) => {
            let found = trial.progress();
            let shorter = past.noise.powf(-1.0 / (ORDER + 1.0));
            Progress {
                pace: shorter * found.pace,
                h: shorter * found.h,
                ..found
            }
        }
        // what cannot be put together, or fails, gets nowhere
        _ => Progress::default(),
    }
}

/// What a run has come to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Count {
    pub t: f64,
    pub work: f64,
    pub steps: u64,
    pub failed: u64,
}

impl Count {
    /// Before anything is done.
    pub fn at(t: f64) -> Count {
        Count {
            t,
            work: 0.0,
            steps: 0,
            failed: 0,
        }
    }

    /// The same at the end of a step.
    pub fn of(view: &View<'_>, price: &Price) -> Count {
        Count {
            t: view.to,
            work: price.work(view.stats),
            steps: view.stats.steps,
            failed: view.stats.rejected + view.stats.newton_failures,
        }
    }

    /// Progress from an earlier count to this one.
    pub fn since(self, before: Count) -> Progress {
        let (time, work) = (self.t - before.t, self.work - before.work);
        let steps = self.steps.saturating_sub(before.steps).max(1) as f64;
        Progress {
            pace: if work > 0.0 { time / work } else { 0.0 },
            h: time / steps,
            failures: self.failed.saturating_sub(before.failed) as f64 / steps,
        }
    }
}

/// Looks on.
struct Trial {
    price: Price,
    /// Steps to take, the work that they have to take, and may take.
    steps: u64,
    paid: f64,
    budget: f64,
    /// Where progress is measured from, once half of the steps are done.
    since: Count,
    half: bool,
    now: Count,
    /// The last step.
    h: f64,
}

impl Trial {
    /// How far it would go on at the cost of its latter steps and the length of the last one: steps grow from the short
    /// one of a start, by no more than a factor each.
    fn progress(&self) -> Progress {
        let mean = self.now.since(self.since);
        let growth = if mean.h > 0.0 { self.h / mean.h } else { 0.0 };
        Progress {
            pace: mean.pace * growth,
            h: self.h,
            ..mean
        }
    }
}

impl Observer for Trial {
    fn on_step(&mut self, view: &mut View<'_>) -> Result<Flow, ObserverError> {
        self.h = view.to - self.now.t;
        self.now = Count::of(view, &self.price);
        if !self.half && self.now.steps >= self.steps / 2 && 2.0 * self.now.work >= self.paid {
            self.half = true;
            self.since = self.now;
        }
        let done = self.now.steps >= self.steps && self.now.work >= self.paid;
        let spent = done || self.now.work >= self.budget;
        Ok(match spent {
            true => Flow::Stop,
            false => Flow::Continue,
        })
    }
}
