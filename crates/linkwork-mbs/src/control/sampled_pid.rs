//! PID controller that runs by the clock.
//!
//! ```text
//!  e[k] = target - input at the instant k
//!  w[k] = kp e[k] + i[k] + kd (e[k] - e[k-1])/Ts         no derivative at the first instant
//!  y[k] = w[k] between -limit and limit                  held until the next instant
//!  i[k+1] = i[k] + ki Ts e[k]                            not where that drives y further beyond a limit
//! ```

use super::pid::{KD, KI, KP, LIMIT, TARGET};
use super::{Control, ControlEntry, Sampling};
use crate::expr::Formula;
use crate::field::{Form, Key, Value};
use crate::units::Unit;

/// Discrete PID law with a held, limited output.
#[derive(Clone, Debug, PartialEq)]
pub struct SampledPid {
    /// What is controlled.
    pub input: Formula,
    /// What it should be.
    pub target: Formula,
    /// Time between two samples, s.
    pub sample_time: f64,
    /// Proportional gain.
    pub kp: f64,
    /// Integral gain, 1/s.
    pub ki: f64,
    /// Derivative gain, s.
    pub kd: f64,
    /// Largest magnitude of the output.
    pub limit: Option<f64>,
}

pub(super) const SAMPLE_TIME: Key = Key::required(
    "sample_time",
    Unit::Time,
    "Time between two samples; the first is taken at the start of the run.",
);

pub(super) const ENTRY: ControlEntry = ControlEntry {
    kind: "sampled_pid",
    summary: "PID controller that reads by the clock and holds its output in between.",
    keys: &[
        Key::required(
            "input",
            Unit::None,
            "What is controlled: a formula of `t` and signals.",
        )
        .takes(Form::Formula),
        TARGET,
        SAMPLE_TIME,
        KP,
        KI,
        KD,
        LIMIT,
    ],
    read: |f| {
        let limit = if f.has("limit") {
            Some(f.positive("limit", Unit::None)?)
        } else {
            None
        };
        Ok(SampledPid {
            input: f.signal("input", Unit::None)?,
            target: f.signal_or("target", Unit::None, 0.0)?,
            sample_time: f.positive("sample_time", Unit::Time)?,
            kp: f.number_or("kp", Unit::None, 0.0)?,
            ki: f.number_or("ki", Unit::None, 0.0)?,
            kd: f.number_or("kd", Unit::None, 0.0)?,
            limit,
        }
        .into())
    },
    example: |draw, input| {
        SampledPid {
            target: Formula::constant(draw()),
            input,
            sample_time: 0.02,
            kp: draw(),
            ki: draw(),
            kd: draw(),
            limit: (draw() > 0.0).then_some(2.0),
        }
        .into()
    },
};

const INTEGRAL: usize = 0;
const LAST: usize = 1;
const SEEN: usize = 2;

/// Refuses a clock that does not tick.
pub(super) fn check_period(period: f64) -> Result<(), String> {
    if period > 0.0 && period.is_finite() {
        Ok(())
    } else {
        Err("the sample time must be greater than zero".into())
    }
}

impl Control for SampledPid {
    fn kind(&self) -> &'static str {
        ENTRY.kind
    }
    fn inputs(&self) -> Vec<&Formula> {
        vec![&self.target, &self.input]
    }
    fn feedthrough(&self) -> bool {
        false
    }
    fn check(&self) -> Result<(), String> {
        check_period(self.sample_time)?;
        let limited = self.limit.unwrap_or(1.0);
        let all = [self.kp, self.ki, self.kd, limited];
        if all.iter().any(|k| !k.is_finite()) || limited <= 0.0 {
            return Err("gains must be finite and the limit greater than zero".into());
        }
        Ok(())
    }
    fn sampling(&self) -> Option<Sampling> {
        Some(Sampling {
            period: self.sample_time,
            memory: vec![0.0; 3],
        })
    }
    fn sample(&self, u: &[f64], z: &mut [f64], y: &mut [f64]) {
        let e = u[0] - u[1];
        let rate = if z[SEEN] > 0.0 {
            (e - z[LAST]) / self.sample_time
        } else {
            0.0
        };
        let wanted = self.kp * e + z[INTEGRAL] + self.kd * rate;
        let limit = self.limit.unwrap_or(f64::INFINITY);
        y[0] = wanted.clamp(-limit, limit);
        let growth = self.ki * self.sample_time * e;
        if y[0] == wanted || growth * wanted < 0.0 {
            z[INTEGRAL] += growth;
        }
        z[LAST] = e;
        z[SEEN] = 1.0;
    }
    fn fields(&self) -> Vec<(&'static str, Value)> {
        let mut fields = vec![
            ("input", Value::from(&self.input)),
            ("target", Value::from(&self.target)),
            ("sample_time", Value::Number(self.sample_time)),
            ("kp", Value::Number(self.kp)),
            ("ki", Value::Number(self.ki)),
            ("kd", Value::Number(self.kd)),
        ];
        fields.extend(self.limit.map(|x| ("limit", Value::Number(x))));
        fields
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_integral_stops_at_the_limit_and_comes_back_at_once() {
        let pid = SampledPid {
            input: Formula::constant(0.0),
            target: Formula::constant(0.0),
            sample_time: 0.1,
            kp: 1.0,
            ki: 10.0,
            kd: 0.5,
            limit: Some(2.0),
        };
        let mut z = pid.sampling().unwrap().memory;
        let mut y = [0.0];
        pid.sample(&[1.0, 0.0], &mut z, &mut y);
        assert_eq!((y[0], z[INTEGRAL]), (1.0, 1.0)); // kp e; no derivative yet
        pid.sample(&[1.2, 0.0], &mut z, &mut y);
        assert_eq!((y[0], z[INTEGRAL]), (2.0, 1.0)); // 1.2 + 1 + 0.5 * 0.2/0.1 = 3.2
        for _ in 0..5 {
            pid.sample(&[1.2, 0.0], &mut z, &mut y);
            assert_eq!((y[0], z[INTEGRAL]), (2.0, 1.0));
        }
        // the derivative drives it beyond the other limit first: the integral waits
        pid.sample(&[0.0, 0.1], &mut z, &mut y);
        assert_eq!((y[0], z[INTEGRAL]), (-2.0, 1.0));
        pid.sample(&[0.0, 0.1], &mut z, &mut y);
        assert_eq!((y[0], z[INTEGRAL]), (0.9, 0.9));
    }
}
