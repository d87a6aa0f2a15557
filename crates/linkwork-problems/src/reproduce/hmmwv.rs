//! A stiff vehicle over a bump: explicit steps against linearly implicit ones.
//!
//! The bump is a half cylinder of 0.1 m in diameter. A tyre is a spring that follows a road under its hub,
//! so the road is the path of a rigid wheel over it, less its radius:
//!
//! ```text
//!  z(x) = sqrt((R + r)^2 - (x - x_c)^2) - R   while that is above 0,    R = 0.471 m, r = 0.05 m
//! ```

use super::{Axis, Curve, Figure, Study, StudyRow};
use crate::study::{Outcome, Setup};
use cpu_time::ThreadTime;
use linkwork_dae::drive::{Ending, Flow, Observer, ObserverError, View};
use linkwork_dae::initial::Start;
use linkwork_mbs::Assembly;
use std::thread;
use std::time::Duration;

const MODEL: &str = include_str!("../../../../models/hmmwv.toml");
/// The chassis is the first body; its third coordinate is the height of its centre of mass.
const HEIGHT: usize = 2;
/// The road of the model, and that of the publication: met by the front wheels after 0.5 s.
const ROAD: &str = "0.05*max(0, 1 - ((x - 4.204165)/0.32)^2)^3";
const HALF_CYLINDER: &str = "max(0, sqrt(max(0.01, 0.521^2 - (x - 4.107)^2)) - 0.471)";
/// Where heights are compared with those of BDF at a tolerance of 1e-8.
const COMPARED: [f64; 3] = [1.0, 2.0, 4.0];
const ENDS: [f64; 4] = [1.0, 2.0, 3.0, 4.0];
const TOLERANCES: [f64; 4] = [1e-2, 1e-3, 1e-4, 1e-5];
/// A wheel is on the bump for 0.1 s; longer steps could leap over it.
const LONGEST: f64 = 0.05;
/// Tables 7 and 8: seconds to 1, 2, 3 and 4 s, for each tolerance.
const PRINTED_EXPLICIT: [[f64; 4]; 4] = [
    [3618.0, 7276.0, 10865.0, 14480.0],
    [3641.0, 7348.0, 11122.0, 14771.0],
    [3667.0, 7287.0, 10949.0, 14630.0],
    [3663.0, 7276.0, 10965.0, 14592.0],
];
const PRINTED_IMPLICIT: [[f64; 4]; 4] = [
    [5.6, 12.6, 13.0, 13.3],
    [13.2, 32.6, 36.3, 37.0],
    [40.7, 95.0, 105.0, 106.0],
    [172.0, 405.0, 422.0, 428.0],
];
/// What is run explicitly: a span with the front wheels on the bump.
const EXPLICIT: (f64, f64) = (0.55, 0.57);

const COLUMNS: [&str; 11] = [
    "time to 1 s, s",
    "time to 2 s, s",
    "time to 3 s, s",
    "time to 4 s, s",
    "times faster than adams to 1 s",
    "times faster than adams to 2 s",
    "times faster than adams to 3 s",
    "times faster than adams to 4 s",
    "steps to 4 s",
    "error of height, m",
    "height off after the short span, m",
];

/// Follows the height and takes the time; what it does itself does not count.
struct Path {
    clock: ThreadTime,
    own: Duration,
    times: Vec<f64>,
    heights: Vec<f64>,
    height: Vec<(f64, f64)>,
    step: Vec<(f64, f64)>,
}

impl Path {
    fn new() -> Path {
        Path {
            clock: ThreadTime::now(),
            own: Duration::ZERO,
            times: Vec::new(),
            heights: Vec::new(),
            height: Vec::new(),
            step: Vec::new(),
        }
    }

    /// Largest difference from the heights of another run.
    fn error(&self, exact: &[f64]) -> f64 {
        let errors = self.heights.iter().zip(exact);
        errors.map(|(z, e)| (z - e).abs()).fold(0.0, f64::max)
    }
}

