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
//! rows and columns (Zlatev 1980). Structure only; entries that are small in the given values are
//! not taken as pivots before elimination has changed them. What is left in the row and the column of
//! a pivot is its row of `U` and its column of `L`.
//!
//! Bad at: open chains and nets, where it fills more than minimum degree. The search therefore
//! gives up beyond a number of multiplications.

use super::Pattern;
use super::buckets::DegreeBuckets;
use super::room::{make_room, refill};
use super::structure::Structure;

/// Rows and columns looked at for each pivot.
const SEARCHED_LINES: usize = 4;

/// Entries below this fraction of the largest in their column are not planned as pivots.
const PLANNED_THRESHOLD: f64 = 0.1;

/// Marks an entry too small for a pivot.
const SMALL: u32 = 1 << 31;

/// Lists in one pool; a list that outgrows its place moves to the end.
#[derive(Clone, Debug, Default)]
struct Lines {
    /// Start, length and capacity.
    place: Vec<(u32, u32, u32)>,
    pool: Vec<u32>,
}

impl Lines {
    /// Empty lists with room for the rows and the columns of the pattern.
    fn reset(&mut self, pattern: &Pattern) {
        let n = pattern.n;
        refill(&mut self.place, 2 * n, (0, 0, 0));
        for j in 0..n {
            let rows = &pattern.row[pattern.span(j)];
            self.place[n + j].2 = rows.len() as u32;
            for &i in rows {
                self.place[i as usize].2 += 1;
            }
        }
        let mut end = 0;
        for (start, _, capacity) in &mut self.place {
            // Some room, so that most lists take their fill without moving.
            *capacity += 4;
            *start = end;
            end += *capacity;
        }
        refill(&mut self.pool, end as usize, 0);
    }

    fn get(&self, line: u32) -> &[u32] {
        let (start, len, _) = self.place[line as usize];
        &self.pool[start as usize..(start + len) as usize]
    }

    fn len(&self, line: u32) -> u32 {
        self.place[line as usize].1
    }

    fn push(&mut self, line: u32, entry: u32) {
        let (start, len, capacity) = &mut self.place[line as usize];
        if *len == *capacity {
            let from = *start as usize..(*start + *len) as usize;
            *start = self.pool.len() as u32;
            *capacity = 2 * *capacity + 4;
            self.pool.extend_from_within(from);
            self.pool.resize((*start + *capacity) as usize, 0);
        }
        self.pool[(*start + *len) as usize] = entry;
        *len += 1;
    }

    fn remove(&mut self, line: u32, entry: u32) {
        let (start, len, _) = &mut self.place[line as usize];
        let entries = &mut self.pool[*start as usize..(*start + *len) as usize];
        if let Some(at) = entries.iter().position(|&e| e & !SMALL == entry) {
            entries[at] = entries[entries.len() - 1];
            *len -= 1;
        }
    }
}

/// The search: the part of the matrix not eliminated yet. Row `i` is line `i`, column `j` is line
/// `n + j`.
#[derive(Clone, Debug, Default)]
pub(super) struct Markowitz {
    n: u32,
    lines: Lines,
    buckets: DegreeBuckets,
    /// For each column, the row whose entries were last marked and the place of the entry.
    mark: Vec<(u32, u32)>,
    stamp: u32,
    pivot_row: Vec<u32>,
    pivot_column: Vec<u32>,
}

impl Markowitz {
    /// Makes room for a matrix of order `n` with `entries` entries, fill included.
    pub fn make_room(&mut self, n: usize, entries: usize) {
        make_room(&mut self.lines.place, 2 * n);
        // A list that moves leaves its old place unused.
        make_room(&mut self.lines.pool, 4 * (entries + 4 * n));
        self.buckets.make_room(2 * n, n + 1);
        make_room(&mut self.mark, n);
        make_room(&mut self.pivot_row, n);
        make_room(&mut self.pivot_column, n);
    }

