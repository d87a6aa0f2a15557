//! What another run tells of one.
//!
//! Steps of a method of order `p` whose local error, `h^(p+1)`, is held at the tolerance leave a global one of `h^p`
//! (Hairer, Norsett & Wanner 1993, II.4), so that the distance of two runs that are `k` tens of tolerance apart tells the
//! error of the tighter one:
//!
//! ```text
//!  e(rtol) ~ rtol^q,   q = p/(p + 1)       d = |y(10^k rtol) - y(rtol)| = (10^(q k) - 1) e(rtol)
//! ```
//!
//! Nothing of that is taken for granted of what is promised: if errors did not fall with the tolerance at all they
//! would be as large as `d`. Two distances tell `q` as it really is. A run that is nearly the truth, tighter and made in
//! another way, needs no law: its distance is the error.

use super::distance::Distance;
use super::growth::Way;
use super::{Growth, PARTED};
use crate::run::Run;

/// A ten of tolerance.
pub(super) const RATIO: f64 = 10.0;
/// `p/(p + 1)` for order 5: the automatic choice takes none that is lower for long.
const POWER: f64 = 5.0 / 6.0;
/// What two distances tell of an error is right within half a ten: they are those of single ends.
const MARGIN: f64 = 3.2;
/// An error of so many tolerances is what tighter runs aim at.
const AIM: f64 = 10.0;

/// See the [module](self).
pub(super) struct Found {
    pub distance: Distance,
    /// The part of the distance that is the error of the run, and the part that it is at most.
    share: f64,
    sure: f64,
    /// The companion in words.
    pub companion: String,
    /// By how many tens it is looser; none where it is nearly the truth.
    tens: Option<f64>,
}

impl Found {
    /// From a run that is nearly the truth.
    pub fn beside(distance: Distance, other: &Run) -> Found {
        Found {
            distance,
            share: 1.0,
            sure: 1.0,
            companion: super::words(&other.options),
            tens: None,
        }
    }

    /// From a run that is looser by some tens; `before`: what was told of that one by a looser one still.
    pub fn below(distance: Distance, looser: &Run, tens: f64, before: Option<&Found>) -> Found {
        let seen = before.and_then(|before| before.tens.map(|k| (before.distance.tail, k)));
        let measured = seen.map(|(tail, k)| power(tail / distance.tail, [k, tens]));
        let share = part(measured.unwrap_or(POWER) * tens);
        let rtol = looser.tolerance().unwrap_or(f64::NAN);
        Found {
            distance,
            share,
            sure: match measured {
                Some(_) => (MARGIN * share).min(1.0),
                None => 1.0,
            },
            companion: format!("the same way with rtol {rtol:.0e}"),
            tens: Some(tens),
        }
    }

    /// The same with the distance from a run that is looser by another ten.
    pub fn confirmed_by(mut self, farther: &Distance) -> Found {
        // (10^(2 q) - 1)/(10^q - 1) = 10^q + 1; errors that fall faster than the tolerance do so by accident
        let q = (farther.tail / self.distance.tail - 1.0).log10();
        if q <= 1.0 {
            self.sure = (MARGIN * part(q.min(POWER))).min(1.0);
        }
        self
    }

    /// The same where the law of errors says nothing: all of the distance counts.
    pub fn at_its_worst(mut self) -> Found {
        (self.share, self.sure) = (1.0, 1.0);
        self
    }

    /// Whether the companion is nearly the truth.
    pub fn is_independent(&self) -> bool {
        self.tens.is_none()
    }

    /// How errors grow, where they grow exponentially.
    pub fn growth(&self) -> Option<Growth> {
        self.distance.way.and_then(Way::growth)
    }

    /// Error of the run at its end.
    pub fn error(&self) -> f64 {
        self.share * self.distance.end
    }

    /// The same if nothing is taken for granted of how errors follow the tolerance.
    pub fn at_most(&self) -> f64 {
        self.sure * self.distance.end
    }

    /// What is promised of the end: two that are far apart do not tell how far either is off.
    pub fn bound(&self, promised: f64) -> f64 {
        match self.distance.end > PARTED {
            true => promised.min(PARTED),
            false => promised,
        }
    }

    /// Whether the run keeps what is promised for certain, all along its last part: an end that happens to be near is
    /// not trusted.
    pub fn is_kept(&self, promised: f64) -> bool {
        self.sure * self.distance.tail <= self.bound(promised)
    }

    /// The tens of tolerance that the run is missing, one at least; `unit` is the tolerance that was asked for.
    pub fn missing(&self, (unit, promised): (f64, f64), t_end: f64) -> f64 {
        let of = &self.distance;
        let mut excess = match self.tens {
            Some(_) => self.share * of.tail / (AIM * unit),
            // a measure needs no margin
            None => of.end / promised,
        };
        if of.end > PARTED || self.is_independent() && of.parting.is_some() {
            let most = if self.is_independent() {
                of.most
            } else {
                of.end
            };
            excess = excess.max(most / PARTED);
        }
        if let (Some(growth), Some(parting)) = (self.growth(), &of.parting) {
            // what is saturated at the end would have gone on to grow
            let grown = PARTED * (growth.rate * (t_end - parting.t)).exp();
            excess = excess.max(excess / of.tail * grown);
        }
        excess.log10().ceil().max(1.0)
    }
}

/// The power `q` of the law of errors that the ratio of two distances tells, between runs that are so many tens apart and
/// have the middle one in common:
///
/// ```text
///  |y2 - y1| / |y1 - y0| = (10^(q k) - 1) / (1 - 10^(-q l))        k, l tens
/// ```
fn power(ratio: f64, [k, l]: [f64; 2]) -> f64 {
    let [mut low, mut high] = [0.0, 1.0];
    // halved until it is told to a thousandth: of single ends it is worth less
    for _ in 0..10 {
        let q: f64 = 0.5 * (low + high);
        let of = (RATIO.powf(q * k) - 1.0) / (1.0 - RATIO.powf(-q * l));
        if of < ratio {
            low = q;
        } else {
            high = q;
        }
    }
    0.5 * (low + high)
}

/// The part of a distance that is the error of the tighter run, where errors fall by so many tens: all of it where that
/// tells nothing.
fn part(tens: f64) -> f64 {
    let share = (RATIO.powf(tens) - 1.0).recip();
    if (0.0..1.0).contains(&share) {
        share
    } else {
        1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_distances_tell_the_power_of_the_tolerance() {
        for (q, k, l) in [(0.85, 1.0, 1.0), (0.4, 1.0, 3.0), (0.6, 2.0, 1.0)] {
            let [first, middle, last] = [q * (k + l), q * l, 0.0].map(|tens| RATIO.powf(tens));
            let found = power((first - middle) / (middle - last), [k, l]);
            assert!((found - q).abs() < 1e-3, "{found} for {q}");
        }
        // errors that do not fall at all, or faster than the tolerance
        assert!(power(0.1, [1.0, 1.0]) < 1e-3 && power(100.0, [1.0, 1.0]) > 0.999);
        assert!(power(f64::NAN, [1.0, 1.0]) < 1e-3);
    }
}
