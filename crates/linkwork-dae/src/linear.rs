//! Factor and solve: the linear algebra of the corrector and of the saddle system.

pub(crate) mod buckets;
mod buffers;
mod choice;
mod dense_lu;
mod field;
mod frozen;
mod layout;
mod lower_rows;
mod markowitz;
mod ordering;
mod pivoting;
mod probe;
mod scaling;
mod sparse_lu;
mod structure;
mod targets;

pub use dense_lu::DenseLu;
pub use field::Field;
pub use sparse_lu::SparseLu;

use crate::eigen::Complex;
use crate::memory::Memory;

/// Sparsity of a square matrix by columns (compressed sparse column), rows ascending in a column.
///
/// Matrix values are handed over as one slice in the order of `row`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pattern {
    /// Order of the matrix.
    pub n: usize,
    /// `column[j]..column[j + 1]` are the entries of column `j`; length `n + 1`.
    pub column: Vec<u32>,
    /// Row of each entry.
    pub row: Vec<u32>,
}

impl Pattern {
    /// The union of the given positions, each (row, column).
    pub fn from_entries(n: usize, entries: &[(u32, u32)]) -> Pattern {
        let mut sorted: Vec<(u32, u32)> = entries.iter().map(|&(i, j)| (j, i)).collect();
        sorted.sort_unstable();
        sorted.dedup();
        let mut column = vec![0u32; n + 1];
        for &(j, _) in &sorted {
            column[j as usize + 1] += 1;
        }
        for j in 0..n {
            column[j + 1] += column[j];
        }
        Pattern {
            n,
            column,
            row: sorted.into_iter().map(|(_, i)| i).collect(),
        }
    }

    /// Number of entries.
    pub fn nnz(&self) -> usize {
        self.row.len()
    }

    /// Where the entries of column `j` lie in the value slice.
    pub fn span(&self, j: usize) -> std::ops::Range<usize> {
        self.column[j] as usize..self.column[j + 1] as usize
    }

    /// Index of the entry (row, column) in the value slice.
    pub fn slot(&self, row: u32, column: u32) -> Option<usize> {
        let from = *self.column.get(column as usize)? as usize;
        let to = *self.column.get(column as usize + 1)? as usize;
        self.row[from..to]
            .binary_search(&row)
            .ok()
            .map(|k| from + k)
    }
}

/// Sets all values to zero, in blocks below the size from which `memset` turns to string
/// instructions: those start slowly, and matrices of mechanisms are a few kilobytes.
pub(crate) fn clear<T: Field>(values: &mut [T]) {
    const BLOCK: usize = 128;
    for block in values.chunks_mut(BLOCK) {
        block.fill(T::default());
    }
}

/// What a factorisation found out.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FactorInfo {
    /// Smallest over largest pivot, after row and column scaling.
    pub pivot_ratio: f64,
    /// Whether the pivot sequence of an earlier factorisation was used again.
    pub reused_pivots: bool,
    /// Entries of both factors.
    pub nnz: usize,
}

/// The matrix has no inverse; `column` is the first unknown that cannot be determined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("matrix is singular at column {column}")]
pub struct Singular {
    /// Index of the unknown, in the caller's numbering.
    pub column: usize,
}

/// What a solver does, in multiplications.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Work {
    /// Of a factorisation.
    pub factor: f64,
    /// Of a solve.
    pub solve: f64,
}

/// A direct solver for one pattern and many values.
pub trait LinearSolver<T: Field = f64>: Send {
    /// Symbolic work for a pattern, once. Row `i` is paired with column `i`. Unknowns with the same
    /// number in `group` share their neighbours, as a velocity and its position do: an ordering may
    /// take them together. Empty: each is by itself.
    fn analyse(&mut self, pattern: &Pattern, group: &[u32]);

    /// An order of elimination for the pattern just analysed that is known to be cheap and to find its
    /// pivots on the diagonal.
    fn suggest(&mut self, order: &[u32]) {
        let _ = order;
    }

    /// Numerical factorisation of the values in pattern order; reuses pivots while they are sound.
    /// After the first factors of a pattern it allocates only for fill far beyond theirs.
    fn factor(&mut self, values: &[T]) -> Result<FactorInfo, Singular>;

    /// The same with pivots chosen anew, for their size alone: where reused ones leave in doubt whether the matrix is
    /// singular.
    fn factor_by_size(&mut self, values: &[T]) -> Result<FactorInfo, Singular> {
        self.factor(values)
    }

    /// Solves in place with the last factors. Does not allocate. Without factors of the last values,
    /// because there were none or the matrix was singular, the result is NaN.
    fn solve(&mut self, b: &mut [T]);

    /// The same for several right-hand sides.
    fn solve_all(&mut self, b: &mut [Vec<T>]) {
        for b in b {
            self.solve(b);
        }
    }

    /// A solver of the same kind without a matrix.
    fn another(&self) -> Box<dyn LinearSolver<T>>;

    /// The same for complex matrices.
    fn complex(&self) -> Box<dyn LinearSolver<Complex>>;

    /// What the last factors took and solves with them take: counted, so that decisions which weigh
    /// one against the other do not depend on the machine. Zero where it is not counted.
    fn work(&self) -> Work {
        Work::default()
    }

    /// Saves or restores what later factors depend on beside their values: the pivot sequence.
    /// Factors at hand are not part of it; after reading they must be made anew.
    fn memory(&mut self, m: &mut Memory);
}

/// A registered linear solver.
#[derive(Debug)]
pub struct LinearSolverEntry {
    /// Name in options and reports.
    pub name: &'static str,
    /// One line on what it is good at.
    pub summary: &'static str,
    /// Makes a solver without a matrix.
    pub build: fn() -> Box<dyn LinearSolver>,
    /// Whether it stores the full matrix.
    pub full: bool,
}

/// Every linear solver that can be asked for by name.
pub static LINEAR_SOLVERS: &[LinearSolverEntry] = &[
    LinearSolverEntry {
        name: "sparse",
        summary: "sparse LU that reuses its pivots: mechanisms of any size",
        build: || Box::new(SparseLu::new()),
        full: false,
    },
    LinearSolverEntry {
        name: "dense",
        summary: "dense LU with partial pivoting: small, full matrices",
        build: || Box::new(DenseLu::new()),
        full: true,
    },
];
