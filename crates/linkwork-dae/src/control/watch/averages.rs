//! Averages over the last steps: what differences tell about a vibration.

use super::lobes::STABLE_ORDER;
use crate::memory::Memory;
use crate::stepper::Trial;

/// Steps that averages reach back.
pub(super) const WINDOW: u32 = 12;
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

/// Over steps above order 2.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Averages {
    steps: u32,
    /// Ratio of successive differences and the frequency it stands for.
    ratio: f64,
    omega: f64,
}

impl Averages {
    pub(super) fn step(&mut self, trial: &Trial, h: f64) {
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
    pub(super) fn vibration(&self, rate: f64) -> Option<f64> {
        let seen = self.steps == WINDOW && self.ratio > SUSPICIOUS && self.omega > FAST * rate;
        seen.then_some(self.omega)
    }

    pub(super) fn memory(&mut self, m: &mut Memory) {
        let Averages {
            steps,
            ratio,
            omega,
        } = self;
        m.u32(steps);
        for x in [ratio, omega] {
            m.f64(x);
        }
    }
}
