//! Flexible bodies from files: a reduced finite-element beam, and what is wrong with files told by its number.

use linkwork::Simulation;
use linkwork::import::flexible::read_document;
use linkwork::import::{Choices, importer};
use linkwork::mbs::text;
use linkwork::modes::{Point, named_modes};
use std::path::{Path, PathBuf};

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
    let arrays = |name: &str| format!("arrays = \"{name}.npz\"");
    let cases = [
        (
            line("arrays"),
            arrays("skewed"),
            "are not orthogonal: their common inertia is 0.",
        ),
        (
            line("arrays"),
            arrays("soft"),
            "the stiffness of mode 1 is negative: -",
        ),
        (line("arrays"), arrays("light"), "mass"),
        (
            line("arrays"),
            arrays("millimetres"),
            "the centre of mass is at x = 1000 m by the arrays and 0.9999999999999998 m by the header",
        ),
        (
            line("arrays"),
            arrays("degrees"),
            "by 1.899e-2 times what its rotations make of their distances",
        ),
        (
            line("arrays"),
            arrays("loose"),
            "a mode moves without stiffness: the square of its angular frequency is 0.0e0 1/s^2, that of the highest 7.3e7",
        ),
        (
            line("arrays"),
            arrays("whole"),
            "mode 3 moves no mass, or as the body or other modes do: of its inertia",
        ),
        // a frame in millimetres that no mode turns
        (
            line("arrays"),
            arrays("far"),
            "frame `right` is 1999 m from the centre of mass, and masses are no farther than 1 m, 1999 times less",
        ),
        (
            line("inertia"),
            line("inertia").replace("13.73", "13730000.73"),
            "the moment of inertia about y is 13.73",
        ),
        (
            line("inertia"),
            "inertia = [1, 2]".to_string(),
            "has 3 numbers, not 2",
        ),
        (
            line("centre_of_mass"),
            String::new(),
            "the key `centre_of_mass` is missing",
        ),
        (
            line("inertia"),
            String::new(),
            "the key `inertia` is missing",
        ),
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
            "arrays = \"../flexible/rod.npz\"".to_string(),
            "beside the header",
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
            "frame `left` is at the last of 71 points, and there are 9 points to fix frames to",
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

/// A model with the rod in a file of its folder, clamped at its left end.
fn with_rod(keys: &str) -> String {
    format!(
        "[model]\nplanar = false\ngravity = [0, 0, -9.81]\n\
         [[body]]\nname = \"beam\"\nkind = \"modal\"\n{keys}\n\
         [[joint]]\nname = \"clamp\"\nkind = \"fixed\"\nbody_b = \"beam.left\"\n"
    )
}

/// Modes that are meant to share inertia are allowed where the header says so.
#[test]
fn modes_that_are_not_orthogonal_may_be_meant() {
    let skewed = header().replace("rod.npz", "skewed.npz");
    assert!(complaint(&skewed).is_some());
    let meant = skewed.replace("units =", "orthogonal = false\nunits =");
    assert_eq!(complaint(&meant), None);
}

/// `file` in a body stands for what the file tells; the model that is written has the numbers.
#[test]
fn a_body_may_be_a_file_beside_the_model() {
    let source = with_rod("file = \"rod.toml\"\nposition = [0.5, 0, 0]");
    let none: [&str; 0] = [];
    let document =
        read_document(&source, &none, Some(&folder())).unwrap_or_else(|e| panic!("{e:?}"));
    let body = &document.model.bodies[0];
    assert_eq!(body.frames(), ["beam", "beam.left", "beam.right"]);
    assert!((body.mass - 39.0).abs() < 1e-9 && body.position == [0.5, 0.0, 0.0]);
    let again = text::read(&document.to_text()).unwrap_or_else(|e| panic!("{e:?}"));
    assert_eq!(again.model.bodies, document.model.bodies);
    let run = Simulation::from_document(&document)
        .unwrap()
        .t_end(1e-3)
        .run();
    assert_ne!(run.unwrap().verdict, linkwork::Verdict::Failed);
}

#[test]
fn files_of_bodies_are_refused_by_name() {
    let none: [&str; 0] = [];
    let told = |source: &str, folder: Option<&Path>| {
        let errors = read_document(source, &none, folder).expect_err(source);
        let line = errors[0].line_column(source);
        (errors[0].message.clone(), line.map(|at| at.0))
    };
    let own = folder();
    let cases = [
        ("file = \"none.toml\"", "cannot read"),
        (
            "file = \"../flexible/rod.toml\"",
            "in the folder of the file that names it",
        ),
        (
            "file = \"/etc/passwd\"",
            "in the folder of the file that names it",
        ),
        ("file = \"rod.npz\"", "cannot read"),
        (
            "file = \"rod.toml\"\nstiffness = [1]",
            "tells its `stiffness`",
        ),
    ];
    for (keys, wanted) in cases {
        let (message, line) = told(&with_rod(keys), Some(&own));
        assert!(
            message.contains("`beam`") && message.contains(wanted),
            "{message}"
        );
        assert_eq!(line, Some(7), "{message}");
    }
    let planar = with_rod("file = \"rod.toml\"")
        .replace("planar = false\n", "")
        .replace(", -9.81", "");
    assert!(told(&planar, Some(&own)).0.contains("planar"));
    // text by itself has no folder
    let errors = text::read(&with_rod("file = \"rod.toml\"")).unwrap_err();
    assert!(
        errors.iter().any(|e| e.message.contains("folder")),
        "{errors:?}"
    );
}
