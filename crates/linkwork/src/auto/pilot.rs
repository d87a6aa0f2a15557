//! Looks at a run from time to time, whether another method has become cheaper.
//!
//! Progress is measured over windows of equal work. A look is due after some of them, and at once when the
//! pace has fallen: then something has changed. Most looks cost a few evaluations, for the fastest mode; trials
//! of other methods become rare while they only confirm the one at work.

use super::trial::{Count, Progress};
use super::{Chosen, Field, Running};
use crate::notes::Note;
use linkwork_dae::drive::{Cause, Ending, Engine, Flow, Observer, ObserverError, View};
use linkwork_dae::log::Attempt;
use linkwork_dae::memory::Memory;
use linkwork_dae::stats::Stats;
use linkwork_dae::system::{After, Rows};

/// Windows between two looks; the first look at a method that was not tried is after one.
const PATIENCE: u32 = 10;
/// A pace that has fallen by this factor.
const FALLEN: f64 = 4.0;
/// Looks without trials behind trials, at first and at most.
const QUIET: u32 = 3;
const LONGEST: u32 = 64;

/// Whether another method may succeed where one has failed for this cause.
fn is_numerical(cause: &Cause) -> bool {
    matches!(
        cause,
        Cause::StepTooSmall { .. }
            | Cause::TooManyRetries { .. }
            | Cause::Singular { .. }
            | Cause::Output(_)
    )
}

/// What is remembered of the progress of the method at work.
#[derive(Clone, Copy, Debug)]
struct Watch {
    /// Where the window began, and how it went in the last one.
    since: Option<Count>,
    last: Progress,
    /// Windows until the next look.
    wait: u32,
    /// The pace at the last look.
    pace: f64,
    /// Looks since the last trials, how many are to pass without, and the fastest mode then, 1/s.
    looks: u32,
    quiet: u32,
    raced_at: f64,
}

impl Watch {
    /// Of a method that has just begun, chosen by trials or not.
    fn new(raced_at: Option<f64>) -> Watch {
        let tried = raced_at.is_some();
        Watch {
            raced_at: raced_at.unwrap_or(0.0),
            since: None,
            last: Progress::default(),
            wait: if tried { PATIENCE } else { 1 },
            pace: 0.0,
            looks: 0,
            quiet: if tried { QUIET } else { 0 },
        }
    }

    fn memory(&mut self, m: &mut Memory) {
        let Watch {
            since,
            last,
            wait,
            pace,
            looks,
            quiet,
            raced_at,
        } = self;
        let mut begun = since.is_some();
        m.bool(&mut begun);
        let mut count = since.unwrap_or_default();
        let Count {
            t,
            work,
            steps,
            failed,
        } = &mut count;
        let Progress {
            pace: of_last,
            h,
            failures,
        } = last;
        for x in [t, work, of_last, h, failures, pace, raced_at] {
            m.f64(x);
        }
        m.u64(steps);
        m.u64(failed);
        *since = begun.then_some(count);
        for x in [wait, looks, quiet] {
            m.u32(x);
        }
    }
}

/// See the [module](self). An observer around another one.
pub(crate) struct Pilot<'a, O> {
    field: &'a Field,
    pub inner: O,
    /// The method of the run, by its number.
    way: usize,
    /// Methods that have failed, as bits by their numbers.
    failed: u64,
    watch: Watch,
    /// Whether it has stopped the run for a look, and whether the inner observer has stopped it.
    due: bool,
    stopped: bool,
    /// Changes of method.
    pub turns: Vec<Note>,
}

impl<'a, O: Observer> Pilot<'a, O> {
    /// Around an observer.
    pub fn new(field: &'a Field, way: usize, inner: O) -> Pilot<'a, O> {
        Pilot {
            field,
            inner,
            way,
            failed: 0,
            watch: Watch::new(None),
            due: false,
            stopped: false,
            turns: Vec::new(),
        }
    }

    /// The same around an observer around that one.
    pub fn around<P>(self, outer: impl FnOnce(O) -> P) -> Pilot<'a, P> {
        let Pilot {
            field,
            inner,
            way,
            failed,
            watch,
            due,
            stopped,
            turns,
        } = self;
        Pilot {
            field,
            inner: outer(inner),
            way,
            failed,
            watch,
            due,
            stopped,
            turns,
        }
    }

