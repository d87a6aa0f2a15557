//! Rotation vectors about a moving base against Euler parameters with a norm constraint: heavy top,
//! tumbling body, rotor.
//!
//! ```text
//!  cargo run --release -p linkwork-problems --example rotations
//! ```
//!
//! Each line has steps, iterations or right-hand sides, and the angle between the orientation at the
//! end and that of an explicit method of order 8 at tolerance 1e-13.

use linkwork_dae::drive::Ending;
use linkwork_dae::rotation::{Quaternion, compose, dot, inverse, log};
use linkwork_problems::euler_parameters::{Moving, Turning};
use linkwork_problems::free_body::{TUMBLING, rotor};
use linkwork_problems::heavy_top::TOP;
use linkwork_problems::rigid_body::{Body, RigidBody};
use linkwork_problems::small::Small;
use linkwork_problems::study::{Outcome, Setup};
use std::time::Instant;

#[derive(Clone, Copy)]
enum Coordinates {
    RotationVector,
    EulerParameters,
}

/// A body with or without coordinates of its centre of mass, and the end of its run.
#[derive(Clone, Copy)]
struct Case {
    name: &'static str,
    body: Body,
    positions: bool,
    t_end: f64,
}

impl Case {
    /// The outcome and the orientation at the end.
    fn run(&self, setup: &Setup, in_: Coordinates) -> Result<(Outcome, Quaternion), String> {
        let body = self.body;
        let (out, e) = match in_ {
            Coordinates::RotationVector => {
                let mut sys = RigidBody::new(body, self.positions);
                let out = setup.run(&mut sys, &mut ())?;
                let e = sys.orientation(&out.state.q);
                (out, e)
            }
            Coordinates::EulerParameters => {
                let out = if self.positions {
                    setup.run(&mut Small::new(Moving { body }), &mut ())?
                } else {
                    setup.run(&mut Small::new(Turning { body }), &mut ())?
                };
                let e = *out.state.q.last_chunk().ok_or("four parameters")?;
                (out, e)
            }
        };
        match out.ending {
            Ending::Finished => Ok((out, e)),
            ref other => Err(format!("{}: {other:?}", self.name)),
        }
    }

    fn report(&self) -> Result<(), String> {
        let setup = |method, formulation, tol| {
            let mut setup = Setup::new(method, formulation, self.t_end, tol);
            setup.plan.tolerances.atol = None;
            setup
        };
        let exact = setup("dop853", "projected", 1e-13);
        let (_, exact) = self.run(&exact, Coordinates::RotationVector)?;
        println!("{}, {} s", self.name, self.t_end);
        for (method, formulation) in [
            ("bdf", "index3"),
            ("bdf", "ggl"),
            ("gen-alpha", "index3"),
            ("adams", "projected"),
            ("dop853", "projected"),
        ] {
            for (label, coordinates) in [
                ("rotation vector", Coordinates::RotationVector),
                ("Euler parameters", Coordinates::EulerParameters),
            ] {
                let mut line = format!("  {method:9} {formulation:9} {label:16}");
                for tol in [1e-4, 1e-6, 1e-8] {
                    let clock = Instant::now();
                    let (out, e) = self.run(&setup(method, formulation, tol), coordinates)?;
                    let spent = clock.elapsed().as_secs_f64();
                    let d = log(compose(inverse(exact), e));
                    let s = out.stats;
                    let work = s.newton_iterations + s.right_hand_sides;
                    let (steps, angle) = (s.steps, dot(d, d).sqrt());
                    line += &format!(" | {steps:6} {work:6} {angle:.1e} {:5.1} ms", 1e3 * spent);
                }
                println!("{line}");
            }
        }
        Ok(())
    }
}

fn main() -> Result<(), String> {
    let case = |name, body, positions, t_end| Case {
        name,
        body,
        positions,
        t_end,
    };
    for case in [
        case("heavy top", TOP, false, 0.5),
        case("heavy top with positions", TOP, true, 0.5),
        case("tumbling body", TUMBLING, false, 5.0),
        case("tumbling body, 1000 turns", TUMBLING, false, 628.0),
        case("rotor", rotor(100.0, 0.0), false, 1.0),
        case("rotor, precessing", rotor(100.0, 30.0), false, 1.0),
    ] {
        case.report()?;
    }
    Ok(())
}
