//! Free bodies without forces: an asymmetric one that tumbles, and a symmetric rotor.
//!
//! Energy and the angular momentum in space axes are invariants of both. The motion of a symmetric
//! body has a closed form, a steady precession about the angular momentum `L`:
//!
//! ```text
//!  R(t) = exp(t L / J_1) exp(t (1 - J_3/J_1) w_3 e_3),   w_3 constant
//! ```

use crate::rigid_body::Body;
use linkwork_dae::rotation::{Quaternion, Vector, apply, compose, exp, matrix};

const FREE: Body = Body {
    mass: 1.0,
    inertia: [0.0; 3],
    arm: [0.0; 3],
    gravity: 0.0,
    omega: [0.0; 3],
};

/// Turns about the axis of the middle inertia again and again: that rotation is unstable.
pub const TUMBLING: Body = Body {
    inertia: [2.0, 1.0, 3.0],
    omega: [10.0, 0.1, 0.2],
    ..FREE
};

/// A rotor with a spin and a rotation across it, rad/s.
pub fn rotor(spin: f64, across: f64) -> Body {
    Body {
        inertia: [1.0, 1.0, 1.5],
        omega: [across, 0.0, spin],
        ..FREE
    }
}

/// The orientation of a rotor at a time, from no rotation at the start.
pub fn rotor_orientation(body: &Body, t: f64) -> Quaternion {
    let [transverse, _, polar] = body.inertia;
    let momentum: Vector = std::array::from_fn(|i| body.inertia[i] * body.omega[i]);
    let precession = exp(momentum.map(|x| t * x / transverse));
    let spin = (1.0 - polar / transverse) * body.omega[2];
    compose(precession, exp([0.0, 0.0, t * spin]))
}

/// Angular momentum in space axes about the centre of mass.
pub fn momentum(body: &Body, orientation: Quaternion, omega: Vector) -> Vector {
    let in_body = std::array::from_fn(|i| body.inertia[i] * omega[i]);
    apply(&matrix(orientation), in_body)
}
