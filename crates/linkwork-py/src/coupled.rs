//! Co-simulations: several models side by side.

use crate::errors::{Source, explanation, model_error, option_error};
use crate::options;
use crate::run::Columns;
use crate::watch::Watch;
use linkwork::beside;
use linkwork::catalogue;
use linkwork::cosim::summary::{CosimSummary, store};
use linkwork::cosim::{COSIM_OPTIONS, CoupledRun, CoupledSystem, Mistake};
use linkwork::dae::drive::Flow;
use linkwork::observe::StopFlag;
use linkwork::table::FORMATS;
use linkwork::view::coupled;
use numpy::PyArray1;
use pyo3::exceptions::{PyFileNotFoundError, PyKeyError, PyOSError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::{Path, PathBuf};

/// The result of a co-simulation.
#[pyclass(module = "linkwork._linkwork")]
pub struct CoupledData {
    run: CoupledRun,
    html: String,
    parts: Vec<(String, Columns)>,
}

#[pymethods]
impl CoupledData {
    /// Names of the subsystems; the last is that of the macro points.
    fn parts(&self) -> Vec<String> {
        self.parts.iter().map(|(name, _)| name.clone()).collect()
    }

    /// Names and units of the channels of a subsystem.
    fn channels(&self, part: &str) -> PyResult<Vec<(String, String)>> {
        let found = self.parts.iter().find(|(name, _)| name == part);
        let found = found.ok_or_else(|| PyKeyError::new_err(part.to_string()))?;
        Ok(found.1.channels())
    }

    /// A column of a subsystem, times first.
    fn column<'py>(
        &mut self,
        py: Python<'py>,
        part: &str,
        i: usize,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let found = self.parts.iter_mut().find(|(name, _)| name == part);
        let found = found.ok_or_else(|| PyKeyError::new_err(part.to_string()))?;
        found.1.array(py, i)
    }

    /// The summary as JSON.
    fn summary(&self) -> String {
        CosimSummary::new(&self.run, &[]).to_json()
    }

    /// Name of the system.
    #[getter]
    fn model(&self) -> &str {
        &self.run.name
    }

    /// The verdict in one word.
    #[getter]
    fn verdict(&self) -> &'static str {
        self.run.verdict.word()
    }

    /// Why it failed, in lines.
    #[getter]
    fn failure(&self) -> Option<String> {
        self.run.failure.as_ref().map(explanation)
    }

    /// The last time reached.
    #[getter]
    fn t_last(&self) -> f64 {
        self.run.t_last
    }

    /// The page that shows it.
    fn html(&self) -> &str {
        &self.html
    }

    /// Writes the results to a directory; the files.
    fn save(&self, py: Python<'_>, dir: PathBuf, formats: Vec<String>) -> PyResult<Vec<String>> {
        let formats: Vec<_> = (FORMATS.iter())
            .filter(|e| formats.iter().any(|f| f == e.name))
            .collect();
        let run = &self.run;
        py.detach(|| store(run, &dir, &formats))
            .map_err(|e| PyOSError::new_err(e.to_string()))
    }
}

fn mistakes(py: Python<'_>, mistakes: &[Mistake]) -> PyErr {
    let first = mistakes.first().map_or("", |m| m.file.as_str());
    let same = mistakes.iter().filter(|m| m.file == first);
    let errors: Vec<_> = same.clone().map(|m| m.error.clone()).collect();
    let text = mistakes.first().map_or("", |m| &m.text).to_string();
    let name = first.to_string();
    model_error(py, &errors, &Source { name, text })
}

fn load(py: Python<'_>, word: &str, set: &[String]) -> PyResult<(CoupledSystem, Source)> {
    let path = Path::new(word);
    let stem = path.file_stem().map(|s| s.to_string_lossy().into_owned());
    if path.is_file() {
        let text = std::fs::read_to_string(path)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut models = |word: &str| beside::text(folder, word);
        let stem = stem.unwrap_or_default();
        let system = CoupledSystem::read(&stem, word, &text, set, &mut models);
        let name = word.to_string();
        return Ok((system.map_err(|e| mistakes(py, &e))?, Source { name, text }));
    }
    let entry = catalogue::find_system(word).map_err(|near| {
        let help = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        let message = format!("`{word}` is neither a file nor a built-in system{help}");
        PyFileNotFoundError::new_err(message)
    })?;
    let file = format!("built-in system {}", entry.name);
    let mut models = |word: &str| {
        let part = catalogue::system_part(word);
        let text = part.ok_or_else(|| format!("there is no built-in model {word}"))?;
        Ok((format!("built-in model {word}"), text.to_string()))
    };
    let system = CoupledSystem::read(entry.name, &file, entry.text, set, &mut models);
    let text = entry.text.to_string();
    Ok((
        system.map_err(|e| mistakes(py, &e))?,
        Source { name: file, text },
    ))
}

/// Simulates a system of models.
#[pyfunction]
pub fn cosim(
    py: Python<'_>,
    system: &str,
    set: Vec<String>,
    given: &Bound<'_, PyDict>,
    progress: Option<Py<PyAny>>,
) -> PyResult<CoupledData> {
    let (system, source) = load(py, system, &set)?;
    let options = options::read(given, COSIM_OPTIONS, "cosim")?;
    let mut watch = Watch::new(progress);
    let looking = &mut watch;
    let done =
        py.detach(move || {
            let stop = StopFlag::default();
            let run = system.run_until(&options, &stop, &mut |share, _| match looking
                .goes_on(share)
            {
                true => Flow::Continue,
                false => Flow::Stop,
            })?;
            let shown = linkwork::view::Source {
                name: source.name.clone(),
                text: source.text.clone(),
                ..Default::default()
            };
            let folder = Path::new(&source.name).parent().unwrap_or(Path::new(""));
            let html = coupled::of_cosim(&run, &system, shown, folder).html();
            Ok((run, html))
        });
    let (run, html) = done.map_err(|e| option_error(py, &e))?;
    watch.finish(py);
    let parts = run.parts.iter();
    let mut parts: Vec<(String, Columns)> = parts
        .map(|p| (p.name.clone(), Columns::new(p.table.clone())))
        .collect();
    parts.push(("".into(), Columns::new(run.coupling.clone())));
    let data = CoupledData { run, html, parts };
    match watch.raised {
        Some(raised) => {
            let value = raised.value(py);
            value.setattr("_linkwork_data", Py::new(py, data)?)?;
            Err(raised)
        }
        None => Ok(data),
    }
}
