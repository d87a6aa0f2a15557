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
//! row-scaled multipliers is watched. Beyond the bound the factors are doubtful, not lost: whoever asked
//! for them may find out what they are worth.

use super::buffers::{refill, reserve};
use super::layout::Layout;
use super::lower_rows::LowerRows;
use super::scaling::Scales;
use super::structure::Structure;
use super::targets::Targets;
use super::{Field, Pattern, Singular, clear};

/// Bound on the sum of the row-scaled multipliers of a column: one pivot may be this much smaller
/// than the largest candidate, plus what fresh pivots allow for every entry, so that a fresh
/// choice always passes.
const LARGEST_MULTIPLIER: f64 = 1e3;
const FRESH_MULTIPLIER: f64 = 1e2;

/// A scaled pivot this small has no usable reciprocal.
const LEAST_PIVOT: f64 = 1e-300;

/// Smaller pivot ratios are those of a singular matrix.
const LEAST_RATIO: f64 = 1e-18;

/// What belongs to one pivot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pivot {
    /// Entries of its column of `L` and of its row of `U`.
    pub lower: u32,
    pub upper: u32,
    /// Row scale times column scale: makes pivots comparable.
    pub weight: f64,
    /// What a sum of scaled multipliers is multiplied with, so that 1 is its bound.
    per_bound: f64,
}

/// Smallest and largest pivot after scaling.
#[derive(Clone, Copy, Debug)]
pub(super) struct PivotRange {
    smallest: f64,
    largest: f64,
    /// Largest sum of multipliers over its bound.
    pub growth: f64,
}

impl PivotRange {
    pub fn empty() -> PivotRange {
        PivotRange {
            smallest: f64::INFINITY,
            largest: 0.0,
            growth: 0.0,
        }
    }

    /// Enters the sum of the multipliers of a pivot. A NaN shows in the pivots after it.
    #[inline]
    pub fn watch(&mut self, pivot: &Pivot, sum: f64) {
        let growth = sum * pivot.per_bound;
        if growth > self.growth {
            self.growth = growth;
        }
    }

    /// Enters a scaled pivot; whether it can be used at all.
    #[inline]
    pub fn include(&mut self, pivot: f64) -> bool {
        if pivot < self.smallest {
            self.smallest = pivot;
        }
        if pivot > self.largest {
            self.largest = pivot;
        }
        pivot > LEAST_PIVOT
    }

    /// Smallest over largest; 1 for an empty matrix.
    pub fn ratio(&self) -> f64 {
        if self.largest == 0.0 {
            return 1.0;
        }
        self.smallest / self.largest
    }
}

/// The pivot at this position cannot be used.
#[derive(Clone, Copy, Debug)]
pub(super) struct Useless {
    pub position: usize,
}

/// Mean number of entries in a row of `U` up to which the backward sweep runs through one flat
/// list: the overhead of a row is worth about as many entries.
const SHORT_ROW: usize = 8;

/// Right-hand sides solved at once, at most.
const MOST_SIDES: usize = 7;

/// How the numbers are renewed.
#[derive(Clone, Copy, Debug, Default)]
enum Schedule {
    /// By the list of targets.
    #[default]
    Targets,
    /// Row by row.
    Rows,
}

/// Factors whose pivot sequence and structure are fixed.
#[derive(Clone, Debug, Default)]
pub(super) struct Frozen<T> {
    structure: Structure,
    pivots: Vec<Pivot>,
    values: Vec<T>,
    /// Place of each entry of the matrix in `values`.
    place_of_entry: Vec<u32>,
    schedule: Schedule,
    list_limit: usize,
    targets: Targets,
    rows: LowerRows,
    layout: Layout,
    /// For each entry of `U`, the caller's column of its pivot; empty where rows are long.
    owner: Vec<u32>,
    work: Vec<T>,
    /// Several right-hand sides, entry by entry, and their solutions.
    lanes: Vec<T>,
}

impl<T: Field> Frozen<T> {
    /// No factors yet; later ones list targets up to `list_limit` multiplications.
    pub fn with_list_limit(list_limit: usize) -> Frozen<T> {
        Frozen {
            list_limit,
            ..Frozen::default()
        }
    }

    /// Reserves space for factors with `entries` entries and as many multiplications.
    pub fn reserve(&mut self, pattern: &Pattern, entries: usize, multiplications: usize) {
        let (n, nnz) = (pattern.n, pattern.nnz());
        self.structure.reserve(n, entries);
        reserve(&mut self.pivots, n);
        reserve(&mut self.values, entries);
        reserve(&mut self.place_of_entry, nnz);
        let listed = multiplications.min(self.list_limit);
        self.targets.reserve(entries, listed);
        self.rows.reserve(n, entries);
        self.layout.reserve(n, nnz);
        reserve(&mut self.owner, entries);
        reserve(&mut self.work, n);
        reserve(&mut self.lanes, 2 * MOST_SIDES * n);
    }

