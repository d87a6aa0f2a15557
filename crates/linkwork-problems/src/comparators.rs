//! Methods, order rules and derivatives that published results were computed with, for
//! [`reproduce`](crate::reproduce) and comparisons: nothing that a run should choose.

pub mod candidates;
pub mod classical;
pub mod dassl;
pub mod mean;
pub mod nystrom;

use candidates::{Candidates, Rule};
use linkwork_dae::control::ControllerEntry;
use linkwork_dae::control::order::OrderControl;
use linkwork_dae::jacobian::JacobianStrategy;
use linkwork_dae::stepper::bdf::{Bdf, Form};
use linkwork_dae::stepper::rosenbrock::{Rosenbrock, Scheme};
use linkwork_dae::stepper::{Family, Needs, StepperEntry};

const MAX_ORDER: Option<usize> = Some(5);

/// Backward differentiation in other forms, and Rosenbrock-Nyström with its first error test.
pub static METHODS: &[StepperEntry] = &[
    StepperEntry {
        name: "bdf-fixed-leading",
        summary: "bdf with the fixed leading coefficient of DASSL",
        family: Family::Bdf,
        formulations: &["ggl", "index3", "index1"],
        tuning: &[],
        variable_order: MAX_ORDER,
        needs: Needs::Implicit(|implicit, _| Box::new(Bdf::new(implicit, Form::FixedLeading))),
        controller: "order",
        steady: &[],
        undamped: |_| None,
    },
    StepperEntry {
        name: "bdf-quasi",
        summary: "bdf with differences on a quasi-constant grid; less robust in index 3",
        family: Family::Bdf,
        formulations: &["ggl", "index3", "index1"],
        tuning: &[],
        variable_order: MAX_ORDER,
        needs: Needs::Implicit(|implicit, _| Box::new(Bdf::new(implicit, Form::QuasiConstant))),
        controller: "order",
        steady: &[],
        undamped: |_| None,
    },
    StepperEntry {
        name: "ndf",
        summary: "numerical differentiation formulas on a quasi-constant grid",
        family: Family::Bdf,
        formulations: &["ggl", "index1"],
        tuning: &[],
        variable_order: MAX_ORDER,
        needs: Needs::Implicit(|implicit, _| Box::new(Bdf::new(implicit, Form::Numerical))),
        controller: "order",
        steady: &[],
        undamped: |_| None,
    },
    StepperEntry {
        name: "dassl",
        summary: "backward differentiation with all the rules of DASSL",
        family: Family::Bdf,
        formulations: &["ggl", "index1"],
        tuning: &[],
        variable_order: MAX_ORDER,
        needs: Needs::Implicit(|implicit, _| Box::new(dassl::dassl(implicit))),
        controller: "dassl",
        steady: &[],
        undamped: |_| None,
    },
    StepperEntry {
        name: "rosenbrock-rms",
        summary: "rosenbrock with the norm and the step formula of its authors",
        family: Family::LinearlyImplicit,
        formulations: &["state-space"],
        tuning: &["error_estimate"],
        variable_order: None,
        needs: Needs::Ode(|ode, t| {
            let method = Rosenbrock::new(ode, Scheme::nystrom4(), t);
            Box::new(nystrom::nystrom(method))
        }),
        controller: "plain",
        steady: &[],
        undamped: |_| None,
    },
];

/// Rules for step and order.
pub static ORDER_RULES: &[ControllerEntry] = &[
    ControllerEntry {
        name: "doubling",
        summary: "that of the library with steps that only double",
        build: |max_order| Box::new(OrderControl::doubling(max_order)),
    },
    ControllerEntry {
        name: "dassl",
        summary: "step and order as in DASSL, without a watch for vibrations",
        build: |max_order| Box::new(dassl::control::Control::new(max_order)),
    },
    ControllerEntry {
        name: "plain",
        summary: "step of a one-step method by the last error, 0.9 err^(-1/(k+1)) between 0.2 and 5",
        build: |_| Box::new(nystrom::Plain),
    },
    ControllerEntry {
        name: "largest",
        summary: "the order with the largest step, at once",
        build: |max_order| Box::new(Candidates::new(Rule::Largest, max_order)),
    },
    ControllerEntry {
        name: "difsub",
        summary: "the order with the largest step after a wait (DIFSUB)",
        build: |max_order| Box::new(Candidates::new(Rule::Difsub, max_order)),
    },
    ControllerEntry {
        name: "stewart",
        summary: "the same, raising only when the highest difference falls (Stewart)",
        build: |max_order| Box::new(Candidates::new(Rule::Stewart, max_order)),
    },
    ControllerEntry {
        name: "combined",
        summary: "the same with monotone differences and Skelboe's instability test",
        build: |max_order| Box::new(Candidates::new(Rule::Combined, max_order)),
    },
];

/// Makes a strategy.
pub type Build = fn() -> Box<dyn JacobianStrategy>;

/// Derivatives by name.
pub static JACOBIANS: &[(&str, Build)] = &[("classical", classical::classical)];
