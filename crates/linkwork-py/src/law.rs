//! Functions of Python as parts of a model: laws that turn signals into signals, which forces, torques and
//! controls use by name.
//!
//! Derivatives are central differences unless a function gives them. What a function raises is kept, the
//! law has no value from then on, and the run ends; whoever started it raises the exception.

use linkwork::mbs::control::{Control, ControlTerms, Sampling};
use linkwork::mbs::part::{Keys, OfKind, Part};
use linkwork::mbs::text::Document;
use linkwork::mbs::{Formula, ModelError};
use linkwork::sweep::{Insert, Trouble};
use numpy::{PyArray1, PyArrayDyn, PyArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyList, PyString, PyTuple};
use std::sync::{Arc, Mutex};

/// What a function has raised during a run, if it has.
pub type Slot = Arc<Mutex<Option<PyErr>>>;

/// Keeps the first exception.
pub fn keep(slot: &Slot, raised: PyErr) {
    if let Ok(mut slot) = slot.lock() {
        slot.get_or_insert(raised);
    }
}

/// Whether something was raised before.
pub fn has_raised(slot: &Slot) -> bool {
    slot.lock().map_or(true, |slot| slot.is_some())
}

/// A law as it was given.
#[derive(Debug)]
pub struct Law {
    /// Name of the control.
    pub name: String,
    /// The function: inputs in, outputs out; of a sampled law memory follows the inputs, and the new one
    /// the outputs.
    pub function: Py<PyAny>,
    /// Derivatives of the outputs by the inputs, if they are given.
    pub jacobian: Option<Py<PyAny>>,
    /// What it looks at: formulas of time, parameters and signals.
    pub inputs: Vec<String>,
    /// How many numbers it gives.
    pub outputs: usize,
    /// The clockwork of a sampled law.
    pub sampling: Option<Sampling>,
    /// What tells its function from others.
    pub code: String,
}

/// A law during a run.
#[derive(Clone, Debug)]
struct Running {
    law: Arc<Law>,
    inputs: Vec<Formula>,
    slot: Slot,
    /// The event that it decides about: without a value it would never happen, in silence.
    event: Option<String>,
}

/// Puts laws in the place of the inputs that stand for them in the text of a model.
pub fn place(document: &mut Document, laws: &[Arc<Law>], slot: &Slot) -> Result<(), ModelError> {
    for law in laws {
        let parameters = document.parameters();
        let formula = |text: &String| {
            let parsed = Formula::parse_with(text, parameters, true);
            parsed.map(|(formula, _)| formula).map_err(|e| {
                let message = format!("control `{}`: input `{text}`: {}", law.name, e.message);
                ModelError::new(message).of(&law.name, Some("inputs"))
            })
        };
        let inputs = law.inputs.iter().map(formula).collect::<Result<_, _>>()?;
        let names = |f: &Formula| f.signals().iter().any(|s| s.name == law.name);
        let event = document.model.events.iter().find(|e| names(&e.when));
        let event = event.map(|e| e.name.clone());
        let mut controls = document.model.controls.iter_mut();
        if let Some(control) = controls.find(|c| c.name == law.name) {
            control.control = Arc::new(Running {
                law: law.clone(),
                inputs,
                slot: slot.clone(),
                event,
            });
        }
    }
    Ok(())
}

/// Laws of a model that is run many times.
pub struct Laws(pub Vec<Arc<Law>>);

impl Insert for Laws {
    fn insert(&self, document: &mut Document) -> Result<Trouble, ModelError> {
        let slot = Slot::default();
        place(document, &self.0, &slot)?;
        // what is raised at one point is that point's trouble
        let raised = move || slot.lock().ok().and_then(|mut slot| slot.take());
        Ok(Box::new(move || {
            let raised = raised()?;
            Some(Python::attach(|py| {
                let kind = raised.get_type(py).name().map(|name| name.to_string());
                format!("{}: {}", kind.unwrap_or_default(), raised.value(py))
            }))
        }))
    }

    fn identity(&self) -> String {
        let law = |law: &Arc<Law>| {
            let clock = law.sampling.as_ref().map(|s| (s.period, &s.memory));
            let (name, inputs, code) = (&law.name, &law.inputs, &law.code);
            format!("\n{name} {inputs:?} {clock:?} {code}")
        };
        self.0.iter().map(law).collect()
    }
}

