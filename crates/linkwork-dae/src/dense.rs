//! Small full matrices: what analyses at one point of a motion need, not what steps need.

use crate::system::{BlockPatterns, Blocks, Part};
use std::ops::{Index, IndexMut};

/// A full matrix, stored by rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Matrix {
    rows: usize,
    columns: usize,
    values: Vec<f64>,
}

impl Index<(usize, usize)> for Matrix {
    type Output = f64;
    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        &self.values[i * self.columns + j]
    }
}

impl IndexMut<(usize, usize)> for Matrix {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
        &mut self.values[i * self.columns + j]
    }
}

impl Matrix {
    /// A matrix of zeros.
    pub fn zero(rows: usize, columns: usize) -> Matrix {
        Matrix {
            rows,
            columns,
            values: vec![0.0; rows * columns],
        }
    }

    /// The unit matrix.
    pub fn unit(n: usize) -> Matrix {
        Matrix::new(n, n, |i, j| if i == j { 1.0 } else { 0.0 })
    }

    /// The matrix with the given entries.
    pub fn new(rows: usize, columns: usize, entry: impl Fn(usize, usize) -> f64) -> Matrix {
        let mut m = Matrix::zero(rows, columns);
        for i in 0..rows {
            for j in 0..columns {
                m[(i, j)] = entry(i, j);
            }
        }
        m
    }

