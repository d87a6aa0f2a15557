//! Dependent and independent coordinates: which columns of `C_q` are solved for.
//!
//! ```text
//!  q = (u, w),   C_u du + C_w dw = 0,   H = -C_u^-1 C_w
//! ```
//!
//! Coordinates are measured in their typical sizes and rows have largest entry 1. Elimination with
//! full pivoting picks the columns of `u` (Wehage & Haug 1982). An exchange of `u_i` and `w_j`
//! multiplies `det C_u` by `H_ij`: with all `|H_ij| <= 1` no exchange makes the determinant larger,
//! and the matrix is about as well conditioned as any choice of columns can make it (Goreinov,
//! Oseledets, Savostyanov, Tyrtyshnikov & Zamarashkin 2010). So `max |H_ij|` is the measure by
//! which a partition is judged, it costs nothing beside `H`, and exchanges finish what pivoting
//! has begun.

use super::factors::Factors;
use crate::memory::Memory;

/// A new choice of columns leaves no entry of `H` above this.
const CHOSEN: f64 = 1.2;
/// A pivot below this share of the largest entry means dependent rows.
const DEPENDENT: f64 = 1e-11;

/// See the [module](self). Sizes are fixed by [`Partition::new`].
#[derive(Debug, Default)]
pub(crate) struct Partition {
    n: usize,
    m: usize,
    scale: Vec<f64>,
    row_scale: Vec<f64>,
    /// The scaled matrix, row by row.
    matrix: Vec<f64>,
    work: Vec<f64>,
    tangent: Vec<f64>,
    pub dependent: Vec<usize>,
    pub independent: Vec<usize>,
    /// Factors of the scaled `C_u`.
    factors: Factors,
}

impl Partition {
    /// For `m` equations in coordinates of the given typical sizes.
    pub fn new(m: usize, scale: Vec<f64>) -> Partition {
        let n = scale.len();
        // more equations than coordinates cannot be independent; choosing says so
        let columns = m.min(n);
        // room for all columns while they are sorted out
        let mut independent = Vec::with_capacity(n);
        independent.extend(columns..n);
        Partition {
            n,
            m,
            scale,
            row_scale: vec![1.0; m],
            matrix: vec![0.0; m * n],
            work: vec![0.0; m * n],
            tangent: vec![0.0; m * (n - columns)],
            dependent: (0..columns).collect(),
            independent,
            factors: Factors::new(m),
        }
    }

    /// Takes a new matrix as the sum of entries (row, column, value) and scales its rows.
    pub fn fill(&mut self, entries: impl Iterator<Item = (usize, usize, f64)>) {
        self.matrix.fill(0.0);
        for (i, j, x) in entries {
            self.matrix[i * self.n + j] += x * self.scale[j];
        }
        let rows = self.matrix.chunks_exact_mut(self.n.max(1));
        for (row, scale) in rows.zip(&mut self.row_scale) {
            let largest = row.iter().fold(0.0f64, |m, x| m.max(x.abs()));
            *scale = if largest > 0.0 { 1.0 / largest } else { 1.0 };
            row.iter_mut().for_each(|x| *x *= *scale);
        }
    }

    /// Factors `C_u` of the present columns; fails with the number of an equation.
    pub fn factor(&mut self) -> Result<(), usize> {
        if self.m > self.n {
            return Err(self.n);
        }
        let (n, m) = (self.n, self.m);
        let lu = self.factors.entries();
        for i in 0..m {
            for (k, &j) in self.dependent.iter().enumerate() {
                lu[i * m + k] = self.matrix[i * n + j];
            }
        }
        self.factors.factor()
    }

    /// `H` of the factored columns, and its largest entry, both in typical sizes.
    fn tangent(&mut self) -> (f64, usize, usize) {
        let (n, d) = (self.n, self.independent.len());
        for i in 0..self.m {
            for (k, &j) in self.independent.iter().enumerate() {
                self.tangent[i * d + k] = -self.matrix[i * n + j];
            }
        }
        self.factors.solve(&mut self.tangent, d);
        let mut worst = (0.0, 0, 0);
        for (at, x) in self.tangent.iter().enumerate() {
            if x.abs() > worst.0 || x.is_nan() {
                worst = (x.abs(), at / d, at % d);
            }
        }
        worst
    }

    /// `H` in units of the coordinates (rows: dependent ones), and its largest entry in typical
    /// sizes.
    pub fn slopes(&mut self, h: &mut [f64]) -> f64 {
        let (worst, ..) = self.tangent();
        let d = self.independent.len();
        for (i, u) in self.dependent.iter().enumerate() {
            for (k, w) in self.independent.iter().enumerate() {
                h[i * d + k] = self.tangent[i * d + k] * self.scale[*u] / self.scale[*w];
            }
        }
        worst
    }

    /// Chooses columns for the present matrix and factors them; fails with the number of an
    /// equation that depends on others.
    pub fn choose(&mut self) -> Result<(), usize> {
        self.pivot()?;
        self.factor()?;
        for _ in 0..4 * self.n {
            let (worst, i, j) = self.tangent();
            // NaN must not go round
            if !(worst > CHOSEN) {
                break;
            }
            std::mem::swap(&mut self.dependent[i], &mut self.independent[j]);
            self.factor()?;
        }
        self.dependent.sort_unstable();
        self.independent.sort_unstable();
        self.factor()
    }

