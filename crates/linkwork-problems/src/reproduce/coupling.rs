//! Local errors of explicit co-simulation and their estimates: orders, effectivity, adaptive runs.

use super::{Axis, Curve, Figure, Study, StudyRow};
use crate::two_mass::{Cross, Half, exact, members};
use linkwork_dae::cosim::account::Ending;
use linkwork_dae::cosim::{Approach, MAX_DEGREE, Plan, Report, Signal, Subsystem, conduct};

/// Macro steps for the orders.
const STEPS: [f64; 4] = [0.1, 0.05, 0.025, 0.0125];
/// The past of a step as multiples of it: an irregular grid. The step itself is 0.8 of it.
const GAPS: [f64; 5] = [1.0, 0.7, 1.4, 0.9, 1.2];
const LAST_GAP: f64 = 0.8;
/// Instants over which errors are averaged: at single ones a derivative may vanish.
const INSTANTS: usize = 16;
const T_END: f64 = 10.0;

/// Errors and estimates of one macro step, positions and velocities each.
#[derive(Clone, Copy, Debug, Default)]
pub struct Local {
    /// True errors: extrapolation, then interpolation; position, then velocity.
    pub error: [[f64; 2]; 2],
    /// Estimates of these.
    pub estimate: [[f64; 2]; 2],
}

/// One macro step of degree `k` from exact values at `t`, with the macro step `h` of an irregular
/// grid.
pub fn local(k: usize, t: f64, h: f64) -> Local {
    let mut signals = [Signal::default(); 4];
    let mut times = vec![t];
    for gap in &GAPS[..=k] {
        times.push(times[times.len() - 1] - gap * h);
    }
    for &t in times.iter().rev() {
        let z = exact(t);
        for (signal, u) in signals.iter_mut().zip([z[2], z[3], z[0], z[1]]) {
            signal.push(t, u);
        }
    }
    let to = t + LAST_GAP * h;
    let (now, end) = (exact(t), exact(to));
    let mut out = Local::default();
    let mut squares = [[[0.0; 2]; 2]; 3];
    for side in 0..2 {
        let own = [0, 1].map(|i| signals[2 * side + i].approximate(k, to));
        let [Some(x), Some(v)] = own else { continue };
        let courses = [
            [x.extrapolation, v.extrapolation],
            [x.interpolation, v.interpolation],
        ];
        let ends = courses.map(|inputs| {
            let mut half = Half::new(side, 1.0).at(t, now[2 * side], now[2 * side + 1]);
            // a half with exact series has nothing to fail at
            let _ = half.advance(to, &inputs);
            half.state()
        });
        let shares = [x.shares.position, x.shares.velocity];
        for level in 0..2 {
            let apart = ends[0][level] - ends[1][level];
            for (run, end_of_run) in ends.iter().enumerate() {
                let error = end_of_run[level] - end[2 * side + level];
                squares[0][run][level] += error * error;
                let share = if run == 0 {
                    shares[level]
                } else {
                    1.0 - shares[level]
                };
                squares[1][run][level] += (share * apart).powi(2);
            }
        }
    }
    for run in 0..2 {
        for level in 0..2 {
            out.error[run][level] = squares[0][run][level].sqrt();
            out.estimate[run][level] = squares[1][run][level].sqrt();
        }
    }
    out
}

/// Root mean square of [`local`] over instants from 1 s to 4 s.
pub fn mean(k: usize, h: f64) -> Local {
    let mut out = Local::default();
    for i in 0..INSTANTS {
        let one = local(k, 1.0 + 3.0 * i as f64 / (INSTANTS - 1) as f64, h);
        for run in 0..2 {
            for level in 0..2 {
                out.error[run][level] += one.error[run][level].powi(2) / INSTANTS as f64;
                out.estimate[run][level] += one.estimate[run][level].powi(2) / INSTANTS as f64;
            }
        }
    }
    for run in 0..2 {
        for level in 0..2 {
            out.error[run][level] = out.error[run][level].sqrt();
            out.estimate[run][level] = out.estimate[run][level].sqrt();
        }
    }
    out
}

/// An adaptive run to 10 s; returns its account and the largest error at its end.
pub fn adaptive(k: usize, approach: Approach, rtol: f64) -> Result<(Report, f64), String> {
    let mut plan = Plan::new(T_END, rtol);
    plan.degree = k;
    plan.approach = approach;
    let mut last = LastInputs::default();
    let report = conduct(members(rtol), &mut Cross::default(), &plan, &mut last);
    if report.ending != Ending::Finished {
        return Err(format!(
            "degree {k}, tolerance {rtol:e}: {:?}",
            report.ending
        ));
    }
    let z = exact(T_END);
    let error = last.0.iter().zip([z[2], z[3], z[0], z[1]]);
    let error = error.fold(0.0, |m: f64, (u, z)| m.max((u - z).abs()));
    Ok((report, error))
}

/// Keeps the inputs at the last macro point: the motion of both halves.
#[derive(Default)]
struct LastInputs(Vec<f64>);

impl linkwork_dae::cosim::Watch for LastInputs {
    fn on_step(
        &mut self,
        step: &linkwork_dae::cosim::MacroStep,
        inputs: &[f64],
    ) -> linkwork_dae::drive::Flow {
        if step.accepted {
            self.0.clear();
            self.0.extend(inputs);
        }
        linkwork_dae::drive::Flow::Continue
    }
}