    /// A derivative block of a system, of the given size.
    pub fn of_block(
        patterns: &BlockPatterns,
        blocks: &Blocks,
        part: Part,
        (rows, columns): (usize, usize),
    ) -> Matrix {
        let mut m = Matrix::zero(rows, columns);
        for (&(i, j), x) in patterns[part].iter().zip(&blocks[part]) {
            m[(i as usize, j as usize)] += x;
        }
        m
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// One row.
    pub fn row(&self, i: usize) -> &[f64] {
        &self.values[i * self.columns..(i + 1) * self.columns]
    }

    /// One column.
    pub fn column(&self, j: usize) -> Vec<f64> {
        (0..self.rows).map(|i| self[(i, j)]).collect()
    }

    /// The rows with the given numbers, in that order.
    pub fn take_rows(&self, rows: &[usize]) -> Matrix {
        Matrix::new(rows.len(), self.columns, |i, j| self[(rows[i], j)])
    }

    /// The columns with the given numbers, in that order.
    pub fn take_columns(&self, columns: &[usize]) -> Matrix {
        Matrix::new(self.rows, columns.len(), |i, j| self[(i, columns[j])])
    }

    /// The transpose.
    pub fn transposed(&self) -> Matrix {
        Matrix::new(self.columns, self.rows, |i, j| self[(j, i)])
    }

    /// The product with another matrix.
    pub fn times(&self, other: &Matrix) -> Matrix {
        let mut m = Matrix::zero(self.rows, other.columns);
        for i in 0..self.rows {
            for k in 0..self.columns {
                let a = self[(i, k)];
                if a != 0.0 {
                    for j in 0..other.columns {
                        m[(i, j)] += a * other[(k, j)];
                    }
                }
            }
        }
        m
    }

    /// The sum with another matrix of the same size.
    #[must_use]
    pub fn plus(mut self, other: &Matrix) -> Matrix {
        for (a, b) in self.values.iter_mut().zip(&other.values) {
            *a += b;
        }
        self
    }

    /// The matrix times a number.
    #[must_use]
    pub fn scaled(mut self, c: f64) -> Matrix {
        for a in &mut self.values {
            *a *= c;
        }
        self
    }

    /// Sum of the absolute values of all entries.
    pub fn size(&self) -> f64 {
        self.values.iter().map(|x| x.abs()).sum()
    }

    /// Whether every entry is finite.
    pub fn is_finite(&self) -> bool {
        self.values.iter().all(|x| x.is_finite())
    }

    /// `A^-1 B` by elimination with partial pivoting; `Err` holds the first column without a pivot,
    /// where the largest candidate is below `least` times the largest entry of its column.
    pub fn solve(&self, b: &Matrix, least: f64) -> Result<Matrix, usize> {
        let n = self.rows;
        let (mut a, mut x) = (self.clone(), b.clone());
        let swap = |m: &mut Matrix, i: usize, k: usize| {
            for j in 0..m.columns {
                m.values.swap(i * m.columns + j, k * m.columns + j);
            }
        };
        for k in 0..n {
            let largest = (0..n).fold(0.0f64, |m, i| m.max(self[(i, k)].abs()));
            let pivot = (k..n).fold(k, |p, i| {
                if a[(i, k)].abs() > a[(p, k)].abs() {
                    i
                } else {
                    p
                }
            });
            if !(a[(pivot, k)].abs() > least * largest) {
                return Err(k);
            }
            swap(&mut a, k, pivot);
            swap(&mut x, k, pivot);
            for i in k + 1..n {
                let l = a[(i, k)] / a[(k, k)];
                if l != 0.0 {
                    for j in k..n {
                        let u = a[(k, j)];
                        a[(i, j)] -= l * u;
                    }
                    for j in 0..x.columns {
                        let u = x[(k, j)];
                        x[(i, j)] -= l * u;
                    }
                }
            }
        }
        for j in 0..x.columns {
            for i in (0..n).rev() {
                let mut sum = x[(i, j)];
                for k in i + 1..n {
                    sum -= a[(i, k)] * x[(k, j)];
                }
                x[(i, j)] = sum / a[(i, i)];
            }
        }
        Ok(x)
    }
}

/// An orthogonal factorisation `A P = Q R` by Householder reflections, `Q` square
/// (Golub & Van Loan 2013, algorithms 5.2.1 and 5.4.1).
pub(crate) struct Qr {
    /// Orthogonal, as many rows as `A`.
    pub q: Matrix,
    /// `Q' A P`, upper triangular.
    pub r: Matrix,
}

impl Qr {
    /// Factors a matrix; with `pivoting` the largest remaining column is taken first, so that the
    /// diagonal of `R` falls.
    pub fn new(a: &Matrix, pivoting: bool) -> Qr {
        let (m, n) = (a.rows, a.columns);
        let mut r = a.clone();
        let mut q = Matrix::unit(m);
        for k in 0..m.min(n) {
            if pivoting {
                let norm = |j: usize| (k..m).map(|i| r[(i, j)] * r[(i, j)]).sum::<f64>();
                let mut best = (k, norm(k));
                for j in k + 1..n {
                    let candidate = norm(j);
                    if candidate > best.1 {
                        best = (j, candidate);
                    }
                }
                for i in 0..m {
                    r.values.swap(i * n + k, i * n + best.0);
                }
            }
            let x: Vec<f64> = (k..m).map(|i| r[(i, k)]).collect();
            let Some(w) = reflector(&x) else { continue };
            for j in k..n {
                let c: f64 = (k..m).map(|i| w[i - k] * r[(i, j)]).sum::<f64>() * 2.0;
                for i in k..m {
                    r[(i, j)] -= c * w[i - k];
                }
            }
            for i in 0..m {
                let c: f64 = (k..m).map(|j| w[j - k] * q[(i, j)]).sum::<f64>() * 2.0;
                for j in k..m {
                    q[(i, j)] -= c * w[j - k];
                }
            }
            for i in k + 1..m {
                r[(i, k)] = 0.0;
            }
        }
        Qr { q, r }
    }
}

/// The unit vector `w` for which `(I - 2 w w') x` is a multiple of the first unit vector; `None` when
/// `x` already is.
pub(crate) fn reflector(x: &[f64]) -> Option<Vec<f64>> {
    let rest: f64 = x.iter().skip(1).map(|x| x.abs()).sum();
    if rest == 0.0 {
        return None;
    }
    let largest = x.iter().fold(0.0f64, |m, x| m.max(x.abs()));
    let mut w: Vec<f64> = x.iter().map(|x| x / largest).collect();
    let norm = w.iter().map(|w| w * w).sum::<f64>().sqrt();
    w[0] += norm.copysign(w[0]);
    let length = w.iter().map(|w| w * w).sum::<f64>().sqrt();
    for w in &mut w {
        *w /= length;
    }
    Some(w)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noise(i: usize, j: usize) -> f64 {
        2.0 * ((7 * i + 3 * j + 1) as f64 * 0.618_033_988_749_895).fract() - 1.0
    }

    #[test]
    fn solves_and_names_the_dependent_column() {
        let a = Matrix::new(5, 5, noise).plus(&Matrix::unit(5).scaled(2.0));
        let x = Matrix::new(5, 2, |i, j| (i + 2 * j) as f64);
        let solved = a.solve(&a.times(&x), 1e-12).unwrap();
        assert!(solved.plus(&x.scaled(-1.0)).size() < 1e-12);
        let mut a = a;
        for i in 0..5 {
            a[(i, 3)] = a[(i, 1)] - 2.0 * a[(i, 0)];
        }
        assert_eq!(a.solve(&Matrix::unit(5), 1e-12), Err(3));
    }

    #[test]
    fn orthogonal_factors_reveal_the_rank() {
        let a = Matrix::new(6, 3, noise).times(&Matrix::new(3, 5, noise));
        let f = Qr::new(&a, true);
        let unit =
            f.q.times(&f.q.transposed())
                .plus(&Matrix::unit(6).scaled(-1.0));
        assert!(unit.size() < 1e-13);
        assert!(f.r[(2, 2)].abs() > 1e-3 && f.r[(3, 3)].abs() < 1e-14);
        let f = Qr::new(&a, false);
        assert!(f.q.times(&f.r).plus(&a.scaled(-1.0)).size() < 1e-13);
    }
}
