//! Choice of the pivot sequence: left-looking sparse LU (Gilbert & Peierls 1988).
//!
//! Column `k` of the factors solves `L x = A(:, j)`, `j = order[k]`. The nonzeros of `x` are the
//! rows reachable from those of `A(:, j)` in the graph of `L`; a depth-first search finds them in
//! topological order, so the cost is proportional to the multiplications. The row paired with the
//! column is taken as pivot unless it falls below [`PAIRED_THRESHOLD`] of the largest candidate;
//! when another row is taken, the two columns exchange their paired rows.
//!
//! Candidates are compared after row scaling, see [`saddle_row_scales`].

use super::scaling::power_of_two_scale;
use super::{Pattern, Singular};

/// Least size of an accepted paired pivot relative to the largest candidate of its column.
pub(super) const PAIRED_THRESHOLD: f64 = 0.03;

const NONE: u32 = u32::MAX;

/// Pivots and the structure of the factors they lead to.
pub(super) struct PivotChoice {
    /// Caller's row of each pivot.
    pub row: Vec<u32>,
    /// Caller's column of each pivot.
    pub column: Vec<u32>,
    /// Scale of each of the caller's rows, a power of two.
    pub row_scale: Vec<f64>,
    /// Largest scaled entry of each of the caller's columns brought to `[1, 2)`.
    pub column_scale: Vec<f64>,
    /// `lower_start[k]..lower_start[k + 1]` are the entries of `L` below pivot `k`.
    pub lower_start: Vec<u32>,
    /// Caller's row of each entry of `L`.
    pub lower_row: Vec<u32>,
    /// `upper_start[k]..upper_start[k + 1]` are the entries of `U` above pivot `k`.
    pub upper_start: Vec<u32>,
    /// Pivot position (row of `U`) of each entry of `U`.
    pub upper_pivot: Vec<u32>,
}

impl PivotChoice {
    /// Multiplications of a factorisation, divisions apart.
    pub fn multiplications(&self) -> usize {
        let mut upper_len = vec![0usize; self.row.len()];
        for &k in &self.upper_pivot {
            upper_len[k as usize] += 1;
        }
        let lower_len = self
            .lower_start
            .windows(2)
            .map(|span| (span[1] - span[0]) as usize);
        lower_len
            .zip(upper_len)
            .map(|(lower, upper)| lower * upper)
            .sum()
    }
}

/// Eliminates the columns in order and records the pivots. `paired_row[j]` is the row preferred
/// for column `j`; candidates below `threshold` of the largest are not taken. The values must be
/// finite.
pub(super) fn choose_pivots(
    pattern: &Pattern,
    values: &[f64],
    order: &[u32],
    mut paired_row: Vec<u32>,
    row_scale: Vec<f64>,
    threshold: f64,
) -> Result<PivotChoice, Singular> {
    let n = pattern.n;
    let mut column_scale = vec![1.0; n];
    let mut elimination = Elimination::new(n, 4 * pattern.nnz());
    let mut paired_column = vec![0u32; n];
    for (j, &i) in paired_row.iter().enumerate() {
        paired_column[i as usize] = j as u32;
    }
    let mut pivot_rows = Vec::with_capacity(n);

    for (k, &j) in order.iter().enumerate() {
        let column = j as usize;
        let mut largest = 0.0f64;
        elimination.begin();
        for p in pattern.span(column) {
            let i = pattern.row[p];
            elimination.x[i as usize] = values[p];
            largest = largest.max(values[p].abs() * row_scale[i as usize]);
            elimination.reach(i, k as u32);
        }
        column_scale[column] = power_of_two_scale(largest);
        elimination.solve(&pivot_rows);
        let paired = paired_row[column];
        let pivot = elimination.candidate(&row_scale, paired, threshold);
        let pivot = pivot.ok_or(Singular { column })?;
        elimination.finish_column(pivot, k as u32);
        if pivot != paired {
            let other = paired_column[pivot as usize];
            paired_row[other as usize] = paired;
            paired_column[paired as usize] = other;
        }
        pivot_rows.push(pivot);
    }
    Ok(PivotChoice {
        row: pivot_rows,
        column: order.to_vec(),
        row_scale,
        column_scale,
        lower_start: elimination.lower_start,
        lower_row: elimination.lower_row,
        upper_start: elimination.upper_start,
        upper_pivot: elimination.upper_pivot,
    })
}

