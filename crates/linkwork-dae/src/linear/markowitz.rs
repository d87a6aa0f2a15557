//! Pairing of rows and columns for matrices that are better not pivoted on the diagonal.
//!
//! The stabilised index-2 matrix
//!
//! ```text
//! [ M   K   C'  0  ]
//! [-I   I   0   C' ]      unknowns (velocity, position, two sets of multipliers)
//! [ C   CV  0   0  ]
//! [ 0   C   0   0  ]
//! ```
//!
//! of a mechanism with few degrees of freedom is nearly block triangular once the constraint rows
//! are paired with coordinates and the equations of motion with multipliers. Minimum degree on
//! `A + A'` cannot see that. The count of Markowitz 1957, `(r - 1)(c - 1)` multiplications for a
//! pivot whose row and column hold `r` and `c` entries, can: it is minimised over the shortest few
//! rows and columns (Zlatev 1980), among entries that are not small in their column. The values are
//! eliminated along with the structure for that: mechanisms in special poses are full of entries
//! that cancel. What is left in the row and the column of a pivot is its row of `U` and its column
//! of `L`.
//!
//! Bad at: open chains and nets, where it fills more than minimum degree. The search therefore
//! gives up beyond a number of multiplications.

use super::buckets::DegreeBuckets;
use super::buffers::{copy, refill, reserve};
use super::structure::Structure;
use super::{Field, Pattern};

/// Rows and columns looked at for each pivot.
const SEARCHED_LINES: usize = 4;

/// Entries below this fraction of the largest in their column are not taken as pivots.
const THRESHOLD: f64 = 0.1;

/// Marks a column whose largest entry is to be found again.
const UNKNOWN: f64 = -1.0;

/// Where a list lies in the pool.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    start: u32,
    len: u32,
    capacity: u32,
}

/// Lists in one pool; a list that outgrows its place moves to the end.
#[derive(Clone, Debug, Default)]
struct Lines<E> {
    place: Vec<Place>,
    pool: Vec<E>,
}

impl<E: Copy + Default> Lines<E> {
    /// Reserves space for `n` lists with `entries` entries in all.
    fn reserve(&mut self, n: usize, entries: usize) {
        reserve(&mut self.place, n);
        // A list that moves leaves its old place unused.
        reserve(&mut self.pool, 2 * (entries + 4 * n));
    }

    /// Empty lists with room for the given numbers of entries and some fill.
    fn reset(&mut self, lengths: impl Iterator<Item = u32>) {
        self.place.clear();
        let mut start = 0;
        for len in lengths {
            let capacity = len + 4;
            self.place.push(Place {
                start,
                len: 0,
                capacity,
            });
            start += capacity;
        }
        refill(&mut self.pool, start as usize, E::default());
    }

    fn get(&self, line: u32) -> &[E] {
        let Place { start, len, .. } = self.place[line as usize];
        &self.pool[start as usize..(start + len) as usize]
    }

    fn get_mut(&mut self, line: u32) -> &mut [E] {
        let Place { start, len, .. } = self.place[line as usize];
        &mut self.pool[start as usize..(start + len) as usize]
    }

    fn len(&self, line: u32) -> u32 {
        self.place[line as usize].len
    }

    fn push(&mut self, line: u32, entry: E) {
        let place = &mut self.place[line as usize];
        if place.len == place.capacity {
            let from = place.start as usize..(place.start + place.len) as usize;
            place.start = self.pool.len() as u32;
            place.capacity = 2 * place.capacity + 4;
            self.pool.extend_from_within(from);
            let end = (place.start + place.capacity) as usize;
            self.pool.resize(end, E::default());
        }
        self.pool[(place.start + place.len) as usize] = entry;
        place.len += 1;
    }

    /// Takes the entry that fits out of a list.
    fn take(&mut self, line: u32, fits: impl Fn(&E) -> bool) -> Option<E> {
        let entries = self.get_mut(line);
        let at = entries.iter().position(fits)?;
        let last = entries.len() - 1;
        entries.swap(at, last);
        let taken = entries[last];
        self.place[line as usize].len -= 1;
        Some(taken)
    }
}

/// Entry of a row or a column: where it crosses the other, and which value is its own.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Entry {
    line: u32,
    value: u32,
}

