//! Results: columns become arrays without a copy, the rest is told as JSON that Python reads once.

use crate::errors::explanation;
use crate::model::Fixed;

use linkwork::store::{self, MODEL_FILE, Manifest};
use linkwork::summary::Summary;
use linkwork::table::{self, FORMATS, Table};
use linkwork::view::lanes::Story;
use linkwork::view::pages;
use linkwork::{Run, events};
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use serde_json::json;
use std::path::PathBuf;

/// A table whose columns are handed to Python when they are asked for.
pub struct Columns {
    table: Table,
    /// Times first.
    arrays: Vec<Option<Py<PyArray1<f64>>>>,
}

impl Columns {
    /// The columns of a table.
    pub fn new(table: Table) -> Columns {
        let arrays = table.channels().len() + 1;
        Columns {
            table,
            arrays: (0..arrays).map(|_| None).collect(),
        }
    }

    /// The array of a column, times first; it owns what the table had.
    pub fn array<'py>(&mut self, py: Python<'py>, i: usize) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let array = self.arrays.get(i);
        let array = array.ok_or_else(|| PyValueError::new_err("there is no such column"))?;
        if let Some(array) = array {
            return Ok(array.bind(py).clone());
        }
        let values = match i {
            0 => self.table.take_times(),
            i => self.table.take_column(i - 1),
        };
        let array = PyArray1::from_vec(py, values);
        // results are what was computed; who wants to change them takes a copy
        array.getattr("flags")?.setattr("writeable", false)?;
        self.arrays[i] = Some(array.clone().unbind());
        Ok(array)
    }

    /// Names and units.
    pub fn channels(&self) -> Vec<(String, String)> {
        let channels = self.table.channels().iter();
        channels.map(|c| (c.name.clone(), c.unit.clone())).collect()
    }

    /// The table with all its columns.
    pub fn whole(&self, py: Python<'_>) -> Table {
        let mut whole = self.table.clone();
        for (i, array) in self.arrays.iter().enumerate() {
            let Some(array) = array else {
                continue;
            };
            let values: PyReadonlyArray1<'_, f64> = array.bind(py).readonly();
            let values = values.as_array().to_vec();
            match i {
                0 => whole.put_times(values),
                i => whole.put_column(i - 1, values),
            }
        }
        whole
    }
}

/// The result of a run.
#[pyclass(module = "linkwork._linkwork")]
pub struct RunData {
    run: Run,
    columns: Columns,
    model: Option<Fixed>,
    story: Option<Story>,
    /// The summary of a run that was opened from its files.
    opened: Option<String>,
    /// Where it was opened from.
    folder: PathBuf,
    name: String,
}

impl RunData {
    /// A run of this model.
    pub fn new(mut run: Run, model: Option<Fixed>, story: Option<Story>) -> RunData {
        let notes = model.iter().flat_map(|m| m.notes.clone());
        run.notes.extend(notes.map(linkwork::Note::Import));
        run.notes.extend(model.iter().flat_map(|m| m.looks.clone()));
        let table = std::mem::take(&mut run.table);
        RunData {
            name: run.model.clone(),
            columns: Columns::new(table),
            run,
            model,
            story,
            opened: None,
            folder: PathBuf::new(),
        }
    }

    /// The run with its table.
    fn whole(&self, py: Python<'_>) -> Run {
        let mut run = self.run.clone();
        run.table = self.columns.whole(py);
        run
    }
}

