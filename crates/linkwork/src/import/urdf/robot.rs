//! What a URDF file says, as plain data: links, joints, and notes of what is not read.

use super::frame::Frame;
use super::visual::{self, Visual};
use super::xml::{
    Result, attribute, child, complain, elements, not_negative, number, number_or, tag, vector_or,
};
use crate::import::{Note, Treatment};
use linkwork_mbs::ModelError;
use linkwork_mbs::geometry::{Matrix, Vector, norm, unit};
use linkwork_mbs::spelling::nearest;
use roxmltree::{Document, Node};
use std::collections::BTreeMap;
use std::ops::Range;

/// Mass and inertia of a link.
pub(super) struct Inertial {
    /// Centre of mass and principal frame in the frame of the link.
    pub origin: Frame,
    pub mass: f64,
    /// About the centre of mass, in the axes of `origin`.
    pub inertia: Matrix,
    /// Bytes of the moments of inertia.
    pub span: Range<usize>,
}

pub(super) struct Link {
    pub name: String,
    pub span: Range<usize>,
    pub inertial: Option<Inertial>,
    pub visuals: Vec<Visual>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Revolute,
    Continuous,
    Prismatic,
    Fixed,
    Floating,
    Planar,
}

const KINDS: [(&str, Kind); 6] = [
    ("revolute", Kind::Revolute),
    ("continuous", Kind::Continuous),
    ("prismatic", Kind::Prismatic),
    ("fixed", Kind::Fixed),
    ("floating", Kind::Floating),
    ("planar", Kind::Planar),
];

pub(super) struct Joint {
    pub name: String,
    pub span: Range<usize>,
    pub kind: Kind,
    pub parent: usize,
    pub child: usize,
    /// Frame of the joint in that of the parent.
    pub origin: Frame,
    /// Unit vector in the frame of the joint.
    pub axis: Vector,
    pub damping: f64,
    pub friction: f64,
    pub limits: Option<[f64; 2]>,
}

pub(super) struct Robot {
    pub name: Option<String>,
    pub links: Vec<Link>,
    pub joints: Vec<Joint>,
    pub notes: Vec<Note>,
}

const SHAPES: &str = "nothing collides";
const LIMITS: &str = "limits of position, velocity and effort are not enforced";
const UNKNOWN: &str = "not an element of URDF at this place";

/// Elements that are known and not used, by their parent.
const NOT_USED: [(&str, &str, &str); 9] = [
    ("link", "collision", SHAPES),
    ("joint", "limit", LIMITS),
    ("joint", "safety_controller", LIMITS),
    ("joint", "calibration", "nothing is calibrated"),
    (
        "joint",
        "mimic",
        "the joint moves freely: couplings of joints are not read",
    ),
    (
        "robot",
        "transmission",
        "actuators are not read; add forces or controls to the model text",
    ),
    ("robot", "gazebo", "settings of another program"),
    (
        "robot",
        "sensor",
        "sensors are not read; add them to the model text",
    ),
    ("robot", "ros2_control", "settings of another program"),
];

/// Elements that are read, by their parent.
const READ: [(&str, &[&str]); 3] = [
    ("robot", &["link", "joint", "material"]),
    ("link", &["inertial", "visual"]),
    ("joint", &["origin", "parent", "child", "axis", "dynamics"]),
];

/// Reads all links and joints; reports as many mistakes as it can find.
pub(super) fn read(source: &str) -> std::result::Result<Robot, Vec<ModelError>> {
    if let Some(at) = crowded(source) {
        let message = format!("an element has more than {ATTRIBUTES} attributes");
        return Err(vec![ModelError::new(message).at(at..at)]);
    }
    let document = Document::parse(source).map_err(|e| vec![malformed(source, &e)])?;
    let root = document.root_element();
    if root.tag_name().name() != "robot" {
        let message = format!(
            "the file holds a <{}>, not a <robot>",
            root.tag_name().name()
        );
        return Err(vec![complain(root, message)]);
    }
    if let Some(node) = document.descendants().find(|n| is_xacro(*n)) {
        let help = "expand it first: `xacro FILE > robot.urdf`";
        let message = "this is a xacro file, with macros that are not expanded";
        return Err(vec![complain(node, message).with_help(help)]);
    }
    let mut robot = Robot {
        name: root.attribute("name").map(str::to_string),
        links: Vec::new(),
        joints: Vec::new(),
        notes: Vec::new(),
    };
    let mut errors = Vec::new();
    look_over(root, "", &mut robot.notes);
    let mut names: BTreeMap<&str, usize> = BTreeMap::new();
    for node in elements(root).filter(|n| n.tag_name().name() == "link") {
        match read_link(node, &mut robot.notes) {
            Ok(link) => {
                let first = names.entry(node.attribute("name").unwrap_or(""));
                let first = *first.or_insert(robot.links.len());
                if let Some(other) = robot.links.get(first) {
                    errors.push(twice("link", &link.name, &link.span, &other.span));
                }
                robot.links.push(link);
            }
            Err(e) => {
                // a link that is there but wrong must not be called missing as well
                if let Some(name) = node.attribute("name") {
                    names.entry(name).or_insert(usize::MAX);
                }
                errors.push(e);
            }
        }
    }
    let mut seen: BTreeMap<String, Range<usize>> = BTreeMap::new();
    for node in elements(root).filter(|n| n.tag_name().name() == "joint") {
        match read_joint(node, &names, &mut robot.notes) {
            Ok(joint) => {
                if let Some(other) = seen.insert(joint.name.clone(), joint.span.clone()) {
                    errors.push(twice("joint", &joint.name, &joint.span, &other));
                }
                robot.joints.push(joint);
            }
            Err(e) => errors.push(e),
        }
    }
    if robot.links.is_empty() && errors.is_empty() {
        errors.push(complain(root, "the robot has no <link>"));
    }
    if errors.is_empty() {
        Ok(robot)
    } else {
        errors.sort_by_key(|e| e.span.as_ref().map_or(0, |s| s.start));
        Err(errors)
    }
}