impl Observer for Path {
    fn on_step(&mut self, view: &mut View<'_>) -> Result<Flow, ObserverError> {
        let began = ThreadTime::now();
        while ENDS.get(self.times.len()).is_some_and(|t| *t <= view.to) {
            let spent = began.duration_since(self.clock).saturating_sub(self.own);
            self.times.push(spent.as_secs_f64());
        }
        while let Some(&t) = COMPARED.get(self.heights.len()).filter(|t| **t <= view.to) {
            self.heights.push(view.motion(t).q[HEIGHT]);
        }
        self.height.push((view.to, view.state().q[HEIGHT]));
        self.step.push((view.to, view.to - view.from));
        self.own += began.elapsed();
        Ok(Flow::Continue)
    }
}

fn vehicle() -> Result<Assembly, String> {
    if MODEL.matches(ROAD).count() != 4 {
        return Err("the vehicle of the library has another road".into());
    }
    let text = MODEL.replace(ROAD, HALF_CYLINDER);
    let document = linkwork_mbs::text::read(&text).map_err(|e| format!("{e:?}"))?;
    linkwork_mbs::assemble(&document.model).map_err(|e| format!("{e:?}"))
}

fn setup(method: &'static str, formulation: &'static str, t_end: f64, tolerance: f64) -> Setup {
    let mut setup = Setup::new(method, formulation, t_end, tolerance);
    setup.plan.tolerances.atol_v = Some(tolerance);
    setup.plan.max_step = LONGEST;
    setup
}

fn run(setup: &Setup, sys: &mut Assembly, start: &Start) -> Result<(Path, Outcome), String> {
    let controller = setup.controller()?;
    let mut path = Path::new();
    let out = setup.run_from(sys, start, controller, &mut path)?;
    if out.ending != Ending::Finished {
        let (method, rtol) = (setup.method, setup.plan.tolerances.rtol);
        return Err(format!("{method}, tolerance {rtol:.0e}: {:?}", out.ending));
    }
    Ok((path, out))
}

/// A run over the span that is run explicitly, from the same state for every method.
struct Short {
    seconds: f64,
    steps: u64,
    height: f64,
}

fn short(method: &'static str, formulation: &'static str, tol: f64) -> Result<Short, String> {
    let (from, to) = EXPLICIT;
    let mut sys = vehicle()?;
    let lead = setup("bdf", "ggl", from, 1e-7);
    let mut start = lead.start(&mut sys)?;
    let (_, out) = run(&lead, &mut sys, &start)?;
    start.state.copy_from(&out.state);
    let clock = ThreadTime::now();
    let (_, out) = run(&setup(method, formulation, to, tol), &mut sys, &start)?;
    Ok(Short {
        seconds: clock.elapsed().as_secs_f64(),
        steps: out.stats.steps,
        height: out.state.q[HEIGHT],
    })
}

/// What explicit runs take to each end, in time and steps.
struct Explicit {
    times: [f64; 4],
    steps: f64,
    /// Error of the height, of runs over the whole way.
    error: Option<f64>,
    off: f64,
}

/// An explicit run over the short span, multiplied up.
fn explicit(
    method: &'static str,
    formulation: &'static str,
    tol: f64,
    exact: f64,
) -> Result<Explicit, String> {
    let s = short(method, formulation, tol)?;
    let per_second = 1.0 / (EXPLICIT.1 - EXPLICIT.0);
    Ok(Explicit {
        times: ENDS.map(|t| t * per_second * s.seconds),
        steps: (ENDS[3] * per_second * s.steps as f64).round(),
        error: None,
        off: (s.height - exact).abs(),
    })
}

/// A run over the whole way from the start.
fn whole(setup: &Setup) -> Result<([f64; 4], Path, Outcome), String> {
    let mut sys = vehicle()?;
    let start = setup.start(&mut sys)?;
    let (path, out) = run(setup, &mut sys, &start)?;
    let &[a, b, c, d] = &path.times[..] else {
        return Err(format!(
            "{}: {} ends passed",
            setup.method,
            path.times.len()
        ));
    };
    Ok(([a, b, c, d], path, out))
}

