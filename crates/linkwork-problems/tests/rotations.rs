//! Rotations in space on a chart: heavy top, free bodies.

use linkwork_dae::drive::Ending;
use linkwork_dae::stepper::STEPPERS;
use linkwork_dae::system::System;
use linkwork_problems::heavy_top::{TOP, reference};
use linkwork_problems::rigid_body::RigidBody;
use linkwork_problems::study::Setup;

/// Error of centre of mass and angular velocity against the reference.
fn error(sys: &mut dyn System, setup: &Setup) -> (f64, f64, String) {
    let out = setup.run(sys, &mut ()).unwrap();
    let mut values = vec![0.0; sys.channels().len()];
    sys.observe(&out.state, &mut values);
    let exact = reference(setup.plan.t_end).unwrap();
    let distance = |range: std::ops::Range<usize>| {
        range
            .map(|i| (values[i] - exact[i]).abs())
            .fold(0.0, f64::max)
    };
    assert_eq!(
        out.ending,
        Ending::Finished,
        "{} {}",
        setup.method,
        setup.formulation
    );
    let s = &out.stats;
    (
        distance(0..3),
        distance(7..10),
        format!(
            "{} steps {} rejected {} newton {} fail",
            s.steps, s.rejected, s.newton_iterations, s.newton_failures
        ),
    )
}

#[test]
fn first_look() {
    for positions in [true] {
        for stepper in STEPPERS {
            for formulation in stepper.formulations {
                for tol in [1e-4, 1e-6, 1e-8] {
                    if (stepper.controller == "elementary" || stepper.name == "rkc2") && tol < 1e-7
                    {
                        continue;
                    }
                    let setup = Setup::new(stepper.name, formulation, 0.2, tol);
                    let (x, w, what) = error(&mut RigidBody::new(TOP, positions), &setup);
                    println!(
                        "{positions} {} {formulation} {tol:.0e}: x {x:.1e} w {w:.1e} {what}",
                        stepper.name
                    );
                }
            }
        }
    }
}
