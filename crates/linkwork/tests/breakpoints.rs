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
