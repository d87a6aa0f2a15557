//! Time discretisations: predict, solve, estimate the error, keep a history.

pub mod bdf;
pub mod gen_alpha;
mod history;

use crate::corrector::Retry;
use crate::implicit::Implicit;
use crate::state::{State, Weights};
use crate::stats::Stats;
use crate::system::{Row, Rows, System};

/// Step size and order of the next attempt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// Step size.
    pub h: f64,
    /// Order.
    pub order: usize,
}

/// What an attempted step found out; nothing is accepted yet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trial {
    /// Error over tolerance at orders k-2, k-1, k, k+1; infinite: not on offer.
    pub err: [f64; 4],
    /// The order k of the attempt.
    pub order: usize,
    /// The unknown that rules the error at order k.
    pub worst: Row,
    /// Corrector iterations.
    pub iterations: u32,
}

impl Trial {
    /// Error over tolerance at the order of the attempt.
    pub fn error(&self) -> f64 {
        self.err[2]
    }

    /// Error over tolerance at a neighbouring order; infinite when not on offer.
    pub fn error_at(&self, order: usize) -> f64 {
        match (order + 2).checked_sub(self.order) {
            Some(i) if order > 0 && i < 4 => self.err[i],
            _ => f64::INFINITY,
        }
    }
}

/// A time discretisation.
pub trait Stepper: Send {
    /// Whether [`Stepper::start`] wants the rate of the accelerations.
    fn wants_jerk(&self) -> bool {
        false
    }

    /// Binds to a system at a consistent state; analyses and allocates. `jerk` is empty when it is
    /// not wanted.
    fn start(&mut self, sys: &mut dyn System, keep: &Rows, s: &State, jerk: &[f64], h: f64);

    /// Tries a step without accepting it. Does not allocate.
    fn attempt(
        &mut self,
        sys: &mut dyn System,
        w: &Weights,
        stats: &mut Stats,
        next: Choice,
    ) -> Result<Trial, Retry>;

    /// Makes the last attempt part of the history.
    fn accept(&mut self);

    /// The newest accepted state.
    fn state(&self) -> &State;

    /// Positions and velocities within the last accepted step, at the order of that step.
    fn interpolate(&self, t: f64, out: &mut State);

    /// Highest order on offer.
    fn max_order(&self) -> usize;
}

/// A stepper by name.
pub struct StepperEntry {
    /// Name on the command line.
    pub name: &'static str,
    /// One line for lists.
    pub summary: &'static str,
    /// Formulations it runs with.
    pub formulations: &'static [&'static str],
    /// Constructor.
    pub build: fn(Implicit) -> Box<dyn Stepper>,
    /// Step controller that suits it.
    pub controller: &'static str,
}

/// Every stepper.
pub static STEPPERS: &[StepperEntry] = &[
    StepperEntry {
        name: "bdf",
        summary: "backward differentiation, variable step and order 1 to 5",
        formulations: &["ggl", "index3"],
        build: |implicit| Box::new(bdf::Bdf::new(implicit, bdf::Form::VariableStep)),
        controller: "order",
    },
    StepperEntry {
        name: "gen-alpha",
        summary: "generalised-alpha, second order, spectral radius 0.6 at infinity",
        formulations: &["index3", "ggl"],
        build: |implicit| Box::new(gen_alpha::GenAlpha::new(implicit, gen_alpha::DEFAULT_RHO)),
        controller: "elementary",
    },
];
