//! One file per command.

pub mod check;
pub mod cosim;
pub mod list;
pub mod reproduce;
pub mod run;
