//! What there is to draw: bodies, joints, forces and shapes at their start, read from the text of the
//! model as it is written back, in SI units and body frames. Where bodies go, the channels tell.

use super::shape::{self, Shape};
use linkwork_mbs::carrier::{Modal, ModalPoint};
use linkwork_mbs::text;
use linkwork_mbs::text::tree::{Content, Table, Value};
use linkwork_mbs::{self as mbs, Model};
use serde::Serialize;
use std::collections::HashMap;
use std::path::Path;

/// A vector; planar ones have z = 0.
pub type Vector = [f64; 3];
/// A unit quaternion, scalar part first.
pub type Quaternion = [f64; 4];

/// The body behind -1.
pub const GROUND: i32 = -1;

/// A body.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Body {
    /// Name; results of the body begin with it.
    pub name: String,
    /// Kind in model text.
    pub kind: String,
    /// Mass, kg.
    pub mass: f64,
    /// Start position of the centre of mass.
    pub position: Vector,
    /// Start orientation.
    pub quaternion: Quaternion,
    /// Moments of inertia about the centre of mass in body axes; planar ones have Jzz only.
    #[serde(skip)]
    pub inertia: [[f64; 3]; 3],
    /// Whether it moves in a plane.
    #[serde(skip)]
    pub planar: bool,
}

/// A joint, a force or a sensor between bodies; -1 is the ground.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Part {
    /// Name; its results begin with it.
    pub name: String,
    /// Kind in model text.
    pub kind: String,
    /// First body.
    pub a: i32,
    /// Second body.
    pub b: i32,
    /// Point in the frame of body a.
    pub point_a: Vector,
    /// Point in the frame of body b.
    pub point_b: Vector,
    /// Axis in the frame of body a.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub axis_a: Option<Vector>,
    /// Axis in the frame of body b.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub axis_b: Option<Vector>,
    /// Radius of a wheel, a pinion, a sphere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub radius: Option<f64>,
    /// Whether components are along the axes of the body.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub turns: bool,
    /// Whether it has a stiffness.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub elastic: bool,
}

/// The centre line of a flexible body: places in the body, moved by displacements times the amplitudes of its modes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CentreLine {
    /// The body; its channels `mode1`, `mode2` and so on are the amplitudes.
    pub body: i32,
    /// Places without deformation, from one end to the other.
    pub places: Vec<Vector>,
    /// For each mode the displacements of all places.
    pub modes: Vec<Vec<Vector>>,
}

impl CentreLine {
    /// That of a body whose points lie on a line.
    fn new(body: i32, modal: &Modal) -> Option<CentreLine> {
        let mut points: Vec<&ModalPoint> = modal.points.iter().collect();
        let on_line = |p: &&ModalPoint| p.place[1] == 0.0 && p.place[2] == 0.0;
        if points.len() < 3 || !points.iter().all(on_line) {
            return None;
        }
        points.sort_by(|a, b| a.place[0].total_cmp(&b.place[0]));
        let shape = |k: usize| points.iter().map(|p| p.displacement[k]).collect();
        Some(CentreLine {
            body,
            places: points.iter().map(|p| p.place).collect(),
            modes: (0..modal.modes()).map(shape).collect(),
        })
    }
}

/// What there is to draw.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Scene {
    /// Whether the mechanism is planar.
    pub planar: bool,
    /// Acceleration of gravity.
    pub gravity: Vector,
    /// Half the extent of the mechanism at its start, m.
    pub size: f64,
    /// Centre of the mechanism at its start.
    pub centre: Vector,
    /// Bodies.
    pub bodies: Vec<Body>,
    /// Joints.
    pub joints: Vec<Part>,
    /// Forces.
    pub forces: Vec<Part>,
    /// Sensors of points: what traces may follow.
    pub points: Vec<Part>,
    /// Shapes of bodies.
    pub shapes: Vec<Shape>,
    /// Centre lines of flexible bodies.
    pub lines: Vec<CentreLine>,
}

