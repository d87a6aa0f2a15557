//! Small planar models, at least one for every kind of joint, force and sensor that the plane has.

/// What stands for whole parts in the cases.
const SHORT: &[(&str, &str)] = &[
    (
        "ROD",
        r#"{ name = "rod", mass = 2, inertia = 0.3, position = [0.5, 0], angle = 0.2 }"#,
    ),
    (
        "PIN",
        r#"{ name = "pin", kind = "revolute", body_b = "rod", at = [0, 0] }"#,
    ),
    (
        "BOB",
        r#"{ name = "bob", mass = 1, inertia = 0.1, position = [1.2, -0.3] }"#,
    ),
    (
        "KNEE",
        r#"{ name = "knee", kind = "revolute", body_a = "rod", body_b = "bob", at = [1, 0] }"#,
    ),
    (
        "CART",
        r#"{ name = "cart", mass = 2, inertia = 0.3, position = [0.2, 0.06], angle = 0.3 }"#,
    ),
    (
        "GUIDE",
        r#"{ name = "guide", kind = "prismatic", body_b = "cart", at = [0.2, 0.06], axis = [1, 0.3] }"#,
    ),
    (
        "COIL",
        r#"{ name = "coil", kind = "spring_damper", body_b = "cart", at_a = [-1, 0.4], point_b = [0.1, 0.1], stiffness = 40, damping = 0.3 }"#,
    ),
];

/// A planar model of one kind, and when its run ends.
pub struct Case {
    pub kind: &'static str,
    pub t_end: f64,
    parts: &'static str,
}

impl Case {
    /// The text of the model.
    pub fn text(&self) -> String {
        let mut parts = self.parts.to_string();
        for (word, part) in SHORT {
            parts = parts.replace(word, part);
        }
        let head = format!(
            "model = {{ name = \"{}\", gravity = [0.3, -9.81] }}",
            self.kind
        );
        format!(
            "{head}\n{parts}\nsimulation = {{ t_end = {} }}\n",
            self.t_end
        )
    }
}

const fn case(kind: &'static str, t_end: f64, parts: &'static str) -> Case {
    Case { kind, t_end, parts }
}

