//! What backward differentiation does about fast, lightly damped vibrations.
//!
//! On `x' = i omega x`, `theta = omega h`, the root of order `k` is
//! `log z = i theta + (i theta)^(k+1) / (k+1) - ..`: a vibration grows (Hairer & Wanner 1996, V.1) for
//!
//! ```text
//!  k = 1, 2: no theta    k = 3: theta < 1.94    k = 4: theta < 4.71    k = 5: 0.72 < theta < 9.39
//! ```
//!
//! One that is too fast to matter at the step that accuracy allows grows at orders above 2 until the
//! error test sees it, and the step settles at the stability bound. Error estimates do not tell: they are
//! small, and fall with the order. Differences do: for one vibration
//! `|D_{k+1}| / |D_k| = 2 sin(theta/2)`, which gives its frequency (Hindmarsh 1992 finds the root of the
//! growing mode in the same differences). Under suspicion is a `theta` that is large for a resolved motion,
//! `(6 tol)^(1/6)` at order 5, at a frequency far above the rate of the motion. Then
//!
//! ```text
//!  order 2    steps over vibrations and damps them; third differences tell its step
//!  follow     all orders, with steps no longer than those under suspicion: without further rejections
//! ```
//!
//! Order 2 is tried where it promises steps of that size: a vibration that the error test sees hides
//! how much longer they would be. It is kept while they are: with an error of a tolerance in every
//! step the end of order 2 is off by as many tolerances as steps, where following leaves far less. What a trial
//! loses is bounded, and the next one needs a larger promise.
//!
//! Bad at: vibrations that must be followed, for which every order is either unstable or low; collocation
//! (`stepper/radau.rs`) has neither fault.

use crate::memory::Memory;
use crate::stepper::Trial;

/// The highest order that is stable on the whole imaginary axis.
const STABLE_ORDER: usize = 2;
/// `theta` from which orders 3, 4 and 5 are stable again.
const STABLE_ABOVE: [f64; 3] = [1.94, 4.71, 9.39];
/// Steps that averages reach back.
const WINDOW: u32 = 12;
/// Mean ratio of successive differences under suspicion. Motions resolved to 1e-3 come up to 0.6,
/// but not at ten times their own rate.
const SUSPICIOUS: f64 = 0.5;
/// Frequency under suspicion, in rates of the motion. Smooth motions have 2 to 6.
const FAST: f64 = 10.0;
/// Steps of following that one of order 2 must be worth: on the elastic slider crank at relative tolerance 3e-8, with
/// steps longer by a fifth, order 2 costs 1.2 digits.
const WORTH: f64 = 1.3;
/// Attempts that a trial of order 2 may lose: a vibration of ten tolerances takes 40 to be damped.
const BUDGET: f64 = 60.0;
/// Least promise of order 2 to try it with, in steps of following: that of a vibration of 40 tolerances, which
/// takes 150 steps to be damped.
const TRY: f64 = 0.6;
/// Growth of the promise of order 2 after which it is tried again.
const AGAIN: f64 = 1.5;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Phase {
    /// All orders.
    #[default]
    Free,
    /// Orders up to 2.
    Limited,
    /// All orders, with steps that keep the highest stable.
    Following,
}

/// Means over the last steps above order 2.
#[derive(Clone, Copy, Debug, Default)]
struct Means {
    steps: u32,
    /// Ratio of successive differences and the frequency it stands for.
    ratio: f64,
    omega: f64,
    /// The step.
    h: f64,
    /// The shortest step that order 2 would have taken.
    promise: f64,
}

impl Means {
    fn step(&mut self, trial: &Trial, h: f64) {
        if trial.order <= STABLE_ORDER {
            return;
        }
        let [_, lower, now, _] = trial.difference;
        // 2 is the largest of one vibration
        let ratio = (now / lower).min(2.0);
        // 2 asin(ratio / 2), to a hundredth where it matters
        let omega = ratio * (1.0 + ratio * ratio / 24.0) / h;
        self.steps += 1;
        let share = 1.0 / f64::from(self.steps.min(WINDOW));
        self.ratio += share * (ratio - self.ratio);
        self.omega += share * (omega - self.omega);
        self.h += share * (h - self.h);
        // what is no number is no promise
        let promise = h / (2.0 * trial.second + 1e-4).cbrt();
        let shorter = self.steps == 1 || !(promise >= self.promise);
        self.promise = if shorter { promise } else { self.promise };
    }

    /// The frequency of a vibration that seems to set the step of a motion with this rate.
    fn vibration(&self, rate: f64) -> Option<f64> {
        let seen = self.steps >= WINDOW && self.ratio > SUSPICIOUS && self.omega > FAST * rate;
        seen.then_some(self.omega)
    }
}

