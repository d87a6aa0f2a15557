//! Robots on the command line.

mod binary;

use binary::{Folder, linkwork};

#[test]
fn the_arm_is_checked_and_run() {
    let said = linkwork(&["check", "models/arm.urdf"]);
    assert_eq!(said.code, Some(0), "{}{}", said.out, said.err);
    assert!(
        said.out.contains("freedom        7 degrees"),
        "{}",
        said.out
    );
    assert!(
        said.out.contains("the start values close all joints"),
        "{}",
        said.out
    );
    assert!(
        said.out.contains("note: not used: transmission (line"),
        "{}",
        said.out
    );
    let said = linkwork(&["check", "arm", "--json"]);
    let object: serde_json::Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(object["dof"], 7);
    assert_eq!(object["bodies"], 7);
    let said = linkwork(&["run", "arm", "--joint", "elbow=30deg", "--t-end", "0.2"]);
    assert_eq!(said.code, Some(0), "{}{}", said.out, said.err);
    assert!(
        said.out
            .contains("note: not used: limit of joints `shoulder_yaw`"),
        "{}",
        said.out
    );
}

/// Without gravity and without speed nothing moves.
#[test]
fn gravity_and_joint_values_are_given_on_the_command_line() {
    let still = [
        "run",
        "arm",
        "--gravity",
        "0,0,0",
        "--joint",
        "elbow=0.5",
        "--json",
    ];
    let said = linkwork(&still);
    let object: serde_json::Value = serde_json::from_str(&said.out).unwrap();
    let angle = object["final"]["elbow_angle"].as_f64().unwrap();
    assert!((angle - 0.5).abs() < 1e-12, "{angle}");
    let said = linkwork(&["run", "arm", "--joint", "elbw=1"]);
    assert_eq!(said.code, Some(2));
    assert!(said.err.contains("did you mean `elbow`?"), "{}", said.err);
    let said = linkwork(&["run", "pendulum", "--gravity=0,0,0"]);
    assert_eq!(said.code, Some(2));
    assert!(
        said.err.contains("--gravity is for robots (URDF"),
        "{}",
        said.err
    );
    assert!(said.err.contains("--set model.gravity="), "{}", said.err);
}

/// The written text gives the same rows as the robot, to the last digit of the table.
#[test]
fn an_imported_text_runs_as_the_robot() {
    let folder = Folder::new("import");
    let (text, a, b) = (folder.path("arm.toml"), folder.path("a"), folder.path("b"));
    let joints = [
        "--joint",
        "elbow=30deg",
        "--joint",
        "wrist_pitch.velocity=2",
    ];
    let said = linkwork(&[&["import", "arm", "--out", &text][..], &joints].concat());
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(
        said.out
            .contains("used: link `base` as the ground; 7 links as bodies"),
        "{}",
        said.out
    );
    assert!(
        said.out.contains("not used: limit of joints"),
        "{}",
        said.out
    );
    linkwork(&[&["run", "arm", "--out", &a, "--t-end", "0.3"][..], &joints].concat());
    linkwork(&["run", &text, "--out", &b, "--t-end", "0.3"]);
    let table = |dir: &str| std::fs::read_to_string(format!("{dir}/table.csv")).unwrap();
    assert!(table(&a).lines().count() > 100);
    assert!(table(&a) == table(&b));
    let said = linkwork(&["import", "models/pendulum.toml"]);
    assert_eq!(said.code, Some(2));
    assert!(said.err.contains("can be imported (URDF"), "{}", said.err);
}

#[test]
fn mistakes_are_shown_in_the_file() {
    let folder = Folder::new("urdf-mistakes");
    let arm = include_str!("../../../models/arm.urdf");
    let file = folder.file("bad.urdf", &arm.replace("value=\"2.7\"", "value=\"-2.7\""));
    let said = linkwork(&["check", &file]);
    assert_eq!(said.code, Some(2));
    assert!(
        said.err
            .contains("link `forearm`: the mass must not be negative"),
        "{}",
        said.err
    );
    let line = 1 + arm
        .lines()
        .position(|l| l.contains("value=\"2.7\""))
        .unwrap();
    assert!(
        said.err.contains(&format!("bad.urdf:{line}:")),
        "{}",
        said.err
    );
}
