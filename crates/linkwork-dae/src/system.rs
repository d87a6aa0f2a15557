//! What an integrator knows about a mechanism: sizes, equations, derivative blocks, words.
//!
//! Index-3 form, `C_q` being the derivative along the tangent (its columns match `v`):
//!
//! ```text
//!  M(q,t) a + C_q(q,t)' lambda + G_v(q,v,t)' mu = Q(q,v,x,lambda,t)
//!  C(q,t) = 0        C_q v + C_t = 0        C_q a = gamma(q,v,t)
//!                    g(q,v,t) = 0           G_v a = gamma(q,v,t) := -G_q v - G_t
//!  E xdot = f(q,v,x,t),   E = diag(1 or 0)
//! ```
//!
//! Non-holonomic constraints `g` are constraint rows without a position equation: they follow the
//! `nc` holonomic rows in everything that lives on the velocity level. So `lambda` means
//! `(lambda, mu)`, `cv` means `(C_q v + C_t, g)`, `C_q` means `(C_q; G_v)` and its derivative along
//! the motion `(C_q v + C_t; g)_q`, all with `nc + ng` rows. First-order states `x` are those of
//! controllers and filters; entries with `E = 0` are algebraic.
//!
//! Forces that follow reactions (friction, creep) may depend on the multipliers; a system says so by
//! giving the block [`Part::Rl`] a pattern, and then reads `lambda` also where only forces are wanted.
//!
//! A [`System`] is evaluated *by request*: the caller lists the terms it wants in [`Terms`] and the
//! system fills exactly those in one kinematic pass. [`System::linearise`] fills the same request
//! and, in the same pass, the derivative [`Blocks`]. What never changes is data, [`Facts`]; what only some
//! systems can do is a [`Capability`].

mod blocks;
mod capability;
mod facts;

pub use blocks::{BlockPatterns, Blocks, Part, Parts};
pub use capability::{
    Bodies, Capability, Capacities, EnergyAccount, Excitations, ForwardDynamics, Inputs, Place,
    TimeEvents,
};
pub use facts::{Channel, Dims, Excitation, Facts, Fitted, Guess, Names, Reference, Row, Rows};

use crate::chart::Chart;
use crate::memory::Memory;
use crate::state::State;

/// Where to evaluate. Slices that a request does not need may be empty.
#[derive(Clone, Copy, Debug)]
pub struct At<'a> {
    /// Time.
    pub t: f64,
    /// Configuration.
    pub q: &'a [f64],
    /// Velocity.
    pub v: &'a [f64],
    /// Acceleration.
    pub a: &'a [f64],
    /// Multipliers of the constraints, length `nc + ng`.
    pub lambda: &'a [f64],
    /// First-order and algebraic states.
    pub x: &'a [f64],
}

/// What is wanted; only the `Some` fields are computed.
///
/// Matrix-valued terms (`mass`, `c_q`) are lists of values in the order of their pattern.
#[derive(Debug, Default)]
pub struct Terms<'a> {
    /// `M a + C_q' lambda - Q`, all constraint rows, length `nv`.
    pub r: Option<&'a mut [f64]>,
    /// `M`, in the order of the pattern [`Part::Mass`].
    pub mass: Option<&'a mut [f64]>,
    /// `Q`, length `nv`.
    pub force: Option<&'a mut [f64]>,
    /// `C`, length `nc`.
    pub c: Option<&'a mut [f64]>,
    /// `C_q`, in the order of the pattern [`Part::Cq`].
    pub c_q: Option<&'a mut [f64]>,
    /// `C_q v + C_t`, then `g`; length `nc + ng`.
    pub cv: Option<&'a mut [f64]>,
    /// `gamma`, length `nc + ng`.
    pub gamma: Option<&'a mut [f64]>,
    /// `f`, length `nx`.
    pub f: Option<&'a mut [f64]>,
    /// Generators of the acceleration level, the first [`Auxiliary::base`](crate::auxiliary::Auxiliary::base) ones.
    pub generators: Option<&'a mut [f64]>,
}

/// An evaluation that has no answer; it names the element at fault.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EvalError {
    /// A formula gave NaN or infinity.
    #[error("{what} is not finite")]
    NotFinite {
        /// The element and term, in words: "force `spring`, tension".
        what: String,
    },
    /// A formula was asked outside its domain.
    #[error("{what}: {why}")]
    Domain {
        /// The element, in words.
        what: String,
        /// What left the domain.
        why: String,
    },
}

