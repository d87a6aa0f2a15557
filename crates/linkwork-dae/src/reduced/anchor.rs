//! The constraint matrix at the beginning of a step, and how far others have departed from it.
//!
//! With `A` the anchor and `B` another `C_u` of the same columns, one norm of `I - A^-1 B` below 1 is
//! enough to know that no mean of the two is singular, and that their determinants have the same
//! sign. Norms cost as many solves as there are constraints; a bound is nearly always enough:
//!
//! ```text
//!  |A^-1 (A - B)|_1 <= max_j sum_i r_i |A - B|_ij        r_i = sum_k |A^-1|_ki
//! ```

use super::factors::Factors;
use super::partition::Partition;

/// See the [module](self).
#[derive(Debug, Default)]
pub(super) struct Anchor {
    m: usize,
    factors: Factors,
    row_scale: Vec<f64>,
    /// The scaled matrix, row by row.
    matrix: Vec<f64>,
    /// Column sums of its inverse.
    spread: Vec<f64>,
    work: Vec<f64>,
    tally: Vec<f64>,
}

impl Anchor {
    /// For `m` constraints.
    pub fn new(m: usize) -> Anchor {
        Anchor {
            m,
            factors: Factors::new(m),
            row_scale: vec![1.0; m],
            matrix: vec![0.0; m * m],
            spread: vec![0.0; m],
            work: vec![0.0; m * m],
            tally: vec![0.0; m],
        }
    }

    /// Takes the factored columns of a partition.
    pub fn take(&mut self, partition: &Partition) {
        let m = self.m;
        self.factors.copy_from(partition.factors());
        self.row_scale.copy_from_slice(partition.row_scale());
        for (i, row) in self.matrix.chunks_exact_mut(m.max(1)).enumerate() {
            partition.copy_row(i, row);
        }
        self.work.fill(0.0);
        for i in 0..m {
            self.work[i * m + i] = 1.0;
        }
        self.factors.solve(&mut self.work, m);
        self.spread.fill(0.0);
        for row in self.work.chunks_exact(m.max(1)) {
            for (sum, x) in self.spread.iter_mut().zip(row) {
                *sum += x.abs();
            }
        }
    }

    /// Gives a partition of the same columns the factors back.
    pub fn restore(&self, partition: &mut Partition) {
        partition.restore(&self.factors, &self.row_scale);
    }

    /// What a change of an entry in row `i` weighs in the bound, before it is measured in the typical
    /// size of its column.
    pub fn spread(&self, i: usize) -> f64 {
        self.spread[i] * self.row_scale[i]
    }

    /// Size of `I - A^-1 B` in typical sizes, where `B` is the present matrix of a partition: the
    /// smallest of the row sum, column sum and Frobenius norms.
    pub fn departure(&mut self, partition: &Partition) -> f64 {
        let m = self.m;
        for i in 0..m {
            let rescale = self.row_scale[i] / partition.row_scale()[i];
            let row = &mut self.work[i * m..(i + 1) * m];
            partition.copy_row(i, row);
            let anchored = &self.matrix[i * m..(i + 1) * m];
            for (b, a) in row.iter_mut().zip(anchored) {
                *b = a - rescale * *b;
            }
        }
        self.factors.solve(&mut self.work, m);
        self.tally.fill(0.0);
        let (mut by_rows, mut squares) = (0.0f64, 0.0);
        for row in self.work.chunks_exact(m.max(1)) {
            let mut sum = 0.0;
            for (x, column) in row.iter().zip(&mut self.tally) {
                sum += x.abs();
                *column += x.abs();
                squares += x * x;
            }
            by_rows = by_rows.max(sum);
        }
        if squares.is_nan() {
            return f64::NAN;
        }
        by_rows.min(largest(&self.tally)).min(squares.sqrt())
    }
}

/// The largest value; NaN where there is one.
pub(super) fn largest(x: &[f64]) -> f64 {
    let larger = |m: f64, x: &f64| if *x > m || x.is_nan() { *x } else { m };
    x.iter().fold(0.0, larger)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bound is none below the norms, and the exact value is that of a matrix worked by hand:
    /// `A^-1 (A - B)` with `A = [2 1; 0 1]`, `B = [1 1; 0.5 1]` is `[0.75 0; -0.5 0]`.
    #[test]
    fn departures_are_bounded_and_exact_where_it_matters() {
        let mut partition = Partition::new(2, vec![1.0; 2]);
        let fill = |p: &mut Partition, a: [f64; 4]| {
            let entries = [(0, 0, a[0]), (0, 1, a[1]), (1, 0, a[2]), (1, 1, a[3])];
            p.fill(entries.into_iter());
            p.factor().unwrap();
        };
        fill(&mut partition, [2.0, 1.0, 0.0, 1.0]);
        let mut anchor = Anchor::new(2);
        anchor.take(&partition);
        fill(&mut partition, [1.0, 1.0, 0.5, 1.0]);
        let exact = anchor.departure(&partition);
        assert!((exact - 0.75).abs() < 1e-14, "{exact}");
        // both columns of the inverse, [0.5 -0.5; 0 1], times the rows of |A - B| = [1 0; 0.5 0]
        let bound = anchor.spread(0) * 1.0 + anchor.spread(1) * 0.5;
        assert!((bound - 1.25).abs() < 1e-14, "{bound}");
    }
}
