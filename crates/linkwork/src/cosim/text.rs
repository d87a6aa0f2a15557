//! The system file: TOML, read like model text, with complaints that point at their place.
//!
//! ```text
//!  [system]        name
//!  [simulation]    t_end, rtol, degree, ..
//!  [[subsystem]]   name, model = "file.toml", set = ["wheel.mass=40"], method, formulation
//!  [[element]]     name, kind, port_a = "body.front", port_b = "wheel.top", scheme, parameters
//!  [[signal]]      name, from = "plant.arm.angle", to = "controller.angle"
//! ```

mod robot;

pub use robot::RobotText;

use super::element::{ELEMENT_KEYS, ELEMENTS, Element};
use super::options::CosimOptions;
use crate::options::AUTO;
use linkwork_dae::formulation::FORMULATIONS;
use linkwork_dae::stepper::STEPPERS;
use linkwork_mbs::error::ModelError;
use linkwork_mbs::field::{Form, Key};
use linkwork_mbs::spelling::nearest;
use linkwork_mbs::text::tree::{Content, Entry, Table, Value};
use linkwork_mbs::text::{BodyNames, Fields, apply_override};
use linkwork_mbs::units::Unit;
use std::ops::Range;
use std::sync::Arc;

/// A mistake and the text it is in: that of the system or that of a subsystem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// Name of the file.
    pub file: String,
    /// Its text.
    pub text: Arc<str>,
    /// What is wrong with it.
    pub error: ModelError,
}

/// The keys of `[system]`.
pub static SYSTEM_KEYS: &[Key] = &[Key::optional(
    "name",
    Unit::None,
    "name of the file",
    "Name of the system in results and messages.",
)
.takes(Form::Word)];

/// The keys of `[[subsystem]]`.
pub static SUBSYSTEM_KEYS: &[Key] = &[
    Key::required(
        "model",
        Unit::None,
        "Its model file or robot (URDF), relative to the system file.",
    )
    .takes(Form::Word),
    Key::optional(
        "set",
        Unit::None,
        "[]",
        "Changes of the model, each a place in its text and a value: [\"wheel.mass=40\"].",
    )
    .takes(Form::List),
    Key::optional(
        "method",
        Unit::None,
        "that of the model",
        "Time discretisation of its micro steps; `auto` looks at the model alone and chooses.",
    )
    .takes(Form::Word),
    Key::optional(
        "formulation",
        Unit::None,
        "that of the model",
        "Which equations are solved.",
    )
    .takes(Form::Word),
    Key::optional(
        "joints",
        Unit::None,
        "[]",
        "For robots (URDF): start values of joints: [\"elbow=30deg\"].",
    )
    .takes(Form::List),
    Key::optional(
        "base",
        Unit::None,
        "fixed",
        "For robots (URDF): how the first link is held, `fixed` or `floating`.",
    )
    .takes(Form::Word),
    Key::optional(
        "gravity",
        Unit::Acceleration,
        "[0, 0, -9.81]",
        "For robots (URDF): acceleration of gravity.",
    )
    .takes(Form::Vector),
];

/// The keys of `[[signal]]`.
pub static SIGNAL_KEYS: &[Key] = &[
    Key::required(
        "from",
        Unit::None,
        "SUBSYSTEM.SIGNAL: a coordinate, sensor or control of that model.",
    )
    .takes(Form::Word),
    Key::required(
        "to",
        Unit::None,
        "SUBSYSTEM.INPUT: a control of kind `input` of that model.",
    )
    .takes(Form::Word),
];

/// A name with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The subsystem.
    pub subsystem: String,
    /// What is meant in it.
    pub what: String,
    /// Where it is written.
    pub span: Option<Range<usize>>,
}

/// `[[subsystem]]`.
#[derive(Clone, Debug)]
pub struct SubsystemText {
    /// Name.
    pub name: String,
    /// The model file as it is written.
    pub model: String,
    /// Where it is written.
    pub model_span: Option<Range<usize>>,
    /// Changes of the model.
    pub set: Vec<String>,
    /// Where they are written.
    pub set_span: Option<Range<usize>>,
    /// Further changes, which the file knows nothing of.
    pub overrides: Vec<String>,
    /// Method of the micro steps.
    pub method: Option<String>,
    /// Formulation.
    pub formulation: Option<String>,
    /// How a robot starts.
    pub robot: RobotText,
    /// The header.
    pub span: Option<Range<usize>>,
}

