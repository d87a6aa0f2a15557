//! Shapes of bodies: those that the model text gives; `made` finds some for bodies without.

mod made;
mod principal;
pub(crate) mod turn;

pub(super) use made::all;

use super::mesh;
use super::scene::{GROUND, Quaternion, Vector};
use linkwork_mbs::{self as mbs, BodyRef, Model, shape as look};
use serde::Serialize;
use std::path::Path;
use turn::{about_z, from_z, product};

/// Geometry in a frame of its own.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Geometry {
    /// A box about its centre.
    Box {
        /// Edges along x, y, z.
        size: Vector,
    },
    /// A sphere about its centre.
    Sphere {
        /// Radius.
        radius: f64,
    },
    /// A cylinder along z about its centre.
    Cylinder {
        /// Radius.
        radius: f64,
        /// Length.
        length: f64,
    },
    /// A cylinder along z with half spheres at its ends.
    Capsule {
        /// Radius.
        radius: f64,
        /// Length without the half spheres.
        length: f64,
    },
    /// An outline in x and y, extruded along z about its middle.
    Extrusion {
        /// Corners, counter-clockwise.
        outline: Vec<[f64; 2]>,
        /// Thickness.
        thickness: f64,
    },
    /// Triangles.
    Mesh {
        /// Corners of the triangles, three numbers each, as base64 of 32-bit floats.
        triangles: String,
    },
}

/// A piece of the look of a body.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Shape {
    /// The body; -1 is the ground.
    pub body: i32,
    /// What it is.
    #[serde(flatten)]
    pub geometry: Geometry,
    /// Where its frame is, in that of the body.
    pub position: Vector,
    /// How its frame is turned in that of the body.
    pub quaternion: Quaternion,
    /// Colour as `#rrggbb`; `None`: that of the body.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub colour: Option<String>,
}

/// Shapes that the model text gives.
pub(super) fn given(model: &Model, folder: &Path, notes: &mut Vec<String>) -> Vec<Shape> {
    let mut shapes = Vec::new();
    for shape in &model.shapes {
        let geometry = match &shape.geometry {
            look::Geometry::Box(size) => Geometry::Box { size: *size },
            look::Geometry::Sphere(radius) => Geometry::Sphere { radius: *radius },
            look::Geometry::Cylinder(radius, length) => Geometry::Cylinder {
                radius: *radius,
                length: *length,
            },
            look::Geometry::Capsule(radius, length) => Geometry::Capsule {
                radius: *radius,
                length: *length,
            },
            look::Geometry::Extrusion(outline, thickness) => Geometry::Extrusion {
                outline: outline.clone(),
                thickness: *thickness,
            },
            look::Geometry::Mesh(file, scale) => {
                match mesh::locate(folder, file).and_then(|path| mesh::read(&path)) {
                    Ok(corners) => Geometry::Mesh {
                        triangles: mesh::packed(&corners, *scale),
                    },
                    Err(why) => {
                        notes.push(format!("shape `{}`: cannot read {file}: {why}", shape.name));
                        continue;
                    }
                }
            }
        };
        shapes.push(Shape {
            body: number(model, shape.body),
            geometry,
            position: shape.position,
            quaternion: product(from_z(shape.axis), about_z(shape.angle)),
            colour: shape.colour.clone(),
        });
    }
    shapes
}

/// The number of a body in a scene, where further frames of bodies come last.
fn number(model: &Model, body: BodyRef) -> i32 {
    let more = |b: &mbs::Body| b.frames().len() - 1;
    let at = match (body.index(), body.frame()) {
        (None, _) => return GROUND,
        (Some(index), 0) => index,
        (Some(index), frame) => {
            let before = model.bodies.iter().take(index).map(more);
            model.bodies.len() + before.sum::<usize>() + frame - 1
        }
    };
    at as i32
}
