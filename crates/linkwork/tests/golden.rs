//! Every model in both coordinates by four methods: end states to the last bit, and the work that led
//! there, as kept in `golden/runs.txt`.
//!
//! A change that only moves code changes no bit here. One that changes the numerics on purpose writes
//! the table anew, and the difference of the file tells what became of every run:
//!
//! ```sh
//! UPDATE_GOLDEN=1 cargo test -p linkwork --test golden
//! ```

use linkwork::dae::drive::{Flow, Observer, ObserverError, View};
use linkwork::dae::state::State;
use linkwork::import::{Choices, urdf};
use linkwork::mbs::text::{self, Document};
use linkwork::options::Outputs;
use linkwork::{Options, Simulation, Verdict};
use std::fmt::Write;
use std::path::PathBuf;

/// Method and formulation.
const SCHEMES: &[(&str, Option<&str>)] = &[
    ("bdf", Some("ggl")),
    ("bdf", Some("index3")),
    ("gen-alpha", None),
    ("dop853", None),
];

/// Ends of runs that would take long, s.
const SHORT: &[(&str, f64)] = &[
    ("hmmwv", 0.1),
    ("passenger_car", 0.05),
    ("boarding_bridge", 0.4),
    ("stewart", 0.5),
    ("cardan_shaft", 0.5),
    ("spherical_pendulum", 2.0),
    ("rolling_disc", 2.0),
    ("chaplygin", 2.0),
    ("door", 1.0),
    ("suspension", 1.0),
    ("sampled", 0.5),
    ("stick_slip", 1.5),
    ("isolator", 3.0),
    ("egg", 0.3),
    ("elastic_slider_crank", 0.005),
    ("flexible_arm", 0.02),
    ("springboard", 2e-4),
    ("wheelset", 0.2),
    ("carriage", 0.1),
];

fn table() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden/runs.txt")
}

fn models() -> Vec<(String, Document)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let files = std::fs::read_dir(folder).expect("the folder of models");
    let mut files: Vec<PathBuf> = files.map(|f| f.expect("readable").path()).collect();
    files.sort();
    let mut models = Vec::new();
    for file in files {
        let source = || std::fs::read_to_string(&file).expect("readable");
        let source = match file.extension().and_then(|e| e.to_str()) {
            Some("toml") => source(),
            Some("urdf") => urdf::read(&source(), "a robot", &Choices::default())
                .expect("sound")
                .text(),
            _ => continue,
        };
        let name = file.file_stem().expect("a name").to_string_lossy();
        models.push((name.into_owned(), text::read(&source).expect("sound")));
    }
    assert!(models.len() >= 20);
    models
}

/// The last state of a run and what is seen of it.
#[derive(Default)]
struct Last {
    state: State,
    outputs: Vec<f64>,
}

impl Observer for Last {
    fn on_start(&mut self, view: &mut View<'_>) -> Result<(), ObserverError> {
        self.on_step(view).map(|_| ())
    }

    fn on_step(&mut self, view: &mut View<'_>) -> Result<Flow, ObserverError> {
        self.state = view.state().clone();
        self.outputs = vec![0.0; view.sys.channels().len()];
        view.sys.observe(&self.state, &mut self.outputs);
        Ok(Flow::Continue)
    }
}

/// Fowler, Noll and Vo's hash of 64 bits, variant 1a.
fn hash(bytes: impl IntoIterator<Item = u8>) -> u64 {
    bytes.into_iter().fold(0xcbf2_9ce4_8422_2325, |h, b| {
        (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3)
    })
}

fn hash_of(numbers: &[&[f64]]) -> u64 {
    let numbers = numbers.iter().flat_map(|x| x.iter());
    // zeros have a sign, which is no matter of motion
    hash(numbers.flat_map(|x| (x + 0.0).to_bits().to_le_bytes()))
}

/// First, middle and last of some numbers, all digits.
fn few(numbers: &[f64]) -> String {
    let n = numbers.len();
    let mut which = vec![0, n / 2, n.saturating_sub(1)];
    which.dedup();
    let shown = which.into_iter().filter_map(|i| numbers.get(i));
    let shown: Vec<String> = shown.map(|x| format!("{:.16e}", x + 0.0)).collect();
    shown.join(" ")
}

