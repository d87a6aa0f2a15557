//! Stiff double pendulum: two rods with strongly damped rotational springs.
//!
//! ```text
//!  o ground          rod 1: 3 kg, half length 1 m      spring 1: 400 N m/rad, 15 N m s/rad,
//!   \                rod 2: 0.3 kg, half length 1.5 m            free at 3 pi/2
//!    o---- spring 2                                    spring 2: 3e5 N m/rad, 5e4 N m s/rad, free at 0
//! ```
//!
//! The second spring makes an eigenvalue of -1e5 1/s; the motion that matters takes a second. Six
//! coordinates, four constraints. The publication prints neither moments of inertia nor gravity:
//! uniform rods of length `2 L` and 9.81 m/s^2 along -y give the eigenvalue and the range of
//! velocities that it quotes, and its start values read as angles 2 pi and 23/12 pi.
//!
//! The safety factor of `control/predictive.rs` and the bounds of `reduced.rs` on what a step may
//! correct were set with this problem at hand.

use linkwork_mbs::force::TorsionSpring;
use linkwork_mbs::joint::Revolute;
use linkwork_mbs::{Body, BodyRef, Model};
use std::f64::consts::PI;

/// Half lengths of the rods, m.
const HALF: [f64; 2] = [1.0, 1.5];
/// Masses, kg.
const MASS: [f64; 2] = [3.0, 0.3];
/// Start angles, rad, and angular velocities, rad/s.
const ANGLE: [f64; 2] = [2.0 * PI, 23.0 * PI / 12.0];
const RATE: [f64; 2] = [0.0, 10.0];

/// Entries of `q` with the angles of the rods.
pub const ANGLES: [usize; 2] = [2, 5];

/// The reference: t, angles, angular velocities, at every tenth of a second to 2 s. Quadruple
/// precision, extrapolation of orders 12 and 16; an independent run agrees to 1e-16.
pub const REFERENCE: &str = include_str!("../reference/double_pendulum.csv");

/// The mechanism in its start pose.
pub fn double_pendulum() -> Model {
    let arm = |i: usize| {
        let (sin, cos) = ANGLE[i].sin_cos();
        (
            [HALF[i] * cos, HALF[i] * sin],
            [-HALF[i] * RATE[i] * sin, HALF[i] * RATE[i] * cos],
        )
    };
    let (first, first_rate) = arm(0);
    let (second, second_rate) = arm(1);
    let rod = |i: usize| {
        Body::planar(
            format!("rod{}", i + 1),
            MASS[i],
            MASS[i] * HALF[i] * HALF[i] / 3.0,
        )
        .turned(ANGLE[i])
        .spinning(RATE[i])
    };
    let mut model = Model::planar("double_pendulum").gravity([0.0, -9.81]);
    let place = |i: usize| 2.0 * first[i] + second[i];
    let speed = |i: usize| 2.0 * first_rate[i] + second_rate[i];
    let one = model.add_body(rod(0).at(first).moving(first_rate));
    let two = model.add_body(rod(1).at([place(0), place(1)]).moving([speed(0), speed(1)]));
    model.add_joint(
        "pivot",
        BodyRef::GROUND,
        one,
        Revolute::between([0.0; 2], [-HALF[0], 0.0]),
    );
    model.add_joint(
        "elbow",
        one,
        two,
        Revolute::between([HALF[0], 0.0], [-HALF[1], 0.0]),
    );
    let spring = |stiffness, damping, free| TorsionSpring::planar(stiffness, damping, Some(free));
    model.add_force(
        "spring1",
        BodyRef::GROUND,
        one,
        spring(400.0, 15.0, 1.5 * PI),
    );
    model.add_force("spring2", one, two, spring(3e5, 5e4, 0.0));
    model
}

/// A row of the reference: t, both angles, both angular velocities.
pub fn reference() -> Vec<[f64; 5]> {
    let rows = REFERENCE.lines().skip(1).filter_map(|line| {
        let mut numbers = line.split(',').map_while(|x| x.parse().ok());
        let row = std::array::from_fn(|_| numbers.next());
        let [Some(t), Some(a), Some(b), Some(c), Some(d)] = row else {
            return None;
        };
        Some([t, a, b, c, d])
    });
    rows.collect()
}
