//! Overrides: `crank.mass=0.05` changes one key of the parsed text before it is read, so a changed
//! value passes the same checks as a written one.

use super::fields::quoted;
use super::outline::parameters;
use super::tree::{Content, Entry, Table, Value};
use crate::error::ModelError;
use crate::spelling::nearest;

/// Sections that exist once; the first part of a path may name them.
const SECTIONS: [&str; 3] = ["model", "simulation", PARAMETERS];
/// The section whose keys are paths by themselves.
const PARAMETERS: &str = "parameters";

/// Applies `path=value`, where the path is the name of a parameter, or the name of an item (or `model`,
/// `simulation`) and a key.
///
/// The value is written as in the text; quotes around texts may be left out (`crank.angle=30 deg`).
pub fn apply_override(document: &mut Table, assignment: &str) -> Result<(), ModelError> {
    let fail = |message: &str| refused(assignment, message);
    let (path, text) = assignment
        .split_once('=')
        .ok_or_else(|| fail("there is no `=`"))?;
    let text = text.trim();
    if text.is_empty() && !path.trim().is_empty() {
        return Err(fail("the value is missing"));
    }
    let value =
        Table::parse_value(text).unwrap_or_else(|| Value::new(Content::Text(text.to_string())));
    assign(document, path, value, assignment)
}

/// Gives a key a value, whose path is written as in [`apply_override`]; `assignment` is what messages
/// quote.
pub fn assign(
    document: &mut Table,
    path: &str,
    value: Value,
    assignment: &str,
) -> Result<(), ModelError> {
    let fail = |message: &str| refused(assignment, message);
    let (item, key) = path.split_once('.').unwrap_or((PARAMETERS, path));
    let (item, key) = (item.trim(), key.trim());
    if item == PARAMETERS {
        has_parameter(document, key).map_err(|(message, help)| fail(&message).with_help(help))?;
    }
    if key.is_empty() || key.contains('.') {
        return Err(fail("the path must name one key of one item"));
    }
    let value = value.given_by_override(assignment);
    if SECTIONS.contains(&item) && document.get(item).is_none() {
        let content = Content::Table(Table::default());
        document.set(item, Value::new(content));
    }
    if let Some(table) = tables(document).find(|(name, _)| name == item) {
        table.1.set(key, value);
        return Ok(());
    }
    let names: Vec<String> = tables(document).map(|(name, _)| name).collect();
    let known = names.iter().map(String::as_str).chain(SECTIONS);
    let help = match nearest(item, known) {
        Some(name) => format!("did you mean `{name}`?"),
        None => format!("names are {}", quoted(names.iter().map(String::as_str))),
    };
    Err(fail(&format!("nothing is called `{item}`")).with_help(help))
}

fn refused(assignment: &str, message: &str) -> ModelError {
    ModelError::new(format!("override `{assignment}`: {message}"))
        .with_help("overrides look like `crank.mass=0.05`, `simulation.rtol=1e-8` or, for parameters, `length=0.3`")
}

/// Refuses names that no parameter has, with what to do about it.
fn has_parameter(document: &Table, name: &str) -> Result<(), (String, String)> {
    let table = parameters(document);
    let known = || {
        table
            .into_iter()
            .flat_map(|t| &t.entries)
            .map(|e| e.key.as_str())
    };
    if known().any(|n| n == name) {
        return Ok(());
    }
    let help = match nearest(name, known()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if known().next().is_none() => {
            "the model has no [parameters]; keys of parts are named with their part: `crank.mass=0.05`"
                .to_string()
        }
        None => format!("parameters are {}", known().collect::<Vec<_>>().join(", ")),
    };
    Err((format!("there is no parameter `{name}`"), help))
}

/// Sections and named items, with the name a path calls them by.
fn tables(document: &mut Table) -> impl Iterator<Item = (String, &mut Table)> {
    document
        .entries
        .iter_mut()
        .flat_map(|Entry { key, value, .. }| {
            let tables: Vec<(String, &mut Table)> = match &mut value.content {
                Content::Table(table) if SECTIONS.contains(&key.as_str()) => {
                    vec![(key.clone(), table)]
                }
                Content::List(items) => items.iter_mut().filter_map(named).collect(),
                _ => Vec::new(),
            };
            tables
        })
}

fn named(item: &mut Value) -> Option<(String, &mut Table)> {
    let Content::Table(table) = &mut item.content else {
        return None;
    };
    let name = match &table.get("name")?.content {
        Content::Text(name) => name.clone(),
        _ => return None,
    };
    Some((name, table))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{BodyNames, Fields};
    use crate::units::Unit;

    const SOURCE: &str = "[[body]]\nname = \"crank\"\nmass = 1\n[[joint]]\nname = \"hinge\"\n";

    fn crank(document: &Table) -> &Table {
        let Content::List(bodies) = &document.get("body").unwrap().content else {
            panic!()
        };
        let Content::Table(crank) = &bodies[0].content else {
            panic!()
        };
        crank
    }

    #[test]
    fn replaces_adds_and_creates() {
        let mut document = Table::parse(SOURCE).unwrap();
        for path in [
            "crank.mass=0.05",
            "crank.angle = 30 deg",
            "simulation.rtol=1e-8",
            "model.gravity=[0, -9.81]",
        ] {
            apply_override(&mut document, path).unwrap();
        }
        let fields = Fields::item("body", crank(&document), BodyNames::NONE).unwrap();
        assert_eq!(fields.number("mass", Unit::Mass).unwrap(), 0.05);
        assert!((fields.number("angle", Unit::Angle).unwrap() - 0.5235987755982988).abs() < 1e-15);
        let Content::Table(simulation) = &document.get("simulation").unwrap().content else {
            panic!()
        };
        let fields = Fields::section("simulation", simulation);
        assert_eq!(fields.number("rtol", Unit::None).unwrap(), 1e-8);
        let Content::Table(model) = &document.get("model").unwrap().content else {
            panic!()
        };
        let fields = Fields::section("model", model).planar(true);
        assert_eq!(
            fields.vector("gravity", Unit::Acceleration).unwrap(),
            [0.0, -9.81, 0.0]
        );
    }

    #[test]
    fn errors_name_the_override() {
        let mut document = Table::parse(SOURCE).unwrap();
        let e = apply_override(&mut document, "crnak.mass=1").unwrap_err();
        assert_eq!(
            e.message,
            "override `crnak.mass=1`: nothing is called `crnak`"
        );
        assert_eq!(e.help.unwrap(), "did you mean `crank`?");
        for bad in [
            "crank.mass",
            "crank=1",
            "crank.=1",
            "crank.mass=",
            "crank.a.b=1",
            "=",
            "",
        ] {
            assert!(apply_override(&mut document, bad).is_err(), "{bad}");
        }
        apply_override(&mut document, "crank.mass=heavy").unwrap();
        let fields = Fields::item("body", crank(&document), BodyNames::NONE).unwrap();
        let e = fields.number("mass", Unit::Mass).unwrap_err();
        assert!(
            e.message.ends_with("(override `crank.mass=heavy`)"),
            "{}",
            e.message
        );
        assert_eq!(e.span, None);
    }

    #[test]
    fn an_unknown_key_is_refused_when_the_item_is_read() {
        let mut document = Table::parse(SOURCE).unwrap();
        apply_override(&mut document, "crank.mas=1").unwrap();
        let fields = Fields::item("body", crank(&document), BodyNames::NONE).unwrap();
        assert!(fields.has("mass"));
        let e = fields.finish().unwrap_err();
        assert_eq!(
            e.message,
            "body `crank`: unknown key `mas` (override `crank.mas=1`)"
        );
    }
}
