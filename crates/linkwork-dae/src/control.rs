//! Accept or reject; next step and order.

pub mod adams;
pub mod collocation;
pub mod elementary;
pub mod failure;
pub mod fixed;
pub mod order;
pub mod pi;
pub mod predictive;
mod watch;

use crate::memory::Memory;
use crate::stepper::{Choice, Trial};

/// What becomes of an attempted step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict {
    /// It counts; go on like this.
    Accept(Choice),
    /// It does not count; try again like this.
    Reject(Choice),
}

/// Judges attempted steps.
pub trait StepController: Send {
    /// Judges an attempt with step size `h`.
    fn judge(&mut self, trial: &Trial, h: f64) -> Verdict;

    /// Hears that the corrector has failed and that the step will be tried again.
    fn failed(&mut self) {}

    /// Hears the relative tolerance of the run, before its first choice.
    fn aim(&mut self, rtol: f64) {
        let _ = rtol;
    }

    /// The first choice of a run or a restart.
    fn start(&mut self, h: f64) -> Choice;

    /// Whether it would go on at this order from a history that others have made.
    fn takes_over(&self, h: f64, order: usize) -> bool {
        let _ = (h, order);
        false
    }

    /// The first choice after a history of equal steps that others have made.
    fn take_over(&mut self, h: f64, order: usize) -> Choice {
        let _ = self.start(h);
        Choice { h, order }
    }

    /// Whether steps belong to a grid that is to be met again where an event has cut one.
    fn keeps_grid(&self) -> bool {
        false
    }

    /// Saves or restores what the next verdict depends on.
    fn memory(&mut self, m: &mut Memory);

    /// What the controller did of its own accord, in words; nothing where that was nothing.
    fn notes(&self, out: &mut Vec<String>) {
        let _ = out;
    }
}

/// A step controller by name.
pub struct ControllerEntry {
    /// Name.
    pub name: &'static str,
    /// One line for lists.
    pub summary: &'static str,
    /// Constructor, for a highest order.
    pub build: fn(max_order: usize) -> Box<dyn StepController>,
}

/// Every step controller that needs no further parameter.
pub static CONTROLLERS: &[ControllerEntry] = &[
    ControllerEntry {
        name: "order",
        summary: "step and order of a multistep method",
        build: |max_order| Box::new(order::OrderControl::new(max_order)),
    },
    ControllerEntry {
        name: "elementary",
        summary: "step of a one-step method from the last error",
        build: |_| Box::new(elementary::Elementary::default()),
    },
    ControllerEntry {
        name: "pi",
        summary: "step of a one-step method from the last two errors",
        build: |_| Box::new(pi::ProportionalIntegral::default()),
    },
    ControllerEntry {
        name: "predictive",
        summary: "step of a linearly implicit method from the trend of its errors",
        build: |_| Box::new(predictive::Predictive::default()),
    },
    ControllerEntry {
        name: "collocation",
        summary: "step and stages of a collocation method, limited by its iteration too",
        build: |max_order| Box::new(collocation::Collocation::new(max_order)),
    },
    ControllerEntry {
        name: "adams",
        summary: "step and order of an Adams method, steps kept equal where possible",
        build: |max_order| Box::new(adams::AdamsControl::new(max_order)),
    },
];