/// What drives a side of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drive {
    /// The force.
    Force,
    /// The motion of the other port.
    Displacement,
}

/// `[[element]]`.
#[derive(Debug)]
pub struct ElementText {
    /// Name.
    pub name: String,
    /// The law.
    pub element: Box<dyn Element>,
    /// The ports, a then b.
    pub ports: [Place; 2],
    /// What drives them.
    pub drives: [Drive; 2],
    /// Where its parameters, or else its kind, are written.
    pub span: Option<Range<usize>>,
    /// Where its name is written.
    pub name_span: Option<Range<usize>>,
}

/// `[[signal]]`.
#[derive(Clone, Debug)]
pub struct SignalText {
    /// Name.
    pub name: String,
    /// Where it comes from.
    pub from: Place,
    /// Where it goes.
    pub to: Place,
}

/// What a system file says.
#[derive(Debug, Default)]
pub struct Description {
    /// Name; empty if there is none.
    pub name: String,
    /// The options of `[simulation]`.
    pub options: CosimOptions,
    /// The `[simulation]` table, for complaints about options.
    pub simulation: Table,
    /// The subsystems.
    pub subsystems: Vec<SubsystemText>,
    /// The elements.
    pub elements: Vec<ElementText>,
    /// The signals.
    pub signals: Vec<SignalText>,
}

const SCHEMES: [(&str, [Drive; 2]); 4] = [
    (
        "displacement/displacement",
        [Drive::Displacement, Drive::Displacement],
    ),
    ("force/displacement", [Drive::Force, Drive::Displacement]),
    ("displacement/force", [Drive::Displacement, Drive::Force]),
    ("force/force", [Drive::Force, Drive::Force]),
];

const SECTIONS: [&str; 5] = ["system", "simulation", "subsystem", "element", "signal"];

/// Reads a system with overrides such as `spring.stiffness=2e4`; reports as many mistakes as it can
/// find. Overrides of parts of a subsystem (`front.wheel.mass=40`) are added to its own.
pub fn read(source: &str, overrides: &[String]) -> Result<Description, Vec<ModelError>> {
    let mut tree = Table::parse(source)?;
    let has = |key: &str| tree.entries.iter().find(|e| e.key == key);
    if let (Some(model), None) = (has("model").or(has("body")), has("subsystem")) {
        return Err(vec![
            ModelError::new("this is a model, not a system of models")
                .at(model.key_span.clone())
                .with_label("belongs to a model")
                .with_help(
                    "`linkwork run` runs a model; a system names its models in [[subsystem]]",
                ),
        ]);
    }
    let mut errors = Vec::new();
    let mut inner: Vec<&String> = Vec::new();
    for o in overrides {
        let path = o.split('=').next().unwrap_or("");
        if path.matches('.').count() > 1 || is_parameter_of_a_part(&tree, path) {
            inner.push(o);
        } else if let Err(e) = apply_override(&mut tree, o) {
            errors.push(e);
        }
    }
    let mut out = Description::default();
    let mut seen: Vec<(String, Option<Range<usize>>)> = Vec::new();
    for entry in &tree.entries {
        match entry.key.as_str() {
            "system" => {
                let read = single(entry).and_then(|table| {
                    let fields = Fields::section("system", table);
                    fields.allow(SYSTEM_KEYS.iter().map(|k| k.name));
                    let name = fields.optional_text("name")?.unwrap_or("").to_string();
                    fields.finish()?;
                    Ok(name)
                });
                keep(read, &mut errors, |name| out.name = name);
            }
            "simulation" => {
                let read = single(entry).and_then(|table| {
                    let fields = Fields::section("simulation", table);
                    let options = CosimOptions::read_from(&fields)?;
                    fields.finish()?;
                    Ok((options, table.clone()))
                });
                keep(read, &mut errors, |(options, table)| {
                    out.options = options;
                    out.simulation = table;
                });
            }
            "subsystem" | "element" | "signal" => {
                for item in list(entry, &mut errors) {
                    let fields = match Fields::item(&entry.key, item, BodyNames::NONE) {
                        Ok(fields) => fields,
                        Err(e) => {
                            errors.push(e);
                            continue;
                        }
                    };
                    if let Some(e) = name_trouble(&fields, &seen) {
                        errors.push(e);
                    }
                    seen.push((fields.name().to_string(), fields.span("name")));
                    match entry.key.as_str() {
                        "subsystem" => {
                            let read = subsystem(&fields, item);
                            keep(read, &mut errors, |x| out.subsystems.push(x));
                        }
                        "element" => {
                            keep(element(&fields), &mut errors, |x| out.elements.push(x));
                        }
                        _ => {
                            keep(signal(&fields), &mut errors, |x| out.signals.push(x));
                        }
                    }
                    errors.extend(fields.unknown_keys());
                }
            }
            _ => errors.push(unknown_section(entry)),
        }
    }
    for o in inner {
        let (name, rest) = o.split_once('.').unwrap_or((o, ""));
        match out.subsystems.iter_mut().find(|s| s.name == name) {
            Some(s) => s.overrides.push(rest.to_string()),
            None => errors.push(no_such_subsystem(
                ModelError::new(format!("override `{o}`: there is no subsystem `{name}`")),
                name,
                &out,
            )),
        }
    }
    if errors.is_empty() && out.subsystems.len() < 2 {
        errors.push(
            ModelError::new("a system needs two subsystems at least")
                .with_help("add [[subsystem]] tables with `name` and `model`; a single model is run by `linkwork run`"),
        );
    }
    if errors.is_empty() {
        return Ok(out);
    }
    errors.sort_by_key(|e| e.span.as_ref().map_or(usize::MAX, |s| s.start));
    errors.dedup_by(|b, a| a.span.is_some() && a.span == b.span);
    Err(errors)
}