pub const JOINT_CASES: &[Case] = &[
    case("revolute", 1.0, "body = [ROD, BOB]\njoint = [PIN, KNEE]"),
    case(
        "prismatic",
        1.0,
        "body = [CART]\njoint = [GUIDE]\nforce = [COIL]",
    ),
    // axes on both bodies say how they are turned, not the start pose
    case(
        "prismatic",
        0.6,
        r#"
body = [{ name = "cart", mass = 2, inertia = 0.3, position = [0.5, 0], angle = 0.3917881419867051 }, BOB, ROD]
joint = [PIN, KNEE, { name = "guide", kind = "prismatic", body_a = "rod", body_b = "cart", axis_a = [1, 0.3], axis_b = [1, 0.1], point_a = [0, 0], point_b = [0, 0] }]"#,
    ),
    case(
        "fixed",
        1.0,
        r#"
body = [ROD, BOB]
joint = [PIN, { name = "weld", kind = "fixed", body_a = "rod", body_b = "bob", at = [1, 0] }]"#,
    ),
    case(
        "fixed",
        1.0,
        r#"
body = [ROD, BOB]
joint = [PIN, { name = "weld", kind = "fixed", body_a = "rod", body_b = "bob", at = [1, 0], angle = -0.2 }]"#,
    ),
    case(
        "orientation",
        1.0,
        r#"
body = [ROD, BOB]
joint = [PIN, KNEE, { name = "level", kind = "orientation", body_b = "bob" }]"#,
    ),
    case(
        "distance",
        1.0,
        r#"
body = [BOB]
joint = [{ name = "link", kind = "distance", body_b = "bob", at_a = [0.1, 0.2], point_b = [-0.1, 0.2] }]"#,
    ),
    case(
        "cable",
        0.5,
        r#"
body = [
  { name = "load", kind = "point", mass = 5, position = [0.1, -2] },
  { name = "weight", mass = 3, inertia = 0.2, position = [1, -3] },
]
joint = [{ name = "rope", kind = "cable", body_b = "load", bodies = ["ground", "weight"], points = [[1, 0], [0.1, 0.2]] }]"#,
    ),
    case(
        "point_on_line",
        0.7,
        r#"
body = [{ name = "plate", mass = 2, inertia = 0.3, angular_velocity = 1.5 }]
joint = [{ name = "slot", kind = "point_on_line", body_b = "plate", at_a = [0.2, 0.1], point_b = [0.2, 0.1], axis = [1, -0.5] }]"#,
    ),
    case(
        "drive",
        1.0,
        r#"
body = [ROD, BOB]
joint = [PIN, KNEE, { name = "motor", kind = "drive", body_b = "rod", value = "0.2 + 2*t^2" }]"#,
    ),
    case(
        "drive",
        1.0,
        r#"
body = [CART, { name = "bob", mass = 1, inertia = 0.1, position = [0.3, -0.3] }]
joint = [
  GUIDE,
  { name = "hang", kind = "revolute", body_a = "cart", body_b = "bob", at = [0.2, 0.06] },
  { name = "motor", kind = "drive", quantity = "displacement", body_b = "cart", at = [0.2, 0.06], axis = [1, 0.3], value = "0.2*sin(3*t)" },
]"#,
    ),
    case(
        "motion",
        1.0,
        r#"
body = [ROD, BOB]
joint = [KNEE, { name = "table", kind = "motion", body_b = "rod", at = [0.6, 0.2], normal_a = [1, 0], x = "0.1*sin(3*t)", y = "0.2*t^2", gamma = "0.7*t" }]"#,
    ),
    case(
        "servo",
        1.0,
        r#"
body = [CART, { name = "bob", mass = 1, inertia = 0.1, position = [0.3, -0.3] }]
joint = [
  GUIDE,
  { name = "hang", kind = "revolute", body_a = "cart", body_b = "bob", at = [0.2, 0.06] },
  { name = "motor", kind = "servo", quantity = "displacement", body_b = "cart", at = [0.2, 0.06], axis = [1, 0.3], signal = "0.2*sin(3*t) + 0.1*bob.x", frequency = 3 },
]"#,
    ),
    case(
        "gear",
        1.0,
        r#"
body = [
  { name = "sun", mass = 1, inertia = 0.2 },
  { name = "carrier", mass = 1, inertia = 0.2, centre_of_mass = [0.3, 0] },
  { name = "planet", mass = 1, inertia = 0.1, position = [1.5, 0] },
]
joint = [
  { name = "shaft", kind = "revolute", body_b = "sun", at = [0, 0] },
  { name = "arm", kind = "revolute", body_b = "carrier", at = [0, 0] },
  { name = "pin", kind = "revolute", body_a = "carrier", body_b = "planet", at = [1.5, 0] },
  { name = "inner", kind = "gear", body_a = "sun", body_b = "planet", ratio = -2, at_a = [0, 0], at_b = [1.5, 0] },
  { name = "outer", kind = "gear", body_b = "planet", ratio = 4, at_a = [0, 0], at_b = [1.5, 0] },
]
force = [{ name = "motor", kind = "torque", body_b = "sun", torque = 20 }]"#,
    ),
    case(
        "differential",
        2.0,
        r#"
body = [
  { name = "cage", mass = 1, inertia = 0.5, centre_of_mass = [0.1, 0] },
  { name = "left", mass = 1, inertia = 0.2, position = [1, 0] },
  { name = "right", mass = 1, inertia = 0.7, position = [2, 0] },
]
joint = [
  { name = "bearing_1", kind = "revolute", body_b = "cage", at = [0, 0] },
  { name = "bearing_2", kind = "revolute", body_b = "left", at = [1, 0] },
  { name = "bearing_3", kind = "revolute", body_b = "right", at = [2, 0] },
  { name = "differential", kind = "differential", body_b = "left", bodies = ["right", "cage"], factors = [1, 1, -2] },
]
force = [{ name = "engine", kind = "torque", body_b = "cage", torque = 3 }]"#,
    ),
    case(
        "rack_pinion",
        1.0,
        r#"
body = [{ name = "pinion", mass = 1, inertia = 0.02, position = [0, 0.1] }, { name = "rack", mass = 1, inertia = 0.1 }]
joint = [
  { name = "bearing", kind = "revolute", body_b = "pinion", at = [0, 0.1] },
  { name = "guide", kind = "prismatic", body_b = "rack", at = [0, 0], axis = [1, 0] },
  { name = "mesh", kind = "rack_pinion", body_a = "rack", body_b = "pinion", at = [0, 0.1], rack = [1, 0], radius = 0.1 },
]
force = [{ name = "motor", kind = "torque", body_b = "pinion", torque = 0.3 }]"#,
    ),
    case(
        "cam",
        1.0,
        r#"
body = [{ name = "cam", mass = 1, inertia = 0.02 }, { name = "tappet", mass = 1, inertia = 0.02, position = [0, 0.04] }]
joint = [
  { name = "bearing", kind = "revolute", body_b = "cam", at = [0, 0] },
  { name = "guide", kind = "prismatic", body_b = "tappet", at = [0, 0.04], axis = [0, 1] },
  { name = "face", kind = "cam", body_a = "cam", body_b = "tappet", follower = "flat", face = [0, 1], normal_a = [0, 1], profile = "0.03 + 0.01*cos(angle)" },
]
force = [{ name = "motor", kind = "torque", body_b = "cam", torque = 0.2 }]"#,
    ),
    case(
        "cam",
        1.0,
        r#"
body = [{ name = "cam", mass = 1, inertia = 0.02 }, { name = "tappet", mass = 1, inertia = 0.02, position = [0, 0.04] }]
joint = [
  { name = "bearing", kind = "revolute", body_b = "cam", at = [0, 0] },
  { name = "guide", kind = "prismatic", body_b = "tappet", at = [0, 0.04], axis = [0, 1] },
  { name = "tip", kind = "cam", body_a = "cam", body_b = "tappet", normal_a = [0, 1], profile = "0.04 + 0.005*(cos(angle) - 1)" },
]
force = [{ name = "motor", kind = "torque", body_b = "cam", torque = 0.2 }]"#,
    ),
    case(
        "point_on_curve",
        0.6,
        r#"
body = [{ name = "plate", mass = 2, inertia = 0.3, angular_velocity = 1.5, position = [0, 0.1] }]
joint = [{ name = "wire", kind = "point_on_curve", body_b = "plate", point_b = [0, -0.1], axis = [1, 0], offset = "0.2*(cos(2*s) - 1)" }]"#,
    ),
    case(
        "rolling_disc",
        1.0,
        r#"
body = [{ name = "hoop", mass = 2, inertia = 0.1, position = [0.1, 0.3], angle = 0.4 }]
joint = [{ name = "floor", kind = "rolling_disc", body_b = "hoop", normal = [0.2, 1], radius = 0.3 }]"#,
    ),
    case(
        "knife_edge",
        1.0,
        r#"
body = [{ name = "sleigh", mass = 2, inertia = 0.3, velocity = [0.5, 0], angular_velocity = 1.5 }]
joint = [{ name = "runner", kind = "knife_edge", body_b = "sleigh", point_b = [-0.2, 0.1], axis_b = [0, 1] }]"#,
    ),
    case(
        "limit",
        1.0,
        r#"
body = [CART]
joint = [GUIDE, { name = "stops", kind = "limit", quantity = "displacement", body_b = "cart", at = [0.2, 0.06], axis = [1, 0.3], lower = -0.3, upper = 0.02, restitution = 0.6 }]
force = [COIL]"#,
    ),
    case(
        "limit",
        0.9,
        r#"
body = [ROD]
joint = [PIN, { name = "stops", kind = "limit", body_b = "rod", lower = -0.3, restitution = 0.6 }]"#,
    ),
    case(
        "rope",
        0.8,
        r#"
body = [{ name = "ball", kind = "point", mass = 1, position = [0.4, 0.1] }]
joint = [{ name = "rope", kind = "rope", body_b = "ball", length = 1, restitution = 0.5 }]"#,
    ),
    case(
        "rigid_contact",
        0.8,
        r#"
body = [ROD]
joint = [PIN, { name = "stone", kind = "rigid_contact", body_b = "rod", point_a = [0, -0.3], axis = [0, 1], point_b = [0.5, 0], radius = 0.05, restitution = 0.5 }]"#,
    ),
    case(
        "dry_friction",
        1.5,
        r#"
body = [ROD]
joint = [PIN, { name = "brake", kind = "dry_friction", body_b = "rod", coulomb = 3, static_ratio = 1.2 }]"#,
    ),
    case(
        "dry_friction",
        1.0,
        r#"
body = [CART]
joint = [GUIDE, { name = "brake", kind = "dry_friction", against = "sliding", body_b = "cart", at = [0.2, 0.06], axis = [1, 0.3], coulomb = 2 }]
force = [COIL]"#,
    ),
];

