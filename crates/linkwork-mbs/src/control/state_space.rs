//! Linear state space: `x' = A x + B u`, `y = C x + D u`.

use super::{Control, ControlEntry, ControlState, ControlTerms, Linear};
use crate::error::ModelError;
use crate::expr::Formula;
use crate::field::{Form, Key, Value};
use crate::text::Fields;
use crate::units::Unit;

/// A linear law with any number of inputs, states and outputs.
#[derive(Clone, Debug, PartialEq)]
pub struct StateSpace {
    /// Inputs.
    pub inputs: Vec<Formula>,
    /// The matrices.
    pub law: Linear,
    /// States at the start.
    pub start: Vec<f64>,
}

pub(super) const INPUTS: Key = Key::required(
    "inputs",
    Unit::None,
    "The inputs: a list of numbers and formulas of `t` and signals.",
)
.takes(Form::List);
pub(super) const C: Key =
    Key::required("c", Unit::None, "Matrix C, a list of rows.").takes(Form::List);
pub(super) const D: Key =
    Key::optional("d", Unit::None, "zero", "Matrix D, a list of rows.").takes(Form::List);

pub(super) const ENTRY: ControlEntry = ControlEntry {
    kind: "state_space",
    summary: "Linear state space: x' = A x + B u, y = C x + D u.",
    keys: &[
        INPUTS,
        Key::required("a", Unit::None, "Matrix A, a list of rows.").takes(Form::List),
        Key::required("b", Unit::None, "Matrix B, a list of rows.").takes(Form::List),
        C,
        D,
        Key::optional("start", Unit::None, "zero", "States at the start.").takes(Form::List),
    ],
    read: |f| {
        let (inputs, law, start) = read_law(f)?;
        Ok(StateSpace { inputs, law, start }.into())
    },
    example: |draw, input| {
        let (inputs, law) = example_law(draw, input);
        let start = vec![0.1, -0.2];
        StateSpace { inputs, law, start }.into()
    },
};

/// Inputs, matrices and start values.
pub(super) fn read_law(f: &Fields<'_>) -> Result<(Vec<Formula>, Linear, Vec<f64>), ModelError> {
    let inputs = f.signals("inputs", Unit::None)?;
    let (a, b, c) = (f.matrix("a")?, f.matrix("b")?, f.matrix("c")?);
    let d = if f.has("d") {
        f.matrix("d")?
    } else {
        vec![vec![0.0; inputs.len()]; c.len()]
    };
    let start = if f.has("start") {
        f.numbers("start")?
    } else {
        vec![0.0; a.len()]
    };
    Ok((inputs, Linear { a, b, c, d }, start))
}

/// A stable law with two states, two inputs and two outputs.
pub(super) fn example_law(draw: &mut dyn FnMut() -> f64, input: Formula) -> (Vec<Formula>, Linear) {
    let mut matrix = || vec![vec![0.3 * draw(), 0.2 * draw()], vec![draw(), 0.4 * draw()]];
    let mut law = Linear {
        a: matrix(),
        b: matrix(),
        c: matrix(),
        d: matrix(),
    };
    if draw() > 0.0 {
        law.d = vec![vec![0.0; 2]; 2];
    }
    (vec![input.clone(), input], law)
}

/// The matrices as keys.
pub(super) fn write_law(
    inputs: &[Formula],
    law: &Linear,
    start: &[f64],
) -> Vec<(&'static str, Value)> {
    vec![
        (
            "inputs",
            Value::List(inputs.iter().map(Value::from).collect()),
        ),
        ("a", Value::matrix(&law.a)),
        ("b", Value::matrix(&law.b)),
        ("c", Value::matrix(&law.c)),
        ("d", Value::matrix(&law.d)),
        ("start", Value::numbers(start)),
    ]
}

/// Refuses start values that do not fit.
pub(super) fn check_start(start: &[f64], n: usize) -> Result<(), String> {
    if start.len() != n {
        return Err(format!("`start` must have {n} numbers, one for each state"));
    }
    if start.iter().any(|x| !x.is_finite()) {
        return Err("`start` must be finite".into());
    }
    Ok(())
}

impl Control for StateSpace {
    fn kind(&self) -> &'static str {
        ENTRY.kind
    }
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
    fn check(&self) -> Result<(), String> {
        self.law.check(self.law.a.len(), self.inputs.len())?;
        check_start(&self.start, self.law.a.len())
    }
    fn output(&self, u: &[f64], x: &[f64], out: &mut ControlTerms) {
        self.law.output(u, x, out);
    }
    fn rates(&self, u: &[f64], x: &[f64], out: &mut ControlTerms) {
        self.law.rates(u, x, out);
    }
    fn fields(&self) -> Vec<(&'static str, Value)> {
        write_law(&self.inputs, &self.law, &self.start)
    }
}
