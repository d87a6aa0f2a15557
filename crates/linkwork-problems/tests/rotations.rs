//! Rotations in space on a chart whose base follows the motion: every stepper with every
//! formulation on the heavy top, about its fixed point and with joint constraints, and on free
//! bodies.

mod climb;

use climb::Climb;
use linkwork_dae::chart::Rates;
use linkwork_dae::control::StepController;
use linkwork_dae::control::fixed::Fixed;
use linkwork_dae::drive::{Ending, Flow, Observer, ObserverError, View};
use linkwork_dae::formulation::{FORMULATIONS, Formulation, Means};
use linkwork_dae::initial::constraint_residuals;
use linkwork_dae::rotation::{Quaternion, Vector, compose, dot, inverse, log};
use linkwork_dae::state::{Link, Stage};
use linkwork_dae::stepper::{Family, Needs, StepperEntry};
use linkwork_dae::system::{Blocks, Rows, System};
use linkwork_problems::free_body::{TUMBLING, momentum, rotor, rotor_orientation};
use linkwork_problems::heavy_top::{TOP, reference};
use linkwork_problems::rigid_body::RigidBody;
use linkwork_problems::study::{Outcome, Setup, methods};

fn channels(sys: &mut RigidBody, out: &Outcome) -> Vec<f64> {
    assert_eq!(out.ending, Ending::Finished);
    let mut values = vec![0.0; sys.facts().channels.len()];
    sys.observe(&out.state, &mut values);
    values
}

fn orientation(values: &[f64]) -> Quaternion {
    [values[3], values[4], values[5], values[6]]
}

fn omega(values: &[f64]) -> Vector {
    [values[7], values[8], values[9]]
}

