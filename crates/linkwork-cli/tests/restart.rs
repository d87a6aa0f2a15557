//! `--checkpoint` and `--restart`: a run in pieces is the whole run, to the last bit.

mod binary;

use binary::{Folder, Said, command, hinged, linkwork};
use serde_json::Value;
use std::process::Stdio;

fn json(said: &Said) -> Value {
    serde_json::from_str(&said.out)
        .unwrap_or_else(|e| panic!("{e}: stdout {} stderr {}", said.out, said.err))
}

/// A run with results in `dir`: its exit code, its object without times and paths, its rows.
fn run(folder: &Folder, dir: &str, args: &[&str]) -> (Option<i32>, Value, Vec<String>) {
    let out = folder.path(dir);
    let mut all = vec!["run"];
    all.extend(args);
    // as it is saved: what is replaced by a tighter run does not go on
    all.extend(["--json", "--once", "--out", &out]);
    let said = linkwork(&all);
    let mut v = json(&said);
    let stats = v["stats"].as_object_mut().unwrap();
    stats.remove("cpu_seconds");
    stats.remove("step_cpu_seconds");
    stats.remove("longest_step_seconds");
    v.as_object_mut().unwrap().remove("files");
    let csv = std::fs::read_to_string(folder.0.join(dir).join("table.csv")).unwrap();
    (said.code, v, csv.lines().map(String::from).collect())
}

/// The continuation has the object of the whole run but for the mark, and its last rows.
fn assert_continues(whole: &(Value, Vec<String>), rest: &(Value, Vec<String>)) {
    let mut v = rest.0.clone();
    let at = v.as_object_mut().unwrap().remove("restarted_at").unwrap();
    assert!(at.as_f64().unwrap() > 0.0);
    assert_eq!(v, whole.0);
    let (whole, rest) = (&whole.1, &rest.1);
    assert_eq!(rest[0], whole[0], "names of the columns");
    assert!(rest.len() > 10 && rest.len() < whole.len() - 10);
    let tail = &whole[whole.len() - (rest.len() - 1)..];
    assert_eq!(&rest[1..], tail);
}

/// Also from rest, where nothing tells the pace of the motion, and when the end of the first part
/// is a tick of a sampled controller.
#[test]
fn parts_of_motions_from_rest_and_of_sampled_control_are_the_whole() {
    let folder = Folder::new("rest");
    let file = folder.path("part.ckpt");
    for (model, part, end) in [
        ("servo", "0.5", "2"),
        ("sampled", "0.2", "1"),
        ("slider_crank", "0.4", "1"),
        ("squeezer", "0.01", "0.03"),
    ] {
        for method in ["bdf", "gen-alpha", "dopri5"] {
            let with = |more: &[&str], dir: &str| {
                let (code, v, rows) =
                    run(&folder, dir, &[&[model, "--method", method], more].concat());
                assert_eq!(code, Some(0), "{model} {method} {more:?}: {v}");
                (v, rows)
            };
            let whole = with(&["--t-end", end], "whole");
            let kept = with(&["--t-end", end, "--checkpoint", &file], "kept");
            assert_eq!(kept.1, whole.1, "{model} {method}: saving changes the rows");
            with(&["--t-end", part, "--checkpoint", &file], "part");
            let rest = with(&["--t-end", end, "--restart", &file], "rest");
            assert_eq!(rest.0["final"], whole.0["final"], "{model} {method}");
            assert_eq!(rest.0["stats"], whole.0["stats"], "{model} {method}");
        }
    }
}

/// Wherever a run by the clock is parted: at a tick, between two, just before one, so that an instant behind the end
/// of a part decides how long its last steps are.
#[test]
fn sampled_control_is_parted_anywhere() {
    let folder = Folder::new("ticks");
    let file = folder.path("part.ckpt");
    for method in ["bdf", "gen-alpha", "adams"] {
        let with = |more: &[&str], dir: &str| {
            let args = [&["sampled", "--method", method], more].concat();
            let (code, v, _) = run(&folder, dir, &args);
            assert_eq!(code, Some(0), "{method} {more:?}: {v}");
            v
        };
        let whole = with(&["--t-end", "0.5"], "whole");
        for part in [
            "0.07", "0.1", "0.1234", "0.2499", "0.25", "0.2505", "0.3", "0.3391", "0.4", "0.4987",
        ] {
            with(&["--t-end", part, "--checkpoint", &file], "part");
            let rest = with(&["--t-end", "0.5", "--restart", &file], "rest");
            assert_eq!(rest["final"], whole["final"], "{method}, parted at {part}");
            assert_eq!(rest["stats"], whole["stats"], "{method}, parted at {part}");
        }
    }
}

