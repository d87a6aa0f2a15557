//! What tolerances refer to: not to the guess that states are of size 1. Steps that are no use are refused.

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

/// A mass that vibrates by 1 cm at 10 rad/s.
const VIBRATION: &str = r#"
[[body]]
name = "mass"
mass = 1
inertia = 1
position = [0, 1.01]

[[joint]]
name = "guide"
kind = "prismatic"
body_b = "mass"
at = [0, 1.01]
axis = [0, 1]

[[force]]
name = "spring"
kind = "spring_damper"
body_b = "mass"
stiffness = 100
free_length = 1

[simulation]
t_end = 20
"#;

#[test]
fn a_step_that_never_ends_is_refused() {
    let document = linkwork::mbs::text::read(VIBRATION).unwrap();
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

/// The same about the origin, where absolute tolerances are what counts.
fn about_the_origin(atol_of: &str) -> Run {
    let text = VIBRATION.replace("[0, 1.01]", "[0, 0.01]").replace(
        "stiffness",
        "at_a = [0, -1]\nat_b = [0, 0.01]\nstiffness",
    );
    let loose = "method = \"bdf\"\nrtol = 1e-6\natol = 1e-3\natol_v = 1e-2";
    run(&format!("{text}{loose}\natol_of = {atol_of}\n"), Options::new())
}

/// Absolute tolerances of a part, of its velocities, of one quantity: the error follows those of what moves,
/// and no others.
#[test]
fn parts_have_tolerances_of_their_own() {
    let error = |atol_of: &str| {
        let exact = 0.01 * (10.0f64 * 20.0).cos();
        (end(&about_the_origin(atol_of), "mass.y") - exact).abs()
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
    let document = linkwork::mbs::text::read(VIBRATION).unwrap();
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
