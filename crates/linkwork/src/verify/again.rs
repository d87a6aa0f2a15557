//! One more run of a motion, for no more than it may cost.
//!
//! Work is that of the steps, that of the rows, each of which takes accelerations and reactions of its own, and that of
//! the accounts of energy and constraints: of a run of few steps rows are most of the price, and where reactions do work
//! accounts cost as much as the steps. Runs that are compared and nothing else keep none, and no more of their rows than
//! is compared.

use super::distance::{Distance, length};
use crate::options::{Options, Outputs};
use crate::pace::{Pace, work};
use crate::run::{Ending, Run};
use crate::simulation::{Kept, Simulation};
use crate::table::Table;
use linkwork_dae::drive::{Flow, Observer, ObserverError, View};
use linkwork_mbs::error::ModelError;

/// Makes the same model with other options.
pub(super) type Make<'a> = dyn FnMut(&Options) -> Result<Simulation, ModelError> + 'a;

/// Why there is no other run.
pub(super) enum Why {
    /// It takes more work than it may.
    Dear,
    /// It cannot be made, or ended elsewhere.
    Other(String),
}

impl Why {
    /// In words; `most` is the work that it may take, in runs.
    pub fn words(self, most: f64) -> String {
        match self {
            Why::Dear => {
                format!("a second run takes more than {most:.1} times the work of the first")
            }
            Why::Other(why) => why,
        }
    }
}

/// What a run may cost.
#[derive(Clone, Copy)]
pub(super) struct Limit {
    /// Work after which it is given up.
    pub most: f64,
    /// From and up to which work it is given up unless, as the first run went, the limit will do.
    pub judged: Option<[f64; 2]>,
}

/// See the [module](self).
pub(super) struct Again<'a, 'b> {
    asked: &'a Options,
    /// Work of the first run, and of all.
    pub first: f64,
    spent: f64,
    /// Of a looser run, whose rows tell how far channels move.
    pub ranges: Option<Table>,
    length: f64,
    make: &'a mut Make<'b>,
    observer: &'a mut dyn Observer,
}

impl<'a, 'b> Again<'a, 'b> {
    /// After a run that was asked for with these options.
    pub fn new(
        run: &Run,
        asked: &'a Options,
        make: &'a mut Make<'b>,
        observer: &'a mut dyn Observer,
    ) -> Again<'a, 'b> {
        let work = price(run);
        Again {
            asked,
            first: work,
            spent: work,
            ranges: None,
            length: 0.0,
            make,
            observer,
        }
    }

    /// Work of all runs relative to the first.
    pub fn work(&self) -> f64 {
        self.spent / self.first.max(1.0)
    }

    /// What is left of a number of first runs.
    pub fn left(&self, runs: f64) -> f64 {
        runs * self.first - self.spent
    }

    /// Whether the method was left open.
    pub fn is_open(&self) -> bool {
        self.asked.method.is_none()
    }

    /// Whether the run was made in coordinates that nobody asked for, because its steps cost less there.
    pub fn chose_coordinates(&self, run: &Run) -> bool {
        self.asked.coordinates.is_none() && run.options.coordinates.as_deref() == Some("joint")
    }

    /// The run as it was asked for, with another tolerance.
    pub fn options(&self, run: &Run, rtol: f64) -> Options {
        let made = &run.options;
        let first = made.rtol.unwrap_or(rtol);
        Options {
            atol: made.atol.map(|atol| atol * rtol / first),
            atol_v: made.atol_v.map(|atol| atol * rtol / first),
            checkpoint: None,
            checkpoint_steps: None,
            checkpoint_interval: None,
            restart: None,
            ..self.asked.clone()
        }
        .rtol(rtol)
    }

    /// One more run that may take the place of another, given up where it costs more than a limit or ends elsewhere.
    pub fn run(&mut self, run: &Run, options: &Options, limit: Limit) -> Result<Run, Why> {
        self.keeping(Kept::All, run, options, limit)
    }

    /// The same that is compared and nothing else.
    pub fn companion(&mut self, run: &Run, options: &Options, limit: Limit) -> Result<Run, Why> {
        self.keeping(Kept::Rows, run, options, limit)
    }

    /// The same whose positions and velocities are compared and nothing else.
    pub fn motion(&mut self, run: &Run, options: &Options, limit: Limit) -> Result<Run, Why> {
        self.keeping(Kept::Motion, run, options, limit)
    }

    fn keeping(
        &mut self,
        kept: Kept,
        run: &Run,
        options: &Options,
        limit: Limit,
    ) -> Result<Run, Why> {
        let simulation = (self.make)(options).map_err(|e| Why::Other(e.to_string()))?;
        let mut simulation = simulation.keeping(kept);
        simulation.settle();
        let rows = match &options.outputs {
            Some(Outputs::Uniform(n)) => n.saturating_add(1),
            Some(Outputs::At(times)) => times.len(),
            Some(Outputs::Steps) | None => run.rows,
        };
        let mut budget = Budget {
            limit,
            rows: kept.of_rows(rows),
            pace: &run.pace,
            total: work(&run.stats),
            span: [run.times()[0], run.t_last],
            is_dear: false,
            inner: self.observer,
        };
        let second = simulation.run_with(&mut budget);
        let second = second.map_err(|e| Why::Other(e.to_string()))?;
        self.spent += price(&second);
        if budget.is_dear {
            return Err(Why::Dear);
        }
        // an event that ends both is located to rounding
        let apart = (second.t_last - run.t_last).abs() > SAME * run.t_last.abs();
        if second.ending != Ending::Finished || apart {
            return Err(Why::Other(match second.failure() {
                Some(why) => why.cause.clone(),
                None => format!("a second run ended at t = {}", second.t_last),
            }));
        }
        self.length = self.length.max(length(simulation.system()));
        Ok(second)
    }

    /// How far two runs are apart; `promised` is what ends may be off.
    pub fn distance(&self, runs: [&Run; 2], promised: f64) -> Distance {
        Distance::between(runs, self.ranges.as_ref(), self.length, promised)
    }
}

/// Rounding of the time of an end.
const SAME: f64 = 1e-12;

/// Work of a run: its steps, its rows and its accounts.
fn price(run: &Run) -> f64 {
    work(&run.stats) + run.beside
}

/// Gives up a run that costs too much.
struct Budget<'a> {
    limit: Limit,
    /// Work of all its rows.
    rows: f64,
    /// Where the run had its work, and all of that.
    pace: &'a Pace,
    total: f64,
    span: [f64; 2],
    is_dear: bool,
    inner: &'a mut dyn Observer,
}

impl Observer for Budget<'_> {
    fn on_step(&mut self, view: &mut View<'_>) -> Result<Flow, ObserverError> {
        let [from, to] = self.span;
        let steps = work(view.stats);
        let way = (view.to - from) / (to - from);
        let spent = steps + self.rows * way;
        // whatever it does, its rows are to come
        self.is_dear = steps + self.rows > self.limit.most;
        let is_judged = |[from, to]: [f64; 2]| (from..to).contains(&spent);
        if self.limit.judged.is_some_and(is_judged) {
            let done = self.total * self.pace.share(view.to, self.total, self.span);
            let done = (done + self.rows * way) / (self.total + self.rows);
            self.is_dear |= spent > done * self.limit.most;
        }
        if self.is_dear {
            return Ok(Flow::Stop);
        }
        self.inner.on_step(view)
    }
}
