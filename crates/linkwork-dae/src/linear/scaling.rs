//! Scale factors that are powers of two, so that scaling never rounds.

use super::buffers::{refill, reserve};
use super::{Field, Pattern};

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

/// Share of the largest entry of its column below which a diagonal is none: a regularisation.
const LEAST_DIAGONAL: f64 = 1e-6;

/// Scales of the caller's rows and columns that make candidates for pivots comparable.
#[derive(Clone, Debug, Default)]
pub(super) struct Scales {
    pub row: Vec<f64>,
    /// Brings the largest row-scaled entry of each column to `[1, 2)`.
    pub column: Vec<f64>,
    /// Size of each diagonal entry that may serve as pivot, or zero.
    pub diagonal: Vec<f64>,
}

impl Scales {
    pub fn reserve(&mut self, n: usize) {
        for list in [&mut self.row, &mut self.column, &mut self.diagonal] {
            reserve(list, n);
        }
    }

    /// Brings the largest entry of each row to `[1, 2)`, multipliers in fitting units.
    ///
    /// A column without a diagonal entry carries a force, in a unit of its own. Taken as it comes it
    /// would make the mass of every body look negligible, or overwhelming, next to its joint rows. So
    /// it counts at most as much as the diagonal of each row it acts on. Then every mass is a
    /// candidate, whatever the units of its row; and a body much heavier than its neighbour is none
    /// for the multiplier between them, as it must, because the part of the light body in
    /// `C M^-1 C'` swamps its own.
    pub fn fit_saddle<T: Field>(&mut self, pattern: &Pattern, values: &[T]) {
        let n = pattern.n;
        self.diagonal.clear();
        for j in 0..n {
            let column = &values[pattern.span(j)];
            let largest = column.iter().fold(0.0f64, |m, a| m.max(a.size()));
            let slot = pattern.slot(j as u32, j as u32);
            let diagonal = slot.map_or(0.0, |p| values[p].size());
            let none = diagonal < LEAST_DIAGONAL * largest;
            self.diagonal.push(if none { 0.0 } else { diagonal });
        }
        refill(&mut self.row, n, 0.0);
        for j in 0..n {
            let mut unit = 1.0;
            if self.diagonal[j] == 0.0 {
                let mut relative = 0.0f64;
                for p in pattern.span(j) {
                    let diagonal = self.diagonal[pattern.row[p] as usize];
                    if diagonal > 0.0 {
                        relative = relative.max(values[p].size() / diagonal);
                    }
                }
                if relative > 0.0 {
                    unit = power_of_two_scale(relative);
                }
            }
            for p in pattern.span(j) {
                let largest = &mut self.row[pattern.row[p] as usize];
                *largest = largest.max(values[p].size() * unit);
            }
        }
        self.invert(pattern, values);
    }

    /// Brings the largest entry of each row to `[1, 2)`.
    pub fn fit_rows<T: Field>(&mut self, pattern: &Pattern, values: &[T]) {
        refill(&mut self.row, pattern.n, 0.0);
        for (&i, value) in pattern.row.iter().zip(values) {
            let largest = &mut self.row[i as usize];
            *largest = largest.max(value.size());
        }
        self.invert(pattern, values);
    }

    /// Turns the sizes of the rows into scales; columns follow.
    fn invert<T: Field>(&mut self, pattern: &Pattern, values: &[T]) {
        for scale in &mut self.row {
            *scale = power_of_two_scale(*scale);
        }
        self.column.clear();
        for j in 0..pattern.n {
            let span = pattern.span(j);
            let scaled = |p: usize| values[p].size() * self.row[pattern.row[p] as usize];
            let largest = span.map(scaled).fold(0.0, f64::max);
            self.column.push(power_of_two_scale(largest));
        }
    }
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
