//! The rows of `L`: needed to lay out the frozen factors and to renew large ones row by row.

use super::Pattern;
use super::frozen::{LEAST_PIVOT, Pivot, PivotRange, Unsound, multiplier_bound};

/// Rows of `L`: `start[i]..start[i + 1]` lists pivots and places in ascending pivot order.
#[derive(Clone, Debug)]
pub(super) struct LowerRows {
    start: Vec<u32>,
    pivot: Vec<u32>,
    place: Vec<u32>,
    /// First place of each block of the frozen factors.
    block: Vec<u32>,
    /// Row scale by pivot.
    scale: Vec<f64>,
    /// Dense row, by caller's column.
    work: Vec<f64>,
    /// Sum of scaled multipliers by pivot.
    sum: Vec<f64>,
}

impl LowerRows {
    pub fn new(
        pivots: &[Pivot],
        block: Vec<u32>,
        index: &[u32],
        position_of_row: &[u32],
        scale: Vec<f64>,
    ) -> LowerRows {
        let n = pivots.len();
        let lower = |k: usize| (block[k] + 1 + pivots[k].upper) as usize..block[k + 1] as usize;
        let mut start = vec![0u32; n + 1];
        for k in 0..n {
            for &i in &index[lower(k)] {
                start[position_of_row[i as usize] as usize + 1] += 1;
            }
        }
        for i in 0..n {
            start[i + 1] += start[i];
        }
        let mut next = start.clone();
        let entries = start[n] as usize;
        let (mut pivot, mut place) = (vec![0u32; entries], vec![0u32; entries]);
        for k in 0..n {
            for p in lower(k) {
                let next = &mut next[position_of_row[index[p] as usize] as usize];
                pivot[*next as usize] = k as u32;
                place[*next as usize] = p as u32;
                *next += 1;
            }
        }
        LowerRows {
            start,
            pivot,
            place,
            block,
            scale,
            work: vec![0.0; n],
            sum: vec![0.0; n],
        }
    }

    fn span(&self, i: usize) -> std::ops::Range<usize> {
        self.start[i] as usize..self.start[i + 1] as usize
    }

    /// Entries of row `k` of `U`, pivot first.
    fn upper(&self, k: usize, pivots: &[Pivot]) -> std::ops::Range<usize> {
        let start = self.block[k] as usize;
        start..start + 1 + pivots[k].upper as usize
    }

    /// The place of every entry of the matrix in the blocks and, if there are no more than
    /// `list_limit` of them, the target of every multiplication in the order of use.
    ///
    /// Row by row: the places of row `i` are spread out by column, then looked up for the entries
    /// of the matrix and for every row of `U` that updates row `i`.
    pub fn places(
        &self,
        pattern: &Pattern,
        pivots: &[Pivot],
        index: &[u32],
        position_of_row: &[u32],
        list_limit: usize,
    ) -> (Vec<u32>, Option<Vec<u32>>) {
        let n = pattern.n;
        let mut first_target = Vec::with_capacity(n);
        let mut multiplications = 0usize;
        for pivot in pivots {
            first_target.push(multiplications);
            multiplications += pivot.upper as usize * pivot.lower as usize;
        }
        let listed = multiplications <= list_limit;
        let mut targets = vec![0u32; if listed { multiplications } else { 0 }];

        let entries = MatrixRows::new(pattern, position_of_row);
        let mut place_of_entry = vec![0u32; pattern.nnz()];
        let mut place_in_row = vec![0u32; n];
        for i in 0..n {
            for at in self.span(i) {
                let column = pivots[self.pivot[at] as usize].column;
                place_in_row[column as usize] = self.place[at];
            }
            for p in self.upper(i, pivots) {
                place_in_row[index[p] as usize] = p as u32;
            }
            for &(entry, column) in entries.row(i) {
                place_of_entry[entry as usize] = place_in_row[column as usize];
            }
            if !listed {
                continue;
            }
            for at in self.span(i) {
                let k = self.pivot[at] as usize;
                let upper = self.upper(k, pivots);
                let end = self.block[k + 1];
                let nth = self.place[at] as usize - upper.end;
                let first = first_target[k] + nth * (upper.len() - 1);
                let columns = &index[upper.start + 1..upper.end];
                for (target, &j) in targets[first..].iter_mut().zip(columns) {
                    *target = place_in_row[j as usize] - end;
                }
            }
        }
        (place_of_entry, listed.then_some(targets))
    }

    /// Up-looking: row `i` of both factors from the rows of `U` above it.
    pub fn renew(
        &mut self,
        pivots: &[Pivot],
        index: &[u32],
        values: &mut [f64],
        base: f64,
    ) -> Result<PivotRange, Unsound> {
        let mut range = PivotRange::empty();
        self.sum.fill(0.0);
        for (i, row) in pivots.iter().enumerate() {
            for at in self.span(i) {
                let column = pivots[self.pivot[at] as usize].column;
                self.work[column as usize] = values[self.place[at] as usize];
            }
            let own = self.upper(i, pivots);
            let start = own.start;
            for (value, &j) in values[own.clone()].iter().zip(&index[own.clone()]) {
                self.work[j as usize] = *value;
            }
            for at in self.span(i) {
                let k = self.pivot[at] as usize;
                let above = self.upper(k, pivots);
                let l = self.work[pivots[k].column as usize] * values[above.start];
                values[self.place[at] as usize] = l;
                let above = above.start + 1..above.end;
                for (u, &j) in values[above.clone()].iter().zip(&index[above]) {
                    self.work[j as usize] -= l * u;
                }
                self.sum[k] += l.abs() * self.scale[i];
            }
            for (value, &j) in values[own.clone()].iter_mut().zip(&index[own]) {
                *value = self.work[j as usize];
            }
            let scaled = values[start].abs() * row.weight;
            if scaled.is_nan() || scaled <= LEAST_PIVOT {
                return Err(Unsound {
                    column: row.column as usize,
                });
            }
            values[start] = 1.0 / values[start];
            range.include(scaled, row.column);
        }
        for (k, pivot) in pivots.iter().enumerate() {
            let sum = self.sum[k] / self.scale[k];
            if sum.is_nan() || sum > multiplier_bound(base, pivot.lower as usize) {
                return Err(Unsound {
                    column: pivot.column as usize,
                });
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
