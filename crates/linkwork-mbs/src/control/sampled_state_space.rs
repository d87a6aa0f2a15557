//! Linear law that runs by the clock: `y[k] = C z[k] + D u[k]`, `z[k+1] = A z[k] + B u[k]`.

use super::sampled_pid::{SAMPLE_TIME, check_period};
use super::state_space::{C, D, INPUTS, check_start, example_law, read_law, write_law};
use super::{Control, ControlEntry, Linear, Sampling};
use crate::expr::Formula;
use crate::field::{Form, Key, Value};
use crate::units::Unit;

/// A discrete linear law with any number of inputs, states and outputs, held between the instants.
#[derive(Clone, Debug, PartialEq)]
pub struct SampledStateSpace {
    /// Inputs.
    pub inputs: Vec<Formula>,
    /// The matrices.
    pub law: Linear,
    /// Discrete states at the start.
    pub start: Vec<f64>,
    /// Time between two samples, s.
    pub sample_time: f64,
}

pub(super) const ENTRY: ControlEntry = ControlEntry {
    kind: "sampled_state_space",
    summary: "Discrete state space: z[k+1] = A z + B u, y = C z + D u, held between the samples.",
    keys: &[
        INPUTS,
        SAMPLE_TIME,
        Key::required("a", Unit::None, "Matrix A, a list of rows.").takes(Form::List),
        Key::required("b", Unit::None, "Matrix B, a list of rows.").takes(Form::List),
        C,
        D,
        Key::optional("start", Unit::None, "zero", "Discrete states at the start.")
            .takes(Form::List),
    ],
    read: |f| {
        let (inputs, law, start) = read_law(f)?;
        Ok(SampledStateSpace {
            inputs,
            law,
            start,
            sample_time: f.positive("sample_time", Unit::Time)?,
        }
        .into())
    },
    example: |draw, input| {
        let (inputs, law) = example_law(draw, input);
        SampledStateSpace {
            inputs,
            law,
            start: vec![0.1, -0.2],
            sample_time: 0.03,
        }
        .into()
    },
};

impl Control for SampledStateSpace {
    fn kind(&self) -> &'static str {
        ENTRY.kind
    }
    fn inputs(&self) -> Vec<&Formula> {
        self.inputs.iter().collect()
    }
    fn outputs(&self) -> usize {
        self.law.outputs()
    }
    fn feedthrough(&self) -> bool {
        false
    }
    fn check(&self) -> Result<(), String> {
        check_period(self.sample_time)?;
        self.law.check(self.law.a.len(), self.inputs.len())?;
        check_start(&self.start, self.law.a.len())
    }
    fn sampling(&self) -> Option<Sampling> {
        Some(Sampling {
            period: self.sample_time,
            // the second half takes the next states while the last are still read
            memory: self.start.iter().chain(&self.start).copied().collect(),
        })
    }
    fn sample(&self, u: &[f64], z: &mut [f64], y: &mut [f64]) {
        let n = self.start.len();
        let (now, next) = z.split_at_mut(n);
        for (i, y) in y.iter_mut().enumerate() {
            *y = self.law.value(i, now, u);
        }
        for (i, next) in next.iter_mut().enumerate() {
            *next = self.law.rate(i, now, u);
        }
        now.copy_from_slice(next);
    }
    fn fields(&self) -> Vec<(&'static str, Value)> {
        let mut fields = write_law(&self.inputs, &self.law, &self.start);
        fields.push(("sample_time", Value::Number(self.sample_time)));
        fields
    }
}
