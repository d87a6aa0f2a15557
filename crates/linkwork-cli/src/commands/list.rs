//! `linkwork list`: what can be named.

use crate::args::{AUTO_SUMMARY, ListArgs, What};
use crate::exit::Exit;
use crate::printer::Printer;
use clap::ValueEnum;
use clap::builder::PossibleValue;
use linkwork::catalogue::{MODELS, SYSTEMS};
use linkwork::cosim::element::{ELEMENT_KEYS, ELEMENTS};
use linkwork::dae::control::CONTROLLERS;
use linkwork::dae::formulation::FORMULATIONS;
use linkwork::dae::jacobian::JACOBIANS;
use linkwork::dae::linear::LINEAR_SOLVERS;
use linkwork::dae::stepper::STEPPERS;
use linkwork::import::IMPORTERS;
use linkwork::mbs::body::BODIES;
use linkwork::mbs::control::CONTROLS;
use linkwork::mbs::field::Key;
use linkwork::mbs::force::FORCES;
use linkwork::mbs::joint::{BODY_KEYS, JOINTS};
use linkwork::mbs::lint::RULES;
use linkwork::mbs::sensor::SENSORS;
use linkwork::mbs::spatial;
use linkwork::problems::PROBLEMS;
use linkwork::settings::AUTO;
use linkwork::table::FORMATS;
use serde_json::{Value, json};

/// One row of a registry.
struct Row {
    name: String,
    summary: String,
    /// Keys in model text, for parts of models.
    keys: Option<Vec<&'static Key>>,
    /// Whether it is for models in space, where there are others for planar ones.
    in_space: Option<bool>,
}

impl Row {
    fn planar(self) -> Row {
        let in_space = Some(false);
        Row { in_space, ..self }
    }

    fn spatial(self) -> Row {
        let in_space = Some(true);
        Row { in_space, ..self }
    }
}

/// Prints a registry.
pub fn list(args: &ListArgs, printer: &Printer) -> Exit {
    let rows = args.what.map_or_else(kinds, rows);
    if args.json {
        let objects: Vec<Value> = rows.iter().map(object).collect();
        printer.result(&format!("{}\n", Value::from(objects)));
        return Exit::Success;
    }
    let width = rows.iter().map(|r| r.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for row in rows {
        let (name, summary) = (row.name, row.summary);
        let space = match row.in_space {
            Some(true) => "space  ",
            Some(false) => "plane  ",
            None => "",
        };
        text.push_str(&format!("{name:width$}  {space}{summary}\n"));
    }
    printer.result(&text);
    Exit::Success
}

/// What there is to list.
fn kinds() -> Vec<Row> {
    let words = What::value_variants().iter();
    let words = words.filter_map(ValueEnum::to_possible_value);
    let help = |word: &PossibleValue| word.get_help().map_or(String::new(), |h| h.to_string());
    words
        .map(|word| plain(word.get_name(), help(&word)))
        .collect()
}

fn object(row: &Row) -> Value {
    let mut object = json!({"name": row.name, "summary": row.summary});
    if let Some(keys) = &row.keys {
        object["keys"] = keys.iter().map(|k| key_object(k)).collect();
    }
    if let Some(in_space) = row.in_space {
        object["planar"] = Value::from(!in_space);
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
            .map(|e| part(e.kind, e.summary, &[e.keys]).planar())
            .chain(
                (spatial::body::BODIES.iter())
                    .map(|e| part(e.kind, e.summary, &[e.keys]).spatial()),
            )
            .collect(),
        What::Joints => JOINTS
            .iter()
            .map(|e| part(e.kind, e.summary, &[BODY_KEYS, e.keys]).planar())
            .chain(
                (spatial::joint::JOINTS.iter())
                    .map(|e| part(e.kind, e.summary, &[BODY_KEYS, e.keys]).spatial()),
            )
            .collect(),
        What::Forces => FORCES
            .iter()
            .map(|e| part(e.kind, e.summary, &[e.body_keys(), e.keys]).planar())
            .chain(
                (spatial::force::FORCES.iter())
                    .map(|e| part(e.kind, e.summary, &[e.body_keys(), e.keys]).spatial()),
            )
            .collect(),
        What::Elements => ELEMENTS
            .iter()
            .map(|e| part(e.kind, e.summary, &[ELEMENT_KEYS, e.keys]))
            .collect(),
        What::Sensors => SENSORS
            .iter()
            .map(|e| part(e.kind, e.summary, &[e.keys]).planar())
            .chain(
                (spatial::sensor::SENSORS.iter())
                    .map(|e| part(e.kind, e.summary, &[e.keys]).spatial()),
            )
            .collect(),
        What::Controls => CONTROLS
            .iter()
            .map(|e| part(e.kind, e.summary, &[e.keys]))
            .collect(),
        What::Lints => RULES.iter().map(|e| plain(e.name, e.summary)).collect(),
        What::Formats => FORMATS.iter().map(|e| plain(e.name, e.summary)).collect(),
        What::Importers => (IMPORTERS.iter())
            .map(|e| {
                let endings: Vec<String> = e.extensions.iter().map(|x| format!(".{x}")).collect();
                plain(e.name, format!("{} ({})", e.summary, endings.join(", ")))
            })
            .collect(),
    }
}

fn plain(name: &str, summary: impl Into<String>) -> Row {
    Row {
        name: name.to_string(),
        summary: summary.into(),
        keys: None,
        in_space: None,
    }
}

fn part(name: &str, summary: &str, keys: &[&'static [Key]]) -> Row {
    Row {
        name: name.to_string(),
        summary: summary.into(),
        keys: Some(keys.iter().copied().flatten().collect()),
        in_space: None,
    }
}
