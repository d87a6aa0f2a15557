//! Stability watch: keeps backward differentiation at order 2 where higher orders are unstable.
//!
//! ```text
//!  root of order k for x' = i omega x, theta = omega h:   |r| = 1 + c_k theta^p + ..
//!  k = 1, 2: |r| < 1 for every theta;    k = 3, 4, 5: |r| > 1 up to theta = 1.9, 4.7, 9.7
//! ```
//!
//! A vibration too fast to matter, `omega h > 1` at the step that accuracy allows, grows at orders
//! above 2 until the error test sees it, and the step settles at the stability bound
//! (`theta` = 0.5 to 1) instead. Nothing in the error estimates tells: they are small, and fall with
//! the order. The bound shows in the ratio of successive differences, which for one vibration is
//! `|D_{k+1}| / |D_k| = 2 sin(theta/2)`; a motion resolved to the tolerance `tol` has
//! `theta = (6 tol)^(1/6)` at order 5. (Hindmarsh 1992 estimates the root of the growing mode from
//! the same differences, which a maximum norm spoils.)
//!
//! A large ratio over many steps of steady size is therefore a suspicion, and no more: a vibration
//! that is above the tolerance looks the same. So the limit is tried. Time gained per attempt is
//! compared with what it was, and the limit stays while it pays; from time to time higher orders
//! are tried again, because beyond their bound (`theta` > 10) they are stable.
//!
//! Bad at: suspicion takes some fifty steps, so shorter runs never see the limit.

use crate::memory::Memory;
use crate::stepper::Trial;

/// The highest order that is stable on the whole imaginary axis.
const STABLE_ORDER: usize = 2;
/// Steady steps that make a suspicion.
const STRETCH: u32 = 40;
/// Steps are steady within this ratio.
const STEADY: f64 = 2.0;
/// Least geometric mean of the ratio of successive differences under suspicion. The swinging pendulum and the
/// seven-body mechanism, whose steps are not steady, come up to 0.6 at tolerance 1e-3.
const SUSPICIOUS: f64 = 0.55;
/// Attempts over which progress is measured.
const SEGMENT: u32 = 20;
/// Segments at order 1 that begin a trial: it damps by `theta^2/2` a step, order 2 by `theta^4/4`.
const BURST: u32 = 2;
/// Segments that a limit is given to pay. At order 2 the step grows as the vibration dies; from
/// `theta` = 0.4 it takes a hundred steps.
const TRIAL: u32 = 6;
/// Share of the former progress below which a limit is given up early: the vibration is real.
const HOPELESS: f64 = 0.25;
/// Segments to wait after a limit that did not pay, at first; doubles each time.
const WAIT: u32 = 2;
/// Segments after which a limit that pays is lifted for a try, at first; doubles each time.
const PAUSE: u32 = 3;
/// Longest wait and pause.
const LONGEST: u32 = 200;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Mode {
    /// All orders.
    Free,
    /// Up to order 2; `free` is the progress before.
    Trial { free: f64 },
    /// Up to order 2, which pays.
    Limited { free: f64 },
    /// All orders again, as long as progress is above that at the limit.
    Probe { free: f64, limited: f64 },
}

impl Mode {
    fn memory(&mut self, m: &mut Memory) {
        let (mut kind, mut rates) = match *self {
            Mode::Free => (0, [0.0; 2]),
            Mode::Trial { free } => (1, [free, 0.0]),
            Mode::Limited { free } => (2, [free, 0.0]),
            Mode::Probe { free, limited } => (3, [free, limited]),
        };
        m.index(&mut kind, 0..=3);
        m.slice(&mut rates);
        let [free, limited] = rates;
        *self = match kind {
            0 => Mode::Free,
            1 => Mode::Trial { free },
            2 => Mode::Limited { free },
            _ => Mode::Probe { free, limited },
        };
    }
}

/// Progress in time over attempts.
#[derive(Clone, Copy, Debug, Default)]
struct Progress {
    attempts: u32,
    time: f64,
}

impl Progress {
    fn add(&mut self, time: f64) {
        self.attempts += 1;
        self.time += time;
    }

    fn memory(&mut self, m: &mut Memory) {
        let Progress { attempts, time } = self;
        m.u32(attempts);
        m.f64(time);
    }

    fn rate(&self) -> f64 {
        self.time / f64::from(self.attempts.max(1))
    }
}

/// Accepted steps of steady size.
#[derive(Clone, Copy, Debug, Default)]
struct Stretch {
    steps: u32,
    /// Those above order 2.
    high: u32,
    /// Product of the ratios of successive differences.
    ratios: f64,
    smallest: f64,
    largest: f64,
    progress: Progress,
}

