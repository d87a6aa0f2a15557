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

const FILTER: &str = r#"
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

/// `1 - cos 100 t` as the output of a filter whose states, unscaled, are smaller by 10^4.
#[test]
fn states_of_a_filter_are_under_control() {
    let exact = 1.0 - 500.0f64.cos();
    for (method, bound) in [
        ("auto", 2e-4),
        ("dopri5", 2e-4),
        ("radau", 2e-4),
        ("bdf", 5e-3),
    ] {
        let run = run(FILTER, Options::new().method(method));
        let error = (end(&run, "c") - exact).abs();
        assert!(error < bound, "{method}: {error:.1e}");
    }
}

/// The same about the origin, where absolute tolerances are what counts, under loose ones.
fn about_the_origin() -> String {
    let text = vibration(0.0, 0.0).replace("1.01", "0.01");
    let text = text.replace("stiffness", "at_a = [0, -1]\nat_b = [0, 0.01]\nstiffness");
    text + "method = \"bdf\"\nrtol = 1e-6\natol = 1e-3\natol_v = 1e-2\n"
}

/// Absolute tolerances of a part, of its velocities, of one quantity: the error follows those of what moves,
/// and no others.
#[test]
fn parts_have_tolerances_of_their_own() {
    let error = |atol_of: &str| {
        let text = format!("{}atol_of = {atol_of}\n", about_the_origin());
        let run = run(&text, Options::new());
        let exact = 0.01 * (10.0 * run.times().last().unwrap()).cos();
        (end(&run, "mass.y") - exact).abs()
    };
    let loose = error("[]");
    for tight in [
        r#"["mass=1e-8", "mass.velocity=1e-7"]"#,
        r#"["mass.y=1e-8", "mass.y_velocity=1e-7"]"#,
        r#"["mass=1", "mass.y=1e-8", "mass.velocity=1e-7"]"#,
    ] {
        let tight = error(tight);
        assert!(tight < 1e-2 * loose, "{tight} beside {loose}");
    }
    let others = error(r#"["mass.x=1e-8", "mass.angle=1e-8"]"#);
    assert!(others > 0.1 * loose, "{others} beside {loose}");
}

#[test]
fn tolerances_of_nothing_are_refused() {
    let document = linkwork::mbs::text::read(&about_the_origin()).unwrap();
    for (given, help) in [
        ("mas=1e-8", "did you mean `mass`?"),
        ("mass.z=1e-8", "angular_velocity"),
        ("mass", "rod=1e-9"),
        ("mass=0", "rod=1e-9"),
        ("mass=soon", "rod=1e-9"),
    ] {
        let options = Options::new().method("bdf").atol_of(&[given]);
        let refused = Simulation::from_document_with(&document, options)
            .unwrap()
            .run()
            .unwrap_err();
        assert_eq!(refused.option, "atol_of", "{given}");
        let told = refused.help.unwrap_or_default();
        assert!(told.contains(help), "{given}: {told}");
    }
    // the parts of joint coordinates are joints
    let options = Options::new().method("bdf").coordinates("joint");
    let joint = |given: &str| {
        let options = options.clone().atol_of(&[given]);
        let simulation = Simulation::from_document_with(&document, options).unwrap();
        simulation.settings()
    };
    assert!(joint("guide=1e-8").is_ok());
    assert!(joint("mass=1e-8").is_err());
}

/// States have tolerances too: those of a control are named by it.
#[test]
fn states_have_tolerances_of_their_own() {
    let steps = |atol_of: &[&str]| {
        let options = Options::new().method("bdf").rtol(1e-4).atol_of(atol_of);
        run(FILTER, options).stats.steps
    };
    let (loose, tight) = (steps(&["c=1"]), steps(&["c=1e-12"]));
    assert!(tight > loose + loose / 5, "{tight} beside {loose}");
}
