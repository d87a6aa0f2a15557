//! Flexible bodies from files: a reduced finite-element beam, and what is wrong with files told by its number.

use linkwork::Simulation;
use linkwork::import::{Choices, importer};
use linkwork::mbs::text;
use linkwork::modes::{Point, named_modes};
use std::path::PathBuf;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/flexible")
}

fn header() -> String {
    std::fs::read_to_string(folder().join("rod.toml")).unwrap()
}

/// The first complaint about a header beside the arrays, or none.
fn complaint(header: &str) -> Option<String> {
    let file = folder().join("rod.toml").display().to_string();
    let format = importer(header, &file).expect("known by its looks");
    let read = (format.read)(header, &file, &Choices::default());
    read.err().map(|errors| errors[0].message.clone())
}

/// Six elements with lumped masses: the lowest frequency of the free beam within some per cent, and the same told.
#[test]
fn a_reduced_beam_is_a_model() {
    let file = folder().join("rod.toml").display().to_string();
    let source = header();
    let format = importer(&source, &file).unwrap();
    let import = (format.read)(&source, &file, &Choices::default()).unwrap();
    let document = text::read(&import.text()).unwrap();
    assert_eq!(
        document.model.bodies[0].frames(),
        ["rod", "rod.left", "rod.right"]
    );
    let mut simulation = Simulation::from_document(&document).unwrap();
    let modes = named_modes(&mut simulation, Point::Start).unwrap();
    let found = modes
        .modes
        .iter()
        .map(|m| m.natural_hz)
        .filter(|f| *f > 1.0);
    let found = found.fold(f64::INFINITY, f64::min);
    let told = source
        .split("frequencies_hz = [")
        .nth(1)
        .and_then(|s| s.split(',').next());
    let told: f64 = told.unwrap().parse().unwrap();
    assert!((found / told - 1.0).abs() < 1e-6, "{found} {told}");
}

#[test]
fn what_does_not_fit_is_refused_with_its_number() {
    let sound = header();
    assert_eq!(complaint(&sound), None);
    let line = |key: &str| {
        let found = sound.lines().find(|l| l.starts_with(&format!("{key} =")));
        found.unwrap().to_string()
    };
    let cases = [
        (line("mass"), "mass = 39000".to_string(), "times as much"),
        (line("mass"), String::new(), "the key `mass` is missing"),
        (
            line("frequencies_hz"),
            line("frequencies_hz").replace("60.06221405113843", "60062.21405113843"),
            "times as much",
        ),
        (line("modes"), "modes = 3".to_string(), "has the shape"),
        (
            line("arrays"),
            "arrays = \"none.npz\"".to_string(),
            "cannot read",
        ),
        (
            line("arrays"),
            "arrays = \"rod.toml\"".to_string(),
            "no zip archive",
        ),
        (
            line("units"),
            "units = \"mm\"".to_string(),
            "units are `mm`",
        ),
        (
            line("frequencies_hz"),
            "frequencies_hz = [58]".to_string(),
            "1 frequencies for",
        ),
        (
            "\"left\" = 7".to_string(),
            "\"left\" = 70".to_string(),
            "points to fix frames to",
        ),
        (
            line("units"),
            line("units") + "\ncolour = 1",
            "unknown key `colour`",
        ),
    ];
    for (old, new, wanted) in cases {
        let told = complaint(&sound.replacen(&old, &new, 1));
        assert!(
            told.as_ref().is_some_and(|t| t.contains(wanted)),
            "{new}: {told:?}"
        );
    }
}
