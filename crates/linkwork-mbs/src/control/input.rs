//! Input: a signal from outside, such as another program or another part of a co-simulation.

use super::{Control, ControlEntry};
use crate::expr::Formula;
use crate::field::{Form, Key, Value};
use crate::units::Unit;

/// A signal that somebody else drives. As long as nobody does it follows a formula of time.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// What it is when nobody drives it.
    pub value: Formula,
}

impl Input {
    /// An input that is zero when nobody drives it.
    pub fn zero() -> Input {
        Input {
            value: Formula::constant(0.0),
        }
    }
}

pub(super) const ENTRY: ControlEntry = ControlEntry {
    kind: "input",
    summary: "A signal from outside: `linkwork cosim` connects it, else it follows its value.",
    keys: &[Key::optional(
        "value",
        Unit::None,
        "0",
        "What it is when nothing is connected: a number or a formula of `t`.",
    )
    .takes(Form::Formula)],
    read: |f| {
        Ok(Input {
            value: f.formula_or("value", Unit::None, 0.0)?,
        }
        .into())
    },
    example: |draw, _| {
        Input {
            value: Formula::constant(draw()),
        }
        .into()
    },
};

impl Control for Input {
    fn kind(&self) -> &'static str {
        ENTRY.kind
    }
    fn inputs(&self) -> Vec<&Formula> {
        Vec::new()
    }
    fn feedthrough(&self) -> bool {
        false
    }
    fn undriven(&self) -> Option<&Formula> {
        Some(&self.value)
    }
    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![("value", Value::from(&self.value))]
    }
}
