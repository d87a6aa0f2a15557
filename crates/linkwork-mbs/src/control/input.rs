//! Input: a signal from outside, such as another program or another part of a co-simulation.

use super::Control;
use crate::expr::Formula;
use crate::part::{Keys, Kind, Part};
use crate::units::Unit;

/// A signal that somebody else drives. As long as nobody does it follows a formula of time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Input {
    /// What it is when nobody drives it.
    pub value: Formula,
}

impl Input {
    /// An input that is zero when nobody drives it.
    pub fn zero() -> Input {
        Input::default()
    }
}

impl Kind for Input {
    const NAME: &'static str = "input";
    const SUMMARY: &'static str =
        "A signal from outside: `linkwork cosim` connects it, else it follows its value.";
}

impl Part for Input {
    fn keys(&mut self, k: &mut Keys<'_>) {
        let doc = "What it is when nothing is connected: a number or a formula of `t`.";
        k.key("value", Unit::None, doc)
            .or(0.0)
            .of_time(&mut self.value);
    }
}

impl Control for Input {
    fn inputs(&self) -> Vec<&Formula> {
        Vec::new()
    }
    fn feedthrough(&self) -> bool {
        false
    }
    fn undriven(&self) -> Option<&Formula> {
        Some(&self.value)
    }
}
