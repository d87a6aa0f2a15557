//! A run that is saved and goes on: in the same engine, in another one, another day.
//!
//! Saving changes nothing and restoring brings back every bit that later steps depend on, so a run
//! with or without saving and any of its continuations agree to the last bit, counters included.

use super::{Engine, Observer};
use crate::memory::{Memory, MemoryError};
use crate::state::State;
use crate::stepper::Choice;
use crate::system::Rows;

/// What the main loop itself remembers between two attempts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Progress {
    pub next: Choice,
    /// Failed attempts at the present step.
    pub retries: u32,
    pub attempts: u64,
    /// The first step of the run: the clock need not resolve less.
    pub first: f64,
    /// The step before an event from which the run has just begun anew.
    pub fresh: Option<f64>,
    /// The uncut step at a kink of the forces at the newest state, across which the history was kept.
    pub kink: Option<f64>,
    /// The last accepted step; none since the run began anew.
    pub behind: Option<f64>,
    /// Where a step of a fixed grid that an event has cut would have ended.
    pub grid: Option<f64>,
    /// A discontinuity ahead that nobody has named: where steps stop before it, and between which
    /// times it lies.
    pub suspect: Option<[f64; 3]>,
    /// Where a step is to end that is taken once more up to a rough place, and the step that it was.
    pub approach: Option<[f64; 2]>,
    /// Error of the last attempt, and step, error and order of the last accepted one.
    pub error: f64,
    pub promised: Option<[f64; 3]>,
    /// Where the last failed attempt would have ended, be it that steps were accepted since.
    pub stumbled: Option<f64>,
}

impl Progress {
    /// `span`: what there is to run.
    pub fn new(next: Choice, span: f64) -> Progress {
        Progress {
            next,
            retries: 0,
            attempts: 0,
            first: next.h.min(span),
            fresh: None,
            kink: None,
            behind: None,
            grid: None,
            suspect: None,
            approach: None,
            error: 0.0,
            promised: None,
            stumbled: None,
        }
    }

    /// A step has been accepted.
    pub fn accepted(&mut self, from: f64, to: f64) {
        self.behind = Some(to - from);
        self.kink = None;
        self.grid = self.grid.filter(|grid| to < *grid);
        self.promised = None;
    }

    /// The run begins anew.
    pub fn started(&mut self) {
        self.behind = None;
        self.kink = None;
        self.suspect = None;
        self.approach = None;
        self.promised = None;
        self.stumbled = None;
    }

    /// The next instant that steps meet, beyond `t`.
    pub fn target(&self, event: Option<f64>, t: f64) -> Option<f64> {
        let own = [
            self.grid,
            self.suspect.map(|[stop, ..]| stop),
            self.approach.map(|[stop, _]| stop),
        ];
        let ahead = own.into_iter().flatten().filter(|x| *x > t);
        ahead.chain(event).min_by(f64::total_cmp)
    }

    fn memory(&mut self, m: &mut Memory) {
        let Progress {
            next,
            retries,
            attempts,
            first,
            fresh,
            kink,
            behind,
            grid,
            suspect,
            approach,
            error,
            promised,
            stumbled,
        } = self;
        m.section("progress");
        next.memory(m);
        m.u32(retries);
        m.u64(attempts);
        m.f64(first);
        for x in [fresh, kink, behind, grid, stumbled] {
            m.option(x);
        }
        let [mut stop, mut uncut] = approach.map_or([None; 2], |both| both.map(Some));
        m.option(&mut stop);
        m.option(&mut uncut);
        *approach = stop.zip(uncut).map(|(stop, uncut)| [stop, uncut]);
        m.f64(error);
        for three in [suspect, promised] {
            let mut known = three.is_some();
            let mut values = three.unwrap_or_default();
            m.bool(&mut known);
            for x in &mut values {
                m.f64(x);
            }
            *three = known.then_some(values);
        }
    }
}

