//! What goes wrong and how it is said: exit code, culprit by name, advice, and what is kept.

mod binary;

use binary::{Folder, hinged, linkwork};
use serde_json::Value;

/// Runs with `--json`; checks the exit code and returns the object.
fn run(code: i32, args: &[&str]) -> Value {
    let said = linkwork(&[&["run"], args, &["--json"]].concat());
    assert_eq!(said.code, Some(code), "{args:?}\n{}{}", said.out, said.err);
    serde_json::from_str(&said.out).expect("one JSON object")
}

fn cause(v: &Value) -> &str {
    v["failure"]["cause"].as_str().expect("a cause")
}

fn advice(v: &Value) -> String {
    v["failure"]["advice"].to_string()
}

fn rows(folder: &Folder) -> usize {
    let csv = std::fs::read_to_string(folder.0.join("results/table.csv")).expect("rows are kept");
    csv.lines().count() - 1
}

/// A door on two hinges: the second repeats what the first says about the leaf, once turning is
/// all that is left.
#[test]
fn two_hinges_on_one_door_keep_going() {
    let folder = Folder::new("hinges");
    let text = hinged("0", "t_end = 1")
        + "[[joint]]\nname = \"second\"\nkind = \"revolute\"\nbody_b = \"bob\"\nat = [0, 0]\n";
    let v = run(0, &[&folder.file("m.toml", &text)]);
    assert_eq!(v["verdict"], "converged");
    assert_eq!(v["dof"], 1);
    let note = v["notes"].to_string();
    assert!(note.contains("not unique in hinge, second"), "{note}");
    // the motion is that of one hinge: half a swing of a compound pendulum, mgl = 4.905, J = 0.35
    let single = run(0, &[&folder.file("s.toml", &hinged("0", "t_end = 1"))]);
    let angle = |v: &Value| v["final"]["bob.angle"].as_f64().expect("an angle");
    assert!((angle(&v) - angle(&single)).abs() < 1e-6);
}

#[test]
fn contradictory_loops_name_the_joint_that_stays_open() {
    let v = run(1, &["models/bad/contradictory_loop.toml"]);
    assert!(cause(&v).contains("hinge_right"), "{}", cause(&v));
    assert!(advice(&v).contains("check lengths"), "{}", advice(&v));
}

/// Two branches meet in the pose, with two sides each: starts on all of them are compared, the run is that of the first.
#[test]
fn a_singular_start_at_rest_is_left_on_every_side() {
    let folder = Folder::new("singular");
    let out = folder.path("results");
    for coordinates in ["absolute", "joint"] {
        let model = "models/bad/singular_start.toml";
        let v = run(1, &[model, "--out", &out, "--coordinates", coordinates]);
        assert_eq!(v["verdict"], "degraded", "{v}");
        let doubts = v["doubts"].to_string();
        for words in [
            "choose none of the branches that meet there",
            "4 starts beside it were compared by the end of",
            "this run, ",
        ] {
            assert!(doubts.contains(words), "{doubts}");
        }
        assert!(rows(&folder) > 100);
        // a run that was parted goes on with the side that it took
        let saved = folder.path("half");
        let way = [model, "--coordinates", coordinates, "--once"];
        run(
            1,
            &[&way[..], &["--t-end", "0.5", "--checkpoint", &saved]].concat(),
        );
        let rest = run(0, &[&way[..], &["--restart", &saved]].concat());
        let whole = run(1, &way);
        assert_eq!(rest["final"], whole["final"], "{coordinates}");
    }
}

/// Where the start is fixed, it is refused: the pose, the equations, what to do; the pose is kept.
#[test]
fn an_exact_singular_start_at_rest_is_refused_at_once() {
    let folder = Folder::new("exact");
    let text = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../models/bad/singular_start.toml"
    ))
    .expect("the model is there");
    let exact = text.replace("inertia", "exact = true\ninertia");
    let out = folder.path("results");
    let v = run(1, &[&folder.file("m.toml", &exact), "--out", &out]);
    for words in [
        "branches of motion meet",
        "joint `piston_pin`, y coincidence",
        "body `rod`, angle = -1.570796",
        "choose none of the branches",
    ] {
        assert!(cause(&v).contains(words), "{}", cause(&v));
    }
    assert!(advice(&v).contains("off this pose") && advice(&v).contains("velocities"));
    assert_eq!(v["stats"]["newton_iterations"], 0);
    assert_eq!(rows(&folder), 1);
}