/// See the [module](self).
#[derive(Clone, Debug, Default)]
pub(super) struct Watch {
    phase: Phase,
    means: Means,
    /// The vibration, and the longest step to follow it with.
    omega: f64,
    follow: f64,
    /// Promise of order 2 where it is in use, attempts lost by it, and the promise that was not kept last.
    promise: f64,
    lost: f64,
    tried: f64,
    /// For the end of a run: slowest and fastest vibration, times that the order was limited and that it was
    /// in vain, steps with a limit.
    slowest: f64,
    fastest: f64,
    limits: u32,
    in_vain: u32,
    limited_steps: u64,
}

impl Watch {
    /// The highest order to use with steps of this size.
    pub(super) fn limit(&self, h: f64) -> usize {
        if self.phase != Phase::Limited {
            return usize::MAX;
        }
        let unstable = |above: &f64| h * self.omega < *above;
        let orders = (STABLE_ORDER..).zip(&STABLE_ABOVE);
        let mut unstable = orders.filter(|(_, above)| unstable(above));
        unstable.next().map_or(usize::MAX, |(order, _)| order)
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
        self.phase = Phase::Free;
        self.means = Means::default();
        (self.tried, self.lost) = (0.0, 0.0);
    }

    /// An accepted step.
    pub(super) fn accepted(&mut self, trial: &Trial, h: f64) {
        if self.limit(h) < usize::MAX {
            self.limited_steps += 1;
            self.charge(1.0 - h / (WORTH * self.follow));
        }
        self.means.step(trial, h);
        if self.means.steps < WINDOW {
            return;
        }
        match self.means.vibration(trial.rate) {
            Some(omega) => self.decide(omega),
            None if self.phase == Phase::Following => self.phase = Phase::Free,
            None => return,
        }
        self.means = Means::default();
    }

    /// Limits the order where that promises enough, else follows.
    fn decide(&mut self, omega: f64) {
        self.slowest = match self.fastest > 0.0 {
            true => self.slowest.min(omega),
            false => omega,
        };
        self.fastest = self.fastest.max(omega);
        self.omega = omega;
        self.follow = self.means.h;
        let promise = self.means.promise;
        if promise > TRY * self.follow && promise > AGAIN * self.tried {
            self.lost = 0.0;
            self.promise = promise;
            self.phase = Phase::Limited;
            self.limits += 1;
        } else {
            self.phase = Phase::Following;
        }
    }

    /// An attempt that gave nothing.
    pub(super) fn rejected(&mut self) {
        if self.phase == Phase::Limited {
            self.charge(1.0);
        }
    }

    /// Books attempts lost, or gained, by order 2; gives it up when it has lost too many.
    fn charge(&mut self, attempts: f64) {
        self.lost = (self.lost + attempts).max(0.0);
        if !(self.lost <= BUDGET) {
            self.in_vain += 1;
            self.tried = self.promise.max(self.follow);
            self.phase = Phase::Following;
        }
    }

    /// What the watch did, in words.
    pub(super) fn notes(&self, out: &mut Vec<String>) {
        let times = |n: u32| match n {
            1 => "once".to_string(),
            n => format!("{n} times"),
        };
        if !(self.fastest > 0.0) {
            return;
        }
        let frequencies = if self.fastest > 1.05 * self.slowest {
            format!("{:.1e} to {:.1e}", self.slowest, self.fastest)
        } else {
            format!("{:.1e}", self.fastest)
        };
        let mut note = format!(
            "vibrations at {frequencies} rad/s make orders above {STABLE_ORDER} unstable: "
        );
        note += &match (self.limits, self.in_vain) {
            (0, _) => {
                format!("step limited to follow them; order {STABLE_ORDER} would have been in vain")
            }
            (n, vain) => {
                let steps = self.limited_steps;
                let limited = format!("order limited {}, for {steps} steps in all", times(n));
                match vain {
                    0 => limited,
                    _ => format!(
                        "{limited}; {} in vain, because they had to be followed",
                        times(vain)
                    ),
                }
            }
        };
        out.push(note);
    }

