//! Several integrators side by side that exchange a few coupling variables at macro points.
//!
//! ```text
//!  subsystem s:  M_s v_s' = f_s(q_s, v_s, p(t)),   u = u(y_1, y_2, ..)  at macro points T_N
//!
//!  T_N        u known, polynomials p_ext and p_int made from the last u          signal.rs
//!  T_N..T_N+1 every subsystem twice, all at the same time: with p_ext, with p_int   workers.rs
//!  T_N+1      distance of the two runs -> error of the macro step -> accept or go back   conduct.rs
//! ```
//!
//! Explicit (no iteration) and of Jacobi type: within a macro step nobody knows what the others do,
//! so all run in parallel and the result does not depend on the number of threads. Positions have the
//! local error `O(H^{k+3})`, velocities `O(H^{k+2})` with polynomials of degree `k`; both are
//! estimated and controlled (Meyer et al. on error estimation and macro-step control of explicit
//! co-simulation).
//!
//! What it is bad at: stiff coupling. A stiff spring between two subsystems limits the macro step by
//! stability and not by accuracy; the error estimate notices, but the steps are small. Coupling
//! variables must not depend on accelerations or reactions of a subsystem.

pub mod account;
pub mod conduct;
pub mod mechanism;
pub mod pi;
pub mod plan;
pub mod polynomial;
pub mod signal;
mod workers;

pub use account::{ConnectionAccount, MacroStep, MemberAccount, Report};
pub use conduct::{Watch, conduct, resume};
pub use mechanism::Mechanism;
pub use plan::{Approach, Plan};
pub use polynomial::{MAX_DEGREE, Polynomial};
pub use signal::Signal;

use crate::drive::Failure;
use crate::initial::StartError;
use crate::memory::{Memory, MemoryError};

/// Why a subsystem cannot go on.
#[derive(Clone, Debug, PartialEq)]
pub enum Why {
    /// It has no consistent start.
    Start(StartError),
    /// Its integrator gave up.
    Integration(Failure),
    /// An output or a state is not a number.
    NotFinite {
        /// Which.
        what: String,
    },
    /// It could not be put back to an earlier state.
    Memory(MemoryError),
    /// One macro step has taken it more micro steps than it may take.
    TooManySteps {
        /// How many it may take.
        steps: u64,
    },
    /// It was asked to stop within a macro step.
    Stopped,
    /// What a subsystem says that is none of these.
    Told(String),
}

/// A subsystem that cannot go on.
#[derive(Clone, Debug, PartialEq)]
pub struct Trouble {
    /// The last time it reached.
    pub t: f64,
    /// Why.
    pub why: Why,
}

/// Positions and rates of a subsystem with their inverse error weights.
///
/// Positions are what the coupling reaches through two integrations, rates (velocities, first-order
/// states) what it reaches through one. Entries with weight 0 do not count.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Motion {
    /// Positions.
    pub q: Vec<f64>,
    /// Velocities and first-order states.
    pub v: Vec<f64>,
    /// `1 / tolerance` of each position.
    pub weight_q: Vec<f64>,
    /// `1 / tolerance` of each rate.
    pub weight_v: Vec<f64>,
}

impl Motion {
    /// Room for a subsystem of the given sizes.
    pub fn new(positions: usize, rates: usize) -> Motion {
        Motion {
            q: vec![0.0; positions],
            v: vec![0.0; rates],
            weight_q: vec![0.0; positions],
            weight_v: vec![0.0; rates],
        }
    }
}

/// One entry of a [`Motion`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A position.
    Position(usize),
    /// A rate.
    Rate(usize),
}

/// Something that can be integrated over a macro step with given courses of its inputs.
///
/// A [`Mechanism`] is one; others are written by implementing this trait. Micro steps, methods and
/// tolerances are a subsystem's own affair, but its tolerance should be a tenth of that of the
/// coupling or less: the distance of two runs would measure its noise.
pub trait Subsystem: Send {
    /// Number of inputs.
    fn inputs(&self) -> usize;

