//! Many runs of one model that differ in a few values, over all cores.
//!
//! A [`Study`] knows its points and what is kept of each run; every point is computed by itself from the
//! model and its values, so results do not depend on who computes it, when, or how many do.
//!
//! ```
//! use linkwork::mbs::text::{self, tree::Table};
//! use linkwork::sweep::{Study, Vary, grid};
//!
//! let text = "[[body]]\nname = \"stone\"\nkind = \"point\"\nmass = 1\n[simulation]\nt_end = 1";
//! let varied = [Vary::parse("stone.velocity=[1,0],[2,0]")?, Vary::parse("model.gravity=[0,-1],[0,-2]")?];
//! let points = grid(&varied)?;
//! let study = Study::new("stone", Table::parse(text).unwrap(), Default::default(), points, &["stone.x", "min(stone.y)"])?;
//! let table = study.run(2);
//! assert_eq!(table.len(), 4);
//! assert!((table[1].values[1] + 1.0).abs() < 1e-3);
//! # Ok::<(), linkwork::sweep::SweepError>(())
//! ```

mod journal;
mod output;
mod points;

pub use journal::{Journal, LOG_FILE, MANIFEST_FILE, TABLE_FILE};
pub use output::{Output, REDUCTIONS};
pub use points::{Points, Vary, grid, samples, table};

use crate::observe::StopFlag;
use crate::options::Options;
use crate::run::{Ending, Run, Verdict};
use crate::simulation::Simulation;
use linkwork_mbs::ModelError;
use linkwork_mbs::text::tree::{Content, Table, Value};
use linkwork_mbs::text::{Document, assign, read_tree};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

/// Why there is no sweep.
#[derive(Clone, Debug, thiserror::Error)]
pub enum SweepError {
    /// What is varied or kept cannot be.
    #[error("{message}")]
    Asked {
        /// What is wrong.
        message: String,
        /// What to do about it.
        help: Option<String>,
    },
    /// The model itself, or a path into it, is wrong.
    #[error("{}", .0.first().map_or("the model cannot be read", |e| &e.message))]
    Model(Vec<ModelError>),
    /// A file of the sweep cannot be read or written.
    #[error("{0}")]
    File(String),
}

impl SweepError {
    pub(crate) fn asked(message: impl Into<String>, help: impl Into<String>) -> SweepError {
        SweepError::Asked {
            message: message.into(),
            help: Some(help.into()),
        }
    }
}

/// What came of one point.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Its number, from 0.
    pub number: usize,
    /// "converged", "degraded", "failed", or "invalid" where its values make no model.
    pub verdict: String,
    /// Why, in one line; empty where all is well.
    pub message: String,
    /// Accepted steps.
    pub steps: u64,
    /// What was kept, in the order of the study's outputs; NaN where there is no whole run.
    pub values: Vec<f64>,
}

/// What is put into the model of every point that no text can say: functions of another language.
pub trait Insert: Send + Sync {
    /// Puts it into the model of one point. The answer tells, when the run is over, what went wrong in it.
    fn insert(&self, document: &mut Document) -> Result<Trouble, ModelError>;

    /// A text that tells it from others.
    fn identity(&self) -> String;
}

/// Asked after a run: what went wrong in what was inserted.
pub type Trouble = Box<dyn FnOnce() -> Option<String>>;

/// A model, the points to compute and what to keep of each.
pub struct Study {
    name: String,
    tree: Table,
    insert: Option<Box<dyn Insert>>,
    options: Options,
    points: Points,
    outputs: Vec<Output>,
}

impl Study {
    /// A study of the model that a tree says; `outputs` are channels and what is made of them, all
    /// channels at the end where there are none. `options` go before those of the model.
    pub fn new(
        name: &str,
        tree: Table,
        options: Options,
        points: Points,
        outputs: &[&str],
    ) -> Result<Study, SweepError> {
        Study::with(name, tree, None, options, points, outputs)
    }

    /// The same of a model that text alone does not say.
    pub fn with(
        name: &str,
        tree: Table,
        insert: Option<Box<dyn Insert>>,
        options: Options,
        points: Points,
        outputs: &[&str],
    ) -> Result<Study, SweepError> {
        let mut study = Study {
            name: name.to_string(),
            tree,
            insert,
            options,
            points,
            outputs: Vec::new(),
        };
        // paths that lead nowhere are wrong at every point
        let mut tree = study.tree.clone();
        if !study.points.is_empty() {
            study
                .assign(&mut tree, 0)
                .map_err(|e| SweepError::Model(vec![e]))?;
        }
        let (mut simulation, _) = study
            .simulation(study.tree.clone())
            .map_err(SweepError::Model)?;
        let settings = simulation.settings();
        settings.map_err(|e| SweepError::Asked {
            message: e.message,
            help: e.help,
        })?;
        study.outputs = Output::all(outputs, &simulation.system().facts().channels)?;
        Ok(study)
    }

    /// Name of the model.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The points.
    pub fn points(&self) -> &Points {
        &self.points
    }