    /// Lays out the factors of the chosen pivots and factors the values.
    pub fn adopt(
        &mut self,
        pattern: &Pattern,
        structure: &Structure,
        scales: &Scales,
        values: &[T],
    ) -> Result<PivotRange, Singular> {
        self.lay_out(pattern, structure, scales);
        let range = self.renew(values).map_err(|useless| Singular {
            column: self.column(useless.position),
        })?;
        // A NaN fails the comparison and counts as singular.
        let regular = range.ratio() >= LEAST_RATIO;
        if !regular {
            return Err(Singular {
                column: self.weakest_column(),
            });
        }
        Ok(range)
    }

    fn lay_out(&mut self, pattern: &Pattern, structure: &Structure, scales: &Scales) {
        self.structure.copy_from(structure);
        self.pivots.clear();
        let pivots = structure.row.iter().zip(&structure.column);
        for (extent, (&row, &column)) in structure.extent.iter().zip(pivots) {
            self.pivots.push(Pivot {
                lower: extent.lower,
                upper: extent.upper,
                weight: scales.row[row as usize] * scales.column[column as usize],
                per_bound: 1.0 / (LARGEST_MULTIPLIER + FRESH_MULTIPLIER * f64::from(extent.lower)),
            });
        }
        self.rows.fill(structure, &scales.row);
        self.schedule = if structure.multiplications() <= self.list_limit {
            self.targets.fill(structure, &scales.row);
            Schedule::Targets
        } else {
            self.targets.clear();
            Schedule::Rows
        };
        let (places, targets) = (&mut self.place_of_entry, self.targets.list_mut());
        self.layout
            .fill(pattern, structure, &self.rows, places, targets);
        self.owner.clear();
        if structure.upper.len() < SHORT_ROW * pattern.n {
            let rows = structure.extent.iter().zip(&structure.column);
            for (extent, &column) in rows {
                self.owner.extend((0..extent.upper).map(|_| column));
            }
        }
        refill(&mut self.values, structure.nnz(), T::default());
        refill(&mut self.work, pattern.n, T::default());
    }

    /// Entries of both factors.
    pub fn nnz(&self) -> usize {
        self.values.len()
    }

    /// Multiplications of a factorisation, divisions apart.
    pub fn multiplications(&self) -> usize {
        self.structure.multiplications()
    }

    /// Caller's column of a pivot.
    fn column(&self, position: usize) -> usize {
        self.structure.column[position] as usize
    }

    /// Caller's column of the smallest scaled pivot.
    fn weakest_column(&self) -> usize {
        let inverses = &self.values[self.structure.lower.len()..];
        let (mut weakest, mut largest) = (0, 0.0);
        for (k, (pivot, inverse)) in self.pivots.iter().zip(inverses).enumerate() {
            let size = inverse.size() / pivot.weight;
            if size > largest {
                (weakest, largest) = (k, size);
            }
        }
        self.structure
            .column
            .get(weakest)
            .map_or(0, |&j| j as usize)
    }

    /// Factors the given values, which must be finite.
    pub fn renew(&mut self, values: &[T]) -> Result<PivotRange, Useless> {
        if !self.load(values) {
            return Err(Useless { position: 0 });
        }
        let (pivots, values, work) = (&self.pivots, &mut self.values, &mut self.work);
        match self.schedule {
            Schedule::Targets => self.targets.renew(pivots, values, work),
            Schedule::Rows => self.rows.renew(&self.structure, pivots, values, work),
        }
    }

    /// Puts the values into their places; false if one is not finite.
    fn load(&mut self, values: &[T]) -> bool {
        clear(&mut self.values);
        // Sums keep a NaN or an infinity.
        let mut sum = [T::default(); 4];
        let (chunks, places) = (values.chunks_exact(4), self.place_of_entry.chunks_exact(4));
        for (&value, &place) in chunks.remainder().iter().zip(places.remainder()) {
            self.values[place as usize] = value;
            sum[0] = sum[0] + value;
        }
        for (chunk, places) in chunks.zip(places) {
            for q in 0..4 {
                self.values[places[q] as usize] = chunk[q];
                sum[q] = sum[q] + chunk[q];
            }
        }
        (sum[0] + sum[1] + sum[2] + sum[3]).size().is_finite()
    }

