//! Whether the rate of earlier solves may vouch for a single iteration.
//!
//! On kept factors convergence is linear, and a first correction `d` leaves `rho / (1 - rho) |d|`. The
//! rate `rho` is known from earlier solves only. So it is believed for a while, and for longer the more
//! often a second iteration has confirmed it: 1, 3, 7, .. solves. Only solves on kept factors are
//! measured: the rate of new ones tells nothing of them grown old. Factors recombined from kept blocks
//! may be trusted like old ones, they are better.
//!
//! What an iteration leaves enters the next predictions, multiplied by up to 20 at order 5 (binomials are
//! the coefficients of a predictor, `C(6, 3)` the largest there). At rates
//! above a twentieth it would grow from step to step, and so may a part of the motion that old
//! factors correct badly, beginning with rounding, long before it shows in the size of
//! corrections. It shows in the rate: one that has grown since the last check is not believed. Nor is
//! that of a step which was rejected, perhaps for what an iteration has left.

use crate::memory::Memory;

/// Error, as a share of the tolerance, that a single iteration may leave: as much as two.
const LEAVES: f64 = 1e-2;
/// Largest rate that is believed: what a single iteration leaves must not grow by the next predictions.
const LARGEST: f64 = 5e-2;
/// A second correction that is larger than expected by this factor shows that the rate has changed.
const CHANGED: f64 = 2.0;
/// Growth of the rate from check to check beyond its fluctuations. That of a driven hinge whose normals had
/// turned by a radian grew by 5 to 30 in every step, from 1e-12 to 1.
const GROWN: f64 = 4.0;
/// Share of the largest rate that is remembered at each check: those of 14 pendulums scatter between 1e-6
/// and 2e-4 from one to the next.
const REMEMBERED: f64 = 0.5;
/// Single iterations between two checks, at most: checks cost 3 % of the iterations then.
const LONGEST: u32 = 32;

/// See the [module](self).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Trust {
    /// Single iterations allowed until the next check.
    allowed: u32,
    /// Single iterations since the last one.
    taken: u32,
    /// The largest rate lately; 0: unknown.
    rate: f64,
    /// Whether the step of the last solve has not been accepted, so far.
    open: bool,
}

impl Trust {
    /// A solve begins.
    pub(super) fn begin(&mut self) {
        if self.open {
            *self = Trust::default();
        }
        self.open = true;
    }

    /// The step of the last solve was accepted.
    pub(super) fn step_accepted(&mut self) {
        self.open = false;
    }

    /// All blocks are new.
    pub(super) fn renew(&mut self) {
        (self.allowed, self.taken, self.rate) = (0, 0, 0.0);
    }

    /// The rate, where it is believed.
    pub(super) fn believed(&self) -> Option<f64> {
        (self.taken < self.allowed).then_some(self.rate)
    }

    /// Whether single iterations may come of it, so that refined solves are worth their sweeps.
    pub(super) fn is_within_reach(&self) -> bool {
        // the remembered share of such a rate is believed
        REMEMBERED * self.rate <= LARGEST
    }

    /// What a first correction is expected to leave at a rate that is not large.
    fn left(&self, d: f64) -> f64 {
        self.rate / (1.0 - self.rate.min(LARGEST)) * d
    }

    /// Whether a single iteration with this correction is enough.
    pub(super) fn accepts(&mut self, d: f64) -> bool {
        let enough = self.believed().is_some() && self.left(d) <= LEAVES;
        self.taken += u32::from(enough);
        enough
    }

    /// Enters the first two corrections of a solve on kept factors.
    pub(super) fn check(&mut self, first: f64, second: f64) {
        let rate = second / first;
        let as_expected = second <= LEAVES.max(CHANGED * self.left(first));
        let steady = self.rate == 0.0 || rate <= GROWN * self.rate;
        self.rate = rate.max(REMEMBERED * self.rate);
        self.taken = 0;
        self.allowed = match as_expected && steady && self.rate <= LARGEST {
            true => (2 * self.allowed + 1).min(LONGEST),
            false => 0,
        };
    }

    /// Saves or restores what is believed.
    pub(super) fn memory(&mut self, m: &mut Memory) {
        let Trust {
            allowed,
            taken,
            rate,
            open,
        } = self;
        m.u32(allowed);
        m.u32(taken);
        m.f64(rate);
        m.bool(open);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Accepted single iterations with a correction until the next check.
    fn singles(trust: &mut Trust, d: f64) -> u32 {
        let mut n = 0;
        loop {
            trust.begin();
            if !trust.accepts(d) {
                return n;
            }
            trust.step_accepted();
            n += 1;
        }
    }

    /// A second iteration and an accepted step.
    fn check(trust: &mut Trust, first: f64, second: f64) {
        trust.begin();
        trust.check(first, second);
        trust.step_accepted();
    }

    fn grown() -> Trust {
        let mut trust = Trust::default();
        for _ in 0..4 {
            check(&mut trust, 1.0, 5e-3);
        }
        trust
    }

    #[test]
    fn trust_grows_with_every_check_up_to_a_limit() {
        let mut trust = Trust::default();
        let mut seen = Vec::new();
        for _ in 0..7 {
            seen.push(singles(&mut trust, 1.0));
            trust.step_accepted();
            check(&mut trust, 1.0, 5e-3);
        }
        assert_eq!(seen, [0, 1, 3, 7, 15, 31, 32]);
    }

    #[test]
    fn what_ends_it() {
        let mut wrong = grown();
        check(&mut wrong, 10.0, 0.3);
        assert_eq!(singles(&mut wrong, 0.1), 0);
        let mut growing = grown();
        check(&mut growing, 1e-3, 1e-4);
        assert_eq!(singles(&mut growing, 0.1), 0);
        let mut rejected = grown();
        rejected.begin();
        assert!(rejected.accepts(1.0));
        assert_eq!(singles(&mut rejected, 1.0), 0);
        let mut renewed = grown();
        renewed.renew();
        assert_eq!(singles(&mut renewed, 1.0), 0);
    }

    /// However small the correction.
    #[test]
    fn a_large_rate_is_not_believed() {
        let mut trust = Trust::default();
        for _ in 0..4 {
            check(&mut trust, 1e-3, 1e-4);
        }
        assert_eq!(singles(&mut trust, 1e-3), 0);
    }

    /// More than a single iteration may leave is no reason to doubt the rate.
    #[test]
    fn large_corrections_only_take_a_second_iteration() {
        let mut trust = grown();
        assert_eq!(singles(&mut trust, 10.0), 0);
        trust.step_accepted();
        check(&mut trust, 10.0, 0.05);
        assert_eq!(singles(&mut trust, 1.0), 31);
    }
}
