//! Proportional-integral step control of a one-step method (Gustafsson 1991):
//!
//! ```text
//!  h_new = 0.9 h err_n^(-0.7/p) err_{n-1}^(0.4/p),   p = k + 1
//! ```
//!
//! The memory of the last error damps the alternation of steps that plain control shows at the
//! limit of stability of explicit methods. After a rejection the step follows the last error alone
//! and does not grow.

use super::{StepController, Verdict};
use crate::memory::Memory;
use crate::stepper::{Choice, Trial};

const SAFETY: f64 = 0.9;
const MAX_GROWTH: f64 = 5.0;
const MAX_SHRINK: f64 = 0.2;
/// Smaller errors do not count as memory: they come from a step that was too small.
const LEAST_MEMORY: f64 = 1e-4;

/// See the [module](self).
#[derive(Debug)]
pub struct ProportionalIntegral {
    last: f64,
    rejected: bool,
}

impl Default for ProportionalIntegral {
    fn default() -> Self {
        ProportionalIntegral {
            last: LEAST_MEMORY,
            rejected: false,
        }
    }
}

impl StepController for ProportionalIntegral {
    fn memory(&mut self, m: &mut Memory) {
        let ProportionalIntegral { last, rejected } = self;
        m.section("pi");
        m.f64(last);
        m.bool(rejected);
    }

    fn judge(&mut self, trial: &Trial, h: f64) -> Verdict {
        let order = trial.order;
        let p = order as f64 + 1.0;
        let err = trial.error();
        if err <= 1.0 {
            let largest = if self.rejected { 1.0 } else { MAX_GROWTH };
            let factor = SAFETY * err.powf(-0.7 / p) * self.last.powf(0.4 / p);
            self.last = err.max(LEAST_MEMORY);
            self.rejected = false;
            return Verdict::Accept(Choice {
                h: h * factor.clamp(MAX_SHRINK, largest),
                order,
            });
        }
        self.rejected = true;
        let factor = SAFETY * err.powf(-1.0 / p);
        // NaN errors shrink the step as far as one rejection may
        let factor = if factor > MAX_SHRINK {
            factor
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
        *self = ProportionalIntegral::default();
        Choice { h, order: 1 }
    }
}
