//! Classical step control of a one-step method: `h_new = 0.9 h err^(-1/(k+1))`.
//!
//! A step is kept unless it can grow by 30 %: that takes rejections from 15 to 5 per cent on the
//! seven-body mechanism at equal error, and every change of step disturbs the multipliers of an
//! index-3 method.

use super::{StepController, Verdict};
use crate::memory::Memory;
use crate::stepper::{Choice, Trial};

const SAFETY: f64 = 0.9;
const MAX_GROWTH: f64 = 2.0;
const KEEP_BELOW: f64 = 1.3;

/// See the [module](self).
#[derive(Debug, Default)]
pub struct Elementary {
    rejections: u32,
}

impl StepController for Elementary {
    fn judge(&mut self, trial: &Trial, h: f64) -> Verdict {
        let order = trial.order;
        let xi = trial.error().powf(1.0 / (order as f64 + 1.0));
        if trial.error() <= 1.0 {
            let mut growth = (SAFETY / xi).min(MAX_GROWTH);
            if self.rejections > 0 {
                growth = growth.min(1.0);
            }
            if (1.0..KEEP_BELOW).contains(&growth) {
                growth = 1.0;
            }
            self.rejections = 0;
            return Verdict::Accept(Choice {
                h: growth * h,
                order,
            });
        }
        self.rejections += 1;
        let shrink = if self.rejections == 1 {
            (SAFETY / xi).min(SAFETY)
        } else {
            0.5 / xi
        };
        // NaN errors shrink the step as far as one rejection may
        let shrink = if shrink > 0.1 { shrink } else { 0.1 };
        Verdict::Reject(Choice {
            h: shrink * h,
            order,
        })
    }

    fn failed(&mut self) {
        self.rejections += 1;
    }

    fn start(&mut self, h: f64) -> Choice {
        self.rejections = 0;
        Choice { h, order: 2 }
    }

    fn memory(&mut self, m: &mut Memory) {
        let Elementary { rejections } = self;
        m.section("element");
        m.u32(rejections);
    }
}
