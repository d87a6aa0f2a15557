//! Observed orders of convergence on a rheonomic DAE with configuration-dependent mass.
//!
//! The reference is a classical Runge-Kutta solution that shares nothing with the steppers but the
//! equations. Steps climb gently from a tiny first one, so that the start at order 1 leaves no
//! trace; then they are constant or alternate.

mod climb;

use climb::Climb;
use linkwork_dae::control::fixed::Fixed;
use linkwork_dae::drive::Ending;
use linkwork_dae::recipe::Control;

use linkwork_dae::state::State;
use linkwork_dae::stepper::{Family, Needs, StepperEntry, Tuning};
use linkwork_problems::rheonomic::Rheonomic;
use linkwork_problems::small::Small;
use linkwork_problems::study::{Setup, methods, runge_kutta};

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
    [0, 1, 2].map(|i| (coarse[i] / fine[i]).ln() / (coarse_h / fine_h).ln())
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter()
        .zip(b)
        .map(|(a, b)| (a - b).abs())
        .fold(0.0, f64::max)
}

/// Step patterns: constant, alternating and a fixed random-looking sequence. Their spread is what
/// the formulas of order 5 stand without losing stability (Calvo, Grande & Grigorieff 1990).
const PATTERNS: [(&str, &[f64]); 3] = [
    ("constant", &[1.0]),
    ("alternating", &[1.05, 0.95]),
    (
        "random",
        &[1.04, 0.97, 1.08, 0.93, 1.01, 0.96, 1.06, 0.94, 0.99, 1.02],
    ),
];