    /// What is kept.
    pub fn outputs(&self) -> &[Output] {
        &self.outputs
    }

    /// The model as text, before values are changed.
    pub fn model_text(&self) -> String {
        linkwork_mbs::text::write_tree(&self.tree)
    }

    /// A text that tells this study from others: equal texts give equal tables.
    pub fn identity(&self) -> String {
        let outputs: Vec<&str> = self.outputs.iter().map(Output::name).collect();
        let mut text = format!(
            "{}\n{:?}\n{:?}\n{outputs:?}",
            self.model_text(),
            self.options,
            self.points
        );
        text.extend(self.insert.iter().map(|insert| insert.identity()));
        text
    }

    fn assign(&self, tree: &mut Table, i: usize) -> Result<(), ModelError> {
        for (path, text) in self.points.names().iter().zip(self.points.values(i)) {
            let value = Table::parse_value(text);
            let value = value.unwrap_or_else(|| Value::new(Content::Text(text.clone())));
            assign(tree, path, value, &format!("{path}={text}"))?;
        }
        Ok(())
    }

    fn simulation(&self, tree: Table) -> Result<(Simulation, Option<Trouble>), Vec<ModelError>> {
        let mut document = read_tree(tree)?;
        let inserted = self.insert.as_ref().map(|i| i.insert(&mut document));
        let trouble = inserted.transpose().map_err(|e| vec![e])?;
        let made = Simulation::from_document_with(&document, self.options.clone());
        Ok((made.map_err(|e| vec![e])?.named(&self.name), trouble))
    }

    /// Computes one point; `None` where it was stopped before its end.
    pub fn compute(&self, i: usize, stop: &StopFlag) -> Option<Outcome> {
        let mut tree = self.tree.clone();
        let made = self.assign(&mut tree, i).map_err(|e| vec![e]);
        let (mut simulation, trouble) = match made.and_then(|()| self.simulation(tree)) {
            Ok(made) => made,
            Err(errors) => {
                let why = errors.first().map_or("", |e| &e.message);
                return Some(self.without(i, "invalid", why));
            }
        };
        simulation.settle();
        let run = match simulation.run_with(&mut stop.clone()) {
            Ok(run) => run,
            Err(e) => return Some(self.without(i, "invalid", &e.message)),
        };
        if run.ending == Ending::Stopped {
            return None;
        }
        let trouble = trouble.and_then(|trouble| trouble());
        let why = match (&trouble, run.failure()) {
            (Some(why), _) => why,
            (None, Some(why)) => &why.cause,
            (None, None) => return Some(self.of_run(i, &run)),
        };
        let steps = run.stats.steps;
        let failed = self.without(i, Verdict::Failed.word(), why);
        Some(Outcome { steps, ..failed })
    }

    fn of_run(&self, i: usize, run: &Run) -> Outcome {
        let doubts: Vec<String> = run.doubts.iter().map(ToString::to_string).collect();
        Outcome {
            number: i,
            verdict: run.verdict.word().to_string(),
            message: one_line(&doubts.join("; ")),
            steps: run.stats.steps,
            values: self.outputs.iter().map(|o| o.of(&run.table)).collect(),
        }
    }

    fn without(&self, i: usize, verdict: &str, why: &str) -> Outcome {
        Outcome {
            number: i,
            verdict: verdict.to_string(),
            message: one_line(why),
            steps: 0,
            values: vec![f64::NAN; self.outputs.len()],
        }
    }

    /// Computes all points on this many threads, in order.
    pub fn run(&self, threads: usize) -> Vec<Outcome> {
        let all: Vec<usize> = (0..self.points.len()).collect();
        let mut table = Vec::with_capacity(all.len());
        self.run_some(&all, threads, &StopFlag::default(), &mut |outcome| {
            table.push(outcome);
            true
        });
        table.sort_by_key(|outcome| outcome.number);
        table
    }

    /// Computes some points on this many threads and hands each over as it comes; stops when `each`
    /// answers no or the flag is raised.
    pub fn run_some(
        &self,
        numbers: &[usize],
        threads: usize,
        stop: &StopFlag,
        each: &mut dyn FnMut(Outcome) -> bool,
    ) {
        let next = AtomicUsize::new(0);
        let (sender, outcomes) = mpsc::channel();
        std::thread::scope(|scope| {
            for _ in 0..threads.clamp(1, numbers.len().max(1)) {
                let (next, sender) = (&next, sender.clone());
                scope.spawn(move || {
                    while !stop.is_raised()
                        && let Some(&i) = numbers.get(next.fetch_add(1, Ordering::Relaxed))
                    {
                        let outcome = self.compute(i, stop);
                        if outcome.is_some_and(|outcome| sender.send(outcome).is_err()) {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            for outcome in outcomes {
                if !each(outcome) {
                    stop.raise();
                }
            }
        });
    }
}

/// Words that fit a line of a table.
fn one_line(words: &str) -> String {
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}
