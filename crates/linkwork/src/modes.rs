//! Natural modes of a model about one of its states, with names for what moves.

use crate::balance::make_dir;
use crate::doubts::Doubt;
use crate::explain::{self, Explanation};
use crate::notes::Note;
use crate::run::{Ending, Verdict};
use crate::settings::OptionError;
use crate::simulation::Simulation;
use crate::start::about_start;
use crate::store::{StoreError, write};
use linkwork_dae::drive::{Flow, Observer, ObserverError, View};
use linkwork_dae::eigen::Complex;
use linkwork_dae::equilibrium::equilibrium;
use linkwork_dae::initial::Start;
use linkwork_dae::linearise::{EigenMode, LineariseError, linearise, modes};
use linkwork_dae::state::State;
use linkwork_dae::system::{Row, System};
use serde::Serialize;
use std::path::Path;

/// Name of the file with one row per mode.
pub const MODES_FILE: &str = "modes.csv";
/// Name of the file with the mode shapes, one row per mode and coordinate.
pub const SHAPES_FILE: &str = "shapes.csv";
/// Name of the file with the shares of bodies, one row per mode and body.
pub const SHARES_FILE: &str = "shares.csv";
/// Name of the file with the outcome.
pub const OUTCOME_FILE: &str = "modes.json";

/// Shares of the kinetic energy below this are not named.
const NAMED_SHARE: f64 = 0.01;
/// Shares below this are rounding.
const ROUNDING: f64 = 1e-14;
/// Accelerations above this (in sizes of the mechanism per second squared) make a state no
/// equilibrium.
const AT_REST: f64 = 1e-6;

/// Unknowns up to which a state that moves is looked at in the other coordinates too.
const REPEATED: usize = 500;
/// Eigenvalues that differ by more of their size are others, unless they are slower than this share of the fastest.
const DIFFERENT: f64 = 1e-3;
const ROUNDED: f64 = 1e-3;

/// The state that a model is linearised about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Point {
    /// The consistent start.
    Start,
    /// The equilibrium that the start settles to.
    Equilibrium,
    /// The end of a simulation.
    End,
}

impl Point {
    /// Every point, with its word.
    pub const ALL: [(&'static str, Point); 3] = [
        ("start", Point::Start),
        ("equilibrium", Point::Equilibrium),
        ("end", Point::End),
    ];

    /// The word on the command line.
    pub fn word(self) -> &'static str {
        Point::ALL
            .iter()
            .find(|(_, p)| *p == self)
            .map_or("", |(w, _)| w)
    }
}

/// A body that takes part in a mode.
///
/// Energies of bodies, and of their translation and rotation, add up, and none is negative: shares do not
/// depend on the coordinates. Those of a vibration are means over its period.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Share {
    /// Its name.
    pub part: String,
    /// Share of the kinetic energy, 0 to 1.
    pub energy: f64,
    /// The part of it in the rotation about the centre of mass; `None` where the system does not tell.
    pub rotation: Option<f64>,
}

/// The change of one coordinate or state in a mode.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Entry {
    /// The coordinate in words.
    pub coordinate: String,
    /// The part it belongs to.
    pub part: String,
    /// Real part; the largest entry of a mode is 1 in its typical size (m or rad).
    pub re: f64,
    /// Imaginary part.
    pub im: f64,
    /// Size.
    pub amplitude: f64,
    /// Phase, degrees.
    pub phase_deg: f64,
}

/// One mode with names.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NamedMode {
    /// Number, from 1, slowest first.
    pub number: usize,
    /// Frequency of the vibration, Hz; 0 for an aperiodic mode.
    pub frequency_hz: f64,
    /// Frequency without damping, Hz.
    pub natural_hz: f64,
    /// Share of critical damping; negative when the mode grows.
    pub damping_ratio: f64,
    /// Real part of the eigenvalue, 1/s.
    pub re: f64,
    /// Imaginary part of the eigenvalue, rad/s.
    pub im: f64,
    /// "vibration", "decay", "growth", "growing vibration", "free", "free drift", or "unsettled":
    /// growth that is slower than the state itself changes.
    pub kind: &'static str,
    /// Bodies by their share of the kinetic energy, largest first; shares sum up to 1. Empty where
    /// nothing with inertia moves, or the system does not tell its bodies apart.
    pub parts: Vec<Share>,
    /// What moves, in words.
    pub words: String,
    /// Coordinates and states that take part.
    pub shape: Vec<Entry>,
    /// Change of every coordinate, real and imaginary part.
    #[serde(skip)]
    pub motion: Vec<[f64; 2]>,
}

