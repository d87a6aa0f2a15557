//! `[parameters]`: named numbers that numbers and formulas of all parts and of `[simulation]` may use.
//!
//! ```toml
//! [parameters]
//! length = "300 mm"
//! half = "length/2"
//! ```
//!
//! The order does not matter: a parameter may use those that come later, but not itself. One that an event sets is
//! a signal: an input that has its value at first.

use super::fields::numbers::{Sort, sort};
use super::fields::{inside, quoted, suggestion};
use super::outline::TextOutline;
use super::tree::{Content, Entry, Table, Value};
use crate::error::ModelError;
use crate::expr::{Constant, Constants, Formula, FormulaError, words};
use crate::units::{Dimension, quantity};

/// The values of all parameters. Those that cannot be found are reported, and stand for a number
/// without a known unit, so that parts that use them are not reported as well.
/// Those that events set are marked.
pub(super) fn resolve(outline: &TextOutline<'_>, errors: &mut Vec<ModelError>) -> Constants {
    let table = outline.parameters;
    let set_by = |entry: &Entry| {
        outline
            .of("event")
            .iter()
            .find_map(|e| setter(e, &entry.key))
    };
    let entries = table.map_or(&[][..], |t| &t.entries);
    // Whether a text is a formula depends on which names there are.
    let mut names = Constants::default();
    for entry in entries {
        names.add(constant(entry, 1.0, Dimension::Unknown));
    }
    let mut work = Resolution {
        entries,
        set_by: entries.iter().map(set_by).collect(),
        names: &names,
        values: vec![ParameterState::Open(Vec::new()); entries.len()],
        errors,
    };
    for i in 0..entries.len() {
        work.values[i] = work.first_look(i);
    }
    work.settle();
    let mut all = Constants::default();
    for ((entry, state), set_by) in entries.iter().zip(&work.values).zip(work.set_by) {
        let (value, dimension) = match state {
            ParameterState::Known(value, dimension) => (*value, *dimension),
            _ => (1.0, Dimension::Unknown),
        };
        all.add(Constant {
            set_by,
            ..constant(entry, value, dimension)
        });
    }
    all
}

/// The name of an event if it sets the parameter of a name.
fn setter(event: &Table, parameter: &str) -> Option<String> {
    let word = |key: &str| match &event.get(key)?.content {
        Content::Text(text) => Some(text.as_str()),
        _ => None,
    };
    let sets = word("kind") == Some("set") && word("input") == Some(parameter);
    sets.then(|| word("name").unwrap_or_default().to_string())
}

fn constant(entry: &Entry, value: f64, dimension: Dimension) -> Constant {
    Constant {
        name: entry.key.clone(),
        value,
        dimension,
        set_by: None,
    }
}

/// What is known of a parameter.
#[derive(Clone, Debug, PartialEq)]
enum ParameterState {
    Known(f64, Dimension),
    /// A formula of these parameters.
    Open(Vec<usize>),
    /// Reported, or made of one that was.
    Failed,
}

struct Resolution<'a> {
    entries: &'a [Entry],
    /// Events that set them.
    set_by: Vec<Option<String>>,
    names: &'a Constants,
    values: Vec<ParameterState>,
    errors: &'a mut Vec<ModelError>,
}

