//! The parsed text: tables and values in source order, each with its place.
//!
//! An own tree, not the parser's: it outlives the source, keeps the order of the text, and can
//! hold values that come from an override instead of the text.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::error::ModelError;
use crate::expr::words;

/// A value of the text.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// `"..."`
    Text(String),
    /// A number; integers are read as numbers too.
    Number(f64),
    /// `true` or `false`
    Flag(bool),
    /// `[...]`
    List(Vec<Value>),
    /// `[...]` header or `{...}`
    Table(Table),
    /// A date or time, which no key takes.
    Date(String),
}

impl Content {
    /// A noun for messages.
    pub fn noun(&self) -> &'static str {
        match self {
            Content::Text(_) => "a text",
            Content::Number(_) => "a number",
            Content::Flag(_) => "true or false",
            Content::List(_) => "a list",
            Content::Table(_) => "a table",
            Content::Date(_) => "a date",
        }
    }
}

/// A value with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// Bytes of the source; `None` for overrides.
    pub span: Option<Range<usize>>,
    /// The override this value comes from, as the user wrote it.
    pub given_by: Option<String>,
    /// What it says.
    pub content: Content,
}

impl Value {
    fn read(value: &Spanned<DeValue<'_>>) -> Result<Value, ModelError> {
        let span = value.span();
        let not_a_number = |what: &str| {
            let shown: String = what.chars().take(LONGEST_NUMBER).collect();
            let more = if shown.len() < what.len() { "..." } else { "" };
            let message = format!("the number {shown}{more} is out of range");
            ModelError::new(message).at(span.clone())
        };
        let content = match value.get_ref() {
            DeValue::String(s) => Content::Text(s.to_string()),
            DeValue::Integer(i) => Content::Number(
                i128::from_str_radix(i.as_str(), i.radix()).map_err(|_| not_a_number(i.as_str()))?
                    as f64,
            ),
            DeValue::Float(x) => {
                Content::Number(x.as_str().parse().map_err(|_| not_a_number(x.as_str()))?)
            }
            DeValue::Boolean(b) => Content::Flag(*b),
            DeValue::Datetime(d) => Content::Date(d.to_string()),
            DeValue::Array(list) => {
                Content::List(list.iter().map(Value::read).collect::<Result<_, _>>()?)
            }
            DeValue::Table(table) => Content::Table(Table::read(table, span.clone())?),
        };
        Ok(Value {
            span: Some(span),
            given_by: None,
            content,
        })
    }

    /// A value that stands in no text.
    pub fn new(content: Content) -> Value {
        Value {
            span: None,
            given_by: None,
            content,
        }
    }

    /// Whether this very value is the other one or has it among its entries.
    pub(super) fn holds(&self, part: &Value) -> bool {
        let within = match &self.content {
            Content::List(list) => list.iter().any(|value| value.holds(part)),
            _ => false,
        };
        within || std::ptr::eq(self, part)
    }

    /// The same value with its source places replaced by a reference to an override.
    pub(crate) fn given_by_override(mut self, given_by: &str) -> Value {
        self.span = None;
        self.given_by = Some(given_by.to_string());
        self.content = match self.content {
            Content::List(list) => Content::List(
                list.into_iter()
                    .map(|v| v.given_by_override(given_by))
                    .collect(),
            ),
            Content::Table(table) => Content::Table(Table {
                span: None,
                entries: table
                    .entries
                    .into_iter()
                    .map(|mut e| {
                        e.key_span = None;
                        e.value = e.value.given_by_override(given_by);
                        e
                    })
                    .collect(),
            }),
            other => other,
        };
        self
    }
}

/// One `key = value`.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The key.
    pub key: String,
    /// Bytes of the key; `None` for overrides.
    pub key_span: Option<Range<usize>>,
    /// The value.
    pub value: Value,
}

/// A table in source order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// Bytes of the header; `None` for overrides and for the document itself.
    pub span: Option<Range<usize>>,
    /// Keys and values; every key once.
    pub entries: Vec<Entry>,
}

impl Table {
    /// Parses a whole document.
    pub fn parse(source: &str) -> Result<Table, Vec<ModelError>> {
        let (document, mut errors) = DeTable::parse_recoverable(source);
        if !errors.is_empty() {
            errors.sort_by_key(|e| e.span().map(|s| s.start));
            return Err(errors.iter().map(|e| syntax_error(e, source)).collect());
        }
        Table::read(document.get_ref(), document.span())
            .map(|t| Table { span: None, ..t })
            .map_err(|e| vec![e])
    }

    /// Parses a single value, as on the right of `=`.
    pub fn parse_value(source: &str) -> Option<Value> {
        Value::read(&DeValue::parse(source).ok()?).ok()
    }