pub const FORCE_CASES: &[Case] = &[
    case(
        "elastic_cable",
        0.8,
        r#"
body = [
  { name = "load", kind = "point", mass = 5, position = [0.1, -2] },
  { name = "weight", mass = 3, inertia = 0.2, position = [1, -3] },
]
force = [{ name = "f", kind = "elastic_cable", body_b = "load", bodies = ["ground", "weight"], points = [[1, 0], [0.1, 0.2]], stiffness = 500, damping = 5 }]"#,
    ),
    case(
        "spring_damper",
        1.0,
        r#"
body = [ROD]
joint = [PIN]
force = [{ name = "f", kind = "spring_damper", body_b = "rod", at_a = [0.3, 1], point_b = [0.2, 0.1], stiffness = 60, damping = 0.4 }]"#,
    ),
    case(
        "torsion_spring",
        1.0,
        r#"
body = [ROD, BOB]
joint = [PIN, KNEE]
force = [{ name = "f", kind = "torsion_spring", body_a = "rod", body_b = "bob", stiffness = 5, damping = 0.1, torque = "0.5*angle^3" }]"#,
    ),
    case(
        "line_force",
        1.0,
        r#"
body = [ROD]
joint = [PIN]
force = [{ name = "f", kind = "line_force", body_b = "rod", at_a = [0.3, 1], point_b = [0.2, 0.1], force = "5*sin(3*t) - rod.x", elastic = "20*elongation^3", viscous = "0.5*rate" }]"#,
    ),
    case(
        "force",
        1.0,
        r#"
body = [ROD]
joint = [PIN]
force = [
  { name = "f", kind = "force", body_b = "rod", point = [0.2, 0.1], x = "2*t", y = 8, frame = "body" },
  { name = "g", kind = "force", body_b = "rod", point = [0.2, 0.1], x = "2*t", y = "-rod.x" },
]"#,
    ),
    case(
        "torque",
        1.0,
        r#"
body = [ROD, BOB]
joint = [PIN, KNEE]
force = [{ name = "f", kind = "torque", body_a = "rod", body_b = "bob", torque = "2*cos(t) + bob.y" }]"#,
    ),
    case(
        "bushing",
        0.5,
        r#"
body = [ROD, BOB]
joint = [PIN]
force = [{ name = "f", kind = "bushing", body_a = "rod", body_b = "bob", at = [1, 0], stiffness = [900, 700, 800, 50, 60, 70], damping = [3, 2, 4, 0.1, 0.2, 0.3] }]"#,
    ),
    case(
        "friction",
        1.0,
        r#"
body = [ROD]
joint = [PIN]
force = [{ name = "f", kind = "friction", body_b = "rod", coulomb = 1.5, static_ratio = 1.3, transition_speed = 0.1, viscous = 0.1 }]"#,
    ),
    case(
        "contact",
        0.6,
        r#"
body = [{ name = "ball", mass = 1, inertia = 0.01, position = [0.1, 0.3], angular_velocity = 5, velocity = [0.4, 0] }]
force = [{ name = "f", kind = "contact", body_b = "ball", axis = [0.1, 1], radius = 0.1, stiffness = 20000, damping = 0.3, friction = 0.4 }]"#,
    ),
    case(
        "contact",
        0.6,
        r#"
body = [{ name = "ball", mass = 1, inertia = 0.01, position = [0.02, 0.6], angular_velocity = 5 }]
force = [{ name = "f", kind = "contact", body_b = "ball", radius_a = 0.2, radius = 0.1, stiffness = 20000, damping = 0.3, friction = 0.4 }]"#,
    ),
    case(
        "hysteresis",
        1.0,
        r#"
body = [CART]
joint = [GUIDE]
force = [{ name = "f", kind = "hysteresis", body_b = "cart", at_a = [-1, 0.4], stiffness = 60, yield = 0.05, hardening = 0.2 }]"#,
    ),
    case(
        "lugre_friction",
        0.8,
        r#"
body = [CART]
joint = [GUIDE]
force = [COIL, { name = "f", kind = "lugre_friction", against = "sliding", body_b = "cart", at = [0.2, 0.06], axis = [1, 0.3], coulomb = 2, static_ratio = 1.4, stribeck_speed = 0.05, bristle_stiffness = 2000, bristle_damping = 20 }]"#,
    ),
    case(
        "rotor",
        1.0,
        r#"
body = [ROD, BOB]
joint = [PIN, KNEE]
force = [{ name = "f", kind = "rotor", body_a = "rod", body_b = "bob", inertia = 0.01, ratio = 6 }]"#,
    ),
    case(
        "beam",
        0.3,
        r#"
body = [{ name = "tip", mass = 2, inertia = 0.3, position = [1, 0] }]
force = [{ name = "f", kind = "beam", body_b = "tip", point_a = [0, 0], point_b = [0, 0], axis = [1, 0], stiffness = [20000, 8000, 8000, 30, 40, 50], damping_time = 0.002 }]"#,
    ),
];

