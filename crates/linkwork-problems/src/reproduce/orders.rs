//! Forms of backward differentiation and rules for its order, side by side on a mechanism that is hard
//! to follow and on one that vibrates.

use super::{Study, StudyRow, digits, reference};
use crate::andrews::Andrews;
use crate::slider_crank::SliderCrank;
use crate::small::Small;
use crate::study::{Outcome, Setup};
use linkwork_dae::drive::Ending;
use linkwork_dae::system::System;

/// Relative and absolute, on the squeezing mechanism and on the elastic slider crank.
const TOLERANCES: [f64; 2] = [1e-6, 1e-5];

/// A line of the table: words, method, rule for step and order.
const LINES: [(&str, &str, Option<&str>); 11] = [
    ("`bdf` with the order control of the library", "bdf", None),
    ("the same, steps only double", "bdf", Some("doubling")),
    ("step and order as in DASSL", "bdf", Some("dassl")),
    ("largest step at once", "bdf", Some("largest")),
    ("largest step after a wait (DIFSUB)", "bdf", Some("difsub")),
    (
        "raised by falling differences (Stewart)",
        "bdf",
        Some("stewart"),
    ),
    (
        "monotone differences (Skelboe; Ren & Zhou)",
        "bdf",
        Some("combined"),
    ),
    ("fixed leading coefficient", "bdf-fixed-leading", None),
    ("quasi-constant grid", "bdf-quasi", None),
    ("numerical differentiation formulas", "ndf", None),
    ("DASSL, all its rules", "dassl", None),
];

pub(super) fn study() -> Result<Study, String> {
    let exact = [
        reference(include_str!("../../reference/andrews.csv"), 7),
        reference(
            include_str!("../../reference/slider_crank_consistent.csv"),
            7,
        ),
    ];
    let mut rows = Vec::new();
    for (words, method, order_rule) in LINES {
        let run = |sys: &mut dyn System, t_end: f64, tolerance: f64| {
            let mut setup = Setup::new(method, "ggl", t_end, tolerance);
            setup.order_rule = order_rule;
            setup.run(sys, &mut ())
        };
        let squeezer = run(&mut Andrews::default(), 0.03, TOLERANCES[0])?;
        let crank = run(&mut Small::new(SliderCrank::default()), 0.1, TOLERANCES[1])?;
        let measured = [measured(&squeezer, &exact[0]), measured(&crank, &exact[1])];
        let measured: Vec<Option<f64>> = measured.concat();
        rows.push(StudyRow {
            label: words.to_string(),
            paper: vec![None; measured.len()],
            measured,
        });
    }
    Ok(Study {
        columns: vec![
            "steps, squeezer",
            "rejected, squeezer",
            "digits, squeezer",
            "steps, crank",
            "rejected, crank",
            "digits, crank",
        ],
        rows,
        notes: notes(),
        figures: Vec::new(),
    })
}

/// Steps, rejected ones, digits; nothing of a run that did not reach its end.
fn measured(out: &Outcome, exact: &[f64]) -> Vec<Option<f64>> {
    let values = [
        out.stats.steps as f64,
        out.stats.rejected as f64,
        digits(&out.state.q, exact),
    ];
    let finished = out.ending == Ending::Finished;
    values.map(|x| finished.then_some(x)).to_vec()
}

fn notes() -> Vec<String> {
    let notes = [
        "Stabilised index 2, exact derivatives in every step. Squeezing mechanism to t = 0.03 s with \
         tolerance 1e-6, elastic slider crank to t = 0.1 s with tolerance 1e-5, relative and absolute. \
         Digits: -log10 of the largest relative error of a coordinate at the end.",
        "Rules that only look for the largest step settle at an order that is barely stable on \
         vibrations, and follow the limit of stability up and down.",
        "No publication prints these runs: the table compares rules on equal terms.",
    ];
    notes.map(str::to_string).to_vec()
}
