//! Step and order as in DASSL (Petzold 1982; Brenan, Campbell & Petzold 1996, section 5.2), for
//! comparison with what was computed by it.
//!
//! ```text
//!  alpha_i = h / psi_i,  psi_i = t_{n+1} - t_{n+1-i},   sigma_{i+1} = i sigma_i alpha_{i+1}
//!  err_j = sigma_{j+1} |D'_{j+1}|  for j = k-2, k-1, k;    err_{k+1} = |D'_{k+2}| / (k + 2)
//!  T_j = (j + 1) err_j
//! ```
//!
//! Order k-1 when `max(T_{k-1}, T_{k-2}) <= T_k` (order 2: `T_1 <= T_2 / 2`). Order k+1 is looked at
//! only after k+2 steps of one size at order k. The step is doubled where
//! `r = (2 err + 1e-4)^(-1/(k+1))` has reached 2, kept between 1 and 2, and shortened by 0.5 to 0.9
//! below. At the start order and step climb until the first order that does not pay.
//!
//! Bad at: vibrations. Nothing keeps the order from 3 to 5 where those orders are unstable; the step
//! then follows the limit of stability up and down. The order control of the library has a watch for that.

use linkwork_dae::control::{StepController, Verdict};
use linkwork_dae::memory::Memory;
use linkwork_dae::stepper::{Choice, Trial};

/// Steps that the highest order looks back, itself included.
const LOOKS_BACK: usize = 6;

/// See the [module](self).
#[derive(Clone, Debug)]
pub struct Control {
    max_order: usize,
    climbing: bool,
    rejections: u32,
    /// Steps of one size at one order, the present one included.
    steady: usize,
    /// The last accepted steps, newest first; before the start as long as the first.
    recent: [f64; LOOKS_BACK],
    /// Order of the last accepted step; 0: there is none.
    order: usize,
}

/// Errors at the orders around that of an attempt.
struct Errors {
    order: usize,
    /// At orders k-2, k-1, k, k+1; infinite: not on offer.
    err: [f64; 4],
}

impl Errors {
    fn new(trial: &Trial, h: f64, recent: &[f64; LOOKS_BACK]) -> Errors {
        let k = trial.order.min(LOOKS_BACK - 1);
        // sigma[i] stands for sigma_{i+1}
        let mut sigma = [1.0; LOOKS_BACK];
        let mut psi = h;
        for i in 1..LOOKS_BACK {
            psi += recent[i - 1];
            sigma[i] = i as f64 * sigma[i - 1] * (h / psi);
        }
        let mut err = [f64::INFINITY; 4];
        for (i, e) in err.iter_mut().enumerate() {
            *e = match (k + i).checked_sub(2) {
                None | Some(0) => f64::INFINITY,
                Some(j) if j > k => trial.difference[3] / (k + 2) as f64,
                Some(j) => sigma[j] * trial.difference[i],
            };
        }
        Errors { order: k, err }
    }

    fn at(&self, order: usize) -> f64 {
        self.err[(order + 2).saturating_sub(self.order).min(3)]
    }

    fn term(&self, order: usize) -> f64 {
        (order + 1) as f64 * self.at(order)
    }

    fn lowered(&self) -> usize {
        let k = self.order;
        let t = |j| self.term(j);
        let lower = match k {
            0 | 1 => false,
            2 => t(1) <= 0.5 * t(2),
            _ => t(k - 1).max(t(k - 2)) <= t(k),
        };
        if lower { k - 1 } else { k }
    }

    /// What becomes of an order that is not lowered and has been steady.
    fn raised(&self) -> usize {
        let k = self.order;
        let t = |j| self.term(j);
        if !t(k + 1).is_finite() {
            k
        } else if k == 1 {
            1 + usize::from(t(2) < 0.5 * t(1))
        } else if t(k - 1) <= t(k).min(t(k + 1)) {
            k - 1
        } else {
            k + usize::from(t(k + 1) < t(k))
        }
    }

    fn growth(&self, order: usize) -> f64 {
        (2.0 * self.at(order) + 1e-4).powf(-1.0 / (order as f64 + 1.0))
    }
}

impl Control {
    /// Control up to the given order.
    pub fn new(max_order: usize) -> Control {
        Control {
            max_order: max_order.clamp(1, LOOKS_BACK - 1),
            climbing: true,
            rejections: 0,
            steady: 0,
            recent: [1.0; LOOKS_BACK],
            order: 0,
        }
    }

    fn reject(&mut self, errors: &Errors, h: f64) -> Verdict {
        self.rejections += 1;
        self.climbing = false;
        let lowered = errors.lowered();
        let (factor, order) = match self.rejections {
            1 => {
                let r = 0.9 * errors.growth(lowered);
                // NaN must not pass
                (if r > 0.25 { r.min(0.9) } else { 0.25 }, lowered)
            }
            2 => (0.25, lowered),
            _ => (0.25, 1),
        };
        let h = factor * h;
        Verdict::Reject(Choice { h, order })
    }

    fn accept(&mut self, errors: &Errors, h: f64) -> Choice {
        let k = errors.order;
        let just_raised = k == self.order + 1;
        self.rejections = 0;
        self.order = k;
        self.recent.rotate_right(1);
        self.recent[0] = h;
        let mut order = errors.lowered();
        if order < k || k >= self.max_order {
            self.climbing = false;
        }
        if self.climbing {
            return Choice {
                h: 2.0 * h,
                order: k + 1,
            };
        }
        if order == k && k < self.max_order && self.steady > k + 1 && !just_raised {
            order = errors.raised();
        }
        let r = errors.growth(order);
        let factor = if r >= 2.0 {
            2.0
        } else if r > 1.0 {
            1.0
        } else {
            r.clamp(0.5, 0.9)
        };
        let h = factor * h;
        Choice { h, order }
    }
}