/// Most attributes of an element: the parser compares each with each.
const ATTRIBUTES: usize = 1000;

/// The first element with more attributes than allowed.
fn crowded(source: &str) -> Option<usize> {
    let (mut count, mut begun, mut quote) = (0, 0, None);
    for (at, byte) in source.bytes().enumerate() {
        match (quote, byte) {
            (Some(open), _) if byte == open => quote = None,
            (Some(_), _) => {}
            (None, b'<') => (count, begun) = (0, at),
            (None, b'=') => count += 1,
            // quotes of words between elements are none
            (None, b'"' | b'\'') if count > 0 => quote = Some(byte),
            (None, b'>') => count = 0,
            _ => {}
        }
        if count > ATTRIBUTES {
            return Some(begun);
        }
    }
    None
}

fn malformed(source: &str, error: &roxmltree::Error) -> ModelError {
    let message = format!("the file is not well-formed XML: {error}");
    if let roxmltree::Error::UnclosedRootNode | roxmltree::Error::UnexpectedEndOfStream = error {
        let end = source.trim_end().len();
        return ModelError::new(message).at(end..end);
    }
    let place = error.pos();
    let line = place.row.saturating_sub(1) as usize;
    let start: usize = source.split_inclusive('\n').take(line).map(str::len).sum();
    let rest = source.get(start..).unwrap_or("");
    let column = place.col.saturating_sub(1) as usize;
    let within = rest.char_indices().nth(column).map_or(0, |(i, _)| i);
    let at = start + within;
    ModelError::new(message).at(at..at)
}

fn is_xacro(node: Node<'_, '_>) -> bool {
    let space = node.tag_name().namespace();
    node.is_element() && space.is_some_and(|uri| uri.contains("xacro"))
}

fn twice(what: &str, name: &str, here: &Range<usize>, other: &Range<usize>) -> ModelError {
    ModelError::new(format!("two <{what}> elements are called `{name}`"))
        .at(here.clone())
        .with_related(other.clone(), "the first")
}

/// Notes the children of an element that are not read.
fn look_over(node: Node<'_, '_>, whose: &str, notes: &mut Vec<Note>) {
    let parent = node.tag_name().name();
    let read = READ
        .iter()
        .find(|(p, _)| *p == parent)
        .map_or(&[][..], |r| r.1);
    for element in elements(node) {
        let name = element.tag_name().name();
        if read.contains(&name) {
            continue;
        }
        let why = match NOT_USED.iter().find(|r| (r.0, r.1) == (parent, name)) {
            Some((.., why)) => (*why).to_string(),
            None => match nearest(name, read.iter().copied()) {
                Some(near) => format!("{UNKNOWN}; did you mean <{near}>?"),
                None => UNKNOWN.to_string(),
            },
        };
        notes.push(note(element, Treatment::NotUsed, name, whose, why));
    }
}

/// Lines of a text, to be found by their bytes. To count them anew for every element takes the square of the
/// length of the text.
pub(super) struct Lines(Vec<usize>);

impl Lines {
    pub fn of(text: &str) -> Lines {
        Lines(text.match_indices('\n').map(|(i, _)| i).collect())
    }

    /// The line of a byte, from 1.
    pub fn at(&self, byte: usize) -> usize {
        1 + self.0.partition_point(|end| *end < byte)
    }
}

/// A note on an element; its line is where the element begins, in bytes, until all notes are there.
pub(super) fn note(
    node: Node<'_, '_>,
    treatment: Treatment,
    what: &str,
    whose: &str,
    why: String,
) -> Note {
    Note {
        treatment,
        what: what.to_string(),
        whose: whose.to_string(),
        line: node.range().start,
        why,
    }
}

pub(super) fn read_origin(node: Node<'_, '_>) -> Result<Frame> {
    let Some(origin) = child(node, "origin") else {
        return Ok(Frame::default());
    };
    let at = vector_or(origin, "xyz", [0.0; 3])?;
    Ok(Frame::new(at, vector_or(origin, "rpy", [0.0; 3])?))
}

