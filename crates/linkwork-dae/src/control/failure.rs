//! What to do when the corrector fails: the one failure policy of every stepper.

use crate::corrector::Retry;
use crate::stepper::Choice;

/// Corrector failures in one step before the order is given up.
const FAILURES_AT_ORDER: u32 = 3;

/// The next attempt after the `count`-th failure of the corrector within one step.
///
/// Equations without a value (a formula outside its domain) are approached carefully; a matrix
/// without an inverse is stepped around, because poses where constraints become dependent are
/// isolated; everything else gets a much smaller step, and from the third time on order 1.
pub fn respond(why: &Retry, tried: Choice, count: u32) -> Choice {
    let factor = match why {
        Retry::Singular { .. } => 0.9,
        Retry::Eval(_) => 0.5,
        Retry::Diverged { .. } | Retry::Slow { .. } => 0.25,
    };
    Choice {
        h: factor * tried.h,
        order: if count >= FAILURES_AT_ORDER {
            1
        } else {
            tried.order
        },
    }
}
