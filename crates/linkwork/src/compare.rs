//! How far two motions of one model are apart: what verified runs and studies measure errors by.
//!
//! The error of a channel is its difference relative to how far the channel moves:
//! `|y - y_ref| / (max y_ref - min y_ref)`. A channel that hardly moves beside others of its unit is held
//! against a thousandth of the farthest of them: what stands still has no digits of its own.

use std::collections::HashMap;

/// Least share of the farthest motion of its unit that a channel is held against.
pub(crate) const STILL: f64 = 1e-3;

/// How far a channel moves; values that are none do not count.
pub(crate) fn range(column: &[f64]) -> f64 {
    let mut ends = [f64::INFINITY, f64::NEG_INFINITY];
    for x in column.iter().filter(|x| x.is_finite()) {
        ends = [ends[0].min(*x), ends[1].max(*x)];
    }
    (ends[1] - ends[0]).max(0.0)
}

/// What errors of channels are relative to, from how far they move and their units; at least this share of
/// the farthest of their unit.
pub(crate) fn scales<'a>(
    ranges: &[f64],
    units: impl Iterator<Item = &'a str> + Clone,
    share: f64,
) -> Vec<f64> {
    let mut farthest: HashMap<&str, f64> = HashMap::new();
    for (range, unit) in ranges.iter().zip(units.clone()) {
        let most = farthest.entry(unit).or_default();
        *most = most.max(*range);
    }
    let scale = |(range, unit): (&f64, &str)| range.max(share * farthest[unit]);
    ranges.iter().zip(units).map(scale).collect()
}

/// What values of a channel stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// Themselves.
    Number,
    /// Part of a quaternion: `q` and `-q` are one orientation.
    Quaternion,
    /// An angle without its whole turns.
    Turn,
}

impl Meaning {
    /// Of a channel, by its name.
    pub fn of(channel: &str) -> Meaning {
        let ends = |s: &&str| channel.ends_with(*s);
        match () {
            () if channel.contains(".quaternion.") => Meaning::Quaternion,
            () if [".yaw", ".pitch", ".roll"].iter().any(ends) => Meaning::Turn,
            () => Meaning::Number,
        }
    }

    /// The difference of two values, as what they stand for.
    pub fn difference(self, a: f64, b: f64) -> f64 {
        let difference = (a - b).abs();
        match self {
            Meaning::Number => difference,
            Meaning::Quaternion => difference.min((a + b).abs()),
            Meaning::Turn => {
                let turn = std::f64::consts::TAU;
                (difference - turn * (difference / turn).round()).abs()
            }
        }
    }
}

/// An error as digits; one of nothing has all the digits that numbers have.
pub(crate) fn digits(error: f64) -> f64 {
    -error.max(f64::EPSILON).log10()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    #[test]
    fn digits_of_an_error() {
        assert_eq!(digits(1e-3), 3.0);
        assert!(digits(0.0) > 15.0 && digits(0.0) < 16.0);
        assert!(digits(7.0) < 0.0);
    }

    #[test]
    fn what_hardly_moves_is_held_against_its_neighbours() {
        let scales = scales(&[2.0, 1e-9, 0.5], ["m", "m", "rad"].into_iter(), STILL);
        assert_eq!(scales, [2.0, 2e-3, 0.5]);
        assert_eq!(range(&[f64::NAN, 3.0, -1.0]), 4.0);
        assert_eq!(range(&[]), 0.0);
    }

    #[test]
    fn whole_turns_and_signs_of_quaternions_are_no_difference() {
        assert!(Meaning::of("b.yaw").difference(PI, -PI) < 1e-15);
        assert_eq!(Meaning::of("b.quaternion.w").difference(0.5, -0.5), 0.0);
        assert_eq!(Meaning::of("b.x").difference(0.5, -0.5), 1.0);
    }
}
