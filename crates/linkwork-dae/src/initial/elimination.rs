//! Rank-revealing elimination of a large sparse matrix.
//!
//! Full pivoting takes the largest entry left; here any entry within a band below it will do, and
//! the one with the smallest Markowitz count `(r - 1)(c - 1)` among some candidates is taken
//! (Duff, Erisman & Reid 2017). The band steps down by decades only when no row has an
//! entry in it any more, so small pivots come last, as with full pivoting, and the same
//! rank threshold applies. Bad at: matrices whose fill is large whatever the order; mechanisms
//! with a few loops per body are far from that.

use super::rank::{DEPENDENT, Elimination, SparseRows};
use std::collections::BTreeSet;

/// A pivot is at least this share of the largest entry of its row and of its column.
const THRESHOLD: f64 = 0.3;
/// Entries of rows of unit norm below this size are rounding.
const ROUNDING: f64 = 1e-15;
/// Rows whose best entry is compared before the pivot is taken.
const CANDIDATES: usize = 4;
/// Rows that are looked at once there is a pivot: a long chain has thousands that are as good.
const LOOKED_AT: usize = 64;

/// Eliminates rows of unit norm; preferred rows are exhausted before the others.
pub(super) fn eliminate(g: &SparseRows, preferred: &dyn Fn(usize) -> bool) -> Elimination {
    let mut work = Work::new(g, preferred);
    for class in [true, false] {
        let mut band = THRESHOLD;
        loop {
            while let Some((row, column)) = work.choose(class, band) {
                work.pivot(row, column);
            }
            if band <= DEPENDENT {
                break;
            }
            band = (band * 0.1).max(DEPENDENT);
        }
    }
    work.finish()
}

struct Work {
    rows: Vec<Vec<(u32, f64)>>,
    largest: Vec<f64>,
    /// Open rows with an entry in each open column; may list rows that have lost the entry.
    columns: Vec<Vec<u32>>,
    /// Open rows of each class by number of entries.
    queue: [BTreeSet<(usize, usize)>; 2],
    class: Vec<bool>,
    open: Vec<bool>,
    lower: Vec<Vec<(u32, f64)>>,
    kept: Vec<usize>,
    pivots: Vec<f64>,
    merged: Vec<(u32, f64)>,
}

impl Work {
    fn new(g: &SparseRows, preferred: &dyn Fn(usize) -> bool) -> Work {
        let m = g.rows.len();
        let mut work = Work {
            rows: g.rows.clone(),
            largest: vec![0.0; m],
            columns: vec![Vec::new(); g.columns],
            queue: [BTreeSet::new(), BTreeSet::new()],
            class: (0..m).map(preferred).collect(),
            open: vec![true; m],
            lower: vec![Vec::new(); m],
            kept: Vec::new(),
            pivots: Vec::new(),
            merged: Vec::new(),
        };
        for i in 0..m {
            for &(j, _) in &g.rows[i] {
                work.columns[j as usize].push(i as u32);
            }
            work.enter(i);
        }
        work
    }

    fn enter(&mut self, i: usize) {
        self.largest[i] = self.rows[i].iter().fold(0.0, |l, (_, x)| x.abs().max(l));
        self.queue[self.class[i] as usize].insert((self.rows[i].len(), i));
    }

    fn leave(&mut self, i: usize) {
        self.queue[self.class[i] as usize].remove(&(self.rows[i].len(), i));
    }

