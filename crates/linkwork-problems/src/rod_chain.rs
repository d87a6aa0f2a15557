//! A planar chain of equal slender rods that falls from the horizontal.
//!
//! ```text
//!  o====o====o====o ... ====     N rods, 1 m and 1 kg together, hinged to each other and at the left
//! ```
//!
//! Its size is free, so it shows how cost grows with the number of bodies.

use linkwork_mbs::joint::Revolute;
use linkwork_mbs::tree::{
    Formalism, Frame, Inertia, Joint, JointLoad, Placement, Sym3, Tree, TreeError, TreeSystem, Vec3,
};
use linkwork_mbs::{Body, BodyRef, Model};

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
    let mut model = Model::new("rod_chain")
        .gravity([0.0, -GRAVITY])
        .length(LENGTH);
    let mut last = BodyRef::GROUND;
    let mut end = [0.0, 0.0];
    for i in 1..=n {
        let middle = (i as f64 - 0.5) * length;
        let inertia = mass * length * length / 12.0;
        let rod = model.add_body(
            Body::rigid(format!("rod{i}"), mass, inertia)
                .at([middle, 0.0])
                .exact_pose(),
        );
        let hinge = Revolute::between(end, [-half, 0.0]);
        model.add_joint(format!("hinge{i}"), last, rod, hinge);
        (last, end) = (rod, [half, 0.0]);
    }
    model
}

/// Most rods for which matrices in joint coordinates are stored by name: those of larger chains
/// cost more than recursions.
pub const MOST_STORED: usize = 16;

/// The same chain in joint coordinates: angles between neighbouring rods.
pub fn rod_chain_in_angles(n: usize, formalism: Formalism) -> Result<TreeSystem, TreeError> {
    let length = LENGTH / n as f64;
    let mass = MASS / n as f64;
    let slender = mass * length * length / 12.0;
    let centre = Vec3::new(0.5 * length, 0.0, 0.0);
    let moments = Sym3 {
        xx: 0.0,
        ..Sym3::scalar(slender)
    };
    let rod = Inertia::about_centre(mass, centre, moments);
    let mut tree = Tree::new(Vec3::new(0.0, -GRAVITY, 0.0));
    let mut end = Frame::GROUND;
    for _ in 0..n {
        let here = Placement::IDENTITY;
        end = tree.add(&end, Joint::Revolute, &here, &here, &rod)?;
        end = end.then(&Placement::at(Vec3::new(length, 0.0, 0.0)));
    }
    let zero = vec![0.0; n];
    TreeSystem::new(
        tree,
        formalism,
        vec![JointLoad::default(); n],
        zero.clone(),
        zero,
    )
}
