//! Vectors in space and lists of quantities.

use super::{Content, Fields, Result, Unit, Value};

impl Fields<'_> {
    /// Three numbers in SI units.
    pub fn vector3(&self, key: &'static str, unit: Unit) -> Result<[f64; 3]> {
        let value = self.need(key, || {
            format!("a vector such as [0.1, 0.2, 0.3] (each {})", unit.noun())
        })?;
        self.as_vector3(key, value, unit)
    }

    /// Three numbers, or `default` when the key is absent.
    pub fn vector3_or(&self, key: &'static str, unit: Unit, default: [f64; 3]) -> Result<[f64; 3]> {
        Ok(self.optional_vector3(key, unit)?.unwrap_or(default))
    }

    /// Three numbers, or nothing when the key is absent.
    pub fn optional_vector3(&self, key: &'static str, unit: Unit) -> Result<Option<[f64; 3]>> {
        self.find(key)
            .map(|value| self.as_vector3(key, value, unit))
            .transpose()
    }

    /// A number, a list of numbers or a list of rows, all of one unit, one after the other.
    pub fn quantities(&self, key: &'static str, unit: Unit) -> Result<Vec<f64>> {
        let value = self.need(key, || format!("a list of numbers (each {})", unit.noun()))?;
        let mut all = Vec::new();
        self.collect_quantities(key, value, unit, &mut all)?;
        Ok(all)
    }

    fn collect_quantities(
        &self,
        key: &str,
        value: &Value,
        unit: Unit,
        all: &mut Vec<f64>,
    ) -> Result<()> {
        if let Content::List(list) = &value.content {
            for value in list {
                self.collect_quantities(key, value, unit, all)?;
            }
        } else {
            all.push(self.as_number(key, value, unit)?);
        }
        Ok(())
    }

    fn as_vector3(&self, key: &str, value: &Value, unit: Unit) -> Result<[f64; 3]> {
        let Content::List(list) = &value.content else {
            return Err(self
                .wrong_kind(key, value, "a vector")
                .with_help("vectors are written [x, y, z]"));
        };
        let [x, y, z] = list.as_slice() else {
            let message = format!("`{key}` must have 3 components, not {}", list.len());
            return Err(self
                .at_value(value, message)
                .with_label("expected [x, y, z]"));
        };
        let number = |x: &Value| self.as_number(key, x, unit);
        Ok([number(x)?, number(y)?, number(z)?])
    }
}
