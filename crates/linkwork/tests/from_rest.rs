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

/// Numbers between -1 and 1 without an order, the same ones every time.
fn scattered(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// What joints hold at the start starts, whatever speed was guessed for it: an arm with a drive that rests, one that is fixed,
/// two bodies that a strut makes one.
#[test]
fn held_parts_start_whatever_speed_was_guessed() {
    for seed in 0..60 {
        let mut x = scattered(seed + 1);
        let speed = 3.0 * x();
        let arm = format!(
            "[[body]]\nname = \"arm\"\nmass = 1\ninertia = 1\nposition = [{}, {}]\nangular_velocity = {speed}\n\
             velocity = [{}, {}]\n",
            x(),
            x(),
            x(),
            x()
        );
        let driven = "[[joint]]\nname = \"h\"\nkind = \"revolute\"\nbody_b = \"arm\"\nat = [0, 0]\n\
                      [[joint]]\nname = \"d\"\nkind = \"drive\"\nbody_b = \"arm\"\nvalue = \"step(t, 0.1, 0, 0.9, 1)\"\n";
        let fixed = "[[joint]]\nname = \"w\"\nkind = \"fixed\"\nbody_b = \"arm\"\nat = [0, 0]\n";
        let held = [driven, fixed].map(|joints| arm.clone() + joints);
        let strut = format!(
            "[[body]]\nname = \"arm\"\nmass = 1\ninertia = 1\nposition = [{}, {}]\n\
             [[body]]\nname = \"b\"\nmass = 1\ninertia = 1\nposition = [{}, {}]\nangular_velocity = {speed}\n\
             [[joint]]\nname = \"j0\"\nkind = \"revolute\"\nbody_b = \"arm\"\nat = [0, 0]\n\
             [[joint]]\nname = \"j\"\nkind = \"revolute\"\nbody_a = \"arm\"\nbody_b = \"b\"\nat = [{}, {}]\n\
             [[joint]]\nname = \"l\"\nkind = \"distance\"\nbody_a = \"arm\"\nbody_b = \"b\"\npoint_a = [0.1, 0.2]\n\
             point_b = [0.3, -0.1]\n",
            x(),
            x(),
            x(),
            x(),
            x(),
            x()
        );
        for (text, rests) in [(&held[0], true), (&held[1], true), (&strut, false)] {
            for coordinates in ["absolute", "joint"] {
                let options = Options::new()
                    .coordinates(coordinates)
                    .method("bdf")
                    .t_end(1e-3);
                let speed = end(text, options, "arm.angle.velocity");
                assert!(speed.is_finite(), "{coordinates}\n{text}");
                assert!(
                    !rests || speed.abs() < 1e-9,
                    "{coordinates}: {speed:e}\n{text}"
                );
            }
        }
    }
}
