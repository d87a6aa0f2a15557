//! Linear law that runs by the clock: `y[k] = C z[k] + D u[k]`, `z[k+1] = A z[k] + B u[k]`.

use super::sampled_pid::sample_time;
use super::state_space::law_keys;
use super::{Control, Linear, Sampling, StateSpace};
use crate::expr::Formula;
use crate::part::{Keys, Kind, Part};

/// A discrete linear law with any number of inputs, states and outputs, held between the instants.
#[derive(Clone, Debug, Default, PartialEq)]
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

impl Kind for SampledStateSpace {
    const NAME: &'static str = "sampled_state_space";
    const SUMMARY: &'static str =
        "Discrete state space: z[k+1] = A z + B u, y = C z + D u, held between the samples.";
}

impl Part for SampledStateSpace {
    fn keys(&mut self, k: &mut Keys<'_>) {
        sample_time(k, &mut self.sample_time);
        law_keys(k, &mut self.inputs, &mut self.law, &mut self.start);
    }
}

impl Control for SampledStateSpace {
    fn inputs(&self) -> Vec<&Formula> {
        self.inputs.iter().collect()
    }
    fn outputs(&self) -> usize {
        self.law.outputs()
    }
    fn feedthrough(&self) -> bool {
        false
    }
    fn continuous(&self) -> Option<Result<Box<dyn Control>, String>> {
        let law = self.law.continuous(self.sample_time);
        let inputs = self.inputs.clone();
        let start = self.start.clone();
        Some(law.map(|law| StateSpace { inputs, law, start }.into()))
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
}
