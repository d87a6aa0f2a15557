//! Equations of one's own, by functions of Python.

use crate::analyses;
use crate::law::{Slot, has_raised, keep, numbers};
use crate::options;
use crate::run::RunData;
use linkwork::Simulation;
use linkwork::dae::residual::{Blackbox, Residual};
use linkwork::dae::state::State;
use linkwork::dae::switching::{Crossing, Sense, Switch};
use linkwork::dae::system::{After, At, Dims, Guess};
use linkwork::options::OPTIONS;
use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::sync::Arc;

/// Functions of Python and the sizes they work on.
struct Functions {
    residual: Py<PyAny>,
    constraint: Option<Py<PyAny>>,
    nonholonomic: Option<Py<PyAny>>,
    rates: Option<Py<PyAny>>,
    dims: Dims,
    start: Guess,
    scale: Vec<f64>,
    events: Vec<Event>,
    switches: Vec<Switch>,
    slot: Slot,
}

/// A function whose zeros are events.
struct Event {
    function: Py<PyAny>,
    /// What velocities, and states where there are some, are after it.
    jump: Option<Py<PyAny>>,
    terminal: bool,
}

/// Function, name, whether zeros count where it rises (1), falls (-1) or both (0), what jumps, whether it ends
/// the run.
type Given = (Py<PyAny>, String, i32, Option<Py<PyAny>>, bool);

impl Event {
    fn new((function, name, direction, jump, terminal): Given) -> (Event, Switch) {
        let sense = match direction {
            0 => Sense::Both,
            d if d > 0 => Sense::Rising,
            _ => Sense::Falling,
        };
        let mut switch = Switch::new(format!("event `{name}`"), sense);
        switch.recorded = true;
        let event = Event {
            function,
            jump,
            terminal,
        };
        (event, switch)
    }
}

#[derive(Clone)]
struct Equations(Arc<Functions>);

/// An argument of a function.
enum Argument<'a> {
    Time(f64),
    Array(&'a [f64]),
}

impl Equations {
    /// Calls a function with what it wants to know; there is no value once something was raised.
    fn call(&self, function: &Py<PyAny>, whose: &str, given: &[Argument<'_>], out: &mut [f64]) {
        if has_raised(&self.0.slot) {
            out.fill(f64::NAN);
            return;
        }
        let called = Python::attach(|py| {
            let given: PyResult<Vec<Bound<'_, PyAny>>> = (given.iter())
                .map(|argument| {
                    Ok(match argument {
                        Argument::Time(t) => t.into_pyobject(py)?.into_any(),
                        Argument::Array(x) => PyArray1::from_slice(py, x).into_any(),
                    })
                })
                .collect();
            let back = function.call1(py, PyTuple::new(py, given?)?)?;
            numbers(back.bind(py), out, whose)
        });
        if let Err(raised) = called {
            keep(&self.0.slot, raised);
            out.fill(f64::NAN);
        }
    }
}

impl Residual for Equations {
    fn dims(&self) -> Dims {
        self.0.dims
    }

    fn start(&self) -> Guess {
        self.0.start.clone()
    }

    fn residual(&self, at: &At<'_>, r: &mut [f64]) {
        let mut given = vec![
            Argument::Time(at.t),
            Argument::Array(at.q),
            Argument::Array(at.v),
            Argument::Array(at.a),
            Argument::Array(at.lambda),
        ];
        if self.0.dims.nx > 0 {
            given.push(Argument::Array(at.x));
        }
        self.call(&self.0.residual, "residual", &given, r);
    }

    fn constraint(&self, t: f64, q: &[f64], c: &mut [f64]) {
        if let Some(function) = &self.0.constraint {
            let given = [Argument::Time(t), Argument::Array(q)];
            self.call(function, "constraint", &given, c);
        }
    }

    fn nonholonomic(&self, t: f64, q: &[f64], v: &[f64], g: &mut [f64]) {
        if let Some(function) = &self.0.nonholonomic {
            let given = [Argument::Time(t), Argument::Array(q), Argument::Array(v)];
            self.call(function, "nonholonomic", &given, g);
        }
    }

