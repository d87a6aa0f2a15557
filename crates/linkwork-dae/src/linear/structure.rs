//! Pivots in order and the entries of the factors they lead to.

use super::buffers::{copy, reserve};

/// Number of entries in the column of `L` and in the row of `U` of a pivot, itself apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    pub lower: u32,
    pub upper: u32,
}

/// Where elimination with a sequence of pivots leaves entries.
#[derive(Clone, Debug, Default)]
pub(super) struct Structure {
    /// Caller's row and column of each pivot.
    pub row: Vec<u32>,
    pub column: Vec<u32>,
    pub extent: Vec<Extent>,
    /// For each entry of `L`, column by column: caller's rows of the entry and of the pivot.
    pub lower: Vec<[u32; 2]>,
    /// For each entry of `U`, row by row: caller's column.
    pub upper: Vec<u32>,
}

impl Structure {
    /// Reserves space for `n` pivots and factors with `entries` entries.
    pub fn reserve(&mut self, n: usize, entries: usize) {
        reserve(&mut self.row, n);
        reserve(&mut self.column, n);
        reserve(&mut self.extent, n);
        reserve(&mut self.lower, entries);
        reserve(&mut self.upper, entries);
    }

    pub fn clear(&mut self) {
        self.row.clear();
        self.column.clear();
        self.extent.clear();
        self.lower.clear();
        self.upper.clear();
    }

    pub fn copy_from(&mut self, other: &Structure) {
        copy(&mut self.row, &other.row);
        copy(&mut self.column, &other.column);
        copy(&mut self.extent, &other.extent);
        copy(&mut self.lower, &other.lower);
        copy(&mut self.upper, &other.upper);
    }

    /// Appends a pivot with the rows of its column of `L` and the columns of its row of `U`.
    pub fn push(
        &mut self,
        (row, column): (u32, u32),
        lower: &[u32],
        upper: impl ExactSizeIterator<Item = u32>,
    ) {
        self.row.push(row);
        self.column.push(column);
        self.extent.push(Extent {
            lower: lower.len() as u32,
            upper: upper.len() as u32,
        });
        self.lower.extend(lower.iter().map(|&i| [i, row]));
        self.upper.extend(upper);
    }

    /// Entries of both factors.
    pub fn nnz(&self) -> usize {
        self.lower.len() + self.extent.len() + self.upper.len()
    }

    /// Multiplications of a factorisation, divisions apart.
    pub fn multiplications(&self) -> usize {
        let of_pivot = |extent: &Extent| extent.lower as usize * extent.upper as usize;
        self.extent.iter().map(of_pivot).sum()
    }
}
