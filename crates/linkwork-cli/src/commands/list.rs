//! `linkwork list`: what can be named.

use crate::args::{ListArgs, What};
use crate::exit::Exit;
use crate::printer::Printer;
use clap::ValueEnum;
use clap::builder::PossibleValue;
use linkwork::catalogue::{MODELS, SYSTEMS};
use linkwork::cosim::element::{ELEMENT_KEYS, ELEMENTS};
use linkwork::dae::stepper::STEPPERS;
use linkwork::import::IMPORTERS;
use linkwork::mbs::body::BODIES;
use linkwork::mbs::control::CONTROLS;
use linkwork::mbs::event::EVENTS;
use linkwork::mbs::field::Key;
use linkwork::mbs::force::FORCES;
use linkwork::mbs::joint::{BODY_KEYS, JOINTS};
use linkwork::mbs::lint::RULES;
use linkwork::mbs::material::MATERIAL;
use linkwork::mbs::model::Axes;
use linkwork::mbs::section::SECTIONS;
use linkwork::mbs::sensor::SENSORS;
use linkwork::mbs::shape::{SHAPE_KEYS, SHAPES};
use linkwork::mbs::text::{BEAM, MARKER, MODEL, PLANAR_MARKER};
use linkwork::mbs::units::symbols;
use linkwork::options::OPTIONS;
use linkwork::table::FORMATS;
use linkwork_problems::PROBLEMS;
use serde_json::{Value, json};

/// One row of a registry.
struct Row {
    name: String,
    summary: String,
    /// Keys in model text, for parts of models.
    keys: Option<Vec<Key>>,
    /// Where it has a meaning, for parts of mechanisms.
    meaning: Option<Meaning>,
}

/// Where a part of a mechanism has a meaning; all of them have one in space.
#[derive(Clone, Copy, Default)]
struct Meaning {
    /// In planar models, under this name.
    plane: Option<&'static str>,
    /// For joints: whether they can carry a body in joint coordinates.
    carries: Option<bool>,
}

impl Row {
    fn means(self, plane: Option<&'static str>) -> Row {
        let meaning = Some(Meaning {
            plane,
            carries: None,
        });
        Row { meaning, ..self }
    }

    fn carries(mut self, carries: bool) -> Row {
        if let Some(meaning) = &mut self.meaning {
            meaning.carries = Some(carries);
        }
        self
    }
}

impl Meaning {
    /// The same in words of one width.
    fn words(self, name: &str) -> String {
        let plane = match self.plane {
            Some(plane) if plane == name => "plane",
            Some(plane) => plane,
            None => "",
        };
        let joint = match self.carries {
            Some(true) => "joint  ",
            Some(false) => "       ",
            None => "",
        };
        format!("space  {plane:5}  {joint}")
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
        let space = row.meaning.map_or(String::new(), |m| m.words(&name));
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
        object["keys"] = keys.iter().map(key_object).collect();
    }
    if let Some(meaning) = row.meaning {
        object["planar"] = Value::from(meaning.plane);
        if let Some(carries) = meaning.carries {
            object["carries"] = Value::from(carries);
        }
    }
    object
}

/// A default of null means that the key is required.
fn key_object(key: &Key) -> Value {
    json!({
        "name": key.name,
        "form": key.form.noun(),
        "unit": key.unit.symbol(),
        "default": key.default.map(|d| d.to_string()),
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
        What::Methods => {
            let with = |name: &str| STEPPERS.iter().find(|e| e.name == name);
            let forms = |name: &str| with(name).map(|e| e.formulations.join(", "));
            let forms = |name: &str| forms(name).map(|f| format!("; formulations {f}"));
            let mut all = choices("method");
            for row in &mut all {
                row.summary.push_str(&forms(&row.name).unwrap_or_default());
            }
            all
        }
        What::Formulations => choices("formulation"),
        What::Jacobians => choices("jacobian"),
        What::Renewals => choices("renewal"),
        What::Linear => choices("linear"),
        What::Options => (OPTIONS.iter()).map(|o| plain(o.name, o.help())).collect(),
        What::Bodies => BODIES
            .iter()
            .map(|e| part(e.kind, e.summary, &[&e.keys()]).means(e.kind_in(Axes::Plane)))
            .collect(),
        What::Joints => JOINTS
            .iter()
            .map(|e| {
                let carries = e.example(&mut || 0.5).hinge().is_some();
                part(e.kind, e.summary, &[BODY_KEYS, &e.keys()])
                    .means(e.in_plane.then_some(e.kind))
                    .carries(carries)
            })
            .collect(),
        What::Forces => FORCES
            .iter()
            .map(|e| {
                part(e.kind, e.summary, &[e.body_keys(), &e.keys()])
                    .means(e.in_plane.then_some(e.kind))
            })
            .collect(),
        What::Elements => ELEMENTS
            .iter()
            .map(|e| part(e.kind, e.summary, &[ELEMENT_KEYS, e.keys]))
            .collect(),
        What::Sensors => SENSORS
            .iter()
            .map(|e| {
                part(e.kind, e.summary, &[e.body_keys(), &e.keys()])
                    .means(e.in_plane.then_some(e.kind))
            })
            .collect(),
        What::Controls => CONTROLS
            .iter()
            .map(|e| part(e.kind, e.summary, &[&e.keys()]))
            .collect(),
        What::Events => EVENTS
            .iter()
            .map(|e| part(e.kind, e.summary, &[&e.keys()]))
            .collect(),
        What::Shapes => SHAPES
            .iter()
            .map(|e| part(e.kind, e.summary, &[SHAPE_KEYS, &e.keys()]))
            .collect(),
        What::Sections => SECTIONS
            .iter()
            .map(|e| part(e.kind, e.summary, &[&e.keys()]))
            .collect(),
        What::Tables => vec![
            part(MODEL.kind, MODEL.summary, &[&MODEL.keys()]),
            part(MARKER.kind, MARKER.summary, &[&MARKER.keys()]).means(None),
            part(
                PLANAR_MARKER.kind,
                PLANAR_MARKER.summary,
                &[&PLANAR_MARKER.keys()],
            )
            .means(Some(PLANAR_MARKER.kind)),
            part(MATERIAL.kind, MATERIAL.summary, &[&MATERIAL.keys()]),
            part(BEAM.kind, BEAM.summary, &[&BEAM.keys()]),
        ],
        What::Units => symbols()
            .map(|(symbol, meaning)| plain(symbol, format!("stands for {meaning}")))
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

/// What an option can be.
fn choices(option: &str) -> Vec<Row> {
    let option = OPTIONS.iter().find(|o| o.name == option);
    let choices = option.and_then(|o| o.row.choices);
    let choices = choices.map_or(Vec::new(), |c| c());
    choices.iter().map(|c| plain(c.name, c.summary)).collect()
}

fn plain(name: &str, summary: impl Into<String>) -> Row {
    Row {
        name: name.to_string(),
        summary: summary.into(),
        keys: None,
        meaning: None,
    }
}

fn part(name: &str, summary: &str, keys: &[&[Key]]) -> Row {
    Row {
        name: name.to_string(),
        summary: summary.into(),
        keys: Some(keys.concat()),
        meaning: None,
    }
}
