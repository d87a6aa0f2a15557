//! Columns that can share one difference: groups without a common row.
//!
//! Two columns may be moved together when no row depends on both (Curtis, Powell & Reid 1974).
//! Columns that share a row are neighbours in a graph; a colouring of that graph is a grouping.
//! Greedy colouring gives each column the first group that none of its neighbours has; how many
//! groups that takes depends on the order in which columns come (Coleman, Garbow & More 1984):
//!
//! ```text
//!  smallest-last      from the end: the column with the fewest neighbours among those left
//!  incidence-degree   from the front: the column with the most neighbours among those placed
//!  largest-first      by the number of neighbours, falling
//! ```
//!
//! All three are tried and the best is kept; the largest number of entries in a row is a bound from
//! below. Bad at: a full row makes every column a group of its own.

use crate::linear::buckets::DegreeBuckets;

/// Orders in which columns are coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ordering {
    /// Fewest neighbours last.
    SmallestLast,
    /// Most placed neighbours first.
    IncidenceDegree,
    /// Most neighbours first.
    LargestFirst,
}

impl Ordering {
    /// All of them, in the order in which they are tried.
    pub const ALL: [Ordering; 3] = [
        Ordering::SmallestLast,
        Ordering::IncidenceDegree,
        Ordering::LargestFirst,
    ];
}

/// A pattern, which of its entries are in use, and groups of its columns. Nothing is allocated
/// after [`Groups::new`].
#[derive(Clone, Debug, Default)]
pub struct Groups {
    graph: Graph,
    /// Group of each column.
    of: Vec<u32>,
    trial: Vec<u32>,
    /// Columns sorted by group, and where each group begins.
    members: Vec<u32>,
    start: Vec<u32>,
    count: usize,
    order: Vec<u32>,
    degree: Vec<u32>,
    incidence: Vec<u32>,
    placed: Vec<bool>,
    taken: Stamps,
    buckets: DegreeBuckets,
}

/// The pattern by columns and by rows.
#[derive(Clone, Debug, Default)]
struct Graph {
    columns: usize,
    start: Vec<u32>,
    row: Vec<u32>,
    row_start: Vec<u32>,
    /// (column, entry) of the entries of a row.
    by_row: Vec<(u32, u32)>,
    active: Vec<bool>,
    seen: Stamps,
}

/// Marks that are cleared at once.
#[derive(Clone, Debug, Default)]
struct Stamps {
    stamp: Vec<u64>,
    now: u64,
}

impl Stamps {
    fn new(n: usize) -> Stamps {
        Stamps {
            stamp: vec![0; n],
            now: 0,
        }
    }

    fn clear(&mut self) {
        self.now += 1;
    }

    /// Marks `i`; `true` when it was not marked.
    fn mark(&mut self, i: u32) -> bool {
        let stamp = &mut self.stamp[i as usize];
        std::mem::replace(stamp, self.now) != self.now
    }

    fn has(&self, i: u32) -> bool {
        self.stamp[i as usize] == self.now
    }
}

impl Graph {
    fn span(&self, j: u32) -> std::ops::Range<usize> {
        self.start[j as usize] as usize..self.start[j as usize + 1] as usize
    }

    /// Visits each column that shares a row with `j`, once.
    fn neighbours(&mut self, j: u32, mut visit: impl FnMut(u32)) {
        self.seen.clear();
        self.seen.mark(j);
        for k in self.span(j) {
            if !self.active[k] {
                continue;
            }
            let i = self.row[k] as usize;
            let row = self.row_start[i] as usize..self.row_start[i + 1] as usize;
            for &(column, entry) in &self.by_row[row] {
                if self.active[entry as usize] && self.seen.mark(column) {
                    visit(column);
                }
            }
        }
    }
}

