//! Keywords as options: the table of options is the list of keywords.

use crate::errors::option_error;
use linkwork::OptionError;
use linkwork::mbs::spelling::nearest;
use linkwork::options::Opt;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};

/// Reads keywords into options; `None` is as good as not given.
pub fn read<O: Default>(
    given: &Bound<'_, PyDict>,
    table: &'static [Opt<O>],
    function: &str,
) -> PyResult<O> {
    let mut options = O::default();
    for (name, value) in given {
        let name: String = name.extract()?;
        if value.is_none() {
            continue;
        }
        let option = table.iter().find(|o| o.name == name);
        let option = option.ok_or_else(|| unknown(&name, table, function))?;
        let Some(text) = written(&value)? else {
            let kind = value.get_type().name()?;
            let message = format!("{function}: {name} cannot be of type {kind}");
            return Err(PyTypeError::new_err(message));
        };
        // the habit of others for "no bound"
        if name == "max_step" && text == "inf" {
            continue;
        }
        (option.set)(&mut options, &option.row, &text).map_err(|why| {
            let e = OptionError {
                option: option.name,
                message: format!("{name}={text}: {why}"),
                help: None,
            };
            option_error(given.py(), &e)
        })?;
    }
    Ok(options)
}

fn unknown<O>(name: &str, table: &'static [Opt<O>], function: &str) -> PyErr {
    let names: Vec<&str> = table.iter().map(|o| o.name).collect();
    let help = match nearest(name, names.iter().copied()) {
        Some(near) => format!("did you mean '{near}'?"),
        None => format!("known are {}", names.join(", ")),
    };
    PyTypeError::new_err(format!(
        "{function}() got an unexpected keyword argument '{name}'; {help}"
    ))
}

/// A value as it would be written on the command line.
fn written(value: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    if let Ok(flag) = value.cast::<PyBool>() {
        return Ok(Some(flag.is_true().to_string()));
    }
    if let Ok(text) = value.extract::<String>() {
        return Ok(Some(text));
    }
    if let Ok(path) = value.call_method0("__fspath__") {
        return Ok(Some(path.extract()?));
    }
    if let Ok(plain) = value.call_method0("tolist") {
        return written(&plain);
    }
    if let Ok(items) = value.try_iter() {
        let mut words = String::new();
        for item in items {
            let Some(word) = written(&item?)? else {
                return Ok(None);
            };
            // a comma behind each: a list of one is a list
            words.push_str(&word);
            words.push(',');
        }
        return Ok(Some(words));
    }
    if let Ok(count) = value.extract::<i64>() {
        return Ok(Some(count.to_string()));
    }
    Ok(value.extract::<f64>().ok().map(|x| format!("{x:?}")))
}
