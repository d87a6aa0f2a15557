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
//! magnify rounding errors by `1 + |l|` (Duff, Erisman & Reid 2017, section 5). So the row-scaled
//! multipliers are watched. Beyond the bound the factors are doubtful, not lost: whoever asked
//! for them may find out what they are worth.

use super::buffers::{refill, reserve};
use super::layout::Layout;
use super::lower_rows::LowerRows;
use super::scaling::Scales;
use super::structure::Structure;
use super::targets::Targets;
use super::{Pattern, Singular, clear};
use crate::state::{norm, peak};

/// Bound on the row-scaled multipliers: a pivot may be this much smaller than the largest candidate.
const LARGEST_MULTIPLIER: f64 = 1e3;

/// A scaled reciprocal this large is that of no usable pivot.
const LARGEST_RECIPROCAL: f64 = 1e300;

/// Smaller pivot ratios are those of a singular matrix.
const LEAST_RATIO: f64 = 1e-18;

/// What the factors are like.
#[derive(Clone, Copy, Debug)]
pub(super) struct PivotRange {
    /// Smallest over largest pivot after scaling; 1 for an empty matrix.
    pub ratio: f64,
    /// Largest multiplier over its bound.
    pub growth: f64,
}

/// Least and largest of `|x| w`; of the largest a NaN is seen.
fn extremes(x: &[f64], w: &[f64]) -> (f64, f64) {
    let mut least = [f64::INFINITY; 4];
    let (xs, x_rest) = x.as_chunks::<4>();
    let (ws, w_rest) = w.as_chunks::<4>();
    for (x, w) in xs.iter().zip(ws) {
        for l in 0..4 {
            let e = (x[l] * w[l]).abs();
            least[l] = if e < least[l] { e } else { least[l] };
        }
    }
    for (x, w) in x_rest.iter().zip(w_rest) {
        least[0] = least[0].min((x * w).abs());
    }
    (least.into_iter().fold(f64::INFINITY, f64::min), norm(x, w))
}

/// The pivot at this position cannot be used.
#[derive(Clone, Copy, Debug)]
pub(super) struct Useless {
    pub position: usize,
}

/// Mean number of entries in a row of `U` up to which the backward sweep runs through one flat
/// list: the overhead of a row is worth about as many entries.
const SHORT_ROW: usize = 8;

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
pub(super) struct Frozen {
    structure: Structure,
    values: Vec<f64>,
    /// Scale of each reciprocal pivot: one over row scale times column scale, so that they compare.
    reciprocal_scale: Vec<f64>,
    /// For every entry of `L`, the scale of its row over that of the pivot row.
    multiplier_scale: Vec<f64>,
    /// Place of each entry of the matrix in `values`.
    place_of_entry: Vec<u32>,
    schedule: Schedule,
    list_limit: usize,
    targets: Targets,
    rows: LowerRows,
    layout: Layout,
    /// For each entry of `U`, the caller's column of its pivot; empty where rows are long.
    owner: Vec<u32>,
    work: Vec<f64>,
}

impl Frozen {
    /// No factors yet; later ones list targets up to `list_limit` multiplications.
    pub fn with_list_limit(list_limit: usize) -> Frozen {
        Frozen {
            list_limit,
            ..Frozen::default()
        }
    }

    /// Reserves space for factors with `entries` entries and as many multiplications.
    pub fn reserve(&mut self, pattern: &Pattern, entries: usize, multiplications: usize) {
        let (n, nnz) = (pattern.n, pattern.nnz());
        self.structure.reserve(n, entries);
        reserve(&mut self.values, entries);
        reserve(&mut self.reciprocal_scale, n);
        reserve(&mut self.multiplier_scale, entries);
        reserve(&mut self.place_of_entry, nnz);
        let listed = multiplications.min(self.list_limit);
        self.targets.reserve(listed);
        self.rows.reserve(n, entries);
        self.layout.reserve(n, nnz);
        reserve(&mut self.owner, entries);
        reserve(&mut self.work, n);
    }