impl Engine<'_> {
    /// Saves the run, its observer included, as words for [`Engine::resume`].
    ///
    /// Run and continuation agree to the last bit: saving changes nothing. The end time shortens the
    /// last steps, so that a run to a later end would have taken others; with [`Plan::continued`](super::Plan::continued)
    /// what is saved after that is the run as it was before the first of them.
    pub fn save(&mut self, observer: &mut dyn Observer) -> Vec<u64> {
        if let Some(m) = &self.uncut {
            return m.words().to_vec();
        }
        let mut m = Memory::writing();
        self.save_into(observer, &mut m);
        m.words().to_vec()
    }

    /// Saves the run as it is. A tape that has held it before has room for it.
    pub fn save_into(&mut self, observer: &mut dyn Observer, m: &mut Memory) {
        m.clear();
        self.memory(observer, m);
        // sealing cannot fail
        let _ = m.finish();
    }

    /// Restores a saved run of the same system, parts and kept rows; [`Engine::proceed`] continues
    /// it. After an error the engine is good for nothing but another [`Engine::run`] or `resume`.
    pub fn resume(
        &mut self,
        rows: &Rows,
        observer: &mut dyn Observer,
        words: Vec<u64>,
    ) -> Result<(), MemoryError> {
        let mut m = Memory::reading(words)?;
        self.bind(rows);
        self.restore(observer, &mut m)
    }

    /// Goes back to what a tape holds of this very run. Does not allocate beyond what the observer
    /// does.
    pub fn restore(
        &mut self,
        observer: &mut dyn Observer,
        m: &mut Memory,
    ) -> Result<(), MemoryError> {
        m.rewind()?;
        self.uncut = None;
        self.log.clear();
        self.memory(observer, m);
        m.finish()?;
        observer.on_resume(self.stepper.state().t);
        Ok(())
    }

    /// Binds and allocates without starting; every value is to come from [`Engine::tape`].
    pub fn bind(&mut self, rows: &Rows) {
        self.modes.bind(self.sys, rows);
        self.bind_stepper(rows);
        self.controller.start(1.0);
    }

    pub(super) fn bind_stepper(&mut self, rows: &Rows) {
        let dims = self.sys.dims();
        let jerk = vec![0.0; dims.nv + dims.nx];
        self.stepper.bind(self.sys, rows);
        self.stepper.start(self.sys, &State::new(dims), &jerk, 1.0);
    }

    /// Saves or restores which rows are in force, before all that is laid out for them.
    fn modes_memory(&mut self, m: &mut Memory) {
        if self.modes.is_empty() && !self.is_redundant() {
            return;
        }
        let before = self.modes.rows();
        self.modes.memory(self.sys, m);
        let rows = self.modes.rows();
        if m.is_reading() && (rows != before || !self.modes.is_empty()) {
            self.modes.doze(self.sys);
            self.rebound = false;
            self.saddle.bind(self.sys, &rows);
            self.bind_stepper(&rows);
        }
    }

    /// Saves the run to a tape that holds other things too, or restores it, without any observer.
    pub fn tape(&mut self, m: &mut Memory) {
        if m.is_reading() {
            self.uncut = None;
            self.log.clear();
        }
        self.memory(&mut (), m);
    }

    /// The sum of the parts. What is left out is scratch, the plan, and the wording of the last
    /// attempts.
    fn memory(&mut self, observer: &mut dyn Observer, m: &mut Memory) {
        self.way_memory(m);
        self.modes_memory(m);
        let Engine {
            sys,
            stepper,
            controller,
            ways: _,
            saddle,
            weights,
            scratch: _,
            consistent,
            algebraic: _,
            jerk: _,
            modes: _,
            rebound: _,
            watch,
            pile,
            cut: _,
            begun: _,
            rough: _,
            switching: _,
            starter,
            search: _,
            spectrum: _,
            rate,
            curved: _,
            plan,
            progress,
            uncut: _,
            log: _,
            failures,
            stats,
            limiters,
            longest_step: _,
            spent: _,
            lost: _,
        } = self;
        progress.memory(m);
        m.f64(rate);
        failures.memory(m);
        weights.memory(m);
        stats.memory(m);
        limiters.memory(m);
        controller.memory(m);
        stepper.memory(m);
        saddle.memory(m);
        if plan.consistent {
            consistent.memory(m);
        }
        starter.memory(m);
        if !watch.is_empty() {
            watch.memory(m);
            pile.memory(m);
        }
        m.section("system");
        sys.memory(m);
        m.section("observer");
        observer.memory(m);
    }

    /// Saves the run before its end has any influence on it.
    pub(super) fn keep_uncut(&mut self, observer: &mut dyn Observer) {
        if self.plan.continued && self.uncut.is_none() {
            let mut m = Memory::writing();
            self.save_into(observer, &mut m);
            self.uncut = Some(m);
        }
    }
}
