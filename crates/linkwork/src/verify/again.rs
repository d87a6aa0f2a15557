//! One more run of a motion, for no more than it may cost.

use super::distance::{Distance, length};
use crate::options::Options;
use crate::pace::{Pace, work};
use crate::run::{Ending, Run};
use crate::simulation::Simulation;
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
        let work = work(&run.stats);
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

    /// One more run, given up where it costs more than a limit or ends elsewhere.
    pub fn run(&mut self, run: &Run, options: &Options, limit: Limit) -> Result<Run, Why> {
        let other = |e: String| Why::Other(e);
        let mut simulation = (self.make)(options).map_err(|e| other(e.to_string()))?;
        let mut budget = Budget {
            limit,
            pace: &run.pace,
            total: work(&run.stats),
            span: [run.times()[0], run.t_last],
            is_dear: false,
            inner: self.observer,
        };
        let second = simulation.run_with(&mut budget);
        let second = second.map_err(|e| other(e.to_string()))?;
        self.spent += work(&second.stats);
        if budget.is_dear {
            return Err(Why::Dear);
        }
        if second.ending != Ending::Finished || second.t_last != run.t_last {
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

/// Gives up a run that costs too much.
struct Budget<'a> {
    limit: Limit,
    /// Where the run had its work, and all of that.
    pace: &'a Pace,
    total: f64,
    span: [f64; 2],
    is_dear: bool,
    inner: &'a mut dyn Observer,
}

impl Observer for Budget<'_> {
    fn on_step(&mut self, view: &mut View<'_>) -> Result<Flow, ObserverError> {
        let spent = work(view.stats);
        self.is_dear = spent > self.limit.most;
        let is_judged = |[from, to]: [f64; 2]| (from..to).contains(&spent);
        if self.limit.judged.is_some_and(is_judged) {
            let done = self.pace.share(view.to, self.total, self.span);
            self.is_dear |= spent > done * self.limit.most;
        }
        if self.is_dear {
            return Ok(Flow::Stop);
        }
        self.inner.on_step(view)
    }
}