fn read_link(node: Node<'_, '_>, notes: &mut Vec<Note>) -> Result<Link> {
    let name = attribute(node, "name")?.value().to_string();
    let whose = format!("link `{name}`");
    look_over(node, &whose, notes);
    let inertial = child(node, "inertial")
        .map(|inertial| read_inertial(inertial, &whose))
        .transpose()?;
    Ok(Link {
        name,
        span: tag(node),
        inertial,
        visuals: visual::read(node, &whose, notes),
    })
}

fn read_inertial(node: Node<'_, '_>, whose: &str) -> Result<Inertial> {
    let part = |name: &str| {
        let message = format!("{whose}: <inertial> needs a <{name}>");
        child(node, name).ok_or_else(|| complain(node, message))
    };
    let mass = part("mass")?;
    let value = number(mass, "value")?;
    let moments = part("inertia")?;
    let [xx, yy, zz] = [
        number(moments, "ixx")?,
        number(moments, "iyy")?,
        number(moments, "izz")?,
    ];
    let [xy, xz, yz] = [
        number_or(moments, "ixy", 0.0)?,
        number_or(moments, "ixz", 0.0)?,
        number_or(moments, "iyz", 0.0)?,
    ];
    for (name, x) in [("ixx", xx), ("iyy", yy), ("izz", zz)] {
        not_negative(moments, name, whose, x)?;
    }
    Ok(Inertial {
        origin: read_origin(node)?,
        mass: not_negative(mass, "value", whose, value)?,
        inertia: [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]],
        span: tag(moments),
    })
}

fn read_joint(
    node: Node<'_, '_>,
    links: &BTreeMap<&str, usize>,
    notes: &mut Vec<Note>,
) -> Result<Joint> {
    let name = attribute(node, "name")?.value().to_string();
    let whose = format!("joint `{name}`");
    look_over(node, &whose, notes);
    let kind = read_kind(node, &whose)?;
    let end = |which: &str| -> Result<usize> {
        let message = format!("{whose} needs a <{which} link=\"...\"/>");
        let element = child(node, which).ok_or_else(|| complain(node, message))?;
        let link = attribute(element, "link")?;
        let missing = || {
            let near = nearest(link.value(), links.keys().copied());
            let error = ModelError::new(format!(
                "{whose}: its {which} `{}` is not a link of the robot",
                link.value()
            ));
            let error = error.at(link.range_value());
            match near {
                Some(near) => error.with_help(format!("did you mean `{near}`?")),
                None => error,
            }
        };
        links.get(link.value()).copied().ok_or_else(missing)
    };
    let (parent, child_link) = (end("parent")?, end("child")?);
    let axis = match child(node, "axis") {
        Some(axis) if !matches!(kind, Kind::Fixed | Kind::Floating) => {
            let direction = vector_or(axis, "xyz", [1.0, 0.0, 0.0])?;
            let length = norm(direction);
            if !(length > 0.0 && length.is_finite()) {
                return Err(complain(axis, format!("{whose}: its axis needs a length")));
            }
            unit(direction)
        }
        _ => [1.0, 0.0, 0.0],
    };
    let (mut damping, mut friction) = (0.0, 0.0);
    if let Some(dynamics) = child(node, "dynamics") {
        damping = number_or(dynamics, "damping", 0.0)?;
        friction = number_or(dynamics, "friction", 0.0)?;
        for (attribute, x) in [("damping", damping), ("friction", friction)] {
            not_negative(dynamics, attribute, &whose, x)?;
        }
        if damping + friction > 0.0
            && !matches!(kind, Kind::Revolute | Kind::Continuous | Kind::Prismatic)
        {
            let why = "only joints with one axis can have damping and friction".to_string();
            notes.push(note(dynamics, Treatment::NotUsed, "dynamics", &whose, why));
        } else if friction > 0.0 {
            let why = super::build::REGULARISED.to_string();
            notes.push(note(dynamics, Treatment::Changed, "friction", &whose, why));
        }
    }
    let limits = match (child(node, "limit"), kind) {
        (Some(limit), Kind::Revolute | Kind::Prismatic) => {
            let lower = number_or(limit, "lower", 0.0)?;
            Some([lower, number_or(limit, "upper", 0.0)?])
        }
        _ => None,
    };
    Ok(Joint {
        name,
        span: tag(node),
        kind,
        parent,
        child: child_link,
        origin: read_origin(node)?,
        axis,
        damping,
        friction,
        limits,
    })
}

fn read_kind(node: Node<'_, '_>, whose: &str) -> Result<Kind> {
    let attribute = attribute(node, "type")?;
    let word = attribute.value();
    if let Some((_, kind)) = KINDS.iter().find(|(name, _)| *name == word) {
        return Ok(*kind);
    }
    let names = KINDS.map(|(name, _)| name);
    let help = match nearest(word, names) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("types are {}", names.join(", ")),
    };
    let message = format!("{whose}: there is no joint type `{word}`");
    Err(ModelError::new(message)
        .at(attribute.range_value())
        .with_help(help))
}
