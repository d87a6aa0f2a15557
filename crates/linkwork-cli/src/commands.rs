//! One file per command.

pub mod check;
pub mod cosim;
pub mod equilibrium;
pub mod import;
pub mod kinematics;
pub mod list;
pub mod modes;
pub mod plot;
pub mod reproduce;
pub mod run;
pub mod shell;
pub mod study;
pub mod view;
