//! Sweeps: the same points, numbers and files as `linkwork sweep`, whoever computes them.

use crate::errors::{Source, model_error};
use crate::law::Laws;
use crate::model::{METHOD_WITH_LAWS, Model};
use crate::options;
use linkwork::mbs::text::tree::{Content, Table};
use linkwork::observe::StopFlag;
use linkwork::options::OPTIONS;
use linkwork::sweep::{Insert, Journal, Outcome, Points, Study, SweepError};
use numpy::PyArray2;
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Duration;

/// Time between two looks at the interpreter.
const BREATH: Duration = Duration::from_millis(50);

fn raise(py: Python<'_>, e: SweepError) -> PyErr {
    match e {
        SweepError::Model(errors) => model_error(py, &errors, &Source::default()),
        SweepError::File(message) => PyOSError::new_err(message),
        SweepError::Asked { message, help } => PyValueError::new_err(match help {
            Some(help) => format!("{message}\n  help: {help}"),
            None => message,
        }),
    }
}

/// An outcome as Python passes it on: number, verdict, message, steps, values.
type Told = (usize, String, String, u64, Vec<f64>);

fn told(o: Outcome) -> Told {
    (o.number, o.verdict, o.message, o.steps, o.values)
}

fn heard((number, verdict, message, steps, values): Told) -> Outcome {
    Outcome {
        number,
        verdict,
        message,
        steps,
        values,
    }
}

/// A sweep: its points, and the outcomes that are there.
#[pyclass(module = "linkwork._linkwork")]
pub struct Sweep {
    study: Study,
    journal: Option<Journal>,
    done: Vec<Outcome>,
}

impl Sweep {
    fn keep(&mut self, outcome: Outcome) -> Result<(), SweepError> {
        if let Some(journal) = &mut self.journal {
            journal.keep(&self.study, outcome.clone())?;
        }
        self.done.push(outcome);
        Ok(())
    }

    fn left_numbers(&self) -> Vec<usize> {
        let mut open = vec![true; self.study.points().len()];
        for outcome in &self.done {
            open[outcome.number] = false;
        }
        (0..open.len()).filter(|i| open[*i]).collect()
    }
}

/// Whether a model says how it is integrated.
fn names_method(tree: &Table) -> bool {
    let simulation = tree.get("simulation").map(|value| &value.content);
    matches!(simulation, Some(Content::Table(table)) if table.get("method").is_some())
}

#[pymethods]
impl Sweep {
    /// A sweep of a model over these points; `folder` is where outcomes are kept, and found again.
    #[new]
    fn new(
        py: Python<'_>,
        model: &Bound<'_, Model>,
        names: Vec<String>,
        rows: Vec<Vec<String>>,
        outputs: Vec<String>,
        given: &Bound<'_, PyDict>,
        folder: Option<PathBuf>,
    ) -> PyResult<Sweep> {
        let mut options = options::read(given, OPTIONS, "sweep")?;
        let (name, tree, laws) = model.borrow().study();
        if !laws.is_empty() && options.method.is_none() && !names_method(&tree) {
            // as a run of the model by itself
            options.method = Some(METHOD_WITH_LAWS.into());
        }
        let insert = (!laws.is_empty()).then(|| Box::new(Laws(laws)) as Box<dyn Insert>);
        let outputs: Vec<&str> = outputs.iter().map(String::as_str).collect();
        let study = Points::new(names, rows)
            .and_then(|points| Study::with(&name, tree, insert, options, points, &outputs));
        let study = study.map_err(|e| raise(py, e))?;
        let journal = folder.map(|dir| Journal::open(&dir, &study)).transpose();
        let journal = journal.map_err(|e| raise(py, e))?;
        let done = journal.as_ref().map_or(Vec::new(), |j| j.done().to_vec());
        Ok(Sweep {
            study,
            journal,
            done,
        })
    }

    /// Numbers of the points that are left.
    fn left(&self) -> Vec<usize> {
        self.left_numbers()
    }

    /// Names and units of what is kept.
    fn outputs(&self) -> Vec<(String, String)> {
        let outputs = self.study.outputs().iter();
        outputs
            .map(|o| (o.name().to_string(), o.unit().to_string()))
            .collect()
    }

