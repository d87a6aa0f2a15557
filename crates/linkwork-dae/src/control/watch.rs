//! Detector of fast, lightly damped vibrations, on which backward differentiation above order 2 is unstable
//! (`watch/lobes.rs`): it reports them and limits the order, or the step.
//!
//! A vibration too fast to matter at the step that accuracy allows grows at orders above 2 until the
//! error test sees it, and the step settles at the stability bound, `theta = omega h` = 0.7. Error
//! estimates do not tell: they are small, and fall with the order. A run that names the method has two ways out (the
//! automatic choice has others):
//!
//! ```text
//!  order 2    steps over vibrations and damps them; the smooth motion sets the step h2
//!  follow     order 5 with theta up to 0.65 for the fastest of them, h5: stable, without rejections
//! ```
//!
//! Order 2 is for vibrations that are stepped over: where `h2` is less than twice `h5` a period has five steps or
//! more, and order 2 follows the vibration too, badly. So
//!
//! 1. **suspicion**: for one vibration the ratio of successive differences is `|D_{k+1}| / |D_k| = 2 sin(theta/2)`,
//!    which gives its frequency (Hindmarsh 1992 finds the root of the growing mode in the same differences). It is
//!    suspicious when `theta` is large for a resolved motion, which has `theta = (6 tol)^(1/6)` at order 5, and the
//!    frequency is far above the rate of the motion itself;
//! 2. **modes**: the driver is asked for those of the system, which say what is stable at which step. Where none
//!    explains the suspicion it is dropped;
//! 3. **order 2 while its steps are longer than `h5`**, begun where third differences promise twice `h5`; else steps
//!    up to `h5`.
//!
//! Bad at: vibrations close to the rate of the motion (order 2 would not be faster); modes in the
//! middle of a large spectrum, which Arnoldi's method does not find: there the observed frequency
//! stands for them.

mod account;
mod averages;
mod lobes;
#[cfg(test)]
mod tests;

use crate::memory::Memory;
use crate::spectrum::{MAX_MODES, Mode, Modes};
use crate::stepper::Trial;
use account::Account;
use averages::{Averages, WINDOW};
use lobes::{STABLE_ORDER, following_step, ringing, unstable};

/// Modes below so many rates of the motion belong to it: a spinning top turns and nods at one rate.
const OWN: f64 = 3.0;
/// Steps of following that one of order 2 must be worth: 4.8 steps in a period.
const WORTH: f64 = 2.0;
/// Attempts over which steps of order 2 are averaged. A vibration that has grown is damped first, by `theta^4 / 4` a step:
/// at the step of following it takes 82 from 40 tolerances to one, in which the mean falls from twice [`WORTH`] to it.
const PATIENCE: f64 = 90.0;
/// Steps after which modes are found anew.
const REFRESH: u32 = 1000;

/// See the [module](self).
#[derive(Clone, Debug)]
pub(super) struct Watch {
    max_order: usize,
    averages: Averages,
    /// Steps since modes were asked for.
    since: u32,
    asks_error: bool,
    asks_modes: bool,
    /// The last accepted step, the rate of its motion and the frequency seen last.
    h: f64,
    rate: f64,
    seen: f64,
    /// Lightly damped vibrations of the system; beyond `count` none, beyond `found` none that was found.
    modes: [Mode; MAX_MODES + 1],
    count: usize,
    found: usize,
    /// The step that follows the fastest of those that were unstable; infinite where there is none.
    follow: f64,
    /// Whether order 2 steps over them, and the mean of its steps, in steps of following.
    low: bool,
    gain: f64,
    /// Least step that order 2 promises, of so many samples.
    promise: f64,
    samples: u32,
    account: Account,
}

impl Watch {
    /// For a method with orders up to this one.
    pub(super) fn new(max_order: usize) -> Watch {
        Watch {
            max_order,
            averages: Averages::default(),
            since: REFRESH,
            asks_error: false,
            asks_modes: false,
            h: 0.0,
            rate: 0.0,
            seen: 0.0,
            modes: [Mode::default(); MAX_MODES + 1],
            count: 0,
            found: 0,
            follow: f64::INFINITY,
            low: false,
            gain: 0.0,
            promise: f64::INFINITY,
            samples: 0,
            account: Account::default(),
        }
    }

    /// The highest order to use with steps of this size.
    pub(super) fn limit(&self, h: f64) -> usize {
        if !self.low {
            return usize::MAX;
        }
        let modes = &self.modes[..self.count];
        (STABLE_ORDER + 1..=5)
            .find(|&k| modes.iter().any(|m| unstable(m, k, h)))
            .map_or(usize::MAX, |k| k - 1)
    }

    /// The longest step to grow to.
    pub(super) fn longest_step(&self) -> f64 {
        if self.low { f64::INFINITY } else { self.follow }
    }

    /// The same before another motion; keeps the account.
    pub(super) fn anew(self) -> Watch {
        Watch {
            account: self.account,
            ..Watch::new(self.max_order)
        }
    }