/// The same mechanism with velocities that follow the branch on which the crank and the rod turn
/// in opposite directions leaves the pose; a moved start does, too.
#[test]
fn a_singular_start_with_a_direction_runs() {
    let folder = Folder::new("branch");
    let text = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../models/bad/singular_start.toml"
    ))
    .expect("the model is there");
    let moving = text
        .replace(
            "angle = \"90 deg\"",
            "angle = \"90 deg\"\nangular_velocity = 1\nvelocity = [-0.25, 0]",
        )
        .replace(
            "angle = \"-90 deg\"",
            "angle = \"-90 deg\"\nangular_velocity = -1\nvelocity = [-0.75, 0]",
        )
        .replace("position = [0, 0]", "position = [0, 0]\nvelocity = [-1, 0]");
    for method in ["bdf", "gen-alpha"] {
        let v = run(1, &[&folder.file("m.toml", &moving), "--method", method]);
        assert_eq!(v["verdict"], "degraded", "{method}: {v}");
        assert!(v["doubts"].to_string().contains("start pose is singular"));
        // crank and rod stay mirror images of each other on this branch
        let f = |name: &str| v["final"][name].as_f64().expect("a number");
        assert!((f("crank.angle") + f("rod.angle")).abs() < 1e-6, "{v}");
        let e = &v["energy"];
        let (start, end) = (e["start"].as_f64().unwrap(), e["end"].as_f64().unwrap());
        assert!((start - end).abs() < 2e-2, "{method}: {start} {end}");
    }
}

#[test]
fn a_force_that_loses_its_value_is_named_and_the_rows_are_kept() {
    let folder = Folder::new("nan");
    let model = folder.file("m.toml", &hinged("sqrt(1 - t)", "t_end = 2"));
    let out = folder.path("results");
    for method in ["bdf", "gen-alpha"] {
        let v = run(1, &[&model, "--method", method, "--out", &out]);
        assert!(cause(&v).contains("force `pull`"), "{}", cause(&v));
        assert!(advice(&v).contains("correct the formula"), "{}", advice(&v));
        let t = v["failure"]["t"].as_f64().expect("a time");
        assert!((t - 1.0).abs() < 1e-6, "{t}");
        // 200 intervals to 2 s: half of them, the start and the last accepted state
        assert!((100..=102).contains(&rows(&folder)), "{}", rows(&folder));
    }
}

#[test]
fn a_massless_body_that_can_move_is_named() {
    let folder = Folder::new("massless");
    let out = folder.path("results");
    let v = run(1, &["models/bad/zero_mass.toml", "--out", &out]);
    assert!(cause(&v).contains("body `rod`"), "{}", cause(&v));
    assert!(cause(&v).contains("no inertia"), "{}", cause(&v));
    assert!(advice(&v).contains("give the part a mass"));
    assert_eq!(rows(&folder), 1);
}

/// A coupler that four hinges hold needs no mass; nor does the result depend on a negligible one.
#[test]
fn a_massless_body_that_is_held_is_sound() {
    let end = |mass: &str, inertia: &str, method: &str| {
        let (mass, inertia) = (
            format!("coupler.mass={mass}"),
            format!("coupler.inertia={inertia}"),
        );
        let args = [
            "four_bar", "--set", &mass, "--set", &inertia, "--rtol", "1e-7", "--once",
        ];
        let v = run(
            0,
            &[&args[..], &["--method", method, "--t-end", "1"]].concat(),
        );
        v["final"]["crank.angle"].as_f64().expect("an angle")
    };
    for method in ["bdf", "gen-alpha"] {
        let (none, little) = (end("0", "0", method), end("1e-9", "1e-9", method));
        // the share of the little mass and twice the error of the method, 20 tolerances to the 2/3
        assert!((none - little).abs() < 1e-3, "{method}: {none} {little}");
    }
}

/// Torque `1/(0.5 - t)^2`: its impulse grows without bound towards t = 0.5.
#[test]
fn forces_that_cannot_be_integrated_end_the_run_with_its_last_attempts() {
    let folder = Folder::new("pole");
    let model = folder.file("m.toml", &hinged("1/(0.5 - t)^2", "t_end = 1"));
    let out = folder.path("results");
    for method in ["bdf", "gen-alpha"] {
        let v = run(1, &[&model, "--out", &out, "--method", method]);
        assert!(cause(&v).contains("step became too small"), "{}", cause(&v));
        let t = v["failure"]["t"].as_f64().expect("a time");
        assert!((t - 0.5).abs() < 1e-6, "{t}");
        let attempts = v["failure"]["attempts"].as_array().expect("attempts");
        assert!(attempts.len() >= 10);
        assert!(advice(&v).contains("`bob`"), "{}", advice(&v));
        assert!(advice(&v).contains("forces"), "{}", advice(&v));
        assert!((100..=102).contains(&rows(&folder)), "{}", rows(&folder));
    }
}

