//! Integrators for constrained mechanical systems.
//!
//! Numerics only: no bodies, no files, no printing. Start reading at [`system`].

pub mod initial;
pub mod linear;
pub mod saddle;
pub mod scalar;
pub mod state;
pub mod system;