#[test]
fn half_and_half_is_the_whole() {
    let folder = Folder::new("halves");
    let file = folder.path("half.ckpt");
    for method in [
        &["--method", "bdf"][..],
        &[
            "--method",
            "bdf",
            "--formulation",
            "index3",
            "--jacobian",
            "dense",
        ],
        &[
            "--method",
            "bdf",
            "--formulation",
            "index1",
            "--outputs",
            "steps",
        ],
        &["--method", "bdf", "--step", "1e-4"],
    ] {
        let mut common = vec!["squeezer"];
        common.extend(method);
        let with = |more: &[&str], dir: &str| {
            let (code, v, rows) = run(&folder, dir, &[&common, more].concat());
            assert_eq!(code, Some(0), "{common:?} {more:?}: {v}");
            (v, rows)
        };
        let whole = with(&["--t-end", "0.03"], "whole");
        let half = with(&["--t-end", "0.015", "--checkpoint", &file], "half");
        assert_eq!(half.0["t_end"], 0.015);
        let rest = with(&["--t-end", "0.03", "--restart", &file], "rest");
        assert_continues(&whole, &rest);
    }
}

/// Whatever the method: a run that gave up or was saved on the way goes on as if nothing had
/// happened, with the options it had.
#[test]
fn an_interrupted_run_goes_on() {
    let folder = Folder::new("goes-on");
    let file = folder.path("run.ckpt");
    for method in ["bdf", "gen-alpha", "hht", "newmark"] {
        let model = ["squeezer", "--method", method];
        let (code, v, rows) = run(&folder, "whole", &model);
        assert_ne!(code, Some(2));
        let third = (v["stats"]["steps"].as_u64().unwrap() / 3).to_string();
        let whole = (v, rows);
        let interrupted = ["--checkpoint", &file, "--max-steps", &third];
        let (code, v, _) = run(&folder, "part", &[&model[..], &interrupted].concat());
        assert_eq!((code, v["verdict"].as_str()), (Some(1), Some("failed")));
        let (_, v, rows) = run(
            &folder,
            "rest",
            &[&model[..], &["--restart", &file]].concat(),
        );
        assert_continues(&whole, &(v, rows));

        // saving on the way, and restarting with the same file, changes nothing
        let often = ["--checkpoint", &file, "--checkpoint-steps", "7"];
        let (_, v, rows) = run(&folder, "often", &[&model[..], &often].concat());
        assert_eq!((v, rows), whole, "{method}");
        let often = ["--checkpoint", &file, "--checkpoint-interval", "1 kg"];
        assert_eq!(
            linkwork(&[&["run"], &model[..], &often].concat()).code,
            Some(2)
        );
        let often = ["--checkpoint", &file, "--checkpoint-interval", "1 ms"];
        let (_, v, rows) = run(&folder, "often", &[&model[..], &often].concat());
        assert_eq!((v, rows), whole, "{method}");
    }
}

