//! Words that can be chosen, from the registries.

use clap::builder::{PossibleValue, PossibleValuesParser};
use linkwork::options::Choice;
use linkwork::table::FORMATS;

/// A parser that knows the words.
pub(super) fn choice(choices: impl Iterator<Item = Choice>) -> PossibleValuesParser {
    PossibleValuesParser::new(choices.map(|c| {
        let value = PossibleValue::new(c.name);
        match c.summary {
            "" => value,
            summary => value.help(summary),
        }
    }))
}

pub(super) fn formats() -> PossibleValuesParser {
    choice(FORMATS.iter().map(|e| Choice {
        name: e.name,
        summary: e.summary,
    }))
}
