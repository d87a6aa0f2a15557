//! Linear complementarity without symmetry: `0 <= z  complementary to  w = M z + q >= 0`.
//!
//! ```text
//!  w - M z - d z0 = q,   d = 1
//! ```
//!
//! By complementary pivots (Lemke 1965; Cottle, Pang & Stone 1992, section 4.4): `z0` lifts all rows above zero, then the
//! partner of whoever has left enters, until `z0` leaves. Ties are broken by the rows of the inverse of the basis, so no basis
//! comes twice. Columns that bear in the end are independent. Where nothing leaves, on a ray, the problem may have no
//! solution: friction that jams.

/// Entries of a column below this share of its largest are rounding: as for rows that depend on others, squared.
const NOTHING: f64 = 1e-8;
/// Ratios that differ by less than this are tied.
const TIED: f64 = 1e-12;
/// Pivots for each row before the search is given up.
const PATIENCE: usize = 50;

/// A solution.
pub(super) struct Solution {
    pub z: Vec<f64>,
    /// Which of `z` are in the basis: those that may be more than zero.
    pub bears: Vec<bool>,
}

/// Solves for `z`, with `M` by rows. `None`: there is no solution, or it was not found.
pub(super) fn pivot(m: &[f64], q: &[f64]) -> Option<Solution> {
    let n = q.len();
    let mut tableau = Tableau::new(m, q);
    let artificial = 2 * n;
    let mut at = tableau.lowest();
    let Some(first) = at.filter(|r| tableau.value(*r) < 0.0) else {
        return Some(tableau.solution());
    };
    let mut entering = artificial;
    at = Some(first);
    for _ in 0..PATIENCE * n {
        let row = at?;
        let leaving = tableau.exchange(row, entering);
        if leaving == artificial {
            return Some(tableau.solution());
        }
        entering = if leaving < n {
            leaving + n
        } else {
            leaving - n
        };
        at = tableau.blocking(entering, artificial);
    }
    None
}

/// Columns of `w`, `z`, `z0` and the values of the basic variables.
struct Tableau {
    n: usize,
    rows: Vec<f64>,
    basic: Vec<usize>,
}

impl Tableau {
    fn new(m: &[f64], q: &[f64]) -> Tableau {
        let n = q.len();
        let mut rows = Vec::with_capacity(n * (2 * n + 2));
        for i in 0..n {
            rows.extend((0..n).map(|j| if i == j { 1.0 } else { 0.0 }));
            rows.extend(m[n * i..n * (i + 1)].iter().map(|m| -m));
            rows.extend([-1.0, q[i]]);
        }
        Tableau {
            n,
            rows,
            basic: (0..n).collect(),
        }
    }

    fn width(&self) -> usize {
        2 * self.n + 2
    }

    fn row(&self, i: usize) -> &[f64] {
        &self.rows[self.width() * i..self.width() * (i + 1)]
    }

    fn value(&self, i: usize) -> f64 {
        self.row(i)[2 * self.n + 1]
    }

    /// The row furthest below zero; the last of equals comes first in the order by which ties are broken.
    fn lowest(&self) -> Option<usize> {
        (0..self.n).reduce(|a, b| if self.value(b) <= self.value(a) { b } else { a })
    }

    /// Lets a variable enter in a row; returns the one that leaves.
    fn exchange(&mut self, at: usize, entering: usize) -> usize {
        let width = self.width();
        let pivot = self.row(at)[entering];
        let own: Vec<f64> = self.row(at).iter().map(|x| x / pivot).collect();
        for (i, row) in self.rows.chunks_exact_mut(width).enumerate() {
            let share = row[entering];
            if i == at {
                row.copy_from_slice(&own);
            } else if share != 0.0 {
                for (x, own) in row.iter_mut().zip(&own) {
                    *x -= share * own;
                }
                row[entering] = 0.0;
            }
        }
        std::mem::replace(&mut self.basic[at], entering)
    }