impl Groups {
    /// Room for a pattern of (row, column) entries sorted by column, none of them in use yet.
    pub fn new(rows: usize, columns: usize, entries: &[(u32, u32)]) -> Groups {
        let column = |c: u32| entries.partition_point(|e| e.1 < c) as u32;
        let mut by: Vec<(u32, u32, u32)> =
            (0..).zip(entries).map(|(k, &(i, j))| (i, j, k)).collect();
        by.sort_unstable();
        let row = |r: u32| by.partition_point(|e| e.0 < r) as u32;
        let mut buckets = DegreeBuckets::default();
        buckets.reserve(columns, columns + 1);
        Groups {
            graph: Graph {
                columns,
                start: (0..=columns as u32).map(column).collect(),
                row: entries.iter().map(|e| e.0).collect(),
                row_start: (0..=rows as u32).map(row).collect(),
                by_row: by.iter().map(|&(_, j, k)| (j, k)).collect(),
                active: vec![false; entries.len()],
                seen: Stamps::new(columns),
            },
            of: vec![0; columns],
            trial: vec![0; columns],
            members: vec![0; columns],
            start: vec![0; columns + 1],
            count: 0,
            order: vec![0; columns],
            degree: vec![0; columns],
            incidence: vec![0; columns],
            placed: vec![false; columns],
            taken: Stamps::new(columns + 1),
            buckets,
        }
    }

    /// Groups of a whole pattern.
    pub fn of_pattern(rows: usize, columns: usize, entries: &[(u32, u32)]) -> Groups {
        let mut sorted = entries.to_vec();
        sorted.sort_unstable_by_key(|&(i, j)| (j, i));
        sorted.dedup();
        let mut groups = Groups::new(rows, columns, &sorted);
        groups.use_all();
        groups.colour();
        groups
    }

    /// Number of groups.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Columns of a group.
    pub fn members(&self, group: usize) -> &[u32] {
        &self.members[self.start[group] as usize..self.start[group + 1] as usize]
    }

    /// Group of each column.
    pub fn of(&self) -> &[u32] {
        &self.of
    }

    /// Whether each entry is in use.
    pub fn active(&self) -> &[bool] {
        &self.graph.active
    }

    /// Number of entries in use.
    pub fn nonzeros(&self) -> usize {
        self.graph.active.iter().filter(|a| **a).count()
    }

    /// Uses an entry from now on; `true` when it was not in use. Groups are those before, until
    /// [`Groups::colour`].
    pub fn activate(&mut self, entry: usize) -> bool {
        !std::mem::replace(&mut self.graph.active[entry], true)
    }

    /// Uses every entry.
    pub fn use_all(&mut self) {
        self.graph.active.fill(true);
    }

    /// Marks of the entries, to be saved or restored.
    pub fn marks(&mut self) -> &mut [bool] {
        &mut self.graph.active
    }

    /// Most entries of a row: no grouping has fewer groups.
    pub fn bound(&self) -> usize {
        let g = &self.graph;
        let row = |span: &[u32]| {
            let entries = &g.by_row[span[0] as usize..span[1] as usize];
            entries.iter().filter(|e| g.active[e.1 as usize]).count()
        };
        g.row_start.windows(2).map(row).max().unwrap_or(0)
    }

    /// Groups the columns anew: the best of the three orderings.
    pub fn colour(&mut self) -> usize {
        let bound = self.bound();
        if self.all_meet(bound) {
            return self.count;
        }
        let mut best = usize::MAX;
        for ordering in Ordering::ALL {
            let count = self.colour_in(ordering);
            if count < best {
                best = count;
                self.of.copy_from_slice(&self.trial);
            }
            if best <= bound {
                break;
            }
        }
        self.count = if self.graph.columns == 0 { 0 } else { best };
        self.sort();
        self.count
    }

