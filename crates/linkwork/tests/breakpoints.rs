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

/// A point on a soft tyre that has to pass 40 m of level road before a bump of 0.4 m.
const BUMP: &str = r#"
[model]
planar = false
gravity = [0, 0, -9.81]
[[body]]
name = "car"
kind = "point"
mass = 100
position = [0, 0, "0.5 - 981/20000"]
velocity = [20, 0, 0]
[[force]]
name = "tyre"
kind = "tyre"
body_b = "car"
stiffness = 20000
damping = 200
radius = 0.5
road = "0.05*max(0, 1 - ((x - 40)/0.2)^2)^3"
[simulation]
t_end = 2.5
"#;

#[test]
fn a_bump_of_the_road_is_never_leapt_over() {
    let table: Vec<String> = (0..=20)
        .map(|k| {
            let x = 39.75 + 0.025 * f64::from(k);
            let y = 0.05 * (1.0 - ((x - 40.0) / 0.2f64).powi(2)).max(0.0).powi(3);
            format!("[{x}, {y}]")
        })
        .collect();
    let road = BUMP.find("\"0.05*max").unwrap();
    let end = BUMP.find("\n[simulation]").unwrap();
    let tabled = format!(
        "{}[[0, 0], [20, 0], {}, [60, 0]]{}",
        &BUMP[..road],
        table.join(", "),
        &BUMP[end..]
    );
    let mut misses = Vec::new();
    for (what, text) in [("formula", BUMP.to_string()), ("table", tabled)] {
        let document = linkwork::mbs::text::read(&text).unwrap_or_else(|e| panic!("{e:?}"));
        let heights = |options: Options| {
            let mut simulation = Simulation::from_document_with(&document, options).unwrap();
            let run = simulation.run().unwrap();
            let steps = run.stats.steps;
            let end = |name: &str| *run.channel(name).unwrap().last().unwrap();
            (end("car.z"), end("car.z.velocity"), steps)
        };
        let fine = Options::new().method("dop853").rtol(1e-10);
        let fine = Options {
            max_step: Some(1e-3),
            ..fine
        };
        let (z, v, _) = heights(fine);
        assert!(v.abs() > 1e-3, "{what}: the bump does something");
        for method in ["bdf", "gen-alpha", "rosenbrock", "dop853", "adams"] {
            for coordinates in ["absolute", "joint"] {
                for rtol in [1e-3, 1e-6, 1e-8] {
                    let options = Options::new()
                        .coordinates(coordinates)
                        .method(method)
                        .rtol(rtol);
                    let (got_z, got_v, steps) = heights(options);
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
