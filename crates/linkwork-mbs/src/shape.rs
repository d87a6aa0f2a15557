//! How bodies look. Shapes have no mechanics: they are for pictures, and nothing collides.

use crate::error::ModelError;
use crate::field::{Form, Key, Value};
use crate::handle::BodyRef;
use crate::part::{Entry, Item, Keys, Part};
use crate::text::Fields;
use crate::units::Unit;

type Vector = [f64; 3];

/// Geometry in the frame of a shape.
#[derive(Clone, Debug, PartialEq)]
pub enum Geometry {
    /// A box about its centre: edges along x, y, z.
    Box(Vector),
    /// A sphere about its centre: radius.
    Sphere(f64),
    /// A cylinder along z about its centre: radius and length.
    Cylinder(f64, f64),
    /// A cylinder along z with half spheres at its ends: radius and length without them.
    Capsule(f64, f64),
    /// An outline in x and y, extruded along z about its middle: corners and thickness.
    Extrusion(Vec<[f64; 2]>, f64),
    /// Triangles of a file, and what one of its units is in m.
    Mesh(String, f64),
}

/// A piece of the look of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// Name.
    pub name: String,
    /// Whose look it is.
    pub body: BodyRef,
    /// What it is.
    pub geometry: Geometry,
    /// Where its frame is on the body, from the centre of mass, in body axes.
    pub position: Vector,
    /// Where its z points, in body axes.
    pub axis: Vector,
    /// How it is turned about that axis, rad.
    pub angle: f64,
    /// Colour as `#rrggbb`; `None`: one is chosen.
    pub colour: Option<String>,
}

/// One kind of shape.
pub type ShapeEntry = Entry<Shape>;

/// The key that names the body of a shape.
pub static SHAPE_KEYS: &[Key] = &[Key::required(
    "body",
    Unit::None,
    "The body that it belongs to, or `ground`.",
)
.takes(Form::Word)];

/// Every kind of shape.
pub static SHAPES: &[ShapeEntry] = &[
    ShapeEntry {
        kind: "box",
        summary: "A box about its centre.",
        in_plane: true,
        blank: || blank(Geometry::Box([0.0; 3])),
    },
    ShapeEntry {
        kind: "sphere",
        summary: "A sphere about its centre.",
        in_plane: true,
        blank: || blank(Geometry::Sphere(0.0)),
    },
    ShapeEntry {
        kind: "cylinder",
        summary: "A cylinder along its z axis, about its centre.",
        in_plane: true,
        blank: || blank(Geometry::Cylinder(0.0, 0.0)),
    },
    ShapeEntry {
        kind: "capsule",
        summary: "A cylinder along its z axis with half spheres at its ends.",
        in_plane: true,
        blank: || blank(Geometry::Capsule(0.0, 0.0)),
    },
    ShapeEntry {
        kind: "extrusion",
        summary: "An outline in x and y, extruded along z about its middle.",
        in_plane: true,
        blank: || blank(Geometry::Extrusion(Vec::new(), 0.0)),
    },
    ShapeEntry {
        kind: "mesh",
        summary: "Triangles of a file: STL, OBJ or glTF, found beside the model.",
        in_plane: true,
        blank: || blank(Geometry::Mesh(String::new(), 1.0)),
    },
];

fn blank(geometry: Geometry) -> Box<Shape> {
    Box::new(Shape::new("", BodyRef::GROUND, geometry))
}

/// Three numbers: shapes have a third dimension in the plane as well.
fn three(item: Item<'_, '_>, slot: &mut Vector) {
    let unit = item.unit();
    item.special(
        Form::List,
        slot,
        |f, key| match f.quantities(key, unit)?[..] {
            [x, y, z] => Ok([x, y, z]),
            [x, y] if key == "position" => Ok([x, y, 0.0]),
            _ if key == "position" => Err(f.error(key, "`position` has two or three components")),
            _ => Err(f.error(key, format!("`{key}` has three components"))),
        },
        |x| Value::numbers(x),
        |draw| [1.5 + draw(), 1.5 + draw(), 1.5 + draw()],
    );
}