    /// Elimination with full pivoting; the columns of the pivots become the dependent ones.
    fn pivot(&mut self) -> Result<(), usize> {
        let (n, m) = (self.n, self.m);
        if m > n {
            return Err(n);
        }
        let a = &mut self.work;
        a.copy_from_slice(&self.matrix);
        // columns in use come first, in the order of their pivots
        let columns = &mut self.independent;
        columns.append(&mut self.dependent);
        columns.sort_unstable();
        for k in 0..m {
            let mut best = (0.0, k, k);
            for i in k..m {
                for (c, &j) in columns.iter().enumerate().skip(k) {
                    if a[i * n + j].abs() > best.0 {
                        best = (a[i * n + j].abs(), i, c);
                    }
                }
            }
            let (size, p, c) = best;
            if !(size > DEPENDENT) {
                self.split(m);
                return Err(p);
            }
            columns.swap(k, c);
            let column = columns[k];
            for j in 0..n {
                a.swap(k * n + j, p * n + j);
            }
            let (above, below) = a.split_at_mut((k + 1) * n);
            let row = &above[k * n..];
            for other in below.chunks_exact_mut(n) {
                let factor = other[column] / row[column];
                for (x, y) in other.iter_mut().zip(row) {
                    *x -= factor * y;
                }
            }
        }
        self.split(m);
        Ok(())
    }

    /// Moves the first columns of the pivot order to the dependent ones.
    fn split(&mut self, m: usize) {
        self.dependent.extend_from_slice(&self.independent[..m]);
        self.independent.drain(..m);
    }

    /// Solves `C_u x = b` in place for `width` right-hand sides, in units of the coordinates.
    pub fn solve(&self, x: &mut [f64], width: usize) {
        if width == 0 {
            return;
        }
        for (row, scale) in x.chunks_exact_mut(width).zip(&self.row_scale) {
            row.iter_mut().for_each(|x| *x *= scale);
        }
        self.factors.solve(x, width);
        for (row, u) in x.chunks_exact_mut(width).zip(&self.dependent) {
            row.iter_mut().for_each(|x| *x *= self.scale[*u]);
        }
    }

    /// Row `i` of the scaled `C_u`.
    pub fn copy_row(&self, i: usize, out: &mut [f64]) {
        let row = &self.matrix[i * self.n..(i + 1) * self.n];
        for (o, &j) in out.iter_mut().zip(&self.dependent) {
            *o = row[j];
        }
    }

    pub fn factors(&self) -> &Factors {
        &self.factors
    }

    pub fn row_scale(&self) -> &[f64] {
        &self.row_scale
    }

    /// Goes back to factors of the same columns.
    pub fn restore(&mut self, factors: &Factors, row_scale: &[f64]) {
        self.factors.copy_from(factors);
        self.row_scale.copy_from_slice(row_scale);
    }

    pub fn scale(&self) -> &[f64] {
        &self.scale
    }

    /// Saves or restores the choice of columns.
    pub fn memory(&mut self, m: &mut Memory) {
        let n = self.n;
        for column in self.dependent.iter_mut().chain(&mut self.independent) {
            m.index(column, 0..=n.saturating_sub(1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dense(rows: &[&[f64]]) -> Partition {
        let mut p = Partition::new(rows.len(), vec![1.0; rows[0].len()]);
        let rows = rows.iter().enumerate();
        p.fill(rows.flat_map(|(i, r)| r.iter().enumerate().map(move |(j, x)| (i, j, *x))));
        p
    }

    #[test]
    fn no_exchange_makes_the_determinant_larger() {
        let mut p = dense(&[
            &[0.1, 2.0, -1.0, 0.3, 0.7],
            &[1.0, 2.1, 0.2, -0.4, 0.1],
            &[0.3, -1.0, 0.5, 0.2, 3.0],
        ]);
        p.choose().unwrap();
        let mut h = vec![0.0; 6];
        assert!(p.slopes(&mut h) <= CHOSEN);
        // the tangent solves the constraints
        for i in 0..3 {
            for (k, &w) in p.independent.iter().enumerate() {
                let along = p.dependent.iter().enumerate();
                let sum: f64 = along
                    .map(|(r, &u)| p.matrix[i * 5 + u] * h[r * 2 + k])
                    .sum();
                assert!((sum + p.matrix[i * 5 + w]).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn dependent_equations_are_refused() {
        let mut p = dense(&[&[1.0, 2.0, 3.0], &[2.0, 4.0, 6.0]]);
        assert!(p.choose().is_err());
        let mut p = dense(&[&[1.0], &[2.0]]);
        assert!(p.choose().is_err() && p.factor().is_err());
    }

    /// Full pivoting alone would take the largest entry; typical sizes decide what is large.
    #[test]
    fn coordinates_are_measured_in_their_typical_sizes() {
        let mut p = Partition::new(1, vec![1e-3, 1.0]);
        p.fill([(0, 0, 10.0), (0, 1, 1.0)].into_iter());
        p.choose().unwrap();
        assert_eq!(p.dependent, [1]);
    }
}