    /// The order whose error in the last step is wanted.
    pub(super) fn wants_error_at(&self) -> Option<usize> {
        self.asks_error.then_some(STABLE_ORDER)
    }

    /// Hears the error asked for. Single ones swing with the vibration: the shortest step of a dozen counts.
    pub(super) fn hear_error(&mut self, error: f64) {
        self.asks_error = false;
        let step = self.h / (2.0 * error + 1e-4).cbrt();
        // what is no number is no promise
        let step = if step > 0.0 { step } else { 0.0 };
        self.promise = self.promise.min(step);
        self.samples += 1;
        if self.samples >= WINDOW {
            let promises = self.promise > WORTH * self.follow;
            (self.promise, self.samples) = (f64::INFINITY, 0);
            if promises {
                self.step_over();
                return;
            }
            if self.averages.vibration(self.rate).is_none() {
                self.count = self.found;
            }
            self.find_guilty();
        }
    }

    /// Whether the modes of the system are wanted.
    pub(super) fn wants_modes(&self) -> bool {
        self.asks_modes
    }

    /// Hears the modes asked for. What was observed stands for those that were not found, and is followed while it is observed.
    pub(super) fn hear(&mut self, modes: Modes<'_>) {
        self.asks_modes = false;
        self.since = 0;
        self.count = 0;
        for m in modes.found.iter().take(MAX_MODES).filter(|m| ringing(m)) {
            self.modes[self.count] = *m;
            self.count += 1;
        }
        self.found = self.count;
        if !modes.complete && self.seen > 0.0 {
            // outer modes are found first
            let outer = modes.found.first().map_or(f64::INFINITY, Mode::rate);
            self.modes[self.count] = Mode {
                re: 0.0,
                im: self.seen.min(outer),
            };
            self.count += 1;
        }
        if !self.low {
            let before = self.follow;
            self.find_guilty();
            // what has grown by now may be damped soon
            if before == f64::INFINITY && self.follow < f64::INFINITY {
                self.step_over();
            }
        }
    }

    /// The modes that make order 5 unstable at this step, and the step to follow them with.
    fn find_guilty(&mut self) {
        let fast = OWN * self.rate;
        let counts = |m: &&Mode| m.im > fast && unstable(m, 5, self.h);
        let (mut slowest, mut fastest) = (f64::INFINITY, 0.0f64);
        for m in self.modes[..self.count].iter().filter(counts) {
            (slowest, fastest) = (slowest.min(m.im), fastest.max(m.im));
        }
        if fastest > 0.0 {
            self.follow = following_step(fastest, self.max_order);
            self.account.vibrations(slowest, fastest);
        } else {
            self.follow = f64::INFINITY;
        }
    }

    fn step_over(&mut self) {
        (self.low, self.gain) = (true, 2.0 * WORTH);
        self.averages = Averages::default();
    }

    /// An accepted step.
    pub(super) fn accepted(&mut self, trial: &Trial, h: f64) {
        self.averages.step(trial, h);
        (self.h, self.rate) = (h, trial.rate);
        let vibration = self.averages.vibration(trial.rate);
        if let Some(omega) = vibration {
            self.seen = omega;
        }
        self.since = self.since.saturating_add(1);
        let outdated = self.since >= REFRESH;
        if self.low {
            if self.limit(h) < usize::MAX {
                self.account.limit();
            }
            self.asks_modes = outdated;
            self.book(h);
        } else if self.follow < f64::INFINITY {
            self.account.follow();
            self.asks_error = true;
            self.asks_modes = outdated;
        } else if vibration.is_some() {
            self.asks_modes = outdated;
            if !outdated && self.count > 0 {
                self.find_guilty();
            }
        }
    }

    /// An attempt that gave nothing.
    pub(super) fn rejected(&mut self) {
        if self.low {
            self.book(0.0);
        }
    }

    /// An attempt at a limited order that brought a step of this size; 0 when it was rejected.
    fn book(&mut self, h: f64) {
        self.gain += (h / self.follow - self.gain) / PATIENCE;
        if !(self.gain > WORTH) {
            self.low = false;
            self.averages = Averages::default();
        }
    }

    /// What the watch did, in words.
    pub(super) fn notes(&self, out: &mut Vec<String>) {
        out.extend(self.account.note());
    }

    pub(super) fn memory(&mut self, m: &mut Memory) {
        let Watch {
            max_order,
            averages,
            since,
            asks_error,
            asks_modes,
            h,
            rate,
            seen,
            modes,
            count,
            found,
            follow,
            low,
            gain,
            promise,
            samples,
            account,
        } = self;
        m.section("watch");
        m.same(*max_order as u64);
        averages.memory(m);
        for x in [since, samples] {
            m.u32(x);
        }
        for x in [asks_error, asks_modes, low] {
            m.bool(x);
        }
        for x in [h, rate, seen, follow, gain, promise] {
            m.f64(x);
        }
        for mode in modes.iter_mut() {
            m.f64(&mut mode.re);
            m.f64(&mut mode.im);
        }
        m.index(count, 0..=MAX_MODES + 1);
        m.index(found, 0..=MAX_MODES);
        account.memory(m);
    }
}
