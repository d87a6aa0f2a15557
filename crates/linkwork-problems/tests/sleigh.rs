//! The Chaplygin sleigh against its closed form: non-holonomic rows in every combination.

use linkwork_dae::drive::{Ending, Flow, Observer, ObserverError, View};
use linkwork_dae::stepper::Family;
use linkwork_problems::sleigh::{Sleigh, exact};
use linkwork_problems::small::Small;
use linkwork_problems::study::{Setup, methods};

const REFERENCE: &str = include_str!("../reference/chaplygin_sleigh.csv");

/// Largest lateral velocity of the knife edge.
#[derive(Default)]
struct Slip(f64);

impl Observer for Slip {
    fn on_step(&mut self, view: &mut View<'_>) -> Result<Flow, ObserverError> {
        let s = view.state();
        let (sin, cos) = s.q[2].sin_cos();
        self.0 = self.0.max((-sin * s.v[0] + cos * s.v[1]).abs());
        Ok(Flow::Continue)
    }
}

/// Largest error of (x, y, heading, forward speed, turning rate) at `t`, and the largest slip.
fn errors(method: &'static str, formulation: &'static str, t: f64, tol: f64) -> (f64, f64) {
    let mut slip = Slip::default();
    let setup = Setup::new(method, formulation, t, tol);
    let out = setup.run(&mut Small::new(Sleigh), &mut slip).unwrap();
    assert_eq!(out.ending, Ending::Finished, "{method} {formulation} {tol}");
    let s = &out.state;
    let row: Vec<f64> = REFERENCE
        .lines()
        .skip(1)
        .map(|l| {
            l.split(',')
                .map(|x| x.parse().unwrap())
                .collect::<Vec<f64>>()
        })
        .find(|row| row[0] == t)
        .unwrap();
    let (u, omega, theta) = exact(t);
    // the table agrees with the closed form
    for (a, b) in [(u, row[4]), (omega, row[5]), (theta, row[3])] {
        assert!((a - b).abs() < 1e-12);
    }
    let (sin, cos) = s.q[2].sin_cos();
    let found = [s.q[0], s.q[1], s.q[2], cos * s.v[0] + sin * s.v[1], s.v[2]];
    let wanted = [row[1], row[2], theta, u, omega];
    let error = found.iter().zip(wanted).map(|(a, b)| (a - b).abs());
    (error.fold(0.0, f64::max), slip.0)
}

/// Errors of the end state fall with the tolerance, to ten to a hundred tolerances for variable
/// orders and like its power 2/3 for second order; the knife edge does not slip.
#[test]
fn every_combination_follows_the_closed_form() {
    for stepper in methods() {
        for formulation in stepper.formulations {
            let name = format!("{} {formulation}", stepper.name);
            let (coarse, _) = errors(stepper.name, formulation, 2.0, 1e-4);
            let (fine, slip) = errors(stepper.name, formulation, 2.0, 1e-8);
            println!("{name}: {coarse:.1e} {fine:.1e} slip {slip:.1e}");
            assert!(
                fine < 0.05 * coarse,
                "{name}: {fine:.1e} after {coarse:.1e}"
            );
            let second_order = stepper.family == Family::Alpha || stepper.name == "w";
            let bound = if second_order { 1e-4 } else { 2e-6 };
            assert!(fine < bound, "{name}: {fine:.1e}");
            // a penalty holds the edge to the tolerance, everything else to rounding
            let hold = if *formulation == "penalty" {
                1e-6
            } else {
                1e-8
            };
            assert!(slip < hold, "{name}: slips by {slip:.1e}");
        }
    }
}
