//! Formulas that draw the motion to their own zero from both sides, such as `sign` of a velocity: it slides along the zero as
//! Filippov has it, with every method, for what true sticking costs.

mod runs;

use linkwork::{Run, Verdict};
use runs::{last, on_a_rail, pushed, read, run};

const METHODS: [&str; 12] = [
    "bdf",
    "radau",
    "gen-alpha",
    "hht",
    "newmark",
    "rosenbrock",
    "w",
    "dop853",
    "dopri5",
    "adams",
    "rock4",
    "rkc2",
];

/// A zero of `f`, which falls, between two places.
fn zero(f: impl Fn(f64) -> f64, mut a: f64, mut b: f64) -> f64 {
    for _ in 0..100 {
        let m = 0.5 * (a + b);
        if f(m) > 0.0 { a = m } else { b = m }
    }
    a
}

/// A text, and where the mass is at the end.
fn sliding() -> Vec<(&'static str, String, f64)> {
    // stops after half a second and 1/4 m
    let stop = on_a_rail(1.0, 1.0, &pushed("-2*sign(mass.x.velocity)"), 1.0);
    // reaches v = -2 x after t^2 + t = 0.2, and dies away along it
    let t = 0.5 * (1.8_f64.sqrt() - 1.0);
    let decays = (0.5 - 2.5 * t * t) * (-2.0 * (2.0 - t)).exp();
    let decay = on_a_rail(
        0.5,
        0.0,
        &pushed("-5*sign(mass.x.velocity + 2*mass.x)"),
        2.0,
    );
    // from the speed of 1 m/s down to one that changes with time, then along that
    let t = zero(|t| 1.0 - 5.0 * t - 0.5 * (3.0 * t).sin(), 0.0, 1.0);
    let follows = t - 2.5 * t * t + ((3.0 * t).cos() - 9.0_f64.cos()) / 6.0;
    let follow = on_a_rail(
        0.0,
        1.0,
        &pushed("-5*sign(mass.x.velocity - 0.5*sin(3*t))"),
        3.0,
    );
    // passes the line v = -2 x where it is too steep to stay, and is drawn back onto it
    let golden = 0.5 * (5.0_f64.sqrt() - 1.0);
    let returns = golden * golden * (-2.0 * (3.0 - 3.0 * golden)).exp();
    let back = on_a_rail(
        1.0,
        0.0,
        &pushed("-2*sign(mass.x + 0.5*mass.x.velocity)"),
        2.0,
    );
    // branches that are no opposites: 3 N back above, 1 N on below
    let t = 1.0 / 3.3;
    let climbs = t - 1.5 * t * t + 0.15 * (4.0 - t * t);
    let climb = on_a_rail(0.0, 1.0, &pushed("if(mass.x.velocity > 0.3*t, -3, 1)"), 2.0);
    // two relays of one function, none of which would do alone
    let both = pushed("-1.2*sign(mass.x.velocity)") + &again("3*t - 0.8*sign(mass.x.velocity)");
    let slip = on_a_rail(1.0, 0.0, &both, 1.5);
    // from the state in which 3 t is 2 on: 1 + s^3/2
    let slips = 1.0 + 0.5 * (1.5 - 2.0 / 3.0_f64).powi(3);
    vec![
        ("stop", stop, 1.25),
        ("decay", decay, decays),
        ("follow", follow, follows),
        ("climb", climb, climbs),
        ("slip", slip, slips),
        ("back", back, returns),
    ]
}

/// Another force on the mass.
fn again(force: &str) -> String {
    pushed(force).replace("name = \"push\"", "name = \"more\"")
}

fn ends_at(run: &Run, x: f64, tolerance: f64, case: &str) {
    let off = (last(run, "mass.x") - x).abs() / tolerance;
    assert!(off < 20.0, "{case}: {off:.1} tolerances");
}

fn judge(run: &Run, x: f64, tolerance: f64, case: &str) {
    ends_at(run, x, tolerance, case);
    // what slides works as it acts: nothing else balances the energy
    let told = (run.verdict, &run.doubts);
    assert_eq!(run.verdict, Verdict::Converged, "{case}: {told:?}");
}

#[test]
fn motions_slide_with_every_method() {
    for (what, text, x) in sliding() {
        for method in METHODS {
            for coordinates in ["absolute", "joint"] {
                let run = run(&read(&text), runs::options(coordinates, method, 1e-6));
                let case = format!("{what} {method} {coordinates}");
                judge(&run, x, 1e-6, &case);
            }
        }
    }
}

