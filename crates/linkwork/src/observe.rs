//! Watching a run: keeping rows, telling progress, stopping on request.

use crate::options::Outputs;
use crate::signs::Signs;
use crate::table::Table;
use linkwork_dae::drive::{Flow, Observer, ObserverError, Occasion, View};
use linkwork_dae::log::Attempt;
use linkwork_dae::memory::Memory;
use linkwork_dae::state::State;
use linkwork_dae::stats::Stats;
use linkwork_dae::system::{After, System};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Where rows go as they are made, beside the memory.
pub trait Sink {
    /// The first row is about to come: of a run from its start, or of one that goes on at a time.
    fn begin(&mut self, from: Option<f64>);

    /// A row.
    fn row(&mut self, t: f64, values: &[f64]);

    /// Brings what waits to a safe place: what follows relies on it.
    fn flush(&mut self);
}

/// Most numbers of a table in memory where all rows go elsewhere, too: 128 megabytes.
const MOST: usize = 1 << 24;

/// Keeps rows of all channels, with accelerations and multipliers that satisfy the equations of
/// motion and the constraints at the acceleration level.
pub struct Recorder<'a> {
    table: Table,
    rows: Option<&'a mut (dyn Sink + Send)>,
    /// Rows that there were, and how many of them one in the table stands for.
    made: usize,
    every: usize,
    last: Option<f64>,
    outputs: Outputs,
    t_start: f64,
    t_end: f64,
    next: usize,
    state: State,
    row: Vec<f64>,
    signs: Signs,
    incomplete: Vec<f64>,
    /// The share of the way on which nothing is solved for.
    motion: f64,
}

impl<'a> Recorder<'a> {
    /// A recorder for a run to `t_end`.
    pub fn new(sys: &dyn System, outputs: Outputs, t_end: f64) -> Recorder<'a> {
        let mut table = Table::new(sys.channels());
        let rows = match &outputs {
            Outputs::Uniform(n) => *n,
            Outputs::At(times) => times.len(),
            Outputs::Steps => 0,
        };
        // a bound, so that an absurd number of intervals does not take all memory at once
        table.reserve(rows.min(MOST / 16 / (sys.channels().len() + 1)) + 2);
        Recorder {
            row: vec![0.0; sys.channels().len()],
            signs: Signs::new(sys.channels()),
            table,
            rows: None,
            made: 0,
            every: 1,
            last: None,
            outputs,
            t_start: 0.0,
            t_end,
            next: 1,
            state: State::new(sys.dims()),
            incomplete: Vec::new(),
            motion: 0.0,
        }
    }

    /// The same whose rows up to a share of the way are positions and velocities alone, as the steps have them;
    /// accelerations and reactions are none.
    #[must_use]
    pub(crate) fn of_motion(mut self, share: f64) -> Recorder<'a> {
        self.motion = share;
        self
    }

    /// The same that hands every row over as well. Then the table is thinned where it would take too much
    /// memory.
    #[must_use]
    pub fn to(mut self, rows: Option<&'a mut (dyn Sink + Send)>) -> Recorder<'a> {
        self.rows = rows;
        self
    }

    /// Time of the last row.
    pub fn last_time(&self) -> Option<f64> {
        self.last
    }

    /// Rows that there were.
    pub fn made(&self) -> usize {
        self.made
    }

    /// Appends the row of a state as it is.
    pub fn push_state(&mut self, sys: &mut dyn System, s: &State) {
        sys.observe(s, &mut self.row);
        self.push(s.t);
    }

    fn push(&mut self, t: f64) {
        self.signs.keep(&mut self.row);
        if let Some(rows) = &mut self.rows {
            rows.row(t, &self.row);
        }
        if self.made.is_multiple_of(self.every) {
            self.table.push(t, &self.row);
        }
        self.made += 1;
        self.last = Some(t);
        let numbers = self.table.times().len() * (self.row.len() + 1);
        if self.rows.is_some() && numbers > MOST {
            self.table.thin();
            self.every *= 2;
        }
    }

    /// Takes back the rows after `t`.
    pub fn forget_after(&mut self, t: f64) {
        self.table.forget_after(t);
        self.made = self.table.times().len();
        self.last = self.table.times().last().copied();
    }

    /// Times of rows without accelerations and reactions, because these were not determined there.
    pub fn incomplete(&self) -> &[f64] {
        &self.incomplete
    }

    /// The rows; the last of them whatever was thinned.
    pub fn into_table(mut self) -> Table {
        if let Some(t) = self.last.filter(|t| self.table.times().last() != Some(t)) {
            self.table.push(t, &self.row);
        }
        self.table
    }

    fn keep(&mut self, view: &mut View<'_>, t: f64) {
        let alone = t < self.t_start + self.motion * (self.t_end - self.t_start);
        let consistent = (!alone).then(|| view.consistent(t));
        match consistent {
            Some(Ok(s)) => self.state.copy_from(s),
            found => {
                if found.is_some() {
                    self.incomplete.push(t);
                }
                self.state.copy_from(view.motion(t));
                self.state.a.fill(f64::NAN);
                self.state.lambda.fill(f64::NAN);
            }
        }
        self.state.t = t;
        view.sys.observe(&self.state, &mut self.row);
        self.push(t);
    }

    /// The end of the last step may miss the end of the run by a rounding.
    fn rounding(&self, t: f64) -> f64 {
        16.0 * f64::EPSILON * t.abs().max(self.t_end.abs())
    }

    /// Time of the next row; `None` after the last one, and where every step is kept.
    fn due(&self) -> Option<f64> {
        match &self.outputs {
            Outputs::Steps => None,
            Outputs::Uniform(n) if self.next < *n => {
                let share = self.next as f64 / *n as f64;
                Some(self.t_start + share * (self.t_end - self.t_start))
            }
            Outputs::Uniform(n) => (self.next == *n).then_some(self.t_end),
            Outputs::At(times) => times.get(self.next - 1).copied(),
        }
    }
}