/// The modes of a model; serialises to the object of `--json`.
#[derive(Clone, Debug, Serialize)]
pub struct Modes {
    /// Name of the model.
    pub model: String,
    /// What the result is worth.
    pub verdict: Verdict,
    /// What speaks against it.
    pub doubts: Vec<Doubt>,
    /// What it means.
    pub notes: Vec<Note>,
    /// The point linearised about: "start", "equilibrium" or "end".
    pub at: &'static str,
    /// Its time, s.
    pub t: f64,
    /// Degrees of freedom; `None` without a start.
    pub dof: Option<usize>,
    /// Whether no mode grows; `None` without modes.
    pub stable: Option<bool>,
    /// The modes, slowest first.
    pub modes: Vec<NamedMode>,
    /// Why there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<Explanation>,
    /// Files that were written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// The state linearised about.
    #[serde(skip)]
    pub state: Option<State>,
}

/// Keeps the last state of a run, with consistent accelerations and multipliers.
struct Last(Option<State>);

impl Observer for Last {
    fn on_step(&mut self, view: &mut View<'_>) -> Result<Flow, ObserverError> {
        let t = view.to;
        self.0 = view.consistent(t).ok().cloned();
        Ok(Flow::Continue)
    }
}

/// Linearises a model and finds its modes. Options matter for [`Point::End`] only. Euler parameters are no frame to
/// freeze a motion in, because they change along it even where it is steady: the simulation becomes one with rotation
/// vectors.
pub fn named_modes(simulation: &mut Simulation, point: Point) -> Result<Modes, OptionError> {
    if let Some(same) = simulation.in_rotation_vectors() {
        *simulation = same;
    }
    let mut outcome = Modes {
        model: simulation.name().to_string(),
        verdict: Verdict::Failed,
        doubts: Vec::new(),
        notes: Vec::new(),
        at: point.word(),
        t: simulation.system().facts().guess.t,
        dof: None,
        stable: None,
        modes: Vec::new(),
        failure: None,
        files: Vec::new(),
        state: None,
    };
    let start = match simulation.start() {
        Ok(start) => start,
        Err(why) => {
            outcome.failure = Some(explain::no_start(simulation.system(), &why));
            return Ok(outcome);
        }
    };
    let mut last = Last(None);
    if point == Point::End {
        // what the run leaves in the system (held outputs, the base of a chart) belongs to its end
        let run = simulation.run_with(&mut last)?;
        outcome.doubts.extend(run.doubts.iter().cloned());
        if let Ending::Failed(why) = run.ending {
            outcome.failure = Some(why);
            return Ok(outcome);
        }
    }
    outcome.dof = Some(start.report.dof);
    let sys = simulation.system();
    let (of_start, _) = about_start(sys, &start.report, false);
    let singular = of_start
        .into_iter()
        .filter(|d| matches!(d, Doubt::Singular { .. }));
    outcome.doubts.extend(singular);
    let state = match (point, last.0) {
        (Point::Equilibrium, _) => match equilibrium(sys, &start) {
            Ok(found) => found.state,
            Err(why) => {
                outcome.failure = Some(Explanation {
                    t: start.state.t,
                    cause: format!("no equilibrium: {why}"),
                    attempts: Vec::new(),
                    advice: vec!["a search for the equilibrium alone tells more".into()],
                });
                return Ok(outcome);
            }
        },
        (Point::End, Some(state)) => state,
        _ => start.state.clone(),
    };
    outcome.t = state.t;
    outcome.state = Some(state.clone());
    find(sys, &start, &state, &mut outcome);
    let small = sys.dims().nv <= REPEATED;
    let moves = outcome.notes.iter().any(|n| matches!(n, Note::Frozen(_)));
    if point == Point::Start && moves && small {
        outcome.notes.extend(others(simulation, &outcome.modes));
    }
    Ok(outcome)
}

/// Modes of a state that moves depend on the coordinates that it is frozen in: tells where the other ones disagree.
fn others(simulation: &Simulation, mine: &[NamedMode]) -> Option<Note> {
    let mut other = simulation.in_other_coordinates()?;
    let coordinates = other.given().coordinates.clone()?;
    let start = other.start().ok()?;
    let system = linearise(other.system(), &start.state, &start.rows).ok()?;
    let theirs = modes(&system).ok()?;
    let value = |m: &EigenMode| [m.value.re, m.value.im];
    let theirs: Vec<[f64; 2]> = theirs.iter().map(value).collect();
    let mine: Vec<[f64; 2]> = mine.iter().map(|m| [m.re, m.im]).collect();
    let size = |[re, im]: [f64; 2]| re.hypot(im);
    let apart = |a: [f64; 2], b: [f64; 2]| size([a[0] - b[0], a[1] - b[1]]);
    let nearest = |x: [f64; 2], among: &[[f64; 2]]| {
        let all = among.iter().copied();
        all.min_by(|a, b| apart(x, *a).total_cmp(&apart(x, *b)))
    };
    // zeros are numbered differently where directions depend on each other; rounding of zeros is none
    let largest = (mine.iter().chain(&theirs)).fold(0.0f64, |m, x| m.max(size(*x)));
    let pairs = mine
        .iter()
        .filter_map(|x| Some([*x, nearest(*x, &theirs)?]));
    let back = theirs
        .iter()
        .filter_map(|x| Some([nearest(*x, &mine)?, *x]));
    let worst =
        (pairs.chain(back)).max_by(|a, b| apart(a[0], a[1]).total_cmp(&apart(b[0], b[1])))?;
    let bound = DIFFERENT * size(worst[0]).max(size(worst[1])).max(ROUNDED * largest);
    (apart(worst[0], worst[1]) > bound).then_some(Note::OtherModes {
        coordinates,
        values: worst,
    })
}

