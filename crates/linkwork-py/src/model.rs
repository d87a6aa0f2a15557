//! Models: trees of values that the reader of model text reads, whether they come from a text or from
//! code.

use crate::errors::{Source, model_error};
use crate::law::{self, Law, Slot};
use crate::values;
use linkwork::catalogue::MODELS;
use linkwork::import::flexible::read_document;
use linkwork::import::{Base, Choices, Import, importer};
use linkwork::mbs::ModelError;
use linkwork::mbs::control::Sampling;
use linkwork::mbs::text::tree::{Content, Table, Value};
use linkwork::mbs::text::{self, Document, LISTS};
use linkwork::view::pages::Subject;
use linkwork::{Note, Options, Simulation};
use pyo3::exceptions::{PyFileNotFoundError, PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A model that was read, as analyses take it: it does not change any more.
#[derive(Clone)]
pub struct Fixed {
    /// What it says.
    pub document: Arc<Document>,
    /// Its text, if it has one.
    pub source: Arc<Source>,
    /// Its name where it does not say one.
    pub name: String,
    /// What of an imported file is not in it.
    pub notes: Vec<String>,
    /// What looks wrong with its numbers, if that was asked.
    pub looks: Vec<Note>,
    /// Functions that are parts of it.
    pub laws: Vec<Arc<Law>>,
    /// What they raise.
    pub slot: Slot,
}

/// The method of models with functions where none is named. Functions may count, remember and raise: they
/// are called for one run only, not for trials.
pub const METHOD_WITH_LAWS: &str = "bdf";

impl Fixed {
    /// A simulation with options that go before those of the model.
    pub fn simulation(&self, mut options: Options) -> Result<Simulation, ModelError> {
        let own = &self.document.simulation;
        if !self.laws.is_empty() && options.method.is_none() && !own.fields().has("method") {
            options.method = Some(METHOD_WITH_LAWS.into());
        }
        let simulation = match self.laws.is_empty() {
            true => Simulation::from_document_with(&self.document, options)?,
            false => {
                let mut document = (*self.document).clone();
                law::place(&mut document, &self.laws, &self.slot)?;
                Simulation::from_document_with(&document, options)?
            }
        };
        Ok(if self.document.model.name.is_empty() {
            simulation.named(&self.name)
        } else {
            simulation
        })
    }

    /// What a page of it is about.
    pub fn subject(&self) -> Subject<'_> {
        let written = self.source.text.is_empty();
        let text = match written {
            true => text::write_tree(self.document.tree()),
            false => self.source.text.clone(),
        };
        Subject {
            model: Some(&self.document.model),
            source: linkwork::view::Source {
                name: self.source.name.clone(),
                text,
                ..Default::default()
            },
            folder: Path::new(&self.source.name)
                .parent()
                .map_or_else(PathBuf::new, Path::to_path_buf),
        }
    }
}

/// A model.
#[pyclass(module = "linkwork._linkwork", subclass)]
#[derive(Clone)]
pub struct Model {
    tree: Table,
    source: Arc<Source>,
    name: String,
    notes: Vec<String>,
    laws: Vec<Arc<Law>>,
    /// The tree as it was read last; `None` after a change.
    read: Option<Arc<Document>>,
}

impl Model {
    /// A model from text; files that it names are in the folder of its own.
    fn of_text(
        py: Python<'_>,
        name: &str,
        source: Source,
        folder: Option<&Path>,
    ) -> PyResult<Model> {
        let none: [&str; 0] = [];
        let document =
            read_document(&source.text, &none, folder).map_err(|e| model_error(py, &e, &source))?;
        Ok(Model {
            tree: document.tree().clone(),
            source: Arc::new(source),
            name: name.to_string(),
            notes: Vec::new(),
            laws: Vec::new(),
            read: Some(Arc::new(document)),
        })
    }

