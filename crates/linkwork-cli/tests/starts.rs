//! How motions begin: alike in all coordinates, from rest, far from the origin, where nothing can move.

mod binary;

use binary::{Folder, json, linkwork};

/// Energy at the start of a short run.
fn energy(args: &[&str]) -> f64 {
    let (_, run) = json(&[args, &["--once", "--t-end", "0.01", "--json"]].concat());
    assert_eq!(run["verdict"], "converged", "{args:?}: {}", run["doubts"]);
    run["energy"]["start"].as_f64().expect("an energy")
}

#[test]
fn all_coordinates_begin_with_the_same_state() {
    for name in [
        "spherical_pendulum",
        "heavy_top",
        "gyroscope",
        "spatial_slider_crank",
        "coin",
    ] {
        let base = energy(&["run", name, "--coordinates", "absolute"]);
        let euler = ["run", name, "--set", "model.rotation=\"euler-parameters\""];
        for other in [
            energy(&["run", name, "--coordinates", "joint"]),
            energy(&euler),
        ] {
            let apart = (other - base).abs() / base.abs();
            assert!(apart < 1e-9, "{name}: {base} J and {other} J");
        }
    }
}

/// A strut closes two arms, the second of which is guessed to turn.
#[test]
fn a_strut_between_arms_is_no_obstacle() {
    let text = r#"
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
name = "j0"
kind = "revolute"
body_b = "a"
at = [0, 0]
[[joint]]
name = "j"
kind = "revolute"
body_a = "a"
body_b = "b"
at = [0.642, -0.888]
[[joint]]
name = "l"
kind = "distance"
body_a = "a"
body_b = "b"
point_a = [0.1, 0.2]
point_b = [0.3, -0.1]
[simulation]
t_end = 0.1
"#;
    let folder = Folder::new("strut");
    let model = folder.file("strut.toml", text);
    for coordinates in ["absolute", "joint"] {
        let (code, run) = json(&["run", &model, "--coordinates", coordinates, "--json"]);
        assert_eq!(run["verdict"], "converged", "{coordinates}: {run}");
        assert_eq!(code, Some(0));
    }
}

#[test]
fn places_beyond_all_bounds_are_refused() {
    let text = "[model]\nplanar = false\n[[body]]\nname = \"bar\"\nmass = 1\ninertia = [1, 1, 1]\n\
                position = [0, 1e155, 0]\n[[joint]]\nname = \"ball\"\nkind = \"spherical\"\nbody_b = \"bar\"\n\
                at = [0, 0, 0]\n[simulation]\nt_end = 1\n";
    let folder = Folder::new("beyond");
    let model = folder.file("beyond.toml", text);
    for coordinates in ["absolute", "joint"] {
        for command in ["check", "run"] {
            let said = linkwork(&[command, &model, "--coordinates", coordinates]);
            assert!(
                matches!(said.code, Some(1 | 2)) && !said.err.contains("panicked"),
                "{command} {coordinates}: {:?} {}",
                said.code,
                said.err
            );
        }
    }
}

