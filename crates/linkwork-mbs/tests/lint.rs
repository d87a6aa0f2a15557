//! Lint over `models/odd` against a list of what should be found, and silence over sound models.
//! `UPDATE_LINT=1 cargo test -p linkwork-mbs --test lint` writes the list anew.

use linkwork_mbs::ModelError;
use linkwork_mbs::lint::{Severity, lint, lint_model};
use linkwork_mbs::text::{Document, read};
use std::path::{Path, PathBuf};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(name)
}

fn models(name: &str) -> Vec<(String, String)> {
    let mut list: Vec<(String, String)> = std::fs::read_dir(folder(name))
        .unwrap()
        .map(|e| e.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "toml"))
        .map(|p| {
            let stem = p.file_stem().unwrap().to_string_lossy().into_owned();
            (stem, std::fs::read_to_string(p).unwrap())
        })
        .collect();
    list.sort();
    list
}

fn duration(document: &Document) -> Option<f64> {
    let fields = document.simulation.fields();
    fields
        .optional_number("t_end", linkwork_mbs::Unit::Time)
        .unwrap()
}

#[test]
fn odd_models_are_told_what_is_odd() {
    let mut found = String::new();
    for (name, source) in models("models/odd") {
        let document = read(&source).unwrap();
        let findings = lint(&document, duration(&document));
        assert!(!findings.is_empty(), "{name}");
        for f in findings {
            let place = ModelError::new("").at(f.span.clone()).line_column(&source);
            let (line, _) = place.unwrap_or_else(|| panic!("{name}: no place for {f:?}"));
            found += &format!(
                "{name}.toml:{line}: {} [{}] {}\n    {}\n",
                f.severity.word(),
                f.rule,
                f.message,
                f.help
            );
        }
    }
    let list = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lint/expected.txt");
    if std::env::var_os("UPDATE_LINT").is_some() {
        std::fs::write(&list, &found).unwrap();
    }
    let expected = std::fs::read_to_string(&list).unwrap_or_default();
    assert!(found == expected, "found\n{found}\nexpected\n{expected}");
}

#[test]
fn every_rule_is_exercised() {
    let expected = std::fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lint/expected.txt"),
    )
    .unwrap();
    for rule in linkwork_mbs::lint::RULES {
        let tag = format!("[{}]", rule.name);
        assert!(expected.contains(&tag), "no odd model for {tag}");
    }
}

#[test]
fn sound_models_have_no_findings() {
    for (name, source) in models("models") {
        let document = read(&source).unwrap();
        let findings = lint(&document, duration(&document));
        assert!(findings.is_empty(), "{name}: {findings:?}");
    }
}

#[test]
fn models_built_in_code_are_looked_at_too() {
    let (_, source) = &models("models/odd")
        .into_iter()
        .find(|(name, _)| name == "forgotten_body")
        .unwrap();
    let document = read(source).unwrap();
    let findings = lint_model(&document.model, None);
    assert_eq!(findings.len(), 1);
    assert_eq!(findings[0].severity, Severity::Warning);
    assert_eq!(
        (findings[0].part.as_str(), &findings[0].span),
        ("bob", &None)
    );
}

#[test]
fn overrides_are_found_at_the_header() {
    let source = "[[body]]\nname = \"a\"\nmass = 1\ninertia = 1\nangle = 0\n";
    let document = linkwork_mbs::text::read_with(source, &["a.angle=90"]).unwrap();
    let findings = lint(&document, None);
    let degrees = findings.iter().find(|f| f.rule == "degrees").unwrap();
    assert_eq!(&source[degrees.span.clone().unwrap()], "[[body]]");
}

/// A joint at a frame of a flexible body holds that body.
#[test]
fn frames_of_a_body_belong_to_it() {
    let (_, source) = models("models")
        .into_iter()
        .find(|(name, _)| name == "flexible_arm")
        .unwrap();
    let source = source.replace("body_b = \"upper\"", "body_b = \"upper.start\"");
    assert!(source.contains("upper.start\""));
    let document = read(&source).unwrap();
    let findings = lint(&document, duration(&document));
    let alone = findings.iter().find(|f| f.rule == "unattached");
    assert!(alone.is_none(), "{alone:?}");
}
