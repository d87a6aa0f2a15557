//! How links look: shapes of the model. What cannot be drawn is noted, never refused.

use super::frame::Frame;
use super::robot::{note, read_origin};
use super::xml::{Result, attribute, child, complain, elements, number, vector_or};
use crate::import::{Note, Treatment};
use linkwork_dae::rotation::{Quaternion, compose};
use linkwork_mbs::BodyRef;
use linkwork_mbs::shape::{Geometry, Shape};
use roxmltree::Node;

/// One `<visual>`.
pub(super) struct Visual {
    pub origin: Frame,
    pub geometry: Geometry,
    pub colour: Option<String>,
}

/// The visuals of a link.
pub(super) fn read(link: Node<'_, '_>, whose: &str, notes: &mut Vec<Note>) -> Vec<Visual> {
    let mut visuals = Vec::new();
    for node in elements(link).filter(|n| n.tag_name().name() == "visual") {
        match visual(node) {
            Ok(visual) => visuals.push(visual),
            Err(why) => {
                let why = why.message;
                notes.push(note(node, Treatment::NotUsed, "visual", whose, why));
            }
        }
    }
    visuals
}

fn visual(node: Node<'_, '_>) -> Result<Visual> {
    let missing = || complain(node, "it has no <geometry> with a shape");
    let shape = child(node, "geometry").and_then(|g| elements(g).next());
    let shape = shape.ok_or_else(missing)?;
    let positive = |name: &str| {
        let x = number(shape, name)?;
        if x > 0.0 {
            Ok(x)
        } else {
            Err(complain(
                shape,
                format!("its {name} is not greater than zero"),
            ))
        }
    };
    let geometry = match shape.tag_name().name() {
        "box" => {
            let size = vector_or(shape, "size", [0.0; 3])?;
            if size.iter().any(|x| !(*x > 0.0)) {
                return Err(complain(shape, "its size is not greater than zero"));
            }
            Geometry::Box(size)
        }
        "sphere" => Geometry::Sphere(positive("radius")?),
        "cylinder" => Geometry::Cylinder(positive("radius")?, positive("length")?),
        "capsule" => Geometry::Capsule(positive("radius")?, positive("length")?),
        "mesh" => {
            let scale = vector_or(shape, "scale", [1.0; 3])?;
            if scale != [scale[0]; 3] || !(scale[0] > 0.0) {
                return Err(complain(shape, "meshes have one scale for all directions"));
            }
            let file = attribute(shape, "filename")?.value().to_string();
            Geometry::Mesh(file, scale[0])
        }
        other => return Err(complain(shape, format!("there is no shape <{other}>"))),
    };
    Ok(Visual {
        origin: read_origin(node)?,
        geometry,
        colour: colour(node),
    })
}

/// The colour of a visual: its own, or that of the material of the robot that it names.
fn colour(node: Node<'_, '_>) -> Option<String> {
    let material = child(node, "material")?;
    let rgba = |m: Node<'_, '_>| {
        let text = child(m, "color")?.attribute("rgba")?.to_string();
        let parts: Vec<f64> = text
            .split_whitespace()
            .filter_map(|x| x.parse().ok())
            .collect();
        let [r, g, b, ..] = parts[..] else {
            return None;
        };
        let byte = |x: f64| (255.0 * x.clamp(0.0, 1.0)).round() as u8;
        Some(format!("#{:02x}{:02x}{:02x}", byte(r), byte(g), byte(b)))
    };
    let named = || {
        let name = material.attribute("name")?;
        let root = node.document().root_element();
        let mut all = elements(root).filter(|n| n.tag_name().name() == "material");
        rgba(all.find(|m| m.attribute("name") == Some(name))?)
    };
    rgba(material).or_else(named)
}

/// The visual as a shape of a body on which its link has this frame.
pub(super) fn shape(visual: &Visual, name: String, body: BodyRef, link: &Frame) -> Shape {
    let frame = link.of(&visual.origin);
    let axis = frame.direction([0.0, 0.0, 1.0]);
    let mut shape = Shape::new(name, body, visual.geometry.clone());
    shape.position = frame.at;
    shape.axis = axis;
    // what is left of the turn when z has been turned to the axis
    let left = compose(conjugate(from_z(axis)), frame.turn);
    shape.angle = 2.0 * left[3].atan2(left[0]);
    shape.colour.clone_from(&visual.colour);
    shape
}

fn conjugate([w, x, y, z]: Quaternion) -> Quaternion {
    [w, -x, -y, -z]
}

fn from_z(direction: [f64; 3]) -> Quaternion {
    crate::view::shape::turn::from_z(direction)
}