impl Scene {
    /// The scene of a model.
    /// Meshes are looked for in `folder`; what cannot be read is said in `notes`.
    pub fn new(model: &Model, folder: &Path, notes: &mut Vec<String>) -> Scene {
        // what was just written can be read
        let table = Table::parse(&text::write(model)).unwrap_or_default();
        let mut scene = Scene::of_table(&table, model);
        let given = shape::given(model, folder, notes);
        scene.shapes = shape::all(&scene, given);
        scene
    }

    fn of_table(table: &Table, model: &Model) -> Scene {
        let head = table.get("model").and_then(as_table);
        let planar = !head
            .and_then(|t| t.get("planar"))
            .is_some_and(|v| v.content == Content::Flag(false));
        let mut bodies: Vec<Body> = items(table, "body").map(|t| body(t, planar)).collect();
        let mut lines = Vec::new();
        for (i, body) in model.bodies.iter().enumerate() {
            let frames = frames(body, &bodies[i]);
            bodies.extend(frames);
            if let mbs::body::Shape::Modal(modal) = &body.shape {
                lines.extend(CentreLine::new(i as i32, modal));
            }
        }
        let numbers = bodies.iter().map(|b| b.name.clone()).zip(0..);
        let numbers: HashMap<String, i32> = numbers.collect();
        let part = |t: &Table| part(t, &numbers);
        let mut scene = Scene {
            planar,
            gravity: head.map_or([0.0; 3], |t| vector(t, "gravity").unwrap_or([0.0; 3])),
            joints: items(table, "joint").map(part).collect(),
            forces: items(table, "force").map(part).collect(),
            points: items(table, "sensor")
                .map(part)
                .filter(|p| p.kind == "point")
                .collect(),
            bodies,
            lines,
            ..Scene::default()
        };
        scene.measure();
        scene
    }

    /// Several scenes as one; names get a prefix, as their channels have it.
    pub fn join(parts: impl IntoIterator<Item = (String, Scene)>) -> Scene {
        let mut whole = Scene {
            planar: true,
            ..Scene::default()
        };
        for (prefix, scene) in parts {
            let first = whole.bodies.len() as i32;
            let shift = |i: i32| if i < 0 { i } else { i + first };
            let named = |p: Part| Part {
                name: format!("{prefix}{}", p.name),
                a: shift(p.a),
                b: shift(p.b),
                ..p
            };
            whole.planar &= scene.planar;
            whole.gravity = scene.gravity;
            whole.bodies.extend(scene.bodies.into_iter().map(|b| Body {
                name: format!("{prefix}{}", b.name),
                ..b
            }));
            whole.joints.extend(scene.joints.into_iter().map(named));
            whole.forces.extend(scene.forces.into_iter().map(named));
            whole.points.extend(scene.points.into_iter().map(named));
            whole
                .lines
                .extend(scene.lines.into_iter().map(|l| CentreLine {
                    body: shift(l.body),
                    ..l
                }));
            whole.shapes.extend(scene.shapes.into_iter().map(|s| Shape {
                body: shift(s.body),
                ..s
            }));
        }
        whole.measure();
        whole
    }

    /// Where a point of a body is at the start.
    pub fn place(&self, body: i32, point: Vector) -> Vector {
        match usize::try_from(body).ok().and_then(|i| self.bodies.get(i)) {
            Some(b) => {
                let r = turn(b.quaternion, point);
                [0, 1, 2].map(|k| b.position[k] + r[k])
            }
            None => point,
        }
    }

