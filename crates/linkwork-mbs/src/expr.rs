//! Formulas of time and signals, for drives, applied loads and controls:
//! `"0.1 + 0.02*sin(2*pi*t)"`, `"20*(target - arm.angle)"`.
//!
//! A formula is parsed once into a postfix program and evaluated on a fixed stack, so evaluation
//! neither allocates nor recurses. It is generic over the scalar: evaluated with a jet in `t` it
//! gives exact time derivatives, which rheonomic constraints need up to the second; evaluated with
//! duals it gives exact derivatives with respect to the signals.
//!
//! `abs`, `sign`, `min`, `max`, `step` and `if` are not smooth everywhere. Where that depends on time alone,
//! [`Breakpoints`] says when; where it depends on signals, a [`Corner`] is a switching function.

mod branches;
mod breakpoints;
mod constants;
mod interval;
mod narrow;
mod operations;
mod parser;

pub use branches::{Blend, Corner, Frozen};
pub use breakpoints::{Breakpoints, SMOOTH, Strength};
pub(crate) use constants::words;
pub use constants::{Constant, Constants};
pub(crate) use narrow::Unseen;

use crate::units::Dimension;
use linkwork_dae::scalar::Scalar;
use operations::{Function, Op};

/// Numbers that one evaluation may hold at the same time.
const STACK: usize = 16;

/// A function of time and, where it names any, of signals.
#[derive(Clone, Debug)]
pub struct Formula {
    text: String,
    program: Vec<Op>,
    signals: Vec<SignalName>,
    corners: Vec<Corner>,
}

/// A signal by the name that a formula gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignalName {
    /// The name: `arm.angle`.
    pub name: String,
    /// First byte, in the text of the formula, where it is used first.
    pub position: usize,
}

/// Two formulas are equal when they compute the same thing in the same way.
impl Default for Formula {
    fn default() -> Formula {
        Formula::constant(0.0)
    }
}

impl PartialEq for Formula {
    fn eq(&self, other: &Formula) -> bool {
        let names = |f: &Formula| f.signals.iter().map(|s| s.name.clone()).collect::<Vec<_>>();
        self.program == other.program && names(self) == names(other)
    }
}

/// Why a text is not a formula.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct FormulaError {
    /// First byte of the offending part.
    pub position: usize,
    /// Its length in bytes; zero at the end of the text.
    pub length: usize,
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub help: Option<String>,
}

impl Formula {
    /// Reads a formula.
    pub fn parse(text: &str) -> Result<Formula, FormulaError> {
        Ok(Formula::parse_with(text, &Constants::default(), false)?.0)
    }

    /// Reads a formula in which other names than those of functions are names of signals.
    pub fn parse_with_signals(text: &str) -> Result<Formula, FormulaError> {
        Ok(Formula::parse_with(text, &Constants::default(), true)?.0)
    }

    /// Reads a formula of named constants and, if wanted, of signals; tells what is known of its
    /// unit. Constants are numbers from here on: the text of the formula shows their values.
    pub fn parse_with(
        text: &str,
        constants: &Constants,
        with_signals: bool,
    ) -> Result<(Formula, Dimension), FormulaError> {
        let parsed = parser::parse(text, constants, with_signals)?;
        let formula = Formula {
            text: parsed.text.trim().to_string(),
            corners: branches::corners(&parsed.program),
            program: parsed.program,
            signals: parsed.signals,
        };
        Ok((formula, parsed.dimension))
    }

    /// The formula with other names for its signals.
    pub(crate) fn with_signals(mut self, named: impl Fn(&str) -> String) -> Formula {
        for signal in &mut self.signals {
            signal.name = named(&signal.name);
        }
        self
    }

    /// The value of a signal, whatever its name.
    pub(crate) fn signal(name: String) -> Formula {
        Formula {
            text: name.clone(),
            program: vec![Op::Signal(0)],
            signals: vec![SignalName { name, position: 0 }],
            corners: Vec::new(),
        }
    }

    /// The formula with the same value at all times.
    pub fn constant(value: f64) -> Formula {
        Formula {
            text: format!("{value:?}"),
            program: vec![Op::Constant(value)],
            signals: Vec::new(),
            corners: Vec::new(),
        }
    }

    /// Whether the value is the same at all times.
    pub fn is_constant(&self) -> bool {
        matches!(self.program[..], [Op::Constant(_)])
    }

    /// The value, where it names neither time nor signals.
    pub(crate) fn number(&self) -> Option<f64> {
        let moves = |op: &Op| matches!(op, Op::Time | Op::Signal(_));
        (!self.program.iter().any(moves)).then(|| self.eval(0.0))
    }

    /// Text that reads back as this formula.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether a word means something inside a formula.
    pub(crate) fn knows(word: &str) -> bool {
        word == "t" || word == "pi" || Function::ALL.iter().any(|(name, _)| *name == word)
    }

    /// The signals that the formula names, each once.
    pub fn signals(&self) -> &[SignalName] {
        &self.signals
    }

    /// The value at time `t`, with the derivatives that `t` carries; NaN where signals are named.
    pub fn eval<S: Scalar>(&self, t: S) -> S {
        self.eval_with(t, |_| S::from(f64::NAN))
    }

    /// The value at a time with its branches by the clock; NaN where signals are named.
    pub fn eval_at<S: Scalar>(&self, now: Now<S>) -> S {
        self.eval_frozen(now, |_| S::from(f64::NAN), Frozen::default())
    }

    /// The value at time `t` with the values of the signals, which are asked for by their place in
    /// [`Formula::signals`].
    pub fn eval_with<S: Scalar>(&self, t: S, signal: impl Fn(usize) -> S) -> S {
        evaluate(&self.program, t, signal)
    }
}

impl Formula {
    /// The same function with time for its only variable.
    pub(crate) fn of_one_variable(&self) -> Formula {
        let time = |op: &Op| match op {
            Op::Signal(_) => Op::Time,
            op => *op,
        };
        Formula {
            program: self.program.iter().map(time).collect(),
            signals: Vec::new(),
            corners: Vec::new(),
            ..self.clone()
        }
    }
}

/// A time, and another next to it at which branches by the clock are taken: which side of an instant counts. A formula
/// goes on smoothly beyond the instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Now<S = f64> {
    /// The time.
    pub t: S,
    /// Where branches are taken.
    pub side: f64,
}

impl<S: Scalar> From<S> for Now<S> {
    fn from(t: S) -> Now<S> {
        Now { t, side: t.value() }
    }
}

impl Now {
    /// The same with derivatives, those of a time that goes on at a rate.
    pub(crate) fn going<S: Scalar>(self, t: S) -> Now<S> {
        let side = self.side;
        Now { t, side }
    }
}

impl<S: Scalar> Now<S> {
    /// The time for branches, where it is another.
    fn beside(self) -> Option<f64> {
        (self.side != self.t.value()).then_some(self.side)
    }
}

/// Whether a program names signals.
fn is_of_signals(program: &[Op]) -> bool {
    program.iter().any(|op| matches!(op, Op::Signal(_)))
}

/// Runs a program.
fn evaluate<S: Scalar>(program: &[Op], t: S, signal: impl Fn(usize) -> S) -> S {
    let mut stack = [S::from(0.0); STACK];
    let mut top = 0;
    for op in program {
        let base = top - op.takes();
        stack[base] = match *op {
            Op::Signal(i) => signal(usize::from(i)),
            op => op.apply(&stack[base..top], t),
        };
        top = base + 1;
    }
    stack[0]
}

#[cfg(test)]
mod tests;
