//! Matrices that couple each coordinate with those between it and the root.
//!
//! Row `i` holds its entries with all coordinates on the path to the root, the root's first and the
//! diagonal last. Rows of one path are aligned, so that operations between them run over contiguous
//! numbers. A chain fills the whole triangle; many short branches leave it nearly empty.

use super::Tree;
use std::collections::BTreeSet;
use std::ops::Range;

/// The paths of a tree's coordinates.
#[derive(Clone, Debug, Default)]
pub struct Branches {
    /// The next coordinate towards the root.
    up: Vec<u32>,
    /// Where each row starts; one more than rows.
    start: Vec<usize>,
    /// The first coordinate of the run of consecutive ones that ends here.
    run: Vec<u32>,
}

/// No further coordinate.
const ROOT: u32 = u32::MAX;

impl Branches {
    /// The paths of a tree.
    pub fn new(tree: &Tree) -> Branches {
        let mut all = Vec::new();
        for node in &tree.nodes {
            let mut up = match node.parent {
                // a joint has at least one coordinate
                Some(p) => tree.nodes[p as usize].dofs().end as u32 - 1,
                None => ROOT,
            };
            for i in node.dofs() {
                all.push(up);
                up = i as u32;
            }
        }
        Branches::leading(all)
    }

    /// The shortest paths that hold a symmetric pattern of so many rows, and what its elimination from the last row on fills.
    pub fn holding(count: usize, pattern: &[(u32, u32)]) -> Branches {
        let mut rows = vec![BTreeSet::new(); count];
        for &(i, j) in pattern.iter().filter(|(i, j)| j < i) {
            rows[i as usize].insert(j);
        }
        let mut all = vec![ROOT; count];
        for i in (0..count).rev() {
            let mut row = std::mem::take(&mut rows[i]);
            if let Some(up) = row.pop_last() {
                all[i] = up;
                rows[up as usize].append(&mut row);
            }
        }
        Branches::leading(all)
    }

    /// From the next coordinate towards the root of each, which comes before it.
    fn leading(up: Vec<u32>) -> Branches {
        let mut b = Branches {
            start: vec![0],
            ..Branches::default()
        };
        for (i, &next) in up.iter().enumerate() {
            let (length, run) = match next {
                ROOT => (0, i as u32),
                next if next as usize + 1 == i => (b.row(i - 1).len(), b.run[i - 1]),
                next => (b.row(next as usize).len(), i as u32),
            };
            b.start.push(b.entries() + length + 1);
            b.run.push(run);
        }
        Branches { up, ..b }
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.up.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.up.is_empty()
    }

    /// Number of entries.
    pub fn entries(&self) -> usize {
        self.start.last().copied().unwrap_or(0)
    }

    /// Where the entries of row `i` are, diagonal last.
    #[inline]
    pub fn row(&self, i: usize) -> Range<usize> {
        self.start[i]..self.start[i + 1]
    }

    /// The next coordinate towards the root.
    #[inline]
    pub fn up(&self, i: usize) -> Option<usize> {
        let up = self.up[i];
        (up != ROOT).then_some(up as usize)
    }

    /// Coordinates from `i` to the root, `i` first.
    pub fn path(&self, i: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(i), |&j| self.up(j))
    }

    /// The first coordinate of the run of consecutive ones on the path of `i` that ends with it.
    #[inline]
    pub fn run_start(&self, i: usize) -> usize {
        self.run[i] as usize
    }

    /// Positions (row, column) of all entries, lower then upper triangle of each row.
    pub fn full_pattern(&self) -> Vec<(u32, u32)> {
        let mut out = Vec::with_capacity(2 * self.entries());
        for i in 0..self.len() {
            for j in self.path(i) {
                out.push((i as u32, j as u32));
                if j != i {
                    out.push((j as u32, i as u32));
                }
            }
        }
        out
    }

    /// Writes values in the order of [`Branches::full_pattern`] from the entries below the diagonal
    /// (diagonal included) and those above it.
    pub fn spread(&self, lower: &[f64], upper: &[f64], out: &mut [f64]) {
        let mut out = out.iter_mut();
        let mut put = |x: f64| {
            if let Some(o) = out.next() {
                *o = x;
            }
        };
        for i in 0..self.len() {
            let row = self.row(i);
            let pairs = lower[row.clone()].iter().zip(&upper[row]).rev();
            for (k, (l, u)) in pairs.enumerate() {
                put(*l);
                if k > 0 {
                    put(*u);
                }
            }
        }
    }
}