    /// The model as it is now; mistakes become an exception.
    pub fn fixed(&mut self, py: Python<'_>) -> PyResult<Fixed> {
        let document = match &self.read {
            Some(document) => document.clone(),
            None => {
                let tree = self.tree.clone();
                let document = py.detach(|| text::read_tree(tree));
                let document = document.map_err(|e| model_error(py, &e, &self.source))?;
                self.read.insert(Arc::new(document)).clone()
            }
        };
        Ok(Fixed {
            document,
            source: self.source.clone(),
            name: self.name.clone(),
            notes: self.notes.clone(),
            looks: Vec::new(),
            laws: self.laws.clone(),
            slot: Slot::default(),
        })
    }

    /// Name, tree and functions, for many runs with other values.
    pub fn study(&self) -> (String, Table, Vec<Arc<Law>>) {
        (self.name(), self.tree.clone(), self.laws.clone())
    }

    fn item(&self, part: &str) -> PyResult<&Table> {
        let found = self.items().find(|(_, name, _)| *name == part);
        let found = found.map(|(_, _, table)| table);
        found.ok_or_else(|| PyKeyError::new_err(format!("nothing is called `{part}`")))
    }

    /// Section, name and table of every item.
    fn items(&self) -> impl Iterator<Item = (&'static str, &str, &Table)> {
        let sections = LISTS.into_iter().filter_map(|section| {
            let list = match &self.tree.get(section)?.content {
                Content::List(list) => list,
                _ => return None,
            };
            Some(list.iter().map(move |value| (section, value)))
        });
        sections.flatten().filter_map(|(section, value)| {
            let Content::Table(table) = &value.content else {
                return None;
            };
            match &table.get("name")?.content {
                Content::Text(name) => Some((section, name.as_str(), table)),
                _ => None,
            }
        })
    }

    fn raise(&self, py: Python<'_>, errors: &[ModelError]) -> PyErr {
        model_error(py, errors, &self.source)
    }
}

#[pymethods]
impl Model {
    #[new]
    #[pyo3(signature = (*_given, **_keys))]
    fn new(_given: &Bound<'_, PyTuple>, _keys: Option<&Bound<'_, PyDict>>) -> Model {
        Model {
            tree: Table::default(),
            source: Arc::new(Source::default()),
            name: "model".to_string(),
            notes: Vec::new(),
            laws: Vec::new(),
            read: None,
        }
    }

    /// Takes over what another model says.
    fn _become(&mut self, other: &Model) {
        *self = other.clone();
    }

    /// A model from text.
    #[staticmethod]
    fn _parse(py: Python<'_>, text: String, name: String) -> PyResult<Model> {
        let file = name.clone();
        Model::of_text(py, &name, Source { name: file, text }, None)
    }

    /// A model from a file or by the name of a built-in one; other formats are imported.
    #[staticmethod]
    #[pyo3(signature = (path, base=None, gravity=None, joints=Vec::new()))]
    fn _load(
        py: Python<'_>,
        path: PathBuf,
        base: Option<&str>,
        gravity: Option<[f64; 3]>,
        joints: Vec<String>,
    ) -> PyResult<Model> {
        let mut word = path.display().to_string();
        let mut path = path;
        if let Some(name) = word.strip_prefix(linkwork_cli::BUILT_IN) {
            // no file has an empty name
            (word, path) = (name.to_string(), PathBuf::new());
        }
        let built_in = MODELS.iter().find(|m| m.name == word);
        let guess = built_in.is_some() && !path.as_os_str().is_empty();
        linkwork_cli::unambiguous(&word, guess)
            .map_err(|why| PyValueError::new_err(why.trim().to_string()))?;
        let (name, file, text) = match built_in {
            Some(model) if !path.is_file() => (word, model.file.to_string(), model.text.into()),
            _ if path.is_file() => {
                let stem = path.file_stem().map(|s| s.to_string_lossy().into_owned());
                let text = std::fs::read_to_string(&path)?;
                (stem.unwrap_or_else(|| word.clone()), word, text)
            }
            _ => {
                let why = linkwork_cli::not_found(&word);
                return Err(PyFileNotFoundError::new_err(why.trim().to_string()));
            }
        };
        let Some(format) = importer(&text, &file) else {
            let folder = path.is_file().then(|| path.parent()).flatten();
            return Model::of_text(py, &name, Source { name: file, text }, folder);
        };
        let mut choices = Choices {
            joints,
            ..Choices::default()
        };
        if base == Some("floating") {
            choices.base = Base::Floating;
        }
        choices.gravity = gravity.unwrap_or(choices.gravity);
        let import: Import = (format.read)(&text, &file, &choices).map_err(|e| {
            let name = file.clone();
            model_error(py, &e, &Source { name, text })
        })?;
        let source = Source {
            name: file,
            text: import.text(),
        };
        let mut model = Model::of_text(py, &name, source, None)?;
        model.notes = import.account().split_off(1);
        Ok(model)
    }

