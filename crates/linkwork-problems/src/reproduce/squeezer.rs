//! The integrators on the squeezing mechanism: steps and times for three tolerances.

use super::{Axis, Curve, Figure, Study, StudyRow, digits, reference};
use crate::andrews::Andrews;
use crate::study::{Outcome, Setup};
use linkwork_dae::drive::Ending;
use linkwork_dae::stepper::STEPPERS;
use std::time::Instant;

const T_END: f64 = 0.03;
const TOLERANCES: [f64; 3] = [1e-4, 1e-6, 1e-8];
/// The fastest of so many runs counts.
const REPEATS: usize = 3;

/// A line of the table: its words, the method, and the formulation (`None`: the method's first).
type Line = (&'static str, &'static str, Option<&'static str>);

const LINES: [Line; 5] = [
    ("generalised-alpha, index 3", "gen-alpha", Some("index3")),
    ("explicit Runge-Kutta", "dopri5", None),
    ("explicit Adams", "adams", None),
    ("BDF, index 3", "bdf", Some("index3")),
    ("BDF, index 2", "bdf", Some("ggl")),
];

pub(super) fn study() -> Result<Study, String> {
    let exact = reference(include_str!("../../reference/andrews.csv"), 7);
    let mut rows = Vec::new();
    let mut curves = Vec::new();
    let mut missing = Vec::new();
    for (words, method, formulation) in LINES {
        let Some(entry) = STEPPERS.iter().find(|e| e.name == method) else {
            missing.push(words);
            continue;
        };
        let first = entry.formulations.first().copied();
        let Some(formulation) = formulation.or(first) else {
            missing.push(words);
            continue;
        };
        let mut points = Vec::new();
        for tolerance in TOLERANCES {
            let setup = Setup::new(method, formulation, T_END, tolerance);
            let (out, seconds) = timed(&setup)?;
            let digits = digits(&out.state.q, &exact);
            let residuals = out.stats.residual_evaluations as f64;
            let values = [
                Some(out.stats.steps as f64),
                Some(out.stats.rejected as f64),
                // explicit methods evaluate right-hand sides instead
                (residuals > 0.0).then_some(residuals),
                Some(1e3 * seconds),
                Some(digits),
            ];
            rows.push(StudyRow {
                label: format!("{words}, tolerance {tolerance:.0e}"),
                paper: vec![None; values.len()],
                measured: values.to_vec(),
            });
            points.push((10f64.powf(-digits), out.stats.steps as f64));
        }
        let name = words.to_string();
        curves.push(Curve { name, points });
    }
    Ok(Study {
        columns: vec!["steps", "rejected", "residuals", "time, ms", "digits"],
        rows,
        notes: notes(&missing),
        figures: vec![Figure {
            name: "work".to_string(),
            title: "Steps for an accuracy, squeezing mechanism".to_string(),
            x: Axis::log("relative error of the angles at t = 0.03 s"),
            y: Axis::log("steps"),
            curves,
        }],
    })
}

fn timed(setup: &Setup) -> Result<(Outcome, f64), String> {
    let mut fastest = f64::INFINITY;
    let mut last = None;
    for _ in 0..REPEATS {
        let mut sys = Andrews::default();
        let clock = Instant::now();
        let out = setup.run(&mut sys, &mut ())?;
        fastest = fastest.min(clock.elapsed().as_secs_f64());
        if out.ending != Ending::Finished {
            let (method, formulation) = (setup.method, setup.formulation);
            return Err(format!("{method}, {formulation}: {:?}", out.ending));
        }
        last = Some(out);
    }
    let out = last.ok_or("nothing was run")?;
    Ok((out, fastest))
}

fn notes(missing: &[&str]) -> Vec<String> {
    let mut notes = vec![
        "Seven angles and six constraints to t = 0.03 s, relative and absolute tolerance equal; \
         exact derivatives in every step. Digits: -log10 of the largest relative error of an angle \
         at the end, against a reference of 21 digits. Time: the fastest of three runs on this \
         machine by the clock, start values included."
            .to_string(),
        "The printed numbers of table 5 are not at hand, so its side of the table is empty. The \
         paper gives neither initial values nor end time; those of the Test Set for IVP Solvers \
         are used."
            .to_string(),
        "Misprints of table 3: y_A = -0.00277 should be -0.00227 and x_B = -0.036335 should be \
         -0.03635; with the printed values the loops do not close (by 5e-4 m and 1.5e-5 m). The \
         stiffness is k0 in the text and c_0 in the table; the spring runs from C to D."
            .to_string(),
        "Misprints that change a method: gamma = 1/2 + alpha_m + alpha_f (27) should be \
         1/2 - alpha_m + alpha_f; the derivative of M q'' by q is missing in (33) and (79); the \
         estimate (34) lacks its error constant, and the safety factor quoted from DASSL is \
         2^(-1/(k+1))."
            .to_string(),
    ];
    if !missing.is_empty() {
        notes.push(format!("Not available here: {}.", missing.join(", ")));
    }
    notes
}
