//! Stability watch: keeps backward differentiation at order 2 where fast vibrations make higher
//! orders unstable.
//!
//! ```text
//!  order k on x' = i omega x, theta = omega h: the vibration grows for
//!  k = 1, 2: no theta    k = 3: theta < 1.94    k = 4: theta < 4.71    k = 5: 0.72 < theta < 9.39
//! ```
//!
//! (the curves of Hairer & Wanner 1996, V.1). With a damping ratio above 0.07 order 3 is stable on it,
//! above 0.29 order 4, and order control finds its way. With less, a vibration too fast to matter at
//! the step that accuracy allows grows at orders above 2 until the error test sees it, and the step
//! settles at the stability bound, `theta` = 0.5 to 1. Error estimates do not tell: they are small,
//! and fall with the order. Three questions are asked instead:
//!
//! 1. **Does a vibration set the step?** For one vibration the ratio of successive differences is
//!    `|D_{k+1}| / |D_k| = 2 sin(theta/2)`, which gives its frequency (Hindmarsh 1992 finds the root of
//!    the growing mode in the same differences). It is suspicious when `theta` is large for a
//!    resolved motion, which has `theta = (6 tol)^(1/6)` at order 5, and the frequency is far above
//!    the rate of the motion itself.
//! 2. **Is it unstable?** The driver is asked for the modes of the system. With them it is known which
//!    orders are stable at which step, now and when the step grows; there is no need to find out by
//!    trying. Where none explains the suspicion it is dropped.
//! 3. **Does it matter?** A vibration above the tolerance must be followed, by high orders and steps
//!    within their stable range. Nothing but order 2 itself tells: it damps what it does not follow.
//!    Time lost against the progress before is added up, and a limit that costs too much is given
//!    up, for a while.
//!
//! Bad at: vibrations close to the rate of the motion (order 2 would not be faster); modes in the
//! middle of a large spectrum, which Arnoldi's method does not find: there the observed frequency
//! stands for them.

use crate::memory::Memory;
use crate::spectrum::{MAX_MODES, Mode, Modes};
use crate::stepper::Trial;

/// The highest order that is stable on the whole imaginary axis.
const STABLE_ORDER: usize = 2;
/// `theta` from which orders 3, 4 and 5 are stable again.
const STABLE_ABOVE: [f64; 3] = [1.94, 4.71, 9.39];
/// Damping ratio below which order 3 is unstable: the cosine of its angle of A(alpha)-stability.
const RINGING: f64 = 0.07;
/// `theta` below which growth is slower than 0.2 per cent a step at any order.
const RESOLVED: f64 = 0.3;
/// `theta` up to which order 5, and nearly order 4, is stable on undamped vibrations.
const STABLE_BELOW: f64 = 0.7;
/// Steps that averages reach back.
const WINDOW: u32 = 12;
/// Share of the newest of so many values in a mean, and in all later ones.
const SHARE: [f64; WINDOW as usize + 1] = {
    let mut share = [1.0; WINDOW as usize + 1];
    let mut i = 1;
    while i < share.len() {
        share[i] = 1.0 / i as f64;
        i += 1;
    }
    share
};
/// Mean ratio of successive differences under suspicion. Motions resolved to 1e-3 come up to 0.6,
/// but not at ten times their own rate.
const SUSPICIOUS: f64 = 0.5;
/// Frequency under suspicion, in rates of the motion. Smooth motions have 2 to 6.
const FAST: f64 = 10.0;
/// Modes below so many rates of the motion belong to it: a spinning top turns and nods at one rate.
const OWN: f64 = 3.0;
/// Attempts that a limit may lose. The elastic slider crank loses up to 25 before it gains.
const BUDGET: f64 = 40.0;
/// Attempts to wait after a suspicion or a limit in vain, at first, and their growth each time. Where
/// a vibration that was followed has died out the last growth is taken back.
const WAIT: u32 = 100;
const GROWTH: u32 = 3;
/// Longest wait.
const LONGEST: u32 = 4000;
/// Steps after which modes are found anew.
const REFRESH: u32 = 1000;
/// Share of the tolerance below which a vibration that was followed has died out. At order 5 and
/// `theta` = 0.7 its amplitude is then 5 tolerances, and order 2 allows the same step.
const QUIET: f64 = 0.1;