impl Stretch {
    fn lengthen(&mut self, trial: &Trial, h: f64) {
        let k = trial.order;
        if k < STABLE_ORDER {
            return;
        }
        (self.smallest, self.largest) = (self.smallest.min(h), self.largest.max(h));
        if self.steps == 0 || self.largest > STEADY * self.smallest {
            *self = Stretch {
                smallest: h,
                largest: h,
                ratios: 1.0,
                ..Stretch::default()
            };
        }
        // D_{k+1} / D_k: errors carry the factors 1/(j+1)
        let ratio = (k + 1) as f64 * trial.error() / (k as f64 * trial.error_at(k - 1));
        let ratio = if ratio > 0.1 { ratio.min(10.0) } else { 0.1 };
        self.steps += 1;
        self.high += u32::from(k > STABLE_ORDER);
        self.ratios *= ratio;
    }

    fn memory(&mut self, m: &mut Memory) {
        let Stretch {
            steps,
            high,
            ratios,
            smallest,
            largest,
            progress,
        } = self;
        m.u32(steps);
        m.u32(high);
        for x in [ratios, smallest, largest] {
            m.f64(x);
        }
        progress.memory(m);
    }

    /// Judges a full stretch; the next one begins anew.
    fn suspicious(&mut self) -> bool {
        if self.steps < STRETCH {
            return false;
        }
        self.steps = 0;
        self.ratios > SUSPICIOUS.powi(STRETCH as i32) && 4 * self.high > STRETCH
    }
}

/// See the [module](self).
#[derive(Clone, Debug)]
pub(super) struct Watch {
    mode: Mode,
    stretch: Stretch,
    segment: Progress,
    /// Segments in this mode.
    segments: u32,
    /// Segments that mode `Free` lasts at least, and that `Limited` lasts.
    wait: u32,
    pause: u32,
    lowered: u32,
    limited_steps: u64,
}

impl Default for Watch {
    fn default() -> Watch {
        Watch {
            mode: Mode::Free,
            stretch: Stretch::default(),
            segment: Progress::default(),
            segments: 0,
            wait: 0,
            pause: PAUSE,
            lowered: 0,
            limited_steps: 0,
        }
    }
}

impl Watch {
    /// The highest order to use.
    pub(super) fn limit(&self) -> usize {
        match self.mode {
            Mode::Free | Mode::Probe { .. } => usize::MAX,
            Mode::Trial { .. } if self.segments < BURST => 1,
            Mode::Trial { .. } | Mode::Limited { .. } => STABLE_ORDER,
        }
    }

    /// Begins anew with another motion; keeps the account.
    pub(super) fn restart(&mut self) {
        *self = Watch {
            lowered: self.lowered,
            limited_steps: self.limited_steps,
            ..Watch::default()
        };
    }

    /// An accepted step.
    pub(super) fn accepted(&mut self, trial: &Trial, h: f64) {
        match self.mode {
            Mode::Free => {
                self.stretch.lengthen(trial, h);
                self.stretch.progress.add(h);
                if self.stretch.suspicious() && self.segments >= self.wait {
                    let free = self.stretch.progress.rate();
                    return self.enter(Mode::Trial { free });
                }
            }
            Mode::Probe { .. } => {}
            Mode::Trial { .. } | Mode::Limited { .. } => self.limited_steps += 1,
        }
        self.advance(h);
    }

    /// An attempt that gave nothing.
    pub(super) fn rejected(&mut self) {
        self.stretch.progress.add(0.0);
        self.advance(0.0);
    }

    /// What the watch did, in words.
    pub(super) fn notes(&self, out: &mut Vec<String>) {
        if self.lowered > 0 {
            out.push(format!(
                "fast vibrations made orders above {STABLE_ORDER} unstable: order limited {}, for \
                 {} steps in all",
                match self.lowered {
                    1 => "once".to_string(),
                    n => format!("{n} times"),
                },
                self.limited_steps
            ));
        }
    }

    pub(super) fn memory(&mut self, m: &mut Memory) {
        let Watch {
            mode,
            stretch,
            segment,
            segments,
            wait,
            pause,
            lowered,
            limited_steps,
        } = self;
        m.section("watch");
        mode.memory(m);
        stretch.memory(m);
        segment.memory(m);
        for count in [segments, wait, pause, lowered] {
            m.u32(count);
        }
        m.u64(limited_steps);
    }

