//! Model text: TOML read by hand from a tree with source positions, so that every complaint can
//! point at the bytes that caused it.

pub mod fields;
mod overrides;
pub mod tree;

pub use fields::Fields;
pub use overrides::apply_override;