    /// Centre and size of all points of the mechanism.
    fn measure(&mut self) {
        let mut low = [f64::INFINITY; 3];
        let mut high = [f64::NEG_INFINITY; 3];
        let ends = |p: &Part| [(p.a, p.point_a), (p.b, p.point_b)];
        let parts = self.joints.iter().chain(&self.forces).flat_map(ends);
        let places = parts.map(|(body, point)| self.place(body, point));
        for p in places.chain(self.bodies.iter().map(|b| b.position)) {
            for k in 0..3 {
                if p[k].is_finite() {
                    low[k] = low[k].min(p[k]);
                    high[k] = high[k].max(p[k]);
                }
            }
        }
        let radii = (self.joints.iter().chain(&self.forces)).filter_map(|p| p.radius);
        let widest = radii.fold(0.0, f64::max);
        let half = [0, 1, 2].map(|k| 0.5 * (high[k] - low[k]));
        let size = half.iter().map(|x| x * x).sum::<f64>().sqrt().max(widest);
        if size.is_finite() {
            self.centre = [0, 1, 2].map(|k| 0.5 * (high[k] + low[k]));
            self.size = size;
        }
        if !(self.size > 0.0) {
            // a single body: as large as its inertia makes it
            let extent = |b: &Body| (12.0 * b.inertia[2][2] / b.mass).sqrt();
            let widest = self.bodies.iter().map(extent).fold(0.0, f64::max);
            self.size = if widest > 0.0 { widest } else { 1.0 };
        }
    }
}

fn as_table(value: &Value) -> Option<&Table> {
    match &value.content {
        Content::Table(table) => Some(table),
        _ => None,
    }
}

fn items<'a>(table: &'a Table, section: &str) -> impl Iterator<Item = &'a Table> {
    let list = table.get(section).map(|v| match &v.content {
        Content::List(list) => &list[..],
        _ => &[],
    });
    list.unwrap_or_default().iter().filter_map(as_table)
}

fn word<'a>(table: &'a Table, key: &str) -> &'a str {
    match table.get(key).map(|v| &v.content) {
        Some(Content::Text(text)) => text,
        _ => "",
    }
}

fn number(table: &Table, key: &str) -> Option<f64> {
    match table.get(key)?.content {
        Content::Number(x) => Some(x),
        _ => None,
    }
}

fn numbers(value: &Value) -> Vec<f64> {
    match &value.content {
        Content::Number(x) => vec![*x],
        Content::List(list) => list.iter().flat_map(numbers).collect(),
        _ => Vec::new(),
    }
}

fn vector(table: &Table, key: &str) -> Option<Vector> {
    match numbers(table.get(key)?)[..] {
        [x, y] => Some([x, y, 0.0]),
        [x, y, z] => Some([x, y, z]),
        _ => None,
    }
}

fn body(table: &Table, planar_model: bool) -> Body {
    let kind = word(table, "kind");
    let angle = number(table, "angle");
    let quaternion = match table.get("quaternion").map(numbers).as_deref() {
        Some(&[w, x, y, z]) => [w, x, y, z],
        _ => {
            let half = 0.5 * angle.unwrap_or(0.0);
            [half.cos(), 0.0, 0.0, half.sin()]
        }
    };
    let inertia = match table.get("inertia").map(numbers).as_deref() {
        Some(&[j]) => [[0.0; 3], [0.0; 3], [0.0, 0.0, j]],
        Some(&[a, b, c, d, e, f, g, h, i]) => [[a, b, c], [d, e, f], [g, h, i]],
        _ => [[0.0; 3]; 3],
    };
    Body {
        name: word(table, "name").to_string(),
        kind: kind.to_string(),
        mass: number(table, "mass").unwrap_or(0.0),
        position: vector(table, "position").unwrap_or([0.0; 3]),
        quaternion,
        inertia,
        planar: planar_model || kind == "planar",
    }
}

/// The further frames of a flexible body, as points that move by themselves.
fn frames(of: &mbs::Body, body: &Body) -> Vec<Body> {
    let names = of.frames().into_iter().enumerate().skip(1);
    let frame = |(k, name): (usize, String)| Body {
        name,
        kind: "point".into(),
        mass: 0.0,
        position: of.site_of(k).pose.position,
        ..body.clone()
    };
    names.map(frame).collect()
}

