//! Rank of the constraint Jacobian: which rows to keep, what the others depend on.
//!
//! Gaussian elimination of the row-scaled `C_q` with full pivoting,
//!
//! ```text
//!  P G Q = [ L11     ] [ U11 U12 ]        kept rows     G_K = L11 (U11 U12) Q'
//!          [ L21  0  ]                    dropped rows  G_D = L21 L11^-1 G_K
//! ```
//!
//! (Golub & Van Loan 2013, section 3.4.8). The rank is the number of pivots above [`DEPENDENT`]
//! times the largest one; for mechanisms the gap is wide: pivots of independent rows lie above
//! 1e-2, those of redundant rows at rounding level, those of a nearly singular pose between. Small
//! systems are eliminated densely; large ones by [`super::elimination`], which trades the freest
//! pivot choice for sparsity under the same thresholds.

use super::elimination;

/// Pivots at or below this share of the largest one count as zero.
pub(super) const DEPENDENT: f64 = 1e-9;
/// Rows whose norm is below this share of the largest row norm do not constrain anything.
pub(super) const ZERO_ROW: f64 = 1e-10;
/// Coefficients of a dependence below this size are rounding.
const PARTAKES: f64 = 1e-6;
/// Rows up to which elimination is dense.
const DENSE_ROWS: usize = 300;

/// Rows of a matrix as lists of (column, value), columns ascending.
#[derive(Clone, Debug, Default)]
pub(super) struct SparseRows {
    pub columns: usize,
    pub rows: Vec<Vec<(u32, f64)>>,
}

/// What an elimination found.
#[derive(Clone, Debug, Default)]
pub(super) struct Elimination {
    /// Rows in pivot order.
    pub kept: Vec<usize>,
    /// Pivot of each kept row, absolute.
    pub pivots: Vec<f64>,
    /// The other rows, ascending.
    pub dropped: Vec<usize>,
    /// Multipliers of each kept row, then of each dropped row, by pivot number (ascending).
    pub lower_kept: Vec<Vec<(u32, f64)>>,
    pub lower_dropped: Vec<Vec<(u32, f64)>>,
}

/// Rank analysis of a constraint Jacobian.
#[derive(Clone, Debug, Default)]
pub(super) struct Rank {
    /// Independent rows, ascending.
    pub kept: Vec<usize>,
    /// Relative pivot of each kept row, in the order of `kept`.
    pub pivots: Vec<f64>,
    /// Dependent rows, ascending, with the kept rows they are combined from.
    pub dropped: Vec<Dependence>,
}

/// A row that is a combination of kept rows: `G_row = sum coefficient * G_kept` (unscaled rows).
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Dependence {
    pub row: usize,
    /// (kept row, coefficient), rows ascending. Empty for a row of zeros.
    pub on: Vec<(usize, f64)>,
}

impl Rank {
    /// Smallest relative pivot of the kept rows; 1 without rows.
    pub fn smallest(&self) -> f64 {
        self.pivots.iter().copied().fold(1.0, f64::min)
    }

    /// The same where the rows analysed are some of all, ascending.
    pub fn among(mut self, all: &[usize]) -> Rank {
        let own = self
            .dropped
            .iter_mut()
            .flat_map(|d| std::iter::once(&mut d.row).chain(d.on.iter_mut().map(|(row, _)| row)));
        for row in self.kept.iter_mut().chain(own) {
            *row = all[*row];
        }
        self
    }
}

