//! Outputs to inputs: at the start, at macro points, at events.

use super::{Conductor, failed};
use crate::cosim::account::Ending;
use crate::cosim::workers::hold;
use crate::cosim::{Trouble, Why};

/// First macro step as a share of the run.
const FIRST_SHARE: f64 = 1e-3;
/// Events that are closer to the end of a step than this share of it happen there.
const SAME_INSTANT: f64 = 1e-9;

impl Conductor<'_, '_, '_> {
    /// Starts everybody again and again until inputs and outputs agree to the last bit: chains of
    /// outputs that depend on inputs settle after as many rounds as there are members, loops never.
    pub(super) fn start(&mut self) -> Result<(), Ending> {
        let members = self.workers.members();
        let mut changing = None;
        for _ in 0..members.len() + 2 {
            for (i, runs) in members.iter().enumerate() {
                let inputs = &self.inputs[self.inputs_of[i].clone()];
                let started = hold(&runs.main).sub.start(inputs);
                self.t = started.map_err(|trouble| failed(i, trouble))?;
                self.read(i)?;
            }
            self.coupling.couple(&self.outputs, &mut self.fresh);
            changing = first_change(&self.inputs, &self.fresh);
            std::mem::swap(&mut self.inputs, &mut self.fresh);
            if changing.is_none() {
                break;
            }
        }
        if let Some(input) = changing {
            return Err(self.algebraic_loop(input));
        }
        for (i, u) in self.inputs.iter().enumerate() {
            self.signals[i].restart(self.t, *u);
            self.largest[i] = u.abs();
        }
        for runs in members.iter().filter(|s| s.twin.is_some()) {
            hold(&runs.main)
                .sub
                .save(&mut hold(self.workers.tape(runs)));
        }
        // what cannot be repeated must begin within the tolerance: constant inputs are off in
        // proportion to the step
        let share = if self.estimated {
            FIRST_SHARE
        } else {
            FIRST_SHARE * self.plan.rtol
        };
        self.first = (self.plan.first_step)
            .unwrap_or(share * (self.plan.t_end - self.t))
            .min(self.longest());
        self.h = self.first;
        Ok(())
    }

    fn algebraic_loop(&self, input: usize) -> Ending {
        let connections = self.coupling.connections();
        let connection = connections.iter().position(|c| c.inputs.contains(&input));
        Ending::AlgebraicLoop {
            connection: connection.unwrap_or(0),
        }
    }

    /// Reads the outputs of a member.
    fn read(&mut self, i: usize) -> Result<(), Ending> {
        let inputs = &self.inputs[self.inputs_of[i].clone()];
        let outputs = &mut self.outputs[self.outputs_of[i].clone()];
        let sub = &mut hold(&self.workers.members()[i].main).sub;
        sub.output(inputs, outputs)
            .map_err(|trouble| failed(i, trouble))?;
        match outputs.iter().position(|y| !y.is_finite()) {
            None => Ok(()),
            Some(k) => {
                let what = format!("output {}", k + 1);
                Err(failed(
                    i,
                    Trouble {
                        t: self.t,
                        why: Why::NotFinite { what },
                    },
                ))
            }
        }
    }

    /// Outputs of all at the present time, and the inputs that follow from them.
    pub(super) fn exchange(&mut self) -> Result<(), Ending> {
        let n = self.inputs_of.len();
        let sweeps = if self.feedthrough { n + 1 } else { 1 };
        for sweep in 0..sweeps {
            for i in 0..n {
                if sweep == 0 || hold(&self.workers.members()[i].main).sub.feedthrough() {
                    self.read(i)?;
                }
            }
            self.coupling.couple(&self.outputs, &mut self.fresh);
            let changed = first_change(&self.inputs, &self.fresh).is_some();
            std::mem::swap(&mut self.inputs, &mut self.fresh);
            if !changed {
                break;
            }
        }
        Ok(())
    }

    /// Lets the events at the end of the step happen, with the inputs of that instant. Tells whether
    /// there were any; `fresh` then holds the inputs before them.
    pub(super) fn pass_events(&mut self, from: f64, to: f64) -> Result<bool, Ending> {
        let members = self.workers.members();
        let near = to + SAME_INSTANT * (to - from);
        let mut passed = false;
        for (i, runs) in members.iter().enumerate() {
            let mut main = hold(&runs.main);
            if main.sub.next_event(from).is_some_and(|event| event <= near) {
                let inputs = &self.inputs[self.inputs_of[i].clone()];
                (main.sub.pass_event(inputs)).map_err(|trouble| failed(i, trouble))?;
                passed = true;
                self.report.events += 1;
            }
        }
        if !passed {
            return Ok(false);
        }
        let before = self.inputs.clone();
        self.exchange()?;
        self.fresh = before;
        for runs in members.iter().filter(|s| s.twin.is_some()) {
            let tape = self.workers.next_tape(runs);
            hold(&runs.main).sub.save(&mut hold(tape));
        }
        Ok(true)
    }
}

/// The first entry in which two lists differ by a bit.
fn first_change(a: &[f64], b: &[f64]) -> Option<usize> {
    a.iter()
        .zip(b)
        .position(|(a, b)| a.to_bits() != b.to_bits())
}
