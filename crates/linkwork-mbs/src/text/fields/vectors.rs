//! Vectors and lists of quantities. Planar models give x and y; z is zero, or z itself a direction.

use super::{Content, Fields, Result, Unit, Value};
use crate::error::ModelError;

impl Fields<'_> {
    /// A vector in SI units.
    pub fn vector(&self, key: &'static str, unit: Unit) -> Result<[f64; 3]> {
        let value = self.need_vector(key, unit)?;
        self.as_vector(key, value, unit)
    }

    /// A direction: in planar models in the plane, or along z.
    pub fn direction(&self, key: &'static str) -> Result<[f64; 3]> {
        let value = self.need_vector(key, Unit::None)?;
        let direction = self.components(key, value, Unit::None)?;
        match direction {
            [x, y, z] if self.in_plane && z != 0.0 && [x, y] != [0.0; 2] => {
                Err(self.out_of_plane(key, value))
            }
            _ => Ok(direction),
        }
    }

    fn need_vector(&self, key: &'static str, unit: Unit) -> Result<&Value> {
        self.need(key, || {
            let example = if self.in_plane {
                "[0.1, 0.2]"
            } else {
                "[0.1, 0.2, 0.3]"
            };
            format!("a vector such as {example} (each {})", unit.noun())
        })
    }

    /// A vector, or `default` when the key is absent.
    pub fn vector_or(&self, key: &'static str, unit: Unit, default: [f64; 3]) -> Result<[f64; 3]> {
        Ok(self.optional_vector(key, unit)?.unwrap_or(default))
    }

    /// A vector, or nothing when the key is absent.
    pub fn optional_vector(&self, key: &'static str, unit: Unit) -> Result<Option<[f64; 3]>> {
        self.find(key)
            .map(|value| self.as_vector(key, value, unit))
            .transpose()
    }

    /// A list of vectors, none when the key is absent.
    pub fn vectors(&self, key: &'static str, unit: Unit) -> Result<Vec<[f64; 3]>> {
        match self.find(key) {
            None => Ok(Vec::new()),
            Some(value) => match &value.content {
                Content::List(list) => {
                    let vectors = list.iter().map(|value| self.as_vector(key, value, unit));
                    vectors.collect()
                }
                _ => Err(self.wrong_kind(key, value, "a list of vectors")),
            },
        }
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

    fn as_vector(&self, key: &str, value: &Value, unit: Unit) -> Result<[f64; 3]> {
        let vector = self.components(key, value, unit)?;
        match self.in_plane && vector[2] != 0.0 {
            true => Err(self.out_of_plane(key, value)),
            false => Ok(vector),
        }
    }

    #[cold]
    fn out_of_plane(&self, key: &str, value: &Value) -> ModelError {
        self.at_value(value, format!("`{key}` leaves the plane of the model"))
            .with_label("expected [x, y]")
            .with_help("models are planar unless [model] says `planar = false`")
    }

    /// Three components; in planar models two, or a third as well.
    fn components(&self, key: &str, value: &Value, unit: Unit) -> Result<[f64; 3]> {
        let shape = if self.in_plane { "[x, y]" } else { "[x, y, z]" };
        let Content::List(list) = &value.content else {
            return Err(self
                .wrong_kind(key, value, "a vector")
                .with_help(format!("vectors are written {shape}")));
        };
        let number = |x: &Value| self.as_number(key, x, unit);
        match list.as_slice() {
            [x, y] if self.in_plane => Ok([number(x)?, number(y)?, 0.0]),
            [x, y, z] => Ok([number(x)?, number(y)?, number(z)?]),
            _ => {
                let count = if self.in_plane { 2 } else { 3 };
                let message = format!("`{key}` must have {count} components, not {}", list.len());
                Err(self
                    .at_value(value, message)
                    .with_label(format!("expected {shape}")))
            }
        }
    }
}
