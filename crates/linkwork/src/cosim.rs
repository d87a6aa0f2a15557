//! Co-simulation of models: a system file names the parts, their ports, and what lies between them.
//!
//! ```text
//!  system file --text--> Description --build--> models with ports, Wires
//!                                                   | run
//!                                CoupledRun --> a table per subsystem, one of the coupling, verdict
//! ```
//!
//! The numerics are in [`linkwork_dae::cosim`].

pub mod build;
pub mod element;
mod judgement;
pub mod options;
pub mod run;
mod saving;
pub mod summary;
pub mod text;
mod watch;
mod wires;

pub use build::CoupledSystem;
pub use options::{COSIM_OPTIONS, CosimOptions};
pub use run::CoupledRun;
pub use text::Mistake;