/// What Adams takes the whole way at each tolerance, in time and steps, and its error of height: side by side, because each
/// takes minutes. Times are of the processor.
fn adams_all_the_way(known: &[f64]) -> Result<Vec<([f64; 4], f64, f64)>, String> {
    let one = |tol: f64| {
        let (times, path, out) = whole(&setup("adams", "state-space", ENDS[3], tol))?;
        Ok((times, out.stats.steps as f64, path.error(known)))
    };
    thread::scope(|scope| {
        let runs = TOLERANCES.map(|tol| scope.spawn(move || one(tol)));
        let ended = runs.map(|run| run.join());
        let lost = || Err("a run of Adams was lost".to_string());
        ended
            .into_iter()
            .map(|run| run.unwrap_or_else(|_| lost()))
            .collect()
    })
}

/// The study; Adams runs the whole way.
pub(super) fn study() -> Result<Study, String> {
    with(true)
}

/// All explicit runs over the short span alone.
pub(super) fn brief() -> Result<Study, String> {
    with(false)
}

fn with(all_the_way: bool) -> Result<Study, String> {
    let exact = short("bdf", "ggl", 1e-9)?.height;
    let (_, known, _) = whole(&setup("bdf", "ggl", ENDS[3], 1e-8))?;
    let adams = match all_the_way {
        true => adams_all_the_way(&known.heights)?,
        false => Vec::new(),
    };
    let mut rows = Vec::new();
    let mut row = |label: String,
                   times: [f64; 4],
                   printed: Option<[f64; 4]>,
                   slowest: ([f64; 4], Option<[f64; 4]>),
                   others: [Option<f64>; 3]| {
        let ratios = |slow: [f64; 4], times: [f64; 4]| {
            std::array::from_fn::<_, 4, _>(|i| slow[i] / times[i])
        };
        let mut paper = printed.map_or(vec![None; 4], |p| p.map(Some).to_vec());
        paper.extend(match (printed, slowest.1) {
            (Some(own), Some(slow)) => ratios(slow, own).map(Some),
            _ => [None; 4],
        });
        paper.resize(COLUMNS.len(), None);
        let measured = times.into_iter().chain(ratios(slowest.0, times));
        rows.push(StudyRow {
            label,
            paper,
            measured: measured.map(Some).chain(others).collect(),
        });
    };
    let mut slowest = Vec::new();
    for (k, (tol, printed)) in TOLERANCES.into_iter().zip(PRINTED_EXPLICIT).enumerate() {
        let mut e = explicit("adams", "state-space", tol, exact)?;
        if let Some(&(times, steps, error)) = adams.get(k) {
            (e.times, e.steps, e.error) = (times, steps, Some(error));
        }
        let slow = (e.times, Some(printed));
        slowest.push(slow);
        let others = [Some(e.steps), e.error, Some(e.off)];
        let label = format!("adams state-space, tolerance {tol:.0e}");
        row(label, e.times, Some(printed), slow, others);
    }
    for (formulation, tolerances) in [("state-space", &TOLERANCES[..]), ("projected", &[1e-3])] {
        for &tol in tolerances {
            let e = explicit("dopri5", formulation, tol, exact)?;
            let at = TOLERANCES.iter().position(|t| *t == tol).unwrap_or(0);
            let label = format!("dopri5 {formulation}, tolerance {tol:.0e}");
            let others = [Some(e.steps), None, Some(e.off)];
            row(label, e.times, None, slowest[at], others);
        }
    }
    let (mut heights, mut steps) = (Vec::new(), Vec::new());
    for (method, formulation) in [
        ("rosenbrock", "state-space"),
        ("w", "state-space"),
        ("bdf", "ggl"),
        ("gen-alpha", "index3"),
    ] {
        for (k, tol) in TOLERANCES.into_iter().enumerate() {
            if method == "w" && tol < 1e-4 {
                // order 2 takes its time
                continue;
            }
            let setup = setup(method, formulation, ENDS[3], tol);
            let mut best = whole(&setup)?;
            // short runs are at the mercy of whatever else the machine does
            let repetitions = if method == "rosenbrock" { 2 } else { 0 };
            for _ in 0..repetitions {
                let again = whole(&setup)?;
                if again.0[3] < best.0[3] {
                    best = again;
                }
            }
            let (times, path, out) = best;
            let off = (short(method, formulation, tol)?.height - exact).abs();
            let label = format!("{method} {formulation}, tolerance {tol:.0e}");
            let printed = (method == "rosenbrock").then_some(PRINTED_IMPLICIT[k]);
            let others = [out.stats.steps as f64, path.error(&known.heights), off];
            row(label, times, printed, slowest[k], others.map(Some));
            let shown = match method {
                "rosenbrock" => [1e-2, 1e-3, 1e-5].contains(&tol),
                _ => tol == 1e-3,
            };
            if shown {
                let name = format!("{method}, {tol:.0e}");
                let curve = |points| Curve {
                    name: name.clone(),
                    points,
                };
                heights.push(curve(path.height));
                steps.push(curve(path.step));
            }
        }
    }
    let mut sys = vehicle()?;
    let explicit = setup("adams", "state-space", 2e-3, 1e-3);
    let start = explicit.start(&mut sys)?;
    let (path, _) = run(&explicit, &mut sys, &start)?;
    steps.push(Curve {
        name: "adams, 1e-3 (first 2 ms)".to_string(),
        points: path.step,
    });
    Ok(Study {
        columns: COLUMNS.to_vec(),
        rows,
        notes: notes(all_the_way),
        figures: vec![
            Figure {
                name: "height".to_string(),
                title: "Height of the chassis over the bump".to_string(),
                x: Axis::linear("time, s"),
                y: Axis::linear("height, m"),
                curves: heights,
            },
            Figure {
                name: "steps".to_string(),
                title: "Steps over the bump".to_string(),
                x: Axis::linear("time, s"),
                y: Axis::log("step, s"),
                curves: steps,
            },
        ],
    })
}