/// Averages over the last steps, those of differences above order 2 only.
#[derive(Clone, Copy, Debug, Default)]
struct Averages {
    attempts: u32,
    /// Time gained per attempt.
    progress: f64,
    steps: u32,
    /// Ratio of successive differences and the frequency it stands for.
    ratio: f64,
    omega: f64,
}

impl Averages {
    fn attempt(&mut self, time: f64) {
        self.attempts = (self.attempts + 1).min(WINDOW);
        self.progress += SHARE[self.attempts as usize] * (time - self.progress);
    }

    fn step(&mut self, trial: &Trial, h: f64) {
        self.attempt(h);
        if trial.order <= STABLE_ORDER {
            return;
        }
        let [_, lower, now, _] = trial.difference;
        let ratio = now / lower;
        // the largest that one vibration can have
        let ratio = if ratio < 2.0 { ratio } else { 2.0 };
        // 2 asin(ratio / 2), to a hundredth where it matters
        let omega = ratio * (1.0 + ratio * ratio / 24.0) / h;
        self.steps = (self.steps + 1).min(WINDOW);
        let share = SHARE[self.steps as usize];
        self.ratio += share * (ratio - self.ratio);
        self.omega += share * (omega - self.omega);
    }

    /// The frequency of a vibration that seems to set the step of a motion with this rate.
    fn vibration(&self, rate: f64) -> Option<f64> {
        let seen = self.steps == WINDOW && self.ratio > SUSPICIOUS && self.omega > FAST * rate;
        seen.then_some(self.omega)
    }

