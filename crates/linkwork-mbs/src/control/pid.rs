//! PID controller with filtered derivative, limited output and anti-windup.
//!
//! ```text
//!  e = target - input
//!  d' = (e - d)/tau                      derivative (e - d)/tau; or a measured rate
//!  w = kp e + i + kd (e - d)/tau         wanted
//!  y = limited(w)                        smooth clamp
//!  i' = ki e + (y - w)/T                 tracking: the integral follows while the output is limited
//! ```
//!
//! (Astrom & Hagglund 1995, 3.3 and 3.5.)

use super::{Control, ControlEntry, ControlState, ControlTerms, Saturation};
use crate::expr::Formula;
use crate::field::{Form, Key, Value};
use crate::units::Unit;

/// PID law on `e = target - input`: filtered or measured derivative, smooth limits, tracking integral.
#[derive(Clone, Debug, PartialEq)]
pub struct Pid {
    /// What is controlled.
    pub input: Formula,
    /// What it should be.
    pub target: Formula,
    /// Rate of the error, where it is measured; it takes the place of the filtered derivative.
    pub rate: Option<Formula>,
    /// Proportional gain.
    pub kp: f64,
    /// Integral gain, 1/s.
    pub ki: f64,
    /// Derivative gain, s.
    pub kd: f64,
    /// Time constant tau of the derivative filter, s.
    pub filter: f64,
    /// Limits of the output, if any.
    pub limit: Option<Saturation>,
    /// Tracking time T, s.
    pub tracking: f64,
}

pub(super) const TARGET: Key = Key::optional(
    "target",
    Unit::None,
    "0",
    "What the input should be: a number or a formula of `t` and signals.",
)
.takes(Form::Formula);
pub(super) const KP: Key = Key::optional("kp", Unit::None, "0", "Proportional gain.");
pub(super) const KI: Key = Key::optional("ki", Unit::None, "0", "Integral gain.");
pub(super) const KD: Key = Key::optional("kd", Unit::None, "0", "Derivative gain.");
pub(super) const LIMIT: Key = Key::optional(
    "limit",
    Unit::None,
    "none",
    "Largest magnitude of the output; the integral does not wind up beyond it.",
);

pub(super) const ENTRY: ControlEntry = ControlEntry {
    kind: "pid",
    summary: "PID controller with filtered derivative, limited output and anti-windup.",
    keys: &[
        Key::required(
            "input",
            Unit::None,
            "What is controlled: a formula of `t` and signals.",
        )
        .takes(Form::Formula),
        TARGET,
        KP,
        KI,
        KD,
        Key::optional(
            "filter",
            Unit::Time,
            "0.01",
            "Time constant of the derivative filter.",
        ),
        Key::optional(
            "rate",
            Unit::None,
            "not used",
            "Rate of the error where it is measured: it replaces the filtered derivative.",
        )
        .takes(Form::Formula),
        LIMIT,
        Key::optional(
            "rounding",
            Unit::None,
            "0.02",
            "Width of the rounded corners of the limits, as a share of the limit.",
        ),
        Key::optional(
            "tracking",
            Unit::Time,
            "kp/ki",
            "Time in which the integral follows a limited output.",
        ),
    ],
    read: |f| {
        let (kp, ki) = (
            f.number_or("kp", Unit::None, 0.0)?,
            f.number_or("ki", Unit::None, 0.0)?,
        );
        let rounding = f.positive_or("rounding", Unit::None, Saturation::DEFAULT_ROUNDING)?;
        let limit = if f.has("limit") {
            let limit = f.positive("limit", Unit::None)?;
            Some(Saturation { limit, rounding })
        } else {
            None
        };
        let rate = if f.has("rate") {
            Some(f.signal("rate", Unit::None)?)
        } else {
            None
        };
        Ok(Pid {
            input: f.signal("input", Unit::None)?,
            target: f.signal_or("target", Unit::None, 0.0)?,
            rate,
            kp,
            ki,
            kd: f.number_or("kd", Unit::None, 0.0)?,
            filter: f.positive_or("filter", Unit::Time, DEFAULT_FILTER)?,
            limit,
            tracking: f.positive_or("tracking", Unit::Time, tracking_time(kp, ki))?,
        }
        .into())
    },
    example: |draw, input| {
        let limit = Saturation {
            limit: 0.6,
            rounding: 0.2,
        };
        Pid {
            rate: (draw() > 0.0).then(|| input.clone()),
            target: input.clone(),
            input,
            kp: 2.0 * draw(),
            ki: draw(),
            kd: 0.3 * draw(),
            filter: 0.7 + 0.5 * draw(),
            limit: (draw() > -0.5).then_some(limit),
            tracking: 1.5 + draw(),
        }
        .into()
    },
};

const DEFAULT_FILTER: f64 = 0.01;

/// The integral time, so that the integral leaves saturation as fast as it would settle.
fn tracking_time(kp: f64, ki: f64) -> f64 {
    let time = kp / ki;
    if time > 0.0 && time.is_finite() {
        time
    } else {
        1.0
    }
}

impl Pid {
    /// A controller without limits.
    pub fn new(input: Formula, target: Formula, [kp, ki, kd]: [f64; 3]) -> Pid {
        Pid {
            input,
            target,
            rate: None,
            kp,
            ki,
            kd,
            filter: DEFAULT_FILTER,
            limit: None,
            tracking: tracking_time(kp, ki),
        }
    }

