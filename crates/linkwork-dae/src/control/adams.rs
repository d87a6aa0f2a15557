//! Step and order of an Adams method (Shampine & Gordon 1975, chapter 10).
//!
//! Steps are doubled, kept or reduced, so that the grid is constant most of the time; the order
//! follows the smallest error, and rises only on a constant grid, where the next difference is
//! known. Until the first trouble both the step and the order climb.

use super::{StepController, Verdict};
use crate::memory::Memory;
use crate::stepper::{Choice, Trial};

/// See the [module](self).
#[derive(Debug)]
pub struct AdamsControl {
    max_order: usize,
    climbing: bool,
    rejections: u32,
}

impl AdamsControl {
    /// Control up to the given order.
    pub fn new(max_order: usize) -> AdamsControl {
        AdamsControl {
            max_order: max_order.max(1),
            climbing: true,
            rejections: 0,
        }
    }

    fn lowered(trial: &Trial) -> usize {
        let k = trial.order;
        let e = |order| trial.error_at(order);
        let lower = match k {
            0 | 1 => false,
            2 => e(1) <= 0.5 * e(2),
            _ => e(k - 1).max(e(k - 2)) <= e(k),
        };
        if lower { k - 1 } else { k }
    }
}

impl StepController for AdamsControl {
    fn memory(&mut self, m: &mut Memory) {
        let AdamsControl {
            max_order,
            climbing,
            rejections,
        } = self;
        m.section("adamsctl");
        m.same(*max_order as u64);
        m.bool(climbing);
        m.u32(rejections);
    }

    fn takes_over(&self, _: f64, order: usize) -> bool {
        order <= self.max_order
    }

    fn take_over(&mut self, h: f64, order: usize) -> Choice {
        self.start(h);
        self.climbing = false;
        Choice { h, order }
    }

    fn judge(&mut self, trial: &Trial, h: f64) -> Verdict {
        let k = trial.order;
        let lowered = Self::lowered(trial);
        let accepted = trial.error() <= 1.0;
        if !accepted {
            self.climbing = false;
            self.rejections += 1;
            // from the third failure on the history is not trusted
            let order = if self.rejections >= 3 { 1 } else { lowered };
            return Verdict::Reject(Choice { h: 0.5 * h, order });
        }
        self.rejections = 0;
        if lowered < k || k >= self.max_order {
            self.climbing = false;
        }
        if self.climbing {
            return Verdict::Accept(Choice {
                h: 2.0 * h,
                order: k + 1,
            });
        }
        let mut order = lowered;
        let above = trial.error_at(k + 1);
        if order == k && k < self.max_order && above.is_finite() {
            if k > 1 && trial.error_at(k - 1) <= trial.error().min(above) {
                order = k - 1;
            } else if above < if k == 1 { 0.5 } else { 1.0 } * trial.error() {
                order = k + 1;
            }
        }
        let err = trial.error_at(order);
        let power = order as i32 + 1;
        let factor = if err * 2f64.powi(power) <= 0.5 {
            2.0
        } else if err <= 0.5 {
            1.0
        } else {
            (0.5 / err).powf(1.0 / f64::from(power)).clamp(0.5, 0.9)
        };
        Verdict::Accept(Choice {
            h: factor * h,
            order,
        })
    }

    fn failed(&mut self) {
        self.climbing = false;
        self.rejections += 1;
    }

    fn start(&mut self, h: f64) -> Choice {
        *self = AdamsControl::new(self.max_order);
        Choice { h, order: 1 }
    }
}
