//! Looks at a run from time to time, whether another method has become cheaper.

use super::Field;
use crate::notes::Note;
use linkwork_dae::drive::{Cause, Ending, Engine, Flow, Observer, ObserverError, View};
use linkwork_dae::log::Attempt;
use linkwork_dae::memory::Memory;
use linkwork_dae::stats::Stats;
use linkwork_dae::system::{After, Rows};

/// Work between two races, in races.
const PATIENCE: f64 = 10.0;

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

/// See the [module](self). An observer around another one.
pub(crate) struct Pilot<'a, O> {
    field: &'a Field,
    pub inner: O,
    /// The method of the run, by its number.
    way: usize,
    /// Methods that have failed, as bits by their numbers.
    failed: u64,
    /// What the counters of the run were worth at the last race, at the price of its method.
    counted: f64,
    /// Whether it has stopped the run for a race, and whether the inner observer has stopped it.
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
            counted: 0.0,
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
            counted,
            due,
            stopped,
            turns,
        } = self;
        Pilot {
            field,
            inner: outer(inner),
            way,
            failed,
            counted,
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
                    if !self.take_over(engine) {
                        return ending;
                    }
                }
                _ => return ending,
            }
            ending = engine.proceed(self);
        }
    }

    /// Goes on with a method that has not failed; false where there is none.
    fn take_over(&mut self, engine: &mut Engine<'_>) -> bool {
        self.failed |= 1 << self.way;
        let others = 0..self.field.lanes.len();
        let Some(way) = others.into_iter().find(|i| self.failed >> i & 1 == 0) else {
            return false;
        };
        let reason = format!("{} could not go on", self.field.name(self.way));
        self.turn(engine, way, reason);
        true
    }

    fn turn(&mut self, engine: &mut Engine<'_>, way: usize, reason: String) {
        engine.turn_to(way);
        self.way = way;
        self.counted = self.worth(engine.counters());
        self.turns.push(Note::Turned {
            t: engine.state().t,
            method: self.field.name(way),
            reason,
        });
    }

    fn look(&mut self, engine: &mut Engine<'_>, rows: &Rows) {
        self.due = false;
        let state = engine.state().clone();
        let (way, reason) = self.field.race(engine.system_ref(), &state, rows, self.way);
        // a method that could not pass this way may be fast, but not for long
        if way != self.way && self.failed >> way & 1 == 0 {
            self.turn(engine, way, reason);
        }
        self.counted = self.worth(engine.counters());
    }

    fn worth(&self, stats: &Stats) -> f64 {
        let lane = self.field.lanes.get(self.way);
        lane.map_or(0.0, |lane| lane.price.work(stats))
    }
}

impl<O: Observer> Observer for Pilot<'_, O> {
    fn on_start(&mut self, view: &mut View<'_>) -> Result<(), ObserverError> {
        self.inner.on_start(view)
    }

    fn on_step(&mut self, view: &mut View<'_>) -> Result<Flow, ObserverError> {
        let flow = self.inner.on_step(view)?;
        let spent = self.worth(view.stats) - self.counted;
        if self.field.lanes.len() < 2 || spent < PATIENCE * self.field.work {
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
        m.f64(&mut self.counted);
        self.inner.memory(m);
    }
}