impl Running {
    /// Does something with the interpreter, unless that went wrong before.
    fn call(&self, work: impl FnOnce(Python<'_>) -> PyResult<()>) -> bool {
        if has_raised(&self.slot) {
            return false;
        }
        match Python::attach(work) {
            Ok(()) => true,
            Err(raised) => {
                keep(&self.slot, raised);
                false
            }
        }
    }

    fn value(&self, py: Python<'_>, u: &[f64], y: &mut [f64]) -> PyResult<()> {
        let given = self.law.function.call1(py, PyTuple::new(py, u)?)?;
        numbers(given.bind(py), y, &self.law.name)?;
        match &self.event {
            Some(event) if y.iter().any(|y| y.is_nan()) => Err(PyValueError::new_err(format!(
                "the function that event `{event}` watches gave nan"
            ))),
            _ => Ok(()),
        }
    }
}

/// The numbers that a function gives: one alone, or as many as there is room for, in a sequence, an array, or
/// a sequence of sequences.
pub fn numbers(given: &Bound<'_, PyAny>, out: &mut [f64], whose: &str) -> PyResult<()> {
    let wanted = out.len();
    let mut count = 0;
    let mut put = |x: f64| {
        if let Some(place) = out.get_mut(count) {
            *place = x;
        }
        count += 1;
    };
    let readable = spread(given, 2, &mut put)?;
    if readable && count == wanted {
        return Ok(());
    }
    let wanted = match wanted {
        1 => "a number".to_string(),
        n => format!("{n} numbers"),
    };
    let found = match readable {
        true => count.to_string(),
        false => given.get_type().name()?.to_string(),
    };
    Err(PyTypeError::new_err(format!(
        "the function of `{whose}` must give {wanted}, not {found}"
    )))
}

/// Hands over the numbers that something is or holds, down to some depth; whether it is made of numbers.
fn spread(given: &Bound<'_, PyAny>, depth: usize, put: &mut dyn FnMut(f64)) -> PyResult<bool> {
    // what is usual is looked for first: a question that fails costs as much as a call
    if let Ok(x) = given.cast::<PyFloat>() {
        put(x.value());
        return Ok(true);
    }
    if let Ok(array) = given.cast::<PyArrayDyn<f64>>() {
        array.readonly().as_array().iter().for_each(|x| put(*x));
        return Ok(true);
    }
    let is_list = given.is_instance_of::<PyTuple>() || given.is_instance_of::<PyList>();
    if !is_list && let Ok(x) = given.extract::<f64>() {
        put(x);
        return Ok(true);
    }
    if depth == 0 || given.is_instance_of::<PyString>() {
        return Ok(false);
    }
    let Ok(items) = given.try_iter() else {
        return Ok(false);
    };
    for item in items {
        if !spread(&item?, depth - 1, put)? {
            return Ok(false);
        }
    }
    Ok(true)
}

impl Part for Running {
    // functions have no text
    fn keys(&mut self, _: &mut Keys<'_>) {}
}

impl OfKind for Running {
    fn kind(&self) -> &'static str {
        "python"
    }
}

impl Control for Running {
    fn inputs(&self) -> Vec<&Formula> {
        self.inputs.iter().collect()
    }

    fn outputs(&self) -> usize {
        self.law.outputs
    }

    fn feedthrough(&self) -> bool {
        self.law.sampling.is_none() && !self.law.inputs.is_empty()
    }

    fn output(&self, u: &[f64], _: &[f64], out: &mut ControlTerms) {
        let m = u.len();
        let done = self.call(|py| {
            self.value(py, u, &mut out.y)?;
            if let Some(jacobian) = &self.law.jacobian {
                let given = jacobian.call1(py, PyTuple::new(py, u)?)?;
                return numbers(given.bind(py), &mut out.y_u, &self.law.name);
            }
            // central differences: rounding and truncation meet near the cube root of the unit roundoff
            let mut moved = u.to_vec();
            let p = out.y.len();
            let (mut above, mut below) = (vec![0.0; p], vec![0.0; p]);
            for j in 0..m {
                let h = 6e-6 * u[j].abs().max(1.0);
                moved[j] = u[j] + h;
                self.value(py, &moved, &mut above)?;
                let up = moved[j];
                moved[j] = u[j] - h;
                self.value(py, &moved, &mut below)?;
                let span = up - moved[j];
                moved[j] = u[j];
                for i in 0..p {
                    out.y_u[i * m + j] = (above[i] - below[i]) / span;
                }
            }
            Ok(())
        });
        if !done {
            out.y.fill(f64::NAN);
            out.y_u.fill(f64::NAN);
        }
    }

    fn sampling(&self) -> Option<Sampling> {
        self.law.sampling.clone()
    }

    fn sample(&self, u: &[f64], z: &mut [f64], y: &mut [f64]) {
        let done = self.call(|py| {
            if z.is_empty() {
                return self.value(py, u, y);
            }
            let mut given: Vec<Bound<'_, PyAny>> = Vec::with_capacity(u.len() + 1);
            for x in u {
                given.push(x.into_pyobject(py)?.into_any());
            }
            given.push(PyArray1::from_slice(py, z).into_any());
            let back = self.law.function.call1(py, PyTuple::new(py, given)?)?;
            let pair: (Bound<'_, PyAny>, Bound<'_, PyAny>) = back.extract(py).map_err(|_| {
                let name = &self.law.name;
                PyTypeError::new_err(format!(
                    "the function of `{name}` must give a pair: outputs and new memory"
                ))
            })?;
            numbers(&pair.0, y, &self.law.name)?;
            numbers(&pair.1, z, &self.law.name)
        });
        if !done {
            y.fill(f64::NAN);
        }
    }
}
