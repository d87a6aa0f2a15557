//! Constant step and order; every converged step counts.

use super::{StepController, Verdict};
use crate::memory::Memory;
use crate::stepper::{Choice, Trial};

/// Halvings of the first step of a method that climbs beyond order 2. Its error is of order 1, `h0^2`, and would
/// be that of the whole run; 2e-10 of that of a full step is below what rounding leaves.
const HALVINGS: u32 = 16;

/// See the [module](self). Multistep methods climb to the order from 1, a step at a time. Beyond order 2 the first
/// step of the run is made of many that double, `h 2^-16 (1, 1, 2, 4, ..)`: these have the low orders.
#[derive(Debug)]
pub struct Fixed {
    /// Step size.
    h: f64,
    /// Order aimed at.
    order: usize,
    halvings: u32,
    /// Steps accepted since the start, up to those that are shorter.
    taken: u32,
}

impl Fixed {
    /// Steps of one length, at an order that is there from the first one on or hardly matters.
    pub fn new(h: f64, order: usize) -> Fixed {
        Fixed {
            h,
            order,
            halvings: 0,
            taken: 0,
        }
    }

    /// For a method that has to climb to its order.
    pub fn climbing(h: f64, order: usize) -> Fixed {
        let halvings = if order > 2 { HALVINGS } else { 0 };
        Fixed {
            halvings,
            ..Fixed::new(h, order)
        }
    }

    /// The step after those taken.
    fn step(&self) -> f64 {
        let doubled = self.taken.saturating_sub(1);
        let halvings = self.halvings.saturating_sub(doubled);
        self.h * 0.5f64.powi(halvings as i32)
    }
}

impl StepController for Fixed {
    fn judge(&mut self, trial: &Trial, _: f64) -> Verdict {
        self.taken = (self.taken + 1).min(self.halvings + 1);
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
            halvings,
            taken,
        } = self;
        m.section("fixed");
        m.same(h.to_bits());
        m.same(*order as u64);
        m.same(u64::from(*halvings));
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