/// Two wheels in mesh are driven from rest: 2 N m turn them by 1053 and 632 rad in 2 s.
#[test]
fn gears_do_not_slip_when_they_start() {
    let body = |name: &str, x: f64, inertia: f64| {
        format!(
            "[[body]]\nname = \"{name}\"\nmass = 1\ninertia = [{inertia}, {inertia}, {inertia}]\nposition = [{x}, 0, 0]\n\
             [[joint]]\nname = \"of_{name}\"\nkind = \"revolute\"\nbody_b = \"{name}\"\nat = [{x}, 0, 0]\naxis = [0, 0, 1]\n\
             [[sensor]]\nname = \"turn_{name}\"\nkind = \"angle\"\nbody_b = \"{name}\"\naxis = [0, 0, 1]\n"
        )
    };
    let text = "[model]\nplanar = false\n".to_string()
        + &body("first", 0.0, 2e-3)
        + &body("second", 0.2, 5e-3)
        + "[[joint]]\nname = \"mesh\"\nkind = \"gear\"\nbody_a = \"first\"\nbody_b = \"second\"\naxis = [0, 0, 1]\n\
           ratio = -0.6\n[[force]]\nname = \"motor\"\nkind = \"torque\"\nbody_b = \"first\"\naxis = [0, 0, 1]\ntorque = 2\n\
           [simulation]\nt_end = 2\n";
    let folder = Folder::new("gears");
    let model = folder.file("gears.toml", &text);
    let exact = 0.5 * 2.0 * 4.0 / (2e-3 + 0.36 * 5e-3);
    for method in ["dop853", "dopri5", "gen-alpha", "rosenbrock", "bdf"] {
        for coordinates in ["absolute", "joint"] {
            let arguments = ["--coordinates", coordinates, "--method", method, "--json"];
            let (_, run) = json(&[&["run", &model][..], &arguments].concat());
            let turn = |name: &str| run["final"][name].as_f64().expect("an angle");
            for (found, wanted) in [
                (turn("turn_first"), exact),
                (turn("turn_second"), -0.6 * exact),
            ] {
                let off = (found / wanted - 1.0).abs();
                assert!(off < 1e-5, "{method} {coordinates}: {found} for {wanted}");
            }
        }
    }
}

/// A pendulum of a kilometre, and first steps that are next to nothing.
#[test]
fn neither_size_nor_first_steps_are_held_against_a_run() {
    let folder = Folder::new("long");
    let text = binary::hinged("0", "t_end = 30").replace("[0.5, 0]", "[1000, 0]");
    let model = folder.file("long.toml", &text);
    for method in ["rosenbrock", "dop853", "bdf"] {
        let (_, run) = json(&["run", &model, "--method", method, "--json"]);
        assert_eq!(run["verdict"], "converged", "{method}: {}", run["doubts"]);
    }
    let (_, run) = json(&["run", "pendulum", "--first-step", "1e-300", "--json"]);
    assert_eq!(run["verdict"], "converged", "{}", run["doubts"]);
}

/// A loop of four hinges, one of which is skew: told, and nothing but rounding moves, of which nothing is asked.
#[test]
fn what_is_locked_is_told_and_not_doubted() {
    let body = |name: &str, place: &str| {
        format!(
            "[[body]]\nname = \"{name}\"\nmass = 1\ninertia = [0.01, 0.01, 0.01]\nposition = {place}\n"
        )
    };
    let joint = |name: &str, ends: &str| {
        let axis = if name == "B" { 0.05 } else { 0.0 };
        format!(
            "[[joint]]\nname = \"{name}\"\nkind = \"revolute\"\n{ends}\naxis = [0, 1, {axis}]\n"
        )
    };
    let text = [
        "[model]\nplanar = false\ngravity = [0, 0, -9.81]\n".into(),
        body("crank", "[0.05, 0, 0]"),
        body("coupler", "[0.25, 0, 0.1]"),
        body("rocker", "[0.4, 0, 0.1]"),
        joint("A", "body_b = \"crank\"\nat = [0, 0, 0]"),
        joint(
            "B",
            "body_a = \"crank\"\nbody_b = \"coupler\"\nat = [0.1, 0, 0]",
        ),
        joint(
            "C",
            "body_a = \"coupler\"\nbody_b = \"rocker\"\nat = [0.4, 0, 0.2]",
        ),
        joint("D", "body_b = \"rocker\"\nat = [0.4, 0, 0]"),
        "[simulation]\nt_end = 1\n".into(),
    ]
    .concat();
    let folder = Folder::new("locked");
    let model = folder.file("locked.toml", &text);
    let (code, run) = json(&["run", &model, "--json"]);
    assert_eq!(
        (code, &run["verdict"]),
        (Some(0), &"converged".into()),
        "{}",
        run["doubts"]
    );
    let notes = run["notes"].to_string();
    assert!(notes.contains("axis of `B` were parallel"), "{notes}");
    assert!(!notes.contains("computed with rtol"), "{notes}");
}
