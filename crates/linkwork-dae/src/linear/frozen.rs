//! Factors on a frozen pivot sequence: the structure is known, only numbers are renewed.
//!
//! ```text
//! P A Q = L D U, L and U with unit diagonal, in one array, everything in pivot order:
//! [ columns of L | 1 / D | rows of U ]
//! right-looking:  for l in column k, for u in row k:  values[target] -= l u
//! ```
//!
//! The targets are listed once in the order of use, so the inner loop has no search and no index
//! arithmetic. When the list would be long, rows are renewed one by one in a dense work row instead
//! (up-looking), which costs about the same operations with less memory.
//!
//! Frozen pivots are only sound while the multipliers stay bounded, because every update can
//! magnify rounding errors by `1 + |l|` (Duff, Erisman & Reid 2017, section 5). So each column of
//! row-scaled multipliers is watched, see [`Frozen::renew`].

use super::lower_rows::LowerRows;
use super::pivoting::PivotChoice;
use super::{Pattern, clear};

/// Bound on the sum of the row-scaled multipliers of a column: one pivot may be this much smaller
/// than the largest candidate, plus what fresh pivots allow for every entry, so that a fresh
/// choice always passes.
const LARGEST_MULTIPLIER: f64 = 1e3;
const FRESH_MULTIPLIER: f64 = 1e2;

/// A scaled pivot this small has no usable reciprocal.
const LEAST_PIVOT: f64 = 1e-300;

/// What belongs to one pivot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pivot {
    /// Entries of its column of `L` and of its row of `U`.
    pub lower: u32,
    pub upper: u32,
    /// Row scale times column scale: makes pivots comparable.
    pub weight: f64,
    /// Bound on the sum of scaled multipliers.
    bound: f64,
}

impl Pivot {
    /// Whether a pivot of this scaled size with this sum of multipliers can be used. An unwatched
    /// sum only has to be finite.
    #[inline]
    pub fn is_sound(&self, scaled: f64, sum: f64, watch: bool) -> bool {
        scaled > LEAST_PIVOT && (sum <= self.bound || (!watch && sum.is_finite()))
    }
}

/// Smallest and largest pivot after scaling.
#[derive(Clone, Copy, Debug)]
pub(super) struct PivotRange {
    smallest: f64,
    largest: f64,
}

impl PivotRange {
    pub fn empty() -> PivotRange {
        PivotRange {
            smallest: f64::INFINITY,
            largest: 0.0,
        }
    }

