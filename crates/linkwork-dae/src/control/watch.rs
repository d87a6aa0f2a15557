//! Stability watch: decides what backward differentiation does about fast, lightly damped
//! vibrations, on which orders above 2 are unstable (`watch/lobes.rs`).
//!
//! A vibration too fast to matter at the step that accuracy allows grows at orders above 2 until the
//! error test sees it, and the step settles at the stability bound, `theta = omega h` = 0.7. Error
//! estimates do not tell: they are small, and fall with the order. There are two ways out:
//!
//! ```text
//!  order 2    steps over vibrations and damps them; the smooth motion sets the step h2, and with an
//!             error of a tolerance in every step the end is off by as many tolerances as steps
//!  follow     order 5 with theta up to 0.65 for the fastest of them, h5: stable, without rejections,
//!             with an error far below the tolerance in all that is slower
//! ```
//!
//! so that order 2 is for vibrations that are stepped over: where `h2` is less than twice `h5` a period has five steps or
//! more, and order 2 follows the vibration too, badly. Three questions are asked:
//!
//! 1. **Does a vibration set the step?** For one vibration the ratio of successive differences is
//!    `|D_{k+1}| / |D_k| = 2 sin(theta/2)`, which gives its frequency (Hindmarsh 1992 finds the root of
//!    the growing mode in the same differences). It is suspicious when `theta` is large for a
//!    resolved motion, which has `theta = (6 tol)^(1/6)` at order 5, and the frequency is far above
//!    the rate of the motion itself.
//! 2. **Which are there, and unstable?** The driver is asked for the modes of the system, which say
//!    what is stable at which step, now and when the step grows. Where none explains the
//!    suspicion it is dropped; else the order is limited.
//! 3. **Does that pay?** Attempts that the limit loses against following, with `h5` from the modes, are added up: a
//!    vibration that has grown is damped first, in short steps. A limit that does not pay is given up,
//!    and tried again after a while where third differences promise twice `h5`.
//!
//! Bad at: vibrations close to the rate of the motion (order 2 would not be faster); modes in the
//! middle of a large spectrum, which Arnoldi's method does not find: there the observed frequency
//! stands for them while it is observed.

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
/// Attempts that a limit may lose in damping a vibration that has grown: 60 are for one of 40 tolerances.
const PATIENCE: f64 = 60.0;
/// Attempts to wait after a suspicion that no mode explains, or a limit in vain, at first, and their growth each time.
const WAIT: u32 = 100;
const GROWTH: u32 = 3;
/// Longest wait.
const LONGEST: u32 = 4000;
/// Steps after which modes are found anew.
const REFRESH: u32 = 1000;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Phase {
    /// All orders.
    #[default]
    Free,
    /// Orders that are stable on the known modes.
    Limited,
    /// All orders, with steps that keep the highest stable.
    Following,
}

/// See the [module](self).
#[derive(Clone, Debug, Default)]
pub(super) struct Watch {
    max_order: usize,
    phase: Phase,
    averages: Averages,
    /// Attempts in this phase, and since modes were asked for.
    since: u32,
    since_modes: u32,
    wait: u32,
    asks_error: bool,
    asks_modes: bool,
    /// The last accepted step, and the frequency seen last.
    h: f64,
    seen: f64,
    /// Rate of the motion.
    rate: f64,
    /// Lightly damped vibrations of the system; beyond `count` none, beyond `found` none that was found.
    modes: [Mode; MAX_MODES + 1],
    count: usize,
    found: usize,
    /// Whether there are modes that were not found, and their fastest rate.
    missing: bool,
    outer: f64,
    /// The step to follow the fastest with that is unstable at order 5.
    follow: f64,
    /// Attempts that the limit has lost against following, and once these have come back, against steps that are worth it.
    invested: f64,
    lost: f64,
    /// Least step that order 2 promises, of so many samples.
    promise: f64,
    samples: u32,
    /// Whether one of them is to decide: the first look at vibrations.
    first: bool,
    account: Account,
}

impl Watch {
    /// For a method with orders up to this one.
    pub(super) fn new(max_order: usize) -> Watch {
        Watch {
            max_order,
            ..Watch::default()
        }
    }

    /// The highest order to use with steps of this size.
    pub(super) fn limit(&self, h: f64) -> usize {
        if self.phase != Phase::Limited {
            return usize::MAX;
        }
        let modes = &self.modes[..self.count];
        (STABLE_ORDER + 1..=5)
            .find(|&k| modes.iter().any(|m| unstable(m, k, h)))
            .map_or(usize::MAX, |k| k - 1)
    }

    /// The longest step to grow to.
    pub(super) fn longest_step(&self) -> f64 {
        match self.phase {
            Phase::Following => self.follow,
            Phase::Free | Phase::Limited => f64::INFINITY,
        }
    }

    /// Begins anew with another motion; keeps the account.
    pub(super) fn restart(&mut self) {
        *self = Watch {
            account: std::mem::take(&mut self.account),
            ..Watch::new(self.max_order)
        };
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
        if self.phase == Phase::Following && self.samples >= WINDOW {
            self.asks_modes = self.since_modes >= REFRESH;
            if !self.asks_modes {
                self.judge();
            }
        }
    }

    /// Whether the modes of the system are wanted.
    pub(super) fn wants_modes(&self) -> bool {
        self.asks_modes
    }

