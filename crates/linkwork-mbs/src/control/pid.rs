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

use super::{Control, ControlState, ControlTerms, Saturation};
use crate::expr::Formula;
use crate::part::{Keys, Kind, Part};
use crate::units::Unit;

/// PID law on `e = target - input`: filtered or measured derivative, smooth limits, tracking integral.
#[derive(Clone, Debug, Default, PartialEq)]
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

impl Kind for Pid {
    const NAME: &'static str = "pid";
    const SUMMARY: &'static str =
        "PID controller with filtered derivative, limited output and anti-windup.";
}

pub(super) const LIMIT: &str =
    "Largest magnitude of the output; the integral does not wind up beyond it.";

/// The keys of what is controlled and what it should be.
pub(super) fn aim(k: &mut Keys<'_>, input: &mut Formula, target: &mut Formula) {
    let doc = "What is controlled: a formula of `t` and signals.";
    k.key("input", Unit::None, doc).formula(input);
    let doc = "What the input should be: a number or a formula of `t` and signals.";
    k.key("target", Unit::None, doc).or(0.0).formula(target);
}

/// The keys of the three gains.
pub(super) fn gains(k: &mut Keys<'_>, [kp, ki, kd]: [&mut f64; 3]) {
    k.key("kp", Unit::None, "Proportional gain.")
        .or(0.0)
        .number(kp);
    k.key("ki", Unit::None, "Integral gain.").or(0.0).number(ki);
    k.key("kd", Unit::None, "Derivative gain.")
        .or(0.0)
        .number(kd);
}

impl Part for Pid {
    fn keys(&mut self, k: &mut Keys<'_>) {
        aim(k, &mut self.input, &mut self.target);
        gains(k, [&mut self.kp, &mut self.ki, &mut self.kd]);
        k.key(
            "filter",
            Unit::Time,
            "Time constant of the derivative filter.",
        )
        .or(DEFAULT_FILTER)
        .like(0.7, 0.5)
        .positive(&mut self.filter);
        let doc = "Rate of the error where it is measured: it replaces the filtered derivative.";
        k.key("rate", Unit::None, doc)
            .or("not used")
            .formula(&mut self.rate);
        let mut limit = self.limit.map(|s| s.limit);
        let mut rounding = (self.limit).map_or(Saturation::DEFAULT_ROUNDING, |s| s.rounding);
        k.key("limit", Unit::None, LIMIT)
            .or("none")
            .like(0.6, 0.1)
            .positive(&mut limit);
        if limit.is_some() || k.writes().is_none() {
            let doc = "Width of the rounded corners of the limits, as a share of the limit.";
            k.key("rounding", Unit::None, doc)
                .or(Saturation::DEFAULT_ROUNDING)
                .like(0.2, 0.1)
                .positive(&mut rounding);
            k.rule(
                "rounding",
                rounding <= 1.0,
                "the rounding must not be greater than 1",
            );
        }
        self.limit = limit.map(|limit| Saturation { limit, rounding });
        let doc = "Time in which the integral follows a limited output.";
        k.key("tracking", Unit::Time, doc)
            .or(tracking_time(self.kp, self.ki))
            .called("kp/ki")
            .positive(&mut self.tracking);
    }
}

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
}