#[test]
fn a_mismatch_says_what_differs() {
    let folder = Folder::new("mismatch");
    let file = folder.path("run.ckpt");
    let said = linkwork(&["run", "squeezer", "--checkpoint", &file]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(said.out.contains("checkpoint   "), "{}", said.out);
    let refused = |args: &[&str], why: &str| {
        let said = linkwork(&[&["run"], args, &["--restart", &file]].concat());
        // lines are broken anywhere
        let joined = |text: &str| text.replace('│', "").split_whitespace().collect::<String>();
        assert_eq!(said.code, Some(2), "{args:?}: {}", said.err);
        assert!(
            joined(&said.err).contains(&joined(why)),
            "no `{why}` in {}",
            said.err
        );
        assert_eq!(said.out, "");
    };
    let longer = ["squeezer", "--t-end", "0.04"];
    refused(
        &[&longer[..], &["--rtol", "1e-4"]].concat(),
        "rtol was 1e-6, now it is 1e-4",
    );
    refused(
        &[&longer[..], &["--method", "gen-alpha"]].concat(),
        "method was auto, now it is gen-alpha; formulation was the first that the method lists, now it is index3",
    );
    refused(
        &[&longer[..], &["--set", "motor.torque=0.03"]].concat(),
        "the model is not the same",
    );
    refused(&["andrews", "--t-end", "0.04"], "the model is not the same");
    refused(
        &[&longer[..], &["--formulation", "index3"]].concat(),
        "method was auto, now it is bdf; formulation was the first that the method lists, now it is index3",
    );
    let joint = [&longer[..], &["--coordinates", "joint"]].concat();
    let why = "FILE: coordinates was absolute, now it is joint";
    refused(&joint, &why.replace("FILE", &file));
    // saying what is the default is no difference
    let said = linkwork(
        &[
            &["run", "--restart", &file, "--coordinates", "absolute"],
            &longer[..],
        ]
        .concat(),
    );
    assert_eq!(said.code, Some(0), "{}", said.err);
    refused(&["squeezer", "--t-end", "0.01"], "the end is at 0.01");
    // other outputs and a later end are welcome
    let said = linkwork(
        &[
            &["run"],
            &longer[..],
            &["--restart", &file, "--outputs", "50"],
        ]
        .concat(),
    );
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(
        said.out.contains("restarted    at t = 0.02"),
        "{}",
        said.out
    );

    let said = linkwork(&[&["run", "--checkpoint", &file], &joint[..]].concat());
    assert_eq!(said.code, Some(0), "{}", said.err);
    let joint = ["squeezer", "--t-end", "0.05", "--coordinates", "joint"];
    refused(
        &[&joint[..], &["--cut", "joint_b"]].concat(),
        "cut was found by a search from the ground, now it is joint_b",
    );
    refused(
        &[&joint[..], &["--formalism", "explicit"]].concat(),
        "formalism was residual, now it is explicit",
    );
    refused(
        &["squeezer", "--t-end", "0.05"],
        "coordinates was joint, now it is absolute",
    );
    let problem = ["run", "pendulum-index3", "--set", "g=2"];
    linkwork(&[&problem[..], &["--checkpoint", &file]].concat());
    refused(
        &["pendulum-index3", "--set", "g=3", "--t-end", "20"],
        "the model is not the same",
    );

    std::fs::write(&file, "not a checkpoint").unwrap();
    refused(&longer, "it is not a checkpoint of this program");
    std::fs::remove_file(&file).unwrap();
    refused(&longer, "cannot restart from");
}

#[test]
fn a_checkpoint_that_cannot_be_written_is_known_before_the_run() {
    let folder = Folder::new("unwritable");
    let file = folder.path("nowhere/run.ckpt");
    let said = linkwork(&["run", "squeezer", "--checkpoint", &file]);
    assert_eq!((said.code, said.out.as_str()), (Some(2), ""));
    assert!(
        said.err.contains("cannot write the checkpoint"),
        "{}",
        said.err
    );
    let said = linkwork(&["run", "squeezer", "--checkpoint-steps", "5"]);
    assert_eq!(said.code, Some(2));
    assert!(said.err.contains("without a checkpoint"), "{}", said.err);
}

/// A run that fails mid-way leaves a checkpoint too, and no other file beside it.
#[test]
fn a_failed_run_is_saved() {
    let folder = Folder::new("failed");
    let model = folder.file("m.toml", &hinged("sqrt(0.5 - t)", "t_end = 1"));
    let file = folder.path("run.ckpt");
    let said = linkwork(&[
        "run",
        &model,
        "--method",
        "bdf",
        "--checkpoint",
        &file,
        "--json",
    ]);
    assert_eq!(said.code, Some(1));
    let first = json(&said);
    let names: Vec<_> = std::fs::read_dir(&folder.0)
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .filter(|n| n.contains("ckpt"))
        .collect();
    assert_eq!(names, ["run.ckpt"]);
    let again = linkwork(&[
        "run",
        &model,
        "--method",
        "bdf",
        "--restart",
        &file,
        "--json",
    ]);
    assert_eq!(again.code, Some(1));
    let again = json(&again);
    assert_eq!(again["final"], first["final"]);
    // the last attempts belong to the run that made them
    let cause = |v: &Value| v["failure"]["cause"].as_str().unwrap().to_string();
    assert!(cause(&first).starts_with(&cause(&again)), "{again}");
}

/// Ctrl-C saves the run, and the next one takes it up.
#[cfg(unix)]
#[test]
fn ctrl_c_saves_the_run() {
    let folder = Folder::new("ctrl-c");
    let file = folder.path("run.ckpt");
    let out = folder.path("results");
    let args = [
        "run",
        "pendulum",
        "--t-end",
        "1e6",
        "--checkpoint",
        &file,
        "--out",
        &out,
        "--json",
    ];
    let child = command(&args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // the directory is made just before the run starts
    while !folder.0.join("results").exists() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    std::thread::sleep(std::time::Duration::from_millis(300));
    let kill = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(kill.unwrap().success());
    let said: Said = child.wait_with_output().unwrap().into();
    assert_eq!(said.code, Some(1), "{}", said.err);
    let stopped = json(&said);
    let count = |v: &Value, what: &str| v["stats"][what].as_u64().unwrap();
    let steps = count(&stopped, "steps");
    let attempts = steps + count(&stopped, "rejected") + count(&stopped, "newton_failures");
    let more = (attempts + 100).to_string();
    let said = linkwork(&[
        "run",
        "pendulum",
        "--t-end",
        "1e6",
        "--restart",
        &file,
        "--max-steps",
        &more,
        "--json",
    ]);
    assert!(count(&json(&said), "steps") > steps + 50);
}