/// The search: the part of the matrix not eliminated yet, with row `i` as node `i` and column `j` as
/// node `n + j` of the buckets.
#[derive(Clone, Debug, Default)]
pub(super) struct Markowitz<T> {
    n: u32,
    rows: Lines<Entry>,
    columns: Lines<Entry>,
    /// Row-scaled.
    values: Vec<T>,
    /// Largest entry of each column, or [`UNKNOWN`].
    largest: Vec<f64>,
    buckets: DegreeBuckets,
    /// For each column, the row whose entries were last marked and the value there.
    mark: Vec<(u32, u32)>,
    stamp: u32,
    row_len: Vec<u32>,
    pivot_row: Vec<Entry>,
    pivot_column: Vec<Entry>,
    /// Rows of the pivot column.
    lower: Vec<u32>,
}

impl<T: Field> Markowitz<T> {
    /// Reserves space for a matrix of order `n` with `entries` entries, fill included.
    pub fn reserve(&mut self, n: usize, entries: usize) {
        self.rows.reserve(n, entries);
        self.columns.reserve(n, entries);
        reserve(&mut self.values, entries);
        reserve(&mut self.largest, n);
        self.buckets.reserve(2 * n, n + 1);
        reserve(&mut self.mark, n);
        reserve(&mut self.row_len, n);
        reserve(&mut self.pivot_row, n);
        reserve(&mut self.pivot_column, n);
        reserve(&mut self.lower, n);
    }

    /// Pairs rows and columns; false if that takes more than `limit` multiplications or cannot be
    /// done.
    pub fn plan(
        &mut self,
        pattern: &Pattern,
        values: &[T],
        row_scale: &[f64],
        limit: usize,
        structure: &mut Structure,
    ) -> bool {
        self.load(pattern, values, row_scale);
        structure.clear();
        let mut multiplications = 0;
        for _ in 0..pattern.n {
            let Some((i, j)) = self.cheapest_pivot() else {
                return false;
            };
            self.eliminate(i, j);
            self.lower.clear();
            self.lower.extend(self.pivot_column.iter().map(|e| e.line));
            let upper = self.pivot_row.iter().map(|entry| entry.line);
            structure.push((i, j), &self.lower, upper);
            multiplications += self.pivot_row.len() * self.pivot_column.len();
            if multiplications > limit {
                return false;
            }
        }
        true
    }

    fn load(&mut self, pattern: &Pattern, values: &[T], row_scale: &[f64]) {
        let n = pattern.n;
        self.n = n as u32;
        refill(&mut self.row_len, n, 0);
        for &i in &pattern.row {
            self.row_len[i as usize] += 1;
        }
        self.rows.reset(self.row_len.iter().copied());
        self.columns
            .reset((0..n).map(|j| pattern.span(j).len() as u32));
        self.largest.clear();
        self.values.clear();
        for j in 0..n {
            let mut largest = 0.0f64;
            for p in pattern.span(j) {
                let i = pattern.row[p];
                let value = values[p].scaled(row_scale[i as usize]);
                largest = largest.max(value.size());
                self.add(i, j as u32, value);
            }
            self.largest.push(largest);
        }
        self.buckets.reset(2 * n, n + 1);
        for j in (0..self.n).rev() {
            self.buckets.insert(self.n + j, self.columns.len(j));
        }
        for i in (0..self.n).rev() {
            self.buckets.insert(i, self.rows.len(i));
        }
        refill(&mut self.mark, n, (0, 0));
        self.stamp = 0;
    }

    /// A new entry.
    fn add(&mut self, row: u32, column: u32, x: T) {
        let value = self.values.len() as u32;
        self.values.push(x);
        self.rows.push(
            row,
            Entry {
                line: column,
                value,
            },
        );
        self.columns.push(column, Entry { line: row, value });
    }

    /// Row and column with the least product of other entries among the shortest lines.
    fn cheapest_pivot(&mut self) -> Option<(u32, u32)> {
        let mut best = None;
        let mut least = u64::MAX;
        let mut searched = 0;
        let mut line = self.buckets.first();
        while let Some((at, count)) = line {
            // An empty line means that the matrix is structurally singular.
            let others = (count as u64).checked_sub(1)?;
            if least <= others * others || searched >= SEARCHED_LINES && best.is_some() {
                break;
            }
            if let Some((cost, pivot)) = self.cheapest_of(at, others, least) {
                (least, best) = (cost, Some(pivot));
            }
            searched += 1;
            line = self.buckets.after(at, count);
        }
        best
    }

