//! Integrators for constrained mechanical systems.
//!
//! Numerics only: no bodies, no files, no printing. A [`system::System`] supplies the equations,
//! [`initial`] makes a start consistent, [`drive`] runs a [`stepper::Stepper`] from there:
//!
//! ```text
//!  System --initial--> State, Rows --drive--> accepted steps --> Observer
//!                (Stepper x StepController; an implicit Stepper owns
//!                 Formulation x Newton x JacobianStrategy x Matrix, an explicit one an Ode)
//! ```
//!
//! A [`recipe::Recipe`] names the parts, checks that they fit and puts them together.
//!
//! A start is also what other analyses begin with: [`kinematic`] follows a motion that the
//! constraints determine, [`mod@equilibrium`] finds where forces balance, [`mod@linearise`] eliminates
//! the constraints at a state and finds modes.

pub mod auxiliary;
pub mod chart;
pub mod control;
pub mod corrector;
pub mod cosim;
pub mod dense;
pub mod drive;
pub mod eigen;
pub mod equilibrium;
pub mod formulation;
pub mod implicit;
pub mod initial;
pub mod jacobian;
pub mod kinematic;
pub mod kinetic;
pub mod law;
pub mod limiter;
pub mod linear;
pub mod linearise;
pub mod log;
pub mod memory;
pub mod modes;
mod ode;
pub mod recipe;
pub mod reduced;
pub mod residual;
pub mod rotation;
pub mod saddle;
pub mod scalar;
pub mod spectrum;
pub mod state;
pub mod stats;
pub mod stepper;
pub mod switching;
pub mod system;
pub mod tangent;
pub mod vector;

pub use ode::{Hold, Ode};