/// Whether a path is the name of a subsystem and what is no key of it: a parameter of its model.
fn is_parameter_of_a_part(tree: &Table, path: &str) -> bool {
    let Some((name, key)) = path.trim().split_once('.') else {
        return false;
    };
    let Some(Content::List(parts)) = tree.get("subsystem").map(|v| &v.content) else {
        return false;
    };
    let called = |part: &Value| match &part.content {
        Content::Table(t) => {
            matches!(t.get("name").map(|n| &n.content), Some(Content::Text(n)) if n == name)
        }
        _ => false,
    };
    let is_key = key == "name" || SUBSYSTEM_KEYS.iter().any(|k| k.name == key);
    !is_key && parts.iter().any(called)
}

/// Adds the nearest name of a subsystem to a complaint.
pub(super) fn no_such_subsystem(error: ModelError, name: &str, all: &Description) -> ModelError {
    let names = || all.subsystems.iter().map(|s| s.name.as_str());
    let known: Vec<String> = names().map(|n| format!("`{n}`")).collect();
    let label = match nearest(name, names()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "not known".into(),
    };
    error
        .with_label(label)
        .with_help(format!("subsystems are {}", known.join(", ")))
}

fn keep<T>(read: Result<T, ModelError>, errors: &mut Vec<ModelError>, set: impl FnOnce(T)) {
    match read {
        Ok(x) => set(x),
        Err(e) => errors.push(e),
    }
}

fn single(entry: &Entry) -> Result<&Table, ModelError> {
    match &entry.value.content {
        Content::Table(table) => Ok(table),
        _ => Err(ModelError::new(format!(
            "`{}` must be a table, written [{}]",
            entry.key, entry.key
        ))
        .at(entry.key_span.clone())
        .with_label("must be a table")),
    }
}

fn list<'t>(entry: &'t Entry, errors: &mut Vec<ModelError>) -> Vec<&'t Table> {
    let wrong = |span: Option<Range<usize>>| {
        ModelError::new(format!(
            "`{}` must be a list of tables, written [[{}]]",
            entry.key, entry.key
        ))
        .at(span)
        .with_label("write two brackets")
    };
    let Content::List(items) = &entry.value.content else {
        errors.push(wrong(entry.key_span.clone()));
        return Vec::new();
    };
    let mut tables = Vec::new();
    for item in items {
        match &item.content {
            Content::Table(table) => tables.push(table),
            _ => errors.push(wrong(item.span.clone())),
        }
    }
    tables
}

fn unknown_section(entry: &Entry) -> ModelError {
    let label = match nearest(&entry.key, SECTIONS) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "not known here".into(),
    };
    ModelError::new(format!("unknown section `{}`", entry.key))
        .at(entry.key_span.clone())
        .with_label(label)
        .with_help("sections are [system], [simulation], [[subsystem]], [[element]] and [[signal]]")
}

/// Names are used in formulas and in paths, and once only.
fn name_trouble(f: &Fields<'_>, seen: &[(String, Option<Range<usize>>)]) -> Option<ModelError> {
    let name = f.name();
    if name.contains('-') {
        let error = f.error(
            "name",
            format!("the name `{name}` cannot stand in a formula"),
        );
        return Some(error.with_help("use letters, digits and `_`"));
    }
    let (_, first) = seen.iter().find(|(other, _)| other == name)?;
    let error = f
        .error("name", format!("the name `{name}` is used twice"))
        .with_label("used again here");
    Some(error.with_related(first.clone(), "first used here"))
}