    /// The entry of a line with the least product below a bound, among those that are large enough. Sizes in long columns
    /// are dear to find: the cheapest is looked at first, and mostly it is.
    fn cheapest_of(&mut self, at: u32, others: u64, bound: u64) -> Option<(u64, (u32, u32))> {
        let first = self.least(at, others, bound, |_, _, _| true)?;
        let (cost, entry) = first;
        let pivot = self.place(at, entry);
        if self.is_large(pivot.1, entry) {
            return Some((cost, pivot));
        }
        let lines = self.lines(at).0.len();
        for nth in 0..lines {
            let j = self.place(at, self.lines(at).0[nth]).1;
            self.largest_of(j);
        }
        let (cost, entry) = self.least(at, others, bound, |search, j, entry| {
            search.is_large_beside(search.largest[j as usize], entry)
        })?;
        Some((cost, self.place(at, entry)))
    }

    /// Entries of a line, and the lines that cross it.
    fn lines(&self, at: u32) -> (&[Entry], &Lines<Entry>) {
        match at < self.n {
            true => (self.rows.get(at), &self.columns),
            false => (self.columns.get(at - self.n), &self.rows),
        }
    }

    /// Row and column of an entry of a line.
    fn place(&self, at: u32, entry: Entry) -> (u32, u32) {
        match at < self.n {
            true => (at, entry.line),
            false => (entry.line, at - self.n),
        }
    }

    /// The first entry of a line with the least product below a bound, of those that will do.
    fn least(
        &self,
        at: u32,
        others: u64,
        bound: u64,
        will_do: impl Fn(&Self, u32, Entry) -> bool,
    ) -> Option<(u64, Entry)> {
        let (entries, crossing) = self.lines(at);
        let (mut least, mut best) = (bound, None);
        for &entry in entries {
            let cost = others * (u64::from(crossing.len(entry.line)) - 1);
            if cost < least && will_do(self, self.place(at, entry).1, entry) {
                (least, best) = (cost, Some(entry));
            }
        }
        best.map(|entry| (least, entry))
    }

    /// Whether an entry of column `j` is large enough for a pivot.
    fn is_large(&mut self, j: u32, entry: Entry) -> bool {
        let largest = self.largest_of(j);
        self.is_large_beside(largest, entry)
    }

    fn is_large_beside(&self, largest: f64, entry: Entry) -> bool {
        let size = self.values[entry.value as usize].size();
        size > 0.0 && size >= THRESHOLD * largest
    }

    fn largest_of(&mut self, j: u32) -> f64 {
        let largest = &mut self.largest[j as usize];
        if *largest == UNKNOWN {
            let sizes = self.columns.get(j).iter();
            let sizes = sizes.map(|entry| self.values[entry.value as usize].size());
            *largest = sizes.fold(0.0, f64::max);
        }
        *largest
    }

    /// Eliminates with pivot (i, j) and leaves the other entries of its row and column.
    fn eliminate(&mut self, i: u32, j: u32) {
        let n = self.n;
        self.buckets.remove(i, self.rows.len(i));
        self.buckets.remove(n + j, self.columns.len(j));
        let pivot = self.rows.take(i, |entry| entry.line == j);
        let pivot = pivot.map_or(T::real(f64::NAN), |entry| self.values[entry.value as usize]);
        let mut row = std::mem::take(&mut self.pivot_row);
        let mut column = std::mem::take(&mut self.pivot_column);
        copy(&mut row, self.rows.get(i));
        self.columns.take(j, |entry| entry.line == i);
        copy(&mut column, self.columns.get(j));
        for entry in &row {
            let k = entry.line;
            self.buckets.remove(n + k, self.columns.len(k));
            self.columns.take(k, |crossing| crossing.line == i);
            self.largest[k as usize] = UNKNOWN;
        }
        for &entry in &column {
            let a = entry.line;
            self.buckets.remove(a, self.rows.len(a));
            self.rows.take(a, |crossing| crossing.line == j);
            self.subtract(a, self.values[entry.value as usize] / pivot, &row);
            self.buckets.insert(a, self.rows.len(a));
        }
        for entry in &row {
            let k = entry.line;
            self.buckets.insert(n + k, self.columns.len(k));
        }
        self.pivot_row = row;
        self.pivot_column = column;
    }

