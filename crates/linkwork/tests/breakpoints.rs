//! Instants at which formulas of time are not smooth are met exactly: a short pulse after a long rest
//! is not leapt over, whatever the tolerance, the method and the coordinates.

mod runs;

use linkwork::Options;
use runs::{fine, last, on_a_rail, on_a_tyre, pulled, pushed, read, run};

/// A mass at rest, pushed once. The quintic rise and fall of `step` each pass half the impulse of a
/// square pulse of their length, so the end velocity is `height * (rise + fall) / 2 / mass` exactly.
const PULSE: &str = r#"
[[body]]
name = "cart"
kind = "point"
mass = 2

[[force]]
name = "push"
kind = "force"
body_b = "cart"
x = "step(t, 5, 0, 5.005, 40) - step(t, 5.01, 0, 5.015, 40)"

[simulation]
t_end = 10
"#;

/// 40 m of level road before a bump of 0.4 m.
#[test]
fn a_bump_of_the_road_is_never_leapt_over() {
    let table: Vec<String> = (0..=20)
        .map(|k| {
            let x = 39.75 + 0.025 * f64::from(k);
            let y = 0.05 * (1.0 - ((x - 40.0) / 0.2f64).powi(2)).max(0.0).powi(3);
            format!("[{x}, {y}]")
        })
        .collect();
    let table = format!("[[0, 0], [20, 0], {}, [60, 0]]", table.join(", "));
    let formula = "\"0.05*max(0, 1 - ((x - 40)/0.2)^2)^3\"";
    let mut misses = Vec::new();
    for (what, road) in [("formula", formula), ("table", &table)] {
        let document = read(&on_a_tyre(road, 2.5));
        let fine = fine(&document, 1e-3);
        let (z, v) = (last(&fine, "car.z"), last(&fine, "car.z.velocity"));
        assert!(v.abs() > 1e-3, "{what}: the bump does something");
        for method in ["bdf", "gen-alpha", "rosenbrock", "dop853", "adams"] {
            for coordinates in ["absolute", "joint"] {
                for rtol in [1e-3, 1e-6, 1e-8] {
                    let run = run(&document, runs::options(coordinates, method, rtol));
                    let [got_z, got_v] = ["car.z", "car.z.velocity"].map(|c| last(&run, c));
                    let steps = run.stats.steps;
                    println!(
                        "{what} {method} {coordinates} {rtol:.0e}: {:.1e} {:.1e}, {steps} steps",
                        got_z - z,
                        got_v - v
                    );
                    // lengths are weighed by half a metre, speeds by what the start has
                    let tolerance = if method == "gen-alpha" {
                        f64::max(rtol, 1e-5)
                    } else {
                        rtol
                    };
                    if !((got_z - z).abs() < 100.0 * tolerance) {
                        misses.push(format!(
                            "{what}, {method}, {coordinates}, {rtol}: {got_z} instead of {z}"
                        ));
                    }
                }
            }
        }
    }
    assert!(misses.is_empty(), "{misses:#?}");
}

/// The same impulse as a square pulse: 40 N for 10 ms.
const SQUARE: &str = "step(t, 5, 0, 5, 40) - step(t, 5.01, 0, 5.01, 40)";

#[test]
fn a_short_pulse_is_never_leapt_over() {
    let smooth = PULSE.to_string();
    let (before, _) = smooth.split_once("x = ").unwrap();
    let square = format!("{before}x = \"{SQUARE}\"\n\n[simulation]\nt_end = 10\n");
    let mut misses = Vec::new();
    for (what, text) in [("smooth", &smooth), ("square", &square)] {
        let document = read(text);
        for method in ["bdf", "gen-alpha", "rosenbrock", "dop853", "adams"] {
            for coordinates in ["absolute", "joint"] {
                for rtol in [1e-3, 1e-4, 1e-6, 1e-8] {
                    // generalised-alpha controls the error of velocities where it is asked to
                    let options = Options {
                        atol_v: (method == "gen-alpha").then_some(0.2 * rtol),
                        ..Options::new().coordinates(coordinates).method(method)
                    };
                    let run = run(&document, options.rtol(rtol));
                    let end = last(&run, "cart.x.velocity");
                    // a pulse that is leapt over leaves the cart at rest
                    let bound = 100.0 * rtol * 0.2;
                    if !((end - 0.2).abs() < bound) {
                        misses.push(format!(
                            "{what}, {method}, {coordinates}, {rtol}: ends with {end} m/s"
                        ));
                    }
                }
            }
        }
    }
    assert!(misses.is_empty(), "{misses:#?}");
}

