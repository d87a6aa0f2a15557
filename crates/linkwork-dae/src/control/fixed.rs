//! Constant step and order; every converged step counts.

use super::{StepController, Verdict};
use crate::memory::Memory;
use crate::stepper::{Choice, Trial};

/// Length of the first steps of a method that climbs beyond order 2, relative to the others. Their error is of order 1,
/// `h0^2`, and would be that of the whole run; 2e-10 of that of a full step is below what rounding leaves.
const FIRST: f64 = 1.0 / 65_536.0;

/// See the [module](self). Multistep methods climb to the order from 1, a step at a time. Beyond order 2 the first
/// steps of the run are short, `h r^-K (m, 1, r, r^2, ..)` up to `h/r` with `r = 1 + 1/m`: these have the low orders,
/// and together they are `m` steps long. Formulas of a high order are unstable while steps grow by more than 1.618,
/// 1.280 and 1.127 for orders 3, 4 and 5 (Calvo, Grande & Grigorieff 1990): `m = 2^(k - 2)`.
#[derive(Debug)]
pub struct Fixed {
    /// Step size.
    h: f64,
    /// Order aimed at.
    order: usize,
    /// `m`, and `K`; 0: no step is shorter.
    grown_over: f64,
    short: u32,
    /// Steps accepted since the start, up to those that are shorter.
    taken: u32,
}

impl Fixed {
    /// Steps of one length, at an order that is there from the first one on or hardly matters.
    pub fn new(h: f64, order: usize) -> Fixed {
        Fixed {
            h,
            order,
            grown_over: 0.0,
            short: 0,
            taken: 0,
        }
    }

    /// For a method that has to climb to its order.
    pub fn climbing(h: f64, order: usize) -> Fixed {
        let mut fixed = Fixed::new(h, order);
        if order > 2 {
            fixed.grown_over = 0.25 * f64::from(1u32 << order.min(5));
            fixed.short = (FIRST.ln() / -fixed.growth().ln()).ceil() as u32;
        }
        fixed
    }

    /// `r`.
    fn growth(&self) -> f64 {
        1.0 + 1.0 / self.grown_over
    }

    /// The step after those taken.
    fn step(&self) -> f64 {
        let left = self.short.saturating_sub(self.taken) as i32;
        match self.taken {
            _ if self.taken > self.short || self.short == 0 => self.h,
            0 => self.h * self.grown_over * self.growth().powi(-left),
            _ => self.h * self.growth().powi(-left - 1),
        }
    }
}

impl StepController for Fixed {
    fn judge(&mut self, trial: &Trial, _: f64) -> Verdict {
        self.taken = (self.taken + 1).min(self.short + 1);
        let order = (trial.order + 1).min(self.order);
        let h = self.step();
        Verdict::Accept(Choice { h, order })
    }

    fn start(&mut self, _: f64) -> Choice {
        self.taken = 0;
        let h = self.step();
        Choice { h, order: 1 }
    }

    fn keeps_grid(&self) -> bool {
        true
    }

    fn memory(&mut self, m: &mut Memory) {
        let Fixed {
            h,
            order,
            grown_over: _,
            short,
            taken,
        } = self;
        m.section("fixed");
        m.same(h.to_bits());
        m.same(*order as u64);
        m.same(u64::from(*short));
        m.u32(taken);
    }
}

/// The same for methods without memory, whose order is there from the first step on.
#[derive(Debug)]
pub struct Steady(pub Fixed);

impl StepController for Steady {
    fn judge(&mut self, trial: &Trial, h: f64) -> Verdict {
        self.0.judge(trial, h)
    }

    fn start(&mut self, h: f64) -> Choice {
        let order = self.0.order;
        Choice {
            order,
            ..self.0.start(h)
        }
    }

    fn keeps_grid(&self) -> bool {
        true
    }

    fn memory(&mut self, m: &mut Memory) {
        self.0.memory(m);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::Row;

    /// The short steps fill whole ones, and none is much longer than the one before.
    #[test]
    fn short_steps_fill_whole_ones() {
        for (order, whole, most) in [(3, 2.0, 1.618), (4, 4.0, 1.280), (5, 8.0, 1.127)] {
            let mut fixed = Fixed::climbing(0.1, order);
            let mut choice = fixed.start(0.1);
            let (mut t, mut shortest) = (choice.h, choice.h);
            loop {
                let trial = Trial {
                    err: [1.0; 4],
                    difference: [1.0; 4],
                    order: choice.order,
                    worst: Row::Position(0),
                    iterations: 1,
                    contraction: 0.0,
                    rate: 0.0,
                    second: f64::INFINITY,
                };
                let Verdict::Accept(next) = fixed.judge(&trial, choice.h) else {
                    unreachable!("fixed steps count");
                };
                assert!(next.h < most * choice.h, "order {order}: {next:?}");
                if next.h == 0.1 {
                    break;
                }
                choice = next;
                t += choice.h;
                shortest = choice.h.min(shortest);
            }
            assert!((t - whole * 0.1).abs() < 1e-14, "order {order}: {t}");
            assert!(shortest <= 0.1 * FIRST && choice.order == order);
        }
    }
}
