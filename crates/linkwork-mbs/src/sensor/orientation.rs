//! Orientation of a body as seen from another, or of frames on them, given by their z axis and a
//! direction for x.

use super::{MAX_QUANTITIES, Reading};
use crate::error::ModelError;
use crate::field::{Key, Value};
use crate::geometry::{
    Frame, Site, Vector, add, atan2, cross, dot, lifted, norm, perpendiculars, scaled, sub, unit,
};
use crate::part::{Keys, Kind, Part};
use crate::text::Fields;
use crate::units::Unit;
use linkwork_dae::scalar::Scalar;

/// Yaw, pitch and roll of body b as seen from body a, and its angular velocity relative to a in the axes
/// of b.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OrientationSensor {
    /// Frames on both bodies that are looked at instead: their x, y and z axes in body axes.
    pub frames: Option<[[Vector; 3]; 2]>,
}

impl Kind for OrientationSensor {
    const NAME: &'static str = "orientation";
    const SUMMARY: &'static str = "Yaw, pitch and roll of body_b as seen from body_a, and its relative angular \
              velocity in the axes of body_b.";
    const IN_PLANE: bool = false;
}

const KEYS: [Key; 4] = [
    Key::direction(
        "axis_a",
        "[0, 0, 1]",
        "Instead of body_a a frame on it: its z axis, in the frame of body_a.",
    ),
    Key::direction(
        "normal_a",
        "[1, 0, 0]; any across a given `axis_a`",
        "Direction of its x axis, as far as `axis_a` allows.",
    ),
    Key::direction(
        "axis_b",
        "[0, 0, 1]",
        "Instead of body_b a frame on it: its z axis, in the frame of body_b.",
    ),
    Key::direction(
        "normal_b",
        "[1, 0, 0]; any across a given `axis_b`",
        "Direction of its x axis, as far as `axis_b` allows.",
    ),
];

const AXES: [[&str; 2]; 2] = [["axis_a", "normal_a"], ["axis_b", "normal_b"]];

/// The x, y and z axes of both frames; `None` where those of the bodies are meant.
fn read_frames(f: &Fields<'_>) -> Result<Option<[[Vector; 3]; 2]>, ModelError> {
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
    if !(norm(sub(near, scaled(z, dot(near, z)))) > 1e-6) {
        return Err(f.error(normal, format!("`{normal}` must not be along `{axis}`")));
    }
    Ok(triad(z, near))
}

/// The axes of the frame with this z axis and its x axis as near as possible to another direction.
fn triad(z: Vector, near: Vector) -> [Vector; 3] {
    let (z, near) = (unit(z), unit(near));
    let along = dot(near, z);
    // what was written with all its digits is to be read back unchanged
    let x = match along.abs() < 8.0 * f64::EPSILON {
        true => near,
        false => unit(sub(near, scaled(z, along))),
    };
    [x, cross(z, x), z]
}

impl Part for OrientationSensor {
    fn keys(&mut self, k: &mut Keys<'_>) {
        KEYS.into_iter().for_each(|key| k.tell(key));
        self.frames = k.read(read_frames).unwrap_or(self.frames);
        if let Some(draw) = k.draw() {
            let mut frame = || triad([draw(), draw(), 2.0], [2.0, draw(), draw()]);
            self.frames = Some([frame(), frame()]);
        }
        for ([axis, normal], [x, _, z]) in AXES.into_iter().zip(self.frames.iter().flatten()) {
            k.write(axis, || Value::Vector(*z));
            k.write(normal, || Value::Vector(*x));
        }
    }
}

impl Reading for OrientationSensor {
    const CHANNELS: &'static [(&'static str, &'static str)] = &[
        (".yaw", "rad"),
        (".pitch", "rad"),
        (".roll", "rad"),
        (".omega.x", "rad/s"),
        (".omega.y", "rad/s"),
        (".omega.z", "rad/s"),
    ];
    const ORIENTED: bool = true;

    fn put(&mut self, _: &Site, _: &Site) {}
    fn read<S: Scalar>(&self, a: &Frame<S>, b: &Frame<S>, _: &[f64]) -> [S; MAX_QUANTITIES] {
        let column = |j: usize| -> Vector<S> {
            let r = &b.pose.rotation;
            match &self.frames {
                None => a.pose.turn_back([r[0][j], r[1][j], r[2][j]]),
                Some([on_a, on_b]) => {
                    let seen = a.pose.turn_back(b.pose.direction(on_b[j]));
                    on_a.map(|axis| dot(seen, lifted(axis)))
                }
            }
        };
        let (x, y, z) = (column(0), column(1), column(2));
        let flat = (x[0] * x[0] + x[1] * x[1]).sqrt();
        let omega = add(b.omega, b.pose.turn_back(a.spin()).map(|x| -x));
        let omega = match &self.frames {
            None => omega,
            Some([_, on_b]) => on_b.map(|axis| dot(omega, lifted(axis))),
        };
        let angles = [atan2(x[1], x[0]), atan2(-x[2], flat), atan2(y[2], z[2])];
        [
            angles[0], angles[1], angles[2], omega[0], omega[1], omega[2],
        ]
    }
}
