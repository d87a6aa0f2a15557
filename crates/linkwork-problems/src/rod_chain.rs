//! A planar chain of equal slender rods that falls from the horizontal.
//!
//! ```text
//!  o====o====o====o ... ====     N rods, 1 m and 1 kg together, hinged to each other and at the left
//! ```
//!
//! Its size is free, so it shows how cost grows with the number of bodies.

use linkwork_mbs::joint::Revolute;
use linkwork_mbs::tree::JointCoordinates;
use linkwork_mbs::tree::joint_coordinates::Form;
use linkwork_mbs::{Body, BodyRef, Model, ModelError};

/// Length of the whole chain, m.
const LENGTH: f64 = 1.0;
/// Mass of the whole chain, kg.
const MASS: f64 = 1.0;
/// Acceleration of gravity, m/s^2.
const GRAVITY: f64 = 9.81;
/// Most rods that are accepted by name.
pub const MOST_RODS: usize = 100_000;

/// A number of rods given as a parameter.
pub fn rods(n: f64) -> Result<usize, String> {
    if n.fract() == 0.0 && (1.0..=MOST_RODS as f64).contains(&n) {
        Ok(n as usize)
    } else {
        Err(format!(
            "n is the number of rods, a whole number from 1 to {MOST_RODS}; it is {n}"
        ))
    }
}

/// The chain of `n` rods, named `rod1` to `rodN` from the fixed end.
pub fn rod_chain(n: usize) -> Model {
    let length = LENGTH / n as f64;
    let mass = MASS / n as f64;
    let half = 0.5 * length;
    // tolerances refer to the whole chain, as the errors of interest do
    let mut model = Model::planar("rod_chain")
        .gravity([0.0, -GRAVITY])
        .length(LENGTH);
    let mut last = BodyRef::GROUND;
    let mut end = [0.0, 0.0];
    for i in 1..=n {
        let middle = (i as f64 - 0.5) * length;
        let inertia = mass * length * length / 12.0;
        let rod = model.add_body(
            Body::planar(format!("rod{i}"), mass, inertia)
                .at([middle, 0.0])
                .exact_pose(),
        );
        let hinge = Revolute::between(end, [-half, 0.0]);
        model.add_joint(format!("hinge{i}"), last, rod, hinge);
        (last, end) = (rod, [half, 0.0]);
    }
    model
}

/// The same chain in joint coordinates: angles between neighbouring rods.
pub fn rod_chain_in_angles(n: usize, form: Form) -> Result<JointCoordinates, ModelError> {
    JointCoordinates::in_form(&rod_chain(n), &[], form)
}
