//! The coordinates a mechanism is described in, by name.

use crate::options::{Group, Options};
use linkwork_dae::system::System;
use linkwork_mbs::tree::joint_coordinates::Form;
use linkwork_mbs::tree::{Explicit, JointCoordinates};
use linkwork_mbs::{Model, ModelError};

/// What options say of coordinates.
pub(crate) fn only(options: &Options) -> Options {
    options.clone().only(|o| o.row.group == Group::Model)
}

/// The system of a model in some coordinates.
pub(crate) fn system(model: &Model, options: &Options) -> Result<Box<dyn System>, ModelError> {
    let asked = only(options);
    asked.check().map_err(|e| {
        let error = ModelError::new(e.message);
        error.with_help(e.help.unwrap_or_default())
    })?;
    let smooth;
    let model = match asked.sampled.as_deref() {
        Some("continuous") => {
            smooth = model.clone().without_clocks()?;
            &smooth
        }
        _ => model,
    };
    let cut = asked.cut.as_deref().unwrap_or(&[]);
    if asked.completed().coordinates.as_deref() == Some("absolute") {
        let without_effect = [
            ("cut", !cut.is_empty()),
            ("formalism", asked.formalism.is_some()),
        ];
        if let Some((option, _)) = without_effect.into_iter().find(|(_, given)| *given) {
            let message = format!("{option} has no effect in absolute coordinates");
            let help = format!("{option} works with coordinates = joint");
            return Err(ModelError::new(message).with_help(help));
        }
        return linkwork_mbs::system(model);
    }
    Ok(match asked.formalism.as_deref() {
        Some("explicit") => Box::new(Explicit::new(JointCoordinates::new(model, cut)?)?),
        _ => Box::new(JointCoordinates::in_form(model, cut, Form::Cheaper)?),
    })
}

/// The option without which a model could be put into the coordinates that were refused; `None` if
/// the fault is in the model itself.
pub fn culprit(model: &Model, refused: &Options) -> Option<&'static str> {
    let refused = only(refused);
    let works = |options: &Options| system(model, options).is_ok();
    let mut given = vec!["cut", "formalism", "sampled", "coordinates"];
    given.retain(|option| refused.has(option));
    let without = |option: &str| refused.clone().only(|o| o.name != option);
    let alone = given.iter().copied().find(|option| works(&without(option)));
    // several may be wrong together; the first is what the refusal is about
    let first = given.first().copied();
    alone.or_else(|| first.filter(|_| works(&Options::new())))
}
