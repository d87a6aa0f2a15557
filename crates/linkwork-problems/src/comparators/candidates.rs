//! Order control by the largest step: compare what neighbouring orders would allow.
//!
//! ```text
//!  h_j = h / (s_j err_j^(1/(j+1))),   s = 1.3, 1.2, 1.4 for orders k-1, k, k+1   (Gear 1971, DIFSUB)
//! ```
//!
//! The rules differ in when an order may change. Growth of the step is limited by what keeps the
//! variable-step formulas stable at constant ratios (Skelboe 1977). Bad at: fast lightly damped
//! modes, where every rule that maximises the step settles at an order that is barely stable;
//! in index 3 the forced reduction of Skelboe costs a third of the steps.

use linkwork_dae::control::{StepController, Verdict};
use linkwork_dae::memory::Memory;
use linkwork_dae::stepper::{Choice, Trial};

/// When the order may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Whatever allows the largest step, at once.
    Largest,
    /// The same, after k+1 steps at order k and for a gain of ten per cent (Gear 1971).
    Difsub,
    /// Raise only when `|D_{k+2}|` falls against its predecessors, weighed by the step ratios
    /// (Stewart 1990).
    Stewart,
    /// Raise only when differences fall monotonically; lower when high differences grow, a sign of
    /// instability (Skelboe 1977; Ren & Zhou 2020).
    Combined,
}

/// Safety of the step at orders k-1, k, k+1.
const SAFETY: [f64; 3] = [1.3, 1.2, 1.4];
/// Growth of the step up to which the formula of an order is stable, by order.
const MAX_GROWTH: [f64; 6] = [1.0, 10.0, 2.6, 1.9, 1.5, 1.2];
/// `|D_{k+1}| / |D_k|` from which order k counts as unstable, by order.
const UNSTABLE: [f64; 6] = [
    f64::INFINITY,
    f64::INFINITY,
    f64::INFINITY,
    0.59,
    0.65,
    0.89,
];
const KEEP_BELOW: f64 = 1.2;
/// Gain for which DIFSUB changes anything.
const WORTH_A_CHANGE: f64 = 1.1;

/// See the [module](self).
#[derive(Debug)]
pub struct Candidates {
    rule: Rule,
    max_order: usize,
    first: bool,
    rejections: u32,
    steps_at_order: usize,
    /// The last accepted steps, newest first.
    recent: [f64; 3],
}

impl Candidates {
    /// Control by a rule up to the given order.
    pub fn new(rule: Rule, max_order: usize) -> Candidates {
        Candidates {
            rule,
            max_order: max_order.max(1),
            first: true,
            rejections: 0,
            steps_at_order: 0,
            recent: [0.0; 3],
        }
    }

    /// The step that an order would allow; 0 when it is not on offer.
    fn step(&self, trial: &Trial, h: f64, order: usize) -> f64 {
        let err = trial.error_at(order);
        if !err.is_finite() || order > self.max_order {
            return 0.0;
        }
        let safety = SAFETY[(order + 1).saturating_sub(trial.order).min(2)];
        let wanted = h / (safety * err.max(1e-10).powf(1.0 / (order as f64 + 1.0)));
        wanted.min(MAX_GROWTH[order.min(5)] * h)
    }

    fn unstable(&self, trial: &Trial) -> bool {
        let [_, lower, now, _] = trial.difference;
        self.rule == Rule::Combined && now > UNSTABLE[trial.order.min(5)] * lower
    }

    /// Whether the rule lets the order rise.
    fn may_raise(&self, trial: &Trial) -> bool {
        let [_, lower, now, higher] = trial.difference;
        match self.rule {
            Rule::Largest | Rule::Difsub => true,
            Rule::Combined => now <= lower && higher <= now,
            Rule::Stewart => {
                let [h0, h1, h2] = self.recent;
                let ratio = (h0 / h1) * (h0 + h1) / (h1 + h2);
                let ratio = if ratio.is_finite() { ratio } else { 1.0 };
                let lower = if lower.is_finite() { lower } else { 0.0 };
                ratio * higher < now.max(0.9 * lower)
            }
        }
    }

    fn reject(&mut self, trial: &Trial, h: f64) -> Verdict {
        self.rejections += 1;
        self.steps_at_order = 0;
        let mut order = trial.order;
        if self.unstable(trial) {
            order = (order - 1).max(1);
        }
        let wanted = self.step(trial, h, order).min(0.9 * h);
        let h = if self.rejections == 1 {
            wanted.max(0.2 * h)
        } else {
            (0.5 * wanted).max(0.1 * h)
        };
        if self.rejections > 3 {
            order = 1;
        }
        Verdict::Reject(Choice { h, order })
    }
}

impl StepController for Candidates {
    fn judge(&mut self, trial: &Trial, h: f64) -> Verdict {
        // NaN must not pass
        if !(trial.error() <= 1.0) {
            return self.reject(trial, h);
        }
        let k = trial.order;
        let rejected_before = std::mem::take(&mut self.rejections) > 0;
        self.steps_at_order += 1;
        self.recent = [h, self.recent[0], self.recent[1]];
        if std::mem::take(&mut self.first) {
            return Verdict::Accept(Choice { h, order: k });
        }
        let unstable = self.unstable(trial) && k > 1;
        let waiting = self.rule != Rule::Largest && self.steps_at_order <= k && !unstable;
        let mut order = k;
        if unstable {
            order = k - 1;
        } else if !waiting {
            let h_k = self.step(trial, h, k);
            if k > 1 && self.step(trial, h, k - 1) > h_k {
                order = k - 1;
            }
            if self.may_raise(trial) && self.step(trial, h, k + 1) > self.step(trial, h, order) {
                order = k + 1;
            }
            let gain = self.step(trial, h, order) / h_k;
            if self.rule == Rule::Difsub && order != k && gain < WORTH_A_CHANGE {
                order = k;
            }
        }
        let mut next = self.step(trial, h, order);
        if rejected_before {
            next = next.min(h);
        }
        if order == k && (h..KEEP_BELOW * h).contains(&next) {
            next = h;
        }
        if order != k {
            self.steps_at_order = 0;
        }
        Verdict::Accept(Choice { h: next, order })
    }

    fn failed(&mut self) {
        self.rejections += 1;
        self.steps_at_order = 0;
    }

    fn start(&mut self, h: f64) -> Choice {
        *self = Candidates::new(self.rule, self.max_order);
        Choice { h, order: 1 }
    }

    fn memory(&mut self, m: &mut Memory) {
        let Candidates {
            rule,
            max_order,
            first,
            rejections,
            steps_at_order,
            recent,
        } = self;
        m.section("largest");
        m.same(*rule as u64);
        m.same(*max_order as u64);
        m.bool(first);
        m.u32(rejections);
        m.usize(steps_at_order);
        m.slice(recent);
    }
}
