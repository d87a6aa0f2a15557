//! Recursive descent with a bounded depth:
//!
//! ```text
//! sum     = product { ("+" | "-") product }
//! product = signed { ("*" | "/") signed }
//! signed  = { "-" | "+" } power
//! power   = atom [ "^" signed ]
//! atom    = number | "t" | "pi" | constant | signal | name "(" sum { "," sum } ")" | "(" sum ")"
//!         | "if" "(" sum ("<" | "<=" | ">" | ">=") sum "," sum "," sum ")"
//! signal  = name { "." name }
//! ```

use super::constants::{Constants, literal};
use super::{FormulaError, Function, Op, STACK, SignalName};
use crate::spelling::nearest;
use crate::units::Dimension;

/// Open parentheses, powers and signs inside one another.
const DEPTH: usize = 48;

/// What a text says.
pub(super) struct Parsed {
    /// The text with numbers in place of constants.
    pub text: String,
    pub program: Vec<Op>,
    pub signals: Vec<SignalName>,
    pub dimension: Dimension,
}

pub(super) fn parse(
    text: &str,
    constants: &Constants,
    with_signals: bool,
) -> Result<Parsed, FormulaError> {
    let mut parser = Parser {
        text,
        at: 0,
        depth: 0,
        dimensions: Vec::new(),
        program: Vec::new(),
        constants,
        with_signals,
        signals: Vec::new(),
        written: String::new(),
        copied: 0,
    };
    parser.skip_space();
    if parser.at == text.len() {
        return Err(parser.error(0, 0, "the formula is empty"));
    }
    parser.sum()?;
    if let Some(c) = parser.peek() {
        return Err(parser.leftover(c));
    }
    parser.written.push_str(&text[parser.copied..]);
    Ok(Parsed {
        text: parser.written,
        program: parser.program,
        signals: parser.signals,
        dimension: parser.dimensions.pop().unwrap_or(Dimension::PLAIN),
    })
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    /// Units of the numbers on the evaluation stack after the program so far.
    dimensions: Vec<Dimension>,
    program: Vec<Op>,
    constants: &'a Constants,
    with_signals: bool,
    signals: Vec<SignalName>,
    /// The text up to `copied`, with numbers in place of constants.
    written: String,
    copied: usize,
}