    /// The row that is the first to come to zero as a variable grows, the one of `z0` before others.
    fn blocking(&self, entering: usize, artificial: usize) -> Option<usize> {
        let column = |i: usize| self.row(i)[entering];
        let largest = (0..self.n).fold(0.0f64, |m, i| m.max(column(i).abs()));
        let mut best: Option<usize> = None;
        for i in (0..self.n).filter(|&i| column(i) > NOTHING * largest) {
            let sooner = best.is_none_or(|best| self.comes_before(i, best, entering, artificial));
            if sooner {
                best = Some(i);
            }
        }
        best
    }

    fn comes_before(&self, i: usize, best: usize, entering: usize, artificial: usize) -> bool {
        let ratio = |row: usize, k: usize| self.row(row)[k] / self.row(row)[entering];
        let values = [i, best].map(|row| ratio(row, 2 * self.n + 1).max(0.0));
        let tied = |[a, b]: [f64; 2]| (a - b).abs() <= TIED * a.abs().max(b.abs());
        if !tied(values) {
            return values[0] < values[1];
        }
        for (row, answer) in [(i, true), (best, false)] {
            if self.basic[row] == artificial {
                return answer;
            }
        }
        let differs = (0..self.n)
            .map(|k| [ratio(i, k), ratio(best, k)])
            .find(|pair| !tied(*pair));
        differs.is_some_and(|[a, b]| a < b)
    }

    fn solution(&self) -> Solution {
        let (mut z, mut bears) = (vec![0.0; self.n], vec![false; self.n]);
        for (i, &variable) in self.basic.iter().enumerate() {
            if (self.n..2 * self.n).contains(&variable) {
                z[variable - self.n] = self.value(i).max(0.0);
                bears[variable - self.n] = true;
            }
        }
        Solution { z, bears }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Random contacts with friction in the plane, also dependent ones: rows of `(N, mu N + T, a)`, see `grip.rs`.
    #[test]
    fn solutions_are_complementary() {
        let mut seed = 0.371_f64;
        let mut draw = || {
            seed = (seed * 97.31 + 0.137).fract();
            2.0 * seed - 1.0
        };
        let mut unsolved = 0;
        for case in 0..1000 {
            let (contacts, freedoms) = (1 + case % 5, 2 + case % 7);
            let mu = 0.4 * (1.0 + draw());
            let rows: Vec<f64> = (0..2 * contacts * freedoms).map(|_| draw()).collect();
            let v: Vec<f64> = (0..freedoms).map(|_| draw()).collect();
            let dot = |i: usize, x: &[f64]| -> f64 {
                (0..freedoms).map(|k| rows[freedoms * i + k] * x[k]).sum()
            };
            let g = |i: usize, j: usize| dot(i, &rows[freedoms * j..freedoms * (j + 1)]);
            let n = 3 * contacts;
            let (mut m, mut q) = (vec![0.0; n * n], vec![0.0; n]);
            for i in 0..contacts {
                (q[3 * i], q[3 * i + 1]) = (dot(2 * i, &v), dot(2 * i + 1, &v));
                for j in 0..contacts {
                    for half in 0..2 {
                        let row = n * (3 * i + half) + 3 * j;
                        m[row] = g(2 * i + half, 2 * j) - mu * g(2 * i + half, 2 * j + 1);
                        m[row + 1] = g(2 * i + half, 2 * j + 1);
                    }
                }
                m[n * (3 * i + 1) + 3 * i + 2] = 1.0;
                m[n * (3 * i + 2) + 3 * i] = 2.0 * mu;
                m[n * (3 * i + 2) + 3 * i + 1] = -1.0;
            }
            let Some(Solution { z, bears }) = pivot(&m, &q) else {
                unsolved += 1;
                continue;
            };
            let size = z.iter().fold(1.0f64, |m, z| m.max(*z));
            for i in 0..n {
                let w = q[i] + (0..n).map(|j| m[n * i + j] * z[j]).sum::<f64>();
                assert!(
                    z[i] >= 0.0 && w > -1e-7 * size,
                    "case {case}: {} {w:e}",
                    z[i]
                );
                assert!(bears[i] || z[i] == 0.0, "case {case}: {}", z[i]);
                assert!(z[i] * w < 1e-6 * size * size, "case {case}: {} {w:e}", z[i]);
            }
        }
        // friction may jam
        assert!(unsolved < 50, "{unsolved}");
    }
}
