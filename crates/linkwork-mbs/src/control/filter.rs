//! First-order lag: `T y' = K u - y`.

use super::{Control, ControlEntry, ControlState, ControlTerms, INPUT};
use crate::expr::Formula;
use crate::field::{Key, Value};
use crate::units::Unit;

/// A lag with a time constant: a motor, a sensor, a low-pass filter.
#[derive(Clone, Debug, PartialEq)]
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

pub(super) const ENTRY: ControlEntry = ControlEntry {
    kind: "filter",
    summary: "First-order lag: the output follows the input with a time constant.",
    keys: &[
        INPUT,
        Key::required("time", Unit::Time, "Time constant."),
        Key::optional("gain", Unit::None, "1", "Output over input when settled."),
        Key::optional(
            "start",
            Unit::None,
            "settled",
            "Output at the start of the run.",
        ),
    ],
    read: |f| {
        Ok(Filter {
            input: f.signal("input", Unit::None)?,
            time: f.positive("time", Unit::Time)?,
            gain: f.number_or("gain", Unit::None, 1.0)?,
            start: f.optional_number("start", Unit::None)?,
        }
        .into())
    },
    example: |draw, input| {
        Filter {
            input,
            time: 1.5 + draw(),
            gain: draw(),
            start: (draw() > 0.0).then_some(0.5),
        }
        .into()
    },
};

impl Control for Filter {
    fn kind(&self) -> &'static str {
        ENTRY.kind
    }
    fn inputs(&self) -> Vec<&Formula> {
        vec![&self.input]
    }
    fn states(&self) -> Vec<ControlState> {
        vec![ControlState::new("output", self.start.unwrap_or(0.0))]
    }
    fn feedthrough(&self) -> bool {
        false
    }
    fn check(&self) -> Result<(), String> {
        if self.time > 0.0 && self.time.is_finite() && self.gain.is_finite() {
            return Ok(());
        }
        Err("the time constant must be greater than zero, the gain finite".into())
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
    fn fields(&self) -> Vec<(&'static str, Value)> {
        let mut fields = vec![
            ("input", Value::from(&self.input)),
            ("time", Value::Number(self.time)),
            ("gain", Value::Number(self.gain)),
        ];
        fields.extend(self.start.map(|x| ("start", Value::Number(x))));
        fields
    }
}