    /// Lays out the factors of the chosen pivots and factors the values.
    pub fn adopt(
        &mut self,
        pattern: &Pattern,
        structure: &Structure,
        scales: &Scales,
        values: &[f64],
    ) -> Result<PivotRange, Singular> {
        self.lay_out(pattern, structure, scales);
        let range = self.renew(values).map_err(|useless| Singular {
            column: self.column(useless.position),
        })?;
        // A NaN fails the comparison and counts as singular.
        let regular = range.ratio >= LEAST_RATIO;
        if !regular {
            return Err(Singular {
                column: self.weakest_column(),
            });
        }
        Ok(range)
    }

    fn lay_out(&mut self, pattern: &Pattern, structure: &Structure, scales: &Scales) {
        self.structure.copy_from(structure);
        let pivots = structure.row.iter().zip(&structure.column);
        let scale = |(&i, &j): (&u32, &u32)| scales.row[i as usize] * scales.column[j as usize];
        self.reciprocal_scale.clear();
        (self.reciprocal_scale).extend(pivots.map(|pivot| 1.0 / scale(pivot)));
        let row = |i: u32| scales.row[i as usize];
        self.multiplier_scale.clear();
        (self.multiplier_scale).extend(structure.lower.iter().map(|&[i, k]| row(i) / row(k)));
        self.rows.fill(structure);
        self.schedule = if structure.multiplications() <= self.list_limit {
            self.targets.fill(structure);
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
        refill(&mut self.values, structure.nnz(), 0.0);
        refill(&mut self.work, pattern.n, 0.0);
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
        self.column(peak(self.reciprocals(), &self.reciprocal_scale).index)
    }

    /// Reciprocal pivots.
    fn reciprocals(&self) -> &[f64] {
        let first = self.structure.lower.len();
        &self.values[first..first + self.structure.extent.len()]
    }

    /// What the factors are like, unless a pivot cannot be used.
    fn range(&self) -> Result<PivotRange, Useless> {
        let (least, largest) = extremes(self.reciprocals(), &self.reciprocal_scale);
        let lower = &self.values[..self.structure.lower.len()];
        let growth = norm(lower, &self.multiplier_scale) / LARGEST_MULTIPLIER;
        // NaN must not pass
        if !(largest < LARGEST_RECIPROCAL && growth.is_finite()) {
            let scaled = self.reciprocals().iter().zip(&self.reciprocal_scale);
            let position = { scaled }.position(|(x, w)| !((x * w).abs() < LARGEST_RECIPROCAL));
            return Err(Useless {
                position: position.unwrap_or(0),
            });
        }
        let ratio = if largest > 0.0 { least / largest } else { 1.0 };
        Ok(PivotRange { ratio, growth })
    }

    /// Factors the given values, which must be finite.
    pub fn renew(&mut self, values: &[f64]) -> Result<PivotRange, Useless> {
        if !self.load(values) {
            return Err(Useless { position: 0 });
        }
        let (structure, values, work) = (&self.structure, &mut self.values, &mut self.work);
        match self.schedule {
            Schedule::Targets => self.targets.renew(structure, values, work),
            Schedule::Rows => self.rows.renew(structure, values, work),
        }
        self.range()
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
        let (diagonal, upper) = rest.split_at(structure.extent.len());
        for (l, &[i, k]) in lower.iter().zip(&structure.lower) {
            b[i as usize] -= l * b[k as usize];
        }
        let pivots = structure.row.iter().zip(&structure.column);
        for ((&i, &j), inverse) in pivots.zip(diagonal) {
            self.work[j as usize] = b[i as usize] * inverse;
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
                sum -= u * x[j as usize];
            }
            x[row] = sum;
            b.copy_from_slice(x);
            return;
        }
        let (mut upper, mut columns) = (upper, &structure.upper[..]);
        for (pivot, &k) in structure.extent.iter().zip(&structure.column).rev() {
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