    /// Solves for several right-hand sides at once: what is looked up for an entry serves all of them.
    pub fn solve_all(&mut self, b: &mut [Vec<T>]) {
        match b.len() {
            3 => self.solve_lanes::<3>(b),
            5 => self.solve_lanes::<5>(b),
            MOST_SIDES => self.solve_lanes::<MOST_SIDES>(b),
            _ => b.iter_mut().for_each(|b| self.solve(b)),
        }
    }

    fn solve_lanes<const N: usize>(&mut self, sides: &mut [Vec<T>]) {
        let n = self.pivots.len();
        if self.lanes.len() < 2 * N * n {
            self.lanes.resize(2 * N * n, T::default());
        }
        let (b, x) = self.lanes[..2 * N * n].split_at_mut(N * n);
        let ((b, _), (x, _)) = (b.as_chunks_mut::<N>(), x.as_chunks_mut::<N>());
        for (q, side) in sides.iter().enumerate() {
            for (b, value) in b.iter_mut().zip(side) {
                b[q] = *value;
            }
        }
        let structure = &self.structure;
        let (lower, rest) = self.values.split_at(structure.lower.len());
        let (diagonal, upper) = rest.split_at(n);
        for (l, &[i, k]) in lower.iter().zip(&structure.lower) {
            let known = b[k as usize];
            let to = &mut b[i as usize];
            for q in 0..N {
                to[q] = to[q] - *l * known[q];
            }
        }
        let pivots = structure.row.iter().zip(&structure.column);
        for ((&i, &j), inverse) in pivots.zip(diagonal) {
            x[j as usize] = b[i as usize].map(|b| b * *inverse);
        }
        let (mut upper, mut columns) = (upper, &structure.upper[..]);
        for (pivot, &k) in self.pivots.iter().zip(&structure.column).rev() {
            let start = upper.len() - pivot.upper as usize;
            let (upper_before, row) = upper.split_at(start);
            let (columns_before, columns_of_row) = columns.split_at(start);
            (upper, columns) = (upper_before, columns_before);
            let mut sum = x[k as usize];
            for (u, &j) in row.iter().zip(columns_of_row) {
                let known = &x[j as usize];
                for q in 0..N {
                    sum[q] = sum[q] - *u * known[q];
                }
            }
            x[k as usize] = sum;
        }
        for (q, side) in sides.iter_mut().enumerate() {
            for (value, x) in side.iter_mut().zip(&*x) {
                *value = x[q];
            }
        }
    }

    /// Solves with the factors. The forward sweep works on the caller's rows, the backward sweep on
    /// the caller's columns, so that only the diagonal has to permute.
    pub fn solve(&mut self, b: &mut [T]) {
        let structure = &self.structure;
        let (lower, rest) = self.values.split_at(structure.lower.len());
        let (diagonal, upper) = rest.split_at(self.pivots.len());
        for (l, &[i, k]) in lower.iter().zip(&structure.lower) {
            b[i as usize] = b[i as usize] - *l * b[k as usize];
        }
        let pivots = structure.row.iter().zip(&structure.column);
        for ((&i, &j), inverse) in pivots.zip(diagonal) {
            self.work[j as usize] = b[i as usize] * *inverse;
        }
        let x = &mut self.work[..];
        if let Some(&last) = self.owner.last() {
            // one flat list; sums stay in a register while the row lasts
            let (mut row, mut sum) = (last as usize, x[last as usize]);
            let entries = structure.upper.iter().zip(&self.owner);
            for (u, (&j, &k)) in upper.iter().zip(entries).rev() {
                if k as usize != row {
                    x[row] = sum;
                    (row, sum) = (k as usize, x[k as usize]);
                }
                sum = sum - *u * x[j as usize];
            }
            x[row] = sum;
            b.copy_from_slice(x);
            return;
        }
        let (mut upper, mut columns) = (upper, &structure.upper[..]);
        for (pivot, &k) in self.pivots.iter().zip(&structure.column).rev() {
            if pivot.upper == 0 {
                continue;
            }
            let start = upper.len() - pivot.upper as usize;
            let (upper_before, row) = upper.split_at(start);
            let (columns_before, columns_of_row) = columns.split_at(start);
            (upper, columns) = (upper_before, columns_before);
            let mut sum = x[k as usize];
            for (u, &j) in row.iter().zip(columns_of_row) {
                sum = sum - *u * x[j as usize];
            }
            x[k as usize] = sum;
        }
        b.copy_from_slice(x);
    }
}
