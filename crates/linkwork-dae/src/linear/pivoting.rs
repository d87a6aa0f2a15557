//! Choice of the pivot sequence: left-looking sparse LU (Gilbert & Peierls 1988).
//!
//! Column `k` of the factors solves `L x = A(:, j)`, `j = order[k]`. The nonzeros of `x` are the
//! rows reachable from those of `A(:, j)` in the graph of `L`; a depth-first search finds them in
//! topological order, so the cost is proportional to the multiplications. The row paired with the
//! column is taken as pivot unless it falls below a threshold relative to the largest candidate;
//! when another row is taken, the two columns exchange their paired rows.
//!
//! Candidates are compared after row scaling, see [`Scales::fit_saddle`](super::scaling::Scales).

use super::buffers::{copy, refill, reserve};
use super::structure::{Extent, Structure};
use super::{Field, Pattern, Singular};

const NONE: u32 = u32::MAX;

/// The elimination of one column after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct Pivoting<T> {
    x: Vec<T>,
    /// Row paired with each column and column paired with each row.
    paired_row: Vec<u32>,
    paired_column: Vec<u32>,
    /// Row of each pivot.
    pivot_row: Vec<u32>,
    /// Pivot position of each row, or `NONE`.
    position: Vec<u32>,
    /// Column that last reached each row.
    reached: Vec<u32>,
    /// Pivots reached, in postorder.
    pivots: Vec<u32>,
    /// Rows reached that are not pivots yet.
    candidates: Vec<u32>,
    /// Path of the search: pivot and next entry of its column of `L`.
    path: Vec<(u32, u32)>,
    /// `lower_start[k]..lower_start[k + 1]` are the entries of `L` below pivot `k`.
    lower_start: Vec<u32>,
    lower_row: Vec<u32>,
    lower: Vec<T>,
    /// `upper_start[k]..upper_start[k + 1]` are the entries of `U` above pivot `k`.
    upper_start: Vec<u32>,
    upper_pivot: Vec<u32>,
    /// Next entry of each row of `U` while they are collected.
    next: Vec<u32>,
}

impl<T: Field> Pivoting<T> {
    /// Reserves space for `n` pivots and factors with `entries` entries.
    pub fn reserve(&mut self, n: usize, entries: usize) {
        reserve(&mut self.x, n);
        reserve(&mut self.path, n);
        reserve(&mut self.lower, entries);
        for list in [&mut self.lower_row, &mut self.upper_pivot] {
            reserve(list, entries);
        }
        for list in [
            &mut self.paired_row,
            &mut self.paired_column,
            &mut self.pivot_row,
            &mut self.position,
            &mut self.reached,
            &mut self.pivots,
            &mut self.candidates,
            &mut self.lower_start,
            &mut self.upper_start,
            &mut self.next,
        ] {
            reserve(list, n + 1);
        }
    }

    /// Eliminates the columns in order and records the pivots; rows are paired with the columns of
    /// the same number to begin with and not taken below `threshold` of the largest candidate. The values must be finite.
    pub fn choose(
        &mut self,
        pattern: &Pattern,
        values: &[T],
        row_scale: &[f64],
        order: &[u32],
        threshold: f64,
        structure: &mut Structure,
    ) -> Result<(), Singular> {
        self.reset(pattern.n);
        for (k, &j) in order.iter().enumerate() {
            let column = j as usize;
            self.pivots.clear();
            self.candidates.clear();
            for p in pattern.span(column) {
                let i = pattern.row[p];
                self.x[i as usize] = values[p];
                self.reach(i, k as u32);
            }
            self.solve();
            let paired = self.paired_row[column];
            let pivot = self.candidate(row_scale, paired, threshold);
            let pivot = pivot.ok_or(Singular { column })?;
            self.finish_column(pivot, k as u32);
            if pivot != paired {
                let other = self.paired_column[pivot as usize];
                self.paired_row[other as usize] = paired;
                self.paired_column[paired as usize] = other;
            }
        }
        self.describe(order, structure);
        Ok(())
    }

    fn reset(&mut self, n: usize) {
        refill(&mut self.x, n, T::default());
        refill(&mut self.position, n, NONE);
        refill(&mut self.reached, n, NONE);
        self.paired_row.clear();
        self.paired_row.extend(0..n as u32);
        self.paired_column.clear();
        self.paired_column.extend(0..n as u32);
        self.pivot_row.clear();
        refill(&mut self.lower_start, 1, 0);
        self.lower_row.clear();
        self.lower.clear();
        refill(&mut self.upper_start, 1, 0);
        self.upper_pivot.clear();
    }

