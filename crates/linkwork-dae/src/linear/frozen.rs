//! Factors on a frozen pivot sequence: the structure is known, only numbers are renewed.
//!
//! Everything of pivot `k` lies in one block, blocks in pivot order:
//!
//! ```text
//! [ 1/pivot | row k of U right of the pivot | column k of L below the pivot ]
//! right-looking:  for l in column k, for u in row k:  values[target] -= l u,  target in a later block
//! ```
//!
//! The targets are listed once in the order of use, so the inner loop has no search and no index
//! arithmetic. When the list would be long, rows are renewed one by one in a dense work row instead
//! (up-looking), which costs about the same operations with less memory.
//!
//! Frozen pivots are only sound while the multipliers stay bounded, because every update can
//! magnify rounding errors by `1 + |l|` (Duff, Erisman & Reid 2017, section 5). So each column of
//! row-scaled multipliers is watched, see [`Frozen::renew`].

use super::Pattern;
use super::lower_rows::LowerRows;
use super::pivoting::PivotChoice;

/// Bound on the sum of the row-scaled multipliers of a column: one pivot may be this much smaller
/// than the largest candidate, plus what fresh pivots allow for every entry, so that a fresh
/// choice always passes.
const LARGEST_MULTIPLIER: f64 = 1e3;
const FRESH_MULTIPLIER: f64 = 1e2;

/// A scaled pivot this small has no usable reciprocal.
pub(super) const LEAST_PIVOT: f64 = 1e-300;

/// Where a block ends and whom it belongs to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pivot {
    /// Caller's row and column.
    pub row: u32,
    pub column: u32,
    /// Entries right of the pivot and below it.
    pub upper: u32,
    pub lower: u32,
    /// Row scale times column scale: makes pivots comparable.
    pub weight: f64,
}

/// Smallest and largest pivot after scaling.
#[derive(Clone, Copy, Debug)]
pub(super) struct PivotRange {
    smallest: f64,
    largest: f64,
    /// Caller's column of the smallest pivot.
    pub smallest_column: usize,
}

impl PivotRange {
    pub fn empty() -> PivotRange {
        PivotRange {
            smallest: f64::INFINITY,
            largest: 0.0,
            smallest_column: 0,
        }
    }

    pub fn include(&mut self, pivot: f64, column: u32) {
        if pivot < self.smallest {
            self.smallest = pivot;
            self.smallest_column = column as usize;
        }
        if pivot > self.largest {
            self.largest = pivot;
        }
    }

    /// Smallest over largest; 1 for an empty matrix.
    pub fn ratio(&self) -> f64 {
        if self.largest == 0.0 {
            return 1.0;
        }
        self.smallest / self.largest
    }
}

/// The pivot of this caller's column, or its multipliers, cannot be used.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unsound {
    pub column: usize,
}

/// How the numbers are renewed.
#[derive(Clone, Debug)]
enum Schedule {
    /// Target of every multiplication, counted from the end of the block in use.
    Targets(Vec<u32>),
    /// Rows of `L` for the up-looking form.
    Rows(LowerRows),
}

/// Factors whose pivot sequence and structure are fixed.
#[derive(Clone, Debug)]
pub(super) struct Frozen {
    pivots: Vec<Pivot>,
    values: Vec<f64>,
    /// Caller's column of the entries of `U`, caller's row of those of `L`.
    index: Vec<u32>,
    /// Place of each entry of the matrix in `values`.
    place_of_entry: Vec<u32>,
    /// Scale of the row over scale of the pivot row, for each entry of `L` in order.
    multiplier_weight: Vec<f64>,
    schedule: Schedule,
    work: Vec<f64>,
}

impl Frozen {
    /// Lays out the factors of the chosen pivots; lists targets up to `list_limit` multiplications.
    pub fn new(pattern: &Pattern, choice: &PivotChoice, list_limit: usize) -> Frozen {
        let n = pattern.n;
        let mut position_of_row = vec![0u32; n];
        for (k, &row) in choice.row.iter().enumerate() {
            position_of_row[row as usize] = k as u32;
        }
        let mut upper_len = vec![0u32; n];
        for &k in &choice.upper_pivot {
            upper_len[k as usize] += 1;
        }

        let mut pivots = Vec::with_capacity(n);
        let mut block = Vec::with_capacity(n + 1);
        let mut end = 0u32;
        for (k, &upper) in upper_len.iter().enumerate() {
            let (row, column) = (choice.row[k], choice.column[k]);
            let lower = choice.lower_start[k + 1] - choice.lower_start[k];
            block.push(end);
            end += 1 + upper + lower;
            let weight = choice.row_scale[row as usize] * choice.column_scale[column as usize];
            pivots.push(Pivot {
                row,
                column,
                upper,
                lower,
                weight,
            });
        }
        block.push(end);

        let mut index = vec![0u32; end as usize];
        // Column by column, so that the rows of U come out in ascending pivot order.
        let mut next: Vec<u32> = block[..n].iter().map(|start| start + 1).collect();
        for (k, span) in choice.upper_start.windows(2).enumerate() {
            for &row in &choice.upper_pivot[span[0] as usize..span[1] as usize] {
                index[next[row as usize] as usize] = choice.column[k];
                next[row as usize] += 1;
            }
        }
        let mut multiplier_weight = Vec::with_capacity(choice.lower_row.len());
        for (k, span) in choice.lower_start.windows(2).enumerate() {
            let scale = choice.row_scale[choice.row[k] as usize];
            let rows = &choice.lower_row[span[0] as usize..span[1] as usize];
            index[block[k] as usize] = choice.column[k];
            index[next[k] as usize..block[k + 1] as usize].copy_from_slice(rows);
            multiplier_weight.extend(rows.iter().map(|&i| choice.row_scale[i as usize] / scale));
        }

        let scale = choice.row.iter().map(|&i| choice.row_scale[i as usize]);
        let rows = LowerRows::new(&pivots, block, &index, &position_of_row, scale.collect());
        let (place_of_entry, targets) =
            rows.places(pattern, &pivots, &index, &position_of_row, list_limit);
        Frozen {
            values: vec![0.0; end as usize],
            index,
            place_of_entry,
            multiplier_weight,
            schedule: targets.map_or(Schedule::Rows(rows), Schedule::Targets),
            pivots,
            work: vec![0.0; n],
        }
    }

