//! Fill-reducing elimination order for saddle matrices.
//!
//! Minimum degree on the graph of `A + A'`, kept as a quotient graph (Amestoy, Davis & Duff 1996):
//! an eliminated unknown `p` becomes an *element*, the set `L_p` of unknowns it has made mutually
//! adjacent, instead of `|L_p|^2` fill edges. The degree of `i` in `L_p` is bounded by
//!
//! ```text
//! d_i = |L_p \ i| + |A_i \ L_p| + sum over the other elements e of i of |L_e \ L_p|
//! ```
//!
//! A multiplier has no diagonal entry to pivot on: in `[M C'; C 0]` it comes into being as
//! `-C M^-1 C'` when coordinates the multiplier acts on are eliminated. `k` coordinates make a block
//! of rank `k`, whatever the number of multipliers on them: every coordinate that goes makes the
//! diagonal of *one* multiplier. So an unknown with a zero diagonal waits until an unknown `p` with
//! both `(i, p)` and `(p, i)` present has gone and is matched with it. Then the diagonal can serve
//! as pivot and the numerical factorisation keeps the fill predicted here. Zero are values, not
//! places: a diagonal that is stored for other purposes is none.
//!
//! Bad at: matrices far from structural symmetry, for which `A + A'` overstates the graph.

use super::buckets::{DegreeBuckets, NONE};
use super::buffers::{copy, refill, reserve};
use super::scaling::Scales;
use super::{Field, Pattern};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    /// Zero diagonal; wait for a partner to fill it.
    WaitsForPartner,
    /// Zero diagonal and no partner; wait for any neighbour.
    WaitsForNeighbour,
    Eligible,
    Eliminated,
}

/// Neighbours of an unknown: elements first, then unknowns, in `lists[start..]`.
#[derive(Clone, Copy, Debug)]
struct Neighbours {
    start: u32,
    elements: u32,
    unknowns: u32,
}

/// The unknowns of an element in `members[start..start + len]`; absorbed elements have `len` 0.
#[derive(Clone, Copy, Debug)]
struct Element {
    start: u32,
    len: u32,
    /// Members outside the element being formed, valid while `stamp` is current.
    outside: u32,
    stamp: u32,
}

/// The quotient graph of a minimum-degree elimination.
#[derive(Clone, Debug, Default)]
pub(super) struct MinimumDegree {
    groups: Groups,
    status: Vec<Status>,
    neighbours: Vec<Neighbours>,
    lists: Vec<u32>,
    element: Vec<Element>,
    members: Vec<u32>,
    degree: Vec<u32>,
    buckets: DegreeBuckets,
    mark: Vec<u32>,
    stamp: u32,
    remaining: u32,
    /// No unknown before this one still waits.
    first_waiting: usize,
    transpose: Transpose,
}

impl MinimumDegree {
    /// Reserves space for a matrix of order `n` with `nnz` entries and elements with `members` members
    /// in all.
    pub fn reserve(&mut self, n: usize, nnz: usize, members: usize) {
        reserve(&mut self.status, n);
        reserve(&mut self.neighbours, n);
        reserve(&mut self.lists, 2 * nnz);
        reserve(&mut self.element, n);
        reserve(&mut self.members, members);
        reserve(&mut self.degree, n);
        self.buckets.reserve(n, n);
        reserve(&mut self.mark, n);
        self.transpose.reserve(n, nnz);
    }

    /// Takes over which unknowns are eliminated together: those with the same number, or each by
    /// itself.
    pub fn analyse(&mut self, pattern: &Pattern, group: &[u32]) {
        self.groups = Groups::new(pattern, group);
    }

    /// The order in which to eliminate the unknowns: position to column.
    pub fn order<T: Field>(
        &mut self,
        pattern: &Pattern,
        values: &[T],
        scales: &Scales,
        order: &mut Vec<u32>,
    ) {
        let mut groups = std::mem::take(&mut self.groups);
        groups.fill(pattern, values, scales);
        self.load(&groups);
        order.clear();
        while let Some(p) = self.next_pivot() {
            order.extend_from_slice(groups.members(p));
            self.eliminate(p, &groups);
        }
        self.groups = groups;
    }

