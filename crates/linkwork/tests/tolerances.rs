//! What tolerances refer to: neither to the origin of lengths, nor to a speed of travel, nor to the guess
//! that states are of size 1.

use linkwork::options::Options;
use linkwork::{Run, Simulation};

fn run(text: &str, options: Options) -> Run {
    let document = linkwork::mbs::text::read(text).unwrap();
    let mut simulation = Simulation::from_document_with(&document, options).unwrap();
    let run = simulation.run().unwrap();
    assert!(run.failure().is_none(), "{:?}", run.failure());
    run
}

fn end(run: &Run, channel: &str) -> f64 {
    *run.channel(channel).unwrap().last().unwrap()
}

/// A mass that vibrates by 1 cm at 10 rad/s on a car, seen from a place and at a speed.
fn vibration(place: f64, speed: f64) -> String {
    format!(
        r#"
[[body]]
name = "car"
mass = 1000
inertia = 100
position = [{place}, 0]
velocity = [{speed}, 0]

[[joint]]
name = "rail"
kind = "prismatic"
body_b = "car"
at = [{place}, 0]
axis = [1, 0]

[[body]]
name = "mass"
mass = 1
inertia = 1
position = [{place}, 1.01]
velocity = [{speed}, 0]

[[joint]]
name = "guide"
kind = "prismatic"
body_a = "car"
body_b = "mass"
at = [{place}, 1.01]
axis = [0, 1]

[[force]]
name = "spring"
kind = "spring_damper"
body_a = "car"
body_b = "mass"
stiffness = 100
free_length = 1

[simulation]
t_end = 20
"#
    )
}

#[test]
fn a_vibration_is_as_accurate_at_any_speed_and_place() {
    for method in ["auto", "bdf", "radau", "gen-alpha", "adams"] {
        for coordinates in ["absolute", "joint"] {
            let options = || Options::new().method(method).coordinates(coordinates);
            let still = run(&vibration(0.0, 0.0), options());
            for (place, speed) in [(0.0, 20.0), (0.0, 1.0), (1000.0, 0.0)] {
                let other = run(&vibration(place, speed), options());
                let (a, b) = (end(&still, "spring.length"), end(&other, "spring.length"));
                let seen =
                    format!("{method}, {coordinates}: {a} at rest, {b} at {place} m, {speed} m/s");
                assert!((a - b).abs() < 1e-8, "{seen}");
                let steps = [&still, &other].map(|run| run.stats.steps);
                assert!(steps[0].abs_diff(steps[1]) <= 1, "{seen}: {steps:?} steps");
            }
        }
    }
}

#[test]
fn a_step_that_never_ends_is_refused() {
    let document = linkwork::mbs::text::read(&vibration(0.0, 0.0)).unwrap();
    let options = Options::new().method("bdf").step(1e-30);
    let refused = Simulation::from_document_with(&document, options)
        .unwrap()
        .run()
        .unwrap_err();
    assert_eq!(refused.option, "step");
    assert!(
        refused.message.contains("2e31 steps"),
        "{}",
        refused.message
    );
}

/// `1 - cos 100 t` as the output of a filter whose states, unscaled, are smaller by 10^4.
#[test]
fn states_of_a_filter_are_under_control() {
    let text = r#"
[[body]]
name = "b"
kind = "point"
mass = 1

[[control]]
name = "c"
kind = "transfer"
input = "1"
numerator = [10000]
denominator = [1, 0, 10000]

[[force]]
name = "f"
kind = "force"
body_b = "b"
x = "c"

[simulation]
t_end = 5
"#;
    let exact = 1.0 - 500.0f64.cos();
    for (method, bound) in [
        ("auto", 2e-4),
        ("dopri5", 2e-4),
        ("radau", 2e-4),
        ("bdf", 5e-3),
    ] {
        let run = run(text, Options::new().method(method));
        let error = (end(&run, "c") - exact).abs();
        assert!(error < bound, "{method}: {error:.1e}");
    }
}