    /// Computes some points on this many threads and hands them over; nothing is kept.
    fn compute(&self, py: Python<'_>, numbers: Vec<usize>, threads: usize) -> PyResult<Vec<Told>> {
        let last = self.study.points().len();
        if numbers.iter().any(|i| *i >= last) {
            return Err(PyValueError::new_err("there is no such point"));
        }
        let study = &self.study;
        let mut outcomes = Vec::with_capacity(numbers.len());
        attended(py, |stop| {
            study.run_some(&numbers, threads, stop, &mut |outcome| {
                outcomes.push(told(outcome));
                true
            });
        })?;
        outcomes.sort_by_key(|o| o.0);
        Ok(outcomes)
    }

    /// Keeps outcomes that somebody else has computed.
    fn accept(&mut self, py: Python<'_>, outcomes: Vec<Told>) -> PyResult<()> {
        for outcome in outcomes {
            self.keep(heard(outcome)).map_err(|e| raise(py, e))?;
        }
        Ok(())
    }

    /// Computes what is left on this many threads; `progress` is told the numbers of points that are done.
    fn run(&mut self, py: Python<'_>, threads: usize, progress: Option<Py<PyAny>>) -> PyResult<()> {
        let left = self.left_numbers();
        let fresh = Mutex::new((Vec::new(), None));
        let study = &self.study;
        let journal = Mutex::new(&mut self.journal);
        let total = left.len();
        let tell = |py: Python<'_>| -> PyResult<()> {
            let done = fresh.lock().map_or(0, |f| f.0.len());
            match &progress {
                Some(progress) => progress
                    .call1(py, (done as f64 / total.max(1) as f64,))
                    .map(|_| ()),
                None => Ok(()),
            }
        };
        let ended = attended_with(py, &tell, |stop| {
            study.run_some(&left, threads, stop, &mut |outcome| {
                let kept = match journal.lock() {
                    Ok(mut journal) => match &mut **journal {
                        Some(journal) => journal.keep(study, outcome.clone()).err(),
                        None => None,
                    },
                    Err(_) => None,
                };
                let Ok(mut fresh) = fresh.lock() else {
                    return false;
                };
                fresh.0.push(outcome);
                fresh.1 = kept;
                fresh.1.is_none()
            });
        });
        let (outcomes, trouble) = fresh.into_inner().unwrap_or_default();
        self.done.extend(outcomes);
        match trouble {
            Some(e) => Err(raise(py, e)),
            None => ended,
        }
    }

    /// Writes the table if all points are there.
    fn finish(&mut self, py: Python<'_>) -> PyResult<()> {
        self.done.sort_by_key(|o| o.number);
        if let Some(journal) = self.journal.take() {
            journal.finish(&self.study).map_err(|e| raise(py, e))?;
        }
        Ok(())
    }

    /// Numbers, verdicts, messages and steps of the points that are there, in order.
    fn outcomes(&self) -> Vec<(usize, String, String, u64)> {
        let all = self.done.iter();
        all.map(|o| (o.number, o.verdict.clone(), o.message.clone(), o.steps))
            .collect()
    }

    /// Values of the points that are there, in order: a row for each.
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let rows: Vec<Vec<f64>> = self.done.iter().map(|o| o.values.clone()).collect();
        if rows.is_empty() {
            return Ok(PyArray2::zeros(py, [0, self.study.outputs().len()], false));
        }
        PyArray2::from_vec2(py, &rows).map_err(|e| PyValueError::new_err(e.to_string()))
    }
}

fn attended(py: Python<'_>, work: impl FnOnce(&StopFlag) + Send) -> PyResult<()> {
    attended_with(py, &|_| Ok(()), work)
}

/// Does work on another thread while this one looks after the interpreter; what it raises stops the work
/// and comes back.
pub fn attended_with(
    py: Python<'_>,
    tell: &dyn Fn(Python<'_>) -> PyResult<()>,
    work: impl FnOnce(&StopFlag) + Send,
) -> PyResult<()> {
    let stop = StopFlag::default();
    let (done, finished) = std::sync::mpsc::channel::<()>();
    let mut raised = None;
    std::thread::scope(|scope| {
        let flag = &stop;
        scope.spawn(move || {
            work(flag);
            drop(done);
        });
        let finished = Mutex::new(finished);
        loop {
            let waited = py.detach(|| match finished.lock() {
                Ok(finished) => finished.recv_timeout(BREATH).err(),
                Err(_) => None,
            });
            if waited != Some(std::sync::mpsc::RecvTimeoutError::Timeout) {
                break;
            }
            if raised.is_none() {
                raised = py.check_signals().and_then(|()| tell(py)).err();
                if raised.is_some() {
                    stop.raise();
                }
            }
        }
        // the thread may need the interpreter no more
    });
    match raised {
        Some(e) => Err(e),
        None => tell(py),
    }
}
