//! A method on a copy of the system, for a few steps.

use super::Lane;
use crate::price::Price;
use linkwork_dae::drive::{Ending, Flow, Observer, ObserverError, View};
use linkwork_dae::memory::Memory;
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
    /// The last step over the mean one, where steps were still growing.
    pub growth: f64,
}

impl Progress {
    /// What the pace will be once steps have grown to the last one: those of a start are short, and lengthen by no more than a
    /// factor each.
    pub fn ahead(&self) -> f64 {
        self.pace * self.growth
    }
}

/// Steps may cost so many times what is foreseen: derivatives by differences do.
const DEAR: f64 = 4.0;

/// Runs a method from a state for some steps, the first of the length that the run has.
pub(super) fn run(
    lane: &Lane,
    sys: &dyn System,
    (state, h): (&State, f64),
    rows: &Rows,
) -> Progress {
    let worth = lane.worth(sys, state, rows);
    let mut copy = sys.fork();
    let mut recipe = lane.settings.recipe.clone();
    recipe.plan.t_end = f64::MAX;
    recipe.plan.first_step = Some(h);
    recipe.plan.max_attempts = u64::MAX;
    let mut trial = Trial {
        price: worth.price,
        steps: worth.steps,
        budget: DEAR * worth.trial,
        window: Window::from(Count::at(state.t)),
        half: false,
    };
    let engine = recipe.engine(&mut *copy, rows);
    let ending = engine.map(|mut engine| engine.run(state, rows, &mut trial));
    match ending {
        Ok(Ending::Finished | Ending::Stopped) => trial.window.progress(),
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
            growth: 1.0,
        }
    }

    pub fn memory(&mut self, m: &mut Memory) {
        let Count {
            t,
            work,
            steps,
            failed,
        } = self;
        m.f64(t);
        m.f64(work);
        m.u64(steps);
        m.u64(failed);
    }
}

/// Steps one after the other. Only where each is as long as the one before, and none fails, have they not come to
/// their length yet: a step at a limit is sometimes longer and sometimes shorter, and the last one says nothing.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Window {
    from: Count,
    pub now: Count,
    /// The last step.
    h: f64,
    grows: bool,
}

impl Window {
    /// One that begins.
    pub fn from(count: Count) -> Window {
        Window {
            from: count,
            now: count,
            h: 0.0,
            grows: true,
        }
    }

    /// Takes a step.
    pub fn step(&mut self, now: Count) {
        let h = now.t - self.now.t;
        self.grows &= h >= self.h && now.failed == self.now.failed;
        (self.h, self.now) = (h, now);
    }

    /// Work done since it began.
    pub fn work(&self) -> f64 {
        self.now.work - self.from.work
    }

    /// Progress since it began.
    pub fn progress(&self) -> Progress {
        let mean = self.now.since(self.from);
        let growth = match self.grows && mean.h > 0.0 {
            true => (self.h / mean.h).max(1.0),
            false => 1.0,
        };
        Progress { growth, ..mean }
    }

    pub fn memory(&mut self, m: &mut Memory) {
        let Window {
            from,
            now,
            h,
            grows,
        } = self;
        from.memory(m);
        now.memory(m);
        m.f64(h);
        m.bool(grows);
    }
}

/// Looks on.
struct Trial {
    price: Price,
    /// Steps to take, and the work that they may take.
    steps: u64,
    budget: f64,
    /// Its steps, once half of them are done the latter ones.
    window: Window,
    half: bool,
}

impl Observer for Trial {
    fn on_step(&mut self, view: &mut View<'_>) -> Result<Flow, ObserverError> {
        let now = Count::of(view, &self.price);
        self.window.step(now);
        if !self.half && now.steps >= self.steps / 2 {
            self.half = true;
            self.window = Window::from(now);
        }
        Ok(match now.steps >= self.steps || now.work >= self.budget {
            true => Flow::Stop,
            false => Flow::Continue,
        })
    }
}
