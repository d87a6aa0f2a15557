//! Step and order of a multistep method.
//!
//! Orders follow the rules of DASSL (Brenan, Campbell & Petzold 1996, 5.2.3): with
//! `T_j = (j+1) err_j`, lower when the differences do not fall with the order, raise only after
//! k+1 steps at order k, climb and double in the initial phase. Steps grow by the estimate itself
//! instead of by doubling: `r = (2 err + 1e-4)^(-1/(k+1))`, used from 1.3 up to 2. On the
//! seven-body mechanism this takes a fifth fewer steps than doubling in index 3 and a tenth fewer
//! in the stabilised form, at equal accuracy; on other problems the two are equal.
//!
//! A detector of vibrations (`control/watch.rs`) limits the order where they make high orders unstable, or
//! the step where they are followed.

use super::watch::Watch;
use super::{StepController, Verdict};
use crate::memory::Memory;
use crate::spectrum::Modes;
use crate::stepper::{Choice, Trial};

const GROW_FROM: f64 = 1.3;
const MAX_GROWTH: f64 = 2.0;

/// See the [module](self).
#[derive(Debug)]
pub struct OrderControl {
    max_order: usize,
    /// Grow by doubling only, as DASSL does.
    doubling: bool,
    climbing: bool,
    first: bool,
    rejections: u32,
    steps_at_order: usize,
    watch: Watch,
}

impl OrderControl {
    /// Control up to the given order.
    pub fn new(max_order: usize) -> OrderControl {
        OrderControl {
            max_order: max_order.max(1),
            doubling: false,
            climbing: true,
            first: true,
            rejections: 0,
            steps_at_order: 0,
            watch: Watch::new(max_order),
        }
    }

    /// The same with steps that only ever double. It steps over the unstable range of fast
    /// vibrations more easily, and needs a tenth to a fifth more steps elsewhere.
    pub fn doubling(max_order: usize) -> OrderControl {
        OrderControl {
            doubling: true,
            ..OrderControl::new(max_order)
        }
    }

    /// An order within the limit, or one below that of the attempt on the way there.
    fn limited(&self, order: usize, tried: usize, h: f64) -> usize {
        let limit = self.watch.limit(h);
        if order <= limit {
            order
        } else {
            limit.max(tried - 1).min(order)
        }
    }

    /// Order k-1 when the differences do not fall with the order, else k.
    fn lowered(trial: &Trial) -> usize {
        let k = trial.order;
        let t = |j: usize| (j + 1) as f64 * trial.error_at(j);
        let lower = match k {
            0 | 1 => false,
            2 => t(1) <= 0.5 * t(2),
            _ => t(k - 1).max(t(k - 2)) <= t(k),
        };
        if lower { k - 1 } else { k }
    }

    /// The best of order k and its neighbours, where the one above is known.
    fn neighbour(trial: &Trial) -> usize {
        let k = trial.order;
        let t = |j: usize| (j + 1) as f64 * trial.error_at(j);
        let above = t(k + 1);
        if !above.is_finite() {
            k
        } else if k == 1 {
            if above < 0.5 * t(1) { 2 } else { 1 }
        } else if t(k - 1) <= t(k).min(above) {
            k - 1
        } else if above < t(k) {
            k + 1
        } else {
            k
        }
    }

    fn growth(err: f64, order: usize) -> f64 {
        (2.0 * err + 1e-4).powf(-1.0 / (order as f64 + 1.0))
    }

    fn reject(&mut self, trial: &Trial, h: f64) -> Verdict {
        self.rejections += 1;
        self.climbing = false;
        self.steps_at_order = 0;
        self.watch.rejected();
        let order = self.limited(Self::lowered(trial), trial.order, h);
        let (factor, order) = match self.rejections {
            1 => {
                let r = 0.9 * Self::growth(trial.error_at(order), order);
                (if r > 0.25 { r.min(0.9) } else { 0.25 }, order)
            }
            2 => (0.25, order),
            _ => (0.25, 1),
        };
        Verdict::Reject(Choice {
            h: factor * h,
            order,
        })
    }
}

impl StepController for OrderControl {
    fn judge(&mut self, trial: &Trial, h: f64) -> Verdict {
        let accepted = trial.error() <= 1.0;
        if !accepted {
            return self.reject(trial, h);
        }
        let k = trial.order;
        let rejected_before = std::mem::take(&mut self.rejections) > 0;
        self.steps_at_order += 1;
        if self.first {
            // there is no difference yet to choose by
            self.first = false;
            return Verdict::Accept(Choice { h, order: k });
        }
        self.watch.accepted(trial, h);
        let mut order = self.limited(Self::lowered(trial), k, h);
        if order < k || rejected_before || k >= self.max_order {
            self.climbing = false;
        }
        if self.climbing {
            self.steps_at_order = 0;
            return Verdict::Accept(Choice {
                h: 2.0 * h,
                order: k + 1,
            });
        }
        let offers_more = k < self.max_order.min(self.watch.limit(h));
        if order == k && self.steps_at_order > k && offers_more {
            order = Self::neighbour(trial);
        }
        let r = Self::growth(trial.error_at(order), order);
        // at order 1 a rejection after every growth would also keep the order from being raised
        let after_rejection = rejected_before && order == 1;
        let grow_from = if self.doubling { MAX_GROWTH } else { GROW_FROM };
        let factor = if r >= grow_from && !after_rejection {
            r.min(MAX_GROWTH)
        } else if r <= 1.0 {
            r.clamp(0.5, 0.9)
        } else {
            1.0
        };
        let longest = (self.watch.longest_step() / h).max(1.0);
        let factor = factor.min(longest);
        if order != k {
            self.steps_at_order = 0;
        }
        Verdict::Accept(Choice {
            h: factor * h,
            order,
        })
    }

    fn failed(&mut self) {
        self.watch.rejected();
        self.rejections += 1;
        self.climbing = false;
        self.steps_at_order = 0;
    }

    fn start(&mut self, h: f64) -> Choice {
        let (max_order, doubling) = (self.max_order, self.doubling);
        let watch = std::mem::replace(&mut self.watch, Watch::new(max_order));
        *self = OrderControl {
            watch: watch.anew(),
            doubling,
            ..OrderControl::new(max_order)
        };
        Choice { h, order: 1 }
    }

    fn takes_over(&self, h: f64, order: usize) -> bool {
        order <= self.max_order.min(self.watch.limit(h))
    }

    fn take_over(&mut self, h: f64, order: usize) -> Choice {
        self.start(h);
        self.climbing = false;
        self.first = false;
        Choice { h, order }
    }

    fn memory(&mut self, m: &mut Memory) {
        let OrderControl {
            max_order,
            doubling,
            climbing,
            first,
            rejections,
            steps_at_order,
            watch,
        } = self;
        m.section("order");
        m.same(*max_order as u64);
        m.same(u64::from(*doubling));
        m.bool(climbing);
        m.bool(first);
        m.u32(rejections);
        m.usize(steps_at_order);
        watch.memory(m);
    }

    fn may_want_modes(&self) -> bool {
        self.max_order > 2
    }

    fn wants_error_at(&self) -> Option<usize> {
        self.watch.wants_error_at()
    }

    fn hear_error(&mut self, error: f64) {
        self.watch.hear_error(error);
    }

    fn wants_modes(&self) -> bool {
        self.watch.wants_modes()
    }

    fn hear_modes(&mut self, modes: Modes<'_>) {
        self.watch.hear(modes);
    }

    fn notes(&self, out: &mut Vec<String>) {
        self.watch.notes(out);
    }
}
