//! The attempted steps of a run as a file beside its table, where a row of every step is asked for.
//!
//! ```text
//!  DIR/steps.csv   t, step, order, error (over tolerance), outcome, limiter
//! ```

use linkwork_dae::corrector::Retry;
use linkwork_dae::drive::{Flow, Observer, ObserverError, View};
use linkwork_dae::log::{Attempt, Outcome};
use linkwork_dae::stats::Stats;
use linkwork_dae::system::{Row, System};
use std::io::{self, Write};
use std::path::Path;

/// Name of the file.
pub const STEPS_FILE: &str = "steps.csv";

/// An attempted step as files have it.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Time before it, s.
    pub t: f64,
    /// Its length, s.
    pub step: f64,
    /// Its order.
    pub order: usize,
    /// Error over tolerance; `None` where its equations were not solved.
    pub error: Option<f64>,
    /// "accepted", "rejected", or why its equations were not solved.
    pub outcome: &'static str,
    /// The part of the model that ruled the error or the failure.
    pub limiter: String,
}

impl Step {
    fn new(sys: &dyn System, attempt: &Attempt) -> Step {
        let (error, outcome, row) = match &attempt.outcome {
            Outcome::Accepted { err, worst } => (Some(*err), "accepted", Some(*worst)),
            Outcome::Rejected { err, worst } => (Some(*err), "rejected", Some(*worst)),
            Outcome::Unsolved(why) => {
                let (words, row) = words(why);
                (None, words, row)
            }
        };
        Step {
            t: attempt.t,
            step: attempt.h,
            order: attempt.order,
            error,
            outcome,
            limiter: row.map_or(String::new(), |row| sys.culprit(row)),
        }
    }
}

/// Why a corrector gave up, in a few words, and the unknown that it names.
pub(crate) fn words(why: &Retry) -> (&'static str, Option<Row>) {
    match why {
        Retry::Diverged { worst, .. } => ("corrections grow", Some(*worst)),
        Retry::Slow { worst, .. } => ("corrections shrink too slowly", Some(*worst)),
        Retry::Singular { unknown } => ("singular matrix", Some(*unknown)),
        Retry::Rounding { worst, .. } => ("rounding above the tolerance", Some(*worst)),
        Retry::Eval(_) => ("equations without a value", None),
        Retry::Branch { worst, .. } => ("another assembly branch", Some(*worst)),
    }
}

/// Keeps all attempts, where they are wanted.
pub(crate) struct Attempts {
    wanted: bool,
    all: Vec<Attempt>,
}

impl Attempts {
    pub fn new(wanted: bool) -> Attempts {
        Attempts {
            wanted,
            all: Vec::new(),
        }
    }

    /// The attempts with names of parts.
    pub fn named(&self, sys: &dyn System) -> Vec<Step> {
        self.all.iter().map(|a| Step::new(sys, a)).collect()
    }
}

impl Observer for Attempts {
    fn on_step(&mut self, _: &mut View<'_>) -> Result<Flow, ObserverError> {
        Ok(Flow::Continue)
    }

    fn on_attempt(&mut self, attempt: &Attempt, _: &Stats) {
        if self.wanted {
            self.all.push(attempt.clone());
        }
    }
}

/// What of the accepted steps can be drawn over time, with its unit.
pub const DRAWN: [(&str, &str); 3] = [("step", "s"), ("order", ""), ("error", "")];

/// Ends of the accepted steps in the folder of a run, and what [`DRAWN`] lists of each.
pub fn read(dir: &Path) -> io::Result<Vec<(f64, [f64; 3])>> {
    let mut csv = csv::Reader::from_path(dir.join(STEPS_FILE))?;
    let mut steps = Vec::new();
    for record in csv.records() {
        let record = record?;
        let number = |i: usize| record.get(i).and_then(|x| x.parse::<f64>().ok());
        if record.get(4) == Some("accepted")
            && let [Some(t), Some(step), Some(order), Some(error)] = [0, 1, 2, 3].map(number)
        {
            steps.push((t + step, [step, order, error]));
        }
    }
    Ok(steps)
}

/// Writes steps as csv.
pub fn write(steps: &[Step], out: &mut dyn Write) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(["t", "step", "order", "error", "outcome", "limiter"])?;
    for s in steps {
        let error = s.error.map_or(String::new(), |e| e.to_string());
        let [t, step] = [s.t, s.step].map(|x| x.to_string());
        let order = s.order.to_string();
        csv.write_record([&t, &step, &order, &error, s.outcome, &s.limiter])?;
    }
    csv.flush()
}
