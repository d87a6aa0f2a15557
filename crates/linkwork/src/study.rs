//! Work and precision of every setting on one model: which method, formulation, coordinates and tolerance
//! reach a wanted accuracy at the least cost.
//!
//! ```text
//!  settings --price--> those that fit      tight runs of several families --> the two that agree best
//!                          |                                                          |
//!                       rounds, loosest tolerance first, on several threads           |
//!                          |                                                          |
//!                        rows: counts, work <------- errors, against another family --+
//!                          |
//!                        findings: the cheapest setting for 3, 5, 7 digits
//! ```
//!
//! Everything but the times of the clock is the same on any number of threads and any machine: a run is
//! given up when its counted work is more than [`PATIENCE`] times that of a pilot run at the same tolerance,
//! and what a run may cost never depends on others of its round. Only the overall limit of time reads the
//! clock.

mod conduct;
mod findings;
mod fits;
mod measure;
mod pool;
mod reference;
mod setting;
mod write;

pub use crate::price::Price;
pub use findings::Finding;
pub use reference::{Reference, Tight};
pub use setting::{KEPT, Setting};

use crate::observe::StopFlag;
use crate::options::Options;
use crate::plot::Figure;
use crate::run::Verdict;
use crate::simulation::Simulation;
use conduct::Conduct;
use serde::Serialize;
use std::time::Duration;

/// A run may cost this many times what the pilot costs at the same tolerance.
pub const PATIENCE: f64 = 20.0;
/// A result further away than this many tolerances from the reference, which says that it is converged,
/// is marked.
pub const FAR: f64 = 100.0;

/// Makes a simulation with exactly these options.
pub type Build<'a> = dyn Fn(&Options) -> Result<Simulation, String> + Sync + 'a;

/// What a study is asked for.
#[derive(Clone, Debug)]
pub struct Ask {
    /// What all runs have in common: [`KEPT`] options are used, all others are those of the settings.
    pub base: Options,
    /// Methods by name; empty: all that are offered.
    pub methods: Vec<String>,
    /// Formulations by name; empty: all that a method runs with.
    pub formulations: Vec<String>,
    /// Coordinates by name; empty: those that the simulation has.
    pub coordinates: Vec<String>,
    /// Relative tolerances.
    pub tolerances: Vec<f64>,
    /// Channels that are judged one by one; empty: all positions and angles together.
    pub channels: Vec<String>,
    /// Wanted digits.
    pub digits: Vec<f64>,
    /// Threads.
    pub threads: usize,
    /// Time that the whole may take.
    pub limit: Duration,
}

impl Default for Ask {
    fn default() -> Ask {
        Ask {
            base: Options::new(),
            methods: Vec::new(),
            formulations: Vec::new(),
            coordinates: Vec::new(),
            tolerances: (3..=9).map(|k| 10f64.powi(-k)).collect(),
            channels: Vec::new(),
            digits: vec![3.0, 5.0, 7.0],
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            limit: Duration::from_secs(600),
        }
    }
}

/// Who watches a study: may stop it, and is told how many of how many runs are done.
pub struct Watch<'a> {
    /// Stops it.
    pub stop: StopFlag,
    /// Is told.
    pub tell: &'a (dyn Fn(usize, usize) + Sync),
}

/// Why there is no study.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct StudyError {
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
}

impl StudyError {
    fn new(message: impl Into<String>, help: impl Into<String>) -> StudyError {
        StudyError {
            message: message.into(),
            help: Some(help.into()),
        }
    }
}

/// How a setting did.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The setting.
    #[serde(flatten)]
    pub setting: Setting,
    /// The verdict of the run; `None` where there was none to its end.
    pub verdict: Option<Verdict>,
    /// Why there is no result: "failed", "given up", "not tried".
    pub without: Option<&'static str>,
    /// The same in a sentence.
    pub reason: Option<String>,
    /// Largest error over the motion for each measure, relative to how far its channels move.
    pub errors: Vec<f64>,
    /// The same as digits, no more than the reference can tell.
    pub digits: Vec<f64>,
    /// Whether the run said that it converged with an error above [`FAR`] tolerances.
    pub far: bool,
    /// Accepted steps.
    pub steps: u64,
    /// Evaluations of the equations and of their derivatives.
    pub evaluations: u64,
    /// Factorisations.
    pub factorisations: u64,
    /// Solves.
    pub solves: u64,
    /// Counted work, in instructions more or less: see [`Price`].
    pub work: f64,
    /// Processor time of the steps, s. It depends on the machine and on what else it does.
    pub seconds: f64,
    /// Share of the time that the run got through.
    pub share: f64,
}

/// What was found out.
#[derive(Clone, Debug, Serialize)]
pub struct Study {
    /// Name of the model.
    pub model: String,
    /// End time, s.
    pub t_end: f64,
    /// What was measured: "motion", or the chosen channels.
    pub measures: Vec<String>,
    /// What errors are measured against.
    pub reference: Reference,
    /// Every run, in the order of settings, loosest tolerance first.
    pub rows: Vec<Row>,
    /// Settings that do not fit the model, and why.
    pub left_out: Vec<(String, String)>,
    /// The cheapest settings for the wanted digits.
    pub findings: Vec<Finding>,
    /// Whether time was up, or somebody stopped it, before all runs were made.
    pub cut_short: bool,
    /// Time by the clock, s.
    pub seconds: f64,
}

impl Study {
    /// Conducts a study.
    pub fn conduct(ask: &Ask, build: &Build<'_>, watch: &Watch<'_>) -> Result<Study, StudyError> {
        Conduct::study(ask, build, watch)
    }

    /// As one JSON object.
    pub fn to_json(&self) -> String {
        // plain structs with text keys cannot fail to serialise
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    /// The same with the lines for `[simulation]` beside the cheapest settings; `base` is what was asked with.
    pub fn to_object(&self, base: &Options) -> serde_json::Value {
        let mut object = serde_json::to_value(self).unwrap_or_default();
        if let Some(list) = object.get_mut("findings").and_then(|f| f.as_array_mut()) {
            for (entry, finding) in list.iter_mut().zip(&self.findings) {
                let lines = finding.cheapest.as_ref().map(|s| s.lines(base));
                entry["simulation"] = lines.into();
            }
        }
        object
    }

    /// Every run as a row of csv.
    pub fn to_csv(&self) -> String {
        write::csv(self)
    }

    /// The work-precision diagram of a measure: error against counted work, and against time.
    pub fn figures(&self, measure: usize) -> [Figure; 2] {
        write::figures(self, measure)
    }

    /// Runs that said "converged" far from the reference.
    pub fn far(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|r| r.far)
    }
}