fn find(sys: &mut dyn System, start: &Start, state: &State, outcome: &mut Modes) {
    let found = linearise(sys, state, &start.rows).and_then(|system| {
        let found = modes(&system)?;
        Ok((found, system.motions.names))
    });
    let (found, bodies) = match found {
        Ok(found) => found,
        Err(why) => {
            outcome.failure = Some(why_none(sys, &why, state.t));
            return;
        }
    };
    let scale = sizes(sys);
    let fastest = (state
        .a
        .iter()
        .chain(&state.v)
        .zip(scale.iter().chain(&scale)))
    .fold(0.0f64, |m, (x, s)| m.max((x / s).abs()));
    if fastest > AT_REST {
        outcome.notes.push(Note::Frozen(fastest));
    }
    // A state that accelerates by `alpha` sizes per s^2 is another one after 1/sqrt(alpha): slower
    // growth is none of its properties.
    let alpha = (state.a.iter().zip(&scale)).fold(0.0f64, |m, (x, s)| m.max((x / s).abs()));
    let settled = |mode: &EigenMode| mode.value.abs().powi(2) > alpha;
    outcome.stable = Some(!found.iter().any(|m| m.is_unstable() && settled(m)));
    outcome.modes = (found.iter().enumerate())
        .map(|(k, mode)| NamedMode {
            kind: kind(mode, settled(mode)),
            ..named(sys, k + 1, mode, &scale, &bodies)
        })
        .collect();
    outcome.verdict = Verdict::of(false, &outcome.doubts);
}

fn sizes(sys: &dyn System) -> Vec<f64> {
    sys.facts().scale.clone()
}

fn kind(mode: &EigenMode, settled: bool) -> &'static str {
    if mode.is_unstable() && !settled {
        return "unsettled";
    }
    match (mode.is_zero(), mode.value.im > 0.0, mode.is_unstable()) {
        (true, _, _) if mode.drifts => "free drift",
        (true, _, _) => "free",
        (_, true, false) => "vibration",
        (_, true, true) => "growing vibration",
        (_, false, false) => "decay",
        (_, false, true) => "growth",
    }
}

fn named(
    sys: &dyn System,
    number: usize,
    mode: &EigenMode,
    scale: &[f64],
    bodies: &[String],
) -> NamedMode {
    let entry = |row: Row, x: &Complex| Entry {
        coordinate: sys.describe(row),
        part: sys.owner(row),
        re: x.re,
        im: x.im,
        amplitude: x.abs(),
        phase_deg: x.phase().to_degrees(),
    };
    let mut shape: Vec<Entry> = (mode.dq.iter().enumerate())
        .map(|(i, x)| entry(Row::Position(i), x))
        .collect();
    shape.extend((mode.dx.iter().enumerate()).map(|(i, x)| entry(Row::State(i), x)));

    let mut parts: Vec<Share> = (bodies.iter().zip(&mode.shares))
        .filter(|(_, share)| share.energy > ROUNDING)
        .map(|(name, share)| Share {
            part: name.clone(),
            energy: share.energy,
            rotation: share.rotation,
        })
        .collect();
    // bodies in their order where shares differ by rounding only
    parts.sort_by(|a, b| {
        let rounded = |p: &Share| (p.energy * 1e6).round();
        rounded(b).total_cmp(&rounded(a))
    });
    let words = words(mode, &shape, &parts, scale);
    shape.retain(|e| e.amplitude > 0.0);
    NamedMode {
        number,
        frequency_hz: mode.frequency(),
        natural_hz: mode.natural_frequency(),
        damping_ratio: mode.damping_ratio(),
        re: mode.value.re,
        im: mode.value.im,
        kind: kind(mode, true),
        parts,
        words,
        shape,
        motion: mode.dq.iter().map(|x| [x.re, x.im]).collect(),
    }
}

