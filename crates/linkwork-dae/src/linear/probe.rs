//! Whether pivots chosen for sparsity have cost accuracy.

use super::buffers::{copy, refill, reserve};
use super::frozen::Frozen;
use super::{Field, Pattern};

/// One solution with fresh factors and what it leaves.
#[derive(Clone, Debug, Default)]
pub(super) struct Probe<T> {
    /// Largest entry of each row.
    largest: Vec<f64>,
    residual: Vec<T>,
    x: Vec<T>,
}

impl<T: Field> Probe<T> {
    pub fn reserve(&mut self, n: usize) {
        reserve(&mut self.largest, n);
        reserve(&mut self.residual, n);
        reserve(&mut self.x, n);
    }

    /// `max_i |b - A x|_i / (max_j |a_ij| max |x| + |b_i|)` for a right-hand side of the size of the
    /// rows.
    pub fn backward_error(
        &mut self,
        pattern: &Pattern,
        values: &[T],
        factors: &mut Frozen<T>,
    ) -> f64 {
        refill(&mut self.largest, pattern.n, 0.0);
        for (&i, value) in pattern.row.iter().zip(values) {
            let largest = &mut self.largest[i as usize];
            *largest = largest.max(value.size());
        }
        self.residual.clear();
        let signs = [-1.0, 1.0].into_iter().cycle();
        let sizes = self.largest.iter().zip(signs);
        (self.residual).extend(sizes.map(|(size, sign)| T::real(sign * size)));
        copy(&mut self.x, &self.residual);
        factors.solve(&mut self.x);
        let mut size = 0.0f64;
        for (j, x) in self.x.iter().enumerate() {
            size = size.max(x.size());
            for p in pattern.span(j) {
                let residual = &mut self.residual[pattern.row[p] as usize];
                *residual = *residual - values[p] * *x;
            }
        }
        let mut error = 0.0;
        for (residual, largest) in self.residual.iter().zip(&self.largest) {
            let relative = residual.size() / (largest * size + largest);
            if relative > error || relative.is_nan() {
                error = relative;
            }
        }
        error
    }
}