    fn load(&mut self, groups: &Groups) {
        let pattern = &groups.pattern;
        let n = pattern.n;
        self.transpose.fill(pattern);
        self.lists.clear();
        self.neighbours.clear();
        refill(&mut self.status, n, Status::WaitsForNeighbour);
        refill(&mut self.mark, n, NONE);
        for j in 0..n {
            let start = self.lists.len();
            for &i in &pattern.row[pattern.span(j)] {
                self.mark[i as usize] = j as u32;
                if i as usize != j {
                    self.lists.push(i);
                }
            }
            if groups.sound[j] {
                self.status[j] = Status::Eligible;
            }
            for &i in self.transpose.row(j) {
                if self.mark[i as usize] != j as u32 {
                    self.lists.push(i);
                } else if i as usize != j && self.status[j] == Status::WaitsForNeighbour {
                    self.status[j] = Status::WaitsForPartner;
                }
            }
            self.neighbours.push(Neighbours {
                start: start as u32,
                elements: 0,
                unknowns: (self.lists.len() - start) as u32,
            });
        }
        self.degree.clear();
        let degrees = self.neighbours.iter().map(|list| list.unknowns);
        self.degree.extend(degrees);
        self.buckets.reset(n, n);
        for j in (0..n).rev() {
            if self.status[j] == Status::Eligible {
                self.buckets.insert(j as u32, self.degree[j]);
            }
        }
        self.mark.fill(0);
        let unborn = Element {
            start: 0,
            len: 0,
            outside: 0,
            stamp: 0,
        };
        refill(&mut self.element, n, unborn);
        self.members.clear();
        self.stamp = 0;
        self.remaining = n as u32;
        self.first_waiting = 0;
    }

    /// The eligible unknown of least degree; if all wait (a permuted diagonal), the first of them.
    fn next_pivot(&mut self) -> Option<u32> {
        if let Some(p) = self.buckets.pop() {
            return Some(p);
        }
        let waiting = |status: &Status| !matches!(status, Status::Eligible | Status::Eliminated);
        let ahead = self.status[self.first_waiting..].iter().position(waiting)?;
        self.first_waiting += ahead;
        Some(self.first_waiting as u32)
    }

    fn eliminate(&mut self, p: u32, groups: &Groups) {
        self.status[p as usize] = Status::Eliminated;
        self.remaining -= 1;
        self.stamp += 1;
        self.form_element(p);
        self.count_outside(p);
        if let Some(i) = self.match_of(p, groups) {
            self.status[i as usize] = Status::Eligible;
            self.buckets.insert(i, self.degree[i as usize]);
        }
        let Element { start, len, .. } = self.element[p as usize];
        for m in start..start + len {
            let i = self.members[m as usize];
            self.update(i, p);
        }
    }

    /// The waiting unknown of least degree that the pivot `p` makes a diagonal entry for.
    fn match_of(&self, p: u32, groups: &Groups) -> Option<u32> {
        let Groups { pattern, size, .. } = groups;
        let partner = |q: usize| {
            let i = pattern.row[q];
            let waits = self.status[i as usize] == Status::WaitsForPartner && size[q] != 0.0;
            let back = pattern.slot(p, i).filter(|_| waits);
            back.is_some_and(|q| size[q] != 0.0).then_some(i)
        };
        let partners = pattern.span(p as usize).filter_map(partner);
        partners.min_by_key(|&i| self.degree[i as usize])
    }

    /// Collects `L_p` from the neighbours of `p` and absorbs its elements.
    fn form_element(&mut self, p: u32) {
        let start = self.members.len();
        let stamp = self.stamp;
        self.mark[p as usize] = stamp;
        let list = self.neighbours[p as usize];
        for at in list.start..list.start + list.elements {
            let e = self.lists[at as usize] as usize;
            let absorbed = self.element[e];
            for m in absorbed.start..absorbed.start + absorbed.len {
                let i = self.members[m as usize];
                if self.mark[i as usize] != stamp {
                    self.mark[i as usize] = stamp;
                    self.members.push(i);
                }
            }
            self.element[e].len = 0;
        }
        let unknowns = list.start + list.elements;
        for at in unknowns..unknowns + list.unknowns {
            let i = self.lists[at as usize];
            if self.mark[i as usize] != stamp {
                self.mark[i as usize] = stamp;
                self.members.push(i);
            }
        }
        self.element[p as usize].start = start as u32;
        self.element[p as usize].len = (self.members.len() - start) as u32;
    }

    /// `|L_e \ L_p|` for every element that shares an unknown with `L_p`.
    fn count_outside(&mut self, p: u32) {
        let Element { start, len, .. } = self.element[p as usize];
        for &i in &self.members[start as usize..(start + len) as usize] {
            let list = self.neighbours[i as usize];
            for &e in &self.lists[list.start as usize..(list.start + list.elements) as usize] {
                let element = &mut self.element[e as usize];
                if element.stamp != self.stamp {
                    element.stamp = self.stamp;
                    element.outside = element.len;
                }
                element.outside = element.outside.saturating_sub(1);
            }
        }
    }

