//! Multibody mechanics: bodies, joints, forces, model text and assembly.

pub mod error;
pub mod expr;
pub mod handle;
pub mod spelling;
pub mod text;
pub mod units;

pub use error::ModelError;
pub use expr::Formula;
pub use handle::BodyRef;
pub use units::Unit;