impl Parser<'_> {
    fn error(&self, position: usize, length: usize, message: impl Into<String>) -> FormulaError {
        FormulaError {
            position,
            length,
            message: message.into(),
            help: None,
        }
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn skip_space(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    fn take(&mut self, c: char) -> bool {
        let found = self.peek() == Some(c);
        if found {
            self.at += c.len_utf8();
            self.skip_space();
        }
        found
    }

    /// The name that starts here; empty when there is none.
    fn word(&self) -> &str {
        let rest = &self.text[self.at..];
        let end = rest
            .find(|c: char| !(c.is_alphanumeric() || c == '_'))
            .unwrap_or(rest.len());
        &rest[..end]
    }

    /// The name that starts here with all its dotted parts.
    fn dotted(&self) -> &str {
        let rest = &self.text[self.at..];
        let mut end = self.word().len();
        while let Some(part) = rest[end..].strip_prefix('.') {
            let length = part
                .find(|c: char| !(c.is_alphanumeric() || c == '_'))
                .unwrap_or(part.len());
            if length == 0 {
                break;
            }
            end += 1 + length;
        }
        &rest[..end]
    }

    /// A signal, if names of signals have a meaning and the name is not one of a function.
    fn signal(&mut self, word: &str) -> Option<Result<(), FormulaError>> {
        let name = self.dotted().to_string();
        let function = Function::ALL.iter().any(|(name, _)| *name == word) && name == word;
        let rest = self.text[self.at + name.len()..].trim_start();
        if !self.with_signals || function || rest.starts_with('(') {
            return None;
        }
        let position = self.at;
        let known = self.signals.iter().position(|s| s.name == name);
        let index = known.unwrap_or_else(|| {
            // in the text with constants as numbers, which is that of the formula
            let position = self.written.len() + position - self.copied;
            self.signals.push(SignalName {
                name: name.clone(),
                position,
            });
            self.signals.len() - 1
        });
        self.advance(name.len());
        Some(match u16::try_from(index) {
            Ok(index) => self.emit(Op::Signal(index), position),
            Err(_) => Err(self.error(position, name.len(), "the formula has too many signals")),
        })
    }

    /// Something stands where the formula should have ended.
    fn leftover(&self, c: char) -> FormulaError {
        let word = self.word();
        if word.is_empty() && c != '(' {
            let mut e = self.error(self.at, c.len_utf8(), format!("unexpected `{c}`"));
            if c == '=' || c == '<' || c == '>' {
                e.help = Some("comparisons stand in `if(t > 1, a, b)` only".into());
            }
            return e;
        }
        let shown = if word.is_empty() { "(" } else { word };
        let before = self.text[..self.at].trim_end();
        let factor = before
            .rfind(|c: char| !(c.is_alphanumeric() || c == '.'))
            .map_or(0, |i| {
                i + before[i..].chars().next().map_or(0, char::len_utf8)
            });
        let mut e = self.error(
            self.at,
            shown.len(),
            format!("an operator is missing before `{shown}`"),
        );
        e.help = Some(format!(
            "write `{}*{shown}` for a product; numbers inside a formula are in SI units and take no suffix",
            &before[factor..]
        ));
        e
    }

    fn enter(&mut self) -> Result<(), FormulaError> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(self.too_deep());
        }
        Ok(())
    }

    fn too_deep(&self) -> FormulaError {
        let length = self.peek().map_or(0, char::len_utf8);
        self.error(self.at, length, "the formula is nested too deeply")
    }

    /// A named constant, if the name that starts here is one.
    fn constant(&mut self, word: &str) -> Option<Result<(), FormulaError>> {
        if self.dotted() != word {
            return None;
        }
        let constant = self.constants.get(word)?;
        if let Some(event) = &constant.set_by {
            if self.with_signals {
                return None;
            }
            let why = format!("`{word}` is not one number: event `{event}` sets it");
            let mut e = self.error(self.at, word.len(), why);
            e.help = Some(
                "parameters that events set may stand in formulas of forces and controls".into(),
            );
            return Some(Err(e));
        }
        let (value, dimension) = (constant.value, constant.dimension);
        self.written.push_str(&self.text[self.copied..self.at]);
        self.written.push_str(&literal(value));
        self.copied = self.at + word.len();
        self.advance(word.len());
        Some(self.push(Op::Constant(value), dimension))
    }

    /// Appends an operation, computing it at once when its operands are constants.
    /// `from` is where its text starts.
    fn emit(&mut self, op: Op, from: usize) -> Result<(), FormulaError> {
        let takes = op.takes();
        let first = self.dimensions.len().saturating_sub(takes);
        let dimension = dimension(op, &self.dimensions[first..]).map_err(|why| {
            let length = self.text[from..self.at].trim_end().len();
            self.error(from, length, why)
        })?;
        let n = self.program.len();
        let mut operands = [0.0; 5];
        let constant = takes > 0
            && takes <= n
            && self.program[n - takes..]
                .iter()
                .zip(&mut operands)
                .all(|(op, x)| match *op {
                    Op::Constant(c) => {
                        *x = c;
                        true
                    }
                    _ => false,
                });
        if constant {
            let value = op.apply(&operands[..takes], 0.0);
            if !value.is_finite() {
                let length = self.text[from..self.at].trim_end().len();
                let mut e = self.error(from, length, "this part has no finite value");
                e.help = Some(
                    "roots and logarithms need positive arguments, divisors must not be zero"
                        .into(),
                );
                return Err(e);
            }
            self.program.truncate(n - takes);
            self.dimensions.truncate(first);
            return self.push(Op::Constant(value), dimension);
        }
        self.dimensions.truncate(first);
        self.push(op, dimension)
    }

    /// Appends an operation whose operands are taken from the stack already.
    fn push(&mut self, op: Op, dimension: Dimension) -> Result<(), FormulaError> {
        self.program.push(op);
        self.dimensions.push(dimension);
        if self.dimensions.len() > STACK {
            return Err(self.too_deep());
        }
        Ok(())
    }

    fn sum(&mut self) -> Result<(), FormulaError> {
        let from = self.at;
        self.product()?;
        loop {
            let op = if self.take('+') {
                Op::Add
            } else if self.take('-') {
                Op::Subtract
            } else {
                return Ok(());
            };
            self.product()?;
            self.emit(op, from)?;
        }
    }

    fn product(&mut self) -> Result<(), FormulaError> {
        let from = self.at;
        self.signed()?;
        loop {
            let op = if self.take('*') {
                Op::Multiply
            } else if self.take('/') {
                Op::Divide
            } else {
                return Ok(());
            };
            self.signed()?;
            self.emit(op, from)?;
        }
    }

    fn signed(&mut self) -> Result<(), FormulaError> {
        self.enter()?;
        let from = self.at;
        let mut negative = false;
        loop {
            if self.take('-') {
                negative = !negative;
            } else if !self.take('+') {
                break;
            }
        }
        self.power()?;
        if negative {
            self.emit(Op::Negate, from)?;
        }
        self.depth -= 1;
        Ok(())
    }

    fn power(&mut self) -> Result<(), FormulaError> {
        let from = self.at;
        self.atom()?;
        if self.take('^') {
            let exponent = self.at;
            self.signed()?;
            if let Some(unit) = self.dimensions.last().filter(|d| !d.is_free()) {
                let length = self.text[exponent..self.at].trim_end().len();
                let message = format!("an exponent is a plain number, and this is in {unit}");
                return Err(self.error(exponent, length, message));
            }
            match self.program.last() {
                Some(&Op::Constant(p)) => {
                    self.program.pop();
                    self.dimensions.pop();
                    self.emit(Op::PowerOf(p), from)?;
                }
                _ => self.emit(Op::Power, from)?,
            }
        }
        Ok(())
    }

    fn atom(&mut self) -> Result<(), FormulaError> {
        let from = self.at;
        let Some(c) = self.peek() else {
            let mut e = self.error(self.text.len(), 0, "the formula ends too early");
            e.help = Some("a number, `t`, `pi`, a function or `(` must follow".into());
            return Err(e);
        };
        if c == '(' {
            self.take('(');
            self.sum()?;
            return self.close(from);
        }
        if c.is_ascii_digit() || c == '.' {
            return self.number();
        }
        let word = self.word().to_string();
        match word.as_str() {
            "" => {
                let mut e = self.error(from, c.len_utf8(), format!("unexpected `{c}`"));
                e.help = Some("a number, `t`, `pi`, a function or `(` must stand here".into());
                return Err(e);
            }
            "t" if self.dotted() == "t" => {
                self.advance(1);
                return self.emit(Op::Time, from);
            }
            "pi" if self.dotted() == "pi" => {
                self.advance(2);
                return self.emit(Op::Constant(std::f64::consts::PI), from);
            }
            _ => {}
        }
        if let Some(found) = self.constant(&word).or_else(|| self.signal(&word)) {
            return found;
        }
        let Some((name, function)) = Function::ALL.into_iter().find(|(name, _)| *name == word)
        else {
            let name = self.dotted().to_string();
            return Err(self.unknown(&name));
        };
        self.advance(word.len());
        if !self.take('(') {
            let mut e = self.error(
                from,
                word.len(),
                format!("`{name}` is a function and needs arguments"),
            );
            e.help = Some(format!("write `{name}(...)`"));
            return Err(e);
        }
        self.call(name, function, from)
    }

    fn advance(&mut self, bytes: usize) {
        self.at += bytes;
        self.skip_space();
    }

    fn close(&mut self, open: usize) -> Result<(), FormulaError> {
        if self.take(')') {
            return Ok(());
        }
        match self.peek() {
            None => Err(self.error(open, 1, "a `)` is missing")),
            Some(',') => Err(self.error(self.at, 1, "unexpected `,`")),
            Some(c) => Err(self.leftover(c)),
        }
    }

    fn number(&mut self) -> Result<(), FormulaError> {
        let from = self.at;
        let rest = &self.text[from..];
        let length = crate::units::number_length(rest);
        match rest[..length].parse::<f64>() {
            Ok(value) if value.is_finite() => {
                self.advance(length);
                self.emit(Op::Constant(value), from)
            }
            _ => Err(self.error(from, length.max(1), "this is not a finite number")),
        }
    }

    fn unknown(&self, word: &str) -> FormulaError {
        let rest = self.text[self.at + word.len()..].trim_start();
        let names = Function::ALL.into_iter().map(|(name, _)| name);
        let known = || self.constants.list().iter().map(|c| c.name.as_str());
        let (kind, suggestion) = if rest.starts_with('(') {
            ("function", nearest(word, names))
        } else {
            let all = known().chain(["t", "pi"]).chain(names);
            ("name", nearest(word, all))
        };
        let mut e = self.error(self.at, word.len(), format!("unknown {kind} `{word}`"));
        e.help = Some(match suggestion {
            Some(s) => format!("did you mean `{s}`?"),
            None => {
                let names: Vec<&str> = Function::ALL.into_iter().map(|(name, _)| name).collect();
                let mut all = format!("formulas know t, pi and {}", names.join(", "));
                let parameters: Vec<&str> = known().collect();
                if !parameters.is_empty() {
                    all += &format!("; parameters are {}", parameters.join(", "));
                }
                all
            }
        });
        e
    }

    fn call(&mut self, name: &str, function: Function, from: usize) -> Result<(), FormulaError> {
        let first = self.program.len();
        let mut given = 0;
        let mut function = function;
        if self.peek() != Some(')') {
            loop {
                if function == Function::If && given == 0 {
                    function = self.condition()?;
                } else {
                    self.sum()?;
                }
                given += 1;
                if !self.take(',') {
                    break;
                }
                if given == 8 {
                    return Err(self.wrong_count(name, function, given + 1, from));
                }
            }
        }
        self.close(from + name.len())?;
        if given != function.arguments() {
            return Err(self.wrong_count(name, function, given, from));
        }
        if function == Function::Step
            && let [_, Op::Constant(t0), _, Op::Constant(t1), _] = self.program[first..]
            && t1 < t0
        {
            let mut e = self.error(
                from,
                self.text[from..self.at].trim_end().len(),
                format!("the end of the step, {t1}, must not be earlier than its start, {t0}"),
            );
            e.help = Some("write step(t, t_start, value_before, t_end, value_after)".into());
            return Err(e);
        }
        self.emit(Op::Call(function), from)
    }

    /// A comparison, as the number whose sign decides, and the function that reads it.
    fn condition(&mut self) -> Result<Function, FormulaError> {
        let from = self.at;
        self.sum()?;
        let (less, more) = (self.peek() == Some('<'), self.peek() == Some('>'));
        if !less && !more {
            let length = self.peek().map_or(0, char::len_utf8);
            let mut e = self.error(self.at, length, "`if` needs a comparison first");
            e.help = Some("write if(t > 1, value_then, value_else)".into());
            return Err(e);
        }
        self.at += 1;
        let equal = self.peek() == Some('=');
        if equal {
            self.at += 1;
        }
        self.skip_space();
        self.sum()?;
        self.emit(Op::Subtract, from)?;
        if less {
            self.emit(Op::Negate, from)?;
        }
        Ok(if equal { Function::IfNot } else { Function::If })
    }

    fn wrong_count(&self, name: &str, f: Function, given: usize, from: usize) -> FormulaError {
        let takes = f.arguments();
        let plural = if takes == 1 { "" } else { "s" };
        let mut e = self.error(
            from,
            name.len(),
            format!("`{name}` takes {takes} argument{plural}, not {given}"),
        );
        if f == Function::Step {
            e.help = Some("write step(t, t_start, value_before, t_end, value_after)".into());
        }
        e
    }
}

