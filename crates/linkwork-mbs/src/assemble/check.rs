//! What a model must satisfy before it can be numbered.

use crate::error::ModelError;
use crate::expr::Formula;
use crate::handle::BodyRef;
use crate::model::{Axes, Model};
use std::collections::BTreeMap;

/// Names are present and unique.
pub(super) fn names(model: &Model) -> Result<(), ModelError> {
    let all = (model.bodies.iter().map(|b| ("body", &b.name)))
        .chain(model.joints.iter().map(|j| ("joint", &j.name)))
        .chain(model.forces.iter().map(|f| ("force", &f.name)))
        .chain(model.sensors.iter().map(|s| ("sensor", &s.name)))
        .chain(model.controls.iter().map(|c| ("control", &c.name)))
        .chain(model.events.iter().map(|e| ("event", &e.name)));
    let mut seen: BTreeMap<&str, &str> = BTreeMap::new();
    for (kind, name) in all {
        if name.trim().is_empty() {
            return Err(ModelError::new(format!("a {kind} has no name")));
        }
        if kind == "control" && Formula::knows(name) {
            let message = format!("a control cannot be called `{name}`");
            return Err(ModelError::new(message)
                .with_help(format!("`{name}` has another meaning in formulas")));
        }
        if name == "ground" {
            let message = format!("a {kind} cannot be called `ground`");
            return Err(ModelError::new(message)
                .with_help("`ground` is the frame that does not move".to_string()));
        }
        if let Some(other) = seen.insert(name, kind) {
            let message = if other == kind {
                format!("two {kind} entries are called `{name}`")
            } else {
                format!("a {other} and a {kind} are both called `{name}`")
            };
            return Err(ModelError::new(message).with_help("names must be unique".to_string()));
        }
    }
    Ok(())
}

/// The typical size of the states of a control.
pub(super) fn scale(name: &str, scale: f64) -> Result<(), ModelError> {
    if scale > 0.0 && scale.is_finite() {
        return Ok(());
    }
    let message = format!("control `{name}`: the scale must be greater than zero, it is {scale}");
    Err(ModelError::new(message))
}

/// Name of a body of the model, and whether it has an orientation.
fn find(model: &Model, body: BodyRef) -> Option<(&str, bool)> {
    let body = model.body(body)?;
    Some((&body.name, body.is_oriented()))
}

/// All bodies of a planar model move in the plane, and gravity acts in it.
pub(super) fn axes(model: &Model) -> Result<(), ModelError> {
    if model.axes == Axes::Space {
        return Ok(());
    }
    if let Some(body) = model.bodies.iter().find(|b| !b.is_flat()) {
        let message = format!("body `{}` moves in space, the model is planar", body.name);
        return Err(ModelError::new(message)
            .with_help("a model in space (`planar = false`) may have planar bodies as well"));
    }
    if model.gravity[2] != 0.0 {
        return Err(ModelError::new(
            "gravity of a planar model acts in its plane",
        ));
    }
    Ok(())
}

/// The body belongs to the model.
pub(super) fn known(model: &Model, title: &str, body: BodyRef) -> Result<(), ModelError> {
    if body.is_ground() || find(model, body).is_some() {
        return Ok(());
    }
    let message = format!("{title} refers to a body that is not in this model");
    Err(ModelError::new(message))
}

/// Two different bodies of the model, one of which may be the ground.
pub(super) fn bodies(model: &Model, title: &str, a: BodyRef, b: BodyRef) -> Result<(), ModelError> {
    known(model, title, a)?;
    known(model, title, b)?;
    if a == b {
        let whom = find(model, a).map_or("the ground".to_string(), |(name, _)| format!("`{name}`"));
        let message = format!("{title} connects {whom} with itself");
        return Err(ModelError::new(message));
    }
    Ok(())
}

/// The ground first, then the one body that a force acts on.
pub(super) fn external(
    model: &Model,
    title: &str,
    a: BodyRef,
    b: BodyRef,
) -> Result<(), ModelError> {
    known(model, title, b)?;
    if !a.is_ground() {
        let message = format!("{title} acts on a single body; its first body must be the ground");
        return Err(ModelError::new(message));
    }
    if b.is_ground() {
        let message = format!("{title} acts on the ground, where it has no effect");
        return Err(ModelError::new(message));
    }
    Ok(())
}

/// Points have no orientation and no other point than themselves.
pub(super) fn sides(
    model: &Model,
    title: &str,
    bodies: [BodyRef; 2],
    needs_orientation: [bool; 2],
    markers: [Option<&[f64]>; 2],
) -> Result<(), ModelError> {
    for side in 0..2 {
        if markers[side].is_some_and(|p| p.iter().any(|x| !x.is_finite())) {
            let message = format!("{title}: attachment points must be finite");
            return Err(ModelError::new(message));
        }
        let Some((name, oriented)) = find(model, bodies[side]) else {
            continue;
        };
        if oriented {
            continue;
        }
        if needs_orientation[side] {
            let message = format!("{title} needs the orientation of `{name}`, which is a point");
            return Err(ModelError::new(message).with_help(format!("make `{name}` a rigid body")));
        }
        if markers[side].is_some_and(|p| p.iter().any(|x| *x != 0.0)) {
            let message = format!("{title} attaches beside `{name}`, which is a point");
            return Err(ModelError::new(message)
                .with_help(format!("leave out the attachment point on `{name}`")));
        }
    }
    Ok(())
}