    /// Entries of both factors.
    pub fn nnz(&self) -> usize {
        self.values.len()
    }

    /// Factors the given values. `watch` stops at multipliers that make the pivots unsound.
    pub fn renew(&mut self, values: &[f64], watch: bool) -> Result<PivotRange, Unsound> {
        self.values.fill(0.0);
        for (&value, &place) in values.iter().zip(&self.place_of_entry) {
            self.values[place as usize] = value;
        }
        let base = if watch {
            LARGEST_MULTIPLIER
        } else {
            f64::INFINITY
        };
        match &mut self.schedule {
            Schedule::Targets(targets) => renew_by_targets(
                &self.pivots,
                &mut self.values,
                targets,
                &self.multiplier_weight,
                base,
            ),
            Schedule::Rows(rows) => rows.renew(&self.pivots, &self.index, &mut self.values, base),
        }
    }

    /// Solves with the factors. The permutations cost nothing extra: the forward sweep works on
    /// the caller's rows, the backward sweep on the caller's columns.
    pub fn solve(&mut self, b: &mut [f64]) {
        let mut values = &self.values[..];
        let mut index = &self.index[..];
        for (pivot, x) in self.pivots.iter().zip(&mut self.work) {
            let end = 1 + (pivot.upper + pivot.lower) as usize;
            let (block, values_after) = values.split_at(end);
            let (rows, index_after) = index.split_at(end);
            (values, index) = (values_after, index_after);
            *x = b[pivot.row as usize];
            let lower = 1 + pivot.upper as usize;
            for (l, &i) in block[lower..].iter().zip(&rows[lower..]) {
                b[i as usize] -= l * *x;
            }
        }
        let mut values = &self.values[..];
        let mut index = &self.index[..];
        for (pivot, x) in self.pivots.iter().zip(&self.work).rev() {
            let start = values.len() - 1 - (pivot.upper + pivot.lower) as usize;
            let (values_before, block) = values.split_at(start);
            let (index_before, columns) = index.split_at(start);
            (values, index) = (values_before, index_before);
            let lower = 1 + pivot.upper as usize;
            let mut sum = *x;
            for (u, &j) in block[1..lower].iter().zip(&columns[1..lower]) {
                sum -= u * b[j as usize];
            }
            b[pivot.column as usize] = sum * block[0];
        }
    }
}

/// Bound on the sum of `count` scaled multipliers.
pub(super) fn multiplier_bound(base: f64, count: usize) -> f64 {
    base + FRESH_MULTIPLIER * count as f64
}

fn renew_by_targets(
    pivots: &[Pivot],
    values: &mut [f64],
    targets: &[u32],
    weights: &[f64],
    base: f64,
) -> Result<PivotRange, Unsound> {
    let mut range = PivotRange::empty();
    let (mut rest, mut targets, mut weights) = (values, targets, weights);
    for pivot in pivots {
        let (block, later) = rest.split_at_mut(1 + (pivot.upper + pivot.lower) as usize);
        let (upper, lower) = block.split_at_mut(1 + pivot.upper as usize);
        let (diagonal, upper) = upper.split_at_mut(1);
        let (weight, weights_after) = weights.split_at(lower.len());
        weights = weights_after;

        let scaled = diagonal[0].abs() * pivot.weight;
        let inverse = 1.0 / diagonal[0];
        diagonal[0] = inverse;
        // A sum, not a maximum: it keeps a NaN.
        let mut sum = 0.0;
        for (l, weight) in lower.iter_mut().zip(weight) {
            *l *= inverse;
            sum += l.abs() * weight;
        }
        if !(scaled > LEAST_PIVOT && sum <= multiplier_bound(base, lower.len())) {
            return Err(Unsound {
                column: pivot.column as usize,
            });
        }
        range.include(scaled, pivot.column);
        if !upper.is_empty() {
            for l in lower.iter() {
                let (target, targets_after) = targets.split_at(upper.len());
                targets = targets_after;
                for (&target, u) in target.iter().zip(upper.iter()) {
                    later[target as usize] -= l * u;
                }
            }
        }
        rest = later;
    }
    Ok(range)
}
