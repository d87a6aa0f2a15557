//! The coordinates a mechanism is described in, by name, and which of them suit it.
//!
//! Absolute ones have an equation for whatever a joint blocks: few operations for each unknown, but up to six
//! unknowns and five equations for each body. Joint ones have as many unknowns as joints leave free, and recursions over the
//! tree for each evaluation. In the plane, where a body has three coordinates, the recursions cost more than
//! they save; in space they pay where they take away most of the unknowns.

use crate::options::{COORDINATES, Group, Options};
use linkwork_dae::system::System;
use linkwork_mbs::model::{Axes, Rotation};
use linkwork_mbs::tree::joint_coordinates::Form;
use linkwork_mbs::tree::{Explicit, JointCoordinates};
use linkwork_mbs::{Body, Model, ModelError};

/// Joint coordinates are taken where they leave more than so many times fewer unknowns, multipliers included. Whole runs of
/// models in space cost as much at three, a tenth less at three and a half to four, half at five to ten.
const FEWER: usize = 3;
const JOINT: &str = COORDINATES[1];

/// Unknowns of a model in absolute and in joint coordinates.
pub(crate) type Unknowns = [usize; 2];

/// Whether options leave it open in which coordinates a mechanism is described. Tolerances of parts name bodies, or joints.
pub(crate) fn are_open(options: &Options) -> bool {
    let binding = ["coordinates", "cut", "formalism", "atol_of"];
    binding.iter().all(|option| !options.has(option))
}

/// The system of a model in joint coordinates, where its steps cost less than those of `absolute`.
pub(crate) fn cheaper(
    model: &Model,
    absolute: &dyn System,
    options: &Options,
) -> Option<(Box<dyn System>, Unknowns)> {
    // inertia of bodies that bend depends on their amplitudes: recursions over the tree save nothing there
    let stiff = |body: &Body| body.carrier(Rotation::Vectors).is_none();
    let rigid = model.axes == Axes::Space
        && model.rotation == Rotation::Vectors
        && model.bodies.iter().all(stiff);
    if !rigid {
        return None;
    }
    let options = options.clone().coordinates(JOINT);
    let joint = system(model, &options).ok()?;
    let count = |sys: &dyn System| sys.dims().nv + sys.dims().rows();
    let unknowns = [count(absolute), count(&*joint)];
    (FEWER * unknowns[1] < unknowns[0]).then_some((joint, unknowns))
}

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
    if asked.coordinates.as_deref() != Some(JOINT) {
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
