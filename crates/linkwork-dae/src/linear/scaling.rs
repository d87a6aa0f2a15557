//! Scale factors that are powers of two, so that scaling never rounds.

/// The power of two that brings a number of the given magnitude into `[1, 2)`; 1 for zero.
///
/// Magnitudes at the ends of the exponent range are scaled as far as a normal factor reaches.
pub(super) fn power_of_two_scale(magnitude: f64) -> f64 {
    if magnitude == 0.0 {
        return 1.0;
    }
    let exponent = (magnitude.to_bits() >> 52) & 0x7ff;
    f64::from_bits(2046u64.saturating_sub(exponent).clamp(1, 2046) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scaled_magnitude_lies_between_one_and_two() {
        for magnitude in [1.0, 0.75, 3.0, 1e-200, 1e200, 1e-307, 1e300] {
            let scaled = magnitude * power_of_two_scale(magnitude);
            assert!((1.0..2.0).contains(&scaled), "{magnitude} -> {scaled}");
        }
        assert_eq!(power_of_two_scale(0.0), 1.0);
        assert!(power_of_two_scale(f64::MAX) > 0.0);
        assert!(power_of_two_scale(5e-324).is_finite());
    }
}
