//! `linkwork kinematics`, `equilibrium`, `modes`, and the lint of `check`.

mod binary;

use binary::{Folder, Said, command, linkwork};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

fn object(said: &Said) -> Value {
    assert_eq!(said.out.lines().count(), 1, "{}", said.out);
    serde_json::from_str(&said.out).unwrap()
}

#[test]
fn kinematics_writes_what_a_run_writes() {
    let folder = Folder::new("kinematics");
    let out = folder.path("k");
    let args = ["kinematics", "slider_crank", "--outputs", "50", "--json"];
    let said = linkwork(&[&args[..], &["--out", &out]].concat());
    assert_eq!(said.code, Some(0), "{}", said.err);
    let summary = object(&said);
    assert_eq!(summary["verdict"], "converged");
    assert_eq!(summary["method"], "kinematics");
    assert_eq!(summary["dof"], 0);
    // two turns per 0.2 s from t = 0.2 on: the crank is at 20 pi after 1 s
    let angle = summary["final"]["crank.angle"].as_f64().unwrap();
    assert!((angle - 20.0 * std::f64::consts::PI).abs() < 1e-9);
    let table = std::fs::read_to_string(folder.path("k/table.csv")).unwrap();
    assert_eq!(table.lines().count(), 52);
    assert!(std::fs::metadata(folder.path("k/channels.csv")).is_ok());
    let said = linkwork(&["kinematics", "slider_crank"]);
    assert!(said.out.contains("starter.reaction") || said.out.contains("reaction"));
}

#[test]
fn kinematics_agrees_with_a_simulation() {
    let last = |command: &[&str]| {
        let said = linkwork(command);
        assert_eq!(said.code, Some(0), "{}", said.err);
        object(&said)["final"].clone()
    };
    let exact = last(&["kinematics", "slider_crank", "--t-end", "0.37", "--json"]);
    let run = last(&[
        "run",
        "slider_crank",
        "--t-end",
        "0.37",
        "--rtol",
        "1e-8",
        "--json",
    ]);
    for name in [
        "piston.x",
        "main_bearing.reaction.x",
        "starter.reaction.torque",
    ] {
        let (a, b) = (exact[name].as_f64().unwrap(), run[name].as_f64().unwrap());
        // what the integrator leaves at this tolerance, amplified by the accelerations
        assert!((a - b).abs() < 1e-4 * a.abs().max(1.0), "{name}: {a} {b}");
    }
}

#[test]
fn freedom_is_bad_input_for_kinematics() {
    let said = linkwork(&["kinematics", "squeezer", "--json"]);
    assert_eq!((said.code, said.out.as_str()), (Some(2), ""));
    assert!(said.err.contains("1 degree of freedom"), "{}", said.err);
    assert!(said.err.contains("drive"), "{}", said.err);
}