    /// Goes on with the run after the end of one of its parts, for as long as it is the pilot who ends them.
    ///
    /// Where a method cannot go on, another one that has not failed yet takes over.
    pub fn conduct(&mut self, engine: &mut Engine<'_>, rows: &Rows, mut ending: Ending) -> Ending {
        loop {
            match &ending {
                Ending::Stopped if self.due => {
                    self.look(engine, rows);
                    if self.stopped {
                        return ending;
                    }
                }
                Ending::Failed(why) if is_numerical(&why.cause) => {
                    if !self.take_over(engine, rows) {
                        return ending;
                    }
                }
                _ => return ending,
            }
            ending = engine.proceed(self);
        }
    }

    /// Goes on with a method that has not failed; false where there is none.
    fn take_over(&mut self, engine: &mut Engine<'_>, rows: &Rows) -> bool {
        self.failed |= 1 << self.way;
        let others = 0..self.field.lanes.len();
        let Some(way) = others.into_iter().find(|i| self.failed >> i & 1 == 0) else {
            return false;
        };
        let reason = format!("{} could not go on", self.field.lanes[self.way].name());
        let chosen = Chosen {
            way,
            reason,
            raced_at: None,
        };
        self.turn(engine, rows, chosen);
        true
    }

    fn turn(&mut self, engine: &mut Engine<'_>, rows: &Rows, chosen: Chosen) {
        let Chosen {
            way,
            reason,
            raced_at,
        } = chosen;
        self.field.lanes[way].worth(engine.system_ref(), engine.state(), rows);
        engine.turn_to(way);
        self.way = way;
        self.watch = Watch::new(raced_at);
        self.turns.push(Note::Turned {
            t: engine.state().t,
            method: self.field.lanes[way].name(),
            reason,
        });
    }

    fn look(&mut self, engine: &mut Engine<'_>, rows: &Rows) {
        self.due = false;
        let state = engine.state().clone();
        let fallen = self.has_fallen();
        let watch = &mut self.watch;
        watch.looks += 1;
        let running = Running {
            way: self.way,
            progress: watch.last,
            may_race: fallen || watch.looks > watch.quiet,
            raced_at: watch.raced_at,
        };
        let chosen = (self.field).choose(engine.system_ref(), &state, rows, Some(running));
        // a method that could not pass this way may be fast, but not for long
        if chosen.way != self.way && self.failed >> chosen.way & 1 == 0 {
            self.turn(engine, rows, chosen);
            return;
        }
        (watch.wait, watch.pace) = (PATIENCE, watch.last.pace);
        if let Some(rate) = chosen.raced_at {
            watch.raced_at = rate;
            watch.quiet = (2 * watch.quiet).clamp(QUIET, LONGEST);
            watch.looks = 0;
        }
    }

    /// Whether the run goes on much slower than at the last look.
    fn has_fallen(&self) -> bool {
        FALLEN * self.watch.last.pace < self.watch.pace
    }

    /// Ends a window; tells whether it is time to look.
    fn window(&mut self, view: &View<'_>) -> bool {
        let lane = self.field.lanes.get(self.way);
        let Some(worth) = lane.and_then(|lane| lane.worth.get()) else {
            return false;
        };
        let now = Count::of(view, &worth.price);
        let Some(since) = self.watch.since else {
            self.watch.since = Some(now);
            return false;
        };
        if now.work - since.work < worth.trial {
            return false;
        }
        self.watch.last = now.since(since);
        self.watch.since = Some(now);
        self.watch.wait = self.watch.wait.saturating_sub(1);
        self.watch.wait == 0 || self.has_fallen()
    }
}

impl<O: Observer> Observer for Pilot<'_, O> {
    fn on_start(&mut self, view: &mut View<'_>) -> Result<(), ObserverError> {
        self.inner.on_start(view)
    }

    fn on_step(&mut self, view: &mut View<'_>) -> Result<Flow, ObserverError> {
        let flow = self.inner.on_step(view)?;
        if self.field.lanes.len() < 2 || !self.window(view) {
            return Ok(flow);
        }
        (self.due, self.stopped) = (true, flow == Flow::Stop);
        Ok(Flow::Stop)
    }

    fn on_attempt(&mut self, attempt: &Attempt, stats: &Stats) {
        self.inner.on_attempt(attempt, stats);
    }

    fn on_event(&mut self, view: &mut View<'_>, after: After) -> Result<(), ObserverError> {
        self.inner.on_event(view, after)
    }

    fn on_resume(&mut self, t: f64) {
        self.inner.on_resume(t);
    }

    fn memory(&mut self, m: &mut Memory) {
        m.usize(&mut self.way);
        self.way = self.way.min(self.field.lanes.len().saturating_sub(1));
        m.u64(&mut self.failed);
        self.watch.memory(m);
        self.field.lanes.iter().for_each(|lane| lane.memory(m));
        self.inner.memory(m);
    }
}
