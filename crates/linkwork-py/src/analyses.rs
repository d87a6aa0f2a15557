//! The questions that can be asked of a model. Rust works without the interpreter's lock.

use crate::errors::{model_error, option_error};
use crate::law::Slot;
use crate::model::{Fixed, Model};
use crate::options;
use crate::run::RunData;
use crate::sweep::attended_with;
use crate::watch::Watch;
use linkwork::mbs::ModelError;
use linkwork::mbs::lint::lint;
use linkwork::mbs::repose::repose;
use linkwork::modes::{Point, named_modes};
use linkwork::observe::Both;
use linkwork::options::{COORDINATES, OPTIONS};
use linkwork::store::results_dir;
use linkwork::study::{Ask, Study, Watch as StudyWatch};
use linkwork::verify::{Look, verify};
use linkwork::view::lanes::{Lanes, Story};
use linkwork::{Note, OptionError, Options, Simulation, balance, kinematics as motion, plot};
use linkwork_problems::PROBLEMS;
use linkwork_problems::reproduce::STUDIES;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A simulation of a model, or the exception that says why there is none.
fn simulation(py: Python<'_>, fixed: &Fixed, options: &Options) -> PyResult<Simulation> {
    let made = py.detach(|| fixed.simulation(options.clone()));
    made.map_err(|e| model_error(py, &[e], &fixed.source))
}

/// Makes the same simulation with other options.
type Again<'a> = dyn Fn(&Options) -> Result<Simulation, ModelError> + Sync + 'a;
/// What keywords ask for.
fn look(verified: bool, estimated: bool) -> Option<Look> {
    match (verified, estimated) {
        (true, _) => Some(Look::Verify),
        (false, true) => Some(Look::Estimate),
        (false, false) => None,
    }
}

