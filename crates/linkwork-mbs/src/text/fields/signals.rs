//! Formulas that may name signals. Whether a signal exists is known only when all items are read,
//! so every use is remembered with its place.

use super::{Content, Fields, Formula, Range, Result, Unit, Value, inside};
use crate::expr::words;

/// A signal that an item names; whether it exists is known only when all items are read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignalUse {
    /// Name of the signal.
    pub name: String,
    /// What names it: "force `motor`".
    pub by: String,
    /// Where it is named.
    pub span: Option<Range<usize>>,
}

impl Fields<'_> {
    /// A function of time and signals.
    pub fn signal(&self, key: &'static str, unit: Unit) -> Result<Formula> {
        let value = self.need(key, || {
            format!(
                "{}, a signal or a formula of time and signals, for example \"2*arm.angle\"",
                unit.noun()
            )
        })?;
        self.as_signal(key, value, unit)
    }

    /// A list of functions of time and signals; one alone counts as a list of one.
    pub fn signals(&self, key: &'static str, unit: Unit) -> Result<Vec<Formula>> {
        let value = self.need(key, || {
            "a list of signals and formulas, for example [\"arm.angle\", \"sin(t)\"]".into()
        })?;
        match &value.content {
            Content::List(list) => {
                let all = list.iter().map(|value| self.as_signal(key, value, unit));
                all.collect()
            }
            _ => Ok(vec![self.as_signal(key, value, unit)?]),
        }
    }

    /// A comparison of two functions of time and signals, as their difference, and whether it becomes true
    /// where that rises.
    pub fn condition(&self, key: &'static str) -> Result<(Formula, bool)> {
        let wanted = || "a comparison, for example \"arm.angle > 0.5\"".to_string();
        let value = self.need(key, wanted)?;
        let Content::Text(text) = &value.content else {
            return Err(self
                .error(key, "a comparison is a text")
                .with_label(wanted()));
        };
        let mut depth = 0;
        let compares = |(_, c): &(usize, char)| {
            depth += i32::from(*c == '(') - i32::from(*c == ')');
            depth == 0 && matches!(c, '<' | '>')
        };
        let Some((at, sign)) = text.char_indices().find(compares) else {
            let message = "there is nothing to compare: > or < is missing";
            return Err(self.error(key, message).with_label(wanted()));
        };
        let (left, right) = (&text[..at], text[at + 1..].trim_start_matches('='));
        let difference = match right.trim() {
            "0" => left.trim().to_string(),
            right => format!("({}) - ({right})", left.trim()),
        };
        let formula = Value {
            content: Content::Text(difference),
            ..value.clone()
        };
        let formula = self.as_formula(key, &formula, Unit::None, true)?;
        self.note_signals(&formula, value, text);
        Ok((formula, sign == '>'))
    }

    /// The signals named so far.
    pub fn signal_uses(&self) -> Vec<SignalUse> {
        self.signals.borrow().clone()
    }

    fn as_signal(&self, key: &str, value: &Value, unit: Unit) -> Result<Formula> {
        let formula = self.as_formula(key, value, unit, true)?;
        if let Content::Text(text) = &value.content {
            self.note_signals(&formula, value, text);
        }
        Ok(formula)
    }

    /// Remembers which signals a formula names, and where in the text of a value.
    fn note_signals(&self, formula: &Formula, value: &Value, text: &str) {
        for signal in formula.signals() {
            let used = words(text).find(|word| *word == signal.name);
            // where the word stands in the text that it is a part of
            let position = used.map_or(0, |w| w.as_ptr() as usize - text.as_ptr() as usize);
            let span = inside(value, position, signal.name.len());
            self.signals.borrow_mut().push(SignalUse {
                name: signal.name.clone(),
                by: self.title.clone(),
                span: span.or(value.span.clone()),
            });
        }
    }
}
