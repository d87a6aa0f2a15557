//! N four-bar mechanism: benchmark A02 of the IFToMM library (Gonzalez et al.).
//!
//! ```text
//!  B0 o-----o-----o ... o      2 N + 1 slender links, 1 m, 1 kg: N + 1 cranks on the ground, joined by
//!     |     |     |     |      N couplers on top; one degree of freedom, v(B0) = 1 m/s at the start
//!     o     o     o ... o      6 N + 3 coordinates, 3 N + 1 hinges with 6 N + 2 equations
//! ```
//!
//! The cranks stay parallel, so the motion is that of one physical pendulum: with the angle `phi`
//! from upright, `phi'' = c sin phi`, `c = g ((N+1)/2 + N) / ((N+1)/3 + N)`, in closed form through
//! elliptic functions. Twice per revolution all links lie on one line. There N of the equations
//! depend on the others and any crank could turn back on its own; the multipliers have a pole, the
//! motion is smooth.

use linkwork_mbs::geometry::Marker;
use linkwork_mbs::joint::Revolute;
use linkwork_mbs::sensor::PointSensor;
use linkwork_mbs::{Body, BodyRef, Model};

/// Acceleration of gravity, m/s^2.
const GRAVITY: f64 = 9.81;
/// Mass of a link, kg.
const MASS: f64 = 1.0;
/// Length of a link, m.
const LENGTH: f64 = 1.0;
/// Speed of the top left corner at the start, m/s.
const SPEED: f64 = 1.0;
/// Most loops that are accepted by name.
pub const MOST_LOOPS: usize = 1000;

/// The mechanism of `n` loops, upright, with the benchmark's start velocity. Cranks are `crank0` to
/// `crankN`, couplers `coupler1` to `couplerN`; the sensor `B0` is the top left corner.
pub fn n_four_bar(n: usize) -> Model {
    n_four_bar_at(n, 0.0, SPEED / LENGTH)
}

/// The mechanism with its cranks turned clockwise by `phi` from upright at the rate `phi_dot`.
pub fn n_four_bar_at(n: usize, phi: f64, phi_dot: f64) -> Model {
    let (sin, cos) = phi.sin_cos();
    let half = 0.5 * LENGTH;
    let inertia = MASS * LENGTH * LENGTH / 12.0;
    let quarter = std::f64::consts::FRAC_PI_2;
    let (out, back) = ([half, 0.0], [-half, 0.0]);

    // absolute tolerances refer to one link, not to the length of the row
    let mut model = Model::planar("nfourbar")
        .gravity([0.0, -GRAVITY])
        .length(LENGTH);
    let crank = |i: usize| {
        Body::planar(format!("crank{i}"), MASS, inertia)
            .at([i as f64 * LENGTH + half * sin, half * cos])
            .turned(quarter - phi)
            .moving([half * phi_dot * cos, -half * phi_dot * sin])
            .spinning(-phi_dot)
    };
    let coupler = |i: usize| {
        Body::planar(format!("coupler{i}"), MASS, inertia)
            .at([(i as f64 - 0.5) * LENGTH + LENGTH * sin, LENGTH * cos])
            .moving([LENGTH * phi_dot * cos, -LENGTH * phi_dot * sin])
    };
    // neighbours in space are neighbours in the numbering: the matrices are banded
    let first = model.add_body(crank(0));
    model.add_joint(
        "base0",
        BodyRef::GROUND,
        first,
        Revolute::between([0.0; 2], back),
    );
    let mut last = first;
    for i in 1..=n {
        let top = model.add_body(coupler(i));
        let next = model.add_body(crank(i));
        let foot = [i as f64 * LENGTH, 0.0];
        model.add_joint(format!("left{i}"), last, top, Revolute::between(out, back));
        model.add_joint(format!("right{i}"), top, next, Revolute::between(out, out));
        model.add_joint(
            format!("base{i}"),
            BodyRef::GROUND,
            next,
            Revolute::between(foot, back),
        );
        last = next;
    }
    model.add_sensor(
        "B0",
        BodyRef::GROUND,
        first,
        PointSensor::at(Marker::body(out)),
    );
    model
}

/// The number of loops from a parameter, or why it cannot be one.
pub(crate) fn loops(n: f64) -> Result<usize, String> {
    if n.fract() == 0.0 && (1.0..=MOST_LOOPS as f64).contains(&n) {
        Ok(n as usize)
    } else {
        Err(format!(
            "n = {n} cannot be used: the number of loops is a whole number from 1 to {MOST_LOOPS}"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use linkwork_dae::state::State;
    use linkwork_dae::system::{EnergyAccount, System, Terms};

    /// Poses and velocities of any angle close all hinges to rounding.
    #[test]
    fn start_values_are_consistent() {
        for (n, phi, phi_dot) in [(1, 0.0, 1.0), (2, 0.7, -3.0), (40, -2.0, 0.5)] {
            let mut sys = linkwork_mbs::assemble(&n_four_bar_at(n, phi, phi_dot)).unwrap();
            let dims = sys.facts().dims;
            assert_eq!((dims.nv, dims.nc), (6 * n + 3, 6 * n + 2));
            let guess = sys.facts().guess.clone();
            let state = State {
                q: guess.q,
                v: guess.v,
                ..State::new(dims)
            };
            let (mut c, mut cv) = (vec![1.0; dims.nc], vec![1.0; dims.nc]);
            let mut want = Terms {
                c: Some(&mut c),
                cv: Some(&mut cv),
                ..Terms::default()
            };
            sys.eval(&state.at(), &mut want).unwrap();
            assert!(c.iter().chain(&cv).all(|x| x.abs() < 1e-13 * n as f64));
        }
    }

    #[test]
    fn energy_at_the_start_is_that_of_the_benchmark() {
        let mut sys = linkwork_mbs::assemble(&n_four_bar(2)).unwrap();
        let guess = sys.facts().guess.clone();
        let state = State {
            q: guess.q,
            v: guess.v,
            ..State::new(sys.facts().dims)
        };
        let energy = sys.energy(&state).unwrap();
        // three cranks about their ends, two couplers at 1 m/s
        assert!((energy.kinetic - 1.5).abs() < 1e-14);
        assert!((energy.potential - 3.5 * GRAVITY).abs() < 1e-12);
    }

    #[test]
    fn numbers_of_loops_are_whole_and_not_absurd() {
        assert_eq!(loops(1.0), Ok(1));
        assert_eq!(loops(1000.0), Ok(1000));
        for n in [0.0, -1.0, 1.5, 1001.0, f64::NAN, f64::INFINITY] {
            assert!(loops(n).unwrap_err().contains("1 to 1000"), "{n}");
        }
    }
}
