//! Frames on bodies, by their z axis and a direction for x.

use crate::error::ModelError;
use crate::field::{Form, Key, Value};
use crate::geometry::{Vector, cross, dot, norm, perpendiculars, scaled, sub, unit};
use crate::joint::{BODY_A, BODY_B};
use crate::text::Fields;
use crate::units::Unit;

/// The keys of two bodies with a frame on each.
pub(super) const KEYS: &[Key] = &[
    BODY_A,
    BODY_B,
    Key::optional(
        "axis_a",
        Unit::None,
        "[0, 0, 1]",
        "Instead of body_a a frame on it: its z axis, in the frame of body_a.",
    )
    .takes(Form::Vector),
    Key::optional(
        "normal_a",
        Unit::None,
        "[1, 0, 0]; any across a given `axis_a`",
        "Direction of its x axis, as far as `axis_a` allows.",
    )
    .takes(Form::Vector),
    Key::optional(
        "axis_b",
        Unit::None,
        "[0, 0, 1]",
        "Instead of body_b a frame on it: its z axis, in the frame of body_b.",
    )
    .takes(Form::Vector),
    Key::optional(
        "normal_b",
        Unit::None,
        "[1, 0, 0]; any across a given `axis_b`",
        "Direction of its x axis, as far as `axis_b` allows.",
    )
    .takes(Form::Vector),
];

const AXES: [[&str; 2]; 2] = [["axis_a", "normal_a"], ["axis_b", "normal_b"]];

/// The x, y and z axes of both frames; `None` where those of the bodies are meant.
pub(super) fn read(f: &Fields<'_>) -> Result<Option<[[Vector; 3]; 2]>, ModelError> {
    if !AXES.iter().flatten().any(|key| f.has(key)) {
        return Ok(None);
    }
    let [a, b] = AXES;
    Ok(Some([read_one(f, a)?, read_one(f, b)?]))
}

fn read_one(f: &Fields<'_>, [axis, normal]: [&'static str; 2]) -> Result<[Vector; 3], ModelError> {
    let direction = |key: &'static str| -> Result<Option<Vector>, ModelError> {
        let given = f.optional_vector(key, Unit::None)?;
        match given.filter(|v| !(norm(*v) > 0.0 && norm(*v).is_finite())) {
            Some(_) => Err(f.error(key, "a direction needs a length")),
            None => Ok(given),
        }
    };
    let z = direction(axis)?.map_or([0.0, 0.0, 1.0], unit);
    let near = match direction(normal)? {
        Some(near) => unit(near),
        None if f.has(axis) => perpendiculars(z)[0],
        None => [1.0, 0.0, 0.0],
    };
    let along = dot(near, z);
    // what was written with all its digits is to be read back unchanged
    let x = match along.abs() < 8.0 * f64::EPSILON {
        true => near,
        false => sub(near, scaled(z, along)),
    };
    if !(norm(x) > 1e-6) {
        return Err(f.error(normal, format!("`{normal}` must not be along `{axis}`")));
    }
    let x = unit(x);
    Ok([x, cross(z, x), z])
}

/// The frames as keys.
pub(super) fn fields(frames: &Option<[[Vector; 3]; 2]>) -> Vec<(&'static str, Value)> {
    let frames = AXES.into_iter().zip(frames.iter().flatten());
    frames
        .flat_map(|([axis, normal], &[x, _, z])| {
            [(axis, Value::Vector(z)), (normal, Value::Vector(x))]
        })
        .collect()
}
