//! Start values of the joints, and the poses and velocities of the links that follow from them.

use super::frame::{Frame, Moving};
use super::robot::{Joint, Kind, Robot};
use super::topology::Tree;
use crate::import::{Base, Choices, Note, Treatment};
use linkwork_dae::rotation::exp;
use linkwork_mbs::geometry::{Vector, add, perpendiculars, scaled};
use linkwork_mbs::spelling::nearest;
use linkwork_mbs::{ModelError, Unit};

/// Name that start values of a floating first link go by.
pub(super) const BASE: &str = "base";

/// Coordinates and rates of one joint; unused ones are zero.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Value {
    pub position: [f64; 6],
    pub rate: [f64; 6],
}

/// Values of all joints, and of the first link where it floats.
#[derive(Clone)]
pub(super) struct Values {
    pub joints: Vec<Value>,
    pub base: Option<Value>,
}

type Coordinate = (&'static str, Unit);

/// Names of the coordinates of a joint; the only one of a joint with one axis has none.
pub(super) fn coordinates(kind: Kind) -> &'static [Coordinate] {
    use Unit::{Angle, Length};
    match kind {
        Kind::Revolute | Kind::Continuous => &[("", Angle)],
        Kind::Prismatic => &[("", Length)],
        Kind::Fixed => &[],
        Kind::Planar => &[("x", Length), ("y", Length), ("angle", Angle)],
        Kind::Floating => &[
            ("x", Length),
            ("y", Length),
            ("z", Length),
            ("roll", Angle),
            ("pitch", Angle),
            ("yaw", Angle),
        ],
    }
}

/// Reads `NAME=VALUE` and its kin.
pub(super) fn values(robot: &Robot, choices: &Choices) -> Result<Values, Vec<ModelError>> {
    let mut values = Values {
        joints: vec![Value::default(); robot.joints.len()],
        base: (choices.base == Base::Floating).then(Value::default),
    };
    let mut errors = Vec::new();
    for assignment in &choices.joints {
        if let Err(e) = assign(robot, assignment, &mut values) {
            errors.push(e);
        }
    }
    if errors.is_empty() {
        Ok(values)
    } else {
        Err(errors)
    }
}

fn assign(robot: &Robot, assignment: &str, values: &mut Values) -> Result<(), ModelError> {
    let fail = |message: String| ModelError::new(format!("joint value `{assignment}`: {message}"));
    let usage = "joint values look like `elbow=0.5`, `elbow=30 deg` or `elbow.velocity=2`";
    let (path, text) = assignment
        .split_once('=')
        .ok_or_else(|| fail("there is no `=`".into()).with_help(usage))?;
    let (path, text) = (path.trim(), text.trim());
    // Names may hold dots: the longest name that fits is meant.
    let fits =
        |name: &str| path == name || path.strip_prefix(name).is_some_and(|r| r.starts_with('.'));
    let named = robot
        .joints
        .iter()
        .enumerate()
        .filter(|(_, j)| fits(&j.name));
    let (kind, name, value) = match (named.max_by_key(|(_, j)| j.name.len()), &mut values.base) {
        (Some((i, joint)), _) => (joint.kind, joint.name.as_str(), &mut values.joints[i]),
        (None, Some(base)) if fits(BASE) => (Kind::Floating, BASE, base),
        _ => {
            let names = robot.joints.iter().map(|j| j.name.as_str());
            let names = names.chain(values.base.is_some().then_some(BASE));
            let asked = path.strip_suffix(".velocity").unwrap_or(path);
            let help = match nearest(asked, names) {
                Some(near) => format!("did you mean `{near}`?"),
                None => usage.to_string(),
            };
            return Err(fail(format!("there is no joint `{asked}`")).with_help(help));
        }
    };
    let rest = path[name.len()..].trim_start_matches('.');
    let (coordinate, velocity) = match rest.strip_suffix("velocity") {
        Some(before) => (before.trim_end_matches('.'), true),
        None => (rest, false),
    };
    let list = coordinates(kind);
    let index = list.iter().position(|(name, _)| *name == coordinate);
    let Some((index, (_, unit))) = index.map(|i| (i, list[i])) else {
        let names: Vec<&str> = list.iter().map(|c| c.0).filter(|n| !n.is_empty()).collect();
        let message = match (list.len(), coordinate) {
            (0, _) => format!("the joint `{name}` is fixed"),
            (_, "") => format!(
                "the joint `{name}` has the coordinates {}",
                names.join(", ")
            ),
            _ => format!("the joint `{name}` has no coordinate `{coordinate}`"),
        };
        let help = match names.first() {
            Some(first) => format!("write `{name}.{first}=...` or `{name}.{first}.velocity=...`"),
            None => usage.to_string(),
        };
        return Err(fail(message).with_help(help));
    };
    let unit = match (unit, velocity) {
        (Unit::Angle, true) => Unit::AngularVelocity,
        (_, true) => Unit::Velocity,
        (unit, false) => unit,
    };
    let number = unit
        .parse(text)
        .map_err(|e| fail(e.message).with_help(e.help))?;
    if !number.is_finite() {
        return Err(fail("the value must be finite".into()));
    }
    let list = if velocity {
        &mut value.rate
    } else {
        &mut value.position
    };
    list[index] = number;
    Ok(())
}

