//! Mechanisms in space: geometry, bodies, joints, forces, sensors.
//!
//! The elements of the plane and those of space are different kinds with different tables; names,
//! signals, controls, model text and everything behind the `System` are shared. A [`Model`] is
//! planar unless it carries a [`Mechanism`].
//!
//! [`Model`]: crate::Model

pub mod body;
pub mod force;
pub mod geometry;
pub mod joint;
pub mod mechanism;
pub mod orientation;
pub mod sensor;

pub use body::Body;
pub use mechanism::{Mechanism, Rotation};
pub use sensor::Sensor;