/// Energy account of a system at one state.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// Kinetic energy, J.
    pub kinetic: f64,
    /// Potential energy of gravity and springs, J.
    pub potential: f64,
    /// Of the potential energy, that of parts that bend, J.
    pub strain: f64,
    /// Power of everything that the two do not cover (dampers, drives, applied loads), W.
    pub power: f64,
}

impl Energy {
    /// Kinetic plus potential energy.
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential
    }
}

/// What an event means for the integrator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    /// Nothing jumped that the integrator must know: at most second derivatives of the forces.
    Continue,
    /// Inputs jumped: accelerations, multipliers and algebraic states are new, and what the
    /// integrator remembers of their past is void. Positions, velocities and differential states
    /// are continuous.
    Restart,
    /// Velocities or differential states jumped as well.
    Jump,
    /// The run ends here. What jumped is as with [`After::Jump`].
    Stop,
}

/// What somebody does with derivative blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// Reads their entries: blocks have to be stored.
    Entries,
    /// Solves with them: auxiliary equations may stand for them.
    Solver,
}

/// Equations of motion ready to be evaluated: the only thing integrators know.
pub trait System: Send {
    /// What never changes.
    fn facts(&self) -> &Facts;

    /// The facts with blocks laid out for a reader, and for everybody from now on: patterns may be others
    /// than before, and whoever has laid out a matrix must do it again. Stored blocks stay stored.
    fn structure(&mut self, reader: Reader) -> &Facts {
        let _ = reader;
        self.facts()
    }

    /// Computes the wanted terms at a point.
    fn eval(&mut self, at: &At<'_>, want: &mut Terms<'_>) -> Result<(), EvalError>;

    /// Computes the wanted terms and the derivative blocks in `parts`, in one pass.
    ///
    /// A system that leaves this out must say so in [`Facts::exact`]; it then runs with difference
    /// strategies only.
    fn linearise(
        &mut self,
        at: &At<'_>,
        want: &mut Terms<'_>,
        parts: Parts,
        out: &mut Blocks,
    ) -> Result<(), EvalError> {
        let _ = (at, want, parts, out);
        Err(EvalError::Domain {
            what: "exact derivatives".into(),
            why: "the system has none; use a difference strategy".into(),
        })
    }

    /// Values of the named outputs at a state with consistent accelerations and multipliers.
    fn observe(&mut self, s: &State, out: &mut [f64]);

    /// Coordinates about a base, for configurations that are not vectors. `None`: `q` is a vector
    /// and `q' = v`. The system owns the base: it resets, remembers and forks it.
    fn chart(&self) -> Option<&dyn Chart>;

    /// The same equations as implicit methods are to solve them, where that is another form: same
    /// unknowns, same constraints, force rows multiplied by a regular matrix.
    ///
    /// Everything that is not the iteration of a step (start values, projections, balance, modes)
    /// takes the equations of motion as they are.
    fn stage_form(&self) -> Option<&dyn System> {
        None
    }

    /// Puts what the system has of a wanted capability into its place.
    fn capability<'a>(&'a mut self, wanted: Capability<'_, 'a>);

    /// Forgets what an earlier run has left behind: held inputs, discrete states, the base of a
    /// chart.
    fn reset(&mut self);

    /// Saves or restores what the system remembers beside its states: modes, held inputs, delays, the
    /// base of a chart.
    fn memory(&mut self, m: &mut Memory);

    /// A copy with scratch of its own, for another thread.
    fn fork(&self) -> Box<dyn System>;
}

/// What is read most, in fewer words.
impl dyn System + '_ {
    /// Sizes.
    pub fn dims(&self) -> Dims {
        self.facts().dims
    }

    /// Positions of the entries of every block.
    pub fn patterns(&self) -> &BlockPatterns {
        &self.facts().patterns
    }

    /// Named outputs.
    pub fn channels(&self) -> &[Channel] {
        &self.facts().channels
    }

    /// An unknown or equation in words: "joint `hinge`, y coincidence".
    pub fn describe(&self, row: Row) -> String {
        self.facts().names.describe(row)
    }

    /// The part of the model that an unknown or equation belongs to: "hinge".
    pub fn owner(&self, row: Row) -> String {
        self.facts().names.owner(row)
    }

    /// The same down to pieces of parts: "rod, bending 3".
    pub fn culprit(&self, row: Row) -> String {
        self.facts().names.culprit(row)
    }
}

/// The form of a system that implicit methods solve.
pub fn stage_form(sys: &dyn System) -> &dyn System {
    sys.stage_form().unwrap_or(sys)
}
