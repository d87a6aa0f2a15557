//! What the watch did, for the end of a run.

use super::lobes::STABLE_ORDER;
use crate::memory::Memory;

/// Counters and the frequencies behind them.
#[derive(Clone, Debug, Default)]
pub(super) struct Account {
    limits: u32,
    in_vain: u32,
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
    /// The order is limited because of vibrations of these frequencies.
    pub(super) fn limit(&mut self, slowest: f64, fastest: f64) {
        self.slowest = match self.limits {
            0 => slowest,
            _ => slowest.min(self.slowest),
        };
        self.fastest = self.fastest.max(fastest);
        self.limits += 1;
    }

    /// The limit did not pay.
    pub(super) fn in_vain(&mut self) {
        self.in_vain += 1;
    }

    /// A step whose order was limited.
    pub(super) fn limited_step(&mut self) {
        self.steps += 1;
    }

    /// In words; none if nothing was done.
    pub(super) fn note(&self) -> Option<String> {
        let Account {
            limits,
            in_vain,
            steps,
            slowest,
            fastest,
        } = *self;
        if limits == 0 {
            return None;
        }
        let frequencies = if fastest > 1.05 * slowest {
            format!("{slowest:.1e} to {fastest:.1e}")
        } else {
            format!("{fastest:.1e}")
        };
        let mut note = format!(
            "vibrations at {frequencies} rad/s make orders above {STABLE_ORDER} unstable: order limited {}, for {steps} steps \
             in all",
            times(limits)
        );
        if in_vain > 0 {
            note += &format!(
                "; {} in vain, because they had to be followed",
                times(in_vain)
            );
        }
        Some(note)
    }

    pub(super) fn memory(&mut self, m: &mut Memory) {
        let Account {
            limits,
            in_vain,
            steps,
            slowest,
            fastest,
        } = self;
        for x in [limits, in_vain] {
            m.u32(x);
        }
        m.u64(steps);
        m.f64(slowest);
        m.f64(fastest);
    }
}
