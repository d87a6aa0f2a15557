//! Named numbers that formulas may use as if they were written out.

use crate::units::Dimension;
use std::collections::BTreeMap;

/// A named number.
#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    /// Its name.
    pub name: String,
    /// Its value in SI units.
    pub value: f64,
    /// What is known of its unit.
    pub dimension: Dimension,
    /// The event that gives it another value, if there is one: it is a signal then, with this value at first.
    pub set_by: Option<String>,
}

/// The named numbers of a model, in the order of its text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Constants {
    list: Vec<Constant>,
    by_name: BTreeMap<String, usize>,
}

impl Constants {
    /// No constants.
    pub const NONE: Constants = Constants {
        list: Vec::new(),
        by_name: BTreeMap::new(),
    };

    /// Adds a constant; a second one of the same name replaces the first.
    pub fn add(&mut self, constant: Constant) {
        match self.by_name.get(&constant.name) {
            Some(&i) => self.list[i] = constant,
            None => {
                self.by_name.insert(constant.name.clone(), self.list.len());
                self.list.push(constant);
            }
        }
    }

    /// The constant of a name.
    pub fn get(&self, name: &str) -> Option<&Constant> {
        self.by_name.get(name).map(|&i| &self.list[i])
    }

    /// All constants.
    pub fn list(&self) -> &[Constant] {
        &self.list
    }

    /// Whether a text names one of them.
    pub(crate) fn named_in(&self, text: &str) -> bool {
        !self.list.is_empty() && words(text).any(|word| self.get(word).is_some())
    }
}

/// The names in a text that formulas could look up; parts of dotted names are none.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.'))
        .filter(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_'))
}

/// The number as it reads back inside a formula.
pub(super) fn literal(value: f64) -> String {
    if value.is_sign_negative() {
        format!("({value:?})")
    } else {
        format!("{value:?}")
    }
}