    /// Number of outputs.
    fn outputs(&self) -> usize;

    /// Numbers of positions and rates.
    fn sizes(&self) -> (usize, usize);

    /// Goes to the start with these inputs; may be called several times until inputs and outputs of
    /// all subsystems agree. Returns the start time.
    fn start(&mut self, inputs: &[f64]) -> Result<f64, Trouble>;

    /// Integrates to `to`, which is met exactly, with inputs that follow the given polynomials.
    fn advance(&mut self, to: f64, inputs: &[Polynomial]) -> Result<(), Trouble>;

    /// Outputs at the present time, if the inputs have these values.
    fn output(&mut self, inputs: &[f64], out: &mut [f64]) -> Result<(), Trouble>;

    /// Whether an output depends on an input at the same instant.
    fn feedthrough(&self) -> bool {
        false
    }

    /// Present positions and rates, and their weights.
    fn motion(&mut self, out: &mut Motion);

    /// The next instant after `t` at which outputs or equations jump by the clock; macro steps end
    /// there.
    fn next_event(&mut self, t: f64) -> Option<f64> {
        let _ = t;
        None
    }

    /// Lets the event of the present time happen, with these inputs.
    fn pass_event(&mut self, inputs: &[f64]) -> Result<(), Trouble> {
        let _ = inputs;
        Ok(())
    }

    /// When, within the last macro step, its velocities first jumped at an event of its own, if they did:
    /// outputs may have jumped with them. Macro steps are cut there.
    fn jumped(&self) -> Option<f64> {
        None
    }

    /// When, within the last macro step, an event of its own asked for the end of the whole, if one did. It has gone on
    /// to the end of the step nevertheless, where it can be compared with its twin.
    fn ended(&self) -> Option<f64> {
        None
    }

    /// An entry of the motion in words.
    fn describe(&self, entry: Entry) -> String;

    /// Micro steps so far.
    fn micro_steps(&self) -> u64 {
        0
    }

    /// Saves all that later steps depend on, history and Jacobian of the integrator included.
    fn save(&mut self, tape: &mut Memory);

    /// Goes back to what the tape holds of this subsystem or its twin.
    fn restore(&mut self, tape: &mut Memory) -> Result<(), Trouble>;
}

/// A subsystem that takes part.
pub struct Member<'a> {
    /// Its name.
    pub name: String,
    /// The one whose motion counts.
    pub main: Box<dyn Subsystem + 'a>,
    /// A second one of the same kind for the run that it is compared with. Without it the subsystem
    /// cannot go back, and all of them run forward only: no step is ever repeated, and the error is
    /// judged from the coupling variables alone.
    pub twin: Option<Box<dyn Subsystem + 'a>>,
}

/// A part of the coupling, for accounts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Connection {
    /// Its name.
    pub name: String,
    /// The inputs it feeds, in the numbering of all inputs of all subsystems.
    pub inputs: Vec<usize>,
}

/// How outputs become inputs. All outputs of all subsystems are one list, in the order of the
/// members; so are all inputs.
pub trait Coupling {
    /// Fills all inputs from all outputs.
    fn couple(&mut self, outputs: &[f64], inputs: &mut [f64]);

    /// The parts of the coupling.
    fn connections(&self) -> &[Connection];

    /// Whether an input is constant between time events.
    fn is_held(&self, input: usize) -> bool {
        let _ = input;
        false
    }

    /// Power that a connection feeds into the subsystems because inputs had the values `used` and
    /// not those that the outputs ask for, W; `None` for one that carries no power.
    fn power_defect(&self, connection: usize, used: &[f64], outputs: &[f64]) -> Option<f64> {
        let _ = (connection, used, outputs);
        None
    }

    /// Power that passes through a connection, in either direction, W.
    fn power(&self, connection: usize, outputs: &[f64]) -> f64 {
        let _ = (connection, outputs);
        0.0
    }
}
