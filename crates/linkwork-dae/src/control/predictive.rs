//! Predictive step control of a linearly implicit one-step method (Gustafsson 1994; Hairer &
//! Wanner 1996, IV.8):
//!
//! ```text
//!  h_new = 0.75 h min( err_n^(-1/p),  (h_n / h_{n-1}) (err_{n-1} / err_n^2)^(1/p) ),   p = k + 1
//! ```
//!
//! The second factor continues the trend of the error where that calls for shorter steps. A first
//! step may be far too short, and fast modes of a stiff system die out at once, so steps may grow
//! by a large factor.

use super::{StepController, Verdict};
use crate::memory::Memory;
use crate::stepper::{Choice, Trial};

/// Chosen on the stiff double pendulum at tolerances 1e-2 to 1e-7: 0.75 instead of 0.9 takes 1.18
/// times the steps for half the error, and half as many are rejected, each of which costs a matrix
/// and three right-hand sides.
const SAFETY: f64 = 0.75;
const MAX_GROWTH: f64 = 8.0;
const MAX_SHRINK: f64 = 0.2;
/// Smaller errors tell no trend.
const LEAST_MEMORY: f64 = 1e-2;

/// See the [module](self).
#[derive(Debug, Default)]
pub struct Predictive {
    /// Step and error of the last accepted step; 0: there was none.
    h: f64,
    err: f64,
    rejected: bool,
}

impl StepController for Predictive {
    fn memory(&mut self, m: &mut Memory) {
        let Predictive { h, err, rejected } = self;
        m.section("predict");
        m.f64(h);
        m.f64(err);
        m.bool(rejected);
    }

    fn judge(&mut self, trial: &Trial, h: f64) -> Verdict {
        let order = trial.order;
        let p = 1.0 / (order as f64 + 1.0);
        let err = trial.error();
        let plain = SAFETY * err.powf(-p);
        if err <= 1.0 {
            let mut factor = plain;
            if self.h > 0.0 {
                let trend = SAFETY * h / self.h * (self.err / (err * err)).powf(p);
                factor = factor.min(trend);
            }
            let largest = if self.rejected { 1.0 } else { MAX_GROWTH };
            (self.h, self.err) = (h, err.max(LEAST_MEMORY));
            self.rejected = false;
            return Verdict::Accept(Choice {
                h: h * factor.clamp(MAX_SHRINK, largest),
                order,
            });
        }
        self.rejected = true;
        // NaN errors shrink the step as far as one rejection may
        let factor = if plain > MAX_SHRINK {
            plain
        } else {
            MAX_SHRINK
        };
        Verdict::Reject(Choice {
            h: factor * h,
            order,
        })
    }

    fn failed(&mut self) {
        self.rejected = true;
    }

    fn start(&mut self, h: f64) -> Choice {
        *self = Predictive::default();
        Choice { h, order: 1 }
    }
}
