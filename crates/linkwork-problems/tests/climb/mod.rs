//! A controller that climbs gently to a step and an order, so that the start leaves no trace.

use linkwork_dae::control::{StepController, Verdict};
use linkwork_dae::memory::Memory;
use linkwork_dae::stepper::{Choice, Trial};

const GROWTH: f64 = 1.1;

/// Climbs to a step and an order, then repeats `pattern` times that step; ends exactly at `t_end`.
pub struct Climb {
    /// Full step.
    pub h: f64,
    order: usize,
    pattern: &'static [f64],
    climb: i32,
    count: i32,
}

impl Climb {
    /// `climb` growing steps, then `n` of full size (on average).
    pub fn new(t_end: f64, order: usize, climb: i32, n: usize, pattern: &'static [f64]) -> Climb {
        let climbed: f64 = (1..=climb).map(|i| GROWTH.powi(-i)).sum();
        Climb {
            h: t_end / (climbed + n as f64),
            order,
            pattern,
            climb,
            count: 0,
        }
    }

    fn step(&mut self) -> f64 {
        let left = self.climb - self.count;
        self.count += 1;
        if left > 0 {
            GROWTH.powi(-left) * self.h
        } else {
            self.pattern[left.unsigned_abs() as usize % self.pattern.len()] * self.h
        }
    }
}

impl StepController for Climb {
    fn judge(&mut self, trial: &Trial, _: f64) -> Verdict {
        Verdict::Accept(Choice {
            h: self.step(),
            order: (trial.order + 1).min(self.order),
        })
    }

    fn memory(&mut self, m: &mut Memory) {
        m.section("climb");
        let mut count = self.count as u64;
        m.u64(&mut count);
        self.count = count as i32;
    }

    fn start(&mut self, _: f64) -> Choice {
        Choice {
            h: self.step(),
            order: 1,
        }
    }
}
