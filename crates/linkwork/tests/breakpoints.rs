//! Instants at which formulas of time are not smooth are met exactly: a short pulse after a long rest
//! is not leapt over, whatever the tolerance, the method and the coordinates.

use linkwork::Simulation;
use linkwork::options::Options;

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

/// The same impulse as a square pulse: 40 N for 10 ms.
const SQUARE: &str = "step(t, 5, 0, 5, 40) - step(t, 5.01, 0, 5.01, 40)";

#[test]
fn a_short_pulse_is_never_leapt_over() {
    let smooth = PULSE.to_string();
    let (before, _) = smooth.split_once("x = ").unwrap();
    let square = format!("{before}x = \"{SQUARE}\"\n\n[simulation]\nt_end = 10\n");
    let mut misses = Vec::new();
    for (what, text) in [("smooth", &smooth), ("square", &square)] {
        let document = linkwork::mbs::text::read(text).unwrap();
        for method in ["bdf", "gen-alpha", "rosenbrock", "dop853", "adams"] {
            for coordinates in ["absolute", "joint"] {
                for rtol in [1e-3, 1e-6, 1e-8] {
                    let options = Options::new().coordinates(coordinates).method(method);
                    let run = Simulation::from_document_with(&document, options.rtol(rtol))
                        .unwrap()
                        .run()
                        .unwrap();
                    let end = *run.channel("cart.x.velocity").unwrap().last().unwrap();
                    // a pulse that is leapt over leaves the cart at rest; generalised-alpha controls
                    // the error of positions only
                    let tolerance = match method {
                        "gen-alpha" => f64::max(rtol, 1e-5),
                        _ => rtol,
                    };
                    let bound = 100.0 * tolerance * 0.2;
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
    let text = |force: &str, start: f64| {
        format!(
            r#"
[[body]]
name = "mass"
kind = "point"
mass = 1
position = [{start}, 0]
[[joint]]
name = "rail"
kind = "point_on_line"
body_b = "mass"
axis = [1, 0]
[[force]]
name = "spring"
kind = "force"
body_b = "mass"
x = "{force}"
"#
        )
    };
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
        let document = linkwork::mbs::text::read(&text(force, 1.0)).unwrap();
        for method in ["bdf", "gen-alpha", "rosenbrock", "dop853", "adams"] {
            for coordinates in ["absolute", "joint"] {
                let options = Options::new().coordinates(coordinates).method(method);
                let simulation = Simulation::from_document_with(&document, options.rtol(1e-8));
                let run = simulation.unwrap().t_end(t_end).run().unwrap();
                let end = *run.channel("mass.x").unwrap().last().unwrap();
                let case = format!("{what}, {method}, {coordinates}");
                // the start is a turning point: errors of the time enter as squares
                let bound = if method == "gen-alpha" { 1e-4 } else { 1e-5 };
                assert!((end - 1.0).abs() < bound, "{case}: {end}");
                assert_eq!(run.stats.switches, met, "{case}");
            }
        }
    }
}

/// A formula that pulls the motion to its own zero from both sides has no last change of side: it is let go,
/// and the run ends.
#[test]
fn a_relay_that_chatters_is_let_go() {
    let text = r#"
[[body]]
name = "mass"
kind = "point"
mass = 1
position = [1, 0]
velocity = [1, 0]
[[joint]]
name = "rail"
kind = "point_on_line"
body_b = "mass"
axis = [1, 0]
[[force]]
name = "rub"
kind = "force"
body_b = "mass"
x = "-2*sign(mass.x.velocity)"
[simulation]
t_end = 1
"#;
    let document = linkwork::mbs::text::read(text).unwrap();
    let run = Simulation::from_document(&document).unwrap().run().unwrap();
    let x = *run.channel("mass.x").unwrap().last().unwrap();
    // it stops after half a second and 1/4 m, then stays within what the tolerance cannot tell
    assert!((x - 1.25).abs() < 1e-3, "{x}");
}
