//! One file per command.

pub mod check;
pub mod list;
pub mod reproduce;
pub mod run;