/// The unit of a result from those of its operands.
fn dimension(op: Op, x: &[Dimension]) -> Result<Dimension, String> {
    let common = |a: Dimension, b: Dimension| {
        let apart = || format!("{a} and {b} cannot be added or compared");
        a.common(b).ok_or_else(apart)
    };
    let plain = |a: Dimension, result| match a.is_free() {
        true => Ok(result),
        false => Err(format!("a plain number is wanted, and this is in {a}")),
    };
    Ok(match (op, x) {
        (Op::Time | Op::Signal(_), _) => Dimension::Unknown,
        (Op::Negate, &[a]) => a,
        (Op::Add | Op::Subtract, &[a, b]) => common(a, b)?,
        (Op::Multiply, &[a, b]) => a.times(b, 1.0),
        (Op::Divide, &[a, b]) => a.times(b, -1.0),
        (Op::PowerOf(p), &[a]) => a.power(p),
        (Op::Power, &[a, _]) => plain(a, Dimension::Unknown)?,
        (Op::Call(f), x) => match (f, x) {
            (Function::Sin | Function::Cos | Function::Tan, &[a]) if a.is_angle() => {
                Dimension::PLAIN
            }
            (Function::Sin | Function::Cos | Function::Tan, &[a]) => {
                return Err(format!("an angle is wanted, and this is in {a}"));
            }
            (Function::Sqrt, &[a]) => a.power(0.5),
            (Function::Abs, &[a]) => a,
            (Function::Sign, _) => Dimension::PLAIN,
            (Function::Min | Function::Max, &[a, b]) => common(a, b)?,
            (Function::Step, &[t, t0, a, t1, b]) => {
                common(common(t, t0)?, t1)?;
                common(a, b)?
            }
            (Function::If | Function::IfNot, &[_, a, b]) => common(a, b)?,
            (Function::Atan2, &[a, b]) => {
                common(a, b)?;
                Dimension::PLAIN
            }
            (_, &[a]) => plain(a, Dimension::PLAIN)?,
            _ => Dimension::Unknown,
        },
        _ => Dimension::PLAIN,
    })
}
