//! Extension module `linkwork._linkwork`: the crates as Python sees them. The front that people use is
//! `python/linkwork`; here is what it cannot do in Python: models as trees of values, runs without the
//! interpreter's lock, arrays without a copy.

mod analyses;
mod coupled;
mod dae;
mod errors;
mod law;
mod model;
mod options;
mod registry;
mod run;
mod sweep;
mod values;
mod watch;

use pyo3::prelude::*;
use pyo3::types::PyModule;
use std::ffi::OsString;

/// Runs the command line with these arguments, the name of the program first; its exit code.
#[pyfunction]
fn main_from(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| linkwork_cli::main_from(arguments))
}

/// What the package is made of.
#[pymodule]
fn _linkwork(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<model::Model>()?;
    module.add_class::<run::RunData>()?;
    module.add_class::<coupled::CoupledData>()?;
    module.add_class::<sweep::Sweep>()?;
    module.add_function(wrap_pyfunction!(main_from, module)?)?;
    module.add_function(wrap_pyfunction!(analyses::simulate, module)?)?;
    module.add_function(wrap_pyfunction!(analyses::simulate_problem, module)?)?;
    module.add_function(wrap_pyfunction!(analyses::kinematics, module)?)?;
    module.add_function(wrap_pyfunction!(analyses::equilibrium, module)?)?;
    module.add_function(wrap_pyfunction!(analyses::modes, module)?)?;
    module.add_function(wrap_pyfunction!(analyses::check, module)?)?;
    module.add_function(wrap_pyfunction!(analyses::study, module)?)?;
    module.add_function(wrap_pyfunction!(analyses::reproduce, module)?)?;
    module.add_function(wrap_pyfunction!(coupled::cosim, module)?)?;
    module.add_function(wrap_pyfunction!(dae::solve_dae, module)?)?;
    module.add_function(wrap_pyfunction!(run::open_run, module)?)?;
    module.add_function(wrap_pyfunction!(registry::registry, module)?)?;
    module.add_function(wrap_pyfunction!(registry::examples, module)?)?;
    Ok(())
}
