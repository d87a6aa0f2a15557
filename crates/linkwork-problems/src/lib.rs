//! Benchmark problems of multibody dynamics with reference solutions.
//!
//! Each problem is a [`System`] with its source and, where one exists, a reference that no
//! integrator here was tuned on, but for what `double_pendulum` says. [`study`] runs them with parts chosen by name.

pub mod andrews;
pub mod balls;
pub mod car;
pub mod chain;
pub mod comparators;
pub mod double_pendulum;
pub mod euler_parameters;
pub mod explicit;
pub mod free_body;
pub mod heavy_top;
pub mod hybrid;
pub mod nfourbar;
pub mod oscillator;
pub mod pendulum;
pub mod reproduce;
pub mod rheonomic;
pub mod rigid_body;
pub mod rod_chain;
pub mod servo;
pub mod sleigh;
pub mod slider_crank;
pub mod small;
pub mod spatial;
pub mod squeezer_points;
pub mod study;
pub mod train;
pub mod two_mass;
pub mod wheelset;

use linkwork_dae::system::System;
use linkwork_mbs::tree::joint_coordinates::Form;

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
    pub build: Build,
}

/// Makes a system from named parameters, or says what is wrong with them.
pub type Build = fn(&[(String, f64)]) -> Result<Box<dyn System>, String>;

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
        name: "squeezer-points",
        summary: "the same mechanism in the coordinates of 4 points and 7 constraints",
        source: "Bottasso, Dopico & Trainelli 2008",
        t_end: 0.03,
        build: |parameters| {
            let [] = read(parameters, [])?;
            Ok(Box::new(small::Small::new(squeezer_points::SqueezerPoints)))
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
        name: "nfourbar",
        summary: "n four-bar loops side by side, through singular poses; parameter n (default 2)",
        source: "IFToMM library of benchmark problems, A02 (Gonzalez et al.)",
        t_end: 10.0,
        build: |parameters| {
            let [n] = read(parameters, [("n", 2.0)])?;
            let model = nfourbar::n_four_bar(nfourbar::loops(n)?);
            let system = linkwork_mbs::assemble(&model).map_err(|e| e.to_string())?;
            Ok(Box::new(system))
        },
    },
    Problem {
        name: "double_pendulum",
        summary: "two rods with strongly damped rotational springs, eigenvalue -1e5 1/s",
        source: "Negrut, Sandu, Haug, Potra & Sandu 2003, section 3.1",
        t_end: 2.0,
        build: |parameters| {
            let [] = read(parameters, [])?;
            let model = double_pendulum::double_pendulum();
            let system = linkwork_mbs::assemble(&model).map_err(|e| e.to_string())?;
            Ok(Box::new(system))
        },
    },
    Problem {
        name: "rod-chain",
        summary: "planar chain of n rods falling from the horizontal; parameter n (default 16)",
        source: "own test problem",
        t_end: 0.3,
        build: |parameters| {
            let [n] = read(parameters, [("n", 16.0)])?;
            let model = rod_chain::rod_chain(rod_chain::rods(n)?);
            let system = linkwork_mbs::assemble(&model).map_err(|e| e.to_string())?;
            Ok(Box::new(system))
        },
    },
    Problem {
        name: "rod-chain-angles",
        summary: "planar chain of n rods in the angles between them; parameter n (default 16)",
        source: "own test problem",
        t_end: 0.3,
        build: |parameters| {
            let [n] = read(parameters, [("n", 16.0)])?;
            let system = rod_chain::rod_chain_in_angles(rod_chain::rods(n)?, Form::Cheaper);
            Ok(Box::new(system.map_err(|e| e.to_string())?))
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
    Problem {
        name: "crank",
        summary: "slider crank with an elastic rod; parameters start (1 published, 2 undeformed, \
                  3 consistent, default), nonlinear (0 or 1), damped (0 or 1)",
        source: "Simeon 1996; Test Set for IVP Solvers, slider crank",
        t_end: 0.1,
        build: |parameters| {
            use slider_crank::{SliderCrank, Start};
            let [start, nonlinear, damped] = read(
                parameters,
                [("start", 3.0), ("nonlinear", 0.0), ("damped", 0.0)],
            )?;
            let start = match start {
                1.0 => Start::Published,
                2.0 => Start::Rest,
                3.0 => Start::Consistent,
                other => return Err(format!("`start` is 1, 2 or 3, not {other}")),
            };
            Ok(Box::new(small::Small::new(SliderCrank {
                start,
                nonlinear: switch("nonlinear", nonlinear)?,
                damped: switch("damped", damped)?,
            })))
        },
    },
    Problem {
        name: "chain",
        summary: "chain of pendulums with a driven suspension; parameters n (default 12), hz \
                  (default 0.05), angle (at the start, default 0) and explicit (1: solved for its \
                  accelerations)",
        source: "Arnold, Fuchs & Fuehrer 2006, section 4.2.1; own reference values",
        t_end: 200.0,
        build: |parameters| {
            let named = [("n", 12.0), ("hz", 0.05), ("angle", 0.0), ("explicit", 0.0)];
            let [n, hz, angle, explicit] = read(parameters, named)?;
            if !(1.0..=1000.0).contains(&n) || n.fract() != 0.0 {
                return Err(format!("`n` is a whole number from 1 to 1000, not {n}"));
            }
            let omega = std::f64::consts::TAU * hz;
            let chain = chain::Chain::new(n as usize, omega, angle);
            Ok(if switch("explicit", explicit)? {
                Box::new(explicit::Explicit::new(chain))
            } else {
                Box::new(chain)
            })
        },
    },
    Problem {
        name: "car",
        summary: "passenger car of 30 joint coordinates, rack steering; parameter stroke (m, default \
                  0.003)",
        source: "own data; after Arnold, Fuchs & Fuehrer 2006, section 4.2.2",
        t_end: 5.0,
        build: |parameters| {
            let [stroke] = read(parameters, [("stroke", 0.003)])?;
            Ok(Box::new(car::Car::new(stroke)))
        },
    },
    Problem {
        name: "train",
        summary: "railway carriage of 41 coordinates through a line change; parameter pattern \
                  (1 topology, default, 2 nothing is known, 3 nonzeros)",
        source: "Arnold, Fuchs & Fuehrer 2006, section 4.1; Manchester benchmark vehicle 1, \
                 Iwnicki 1998",
        t_end: 15.0,
        build: |parameters| {
            use train::{Declared, Train};
            let [pattern] = read(parameters, [("pattern", 1.0)])?;
            Ok(Box::new(Train::new(match pattern {
                1.0 => Declared::Topology,
                2.0 => Declared::Full,
                3.0 => Declared::Nonzeros,
                other => return Err(format!("`pattern` is 1, 2 or 3, not {other}")),
            })))
        },
    },
    Problem {
        name: "heavy-top",
        summary: "fast top under gravity in rotation vectors; parameters positions (1: centre of \
                  mass and 3 joint constraints) and euler (1: Euler parameters)",
        source: "Geradin & Cardona 2001; Bruels & Cardona 2010",
        t_end: 1.0,
        build: |parameters| {
            let [positions, euler] = read(parameters, [("positions", 0.0), ("euler", 0.0)])?;
            let positions = switch("positions", positions)?;
            let euler = switch("euler", euler)?;
            Ok(in_coordinates(heavy_top::TOP, positions, euler))
        },
    },
    Problem {
        name: "free-body",
        summary: "asymmetric body without forces, tumbling; parameter euler (1: Euler parameters)",
        source: "invariants: energy and angular momentum",
        t_end: 5.0,
        build: |parameters| {
            let [euler] = read(parameters, [("euler", 0.0)])?;
            let euler = switch("euler", euler)?;
            Ok(in_coordinates(free_body::TUMBLING, false, euler))
        },
    },
    Problem {
        name: "rotor",
        summary: "symmetric rotor without forces; parameters spin (default 100 rad/s), across \
                  (default 0) and euler (1: Euler parameters)",
        source: "closed form, steady precession",
        t_end: 1.0,
        build: |parameters| {
            let known = [("spin", 100.0), ("across", 0.0), ("euler", 0.0)];
            let [spin, across, euler] = read(parameters, known)?;
            let euler = switch("euler", euler)?;
            Ok(in_coordinates(free_body::rotor(spin, across), false, euler))
        },
    },
    Problem {
        name: "oscillator",
        summary: "slow forced mode and a fast, lightly damped one; parameters omega (default \
                  1000 rad/s) and ratio (damping, default 0.01)",
        source: "closed form, matrix exponential",
        t_end: 20.0,
        build: |parameters| {
            let [omega, ratio] = read(parameters, [("omega", 1000.0), ("ratio", 0.01)])?;
            Ok(Box::new(small::Small::new(oscillator::Oscillator {
                omega,
                ratio,
            })))
        },
    },
    Problem {
        name: "wheelset-rails",
        summary: "wheelset on rails: contact points, creep forces that follow reactions",
        source: "Simeon, Fuehrer & Rentrop 1991; test set of Bari and CWI",
        t_end: 10.0,
        build: |parameters| {
            let [] = read(parameters, [])?;
            Ok(Box::new(wheelset::Wheelset::default()))
        },
    },
];

/// A body in rotation vectors or, if asked for, Euler parameters.
fn in_coordinates(
    body: rigid_body::Body,
    positions: bool,
    euler_parameters: bool,
) -> Box<dyn System> {
    match (euler_parameters, positions) {
        (false, _) => Box::new(rigid_body::RigidBody::new(body, positions)),
        (true, false) => Box::new(small::Small::new(euler_parameters::Turning { body })),
        (true, true) => Box::new(small::Small::new(euler_parameters::Moving { body })),
    }
}

fn switch(name: &str, value: f64) -> Result<bool, String> {
    match value {
        0.0 => Ok(false),
        1.0 => Ok(true),
        other => Err(format!("`{name}` is 0 or 1, not {other}")),
    }
}

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
