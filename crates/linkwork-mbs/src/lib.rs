//! Multibody mechanics: bodies, joints, forces, model text and assembly.
//!
//! Mechanisms of bodies in space and in the plane, in absolute coordinates. A [`Model`] is plain data; [`assemble()`] numbers it and gives an [`Assembly`], which integrators see as a
//! `System`.

pub mod assemble;
mod assembly;
pub mod beam;
pub mod body;
pub mod carrier;
pub mod control;
pub mod curve;
pub mod error;
pub mod event;
pub mod expr;
pub mod field;
pub mod force;
mod forward;
pub mod geometry;
mod handle;
pub mod joint;
mod kernel;
pub mod lanes;
pub mod lint;
pub mod material;
pub mod model;
pub mod orientation;
pub mod part;
pub mod repose;
pub mod section;
pub mod sensor;
pub mod shape;
pub mod spelling;
pub mod text;
pub mod tree;
pub mod units;

pub use assemble::{assemble, system};
pub use assembly::Assembly;
pub use beam::Beam;
pub use body::Body;
pub use error::ModelError;
pub use expr::Formula;
pub use handle::BodyRef;
pub use material::Material;
pub use model::Model;
pub use section::Section;
pub use sensor::Sensor;
pub use units::Unit;
