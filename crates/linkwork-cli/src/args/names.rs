//! Words that can be chosen, from the registries.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use linkwork::dae::control::CONTROLLERS;
use linkwork::dae::formulation::FORMULATIONS;
use linkwork::dae::jacobian::JACOBIANS;
use linkwork::dae::linear::LINEAR_SOLVERS;
use linkwork::dae::stepper::STEPPERS;
use linkwork::settings::AUTO;
use linkwork::table::FORMATS;

/// What `auto` does, for lists.
pub const AUTO_SUMMARY: &str = "chosen from a few trial steps and the modes of the model";

pub(super) fn choice(
    names: impl Iterator<Item = (&'static str, &'static str)>,
) -> PossibleValuesParser {
    PossibleValuesParser::new(names.map(|(name, help)| PossibleValue::new(name).help(help)))
}

pub(super) fn methods() -> impl TypedValueParser<Value = String> {
    choice(
        STEPPERS
            .iter()
            .map(|e| (e.name, e.summary))
            .chain([(AUTO, AUTO_SUMMARY)]),
    )
}

pub(super) fn order_control_names() -> impl TypedValueParser<Value = String> {
    let multistep = CONTROLLERS.iter().filter(|e| e.multistep);
    choice(multistep.map(|e| (e.name, e.summary)))
}

pub(super) fn formulations() -> impl TypedValueParser<Value = String> {
    choice(FORMULATIONS.iter().map(|e| (e.name, e.summary)))
}

pub(super) fn jacobians() -> impl TypedValueParser<Value = String> {
    choice(JACOBIANS.iter().map(|e| (e.name, e.summary)))
}

pub(super) fn solvers() -> impl TypedValueParser<Value = String> {
    choice(LINEAR_SOLVERS.iter().map(|e| (e.name, e.summary)))
}

pub(super) fn formats() -> impl TypedValueParser<Value = String> {
    choice(FORMATS.iter().map(|e| (e.name, e.summary)))
}
