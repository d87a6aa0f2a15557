//! The driver set going for a simulation: with its ways, from a start or a saved run, and with checkpoints.

use crate::auto::{Field, Pilot};
use crate::checkpoint::{self, Schedule};
use crate::notes::Note;
use crate::settings::{OptionError, Settings};
use cpu_time::ThreadTime;
use linkwork_dae::drive::{self, Engine, Flow, Observer, ObserverError, View};
use linkwork_dae::jacobian::excitation::Following;
use linkwork_dae::limiter::Limiters;
use linkwork_dae::log::Attempt;
use linkwork_dae::memory::Memory;
use linkwork_dae::state::State;
use linkwork_dae::stats::Stats;
use linkwork_dae::system::{After, Rows, System};
use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// What a run has to do with files of checkpoints.
#[derive(Default)]
pub(super) struct Records {
    pub restart: Option<(PathBuf, Vec<u64>)>,
    pub schedule: Option<Schedule>,
}

/// What the driver leaves behind.
pub(super) struct Drive {
    pub ending: drive::Ending,
    pub last: State,
    pub stats: Stats,
    pub limiters: Limiters,
    pub notes: Vec<String>,
    /// Changes of method.
    pub turns: Vec<Note>,
    pub following: Option<Following>,
    pub step_cpu_seconds: f64,
    pub longest_step_seconds: f64,
    pub restarted_at: Option<f64>,
    /// Why a checkpoint could not be written.
    pub unsaved: Option<io::Error>,
}

pub(super) fn drive(
    sys: &mut dyn System,
    settings: &Settings,
    field: Option<(&Field, usize)>,
    records: Records,
    state: &State,
    rows: &Rows,
    observer: &mut dyn Observer,
) -> Result<Drive, OptionError> {
    let none = Field::default();
    let (field, way) = field.unwrap_or((&none, 0));
    // ways are numbered as in the field, whichever the run begins with
    let mut ways = field.settings().map(|s| &s.recipe);
    let mut recipe = ways.next().unwrap_or(&settings.recipe).clone();
    recipe.plan.continued = records.schedule.is_some();
    let ways: Vec<_> = ways.collect();
    let engine = recipe.engine_beside(&ways, sys, rows);
    let mut engine = engine.map_err(|why| settings.unfit(&why))?;
    engine.begin_with(way);
    let mut timed = Timed {
        inner: observer,
        spent: Duration::ZERO,
    };
    let mut pilot = Pilot::new(field, way, &mut timed as &mut dyn Observer);
    let restarted_at = match records.restart {
        None => None,
        Some((path, words)) => {
            engine
                .resume(rows, &mut pilot, words)
                .map_err(|e| checkpoint::refused(&path, &e.to_string()))?;
            let t = engine.state().t;
            if t >= settings.t_end() {
                let why = format!("it is at t = {t}, the end is at {}", settings.t_end());
                return Err(checkpoint::refused(&path, &why));
            }
            Some(t)
        }
    };
    let go = |engine: &mut Engine<'_>, observer: &mut dyn Observer| match restarted_at {
        None => engine.run(state, rows, observer),
        Some(_) => engine.proceed(observer),
    };
    let clock = ThreadTime::try_now().ok();
    let wall = Instant::now();
    let (ending, turns, unsaved) = match &records.schedule {
        None => {
            let ending = go(&mut engine, &mut pilot);
            let ending = pilot.conduct(&mut engine, rows, ending);
            (ending, pilot.turns, None)
        }
        Some(schedule) => checkpoint::drive(&mut engine, rows, schedule, pilot, go),
    };
    let (cpu, wall) = (elapsed(clock), wall.elapsed().as_secs_f64());
    // Reading the processor clock costs as much as part of a step; the wall clock does not. The
    // share of the observers is measured with the latter and taken off the former.
    let share = (timed.spent.as_secs_f64() / wall.max(f64::MIN_POSITIVE)).min(1.0);
    Ok(Drive {
        ending,
        // a run that could not begin has no state of its own
        last: match engine.state() {
            last if last.q.len() == state.q.len() => last.clone(),
            _ => state.clone(),
        },
        stats: engine.stats,
        limiters: engine.limiters.clone(),
        notes: engine.notes(),
        turns,
        following: engine.following(),
        step_cpu_seconds: cpu * (1.0 - share),
        longest_step_seconds: engine.longest_step.as_secs_f64(),
        restarted_at,
        unsaved,
    })
}

pub(super) fn elapsed(clock: Option<ThreadTime>) -> f64 {
    clock
        .and_then(|c| c.try_elapsed().ok())
        .map_or(f64::NAN, |d| d.as_secs_f64())
}

/// Measures the time spent in observers.
struct Timed<'a> {
    inner: &'a mut dyn Observer,
    spent: Duration,
}

impl Observer for Timed<'_> {
    fn on_start(&mut self, view: &mut View<'_>) -> Result<(), ObserverError> {
        let clock = Instant::now();
        let result = self.inner.on_start(view);
        self.spent += clock.elapsed();
        result
    }

    fn on_step(&mut self, view: &mut View<'_>) -> Result<Flow, ObserverError> {
        let clock = Instant::now();
        let result = self.inner.on_step(view);
        self.spent += clock.elapsed();
        result
    }

    fn on_attempt(&mut self, attempt: &Attempt, stats: &Stats) {
        self.inner.on_attempt(attempt, stats);
    }

    fn on_resume(&mut self, t: f64) {
        self.inner.on_resume(t);
    }

    fn memory(&mut self, m: &mut Memory) {
        self.inner.memory(m);
    }

    fn on_event(&mut self, view: &mut View<'_>, after: After) -> Result<(), ObserverError> {
        let clock = Instant::now();
        let result = self.inner.on_event(view, after);
        self.spent += clock.elapsed();
        result
    }
}
