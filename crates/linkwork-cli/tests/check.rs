//! `linkwork check` and `linkwork list`.

mod binary;

use binary::{Folder, hinged, limited, linkwork};
use serde_json::Value;

#[test]
fn a_sound_model_has_no_findings() {
    let said = linkwork(&["check", "squeezer"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let expected = "\
squeezer: sound

  bodies         7
  joints         10
  forces         2
  coordinates    21
  constraints    20 equations
  freedom        1 degree
  start pose     regular (smallest relative pivot ";
    assert!(said.out.starts_with(expected), "{}", said.out);
}

#[test]
fn parameters_are_listed_with_their_values() {
    let said = linkwork(&["check", "engine", "--set", "stroke=70mm"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let listed = "\nparameters\n  stroke    0.07 m\n  radius    0.035 m\n  rod       0.15 m\n";
    assert!(said.out.contains(listed), "{}", said.out);
    let said = linkwork(&["check", "engine", "--json"]);
    let object: Value = serde_json::from_str(&said.out).unwrap();
    let gas = &object["parameters"][6];
    assert_eq!(
        (&gas["name"], &gas["value"], &gas["unit"]),
        (&"gas".into(), &3000.0.into(), &"N".into())
    );
    let said = linkwork(&["run", "engine", "--set", "strok=70mm"]);
    assert_eq!(said.code, Some(2));
    assert!(said.err.contains("did you mean `stroke`?"), "{}", said.err);
}

#[test]
fn the_iteration_matrix_is_shown_and_drawn() {
    let folder = Folder::new("check-jacobian");
    let file = folder.path("matrix.svg");
    let file = file.as_str();
    let said = linkwork(&["check", "train", "--jacobian", "--jacobian-svg", file]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    // the numbers of Arnold, Fuchs & Fuehrer (2006)
    for words in [
        "98 x 98, 1620 entries",
        "46 of 98 columns; fullest row 46 entries",
        "residuals in groups, 82 column by column",
        "times those of the matrix",
        "rounding leaves",
        "xxxxx",
    ] {
        assert!(said.out.contains(words), "no `{words}` in\n{}", said.out);
    }
    let drawing = std::fs::read_to_string(file).unwrap();
    assert_eq!(drawing.matches("<rect").count(), 1620 + 2);
}

#[test]
fn the_iteration_matrix_is_part_of_the_object() {
    let said = linkwork(&["check", "train", "--jacobian", "--json"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let v: Value = serde_json::from_str(&said.out).unwrap();
    let matrix = &v["matrix"];
    assert_eq!(matrix["size"], 98);
    assert_eq!(matrix["nonzeros"], 1620);
    assert_eq!(matrix["groups"], 46);
    assert_eq!(matrix["difference_columns"], 82);
    let fill = matrix["factor_nonzeros"].as_f64().unwrap() / 1620.0;
    assert_eq!(matrix["fill"].as_f64(), Some(fill));
    let condition = matrix["condition"].as_f64().unwrap();
    assert!((1.0..1e10).contains(&condition), "{condition}");
    let rounding = condition * f64::EPSILON;
    assert_eq!(matrix["rounding"].as_f64(), Some(rounding));
    let said = linkwork(&["check", "train", "--json"]);
    let v: Value = serde_json::from_str(&said.out).unwrap();
    assert!(v.get("matrix").is_none());
}

/// In joint coordinates the matrix of a run has auxiliary unknowns, and they are told from the others.
#[test]
fn the_iteration_matrix_of_joint_coordinates_is_that_of_a_run() {
    let folder = Folder::new("check-augmented");
    let mut text = "[model]\nname = \"chain\"\ngravity = [0, -9.81]\n".to_string();
    for i in 0..8 {
        let before = match i {
            0 => String::new(),
            i => format!("body_a = \"rod{}\"\n", i - 1),
        };
        text += &format!(
            "[[body]]\nname = \"rod{i}\"\nmass = 1\ninertia = 0.1\nposition = [{i}.5, 0]\n\
             [[joint]]\nname = \"hinge{i}\"\nkind = \"revolute\"\n{before}body_b = \"rod{i}\"\nat = [{i}, 0]\n"
        );
    }
    let model = folder.file("chain.toml", &text);
    let file = folder.path("matrix.svg");
    let joint = ["check", &model, "--coordinates", "joint", "--jacobian"];
    let said = linkwork(&[&joint[..], &["--jacobian-svg", &file]].concat());
    assert_eq!(said.code, Some(0), "{}", said.err);
    for words in [
        "8 positions, 48 auxiliary",
        "do not apply",
        "a: an auxiliary unknown or its equation",
        "aaa",
    ] {
        assert!(said.out.contains(words), "no `{words}` in\n{}", said.out);
    }
    let drawing = std::fs::read_to_string(&file).unwrap();
    assert!(drawing.contains("48 of 56 unknowns are auxiliary"));
    assert!(drawing.contains("48 auxiliary</text>"));
    let said = linkwork(&[&joint[..], &["--json"]].concat());
    let v: Value = serde_json::from_str(&said.out).unwrap();
    let matrix = &v["matrix"];
    assert_eq!(matrix["form"], "augmented");
    assert_eq!(
        (&matrix["size"], &matrix["auxiliary"]),
        (&56.into(), &48.into())
    );
    assert_eq!(matrix["groups"], Value::Null);
    assert_eq!(matrix["unknowns"][1]["kind"], "auxiliary");
    assert!(matrix["fill"].as_f64().unwrap() < 3.0);
    // differences take stored blocks
    let differences = text + "[simulation]\njacobian = \"grouped\"\n";
    let model = folder.file("differences.toml", &differences);
    let said = linkwork(&[
        "check",
        &model,
        "--coordinates",
        "joint",
        "--jacobian",
        "--json",
    ]);
    let v: Value = serde_json::from_str(&said.out).unwrap();
    let matrix = &v["matrix"];
    assert_eq!(
        (&matrix["form"], &matrix["groups"]),
        (&"stored".into(), &8.into())
    );
}

#[test]
fn a_drawing_that_cannot_be_written_is_an_error() {
    let folder = Folder::new("check-no-drawing");
    let file = folder.path("missing/matrix.svg");
    for more in [&[][..], &["--json"]] {
        let args = [&["check", "train", "--jacobian-svg", &file][..], more].concat();
        let said = linkwork(&args);
        assert_eq!(said.code, Some(2), "{}", said.out);
        assert!(said.err.contains("cannot write"), "{}", said.err);
        assert!(!said.out.contains("cannot write"), "{}", said.out);
    }
}

#[test]
fn redundancy_is_named_with_its_reactions() {
    let said = linkwork(&["check", "models/door.toml"]);
    assert_eq!(said.code, Some(0));
    for words in [
        "door: sound",
        "note: reactions are not unique in post_left",
        "redundant equations",
        "joint `hinge_middle`, x coincidence: follows from",
        "reactions that are not unique: post_left",
        "body `leaf`, x velocity",
    ] {
        assert!(said.out.contains(words), "no `{words}` in\n{}", said.out);
    }
}

#[test]
fn assembly_tells_what_moved() {
    let said = linkwork(&["check", "four_bar"]);
    assert_eq!(said.code, Some(0));
    assert!(said.out.contains("assembly: closed in"), "{}", said.out);
    assert!(said.out.contains("open before"), "{}", said.out);
    assert!(said.out.contains("moved to fit the joints"), "{}", said.out);
}

#[test]
fn singular_poses_and_open_loops_are_findings() {
    let said = linkwork(&["check", "models/bad/singular_start.toml"]);
    assert_eq!(said.code, Some(1));
    assert!(said.out.contains("does not start"), "{}", said.out);
    assert!(
        said.out.contains("joint `piston_pin`, y coincidence"),
        "{}",
        said.out
    );
    let said = linkwork(&["check", "models/bad/contradictory_loop.toml"]);
    assert_eq!(said.code, Some(1));
    assert!(said.out.contains("does not start"), "{}", said.out);
    assert!(said.out.contains("what to try:"), "{}", said.out);
}

/// No run begins there.
#[test]
fn starts_beyond_a_rope_are_findings() {
    let folder = Folder::new("check_beyond");
    let rope = |length: f64| {
        format!(
            "[[body]]\nname = \"stone\"\nkind = \"point\"\nmass = 1\nposition = [0, 1]\n[[joint]]\nname = \"rope\"\n\
             kind = \"rope\"\nbody_b = \"stone\"\nlength = {length}\n[simulation]\nt_end = 1\n"
        )
    };
    let (long, short) = (
        folder.file("l.toml", &rope(1.5)),
        folder.file("s.toml", &rope(0.5)),
    );
    assert!(!linkwork(&["check", &long]).out.contains("beyond"));
    for command in ["check", "run"] {
        let said = linkwork(&[command, &short]);
        assert_ne!(said.code, Some(0), "{}", said.out);
        let words = "the start is beyond joint `rope` by 5.000e-1";
        assert!(said.out.contains(words), "{}", said.out);
    }
}

#[test]
fn an_end_time_is_not_needed_to_check() {
    let folder = Folder::new("check");
    let model = folder.file("m.toml", &hinged("0", ""));
    assert_eq!(linkwork(&["check", &model]).code, Some(0));
    assert_eq!(linkwork(&["check", "andrews"]).code, Some(0));
}

#[test]
fn every_list_has_names_and_summaries() {
    let lists = [
        ("models", "squeezer"),
        ("problems", "andrews"),
        ("methods", "bdf"),
        ("formulations", "ggl"),
        ("jacobians", "exact"),
        ("linear", "sparse"),
        ("bodies", "rigid"),
        ("joints", "revolute"),
        ("forces", "spring_damper"),
        ("events", "stop"),
        ("shapes", "box"),
        ("sections", "tube"),
        ("tables", "material"),
        ("units", "rpm"),
        ("lints", "massless-direction"),
        ("formats", "csv"),
        ("importers", "URDF"),
    ];
    for (what, member) in lists {
        let said = linkwork(&["list", what, "--json"]);
        assert_eq!(said.code, Some(0), "{what}");
        let list: Value = serde_json::from_str(&said.out).unwrap();
        let entries = list.as_array().unwrap();
        assert!(
            entries.iter().any(|e| e["name"] == member),
            "{what}: {list}"
        );
        assert!(
            entries
                .iter()
                .all(|e| e["summary"].as_str().is_some_and(|s| s.len() > 5))
        );
        let said = linkwork(&["list", what]);
        assert_eq!(said.out.lines().count(), entries.len());
        assert!(said.out.contains(member));
    }
}

#[test]
fn help_teaches_by_example() {
    let said = linkwork(&["--help"]);
    assert_eq!(said.code, Some(0));
    assert!(said.out.contains("Examples:") && said.out.contains("Exit codes: 0 converged"));
    let said = linkwork(&["run", "--help"]);
    assert!(said.out.contains("--set crank.mass=50g"));
    // what the help promises works
    assert_eq!(
        linkwork(&["run", "squeezer", "--set", "crank.mass=50g", "-q"]).code,
        Some(0)
    );
    assert_eq!(linkwork(&["--version"]).code, Some(0));
}

/// A planar chain of hinged links.
fn chain(links: usize) -> String {
    let mut text = String::from("[model]\ngravity = [0, -9.81]\n");
    for i in 0..links {
        let x = i as f64 + 0.5;
        text +=
            &format!("[[body]]\nname = \"b{i}\"\nmass = 1\ninertia = 0.1\nposition = [{x}, 0]\n");
        let before = i
            .checked_sub(1)
            .map_or(String::new(), |k| format!("body_a = \"b{k}\"\n"));
        text += &format!(
            "[[joint]]\nname = \"j{i}\"\nkind = \"revolute\"\n{before}body_b = \"b{i}\"\nat = [{i}, 0]\n"
        );
    }
    text + "[simulation]\nt_end = 0.01\n"
}

/// The same as a robot in space.
fn robot(links: usize) -> String {
    let inertia = "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>";
    let link = |i: usize| {
        format!("<link name='l{i}'><inertial><mass value='1'/>{inertia}</inertial></link>\n")
    };
    let joint = |i: usize| {
        let ends = format!("<parent link='l{}'/><child link='l{i}'/>", i - 1);
        format!(
            "<joint name='j{i}' type='continuous'>{ends}<origin xyz='0.1 0 0'/><axis xyz='0 0 1'/></joint>\n"
        )
    };
    let links: String = (0..links)
        .map(|i| link(i) + &(1..=i).last().map_or(String::new(), joint))
        .collect();
    format!("<robot name='r'>{links}</robot>")
}

/// Processor time of a command, s, as the shell tells it.
#[cfg(unix)]
fn cpu_seconds(args: &[&str]) -> f64 {
    let said = limited("{} > /dev/null; times", args);
    // 0m1.230000s 0m0.050000s, of the shell and then of what it started
    let last = said.out.lines().last().unwrap_or_default();
    let seconds = |word: &str| -> Option<f64> {
        let (minutes, seconds) = word.strip_suffix('s')?.split_once('m')?;
        Some(60.0 * minutes.parse::<f64>().ok()? + seconds.parse::<f64>().ok()?)
    };
    last.split_whitespace().filter_map(seconds).sum()
}

/// A text for so many parts.
type OfSize = fn(usize) -> String;

/// Eight times the links take eight times as long and not 64 times; and 2000 of them fit into little memory in absolute
/// coordinates.
#[cfg(unix)]
#[test]
fn long_chains_cost_in_proportion() {
    let folder = Folder::new("chains");
    let texts: [(&str, usize, OfSize); 2] = [("toml", 500, chain), ("urdf", 300, robot)];
    for (format, links, text) in texts {
        let [few, many] = [links, 8 * links].map(|n| {
            let model = folder.file(&format!("c{n}.{format}"), &text(n));
            assert!(linkwork(&["check", &model]).code != Some(2));
            cpu_seconds(&["check", &model])
        });
        assert!(many < 30.0 * few, "{format}: {few} s and {many} s");
    }
    let model = folder.file("c.toml", &chain(2000));
    let args = [
        "run",
        &model,
        "--coordinates",
        "absolute",
        "--method",
        "bdf",
        "--once",
    ];
    let said = limited("ulimit -v 600000; exec {}", &args);
    assert_eq!(said.code, Some(0), "{}{}", said.out, said.err);
}
