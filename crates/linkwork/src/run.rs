//! The result of a run. There always is one: a run that fails keeps what it has.

use crate::attempts::Step;
use crate::audit::{ConstraintResidual, EnergyAccount};
use crate::conditioning::Conditioning;
use crate::doubts::Doubt;
use crate::explain::Explanation;
use crate::notes::Note;
use crate::options::Options;
use crate::pace::Pace;
use crate::table::Table;
use crate::verify::Verification;
use linkwork_dae::drive::EventLog;
use linkwork_dae::initial::StartReport;
use linkwork_dae::jacobian::excitation::Following;
use linkwork_dae::limiter::Limiter;
use linkwork_dae::stats::Stats;
use serde::{Serialize, Serializer};

/// What a result is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Finished, and nothing speaks against the result.
    Converged,
    /// Some result is there, with named doubts.
    Degraded,
    /// The end was not reached.
    Failed,
}

impl Serialize for Verdict {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

impl Verdict {
    /// The verdict on a result with or without a failure and doubts.
    pub(crate) fn of(failed: bool, doubts: &[Doubt]) -> Verdict {
        match (failed, doubts) {
            (true, _) => Verdict::Failed,
            (false, []) => Verdict::Converged,
            (false, _) => Verdict::Degraded,
        }
    }

    /// The verdict in one word.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Converged => "converged",
            Verdict::Degraded => "degraded",
            Verdict::Failed => "failed",
        }
    }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    /// The end time was reached, or an event that ends a run.
    Finished,
    /// An observer stopped it.
    Stopped,
    /// It could not start or could not go on.
    Failed(Explanation),
}

/// The result of a run.
#[derive(Clone, Debug)]
pub struct Run {
    /// Name of the model.
    pub model: String,
    /// How it was made: all options that have a value.
    pub options: Options,
    /// All channels at the kept points, with consistent accelerations and reactions.
    pub table: Table,
    /// Rows that went to disk as well, if they did. The table has fewer where these are too many for the memory.
    pub rows: usize,
    /// The last time reached; NaN if there was no start.
    pub t_last: f64,
    /// What the result is worth.
    pub verdict: Verdict,
    /// What speaks against it.
    pub doubts: Vec<Doubt>,
    /// How it ended.
    pub ending: Ending,
    /// Time of the saved state that it went on from; `None` if it started itself.
    pub restarted_at: Option<f64>,
    /// What the start found; `None` if there was no start.
    pub start: Option<StartReport>,
    /// Work counters.
    pub stats: Stats,
    /// Where on the way it had its work.
    pub(crate) pace: Pace,
    /// What its rows and its accounts of energy and constraints took.
    pub(crate) beside: f64,
    /// What happened on the way: jumps of forces and states, switches.
    pub events: EventLog,
    /// Attempted steps, where a row of every step was asked for.
    pub attempts: Vec<Step>,
    /// What the run has taught about the choice of method.
    pub notes: Vec<Note>,
    /// What came of following excitations; `None` where derivatives do not follow any.
    pub following: Option<Following>,
    /// Parts of the model that limited the step, largest share first.
    pub limiters: Vec<Limiter>,
    /// Largest constraint residuals at accepted steps.
    pub constraint_residual: ConstraintResidual,
    /// Condition of the iteration matrix, where it was asked for.
    pub conditioning: Option<Conditioning>,
    /// Energy account; `None` when the system keeps none.
    pub energy: Option<EnergyAccount>,
    /// What a second computation found; `None` where none was made.
    pub verification: Option<Verification>,
    /// Processor time of the whole: start, steps, output, accounts.
    pub cpu_seconds: f64,
    /// Processor time of the steps alone.
    pub step_cpu_seconds: f64,
    /// The longest that one step took by the clock, output apart: what a run in real time must
    /// afford.
    pub longest_step_seconds: f64,
}

impl Run {
    /// A run that has not begun.
    pub(crate) fn new(model: &str, options: &Options, table: Table) -> Run {
        Run {
            model: model.to_string(),
            options: options.clone(),
            rows: 0,
            table,
            t_last: f64::NAN,
            verdict: Verdict::Failed,
            doubts: Vec::new(),
            ending: Ending::Finished,
            restarted_at: None,
            start: None,
            stats: Stats::default(),
            pace: Pace::default(),
            beside: 0.0,
            events: EventLog::default(),
            attempts: Vec::new(),
            notes: Vec::new(),
            following: None,
            limiters: Vec::new(),
            constraint_residual: ConstraintResidual::default(),
            conditioning: None,
            energy: None,
            verification: None,
            cpu_seconds: 0.0,
            step_cpu_seconds: 0.0,
            longest_step_seconds: 0.0,
        }
    }

    /// A table of an earlier run, of which nothing else is known.
    pub fn of_table(table: Table) -> Run {
        Run {
            t_last: table.times().last().copied().unwrap_or(f64::NAN),
            ..Run::new("", &Options::new(), table)
        }
    }

    /// Gives the verdict; the doubts are all there.
    pub(crate) fn judge(&mut self) {
        self.verdict = Verdict::of(matches!(self.ending, Ending::Failed(_)), &self.doubts);
    }

    /// The tolerance that steps were held to; none for a fixed step.
    pub fn tolerance(&self) -> Option<f64> {
        self.options.rtol.filter(|_| self.options.step.is_none())
    }

    /// Times of the kept points.
    pub fn times(&self) -> &[f64] {
        self.table.times()
    }

    /// Values of a channel at the kept points.
    pub fn channel(&self, name: &str) -> Option<&[f64]> {
        self.table.column(name)
    }

    /// Why the run failed, if it did.
    pub fn failure(&self) -> Option<&Explanation> {
        match &self.ending {
            Ending::Failed(why) => Some(why),
            Ending::Finished | Ending::Stopped => None,
        }
    }
}
