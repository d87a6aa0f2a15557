//! Documented keys of elements, and elements written back as key and value.

use crate::expr::Formula;
use crate::units::Unit;
use std::fmt;

/// What may stand behind a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A number, plain or with a unit.
    Number,
    /// Three numbers, x, y and z; two in planar models.
    Vector,
    /// A direction; in planar models one in the plane.
    Direction,
    /// A number or a formula of time.
    Formula,
    /// A number, a formula of one variable or a table of points.
    Curve,
    /// A list of numbers or formulas; a matrix is a list of rows.
    List,
    /// A word: a name, or one of a few choices.
    Word,
    /// true or false.
    Flag,
    /// true, false or a list of words.
    Words,
}

impl Form {
    /// The form in a word or two, for lists.
    pub fn noun(self) -> &'static str {
        match self {
            Form::Number => "number",
            Form::Vector | Form::Direction => "[x, y, z]",
            Form::Formula => "number or formula",
            Form::Curve => "number, formula or table",
            Form::List => "list",
            Form::Word => "word",
            Form::Flag => "true or false",
            Form::Words => "true, false or words",
        }
    }
}

/// What holds when a key is left out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fallback {
    /// A number.
    Number(f64),
    /// true or false.
    Flag(bool),
    /// What is said in words.
    Words(&'static str),
}

impl From<f64> for Fallback {
    fn from(x: f64) -> Fallback {
        Fallback::Number(x)
    }
}

impl From<bool> for Fallback {
    fn from(flag: bool) -> Fallback {
        Fallback::Flag(flag)
    }
}

impl From<&'static str> for Fallback {
    fn from(words: &'static str) -> Fallback {
        Fallback::Words(words)
    }
}

impl fmt::Display for Fallback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fallback::Number(x) => write!(f, "{x}"),
            Fallback::Flag(flag) => write!(f, "{flag}"),
            Fallback::Words(words) => f.write_str(words),
        }
    }
}

/// One key that an element understands in model text.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// What may stand behind it.
    pub form: Form,
    /// Physical kind of its number or numbers.
    pub unit: Unit,
    /// What holds when it is left out; `None`: the key is required.
    pub default: Option<Fallback>,
    /// What it means, in one sentence.
    pub doc: &'static str,
}

impl Key {
    /// A key that must be given; a number unless it [takes](Key::takes) something else.
    pub const fn required(name: &'static str, unit: Unit, doc: &'static str) -> Key {
        Key {
            name,
            form: Form::Number,
            unit,
            default: None,
            doc,
        }
    }

    /// A key that may be left out; a number unless it [takes](Key::takes) something else.
    pub const fn optional(
        name: &'static str,
        unit: Unit,
        default: &'static str,
        doc: &'static str,
    ) -> Key {
        Key {
            name,
            form: Form::Number,
            unit,
            default: Some(Fallback::Words(default)),
            doc,
        }
    }

    /// A direction that may be left out.
    pub const fn direction(name: &'static str, default: &'static str, doc: &'static str) -> Key {
        Key::optional(name, Unit::None, default, doc).takes(Form::Vector)
    }

    /// The key with another form than a number.
    #[must_use]
    pub const fn takes(self, form: Form) -> Key {
        Key { form, ..self }
    }
}

/// The value of a key; shown as TOML, numbers in SI units with all their digits.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number.
    Number(f64),
    /// A vector.
    Vector([f64; 3]),
    /// true or false.
    Flag(bool),
    /// A word or a formula.
    Text(String),
    /// A list of words.
    Words(Vec<&'static str>),
    /// A list of values.
    List(Vec<Value>),
}

impl Value {
    /// A list of numbers.
    pub fn numbers(x: &[f64]) -> Value {
        Value::List(x.iter().copied().map(Value::Number).collect())
    }

    /// A list of rows of numbers.
    pub fn matrix(rows: &[Vec<f64>]) -> Value {
        Value::List(rows.iter().map(|row| Value::numbers(row)).collect())
    }
}

impl From<&Formula> for Value {
    fn from(formula: &Formula) -> Value {
        if formula.is_constant() {
            Value::Number(formula.eval(0.0))
        } else {
            Value::Text(formula.text().to_string())
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // TOML spells it in small letters
            Value::Number(x) if x.is_nan() => f.write_str("nan"),
            Value::Number(x) => write!(f, "{x:?}"),
            Value::Vector([x, y, z]) => write!(f, "[{x:?}, {y:?}, {z:?}]"),
            Value::Flag(flag) => write!(f, "{flag}"),
            Value::Words(words) => write!(f, "{words:?}"),
            Value::List(list) => {
                f.write_str("[")?;
                for (i, value) in list.iter().enumerate() {
                    let before = if i > 0 { ", " } else { "" };
                    write!(f, "{before}{value}")?;
                }
                f.write_str("]")
            }
            Value::Text(text) => {
                f.write_str("\"")?;
                for c in text.chars() {
                    match c {
                        '"' | '\\' => write!(f, "\\{c}")?,
                        c if c.is_control() => write!(f, "\\u{:04X}", c as u32)?,
                        c => write!(f, "{c}")?,
                    }
                }
                f.write_str("\"")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_toml() {
        assert_eq!(Value::Number(1e-7).to_string(), "1e-7");
        assert_eq!(Value::Number(2.0).to_string(), "2.0");
        assert_eq!(
            Value::Vector([0.5, -1.0, 2.0]).to_string(),
            "[0.5, -1.0, 2.0]"
        );
        let rows = [vec![1.0, 2.0], vec![]];
        assert_eq!(Value::matrix(&rows).to_string(), "[[1.0, 2.0], []]");
        assert_eq!(Value::Words(vec!["a", "b"]).to_string(), r#"["a", "b"]"#);
        assert_eq!(Value::Text("a\"b\n".into()).to_string(), r#""a\"b\u000A""#);
    }
}
