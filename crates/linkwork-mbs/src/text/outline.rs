//! The sections of a document and the items in them, before any item is read.
//!
//! Names are settled here: they are unique over the whole model, because results, messages and
//! overrides use them without saying of which section.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use super::tree::{Content, Entry, Table, Value};
use crate::body::flexible_beam::ENDS;
use crate::error::ModelError;
use crate::spelling::nearest;

/// Sections that exist at most once.
const SINGLE: [&str; 3] = ["model", "parameters", "simulation"];
/// Sections that are lists of named items.
pub const LISTS: [&str; 11] = [
    "body", "marker", "joint", "force", "sensor", "control", "event", "shape", "section",
    "material", "beam",
];

/// A named item and where its header stands.
pub(crate) type Header = (String, Option<Range<usize>>);

/// The tables of a document by section; faulty parts are left out and reported.
#[derive(Debug, Default)]
pub(crate) struct TextOutline<'a> {
    pub model: Option<&'a Table>,
    pub parameters: Option<&'a Table>,
    pub simulation: Option<&'a Table>,
    /// Named items, in the order of [`LISTS`].
    lists: [Vec<&'a Table>; LISTS.len()],
}

impl<'a> TextOutline<'a> {
    /// Sorts the tables of a document and checks their names; complaints go to `errors`.
    pub fn new(document: &'a Table, errors: &mut Vec<ModelError>) -> TextOutline<'a> {
        let outline = TextOutline::sorted(document, errors);
        outline.check_names(errors);
        outline
    }

    /// Sorts the tables of a document whatever their names are.
    pub fn sorted(document: &'a Table, errors: &mut Vec<ModelError>) -> TextOutline<'a> {
        let mut outline = TextOutline::default();
        for entry in &document.entries {
            match entry.key.as_str() {
                "model" => outline.model = single(entry, errors),
                "parameters" => outline.parameters = single(entry, errors),
                "simulation" => outline.simulation = single(entry, errors),
                key => match LISTS.iter().position(|section| *section == key) {
                    Some(k) => outline.lists[k] = list(entry, errors),
                    None => errors.push(unknown_section(entry)),
                },
            }
        }
        outline
    }

    /// The items of one of the [`LISTS`].
    pub fn of(&self, section: &str) -> &[&'a Table] {
        let lists = LISTS.iter().zip(&self.lists);
        let mut own = lists.filter(|(name, _)| **name == section);
        own.next().map_or(&[], |(_, list)| list)
    }

    /// Refuses the name of an item of this section that is not in the document yet, if it is taken.
    pub fn check_name(&self, section: &str, item: &Table) -> Result<(), ModelError> {
        let Some((own, value)) = name(item) else {
            return Ok(());
        };
        let other = (LISTS.into_iter().zip(&self.lists))
            .find(|(_, list)| list.iter().any(|t| name(t).is_some_and(|n| n.0 == own)));
        let other = other.map(|(section, _)| (section, None));
        match other.or_else(|| self.parameter(section, own)) {
            None => Ok(()),
            Some((other, first)) => Err(taken(section, (own, value), other, first)),
        }
    }

    /// A parameter that formulas could not tell from an item of this name.
    fn parameter(&self, section: &str, name: &str) -> Option<(&'static str, Option<Range<usize>>)> {
        // formulas name these without saying whose they are
        let bare = ["marker", "sensor", "control"].contains(&section);
        let entry = self.parameters.filter(|_| bare)?.entry(name)?;
        Some(("parameter", entry.key_span.clone()))
    }

    /// Whether the model is one in the plane; what is wrong with the key is told by its reader.
    pub fn is_planar(&self) -> bool {
        let planar = self.model.and_then(|model| model.get("planar"));
        !matches!(planar.map(|v| &v.content), Some(Content::Flag(false)))
    }

    /// Names of the bodies in order, empty where the name is missing or no text, and of the nodes of beams; then
    /// those of the frames of flexible bodies, `body.frame`.
    pub fn body_names(&self, nodes: impl IntoIterator<Item = String>) -> Vec<String> {
        let own = |table: &&Table| name(table).map_or(String::new(), |(name, _)| name.to_string());
        let mut names: Vec<String> = self.of("body").iter().map(own).collect();
        names.extend(nodes);
        for table in self.of("body") {
            let body = own(table);
            let kind = table.get("kind").map(|v| &v.content);
            if matches!(kind, Some(Content::Text(kind)) if kind == "flexible_beam") {
                names.extend(ENDS.map(|end| format!("{body}.{end}")));
            }
            let Some(Content::List(list)) = table.get("frames").map(|v| &v.content) else {
                continue;
            };
            names.extend(list.iter().filter_map(|frame| match &frame.content {
                Content::Text(frame) => Some(format!("{body}.{frame}")),
                _ => None,
            }));
        }
        names
    }

    /// Every named item with the place of its header, if it stands in a text.
    pub fn places(&self) -> Vec<Header> {
        (self.lists.iter().flatten())
            .filter_map(|table| Some((name(table)?.0.to_string(), table.span.clone())))
            .collect()
    }

    /// Adds sensors that nobody wrote; a name that is taken is reported.
    pub fn add_sensors(&mut self, tables: &'a [Table], errors: &mut Vec<ModelError>) {
        let mut named: BTreeMap<&str, Vec<&Table>> = BTreeMap::new();
        for table in self.lists.iter().flatten() {
            if let Some((name, _)) = name(table) {
                named.entry(name).or_default().push(table);
            }
        }
        for table in tables {
            let Some((own, value)) = name(table) else {
                continue;
            };
            // the marker that it belongs to has its place; in code none has one
            let other = |t: &Table| match &table.span {
                Some(_) => t.span != table.span,
                None => !self
                    .of("marker")
                    .iter()
                    .any(|marker| std::ptr::eq(*marker, t)),
            };
            let same = named.entry(own).or_default();
            let taken = same.iter().any(|t| other(t));
            same.push(table);
            if taken {
                let message = format!("the name `{own}` of a channel of this marker is taken");
                errors.push(ModelError::new(message).at(value.span.clone()));
            }
        }
        let lists = LISTS.into_iter().zip(&mut self.lists);
        for (_, sensors) in lists.filter(|(section, _)| *section == "sensor") {
            sensors.extend(tables.iter().filter(|table| name(table).is_some()));
        }
    }

    fn check_names(&self, errors: &mut Vec<ModelError>) {
        let mut seen: BTreeMap<&str, (&str, Option<Range<usize>>)> = BTreeMap::new();
        for (section, list) in LISTS.into_iter().zip(&self.lists) {
            for table in list.iter() {
                let Some((name, value)) = name(table) else {
                    continue;
                };
                let part = seen.get(name).cloned();
                match part.or_else(|| self.parameter(section, name)) {
                    None => {
                        seen.insert(name, (section, value.span.clone()));
                    }
                    Some((other, first)) => {
                        errors.push(taken(section, (name, value), other, first));
                    }
                }
            }
        }
    }
}

fn taken(
    section: &str,
    (name, value): (&str, &Value),
    other: &str,
    first: Option<Range<usize>>,
) -> ModelError {
    ModelError::new(format!(
        "{section} `{name}`: the name is taken by a {other}"
    ))
    .of(name, Some("name"))
    .at(value.span.clone())
    .with_label("used a second time here")
    .with_related(first, "first used here")
    .with_help("names are unique over the whole model: results and messages refer to them")
}

/// Where named items are: section and place in its list. Of several with one name the first counts.
pub(super) type Index = HashMap<String, (&'static str, usize)>;

/// All named items.
pub(super) fn index(document: &Table) -> Index {
    let mut index = Index::new();
    for section in LISTS {
        let list = match document.get(section).map(|v| &v.content) {
            Some(Content::List(list)) => &list[..],
            _ => &[],
        };
        for (k, value) in list.iter().enumerate() {
            if let Content::Table(table) = &value.content
                && let Some((name, _)) = name(table)
            {
                index.entry(name.to_string()).or_insert((section, k));
            }
        }
    }
    index
}

/// The table of a named item; `[model]` when the name is empty.
pub(super) fn find<'a>(document: &'a Table, index: &Index, item: &str) -> Option<&'a Table> {
    let value = match item.is_empty() {
        true => document.get("model")?,
        false => {
            let (section, k) = index.get(item)?;
            match &document.get(section)?.content {
                Content::List(list) => list.get(*k)?,
                _ => return None,
            }
        }
    };
    match &value.content {
        Content::Table(table) => Some(table),
        _ => None,
    }
}

/// The table of parameters.
pub(super) fn parameters(document: &Table) -> Option<&Table> {
    match &document.get("parameters")?.content {
        Content::Table(table) => Some(table),
        _ => None,
    }
}

pub(super) fn name(table: &Table) -> Option<(&str, &Value)> {
    let value = table.get("name")?;
    match &value.content {
        Content::Text(name) => Some((name, value)),
        _ => None,
    }
}

fn single<'a>(entry: &'a Entry, errors: &mut Vec<ModelError>) -> Option<&'a Table> {
    match &entry.value.content {
        Content::Table(table) => Some(table),
        other => {
            let key = &entry.key;
            errors.push(
                ModelError::new(format!("`{key}` must be one table, not {}", other.noun()))
                    .at(entry.key_span.clone())
                    .with_label("not a table")
                    .with_help(format!("write the header [{key}], once")),
            );
            None
        }
    }
}

