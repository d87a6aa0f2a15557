//! Radau IIA: orders of positions, velocities and multipliers in both formulations, on flat problems
//! and on rotations, and what it costs on stiff and vibrating mechanisms.

use linkwork_dae::control::fixed::{Fixed, Steady};
use linkwork_dae::drive::Ending;
use linkwork_dae::rotation::{compose, dot, inverse, log};
use linkwork_dae::state::State;
use linkwork_dae::system::System;
use linkwork_problems::heavy_top::TOP;
use linkwork_problems::rheonomic::Rheonomic;
use linkwork_problems::rigid_body::RigidBody;
use linkwork_problems::small::Small;
use linkwork_problems::study::{Outcome, Setup, runge_kutta};

fn distance(a: &[f64], b: &[f64]) -> f64 {
    let pairs = a.iter().zip(b);
    pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

fn at_steps(sys: &mut dyn System, setup: &Setup, order: usize, n: usize) -> Outcome {
    let start = setup.start(sys).unwrap();
    let h = setup.plan.t_end / n as f64;
    let out = setup.run_from(sys, &start, Box::new(Steady(Fixed { h, order })), &mut ());
    let out = out.unwrap();
    assert_eq!(out.ending, Ending::Finished);
    out
}

/// Orders by which errors fall when there are more steps.
fn orders<const N: usize>(n: [usize; 2], error: impl Fn(usize) -> [f64; N]) -> [f64; N] {
    let [coarse, fine] = n.map(&error);
    let ratio = n[1] as f64 / n[0] as f64;
    std::array::from_fn(|i| (coarse[i] / fine[i]).ln() / ratio.ln())
}

/// A constraint that depends on time, a mass that depends on the configuration.
#[test]
fn flat_orders() {
    let t_end = 1.5;
    let mut sys = Small::new(Rheonomic);
    let setup = Setup::new("radau", "ggl", t_end, 1e-11);
    let start = setup.start(&mut sys).unwrap();
    let exact: State = runge_kutta(&mut sys, &start, t_end, 20_000).unwrap();
    for formulation in ["index3", "ggl"] {
        for (order, n) in [(5, [20, 40]), (9, [9, 15]), (13, [5, 7])] {
            let setup = Setup::new("radau", formulation, t_end, if order == 5 { 1e-9 } else { 1e-11 });
            let p = orders(n, |n| {
                let out = at_steps(&mut Small::new(Rheonomic), &setup, order, n);
                println!("{:?} {:?}", out.stats.steps, out.stats.newton_failures);
                let s = out.state;
                let e = [
                    distance(&s.q, &exact.q),
                    distance(&s.v, &exact.v),
                    distance(&s.lambda, &exact.lambda),
                ];
                println!("    {n}: {e:?}");
                e
            });
            println!("{formulation} {order}: {p:.2?}");
        }
    }
}

#[test]
fn orders_on_a_rotating_top() {
    let t_end = 0.1;
    let channels = |sys: &mut RigidBody, out: &Outcome| {
        let mut values = vec![0.0; sys.facts().channels.len()];
        sys.observe(&out.state, &mut values);
        values
    };
    let mut sys = RigidBody::new(TOP, false);
    let setup = Setup::new("dop853", "projected", t_end, 1e-14);
    let out = setup.run(&mut sys, &mut ()).unwrap();
    let exact = channels(&mut sys, &out);
    for formulation in ["index3", "ggl"] {
        for positions in [false, true] {
            for (order, n) in [(5, [40, 80]), (9, [10, 20])] {
                let setup = Setup::new("radau", formulation, t_end, if order == 5 { 1e-9 } else { 1e-11 });
                let p = orders(n, |n| {
                    let mut sys = RigidBody::new(TOP, positions);
                    let out = at_steps(&mut sys, &setup, order, n);
                    let found = channels(&mut sys, &out);
                    let of = |x: &[f64]| [x[3], x[4], x[5], x[6]];
                    let turned = log(compose(inverse(of(&found)), of(&exact)));
                    let e = [
                        dot(turned, turned).sqrt(),
                        distance(&found[7..10], &exact[7..10]),
                    ];
                    println!("    {n}: {e:?} {:?} {} {}", out.stats.newton_iterations, out.stats.steps, out.stats.newton_failures);
                    e
                });
                println!("{formulation} {positions} {order}: {p:.2?}");
            }
        }
    }
}
