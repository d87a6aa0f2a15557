//! What the watch did, for the end of a run.

use super::lobes::STABLE_ORDER;
use crate::memory::Memory;

/// Counters and the frequencies behind them.
#[derive(Clone, Debug, Default)]
pub(super) struct Account {
    limits: u32,
    without_effect: u32,
    followed: u32,
    steps: u64,
    /// Slowest and fastest frequency that a decision was about.
    slowest: f64,
    fastest: f64,
}

fn times(n: u32) -> String {
    match n {
        1 => "once".to_string(),
        n => format!("{n} times"),
    }
}

impl Account {
    /// A decision about vibrations of these frequencies.
    pub(super) fn vibrations(&mut self, slowest: f64, fastest: f64) {
        self.slowest = match self.limits + self.followed {
            0 => slowest,
            _ => slowest.min(self.slowest),
        };
        self.fastest = self.fastest.max(fastest);
    }

    /// The order is limited.
    pub(super) fn limit(&mut self) {
        self.limits += 1;
    }

    /// Vibrations are followed without a try at a lower order.
    pub(super) fn follow(&mut self) {
        self.followed += 1;
    }

    /// The limit did not pay.
    pub(super) fn without_effect(&mut self) {
        self.without_effect += 1;
    }

    /// A step whose order was limited.
    pub(super) fn limited_step(&mut self) {
        self.steps += 1;
    }

    /// In words; none if nothing was done.
    pub(super) fn note(&self) -> Option<String> {
        let Account {
            limits,
            without_effect,
            followed,
            steps,
            slowest,
            fastest,
        } = *self;
        if limits + followed == 0 {
            return None;
        }
        let frequencies = if fastest > 1.05 * slowest {
            format!("{slowest:.1e} to {fastest:.1e}")
        } else {
            format!("{fastest:.1e}")
        };
        let mut note = format!(
            "vibrations at {frequencies} rad/s make orders above {STABLE_ORDER} unstable: "
        );
        if limits > 0 {
            let limits = times(limits);
            note += &format!("order limited {limits}, for {steps} steps in all");
            if without_effect > 0 {
                note += &format!(
                    "; {} in vain, because they had to be followed",
                    times(without_effect)
                );
            }
        }
        if limits == 0 {
            note += &format!(
                "step limited to follow them; order {STABLE_ORDER} would have been in vain"
            );
        }
        Some(note)
    }

    pub(super) fn memory(&mut self, m: &mut Memory) {
        let Account {
            limits,
            without_effect,
            followed,
            steps,
            slowest,
            fastest,
        } = self;
        for x in [limits, without_effect, followed] {
            m.u32(x);
        }
        m.u64(steps);
        m.f64(slowest);
        m.f64(fastest);
    }
}