    /// Collects the columns of `L` and, by a counting sort, the rows of `U`.
    fn describe(&mut self, order: &[u32], structure: &mut Structure) {
        structure.clear();
        copy(&mut structure.row, &self.pivot_row);
        copy(&mut structure.column, order);
        for (span, &row) in self.lower_start.windows(2).zip(&self.pivot_row) {
            let rows = &self.lower_row[span[0] as usize..span[1] as usize];
            structure.lower.extend(rows.iter().map(|&i| [i, row]));
            structure.extent.push(Extent {
                lower: rows.len() as u32,
                upper: 0,
            });
        }
        for &k in &self.upper_pivot {
            structure.extent[k as usize].upper += 1;
        }
        self.next.clear();
        let mut end = 0;
        for extent in &structure.extent {
            self.next.push(end);
            end += extent.upper;
        }
        refill(&mut structure.upper, self.upper_pivot.len(), 0);
        for (span, &column) in self.upper_start.windows(2).zip(order) {
            for &k in &self.upper_pivot[span[0] as usize..span[1] as usize] {
                let next = &mut self.next[k as usize];
                structure.upper[*next as usize] = column;
                *next += 1;
            }
        }
    }

    /// Adds everything reachable from row `i` to the structure of column `k`.
    fn reach(&mut self, i: u32, k: u32) {
        if !self.visit(i, k) {
            return;
        }
        while let Some(&(t, next)) = self.path.last() {
            let end = self.lower_start[t as usize + 1];
            let mut at = next;
            let depth = self.path.len();
            while at < end {
                let i = self.lower_row[at as usize];
                at += 1;
                if self.visit(i, k) {
                    break;
                }
            }
            self.path[depth - 1].1 = at;
            if self.path.len() == depth {
                self.path.pop();
                self.pivots.push(t);
            }
        }
    }

    /// Marks row `i`; true if it is a pivot row whose column of `L` must be followed.
    fn visit(&mut self, i: u32, k: u32) -> bool {
        if self.reached[i as usize] == k {
            return false;
        }
        self.reached[i as usize] = k;
        let t = self.position[i as usize];
        if t == NONE {
            self.candidates.push(i);
            return false;
        }
        self.path.push((t, self.lower_start[t as usize]));
        true
    }

    /// `L x = a` on the reached rows; reverse postorder is a topological order.
    fn solve(&mut self) {
        for &t in self.pivots.iter().rev() {
            let row = self.pivot_row[t as usize] as usize;
            let u = std::mem::take(&mut self.x[row]);
            let from = self.lower_start[t as usize] as usize;
            let to = self.lower_start[t as usize + 1] as usize;
            for (&i, l) in self.lower_row[from..to].iter().zip(&self.lower[from..to]) {
                self.x[i as usize] = self.x[i as usize] - *l * u;
            }
        }
    }

    /// The paired row if it is large enough, else the largest; none if all are zero or one is not
    /// finite.
    fn candidate(&self, row_scale: &[f64], paired: u32, threshold: f64) -> Option<u32> {
        let size = |i: u32| self.x[i as usize].size() * row_scale[i as usize];
        let (mut best, mut largest) = (NONE, 0.0f64);
        for &i in &self.candidates {
            let candidate = size(i);
            if !candidate.is_finite() {
                return None;
            }
            if candidate > largest {
                (best, largest) = (i, candidate);
            }
        }
        if best == NONE {
            return None;
        }
        // A row that was not reached holds zero and fails the comparison.
        Some(if size(paired) >= threshold * largest {
            paired
        } else {
            best
        })
    }

    fn finish_column(&mut self, pivot: u32, k: u32) {
        self.position[pivot as usize] = k;
        self.pivot_row.push(pivot);
        self.upper_pivot.extend_from_slice(&self.pivots);
        self.upper_start.push(self.upper_pivot.len() as u32);
        let value = std::mem::take(&mut self.x[pivot as usize]);
        for &i in self.candidates.iter().filter(|&&i| i != pivot) {
            let l = std::mem::take(&mut self.x[i as usize]) / value;
            self.lower_row.push(i);
            self.lower.push(l);
        }
        self.lower_start.push(self.lower_row.len() as u32);
    }
}
