//! `linkwork study` from the outside.

mod binary;

use binary::{Folder, linkwork};

#[test]
fn a_study_prints_lines_that_run() {
    let folder = Folder::new("study");
    let out = folder.path("kept");
    let words = [
        "study",
        "pendulum",
        "--methods",
        "bdf,dop853",
        "--tolerances",
        "1e-3,1e-5,1e-7",
    ];
    let words = [
        &words[..],
        &["--t-end", "2", "--digits", "3", "--out", &out],
    ]
    .concat();
    let told = linkwork(&words);
    assert_eq!(told.code, Some(0), "{}", told.err);
    for part in [
        "reference",
        "they agree",
        "digits and work at rtol",
        "3 digits: ",
        "method = \"",
    ] {
        assert!(told.out.contains(part), "{part}\n{}", told.out);
    }
    let kept = |name: &str| std::fs::read_to_string(folder.0.join("kept").join(name)).unwrap();
    let diagram = kept("motion.svg");
    assert!(diagram.contains("estimated from counts") && diagram.contains("processor time"));
    assert_eq!(
        diagram.matches("<svg ").count(),
        3,
        "two figures side by side"
    );
    assert!(kept("study.csv").lines().count() > 3 * 4);
    // the object has the same, and its lines are options of a run
    let object = linkwork(&[&words[..], &["--json"]].concat());
    let object: serde_json::Value = serde_json::from_str(&object.out).unwrap();
    let lines = object["findings"][0]["simulation"].as_array().unwrap();
    let lines: Vec<&str> = lines.iter().filter_map(|l| l.as_str()).collect();
    for line in &lines {
        assert!(told.out.contains(line), "{line}");
    }
    let (head, table) = include_str!("../../../models/pendulum.toml")
        .split_once("[simulation]")
        .unwrap();
    let rest = table
        .lines()
        .filter(|l| !l.starts_with("method") && !l.starts_with("rtol"));
    let rest: Vec<&str> = rest.collect();
    let text = format!(
        "{head}[simulation]\n{}\n{}",
        lines.join("\n"),
        rest.join("\n")
    );
    let model = folder.path("again.toml");
    std::fs::write(&model, text).unwrap();
    let again = linkwork(&["run", &model]);
    assert_eq!(again.code, Some(0), "{}{}", again.out, again.err);
}

#[test]
fn problems_have_studies_too() {
    let folder = Folder::new("study-problem");
    let out = folder.path("kept");
    let words = [
        "study",
        "chain",
        "--set",
        "n=3",
        "--t-end",
        "5",
        "--methods",
        "bdf,dopri5",
    ];
    let told = linkwork(
        &[
            &words[..],
            &[
                "--tolerances",
                "1e-4",
                "--channels",
                "angle3",
                "--out",
                &out,
            ],
        ]
        .concat(),
    );
    assert_eq!(told.code, Some(0), "{}", told.err);
    assert!(
        told.out.contains("angle3") && !told.out.contains("coordinates ="),
        "{}",
        told.out
    );
    assert!(folder.0.join("kept/angle3.svg").is_file());
}

#[test]
fn what_is_misspelt_is_answered() {
    for (words, part) in [
        (&["--channels", "bob.xx"][..], "bob.x"),
        (&["--methods", "bfd"], "bdf"),
        (&["--tolerances", "soon"], "between 1e-13 and 0.1"),
        (&["--digits", "99"], "between 0.5 and 15"),
        (&["--threads", "0"], "0"),
        (
            &["--methods", "bdf", "--formulations", "projected"],
            "list methods",
        ),
    ] {
        let folder = Folder::new("study-wrong");
        let out = folder.path("kept");
        let told = linkwork(&[&["study", "pendulum", "--out", &out][..], words].concat());
        assert_eq!(told.code, Some(2), "{words:?}");
        assert!(told.err.contains(part), "{words:?}: {}", told.err);
    }
}
