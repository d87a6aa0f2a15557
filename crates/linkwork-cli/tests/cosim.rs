//! `linkwork cosim` as users meet it.

mod binary;

use binary::{Folder, linkwork};

fn json(args: &[&str]) -> (i32, serde_json::Value) {
    let said = linkwork(args);
    let value = serde_json::from_str(&said.out).unwrap_or_else(|e| panic!("{e}: {}", said.out));
    (said.code.unwrap_or(-1), value)
}

#[test]
fn a_built_in_system_runs_and_is_judged() {
    let (code, v) = json(&["cosim", "two_mass", "--json", "--rtol", "1e-4"]);
    assert_eq!((code, v["verdict"].as_str()), (0, Some("converged")));
    assert_eq!(v["guarantee"], "estimated");
    assert!(v["macro_steps"].as_u64().unwrap() > 50);
    assert_eq!(v["connections"][0]["name"], "joint_spring");
    assert_eq!(v["subsystems"][1]["name"], "right");
    assert!(v["final"]["left.mass.x"].is_f64());
}

/// The file on disk and the one built in are the same, on one thread and on two.
#[test]
fn files_and_threads_give_the_same_numbers() {
    let (_, one) = json(&[
        "cosim",
        "lorry",
        "--json",
        "--threads",
        "1",
        "--t-end",
        "0.5",
    ]);
    let file = "models/cosim/lorry.toml";
    let (_, two) = json(&["cosim", file, "--json", "--threads", "2", "--t-end", "0.5"]);
    assert_eq!(one["final"], two["final"]);
    assert_eq!(one["macro_steps"], two["macro_steps"]);
}