/// Orders of positions and velocities, and of the multipliers where theory promises them, for
/// every stepper and formulation on offer.
#[test]
fn every_stepper_has_its_order() {
    let mut failures = Vec::new();
    println!("stepper            formulation  steps        k   q      v      lambda");
    // the explicit ones and those of many stages have their own measurements
    let implicit = |s: &&StepperEntry| {
        matches!(s.needs, Needs::Implicit(_)) && s.family != Family::Collocation
    };
    for stepper in methods().filter(implicit) {
        for formulation in stepper.formulations {
            for (pattern_name, pattern) in PATTERNS {
                let multistep = stepper.family == Family::Bdf;
                for order in if multistep { 1..=5 } else { 2..=2 } {
                    // steps where the error is asymptotic and still far above rounding
                    let (climb, n) = if multistep {
                        (150, [800, 400, 200, 150, 300][order - 1])
                    } else {
                        (0, 300)
                    };
                    let p = orders(stepper.name, formulation, order, climb, n, pattern);
                    println!(
                        "{:18} {formulation:12} {pattern_name:12} {order}   {:.2}   {:.2}   {:.2}",
                        stepper.name, p[0], p[1], p[2]
                    );
                    // the multipliers of index 3 lose an order whenever steps change, and those of
                    // a rule without damping never forget a change
                    let motion_only = *formulation == "index3" || stepper.name == "newmark";
                    let checked = if motion_only { 2 } else { 3 };
                    for (what, p) in ["q", "v", "lambda"].iter().zip(p).take(checked) {
                        // a formula may do better by luck of its leading error, not worse
                        if !(order as f64 - 0.4..order as f64 + 0.7).contains(&p) {
                            failures.push(format!(
                                "{} {formulation} {pattern_name} order {order}, {what}: {p:.2}",
                                stepper.name
                            ));
                        }
                    }
                }
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

/// Steps of one length have the order that is asked for from the start on: the first are made of short ones.
#[test]
fn fixed_steps_have_their_order() {
    let mut bad = Vec::new();
    for (method, formulation) in [("bdf", "index3"), ("bdf", "ggl"), ("adams", "projected")] {
        for (order, n) in [(2, 800), (3, 200), (4, 100), (5, 100)] {
            let mut sys = Small::new(Rheonomic);
            let setup = Setup::new(method, formulation, T_END, 1e-12);
            let start = setup.start(&mut sys).unwrap();
            let exact = runge_kutta(&mut sys, &start, T_END, 20_000).unwrap();
            let errors = [n, 2 * n].map(|n| {
                let h = T_END / f64::from(n);
                let fixed = Box::new(Fixed::climbing(h, order));
                let out = setup.run_from(&mut sys, &start, fixed, &mut ()).unwrap();
                assert_eq!(out.ending, Ending::Finished);
                distance(&out.state.q, &exact.q)
            });
            let p = (errors[0] / errors[1]).log2();
            let line = format!("{method} {formulation} {order}: {p:.2}, {errors:?}");
            println!("{line}");
            // Adams corrects with an order more
            let more = if method == "adams" { 2.0 } else { 0.4 };
            if !(order as f64 - 0.4..order as f64 + more).contains(&p) {
                bad.push(line);
            }
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
}

/// Newmark's method with a fixed step in index 3, without damping and with: orders 2 and 1.
#[test]
fn newmark_has_its_order_in_index_3() {
    for (gamma, order) in [(0.5, 2.0), (0.6, 1.0)] {
        let mut sys = Small::new(Rheonomic);
        let mut setup = Setup::new("newmark", "index3", T_END, 1e-11);
        setup.tuning.gamma = gamma;
        setup.tuning.beta = 0.25 * (gamma + 0.5) * (gamma + 0.5);
        let start = setup.start(&mut sys).unwrap();
        let exact = runge_kutta(&mut sys, &start, T_END, 20_000).unwrap();
        let errors = [400, 800].map(|n| {
            let mut recipe = setup.recipe().unwrap();
            recipe.control = Control::Fixed(T_END / f64::from(n));
            let mut engine = recipe.engine(&mut sys, &start.rows).unwrap();
            assert_eq!(
                engine.run(&start.state, &start.rows, &mut ()),
                Ending::Finished
            );
            distance(&engine.state().q, &exact.q)
        });
        let p = (errors[0] / errors[1]).log2();
        assert!((p - order).abs() < 0.3, "gamma {gamma}: {p:.2}, {errors:?}");
    }
}

/// Members without damping do not choose their steps in index 3: they took millions.
#[test]
fn undamped_members_are_refused_in_index_3() {
    let sys = Small::new(Rheonomic);
    let why = |method, formulation, tuning: fn(&mut Tuning)| {
        let mut setup = Setup::new(method, formulation, T_END, 1e-6);
        tuning(&mut setup.tuning);
        setup.stepper(&sys).err()
    };
    let damped: [Option<String>; 3] = [
        why("gen-alpha", "index3", |t| t.rho = 0.9),
        why("hht", "index3", |t| t.alpha = 0.1),
        why("gen-alpha", "ggl", |t| t.rho = 1.0),
    ];
    assert_eq!(damped, [None, None, None]);
    for (method, tuning) in [
        ("gen-alpha", (|t| t.rho = 1.0) as fn(&mut Tuning)),
        ("hht", |t| t.alpha = 0.0),
        ("newmark", |_| ()),
    ] {
        let why = why(method, "index3", tuning).expect(method);
        assert!(why.contains("without damping"), "{why}");
    }
}

/// A tolerance of velocities has an effect: their error falls with it. What is left is the relative tolerance.
#[test]
fn generalised_alpha_controls_velocities() {
    let errors = [1e-2, 1e-5].map(|atol_v| {
        let mut sys = Small::new(Rheonomic);
        let mut setup = Setup::new("gen-alpha", "index3", T_END, 1e-3);
        setup.plan.tolerances.atol_v = Some(atol_v);
        let start = setup.start(&mut sys).unwrap();
        let exact = runge_kutta(&mut sys, &start, T_END, 20_000).unwrap();
        let out = setup.run(&mut sys, &mut ()).unwrap();
        distance(&out.state.v, &exact.v)
    });
    assert!(errors[1] < 0.5 * errors[0], "{errors:?}");
}

/// The repair of the auxiliary acceleration keeps order 2 for steps that alternate by a factor 3.
#[test]
fn generalised_alpha_stands_large_changes_of_the_step() {
    for formulation in ["index3", "ggl"] {
        let p = orders("gen-alpha", formulation, 2, 0, 300, &[1.5, 0.5]);
        for (what, p) in ["q", "v"].iter().zip(p) {
            assert!((p - 2.0).abs() < 0.25, "{formulation} {what}: {p:.2}");
        }
    }
}