/// A torque that jumps, at a tolerance a few hundred roundings wide. BDF finds the jump with ever
/// smaller steps; a method of order 2 has steps so small that rounding exceeds the tolerance.
#[test]
fn absurd_tolerances_end_with_a_verdict() {
    let folder = Folder::new("jump");
    let model = folder.file("m.toml", &hinged("100*sign(t - 0.5)", "t_end = 1"));
    let v = run(0, &[&model, "--rtol", "1e-13"]);
    // the jump is met at its instant
    assert_eq!(v["stats"]["events"], 1, "{}", v["stats"]);
    let v = run(1, &[&model, "--rtol", "1e-13", "--method", "gen-alpha"]);
    assert_eq!(v["verdict"], "failed");
    assert!(
        cause(&v).contains("rounding exceeds the tolerance"),
        "{}",
        cause(&v)
    );
    assert!(cause(&v).contains("body `bob`"), "{}", cause(&v));
    assert!(advice(&v).contains("rtol = 1e-11"), "{}", advice(&v));
    assert!(v["failure"]["attempts"].as_array().expect("attempts").len() >= 10);
}

#[test]
fn tolerances_that_cannot_be_met_are_refused_before_the_run() {
    for rtol in ["1e-15", "0", "-1", "1", "nan"] {
        let said = linkwork(&["run", "pendulum", &format!("--rtol={rtol}")]);
        assert_eq!(said.code, Some(2), "{rtol}: {}", said.out);
        assert!(said.err.contains("rtol"), "{}", said.err);
    }
}

#[test]
fn files_keys_and_names_that_are_wrong_are_bad_input() {
    for (model, words) in [
        ("models/none.toml", "there is no file models/none.toml"),
        ("models/bad/misspelt_key.toml", "did you mean `mass`?"),
        (
            "models/bad/name_twice.toml",
            "joint `bob`: the name is taken",
        ),
    ] {
        let said = linkwork(&["run", model]);
        assert_eq!(said.code, Some(2), "{model}");
        assert!(said.err.contains(words), "{model}: {}", said.err);
        assert_eq!(said.out, "");
    }
}

/// A long run begins: its first steps are small beside the end time, not beside the time itself.
#[test]
fn the_end_time_does_not_forbid_small_steps_at_the_start() {
    let v = run(1, &["pendulum", "--t-end", "1e9", "--max-steps", "300"]);
    assert!(cause(&v).contains("300 attempts"), "{}", cause(&v));
    assert!(
        v["failure"]["t"].as_f64() > Some(1.0),
        "{}",
        v["failure"]["t"]
    );
    assert!(advice(&v).contains("max_steps = 3000"));
}

/// Guesses that are far from closed: a table of what was open and what moved, largest first; the
/// angle marked exact stays.
#[test]
fn a_four_bar_far_from_closed_is_assembled_and_says_what_moved() {
    let said = linkwork(&["check", "models/four_bar.toml"]);
    assert_eq!(said.code, Some(0), "{}", said.out);
    let after = |title: &str| {
        let at = said
            .out
            .find(title)
            .unwrap_or_else(|| panic!("no `{title}` in\n{}", said.out));
        said.out[at..]
            .lines()
            .skip(1)
            .map(str::trim)
            .collect::<Vec<_>>()
    };
    let joints = after("open before");
    for joint in ["pivot_crank", "pin_crank", "pin_rocker", "pivot_rocker"] {
        let line = joints
            .iter()
            .find(|l| l.starts_with(joint))
            .expect("every joint is listed");
        let open: Vec<f64> = line
            .split_whitespace()
            .skip(1)
            .map(|x| x.parse().unwrap())
            .collect();
        assert!(open[1] < 1e-12, "{line}");
    }
    let moved: Vec<(String, f64)> = after("moved to fit the joints")
        .iter()
        .take_while(|l| l.starts_with("body"))
        .map(|l| {
            let (name, by) = l.rsplit_once(char::is_whitespace).expect("name and number");
            (name.trim().to_string(), by.parse().expect("a number"))
        })
        .collect();
    assert!(moved.len() >= 6, "{moved:?}");
    assert!(
        moved.is_sorted_by(|a, b| a.1.abs() >= b.1.abs()),
        "{moved:?}"
    );
    assert!(
        moved.iter().all(|(name, _)| name != "body `crank`, angle"),
        "{moved:?}"
    );
    // the crank's centre goes where its exact angle puts it: 0.25 (cos 60, sin 60)
    let crank = |axis: &str| {
        let name = format!("body `crank`, {axis}");
        moved
            .iter()
            .find(|m| m.0 == name)
            .expect("the crank moved")
            .1
    };
    assert!((crank("x") - (0.125 - 0.2)).abs() < 1e-4, "{moved:?}");
    assert!((crank("y") - (0.2165 - 0.3)).abs() < 1e-4, "{moved:?}");
    assert_eq!(run(0, &["models/four_bar.toml"])["verdict"], "converged");
}

/// Steps that the clock cannot add up to the end are known to be in vain long before they are made.
#[test]
fn an_end_out_of_reach_is_told() {
    for args in [
        ["pendulum", "--t-end", "1e300"],
        ["pendulum", "--set", "model.gravity=[0,-1e200]"],
    ] {
        let v = run(1, &args);
        assert!(cause(&v).contains("never reach the end"), "{v}");
        assert!(advice(&v).contains("an end that the motion can reach"));
    }
}
