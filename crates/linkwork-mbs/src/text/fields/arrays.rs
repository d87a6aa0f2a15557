//! Lists and matrices of plain numbers.

use super::{Content, Fields, Result, Unit, Value};

impl Fields<'_> {
    /// Whether the value of a key is a list.
    pub fn is_list(&self, key: &'static str) -> bool {
        let value = self.find(key).map(|value| &value.content);
        matches!(value, Some(Content::List(_)))
    }

    /// A list of plain numbers.
    pub fn numbers(&self, key: &'static str) -> Result<Vec<f64>> {
        let value = self.need(key, || "a list of numbers such as [1, 0.5]".into())?;
        self.as_numbers(key, value)
    }

    /// A list of rows of plain numbers.
    pub fn matrix(&self, key: &'static str) -> Result<Vec<Vec<f64>>> {
        let value = self.need(key, || "a list of rows such as [[1, 0], [0, 1]]".into())?;
        let Content::List(rows) = &value.content else {
            return Err(self
                .wrong_kind(key, value, "a list of rows")
                .with_help("matrices are written [[1, 0], [0, 1]]"));
        };
        rows.iter().map(|row| self.as_numbers(key, row)).collect()
    }

    fn as_numbers(&self, key: &str, value: &Value) -> Result<Vec<f64>> {
        let Content::List(list) = &value.content else {
            return Err(self
                .wrong_kind(key, value, "a list of numbers")
                .with_help("lists are written [1, 0.5]"));
        };
        let numbers = list.iter().map(|x| self.as_number(key, x, Unit::None));
        numbers.collect()
    }
}
