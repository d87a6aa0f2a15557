//! The next macro step from the last two errors.
//!
//! Gustafsson's PI rule, `h (0.9 e_n^{-0.7/p} e_{n-1}^{0.4/p})`, with growth by 2 at most: the
//! constants of extrapolation grow quickly with the ratio of neighbouring steps. After a rejection
//! the plain rule, and no growth in the step that follows.

use crate::memory::Memory;

/// Largest growth of the step, and its largest reduction after an accepted one.
const GROWTH: f64 = 2.0;
const REDUCTION: f64 = 0.3;
const SAFETY: f64 = 0.9;
/// Errors below this are taken for this in the memory of the rule.
const SMALLEST_ERROR: f64 = 1e-4;

/// See the [module](self).
#[derive(Clone, Copy, Debug, Default)]
pub struct PiController {
    before: Option<f64>,
    rejected: bool,
}

impl PiController {
    /// Factor on the step after an accepted one with this error over tolerance, of order `p`.
    pub fn accepted(&mut self, error: f64, p: f64) -> f64 {
        let e = error.max(1e-10);
        let factor = match self.before {
            Some(before) if !self.rejected => e.powf(-0.7 / p) * before.powf(0.4 / p),
            _ => e.powf(-1.0 / p),
        };
        let largest = if self.rejected { 1.0 } else { GROWTH };
        self.before = Some(e.max(SMALLEST_ERROR));
        self.rejected = false;
        (SAFETY * factor).clamp(REDUCTION, largest)
    }

    /// Factor on the step after a rejected one.
    pub fn rejected(&mut self, error: f64, p: f64) -> f64 {
        self.rejected = true;
        let factor = SAFETY * error.powf(-1.0 / p);
        if factor.is_finite() {
            factor.clamp(0.2, 0.9)
        } else {
            0.2
        }
    }

    /// Factor on the step after one in which a subsystem could not go on.
    pub fn failed(&mut self) -> f64 {
        self.rejected = true;
        0.25
    }

    /// Saves or restores what the rule remembers.
    pub fn memory(&mut self, m: &mut Memory) {
        let PiController { before, rejected } = self;
        m.section("pace");
        m.option(before);
        m.bool(rejected);
    }

    /// The past does not count any more.
    pub fn restart(&mut self) {
        *self = PiController::default();
    }
}
