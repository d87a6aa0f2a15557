//! The rows of `L`: needed to lay out the frozen factors and to renew large ones row by row.

use std::ops::Range;

use super::Pattern;
use super::frozen::{PivotRange, Structure, Unsound};

/// Rows of `L`: `start[i]..start[i + 1]` lists pivots and places in ascending pivot order.
#[derive(Clone, Debug)]
pub(super) struct LowerRows {
    start: Vec<u32>,
    pivot: Vec<u32>,
    place: Vec<u32>,
    /// First entry of each row of `U` in the array of all values.
    upper_start: Vec<u32>,
    /// Pivot position of each of the caller's rows.
    position: Vec<u32>,
    /// Row scale by pivot.
    scale: Vec<f64>,
    /// Sum of scaled multipliers by pivot.
    sum: Vec<f64>,
}

impl LowerRows {
    pub fn new(structure: &Structure, row_scale: &[f64]) -> LowerRows {
        let n = structure.pivots.len();
        let mut position = vec![0u32; n];
        for (k, &i) in structure.row.iter().enumerate() {
            position[i as usize] = k as u32;
        }
        let mut start = vec![0u32; n + 1];
        for &[i, _] in &structure.lower {
            start[position[i as usize] as usize + 1] += 1;
        }
        for i in 0..n {
            start[i + 1] += start[i];
        }
        let mut next = start.clone();
        let entries = structure.lower.len();
        let (mut pivot, mut place) = (vec![0u32; entries], vec![0u32; entries]);
        for (p, &[i, k]) in structure.lower.iter().enumerate() {
            let next = &mut next[position[i as usize] as usize];
            pivot[*next as usize] = position[k as usize];
            place[*next as usize] = p as u32;
            *next += 1;
        }
        let mut upper_start = Vec::with_capacity(n + 1);
        let mut end = (entries + n) as u32;
        upper_start.push(end);
        for pivot in &structure.pivots {
            end += pivot.upper;
            upper_start.push(end);
        }
        let scale = structure.row.iter().map(|&i| row_scale[i as usize]);
        LowerRows {
            start,
            pivot,
            place,
            upper_start,
            position,
            scale: scale.collect(),
            sum: vec![0.0; n],
        }
    }

    fn span(&self, i: usize) -> Range<usize> {
        self.start[i] as usize..self.start[i + 1] as usize
    }

    /// Places of row `k` of `U`.
    fn upper(&self, k: usize) -> Range<usize> {
        self.upper_start[k] as usize..self.upper_start[k + 1] as usize
    }

    /// Caller's columns of row `k` of `U`.
    fn upper_columns<'a>(&self, k: usize, structure: &'a Structure) -> &'a [u32] {
        let first = self.upper_start[0] as usize;
        let row = self.upper(k);
        &structure.upper[row.start - first..row.end - first]
    }

    /// The place of every entry of the matrix and, if there are no more than `list_limit` of them,
    /// the target of every multiplication in the order of use.
    ///
    /// Row by row: the places of row `i` are spread out by column, then looked up for the entries
    /// of the matrix and for every row of `U` that updates row `i`.
    pub fn places(
        &self,
        pattern: &Pattern,
        structure: &Structure,
        list_limit: usize,
    ) -> (Vec<u32>, Option<Vec<u32>>) {
        let n = pattern.n;
        let mut first_target = Vec::with_capacity(n);
        let mut multiplications = 0usize;
        let mut first_lower = Vec::with_capacity(n);
        let mut lower = 0;
        for pivot in &structure.pivots {
            first_target.push(multiplications);
            first_lower.push(lower);
            lower += pivot.lower as usize;
            multiplications += pivot.upper as usize * pivot.lower as usize;
        }
        let listed = multiplications <= list_limit;
        let mut targets = vec![0u32; if listed { multiplications } else { 0 }];

        let entries = MatrixRows::new(pattern, &self.position);
        let mut place_of_entry = vec![0u32; pattern.nnz()];
        let mut place_in_row = vec![0u32; n];
        for i in 0..n {
            for at in self.span(i) {
                let column = structure.column[self.pivot[at] as usize];
                place_in_row[column as usize] = self.place[at];
            }
            place_in_row[structure.column[i] as usize] = (structure.lower.len() + i) as u32;
            let upper = self.upper_columns(i, structure);
            for (place, &j) in self.upper(i).zip(upper) {
                place_in_row[j as usize] = place as u32;
            }
            for &(entry, column) in entries.row(i) {
                place_of_entry[entry as usize] = place_in_row[column as usize];
            }
            if !listed {
                continue;
            }
            for at in self.span(i) {
                let k = self.pivot[at] as usize;
                let upper = self.upper_columns(k, structure);
                let nth = self.place[at] as usize - first_lower[k];
                let first = first_target[k] + nth * upper.len();
                for (target, &j) in targets[first..].iter_mut().zip(upper) {
                    *target = place_in_row[j as usize];
                }
            }
        }
        (place_of_entry, listed.then_some(targets))
    }

    /// Up-looking: row `i` of both factors from the rows of `U` above it, in the dense row `work`.
    pub fn renew(
        &mut self,
        structure: &Structure,
        values: &mut [f64],
        work: &mut [f64],
        watch: bool,
    ) -> Result<PivotRange, Unsound> {
        let mut range = PivotRange::empty();
        self.sum.fill(0.0);
        for (i, pivot) in structure.pivots.iter().enumerate() {
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
                    work[j as usize] -= l * u;
                }
                let l = l * values[structure.lower.len() + k];
                values[self.place[at] as usize] = l;
                self.sum[k] += l.abs() * self.scale[i];
            }
            let value = work[structure.column[i] as usize];
            let scaled = value.abs() * pivot.weight;
            if !pivot.is_sound(scaled, 0.0, watch) {
                return Err(Unsound { position: i });
            }
            range.include(scaled);
            let inverse = 1.0 / value;
            values[diagonal] = inverse;
            for (value, &j) in values[self.upper(i)].iter_mut().zip(own) {
                *value = work[j as usize] * inverse;
            }
        }
        for (k, pivot) in structure.pivots.iter().enumerate() {
            if !pivot.is_sound(1.0, self.sum[k] / self.scale[k], watch) {
                return Err(Unsound { position: k });
            }
        }
        Ok(range)
    }
}

/// Entries of the matrix by pivot row: (entry, caller's column).
struct MatrixRows {
    start: Vec<u32>,
    entry: Vec<(u32, u32)>,
}

impl MatrixRows {
    fn new(pattern: &Pattern, position_of_row: &[u32]) -> MatrixRows {
        let mut start = vec![0u32; pattern.n + 1];
        for &i in &pattern.row {
            start[position_of_row[i as usize] as usize + 1] += 1;
        }
        for i in 0..pattern.n {
            start[i + 1] += start[i];
        }
        let mut next = start.clone();
        let mut entry = vec![(0, 0); pattern.nnz()];
        for j in 0..pattern.n {
            for p in pattern.span(j) {
                let next = &mut next[position_of_row[pattern.row[p] as usize] as usize];
                entry[*next as usize] = (p as u32, j as u32);
                *next += 1;
            }
        }
        MatrixRows { start, entry }
    }

    fn row(&self, i: usize) -> &[(u32, u32)] {
        &self.entry[self.start[i] as usize..self.start[i + 1] as usize]
    }
}
