//! Bodies that start from rest, or that their joints bring to rest at the start.

use linkwork::Simulation;
use linkwork::options::Options;

fn end(text: &str, options: Options, channel: &str) -> f64 {
    let document = linkwork::mbs::text::read(text).unwrap();
    let mut simulation = Simulation::from_document_with(&document, options).unwrap();
    let run = simulation.run().unwrap();
    assert!(run.failure().is_none(), "{:?}", run.failure());
    *run.channel(channel).unwrap().last().unwrap()
}

/// 1 N m on 2e-3 kg m^2 for 2 s.
const ROTOR: &str = r#"
[model]
planar = false

[[body]]
name = "rotor"
mass = 1
inertia = [1e-3, 1e-3, 2e-3]

[[joint]]
name = "bearing"
kind = "revolute"
body_b = "rotor"
axis = [0, 0, 1]

[[force]]
name = "motor"
kind = "torque"
body_b = "rotor"
axis = [0, 0, 1]
torque = 1

[[sensor]]
name = "turn"
kind = "angle"
body_b = "rotor"
axis = [0, 0, 1]

[simulation]
t_end = 2
"#;

/// Steps that grow by leaps from rest must not turn a body by more than its angles can follow.
#[test]
fn no_method_loses_whole_turns_of_a_rotor_that_starts() {
    for method in [
        "bdf",
        "gen-alpha",
        "newmark",
        "rosenbrock",
        "dopri5",
        "dop853",
        "adams",
        "rock4",
        "rkc2",
    ] {
        for coordinates in ["absolute", "joint"] {
            let options = Options::new().method(method).coordinates(coordinates);
            let turn = end(ROTOR, options, "turn");
            assert!(
                (turn - 1000.0).abs() < 1.0,
                "{method}, {coordinates}: {turn} rad"
            );
        }
    }
}

/// A start velocity that joints remove entirely leaves its rounding, which is no contradiction.
#[test]
fn a_start_velocity_may_be_removed_by_joints() {
    let driven = r#"
[[body]]
name = "arm"
mass = 1
inertia = 1
angular_velocity = 1

[[joint]]
name = "hinge"
kind = "revolute"
body_b = "arm"
at = [0, 0]

[[joint]]
name = "drive"
kind = "drive"
body_b = "arm"
value = "step(t, 0.1, 0, 0.9, 1)"

[simulation]
t_end = 1
"#;
    let locked = r#"
[[body]]
name = "a"
mass = 1
inertia = 1
position = [-0.247, -0.586]

[[body]]
name = "b"
mass = 1
inertia = 1
position = [0.917, -0.219]
angular_velocity = 1

[[joint]]
name = "first"
kind = "revolute"
body_b = "a"
at = [0, 0]

[[joint]]
name = "second"
kind = "revolute"
body_a = "a"
body_b = "b"
at = [0.642, -0.888]

[[joint]]
name = "strut"
kind = "distance"
body_a = "a"
body_b = "b"
point_a = [0.1, 0.2]
point_b = [0.3, -0.1]

[simulation]
t_end = 0.1
"#;
    for coordinates in ["absolute", "joint"] {
        let options = Options::new().coordinates(coordinates);
        let angle = end(driven, options.clone(), "arm.angle");
        assert!((angle - 1.0).abs() < 1e-6, "{coordinates}: {angle}");
        // two bodies and a strut between them swing as one
        let spin = end(locked, options, "b.angle.velocity");
        assert!(spin.abs() < 1.0, "{coordinates}: {spin}");
    }
}

/// A fixed step longer than the run is cut to its end.
#[test]
fn a_step_longer_than_the_run_leads_to_its_end() {
    let options = Options::new().step(1e16).method("dopri5").t_end(0.01);
    let turn = end(ROTOR, options, "turn");
    assert!((turn - 0.025).abs() < 1e-9, "{turn}");
}
