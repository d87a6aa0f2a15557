//! Renewal of frozen factors by a list of targets.
//!
//! Right-looking: the targets of `values[target] -= l u` are listed in the order of use, so the
//! inner loop has no search and no index arithmetic.

use super::Field;
use super::buffers::{refill, reserve};
use super::frozen::{Pivot, PivotRange, Useless};
use super::structure::Structure;

/// Targets of all multiplications in the order of use.
#[derive(Clone, Debug, Default)]
pub(super) struct Targets {
    list: Vec<u32>,
    /// For every entry of `L`, the scale of its row over that of the pivot row.
    weight: Vec<f64>,
}

impl Targets {
    /// Reserves space for factors with `entries` entries and `listed` targets.
    pub fn reserve(&mut self, entries: usize, listed: usize) {
        reserve(&mut self.list, listed);
        reserve(&mut self.weight, entries);
    }

    /// No target.
    pub fn clear(&mut self) {
        self.list.clear();
        self.weight.clear();
    }

    /// As many targets as there are multiplications, yet to be set, and the weights.
    pub fn fill(&mut self, structure: &Structure, row_scale: &[f64]) {
        refill(&mut self.list, structure.multiplications(), 0);
        self.weight.clear();
        let scale = |i: u32| row_scale[i as usize];
        let weights = structure.lower.iter().map(|&[i, k]| scale(i) / scale(k));
        self.weight.extend(weights);
    }

    pub fn list_mut(&mut self) -> &mut [u32] {
        &mut self.list
    }

    /// Factors the values in place; `row` takes a row of `U`.
    pub fn renew<T: Field>(
        &self,
        pivots: &[Pivot],
        values: &mut [T],
        row: &mut [T],
    ) -> Result<PivotRange, Useless> {
        let mut range = PivotRange::empty();
        let (mut targets, mut weights) = (&self.list[..], &self.weight[..]);
        let mut at = Block {
            lower: 0,
            diagonal: weights.len(),
            upper: weights.len() + pivots.len(),
        };
        for (k, pivot) in pivots.iter().enumerate() {
            let value = values[at.diagonal];
            let scaled = value.size() * pivot.weight;
            let inverse = value.inverse();
            values[at.diagonal] = inverse;
            let (weight, weights_after) = weights.split_at(pivot.lower as usize);
            weights = weights_after;
            let upper_len = pivot.upper as usize;
            let sum = match upper_len {
                0 => eliminate::<0, T>(values, at, inverse, weight, &mut targets),
                1 => eliminate::<1, T>(values, at, inverse, weight, &mut targets),
                2 => eliminate::<2, T>(values, at, inverse, weight, &mut targets),
                3 => eliminate::<3, T>(values, at, inverse, weight, &mut targets),
                4 => eliminate::<4, T>(values, at, inverse, weight, &mut targets),
                5 => eliminate::<5, T>(values, at, inverse, weight, &mut targets),
                6 => eliminate::<6, T>(values, at, inverse, weight, &mut targets),
                _ => {
                    let row = &mut row[..upper_len];
                    eliminate_long(values, at, inverse, weight, &mut targets, row)
                }
            };
            if !range.include(scaled) {
                return Err(Useless { position: k });
            }
            range.watch(pivot, sum);
            at.lower += pivot.lower as usize;
            at.diagonal += 1;
            at.upper += upper_len;
        }
        Ok(range)
    }
}

/// First places of a column of `L`, a pivot and a row of `U`.
#[derive(Clone, Copy)]
struct Block {
    lower: usize,
    diagonal: usize,
    upper: usize,
}

/// Divides a column by its pivot and does `values[target] -= l u` for every `l` in it and `u` in a
/// row of `N` entries, which is then divided too. Returns the weighted sum of the multipliers: a
/// sum, not a maximum, because it keeps a NaN. Most rows are short; with `N` known the row stays in
/// registers.
#[inline(always)]
fn eliminate<const N: usize, T: Field>(
    values: &mut [T],
    at: Block,
    inverse: T,
    weights: &[f64],
    targets: &mut &[u32],
) -> f64 {
    let mut u = [T::default(); N];
    let row = &mut values[at.upper..at.upper + N];
    u.copy_from_slice(row);
    for entry in row {
        *entry = *entry * inverse;
    }
    let mut sum = 0.0;
    for (place, weight) in (at.lower..).zip(weights) {
        let l = values[place] * inverse;
        values[place] = l;
        sum += l.size() * weight;
        let Some((target, after)) = targets.split_first_chunk::<N>() else {
            return f64::NAN;
        };
        *targets = after;
        for q in 0..N {
            let value = &mut values[target[q] as usize];
            *value = *value - l * u[q];
        }
    }
    sum
}

/// As [`eliminate`] for a row of any length; `row` takes a copy of it.
fn eliminate_long<T: Field>(
    values: &mut [T],
    at: Block,
    inverse: T,
    weights: &[f64],
    targets: &mut &[u32],
    row: &mut [T],
) -> f64 {
    let upper = at.upper..at.upper + row.len();
    row.copy_from_slice(&values[upper.clone()]);
    for entry in &mut values[upper] {
        *entry = *entry * inverse;
    }
    let mut sum = 0.0;
    for (place, weight) in (at.lower..).zip(weights) {
        let l = values[place] * inverse;
        values[place] = l;
        sum += l.size() * weight;
        let (target, after) = targets.split_at(row.len());
        *targets = after;
        for (&target, u) in target.iter().zip(row.iter()) {
            let value = &mut values[target as usize];
            *value = *value - l * *u;
        }
    }
    sum
}
