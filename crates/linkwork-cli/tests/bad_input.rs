//! Bad input and usage: exit code 2, the place, the reason, the nearest right word; stdout empty.

mod binary;

use binary::{Folder, hinged, linkwork};

fn refused(args: &[&str], words: &[&str]) {
    let said = linkwork(args);
    assert_eq!(said.code, Some(2), "{args:?}\n{}{}", said.out, said.err);
    assert_eq!(said.out, "", "{args:?}");
    for word in words {
        assert!(
            said.err.contains(word),
            "{args:?}: no `{word}` in\n{}",
            said.err
        );
    }
}

#[test]
fn models_that_do_not_exist() {
    refused(
        &["run", "models/nope.toml"],
        &["there is no file models/nope.toml"],
    );
    refused(
        &["run", "elsewhere/squeezer.toml"],
        &["linkwork run squeezer"],
    );
    refused(&["run", "sqeezer"], &["did you mean `squeezer`?"]);
    refused(
        &["check", "xyzzy"],
        &["built in are", "squeezer", "andrews"],
    );
    refused(&["run", "models"], &["is a directory"]);
    // models and systems of models are told apart
    refused(&["run", "two_mass"], &["linkwork cosim two_mass"]);
    refused(&["cosim", "squeezer"], &["linkwork run squeezer"]);
}

#[test]
fn mistakes_in_a_model_are_underlined() {
    let said = linkwork(&["run", "models/bad/misspelt_key.toml"]);
    assert_eq!(said.code, Some(2));
    let expected = "  × body `bob`: unknown key `mas`
   ╭─[models/bad/misspelt_key.toml:7:1]
 6 │ name = \"bob\"
 7 │ mas = 1
   · ─┬─
   ·  ╰── did you mean `mass`?
 8 │ inertia = 0.1
   ╰────
";
    assert!(said.err.starts_with(expected), "{}", said.err);
}

#[test]
fn all_bad_models_are_refused_by_run_and_check() {
    // these are readable; what is wrong with them shows when they are assembled
    let readable = ["contradictory_loop", "singular_start", "zero_mass"];
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/bad");
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        let expected = if readable.contains(&stem.as_str()) {
            1
        } else {
            2
        };
        let path = path.display().to_string();
        for command in ["run", "check"] {
            let said = linkwork(&[command, &path]);
            assert_eq!(said.code, Some(expected), "{command} {path}\n{}", said.err);
            assert!(!said.err.contains("panicked"));
        }
        seen += 1;
    }
    assert!(seen >= 10);
}

#[test]
fn options_that_cannot_be_honoured() {
    let folder = Folder::new("method");
    let model = folder.file("m.toml", &hinged("0", "t_end = 1\nmethod = \"rk45\""));
    let said = linkwork(&["run", &model]);
    assert!(said.err.contains("`dopri5`"), "{}", said.err);
    assert!(!said.err.contains("did you mean"), "{}", said.err);
    refused(
        &["run", "squeezer", "--method", "bdff"],
        &["invalid value 'bdff'", "gen-alpha", "newmark"],
    );
    refused(
        &["run", "squeezer", "--method", "bdf", "--rho", "0.5"],
        &["rho works with method = gen-alpha"],
    );
    refused(
        &["run", "squeezer", "--rtol", "0"],
        &["between 1e-14 and 0.1"],
    );
    refused(
        &["run", "squeezer", "--rtol", "fast"],
        &["invalid value 'fast'"],
    );
    refused(
        &["run", "squeezer", "--t-end=-1"],
        &["later than the start"],
    );
    refused(
        &["run", "squeezer", "--max-order", "7"],
        &["orders are 1 to 5"],
    );
    refused(
        &["run", "squeezer", "--outputs", "0"],
        &["a number of intervals"],
    );
    refused(
        &["run", "squeezer", "--format", "xls"],
        &["csv, npz, parquet"],
    );
    refused(
        &["run", "squeezer", "--step", "1e-4", "--max-step", "1"],
        &["either step"],
    );
    refused(&["run"], &["<MODEL>"]);
    refused(&["fly"], &["unrecognized subcommand"]);
    refused(&["list", "wheels"], &["models"]);
    refused(
        &["run", "squeezer", "--t-end", "3 kg"],
        &["`kg` is not the unit of a time"],
    );
}