    fn enter(&mut self, mode: Mode) {
        self.lowered += u32::from(matches!(mode, Mode::Trial { .. }));
        self.mode = mode;
        self.stretch = Stretch::default();
        self.segment = Progress::default();
        self.segments = 0;
    }

    /// Counts an attempt; decides at the end of a segment.
    fn advance(&mut self, time: f64) {
        self.segment.add(time);
        if self.segment.attempts < SEGMENT {
            return;
        }
        let rate = std::mem::take(&mut self.segment).rate();
        self.segments += 1;
        match self.mode {
            Mode::Free => {}
            Mode::Trial { free } => {
                if rate > free {
                    self.enter(Mode::Limited { free });
                } else if self.segments >= TRIAL || self.segments > BURST && rate < HOPELESS * free
                {
                    self.wait = (2 * self.wait).clamp(WAIT, LONGEST);
                    self.enter(Mode::Free);
                }
            }
            Mode::Limited { free } => {
                if rate < free {
                    self.enter(Mode::Free);
                } else if self.segments >= self.pause {
                    let limited = rate;
                    self.pause = (2 * self.pause).min(LONGEST);
                    self.enter(Mode::Probe { free, limited });
                }
            }
            Mode::Probe { free, limited } => {
                if rate < limited {
                    self.lowered += 1;
                    self.enter(Mode::Limited { free });
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::Row;

    /// A step at order 5 whose differences fall by `ratio`.
    fn trial(ratio: f64) -> Trial {
        let error = 0.1;
        Trial {
            err: [
                f64::INFINITY,
                6.0 / 5.0 * error / ratio,
                error,
                f64::INFINITY,
            ],
            difference: [f64::INFINITY; 4],
            order: 5,
            worst: Row::Position(0),
            iterations: 1,
        }
    }

    /// Steps until the limit comes, at most `n`.
    fn until_limited(watch: &mut Watch, n: u32, ratio: f64, h: impl Fn(u32) -> f64) -> Option<u32> {
        (0..n).find(|&i| {
            watch.accepted(&trial(ratio), h(i));
            watch.limit() < 5
        })
    }

    #[test]
    fn large_ratios_at_a_steady_step_are_suspicious() {
        let mut watch = Watch::default();
        assert_eq!(
            until_limited(&mut watch, 100, 0.7, |_| 1.0),
            Some(STRETCH - 1)
        );
        assert_eq!(watch.limit(), 1);
    }

    #[test]
    fn resolved_or_unsteady_motion_is_not() {
        let mut watch = Watch::default();
        assert_eq!(until_limited(&mut watch, 1000, 0.4, |_| 1.0), None);
        let unsteady = |i: u32| 1.0 + 2.0 * f64::from(i % 30) / 30.0;
        assert_eq!(until_limited(&mut watch, 1000, 0.9, unsteady), None);
        let mut notes = Vec::new();
        watch.notes(&mut notes);
        assert!(notes.is_empty());
    }

    #[test]
    fn a_limit_that_does_not_pay_is_given_up_and_tried_less_often() {
        let mut watch = Watch::default();
        let mut last = 0;
        for _ in 0..4 {
            let waited = until_limited(&mut watch, 2000, 0.7, |_| 1.0).unwrap();
            assert!(waited >= last, "{waited} after {last}");
            last = waited;
            let tried = (0..1000).find(|_| {
                watch.accepted(&trial(0.7), 0.1);
                watch.limit() > 5
            });
            assert!(tried.unwrap() < TRIAL * SEGMENT);
        }
        assert!(last > 3 * STRETCH, "{last}");
    }

    #[test]
    fn a_limit_that_pays_stays_but_for_probes() {
        let mut watch = Watch::default();
        until_limited(&mut watch, 100, 0.7, |_| 1.0).unwrap();
        let limited = (0..2000).filter(|_| {
            let free = watch.limit() > 5;
            watch.accepted(&trial(0.7), if free { 1.0 } else { 3.0 });
            !free
        });
        let limited = limited.count();
        assert!((1800..2000).contains(&limited), "{limited}");
        let mut notes = Vec::new();
        watch.notes(&mut notes);
        assert_eq!(notes.len(), 1);
    }

    #[test]
    fn numbers_that_are_none_do_no_harm() {
        let mut watch = Watch::default();
        for error in [f64::NAN, 0.0, f64::INFINITY] {
            let mut t = trial(0.7);
            t.err = [error; 4];
            for _ in 0..200 {
                watch.accepted(&t, 1.0);
                watch.rejected();
            }
        }
    }
}
