//! Linearly implicit methods on systems that give no derivatives: differences, in groups where the pattern
//! allows, and kept for several steps where the method does.

use linkwork_dae::control::fixed::Fixed;
use linkwork_dae::drive::Ending;
use linkwork_dae::residual::{Blackbox, Residual};
use linkwork_dae::system::{At, Dims, Guess, System};
use linkwork_problems::PROBLEMS;
use linkwork_problems::study::{Outcome, Setup};

fn run(
    sys: &mut dyn System,
    method: &'static str,
    formulation: &'static str,
    t: f64,
    tol: f64,
) -> Outcome {
    let mut setup = Setup::new(method, formulation, t, tol);
    setup.jacobian = "auto";
    let out = setup.run(sys, &mut ()).unwrap();
    assert_eq!(out.ending, Ending::Finished, "{method}");
    out
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    let off = a.iter().zip(b).map(|(a, b)| (a - b).abs());
    off.fold(0.0, f64::max)
}

/// Railway carriage and car, forces without derivatives: as far as bdf at a tight tolerance.
#[test]
fn vehicles_without_derivatives_run() {
    // through the whole line change: creep is stiff and driven, and derivatives by time that are left out, or as
    // old as the others, leave errors of the first order there (102 300 steps)
    for (name, method, t, tol, bound, steps) in [
        ("train", "w", 15.0, 1e-4, 1e-3, 4000),
        ("train", "rosenbrock", 15.0, 1e-4, 1e-3, 1000),
        ("car", "rosenbrock", 0.5, 1e-5, 1e-4, 40),
        ("car", "w", 0.5, 1e-5, 1e-3, 40),
    ] {
        let entry = PROBLEMS.iter().find(|p| p.name == name).unwrap();
        let build = || (entry.build)(&[]).unwrap();
        let exact = run(&mut *build(), "bdf", "index3", t, 1e-9);
        let out = run(&mut *build(), method, "state-space", t, tol);
        let off = distance(&out.state.q, &exact.state.q);
        println!("{name} {method}: {off:.1e} in {} steps", out.stats.steps);
        assert!(off < bound, "{name} {method}: {off:.1e}");
        assert!(
            out.stats.steps < steps,
            "{name} {method}: {}",
            out.stats.steps
        );
        let columns = 2 * out.state.v.len() as u64;
        let each = out.stats.residual_evaluations_for_jacobians / out.stats.jacobian_evaluations;
        assert!(
            each <= columns + 1,
            "{name} {method}: {each} evaluations for {columns} columns"
        );
        if method == "w" {
            // old ones serve
            assert!(
                2 * out.stats.jacobian_evaluations < out.stats.steps,
                "{name}"
            );
        }
    }
}

/// Stiff creep costs methods of Rosenbrock type a part of their order, from 4 towards 3 while steps are long beside it
/// (Hairer & Wanner 1996, IV.15). Derivatives by time, or by position, that are left out or old would cost all but one.
#[test]
fn stiff_creep_leaves_most_of_the_order() {
    let entry = PROBLEMS.iter().find(|p| p.name == "train").unwrap();
    let t = 1.0;
    let exact = run(&mut *(entry.build)(&[]).unwrap(), "bdf", "index3", t, 1e-10);
    let off = |h: f64| {
        let mut sys = (entry.build)(&[]).unwrap();
        let mut setup = Setup::new("rosenbrock", "state-space", t, 1e-6);
        setup.jacobian = "auto";
        let start = setup.start(&mut *sys).unwrap();
        let fixed = Box::new(Fixed::new(h, 4));
        let out = setup.run_from(&mut *sys, &start, fixed, &mut ()).unwrap();
        assert_eq!(out.ending, Ending::Finished, "{h}");
        distance(&out.state.v, &exact.state.v)
    };
    let [long, short] = [4e-3, 1e-3].map(off);
    let order = (long / short).log2() / 2.0;
    println!("{long:.1e}, {short:.1e}: order {order:.2}");
    assert!(order > 2.5, "{long:.1e}, {short:.1e}: order {order:.2}");
}

/// A damped pendulum in Cartesian coordinates, as a residual and nothing else.
#[derive(Clone)]
struct Pendulum;

impl Residual for Pendulum {
    fn dims(&self) -> Dims {
        Dims {
            nq: 2,
            nv: 2,
            nc: 1,
            ..Dims::default()
        }
    }

    fn start(&self) -> Guess {
        Guess::at(&[1.0, 0.0], &[0.0, 0.0])
    }

    fn residual(&self, at: &At<'_>, r: &mut [f64]) {
        r[0] = at.a[0] + at.q[0] * at.lambda[0] + 0.1 * at.v[0];
        r[1] = at.a[1] + at.q[1] * at.lambda[0] + 0.1 * at.v[1] + 9.81;
    }

    fn constraint(&self, _: f64, q: &[f64], c: &mut [f64]) {
        c[0] = 0.5 * (q[0] * q[0] + q[1] * q[1] - 1.0);
    }
}

/// The error falls with the tolerance, as with exact derivatives.
#[test]
fn a_black_box_runs() {
    let exact = run(
        &mut Blackbox::new(Pendulum),
        "dop853",
        "projected",
        2.0,
        1e-11,
    );
    for (method, bound) in [("rosenbrock", 1e-4), ("w", 1e-3)] {
        let off = [1e-3, 1e-6].map(|tol| {
            let out = run(
                &mut Blackbox::new(Pendulum),
                method,
                "state-space",
                2.0,
                tol,
            );
            distance(&out.state.q, &exact.state.q)
        });
        println!("{method}: {off:?}");
        assert!(off[1] < bound && off[1] < 0.1 * off[0], "{method}: {off:?}");
    }
}