#[test]
fn equilibrium_is_printed_stored_and_written_as_a_model() {
    let folder = Folder::new("equilibrium");
    let (out, model) = (folder.path("e"), folder.path("rest.toml"));
    let said = linkwork(&[
        "equilibrium",
        "suspension",
        "--out",
        &out,
        "--write",
        &model,
        "--json",
    ]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let found = object(&said);
    assert_eq!(found["stability"], "stable");
    assert_eq!(found["files"].as_array().unwrap().len(), 3);
    // the road carries everything: (300 + 35 + 1) kg
    let load = found["values"]["bump.reaction.y"].as_f64().unwrap();
    assert!((load - 336.0 * 9.81).abs() < 1e-6, "{load}");
    let values = std::fs::read_to_string(folder.path("e/equilibrium.csv")).unwrap();
    assert!(
        values.starts_with("name,value,unit\nchassis.x,"),
        "{values}"
    );
    // starting there, nothing moves
    let said = linkwork(&["equilibrium", &model, "--json"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let again = object(&said);
    let y = |o: &Value| o["values"]["chassis.y"].as_f64().unwrap();
    assert!((y(&found) - y(&again)).abs() < 1e-9);
    let said = linkwork(&["run", &model, "--t-end", "0.4", "--json"]);
    let end = object(&said)["final"]["chassis.y"].as_f64().unwrap();
    assert!((end - y(&found)).abs() < 1e-6, "{end}");
    let said = linkwork(&["equilibrium", "suspension"]);
    assert!(said.out.contains("suspension: stable") && said.out.contains("tyre.force"));
    let said = linkwork(&["equilibrium", "andrews", "--write", &model]);
    assert_eq!(said.code, Some(2));
}

/// A vehicle in space: what carries it is told, and none of the rates that are zero at rest.
#[test]
fn an_equilibrium_in_space_tells_what_carries() {
    let folder = Folder::new("space");
    let model = folder.path("rest.toml");
    let said = linkwork(&["equilibrium", "hmmwv", "--write", &model]);
    let values = said.out.split_once("\nvalues\n").expect("values").1;
    let names: Vec<&str> = values
        .lines()
        .filter_map(|l| l.split_whitespace().next())
        .collect();
    let count = |word: &str| names.iter().filter(|n| n.contains(word)).count();
    assert!(count(".reaction.") > 20, "{values}");
    assert_eq!(
        [count("omega"), count("spin"), count("velocity")],
        [0; 3],
        "{values}"
    );
    // the file rests as well
    let said = linkwork(&["check", &model]);
    assert!(said.code != Some(2), "{}", said.err);
}

#[test]
fn what_is_unsupported_fails_with_its_name() {
    let folder = Folder::new("unsupported");
    let text = "[model]\ngravity = [0, -9.81]\n[[body]]\nname = \"stone\"\nmass = 1\ninertia = 1\n";
    let model = folder.file("m.toml", text);
    let said = linkwork(&["equilibrium", &model]);
    assert_eq!(said.code, Some(1));
    assert!(said.out.contains("body `stone`, y") && said.out.contains("what to try"));
    let found = object(&linkwork(&["equilibrium", &model, "--json"]));
    assert_eq!(found["verdict"], "failed");
    assert!(
        found["failure"]["cause"]
            .as_str()
            .unwrap()
            .contains("stone")
    );
}

#[test]
fn modes_are_printed_and_stored() {
    let folder = Folder::new("modes");
    let out = folder.path("m");
    let said = linkwork(&["modes", "suspension", "--at", "equilibrium", "--out", &out]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(
        said.out
            .starts_with("suspension: 2 modes about the equilibrium"),
        "{}",
        said.out
    );
    let modes = std::fs::read_to_string(folder.path("m/modes.csv")).unwrap();
    assert_eq!(modes.lines().count(), 3);
    let shapes = std::fs::read_to_string(folder.path("m/shapes.csv")).unwrap();
    assert!(shapes.contains("\"body `arm`, angle\""), "{shapes}");
    let found = object(&linkwork(&[
        "modes",
        "suspension",
        "--at",
        "equilibrium",
        "--json",
    ]));
    assert_eq!(found["stable"], true);
    let modes = found["modes"].as_array().unwrap();
    assert_eq!(modes[0]["parts"][0]["part"], "chassis");
    assert_eq!(modes[1]["parts"][0]["part"], "arm");
    let said = linkwork(&["modes", "servo", "--at", "end", "--t-end", "3"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let said = linkwork(&["modes", "servo", "--t-end", "3"]);
    assert_eq!(said.code, Some(2));
    assert!(said.err.contains("--at end"), "{}", said.err);
}

#[test]
fn check_prints_one_object() {
    let said = linkwork(&["check", "models/door.toml", "--json"]);
    assert_eq!(said.code, Some(0));
    let found = object(&said);
    assert_eq!(found["verdict"], "sound");
    assert!(found["notes"].to_string().contains("not unique"));
    assert_eq!(found["dof"], 1);
    assert_eq!(found["redundant"][0]["part"], "hinge_middle");
    assert_eq!(found["pose"]["kind"], "regular");
    let found = object(&linkwork(&[
        "check",
        "models/bad/singular_start.toml",
        "--json",
    ]));
    assert_eq!(found["verdict"], "does not start");
    assert!(found["failure"]["advice"].is_array());
    let found = object(&linkwork(&["check", "andrews", "--json"]));
    assert_eq!(
        (&found["verdict"], &found["bodies"]),
        (&"sound".into(), &Value::Null)
    );
}

#[test]
fn check_lints_with_lines() {
    let said = linkwork(&["check", "models/odd/millimetres.toml"]);
    assert_eq!(said.code, Some(1));
    for words in [
        "gravity is 9810 m/s^2",
        "(line 4) [gravity]",
        "write \"90 deg\"",
        "[density]",
    ] {
        assert!(said.out.contains(words), "no `{words}` in\n{}", said.out);
    }
    let found = object(&linkwork(&[
        "check",
        "models/odd/millimetres.toml",
        "--json",
    ]));
    let lint = found["lint"].as_array().unwrap();
    let degrees: Vec<_> = lint.iter().filter(|f| f["rule"] == "degrees").collect();
    assert_eq!(degrees.len(), 2);
    assert_eq!(
        (&degrees[0]["part"], &degrees[0]["line"]),
        (&"rod".into(), &11.into())
    );
    // hints do not count
    let folder = Folder::new("hint");
    let text = "[[body]]\nname = \"puck\"\nmass = 1\ninertia = 1\n";
    let model = folder.file("m.toml", text);
    let said = linkwork(&["check", &model]);
    assert_eq!(said.code, Some(0), "{}", said.out);
    assert!(said.out.contains("hint: body `puck`"), "{}", said.out);
}

#[test]
fn bad_input_is_the_same_for_all() {
    for command in ["kinematics", "equilibrium", "modes"] {
        for model in ["models/bad/misspelt_key.toml", "no_such_model"] {
            let said = linkwork(&[command, model]);
            assert_eq!(
                (said.code, said.out.as_str()),
                (Some(2), ""),
                "{command} {model}"
            );
        }
        let said = linkwork(&[command, "--help"]);
        assert!(said.out.contains("Examples:") && said.out.contains("Exit codes:"));
        let said = linkwork(&[command, "models/bad/singular_start.toml"]);
        assert_eq!(said.code, Some(1), "{command}: {}", said.err);
    }
}

/// A chain of hinged rods as model text.
fn chain(n: usize) -> String {
    let mut text = "[model]\nname = \"chain\"\ngravity = [0, -9.81]\n".to_string();
    for i in 0..n {
        text.push_str(&format!(
            "[[body]]\nname = \"b{i}\"\nmass = 1\ninertia = 0.1\nposition = [{i}.5, 0]\n"
        ));
    }
    for i in 0..n {
        let a = match i {
            0 => String::new(),
            i => format!("body_a = \"b{}\"\n", i - 1),
        };
        text.push_str(&format!(
            "[[joint]]\nname = \"j{i}\"\nkind = \"revolute\"\n{a}body_b = \"b{i}\"\nat = [{i}, 0]\n"
        ));
    }
    text + "[simulation]\nt_end = 0.05\n"
}

/// What needs large full matrices says so before it begins, on stderr, and names what does not; small
/// models are not bothered.
#[test]
fn long_computations_are_announced() {
    let folder = Folder::new("announced");
    let (small, large) = (
        folder.file("small.toml", &chain(20)),
        folder.file("large.toml", &chain(500)),
    );
    // the announcement comes first: nobody has to wait for the rest
    let first_words = |args: &[&str]| {
        let mut child = command(args)
            .stderr(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .expect("the program starts");
        let mut line = String::new();
        let stderr = child.stderr.take().expect("it is piped");
        BufReader::new(stderr).read_line(&mut line).expect("text");
        let _ = child.kill();
        let _ = child.wait();
        line
    };
    let joint = ["--coordinates", "joint"];
    let cases: [(&[&str], &str); 5] = [
        (
            &["modes"],
            "finding the modes will take long: full matrices of 1000 x 1000",
        ),
        (&["equilibrium"], "coordinates = absolute"),
        (&["run", "--method", "rosenbrock"], "method = bdf"),
        (&["run", "--linear", "dense"], "linear = sparse"),
        (&["run", "--formalism", "explicit"], "formalism = residual"),
    ];
    for (words, expected) in cases {
        let said = first_words(&[words, &[large.as_str()], &joint].concat());
        assert!(said.starts_with("chain: "), "{words:?}: {said}");
        assert!(said.contains(expected), "{words:?}: {said}");
        let said = linkwork(&[words, &[small.as_str()], &joint].concat());
        assert_eq!(said.err, "", "{words:?}");
    }
    // sparse all the way
    let said = linkwork(&[&["run", "--outputs", "1"], &[large.as_str()][..], &joint].concat());
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""));
}
