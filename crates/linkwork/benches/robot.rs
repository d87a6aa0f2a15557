//! Dynamics of a robot read from URDF (`models/arm.urdf`: seven hinges, inertias about oblique axes), by the
//! calls of [`linkwork::dynamics`], in microseconds per call.
//!
//! ```text
//!  cargo bench -p linkwork --bench robot
//!  valgrind --tool=callgrind --toggle-collect='robot::counted*' \
//!      target/release/deps/robot-* count inverse                 instructions of one call
//! ```

#[path = "../../linkwork-problems/benches/timing/mod.rs"]
mod timing;

use linkwork::dynamics::{Dynamics, DynamicsError, Matrix, Partials};
use linkwork::import::{Choices, urdf};
use std::hint::black_box;
use timing::time;

const ARM: &str = include_str!("../../../models/arm.urdf");

const CALLS: [&str; 5] = [
    "inverse",
    "forward",
    "mass",
    "inverse-derivatives",
    "forward-derivatives",
];

/// States that are called in turn.
const STATES: usize = 16;

/// The arm with or without the forces of its elements, and room for answers.
struct Arm {
    dynamics: Dynamics,
    /// Positions, velocities, and accelerations or joint forces.
    states: Vec<[Vec<f64>; 3]>,
    next: usize,
    out: Vec<f64>,
    mass: Matrix,
    partials: Partials,
}

impl Arm {
    fn new(dynamics: Dynamics) -> Arm {
        let n = dynamics.coordinates();
        // Knuth's MMIX generator
        let mut seed = n as u64;
        let mut list = |size: f64| -> Vec<f64> {
            let next = |_| {
                seed = seed
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                size * ((seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0)
            };
            (0..n).map(next).collect()
        };
        Arm {
            states: (0..STATES)
                .map(|_| [list(3.0), list(1.0), list(1.0)])
                .collect(),
            next: 0,
            out: vec![0.0; n],
            mass: Matrix::zero(n, n),
            partials: Partials::new(n),
            dynamics,
        }
    }

    fn call(&mut self, name: &str) -> Result<(), DynamicsError> {
        self.next = (self.next + 1) % STATES;
        let (arm, out) = (&mut self.dynamics, &mut self.out);
        let [q, v, u] = &self.states[self.next];
        match name {
            "inverse" => arm.inverse_dynamics(q, v, u, out)?,
            "forward" => arm.forward_dynamics(q, v, u, out)?,
            "mass" => arm.mass_matrix(q, &mut self.mass)?,
            "inverse-derivatives" => arm.inverse_derivatives(q, v, u, &mut self.partials)?,
            _ => arm.forward_derivatives(q, v, u, out, &mut self.partials)?,
        }
        black_box(self);
        Ok(())
    }
}

/// One call that callgrind counts.
#[inline(never)]
fn counted(arm: &mut Arm, name: &str) -> Result<(), DynamicsError> {
    arm.call(name)
}

fn main() -> Result<(), String> {
    let import = urdf::read(ARM, "arm.urdf", &Choices::default()).map_err(|e| format!("{e:?}"))?;
    let model = &import.model;
    let words: Vec<String> = (std::env::args().skip(1))
        .filter(|a| !a.starts_with("--"))
        .collect();
    let said = |e: DynamicsError| e.to_string();
    let mut bodies = Arm::new(Dynamics::of_bodies(model).map_err(said)?);
    let mut all = Arm::new(Dynamics::new(model).map_err(said)?);
    if let [what, name] = &words[..] {
        let arm = if what == "count" {
            &mut bodies
        } else {
            &mut all
        };
        arm.call(name).map_err(said)?;
        return counted(arm, name).map_err(said);
    }
    println!("arm.urdf, microseconds per call: smallest (median), then with its elements");
    for name in CALLS {
        let [a, b] = [&mut bodies, &mut all].map(|arm| {
            time(0.3, || {
                let _ = arm.call(name);
            })
        });
        println!(
            "{name:>20} {:8.3} ({:.3}) {:8.3} ({:.3})",
            a.smallest, a.median, b.smallest, b.median
        );
    }
    Ok(())
}