    #[inline]
    pub fn include(&mut self, pivot: f64) {
        if pivot < self.smallest {
            self.smallest = pivot;
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

/// The pivot at this position, or its multipliers, cannot be used.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unsound {
    pub position: usize,
}

/// Where the entries of the factors lie and which unknowns they couple.
#[derive(Clone, Debug, Default)]
pub(super) struct Structure {
    pub pivots: Vec<Pivot>,
    /// Caller's row and column of each pivot.
    pub row: Vec<u32>,
    pub column: Vec<u32>,
    /// For each entry of `L`, column by column: caller's rows of the entry and of the pivot.
    pub lower: Vec<[u32; 2]>,
    /// For each entry of `U`, row by row: caller's column.
    pub upper: Vec<u32>,
}

impl Structure {
    fn new(choice: &PivotChoice) -> Structure {
        let n = choice.row.len();
        let mut upper_start = vec![0u32; n + 1];
        for &k in &choice.upper_pivot {
            upper_start[k as usize + 1] += 1;
        }
        for k in 0..n {
            upper_start[k + 1] += upper_start[k];
        }
        let mut pivots = Vec::with_capacity(n);
        let mut lower = Vec::with_capacity(choice.lower_row.len());
        for (k, span) in choice.lower_start.windows(2).enumerate() {
            let (row, column) = (choice.row[k], choice.column[k]);
            let rows = &choice.lower_row[span[0] as usize..span[1] as usize];
            lower.extend(rows.iter().map(|&i| [i, row]));
            pivots.push(Pivot {
                lower: rows.len() as u32,
                upper: upper_start[k + 1] - upper_start[k],
                weight: choice.row_scale[row as usize] * choice.column_scale[column as usize],
                bound: LARGEST_MULTIPLIER + FRESH_MULTIPLIER * rows.len() as f64,
            });
        }
        let mut upper = vec![0u32; choice.upper_pivot.len()];
        let mut next = upper_start;
        for (k, span) in choice.upper_start.windows(2).enumerate() {
            for &row in &choice.upper_pivot[span[0] as usize..span[1] as usize] {
                let next = &mut next[row as usize];
                upper[*next as usize] = choice.column[k];
                *next += 1;
            }
        }
        Structure {
            pivots,
            row: choice.row.clone(),
            column: choice.column.clone(),
            lower,
            upper,
        }
    }

    /// Entries of both factors.
    pub fn nnz(&self) -> usize {
        self.lower.len() + self.pivots.len() + self.upper.len()
    }
}

/// How the numbers are renewed.
#[derive(Clone, Debug)]
enum Schedule {
    /// Target of every multiplication, and the scale of the row over that of the pivot row for
    /// every entry of `L`.
    Targets { target: Vec<u32>, weight: Vec<f64> },
    /// Rows of `L` for the up-looking form.
    Rows(LowerRows),
}

/// Factors whose pivot sequence and structure are fixed.
#[derive(Clone, Debug)]
pub(super) struct Frozen {
    structure: Structure,
    values: Vec<f64>,
    /// Place of each entry of the matrix in `values`.
    place_of_entry: Vec<u32>,
    schedule: Schedule,
    work: Vec<f64>,
}

impl Frozen {
    /// Lays out the factors of the chosen pivots; lists targets up to `list_limit` multiplications.
    pub fn new(pattern: &Pattern, choice: &PivotChoice, list_limit: usize) -> Frozen {
        let structure = Structure::new(choice);
        let rows = LowerRows::new(&structure, &choice.row_scale);
        let (place_of_entry, target) = rows.places(pattern, &structure, list_limit);
        let schedule = match target {
            None => Schedule::Rows(rows),
            Some(target) => {
                let scale = |i: u32| choice.row_scale[i as usize];
                let weight = structure.lower.iter().map(|&[i, k]| scale(i) / scale(k));
                Schedule::Targets {
                    target,
                    weight: weight.collect(),
                }
            }
        };
        Frozen {
            values: vec![0.0; structure.nnz()],
            work: vec![0.0; pattern.n],
            place_of_entry,
            schedule,
            structure,
        }
    }

    /// Entries of both factors.
    pub fn nnz(&self) -> usize {
        self.values.len()
    }

    /// Caller's column of a pivot.
    pub fn column(&self, position: usize) -> usize {
        self.structure.column[position] as usize
    }

    /// Caller's column of the smallest scaled pivot.
    pub fn weakest_column(&self) -> usize {
        let inverses = &self.values[self.structure.lower.len()..];
        let (mut weakest, mut largest) = (0, 0.0);
        for (k, (pivot, inverse)) in self.structure.pivots.iter().zip(inverses).enumerate() {
            let size = inverse.abs() / pivot.weight;
            if size > largest {
                (weakest, largest) = (k, size);
            }
        }
        self.structure
            .column
            .get(weakest)
            .map_or(0, |&j| j as usize)
    }

    /// Factors the given values. `watch` stops at multipliers that make the pivots unsound; values
    /// that are not finite are always found unsound.
    pub fn renew(&mut self, values: &[f64], watch: bool) -> Result<PivotRange, Unsound> {
        if !self.load(values) {
            return Err(Unsound { position: 0 });
        }
        match &mut self.schedule {
            Schedule::Targets { target, weight } => {
                let pivots = &self.structure.pivots;
                let row = &mut self.work;
                renew_by_targets(pivots, &mut self.values, target, weight, row, watch)
            }
            Schedule::Rows(rows) => {
                rows.renew(&self.structure, &mut self.values, &mut self.work, watch)
            }
        }
    }

    /// Puts the values into their places; false if one is not finite.
    fn load(&mut self, values: &[f64]) -> bool {
        clear(&mut self.values);
        // Sums keep a NaN or an infinity.
        let mut sum = [0.0f64; 4];
        let (chunks, places) = (values.chunks_exact(4), self.place_of_entry.chunks_exact(4));
        for (&value, &place) in chunks.remainder().iter().zip(places.remainder()) {
            self.values[place as usize] = value;
            sum[0] += value;
        }
        for (chunk, places) in chunks.zip(places) {
            for q in 0..4 {
                self.values[places[q] as usize] = chunk[q];
                sum[q] += chunk[q];
            }
        }
        (sum[0] + sum[1] + sum[2] + sum[3]).is_finite()
    }

    /// Solves with the factors. The forward sweep works on the caller's rows, the backward sweep on
    /// the caller's columns, so that only the diagonal has to permute.
    pub fn solve(&mut self, b: &mut [f64]) {
        let structure = &self.structure;
        let (lower, rest) = self.values.split_at(structure.lower.len());
        let (diagonal, upper) = rest.split_at(structure.pivots.len());
        for (l, &[i, k]) in lower.iter().zip(&structure.lower) {
            b[i as usize] -= l * b[k as usize];
        }
        let pivots = structure.row.iter().zip(&structure.column);
        for ((&i, &j), inverse) in pivots.zip(diagonal) {
            self.work[j as usize] = b[i as usize] * inverse;
        }
        let x = &mut self.work[..];
        let (mut upper, mut columns) = (upper, &structure.upper[..]);
        for (pivot, &k) in structure.pivots.iter().zip(&structure.column).rev() {
            if pivot.upper == 0 {
                continue;
            }
            let start = upper.len() - pivot.upper as usize;
            let (upper_before, row) = upper.split_at(start);
            let (columns_before, columns_of_row) = columns.split_at(start);
            (upper, columns) = (upper_before, columns_before);
            let mut sum = x[k as usize];
            for (u, &j) in row.iter().zip(columns_of_row) {
                sum -= u * x[j as usize];
            }
            x[k as usize] = sum;
        }
        b.copy_from_slice(x);
    }
}

fn renew_by_targets(
    pivots: &[Pivot],
    values: &mut [f64],
    targets: &[u32],
    weights: &[f64],
    row: &mut [f64],
    watch: bool,
) -> Result<PivotRange, Unsound> {
    let mut range = PivotRange::empty();
    let (mut targets, mut weights) = (targets, weights);
    let mut at = Block {
        lower: 0,
        diagonal: weights.len(),
        upper: weights.len() + pivots.len(),
    };
    for (k, pivot) in pivots.iter().enumerate() {
        let value = values[at.diagonal];
        let scaled = value.abs() * pivot.weight;
        let inverse = 1.0 / value;
        values[at.diagonal] = inverse;
        let (weight, weights_after) = weights.split_at(pivot.lower as usize);
        weights = weights_after;
        let upper_len = pivot.upper as usize;
        let sum = match upper_len {
            0 => eliminate::<0>(values, at, inverse, weight, &mut targets),
            1 => eliminate::<1>(values, at, inverse, weight, &mut targets),
            2 => eliminate::<2>(values, at, inverse, weight, &mut targets),
            3 => eliminate::<3>(values, at, inverse, weight, &mut targets),
            4 => eliminate::<4>(values, at, inverse, weight, &mut targets),
            5 => eliminate::<5>(values, at, inverse, weight, &mut targets),
            6 => eliminate::<6>(values, at, inverse, weight, &mut targets),
            _ => {
                let row = &mut row[..upper_len];
                eliminate_long(values, at, inverse, weight, &mut targets, row)
            }
        };
        if !pivot.is_sound(scaled, sum, watch) {
            return Err(Unsound { position: k });
        }
        range.include(scaled);
        at.lower += pivot.lower as usize;
        at.diagonal += 1;
        at.upper += upper_len;
    }
    Ok(range)
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
fn eliminate<const N: usize>(
    values: &mut [f64],
    at: Block,
    inverse: f64,
    weights: &[f64],
    targets: &mut &[u32],
) -> f64 {
    let mut u = [0.0; N];
    let row = &mut values[at.upper..at.upper + N];
    u.copy_from_slice(row);
    for entry in row {
        *entry *= inverse;
    }
    let mut sum = 0.0;
    for (place, weight) in (at.lower..).zip(weights) {
        let l = values[place] * inverse;
        values[place] = l;
        sum += l.abs() * weight;
        let Some((target, after)) = targets.split_first_chunk::<N>() else {
            return f64::NAN;
        };
        *targets = after;
        for q in 0..N {
            values[target[q] as usize] -= l * u[q];
        }
    }
    sum
}

/// As [`eliminate`] for a row of any length; `row` takes a copy of it.
fn eliminate_long(
    values: &mut [f64],
    at: Block,
    inverse: f64,
    weights: &[f64],
    targets: &mut &[u32],
    row: &mut [f64],
) -> f64 {
    let upper = at.upper..at.upper + row.len();
    row.copy_from_slice(&values[upper.clone()]);
    for entry in &mut values[upper] {
        *entry *= inverse;
    }
    let mut sum = 0.0;
    for (place, weight) in (at.lower..).zip(weights) {
        let l = values[place] * inverse;
        values[place] = l;
        sum += l.abs() * weight;
        let (target, after) = targets.split_at(row.len());
        *targets = after;
        for (&target, u) in target.iter().zip(row.iter()) {
            values[target as usize] -= l * u;
        }
    }
    sum
}
