//! Numbers and formulas: plain, with a unit, or computed from the parameters of the model.
//!
//! ```text
//!  2e4, "2e4", "2e4 N/m", "4.53 N/mm"     quantities: a number and, behind it, a unit
//!  "length/2", "2*k", "pi/3"              formulas of parameters
//!  "2*m"                                  a formula if `m` is a parameter, else two metres
//! ```

use super::{Content, Fields, ModelError, Result, Unit, Value, inside};
use crate::expr::{Constant, Constants, Formula, FormulaError};
use crate::units::{Dimension, is_unit, split_number};

/// What a text that stands for a number is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::text) enum Sort {
    /// A number, with or without a unit behind it.
    Quantity,
    /// A formula.
    Formula,
}

/// Tells quantities from formulas.
pub(in crate::text) fn sort(text: &str, parameters: &Constants) -> Sort {
    match split_number(text) {
        Some((_, rest)) if !rest.starts_with(['+', '-', '*', '/', '^']) => Sort::Quantity,
        Some((_, rest)) if !parameters.named_in(text) && is_unit(rest) => Sort::Quantity,
        Some(_) => Sort::Formula,
        // a word that nobody knows is a number that is missing
        None if is_word(text) && parameters.list().is_empty() && text != "pi" => Sort::Quantity,
        None => Sort::Formula,
    }
}

fn is_word(text: &str) -> bool {
    text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

static NONE: Constants = Constants::NONE;

impl<'a> Fields<'a> {
    /// The parameter of a name.
    pub(super) fn parameter(&self, name: &str) -> Option<&'a Constant> {
        self.parameters?.get(name)
    }

    fn constants(&self) -> &'a Constants {
        self.parameters.unwrap_or(&NONE)
    }

    pub(super) fn as_number(&self, key: &str, value: &Value, unit: Unit) -> Result<f64> {
        let x = match &value.content {
            Content::Number(x) => *x,
            Content::Text(text) if sort(text, self.constants()) == Sort::Formula => {
                self.computed(key, value, text, unit)?
            }
            Content::Text(text) => unit.parse(text).map_err(|e| {
                let help = self.product(text).unwrap_or(e.help);
                self.at_value(value, format!("`{key}`: {}", e.message))
                    .with_label(format!("expected {}", unit.noun()))
                    .with_help(help)
            })?,
            _ => {
                return Err(self
                    .wrong_kind(key, value, unit.noun())
                    .with_help(format!("for example {}", unit.examples())));
            }
        };
        if x.is_finite() {
            Ok(x)
        } else {
            Err(self
                .at_value(value, format!("`{key}` must be a finite number"))
                .with_label("not finite"))
        }
    }

    /// The product that `2 length` was meant to be.
    fn product(&self, text: &str) -> Option<String> {
        let (_, rest) = split_number(text)?;
        let name = self.parameter(rest)?.name.as_str();
        let number = text.trim().trim_end_matches(rest).trim_end();
        Some(format!("write `{number}*{name}` for a product"))
    }

    /// A number that is computed from parameters.
    fn computed(&self, key: &str, value: &Value, text: &str, unit: Unit) -> Result<f64> {
        let (formula, dimension) = Formula::parse_with(text, self.constants(), false)
            .map_err(|e| self.bad_formula(key, value, e))?;
        if !formula.is_constant() {
            return Err(self
                .at_value(
                    value,
                    format!("`{key}` is one number and cannot follow `t`"),
                )
                .with_label("changes with time"));
        }
        self.check_unit(key, value, dimension, unit)?;
        Ok(formula.eval(0.0))
    }

    fn check_unit(&self, key: &str, value: &Value, dimension: Dimension, unit: Unit) -> Result<()> {
        if dimension.fits(unit) {
            return Ok(());
        }
        let (noun, symbol) = (unit.noun(), unit.symbol());
        let wanted = match symbol {
            "" => noun.to_string(),
            _ => format!("{noun}, {symbol}"),
        };
        Err(self
            .at_value(
                value,
                format!("`{key}` is in {dimension}, and not {wanted}"),
            )
            .with_label(format!("expected {noun}"))
            .with_help("parameters carry their units; one without a unit fits anywhere"))
    }

    /// A function of time and, if wanted, of signals.
    pub(super) fn as_formula(
        &self,
        key: &str,
        value: &Value,
        unit: Unit,
        with_signals: bool,
    ) -> Result<Formula> {
        let Content::Text(text) = &value.content else {
            return Ok(Formula::constant(self.as_number(key, value, unit)?));
        };
        // "30 deg" is a quantity, "2*t" and "2 sin(t)" are (right and wrong) formulas.
        if let Some((_, rest)) = split_number(text)
            && sort(text, self.constants()) == Sort::Quantity
        {
            let word = rest
                .split(|c: char| !c.is_alphabetic() && c != '°')
                .next()
                .unwrap_or("");
            let quantity = unit.parse(text);
            if quantity.is_ok()
                || (!word.is_empty() && !Formula::knows(word) && !rest.contains(['+', '-', '*']))
            {
                return Ok(Formula::constant(self.as_number(key, value, unit)?));
            }
        }
        let (formula, dimension) = Formula::parse_with(text, self.constants(), with_signals)
            .map_err(|e| self.bad_formula(key, value, e))?;
        // functions without a unit of their own take whatever their owner makes of it
        if unit != Unit::None {
            self.check_unit(key, value, dimension, unit)?;
        }
        Ok(formula)
    }

    fn bad_formula(&self, key: &str, value: &Value, e: FormulaError) -> ModelError {
        let mut error = self
            .at_value(
                value,
                format!("`{key}` is not a formula that can be evaluated"),
            )
            .with_label(e.message)
            .with_help(e.help.unwrap_or_else(|| {
                "formulas use t, pi, + - * / ^, parentheses and functions such as sin, sqrt, step"
                    .into()
            }));
        if let Some(span) = inside(value, e.position, e.length) {
            error.span = Some(span);
        }
        error
    }
}
