//! Tells whether an explicit method is held back by stability instead of accuracy.
//!
//! Two points `y`, `y + d` of one step at the same time show the fastest rate of the system,
//! because at the limit of stability their difference is made of the fastest modes (Hairer &
//! Wanner 1996, IV.2). In mechanics the ratio `|f(y+d) - f(y)| / |d|` depends on the unit of time,
//! so the rate is taken from the second-order form instead. A vibration has `|da| = w^2 |dq|`, a
//! strongly damped mode `|da| = r |dv|` and `|dv| = r |dq|`; both have
//!
//! ```text
//!  |lambda| = min( |da| / |dv|, sqrt(|da| / |dq|) )
//! ```
//!
//! up to the phase of the vibration, and slow modes in the difference only make it smaller.

use crate::memory::Memory;
use crate::state::{Weights, norm};

/// Steps at the limit before the system counts as stiff.
const STRIKES: u32 = 15;
/// Calm steps that clear the record.
const CALM: u32 = 6;

/// A stiff system, with the evidence.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Finding {
    t: f64,
    h: f64,
    rate: f64,
    strikes: u32,
}

impl Finding {
    fn memory(finding: &mut Option<Finding>, m: &mut Memory) {
        let mut found = finding.is_some();
        m.bool(&mut found);
        let mut it = finding.unwrap_or(Finding {
            t: 0.0,
            h: 0.0,
            rate: 0.0,
            strikes: 0,
        });
        let Finding {
            t,
            h,
            rate,
            strikes,
        } = &mut it;
        for x in [t, h, rate] {
            m.f64(x);
        }
        m.u32(strikes);
        *finding = found.then_some(it);
    }
}

/// Counts steps at the limit of stability.
#[derive(Debug, Default)]
pub(super) struct Stiffness {
    strikes: u32,
    calm: u32,
    patience: u32,
    finding: Option<Finding>,
    difference: Vec<f64>,
    rates: Vec<f64>,
}

impl Stiffness {
    pub fn memory(&mut self, m: &mut Memory) {
        let Stiffness {
            strikes,
            calm,
            patience,
            finding,
            difference: _,
            rates: _,
        } = self;
        for count in [strikes, calm, patience] {
            m.u32(count);
        }
        Finding::memory(finding, m);
    }

    /// Makes room for `n` unknowns and forgets; `patience` steps at the limit are evidence.
    pub fn reset(&mut self, n: usize, patience: Option<u32>) {
        *self = Stiffness {
            patience: patience.unwrap_or(STRIKES),
            difference: vec![0.0; n],
            rates: vec![0.0; n],
            ..Stiffness::default()
        };
    }

    /// The fastest rate that two points and their rates of change show; 0 if they show none.
    pub fn rate(&mut self, y: [&[f64]; 2], f: [&[f64]; 2], w: &Weights) -> f64 {
        for (d, (a, b)) in self.difference.iter_mut().zip(y[0].iter().zip(y[1])) {
            *d = a - b;
        }
        for (d, (a, b)) in self.rates.iter_mut().zip(f[0].iter().zip(f[1])) {
            *d = a - b;
        }
        let nv = w.q.len();
        // positions, velocities and accelerations in the same weights: only rates are left
        let dq = norm(&self.difference[..nv], &w.q);
        let dv = norm(&self.difference[nv..2 * nv], &w.q);
        let da = norm(&self.rates[nv..2 * nv], &w.q);
        let mechanical = (da / dv).min((da / dq).sqrt());
        let dx = norm(&self.difference[2 * nv..], &w.x);
        let dxdot = norm(&self.rates[2 * nv..], &w.x);
        let of_states = if dx > 0.0 { dxdot / dx } else { 0.0 };
        let rate = if mechanical > of_states {
            mechanical
        } else {
            of_states
        };
        if rate.is_finite() { rate } else { 0.0 }
    }

    /// Hears about an accepted step.
    pub fn step(&mut self, t: f64, h: f64, rate: f64, at_limit: bool) {
        if at_limit {
            self.strikes += 1;
            self.calm = 0;
            if self.strikes >= self.patience && self.finding.is_none() {
                self.finding = Some(Finding {
                    t,
                    h,
                    rate,
                    strikes: self.strikes,
                });
            }
        } else {
            self.calm += 1;
            if self.calm >= CALM {
                self.strikes = 0;
            }
        }
    }

    /// The finding in words.
    pub fn note(&self, out: &mut Vec<String>) {
        if let Some(Finding {
            t,
            h,
            rate,
            strikes,
        }) = self.finding
        {
            out.push(format!(
                "this system is stiff; use an implicit method, such as bdf. At t = {t:.6} s stability had limited \
                 {strikes} steps: h |lambda| = {:.2} with h = {h:.2e} s, |lambda| = {rate:.2e} 1/s",
                h * rate
            ));
        }
    }
}
