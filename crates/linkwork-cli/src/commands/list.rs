//! `linkwork list`: what can be named.

use crate::args::{ListArgs, What};
use crate::exit::Exit;
use crate::printer::Printer;
use linkwork::catalogue::MODELS;
use linkwork::dae::formulation::FORMULATIONS;
use linkwork::dae::jacobian::JACOBIANS;
use linkwork::dae::linear::LINEAR_SOLVERS;
use linkwork::dae::stepper::STEPPERS;
use linkwork::mbs::body::BODIES;
use linkwork::mbs::control::CONTROLS;
use linkwork::mbs::force::FORCES;
use linkwork::mbs::joint::JOINTS;
use linkwork::problems::PROBLEMS;
use linkwork::table::FORMATS;
use serde_json::{Value, json};

/// Prints a registry.
pub fn list(args: &ListArgs, printer: &Printer) -> Exit {
    let rows = rows(args.what);
    if args.json {
        let objects: Vec<Value> = rows
            .iter()
            .map(|(name, summary)| json!({"name": name, "summary": summary}))
            .collect();
        printer.result(&format!("{}\n", Value::from(objects)));
        return Exit::Success;
    }
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for (name, summary) in rows {
        text.push_str(&format!("{name:width$}  {summary}\n"));
    }
    printer.result(&text);
    Exit::Success
}

fn rows(what: What) -> Vec<(&'static str, String)> {
    match what {
        What::Models => MODELS
            .iter()
            .map(|m| (m.name, m.summary().to_string()))
            .collect(),
        What::Problems => PROBLEMS
            .iter()
            .map(|p| (p.name, format!("{} [{}]", p.summary, p.source)))
            .collect(),
        What::Methods => STEPPERS
            .iter()
            .map(|e| {
                let with = e.formulations.join(", ");
                (e.name, format!("{}; formulations {with}", e.summary))
            })
            .collect(),
        What::Formulations => plain(FORMULATIONS.iter().map(|e| (e.name, e.summary))),
        What::Jacobians => plain(JACOBIANS.iter().map(|e| (e.name, e.summary))),
        What::Linear => plain(LINEAR_SOLVERS.iter().map(|e| (e.name, e.summary))),
        What::Bodies => plain(BODIES.iter().map(|e| (e.kind, e.summary))),
        What::Joints => plain(JOINTS.iter().map(|e| (e.kind, e.summary))),
        What::Forces => plain(FORCES.iter().map(|e| (e.kind, e.summary))),
        What::Controls => plain(CONTROLS.iter().map(|e| (e.kind, e.summary))),
        What::Formats => plain(FORMATS.iter().map(|e| (e.name, e.summary))),
    }
}

fn plain(
    entries: impl Iterator<Item = (&'static str, &'static str)>,
) -> Vec<(&'static str, String)> {
    entries.map(|(name, s)| (name, s.to_string())).collect()
}
