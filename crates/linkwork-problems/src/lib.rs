//! Benchmark problems of multibody dynamics with reference solutions.
//!
//! Each problem is a [`System`] with its source and, where one exists, a reference that no
//! integrator here was tuned on. [`study`] runs them with parts chosen by name.

pub mod andrews;
pub mod pendulum;
pub mod rheonomic;
pub mod servo;
pub mod sleigh;
pub mod small;
pub mod study;

use linkwork_dae::system::System;

/// A built-in problem.
pub struct Problem {
    /// Name on the command line.
    pub name: &'static str,
    /// One line for lists.
    pub summary: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// Usual end time, s.
    pub t_end: f64,
    /// Constructor; takes named parameters and refuses those it does not know.
    pub build: fn(&[(String, f64)]) -> Result<Box<dyn System>, String>,
}

/// Every built-in problem.
pub static PROBLEMS: &[Problem] = &[
    Problem {
        name: "andrews",
        summary: "seven-body squeezing mechanism in 7 angles and 6 constraints",
        source: "Schiehlen (ed.), Multibody Systems Handbook, 1990; Hairer & Wanner 1996, VII.7",
        t_end: 0.03,
        build: |parameters| {
            let [] = read(parameters, [])?;
            Ok(Box::new(andrews::Andrews::default()))
        },
    },
    Problem {
        name: "pendulum-index3",
        summary: "point pendulum in Cartesian coordinates; parameter g (default 1)",
        source: "closed form in elliptic functions",
        t_end: 10.0,
        build: |parameters| {
            let [g] = read(parameters, [("g", 1.0)])?;
            let side = 1.0;
            Ok(Box::new(small::Small::new(pendulum::Pendulum { g, side })))
        },
    },
    Problem {
        name: "iftomm-a01",
        summary: "point pendulum released from x = -1 m, g = 9.81 m/s^2",
        source: "IFToMM library of benchmark problems, A01 (Gonzalez et al.)",
        t_end: 10.0,
        build: |parameters| {
            let [] = read(parameters, [])?;
            let (g, side) = (9.81, -1.0);
            Ok(Box::new(small::Small::new(pendulum::Pendulum { g, side })))
        },
    },
    Problem {
        name: "rheonomic",
        summary: "point on a breathing circle with configuration-dependent mass",
        source: "own test problem",
        t_end: 1.5,
        build: |parameters| {
            let [] = read(parameters, [])?;
            Ok(Box::new(small::Small::new(rheonomic::Rheonomic)))
        },
    },
    Problem {
        name: "sleigh",
        summary: "Chaplygin sleigh: knife edge on the plane, non-holonomic",
        source: "closed form, Neimark & Fufaev 1972",
        t_end: 2.0,
        build: |parameters| {
            let [] = read(parameters, [])?;
            Ok(Box::new(small::Small::new(sleigh::Sleigh)))
        },
    },
    Problem {
        name: "servo_loop",
        summary: "pendulum under a controller with motor lag and an algebraic saturation",
        source: "own test problem",
        t_end: 2.0,
        build: |parameters| {
            let [] = read(parameters, [])?;
            Ok(Box::new(small::Small::new(servo::Servo)))
        },
    },
];

/// Reads the known parameters with their defaults; an unknown one is an error.
fn read<const N: usize>(
    given: &[(String, f64)],
    known: [(&str, f64); N],
) -> Result<[f64; N], String> {
    let mut values = known.map(|(_, default)| default);
    for (name, value) in given {
        let Some(i) = known.iter().position(|(k, _)| k == name) else {
            let list: Vec<&str> = known.iter().map(|(k, _)| *k).collect();
            return Err(match list.as_slice() {
                [] => format!("`{name}` cannot be set: this problem has no parameters"),
                _ => format!("`{name}` cannot be set; known: {}", list.join(", ")),
            });
        };
        values[i] = *value;
    }
    Ok(values)
}
