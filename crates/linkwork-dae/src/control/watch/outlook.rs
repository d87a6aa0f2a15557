//! The step that order 2 would take instead of following vibrations.
//!
//! Third differences of the history give its error in steps as they are, and so its step. Single
//! values swing with the vibration: the least step of a dozen counts. A vibration of amplitude `A`
//! tolerances has `D_{k+1} = A s^(k+1)`, `s = 2 sin(theta/2)`, and the error `C A theta^3` at order 2,
//! which damps it by about `theta^4 / 16` a step. Where it rules the third differences order 2 may begin
//! with steps shorter than those of following: they grow while it is damped.

use crate::memory::Memory;

/// Error constant of order 2 as it is used in the long run, 5/8 of 1/3.
const ERROR: f64 = 0.208;
/// Samples before a decision, and steps from one to the next.
const SAMPLES: u32 = 12;
const STRIDE: u32 = 5;
/// Least step to try order 2 with, in steps of following: by the first sample, which is before the
/// vibration has grown; where a vibration rules it (0.6 is an amplitude of 40 tolerances and takes
/// some 150 steps to damp, 0.9 is one of 12 and takes 40); and where none does.
const FIRST: f64 = 0.6;
const DAMPED: f64 = 0.9;
const SMOOTH: f64 = 1.1;
/// A vibration rules where the step that it allows is not above the other by more.
const RULES: f64 = 1.3;
/// Growth of the promise after which order 2 is tried again, and the most that a first single sample
/// counts for it.
const AGAIN: f64 = 1.5;
const SINGLE: f64 = 0.8;

/// See the [module](self).
#[derive(Clone, Debug, Default)]
pub(super) struct Outlook {
    /// Samples to come; all of the first outlook is one.
    left: u32,
    is_first: bool,
    /// Least step and largest amplitude of the vibration, in tolerances.
    step: f64,
    amplitude: f64,
    /// Step that order 2 was tried with last.
    tried: f64,
}

impl Outlook {
    /// A first decision, by the next step.
    pub(super) fn first(&mut self) {
        self.next();
        self.left = 1;
        self.is_first = true;
    }

    /// Another decision, after a while.
    pub(super) fn next(&mut self) {
        self.left = SAMPLES;
        self.is_first = false;
        self.step = f64::INFINITY;
        self.amplitude = 0.0;
    }

    /// Whether no decision has been made yet.
    pub(super) fn is_first(&self) -> bool {
        self.is_first
    }

    /// Whether a sample is wanted after so many attempts.
    pub(super) fn is_due(&self, attempts: u32) -> bool {
        self.is_first || attempts.is_multiple_of(STRIDE)
    }

    /// Whether all samples are there.
    pub(super) fn is_complete(&self) -> bool {
        self.left == 0
    }

    /// An accepted step: its size, its error at order 2, its order and highest difference, and `theta`
    /// of the vibration.
    pub(super) fn sample(&mut self, h: f64, error: f64, order: usize, high: f64, theta: f64) {
        self.left = self.left.saturating_sub(1);
        // NaN is no promise
        let step = h / (2.0 * error.max(0.0) + 1e-4).cbrt();
        self.step = if step < self.step { step } else { self.step };
        // below order 4 slower motion hides the vibration
        let amplitude = if order > 3 {
            let s = 2.0 * (0.5 * theta).min(1.5).sin();
            high / s.powi(order as i32 + 1)
        } else {
            f64::INFINITY
        };
        self.amplitude = self.amplitude.max(amplitude);
    }

    /// Whether order 2 is worth a try instead of following with this step a vibration of this
    /// frequency.
    pub(super) fn promises(&mut self, follow: f64, omega: f64) -> bool {
        let ruled = 1.0 / (2.0 * ERROR * self.amplitude).cbrt() / omega;
        let least = if self.is_first {
            FIRST
        } else if ruled < RULES * self.step {
            DAMPED
        } else {
            SMOOTH
        };
        let tries = self.step > least * follow && self.step > AGAIN * self.tried;
        if tries {
            self.tried = if self.is_first {
                self.step.min(SINGLE * follow)
            } else {
                self.step
            };
        }
        tries
    }

    /// Order 2 was not worth steps of this size.
    pub(super) fn raise_tried(&mut self, step: f64) {
        self.tried = self.tried.max(step);
    }

    pub(super) fn memory(&mut self, m: &mut Memory) {
        let Outlook {
            left,
            is_first,
            step,
            amplitude,
            tried,
        } = self;
        m.u32(left);
        m.bool(is_first);
        for x in [step, amplitude, tried] {
            m.f64(x);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Samples of order 5 with `theta` = 0.65 for a vibration of frequency 1 and this amplitude, on
    /// which order 2 makes this error.
    fn outlook(amplitude: f64, error: f64) -> Outlook {
        let mut outlook = Outlook::default();
        outlook.next();
        let s: f64 = 2.0 * 0.325f64.sin();
        for _ in 0..SAMPLES {
            assert!(!outlook.is_complete());
            outlook.sample(0.65, error, 5, amplitude * s.powi(6), 0.65);
        }
        assert!(outlook.is_complete());
        outlook
    }

    /// Without a vibration order 2 must promise longer steps: `h2 = (2 error)^(-1/3) h` above 1.1.
    #[test]
    fn smooth_motion_must_promise_more() {
        for (error, promises) in [(0.3, true), (0.45, false)] {
            assert_eq!(outlook(0.1, error).promises(0.65, 1.0), promises);
        }
    }

    /// With one that rules the error, `ERROR A theta^3`, shorter ones will do.
    #[test]
    fn a_vibration_may_have_to_be_damped_first() {
        for (amplitude, promises) in [(10.0, true), (15.0, false)] {
            let error = ERROR * amplitude * 0.65f64.powi(3);
            let mut outlook = outlook(amplitude, error);
            assert_eq!(outlook.promises(0.65, 1.0), promises, "{amplitude}");
            // the same once more is no news
            assert!(!outlook.promises(0.65, 1.0));
        }
    }

    #[test]
    fn nothing_known_is_no_promise() {
        for error in [f64::INFINITY, f64::NAN] {
            let mut outlook = Outlook::default();
            outlook.first();
            outlook.sample(1.0, error, 5, error, error);
            outlook.promises(1.0, error);
            outlook.sample(1.0, error, 5, error, error);
        }
        assert!(!outlook(1.0, f64::INFINITY).promises(0.65, 1.0));
    }
}
