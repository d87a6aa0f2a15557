//! Whether pivots chosen for sparsity have cost accuracy.

use super::Pattern;
use super::buffers::{copy, refill, reserve};
use super::frozen::Frozen;

/// One solution with fresh factors and what it leaves.
#[derive(Clone, Debug, Default)]
pub(super) struct Probe {
    /// Largest entry of each row.
    largest: Vec<f64>,
    residual: Vec<f64>,
    x: Vec<f64>,
}

impl Probe {
    pub fn reserve(&mut self, n: usize) {
        for list in [&mut self.largest, &mut self.residual, &mut self.x] {
            reserve(list, n);
        }
    }

    /// `max_i |b - A x|_i / (max_j |a_ij| max |x| + |b_i|)` for a right-hand side of the size of the
    /// rows.
    pub fn backward_error(
        &mut self,
        pattern: &Pattern,
        values: &[f64],
        factors: &mut Frozen,
    ) -> f64 {
        refill(&mut self.largest, pattern.n, 0.0);
        for (&i, value) in pattern.row.iter().zip(values) {
            let largest = &mut self.largest[i as usize];
            *largest = largest.max(value.abs());
        }
        copy(&mut self.residual, &self.largest);
        for b in self.residual.iter_mut().step_by(2) {
            *b = -*b;
        }
        copy(&mut self.x, &self.residual);
        factors.solve(&mut self.x);
        let mut size = 0.0f64;
        for (j, x) in self.x.iter().enumerate() {
            size = size.max(x.abs());
            for p in pattern.span(j) {
                self.residual[pattern.row[p] as usize] -= values[p] * x;
            }
        }
        let mut error = 0.0;
        for (residual, largest) in self.residual.iter().zip(&self.largest) {
            let relative = residual.abs() / (largest * size + largest);
            if relative > error || relative.is_nan() {
                error = relative;
            }
        }
        error
    }
}
