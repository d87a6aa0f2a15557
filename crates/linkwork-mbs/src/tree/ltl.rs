//! Factors `M = L' L` that keep the branches (Featherstone 2008, section 6.5).
//!
//! Eliminating from the leaves makes no fill: row `k` of `L` couples only with the path of `k`. For a
//! path of depth `d` the cost is `O(N d^2)`, which for a single chain is that of a dense factor;
//! [`super::Aba`] is the better way there.

use super::branches::Branches;
use linkwork_dae::linear::Singular;

/// The factor `L`, in the order of the branches.
#[derive(Clone, Debug, Default)]
pub struct Ltl {
    l: Vec<f64>,
}

impl Ltl {
    /// Room for the factor.
    pub fn new(branches: &Branches) -> Ltl {
        Ltl {
            l: vec![0.0; branches.entries()],
        }
    }

    /// Factors a symmetric positive definite matrix; names the first coordinate, from the leaves,
    /// that has no positive pivot.
    pub fn factor(&mut self, branches: &Branches, mass: &[f64]) -> Result<(), Singular> {
        self.l.copy_from_slice(mass);
        for k in (0..branches.len()).rev() {
            let (inner, row_k) = self.l.split_at_mut(branches.row(k).start);
            let row_k = &mut row_k[..branches.row(k).len()];
            let Some((diagonal, row_k)) = row_k.split_last_mut() else {
                continue;
            };
            if !(*diagonal > 0.0) || !diagonal.is_finite() {
                return Err(Singular { column: k });
            }
            *diagonal = diagonal.sqrt();
            let per = 1.0 / *diagonal;
            for x in row_k.iter_mut() {
                *x *= per;
            }
            for i in branches.path(k).skip(1) {
                let row_i = &mut inner[branches.row(i)];
                let n = row_i.len();
                let factor = row_k[n - 1];
                for (x, y) in row_i.iter_mut().zip(&row_k[..n]) {
                    *x -= factor * y;
                }
            }
        }
        Ok(())
    }

    /// What elimination has left of the diagonal entry of a coordinate: the inertia that it feels when
    /// everything that it carries is free.
    pub fn pivot(&self, branches: &Branches, k: usize) -> f64 {
        self.l[branches.row(k).end - 1].powi(2)
    }

    /// Solves `L' L x = b` in place.
    pub fn solve(&self, branches: &Branches, x: &mut [f64]) {
        for k in (0..branches.len()).rev() {
            let row = &self.l[branches.row(k)];
            x[k] /= row[row.len() - 1];
            let xk = x[k];
            for (j, l) in branches.path(k).skip(1).zip(row.iter().rev().skip(1)) {
                x[j] -= l * xk;
            }
        }
        for k in 0..branches.len() {
            let row = &self.l[branches.row(k)];
            let mut sum = x[k];
            for (j, l) in branches.path(k).skip(1).zip(row.iter().rev().skip(1)) {
                sum -= l * x[j];
            }
            x[k] = sum / row[row.len() - 1];
        }
    }
}