impl Observer for Recorder<'_> {
    fn on_start(&mut self, view: &mut View<'_>) -> Result<(), ObserverError> {
        self.t_start = view.to;
        if let Some(rows) = &mut self.rows {
            rows.begin(None);
        }
        let own = matches!(self.outputs, Outputs::At(_));
        if !own || self.due() == Some(view.to) {
            self.keep(view, view.to);
        }
        if own && self.due() == Some(view.to) {
            self.next += 1;
        }
        Ok(())
    }

    fn on_step(&mut self, view: &mut View<'_>) -> Result<Flow, ObserverError> {
        if self.outputs == Outputs::Steps {
            self.keep(view, view.to);
            return Ok(Flow::Continue);
        }
        let rounding = self.rounding(view.to);
        while let Some(t) = self.due().filter(|t| *t <= view.to + rounding) {
            let t = if (t - view.to).abs() <= rounding {
                view.to
            } else {
                t
            };
            self.keep(view, t);
            self.next += 1;
        }
        Ok(Flow::Continue)
    }

    /// Rows up to `t` were kept before; those of a new grid begin after it.
    fn on_resume(&mut self, t: f64) {
        if let Some(rows) = &mut self.rows {
            rows.begin(Some(t));
        }
        let kept = t + self.rounding(t);
        self.next = 1;
        while self.due().is_some_and(|due| due <= kept) {
            self.next += 1;
        }
    }

    fn memory(&mut self, m: &mut Memory) {
        if let Some(rows) = self.rows.as_mut().filter(|_| !m.has_read()) {
            // whoever goes on from here finds the rows up to here
            rows.flush();
        }
        m.section("recorder");
        m.f64(&mut self.t_start);
        m.list(&mut self.incomplete);
        self.signs.memory(m);
    }

    /// Where a row falls on a jump, both sides are kept.
    fn on_event(&mut self, view: &mut View<'_>, after: After) -> Result<(), ObserverError> {
        let seen = self.last_time() == Some(view.to);
        if (after != After::Continue && seen) || (!seen && asked(view)) {
            self.keep(view, view.to);
        }
        Ok(())
    }
}

/// Whether an event wants a row of its own.
fn asked(view: &mut View<'_>) -> bool {
    let Some(Occasion::Switches { crossed, .. }) = view.occasion else {
        return false;
    };
    let switches = view.sys.switching().map(|s| s.switches());
    let recorded = |i: usize| switches?.get(i).map(|s| s.recorded);
    crossed.iter().any(|c| recorded(c.switch) == Some(true))
}

/// Calls a function with the share of the run that is done (0 to 1) and the counters.
pub struct Progress<F: FnMut(f64, &Stats)> {
    tell: F,
    t_start: f64,
    t_end: f64,
}

impl<F: FnMut(f64, &Stats)> Progress<F> {
    /// Progress of a run to `t_end`.
    pub fn new(t_end: f64, tell: F) -> Progress<F> {
        Progress {
            tell,
            t_start: 0.0,
            t_end,
        }
    }
}

impl<F: FnMut(f64, &Stats)> Observer for Progress<F> {
    fn on_start(&mut self, view: &mut View<'_>) -> Result<(), ObserverError> {
        self.t_start = view.to;
        Ok(())
    }

    fn on_step(&mut self, view: &mut View<'_>) -> Result<Flow, ObserverError> {
        let share = (view.to - self.t_start) / (self.t_end - self.t_start);
        (self.tell)(share, view.stats);
        Ok(Flow::Continue)
    }

    fn on_resume(&mut self, t: f64) {
        self.t_start = t;
    }
}

/// Stops a run from outside: from another thread or a signal handler.
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// Asks the run to stop after the current step.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// The flag as threads of a run look at it.
    pub(crate) fn shared(&self) -> Arc<AtomicBool> {
        self.0.clone()
    }

    /// Whether the run was asked to stop.
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl Observer for StopFlag {
    fn on_step(&mut self, _: &mut View<'_>) -> Result<Flow, ObserverError> {
        Ok(if self.is_raised() {
            Flow::Stop
        } else {
            Flow::Continue
        })
    }
}

/// Two observers as one; the run stops when one of them says so.
pub struct Both<'a>(pub &'a mut dyn Observer, pub &'a mut dyn Observer);

impl Observer for Both<'_> {
    fn on_start(&mut self, view: &mut View<'_>) -> Result<(), ObserverError> {
        self.0.on_start(view)?;
        self.1.on_start(view)
    }

    fn on_step(&mut self, view: &mut View<'_>) -> Result<Flow, ObserverError> {
        let first = self.0.on_step(view)?;
        let second = self.1.on_step(view)?;
        Ok(if first == Flow::Stop { first } else { second })
    }

    fn on_attempt(&mut self, attempt: &Attempt, stats: &Stats) {
        self.0.on_attempt(attempt, stats);
        self.1.on_attempt(attempt, stats);
    }

    fn on_resume(&mut self, t: f64) {
        self.0.on_resume(t);
        self.1.on_resume(t);
    }

    fn memory(&mut self, m: &mut Memory) {
        self.0.memory(m);
        self.1.memory(m);
    }

    fn on_event(&mut self, view: &mut View<'_>, after: After) -> Result<(), ObserverError> {
        self.0.on_event(view, after)?;
        self.1.on_event(view, after)
    }
}