/// An oscillation turns round in equal times until it is caught: turns pile up nowhere before.
#[test]
fn equal_times_between_turns_do_not_accumulate() {
    let text = on_a_rail(
        1.0,
        0.0,
        &pushed("-100*mass.x - 5*sign(mass.x.velocity)"),
        2.9,
    );
    // every half period takes a tenth of a metre
    let swing = |t: f64| 0.05 * (1.0 + (10.0 * t).cos());
    let x = -swing(2.9 - 0.9 * std::f64::consts::PI);
    for method in METHODS {
        for coordinates in ["absolute", "joint"] {
            let run = run(&read(&text), runs::options(coordinates, method, 1e-6));
            let kinds = run.events.happenings.iter().map(|h| h.kind);
            let turns: Vec<&str> = kinds.collect();
            let case = format!("{method} {coordinates}: {turns:?}");
            ends_at(&run, x, 1e-6, &case);
            assert!(
                !turns.contains(&"accumulates") && turns.len() == 10,
                "{case}"
            );
        }
    }
}

/// Nothing of it is a matter of the tolerance.
#[test]
fn motions_slide_at_every_tolerance() {
    for (what, text, x) in sliding() {
        for method in ["bdf", "radau", "rosenbrock", "dop853", "adams"] {
            for tolerance in [1e-3, 1e-4, 1e-8, 1e-10, 1e-12] {
                let run = run(&read(&text), runs::options("absolute", method, tolerance));
                let case = format!("{what} {method} {tolerance:e}");
                ends_at(&run, x, tolerance, &case);
                // a method of order 4 takes 3100 at the last one
                assert!(run.stats.steps < 4000, "{case}: {} steps", run.stats.steps);
            }
        }
    }
}

/// It leaves where it is pulled away and is caught again, for as many steps as where true dry friction sticks.
#[test]
fn a_relay_lets_a_motion_go_and_catches_it() {
    let rubs = pushed("3*sin(4*t) - 2*sign(mass.x.velocity)");
    let sticks = format!(
        "{}[[joint]]\nname = \"rub\"\nkind = \"dry_friction\"\nagainst = \"sliding\"\nbody_b = \"mass\"\n\
         axis = [1, 0]\ncoulomb = 2\n",
        pushed("3*sin(4*t)")
    );
    let [rubs, sticks] = [rubs, sticks].map(|parts| read(&on_a_rail(0.0, 0.0, &parts, 3.0)));
    let exact = run(&sticks, runs::options("absolute", "dop853", 1e-11));
    let exact = last(&exact, "mass.x");
    assert!(exact.abs() > 1e-3, "{exact}");
    for method in METHODS {
        for coordinates in ["absolute", "joint"] {
            let options = runs::options(coordinates, method, 1e-6);
            let true_steps = run(&sticks, options.clone()).stats.steps;
            let run = run(&rubs, options);
            let steps = run.stats.steps;
            let case = format!("{method} {coordinates}: {steps} steps for {true_steps}");
            ends_at(&run, exact, 1e-6, &case);
            assert!(steps < true_steps + true_steps / 4 + 10, "{case}");
        }
    }
}

/// One mass rubs on another that rubs on the ground: relays slide alone and together, and feel each other.
#[test]
fn relays_of_two_masses_slide_as_true_friction() {
    let body = |name: &str, mass: f64| {
        format!(
            "[[body]]\nname = \"{name}\"\nmass = {mass}\ninertia = 0.1\n[[joint]]\nname = \"rail_{name}\"\n\
             kind = \"prismatic\"\nbody_b = \"{name}\"\nat = [0, 0]\naxis = [1, 0]\n"
        )
    };
    let force = |name: &str, body: &str, x: &str| {
        format!(
            "[[force]]\nname = \"{name}\"\nkind = \"force\"\nbody_b = \"{body}\"\nx = \"{x}\"\n"
        )
    };
    let dry = |name: &str, bodies: &str, coulomb: f64| {
        format!(
            "[[joint]]\nname = \"{name}\"\nkind = \"dry_friction\"\nagainst = \"sliding\"\n{bodies}\naxis = [1, 0]\n\
             coulomb = {coulomb}\n"
        )
    };
    let masses = body("a", 1.0) + &body("b", 0.7);
    let between = "1.5*sign(b.x.velocity - a.x.velocity)";
    let rubs = [
        masses.clone(),
        force("floor", "a", "-1.2*sign(a.x.velocity)"),
        force("on", "a", between),
        force("back", "b", &format!("4*sin(3*t) - {between}")),
    ];
    let sticks = [
        masses,
        dry("floor", "body_b = \"a\"", 1.2),
        dry("on", "body_a = \"a\"\nbody_b = \"b\"", 1.5),
        force("push", "b", "4*sin(3*t)"),
    ];
    let [rubs, sticks] =
        [rubs, sticks].map(|parts| read(&(parts.concat() + "[simulation]\nt_end = 3\n")));
    let exact = run(&sticks, runs::options("absolute", "dop853", 1e-11));
    for method in METHODS {
        for coordinates in ["absolute", "joint"] {
            let run = run(&rubs, runs::options(coordinates, method, 1e-6));
            for name in ["a.x", "b.x"] {
                let off = (last(&run, name) - last(&exact, name)).abs() / 1e-6;
                assert!(
                    off < 30.0,
                    "{method} {coordinates} {name}: {off:.1} tolerances"
                );
            }
        }
    }
}