/// Where the joint puts the frame of its child in its own, and how fast: velocity and angular
/// velocity in the frame of the joint.
fn motion(kind: Kind, axis: Vector, value: &Value) -> (Frame, Vector, Vector) {
    let (q, v) = (value.position, value.rate);
    match kind {
        Kind::Fixed => (Frame::default(), [0.0; 3], [0.0; 3]),
        Kind::Revolute | Kind::Continuous => {
            let turn = exp(scaled(axis, q[0]));
            let at = [0.0; 3];
            (Frame { at, turn }, [0.0; 3], scaled(axis, v[0]))
        }
        Kind::Prismatic => {
            let at = scaled(axis, q[0]);
            let frame = Frame {
                at,
                ..Frame::default()
            };
            (frame, scaled(axis, v[0]), [0.0; 3])
        }
        Kind::Planar => {
            let [first, second] = perpendiculars(axis);
            let within = |x: f64, y: f64| add(scaled(first, x), scaled(second, y));
            let frame = Frame {
                at: within(q[0], q[1]),
                turn: exp(scaled(axis, q[2])),
            };
            (frame, within(v[0], v[1]), scaled(axis, v[2]))
        }
        Kind::Floating => {
            let frame = Frame::new([q[0], q[1], q[2]], [q[3], q[4], q[5]]);
            let spin = frame.direction([v[3], v[4], v[5]]);
            (frame, [v[0], v[1], v[2]], spin)
        }
    }
}

fn carried(parent: &Moving, joint: &Joint, value: &Value) -> Moving {
    let own = parent.frame.of(&joint.origin);
    let (inner, velocity, spin) = motion(joint.kind, joint.axis, value);
    let frame = own.of(&inner);
    Moving {
        frame,
        velocity: add(parent.velocity_at(frame.at), own.direction(velocity)),
        spin: add(parent.spin, own.direction(spin)),
    }
}

/// Frames of all links with their velocities, in global components.
pub(super) fn states(robot: &Robot, tree: &Tree, values: &Values) -> Vec<Moving> {
    let mut links = vec![Moving::default(); robot.links.len()];
    if let Some(base) = &values.base {
        let (frame, velocity, spin) = motion(Kind::Floating, [0.0; 3], base);
        links[tree.root] = Moving {
            frame,
            velocity,
            spin,
        };
    }
    for &i in &tree.joints {
        let joint = &robot.joints[i];
        links[joint.child] = carried(&links[joint.parent], joint, &values.joints[i]);
    }
    links
}

/// Joints that start outside their limits.
pub(super) fn outside_limits<'a>(
    joints: &'a [Joint],
    values: &'a Values,
) -> impl Iterator<Item = Note> + 'a {
    joints
        .iter()
        .zip(&values.joints)
        .filter_map(|(joint, value)| {
            let [lower, upper] = joint.limits?;
            let q = value.position[0];
            if lower <= q && q <= upper {
                return None;
            }
            Some(Note {
                treatment: Treatment::NotUsed,
                what: "limit".into(),
                whose: format!("joint `{}`", joint.name),
                line: joint.span.start,
                why: format!("it starts at {q}, outside its limits {lower} to {upper}"),
            })
        })
}
