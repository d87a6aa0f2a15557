//! Algebraic equation: the output is the value that makes a formula zero.

use super::{Control, ControlState, ControlTerms};
use crate::expr::Formula;
use crate::part::{Keys, Kind, Part};
use crate::units::Unit;

/// `0 = residual`, solved for the output together with the motion. The residual names the control
/// itself where it means the unknown.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Equation {
    /// What must be zero.
    pub residual: Formula,
    /// Guess of the output at the start.
    pub start: f64,
}

impl Kind for Equation {
    const NAME: &'static str = "equation";
    const SUMMARY: &'static str =
        "Algebraic equation: the output is the value that makes a formula zero.";
}

impl Part for Equation {
    fn keys(&mut self, k: &mut Keys<'_>) {
        let doc = "What must be zero: a formula of `t` and signals in which the name of the control is the unknown.";
        k.key("residual", Unit::None, doc)
            .formula(&mut self.residual);
        k.key("start", Unit::None, "Guess of the output at the start.")
            .or(0.0)
            .number(&mut self.start);
    }
}

impl Control for Equation {
    fn inputs(&self) -> Vec<&Formula> {
        vec![&self.residual]
    }
    fn states(&self) -> Vec<ControlState> {
        vec![ControlState {
            name: "output".into(),
            start: self.start,
            differential: false,
        }]
    }
    fn feedthrough(&self) -> bool {
        false
    }
    fn output(&self, _: &[f64], x: &[f64], out: &mut ControlTerms) {
        (out.y[0], out.y_x[0], out.y_u[0]) = (x[0], 1.0, 0.0);
    }
    fn rates(&self, u: &[f64], _: &[f64], out: &mut ControlTerms) {
        // the unknown enters through the signals of the formula
        (out.f[0], out.f_x[0], out.f_u[0]) = (u[0], 0.0, 1.0);
    }
}