impl Resolution<'_> {
    fn first_look(&mut self, i: usize) -> ParameterState {
        let entry = &self.entries[i];
        let looked = match name_problem(&entry.key) {
            Some(problem) => Err(problem_of_name(entry, problem)),
            None => self.read(entry),
        };
        looked.unwrap_or_else(|e| {
            self.errors.push(e);
            ParameterState::Failed
        })
    }

    fn read(&self, entry: &Entry) -> Result<ParameterState, ModelError> {
        let value = &entry.value;
        match &value.content {
            Content::Number(x) => finite(entry, *x, Dimension::PLAIN),
            Content::Text(text) if sort(text, self.names) == Sort::Formula => {
                self.uses(entry, text)
            }
            Content::Text(text) => {
                let (x, dimension) = quantity(text).map_err(|e| {
                    error(entry, &e.message)
                        .with_label("expected a number, with or without a unit")
                        .with_help(e.help)
                })?;
                finite(entry, x, dimension)
            }
            other => Err(
                error(entry, &format!("must be a number, not {}", other.noun()))
                    .with_label("expected a number")
                    .with_help(
                        "parameters are numbers, \"2e4 N/m\" or formulas of other parameters",
                    ),
            ),
        }
    }

    /// The parameters that a formula names.
    fn uses(&self, entry: &Entry, text: &str) -> Result<ParameterState, ModelError> {
        let formula = Formula::parse_with_signals(text).map_err(|e| bad_formula(entry, e))?;
        let mut uses = Vec::new();
        for name in formula.signals() {
            let Some(i) = self.entries.iter().position(|e| e.key == name.name) else {
                let known = || self.entries.iter().map(|e| e.key.as_str());
                let span = inside(&entry.value, name.position, name.name.len());
                let unknown = error(entry, &format!("there is no parameter `{}`", name.name));
                let span = span.or(unknown.span.clone());
                return Err(unknown
                    .at(span)
                    .with_label(suggestion(&name.name, known(), "not known"))
                    .with_help(format!("parameters are {}", quoted(known()))));
            };
            uses.push(i);
        }
        if words(text).any(|word| word == "t") {
            return Err(error(entry, "a parameter cannot follow `t`")
                .with_label("changes with time")
                .with_help("formulas of forces, drives and controls may use `t` and parameters"));
        }
        Ok(ParameterState::Open(uses))
    }

    /// Computes formulas as soon as all they use is known.
    fn settle(&mut self) {
        let n = self.entries.len();
        let mut users: Vec<Vec<usize>> = vec![Vec::new(); n];
        let mut waits = vec![0; n];
        for (i, state) in self.values.iter().enumerate() {
            if let ParameterState::Open(uses) = state {
                waits[i] = uses.len();
                for &used in uses {
                    users[used].push(i);
                }
            }
        }
        let open = |state: &ParameterState| matches!(state, ParameterState::Open(_));
        let mut ready: Vec<usize> = (0..n)
            .filter(|&i| waits[i] == 0 || !open(&self.values[i]))
            .collect();
        while let Some(i) = ready.pop() {
            if let ParameterState::Open(uses) = self.values[i].clone() {
                self.values[i] = self.compute(i, &uses);
            }
            for &user in &users[i] {
                waits[user] -= 1;
                if waits[user] == 0 {
                    ready.push(user);
                }
            }
        }
        while let Some(i) = self.values.iter().position(open) {
            self.refuse_cycle(i);
        }
    }

    fn compute(&mut self, i: usize, uses: &[usize]) -> ParameterState {
        let entry = &self.entries[i];
        let mut used = Constants::default();
        for &k in uses {
            match self.values[k] {
                ParameterState::Known(value, dimension) => {
                    used.add(Constant {
                        set_by: self.set_by[k].clone(),
                        ..constant(&self.entries[k], value, dimension)
                    });
                }
                _ => return ParameterState::Failed,
            }
        }
        let Content::Text(text) = &entry.value.content else {
            return ParameterState::Failed;
        };
        let computed = Formula::parse_with(text, &used, false)
            .map_err(|e| bad_formula(entry, e))
            .and_then(|(formula, dimension)| finite(entry, formula.eval(0.0), dimension));
        computed.unwrap_or_else(|e| {
            self.errors.push(e);
            ParameterState::Failed
        })
    }

    /// Reports the cycle that open parameters run into, from `start` on.
    fn refuse_cycle(&mut self, start: usize) {
        let mut path: Vec<usize> = Vec::new();
        let mut at = start;
        while !path.contains(&at) {
            path.push(at);
            let next = match &self.values[at] {
                ParameterState::Open(uses) => (uses.iter().copied()).find(|&k| {
                    matches!(
                        self.values[k],
                        ParameterState::Open(_) | ParameterState::Failed
                    )
                }),
                _ => None,
            };
            match next {
                Some(next) if matches!(self.values[next], ParameterState::Open(_)) => at = next,
                // it waits for something that was reported
                _ => {
                    for k in path {
                        self.values[k] = ParameterState::Failed;
                    }
                    return;
                }
            }
        }
        let cycle = path.split_off(path.iter().position(|&k| k == at).unwrap_or(0));
        let names: Vec<String> = (cycle.iter().chain([&at]))
            .map(|&k| format!("`{}`", self.entries[k].key))
            .collect();
        let mut e = error(&self.entries[at], "is defined by itself")
            .with_label("goes round in a circle")
            .with_help(format!("{} use each other in turn", names.join(", ")));
        if let [only] = cycle[..] {
            e.help = Some(format!("`{}` uses itself", self.entries[only].key));
        }
        for &k in &cycle[1..] {
            let other = &self.entries[k];
            e = e.with_related(other.value.span.clone(), "by way of this");
        }
        self.errors.push(e);
        for k in cycle.into_iter().chain(path) {
            self.values[k] = ParameterState::Failed;
        }
    }
}

fn finite(entry: &Entry, x: f64, dimension: Dimension) -> Result<ParameterState, ModelError> {
    if x.is_finite() {
        // a plain number stands for any quantity in SI units, as everywhere in model text
        let dimension = match dimension.is_free() {
            true => Dimension::Unknown,
            false => dimension,
        };
        return Ok(ParameterState::Known(x, dimension));
    }
    Err(error(entry, "must be a finite number").with_label("not finite"))
}

fn error(entry: &Entry, message: &str) -> ModelError {
    let Value { span, given_by, .. } = &entry.value;
    let by = given_by
        .as_ref()
        .map_or(String::new(), |by| format!(" (override `{by}`)"));
    ModelError::new(format!("parameter `{}`: {message}{by}", entry.key)).at(span.clone())
}

fn bad_formula(entry: &Entry, e: FormulaError) -> ModelError {
    let error = error(entry, "not a formula that can be evaluated");
    let span = inside(&entry.value, e.position, e.length).or(error.span.clone());
    let otherwise = "formulas use pi, + - * / ^, parentheses and functions such as sin, sqrt";
    error
        .at(span)
        .with_label(e.message)
        .with_help(e.help.unwrap_or_else(|| otherwise.into()))
}

/// Why a text cannot name a parameter.
fn name_problem(name: &str) -> Option<&'static str> {
    let letter = |c: char| c.is_alphabetic() || c == '_';
    if !name.starts_with(letter) || !name.chars().all(|c| c.is_alphanumeric() || c == '_') {
        Some("is none that formulas can use")
    } else if Formula::knows(name) {
        Some("means something else in formulas")
    } else if ["ground", "model", "simulation", "parameters"].contains(&name) {
        Some("is reserved")
    } else {
        None
    }
}

fn problem_of_name(entry: &Entry, problem: &str) -> ModelError {
    ModelError::new(format!("the name of parameter `{}` {problem}", entry.key))
        .at(entry.key_span.clone())
        .with_label("choose another name")
        .with_help(
            "names of parameters are made of letters, digits and `_`, and start with a letter",
        )
}