    /// Subtracts a multiple of the pivot row from row `a`.
    fn subtract(&mut self, a: u32, factor: T, row: &[Entry]) {
        let crossed = row.iter().map(|entry| self.columns.len(entry.line));
        // a row that is longer than all columns it meets is looked up in them
        let by_columns = self.rows.len(a) > crossed.sum();
        if !by_columns {
            self.stamp += 1;
            for entry in self.rows.get(a) {
                self.mark[entry.line as usize] = (self.stamp, entry.value);
            }
        }
        for &Entry { line: k, value } in row {
            let change = factor * self.values[value as usize];
            let present = if by_columns {
                let mut entries = self.columns.get(k).iter();
                entries.find(|entry| entry.line == a).map(|e| e.value)
            } else {
                let (stamp, value) = self.mark[k as usize];
                (stamp == self.stamp).then_some(value)
            };
            match present {
                Some(value) => {
                    let value = &mut self.values[value as usize];
                    *value = *value - change;
                }
                None => self.add(a, k, change.scaled(-1.0)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(pattern: &Pattern, values: &[f64], limit: usize) -> Option<Structure> {
        let mut structure = Structure::default();
        let scale = vec![1.0; pattern.n];
        Markowitz::default()
            .plan(pattern, values, &scale, limit, &mut structure)
            .then_some(structure)
    }

    fn pair(n: usize, entries: &[(u32, u32)], limit: usize) -> Option<Structure> {
        let pattern = Pattern::from_entries(n, entries);
        plan(&pattern, &vec![1.0; pattern.nnz()], limit)
    }

    #[test]
    fn permuted_triangle_needs_no_multiplication() {
        let n = 12;
        let entries: Vec<(u32, u32)> = (0..n)
            .flat_map(|j| (0..=j).map(move |i| ((5 * i + 1) % n, (7 * j + 3) % n)))
            .collect();
        assert!(pair(n as usize, &entries, 0).is_some());
    }

    #[test]
    fn arrow_keeps_its_head_for_last() {
        let entries: Vec<(u32, u32)> = (0..9).flat_map(|i| [(i, i), (0, i), (i, 0)]).collect();
        // One multiplication for each of the eight leaves.
        assert!(pair(9, &entries, 8).is_some());
        assert!(pair(9, &entries, 7).is_none(), "the limit is kept");
    }

    #[test]
    fn structurally_singular_pattern_has_no_pairing() {
        assert!(pair(3, &[(0, 0), (0, 1), (0, 2), (1, 2)], 100).is_none());
    }

    #[test]
    fn small_entries_are_no_pivots() {
        let pattern = Pattern::from_entries(2, &[(0, 0), (1, 0), (0, 1), (1, 1)]);
        let planned = plan(&pattern, &[0.01, 1.0, 1.0, 0.01], 100).unwrap();
        assert_ne!(planned.row[0], planned.column[0]);
    }

    #[test]
    fn entries_that_cancel_are_no_pivots() {
        // The pivot of the short row 0 leaves [0 1; 1 1] in rows and columns 1 and 2.
        let entries: Vec<(u32, u32)> = (0..3)
            .flat_map(|i| (0..3).map(move |j| (i, j)))
            .filter(|&entry| entry != (0, 2))
            .collect();
        let pattern = Pattern::from_entries(3, &entries);
        let values = [1.0, 1.0, 1.0, 1.0, 1.0, 2.0, 1.0, 1.0];
        let planned = plan(&pattern, &values, 100).unwrap();
        let pivots: Vec<_> = planned.row.iter().zip(&planned.column).collect();
        assert!(!pivots.contains(&(&1, &1)), "{pivots:?}");
    }

    #[test]
    fn structure_holds_the_fill() {
        // A ring of four: the first pivot fills one diagonal of the rest, which is then full.
        let entries: Vec<(u32, u32)> = (0..4)
            .flat_map(|i| [(i, i), (i, (i + 1) % 4), ((i + 1) % 4, i)])
            .collect();
        let planned = pair(4, &entries, 100).unwrap();
        assert_eq!(planned.nnz(), 12 + 2);
        assert_eq!(planned.multiplications(), 4 + 4 + 1);
    }

    #[test]
    fn search_can_be_repeated() {
        let pattern = Pattern::from_entries(2, &[(0, 0), (1, 0), (0, 1), (1, 1)]);
        let (mut search, mut structure) = (Markowitz::default(), Structure::default());
        for (values, paired) in [
            ([1.0, 0.01, 0.01, 1.0], true),
            ([0.01, 1.0, 1.0, 0.01], false),
            ([1.0, 0.01, 0.01, 1.0], true),
        ] {
            assert!(search.plan(&pattern, &values, &[1.0; 2], 100, &mut structure));
            assert_eq!(structure.row == structure.column, paired);
        }
    }
}
