//! First-order lag: `T y' = K u - y`.

use super::{Control, ControlState, ControlTerms, INPUT};
use crate::expr::Formula;
use crate::part::{Keys, Kind, Part};
use crate::units::Unit;

/// A lag with a time constant: a motor, a sensor, a low-pass filter.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    /// Input.
    pub input: Formula,
    /// Time constant T, s.
    pub time: f64,
    /// Gain K.
    pub gain: f64,
    /// Output at the start; `None`: settled, `K u`.
    pub start: Option<f64>,
}

impl Kind for Filter {
    const NAME: &'static str = "filter";
    const SUMMARY: &'static str =
        "First-order lag: the output follows the input with a time constant.";
}

impl Part for Filter {
    fn keys(&mut self, k: &mut Keys<'_>) {
        k.item(INPUT).formula(&mut self.input);
        k.key("time", Unit::Time, "Time constant.")
            .positive(&mut self.time);
        k.key("gain", Unit::None, "Output over input when settled.")
            .or(1.0)
            .number(&mut self.gain);
        k.key("start", Unit::None, "Output at the start of the run.")
            .or("settled")
            .number(&mut self.start);
    }
}

impl Control for Filter {
    fn inputs(&self) -> Vec<&Formula> {
        vec![&self.input]
    }
    fn states(&self) -> Vec<ControlState> {
        vec![ControlState::new("output", self.start.unwrap_or(0.0))]
    }
    fn feedthrough(&self) -> bool {
        false
    }
    fn settle(&self, u: &[f64], x: &mut [f64]) {
        if self.start.is_none() {
            x[0] = self.gain * u[0];
        }
    }
    fn output(&self, _: &[f64], x: &[f64], out: &mut ControlTerms) {
        (out.y[0], out.y_x[0], out.y_u[0]) = (x[0], 1.0, 0.0);
    }
    fn rates(&self, u: &[f64], x: &[f64], out: &mut ControlTerms) {
        out.f[0] = (self.gain * u[0] - x[0]) / self.time;
        out.f_x[0] = -1.0 / self.time;
        out.f_u[0] = self.gain / self.time;
    }
}
