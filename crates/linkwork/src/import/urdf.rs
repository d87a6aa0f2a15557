//! Robots in the Unified Robot Description Format (URDF): trees of links and joints in XML.
//!
//! ```text
//!  link with <inertial>   rigid body                  first link   the ground, unless it floats
//!  link without           part of its parent where a fixed joint holds it, else a body without mass
//!  revolute, continuous   revolute joint and a sensor of its angle, NAME_angle
//!  prismatic              prismatic joint and a sensor of its displacement, NAME_displacement
//!  planar, fixed          joints of the same name     floating     no joint
//!  dynamics               torsion_spring, friction
//!  visual                 shape
//! ```
//!
//! Start poses and velocities of all bodies follow from the values of the joints, outwards from the
//! first link, so every joint is closed to rounding. A moving link without inertia is allowed where
//! what it carries gives its joint inertia, and refused by name where not: the mass matrix over the
//! joints is factored to find out.

mod build;
mod frame;
mod inertia;
mod robot;
mod start;
mod topology;
mod visual;
mod xml;

use super::{Choices, Import};
use linkwork_mbs::ModelError;
use std::path::Path;

/// Whether a text is XML, as robots are; no model text starts like that.
pub fn is_xml(text: &str) -> bool {
    text.starts_with('<')
}

/// Reads a robot; reports as many mistakes as it can find, each with its place in the source.
pub fn read(source: &str, file: &str, choices: &Choices) -> Result<Import, Vec<ModelError>> {
    let robot = robot::read(source)?;
    let tree = topology::order(&robot)?;
    let values = start::values(&robot, choices)?;
    let states = start::states(&robot, &tree, &values);
    if choices.gravity.iter().any(|g| !g.is_finite()) {
        return Err(vec![ModelError::new("gravity must be finite")]);
    }
    inertia::check(&robot, &tree, &values)?;
    let stem = || {
        Path::new(file)
            .file_stem()
            .map(|s| s.to_string_lossy().into_owned())
    };
    let name = robot.name.clone().filter(|name| !name.trim().is_empty());
    let name = name.or_else(stem).unwrap_or_else(|| "robot".into());
    let mut built = build::build(&robot, &tree, &states, choices)?;
    let mut notes = robot.notes;
    notes.append(&mut built.notes);
    notes.extend(start::outside_limits(&robot.joints, &values));
    let lines = robot::Lines::of(source);
    for note in &mut notes {
        note.line = lines.at(note.line);
    }
    notes.sort_by_key(|n| n.line);
    let mut model = built.mechanism.named(name);
    for shape in built.shapes {
        model.add_shape(shape);
    }
    Ok(Import {
        file: file.to_string(),
        model,
        used: built.used,
        notes,
    })
}