/// Analyses `g`; rows marked in `prefer` are kept before all others as far as they are independent.
pub(super) fn analyse(g: &SparseRows, prefer: &[bool]) -> Rank {
    let m = g.rows.len();
    let norm: Vec<f64> = g
        .rows
        .iter()
        .map(|r| r.iter().map(|(_, x)| x * x).sum::<f64>().sqrt())
        .collect();
    let largest = norm.iter().copied().fold(0.0, f64::max);
    let scaled = SparseRows {
        columns: g.columns,
        rows: (0..m)
            .map(|i| {
                if norm[i] <= ZERO_ROW * largest {
                    return Vec::new();
                }
                let scale = |&(j, x): &(u32, f64)| (x != 0.0).then_some((j, x / norm[i]));
                g.rows[i].iter().filter_map(scale).collect()
            })
            .collect(),
    };
    let preferred = |i: usize| prefer.get(i).copied().unwrap_or(false);
    let found = if m <= DENSE_ROWS {
        dense(&scaled, &preferred)
    } else {
        elimination::eliminate(&scaled, &preferred)
    };
    let top = found.pivots.iter().copied().fold(0.0, f64::max);
    let mut kept: Vec<(usize, f64)> = found
        .kept
        .iter()
        .zip(&found.pivots)
        .map(|(&i, p)| (i, p / top))
        .collect();
    kept.sort_unstable_by_key(|k| k.0);
    let dropped = found
        .dropped
        .iter()
        .zip(&found.lower_dropped)
        .map(|(&row, lower)| Dependence {
            row,
            on: dependence(lower, &found)
                .into_iter()
                .filter(|(_, c)| c.abs() > PARTAKES)
                .map(|(i, c)| (i, c * norm[row] / norm[i]))
                .collect(),
        })
        .collect();
    Rank {
        kept: kept.iter().map(|k| k.0).collect(),
        pivots: kept.iter().map(|k| k.1).collect(),
        dropped,
    }
}

/// Solves `x L11 = l` backwards; `x` holds the coefficients of the scaled kept rows.
fn dependence(lower: &[(u32, f64)], found: &Elimination) -> Vec<(usize, f64)> {
    let mut x = vec![0.0; found.kept.len()];
    for &(k, l) in lower {
        x[k as usize] = l;
    }
    for k in (0..x.len()).rev() {
        let c = x[k];
        if c != 0.0 {
            for &(j, l) in &found.lower_kept[k] {
                x[j as usize] -= c * l;
            }
        }
    }
    let mut on: Vec<(usize, f64)> = x
        .iter()
        .enumerate()
        .filter(|(_, c)| **c != 0.0)
        .map(|(k, c)| (found.kept[k], *c))
        .collect();
    on.sort_unstable_by_key(|c| c.0);
    on
}

/// Dense elimination with full pivoting, preferred rows first.
fn dense(g: &SparseRows, preferred: &dyn Fn(usize) -> bool) -> Elimination {
    let (m, n) = (g.rows.len(), g.columns);
    let mut a = vec![0.0; m * n];
    for (i, row) in g.rows.iter().enumerate() {
        for &(j, x) in row {
            a[i * n + j as usize] = x;
        }
    }
    let mut open: Vec<usize> = (0..m).collect();
    let mut used = vec![false; n];
    let mut lower: Vec<Vec<(u32, f64)>> = vec![Vec::new(); m];
    let mut found = Elimination::default();
    let mut top = 0.0f64;
    loop {
        let pivot = largest(&a, n, &open, &used, &|i| preferred(i))
            .filter(|p| p.2 > DEPENDENT * top)
            .or_else(|| largest(&a, n, &open, &used, &|_| true));
        let Some((p, column, size)) = pivot.filter(|p| p.2 > DEPENDENT * top) else {
            break;
        };
        top = top.max(size);
        let row = open.remove(p);
        used[column] = true;
        let number = found.kept.len() as u32;
        let pivot_row = a[row * n..(row + 1) * n].to_vec();
        for &i in &open {
            let target = &mut a[i * n..(i + 1) * n];
            let l = target[column] / pivot_row[column];
            if l == 0.0 {
                continue;
            }
            lower[i].push((number, l));
            for (x, u) in target.iter_mut().zip(&pivot_row) {
                *x -= l * u;
            }
            target[column] = 0.0;
        }
        found.kept.push(row);
        found.pivots.push(size);
    }
    found.lower_kept = found
        .kept
        .iter()
        .map(|&i| std::mem::take(&mut lower[i]))
        .collect();
    found.lower_dropped = open
        .iter()
        .map(|&i| std::mem::take(&mut lower[i]))
        .collect();
    found.dropped = open;
    found
}

