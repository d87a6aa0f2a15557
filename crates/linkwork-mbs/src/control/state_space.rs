//! Linear state space: `x' = A x + B u`, `y = C x + D u`.

use super::{Control, ControlState, ControlTerms, Linear};
use crate::expr::Formula;
use crate::part::{Keys, Kind, Part};
use crate::units::Unit;

/// A linear law with any number of inputs, states and outputs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StateSpace {
    /// Inputs.
    pub inputs: Vec<Formula>,
    /// The matrices.
    pub law: Linear,
    /// States at the start.
    pub start: Vec<f64>,
}

impl Kind for StateSpace {
    const NAME: &'static str = "state_space";
    const SUMMARY: &'static str = "Linear state space: x' = A x + B u, y = C x + D u.";
}

/// The keys of inputs, matrices and start values.
pub(super) fn law_keys(
    k: &mut Keys<'_>,
    inputs: &mut Vec<Formula>,
    law: &mut Linear,
    start: &mut Vec<f64>,
) {
    let doc = "The inputs: a list of numbers and formulas of `t` and signals.";
    k.key("inputs", Unit::None, doc).signals(inputs);
    let Linear { a, b, c, d } = law;
    let required = [
        ("a", "Matrix A, a list of rows.", a),
        ("b", "Matrix B, a list of rows.", b),
        ("c", "Matrix C, a list of rows.", c),
    ];
    for (name, doc, slot) in required {
        k.key(name, Unit::None, doc).matrix(slot);
    }
    k.key("d", Unit::None, "Matrix D, a list of rows.")
        .or("zero")
        .matrix(d);
    k.key("start", Unit::None, "States at the start.")
        .or("zero")
        .numbers(start);
    if k.table().is_some_and(|f| !f.has("d")) || k.draw().is_some_and(|draw| draw() > 0.0) {
        law.d = vec![vec![0.0; inputs.len()]; law.c.len()];
    }
    if k.table().is_some_and(|f| !f.has("start")) {
        *start = vec![0.0; law.a.len()];
    }
    k.placed(|| law.check(law.a.len(), inputs.len()));
    k.placed(|| check_start(start, law.a.len()));
}

impl Part for StateSpace {
    fn keys(&mut self, k: &mut Keys<'_>) {
        law_keys(k, &mut self.inputs, &mut self.law, &mut self.start);
    }
}

/// Refuses start values that do not fit.
fn check_start(start: &[f64], n: usize) -> Result<(), String> {
    if start.len() != n {
        return Err(format!("`start` must have {n} numbers, one for each state"));
    }
    if start.iter().any(|x| !x.is_finite()) {
        return Err("`start` must be finite".into());
    }
    Ok(())
}

impl Control for StateSpace {
    fn inputs(&self) -> Vec<&Formula> {
        self.inputs.iter().collect()
    }
    fn outputs(&self) -> usize {
        self.law.outputs()
    }
    fn states(&self) -> Vec<ControlState> {
        (1..)
            .zip(&self.start)
            .map(|(i, x)| ControlState::new(format!("state {i}"), *x))
            .collect()
    }
    fn feedthrough(&self) -> bool {
        self.law.feedthrough()
    }
    fn output(&self, u: &[f64], x: &[f64], out: &mut ControlTerms) {
        self.law.output(u, x, out);
    }
    fn rates(&self, u: &[f64], x: &[f64], out: &mut ControlTerms) {
        self.law.rates(u, x, out);
    }
}
