//! Whether a limit of the order pays: attempts lost and gained against following.
//!
//! Two accounts. An investment: a vibration is damped in steps shorter than those of following, until
//! longer ones pay it back. And the motion after that: order 2 adds up errors of a tolerance in every
//! step, following does not, so that steps only a little longer are not worth it. On the elastic
//! slider crank at relative tolerance 3e-8, with steps longer by a fifth, order 2 costs 1.2 digits.

use crate::memory::Memory;

/// Attempts that may be invested. The elastic slider crank invests up to 50.
const BUDGET: f64 = 60.0;
/// Steps of following that one of order 2 must be worth.
const WORTH: f64 = 1.3;
/// Attempts that may be lost against that, and those that may be gained in advance: the rates of a
/// motion change.
const LOST: f64 = 8.0;
const GAINED: f64 = 20.0;

/// See the [module](self).
#[derive(Clone, Debug, Default)]
pub(super) struct Balance {
    invested: f64,
    lost: f64,
}

impl Balance {
    /// An attempt that brought so many steps of following; 0 when it was rejected.
    pub(super) fn step(&mut self, steps: f64) {
        self.invested = add(self.invested, 1.0 - steps, 0.0);
        if self.has_damped() {
            self.lost = add(self.lost, 1.0 - steps / WORTH, GAINED);
        }
    }

    /// Whether what was invested is back.
    pub(super) fn has_damped(&self) -> bool {
        self.invested <= 0.0
    }

    /// Whether to go on.
    pub(super) fn pays(&self) -> bool {
        self.invested <= BUDGET && self.lost <= LOST
    }

    pub(super) fn memory(&mut self, m: &mut Memory) {
        let Balance { invested, lost } = self;
        m.f64(invested);
        m.f64(lost);
    }
}

/// What is no number is a loss.
fn add(sum: f64, loss: f64, credit: f64) -> f64 {
    let sum = sum + loss;
    if sum.is_nan() {
        f64::INFINITY
    } else {
        sum.max(-credit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Attempts until it does not pay, at most 10 000.
    fn attempts(mut balance: Balance, steps: f64) -> Option<usize> {
        (1..10_000).find(|_| {
            balance.step(steps);
            !balance.pays()
        })
    }

    #[test]
    fn long_steps_pay_and_short_ones_do_not() {
        let new = Balance::default;
        assert_eq!(attempts(new(), 1.35), None);
        // a loss of 1 - 1.2 / 1.3 each
        assert_eq!(attempts(new(), 1.2), Some(105));
        // half an attempt each
        assert_eq!(attempts(new(), 0.5), Some(121));
        assert_eq!(attempts(new(), f64::NAN), Some(1));
    }

    #[test]
    fn what_is_invested_must_come_back_before_the_rest_counts() {
        let mut balance = Balance::default();
        for _ in 0..100 {
            balance.step(0.5);
        }
        assert!(balance.pays() && !balance.has_damped());
        for _ in 0..51 {
            balance.step(2.0);
        }
        assert!(balance.has_damped());
    }
}
