//! Controls: laws with a memory that turn signals into signals, and the table of all kinds.
//!
//! ```text
//!  continuous   E xdot = f(x, u),  y = g(x, u)         u: formulas of time and signals
//!  sampled      y[k] = g(z[k], u[k]),  z[k+1] = h(z[k], u[k])   y held between the instants
//! ```
//!
//! Signals are coordinates and velocities of bodies (`arm.angle`, `arm.angle.velocity`), sensors
//! (`reach`, `reach.velocity`) and outputs of controls, each under its name. Outputs drive forces,
//! torques and other controls. An output that depends on the inputs at the same instant must not
//! lead back to itself; put a `filter` into such a loop, or close it by an `equation`, which is
//! solved together with the motion.
//!
//! Adding a kind takes one file in `control/` and one row in [`CONTROLS`]: list its keys
//! ([`Part::keys`]) and write [`Control`].

mod equation;
mod filter;
mod input;
mod linear;
mod pid;
mod sampled_pid;
mod sampled_state_space;
mod saturation;
mod state_space;
mod transfer;

pub use equation::Equation;
pub use filter::Filter;
pub use input::Input;
pub use linear::Linear;
pub use pid::Pid;
pub use sampled_pid::SampledPid;
pub use sampled_state_space::SampledStateSpace;
pub use saturation::Saturation;
pub use state_space::StateSpace;
pub use transfer::Transfer;

use crate::expr::Formula;
use crate::field::{Form, Key};
use crate::part::{Entry, OfKind, Part};
use crate::units::Unit;

/// A state of a continuous control.
#[derive(Clone, Debug, PartialEq)]
pub struct ControlState {
    /// What it is, in a word or two: "integral".
    pub name: String,
    /// Value at the start of a run; a guess for an algebraic state.
    pub start: f64,
    /// Whether its equation has a derivative; else it is algebraic, `0 = f`.
    pub differential: bool,
}

impl ControlState {
    /// A differential state.
    pub fn new(name: impl Into<String>, start: f64) -> ControlState {
        ControlState {
            name: name.into(),
            start,
            differential: true,
        }
    }
}

/// Values and derivatives of a control with `n` states, `m` inputs and `p` outputs; matrices by
/// rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ControlTerms {
    /// `f`, length n.
    pub f: Vec<f64>,
    /// `df/dx`, n x n.
    pub f_x: Vec<f64>,
    /// `df/du`, n x m.
    pub f_u: Vec<f64>,
    /// Outputs, length p.
    pub y: Vec<f64>,
    /// `dy/dx`, p x n.
    pub y_x: Vec<f64>,
    /// `dy/du`, p x m.
    pub y_u: Vec<f64>,
}

impl ControlTerms {
    /// Room for a control of the given sizes.
    pub fn new(n: usize, m: usize, p: usize) -> ControlTerms {
        ControlTerms {
            f: vec![0.0; n],
            f_x: vec![0.0; n * n],
            f_u: vec![0.0; n * m],
            y: vec![0.0; p],
            y_x: vec![0.0; p * n],
            y_u: vec![0.0; p * m],
        }
    }
}

/// The clockwork of a sampled control.
#[derive(Clone, Debug, PartialEq)]
pub struct Sampling {
    /// Time between two samples, s. The first is taken at the start of the run.
    pub period: f64,
    /// Discrete states at the start.
    pub memory: Vec<f64>,
}

/// A kind of control with its parameters; stored behind a pointer.
pub trait Control: Part + OfKind {
    /// The inputs.
    fn inputs(&self) -> Vec<&Formula>;

    /// Number of outputs.
    fn outputs(&self) -> usize {
        1
    }

    /// The states; none for a sampled control.
    fn states(&self) -> Vec<ControlState> {
        Vec::new()
    }

    /// Whether an output depends on an input at the same instant.
    fn feedthrough(&self) -> bool;

    /// Start values that depend on the inputs at the start.
    fn settle(&self, u: &[f64], x: &mut [f64]) {
        let _ = (u, x);
    }

    /// Fills `y`, `y_x` and `y_u`. Inputs hold leftovers when there is no feedthrough.
    fn output(&self, u: &[f64], x: &[f64], out: &mut ControlTerms) {
        let _ = (u, x, out);
    }

    /// Fills `f`, `f_x` and `f_u`.
    fn rates(&self, u: &[f64], x: &[f64], out: &mut ControlTerms) {
        let _ = (u, x, out);
    }

    /// The clockwork of a sampled control; `None` for a continuous one.
    fn sampling(&self) -> Option<Sampling> {
        None
    }

    /// One sample: new outputs to be held, new discrete states.
    fn sample(&self, u: &[f64], z: &mut [f64], y: &mut [f64]) {
        let _ = (u, z, y);
    }

    /// The law of a sampled control without its clock, where it has one; `None` for a continuous control.
    fn continuous(&self) -> Option<Result<Box<dyn Control>, String>> {
        None
    }

    /// For an output that is driven from outside: what it is as long as nobody drives it.
    fn undriven(&self) -> Option<&Formula> {
        None
    }
}

impl<C: Control + 'static> From<C> for Box<dyn Control> {
    fn from(control: C) -> Box<dyn Control> {
        Box::new(control)
    }
}

/// The name of an output: that of the control if there is one output, else numbered from 1.
pub fn output_name(control: &str, outputs: usize, index: usize) -> String {
    if outputs == 1 {
        control.to_string()
    } else {
        format!("{control}.{}", index + 1)
    }
}

/// One kind of control.
pub type ControlEntry = Entry<dyn Control>;

/// All kinds of controls.
pub static CONTROLS: &[ControlEntry] = &[
    Entry::of::<Filter>(),
    Entry::of::<Transfer>(),
    Entry::of::<StateSpace>(),
    Entry::of::<Pid>(),
    Entry::of::<Equation>(),
    Entry::of::<SampledPid>(),
    Entry::of::<SampledStateSpace>(),
    Entry::of::<Input>(),
];

/// The keys of every control.
pub static CONTROL_KEYS: &[Key] = &[Key::optional(
    "scale",
    Unit::None,
    "1",
    "Typical size of the states, which their absolute tolerance refers to.",
)];

const INPUT: Key = Key::required(
    "input",
    Unit::None,
    "The input: a number or a formula of `t` and signals.",
)
.takes(Form::Formula);
