//! The coordinates a mechanism is described in, by name.

use crate::options::Coordinates;
use linkwork_dae::system::System;
use linkwork_mbs::tree::joint_coordinates::Form;
use linkwork_mbs::tree::{Explicit, JointCoordinates};
use linkwork_mbs::{Model, ModelError};

/// Names of the coordinates.
pub const COORDINATES: [&str; 2] = ["absolute", "joint"];

/// Names of the ways to state the equations in joint coordinates.
pub const FORMALISMS: [&str; 2] = ["residual", "explicit"];

/// The word for some coordinates.
pub(crate) fn word(coordinates: &Coordinates) -> &'static str {
    let asked = coordinates.coordinates.as_deref();
    let found = COORDINATES.into_iter().find(|c| Some(*c) == asked);
    found.unwrap_or(COORDINATES[0])
}

fn known(option: &str, asked: &Option<String>, names: &[&'static str]) -> Result<(), ModelError> {
    match asked {
        Some(word) if !names.contains(&word.as_str()) => {
            let message = format!("`{word}` is not a known {option}");
            let help = format!("known are {}", names.join(", "));
            Err(ModelError::new(message).with_help(help))
        }
        _ => Ok(()),
    }
}

/// The system of a model in some coordinates.
pub(crate) fn system(
    model: &Model,
    coordinates: &Coordinates,
) -> Result<Box<dyn System>, ModelError> {
    known("coordinates", &coordinates.coordinates, &COORDINATES)?;
    known("formalism", &coordinates.formalism, &FORMALISMS)?;
    let cut = coordinates.cut.as_deref().unwrap_or(&[]);
    if word(coordinates) == "absolute" {
        let without_effect = [
            ("cut", !cut.is_empty()),
            ("formalism", coordinates.formalism.is_some()),
        ];
        if let Some((option, _)) = without_effect.into_iter().find(|(_, given)| *given) {
            let message = format!("{option} has no effect in absolute coordinates");
            let help = format!("{option} works with coordinates = joint");
            return Err(ModelError::new(message).with_help(help));
        }
        return linkwork_mbs::system(model);
    }
    Ok(match coordinates.formalism.as_deref() {
        Some("explicit") => Box::new(Explicit::new(JointCoordinates::new(model, cut)?)?),
        _ => Box::new(JointCoordinates::in_form(model, cut, Form::Cheaper)?),
    })
}

/// The option without which a model could be put into the coordinates that were refused; `None` if
/// the fault is in the model itself.
pub fn culprit(model: &Model, refused: &Coordinates) -> Option<&'static str> {
    let works = |coordinates: &Coordinates| system(model, coordinates).is_ok();
    let given: Vec<&'static str> = ["cut", "formalism", "coordinates"]
        .into_iter()
        .filter(|option| refused.value(option).is_some())
        .collect();
    let alone = given
        .iter()
        .copied()
        .find(|option| works(&refused.without(option)));
    // several may be wrong together; the first is what the refusal is about
    alone.or_else(|| {
        given
            .first()
            .copied()
            .filter(|_| works(&Coordinates::default()))
    })
}