impl Geometry {
    fn keys(&mut self, k: &mut Keys<'_>) {
        match self {
            Geometry::Box(size) => {
                three(k.key("size", Unit::Length, "Edges along x, y and z."), size);
                let sound = size.iter().all(|x| *x > 0.0);
                k.rule("size", sound, "edges must be greater than zero");
            }
            Geometry::Sphere(radius) => k.key("radius", Unit::Length, "Radius.").positive(radius),
            Geometry::Cylinder(radius, length) => {
                k.key("radius", Unit::Length, "Radius.").positive(radius);
                k.key("length", Unit::Length, "Length.").positive(length);
            }
            Geometry::Capsule(radius, length) => {
                k.key("radius", Unit::Length, "Radius.").positive(radius);
                k.key("length", Unit::Length, "Length without the half spheres.")
                    .positive(length);
            }
            Geometry::Extrusion(outline, thickness) => {
                let doc = "Corners [[x, y], ...], in order.";
                k.key("outline", Unit::Length, doc).special(
                    Form::List,
                    outline,
                    read_outline,
                    |corners| Value::List(corners.iter().map(|c| Value::numbers(c)).collect()),
                    |draw| vec![[0.0, draw()], [2.0 + draw(), 0.0], [2.0 + draw(), 2.0]],
                );
                k.key("thickness", Unit::Length, "Thickness along z.")
                    .positive(thickness);
            }
            Geometry::Mesh(file, scale) => {
                k.key(
                    "file",
                    Unit::None,
                    "Path of the file, from that of the model.",
                )
                .text(file);
                k.key(
                    "scale",
                    Unit::Length,
                    "Length of one unit of the file: \"1 mm\".",
                )
                .or(1.0)
                .positive(scale);
            }
        }
    }
}

fn read_outline(f: &Fields<'_>, key: &'static str) -> Result<Vec<[f64; 2]>, ModelError> {
    let numbers = f.quantities(key, Unit::Length)?;
    match numbers.as_chunks::<2>() {
        (_, [_, ..]) => Err(f.error(key, "corners have two coordinates each")),
        (corners, _) if corners.len() < 3 => {
            Err(f.error(key, "an outline has at least three corners"))
        }
        (corners, _) => Ok(corners.to_vec()),
    }
}

impl Part for Shape {
    fn keys(&mut self, k: &mut Keys<'_>) {
        self.geometry.keys(k);
        let doc = "Where its frame is, in that of the body; two or three numbers.";
        let position = k.key("position", Unit::Length, doc);
        three(position.or("origin of the body"), &mut self.position);
        let doc = "Where its z axis points, in the frame of the body.";
        three(
            k.key("axis", Unit::None, doc).or("[0, 0, 1]"),
            &mut self.axis,
        );
        k.rule("axis", self.axis != [0.0; 3], "the axis has no direction");
        k.key("angle", Unit::Angle, "How it is turned about that axis.")
            .or(0.0)
            .number(&mut self.angle);
        k.key("colour", Unit::None, "Colour as \"#rrggbb\".")
            .or("one is chosen")
            .special(
                Form::Word,
                &mut self.colour,
                read_colour,
                |colour: &String| Value::Text(colour.clone()),
                |_| "#4c78a8".to_string(),
            );
    }
}

fn read_colour(f: &Fields<'_>, key: &'static str) -> Result<String, ModelError> {
    let colour = f.text(key)?;
    let hexadecimal = |c: char| c.is_ascii_hexdigit();
    match colour.strip_prefix('#') {
        Some(digits) if digits.len() == 6 && digits.chars().all(hexadecimal) => {
            Ok(colour.to_string())
        }
        _ => Err(f
            .error(key, format!("`{colour}` is not a colour"))
            .with_help("colours are written \"#rrggbb\", such as \"#4c78a8\"")),
    }
}

impl Shape {
    /// A shape at the origin of its body.
    pub fn new(name: impl Into<String>, body: BodyRef, geometry: Geometry) -> Shape {
        Shape {
            name: name.into(),
            body,
            geometry,
            position: [0.0; 3],
            axis: [0.0, 0.0, 1.0],
            angle: 0.0,
            colour: None,
        }
    }

    /// Name of the kind in model text.
    pub fn kind(&self) -> &'static str {
        let row = match self.geometry {
            Geometry::Box(_) => 0,
            Geometry::Sphere(_) => 1,
            Geometry::Cylinder(..) => 2,
            Geometry::Capsule(..) => 3,
            Geometry::Extrusion(..) => 4,
            Geometry::Mesh(..) => 5,
        };
        SHAPES[row].kind
    }
}