    fn memory(&mut self, m: &mut Memory) {
        let Averages {
            attempts,
            progress,
            steps,
            ratio,
            omega,
        } = self;
        m.u32(attempts);
        m.u32(steps);
        for x in [progress, ratio, omega] {
            m.f64(x);
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Phase {
    /// All orders.
    #[default]
    Free,
    /// Orders that are stable on the known modes.
    Limited,
    /// All orders, with steps that keep them stable: the vibrations are above the tolerance.
    Following,
}

/// See the [module](self).
#[derive(Clone, Debug, Default)]
pub(super) struct Watch {
    phase: Phase,
    averages: Averages,
    /// Attempts in this phase, and since modes were asked for.
    since: u32,
    since_modes: u32,
    asking: bool,
    /// The last accepted step, and the frequency that was seen in it.
    h: f64,
    seen: f64,
    /// Rate of the motion.
    rate: f64,
    /// Lightly damped vibrations of the system; beyond `count` none.
    modes: [Mode; MAX_MODES + 1],
    count: usize,
    /// Progress per attempt before the limit, and attempts lost against it.
    free: f64,
    loss: f64,
    wait: u32,
    /// Steps in a row that a followed vibration did not show in.
    quiet: u32,
    account: Account,
}

/// What is told in the end.
#[derive(Clone, Debug, Default)]
struct Account {
    limits: u32,
    in_vain: u32,
    steps: u64,
    /// Slowest and fastest frequency that limited the order.
    slowest: f64,
    fastest: f64,
}

/// Whether an order above 2 is unstable on a lightly damped mode at a step.
fn unstable(mode: &Mode, order: usize, h: f64) -> bool {
    let i = (order - STABLE_ORDER - 1).min(2);
    (RESOLVED..STABLE_ABOVE[i]).contains(&(h * mode.im))
}

impl Watch {
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
        if self.phase != Phase::Following {
            return f64::INFINITY;
        }
        let modes = &self.modes[..self.count];
        STABLE_BELOW / modes.iter().fold(f64::MIN_POSITIVE, |w, m| w.max(m.im))
    }

    /// Begins anew with another motion; keeps the account.
    pub(super) fn restart(&mut self) {
        *self = Watch {
            account: std::mem::take(&mut self.account),
            ..Watch::default()
        };
    }

    /// Whether the modes of the system are wanted.
    pub(super) fn wants_modes(&self) -> bool {
        self.asking
    }

    /// Hears the modes asked for.
    pub(super) fn hear(&mut self, modes: Modes<'_>) {
        self.asking = false;
        self.since_modes = 0;
        self.count = 0;
        let observed = Mode {
            re: 0.0,
            im: self.seen,
        };
        let missing = (!modes.complete).then_some(&observed);
        for m in modes.found.iter().take(MAX_MODES).chain(missing) {
            if m.im > 0.0 && m.damping() < RINGING {
                self.modes[self.count] = *m;
                self.count += 1;
            }
        }
        if self.phase != Phase::Limited {
            self.judge();
        }
    }

    /// Limits the order where a known mode explains what was seen.
    fn judge(&mut self) {
        self.averages = Averages::default();
        if self.count == 0 {
            return self.wait_longer();
        }
        let h = self.h;
        let fast = OWN * self.rate;
        let guilty = |m: &&Mode| m.im > fast && unstable(m, 5, h);
        let modes = self.modes[..self.count].iter().filter(guilty);
        let (mut slowest, mut fastest) = (f64::INFINITY, 0.0f64);
        for m in modes {
            (slowest, fastest) = (slowest.min(m.im), fastest.max(m.im));
        }
        if fastest == 0.0 {
            // all are resolved, for the time being
            return;
        }
        let account = &mut self.account;
        account.slowest = match account.limits {
            0 => slowest,
            _ => slowest.min(account.slowest),
        };
        account.fastest = account.fastest.max(fastest);
        account.limits += 1;
        // before a vibration has grown steps may be longer than they can stay
        self.free = self.free.min(STABLE_BELOW / fastest);
        self.enter(Phase::Limited);
        self.loss = 0.0;
    }

    /// An accepted step.
    pub(super) fn accepted(&mut self, trial: &Trial, h: f64) {
        self.averages.step(trial, h);
        (self.h, self.rate) = (h, trial.rate);
        let vibration = self.averages.vibration(trial.rate);
        if let Some(omega) = vibration {
            self.seen = omega;
        }
        match self.phase {
            Phase::Limited => {
                self.account.steps += u64::from(self.limit(h) < usize::MAX);
                self.asking = self.since_modes >= REFRESH;
                self.lose(1.0 - h / self.free);
            }
            Phase::Free | Phase::Following => {
                self.free = self.averages.progress;
                self.quiet = if trial.error() < QUIET {
                    self.quiet + 1
                } else {
                    0
                };
                if self.phase == Phase::Following && self.quiet >= WINDOW {
                    self.phase = Phase::Free;
                    self.wait /= GROWTH;
                }
                if vibration.is_some() && self.since >= self.wait {
                    self.asking = self.count == 0 || self.since_modes >= REFRESH;
                    if !self.asking {
                        self.judge();
                    }
                }
            }
        }
        self.since = self.since.saturating_add(1);
        self.since_modes = self.since_modes.saturating_add(1);
    }

    /// An attempt that gave nothing.
    pub(super) fn rejected(&mut self) {
        self.averages.attempt(0.0);
        self.since = self.since.saturating_add(1);
        if self.phase == Phase::Limited {
            self.lose(1.0);
        }
    }

    fn lose(&mut self, attempts: f64) {
        self.loss = (self.loss + attempts).max(0.0);
        // NaN must not last
        if !(self.loss <= BUDGET) {
            self.account.in_vain += 1;
            self.asking = false;
            self.enter(Phase::Following);
            self.wait_longer();
        }
    }

    fn enter(&mut self, phase: Phase) {
        self.phase = phase;
        self.since = 0;
        self.quiet = 0;
        self.averages = Averages::default();
    }

    fn wait_longer(&mut self) {
        self.since = 0;
        self.wait = (GROWTH * self.wait).clamp(WAIT, LONGEST);
    }

    /// What the watch did, in words.
    pub(super) fn notes(&self, out: &mut Vec<String>) {
        let Account {
            limits,
            in_vain,
            steps,
            slowest,
            fastest,
        } = self.account;
        if limits == 0 {
            return;
        }
        let times = |n| match n {
            1 => "once".to_string(),
            n => format!("{n} times"),
        };
        let frequencies = if fastest > 1.05 * slowest {
            format!("{slowest:.1e} to {fastest:.1e}")
        } else {
            format!("{fastest:.1e}")
        };
        let mut note = format!(
            "vibrations at {frequencies} rad/s make orders above {STABLE_ORDER} unstable: order \
             limited {}, for {steps} steps in all",
            times(limits)
        );
        if in_vain > 0 {
            note += &format!(
                "; {} in vain, because the vibrations were above the tolerance",
                times(in_vain)
            );
        }
        out.push(note);
    }

    pub(super) fn memory(&mut self, m: &mut Memory) {
        let Watch {
            phase,
            averages,
            since,
            since_modes,
            asking,
            h,
            seen,
            rate,
            modes,
            count,
            free,
            loss,
            wait,
            quiet,
            account,
        } = self;
        m.section("watch");
        let mut kind = *phase as usize;
        m.index(&mut kind, 0..=2);
        *phase = [Phase::Free, Phase::Limited, Phase::Following][kind.min(2)];
        averages.memory(m);
        for x in [since, since_modes, wait, quiet] {
            m.u32(x);
        }
        m.bool(asking);
        for x in [h, seen, rate, free, loss] {
            m.f64(x);
        }
        for mode in modes.iter_mut() {
            m.f64(&mut mode.re);
            m.f64(&mut mode.im);
        }
        m.index(count, 0..=MAX_MODES + 1);
        let Account {
            limits,
            in_vain,
            steps,
            slowest,
            fastest,
        } = account;
        m.u32(limits);
        m.u32(in_vain);
        m.u64(steps);
        m.f64(slowest);
        m.f64(fastest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::Row;

    /// A step at order 5 of a motion of rate 0.01 whose differences fall by `ratio`.
    fn trial(ratio: f64) -> Trial {
        let error = 0.1;
        Trial {
            err: [f64::INFINITY, f64::INFINITY, error, f64::INFINITY],
            difference: [
                f64::INFINITY,
                6.0 * error / ratio,
                6.0 * error,
                f64::INFINITY,
            ],
            order: 5,
            worst: Row::Position(0),
            iterations: 1,
            rate: 0.01,
        }
    }

    /// An undamped mode of frequency 0.7.
    const MODE: Mode = Mode { re: 0.0, im: 0.7 };

    /// Steps until modes are asked for, at most `n`.
    fn until_asked(watch: &mut Watch, n: u32, trial: &Trial, h: f64) -> Option<u32> {
        (0..n).find(|_| {
            watch.accepted(trial, h);
            watch.wants_modes()
        })
    }

    fn limited(modes: &[Mode], complete: bool) -> Watch {
        let mut watch = Watch::default();
        until_asked(&mut watch, 100, &trial(0.7), 1.0).unwrap();
        watch.hear(Modes {
            found: modes,
            complete,
        });
        watch
    }

    #[test]
    fn a_fast_vibration_is_suspicious_at_once() {
        let mut watch = Watch::default();
        let asked = until_asked(&mut watch, 100, &trial(0.7), 1.0);
        assert_eq!(asked, Some(WINDOW - 1));
    }

    #[test]
    fn resolved_or_slow_motion_is_not() {
        let mut watch = Watch::default();
        assert_eq!(until_asked(&mut watch, 1000, &trial(0.4), 1.0), None);
        let slow = Trial {
            rate: 0.1,
            ..trial(0.7)
        };
        assert_eq!(until_asked(&mut watch, 1000, &slow, 1.0), None);
        let mut notes = Vec::new();
        watch.notes(&mut notes);
        assert!(notes.is_empty());
    }

    #[test]
    fn orders_follow_the_modes_and_the_step() {
        let watch = limited(&[MODE], true);
        let theta = |x: f64| watch.limit(x / 0.7);
        assert_eq!(theta(0.2), usize::MAX);
        assert_eq!(
            [0.5, 1.9, 2.0, 4.6, 4.8, 9.3].map(theta),
            [2, 2, 3, 3, 4, 4]
        );
        assert_eq!(theta(9.5), usize::MAX);
    }

    #[test]
    fn without_a_guilty_mode_nothing_is_limited_unless_some_may_be_missing() {
        let slow = Mode { re: 0.0, im: 0.1 };
        let damped = Mode { re: -0.07, im: 0.7 };
        let modes = [slow, damped];
        assert_eq!(limited(&modes, true).limit(1.0), usize::MAX);
        assert_eq!(limited(&modes, false).limit(1.0), 2);
    }

    #[test]
    fn a_limit_that_does_not_pay_is_given_up_and_tried_less_often() {
        let mut watch = Watch::default();
        let mut last = 0;
        for _ in 0..4 {
            let waited = (0..20_000).find(|_| {
                watch.accepted(&trial(0.7), 1.0);
                if watch.wants_modes() {
                    watch.hear(Modes {
                        found: &[MODE],
                        complete: true,
                    });
                }
                watch.phase == Phase::Limited
            });
            let waited = waited.unwrap();
            assert!(waited > 2 * last, "{waited} after {last}");
            last = waited;
            assert_eq!(watch.longest_step(), f64::INFINITY);
            // half the progress
            let tried = (0..1000).find(|_| {
                watch.accepted(&trial(0.7), 0.5);
                watch.phase != Phase::Limited
            });
            assert_eq!(tried, Some(2 * BUDGET as u32));
            assert_eq!(watch.longest_step(), STABLE_BELOW / 0.7);
        }
        let mut notes = Vec::new();
        watch.notes(&mut notes);
        assert!(notes[0].contains("4 times in vain"), "{notes:?}");
    }

    #[test]
    fn what_has_died_out_is_not_followed() {
        let mut watch = limited(&[MODE], true);
        for _ in 0..=BUDGET as u32 {
            watch.rejected();
        }
        assert_eq!(watch.phase, Phase::Following);
        let mut quiet = trial(0.1);
        quiet.err[2] = 1e-3;
        for _ in 0..WINDOW {
            watch.accepted(&quiet, 0.9);
        }
        assert_eq!(watch.longest_step(), f64::INFINITY);
    }

    #[test]
    fn a_limit_that_pays_stays_and_is_told() {
        let mut watch = limited(&[MODE], true);
        for _ in 0..REFRESH {
            watch.accepted(&trial(0.3), 2.0);
        }
        assert_eq!(watch.limit(2.0), 2);
        assert!(!watch.wants_modes());
        watch.accepted(&trial(0.3), 2.0);
        assert!(watch.wants_modes());
        let mut notes = Vec::new();
        watch.notes(&mut notes);
        let told = "vibrations at 7.0e-1 rad/s make orders above 2 unstable: order limited once, \
                    for 1001 steps in all";
        assert_eq!(notes, [told]);
    }

    #[test]
    fn numbers_that_are_none_do_no_harm() {
        let mut watch = limited(&[MODE], true);
        for error in [f64::NAN, 0.0, f64::INFINITY] {
            let mut t = trial(0.7);
            t.err = [error; 4];
            t.difference = [error; 4];
            for h in [1.0, 0.0, f64::NAN] {
                for _ in 0..200 {
                    watch.accepted(&t, h);
                    watch.rejected();
                }
                watch.hear(Modes {
                    found: &[Mode {
                        re: f64::NAN,
                        im: f64::NAN,
                    }],
                    complete: false,
                });
                assert!(watch.limit(1.0) >= 2);
            }
        }
    }
}