    /// Where a row has an entry in every column that has any, each of these is a group of its own: full
    /// matrices are not worth a search through all pairs.
    fn all_meet(&mut self, bound: usize) -> bool {
        let graph = &self.graph;
        let has_any = |j: u32| graph.span(j).any(|k| graph.active[k]);
        let mut next = 0;
        for (j, group) in (0..).zip(self.of.iter_mut()) {
            // what has no entries joins the first
            *group = 0;
            if has_any(j) {
                *group = next;
                next += 1;
            }
        }
        let all = bound > 0 && next as usize == bound;
        if all {
            self.count = bound;
            self.sort();
        }
        all
    }

    /// Number of groups that one ordering takes.
    pub fn colour_in(&mut self, ordering: Ordering) -> usize {
        self.count_neighbours();
        match ordering {
            Ordering::SmallestLast => self.smallest_last(),
            Ordering::IncidenceDegree => self.incidence_degree(),
            Ordering::LargestFirst => self.largest_first(),
        }
        self.greedy()
    }

    fn count_neighbours(&mut self) {
        for j in 0..self.graph.columns {
            let mut n = 0;
            self.graph.neighbours(j as u32, |_| n += 1);
            self.degree[j] = n;
        }
    }

    fn smallest_last(&mut self) {
        let n = self.graph.columns;
        let Groups {
            graph,
            order,
            degree,
            incidence: left,
            placed,
            buckets,
            ..
        } = self;
        left.copy_from_slice(degree);
        placed.fill(false);
        buckets.reset(n, n + 1);
        for (j, &d) in (0..).zip(left.iter()) {
            buckets.insert(j, d);
        }
        for place in (0..n).rev() {
            let Some(j) = buckets.pop() else { return };
            order[place] = j;
            placed[j as usize] = true;
            graph.neighbours(j, |k| {
                if !placed[k as usize] {
                    let d = &mut left[k as usize];
                    buckets.remove(k, *d);
                    *d -= 1;
                    buckets.insert(k, *d);
                }
            });
        }
    }

    fn incidence_degree(&mut self) {
        self.largest_first();
        let n = self.graph.columns;
        let Groups {
            graph,
            order,
            incidence: missing,
            placed,
            buckets,
            ..
        } = self;
        // lists are by ascending number, so it is the neighbours missing from all that are counted
        missing.fill(n as u32);
        placed.fill(false);
        buckets.reset(n, n + 1);
        for &j in order.iter().rev() {
            buckets.insert(j, n as u32);
        }
        for place in order.iter_mut() {
            let Some(j) = buckets.pop() else { return };
            *place = j;
            placed[j as usize] = true;
            graph.neighbours(j, |k| {
                if !placed[k as usize] {
                    let d = &mut missing[k as usize];
                    buckets.remove(k, *d);
                    *d -= 1;
                    buckets.insert(k, *d);
                }
            });
        }
    }

    fn largest_first(&mut self) {
        let degree = &self.degree;
        for (j, place) in (0..).zip(self.order.iter_mut()) {
            *place = j;
        }
        self.order
            .sort_unstable_by_key(|&j| (std::cmp::Reverse(degree[j as usize]), j));
    }

    fn greedy(&mut self) -> usize {
        let Groups {
            graph,
            trial,
            order,
            placed,
            taken,
            ..
        } = self;
        placed.fill(false);
        let mut count = 0;
        for &j in order.iter() {
            taken.clear();
            graph.neighbours(j, |k| {
                if placed[k as usize] {
                    taken.mark(trial[k as usize]);
                }
            });
            let free = (0..).find(|&g| !taken.has(g)).unwrap_or(0);
            trial[j as usize] = free;
            placed[j as usize] = true;
            count = count.max(free as usize + 1);
        }
        count
    }