/// A mass on a spring whose stiffness depends on the side, all of it a formula of a signal: half periods of
/// `pi sqrt(m/k)` follow one another, so after one of each the mass is where it was, and the motion passes the
/// corner once in each half. A relay adds a jump: with `x'' = -x - h sign(x)` the quarter from rest at `a` to
/// `x = 0` lasts `acos(h/(a + h))`.
#[test]
fn corners_of_formulas_of_signals_are_met() {
    let pi = std::f64::consts::PI;
    let period = pi + pi / 2.0;
    let h = 0.3_f64;
    let relay = 4.0 * (h / (1.0 + h)).acos();
    for (what, force, t_end, met) in [
        ("if", "if(mass.x > 0, -mass.x, -4*mass.x)", period, 2),
        ("max", "-mass.x + max(-3*mass.x, 0)", period, 2),
        ("abs", "-2.5*mass.x + 1.5*abs(mass.x)", period, 2),
        ("relay", "-mass.x - 0.3*sign(mass.x)", relay, 2),
    ] {
        let document = read(&on_a_rail(1.0, 0.0, &pushed(force), t_end));
        for method in ["bdf", "gen-alpha", "rosenbrock", "dop853", "adams"] {
            for coordinates in ["absolute", "joint"] {
                let run = run(&document, runs::options(coordinates, method, 1e-8));
                let end = last(&run, "mass.x");
                let case = format!("{what}, {method}, {coordinates}");
                // the start is a turning point: errors of the time enter as squares
                let bound = if method == "gen-alpha" { 1e-4 } else { 1e-5 };
                assert!((end - 1.0).abs() < bound, "{case}: {end}");
                assert_eq!(run.stats.switches, met, "{case}");
            }
        }
    }
}

/// More corners than a law can declare: their jumps are found by steps that fail, and the account says whose they are.
#[test]
fn jumps_that_are_not_declared_are_named() {
    let stairs: Vec<String> = (1..=70)
        .map(|k| format!("2*sign(elongation - {k})"))
        .collect();
    let law = format!("elastic = \"140 + {}\"", stairs.join(" + "));
    // from 0.5 m on free up to 1 m, which is passed after 50 ms
    let document = read(&on_a_rail(0.5, 10.0, &pulled(&law), 0.3));
    for method in ["bdf", "gen-alpha", "rosenbrock", "dop853", "adams"] {
        for coordinates in ["absolute", "joint"] {
            let run = run(&document, runs::options(coordinates, method, 1e-6));
            let case = format!("{method}, {coordinates}: {:?}", run.notes);
            let own = run.events.happenings.iter().filter(|h| h.kind == "found");
            let first = own.clone().next().map_or(f64::NAN, |h| h.t);
            assert!((first - 0.05).abs() < 1e-6, "{case}: {first}");
            assert!(own.clone().all(|h| h.name == "force `hill`"), "{case}");
            let said = "force `hill` jumps at t = 0.050000";
            assert!(
                run.notes.iter().any(|n| n.to_string().starts_with(said)),
                "{case}"
            );
        }
    }
}

/// A drive that goes to and fro is at rest where it turns back, and where steps end: what it does in between is work all
/// the same.
#[test]
fn work_of_a_drive_that_turns_back_is_booked() {
    let text = r#"
[[body]]
name = "base"
mass = 1
inertia = 1

[[body]]
name = "load"
mass = 1
inertia = 1
position = [1, 0]

[[joint]]
name = "guide"
kind = "prismatic"
body_b = "base"
axis = [1, 0]

[[joint]]
name = "drive"
kind = "drive"
quantity = "displacement"
body_b = "base"
axis = [1, 0]
value = "step(t, 5, 0, 5.5, 1) - step(t, 5.5, 0, 6, 1)"

[[joint]]
name = "rail"
kind = "prismatic"
body_b = "load"
at = [1, 0]
axis = [1, 0]

[[force]]
name = "spring"
kind = "spring_damper"
body_a = "base"
body_b = "load"
stiffness = 100
damping = 1

[simulation]
t_end = 10
"#;
    let document = read(text);
    for (method, bound) in [("dop853", 1e-6), ("bdf", 1e-4), ("radau", 1e-6)] {
        let run = run(&document, Options::new().method(method).rtol(1e-8));
        let energy = run.energy.expect("a mechanism has one");
        let off = energy.imbalance().abs() / energy.exchanged;
        assert!(off < bound, "{method}: {off:e} of {energy:?}");
        assert!(run.doubts.is_empty(), "{method}: {:?}", run.doubts);
    }
}
