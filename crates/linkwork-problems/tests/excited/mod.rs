//! Models with excitations, for the tests of what blocks follow and of what that saves.
#![allow(dead_code)]

use linkwork_mbs::Model;
use linkwork_mbs::tree::{Explicit, JointCoordinates};

pub fn model(source: &str) -> Model {
    let document = linkwork_mbs::text::read(source);
    document.unwrap_or_else(|e| panic!("{e:?}")).model
}

pub fn built_in(name: &str) -> Model {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models");
    model(&std::fs::read_to_string(format!("{folder}/{name}.toml")).unwrap())
}

pub fn in_joints(model: &Model) -> JointCoordinates {
    JointCoordinates::new(model, &[]).unwrap()
}

pub fn explicit(model: &Model) -> Explicit {
    Explicit::new(in_joints(model)).unwrap()
}

/// A driven hinge in space with a spring to the ground beyond another one. Coordinates: mast, boom.
pub const IN_SPACE: &str = r#"
[model]
planar = false
gravity = [0, 0, -9.81]
[[body]]
name = "mast"
mass = 5
inertia = [1, 1, 0.3]
position = [0, 0, 1]
[[body]]
name = "boom"
mass = 2
inertia = [0.1, 0.5, 0.5]
position = [1, 0, 2]
[[joint]]
kind = "revolute"
name = "slew"
body_b = "mast"
at = [0, 0, 0]
axis = [0, 0, 1]
[[joint]]
kind = "drive"
name = "motor"
body_b = "mast"
at = [0, 0, 0]
axis = [0, 0, 1]
value = "0.5*t^2"
[[joint]]
kind = "revolute"
name = "luff"
body_a = "mast"
body_b = "boom"
at = [0, 0, 2]
axis = [0, 1, 0]
[[force]]
kind = "spring_damper"
name = "stay"
body_b = "boom"
at_a = [2, 0.5, 4]
at_b = [1.8, 0, 2]
stiffness = 4000
damping = 50
"#;