const NAMES: [&str; 2] = ["extrapolation", "interpolation"];
const TOLERANCES: [f64; 5] = [1e-3, 1e-4, 1e-5, 1e-6, 1e-7];

pub(super) fn study() -> Result<Study, String> {
    let mut rows = Vec::new();
    let mut position = Vec::new();
    let mut velocity = Vec::new();
    for k in 0..=MAX_DEGREE {
        let found = STEPS.map(|h| mean(k, h));
        for run in 0..2 {
            let order = |level: usize| {
                let [.., a, b] = found.map(|f| f.error[run][level]);
                (a / b).log2()
            };
            let sharp =
                |i: usize, level: usize| found[i].estimate[run][level] / found[i].error[run][level];
            let values = [
                order(0),
                order(1),
                sharp(0, 0),
                sharp(2, 0),
                sharp(0, 1),
                sharp(2, 1),
            ];
            let mut measured = values.map(Some).to_vec();
            measured.resize(COLUMNS.len(), None);
            let mut paper = vec![Some(k as f64 + 3.0), Some(k as f64 + 2.0)];
            paper.resize(COLUMNS.len(), None);
            rows.push(StudyRow {
                label: format!("degree {k}, {}", NAMES[run]),
                paper,
                measured,
            });
            let points = |level: usize| {
                let all = STEPS.iter().zip(&found);
                all.map(|(h, f)| (*h, f.error[run][level])).collect()
            };
            let name = format!("degree {k}, {}", NAMES[run]);
            position.push(Curve {
                name: name.clone(),
                points: points(0),
            });
            velocity.push(Curve {
                name,
                points: points(1),
            });
        }
    }
    let mut steps = Vec::new();
    for (a, approach) in [Approach::Extrapolation, Approach::Interpolation]
        .into_iter()
        .enumerate()
    {
        for rtol in TOLERANCES {
            let (report, error) = adaptive(2, approach, rtol)?;
            let mut measured = vec![None; COLUMNS.len() - 3];
            measured.extend([
                Some(report.accepted as f64),
                Some(report.rejected as f64),
                Some(error / rtol),
            ]);
            rows.push(StudyRow {
                label: format!(
                    "adaptive to 10 s, degree 2, {}, tolerance {rtol:e}",
                    NAMES[a]
                ),
                paper: vec![None; COLUMNS.len()],
                measured,
            });
            if rtol == 1e-5 {
                let accepted = report.steps.iter().filter(|s| s.accepted);
                steps.push(Curve {
                    name: NAMES[a].to_string(),
                    points: accepted.map(|s| (s.t, s.h)).collect(),
                });
            }
        }
    }
    Ok(Study {
        columns: COLUMNS.to_vec(),
        rows,
        notes: NOTES.map(str::to_string).to_vec(),
        figures: figures(position, velocity, steps),
    })
}

const COLUMNS: [&str; 9] = [
    "order, position",
    "order, velocity",
    "est/true, position, H = 0.1",
    "est/true, position, H = 0.025",
    "est/true, velocity, H = 0.1",
    "est/true, velocity, H = 0.025",
    "macro steps",
    "rejected",
    "error at the end / tolerance",
];

const NOTES: [&str; 4] = [
    "Two masses on springs, cut in the middle; each half gets place and velocity of the other as a \
     polynomial and is solved by Taylor series to rounding, so that the coupling error is alone.",
    "Orders and ratios of estimate to true error: one macro step from exact values on an irregular \
     grid (steps of H times 0.8, 1, 0.7, 1.4, 0.9, 1.2), root mean square over 16 instants; orders \
     between H = 0.025 and 0.0125.",
    "The estimate of the interpolated run is too small while H is large (its true error is smaller \
     than that of the extrapolated one); the step control multiplies it by 2.",
    "The publication proves the orders k + 3 and k + 2 and prints no numbers for this example; the \
     other entries of its side are empty.",
];

fn figures(position: Vec<Curve>, velocity: Vec<Curve>, steps: Vec<Curve>) -> Vec<Figure> {
    let k = 2;
    let along = |pick: fn(&Local) -> f64, name: &str| Curve {
        name: name.to_string(),
        points: (0..120)
            .map(|i| {
                let t = 1.0 + 0.05 * f64::from(i);
                (t, pick(&local(k, t, 0.05)))
            })
            .collect(),
    };
    let figure = |name: &str, title: &str, x: Axis, y: Axis, curves: Vec<Curve>| Figure {
        name: name.to_string(),
        title: title.to_string(),
        x,
        y,
        curves,
    };
    vec![
        figure(
            "position_orders",
            "Local error of positions",
            Axis::log("macro step, s"),
            Axis::log("error, m"),
            position,
        ),
        figure(
            "velocity_orders",
            "Local error of velocities",
            Axis::log("macro step, s"),
            Axis::log("error, m/s"),
            velocity,
        ),
        figure(
            "estimate",
            "True local error of velocities and its estimate, degree 2, irregular grid, H = 0.05 s",
            Axis::linear("time, s"),
            Axis::log("error, m/s"),
            vec![
                along(|l| l.error[0][1], "extrapolation, true"),
                along(|l| l.estimate[0][1], "extrapolation, estimate"),
                along(|l| l.error[1][1], "interpolation, true"),
                along(|l| l.estimate[1][1], "interpolation, estimate"),
            ],
        ),
        figure(
            "steps",
            "Macro steps, degree 2, tolerance 1e-5",
            Axis::linear("time, s"),
            Axis::log("macro step, s"),
            steps,
        ),
    ]
}
