//! What the watch did, for the end of a run.

use super::lobes::STABLE_ORDER;
use crate::memory::Memory;

/// Steps and the frequencies behind them.
#[derive(Clone, Debug, Default)]
pub(super) struct Account {
    /// Steps whose order, and whose length, was limited.
    limited: u64,
    followed: u64,
    /// Slowest and fastest frequency that a decision was about.
    slowest: f64,
    fastest: f64,
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

    /// A step whose order was limited.
    pub(super) fn limit(&mut self) {
        self.limited += 1;
    }

    /// A step that was limited to follow.
    pub(super) fn follow(&mut self) {
        self.followed += 1;
    }

    /// In words; none if nothing was done.
    pub(super) fn note(&self) -> Option<String> {
        let Account {
            limited,
            followed,
            slowest,
            fastest,
        } = *self;
        let frequencies = if fastest > 1.05 * slowest {
            format!("{slowest:.1e} to {fastest:.1e}")
        } else {
            format!("{fastest:.1e}")
        };
        let order = format!("order limited for {limited} steps");
        let step = format!("length limited to follow them for {followed} steps");
        let what = match (limited > 0, followed > 0) {
            (false, false) => return None,
            (true, false) => order,
            (false, true) => step,
            (true, true) => format!("{order}, {step}"),
        };
        Some(format!(
            "vibrations at {frequencies} rad/s make orders above {STABLE_ORDER} unstable: {what}"
        ))
    }

    pub(super) fn memory(&mut self, m: &mut Memory) {
        let Account {
            limited,
            followed,
            slowest,
            fastest,
        } = self;
        m.u64(limited);
        m.u64(followed);
        m.f64(slowest);
        m.f64(fastest);
    }
}
