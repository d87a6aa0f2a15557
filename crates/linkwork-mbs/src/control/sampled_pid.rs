//! PID controller that runs by the clock.
//!
//! ```text
//!  e[k] = target - input at the instant k
//!  w[k] = kp e[k] + i[k] + kd (e[k] - e[k-1])/Ts         no derivative at the first instant
//!  y[k] = w[k] between -limit and limit                  held until the next instant
//!  i[k+1] = i[k] + ki Ts e[k]                            not where that drives y further beyond a limit
//! ```

use super::pid::{LIMIT, aim, gains};
use super::{Control, Pid, Sampling};
use crate::expr::Formula;
use crate::part::{Keys, Kind, Part};
use crate::units::Unit;

/// Discrete PID law with a held, limited output.
#[derive(Clone, Debug, Default, PartialEq)]
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

impl Kind for SampledPid {
    const NAME: &'static str = "sampled_pid";
    const SUMMARY: &'static str =
        "PID controller that reads by the clock and holds its output in between.";
}

/// The key of the clock.
pub(super) fn sample_time(k: &mut Keys<'_>, period: &mut f64) {
    let doc = "Time between two samples; the first is taken at the start of the run.";
    k.key("sample_time", Unit::Time, doc)
        .like(0.02, 0.01)
        .positive(period);
}

impl Part for SampledPid {
    fn keys(&mut self, k: &mut Keys<'_>) {
        aim(k, &mut self.input, &mut self.target);
        sample_time(k, &mut self.sample_time);
        gains(k, [&mut self.kp, &mut self.ki, &mut self.kd]);
        k.key("limit", Unit::None, LIMIT)
            .or("none")
            .positive(&mut self.limit);
    }
}

const INTEGRAL: usize = 0;
const LAST: usize = 1;
const SEEN: usize = 2;

impl Control for SampledPid {
    fn inputs(&self) -> Vec<&Formula> {
        vec![&self.target, &self.input]
    }
    fn feedthrough(&self) -> bool {
        false
    }
    /// A difference over a sample is the rate half a sample ago, and so is that of a filter with half a sample. Limits
    /// are those of [`Pid`]: rounded, and the integral follows them.
    fn continuous(&self) -> Option<Result<Box<dyn Control>, String>> {
        let gains = [self.kp, self.ki, self.kd];
        let mut pid = Pid::new(self.input.clone(), self.target.clone(), gains);
        pid.filter = 0.5 * self.sample_time;
        if let Some(limit) = self.limit {
            pid = pid.limited(limit);
        }
        Some(Ok(pid.into()))
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