impl StepController for Control {
    fn judge(&mut self, trial: &Trial, h: f64) -> Verdict {
        if h != self.recent[0] || trial.order != self.order {
            self.steady = 0;
        }
        self.steady = (self.steady + 1).min(self.order + 2);
        let errors = Errors::new(trial, h, &self.recent);
        // NaN must not pass
        if trial.error() <= 1.0 {
            Verdict::Accept(self.accept(&errors, h))
        } else {
            self.reject(&errors, h)
        }
    }

    fn failed(&mut self) {
        self.climbing = false;
    }

    fn start(&mut self, h: f64) -> Choice {
        *self = Control {
            recent: [h; LOOKS_BACK],
            ..Control::new(self.max_order)
        };
        Choice { h, order: 1 }
    }

    fn memory(&mut self, m: &mut Memory) {
        let Control {
            max_order,
            climbing,
            rejections,
            steady,
            recent,
            order,
        } = self;
        m.section("dassl");
        m.same(*max_order as u64);
        m.bool(climbing);
        m.u32(rejections);
        m.index(steady, 0..=LOOKS_BACK + 1);
        m.slice(recent);
        m.index(order, 0..=LOOKS_BACK);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use linkwork_dae::system::Row;

    fn trial(order: usize, difference: [f64; 4]) -> Trial {
        Trial {
            err: [0.0, 0.0, difference[2] / (order + 1) as f64, 0.0],
            difference,
            order,
            worst: Row::Position(0),
            iterations: 1,
            contraction: 0.0,
            rate: 1.0,
            second: f64::INFINITY,
        }
    }

    fn accepted(verdict: Verdict) -> Choice {
        match verdict {
            Verdict::Accept(choice) => choice,
            Verdict::Reject(choice) => panic!("rejected for {choice:?}"),
        }
    }

    /// On an equidistant grid `sigma_{j+1} = 1 / (j + 1)`: all terms are the differences.
    #[test]
    fn terms_are_differences_where_steps_are_equal() {
        let errors = Errors::new(&trial(4, [4.0, 3.0, 2.0, 1.0]), 0.1, &[0.1; LOOKS_BACK]);
        for (order, term) in [(2, 4.0), (3, 3.0), (4, 2.0), (5, 1.0)] {
            assert!((errors.term(order) - term).abs() < 1e-14, "order {order}");
        }
    }

    /// `alpha_2 = 2/3, alpha_3 = 2/4` for a step twice as long as those before it.
    #[test]
    fn a_doubled_step_has_other_constants() {
        let errors = Errors::new(&trial(2, [1.0; 4]), 0.2, &[0.1; LOOKS_BACK]);
        assert!((errors.at(1) - 2.0 / 3.0).abs() < 1e-15);
        assert!((errors.at(2) - 2.0 * (2.0 / 3.0) * (2.0 / 4.0)).abs() < 1e-15);
    }

    #[test]
    fn order_and_step_climb_at_the_start() {
        let mut control = Control::new(5);
        let mut next = control.start(1e-3);
        for order in 2..=5 {
            let falling = trial(next.order, [1e-3, 1e-4, 1e-5, f64::INFINITY]);
            let choice = accepted(control.judge(&falling, next.h));
            assert_eq!(
                choice,
                Choice {
                    h: 2.0 * next.h,
                    order
                }
            );
            next = choice;
        }
        // nothing above order 5; a tiny error still doubles the step
        let choice = accepted(control.judge(&trial(5, [1e-3, 1e-4, 1e-5, f64::INFINITY]), next.h));
        assert_eq!(
            choice,
            Choice {
                h: 2.0 * next.h,
                order: 5
            }
        );
    }

    /// At order 2 the fourth equal step is the first that may raise the order, and steps between
    /// one and two of what the error allows are kept.
    #[test]
    fn order_rises_after_equal_steps_only() {
        let mut control = Control::new(5);
        control.start(0.1);
        control.climbing = false;
        control.order = 2;
        let falling = trial(2, [f64::INFINITY, 0.9, 0.5, 0.3]);
        for step in 1..=6 {
            let choice = accepted(control.judge(&falling, 0.1));
            assert_eq!(choice.h, 0.1);
            assert_eq!(choice.order, if step < 4 { 2 } else { 3 }, "step {step}");
        }
        // a step of another size starts the count again
        assert_eq!(accepted(control.judge(&falling, 0.2)).order, 2);
    }

    #[test]
    fn errors_that_grow_with_the_order_lower_it() {
        let mut control = Control::new(5);
        control.start(0.1);
        let choice = accepted(control.judge(&trial(4, [0.1, 0.2, 0.3, f64::INFINITY]), 0.1));
        assert_eq!(choice.order, 3);
    }

    #[test]
    fn rejections_shorten_the_step_and_give_the_order_up() {
        let mut control = Control::new(5);
        control.start(0.1);
        let bad = trial(3, [9.0, 8.0, 7.0, f64::INFINITY]);
        let mut next = Choice { h: 0.1, order: 3 };
        for (least, most, order) in [(0.25, 0.9, 3), (0.25, 0.25, 3), (0.25, 0.25, 1)] {
            let Verdict::Reject(again) = control.judge(&bad, next.h) else {
                panic!("accepted");
            };
            let factor = again.h / next.h;
            assert!((least - 1e-15..=most + 1e-15).contains(&factor), "{factor}");
            assert_eq!(again.order, order);
            next = again;
        }
        let nan = trial(3, [f64::NAN; 4]);
        let Verdict::Reject(again) = control.judge(&nan, 0.1) else {
            panic!("accepted");
        };
        assert_eq!(again.h, 0.1 * 0.25);
    }
}