    /// Pairs rows and columns; false if that takes more than `limit` multiplications or cannot be
    /// done.
    pub fn plan(
        &mut self,
        pattern: &Pattern,
        values: &[f64],
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
            structure.push((i, j), &self.pivot_column, &self.pivot_row);
            multiplications += self.pivot_row.len() * self.pivot_column.len();
            if multiplications > limit {
                return false;
            }
        }
        true
    }

    fn load(&mut self, pattern: &Pattern, values: &[f64], row_scale: &[f64]) {
        let n = pattern.n;
        self.n = n as u32;
        self.lines.reset(pattern);
        for j in 0..n {
            let scaled = |p: usize| values[p].abs() * row_scale[pattern.row[p] as usize];
            let largest = pattern.span(j).map(scaled).fold(0.0, f64::max);
            for p in pattern.span(j) {
                let small = scaled(p) <= PLANNED_THRESHOLD * largest;
                let flag = if small { SMALL } else { 0 };
                self.lines.push(pattern.row[p], j as u32 | flag);
                self.lines.push((n + j) as u32, pattern.row[p] | flag);
            }
        }
        self.buckets.reset(2 * n, n + 1);
        for line in (0..2 * n as u32).rev() {
            self.buckets.insert(line, self.lines.len(line));
        }
        refill(&mut self.mark, n, (0, 0));
        self.stamp = 0;
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
            let offset = if at < self.n { self.n } else { 0 };
            for &entry in self.lines.get(at) {
                if entry & SMALL == 0 {
                    let cost = others * (self.lines.len(entry + offset) as u64 - 1);
                    if cost < least {
                        least = cost;
                        best = Some(if at < self.n {
                            (at, entry)
                        } else {
                            (entry, at - self.n)
                        });
                    }
                }
            }
            searched += 1;
            line = self.buckets.after(at, count);
        }
        best
    }

    /// Eliminates with pivot (i, j) and leaves the other entries of its row and column.
    fn eliminate(&mut self, i: u32, j: u32) {
        let n = self.n;
        self.buckets.remove(i, self.lines.len(i));
        self.buckets.remove(n + j, self.lines.len(n + j));
        let mut row = std::mem::take(&mut self.pivot_row);
        let mut column = std::mem::take(&mut self.pivot_column);
        row.clear();
        column.clear();
        row.extend(
            self.lines
                .get(i)
                .iter()
                .map(|k| k & !SMALL)
                .filter(|&k| k != j),
        );
        column.extend(
            self.lines
                .get(n + j)
                .iter()
                .map(|a| a & !SMALL)
                .filter(|&a| a != i),
        );
        for &k in &row {
            self.buckets.remove(n + k, self.lines.len(n + k));
            self.lines.remove(n + k, i);
        }
        for &a in &column {
            self.buckets.remove(a, self.lines.len(a));
            self.lines.remove(a, j);
            self.fill(a, &row);
            self.buckets.insert(a, self.lines.len(a));
        }
        for &k in &row {
            self.buckets.insert(n + k, self.lines.len(n + k));
        }
        self.pivot_row = row;
        self.pivot_column = column;
    }

    /// Adds the pivot row to row `a`.
    fn fill(&mut self, a: u32, row: &[u32]) {
        if row.is_empty() {
            return;
        }
        self.stamp += 1;
        let (start, len, _) = self.lines.place[a as usize];
        for at in start..start + len {
            let k = self.lines.pool[at as usize] & !SMALL;
            self.mark[k as usize] = (self.stamp, at);
        }
        for &k in row {
            let (stamp, at) = self.mark[k as usize];
            if stamp == self.stamp {
                self.lines.pool[at as usize] = k;
            } else {
                self.lines.push(a, k);
                self.lines.push(self.n + k, a);
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
    fn small_entries_are_not_paired() {
        let pattern = Pattern::from_entries(2, &[(0, 0), (1, 0), (0, 1), (1, 1)]);
        let planned = plan(&pattern, &[0.01, 1.0, 1.0, 0.01], 100).unwrap();
        assert_ne!(planned.row[0], planned.column[0]);
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
