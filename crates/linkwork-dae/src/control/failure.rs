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

/// Accepted steps that a step which might have left its branch is remembered for, and the share of it that may be
/// tried then: how far a branch can be seen changes slowly, and the error alone would ask for the same step again.
const REMEMBERED: u32 = 20;
const SHORTER: f64 = 0.9;

/// The failures of the corrector within one step, and what is left of those before.
#[derive(Clone, Copy, Debug, Default)]
pub struct Failures {
    count: u32,
    /// The step that first met a singular matrix.
    met_at: Option<f64>,
    /// Singular matrices met.
    met: usize,
    /// The last step that might have left its branch.
    astray: Option<f64>,
    /// Steps that it is remembered for.
    remembered: u32,
}

impl Failures {
    /// The next attempt after a failure; `None`: nothing is left to try.
    ///
    /// A matrix without an inverse is stepped around at the same order, and so are corrections that are rounding; where no
    /// length around helps, the step is too short for its tolerance, as first ones may be: the rounding of what is differenced over
    /// it falls with its length. Equations without a value
    /// (a formula outside its domain) are approached carefully; everything else gets a much smaller
    /// step, and from the third time on order 1.
    pub fn respond(&mut self, why: &Retry, tried: Choice) -> Option<Choice> {
        self.count += 1;
        let factor = match why {
            Retry::Singular { .. } | Retry::Rounding { .. } => {
                let first = *self.met_at.get_or_insert(tried.h);
                let h = match (AROUND.get(self.met), why) {
                    (Some(share), _) => first * share,
                    (None, Retry::Rounding { floor, .. }) if self.met == AROUND.len() => {
                        tried.h * floor
                    }
                    _ => return None,
                };
                self.met += 1;
                return Some(Choice { h, ..tried });
            }
            Retry::Branch { .. } => {
                (self.astray, self.remembered) = (Some(tried.h), REMEMBERED);
                0.5
            }
            Retry::Eval(_) => 0.5,
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

    /// What is left after an accepted step.
    pub fn passed(&mut self) {
        let remembered = self.remembered.saturating_sub(1);
        *self = Failures {
            astray: self.astray.filter(|_| remembered > 0),
            remembered,
            ..Failures::default()
        };
    }

    /// The largest step that is worth a try.
    pub fn largest(&self) -> f64 {
        self.astray.map_or(f64::INFINITY, |h| SHORTER * h)
    }

    /// Singular matrices met in this step.
    pub fn singular(&self) -> usize {
        self.met
    }

    pub(crate) fn memory(&mut self, m: &mut Memory) {
        let Failures {
            count,
            met_at,
            met,
            astray,
            remembered,
        } = self;
        m.section("failures");
        m.u32(count);
        m.option(met_at);
        m.usize(met);
        m.option(astray);
        m.u32(remembered);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::Row;

    const TRIED: Choice = Choice { h: 1.0, order: 4 };

    #[test]
    fn steps_that_went_astray_are_remembered_for_a_while() {
        let why = Retry::Branch {
            departure: 1.0,
            worst: Row::Position(0),
        };
        let mut failures = Failures::default();
        assert_eq!(failures.largest(), f64::INFINITY);
        assert_eq!(failures.respond(&why, TRIED).unwrap().h, 0.5);
        for _ in 1..REMEMBERED {
            failures.passed();
            assert_eq!(failures.largest(), 0.9);
        }
        failures.passed();
        assert_eq!(failures.largest(), f64::INFINITY);
    }

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

    /// What rounding makes of a step falls with its length: the last try is as long as that asks for.
    #[test]
    fn rounding_asks_for_a_longer_step_in_the_end() {
        let rounding = |h: f64| Retry::Rounding {
            floor: 1000.0 / h,
            worst: Row::Position(0),
        };
        let mut failures = Failures::default();
        let mut next = TRIED;
        let mut last = 0.0;
        while let Some(choice) = failures.respond(&rounding(next.h), next) {
            (last, next) = (choice.h, choice);
        }
        assert!((last - 1000.0).abs() < 1e-9, "{last}");
        assert_eq!(failures.singular(), AROUND.len() + 1);
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
