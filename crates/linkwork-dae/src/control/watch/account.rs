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
    /// A look at vibrations of these frequencies.
    pub(super) fn vibrations(&mut self, slowest: f64, fastest: f64) {
        self.slowest = match self.fastest > 0.0 {
            true => slowest.min(self.slowest),
            false => slowest,
        };
        self.fastest = self.fastest.max(fastest);
    }

    /// The order is limited.
    pub(super) fn limit(&mut self) {
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
        if fastest == 0.0 {
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
        note += &match limits {
            0 => format!("step limited to follow them; order {STABLE_ORDER} would be slower"),
            n => format!("order limited {}, for {steps} steps in all", times(n)),
        };
        if in_vain > 0 {
            let vain = times(in_vain);
            note += &format!("; {vain} in vain, because they had to be followed");
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
