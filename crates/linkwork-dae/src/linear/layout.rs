//! Places of the matrix and of the multiplications in the array of the factors.

use super::Pattern;
use super::buffers::{copy, refill, reserve};
use super::lower_rows::LowerRows;
use super::structure::Structure;

/// The search for places, row by row: the places of a row are spread out by column, then looked up
/// for the entries of the matrix and for every row of `U` that updates the row.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    matrix: MatrixRows,
    place_in_row: Vec<u32>,
    /// First target and first entry of `L` of each pivot.
    first: Vec<(usize, u32)>,
}

impl Layout {
    /// Reserves space for a matrix of order `n` with `nnz` entries.
    pub fn reserve(&mut self, n: usize, nnz: usize) {
        self.matrix.reserve(n, nnz);
        reserve(&mut self.place_in_row, n);
        reserve(&mut self.first, n);
    }

    /// Finds the place of every entry of the matrix and, unless `targets` is empty, the target of
    /// every multiplication in the order of use.
    pub fn fill(
        &mut self,
        pattern: &Pattern,
        structure: &Structure,
        rows: &LowerRows,
        place_of_entry: &mut Vec<u32>,
        targets: &mut [u32],
    ) {
        let n = pattern.n;
        let listed = !targets.is_empty();
        self.first.clear();
        let (mut target, mut lower) = (0, 0);
        for extent in &structure.extent {
            self.first.push((target, lower));
            lower += extent.lower;
            if listed {
                target += extent.lower as usize * extent.upper as usize;
            }
        }
        self.matrix.fill(pattern, &rows.position);
        refill(place_of_entry, pattern.nnz(), 0);
        refill(&mut self.place_in_row, n, 0);
        let place_in_row = &mut self.place_in_row;
        for i in 0..n {
            for at in rows.span(i) {
                let column = structure.column[rows.pivot[at] as usize];
                place_in_row[column as usize] = rows.place[at];
            }
            place_in_row[structure.column[i] as usize] = (structure.lower.len() + i) as u32;
            let upper = rows.upper_columns(i, structure);
            for (place, &j) in rows.upper(i).zip(upper) {
                place_in_row[j as usize] = place as u32;
            }
            for &(entry, column) in self.matrix.row(i) {
                place_of_entry[entry as usize] = place_in_row[column as usize];
            }
            if !listed {
                continue;
            }
            for at in rows.span(i) {
                let k = rows.pivot[at] as usize;
                let upper = rows.upper_columns(k, structure);
                let (first_target, first_lower) = self.first[k];
                let nth = (rows.place[at] - first_lower) as usize;
                let first = first_target + nth * upper.len();
                for (target, &j) in targets[first..].iter_mut().zip(upper) {
                    *target = place_in_row[j as usize];
                }
            }
        }
    }
}

/// Entries of the matrix by pivot row: (entry, caller's column).
#[derive(Clone, Debug, Default)]
struct MatrixRows {
    start: Vec<u32>,
    entry: Vec<(u32, u32)>,
    /// Next entry of each row while they are collected.
    next: Vec<u32>,
}

impl MatrixRows {
    fn reserve(&mut self, n: usize, nnz: usize) {
        reserve(&mut self.start, n + 1);
        reserve(&mut self.entry, nnz);
        reserve(&mut self.next, n + 1);
    }

    fn fill(&mut self, pattern: &Pattern, position_of_row: &[u32]) {
        refill(&mut self.start, pattern.n + 1, 0);
        for &i in &pattern.row {
            self.start[position_of_row[i as usize] as usize + 1] += 1;
        }
        for i in 0..pattern.n {
            self.start[i + 1] += self.start[i];
        }
        copy(&mut self.next, &self.start);
        refill(&mut self.entry, pattern.nnz(), (0, 0));
        for j in 0..pattern.n {
            for p in pattern.span(j) {
                let row = position_of_row[pattern.row[p] as usize];
                let next = &mut self.next[row as usize];
                self.entry[*next as usize] = (p as u32, j as u32);
                *next += 1;
            }
        }
    }

    fn row(&self, i: usize) -> &[(u32, u32)] {
        &self.entry[self.start[i] as usize..self.start[i + 1] as usize]
    }
}
