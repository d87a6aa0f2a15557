//! The rows of `L`: needed to lay out the frozen factors and to renew large ones row by row.

use std::ops::Range;

use super::Field;
use super::buffers::{copy, refill, reserve};
use super::frozen::{Pivot, PivotRange, Useless};
use super::structure::Structure;

/// Rows of `L`: `start[i]..start[i + 1]` lists pivots and places in ascending pivot order.
#[derive(Clone, Debug, Default)]
pub(super) struct LowerRows {
    start: Vec<u32>,
    pub pivot: Vec<u32>,
    pub place: Vec<u32>,
    /// First entry of each row of `U` in the array of all values.
    upper_start: Vec<u32>,
    /// Pivot position of each of the caller's rows.
    pub position: Vec<u32>,
    /// Row scale by pivot.
    scale: Vec<f64>,
    /// Sum of scaled multipliers by pivot.
    sum: Vec<f64>,
    /// Next entry of each row while they are collected.
    next: Vec<u32>,
}

impl LowerRows {
    /// Reserves space for `n` pivots and factors with `entries` entries.
    pub fn reserve(&mut self, n: usize, entries: usize) {
        reserve(&mut self.pivot, entries);
        reserve(&mut self.place, entries);
        reserve(&mut self.scale, n);
        reserve(&mut self.sum, n);
        for list in [
            &mut self.start,
            &mut self.upper_start,
            &mut self.position,
            &mut self.next,
        ] {
            reserve(list, n + 1);
        }
    }

    pub fn fill(&mut self, structure: &Structure, row_scale: &[f64]) {
        let n = structure.extent.len();
        refill(&mut self.position, n, 0);
        for (k, &i) in structure.row.iter().enumerate() {
            self.position[i as usize] = k as u32;
        }
        refill(&mut self.start, n + 1, 0);
        for &[i, _] in &structure.lower {
            self.start[self.position[i as usize] as usize + 1] += 1;
        }
        for i in 0..n {
            self.start[i + 1] += self.start[i];
        }
        copy(&mut self.next, &self.start);
        let entries = structure.lower.len();
        refill(&mut self.pivot, entries, 0);
        refill(&mut self.place, entries, 0);
        for (p, &[i, k]) in structure.lower.iter().enumerate() {
            let next = &mut self.next[self.position[i as usize] as usize];
            self.pivot[*next as usize] = self.position[k as usize];
            self.place[*next as usize] = p as u32;
            *next += 1;
        }
        self.upper_start.clear();
        let mut end = (entries + n) as u32;
        self.upper_start.push(end);
        for extent in &structure.extent {
            end += extent.upper;
            self.upper_start.push(end);
        }
        self.scale.clear();
        let scale = structure.row.iter().map(|&i| row_scale[i as usize]);
        self.scale.extend(scale);
        refill(&mut self.sum, n, 0.0);
    }

    /// Entries of row `i` of `L`.
    pub fn span(&self, i: usize) -> Range<usize> {
        self.start[i] as usize..self.start[i + 1] as usize
    }

    /// Places of row `k` of `U`.
    pub fn upper(&self, k: usize) -> Range<usize> {
        self.upper_start[k] as usize..self.upper_start[k + 1] as usize
    }

    /// Caller's columns of row `k` of `U`.
    pub fn upper_columns<'a>(&self, k: usize, structure: &'a Structure) -> &'a [u32] {
        let first = self.upper_start[0] as usize;
        let row = self.upper(k);
        &structure.upper[row.start - first..row.end - first]
    }

    /// Up-looking: row `i` of both factors from the rows of `U` above it, in the dense row `work`.
    pub fn renew<T: Field>(
        &mut self,
        structure: &Structure,
        pivots: &[Pivot],
        values: &mut [T],
        work: &mut [T],
    ) -> Result<PivotRange, Useless> {
        let mut range = PivotRange::empty();
        self.sum.fill(0.0);
        for (i, pivot) in pivots.iter().enumerate() {
            let diagonal = structure.lower.len() + i;
            for at in self.span(i) {
                let column = structure.column[self.pivot[at] as usize];
                work[column as usize] = values[self.place[at] as usize];
            }
            work[structure.column[i] as usize] = values[diagonal];
            let own = self.upper_columns(i, structure);
            for (value, &j) in values[self.upper(i)].iter().zip(own) {
                work[j as usize] = *value;
            }
            for at in self.span(i) {
                let k = self.pivot[at] as usize;
                // Rows of U are already divided by their pivot, so L is taken undivided here.
                let l = work[structure.column[k] as usize];
                let above = self.upper_columns(k, structure);
                for (u, &j) in values[self.upper(k)].iter().zip(above) {
                    work[j as usize] = work[j as usize] - l * *u;
                }
                let l = l * values[structure.lower.len() + k];
                values[self.place[at] as usize] = l;
                self.sum[k] += l.size() * self.scale[i];
            }
            let value = work[structure.column[i] as usize];
            let scaled = value.size() * pivot.weight;
            if !range.include(scaled) {
                return Err(Useless { position: i });
            }
            let inverse = value.inverse();
            values[diagonal] = inverse;
            for (value, &j) in values[self.upper(i)].iter_mut().zip(own) {
                *value = work[j as usize] * inverse;
            }
        }
        for (k, pivot) in pivots.iter().enumerate() {
            range.watch(pivot, self.sum[k] / self.scale[k]);
        }
        Ok(range)
    }
}