    /// The sparsest acceptable pivot among a few of the shortest rows that have one in the band.
    /// The largest open entry is always acceptable, so a row in the band yields a pivot.
    fn choose(&self, class: bool, band: f64) -> Option<(usize, u32)> {
        let mut best: Option<(usize, usize, u32)> = None;
        let (mut candidates, mut looked_at) = (0, 0);
        for &(count, i) in &self.queue[class as usize] {
            let before = candidates;
            for &(j, x) in &self.rows[i] {
                let x = x.abs();
                if x <= band || x < THRESHOLD * self.largest[i] {
                    continue;
                }
                let column = &self.columns[j as usize];
                let cost = count.saturating_sub(1) * column.len().saturating_sub(1);
                if best.is_some_and(|b| cost >= b.0) || !self.leads(class, column, j, x) {
                    continue;
                }
                best = Some((cost, i, j));
                candidates = before + 1;
            }
            looked_at += usize::from(best.is_some());
            let enough = candidates >= CANDIDATES || looked_at >= LOOKED_AT;
            if enough || best.is_some_and(|b| b.0 == 0) {
                break;
            }
        }
        best.map(|(_, i, j)| (i, j))
    }

    /// Whether a pivot of size `x` keeps the multipliers of its column small. Rows of a later
    /// class may be larger, since they are not there to be chosen yet.
    fn leads(&self, class: bool, column: &[u32], j: u32, x: f64) -> bool {
        column.iter().map(|&i| i as usize).all(|i| {
            !self.open[i]
                || self.class[i] != class
                || entry(&self.rows[i], j).is_none_or(|y| x >= THRESHOLD * y.abs())
        })
    }

    fn pivot(&mut self, row: usize, column: u32) {
        self.leave(row);
        self.open[row] = false;
        let number = self.kept.len() as u32;
        let pivot_row = std::mem::take(&mut self.rows[row]);
        let Some(pivot) = entry(&pivot_row, column) else {
            return;
        };
        self.kept.push(row);
        self.pivots.push(pivot.abs());
        let mut targets = std::mem::take(&mut self.columns[column as usize]);
        targets.sort_unstable();
        targets.dedup();
        for i in targets {
            let i = i as usize;
            let Some(x) = entry(&self.rows[i], column).filter(|_| self.open[i]) else {
                continue;
            };
            self.leave(i);
            self.lower[i].push((number, x / pivot));
            self.subtract(i, x / pivot, &pivot_row, column);
            self.enter(i);
        }
    }

    /// Row `i` minus a multiple of the pivot row, without the pivot column.
    fn subtract(&mut self, i: usize, factor: f64, pivot_row: &[(u32, f64)], column: u32) {
        self.merged.clear();
        let row = std::mem::take(&mut self.rows[i]);
        let (mut a, mut b) = (row.iter().peekable(), pivot_row.iter().peekable());
        loop {
            let (j, x) = match (a.peek(), b.peek()) {
                (None, None) => break,
                (Some(&&(j, x)), None) => {
                    a.next();
                    (j, x)
                }
                (Some(&&(j, x)), Some(&&(k, _))) if j < k => {
                    a.next();
                    (j, x)
                }
                (Some(&&(j, x)), Some(&&(k, y))) if j == k => {
                    a.next();
                    b.next();
                    (j, x - factor * y)
                }
                (_, Some(&&(k, y))) => {
                    b.next();
                    if k != column {
                        self.columns[k as usize].push(i as u32);
                    }
                    (k, -factor * y)
                }
            };
            // What cancels to rounding is a zero; kept, it would only spread.
            if j != column && x.abs() > ROUNDING {
                self.merged.push((j, x));
            }
        }
        self.rows[i] = self.merged.clone();
    }

    fn finish(mut self) -> Elimination {
        let dropped: Vec<usize> = (0..self.open.len()).filter(|&i| self.open[i]).collect();
        let mut take = |i: &usize| std::mem::take(&mut self.lower[*i]);
        Elimination {
            lower_kept: self.kept.iter().map(&mut take).collect(),
            lower_dropped: dropped.iter().map(&mut take).collect(),
            kept: self.kept,
            pivots: self.pivots,
            dropped,
        }
    }
}

fn entry(row: &[(u32, f64)], column: u32) -> Option<f64> {
    row.binary_search_by_key(&column, |e| e.0)
        .ok()
        .map(|k| row[k].1)
}