/// What is wrong on the command line is quoted from there; the file has no part in it.
#[test]
fn options_of_the_command_line_are_quoted() {
    let quoted = |args: &[&str], words: &str, help: &str| {
        let said = linkwork(args);
        assert_eq!(said.code, Some(2), "{args:?}\n{}{}", said.out, said.err);
        assert!(
            said.err.starts_with(&format!("  × {words}")),
            "{}",
            said.err
        );
        assert!(said.err.contains(help), "{}", said.err);
        assert!(!said.err.contains("─["), "points into a file\n{}", said.err);
    };
    let joint = ["run", "squeezer", "--coordinates", "joint"];
    quoted(
        &[&joint[..], &["--cut", "nowhere"]].concat(),
        "--cut nowhere: there is no joint `nowhere` to cut",
        "joints that could be cut are ",
    );
    quoted(
        &[&joint[..], &["--cut", "joint_bb"]].concat(),
        "--cut joint_bb: there is no joint `joint_bb` to cut",
        "did you mean `joint_b`?",
    );
    quoted(
        &["check", "squeezer", "--cut", "joint_b"],
        "--cut joint_b has no effect in absolute coordinates",
        "coordinates = joint",
    );
    quoted(
        &[&joint[..], &["--formalism", "explicit", "--method", "w"]].concat(),
        "--formalism explicit has no effect with w",
        "implicit method",
    );
    quoted(
        &[&joint[..], &["--cut", "joint_b,joint_b"]].concat(),
        "--cut joint_b,joint_b: cut `joint_b` is said twice",
        "leave it out",
    );
    quoted(
        &[
            "run",
            "coin",
            "--method",
            "rosenbrock",
            "--formulation",
            "projected",
        ],
        "--formulation projected: method `rosenbrock` does not run with formulation `projected`",
        "state-space",
    );
    quoted(
        &["run", "squeezer", "--max-step=-1"],
        "--max-step -1 cannot be used: it must be greater than zero",
        "",
    );
    quoted(
        &["run", "squeezer", "--rtol", "1e-20"],
        "--rtol 1e-20 cannot be used: it must be between 1e-14 and 0.1",
        "",
    );
    quoted(
        &["run", "squeezer", "--method", "bdf", "--rho", "0.5"],
        "--rho 0.5: `bdf` has no spectral radius to choose",
        "gen-alpha",
    );
    quoted(
        &["run", "squeezer", "--method", "w", "--formulation", "ggl"],
        "--formulation ggl: method `w` does not run with formulation `ggl`",
        "state-space",
    );
    quoted(
        &["run", "squeezer", "--step", "1e-4", "--first-step", "1e-5"],
        "--first-step 1e-5 has no effect beside a fixed step",
        "either step",
    );
    quoted(
        &["cosim", "two_mass", "--degree", "7"],
        "--degree 7 cannot be used: it must be 0, 1, 2 or 3",
        "",
    );
    quoted(
        &["cosim", "two_mass", "--max-step", "0"],
        "--max-step 0 cannot be used",
        "",
    );
}

/// What the file says is shown there, also where it was sound before the command line came.
#[test]
fn options_of_the_file_are_shown_there_whatever_the_command_line_says() {
    let folder = Folder::new("both-places");
    let model = |simulation: &str| folder.file("m.toml", &hinged("0", simulation));
    let path = model("t_end = 1\ncoordinates = \"joint\"\ncut = [\"hing\"]");
    refused(
        &["run", &path, "--rtol", "1e-6"],
        &["m.toml:27:7", "did you mean `hinge`?"],
    );
    let path = model("t_end = 1\nmethod = \"gen-alpha\"\nrho = 0.5");
    refused(
        &["run", &path, "--method", "bdf"],
        &["m.toml:27:7", "--method bdf"],
    );
}

