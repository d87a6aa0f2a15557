//! Typed reading of one table. Every key asked for is remembered as allowed; `finish` refuses the
//! others and names the nearest right spelling.

mod arrays;
mod curves;
pub(super) mod numbers;
mod signals;
mod vectors;

pub use signals::SignalUse;

use std::cell::RefCell;
use std::fmt::Display;
use std::ops::Range;

use super::body_names::BodyNames;
use super::stock::Stock;
use super::tree::{Content, Table, Value};
use crate::error::ModelError;
use crate::expr::{Constants, Formula};
use crate::handle::BodyRef;
use crate::spelling::nearest;
use crate::units::Unit;

/// One table of the model text, being read.
pub struct Fields<'a> {
    table: &'a Table,
    /// What the table is, for messages: "joint `hinge`".
    title: String,
    name: &'a str,
    bodies: &'a BodyNames,
    /// Whether the model is planar.
    in_plane: bool,
    parameters: Option<&'a Constants>,
    pub(super) stock: Option<&'a Stock>,
    asked: RefCell<Vec<&'static str>>,
    signals: RefCell<Vec<SignalUse>>,
}

type Result<T> = std::result::Result<T, ModelError>;

impl<'a> Fields<'a> {
    /// Starts reading one item of `[[section]]`, which must have a `name`.
    /// `bodies` are the names that `body` finds, in the order of their indices.
    pub fn item(section: &str, table: &'a Table, bodies: &'a BodyNames) -> Result<Fields<'a>> {
        let mut fields = Fields::section(section, table);
        fields.bodies = bodies;
        fields.title = format!("this {section}");
        let name = fields.text("name")?;
        if let Some(problem) = name_problem(name) {
            return Err(fields
                .error("name", format!("the name `{name}` {problem}"))
                .with_help("names are made of letters, digits, `_` and `-`"));
        }
        fields.name = name;
        fields.title = format!("{section} `{name}`");
        Ok(fields)
    }

    /// Starts reading a section that exists once, such as `[simulation]`.
    pub fn section(section: &str, table: &'a Table) -> Fields<'a> {
        Fields {
            table,
            title: format!("[{section}]"),
            name: "",
            bodies: BodyNames::NONE,
            in_plane: false,
            parameters: None,
            stock: None,
            asked: RefCell::new(Vec::new()),
            signals: RefCell::new(Vec::new()),
        }
    }

    /// The same as part of a planar model, whose vectors have two components, or of one in space.
    #[must_use]
    pub fn planar(mut self, in_plane: bool) -> Fields<'a> {
        self.in_plane = in_plane;
        self
    }

    /// Whether it is part of a planar model.
    pub fn in_plane(&self) -> bool {
        self.in_plane
    }

    /// The same with parameters that numbers and formulas may name.
    #[must_use]
    pub fn knowing(mut self, parameters: &'a Constants) -> Fields<'a> {
        self.parameters = Some(parameters);
        self
    }

    /// The same with sections and materials that may be named.
    #[must_use]
    pub(super) fn using(mut self, stock: &'a Stock) -> Fields<'a> {
        self.stock = Some(stock);
        self
    }

    /// The same with the values of another table; keys asked for so far stay allowed.
    pub(super) fn instead<'b>(self, table: &'b Table) -> Fields<'b>
    where
        'a: 'b,
    {
        Fields { table, ..self }
    }

    /// Name of the item; empty for a section.
    pub fn name(&self) -> &'a str {
        self.name
    }

    /// Whether the key is present.
    pub fn has(&self, key: &'static str) -> bool {
        self.find(key).is_some()
    }

    /// Where the value of a key stands; the header when the key is absent.
    pub fn span(&self, key: &str) -> Option<Range<usize>> {
        match self.table.get(key) {
            Some(value) => value.span.clone(),
            None => self.table.span.clone(),
        }
    }

    /// An error that points at the value of a key, or at the header when the key is absent.
    /// The message is put behind the title of the table.
    pub fn error(&self, key: &str, message: impl Display) -> ModelError {
        match self.table.get(key) {
            Some(value) => self.at_value(value, message),
            None => self.error_here(message).of(self.name, Some(key)),
        }
    }

    /// An error that points at the header of the table.
    pub fn error_here(&self, message: impl Display) -> ModelError {
        ModelError::new(format!("{}: {message}", self.title))
            .of(self.name, None)
            .at(self.table.span.clone())
            .with_label("in this table")
    }

    /// A number in SI units.
    pub fn number(&self, key: &'static str, unit: Unit) -> Result<f64> {
        let value = self.need(key, || {
            format!("{}, for example {}", unit.noun(), unit.examples())
        })?;
        self.as_number(key, value, unit)
    }

    /// A number, or `default` when the key is absent.
    pub fn number_or(&self, key: &'static str, unit: Unit, default: f64) -> Result<f64> {
        Ok(self.optional_number(key, unit)?.unwrap_or(default))
    }

    /// A number, or nothing when the key is absent.
    pub fn optional_number(&self, key: &'static str, unit: Unit) -> Result<Option<f64>> {
        self.find(key)
            .map(|value| self.as_number(key, value, unit))
            .transpose()
    }

    /// A number greater than zero.
    pub fn positive(&self, key: &'static str, unit: Unit) -> Result<f64> {
        let x = self.number(key, unit)?;
        self.check_positive(key, x)
    }

    /// A number greater than zero, or `default` when the key is absent.
    pub fn positive_or(&self, key: &'static str, unit: Unit, default: f64) -> Result<f64> {
        if self.has(key) {
            self.positive(key, unit)
        } else {
            Ok(default)
        }
    }

    /// A whole number that is zero or greater, or `default` when the key is absent.
    pub fn count_or(&self, key: &'static str, default: usize) -> Result<usize> {
        match self.optional_number(key, Unit::None)? {
            None => Ok(default),
            Some(x) if x >= 0.0 && x.fract() == 0.0 && x <= 1e15 => Ok(x as usize),
            Some(_) => Err(self
                .error(key, format!("`{key}` must be a whole number"))
                .with_label("must be 0, 1, 2, ...")),
        }
    }

    /// A text.
    pub fn text(&self, key: &'static str) -> Result<&'a str> {
        let value = self.need(key, || "a text in quotes".into())?;
        self.as_text(key, value)
    }

    /// A text, or nothing when the key is absent.
    pub fn optional_text(&self, key: &'static str) -> Result<Option<&'a str>> {
        self.find(key)
            .map(|value| self.as_text(key, value))
            .transpose()
    }

    /// A list of texts; one text alone counts as a list of one. Empty when the key is absent.
    pub fn texts(&self, key: &'static str) -> Result<Vec<&'a str>> {
        match self.find(key) {
            None => Ok(Vec::new()),
            Some(Value {
                content: Content::List(list),
                ..
            }) => list.iter().map(|value| self.as_text(key, value)).collect(),
            Some(value) => Ok(vec![self.as_text(key, value)?]),
        }
    }

    /// Some of the allowed words, as a list; `true` means all of them, `false` or nothing none.
    pub fn words(&self, key: &'static str, allowed: &[&'static str]) -> Result<Vec<&'static str>> {
        match self.find(key).map(|value| &value.content) {
            None | Some(Content::Flag(false)) => return Ok(Vec::new()),
            Some(Content::Flag(true)) => return Ok(allowed.to_vec()),
            _ => {}
        }
        let given = self.texts(key)?;
        let chosen = given.iter().map(|word| {
            allowed.iter().copied().find(|a| a == word).ok_or_else(|| {
                self.error(key, format!("`{word}` cannot be in `{key}`"))
                    .with_label(suggestion(word, allowed.iter().copied(), "not known"))
                    .with_help(format!(
                        "`{key}` is true, false or a list of {}",
                        quoted(allowed.iter().copied())
                    ))
            })
        });
        chosen.collect()
    }

    /// One of the allowed texts; `default` when the key is absent, an error if there is none.
    pub fn choice(
        &self,
        key: &'static str,
        allowed: &[&'static str],
        default: Option<&'static str>,
    ) -> Result<&'static str> {
        let given = match (self.find(key), default) {
            (Some(value), _) => self.as_text(key, value)?,
            (None, Some(default)) => return Ok(default),
            (None, None) => {
                return Err(
                    self.missing(key, &format!("one of {}", quoted(allowed.iter().copied())))
                );
            }
        };
        allowed
            .iter()
            .copied()
            .find(|a| *a == given)
            .ok_or_else(|| {
                self.error(key, format!("`{given}` is not a known {key}"))
                    .with_label(suggestion(given, allowed.iter().copied(), "not known"))
                    .with_help(format!(
                        "{key} is one of {}",
                        quoted(allowed.iter().copied())
                    ))
            })
    }

    /// True or false, or `default` when the key is absent.
    pub fn flag_or(&self, key: &'static str, default: bool) -> Result<bool> {
        match self.find(key) {
            None => Ok(default),
            Some(Value {
                content: Content::Flag(flag),
                ..
            }) => Ok(*flag),
            Some(value) => Err(self.wrong_kind(key, value, "true or false")),
        }
    }

    /// A body by its name, or the ground.
    pub fn body(&self, key: &'static str) -> Result<BodyRef> {
        let name = match self.find(key) {
            Some(value) => self.as_text(key, value)?,
            None => return Err(self.missing(key, "the name of a body, or \"ground\"")),
        };
        self.find_body(key, name)
    }

    /// A body by its name, or the ground when the key is absent.
    pub fn body_or_ground(&self, key: &'static str) -> Result<BodyRef> {
        if self.has(key) {
            self.body(key)
        } else {
            Ok(BodyRef::GROUND)
        }
    }

    /// Bodies by their names, none when the key is absent.
    pub fn bodies(&self, key: &'static str) -> Result<Vec<BodyRef>> {
        let names = self.texts(key)?.into_iter();
        names.map(|name| self.find_body(key, name)).collect()
    }

    fn find_body(&self, key: &str, name: &str) -> Result<BodyRef> {
        if name == "ground" {
            return Ok(BodyRef::GROUND);
        }
        if let Some(index) = self.bodies.find(name) {
            let Some((body, _)) = name.split_once('.') else {
                return Ok(BodyRef::from_index(index));
            };
            // frames stand behind all bodies, those of one body in their order
            let before = self.bodies.all()[..index].iter();
            let of_body = |name: &&String| name.split_once('.').is_some_and(|(b, _)| b == body);
            let frame = before.filter(of_body).count() + 1;
            if let Some(index) = self.bodies.find(body) {
                return Ok(BodyRef::from_index(index).on_frame(frame));
            }
        }
        let all = || {
            self.bodies
                .all()
                .iter()
                .map(String::as_str)
                .chain(["ground"])
        };
        Err(self
            .error(key, format!("there is no body `{name}`"))
            .with_label(suggestion(name, all(), "no body has this name"))
            .with_help(format!("bodies are {}", quoted(all()))))
    }

    /// A function of time: a number, a text with a unit, or a formula of `t` in SI units.
    pub fn formula(&self, key: &'static str, unit: Unit) -> Result<Formula> {
        let value = self.need(key, || {
            format!(
                "{} or a formula of time, for example {}, \"0.5*sin(2*pi*t)\"",
                unit.noun(),
                unit.examples()
            )
        })?;
        self.as_formula(key, value, unit, false)
    }

    /// Allows keys beforehand, so that a reading that stops early still knows all right spellings.
    pub fn allow(&self, keys: impl IntoIterator<Item = &'static str>) {
        for key in keys {
            self.find(key);
        }
    }

    /// One error for every key nobody asked for.
    pub fn unknown_keys(&self) -> Vec<ModelError> {
        let asked = self.asked.borrow();
        let strangers = self
            .table
            .entries
            .iter()
            .filter(|e| !asked.contains(&e.key.as_str()));
        strangers
            .map(|e| self.unknown_key(&e.key, &asked))
            .collect()
    }

    /// Ends the reading: a key nobody asked for is an error.
    pub fn finish(self) -> Result<()> {
        self.unknown_keys().into_iter().next().map_or(Ok(()), Err)
    }

    fn unknown_key(&self, key: &str, allowed: &[&'static str]) -> ModelError {
        let entry = self.table.entry(key);
        let message = format!("unknown key `{key}`");
        let error = match entry {
            Some(e) => self.at_value(&e.value, message),
            None => ModelError::new(message),
        };
        error
            .at(entry.and_then(|e| e.key_span.clone()))
            .with_label(suggestion(key, allowed.iter().copied(), "not known here"))
            .with_help(format!("keys are {}", quoted(allowed.iter().copied())))
    }

    /// Remembers the key as allowed and finds its value.
    fn find(&self, key: &'static str) -> Option<&'a Value> {
        let mut asked = self.asked.borrow_mut();
        if !asked.contains(&key) {
            asked.push(key);
        }
        self.table.get(key)
    }

    fn need(&self, key: &'static str, expected: impl FnOnce() -> String) -> Result<&'a Value> {
        self.find(key).ok_or_else(|| self.missing(key, &expected()))
    }

    /// A required key is absent: either misspelt or forgotten.
    fn missing(&self, key: &'static str, expected: &str) -> ModelError {
        let asked = self.asked.borrow();
        let strangers = self
            .table
            .entries
            .iter()
            .map(|e| e.key.as_str())
            .filter(|k| !asked.contains(k));
        for stranger in strangers {
            if nearest(stranger, [key]).is_some() {
                return self
                    .unknown_key(stranger, &[key])
                    .with_help(format!("`{key}` is required: {expected}"));
            }
        }
        self.error_here(format!("the key `{key}` is missing"))
            .of(self.name, Some(key))
            .with_label(format!("needs `{key}`"))
            .with_help(format!("`{key}` is {expected}"))
    }

    /// An error at a value, which may have come from an override instead of the text.
    fn at_value(&self, value: &Value, message: impl Display) -> ModelError {
        let mut message = format!("{}: {message}", self.title);
        if let Some(given) = &value.given_by {
            message.push_str(&format!(" (override `{given}`)"));
        }
        let entry = self.table.entries.iter().find(|e| e.value.holds(value));
        ModelError::new(message)
            .of(self.name, entry.map(|e| e.key.as_str()))
            .at(value.span.clone())
    }

    fn wrong_kind(&self, key: &str, value: &Value, expected: &str) -> ModelError {
        self.at_value(
            value,
            format!("`{key}` must be {expected}, not {}", value.content.noun()),
        )
        .with_label(format!("expected {expected}"))
    }

    fn as_text(&self, key: &str, value: &'a Value) -> Result<&'a str> {
        match &value.content {
            Content::Text(text) => Ok(text),
            _ => Err(self.wrong_kind(key, value, "a text in quotes")),
        }
    }

    fn check_positive(&self, key: &str, x: f64) -> Result<f64> {
        if x > 0.0 {
            return Ok(x);
        }
        Err(self
            .error(key, format!("`{key}` must be positive"))
            .with_label("must be greater than 0"))
    }
}

/// Bytes of the source behind a part of a text. Positions carry over only if the text stands in the
/// source letter by letter.
pub(super) fn inside(value: &Value, position: usize, length: usize) -> Option<Range<usize>> {
    let Content::Text(text) = &value.content else {
        return None;
    };
    let span = value.span.clone().filter(|s| s.len() == text.len() + 2)?;
    let start = span.start + 1 + position;
    Some(start..start + length)
}

/// Why a text cannot name an item.
fn name_problem(name: &str) -> Option<&'static str> {
    if name.is_empty() {
        Some("is empty")
    } else if ["ground", "model", "simulation", "parameters"].contains(&name) {
        Some("is reserved")
    } else if !name
        .chars()
        .all(|c| c.is_alphanumeric() || c == '_' || c == '-')
    {
        Some("has a character that names cannot have")
    } else {
        None
    }
}

pub(super) fn suggestion<'b>(
    word: &str,
    words: impl IntoIterator<Item = &'b str>,
    otherwise: &str,
) -> String {
    match nearest(word, words) {
        Some(w) => format!("did you mean `{w}`?"),
        None => otherwise.to_string(),
    }
}

/// Names that a help lists before it counts the others: a model may have a hundred thousand.
const LISTED: usize = 50;

pub(super) fn quoted<'b>(words: impl IntoIterator<Item = &'b str>) -> String {
    let mut words = words.into_iter();
    let listed: Vec<String> = (words.by_ref().take(LISTED))
        .map(|w| format!("`{w}`"))
        .collect();
    match words.count() {
        0 => listed.join(", "),
        more => format!("{} and {more} more", listed.join(", ")),
    }
}

#[cfg(test)]
mod tests;