    /// The same with a limited output.
    #[must_use]
    pub fn limited(mut self, limit: f64) -> Pid {
        self.limit = Some(Saturation {
            limit,
            rounding: Saturation::DEFAULT_ROUNDING,
        });
        self
    }

    /// Whether there is a state for the derivative.
    fn filters(&self) -> bool {
        self.rate.is_none() && self.kd != 0.0
    }

    /// Wanted output, and its derivatives by error, measured rate and filter state.
    fn wanted(&self, u: &[f64], x: &[f64]) -> (f64, [f64; 3]) {
        let e = u[0] - u[1];
        let w = self.kp * e + x[0];
        if let (Some(_), Some(rate)) = (&self.rate, u.get(2)) {
            return (w + self.kd * rate, [self.kp, self.kd, 0.0]);
        }
        if let Some(d) = x.get(1) {
            let k = self.kd / self.filter;
            return (w + k * (e - d), [self.kp + k, 0.0, -k]);
        }
        (w, [self.kp, 0.0, 0.0])
    }

    /// The output and its derivative by the wanted one.
    fn limit(&self, w: f64) -> (f64, f64) {
        self.limit.map_or((w, 1.0), |s| s.eval(w))
    }
}

impl Control for Pid {
    fn kind(&self) -> &'static str {
        ENTRY.kind
    }
    fn inputs(&self) -> Vec<&Formula> {
        [&self.target, &self.input]
            .into_iter()
            .chain(&self.rate)
            .collect()
    }
    fn states(&self) -> Vec<ControlState> {
        let mut states = vec![ControlState::new("integral", 0.0)];
        if self.filters() {
            states.push(ControlState::new("derivative filter", 0.0));
        }
        states
    }
    fn feedthrough(&self) -> bool {
        self.kp != 0.0 || self.kd != 0.0
    }
    fn check(&self) -> Result<(), String> {
        let gains = [self.kp, self.ki, self.kd];
        if gains.iter().any(|k| !k.is_finite()) {
            return Err("gains must be finite".into());
        }
        let positive = |x: f64| x > 0.0 && x.is_finite();
        if !positive(self.filter) || !positive(self.tracking) {
            return Err("the filter and tracking times must be greater than zero".into());
        }
        match self.limit {
            Some(s) if !(positive(s.limit) && s.rounding > 0.0 && s.rounding <= 1.0) => {
                Err("the limit must be greater than zero, its rounding between 0 and 1".into())
            }
            _ => Ok(()),
        }
    }
    fn settle(&self, u: &[f64], x: &mut [f64]) {
        // no kick from the error that is there at the start
        if let Some(d) = x.get_mut(1) {
            *d = u[0] - u[1];
        }
    }
    fn output(&self, u: &[f64], x: &[f64], out: &mut ControlTerms) {
        if !self.feedthrough() {
            let (y, slope) = self.limit(x[0]);
            (out.y[0], out.y_x[0]) = (y, slope);
            out.y_u.fill(0.0);
            return;
        }
        let (w, [by_e, by_rate, by_d]) = self.wanted(u, x);
        let (y, slope) = self.limit(w);
        out.y[0] = y;
        out.y_x[0] = slope;
        if let Some(d) = out.y_x.get_mut(1) {
            *d = slope * by_d;
        }
        (out.y_u[0], out.y_u[1]) = (slope * by_e, -slope * by_e);
        if let Some(d) = out.y_u.get_mut(2) {
            *d = slope * by_rate;
        }
    }
    fn rates(&self, u: &[f64], x: &[f64], out: &mut ControlTerms) {
        let (n, m) = (out.f.len(), u.len());
        let e = u[0] - u[1];
        let (w, [by_e, by_rate, by_d]) = self.wanted(u, x);
        let (y, slope) = self.limit(w);
        let track = (slope - 1.0) / self.tracking;
        out.f[0] = self.ki * e + (y - w) / self.tracking;
        out.f_x[0] = track;
        out.f_u[0] = self.ki + track * by_e;
        out.f_u[1] = -out.f_u[0];
        if m > 2 {
            out.f_u[2] = track * by_rate;
        }
        if n > 1 {
            out.f_x[1] = track * by_d;
            out.f[1] = (e - x[1]) / self.filter;
            (out.f_x[2], out.f_x[3]) = (0.0, -1.0 / self.filter);
            (out.f_u[m], out.f_u[m + 1]) = (1.0 / self.filter, -1.0 / self.filter);
        }
    }
    fn fields(&self) -> Vec<(&'static str, Value)> {
        let mut fields = vec![
            ("input", Value::from(&self.input)),
            ("target", Value::from(&self.target)),
            ("kp", Value::Number(self.kp)),
            ("ki", Value::Number(self.ki)),
            ("kd", Value::Number(self.kd)),
            ("filter", Value::Number(self.filter)),
            ("tracking", Value::Number(self.tracking)),
        ];
        fields.extend(self.rate.iter().map(|r| ("rate", Value::from(r))));
        if let Some(s) = self.limit {
            fields.push(("limit", Value::Number(s.limit)));
            fields.push(("rounding", Value::Number(s.rounding)));
        }
        fields
    }
}