    fn read(table: &DeTable<'_>, span: Range<usize>) -> Result<Table, ModelError> {
        let mut entries = Vec::with_capacity(table.len());
        for (key, value) in table.iter() {
            entries.push(Entry {
                key: key.get_ref().to_string(),
                key_span: Some(key.span()),
                value: Value::read(value)?,
            });
        }
        // The parser sorts by key; source order is what a reader of messages expects.
        entries.sort_by_key(|e| e.key_span.as_ref().map(|s| s.start));
        Ok(Table {
            span: Some(span),
            entries,
        })
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.entry(key).map(|e| &e.value)
    }

    /// Key and value.
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        self.entries.iter().find(|e| e.key == key)
    }

    /// Whether a text behind any key but `name` and `kind` has this word in it.
    pub(super) fn names_in_a_value(&self, word: &str) -> bool {
        fn within(value: &Value, word: &str) -> bool {
            match &value.content {
                Content::Text(text) => words(text).any(|w| w == word),
                Content::List(list) => list.iter().any(|v| within(v, word)),
                Content::Table(table) => table.names_in_a_value(word),
                _ => false,
            }
        }
        let values = self
            .entries
            .iter()
            .filter(|e| !["name", "kind"].contains(&e.key.as_str()));
        values.into_iter().any(|e| within(&e.value, word))
    }

    /// Removes a key.
    pub fn remove(&mut self, key: &str) {
        self.entries.retain(|e| e.key != key);
    }

    /// Sets or adds a key.
    pub fn set(&mut self, key: &str, value: Value) {
        match self.entries.iter_mut().find(|e| e.key == key) {
            Some(entry) => entry.value = value,
            None => self.entries.push(Entry {
                key: key.to_string(),
                key_span: None,
                value,
            }),
        }
    }
}

/// Characters of a number that are shown where it cannot be read.
const LONGEST_NUMBER: usize = 40;

fn syntax_error(e: &toml::de::Error, source: &str) -> ModelError {
    if e.message() == "recursion limit" {
        let message = "tables and lists are nested too deeply: 80 levels are allowed";
        return ModelError::new(message).at(e.span());
    }
    // An error at the very end of the text has an empty span behind the last byte.
    let span = e
        .span()
        .map(|s| s.start.min(source.len())..s.end.min(source.len()));
    ModelError::new(format!("the model text is not valid TOML: {}", e.message()))
        .at(span)
        .with_label("cannot be read from here on")
        .with_help("a model is made of `key = value` lines under headers such as [model] and [[body]]; texts need quotes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_order_and_places() {
        let source = "z = 1\na = \"x\"\n[[body]]\nname = \"b\"\n";
        let table = Table::parse(source).unwrap();
        let keys: Vec<&str> = table.entries.iter().map(|e| e.key.as_str()).collect();
        assert_eq!(keys, ["z", "a", "body"]);
        assert_eq!(
            &source[table.get("a").unwrap().span.clone().unwrap()],
            "\"x\""
        );
        let Content::List(bodies) = &table.get("body").unwrap().content else {
            panic!()
        };
        let Content::Table(body) = &bodies[0].content else {
            panic!()
        };
        assert_eq!(&source[body.span.clone().unwrap()], "[[body]]");
    }

    #[test]
    fn reports_several_syntax_errors_with_places() {
        let source = "a = \nb = 1\nc = = 2\n";
        let errors = Table::parse(source).unwrap_err();
        assert!(errors.len() >= 2, "{errors:?}");
        assert_eq!(errors[0].line_column(source).unwrap().0, 1);
    }

    #[test]
    fn numbers_in_every_notation() {
        let table = Table::parse("a = 1_000\nb = +1_000.5e-1\nc = 0x1F\nd = -7\ne = -inf").unwrap();
        let number = |key: &str| match table.get(key).unwrap().content {
            Content::Number(x) => x,
            _ => f64::NAN,
        };
        assert_eq!(
            ["a", "b", "c", "d"].map(number),
            [1000.0, 100.05, 31.0, -7.0]
        );
        assert_eq!(number("e"), f64::NEG_INFINITY);
        let huge = Table::parse(&format!("a = {}", "9".repeat(50))).unwrap_err();
        assert_eq!(huge[0].span, Some(4..54));
    }

    #[test]
    fn deep_nesting_is_an_error() {
        for (open, close) in [("[", "]"), ("{a=", "}")] {
            let source = format!("a = {}1{}", open.repeat(100_000), close.repeat(100_000));
            assert!(Table::parse(&source).is_err());
        }
    }

    proptest::proptest! {
        #[test]
        fn never_panics(any in "\\PC*", near in "[\\[\\]a-c=\"'{}.,0-9e\n#+_-]{0,60}") {
            let _ = Table::parse(&any);
            let _ = Table::parse(&near);
        }
    }
}
