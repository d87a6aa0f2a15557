//! What can be chosen by name, from the registries.

use super::Choice;
use linkwork_dae::cosim::Approach;
use linkwork_dae::formulation::FORMULATIONS;
use linkwork_dae::jacobian::{JACOBIANS, RENEWALS};
use linkwork_dae::linear::LINEAR_SOLVERS;
use linkwork_dae::stepper::STEPPERS;
use linkwork_dae::stepper::rosenbrock::ErrorEstimate;

/// The method, or the derivatives, that are chosen from the model.
pub const AUTO: &str = "auto";
/// Names of the coordinates.
pub const COORDINATES: [&str; 2] = ["absolute", "joint"];
/// Names of the ways to state the equations in joint coordinates.
pub const FORMALISMS: [&str; 2] = ["residual", "explicit"];

/// Values by name.
pub(crate) type Named<T> = &'static [(&'static str, T)];

pub(crate) const ERROR_ESTIMATES: Named<ErrorEstimate> = &[
    ("plain", ErrorEstimate::Plain),
    ("stiff", ErrorEstimate::Stiff),
];

pub(crate) const APPROACHES: Named<Approach> = &[
    ("extrapolation", Approach::Extrapolation),
    ("interpolation", Approach::Interpolation),
];

/// The value that an option names; what is not known is the first.
pub(crate) fn pick<T: Copy>(table: Named<T>, name: &Option<String>) -> T {
    let found = table.iter().find(|e| Some(e.0) == name.as_deref());
    found.unwrap_or(&table[0]).1
}

/// The entry of a registry that an option names.
pub(crate) fn named<T>(
    registry: &'static [T],
    name: &Option<String>,
    of: fn(&T) -> &'static str,
) -> Option<&'static T> {
    registry.iter().find(|e| Some(of(e)) == name.as_deref())
}

fn plain(name: &'static str) -> Choice {
    choice(name, "")
}

fn choice(name: &'static str, summary: &'static str) -> Choice {
    Choice { name, summary }
}

pub(super) fn coordinates() -> Vec<Choice> {
    COORDINATES.map(plain).to_vec()
}

pub(super) fn formalisms() -> Vec<Choice> {
    FORMALISMS.map(plain).to_vec()
}

pub(super) fn sampled() -> Vec<Choice> {
    ["held", "continuous"].map(plain).to_vec()
}

pub(super) fn methods() -> Vec<Choice> {
    let auto = "dop853 where no fast mode limits its steps, else radau, or bdf where that does not fit; looked at again during the run";
    let all = STEPPERS.iter();
    let all = all.map(|e| choice(e.name, e.summary));
    all.chain([choice(AUTO, auto)]).collect()
}

pub(super) fn formulations() -> Vec<Choice> {
    let all = FORMULATIONS.iter();
    all.map(|e| choice(e.name, e.summary)).collect()
}

pub(super) fn jacobians() -> Vec<Choice> {
    let auto = "exact where the system has its derivatives, exact-reuse without constraints, else extended";
    let all = JACOBIANS.iter();
    let all = all.map(|e| choice(e.name, e.summary));
    all.chain([choice(AUTO, auto)]).collect()
}

pub(super) fn renewals() -> Vec<Choice> {
    let all = RENEWALS.iter();
    all.map(|e| choice(e.name, e.summary)).collect()
}

pub(super) fn solvers() -> Vec<Choice> {
    let all = LINEAR_SOLVERS.iter();
    all.map(|e| choice(e.name, e.summary)).collect()
}

fn words<T>(table: Named<T>) -> Vec<Choice> {
    table.iter().map(|e| plain(e.0)).collect()
}

pub(super) fn error_estimates() -> Vec<Choice> {
    words(ERROR_ESTIMATES)
}

pub(crate) fn approaches() -> Vec<Choice> {
    words(APPROACHES)
}
