//! `linkwork cosim` as users meet it.

mod binary;

use binary::linkwork;

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
