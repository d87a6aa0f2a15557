//! Step and number of stages of a collocation method.
//!
//! ```text
//!  h_new = f h min( err^(-1/(s+1)),  (h_n / h_{n-1}) (err_{n-1} / err_n^2)^(1/(s+1)) ),   f = 0.9 21/(20 + iterations)
//! ```
//!
//! (Gustafsson 1994; Hairer & Wanner 1996, IV.8). The rate of the iteration grows with the step, and a step that is
//! good for the error may be too long for it: `h_new <= 0.4 h / rate`. Stages follow the tolerance: three are the
//! cheapest for few digits, five for more, seven for very many. Solves that fail want fewer.

use super::{StepController, Verdict};
use crate::memory::Memory;
use crate::stepper::{Choice, Trial};

const SAFETY: f64 = 0.9;
/// Iterations that a step is allowed in `f`.
const ITERATIONS: f64 = 10.0;
const MAX_GROWTH: f64 = 8.0;
const MAX_SHRINK: f64 = 0.2;
/// A first step that is rejected was a guess.
const FIRST_SHRINK: f64 = 0.1;
/// Smaller errors tell no trend.
const LEAST_MEMORY: f64 = 1e-2;
/// Rate of the iteration that steps are made for.
const RATE: f64 = 0.4;
/// Tolerances from which on five and seven stages are worth their work.
const FIVE_STAGES: f64 = 1e-4;
const SEVEN_STAGES: f64 = 1e-11;
/// Failed solves in that many steps after which there are fewer stages, and steps without any after which
/// there are more again.
const FAILURES: u32 = 2;
const QUIET: u32 = 10;

/// See the [module](self).
#[derive(Debug)]
pub struct Collocation {
    max_order: usize,
    /// Order that the tolerance asks for.
    wanted: usize,
    order: usize,
    /// Step and error of the last accepted step; 0: there was none.
    h: f64,
    err: f64,
    rejected: bool,
    /// Failed solves lately, and accepted steps since the last one.
    failures: u32,
    quiet: u32,
}

impl Collocation {
    /// For orders up to the highest.
    pub fn new(max_order: usize) -> Collocation {
        Collocation {
            max_order,
            wanted: max_order,
            order: max_order,
            h: 0.0,
            err: 0.0,
            rejected: false,
            failures: 0,
            quiet: 0,
        }
    }

    fn learn(&mut self) {
        self.quiet += 1;
        if self.quiet < QUIET {
            return;
        }
        (self.quiet, self.failures) = (0, 0);
        if self.order < self.wanted {
            self.order += 4;
            self.err = 0.0;
        }
    }
}

impl StepController for Collocation {
    fn aim(&mut self, rtol: f64) {
        let by_tolerance = match rtol {
            r if r <= SEVEN_STAGES => 13,
            r if r <= FIVE_STAGES => 9,
            _ => 5,
        };
        self.wanted = match self.max_order.min(by_tolerance) {
            0..9 => 5,
            9..13 => 9,
            _ => 13,
        };
        self.order = self.wanted;
    }

    fn judge(&mut self, trial: &Trial, h: f64) -> Verdict {
        let stages = trial.order.div_ceil(2);
        let p = 1.0 / (stages as f64 + 1.0);
        let err = trial.error();
        let spent = 2.0 * ITERATIONS + f64::from(trial.iterations);
        let safety = SAFETY * (2.0 * ITERATIONS + 1.0) / spent;
        let plain = safety * err.powf(-p);
        if err <= 1.0 {
            let mut factor = plain;
            if self.h > 0.0 && self.err > 0.0 {
                let trend = safety * h / self.h * (self.err / (err * err)).powf(p);
                factor = factor.min(trend);
            }
            if trial.contraction > 0.0 {
                factor = factor.min((RATE / trial.contraction).max(0.5));
            }
            let largest = if self.rejected { 1.0 } else { MAX_GROWTH };
            (self.h, self.err) = (h, err.max(LEAST_MEMORY));
            self.rejected = false;
            self.learn();
            return Verdict::Accept(Choice {
                h: h * factor.clamp(MAX_SHRINK, largest),
                order: self.order,
            });
        }
        self.rejected = true;
        // NaN errors shrink the step as far as one rejection may
        let factor = match self.h > 0.0 {
            true if plain > MAX_SHRINK => plain,
            true => MAX_SHRINK,
            false => FIRST_SHRINK,
        };
        Verdict::Reject(Choice {
            h: factor * h,
            order: self.order,
        })
    }

    fn failed(&mut self) {
        self.rejected = true;
        self.quiet = 0;
        self.failures += 1;
        if self.failures >= FAILURES && self.order > 5 {
            self.order -= 4;
            (self.failures, self.err) = (0, 0.0);
        }
    }

    fn start(&mut self, h: f64) -> Choice {
        (self.h, self.err, self.rejected) = (0.0, 0.0, false);
        Choice {
            h,
            order: self.order,
        }
    }

    fn memory(&mut self, m: &mut Memory) {
        let Collocation {
            max_order,
            wanted,
            order,
            h,
            err,
            rejected,
            failures,
            quiet,
        } = self;
        m.section("stages");
        m.same(*max_order as u64);
        m.usize(wanted);
        m.usize(order);
        m.f64(h);
        m.f64(err);
        m.bool(rejected);
        m.u32(failures);
        m.u32(quiet);
    }
}