    /// Adds an item to a section, or gives keys of `model`, `parameters` and `simulation` values.
    fn _add(&mut self, py: Python<'_>, section: &str, keys: &Bound<'_, PyDict>) -> PyResult<()> {
        let listed = LISTS.contains(&section);
        let part: String = match keys.get_item("name")? {
            Some(name) if listed => name.extract()?,
            _ => String::new(),
        };
        let title = match listed {
            true => format!("{section} `{part}`"),
            false => format!("[{section}]"),
        };
        let mut item = match &self.tree.get(section).map(|v| &v.content) {
            Some(Content::Table(table)) if !listed => table.clone(),
            _ => Table::default(),
        };
        for (key, value) in keys {
            let key: String = key.extract()?;
            let value = values::value(&value, (&title, &part), &key);
            if let Some(value) = value.map_err(|e| self.raise(py, &[e]))? {
                item.set(&key, value);
            }
        }
        let mistakes = text::check_item(&self.tree, section, &item);
        if !mistakes.is_empty() {
            return Err(self.raise(py, &mistakes));
        }
        self.read = None;
        let item = Value::new(Content::Table(item));
        if !listed {
            self.tree.set(section, item);
            return Ok(());
        }
        let mut entries = self.tree.entries.iter_mut();
        match entries
            .find(|e| e.key == section)
            .map(|e| &mut e.value.content)
        {
            Some(Content::List(list)) => list.push(item),
            _ => self
                .tree
                .set(section, Value::new(Content::List(vec![item]))),
        }
        Ok(())
    }

    /// Adds a function as a control; the text has another in its place, which is there already if the text
    /// is that of another model.
    #[pyo3(signature = (name, function, inputs, *, outputs, code, jacobian=None, period=None, memory=Vec::new(), there=false))]
    #[allow(clippy::too_many_arguments)]
    fn _law(
        &mut self,
        py: Python<'_>,
        name: &str,
        function: Py<PyAny>,
        inputs: Vec<String>,
        outputs: usize,
        code: String,
        jacobian: Option<Py<PyAny>>,
        period: Option<f64>,
        memory: Vec<f64>,
        there: bool,
    ) -> PyResult<()> {
        for given in [Some(&function), jacobian.as_ref()].into_iter().flatten() {
            if !given.bind(py).is_callable() {
                return Err(PyTypeError::new_err(format!("`{name}` needs a function")));
            }
        }
        let wrong = |message: &str| PyValueError::new_err(format!("`{name}`: {message}"));
        if period.is_some_and(|period| !(period.is_finite() && period > 0.0)) {
            return Err(wrong("the period must be greater than zero"));
        }
        if period.is_none() && !memory.is_empty() {
            return Err(wrong("only a sampled law has a memory; give its period"));
        }
        if outputs == 0 {
            return Err(wrong("a law gives at least one number"));
        }
        if !there {
            let keys = PyDict::new(py);
            keys.set_item("name", name)?;
            if outputs == 1 {
                keys.set_item("kind", "input")?;
            } else {
                // what has as many outputs, all zero
                keys.set_item("kind", "state_space")?;
                keys.set_item("inputs", [0.0])?;
                keys.set_item("a", [[0.0]])?;
                keys.set_item("b", [[0.0]])?;
                keys.set_item("c", vec![[0.0]; outputs])?;
            }
            self._add(py, "control", &keys)?;
        }
        self.laws.push(Arc::new(Law {
            name: name.to_string(),
            function,
            jacobian,
            inputs,
            outputs,
            sampling: period.map(|period| Sampling { period, memory }),
            code,
        }));
        Ok(())
    }

