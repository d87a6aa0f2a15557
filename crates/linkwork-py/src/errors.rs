//! What goes wrong, as exceptions of the package. Their classes are those of `linkwork.errors`.

use linkwork::mbs::ModelError;
use linkwork::{Explanation, OptionError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// A text that mistakes may point into.
#[derive(Clone, Debug, Default)]
pub struct Source {
    /// Its name in messages.
    pub name: String,
    /// The text; empty for models made in code.
    pub text: String,
}

fn raise(py: Python<'_>, class: &str, message: &str, facts: &Bound<'_, PyDict>) -> PyErr {
    let made = (py.import("linkwork.errors"))
        .and_then(|module| module.getattr(class)?.call((message,), Some(facts)));
    match made {
        Ok(exception) => PyErr::from_value(exception),
        Err(e) => e,
    }
}

/// Mistakes of a model: the words are those of the command line, the facts those of the first.
pub fn model_error(py: Python<'_>, errors: &[ModelError], source: &Source) -> PyErr {
    let words = linkwork_cli::plain_complaints(errors, &source.name, &source.text);
    let made = || -> PyResult<Bound<'_, PyDict>> {
        let all = PyList::empty(py);
        for e in errors {
            all.append(facts(py, e, source)?)?;
        }
        let first = match errors.first() {
            Some(e) => facts(py, e, source)?,
            None => PyDict::new(py),
        };
        first.set_item("errors", all)?;
        Ok(first)
    };
    match made() {
        Ok(facts) => raise(py, "ModelError", words.trim_end(), &facts),
        Err(e) => e,
    }
}

fn facts<'py>(py: Python<'py>, e: &ModelError, source: &Source) -> PyResult<Bound<'py, PyDict>> {
    let facts = PyDict::new(py);
    let whose = e.whose.as_deref();
    let part = whose.map(|w| w.part.as_str()).filter(|p| !p.is_empty());
    let place = e.line_column(&source.text);
    facts.set_item("reason", &e.message)?;
    facts.set_item("part", part)?;
    facts.set_item("key", whose.and_then(|w| w.key.as_deref()))?;
    facts.set_item("line", place.map(|p| p.0))?;
    facts.set_item("column", place.map(|p| p.1))?;
    facts.set_item("help", e.help.as_deref())?;
    Ok(facts)
}

/// An option that cannot be honoured.
pub fn option_error(py: Python<'_>, e: &OptionError) -> PyErr {
    // what is written in a file elsewhere is a keyword here
    let help = e.help.as_deref().map(|help| match e.option {
        "t_end" => "give `t_end=1.0`, or write it in [simulation]",
        _ => help,
    });
    let message = match help {
        Some(help) => format!("{}\n  help: {help}", e.message),
        None => e.message.clone(),
    };
    let facts = PyDict::new(py);
    let set = facts.set_item("option", e.option);
    match set.and_then(|()| facts.set_item("help", help)) {
        Ok(()) => raise(py, "OptionError", &message, &facts),
        Err(e) => e,
    }
}

/// Why a run failed; advice names keywords.
pub fn explanation(why: &Explanation) -> String {
    let keyword = |option: &str, value: Option<&str>| match value {
        Some(value) if value.parse::<f64>().is_err() => format!("{option}=\"{value}\""),
        Some(value) => format!("{option}={value}"),
        None => option.to_string(),
    };
    why.text(|advice| advice.text(&keyword))
}
