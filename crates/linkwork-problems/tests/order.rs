//! Observed orders of convergence on a rheonomic DAE with configuration-dependent mass.
//!
//! The reference is a classical Runge-Kutta solution that shares nothing with the steppers but the
//! equations. Steps climb gently from a tiny first one, so that the start at order 1 leaves no
//! trace; then they are constant or alternate.

mod climb;

use climb::Climb;
use linkwork_dae::drive::Ending;
use linkwork_dae::state::State;
use linkwork_problems::rheonomic::Rheonomic;
use linkwork_problems::small::Small;
use linkwork_problems::study::{Setup, runge_kutta};

const T_END: f64 = 1.5;

/// Observed orders of q, v and lambda at the end when the steps are halved.
fn orders(
    method: &'static str,
    formulation: &'static str,
    order: usize,
    climb: i32,
    n: usize,
    pattern: &'static [f64],
) -> [f64; 3] {
    let mut sys = Small::new(Rheonomic);
    // the tolerance only sets how far the corrector iterates
    let setup = Setup::new(method, formulation, T_END, 1e-11);
    let start = setup.start(&mut sys).unwrap();
    let exact = runge_kutta(&mut sys, &start, T_END, 20_000).unwrap();
    let mut error = |n| {
        let climb = Climb::new(T_END, order, climb, n, pattern);
        let h = climb.h;
        let out = setup
            .run_from(&mut sys, &start, Box::new(climb), &mut ())
            .unwrap();
        assert_eq!(out.ending, Ending::Finished);
        let s: State = out.state;
        let errors = [
            distance(&s.q, &exact.q),
            distance(&s.v, &exact.v),
            distance(&s.lambda, &exact.lambda),
        ];
        (h, errors)
    };
    let (coarse_h, coarse) = error(n);
    let (fine_h, fine) = error(2 * n);
    let p = [0, 1, 2].map(|i| (coarse[i] / fine[i]).ln() / (coarse_h / fine_h).ln());
    println!("{method} {formulation} order {order}: {coarse:?} {fine:?} orders {p:.2?}");
    p
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter()
        .zip(b)
        .map(|(a, b)| (a - b).abs())
        .fold(0.0, f64::max)
}

#[test]
fn bdf_has_the_order_of_its_formula() {
    for order in 1..=5 {
        // steps where the error is asymptotic and still far above rounding
        let n = [800, 400, 200, 150, 300][order - 1];
        for formulation in ["ggl", "index3"] {
            let p = orders("bdf", formulation, order, 150, n, &[1.0]);
            let checked = if formulation == "ggl" { 3 } else { 2 };
            for (what, p) in ["q", "v", "lambda"].iter().zip(p).take(checked) {
                assert!(
                    (p - order as f64).abs() < 0.25,
                    "{formulation} k={order} {what}: {p:.2}"
                );
            }
        }
    }
}

#[test]
fn generalised_alpha_is_second_order_for_constant_and_alternating_steps() {
    for formulation in ["index3", "ggl"] {
        for pattern in [&[1.0][..], &[1.5, 0.5]] {
            let p = orders("gen-alpha", formulation, 2, 0, 300, pattern);
            for (what, p) in ["q", "v"].iter().zip(p) {
                assert!(
                    (p - 2.0).abs() < 0.25,
                    "{formulation} {pattern:?} {what}: {p:.2}"
                );
            }
        }
    }
}