/// The angle between two orientations.
fn angle(a: Quaternion, b: Quaternion) -> f64 {
    let d = log(compose(inverse(a), b));
    dot(d, d).sqrt()
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    let pairs = a.iter().zip(b);
    pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

fn run(sys: &mut RigidBody, setup: &Setup) -> (Vec<f64>, Outcome) {
    let out = setup.run(sys, &mut ()).unwrap();
    (channels(sys, &out), out)
}

/// The reference claims 2e-10 in the centre of mass and the Euler parameters; angular velocities
/// are larger by the spin over the precession, some 13 rad/s per rad.
#[test]
fn the_heavy_top_ends_where_the_reference_does() {
    for t_end in [0.2, 2.0] {
        let exact = reference(t_end).unwrap();
        for method in ["dop853", "adams"] {
            let setup = Setup::new(method, "projected", t_end, 1e-13);
            let (found, _) = run(&mut RigidBody::new(TOP, true), &setup);
            let turned = angle(orientation(&found), orientation(&exact));
            let moved = distance(&found[..3], &exact[..3]);
            let spun = distance(&omega(&found), &omega(&exact));
            println!("{method} {t_end}: {moved:.1e} {turned:.1e} {spun:.1e}");
            assert!(
                moved < 2e-9 && turned < 4e-9 && spun < 4e-8,
                "{method} {t_end}"
            );
        }
    }
}

/// At a tolerance of 1e-6 every combination is within what its order and the 30 rad of the run
/// allow, and moving the base costs no steps: fewer than one in ten is rejected, none fails.
#[test]
fn every_combination_follows_the_heavy_top() {
    let exact = reference(0.2).unwrap();
    for positions in [false, true] {
        for stepper in methods() {
            for formulation in stepper.formulations {
                let setup = Setup::new(stepper.name, formulation, 0.2, 1e-6);
                let mut sys = RigidBody::new(TOP, positions);
                let (found, out) = run(&mut sys, &setup);
                let turned = angle(orientation(&found), orientation(&exact));
                let name = format!("{} {formulation} {positions}", stepper.name);
                let s = &out.stats;
                let second_order =
                    stepper.family == Family::Alpha || ["rkc2", "w"].contains(&stepper.name);
                let bound = if second_order { 2e-2 } else { 1e-3 };
                assert!(turned < bound, "{name}: {turned:.1e}");
                if formulation == &"state-space" {
                    let rows = Rows::all(sys.facts().dims);
                    let (c, cv) = constraint_residuals(&mut sys, &out.state, &rows).unwrap();
                    assert!(c < 1e-14 && cv < 1e-12, "{name}: {c:.1e} {cv:.1e}");
                }
                assert!(10 * s.rejected < s.steps, "{name}: {s:?}");
                // stages that share their blocks iterate, and find out how far they get
                if stepper.family == Family::Collocation {
                    assert!(20 * s.newton_failures <= s.steps, "{name}: {s:?}");
                    continue;
                }
                assert_eq!(s.newton_failures, 0, "{name}");
                // fresh blocks with the bend of the chart: a second iteration is a check
                if formulation == &"index3" {
                    let limit = s.steps * 11 / 10 + 4;
                    assert!(s.newton_iterations <= limit, "{name}: {s:?}");
                }
            }
        }
    }
}

/// The orientation and angular velocity of the top at a time, to 1e-11.
fn exact_top(t_end: f64) -> Vec<f64> {
    let setup = Setup::new("dop853", "projected", t_end, 1e-14);
    run(&mut RigidBody::new(TOP, false), &setup).0
}

const T_END: f64 = 0.1;

/// Observed orders of orientation and angular velocity when the steps are halved.
fn orders(
    setup: &Setup,
    positions: bool,
    exact: &[f64],
    n: usize,
    steps: impl Fn(usize) -> (f64, Box<dyn StepController>),
) -> [f64; 2] {
    let error = |n| {
        let mut sys = RigidBody::new(TOP, positions);
        let start = setup.start(&mut sys).unwrap();
        let (h, controller) = steps(n);
        let out = setup
            .run_from(&mut sys, &start, controller, &mut ())
            .unwrap();
        let found = channels(&mut sys, &out);
        let turned = angle(orientation(&found), orientation(exact));
        (h, [turned, distance(&omega(&found), &omega(exact))])
    };
    let (coarse_h, coarse) = error(n);
    let (fine_h, fine) = error(2 * n);
    [0, 1].map(|i| (coarse[i] / fine[i]).ln() / (coarse_h / fine_h).ln())
}

/// Re-basing in every step keeps the order of every formula, on constant and on changing steps.
#[test]
fn every_implicit_stepper_has_its_order_on_the_heavy_top() {
    let exact = exact_top(T_END);
    let mut failures = Vec::new();
    // those of many stages are in `radau.rs`
    let implicit = |s: &&StepperEntry| {
        matches!(s.needs, Needs::Implicit(_)) && s.family != Family::Collocation
    };
    for stepper in methods().filter(implicit) {
        for formulation in stepper.formulations {
            for positions in [false, true] {
                for pattern in [&[1.0][..], &[1.05, 0.95]] {
                    let multistep = stepper.family == Family::Bdf;
                    for order in if multistep { 1..=5 } else { 2..=2 } {
                        // steps where the error is asymptotic and still far above rounding
                        let (climb, n) = if multistep {
                            (150, [12_000, 1500, 600, 500, 400][order - 1])
                        } else {
                            (0, 1500)
                        };
                        let setup = Setup::new(stepper.name, formulation, T_END, 1e-12);
                        let p = orders(&setup, positions, &exact, n, |n| {
                            let climb = Climb::new(T_END, order, climb, n, pattern);
                            (climb.h, Box::new(climb))
                        });
                        let name = format!(
                            "{} {formulation} {positions} {} {order}",
                            stepper.name,
                            pattern.len()
                        );
                        println!("{name}: {:.2} {:.2}", p[0], p[1]);
                        if p.iter()
                            .any(|p| !(order as f64 - 0.4..order as f64 + 0.7).contains(p))
                        {
                            failures.push(format!("{name}: {p:.2?}"));
                        }
                    }
                }
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

/// The same for explicit methods at fixed steps; Adams of order `k` with its corrector has `k + 1`.
#[test]
fn every_explicit_stepper_has_its_order_on_the_heavy_top() {
    let exact = exact_top(T_END);
    let mut failures = Vec::new();
    // name, formulation, order, steps without and with constraints
    for (method, formulation, order, n_free, n_held) in [
        ("dopri5", "projected", 5.0, 100, 100),
        ("dop853", "projected", 8.0, 30, 18),
        ("rock4", "projected", 4.0, 150, 150),
        ("rock4", "penalty", 4.0, 150, 1500),
        ("rkc2", "projected", 2.0, 1000, 1000),
        ("rkc2", "penalty", 2.0, 1000, 2000),
        ("dopri5", "state-space", 5.0, 100, 100),
        ("dop853", "state-space", 8.0, 30, 18),
        ("rosenbrock", "state-space", 4.0, 400, 400),
        ("w", "state-space", 2.0, 2000, 2000),
    ] {
        for (positions, n) in [(false, n_free), (true, n_held)] {
            let setup = Setup::new(method, formulation, T_END, 1e-6);
            let p = orders(&setup, positions, &exact, n, |n| {
                let h = T_END / n as f64;
                (h, Box::new(Fixed::new(h, 8)))
            });
            println!(
                "{method} {formulation} {positions}: {:.2} {:.2}",
                p[0], p[1]
            );
            if p.iter().any(|p| (p - order).abs() > 0.6) {
                failures.push(format!("{method} {formulation} {positions}: {p:.2?}"));
            }
        }
    }
    for order in [1, 2, 3, 4, 6, 8] {
        for positions in [false, true] {
            let setup = Setup::new("adams", "projected", T_END, 1e-12);
            let n = [2000, 1000, 600, 400, 250, 120, 100, 60][order - 1];
            let p = orders(&setup, positions, &exact, n, |n| {
                let climb = Climb::new(T_END, order, 150, n, &[1.0]);
                (climb.h, Box::new(climb))
            });
            println!("adams {order} {positions}: {:.2} {:.2}", p[0], p[1]);
            let wanted = order as f64 + 1.0;
            if p.iter().any(|p| (p - wanted).abs() > 0.7) {
                failures.push(format!("adams {order} {positions}: {p:.2?}"));
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

/// Compares points within steps, on dense output, with a closed form.
#[derive(Default)]
struct Within {
    turned: f64,
    at_end: f64,
}

impl Observer for Within {
    fn on_step(&mut self, view: &mut View<'_>) -> Result<Flow, ObserverError> {
        let mut values = [0.0; 10];
        for share in [0.3, 0.7, 1.0] {
            let t = if share == 1.0 {
                view.to
            } else {
                view.from + share * (view.to - view.from)
            };
            let s = view.motion(t).clone();
            view.sys.observe(&s, &mut values);
            let body = rotor(100.0, 30.0);
            let error = angle(orientation(&values), rotor_orientation(&body, t));
            self.turned = self.turned.max(error);
            if share == 1.0 {
                self.at_end = self.at_end.max(error);
            }
        }
        Ok(Flow::Continue)
    }
}

/// The dense output of a step is about the base of that step: as good as its end, which the
/// precessing rotor knows in closed form. Cubic Hermite output of the second-order methods and of
/// `rock4` has an error of its own.
#[test]
fn dense_output_is_as_good_as_the_steps() {
    for stepper in methods() {
        for formulation in stepper.formulations {
            let setup = Setup::new(stepper.name, formulation, 0.3, 1e-5);
            let mut within = Within::default();
            let mut sys = RigidBody::new(rotor(100.0, 30.0), false);
            let out = setup.run(&mut sys, &mut within).unwrap();
            assert_eq!(out.ending, Ending::Finished);
            let Within { turned, at_end } = within;
            println!("{} {formulation}: {turned:.1e} {at_end:.1e}", stepper.name);
            assert!(turned < 2.0 * at_end + 2e-5, "{}", stepper.name);
        }
    }
}

/// A steady spin is linear in the coordinates: whatever the tolerance, only rounding is left after
/// a thousand turns.
#[test]
fn a_steady_spin_is_exact() {
    let body = rotor(100.0, 0.0);
    for (method, formulation) in [
        ("bdf", "ggl"),
        ("gen-alpha", "index3"),
        ("dopri5", "projected"),
    ] {
        let t_end = 20.0 * std::f64::consts::PI;
        let setup = Setup::new(method, formulation, t_end, 1e-2);
        let (found, out) = run(&mut RigidBody::new(body, false), &setup);
        let error = angle(orientation(&found), rotor_orientation(&body, t_end));
        println!("{method}: {error:.1e}, {} steps", out.stats.steps);
        assert!(error < 1e-10, "{method}: {error:.1e}");
        assert_eq!(out.stats.rejected, 0, "{method}");
    }
}

/// Energy and angular momentum of the tumbling body after 80 turns: no secular growth beyond the
/// error of the motion, and what two tolerances say agrees with their ratio.
#[test]
fn invariants_of_a_tumbling_body_fall_with_the_tolerance() {
    let before = momentum(&TUMBLING, [1.0, 0.0, 0.0, 0.0], TUMBLING.omega);
    let size = dot(before, before).sqrt();
    for (method, formulation) in [
        ("bdf", "ggl"),
        ("bdf", "index3"),
        ("dop853", "projected"),
        ("adams", "projected"),
    ] {
        let drift = |tol: f64| {
            let setup = Setup::new(method, formulation, 50.0, tol);
            let (found, _) = run(&mut RigidBody::new(TUMBLING, false), &setup);
            let after = momentum(&TUMBLING, orientation(&found), omega(&found));
            distance(&after, &before) / size
        };
        let (coarse, fine) = (drift(1e-5), drift(1e-8));
        println!("{method} {formulation}: {coarse:.1e} {fine:.1e}");
        assert!(
            coarse < 0.1 && fine < 0.02 * coarse,
            "{method} {formulation}"
        );
    }
}

/// With its velocities turned round the top goes back to its start, through other bases.
#[test]
fn a_reversed_motion_returns() {
    for (method, formulation, bound) in [
        ("dop853", "projected", 1e-8),
        ("adams", "projected", 1e-7),
        ("bdf", "ggl", 1e-3),
    ] {
        let mut sys = RigidBody::new(TOP, true);
        let setup = Setup::new(method, formulation, 0.1, 1e-10);
        let mut start = setup.start(&mut sys).unwrap();
        let controller = setup.controller().unwrap();
        let out = setup
            .run_from(&mut sys, &start, controller, &mut ())
            .unwrap();
        start.state.copy_from(&out.state);
        start.state.t = 0.0;
        for v in &mut start.state.v {
            *v = -*v;
        }
        let controller = setup.controller().unwrap();
        let out = setup
            .run_from(&mut sys, &start, controller, &mut ())
            .unwrap();
        let found = channels(&mut sys, &out);
        let turned = angle(orientation(&found), [1.0, 0.0, 0.0, 0.0]);
        println!("{method}: {turned:.1e}");
        assert!(turned < bound, "{method}: {turned:.1e}");
    }
}

/// The iteration matrix is the derivative of the residual along the tangent, wherever on the chart:
/// central differences with steps of 1e-5 are good to 1e-8 here.
#[test]
fn the_iteration_matrix_knows_the_chart() {
    const STEP: f64 = 1e-5;
    for positions in [false, true] {
        for name in ["index3", "ggl"] {
            for rates in [Rates::Chart, Rates::Tangent] {
                let mut sys = RigidBody::new(TOP, positions);
                let entry = FORMULATIONS.iter().find(|f| f.name == name).unwrap();
                let Means::Placement(build) = entry.means else {
                    panic!("{name} is implicit");
                };
                let mut form = build();
                let d = sys.facts().dims;
                let (pattern, _) = form.bind(&sys, &Rows::all(d));
                let n = form.size();
                let mut st = Stage::new(d);
                st.rates = rates;
                st.link = Link {
                    qdot: 200.0,
                    vdot: 300.0,
                };
                for i in 0..d.nv {
                    let x = i as f64;
                    st.s.q[i] = 0.8 * (x + 0.3).sin();
                    st.qdot[i] = 100.0 * (2.0 * x + 0.7).sin();
                    st.s.v[i] = 100.0 * (2.0 * x + 0.9).cos();
                    st.s.a[i] = 50.0 * (3.0 * x).cos();
                }
                for (i, l) in st.s.lambda.iter_mut().enumerate() {
                    *l = 10.0 + i as f64;
                }
                form.predict(sys.chart(), &mut st);
                let mut blocks = Blocks::new(&sys.facts().patterns);
                let mut r = vec![0.0; n];
                let mut bend = vec![0.0; sys.chart().unwrap().pattern().len()];
                let mut values = vec![0.0; pattern.nnz()];
                {
                    let parts = form.parts();
                    let mut want = form.request(&st, &mut r);
                    sys.linearise(&st.s.at(), &mut want, parts, &mut blocks)
                        .unwrap();
                }
                st.bend(sys.chart().unwrap(), &mut bend);
                form.combine(&blocks, &bend, st.link, &mut values);
                for j in 0..n {
                    let mut moved = |shift: f64| {
                        let mut dz = vec![0.0; n];
                        dz[j] = shift;
                        let mut at = st.clone();
                        form.apply(sys.chart(), &dz, &mut at);
                        residual(&mut form, &mut sys, &at, n)
                    };
                    let (high, low) = (moved(STEP), moved(-STEP));
                    let mut column = vec![0.0; n];
                    for k in pattern.span(j) {
                        column[pattern.row[k] as usize] = values[k];
                    }
                    for i in 0..n {
                        // `finish` gives the negative residual
                        let difference = -(high[i] - low[i]) / (2.0 * STEP);
                        let error = (difference - column[i]).abs();
                        assert!(
                            error < 1e-7 * (1.0 + column[i].abs()),
                            "{name} {positions} {rates:?} ({i}, {j}): {difference} for {}",
                            column[i]
                        );
                    }
                }
            }
        }
    }
}

fn residual(form: &mut Formulation, sys: &mut RigidBody, st: &Stage, n: usize) -> Vec<f64> {
    let mut r = vec![0.0; n];
    let mut want = form.request(st, &mut r);
    sys.eval(&st.s.at(), &mut want).unwrap();
    form.finish(sys.chart(), st, &mut r);
    r
}

/// Closing the joint moves positions and orientation along the tangent: Newton's steps, so few of
/// them, from half a turn away and more.
#[test]
fn the_joint_is_closed_along_the_tangent() {
    for turn in [0.2, 1.0, 2.5, 4.0] {
        let mut sys = RigidBody::new(TOP, true);
        let mut guess = sys.facts().guess.clone();
        guess.q = vec![0.3, -0.9, 0.4, turn, 0.3, -0.2];
        guess.weight_q = vec![1e5, 1e5, 1e5, 1.0, 1.0, 1.0];
        let start = linkwork_dae::initial::start(&mut sys, &guess).unwrap();
        let rows = Rows::all(sys.facts().dims);
        let (c, cv) =
            linkwork_dae::initial::constraint_residuals(&mut sys, &start.state, &rows).unwrap();
        println!("{turn}: {} iterations", start.report.iterations);
        assert!(c < 1e-12 && cv < 1e-10, "{turn}: {c:.1e} {cv:.1e}");
        assert!(start.report.iterations < 30, "{turn}");
        // the first step begins at a base away from the start
        let setup = Setup::new("bdf", "ggl", 0.01, 1e-6);
        let controller = setup.controller().unwrap();
        let out = setup
            .run_from(&mut sys, &start, controller, &mut ())
            .unwrap();
        assert_eq!(out.ending, Ending::Finished);
        assert!(out.stats.rejected < 4, "{turn}: {:?}", out.stats);
    }
}
