//! Zeros of a spectrum, split off level by level.
//!
//! With an orthonormal basis `V = (N, R)`, `N` spanning the kernel of `A`,
//!
//! ```text
//!  V' A V = [ 0  N'AR ]
//!           [ 0  R'AR ]
//! ```
//!
//! so the columns of `N` are eigenvectors of 0 and the other eigenvalues are those of `R'AR`, whose
//! own kernel is the next level of the Jordan blocks (Kublanovskaya 1966).

use super::{Complex, Eigenpair};
use crate::dense::{Matrix, Qr};

/// Rows are made comparable first; what is left of a dependent one is rounding, some 1e-15.
const DEPENDENT: f64 = 1e-12;
/// Rows below this share of the largest are rounding themselves.
const ZERO_ROW: f64 = 1e-14;

/// One level.
struct Level {
    /// Kernel, one vector per column, in the coordinates of this level.
    kernel: Matrix,
    /// Orthonormal complement.
    rest: Matrix,
    /// `N' A R`.
    coupling: Matrix,
}

/// A matrix with its zeros split off.
pub(super) struct Split {
    size: usize,
    levels: Vec<Level>,
    rest: Matrix,
}

/// Splits off all zeros of a balanced matrix.
pub(super) fn split(a: &Matrix) -> Split {
    let mut split = Split {
        size: a.rows(),
        levels: Vec::new(),
        rest: a.clone(),
    };
    let largest = norms(a).into_iter().fold(0.0, f64::max);
    while split.rest.rows() > 0 {
        let Some((kernel, rest)) = kernel(&split.rest, ZERO_ROW * largest) else {
            break;
        };
        let image = split.rest.times(&rest);
        let level = Level {
            coupling: kernel.transposed().times(&image),
            kernel,
            rest,
        };
        split.rest = level.rest.transposed().times(&image);
        split.levels.push(level);
    }
    split
}

fn norms(a: &Matrix) -> Vec<f64> {
    (0..a.rows())
        .map(|i| a.row(i).iter().map(|x| x * x).sum::<f64>().sqrt())
        .collect()
}

/// Orthonormal bases of the kernel and of its complement, if there is a kernel; rows up to `zero` are
/// zeros.
fn kernel(a: &Matrix, zero: f64) -> Option<(Matrix, Matrix)> {
    let n = a.rows();
    let norm = norms(a);
    let columns = Matrix::new(n, n, |i, j| {
        if norm[j] > zero {
            a[(j, i)] / norm[j]
        } else {
            0.0
        }
    });
    let f = Qr::new(&columns, true);
    let top = f.r[(0, 0)].abs();
    let rank = (0..n)
        .filter(|&k| f.r[(k, k)].abs() > DEPENDENT * top)
        .count();
    if rank == n {
        return None;
    }
    let pick = |from: usize, to: usize| f.q.take_columns(&(from..to).collect::<Vec<_>>());
    Some((pick(rank, n), pick(0, rank)))
}

impl Split {
    /// What is left without zeros.
    pub fn rest(&self) -> &Matrix {
        &self.rest
    }

    /// The zeros with their vectors.
    pub fn zeros(&self) -> Vec<Eigenpair> {
        let mut pairs = Vec::new();
        for (k, level) in self.levels.iter().enumerate() {
            let simple = if k == 0 {
                aligned(&level.kernel)
            } else {
                level.kernel.clone()
            };
            for j in 0..simple.columns() {
                let mut x = simple.column(j);
                for outer in self.levels[..k].iter().rev() {
                    x = (0..outer.rest.rows())
                        .map(|i| outer.rest.row(i).iter().zip(&x).map(|(r, x)| r * x).sum())
                        .collect();
                }
                pairs.push(Eigenpair {
                    value: Complex::ZERO,
                    vector: x.iter().map(|x| Complex::new(*x, 0.0)).collect(),
                    depth: k + 1,
                });
            }
        }
        pairs
    }

    /// The eigenvector of the whole from one of the rest: `(x_N, x_R)` with
    /// `lambda x_N = N'AR x_R`.
    pub fn lift(&self, value: Complex, inner: &[Complex]) -> Vec<Complex> {
        let mut x = inner.to_vec();
        for level in self.levels.iter().rev() {
            let product = |row: &[f64], x: &[Complex]| {
                let mut sum = Complex::ZERO;
                for (a, x) in row.iter().zip(x) {
                    sum = sum + x.scale(*a);
                }
                sum
            };
            let in_kernel: Vec<Complex> = (0..level.coupling.rows())
                .map(|i| product(level.coupling.row(i), &x) / value)
                .collect();
            x = (0..level.rest.rows())
                .map(|i| product(level.kernel.row(i), &in_kernel) + product(level.rest.row(i), &x))
                .collect();
        }
        debug_assert_eq!(x.len(), self.size);
        x
    }
}

/// Another basis of the same space, each vector alone in one entry: directions that can be named.
fn aligned(basis: &Matrix) -> Matrix {
    let mut b = basis.clone();
    let (n, k) = (b.rows(), b.columns());
    let mut done = vec![false; k];
    for _ in 0..k {
        let mut best = (0, 0, 0.0);
        for j in (0..k).filter(|&j| !done[j]) {
            for i in 0..n {
                if b[(i, j)].abs() > best.2 * (1.0 + 1e-10) {
                    best = (i, j, b[(i, j)].abs());
                }
            }
        }
        let (i, j, size) = best;
        if size == 0.0 {
            break;
        }
        done[j] = true;
        let pivot = b[(i, j)];
        for row in 0..n {
            b[(row, j)] /= pivot;
        }
        for other in (0..k).filter(|&o| o != j) {
            let share = b[(i, other)];
            for row in 0..n {
                let x = b[(row, j)];
                b[(row, other)] -= share * x;
            }
        }
    }
    b
}