#[test]
fn options_in_a_model_are_shown_in_their_place() {
    let folder = Folder::new("simulation-table");
    let model = |simulation: &str| folder.file("m.toml", &hinged("0", simulation));
    let path = model("t_end = 1\nmethod = \"bfd\"");
    refused(
        &["run", &path],
        &[
            "`bfd` is not a known method",
            "m.toml:26:10",
            "did you mean `bdf`?",
        ],
    );
    let path = model("t_end = 1\nrtol = 3");
    refused(&["run", &path], &["rtol = 3 cannot be used", "m.toml:26:8"]);
    refused(&["check", &path], &["rtol = 3 cannot be used"]);
    let path = model("t_end = 1\nrtoll = 3");
    refused(&["run", &path], &["did you mean `rtol`?"]);
    let path = model("t_end = \"1 kg\"");
    refused(&["run", &path], &["m.toml:25:9"]);
    let path = model("");
    refused(&["run", &path], &["the end time is missing", "--t-end"]);
}

#[test]
fn overrides_that_name_nothing() {
    refused(
        &["run", "squeezer", "--set", "cranc.mass=1"],
        &["did you mean `crank`?"],
    );
    refused(
        &["run", "squeezer", "--set", "crank.mas=1"],
        &["unknown key `mas`"],
    );
    refused(&["run", "squeezer", "--set", "crank"], &["there is no `=`"]);
    refused(
        &["run", "squeezer", "--set", "crank.mass=-1"],
        &["body `crank`", "must not be negative"],
    );
    refused(
        &["run", "nfourbar", "--set", "n=2.5"],
        &["n = 2.5", "a whole number from 1"],
    );
    refused(
        &["run", "andrews", "--set", "n=x"],
        &["problems take numbers"],
    );
}

#[test]
fn results_that_cannot_be_kept_are_known_before_the_run() {
    let folder = Folder::new("no-place");
    let file = folder.file("taken", "");
    for command in ["run", "modes", "equilibrium"] {
        refused(
            &[command, "pendulum", "--out", &file],
            &["cannot make", "taken"],
        );
    }
    refused(
        &[
            "equilibrium",
            "pendulum",
            "--write",
            &folder.path("no/x.toml"),
        ],
        &["--write: there is no directory"],
    );
}

#[test]
fn text_that_is_no_text() {
    let folder = Folder::new("bytes");
    let path = folder.0.join("bytes.toml");
    std::fs::write(&path, [0xff, 0xfe, 0x00, 0x41]).unwrap();
    refused(
        &["run", &path.display().to_string()],
        &["cannot read", "UTF-8"],
    );
    let empty = folder.file("empty.toml", "");
    let said = linkwork(&["run", &empty]);
    assert_eq!(said.code, Some(2), "{}", said.err);
}

/// A model may come from a stranger: it names files in the directory of results, and what has another
/// content than a checkpoint is not overwritten.
#[test]
fn a_model_writes_only_where_the_user_says() {
    let folder = Folder::new("strangers");
    let precious = folder.file("precious.txt", "mine");
    for path in [
        precious.as_str(),
        "../precious.txt",
        "a/b.ckpt",
        "/dev/null",
        "",
    ] {
        let text = format!("{}checkpoint = \"{path}\"\n", hinged("0", "t_end = 1"));
        let model = folder.file("stranger.toml", &text);
        refused(&["run", &model], &["checkpoint", "name of a file"]);
    }
    assert_eq!(std::fs::read_to_string(&precious).unwrap(), "mine");
    refused(
        &[
            "run",
            "pendulum",
            "--t-end",
            "0.01",
            "--checkpoint",
            &precious,
        ],
        &["cannot write the checkpoint", "has this name"],
    );
    assert_eq!(std::fs::read_to_string(&precious).unwrap(), "mine");
    let text = format!("{}checkpoint = \"end.ckpt\"\n", hinged("0", "t_end = 1"));
    let model = folder.file("friend.toml", &text);
    let results = folder.path("results");
    let said = linkwork(&["run", &model, "--out", &results]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(std::path::Path::new(&results).join("end.ckpt").is_file());
}

/// What a directory of results holds belongs to one run.
#[test]
fn tables_of_an_older_run_go() {
    let folder = Folder::new("one_run");
    let results = folder.path("results");
    let run = |format: &str| {
        let args = ["run", "pendulum", "--out", &results];
        assert_eq!(
            linkwork(&[&args[..], &["--format", format]].concat()).code,
            Some(0)
        );
    };
    let there = |file: &str| std::path::Path::new(&results).join(file).is_file();
    run("csv,npz");
    assert!(there("table.csv") && there("table.npz"));
    run("npz");
    assert!(!there("table.csv") && there("table.npz") && there("summary.json"));
}
