//! Renewal of frozen factors by a list of targets.
//!
//! Right-looking: the targets of `values[target] -= l u` are listed in the order of use, so the
//! inner loop has no search and no index arithmetic.

use super::buffers::{refill, reserve};
use super::structure::{Extent, Structure};

/// Targets of all multiplications in the order of use.
#[derive(Clone, Debug, Default)]
pub(super) struct Targets {
    list: Vec<u32>,
}

impl Targets {
    /// Reserves space for `listed` targets.
    pub fn reserve(&mut self, listed: usize) {
        reserve(&mut self.list, listed);
    }

    /// No target.
    pub fn clear(&mut self) {
        self.list.clear();
    }

    /// As many targets as there are multiplications, yet to be set.
    pub fn fill(&mut self, structure: &Structure) {
        refill(&mut self.list, structure.multiplications(), 0);
    }

    pub fn list_mut(&mut self) -> &mut [u32] {
        &mut self.list
    }

    /// Factors the values in place; `row` takes a row of `U`. Nothing is tested on the way: a pivot of
    /// zero leaves an infinite reciprocal.
    pub fn renew(&self, structure: &Structure, values: &mut [f64], row: &mut [f64]) {
        let mut targets = &self.list[..];
        let entries = structure.lower.len();
        let mut at = Block {
            lower: 0,
            diagonal: entries,
            upper: entries + structure.extent.len(),
        };
        for &Extent { lower, upper } in &structure.extent {
            let inverse = 1.0 / values[at.diagonal];
            values[at.diagonal] = inverse;
            let (lower, upper) = (lower as usize, upper as usize);
            match upper {
                0 => {
                    for l in &mut values[at.lower..at.lower + lower] {
                        *l *= inverse;
                    }
                }
                1 => eliminate::<1>(values, at, inverse, lower, &mut targets),
                2 => eliminate::<2>(values, at, inverse, lower, &mut targets),
                3 => eliminate::<3>(values, at, inverse, lower, &mut targets),
                4 => eliminate::<4>(values, at, inverse, lower, &mut targets),
                5 => eliminate::<5>(values, at, inverse, lower, &mut targets),
                6 => eliminate::<6>(values, at, inverse, lower, &mut targets),
                _ => eliminate_long(values, at, inverse, lower, &mut targets, &mut row[..upper]),
            }
            at.lower += lower;
            at.diagonal += 1;
            at.upper += upper;
        }
    }
}

/// First places of a column of `L`, a pivot and a row of `U`.
#[derive(Clone, Copy)]
struct Block {
    lower: usize,
    diagonal: usize,
    upper: usize,
}

/// Divides a column of `lower` entries by its pivot and does `values[target] -= l u` for every `l` in it
/// and `u` in a row of `N` entries, which is then divided too. Most rows are short; with `N` known the
/// row stays in registers.
#[inline(always)]
fn eliminate<const N: usize>(
    values: &mut [f64],
    at: Block,
    inverse: f64,
    lower: usize,
    targets: &mut &[u32],
) {
    let mut u = [0.0; N];
    let row = &mut values[at.upper..at.upper + N];
    u.copy_from_slice(row);
    for entry in row {
        *entry *= inverse;
    }
    let (own, after) = targets.split_at(lower * N);
    *targets = after;
    let (own, _) = own.as_chunks::<N>();
    for (place, target) in (at.lower..).zip(own) {
        let l = values[place] * inverse;
        values[place] = l;
        for q in 0..N {
            values[target[q] as usize] -= l * u[q];
        }
    }
}

/// As [`eliminate`] for a row of any length; `row` takes a copy of it.
fn eliminate_long(
    values: &mut [f64],
    at: Block,
    inverse: f64,
    lower: usize,
    targets: &mut &[u32],
    row: &mut [f64],
) {
    let upper = at.upper..at.upper + row.len();
    row.copy_from_slice(&values[upper.clone()]);
    for entry in &mut values[upper] {
        *entry *= inverse;
    }
    for place in at.lower..at.lower + lower {
        let l = values[place] * inverse;
        values[place] = l;
        let (target, after) = targets.split_at(row.len());
        *targets = after;
        for (&target, u) in target.iter().zip(row.iter()) {
            values[target as usize] -= l * u;
        }
    }
}