fn names_of<T>(table: &'static [T], name: fn(&T) -> &'static str) -> Vec<&'static str> {
    table.iter().map(name).collect()
}

fn subsystem(f: &Fields<'_>, table: &Table) -> Result<SubsystemText, ModelError> {
    f.allow(SUBSYSTEM_KEYS.iter().map(|k| k.name));
    let choose = |key, known: Vec<&'static str>| {
        let chosen = f.has(key).then(|| f.choice(key, &known, None));
        chosen.transpose().map(|x| x.map(str::to_string))
    };
    let mut methods = names_of(STEPPERS, |e| e.name);
    methods.push(AUTO);
    Ok(SubsystemText {
        name: f.name().to_string(),
        model: f.text("model")?.to_string(),
        model_span: f.span("model"),
        set: texts(f, "set", table.get("set"))?,
        set_span: f.span("set"),
        overrides: Vec::new(),
        method: choose("method", methods)?,
        formulation: choose("formulation", names_of(FORMULATIONS, |e| e.name))?,
        robot: RobotText::read(f)?,
        span: table.span.clone(),
    })
}

fn texts(f: &Fields<'_>, key: &str, value: Option<&Value>) -> Result<Vec<String>, ModelError> {
    let Some(value) = value else {
        return Ok(Vec::new());
    };
    let wrong = || {
        f.error(key, format!("`{key}` must be a list of texts"))
            .with_label("expected [\"part.key=value\", ...]")
    };
    let Content::List(items) = &value.content else {
        return Err(wrong());
    };
    let text = |v: &Value| match &v.content {
        Content::Text(text) => Ok(text.clone()),
        _ => Err(wrong()),
    };
    items.iter().map(text).collect()
}

fn place(f: &Fields<'_>, key: &'static str) -> Result<Place, ModelError> {
    let text = f.text(key)?;
    let Some((subsystem, what)) = text.split_once('.') else {
        return Err(f
            .error(key, format!("`{text}` does not say of which subsystem"))
            .with_label("expected SUBSYSTEM.NAME"));
    };
    Ok(Place {
        subsystem: subsystem.to_string(),
        what: what.to_string(),
        span: f.span(key),
    })
}

fn element(f: &Fields<'_>) -> Result<ElementText, ModelError> {
    let kinds: Vec<&'static str> = ELEMENTS.iter().map(|e| e.kind).collect();
    f.allow(ELEMENT_KEYS.iter().map(|k| k.name));
    let kind = f.choice("kind", &kinds, None);
    let Some(entry) = kind
        .as_ref()
        .ok()
        .and_then(|kind| ELEMENTS.iter().find(|e| e.kind == *kind))
    else {
        // which keys are right depends on the kind: complain about it alone
        f.allow(ELEMENTS.iter().flat_map(|e| e.keys).map(|k| k.name));
        return Err(kind.err().unwrap_or_else(|| f.error("kind", "not known")));
    };
    f.allow(entry.keys.iter().map(|k| k.name));
    let element = (entry.read)(f)?;
    let schemes: Vec<&'static str> = SCHEMES.iter().map(|s| s.0).collect();
    let scheme = f.choice("scheme", &schemes, Some(SCHEMES[0].0))?;
    let drives = SCHEMES
        .iter()
        .find(|s| s.0 == scheme)
        .map_or(SCHEMES[0].1, |s| s.1);
    let ports = [place(f, "port_a")?, place(f, "port_b")?];
    if ports[0].subsystem == ports[1].subsystem {
        return Err(f
            .error("port_b", "both ports belong to the same subsystem")
            .with_label("must belong to another one")
            .with_help("what lies within a subsystem belongs into its model"));
    }
    Ok(ElementText {
        name: f.name().to_string(),
        element,
        ports,
        drives,
        span: f.span("stiffness").or_else(|| f.span("kind")),
        name_span: f.span("name"),
    })
}

fn signal(f: &Fields<'_>) -> Result<SignalText, ModelError> {
    f.allow(SIGNAL_KEYS.iter().map(|k| k.name));
    Ok(SignalText {
        name: f.name().to_string(),
        from: place(f, "from")?,
        to: place(f, "to")?,
    })
}