#[pymethods]
impl RunData {
    /// Times of the rows.
    fn times<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.columns.array(py, 0)
    }

    /// The values of a channel by its number.
    fn column<'py>(&mut self, py: Python<'py>, i: usize) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.columns.array(py, i + 1)
    }

    /// Names and units of the channels.
    fn channels(&self) -> Vec<(String, String)> {
        self.columns.channels()
    }

    /// The summary as JSON.
    fn summary(&self, py: Python<'_>) -> String {
        match &self.opened {
            Some(summary) => summary.clone(),
            None => Summary::new(&self.whole(py), &[]).to_json(),
        }
    }

    /// Name of the model.
    #[getter]
    fn model(&self) -> &str {
        &self.name
    }

    /// The verdict in one word; `None` where it is not known here.
    #[getter]
    fn verdict(&self) -> Option<&'static str> {
        self.opened.is_none().then(|| self.run.verdict.word())
    }

    /// Why it failed, in lines; advice names keywords.
    #[getter]
    fn failure(&self) -> Option<String> {
        self.run.failure().map(explanation)
    }

    /// Time, kind, name and outcome of every event.
    fn events(&self) -> Vec<(f64, String, String, String)> {
        let marks = match &self.opened {
            None => self
                .run
                .events
                .happenings
                .iter()
                .map(events::Mark::from)
                .collect(),
            Some(_) => events::read(&self.folder),
        };
        let all = marks.into_iter();
        all.map(|m: events::Mark| (m.t, m.kind, m.name, m.after))
            .collect()
    }

    /// Time, length, order, error, outcome and limiter of every attempted step, where they were kept.
    fn attempts(&self) -> Vec<(f64, f64, usize, Option<f64>, String, String)> {
        let all = self.run.attempts.iter();
        all.map(|s| {
            let words = (s.outcome.to_string(), s.limiter.clone());
            (s.t, s.step, s.order, s.error, words.0, words.1)
        })
        .collect()
    }

    /// The last time reached.
    #[getter]
    fn t_last(&self) -> f64 {
        self.run.t_last
    }

    /// Writes the results to a directory; the files.
    fn save(&self, py: Python<'_>, dir: PathBuf, formats: Vec<String>) -> PyResult<Vec<String>> {
        let stranger = formats
            .iter()
            .find(|f| FORMATS.iter().all(|e| e.name != **f));
        if let Some(stranger) = stranger {
            let known: Vec<&str> = FORMATS.iter().map(|f| f.name).collect();
            let message = format!(
                "there is no format `{stranger}`; there are {}",
                known.join(", ")
            );
            return Err(PyValueError::new_err(message));
        }
        let formats: Vec<_> = (FORMATS.iter())
            .filter(|e| formats.iter().any(|f| f == e.name))
            .collect();
        let run = self.whole(py);
        let model = &self.model;
        py.detach(|| {
            let mut files = store::store(&run, &dir, &formats).map_err(|e| e.to_string())?;
            if let Some(model) = model {
                let path = dir.join(MODEL_FILE);
                std::fs::write(&path, model.document.to_text())
                    .map_err(|e| format!("cannot write {}: {e}", path.display()))?;
                files.push(path.display().to_string());
                store::write_summary(&run, &dir, &files).map_err(|e| e.to_string())?;
            }
            Ok(files)
        })
        .map_err(|e: String| PyOSError::new_err(e))
    }

    /// The page that shows it.
    fn html(&self, py: Python<'_>) -> PyResult<String> {
        let run = self.whole(py);
        let subject = match &self.model {
            Some(model) => model.subject(),
            None => Default::default(),
        };
        let page = match &self.opened {
            None => pages::of_run(&run, &subject, self.story.clone()),
            Some(summary) => {
                let summary = serde_json::from_str(summary).unwrap_or_default();
                let marks = events::read(&self.folder);
                pages::of_results(&self.name, &run.table, summary, marks, &subject)
            }
        };
        Ok(page.html())
    }
}

/// Reads the results of an earlier run from their directory.
#[pyfunction]
pub fn open_run(dir: PathBuf) -> PyResult<RunData> {
    let table = table::read(&dir).map_err(|e| PyOSError::new_err(e.to_string()))?;
    let folder = match dir.is_dir() {
        true => dir.clone(),
        false => dir.parent().map_or_else(PathBuf::new, PathBuf::from),
    };
    let summary = std::fs::read_to_string(folder.join(linkwork::summary::SUMMARY_FILE)).ok();
    let text = std::fs::read_to_string(folder.join(MODEL_FILE)).ok();
    // results without a model, or with one that later versions do not read, still have their table
    let document = text.and_then(|text| {
        let document = linkwork::mbs::text::read(&text).ok()?;
        Some(Fixed {
            document: document.into(),
            source: crate::errors::Source {
                name: folder.join(MODEL_FILE).display().to_string(),
                text,
            }
            .into(),
            name: String::new(),
            notes: Vec::new(),
            looks: Vec::new(),
            laws: Vec::new(),
            slot: Default::default(),
        })
    });
    let name = folder.file_name().map(|n| n.to_string_lossy().into_owned());
    let mut data = RunData::new(Run::of_table(table), document, None);
    let cut = |m: Manifest| json!({"verdict": "interrupted", "model": m.model}).to_string();
    let cut = || Manifest::read(&folder).filter(|m| !m.finished).map(cut);
    data.opened = Some(summary.or_else(cut).unwrap_or_else(|| "{}".into()));
    data.name = name.unwrap_or_default();
    data.folder = folder;
    Ok(data)
}