    fn rates(&self, at: &At<'_>, f: &mut [f64]) {
        if let Some(function) = &self.0.rates {
            let given = [
                Argument::Time(at.t),
                Argument::Array(at.q),
                Argument::Array(at.v),
                Argument::Array(at.x),
            ];
            self.call(function, "rates", &given, f);
        }
    }

    fn scale(&self, out: &mut [f64]) {
        out.copy_from_slice(&self.0.scale);
    }

    fn switches(&self) -> &[Switch] {
        &self.0.switches
    }

    fn switch_values(&self, s: &State, out: &mut [f64]) {
        for (event, out) in self.0.events.iter().zip(out) {
            let value = std::slice::from_mut(out);
            self.call(&event.function, "events", &arguments(s), value);
            if value[0].is_nan() {
                let why = format!("an event has no value at t = {}", s.t);
                keep(&self.0.slot, PyValueError::new_err(why));
            }
        }
    }

    fn on_switch(&self, crossed: &[Crossing], s: &mut State) -> After {
        let mut after = After::Continue;
        for event in crossed.iter().filter_map(|c| self.0.events.get(c.switch)) {
            if let Some(jump) = &event.jump {
                let n = s.v.len();
                let mut new = vec![0.0; n + s.x.len()];
                self.call(jump, "jump", &arguments(s), &mut new);
                s.v.copy_from_slice(&new[..n]);
                s.x.copy_from_slice(&new[n..]);
                after = After::Jump;
            }
            if event.terminal {
                return After::Stop;
            }
        }
        after
    }
}

/// What functions of the state are called with.
fn arguments(s: &State) -> Vec<Argument<'_>> {
    let mut given = vec![
        Argument::Time(s.t),
        Argument::Array(&s.q),
        Argument::Array(&s.v),
    ];
    if !s.x.is_empty() {
        given.push(Argument::Array(&s.x));
    }
    given
}

/// How many numbers a function gives; none without a function.
fn count(
    py: Python<'_>,
    function: Option<&Py<PyAny>>,
    given: &[Bound<'_, PyAny>],
) -> PyResult<usize> {
    let Some(function) = function else {
        return Ok(0);
    };
    let back = function.call1(py, PyTuple::new(py, given)?)?;
    match back.extract::<f64>(py) {
        Ok(_) => Ok(1),
        Err(_) => Ok(back.extract::<Vec<f64>>(py)?.len()),
    }
}

/// Integrates equations of motion with constraints, given by functions.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn solve_dae(
    py: Python<'_>,
    residual: Py<PyAny>,
    constraint: Option<Py<PyAny>>,
    nonholonomic: Option<Py<PyAny>>,
    rates: Option<Py<PyAny>>,
    t: f64,
    q: Vec<f64>,
    v: Vec<f64>,
    x: Vec<f64>,
    scale: Vec<f64>,
    events: Vec<Given>,
    given: &Bound<'_, PyDict>,
    progress: Option<Py<PyAny>>,
) -> PyResult<RunData> {
    let array = |x: &[f64]| PyArray1::from_slice(py, x).into_any();
    let time = t.into_pyobject(py)?.into_any();
    let places = [time.clone(), array(&q)];
    let nc = count(py, constraint.as_ref(), &places)?;
    let ng = count(py, nonholonomic.as_ref(), &[time, array(&q), array(&v)])?;
    let dims = Dims {
        nq: q.len(),
        nv: v.len(),
        nc,
        ng,
        nx: x.len(),
    };
    let options = options::read(given, OPTIONS, "solve_dae")?;
    let slot = Slot::default();
    let start = Guess {
        t,
        x,
        ..Guess::at(&q, &v)
    };
    let (events, switches) = events.into_iter().map(Event::new).unzip();
    let equations = Equations(Arc::new(Functions {
        residual,
        constraint,
        nonholonomic,
        rates,
        dims,
        start,
        scale,
        events,
        switches,
        slot: slot.clone(),
    }));
    let system = py.detach(|| Box::new(Blackbox::new(equations)));
    let simulation = Simulation::new(system).named("equations").options(options);
    analyses::run(py, simulation, None, progress, false, None, &slot)
}
