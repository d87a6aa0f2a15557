//! What to do when the corrector fails: the one failure policy of every stepper.

use crate::corrector::Retry;
use crate::memory::Memory;
use crate::stepper::Choice;

/// Corrector failures in one step before the order is given up.
const FAILURES_AT_ORDER: u32 = 3;

/// Steps tried around a pose where the matrix has no usable inverse, as shares of the step that
/// met it first. Such poses are isolated: a step that ends a little before or behind one succeeds,
/// and from a point close to one only a longer step leaves it.
const AROUND: [f64; 8] = [0.7, 1.4, 0.5, 2.0, 0.25, 4.0, 0.05, 0.01];

/// The failures of the corrector within one step.
#[derive(Clone, Copy, Debug, Default)]
pub struct Failures {
    count: u32,
    /// The step that first met a singular matrix.
    met_at: Option<f64>,
    /// Singular matrices met.
    met: usize,
}

impl Failures {
    /// The next attempt after a failure; `None`: nothing is left to try.
    ///
    /// A matrix without an inverse is stepped around at the same order; equations without a value
    /// (a formula outside its domain) are approached carefully; everything else gets a much smaller
    /// step, and from the third time on order 1.
    pub fn respond(&mut self, why: &Retry, tried: Choice) -> Option<Choice> {
        self.count += 1;
        let factor = match why {
            Retry::Singular { .. } | Retry::Rounding { .. } => {
                let first = *self.met_at.get_or_insert(tried.h);
                let h = first * AROUND.get(self.met)?;
                self.met += 1;
                return Some(Choice { h, ..tried });
            }
            Retry::Eval(_) | Retry::Branch { .. } => 0.5,
            Retry::Diverged { .. } | Retry::Slow { .. } => 0.25,
        };
        Some(Choice {
            h: factor * tried.h,
            order: if self.count >= FAILURES_AT_ORDER {
                1
            } else {
                tried.order
            },
        })
    }

    /// Singular matrices met in this step.
    pub fn singular(&self) -> usize {
        self.met
    }

    pub(crate) fn memory(&mut self, m: &mut Memory) {
        let Failures { count, met_at, met } = self;
        m.section("failures");
        m.u32(count);
        m.option(met_at);
        m.usize(met);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::Row;

    const TRIED: Choice = Choice { h: 1.0, order: 4 };

    #[test]
    fn divergence_shortens_the_step_and_gives_the_order_up() {
        let why = Retry::Slow {
            iterations: 6,
            worst: Row::Position(0),
        };
        let mut failures = Failures::default();
        let mut next = TRIED;
        for order in [4, 4, 1, 1] {
            let shorter = failures.respond(&why, next).unwrap();
            assert_eq!(shorter.h, 0.25 * next.h);
            assert_eq!(shorter.order, order);
            next = shorter;
        }
    }

    #[test]
    fn a_singular_matrix_is_met_from_both_sides_and_given_up_soon() {
        let why = Retry::Singular {
            unknown: Row::Constraint(0),
        };
        let mut failures = Failures::default();
        let mut next = TRIED;
        let mut tried = Vec::new();
        while let Some(choice) = failures.respond(&why, next) {
            assert_eq!(choice.order, 4);
            tried.push(choice.h);
            next = choice;
        }
        assert!(tried.len() < 10);
        assert!(tried.iter().any(|&h| h > 1.5) && tried.iter().any(|&h| h < 0.1));
        assert_eq!(failures.singular(), tried.len());
    }
}
