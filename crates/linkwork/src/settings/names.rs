//! Names of options looked up, with the nearest known one where there is none.

use super::OptionError;
use crate::options::Scheme;
use linkwork_dae::control::{CONTROLLERS, ControllerEntry};
use linkwork_dae::formulation::index3::Scaling;
use linkwork_dae::formulation::{FORMULATIONS, FormulationEntry};
use linkwork_dae::stepper::gen_alpha::ErrorConstant;
use linkwork_dae::stepper::rosenbrock::ErrorEstimate;
use linkwork_dae::stepper::{STEPPERS, StepperEntry, Tuning};
use linkwork_mbs::spelling::nearest;

/// Error constants by name.
pub const ERROR_CONSTANTS: &[(&str, ErrorConstant)] = &[
    ("leading", ErrorConstant::Leading),
    ("unit", ErrorConstant::Unit),
];

/// Error estimates of linearly implicit methods by name.
pub const ERROR_ESTIMATES: &[(&str, ErrorEstimate)] = &[
    ("plain", ErrorEstimate::Plain),
    ("stiff", ErrorEstimate::Stiff),
];

/// Scalings by name.
pub const SCALINGS: &[(&str, Scaling)] = &[
    ("both", Scaling::Both),
    ("right", Scaling::Right),
    ("none", Scaling::None),
];

/// Names of a table.
pub fn names<T>(table: &[(&'static str, T)]) -> Vec<&'static str> {
    table.iter().map(|e| e.0).collect()
}

/// Names of the controls of step and order that BDF methods can be given.
pub fn order_controls() -> Vec<&'static str> {
    let multistep = CONTROLLERS.iter().filter(|c| c.multistep);
    multistep.map(|c| c.name).collect()
}

pub(super) fn order_control(wanted: &str) -> Result<&'static ControllerEntry, OptionError> {
    let found = CONTROLLERS.iter().filter(|c| c.multistep);
    let mut found = found.filter(|c| c.name == wanted);
    found
        .next()
        .ok_or_else(|| unknown("order_control", wanted, &order_controls()))
}

pub(super) fn tuning(scheme: &Scheme) -> Result<Tuning, OptionError> {
    let usual = Tuning::default();
    Ok(Tuning {
        rho: scheme.rho.unwrap_or(usual.rho),
        alpha: scheme.alpha.unwrap_or(usual.alpha),
        error_constant: pick("error_constant", &scheme.error_constant, ERROR_CONSTANTS)?
            .unwrap_or(usual.error_constant),
        error_estimate: pick("error_estimate", &scheme.error_estimate, ERROR_ESTIMATES)?
            .unwrap_or(usual.error_estimate),
        scaling: pick("scaling", &scheme.scaling, SCALINGS)?.unwrap_or(usual.scaling),
    })
}

/// The entry of a table that an option names.
fn pick<T: Copy>(
    option: &'static str,
    wanted: &Option<String>,
    table: &[(&'static str, T)],
) -> Result<Option<T>, OptionError> {
    let Some(wanted) = wanted else {
        return Ok(None);
    };
    match table.iter().find(|e| e.0 == wanted) {
        Some(entry) => Ok(Some(entry.1)),
        None => Err(unknown(option, wanted, &names(table))),
    }
}

/// Names of the methods with a property.
pub(super) fn methods(which: impl Fn(&StepperEntry) -> bool) -> String {
    let names: Vec<&str> = STEPPERS
        .iter()
        .filter(|e| which(e))
        .map(|e| e.name)
        .collect();
    names.join(", ")
}

pub(super) fn formulation_of(
    method: &'static StepperEntry,
    wanted: Option<&str>,
) -> Result<&'static FormulationEntry, OptionError> {
    let wanted = wanted.unwrap_or(method.formulations[0]);
    let entry = find("formulation", wanted, FORMULATIONS, |e| e.name)?;
    match method.takes(entry) {
        Ok(()) => Ok(entry),
        Err(e) => Err(OptionError::unfit("formulation", &e)),
    }
}

pub(super) fn find<T>(
    option: &'static str,
    wanted: &str,
    registry: &'static [T],
    name: fn(&T) -> &'static str,
) -> Result<&'static T, OptionError> {
    if let Some(entry) = registry.iter().find(|e| name(e) == wanted) {
        return Ok(entry);
    }
    let known: Vec<&str> = registry.iter().map(name).collect();
    Err(unknown(option, wanted, &known))
}

fn unknown(option: &'static str, wanted: &str, known: &[&str]) -> OptionError {
    let help = match nearest(wanted, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`? known are {}", known.join(", ")),
        None => format!("known are {}", known.join(", ")),
    };
    OptionError {
        option,
        message: format!("`{wanted}` is not a known {option}"),
        help: Some(help),
    }
}