    fn sort(&mut self) {
        let Groups {
            of, members, start, ..
        } = self;
        start.fill(0);
        for &g in of.iter() {
            start[g as usize + 1] += 1;
        }
        for g in 1..start.len() {
            start[g] += start[g - 1];
        }
        // places count up from the beginning of each group, then move back by one group
        for (j, &g) in (0..).zip(of.iter()) {
            members[start[g as usize] as usize] = j;
            start[g as usize] += 1;
        }
        for g in (1..start.len()).rev() {
            start[g] = start[g - 1];
        }
        if let Some(first) = start.first_mut() {
            *first = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random(seed: &mut u64) -> f64 {
        *seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (*seed >> 11) as f64 / (1u64 << 53) as f64
    }

    fn entries(n: usize, density: f64, seed: &mut u64) -> Vec<(u32, u32)> {
        let mut list = Vec::new();
        for j in 0..n as u32 {
            for i in 0..n as u32 {
                if i == j || random(seed) < density {
                    list.push((i, j));
                }
            }
        }
        list
    }

    fn is_proper(groups: &Groups, entries: &[(u32, u32)], rows: usize) -> bool {
        let mut owner = vec![vec![false; groups.count()]; rows];
        entries.iter().all(|&(i, j)| {
            let place = &mut owner[i as usize][groups.of()[j as usize] as usize];
            !std::mem::replace(place, true)
        })
    }

    /// No row may meet a group twice, whatever the pattern; the orderings differ by little, and the
    /// best of them is kept. Densities are those of mechanisms.
    #[test]
    fn random_patterns_are_grouped_properly() {
        let mut seed = 7;
        for n in [1, 2, 17, 60, 98] {
            for density in [0.0, 0.03, 0.06, 0.2, 1.0] {
                let list = entries(n, density, &mut seed);
                let mut groups = Groups::of_pattern(n, n, &list);
                assert!(is_proper(&groups, &list, n));
                assert!(groups.count() >= groups.bound());
                let kept = groups.count();
                let each = Ordering::ALL.map(|o| groups.colour_in(o));
                let best = each.into_iter().min().unwrap();
                assert_eq!(kept, best, "n = {n}, density {density}: {each:?}");
                let members: usize = (0..kept).map(|g| groups.members(g).len()).sum();
                assert_eq!(members, n);
                for g in 0..kept {
                    assert!(
                        groups
                            .members(g)
                            .iter()
                            .all(|&j| groups.of()[j as usize] == g as u32)
                    );
                }
            }
        }
    }

    #[test]
    fn known_patterns() {
        let band: Vec<(u32, u32)> = (0..60u32)
            .flat_map(|j| (j.saturating_sub(1)..=(j + 1).min(59)).map(move |i| (i, j)))
            .collect();
        assert_eq!(Groups::of_pattern(60, 60, &band).count(), 3);
        // a full row: every column by itself; a full column alone costs one more group at most
        let row: Vec<(u32, u32)> = (0..20).flat_map(|j| [(0, j), (j, j)]).collect();
        let full = Groups::of_pattern(20, 23, &row);
        assert_eq!(full.count(), 20);
        assert!(full.of()[..20].iter().copied().eq(0..20));
        // columns without entries are moved along
        assert_eq!(full.members(0), [0, 20, 21, 22]);
        let column: Vec<(u32, u32)> = (0..20).flat_map(|i| [(i, 0), (i, i)]).collect();
        assert_eq!(Groups::of_pattern(20, 20, &column).count(), 2);
        assert_eq!(Groups::of_pattern(0, 0, &[]).count(), 0);
        assert_eq!(Groups::of_pattern(3, 4, &[]).count(), 1);
    }

    #[test]
    fn a_growing_pattern_ends_with_the_groups_of_the_whole() {
        let mut seed = 11;
        let list = entries(50, 0.06, &mut seed);
        let mut groups = Groups::new(50, 50, &list);
        for k in 0..list.len() {
            assert!(groups.activate(k));
            assert!(!groups.activate(k));
            if k % 37 == 0 {
                groups.colour();
                assert!(is_proper(&groups, &list[..=k], 50));
            }
        }
        groups.colour();
        assert_eq!(groups.of(), Groups::of_pattern(50, 50, &list).of());
    }
}