fn part(table: &Table, bodies: &HashMap<String, i32>) -> Part {
    let index = |key: &str| bodies.get(word(table, key)).copied().unwrap_or(GROUND);
    let point = vector(table, "point");
    let stiffness = table.get("stiffness").map(numbers);
    let b = match index("body_b") {
        GROUND => index("body"),
        b => b,
    };
    Part {
        name: word(table, "name").to_string(),
        kind: word(table, "kind").to_string(),
        a: index("body_a"),
        b,
        point_a: vector(table, "point_a").unwrap_or([0.0; 3]),
        point_b: vector(table, "point_b").or(point).unwrap_or([0.0; 3]),
        axis_a: vector(table, "axis_a"),
        axis_b: vector(table, "axis_b").or_else(|| vector(table, "axis")),
        radius: number(table, "radius"),
        turns: word(table, "frame") == "body",
        elastic: stiffness.is_some_and(|k| k.iter().any(|k| *k != 0.0)),
    }
}

/// A vector turned by a quaternion.
pub(super) fn turn(q: Quaternion, v: Vector) -> Vector {
    let [w, x, y, z] = q;
    let cross = |a: Vector, b: Vector| {
        [
            a[1] * b[2] - a[2] * b[1],
            a[2] * b[0] - a[0] * b[2],
            a[0] * b[1] - a[1] * b[0],
        ]
    };
    let u = [x, y, z];
    let t = cross(u, v).map(|c| 2.0 * c);
    let s = cross(u, t);
    [0, 1, 2].map(|k| v[k] + w * t[k] + s[k])
}

#[cfg(test)]
mod tests {
    use super::super::shape::Geometry;
    use super::*;

    fn scene(text: &str) -> (Scene, Vec<String>) {
        let document = linkwork_mbs::text::read(text).expect("it reads");
        let mut notes = Vec::new();
        let scene = Scene::new(&document.model, Path::new("nowhere"), &mut notes);
        (scene, notes)
    }

    #[test]
    fn frames_of_flexible_bodies_move_by_themselves() {
        let (scene, _) = scene(
            "[model]\nplanar = false\n\
             [[body]]\nname = \"arm\"\nkind = \"modal\"\nposition = [1, 0, 0]\n\
             points = [[0, 0, 0], [2, 0, 0], [1, 1, 0]]\nmasses = [1, 1, 1]\n\
             modes = [[0, 0, 0.1, 0, 0, 0.3, 0, 0, -0.2]]\nstiffness = [9]\n\
             inertias = [[1, 1, 1], [0, 0, 0], [0, 0, 0]]\nframes = [\"tip\"]\nframe_points = [2]\n\
             [[body]]\nname = \"load\"\nmass = 1\ninertia = 1\n\
             [[joint]]\nname = \"hook\"\nkind = \"spherical\"\nbody_a = \"arm.tip\"\nbody_b = \"load\"\n\
             at = [3, 0, 0]\n\
             [[shape]]\nname = \"knob\"\nkind = \"sphere\"\nbody = \"arm.tip\"\nradius = 0.1\n",
        );
        let names: Vec<&str> = scene.bodies.iter().map(|b| &*b.name).collect();
        assert_eq!(names, ["arm", "load", "arm.tip"]);
        assert_eq!(scene.bodies[2].position, [3.0, 0.0, 0.0]);
        assert_eq!((scene.joints[0].a, scene.joints[0].b), (2, 1));
        let knobs = scene.shapes.iter().filter(|s| s.body == 2).count();
        assert_eq!(knobs, 1, "{:?}", scene.shapes);
    }