/// Runs with an eye on the interpreter; `again` is there if the run is looked at once more.
pub fn run(
    py: Python<'_>,
    mut simulation: Simulation,
    model: Option<Fixed>,
    progress: Option<Py<PyAny>>,
    with_story: bool,
    again: Option<(Look, &Again<'_>)>,
    slot: &Slot,
) -> PyResult<RunData> {
    simulation.settle();
    let settings = simulation.settings().map_err(|e| option_error(py, &e))?;
    let mut watch = Watch::new(progress).until(settings.t_end()).minding(slot);
    let done = py.detach(|| {
        let mut lanes = with_story.then(|| Lanes::new(simulation.system()));
        let run = match &mut lanes {
            Some(lanes) => simulation.run_with(&mut Both(&mut watch, lanes)),
            None => simulation.run_with(&mut watch),
        }?;
        let story = lanes.map(|lanes| lanes.story(simulation.system()));
        Ok((run, story))
    });
    let (mut run, mut story) = done.map_err(|e: OptionError| option_error(py, &e))?;
    watch.finish(py);
    if let (Some((look, again)), None) = (again, &watch.raised) {
        let mut looking = Watch::new(None);
        let asked = simulation.given().clone();
        let replaced =
            py.detach(|| verify(&mut run, (look, &asked), &mut |o| again(o), &mut looking));
        if let (Some(options), true) = (replaced, story.is_some()) {
            // the story of the run that was replaced
            story = py.detach(|| told_again(&options, again));
        }
        watch.raised = looking.raised;
    }
    let data = RunData::new(run, model, story);
    match taken(slot).or(watch.raised) {
        Some(raised) => Err(with_results(py, raised, data)?),
        None => Ok(data),
    }
}

/// The story of the steps of a run, which is made once more for it.
fn told_again(options: &Options, again: &Again<'_>) -> Option<Story> {
    let mut simulation = again(options).ok()?;
    simulation.settle();
    let mut lanes = Lanes::new(simulation.system());
    simulation.run_with(&mut lanes).ok()?;
    Some(lanes.story(simulation.system()))
}

/// What a function of the model has raised.
fn taken(slot: &Slot) -> Option<PyErr> {
    slot.lock().ok().and_then(|mut slot| slot.take())
}

/// The same as the end of an analysis.
fn raise(slot: &Slot) -> PyResult<()> {
    taken(slot).map_or(Ok(()), Err)
}

/// The exception with what was computed before it: `linkwork` wraps it as a run.
fn with_results(py: Python<'_>, raised: PyErr, data: RunData) -> PyResult<PyErr> {
    let value = raised.value(py);
    value.setattr("_linkwork_data", Py::new(py, data)?)?;
    Ok(raised)
}

/// Simulates a model.
#[pyfunction]
pub fn simulate(
    py: Python<'_>,
    model: &Bound<'_, Model>,
    given: &Bound<'_, PyDict>,
    progress: Option<Py<PyAny>>,
    with_story: bool,
    verified: bool,
    estimated: bool,
) -> PyResult<RunData> {
    let fixed = model.borrow_mut().fixed(py)?;
    let options = options::read(given, OPTIONS, "simulate")?;
    let mut simulation = simulation(py, &fixed, &options)?;
    if options.checkpoint.is_none() && simulation.names_checkpoint().is_some() {
        // where the command line puts it
        let dir = results_dir(simulation.name());
        std::fs::create_dir_all(&dir)?;
        simulation = simulation.saving_in(&dir);
    }
    let slot = fixed.slot.clone();
    let mut same = fixed.clone();
    let end = simulation.given().t_end;
    let duration = end.map(|t| t - fixed.document.model.start_time);
    let found = py.detach(|| lint(&fixed.document, duration));
    same.looks = Note::looks(&found).collect();
    let again = |options: &Options| same.simulation(options.clone());
    let again = look(verified, estimated).map(|look| (look, &again as &Again<'_>));
    run(
        py,
        simulation,
        Some(same.clone()),
        progress,
        with_story,
        again,
        &slot,
    )
}

/// Simulates a benchmark problem.
#[pyfunction]
pub fn simulate_problem(
    py: Python<'_>,
    name: &str,
    parameters: BTreeMap<String, f64>,
    given: &Bound<'_, PyDict>,
    progress: Option<Py<PyAny>>,
    verified: bool,
    estimated: bool,
) -> PyResult<RunData> {
    let Some(problem) = PROBLEMS.iter().find(|p| p.name == name) else {
        return Err(PyValueError::new_err(format!(
            "there is no problem `{name}`"
        )));
    };
    let options = options::read(given, OPTIONS, "simulate")?;
    let parameters: Vec<(String, f64)> = parameters.into_iter().collect();
    let system = (problem.build)(&parameters)
        .map_err(|e| PyValueError::new_err(format!("problem `{name}`: {e}")))?;
    let simulation = Simulation::new(system)
        .named(problem.name)
        .identified(&format!("problem {} {parameters:?}", problem.name))
        .t_end(problem.t_end)
        .options(options);
    let again = |options: &Options| {
        let system = (problem.build)(&parameters).map_err(ModelError::new)?;
        Ok(Simulation::new(system).options(options.clone()))
    };
    let again = look(verified, estimated).map(|look| (look, &again as &Again<'_>));
    let slot = Slot::default();
    run(py, simulation, None, progress, false, again, &slot)
}

/// Computes a motion that drives determine completely.
#[pyfunction]
pub fn kinematics(
    py: Python<'_>,
    model: &Bound<'_, Model>,
    given: &Bound<'_, PyDict>,
    progress: Option<Py<PyAny>>,
) -> PyResult<RunData> {
    let fixed = model.borrow_mut().fixed(py)?;
    let options = options::read(given, OPTIONS, "kinematics")?;
    let mut simulation = simulation(py, &fixed, &options)?;
    let mut watch = Watch::new(progress);
    let done = py.detach(|| motion::kinematics(&mut simulation, &mut |share| watch.goes_on(share)));
    let run = done.map_err(|e| match e {
        motion::Refused::Option(e) => option_error(py, &e),
        motion::Refused::Undetermined { message, help } => {
            let e = linkwork::mbs::ModelError::new(message).with_help(help);
            model_error(py, &[e], &Default::default())
        }
    })?;
    watch.finish(py);
    let slot = &fixed.slot.clone();
    let data = RunData::new(run, Some(fixed), None);
    match taken(slot).or(watch.raised) {
        Some(raised) => Err(with_results(py, raised, data)?),
        None => Ok(data),
    }
}

/// Finds the pose in which all forces balance: its outcome as JSON, units of the values, and the
/// model with that pose as its start, if there is one.
#[pyfunction]
pub fn equilibrium(
    py: Python<'_>,
    model: &Bound<'_, Model>,
    given: &Bound<'_, PyDict>,
) -> PyResult<(String, Vec<String>, Option<String>)> {
    let fixed = model.borrow_mut().fixed(py)?;
    let options = options::read(given, OPTIONS, "equilibrium")?;
    let mut simulation = simulation(py, &fixed, &options)?;
    let found = py.detach(|| balance::balance(&mut simulation));
    raise(&fixed.slot)?;
    let units = found.values.channels.iter().map(|c| c.unit.clone());
    let rest = found.state.as_ref().and_then(|_| {
        let mut settled = (*fixed.document).clone();
        repose(&mut settled.model, |name| found.values.get(name)).ok()?;
        Some(settled.to_text())
    });
    Ok((found.to_json(), units.collect(), rest))
}

/// Finds natural frequencies, damping and shapes, as JSON.
#[pyfunction]
pub fn modes(
    py: Python<'_>,
    model: &Bound<'_, Model>,
    at: &str,
    given: &Bound<'_, PyDict>,
) -> PyResult<String> {
    let point = Point::ALL.iter().find(|(word, _)| *word == at);
    let Some((_, point)) = point else {
        let known: Vec<&str> = Point::ALL.iter().map(|(word, _)| *word).collect();
        let message = format!(
            "at='{at}' is not possible; it is one of {}",
            known.join(", ")
        );
        return Err(PyValueError::new_err(message));
    };
    let fixed = model.borrow_mut().fixed(py)?;
    let options = options::read(given, OPTIONS, "modes")?;
    let mut simulation = simulation(py, &fixed, &options)?;
    let found = py.detach(|| named_modes(&mut simulation, *point));
    raise(&fixed.slot)?;
    Ok(found.map_err(|e| option_error(py, &e))?.to_json())
}

/// Looks at a model without running it, as JSON.
#[pyfunction]
pub fn check(
    py: Python<'_>,
    model: &Bound<'_, Model>,
    given: &Bound<'_, PyDict>,
    with_matrix: bool,
) -> PyResult<String> {
    let fixed = model.borrow_mut().fixed(py)?;
    let options = options::read(given, OPTIONS, "check")?;
    let simulation = simulation(py, &fixed, &options)?;
    let document = (*fixed.document).clone();
    let text = &fixed.source.text;
    let found = py.detach(|| linkwork_cli::findings(document, text, simulation, with_matrix));
    raise(&fixed.slot)?;
    Ok(found.map_err(|e| option_error(py, &e))?.to_string())
}

/// Studies which setting reaches an accuracy at the least cost: the outcome as JSON, and diagrams by what was
/// measured. `tried` are methods, formulations, tolerances, channels and digits.
#[pyfunction]
#[allow(clippy::type_complexity)]
pub fn study(
    py: Python<'_>,
    model: &Bound<'_, Model>,
    tried: (Vec<String>, Vec<String>, Vec<f64>, Vec<String>, Vec<f64>),
    threads: usize,
    limit: f64,
    given: &Bound<'_, PyDict>,
    progress: Option<Py<PyAny>>,
) -> PyResult<(String, BTreeMap<String, String>)> {
    let fixed = model.borrow_mut().fixed(py)?;
    let options = options::read(given, OPTIONS, "study")?;
    let base = simulation(py, &fixed, &options)?.given().clone();
    let usual = Ask::default();
    let (methods, formulations, tolerances, channels, digits) = tried;
    let ask = Ask {
        coordinates: match options.coordinates {
            Some(one) => vec![one],
            None => COORDINATES.map(String::from).to_vec(),
        },
        base,
        methods,
        formulations,
        tolerances: match tolerances.is_empty() {
            true => usual.tolerances,
            false => tolerances,
        },
        channels,
        digits,
        threads: threads.max(1),
        limit: Duration::try_from_secs_f64(limit)
            .map_err(|e| PyValueError::new_err(format!("limit={limit}: {e}")))?,
    };
    let share = AtomicU64::new(0);
    let tell = |py: Python<'_>| match &progress {
        Some(progress) => {
            let share = f64::from_bits(share.load(Ordering::Relaxed));
            progress.call1(py, (share,)).map(|_| ())
        }
        None => Ok(()),
    };
    let mut found = None;
    attended_with(py, &tell, |stop| {
        let watch = StudyWatch {
            stop: stop.clone(),
            tell: &|done, all| {
                let done = done as f64 / all.max(1) as f64;
                share.store(done.to_bits(), Ordering::Relaxed);
            },
        };
        let build =
            |options: &Options| fixed.simulation(options.clone()).map_err(|e| e.to_string());
        found = Some(Study::conduct(&ask, &build, &watch));
    })?;
    raise(&fixed.slot)?;
    let Some(found) = found else {
        return Err(PyRuntimeError::new_err("the study has no end"));
    };
    let found = found.map_err(|e| {
        let help = e.help.map_or(String::new(), |help| format!("; {help}"));
        PyValueError::new_err(format!("{}{help}", e.message))
    })?;
    let diagram = |(i, name): (usize, &String)| (name.clone(), plot::beside(&found.figures(i)));
    let diagrams = found.measures.iter().enumerate().map(diagram).collect();
    Ok((found.to_object(&ask.base).to_string(), diagrams))
}

/// Computes a published table again: columns, rows (label, paper, measured) and notes.
#[pyfunction]
#[allow(clippy::type_complexity)]
pub fn reproduce(
    py: Python<'_>,
    id: &str,
) -> PyResult<(
    Vec<String>,
    Vec<(String, Vec<Option<f64>>, Vec<Option<f64>>)>,
    Vec<String>,
)> {
    let Some(entry) = STUDIES.iter().find(|e| e.id == id) else {
        let known: Vec<&str> = STUDIES.iter().map(|e| e.id).collect();
        let message = format!("there is no study `{id}`; there are {}", known.join(", "));
        return Err(PyValueError::new_err(message));
    };
    let study = py.detach(|| (entry.run)());
    let study = study.map_err(|why| {
        PyRuntimeError::new_err(format!("study `{id}` could not be computed: {why}"))
    })?;
    let columns = study.columns.iter().map(ToString::to_string).collect();
    let account = entry.account(&study);
    let rows = study.rows.into_iter();
    let rows = rows.map(|r| (r.label.to_string(), r.paper, r.measured));
    let notes = study.notes.into_iter().chain(account);
    Ok((columns, rows.collect(), notes.collect()))
}
