//! Rosenbrock-Nyström with the error test of its authors (Negrut, Sandu, Haug, Potra & Sandu 2003):
//!
//! ```text
//!  err = sqrt( 1/N sum (e_i / (rtol |y_i| + atol))^2 ) over the independent positions and velocities
//!  h_new = h clip( 0.9 err^(-1/4), 0.2, 5 )                     usual constants
//! ```
//!
//! The library tests the worst of all coordinates, with a safety factor of 0.75 and the trend of the
//! errors in mind.

use super::mean::InTheMean;
use linkwork_dae::control::{StepController, Verdict};
use linkwork_dae::memory::Memory;
use linkwork_dae::state::Weights;
use linkwork_dae::stepper::rosenbrock::Rosenbrock;
use linkwork_dae::stepper::{Choice, Trial};

/// The method with its own norm.
pub fn nystrom(method: Rosenbrock) -> InTheMean<Rosenbrock> {
    InTheMean::new(method, in_the_mean)
}

fn in_the_mean(method: &Rosenbrock, w: &Weights, trial: Trial) -> Trial {
    let (mut sum, mut count) = (0.0, 0u32);
    for (i, position, velocity) in method.errors() {
        sum += (position * w.q[i]).powi(2) + (velocity * w.v[i]).powi(2);
        count += 2;
    }
    let mean = if count > 0 {
        (sum / f64::from(count)).sqrt()
    } else {
        trial.error()
    };
    // the third is that of the order at hand
    let err = [f64::INFINITY, f64::INFINITY, mean, f64::INFINITY];
    Trial { err, ..trial }
}

/// Step from the last error alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plain;

const SAFETY: f64 = 0.9;
const SHRINK: f64 = 0.2;
const GROWTH: f64 = 5.0;

impl StepController for Plain {
    fn judge(&mut self, trial: &Trial, h: f64) -> Verdict {
        let order = trial.order;
        let factor = SAFETY * trial.error().powf(-1.0 / (order as f64 + 1.0));
        // NaN errors shrink the step as far as one rejection may
        let factor = if factor > SHRINK {
            factor.min(GROWTH)
        } else {
            SHRINK
        };
        let h = factor * h;
        let next = Choice { h, order };
        match trial.error() <= 1.0 {
            true => Verdict::Accept(next),
            false => Verdict::Reject(next),
        }
    }

    fn failed(&mut self) {}

    fn start(&mut self, h: f64) -> Choice {
        Choice { h, order: 1 }
    }

    fn memory(&mut self, m: &mut Memory) {
        m.section("plain");
    }
}
