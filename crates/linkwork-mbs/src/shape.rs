//! How bodies look. Shapes have no mechanics: they are for pictures, and nothing collides.

use crate::error::ModelError;
use crate::field::{Form, Key, Value};
use crate::handle::BodyRef;
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

/// A row of the registry of shapes.
pub struct ShapeEntry {
    /// Name in model text.
    pub kind: &'static str,
    /// One sentence.
    pub summary: &'static str,
    /// Keys of its own.
    pub keys: &'static [Key],
    read: fn(&Fields<'_>) -> Result<Geometry, ModelError>,
}

/// Keys that all shapes have.
pub static SHAPE_KEYS: &[Key] = &[
    Key::required(
        "body",
        Unit::None,
        "The body that it belongs to, or `ground`.",
    )
    .takes(Form::Word),
    Key::optional(
        "position",
        Unit::Length,
        "origin of the body",
        "Where its frame is, in that of the body; two or three numbers.",
    )
    .takes(Form::List),
    Key::optional(
        "axis",
        Unit::None,
        "[0, 0, 1]",
        "Where its z axis points, in the frame of the body.",
    )
    .takes(Form::List),
    Key::optional(
        "angle",
        Unit::Angle,
        "0",
        "How it is turned about that axis.",
    ),
    Key::optional(
        "colour",
        Unit::None,
        "one is chosen",
        "Colour as \"#rrggbb\".",
    )
    .takes(Form::Word),
];

/// Every kind of shape.
pub static SHAPES: &[ShapeEntry] = &[
    ShapeEntry {
        kind: "box",
        summary: "A box about its centre.",
        keys: &[Key::required("size", Unit::Length, "Edges along x, y and z.").takes(Form::List)],
        read: |f| {
            let size = three(f, "size", Unit::Length)?;
            if size.iter().any(|x| !(*x > 0.0)) {
                return Err(f.error("size", "edges must be greater than zero"));
            }
            Ok(Geometry::Box(size))
        },
    },
    ShapeEntry {
        kind: "sphere",
        summary: "A sphere about its centre.",
        keys: &[Key::required("radius", Unit::Length, "Radius.")],
        read: |f| Ok(Geometry::Sphere(f.positive("radius", Unit::Length)?)),
    },
    ShapeEntry {
        kind: "cylinder",
        summary: "A cylinder along its z axis, about its centre.",
        keys: &[
            Key::required("radius", Unit::Length, "Radius."),
            Key::required("length", Unit::Length, "Length."),
        ],
        read: |f| {
            let radius = f.positive("radius", Unit::Length)?;
            Ok(Geometry::Cylinder(
                radius,
                f.positive("length", Unit::Length)?,
            ))
        },
    },
    ShapeEntry {
        kind: "capsule",
        summary: "A cylinder along its z axis with half spheres at its ends.",
        keys: &[
            Key::required("radius", Unit::Length, "Radius."),
            Key::required("length", Unit::Length, "Length without the half spheres."),
        ],
        read: |f| {
            let radius = f.positive("radius", Unit::Length)?;
            Ok(Geometry::Capsule(
                radius,
                f.positive("length", Unit::Length)?,
            ))
        },
    },
    ShapeEntry {
        kind: "extrusion",
        summary: "An outline in x and y, extruded along z about its middle.",
        keys: &[
            Key::required("outline", Unit::Length, "Corners [[x, y], ...], in order.")
                .takes(Form::List),
            Key::required("thickness", Unit::Length, "Thickness along z."),
        ],
        read: |f| {
            let numbers = f.quantities("outline", Unit::Length)?;
            let (corners, []) = numbers.as_chunks::<2>() else {
                return Err(f.error("outline", "corners have two coordinates each"));
            };
            if corners.len() < 3 {
                return Err(f.error("outline", "an outline has at least three corners"));
            }
            let thickness = f.positive("thickness", Unit::Length)?;
            Ok(Geometry::Extrusion(corners.to_vec(), thickness))
        },
    },
    ShapeEntry {
        kind: "mesh",
        summary: "Triangles of a file: STL, OBJ or glTF, found beside the model.",
        keys: &[
            Key::required(
                "file",
                Unit::None,
                "Path of the file, from that of the model.",
            )
            .takes(Form::Word),
            Key::optional(
                "scale",
                Unit::Length,
                "1",
                "Length of one unit of the file: \"1 mm\".",
            ),
        ],
        read: |f| {
            let file = f.text("file")?.to_string();
            Ok(Geometry::Mesh(
                file,
                f.positive_or("scale", Unit::Length, 1.0)?,
            ))
        },
    },
];

/// Three numbers: shapes have a third dimension in the plane as well.
fn three(f: &Fields<'_>, key: &'static str, unit: Unit) -> Result<Vector, ModelError> {
    match f.quantities(key, unit)?[..] {
        [x, y, z] => Ok([x, y, z]),
        _ => Err(f.error(key, format!("`{key}` has three components"))),
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

    /// Reads a shape; its kind is known.
    pub(crate) fn read(f: &Fields<'_>, entry: &ShapeEntry) -> Result<Shape, ModelError> {
        let mut shape = Shape::new(f.name(), f.body("body")?, (entry.read)(f)?);
        if f.has("position") {
            shape.position = match f.quantities("position", Unit::Length)?[..] {
                [x, y] => [x, y, 0.0],
                [x, y, z] => [x, y, z],
                _ => return Err(f.error("position", "`position` has two or three components")),
            };
        }
        if f.has("axis") {
            shape.axis = three(f, "axis", Unit::None)?;
        }
        if shape.axis == [0.0; 3] {
            return Err(f.error("axis", "the axis has no direction"));
        }
        shape.angle = f.number_or("angle", Unit::Angle, 0.0)?;
        if let Some(colour) = f.optional_text("colour")? {
            let hexadecimal = |c: char| c.is_ascii_hexdigit();
            match colour.strip_prefix('#') {
                Some(digits) if digits.len() == 6 && digits.chars().all(hexadecimal) => {
                    shape.colour = Some(colour.to_string());
                }
                _ => {
                    return Err(f
                        .error("colour", format!("`{colour}` is not a colour"))
                        .with_help("colours are written \"#rrggbb\", such as \"#4c78a8\""));
                }
            }
        }
        Ok(shape)
    }

    /// Keys and values, without name, kind and body.
    pub fn fields(&self) -> Vec<(&'static str, Value)> {
        let mut fields = match &self.geometry {
            Geometry::Box(size) => vec![("size", Value::numbers(size))],
            Geometry::Sphere(radius) => vec![("radius", Value::Number(*radius))],
            Geometry::Cylinder(radius, length) | Geometry::Capsule(radius, length) => vec![
                ("radius", Value::Number(*radius)),
                ("length", Value::Number(*length)),
            ],
            Geometry::Extrusion(outline, thickness) => {
                let corners = outline.iter().map(|c| Value::numbers(c)).collect();
                vec![
                    ("outline", Value::List(corners)),
                    ("thickness", Value::Number(*thickness)),
                ]
            }
            Geometry::Mesh(file, scale) => vec![
                ("file", Value::Text(file.clone())),
                ("scale", Value::Number(*scale)),
            ],
        };
        fields.push(("position", Value::numbers(&self.position)));
        fields.push(("axis", Value::numbers(&self.axis)));
        fields.push(("angle", Value::Number(self.angle)));
        if let Some(colour) = &self.colour {
            fields.push(("colour", Value::Text(colour.clone())));
        }
        fields
    }
}
