//! `linkwork list`: what can be named.

use crate::args::{AUTO_SUMMARY, ListArgs, What};
use crate::exit::Exit;
use crate::printer::Printer;
use linkwork::catalogue::{MODELS, SYSTEMS};
use linkwork::cosim::element::{ELEMENT_KEYS, ELEMENTS};
use linkwork::dae::control::CONTROLLERS;
use linkwork::dae::formulation::FORMULATIONS;
use linkwork::dae::jacobian::JACOBIANS;
use linkwork::dae::linear::LINEAR_SOLVERS;
use linkwork::dae::stepper::STEPPERS;
use linkwork::mbs::body::BODIES;
use linkwork::mbs::control::CONTROLS;
use linkwork::mbs::field::Key;
use linkwork::mbs::force::FORCES;
use linkwork::mbs::joint::{BODY_KEYS, JOINTS};
use linkwork::mbs::sensor::SENSORS;
use linkwork::problems::PROBLEMS;
use linkwork::settings::AUTO;
use linkwork::table::FORMATS;
use serde_json::{Value, json};

/// One row of a registry.
struct Row {
    name: &'static str,
    summary: String,
    /// Keys in model text, for parts of models.
    keys: Option<Vec<&'static Key>>,
}

/// Prints a registry.
pub fn list(args: &ListArgs, printer: &Printer) -> Exit {
    let rows = rows(args.what);
    if args.json {
        let objects: Vec<Value> = rows.iter().map(object).collect();
        printer.result(&format!("{}\n", Value::from(objects)));
        return Exit::Success;
    }
    let width = rows.iter().map(|r| r.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for Row { name, summary, .. } in rows {
        text.push_str(&format!("{name:width$}  {summary}\n"));
    }
    printer.result(&text);
    Exit::Success
}

fn object(row: &Row) -> Value {
    let mut object = json!({"name": row.name, "summary": row.summary});
    if let Some(keys) = &row.keys {
        object["keys"] = keys.iter().map(|k| key_object(k)).collect();
    }
    object
}

/// A default of null means that the key is required.
fn key_object(key: &Key) -> Value {
    json!({
        "name": key.name,
        "form": key.form.noun(),
        "unit": key.unit.symbol(),
        "default": key.default,
        "summary": key.doc,
    })
}

fn rows(what: What) -> Vec<Row> {
    match what {
        What::Models => MODELS
            .iter()
            .map(|m| plain(m.name, m.summary().to_string()))
            .collect(),
        What::Systems => SYSTEMS
            .iter()
            .map(|s| plain(s.name, s.summary().to_string()))
            .collect(),
        What::Problems => PROBLEMS
            .iter()
            .map(|p| plain(p.name, format!("{} [{}]", p.summary, p.source)))
            .collect(),
        What::Methods => STEPPERS
            .iter()
            .map(|e| {
                let with = e.formulations.join(", ");
                plain(e.name, format!("{}; formulations {with}", e.summary))
            })
            .chain([plain(AUTO, AUTO_SUMMARY)])
            .collect(),
        What::OrderControls => CONTROLLERS
            .iter()
            .filter(|e| e.multistep)
            .map(|e| plain(e.name, e.summary))
            .collect(),
        What::Formulations => FORMULATIONS
            .iter()
            .map(|e| plain(e.name, e.summary))
            .collect(),
        What::Jacobians => JACOBIANS.iter().map(|e| plain(e.name, e.summary)).collect(),
        What::Linear => LINEAR_SOLVERS
            .iter()
            .map(|e| plain(e.name, e.summary))
            .collect(),
        What::Bodies => BODIES
            .iter()
            .map(|e| part(e.kind, e.summary, &[e.keys]))
            .collect(),
        What::Joints => JOINTS
            .iter()
            .map(|e| part(e.kind, e.summary, &[BODY_KEYS, e.keys]))
            .collect(),
        What::Forces => FORCES
            .iter()
            .map(|e| part(e.kind, e.summary, &[e.body_keys(), e.keys]))
            .collect(),
        What::Elements => ELEMENTS
            .iter()
            .map(|e| part(e.kind, e.summary, &[ELEMENT_KEYS, e.keys]))
            .collect(),
        What::Sensors => SENSORS
            .iter()
            .map(|e| part(e.kind, e.summary, &[e.keys]))
            .collect(),
        What::Controls => CONTROLS
            .iter()
            .map(|e| part(e.kind, e.summary, &[e.keys]))
            .collect(),
        What::Formats => FORMATS.iter().map(|e| plain(e.name, e.summary)).collect(),
    }
}

fn plain(name: &'static str, summary: impl Into<String>) -> Row {
    Row {
        name,
        summary: summary.into(),
        keys: None,
    }
}

fn part(name: &'static str, summary: &str, keys: &[&'static [Key]]) -> Row {
    Row {
        name,
        summary: summary.into(),
        keys: Some(keys.iter().copied().flatten().collect()),
    }
}