/// Largest entry in unused columns: position in `open`, column, size. The first one wins a tie, so
/// later equations are the ones dropped.
fn largest(
    a: &[f64],
    n: usize,
    open: &[usize],
    used: &[bool],
    allowed: &dyn Fn(usize) -> bool,
) -> Option<(usize, usize, f64)> {
    // Equal entries differ by rounding after a few eliminations; ties must not follow it.
    const CLEARLY: f64 = 1.0 + 1e-10;
    let mut best: Option<(usize, usize, f64)> = None;
    for (p, &i) in open.iter().enumerate().filter(|(_, i)| allowed(**i)) {
        for (j, x) in a[i * n..(i + 1) * n].iter().enumerate() {
            if !used[j] && x.abs() > best.map_or(0.0, |b| b.2 * CLEARLY) {
                best = Some((p, j, x.abs()));
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers in [-1, 1] without visible structure.
    fn noise(k: usize) -> f64 {
        2.0 * (k as f64 * 0.618_033_988_749_895 + 0.1).fract() - 1.0
    }

    /// A banded matrix of independent rows with the given combinations of them appended.
    fn banded(m: usize, combinations: &[Vec<(usize, f64)>]) -> SparseRows {
        let mut rows: Vec<Vec<(u32, f64)>> = (0..m)
            .map(|i| {
                (0..4)
                    .map(|k| {
                        (
                            (i + k) as u32,
                            noise(7 * i + k) + if k == 0 { 3.0 } else { 0.0 },
                        )
                    })
                    .collect()
            })
            .collect();
        for c in combinations {
            let mut sum = vec![0.0; m + 3];
            for &(i, x) in c {
                for &(j, g) in &rows[i] {
                    sum[j as usize] += x * g;
                }
            }
            rows.push(
                sum.iter()
                    .enumerate()
                    .filter(|(_, x)| **x != 0.0)
                    .map(|(j, x)| (j as u32, *x))
                    .collect(),
            );
        }
        SparseRows {
            columns: m + 3,
            rows,
        }
    }

    fn check(m: usize) {
        let combinations = [
            vec![(3, 2.0), (7, -0.5)],
            vec![(1, 1.0), (8, 4.0), (9, 1.0)],
        ];
        let g = banded(m, &combinations);
        let mut prefer = vec![true; m];
        prefer.extend([false, false]);
        let r = analyse(&g, &prefer);
        assert_eq!(r.kept, (0..m).collect::<Vec<_>>());
        assert!(r.smallest() > 1e-2, "smallest pivot {}", r.smallest());
        for (d, c) in r.dropped.iter().zip(&combinations) {
            assert_eq!(d.on.len(), c.len());
            for (found, wanted) in d.on.iter().zip(c) {
                assert_eq!(found.0, wanted.0);
                // Some elimination steps of rounding.
                assert!((found.1 - wanted.1).abs() < 1e-12);
            }
        }
        let free = analyse(&g, &[]);
        assert_eq!((free.kept.len(), free.dropped.len()), (m, 2));
    }

    #[test]
    fn dense_elimination_names_the_combination() {
        check(20);
    }

    #[test]
    fn sparse_elimination_names_the_same_combination() {
        check(DENSE_ROWS + 200);
    }

    #[test]
    fn zero_rows_are_dropped_and_depend_on_nothing() {
        let g = SparseRows {
            columns: 2,
            rows: vec![vec![(0, 1.0)], vec![(0, 0.0), (1, 1e-14)], vec![(1, 5.0)]],
        };
        let r = analyse(&g, &[]);
        assert_eq!(r.kept, [0, 2]);
        assert_eq!(r.dropped, [Dependence { row: 1, on: vec![] }]);
    }

    #[test]
    fn threshold_separates_small_from_zero() {
        for (e, rank) in [(1e-7, 2), (1e-11, 1)] {
            let g = SparseRows {
                columns: 2,
                rows: vec![vec![(0, 1.0)], vec![(0, 1.0), (1, e)]],
            };
            assert_eq!(analyse(&g, &[]).kept.len(), rank);
        }
    }
}