fn list<'a>(entry: &'a Entry, errors: &mut Vec<ModelError>) -> Vec<&'a Table> {
    let key = &entry.key;
    let mut complain = |value: &Value| {
        errors.push(
            ModelError::new(format!(
                "`{key}` must be a list of tables, not {}",
                value.content.noun()
            ))
            .at(value.span.clone().or(entry.key_span.clone()))
            .with_label("not a list of tables")
            .with_help(format!(
                "every {key} starts with the header [[{key}]], in double brackets"
            )),
        );
    };
    let Content::List(items) = &entry.value.content else {
        complain(&entry.value);
        return Vec::new();
    };
    let mut tables = Vec::with_capacity(items.len());
    for item in items {
        match &item.content {
            Content::Table(table) => tables.push(table),
            _ => complain(item),
        }
    }
    tables
}

fn unknown_section(entry: &Entry) -> ModelError {
    let key = entry.key.as_str();
    let known = || SINGLE.into_iter().chain(LISTS);
    // "bodies" is too far from "body" for a slip of the finger, but not for a slip of the mind.
    let stem: String = key.chars().take(3).collect();
    let singular = known().find(|s| stem.len() >= 3 && s.starts_with(&stem));
    let of_systems = ["system", "subsystem", "element", "signal"].contains(&key);
    let label = match nearest(key, known()).or(singular) {
        _ if of_systems => "belongs to a system of models: `linkwork cosim`".into(),
        Some(section) => format!("did you mean `{section}`?"),
        None => "not known".into(),
    };
    ModelError::new(format!("unknown section `{key}`"))
        .at(entry.key_span.clone())
        .with_label(label)
        .with_help(
            "sections are [model], [parameters], [[body]], [[marker]], [[joint]], [[force]], [[sensor]], [[control]], [[event]], [[shape]], [[section]], [[material]], [[beam]] and [simulation]",
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaints(source: &str) -> Vec<ModelError> {
        let document = Table::parse(source).unwrap();
        let mut errors = Vec::new();
        TextOutline::new(&document, &mut errors);
        errors
    }

    #[test]
    fn names_are_unique_over_all_sections() {
        let source = "[[body]]\nname = \"a\"\n[[body]]\nname = \"b\"\n[[force]]\nname = \"a\"\n";
        let errors = complaints(source);
        assert_eq!(errors.len(), 1);
        assert_eq!(errors[0].message, "force `a`: the name is taken by a body");
        assert_eq!(errors[0].line_column(source), Some((6, 8)));
        assert_eq!(&source[errors[0].related[0].0.clone()], "\"a\"");
        assert_eq!(errors[0].related[0].0.start, 16);
    }

    #[test]
    fn sections_have_their_shape() {
        let errors = complaints("model = 3\n[body]\nname = \"a\"\n[bodies]\n[[jiont]]\n");
        let labels: Vec<&str> = errors.iter().map(|e| e.label.as_str()).collect();
        assert_eq!(
            labels,
            [
                "not a table",
                "not a list of tables",
                "did you mean `body`?",
                "did you mean `joint`?"
            ]
        );
        assert_eq!(complaints("joint = [1, {}]").len(), 1);
    }
}
