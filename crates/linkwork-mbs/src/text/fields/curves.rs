//! Functions of one variable: a number, a formula or a table.

use super::{Content, Fields, Result, Unit, Value};
use crate::curve::{Curve, Join};
use crate::expr::words;

impl Fields<'_> {
    /// A function of `variable` that must be given.
    pub fn curve(&self, key: &'static str, variable: &str, units: [Unit; 2]) -> Result<Curve> {
        let value = self.need(key, || {
            format!("a formula of `{variable}` or a table [[{variable}, value], ...]")
        })?;
        self.as_curve(key, value, variable, units)
    }

    fn as_curve(
        &self,
        key: &str,
        value: &Value,
        variable: &str,
        [from, to]: [Unit; 2],
    ) -> Result<Curve> {
        let refused = |why: String| self.at_value(value, format!("`{key}`: {why}"));
        let Content::List(rows) = &value.content else {
            if let Content::Text(text) = &value.content
                && self.parameter(variable).is_some()
                && words(text).any(|word| word == variable)
            {
                let both =
                    format!("`{variable}` is the variable here, and a parameter of the model");
                return Err(refused(both).with_help("give the parameter another name"));
            }
            let formula = self.as_formula(key, value, to, variable != "t")?;
            return Curve::formula(formula, variable).map_err(refused);
        };
        let (join, rows) = match rows.split_first() {
            Some((first, rest)) if matches!(first.content, Content::Text(_)) => {
                (self.as_join(key, first)?, rest)
            }
            _ => (Join::Spline, &rows[..]),
        };
        let mut points = Vec::with_capacity(rows.len());
        for row in rows {
            let Content::List(pair) = &row.content else {
                return Err(self
                    .wrong_kind(key, row, "a pair of numbers")
                    .with_help("tables are written [[0, 1], [0.5, 2]]"));
            };
            let [x, y] = pair.as_slice() else {
                let message = format!("each row of `{key}` has 2 numbers, not {}", pair.len());
                return Err(self.at_value(row, message).with_label("expected [x, y]"));
            };
            points.push([self.as_number(key, x, from)?, self.as_number(key, y, to)?]);
        }
        Curve::joined(&points, join).map_err(refused)
    }

    /// The word before the points of a table.
    fn as_join(&self, key: &str, value: &Value) -> Result<Join> {
        let found = match &value.content {
            Content::Text(word) => Join::ALL.into_iter().find(|join| join.word() == word),
            _ => None,
        };
        found.ok_or_else(|| {
            let message = format!("`{key}`: no table is joined like this");
            self.at_value(value, message)
                .with_label("expected `spline`, `monotone` or `linear`, or the first point")
                .with_help(
                    "tables are written [[0, 1], [0.5, 2]] or [\"monotone\", [0, 1], [0.5, 2]]",
                )
        })
    }
}