    pub(super) fn memory(&mut self, m: &mut Memory) {
        let Watch {
            phase,
            means,
            omega,
            follow,
            promise,
            lost,
            tried,
            slowest,
            fastest,
            limits,
            in_vain,
            limited_steps,
        } = self;
        m.section("watch");
        let mut kind = *phase as usize;
        m.index(&mut kind, 0..=2);
        *phase = [Phase::Free, Phase::Limited, Phase::Following][kind.min(2)];
        for x in [&mut means.steps, limits, in_vain] {
            m.u32(x);
        }
        m.u64(limited_steps);
        let means = [
            &mut means.ratio,
            &mut means.omega,
            &mut means.h,
            &mut means.promise,
        ];
        for x in means {
            m.f64(x);
        }
        for x in [omega, follow, promise, lost, tried, slowest, fastest] {
            m.f64(x);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::Row;

    /// A step at order 5 of a motion of rate 0.01 whose differences fall by `ratio`; order 2 makes the error `second`.
    fn trial(ratio: f64, second: f64) -> Trial {
        let unknown = f64::INFINITY;
        Trial {
            err: [unknown, unknown, 0.1, unknown],
            difference: [unknown, 0.6 / ratio, 0.6, unknown],
            order: 5,
            worst: Row::Position(0),
            iterations: 1,
            contraction: 0.0,
            rate: 0.01,
            second,
        }
    }

    /// After a window of steps of size 1.
    fn after(ratio: f64, second: f64) -> Watch {
        let mut watch = Watch::default();
        for _ in 0..WINDOW {
            assert_eq!(
                (watch.limit(1.0), watch.longest_step()),
                (usize::MAX, f64::INFINITY)
            );
            watch.accepted(&trial(ratio, second), 1.0);
        }
        watch
    }

    fn note(watch: &Watch) -> String {
        let mut notes = Vec::new();
        watch.notes(&mut notes);
        assert!(notes.len() < 2);
        notes.pop().unwrap_or_default()
    }

    #[test]
    fn resolved_or_slow_motion_is_not_suspicious() {
        let watch = after(0.4, 0.1);
        assert_eq!((watch.phase, note(&watch)), (Phase::Free, String::new()));
        let mut watch = Watch::default();
        let slow = Trial {
            rate: 0.1,
            ..trial(0.7, 0.1)
        };
        (0..2 * WINDOW).for_each(|_| watch.accepted(&slow, 1.0));
        assert_eq!(watch.phase, Phase::Free);
    }

    /// Where order 2 promises steps as long, it is limited as long as higher ones are unstable: up to
    /// `theta` = 1.94, 4.71 and 9.39.
    #[test]
    fn orders_are_limited_where_they_are_unstable() {
        let watch = after(0.7, 0.5);
        let omega = 0.7 * (1.0 + 0.49 / 24.0);
        for (theta, limit) in [(0.5, 2), (1.9, 2), (2.0, 3), (4.8, 4), (9.4, usize::MAX)] {
            assert_eq!(watch.limit(theta / omega), limit, "{theta}");
        }
        assert!(note(&watch).contains("order limited once, for 0 steps"));
    }

    /// `h2 = (2 error)^(-1/3)` below 0.6, or no number at all, is no promise.
    #[test]
    fn vibrations_are_followed_where_order_2_promises_nothing() {
        for second in [3.0, f64::INFINITY, f64::NAN] {
            let watch = after(0.7, second);
            assert_eq!((watch.limit(1.0), watch.longest_step()), (usize::MAX, 1.0));
            assert!(note(&watch).contains("in vain"));
        }
    }

    /// Attempts that bring nothing may be as many as the budget; the same promise is not believed again.
    #[test]
    fn a_limit_that_does_not_pay_is_given_up() {
        let mut watch = after(0.7, 0.5);
        let attempts = (1..1000).find(|_| {
            watch.rejected();
            watch.phase == Phase::Following
        });
        assert_eq!(attempts, Some(BUDGET as usize + 1));
        (0..WINDOW).for_each(|_| watch.accepted(&trial(0.7, 0.5), 1.0));
        assert_eq!(watch.phase, Phase::Following);
        (0..WINDOW).for_each(|_| watch.accepted(&trial(0.7, 0.01), 1.0));
        assert_eq!(watch.phase, Phase::Limited);
        assert!(note(&watch).contains("2 times, for 0 steps in all; once in vain"));
    }

    #[test]
    fn longer_steps_pay_for_ever() {
        let mut watch = after(0.7, 0.5);
        (0..1000).for_each(|_| watch.accepted(&trial(0.7, 0.5), 1.31));
        assert_eq!(watch.limit(1.31), 2);
    }

    /// A vibration that is gone sets the step free.
    #[test]
    fn what_is_gone_is_not_followed() {
        let mut watch = after(0.7, 3.0);
        (0..WINDOW).for_each(|_| watch.accepted(&trial(0.3, 3.0), 1.0));
        assert_eq!(watch.longest_step(), f64::INFINITY);
        assert_ne!(note(&watch), "");
        watch.restart();
        assert_ne!(note(&watch), "");
    }
}
