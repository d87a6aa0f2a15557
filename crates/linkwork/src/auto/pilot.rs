//! Looks at a run from time to time, whether another method has become cheaper.
//!
//! Progress is measured over windows of equal work. A look is due after some of them, and at once when the
//! pace has fallen: then something has changed. Most looks cost a few evaluations, for the fastest mode. A trial of
//! the other kind of method may take a share of the work done so far, and while the pace keeps up there is none
//! before that work has doubled, so that trials which only confirm the method at work become rare.

use super::trial::{Count, Progress, Window};
use super::{Chosen, Field, Running};
use crate::notes::Note;
use linkwork_dae::drive::{Cause, Ending, Engine, Flow, Observer, ObserverError, View};
use linkwork_dae::log::Attempt;
use linkwork_dae::memory::Memory;
use linkwork_dae::stats::Stats;
use linkwork_dae::system::{After, Rows};

/// Windows before the first look at a method, and between two looks at most.
const FIRST: u32 = 2;
const PATIENCE: u32 = 10;
/// A pace that has fallen by this factor.
const FALLEN: f64 = 4.0;

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
    /// The window, and how it went in the last one.
    window: Option<Window>,
    last: Progress,
    /// Windows until the next look.
    wait: u32,
    /// The pace at the last look.
    pace: f64,
    /// Work of the run at the last trial.
    tried_at: f64,
}

impl Watch {
    /// Of a method that has just begun.
    fn new(tried_at: f64) -> Watch {
        Watch {
            window: None,
            last: Progress::default(),
            wait: FIRST,
            pace: 0.0,
            tried_at,
        }
    }

    fn memory(&mut self, m: &mut Memory) {
        let Watch {
            window,
            last,
            wait,
            pace,
            tried_at,
        } = self;
        let mut begun = window.is_some();
        m.bool(&mut begun);
        let mut steps = window.unwrap_or_default();
        steps.memory(m);
        *window = begun.then_some(steps);
        let Progress {
            pace: of_last,
            h,
            failures,
            growth,
        } = last;
        for x in [of_last, h, failures, growth, pace, tried_at] {
            m.f64(x);
        }
        m.u32(wait);
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
            watch: Watch::new(0.0),
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
        self.turn(engine, rows, Chosen::foreseen(way, reason));
        true
    }

    fn turn(&mut self, engine: &mut Engine<'_>, rows: &Rows, chosen: Chosen) {
        let Chosen { way, reason, .. } = chosen;
        self.field.lanes[way].worth(engine.system_ref(), engine.state(), rows);
        engine.turn_to(way);
        self.way = way;
        self.watch = Watch::new(self.watch.tried_at);
        self.turns.push(Note::Turned {
            t: engine.state().t,
            method: self.field.lanes[way].name(),
            reason,
        });
    }

    fn look(&mut self, engine: &mut Engine<'_>, rows: &Rows) {
        self.due = false;
        let state = engine.state().clone();
        let work = self.watch.window.map_or(0.0, |window| window.now.work);
        let until = if self.has_fallen() {
            0.0
        } else {
            2.0 * self.watch.tried_at
        };
        // a method that could not pass this way may be fast, but not for long
        let explicit = self.field.lanes[self.way].is_explicit();
        let running = Running {
            way: self.way,
            progress: self.watch.last,
            challenger: self.field.of_kind(!explicit, self.failed),
            work,
            until,
        };
        let chosen = (self.field).choose(engine.system_ref(), &state, rows, running);
        if chosen.tried {
            self.watch.tried_at = work;
        }
        if chosen.way != self.way {
            self.turn(engine, rows, chosen);
            return;
        }
        let window = self.field.lanes[self.way].worth.get();
        let windows = (chosen.awaits.zip(window)).map(|(until, w)| (until - work) / w.trial);
        // a ratio of works that may be anything: as a whole number it is held by its bounds
        let wait = windows.map_or(PATIENCE, |n| n.ceil() as u32);
        self.watch.wait = wait.clamp(1, PATIENCE);
        self.watch.pace = self.watch.last.pace;
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
        let window = self.watch.window.get_or_insert(Window::from(now));
        window.step(now);
        if window.work() < worth.trial {
            return false;
        }
        self.watch.last = window.progress();
        *window = Window::from(now);
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