/// "wheel 83 %, chassis 17 %; most: body `wheel`, y".
fn words(mode: &EigenMode, shape: &[Entry], parts: &[Share], scale: &[f64]) -> String {
    let mut words: Vec<String> = (parts.iter().take(3))
        .filter(|p| p.energy >= NAMED_SHARE)
        .map(|p| format!("{} {:.0} %", p.part, 100.0 * p.energy))
        .collect();
    if mode.dq.iter().all(|x| *x == Complex::ZERO) {
        words.push("no inertia moves".into());
    }
    let relative = |i: usize| match scale.get(i) {
        Some(s) => shape[i].amplitude / s,
        // states are measured in their own size, which has set the largest entry to 1
        None => shape[i].amplitude,
    };
    let mut best = (0, 0.0);
    for i in 0..mode.dq.len() + mode.dx.len() {
        if relative(i) > best.1 * (1.0 + 1e-9) {
            best = (i, relative(i));
        }
    }
    match shape.get(best.0) {
        Some(e) if words.is_empty() => format!("most: {}", e.coordinate),
        Some(e) => format!("{}; most: {}", words.join(", "), e.coordinate),
        None => words.join(", "),
    }
}

fn why_none(sys: &dyn System, why: &LineariseError, t: f64) -> Explanation {
    let (cause, advice) = match why {
        LineariseError::Eval(e) => (format!("no value: {e}"), "look at the part that is named"),
        LineariseError::NoDerivatives => (
            "the system gives no derivatives".to_string(),
            "give it a `linearise` of its own",
        ),
        LineariseError::SingularPose { row } => (
            format!(
                "the pose is singular: {} depends on the other constraints",
                sys.describe(*row)
            ),
            "move the mechanism a little away from this pose",
        ),
        LineariseError::Massless { row } => (
            format!("a free direction has no inertia: {}", sys.describe(*row)),
            "give the body a mass or moment of inertia, or hold it with a joint",
        ),
        LineariseError::Undetermined { row } => (
            format!("{} is not determined by its equation", sys.describe(*row)),
            "look at the equation of this control",
        ),
        LineariseError::Eigen(e) => (e.to_string(), "check the units: numbers may be extreme"),
    };
    Explanation {
        t,
        cause,
        attempts: Vec::new(),
        advice: vec![advice.into()],
    }
}

impl Modes {
    /// The object as one line of JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Writes modes, shapes and the outcome; names the files.
    pub fn store(&mut self, dir: &Path) -> Result<(), StoreError> {
        make_dir(dir)?;
        for file in [MODES_FILE, SHAPES_FILE, SHARES_FILE, OUTCOME_FILE] {
            self.files.push(dir.join(file).display().to_string());
        }
        write(dir, MODES_FILE, |out| {
            let mut csv = csv::Writer::from_writer(out);
            csv.write_record([
                "mode",
                "frequency_hz",
                "natural_hz",
                "damping_ratio",
                "re_1_s",
                "im_rad_s",
                "kind",
                "words",
            ])?;
            for m in &self.modes {
                let n = m.number.to_string();
                let numbers = [m.frequency_hz, m.natural_hz, m.damping_ratio, m.re, m.im];
                let [f, natural, damping, re, im] = numbers.map(|x| format!("{x:?}"));
                csv.write_record([&n, &f, &natural, &damping, &re, &im, m.kind, &m.words])?;
            }
            csv.flush()
        })?;
        write(dir, SHAPES_FILE, |out| {
            let mut csv = csv::Writer::from_writer(out);
            csv.write_record([
                "mode",
                "part",
                "coordinate",
                "re",
                "im",
                "amplitude",
                "phase_deg",
            ])?;
            for m in &self.modes {
                for e in &m.shape {
                    let n = m.number.to_string();
                    let numbers = [e.re, e.im, e.amplitude, e.phase_deg];
                    let [re, im, size, phase] = numbers.map(|x| format!("{x:?}"));
                    csv.write_record([&n, &e.part, &e.coordinate, &re, &im, &size, &phase])?;
                }
            }
            csv.flush()
        })?;
        write(dir, SHARES_FILE, |out| {
            let mut csv = csv::Writer::from_writer(out);
            csv.write_record(["mode", "part", "energy", "rotation"])?;
            for m in &self.modes {
                for p in &m.parts {
                    let rotation = p.rotation.map_or(String::new(), |x| format!("{x:?}"));
                    let energy = format!("{:?}", p.energy);
                    csv.write_record([&m.number.to_string(), &p.part, &energy, &rotation])?;
                }
            }
            csv.flush()
        })?;
        let text = serde_json::to_string_pretty(self).unwrap_or_default();
        write(dir, OUTCOME_FILE, |out| writeln!(out, "{text}"))
    }
}