/// One line of the table: what was run, a colon, what came of it.
fn line(
    name: &str,
    document: &Document,
    coordinates: &str,
    scheme: (&str, Option<&str>),
) -> String {
    let (method, formulation) = scheme;
    let what = format!(
        "{name} {coordinates} {method} {}:",
        formulation.unwrap_or("-")
    );
    let chosen = Options::new().coordinates(coordinates);
    let simulation = match Simulation::from_document_with(document, chosen) {
        Ok(simulation) => simulation,
        Err(why) => return format!("{what} refused {why}"),
    };
    let t_end = SHORT.iter().find(|(n, _)| *n == name).map(|s| s.1);
    let own = simulation.given().rtol;
    let mut simulation = simulation.options(Options {
        t_end,
        method: Some(method.into()),
        formulation: formulation.map(str::to_string),
        // loose enough for all of them to take a moment
        rtol: own.or(Some(1e-4)),
        outputs: Some(Outputs::Uniform(1)),
        ..Options::default()
    });
    let names = simulation.system().channels().iter();
    let names = hash(names.flat_map(|c| format!("{} {};", c.name, c.unit).into_bytes()));
    let mut last = Last::default();
    let run = match simulation.run_with(&mut last) {
        Ok(run) => run,
        Err(why) => return format!("{what} refused {why}"),
    };
    let (s, stats) = (&last.state, &run.stats);
    let verdict = match run.verdict {
        Verdict::Failed => format!("failed at {:.3e}", run.t_last),
        _ => format!("t {:.6e}", s.t),
    };
    format!(
        "{what} {verdict} steps {} rejected {} evaluations {} factorisations {} state {:016x} \
         seen {:016x} names {names:016x} q {} v {} lambda {}",
        stats.steps,
        stats.rejected,
        stats.evaluations(),
        stats.factorisations,
        hash_of(&[&s.q, &s.v, &s.a, &s.lambda, &s.x]),
        hash_of(&[&last.outputs]),
        few(&s.q),
        few(&s.v),
        few(&s.lambda),
    )
}

/// What differs between two lines of the same run: counters, hashes, and numbers by how much.
fn difference(kept: &str, now: &str) -> String {
    let (mut words, mut label) = (Vec::new(), "");
    let [a, b] = [kept, now].map(|l| l.split_whitespace().collect::<Vec<_>>());
    if a.len() != b.len() {
        return format!("kept {kept}\n    now  {now}");
    }
    for (a, b) in a.into_iter().zip(b) {
        if a.chars().all(|c| c.is_alphabetic()) {
            label = a;
        }
        if a == b {
            continue;
        }
        words.push(match (a.parse::<f64>(), b.parse::<f64>()) {
            (Ok(x), Ok(y)) if a.contains('e') && label.len() != 5 => {
                format!("{label} {b} by {:.1e}", y - x)
            }
            _ => format!("{label} {a} -> {b}"),
        });
    }
    words.join(", ")
}

#[test]
fn every_run_ends_as_kept() {
    let mut now = Vec::new();
    for (name, document) in models() {
        for coordinates in ["absolute", "joint"] {
            for scheme in SCHEMES {
                now.push(line(&name, &document, coordinates, *scheme));
            }
        }
    }
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(table(), now.join("\n") + "\n").expect("writable");
        return;
    }
    let kept = std::fs::read_to_string(table()).expect("readable");
    let kept: Vec<&str> = kept.lines().collect();
    let mut report = String::new();
    let what = |line: &str| line.split(':').next().unwrap_or_default().to_string();
    for line in &now {
        match kept.iter().find(|k| what(k) == what(line)) {
            None => writeln!(report, "  {}: not in the table", what(line)),
            Some(k) if k == line => Ok(()),
            Some(k) => writeln!(report, "  {}: {}", what(line), difference(k, line)),
        }
        .expect("a string");
    }
    for k in kept
        .iter()
        .filter(|k| !now.iter().any(|l| what(l) == what(k)))
    {
        writeln!(report, "  {}: not run any more", what(k)).expect("a string");
    }
    assert!(
        report.is_empty(),
        "runs differ from tests/golden/runs.txt (UPDATE_GOLDEN=1 writes it anew):\n{report}"
    );
}
