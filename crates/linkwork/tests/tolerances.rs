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
