//! Values of Python as values of model text, and back.

use linkwork::mbs::ModelError;
use linkwork::mbs::text::tree::{Content, Entry, Table, Value};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList, PyString, PyTuple};

/// The value that an argument stands for; `None` where it stands for nothing, which is as if it had not
/// been given. `title` and `key` are for messages: "body `rod`" and "mass".
pub fn value(
    given: &Bound<'_, PyAny>,
    (title, part): (&str, &str),
    key: &str,
) -> Result<Option<Value>, ModelError> {
    if given.is_none() {
        return Ok(None);
    }
    content(given)
        .map(|content| Some(Value::new(content)))
        .ok_or_else(|| {
            let kind = given.get_type().name().map(|n| n.to_string());
            let kind = kind.unwrap_or_else(|_| "this".into());
            let message = format!(
                "{title}: `{key}` must be a number, a text, true or false, or a list of them, not {kind}"
            );
            ModelError::new(message).of(part, Some(key))
        })
}

fn content(given: &Bound<'_, PyAny>) -> Option<Content> {
    if let Ok(flag) = given.cast::<PyBool>() {
        return Some(Content::Flag(flag.is_true()));
    }
    if let Ok(text) = given.cast::<PyString>() {
        return Some(Content::Text(text.to_str().ok()?.to_string()));
    }
    if let Ok(table) = given.cast::<PyDict>() {
        return Some(Content::Table(table_of(table)?));
    }
    if given.cast::<PyList>().is_ok() || given.cast::<PyTuple>().is_ok() {
        let items = given.try_iter().ok()?;
        let items = items.map(|item| Some(Value::new(content(&item.ok()?)?)));
        return Some(Content::List(items.collect::<Option<_>>()?));
    }
    // arrays and scalars of NumPy, columns of pandas
    if let Ok(plain) = given.call_method0("tolist") {
        return content(&plain);
    }
    if let Ok(path) = given.call_method0("__fspath__") {
        return content(&path);
    }
    given.extract::<f64>().ok().map(Content::Number)
}

fn table_of(given: &Bound<'_, PyDict>) -> Option<Table> {
    let mut table = Table::default();
    for (key, value) in given {
        let key: String = key.extract().ok()?;
        table.set(&key, Value::new(content(&value)?));
    }
    Some(table)
}

/// A value as Python writes it.
pub fn object<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match &value.content {
        Content::Text(text) | Content::Date(text) => PyString::new(py, text).into_any(),
        Content::Number(x) => x.into_pyobject(py)?.into_any(),
        Content::Flag(flag) => PyBool::new(py, *flag).to_owned().into_any(),
        Content::List(list) => {
            let items: PyResult<Vec<_>> = list.iter().map(|v| object(py, v)).collect();
            PyList::new(py, items?)?.into_any()
        }
        Content::Table(table) => dict(py, table)?.into_any(),
    })
}

/// A table as a dict.
pub fn dict<'py>(py: Python<'py>, table: &Table) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for Entry { key, value, .. } in &table.entries {
        dict.set_item(key, object(py, value)?)?;
    }
    Ok(dict)
}
