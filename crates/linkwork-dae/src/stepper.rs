//! Time discretisations: predict, solve, estimate the error, keep a history.

pub mod bdf;
pub mod gen_alpha;
mod history;

use crate::corrector::Retry;
use crate::implicit::Implicit;
use crate::state::{State, Weights};
use crate::stats::Stats;
use crate::system::{Row, Rows, System};
use bdf::{Bdf, Form};
use gen_alpha::{ErrorConstant, GenAlpha, Parameters};

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
    /// Whether [`Stepper::start`] wants the rates of the accelerations and of `xdot`.
    fn wants_jerk(&self) -> bool {
        false
    }

    /// Binds to a system; analyses and allocates.
    fn bind(&mut self, sys: &mut dyn System, keep: &Rows);

    /// Starts from a consistent state, forgetting all history: at the beginning of a run and after
    /// every jump. `jerk` is empty when it is not wanted. Does not allocate.
    fn start(&mut self, s: &State, jerk: &[f64], h: f64);

    /// Whether the step size that was good before a jump of the forces is a good one after it; a
    /// method without memory says yes.
    fn keeps_step(&self) -> bool {
        false
    }

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

/// Free parameters of the methods; each method reads those it knows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tuning {
    /// Spectral radius at infinity (gen-alpha), 0 to 1.
    pub rho: f64,
    /// Damping (hht), 0 to 1/3.
    pub alpha: f64,
    /// Scaling of the error estimate (gen-alpha, hht, newmark).
    pub error_constant: ErrorConstant,
}

impl Default for Tuning {
    fn default() -> Tuning {
        Tuning {
            rho: gen_alpha::DEFAULT_RHO,
            alpha: gen_alpha::DEFAULT_ALPHA,
            error_constant: ErrorConstant::Leading,
        }
    }
}

/// A stepper by name.
pub struct StepperEntry {
    /// Name on the command line.
    pub name: &'static str,
    /// One line for lists.
    pub summary: &'static str,
    /// Formulations it runs with, the preferred one first.
    pub formulations: &'static [&'static str],
    /// Names of the fields of [`Tuning`] that it reads.
    pub tuning: &'static [&'static str],
    /// Constructor.
    pub build: fn(Implicit, &Tuning) -> Box<dyn Stepper>,
    /// Step controller that suits it.
    pub controller: &'static str,
}

fn bdf(implicit: Implicit, form: Form) -> Box<dyn Stepper> {
    Box::new(Bdf::new(implicit, form))
}

fn alpha_family(implicit: Implicit, p: Parameters, tuning: &Tuning) -> Box<dyn Stepper> {
    Box::new(GenAlpha::new(implicit, p, tuning.error_constant))
}

/// Every stepper.
pub static STEPPERS: &[StepperEntry] = &[
    StepperEntry {
        name: "bdf",
        summary: "backward differentiation, variable step and order 1 to 5",
        formulations: &["ggl", "index3", "index1"],
        tuning: &[],
        build: |implicit, _| bdf(implicit, Form::VariableStep),
        controller: "order",
    },
    StepperEntry {
        name: "bdf-fixed-leading",
        summary: "the same with the fixed leading coefficient of DASSL",
        formulations: &["ggl", "index3", "index1"],
        tuning: &[],
        build: |implicit, _| bdf(implicit, Form::FixedLeading),
        controller: "order",
    },
    StepperEntry {
        name: "bdf-quasi",
        summary: "the same with differences on a quasi-constant grid; less robust in index 3",
        formulations: &["ggl", "index3", "index1"],
        tuning: &[],
        build: |implicit, _| bdf(implicit, Form::QuasiConstant),
        controller: "order",
    },
    StepperEntry {
        name: "ndf",
        summary: "numerical differentiation formulas on a quasi-constant grid",
        formulations: &["ggl", "index1"],
        tuning: &[],
        build: |implicit, _| bdf(implicit, Form::Numerical),
        controller: "order",
    },
    StepperEntry {
        name: "gen-alpha",
        summary: "generalised-alpha, second order, damping set by the spectral radius rho",
        formulations: &["index3", "ggl"],
        tuning: &["rho", "error_constant"],
        build: |implicit, t| alpha_family(implicit, Parameters::from_rho(t.rho), t),
        controller: "elementary",
    },
    StepperEntry {
        name: "hht",
        summary: "Hilber-Hughes-Taylor, second order, damping alpha",
        formulations: &["index3", "ggl"],
        tuning: &["alpha", "error_constant"],
        build: |implicit, t| alpha_family(implicit, Parameters::hht(t.alpha), t),
        controller: "elementary",
    },
    StepperEntry {
        name: "newmark",
        summary: "Newmark's trapezoidal rule, second order, no damping; stabilised form only",
        formulations: &["ggl"],
        tuning: &["error_constant"],
        build: |implicit, t| alpha_family(implicit, Parameters::newmark(), t),
        controller: "elementary",
    },
];