/// Scales that bring the largest entry of each row to `[1, 2)`, multipliers in fitting units.
///
/// A column without a diagonal entry carries a force, in a unit of its own. Taken as it comes it
/// would make the mass of every body look negligible, or overwhelming, next to its joint rows. So
/// its largest entry counts as much as the largest diagonal it acts on: then only a body much
/// lighter than its neighbours loses its diagonal pivot, as it must, because `C M^-1 C'` of the
/// light body would swamp that of the others.
pub(super) fn saddle_row_scales(pattern: &Pattern, values: &[f64]) -> Vec<f64> {
    let n = pattern.n;
    let diagonal: Vec<f64> = (0..n)
        .map(|j| {
            let slot = pattern.slot(j as u32, j as u32);
            slot.map_or(0.0, |p| values[p].abs())
        })
        .collect();
    let mut scale = vec![0.0f64; n];
    for j in 0..n {
        let mut unit = 1.0;
        if diagonal[j] == 0.0 {
            let (mut entry, mut acted_on) = (0.0f64, 0.0f64);
            for p in pattern.span(j) {
                entry = entry.max(values[p].abs());
                acted_on = acted_on.max(diagonal[pattern.row[p] as usize]);
            }
            if entry > 0.0 && acted_on > 0.0 {
                unit = power_of_two_scale(entry) / power_of_two_scale(acted_on);
            }
        }
        for p in pattern.span(j) {
            let largest = &mut scale[pattern.row[p] as usize];
            *largest = largest.max(values[p].abs() * unit);
        }
    }
    for scale in &mut scale {
        *scale = power_of_two_scale(*scale);
    }
    scale
}

/// Scales that bring the largest entry of each row to `[1, 2)`.
pub(super) fn plain_row_scales(pattern: &Pattern, values: &[f64]) -> Vec<f64> {
    let mut scale = vec![0.0f64; pattern.n];
    for (&i, value) in pattern.row.iter().zip(values) {
        scale[i as usize] = scale[i as usize].max(value.abs());
    }
    for scale in &mut scale {
        *scale = power_of_two_scale(*scale);
    }
    scale
}

struct Elimination {
    x: Vec<f64>,
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
    lower_start: Vec<u32>,
    lower_row: Vec<u32>,
    lower: Vec<f64>,
    upper_start: Vec<u32>,
    upper_pivot: Vec<u32>,
}

impl Elimination {
    fn new(n: usize, expected: usize) -> Elimination {
        let mut start = Vec::with_capacity(n + 1);
        start.push(0);
        Elimination {
            x: vec![0.0; n],
            position: vec![NONE; n],
            reached: vec![NONE; n],
            pivots: Vec::with_capacity(64),
            candidates: Vec::with_capacity(64),
            path: Vec::with_capacity(64),
            lower_start: start.clone(),
            lower_row: Vec::with_capacity(expected),
            lower: Vec::with_capacity(expected),
            upper_start: start,
            upper_pivot: Vec::with_capacity(expected),
        }
    }

    fn begin(&mut self) {
        self.pivots.clear();
        self.candidates.clear();
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
    fn solve(&mut self, pivot_rows: &[u32]) {
        for &t in self.pivots.iter().rev() {
            let row = pivot_rows[t as usize] as usize;
            let u = std::mem::take(&mut self.x[row]);
            let from = self.lower_start[t as usize] as usize;
            let to = self.lower_start[t as usize + 1] as usize;
            for (&i, l) in self.lower_row[from..to].iter().zip(&self.lower[from..to]) {
                self.x[i as usize] -= l * u;
            }
        }
    }

    /// The paired row if it is large enough, else the largest; none if all are zero or one is not
    /// finite.
    fn candidate(&self, row_scale: &[f64], paired: u32, threshold: f64) -> Option<u32> {
        let size = |i: u32| self.x[i as usize].abs() * row_scale[i as usize];
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
