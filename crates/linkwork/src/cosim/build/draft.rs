//! The model of a subsystem: model text, or a robot that is imported, with the changes and the method
//! that the system asks for.

use super::{Draft, Loader};
use crate::cosim::text::{Mistake, SubsystemText};
use crate::import::flexible::read_document;
use crate::import::{Import, formats, importer};
use crate::options::{Group, Options};
use linkwork_mbs::error::ModelError;
use std::path::Path;
use std::sync::Arc;

/// Reads the model of a subsystem. `here` places a mistake in the system file.
pub(super) fn draft(
    s: &SubsystemText,
    load: &mut Loader<'_>,
    here: &dyn Fn(ModelError) -> Mistake,
) -> Result<Draft, Vec<Mistake>> {
    let of_part = |mut error: ModelError| {
        error.message = format!("subsystem `{}`: {}", s.name, error.message);
        // places in the model mean nothing in the system file
        error.related = Box::default();
        error
    };
    let (mut file, mut source) = load(&s.model).map_err(|why| {
        let error = of_part(ModelError::new(why)).at(s.model_span.clone());
        vec![here(error.with_label("cannot be read"))]
    })?;
    let robot = match imported(s, &file, &source) {
        Ok(robot) => robot,
        Err(Refused::Here(error)) => return Err(vec![here(of_part(error))]),
        Err(Refused::There(errors)) => {
            let text: Arc<str> = source.as_str().into();
            let mistake = |error: ModelError| match &s.robot.given {
                // what has no place in the robot comes from the values that it was given
                Some((_, span)) if error.span.is_none() => here(of_part(error).at(span.clone())),
                _ => Mistake {
                    file: file.clone(),
                    text: text.clone(),
                    error,
                },
            };
            return Err(errors.into_iter().map(mistake).collect());
        }
    };
    if let Some(import) = &robot {
        source = import.text();
        file = format!("model text of {file}");
    }
    let whole: Arc<str> = source.as_str().into();
    let place = Path::new(&file);
    let place = place.is_file().then(|| place.parent()).flatten();
    let changes = [&s.set[..], &s.overrides].concat();
    // what has no place in the model may have come from a change of it
    let placed = |error: ModelError| {
        if error.span.is_some() || changes.is_empty() {
            return Mistake {
                file: file.clone(),
                text: whole.clone(),
                error,
            };
        }
        let from_outside = !s.overrides.is_empty() && read_document(&source, &s.set, place).is_ok();
        if from_outside {
            return here(of_part(error));
        }
        let span = s.set_span.clone().or_else(|| s.span.clone());
        here(of_part(error).at(span).with_label("changed here"))
    };
    let document = read_document(&source, &changes, place)
        .map_err(|errors| errors.into_iter().map(placed).collect::<Vec<_>>())?;
    let own = Options::read(document.simulation.fields()).map_err(|e| vec![placed(e)])?;
    let notes = robot.as_ref().map(|r| r.account().split_off(1));
    Ok(Draft {
        name: s.name.clone(),
        model: document.model,
        robot: robot.map(|_| s.model.clone()),
        notes: notes.unwrap_or_default(),
        options: options(s, own),
        outputs: Vec::new(),
        feedthrough: false,
    })
}

/// Why there is no robot.
enum Refused {
    /// The system file says what no robot understands.
    Here(ModelError),
    /// The robot file is wrong.
    There(Vec<ModelError>),
}

/// The robot, if the file is one.
fn imported(s: &SubsystemText, file: &str, source: &str) -> Result<Option<Import>, Refused> {
    if let Some(format) = importer(source, file) {
        let import = (format.read)(source, file, &s.robot.choices);
        return import.map(Some).map_err(Refused::There);
    }
    match &s.robot.given {
        None => Ok(None),
        Some((key, span)) => Err(Refused::Here(
            ModelError::new(format!(
                "`{key}` is for robots ({}), and {} is none",
                formats(),
                s.model
            ))
            .at(span.clone())
            .with_label("has no effect")
            .with_help("start poses and gravity of a model text are changed by `set`"),
        )),
    }
}

/// A model that is part of a system keeps its coordinates, its longest step and, unless another one is
/// named, its method; times and tolerances are those of the whole.
fn options(s: &SubsystemText, own: Options) -> Options {
    let replaced = s.method.is_some();
    let kept = own.only(|o| match o.row.group {
        Group::Model => true,
        Group::Integration => !replaced && o.name != "t_end",
        _ => o.name == "max_step",
    });
    let named = Options {
        method: s.method.clone(),
        formulation: s.formulation.clone(),
        ..Options::new()
    };
    named.or(kept)
}