    /// Hears the modes asked for.
    pub(super) fn hear(&mut self, modes: Modes<'_>) {
        self.asks_modes = false;
        self.since_modes = 0;
        self.count = 0;
        for m in modes.found.iter().take(MAX_MODES).filter(|m| ringing(m)) {
            self.modes[self.count] = *m;
            self.count += 1;
        }
        self.found = self.count;
        self.missing = !modes.complete;
        // outer modes are found first
        self.outer = modes.found.first().map_or(f64::INFINITY, Mode::rate);
        if self.phase == Phase::Limited {
            self.observe();
        } else {
            self.judge();
        }
    }

    /// What was observed stands for modes that were not found, as long as it is observed.
    fn observe(&mut self) {
        let is_seen = match self.phase {
            Phase::Free | Phase::Limited => true,
            Phase::Following => self.first || self.averages.vibration(self.rate).is_some(),
        };
        self.count = self.found;
        if self.missing && is_seen && self.seen > 0.0 {
            self.modes[self.count] = Mode {
                re: 0.0,
                im: self.seen.min(self.outer),
            };
            self.count += 1;
        }
    }

    /// Slowest and fastest of the modes that make order 5 unstable at this step.
    fn unstable_range(&self) -> Option<(f64, f64)> {
        let fast = OWN * self.rate;
        let counts = |m: &&Mode| m.im > fast && unstable(m, 5, self.h);
        let modes = self.modes[..self.count].iter().filter(counts);
        modes.fold(None, |range, m| {
            let (slowest, fastest) = range.unwrap_or((f64::INFINITY, 0.0f64));
            Some((m.im.min(slowest), m.im.max(fastest)))
        })
    }

    /// Limits the order where a known mode explains what was seen, and again where that promises more than
    /// following.
    fn judge(&mut self) {
        self.observe();
        self.averages = Averages::default();
        let Some((slowest, fastest)) = self.unstable_range() else {
            self.phase = Phase::Free;
            if self.count == 0 {
                self.be_patient();
            }
            return;
        };
        self.follow = following_step(fastest, self.max_order);
        self.account.vibrations(slowest, fastest);
        let least = match self.first {
            // what has grown by now may be damped soon
            true => self.follow / WORTH,
            false => self.follow * WORTH,
        };
        let promises = self.since >= self.wait && self.promise > least;
        (self.promise, self.samples, self.first) = (f64::INFINITY, 0, false);
        if self.phase == Phase::Free {
            self.enter(Phase::Following);
            (self.samples, self.first) = (WINDOW - 1, true);
            // before it has grown further
            self.asks_error = true;
        } else if promises {
            self.account.limit();
            (self.invested, self.lost) = (0.0, 0.0);
            self.enter(Phase::Limited);
        }
    }

    fn be_patient(&mut self) {
        self.since = 0;
        self.wait = (GROWTH * self.wait).clamp(WAIT, LONGEST);
    }

    /// An accepted step.
    pub(super) fn accepted(&mut self, trial: &Trial, h: f64) {
        self.averages.step(trial, h);
        (self.h, self.rate) = (h, trial.rate);
        let vibration = self.averages.vibration(trial.rate);
        if let Some(omega) = vibration {
            self.seen = omega;
        }
        let outdated = self.count == 0 || self.since_modes >= REFRESH;
        match self.phase {
            Phase::Free => {
                if vibration.is_some() && self.since >= self.wait {
                    self.asks_modes = outdated;
                    if !outdated {
                        self.judge();
                    }
                }
            }
            Phase::Following => self.asks_error = true,
            Phase::Limited => {
                if self.limit(h) < usize::MAX {
                    self.account.limited_step();
                }
                self.asks_modes = outdated;
                self.book(h);
            }
        }
        self.since = self.since.saturating_add(1);
        self.since_modes = self.since_modes.saturating_add(1);
    }

    /// An attempt that gave nothing.
    pub(super) fn rejected(&mut self) {
        self.since = self.since.saturating_add(1);
        if self.phase == Phase::Limited {
            self.book(0.0);
        }
    }

    /// An attempt at a limited order that brought a step of this size; 0 when it was rejected.
    fn book(&mut self, h: f64) {
        let steps = h / self.follow;
        self.invested = (self.invested + 1.0 - steps).max(0.0);
        if self.invested == 0.0 {
            self.lost = (self.lost + 1.0 - steps / WORTH).max(0.0);
        }
        // what is not worth it costs accuracy as well
        if self.invested > PATIENCE || self.lost > 0.5 * PATIENCE {
            self.account.in_vain();
            self.asks_modes = false;
            self.enter(Phase::Following);
            self.be_patient();
            (self.promise, self.samples) = (f64::INFINITY, 0);
        }
    }

    fn enter(&mut self, phase: Phase) {
        self.phase = phase;
        self.since = 0;
        self.averages = Averages::default();
    }

    /// What the watch did, in words.
    pub(super) fn notes(&self, out: &mut Vec<String>) {
        out.extend(self.account.note());
    }

    pub(super) fn memory(&mut self, m: &mut Memory) {
        let Watch {
            max_order,
            phase,
            averages,
            since,
            since_modes,
            wait,
            asks_error,
            asks_modes,
            h,
            seen,
            rate,
            modes,
            count,
            found,
            missing,
            outer,
            follow,
            invested,
            lost,
            promise,
            samples,
            first,
            account,
        } = self;
        m.section("watch");
        m.same(*max_order as u64);
        let mut kind = *phase as usize;
        m.index(&mut kind, 0..=2);
        *phase = [Phase::Free, Phase::Limited, Phase::Following][kind.min(2)];
        averages.memory(m);
        for x in [since, since_modes, wait, samples] {
            m.u32(x);
        }
        for x in [asks_error, asks_modes, missing, first] {
            m.bool(x);
        }
        for x in [h, seen, rate, outer, follow, invested, lost, promise] {
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