#[test]
fn results_go_to_a_folder_per_subsystem() {
    let dir = std::env::temp_dir().join(format!("linkwork-cosim-{}", std::process::id()));
    let out = dir.display().to_string();
    let said = linkwork(&["cosim", "servo", "--out", &out, "--t-end", "0.1"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    for file in [
        "coupling.csv",
        "summary.json",
        "plant/table.csv",
        "controller/channels.csv",
    ] {
        assert!(dir.join(file).is_file(), "{file}");
    }
    let table = std::fs::read_to_string(dir.join("coupling.csv")).unwrap();
    assert!(
        table.starts_with("t,macro.step,macro.error,macro.degree,"),
        "{table}"
    );
    std::fs::remove_dir_all(dir).unwrap();
}

#[test]
fn mistakes_are_shown_with_their_place() {
    let said = linkwork(&["cosim", "two_mas"]);
    assert_eq!(said.code, Some(2));
    assert!(
        said.err.contains("did you mean `two_mass`?"),
        "{}",
        said.err
    );
    let said = linkwork(&["cosim", "two_mass", "--set", "joint_spring.stifness=[1,0]"]);
    assert_eq!(said.code, Some(2));
    assert!(said.err.contains("unknown key `stifness`"), "{}", said.err);
    // the file has no part in what the command line changes
    for change in ["left.mass.mass=-1", "left.mas.mass=1"] {
        let said = linkwork(&["cosim", "two_mass", "--set", change]);
        assert_eq!(said.code, Some(2));
        assert!(said.err.contains("subsystem `left`: "), "{}", said.err);
        assert!(!said.err.contains("─["), "{}", said.err);
    }
    let said = linkwork(&["cosim", "two_mass", "--degree", "7"]);
    assert_eq!(said.code, Some(2));
    assert!(said.err.contains("0, 1, 2 or 3"), "{}", said.err);
    let said = linkwork(&["cosim", "two_mass", "--set", "simulation.rtol=3"]);
    assert!(said.err.contains("rtol = 3 cannot be used"), "{}", said.err);
}

#[test]
fn what_can_be_named_is_listed() {
    let said = linkwork(&["list", "systems"]);
    assert!(
        said.out.contains("chain") && said.out.contains("servo"),
        "{}",
        said.out
    );
    let said = linkwork(&["list", "elements"]);
    assert!(said.out.contains("bushing"), "{}", said.out);
}

const TRACKER: &str = r#"
[[control]]
name = "angle"
kind = "input"

[[control]]
name = "smooth"
kind = "filter"
input = "angle"
time = "50 ms"

[simulation]
t_end = 1
"#;

/// A robot is a part like any other: it starts as its joints say, its joints are signals, and what of
/// its file is not used is told.
#[test]
fn a_robot_is_a_part() {
    let folder = Folder::new("cosim-robot");
    let robot = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/arm.urdf");
    std::fs::copy(robot, folder.0.join("arm.urdf")).unwrap();
    folder.file("tracker.toml", TRACKER);
    let system = |keys: &str, connection: &str| {
        let text = format!(
            r#"
[[subsystem]]
name = "arm"
model = "arm.urdf"
{keys}

[[subsystem]]
name = "tracker"
model = "tracker.toml"

{connection}

[simulation]
t_end = 0.2
"#
        );
        folder.file("system.toml", &text)
    };
    let measured =
        "[[signal]]\nname = \"measured\"\nfrom = \"arm.elbow_angle\"\nto = \"tracker.angle\"";
    let path = system("joints = [\"elbow=30deg\"]", measured);
    let (code, v) = json(&["cosim", &path, "--json"]);
    assert_eq!((code, v["verdict"].as_str()), (0, Some("converged")), "{v}");
    let notes = v["notes"].to_string();
    assert!(
        notes.contains("subsystem `arm`: not used: transmission (line"),
        "{notes}"
    );
    // nothing acts on the arm: it moves as it does alone, to the tolerances of both runs
    let alone = json(&[
        "run",
        robot,
        "--json",
        "--joint",
        "elbow=30deg",
        "--t-end",
        "0.2",
    ]);
    for joint in ["elbow_angle", "shoulder_pitch_angle", "wrist_pitch_angle"] {
        let (together, alone) = (
            v["final"][format!("arm.{joint}")].as_f64().unwrap(),
            alone.1["final"][joint].as_f64().unwrap(),
        );
        assert!(
            (together - alone).abs() < 2e-3,
            "{joint}: {together} {alone}"
        );
    }
    let refused = |path: &str, words: &[&str]| {
        let said = linkwork(&["cosim", path]);
        assert_eq!(said.code, Some(2), "{}", said.out);
        for word in words {
            assert!(said.err.contains(word), "no `{word}` in\n{}", said.err);
        }
    };
    refused(
        &system("joints = [\"elbw=30deg\"]", measured),
        &["system.toml:5:10", "did you mean `elbow`?"],
    );
    let spring = "[[element]]\nname = \"spring\"\nkind = \"bushing\"\nport_a = \"arm.hand\"\n\
                  port_b = \"tracker.end\"\nstiffness = [1, 1, 1]\ndamping = [0, 0, 0]";
    refused(
        &system("", &format!("{measured}\n{spring}")),
        &["import arm.urdf as model text"],
    );
    let other = system("", measured).replace("system.toml", "other.toml");
    let text = std::fs::read_to_string(folder.0.join("system.toml")).unwrap();
    let text = text.replace(
        "model = \"tracker.toml\"",
        "model = \"tracker.toml\"\nbase = \"fixed\"",
    );
    std::fs::write(&other, text).unwrap();
    refused(&other, &["`base` is for robots (URDF"]);
}

/// Parts that nothing connects run side by side in vain; the summary says so.
#[test]
fn what_nothing_connects_is_told() {
    let folder = Folder::new("cosim-loose");
    let part = |name: &str| format!("[[subsystem]]\nname = \"{name}\"\nmodel = \"{name}.toml\"\n");
    let swing = linkwork(&["import", "arm"]).out;
    for name in ["one", "two", "three"] {
        folder.file(&format!("{name}.toml"), &swing);
    }
    folder.file("tracker.toml", TRACKER);
    let end = "[simulation]\nt_end = 0.01\n";
    let path = folder.file(
        "loose.toml",
        &format!("{}{}{end}", part("one"), part("two")),
    );
    let (code, v) = json(&["cosim", &path, "--json"]);
    assert_eq!((code, v["verdict"].as_str()), (0, Some("converged")));
    let note = v["notes"][0].as_str().unwrap();
    assert!(
        note.starts_with("nothing connects the subsystems"),
        "{note}"
    );
    let said = linkwork(&["cosim", &path]);
    assert!(said.out.contains("note: nothing connects"), "{}", said.out);

    let signal =
        "[[signal]]\nname = \"angle\"\nfrom = \"one.elbow_angle\"\nto = \"tracker.angle\"\n";
    let parts = [part("one"), part("two"), part("three"), part("tracker")].concat();
    let path = folder.file("half.toml", &format!("{parts}{signal}{end}"));
    let (_, v) = json(&["cosim", &path, "--json"]);
    assert_eq!(
        v["notes"][0],
        "subsystems `two`, `three` are connected with nothing"
    );
}

/// What cannot be done by a part is known before anything runs, and shown where the part is named.
#[test]
fn methods_that_do_not_suit_a_part_are_shown_at_the_part() {
    let folder = Folder::new("cosim-method");
    for name in ["left_mass", "right_mass"] {
        let source = format!("models/cosim/parts/{name}.toml");
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
        std::fs::create_dir_all(folder.0.join("parts")).unwrap();
        let source = format!("{root}/{source}");
        std::fs::copy(source, folder.0.join(format!("parts/{name}.toml"))).unwrap();
    }
    let root = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../models/cosim/two_mass.toml"
    );
    let text = std::fs::read_to_string(root).unwrap();
    let text = text.replacen(
        "model = \"parts/right_mass.toml\"",
        "model = \"parts/right_mass.toml\"\nmethod = \"bdf\"\nformulation = \"projected\"",
        1,
    );
    let path = folder.file("system.toml", &text);
    let said = linkwork(&["cosim", &path]);
    assert_eq!(said.code, Some(2), "{}", said.out);
    let line = 1 + text.lines().position(|l| l == "name = \"right\"").unwrap() - 1;
    assert!(
        said.err
            .contains("subsystem `right`: method `bdf` does not run"),
        "{}",
        said.err
    );
    assert!(
        said.err.contains(&format!("system.toml:{line}:")),
        "{}",
        said.err
    );
}