    /// Rewrites the neighbours of `i` in `L_p` in place and bounds its new degree.
    ///
    /// The list never outgrows its place: `p` enters as an element, and either `p` itself or an
    /// element absorbed by `p` leaves.
    fn update(&mut self, i: u32, p: u32) {
        let list = self.neighbours[i as usize];
        let mut to = list.start as usize;
        let mut outside = 0;
        for at in list.start..list.start + list.elements {
            let e = self.lists[at as usize];
            let element = self.element[e as usize];
            // An element inside L_p adds nothing to it and is dropped as if absorbed.
            if element.len > 0 && element.outside > 0 {
                outside += element.outside;
                self.lists[to] = e;
                to += 1;
            }
        }
        let first_unknown = to;
        let unknowns = list.start + list.elements;
        for at in unknowns..unknowns + list.unknowns {
            let j = self.lists[at as usize];
            if self.mark[j as usize] != self.stamp {
                self.lists[to] = j;
                to += 1;
            }
        }
        let kept = (to - first_unknown) as u32;
        self.lists[to] = self.lists[first_unknown];
        self.lists[first_unknown] = p;
        self.neighbours[i as usize] = Neighbours {
            start: list.start,
            elements: first_unknown as u32 - list.start + 1,
            unknowns: kept,
        };

        let inside = self.element[p as usize].len - 1;
        let bound = (inside + kept + outside)
            .min(self.degree[i as usize] + inside)
            .min(self.remaining - 1);
        match self.status[i as usize] {
            Status::Eligible => self.buckets.remove(i, self.degree[i as usize]),
            Status::WaitsForNeighbour => self.status[i as usize] = Status::Eligible,
            Status::WaitsForPartner | Status::Eliminated => {}
        }
        self.degree[i as usize] = bound;
        if self.status[i as usize] == Status::Eligible {
            self.buckets.insert(i, bound);
        }
    }
}

/// The matrix with its groups of unknowns as unknowns.
#[derive(Clone, Debug, Default)]
struct Groups {
    /// `start[g]..start[g + 1]` are the members of group `g`.
    start: Vec<u32>,
    member: Vec<u32>,
    pattern: Pattern,
    /// Entry of `pattern` that each entry of the matrix lies in.
    entry: Vec<u32>,
    /// Largest row-scaled value of each entry.
    size: Vec<f64>,
    /// Whether the diagonal of each group can serve as pivots.
    sound: Vec<bool>,
}

impl Groups {
    fn new(pattern: &Pattern, group: &[u32]) -> Groups {
        let n = pattern.n;
        let mut of: Vec<u32> = (0..n as u32).collect();
        if group.len() == n {
            of.copy_from_slice(group);
        }
        // groups in the order of their first members
        let mut number = vec![NONE; 1 + of.iter().max().map_or(0, |&g| g as usize)];
        let mut count = 0;
        for g in &mut of {
            let number = &mut number[*g as usize];
            if *number == NONE {
                *number = count;
                count += 1;
            }
            *g = *number;
        }
        let mut member: Vec<u32> = (0..n as u32).collect();
        member.sort_by_key(|&j| of[j as usize]);
        let start = (0..=count).map(|g| member.partition_point(|&j| of[j as usize] < g) as u32);
        let at = |j: usize| {
            let of = &of;
            let rows = pattern.row[pattern.span(j)].iter();
            rows.map(move |&i| (of[i as usize], of[j]))
        };
        let positions: Vec<(u32, u32)> = (0..n).flat_map(at).collect();
        let quotient = Pattern::from_entries(count as usize, &positions);
        let slot = |&(i, j): &(u32, u32)| quotient.slot(i, j).map_or(0, |slot| slot as u32);
        Groups {
            start: start.collect(),
            member,
            entry: positions.iter().map(slot).collect(),
            size: vec![0.0; quotient.nnz()],
            sound: vec![true; quotient.n],
            pattern: quotient,
        }
    }

    fn members(&self, g: u32) -> &[u32] {
        &self.member[self.start[g as usize] as usize..self.start[g as usize + 1] as usize]
    }

    fn fill<T: Field>(&mut self, pattern: &Pattern, values: &[T], scales: &Scales) {
        self.size.fill(0.0);
        for ((&entry, &i), value) in self.entry.iter().zip(&pattern.row).zip(values) {
            let size = &mut self.size[entry as usize];
            *size = size.max(value.size() * scales.row[i as usize]);
        }
        for g in 0..self.sound.len() {
            let sound = |&j: &u32| scales.diagonal[j as usize] > 0.0;
            self.sound[g] = self.members(g as u32).iter().all(sound);
        }
    }
}

/// Rows of a matrix: the columns of their entries.
#[derive(Clone, Debug, Default)]
struct Transpose {
    start: Vec<u32>,
    column: Vec<u32>,
    next: Vec<u32>,
}