pub const SENSOR_CASES: &[Case] = &[
    case(
        "point",
        1.0,
        r#"
body = [ROD]
joint = [PIN]
sensor = [{ name = "s", kind = "point", body = "rod", point = [0.3, 0.1] }]
force = [{ name = "f", kind = "torque", body_b = "rod", torque = "10*s.x - 3*s.y*s.x.velocity + s.y.velocity" }]"#,
    ),
    case(
        "velocity",
        1.0,
        r#"
body = [ROD]
joint = [PIN]
sensor = [{ name = "s", kind = "velocity", body = "rod", point = [0.3, 0.1] }]
force = [{ name = "f", kind = "torque", body_b = "rod", torque = "-s.x - 2*s.y" }]"#,
    ),
    case(
        "distance",
        1.0,
        r#"
body = [ROD, BOB]
joint = [PIN, KNEE]
sensor = [{ name = "s", kind = "distance", body_b = "bob", at_a = [0.2, 0.4], point_b = [0, 0.1] }]
force = [{ name = "f", kind = "torque", body_b = "rod", torque = "10*s - 2*s.velocity" }]"#,
    ),
    case(
        "angle",
        1.0,
        r#"
body = [ROD, BOB]
joint = [PIN, KNEE]
sensor = [{ name = "s", kind = "angle", body_a = "rod", body_b = "bob" }]
force = [{ name = "f", kind = "torque", body_b = "rod", torque = "8*s - 2*s.velocity" }]"#,
    ),
    case(
        "displacement",
        1.0,
        r#"
body = [ROD, BOB]
joint = [PIN, KNEE]
sensor = [{ name = "s", kind = "displacement", body_a = "rod", body_b = "bob", point_a = [0.1, 0.2], point_b = [0, 0.1], axis_a = [1, 0.5] }]
force = [{ name = "f", kind = "torque", body_b = "rod", torque = "8*s - 2*s.velocity" }]"#,
    ),
];