    /// The centre line goes from end to end, with a displacement for each place and mode; frames are where they start.
    #[test]
    fn flexible_beams_have_a_line_that_bends() {
        let (scene, _) = scene(
            "[[section]]\nname = \"s\"\nkind = \"circle\"\ndiameter = 0.1\n\
             [[material]]\nname = \"m\"\nyoung = 1e9\npoisson = 0.3\ndensity = 1000\n\
             [[body]]\nname = \"bob\"\nmass = 1\ninertia = 1\n\
             [[body]]\nname = \"arm\"\nkind = \"flexible_beam\"\nlength = 2\nsection = \"s\"\nmaterial = \"m\"\n\
             modes = [3, 1]\nposition = [1, 0]\nangle = \"90 deg\"\n",
        );
        let names: Vec<&str> = scene.bodies.iter().map(|b| &*b.name).collect();
        assert_eq!(names, ["bob", "arm", "arm.start", "arm.end"]);
        let end = scene.bodies[3].position;
        assert!(
            (end[0] - 1.0).abs() < 1e-12 && (end[1] - 2.0).abs() < 1e-12,
            "{end:?}"
        );
        let [line] = &scene.lines[..] else {
            panic!("{:?}", scene.lines);
        };
        assert_eq!((line.body, line.modes.len()), (1, 4));
        let ends = [line.places.first(), line.places.last()].map(|p| p.map(|p| p[0]));
        assert_eq!(ends, [Some(0.0), Some(2.0)]);
        assert!(line.modes.iter().all(|m| m.len() == line.places.len()));
        // bending moves places across, tension along
        let across = |k: usize| line.modes[k].iter().any(|u| u[1] != 0.0);
        assert!(across(0) && across(2) && !across(3));
    }

    #[test]
    fn every_built_in_model_has_a_scene_with_shapes() {
        for entry in crate::catalogue::MODELS {
            if entry.file.ends_with(".urdf") {
                continue;
            }
            let (scene, notes) = scene(entry.text);
            assert!(notes.is_empty(), "{}: {notes:?}", entry.name);
            assert!(scene.size > 0.0 && scene.size.is_finite(), "{}", entry.name);
            for (i, body) in scene.bodies.iter().enumerate() {
                let own = |s: &&Shape| s.body == i as i32;
                let shapes: Vec<&Shape> = scene.shapes.iter().filter(own).collect();
                assert!(!shapes.is_empty(), "{}: {}", entry.name, body.name);
                for shape in shapes {
                    let norm: f64 = shape.quaternion.iter().map(|x| x * x).sum();
                    assert!((norm - 1.0).abs() < 1e-9, "{}: {}", entry.name, body.name);
                }
            }
        }
    }

    #[test]
    fn shapes_of_the_text_replace_those_that_are_made() {
        let text = |extra: &str| {
            format!(
                "[model]\nplanar = false\n[[body]]\nname = \"a\"\nmass = 1\ninertia = 1\n\
                 centre_of_mass = [0, 0, 0.25]\nposition = [1, 0, 0]\n{extra}"
            )
        };
        let (made, _) = scene(&text(""));
        assert_eq!(made.shapes.len(), 1);
        let (given, notes) = scene(&text(
            "[[shape]]\nname = \"s\"\nkind = \"cylinder\"\nbody = \"a\"\nradius = \"5 cm\"\nlength = 1\n\
             axis = [1, 0, 0]\ncolour = \"#ff0000\"\n[[shape]]\nname = \"lost\"\nkind = \"mesh\"\nbody = \"a\"\n\
             file = \"lost.stl\"\n",
        ));
        assert_eq!(notes.len(), 1);
        assert!(notes[0].contains("`lost`") && notes[0].contains("lost.stl"));
        assert_eq!(given.shapes.len(), 1);
        let shape = &given.shapes[0];
        // the frame of the page is that of the centre of mass
        assert_eq!(shape.position, [0.0, 0.0, -0.25]);
        let cylinder = Geometry::Cylinder {
            radius: 0.05,
            length: 1.0,
        };
        assert_eq!(shape.geometry, cylinder);
        let z = turn(shape.quaternion, [0.0, 0.0, 1.0]);
        assert!((z[0] - 1.0).abs() < 1e-12);
        assert_eq!(shape.colour.as_deref(), Some("#ff0000"));
    }
}
