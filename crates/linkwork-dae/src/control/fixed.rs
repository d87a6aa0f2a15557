//! Constant step and order; every converged step counts.

use super::{StepController, Verdict};
use crate::memory::Memory;
use crate::stepper::{Choice, Trial};

/// See the [module](self). Multistep methods climb to the order from 1.
#[derive(Debug)]
pub struct Fixed {
    /// Step size.
    pub h: f64,
    /// Order aimed at.
    pub order: usize,
}

impl StepController for Fixed {
    fn judge(&mut self, trial: &Trial, _: f64) -> Verdict {
        let order = (trial.order + 1).min(self.order);
        Verdict::Accept(Choice { h: self.h, order })
    }

    fn start(&mut self, _: f64) -> Choice {
        Choice {
            h: self.h,
            order: 1,
        }
    }

    fn keeps_grid(&self) -> bool {
        true
    }

    fn memory(&mut self, m: &mut Memory) {
        let Fixed { h, order } = self;
        m.section("fixed");
        m.same(h.to_bits());
        m.same(*order as u64);
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