impl Transpose {
    fn reserve(&mut self, n: usize, nnz: usize) {
        reserve(&mut self.start, n + 1);
        reserve(&mut self.column, nnz);
        reserve(&mut self.next, n + 1);
    }

    fn fill(&mut self, pattern: &Pattern) {
        let n = pattern.n;
        refill(&mut self.start, n + 1, 0);
        for &i in &pattern.row {
            self.start[i as usize + 1] += 1;
        }
        for i in 0..n {
            self.start[i + 1] += self.start[i];
        }
        copy(&mut self.next, &self.start);
        refill(&mut self.column, pattern.nnz(), 0);
        for j in 0..n {
            for &i in &pattern.row[pattern.span(j)] {
                let next = &mut self.next[i as usize];
                self.column[*next as usize] = j as u32;
                *next += 1;
            }
        }
    }

    fn row(&self, i: usize) -> &[u32] {
        &self.column[self.start[i] as usize..self.start[i + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ordered(pattern: &Pattern, values: &[f64], group: &[u32]) -> Vec<u32> {
        let mut search = MinimumDegree::default();
        search.analyse(pattern, group);
        let mut order = Vec::new();
        let mut scales = Scales::default();
        scales.fit_saddle(pattern, values);
        search.order(pattern, values, &scales, &mut order);
        order
    }

    fn minimum_degree(pattern: &Pattern) -> Vec<u32> {
        ordered(pattern, &vec![1.0; pattern.nnz()], &[])
    }

    fn positions(order: &[u32]) -> Vec<usize> {
        let mut position = vec![usize::MAX; order.len()];
        for (k, &j) in order.iter().enumerate() {
            position[j as usize] = k;
        }
        assert!(
            position.iter().all(|&k| k != usize::MAX),
            "not a permutation"
        );
        position
    }

    #[test]
    fn arrow_head_is_eliminated_last() {
        let n = 20;
        let entries: Vec<(u32, u32)> = (0..n).flat_map(|i| [(i, i), (0, i), (i, 0)]).collect();
        let order = minimum_degree(&Pattern::from_entries(n as usize, &entries));
        // Head and last leaf form a pair in which either may come first.
        assert!(positions(&order)[0] >= n as usize - 2);
    }

    #[test]
    fn multiplier_follows_a_coordinate_it_acts_on() {
        // Three coordinates, multipliers 3 on (0, 1) and 4 on (1, 2).
        let mut entries: Vec<(u32, u32)> = (0..3).map(|i| (i, i)).collect();
        for (c, q) in [(3, 0), (3, 1), (4, 1), (4, 2)] {
            entries.extend([(c, q), (q, c)]);
        }
        let position = positions(&minimum_degree(&Pattern::from_entries(5, &entries)));
        assert!(position[3] > position[0].min(position[1]));
        assert!(position[4] > position[1].min(position[2]));
    }

    /// Two multipliers on one coordinate each need one of their own: after the first only one has a
    /// pivot.
    #[test]
    fn multipliers_wait_for_as_many_coordinates() {
        let mut entries: Vec<(u32, u32)> = (0..3).map(|i| (i, i)).collect();
        for c in 3..5 {
            entries.extend((0..3).flat_map(|q| [(c, q), (q, c)]));
        }
        let position = positions(&minimum_degree(&Pattern::from_entries(5, &entries)));
        let mut coordinates: Vec<usize> = position[..3].to_vec();
        coordinates.sort_unstable();
        assert!(
            position[3].max(position[4]) > coordinates[1],
            "{position:?}"
        );
        assert!(
            position[3].min(position[4]) > coordinates[0],
            "{position:?}"
        );
    }

    /// A diagonal that is stored but zero is no pivot.
    #[test]
    fn stored_zeros_wait_too() {
        let pattern =
            Pattern::from_entries(3, &[(0, 0), (1, 1), (2, 2), (2, 0), (0, 2), (1, 0), (0, 1)]);
        let mut values = vec![1.0; pattern.nnz()];
        values[pattern.slot(2, 2).unwrap()] = 0.0;
        let order = ordered(&pattern, &values, &[]);
        let position = positions(&order);
        assert!(position[2] > position[0], "{order:?}");
    }

    #[test]
    fn permuted_diagonal_without_any_diagonal_entry_is_ordered() {
        let entries: Vec<(u32, u32)> = (0..7).map(|j| ((j + 3) % 7, j)).collect();
        positions(&minimum_degree(&Pattern::from_entries(7, &entries)));
    }

    #[test]
    fn empty_columns_are_ordered_too() {
        positions(&minimum_degree(&Pattern::from_entries(
            4,
            &[(0, 0), (2, 1)],
        )));
    }
}
