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
    let finite = || column.iter().copied().filter(|x| x.is_finite());
    let low = finite().fold(f64::INFINITY, f64::min);
    (finite().fold(f64::NEG_INFINITY, f64::max) - low).max(0.0)
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

/// The difference of two values of a channel, as what they stand for.
pub(crate) fn difference(channel: &str, a: f64, b: f64) -> f64 {
    let difference = (a - b).abs();
    if channel.contains(".quaternion.") {
        // q and -q are one orientation
        return difference.min((a + b).abs());
    }
    if [".yaw", ".pitch", ".roll"]
        .iter()
        .any(|s| channel.ends_with(s))
    {
        let turn = std::f64::consts::TAU;
        return (difference - turn * (difference / turn).round()).abs();
    }
    difference
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
        assert!(difference("b.yaw", PI, -PI) < 1e-15);
        assert_eq!(difference("b.quaternion.w", 0.5, -0.5), 0.0);
        assert_eq!(difference("b.x", 0.5, -0.5), 1.0);
    }
}
