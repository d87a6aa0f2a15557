//! Radau IIA: orders of positions, velocities and multipliers in both formulations, on flat problems
//! and on rotations, and what it costs on stiff and vibrating mechanisms.

use linkwork_dae::control::fixed::{Fixed, Steady};
use linkwork_dae::drive::Ending;
use linkwork_dae::rotation::{compose, dot, inverse, log};
use linkwork_dae::state::State;
use linkwork_dae::system::System;
use linkwork_problems::chain::Chain;
use linkwork_problems::heavy_top::TOP;
use linkwork_problems::oscillator::Oscillator;
use linkwork_problems::rheonomic::Rheonomic;
use linkwork_problems::rigid_body::RigidBody;
use linkwork_problems::slider_crank::{SliderCrank, Start};
use linkwork_problems::small::Small;
use linkwork_problems::study::{Setup, runge_kutta};

fn distance(a: &[f64], b: &[f64]) -> f64 {
    let pairs = a.iter().zip(b);
    pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// The end of so many equal steps.
fn at_steps(sys: &mut dyn System, setup: &Setup, order: usize, n: usize) -> State {
    let start = setup.start(sys).unwrap();
    let h = setup.plan.t_end / n as f64;
    let out = setup.run_from(sys, &start, Box::new(Steady(Fixed::new(h, order))), &mut ());
    let out = out.unwrap();
    assert_eq!(out.ending, Ending::Finished);
    let s = &out.stats;
    println!("    {n}: {} iterations", s.newton_iterations);
    assert!(s.newton_failures <= 3, "{s:?}");
    out.state
}

/// Orders by which errors fall when there are more steps.
fn orders<const N: usize>(n: [usize; 2], error: impl Fn(usize) -> [f64; N]) -> [f64; N] {
    let [coarse, fine] = n.map(&error);
    let ratio = n[1] as f64 / n[0] as f64;
    std::array::from_fn(|i| (coarse[i] / fine[i]).ln() / ratio.ln())
}

/// Whether measured orders are those of theory; a formula may do better by luck, not worse. At order 9
/// what the iteration has left of the equations is within sight of the error.
fn check(name: &str, measured: &[f64], expected: f64) {
    println!("{name}: {measured:.2?}");
    for p in measured {
        let least = if expected > 5.0 {
            expected - 1.0
        } else {
            expected - 0.4
        };
        let near = (least..expected + 1.5).contains(p);
        assert!(near, "{name}: {measured:.2?}");
    }
}

/// A constraint that depends on time, a mass that depends on the configuration. In index 3 velocities
/// and multipliers of the stages have order s and less: projected and taken from the
/// acceleration level they have that of the positions. The reference is accurate to 1e-13.
#[test]
fn positions_velocities_and_multipliers_have_the_order_of_the_method() {
    let t_end = 1.5;
    let mut sys = Small::new(Rheonomic);
    let start = Setup::new("bdf", "ggl", t_end, 1e-6).start(&mut sys);
    let exact: State = runge_kutta(&mut sys, &start.unwrap(), t_end, 20_000).unwrap();
    for formulation in ["index3", "ggl"] {
        let errors = |order: usize, n: usize, tol: f64| {
            // the tolerance only sets how far the equations are solved
            let setup = Setup::new("radau", formulation, t_end, tol);
            let s = at_steps(&mut Small::new(Rheonomic), &setup, order, n);
            let e = [
                distance(&s.q, &exact.q),
                distance(&s.v, &exact.v),
                distance(&s.lambda, &exact.lambda),
            ];
            println!("    {n}: {:.1e} {:.1e} {:.1e}", e[0], e[1], e[2]);
            e
        };
        let p = orders([60, 120], |n| errors(5, n, 1e-10));
        check(&format!("{formulation} 5"), &p, 5.0);
        if formulation == "index3" {
            let p = orders([18, 24], |n| errors(9, n, 1e-11));
            check("index3 9", &p, 9.0);
        } else {
            // here what the iteration leaves is as large as the error; see the top for its order
            let worst = errors(9, 24, 1e-11).into_iter().fold(0.0, f64::max);
            assert!(worst < 2e-11, "ggl 9: {worst:.1e}");
        }
        // order 13 is at rounding before its order can be seen
        let worst = errors(13, 9, 1e-11).into_iter().fold(0.0, f64::max);
        assert!(worst < 1e-10, "{formulation} 13: {worst:.1e}");
    }
}

/// On a chart whose base moves in every step, about the fixed point (free) and with joint constraints.
#[test]
fn orientation_and_spin_have_the_order_of_the_method() {
    let t_end = 0.1;
    let channels = |sys: &mut RigidBody, s: &State| {
        let mut values = vec![0.0; sys.facts().channels.len()];
        sys.observe(s, &mut values);
        values
    };
    let mut sys = RigidBody::new(TOP, false);
    let setup = Setup::new("dop853", "projected", t_end, 1e-14);
    let out = setup.run(&mut sys, &mut ()).unwrap();
    let exact = channels(&mut sys, &out.state);
    for formulation in ["index3", "ggl"] {
        for positions in [false, true] {
            // order 9 of the free body is where its iteration does not get
            let all = [(5, [80, 160], 1e-11), (9, [12, 18], 1e-13)];
            for (order, n, tol) in all.into_iter().filter(|e| e.0 == 5 || positions) {
                let setup = Setup::new("radau", formulation, t_end, tol);
                let p = orders(n, |n| {
                    let mut sys = RigidBody::new(TOP, positions);
                    let s = at_steps(&mut sys, &setup, order, n);
                    let found = channels(&mut sys, &s);
                    let of = |x: &[f64]| [x[3], x[4], x[5], x[6]];
                    let turned = log(compose(inverse(of(&found)), of(&exact)));
                    [
                        dot(turned, turned).sqrt(),
                        distance(&found[7..10], &exact[7..10]),
                    ]
                });
                let name = format!("{formulation} {positions} {order}");
                check(&name, &p, order as f64);
            }
        }
    }
}

const TOLERANCES: [f64; 6] = [1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8];

/// How far positions are off at the end of a run, in tolerances.
fn off(sys: &mut dyn System, setup: &Setup, exact: &[f64], what: &str) -> f64 {
    let out = setup.run(sys, &mut ()).unwrap();
    assert_eq!(out.ending, Ending::Finished, "{what}");
    let t = &setup.plan.tolerances;
    let scale = &sys.facts().scale;
    let each = out.state.q.iter().zip(exact).zip(scale);
    let of = |((q, exact), scale): ((&f64, &f64), &f64)| {
        let atol = t.atol.unwrap_or(t.rtol * scale);
        (q - exact).abs() / (t.rtol * exact.abs() + atol)
    };
    let worst = each.map(of).fold(0.0, f64::max);
    let s = &out.stats;
    println!(
        "{what} {:.0e}: {worst:.2} tolerances, {} steps, {} rejected, {} failed, {} iterations",
        t.rtol, s.steps, s.rejected, s.newton_failures, s.newton_iterations
    );
    worst
}

fn first_column(text: &str) -> Vec<f64> {
    let values = text.lines().skip(1).map(|l| l.split(',').nth(1).unwrap());
    values.map(|v| v.parse().unwrap()).collect()
}

/// Whatever the damping of what vibrates, and whether or not it is excited, and over the 200 s of the undamped chain, 400 periods of
/// its fastest mode.
#[test]
fn vibrating_systems_end_within_ten_tolerances() {
    let mut worst = Vec::new();
    for tol in TOLERANCES {
        for ratio in [0.0, 0.001, 0.01, 0.1] {
            let problem = Oscillator {
                omega: 100.0,
                ratio,
            };
            let exact = problem.exact(20.0);
            let mut setup = Setup::new("radau", "index3", 20.0, tol);
            setup.plan.tolerances.atol_v = Some(tol);
            let what = format!("oscillator {ratio}");
            worst.push((
                off(&mut Small::new(problem), &setup, &exact, &what),
                what,
                tol,
            ));
        }
        let variants = [
            (
                SliderCrank::default(),
                include_str!("../reference/slider_crank_consistent.csv"),
            ),
            (
                SliderCrank {
                    start: Start::Published,
                    nonlinear: false,
                    damped: true,
                },
                include_str!("../reference/slider_crank_damped.csv"),
            ),
            (
                SliderCrank {
                    start: Start::Published,
                    nonlinear: true,
                    damped: false,
                },
                include_str!("../reference/slider_crank_nonlinear.csv"),
            ),
            (
                SliderCrank {
                    start: Start::Rest,
                    ..SliderCrank::default()
                },
                include_str!("../reference/slider_crank_rest.csv"),
            ),
        ];
        for (problem, reference) in variants {
            let mut setup = Setup::new("radau", "index3", 0.1, tol);
            setup.plan.tolerances.atol = None;
            let what = format!("{problem:?}");
            let exact = first_column(reference);
            worst.push((
                off(&mut Small::new(problem), &setup, &exact, &what),
                what,
                tol,
            ));
        }
        let table = include_str!("../reference/chain_n14.csv").lines().skip(1);
        let last = |l: &str| l.split(',').nth(4).unwrap().parse().unwrap();
        let exact: Vec<f64> = table.map(last).take(14).collect();
        let mut setup = Setup::new("radau", "index3", 200.0, tol);
        setup.plan.tolerances.atol = Some(0.01 * tol);
        setup.plan.tolerances.atol_v = Some(0.01 * tol);
        let mut sys = Chain::new(14, std::f64::consts::TAU * 0.05, 0.0);
        worst.push((off(&mut sys, &setup, &exact, "chain"), "chain".into(), tol));
    }
    worst.retain(|(off, ..)| !(*off <= 10.0));
    assert!(worst.is_empty(), "{worst:#?}");
}