fn notes(all_the_way: bool) -> Vec<String> {
    let cut = if all_the_way {
        "Adams ran the whole way at all tolerances; runs of dopri5"
    } else {
        "In this short form of the study all explicit runs"
    };
    let cut = format!(
        "Explicit runs are limited by stability whatever the tolerance and the road. {cut} were made from \
         0.55 to 0.57 s, with the front wheels on the bump, and times and steps are those of this span \
         multiplied up. Everything implicit ran the whole way."
    );
    let notes = [
        "The vehicle is `models/hmmwv.toml`: 84 coordinates, 74 constraints, springs of 2e7 N/m with \
         dampers of 2e6 N s/m, fastest eigenvalue -2.6e5 1/s. The publication prints neither masses \
         nor points, so its vehicle is another one with the same springs, dampers, tyres, speed, \
         bump and eigenvalue. The bump is the published half cylinder of 0.1 m, as a rigid wheel of the \
         tyre's radius meets it: after 0.5 s, for 0.45 m.",
        "The published explicit integrator is of Adams type (DDEABM) on the state space, as \
         `adams` is; its mean step is printed as between 1e-5 and 1e-6 s, whatever the tolerance. Tolerances are \
         those of positions and velocities alike.",
        cut.as_str(),
        "The printed times are of an SGI Onyx, so that ratios compare: explicit over implicit, 1089 to 34 \
         to 4 s. Those here are larger where Rosenbrock-Nystrom takes its derivatives exactly and needs \
         few steps, and shrink with the tolerance less, because its error test lets steps grow as the fourth root \
         of the tolerance.",
        "Error of height: the largest at 1, 2 and 4 s against BDF at 1e-8. After the short span: heights at \
         0.57 s of runs that begin at 0.55 s in the same state, against BDF at 1e-9. Steps are at most 0.05 s long, \
         because longer ones could leap over the bump.",
        "Times are of the processor, of one run each, the best of three for Rosenbrock-Nystrom; runs of Adams are made side by \
         side.",
        "The constraint and freedom counts of the publication (79 + 1, 18) do not fit the bodies and \
         joints that it lists, which give 74 and 10.",
    ];
    notes.map(str::to_string).to_vec()
}