    /// The functions that are parts of it, as they were given.
    fn _laws_given<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for law in &self.laws {
            let given = PyDict::new(py);
            given.set_item("name", &law.name)?;
            given.set_item("function", &law.function)?;
            given.set_item("inputs", &law.inputs)?;
            given.set_item("outputs", law.outputs)?;
            given.set_item("code", &law.code)?;
            given.set_item("jacobian", &law.jacobian)?;
            given.set_item("period", law.sampling.as_ref().map(|s| s.period))?;
            let memory = law.sampling.iter().flat_map(|s| s.memory.clone());
            given.set_item("memory", memory.collect::<Vec<f64>>())?;
            list.append(given)?;
        }
        Ok(list)
    }

    /// Gives one key of one part another value; the model stays as it was if that is a mistake.
    fn _set(&mut self, py: Python<'_>, path: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let (part, key) = path.split_once('.').unwrap_or(("", path));
        let given = values::value(value, (&format!("override `{path}`"), part), key);
        let given = given.map_err(|e| self.raise(py, &[e]))?;
        let given = given.ok_or_else(|| {
            let e = ModelError::new(format!("override `{path}`: the value is missing"));
            self.raise(py, &[e])
        })?;
        let assignment = format!("{path}={}", value.str()?);
        let mut tree = self.tree.clone();
        text::assign(&mut tree, path, given, &assignment).map_err(|e| self.raise(py, &[e]))?;
        match text::read_tree(tree.clone()) {
            Ok(document) => self.read = Some(Arc::new(document)),
            Err(errors) => {
                // a model that is not complete yet has mistakes that are not this one's
                let own = |e: &ModelError| e.whose.as_ref().is_some_and(|w| w.part == part);
                let before = self.read.is_some() || text::read_tree(self.tree.clone()).is_ok();
                if before || errors.iter().any(own) {
                    return Err(self.raise(py, &errors));
                }
                self.read = None;
            }
        }
        self.tree = tree;
        Ok(())
    }

    /// The value of a key of a part as it was written; `None` where it was not.
    fn _get<'py>(&self, py: Python<'py>, path: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let (part, key) = path.split_once('.').unwrap_or(("parameters", path));
        let table = match self.tree.get(part).map(|v| &v.content) {
            Some(Content::Table(table)) => table,
            _ => self.item(part)?,
        };
        table.get(key).map(|v| values::object(py, v)).transpose()
    }

    /// Section, name and keys of every part.
    fn _items<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for (section, name, table) in self.items() {
            list.append((section, name, values::dict(py, table)?))?;
        }
        Ok(list)
    }

    /// Keys of `model`, `parameters` or `simulation`.
    fn _section<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyDict>> {
        match self.tree.get(name).map(|v| &v.content) {
            Some(Content::Table(table)) => values::dict(py, table),
            _ => Ok(PyDict::new(py)),
        }
    }

    /// The model as text, with the units and formulas it was given in.
    fn _to_toml(&self) -> String {
        text::write_tree(&self.tree)
    }

    /// The model as text with numbers in SI units only.
    fn _to_si_toml(&mut self, py: Python<'_>) -> PyResult<String> {
        Ok(self.fixed(py)?.document.to_text())
    }

    /// Reads the whole; mistakes become an exception.
    fn _read(&mut self, py: Python<'_>) -> PyResult<()> {
        self.fixed(py).map(|_| ())
    }

    /// Names of signals that formulas may use.
    fn _signals(&mut self, py: Python<'_>) -> PyResult<Vec<String>> {
        let fixed = self.fixed(py)?;
        let mut document = (*fixed.document).clone();
        law::place(&mut document, &fixed.laws, &fixed.slot).map_err(|e| self.raise(py, &[e]))?;
        Ok(document.model.signals())
    }

    /// Name of the model.
    #[getter]
    fn name(&self) -> String {
        match self.get_name() {
            Some(name) => name,
            None => self.name.clone(),
        }
    }

    /// What of an imported file is not in the model.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }
}

impl Model {
    fn get_name(&self) -> Option<String> {
        match &self.tree.get("model")?.content {
            Content::Table(table) => match &table.get("name")?.content {
                Content::Text(name) => Some(name.clone()),
                _ => None,
            },
            _ => None,
        }
    }
}
