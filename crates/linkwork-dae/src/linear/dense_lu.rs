//! Dense LU with partial pivoting on the row-equilibrated matrix: `P R A = L U`.
//!
//! ```text
//! R = diag(2^-e_i), 2^e_i <= max_j |a_ij| < 2^(e_i+1)     exact, so equilibration adds no rounding
//! for k: p = argmax_i |a_ik|, swap, l = a_ik / a_kk, a_ij -= l_i u_kj   (column by column)
//! ```
//!
//! Golub & Van Loan 2013, algorithm 3.4.1 (outer product form with partial pivoting); row
//! equilibration after Skeel 1979. Cost is `2/3 n^3` whatever the sparsity: right for small full
//! blocks and as the yardstick of the sparse solver, wrong for mechanisms beyond some 30 unknowns.

use super::scaling::power_of_two_scale;
use super::{FactorInfo, Field, LinearSolver, Pattern, Singular};
use crate::eigen::Complex;
use crate::memory::Memory;

/// Dense LU factorisation with partial pivoting and row equilibration.
#[derive(Clone, Debug, Default)]
pub struct DenseLu<T = f64> {
    n: usize,
    pattern: Pattern,
    /// Factors by columns: multipliers below the diagonal, `U` on and above it.
    lu: Vec<T>,
    row_scale: Vec<f64>,
    column_scale: Vec<f64>,
    /// `permutation[k]` is the caller's row in pivot position `k`.
    permutation: Vec<usize>,
    work: Vec<T>,
    factored: bool,
}

impl DenseLu {
    /// A solver without a matrix; call [`LinearSolver::analyse`] next.
    pub fn new() -> DenseLu {
        DenseLu::default()
    }
}

impl<T: Field> DenseLu<T> {
    /// Spreads the values into the dense array, row-equilibrated, and finds the column scales.
    fn load(&mut self, values: &[T]) -> Result<(), Singular> {
        self.row_scale.fill(0.0);
        for j in 0..self.n {
            for p in self.pattern.span(j) {
                if !values[p].size().is_finite() {
                    return Err(Singular { column: j });
                }
                let largest = &mut self.row_scale[self.pattern.row[p] as usize];
                *largest = largest.max(values[p].size());
            }
        }
        for scale in &mut self.row_scale {
            *scale = power_of_two_scale(*scale);
        }
        self.lu.fill(T::default());
        for j in 0..self.n {
            let column = &mut self.lu[j * self.n..(j + 1) * self.n];
            let mut largest = 0.0f64;
            for p in self.pattern.span(j) {
                let i = self.pattern.row[p] as usize;
                column[i] = values[p].scaled(self.row_scale[i]);
                largest = largest.max(column[i].size());
            }
            self.column_scale[j] = power_of_two_scale(largest);
        }
        Ok(())
    }

    fn swap_rows(&mut self, i: usize, k: usize) {
        if i != k {
            for column in self.lu.chunks_exact_mut(self.n) {
                column.swap(i, k);
            }
            self.permutation.swap(i, k);
        }
    }
}

/// `y -= factor x`.
fn subtract_multiple<T: Field>(y: &mut [T], factor: T, x: &[T]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y = *y - factor * *x;
    }
}

impl<T: Field> LinearSolver<T> for DenseLu<T> {
    fn another(&self) -> Box<dyn LinearSolver<T>> {
        Box::new(DenseLu::<T>::default())
    }

    fn complex(&self) -> Box<dyn LinearSolver<Complex>> {
        Box::new(DenseLu::<Complex>::default())
    }

    fn analyse(&mut self, pattern: &Pattern, _group: &[u32]) {
        let n = pattern.n;
        self.n = n;
        self.pattern = pattern.clone();
        self.lu = vec![T::default(); n * n];
        self.row_scale = vec![1.0; n];
        self.column_scale = vec![1.0; n];
        self.permutation = (0..n).collect();
        self.work = vec![T::default(); n];
        self.factored = false;
    }

    fn factor(&mut self, values: &[T]) -> Result<FactorInfo, Singular> {
        self.factored = false;
        self.load(values)?;
        for (k, row) in self.permutation.iter_mut().enumerate() {
            *row = k;
        }
        let n = self.n;
        let (mut smallest, mut largest) = (f64::INFINITY, 0.0f64);
        for k in 0..n {
            let (mut at, mut pivot) = (k, 0.0f64);
            for (i, entry) in self.lu[k * n..(k + 1) * n].iter().enumerate().skip(k) {
                // A NaN must win the search, otherwise it would hide below the pivot.
                let size = entry.size();
                if size > pivot || size.is_nan() {
                    (at, pivot) = (i, size);
                    if size.is_nan() {
                        break;
                    }
                }
            }
            if pivot == 0.0 || !pivot.is_finite() {
                return Err(Singular { column: k });
            }
            self.swap_rows(at, k);
            let scaled = pivot * self.column_scale[k];
            smallest = smallest.min(scaled);
            largest = largest.max(scaled);

            let (head, tail) = self.lu.split_at_mut((k + 1) * n);
            let (pivot, multipliers) = head[k * n + k..].split_at_mut(1);
            for l in multipliers.iter_mut() {
                *l = *l / pivot[0];
            }
            for column in tail.chunks_exact_mut(n) {
                let (upper, lower) = column.split_at_mut(k + 1);
                if upper[k].size() != 0.0 {
                    subtract_multiple(lower, upper[k], multipliers);
                }
            }
        }
        self.factored = true;
        Ok(FactorInfo {
            pivot_ratio: if n == 0 { 1.0 } else { smallest / largest },
            reused_pivots: false,
            nnz: n * n,
        })
    }

    fn solve(&mut self, b: &mut [T]) {
        if !self.factored {
            b.fill(T::real(f64::NAN));
            return;
        }
        let n = self.n;
        for (x, &i) in self.work.iter_mut().zip(&self.permutation) {
            *x = b[i].scaled(self.row_scale[i]);
        }
        for k in 0..n {
            let (done, rest) = self.work.split_at_mut(k + 1);
            subtract_multiple(rest, done[k], &self.lu[k * n + k + 1..(k + 1) * n]);
        }
        for k in (0..n).rev() {
            let column = &self.lu[k * n..k * n + k + 1];
            let (rest, last) = self.work.split_at_mut(k);
            last[0] = last[0] / column[k];
            subtract_multiple(rest, last[0], &column[..k]);
        }
        b.copy_from_slice(&self.work);
    }

    /// Every factorisation chooses its pivots itself.
    fn memory(&mut self, m: &mut Memory) {
        m.section("dense");
        if m.is_reading() {
            self.factored = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dense(n: usize, rows: &[f64]) -> (Pattern, Vec<f64>) {
        let entries: Vec<(u32, u32)> = (0..n as u32)
            .flat_map(|j| (0..n as u32).map(move |i| (i, j)))
            .collect();
        let values = entries
            .iter()
            .map(|&(i, j)| rows[i as usize * n + j as usize])
            .collect();
        (Pattern::from_entries(n, &entries), values)
    }

    #[test]
    fn badly_scaled_rows_do_not_mislead_the_pivot_choice() {
        // Without equilibration row 0 stays on top and x[0] is lost to cancellation.
        let (pattern, values) = dense(2, &[1.0, 1e17, 1.0, 1.0]);
        let mut lu = DenseLu::new();
        lu.analyse(&pattern, &[0, 0]);
        let info = lu.factor(&values).unwrap();
        assert!(info.pivot_ratio > 0.1, "{info:?}");
        let mut b = [1e17 + 1.0, 2.0];
        lu.solve(&mut b);
        assert!(
            (b[0] - 1.0).abs() < 1e-15 && (b[1] - 1.0).abs() < 1e-15,
            "{b:?}"
        );
    }

    #[test]
    fn singular_matrix_names_the_dependent_column() {
        let (pattern, values) = dense(3, &[1.0, 2.0, 4.0, 2.0, 4.0, 1.0, 4.0, 8.0, 2.0]);
        let mut lu = DenseLu::new();
        lu.analyse(&pattern, &[0; 3]);
        assert_eq!(lu.factor(&values), Err(Singular { column: 1 }));
    }

    #[test]
    fn non_finite_entry_names_its_column_and_solve_stays_calm() {
        for bad in [f64::NAN, f64::INFINITY] {
            let (pattern, mut values) = dense(3, &[4.0, 1.0, 0.0, 1.0, 4.0, 1.0, 0.0, 1.0, 4.0]);
            values[7] = bad;
            let mut lu = DenseLu::new();
            lu.analyse(&pattern, &[0; 3]);
            assert_eq!(lu.factor(&values), Err(Singular { column: 2 }));
            let mut b = [1.0; 3];
            lu.solve(&mut b);
            assert!(b.iter().all(|x| x.is_nan()));
        }
    }

    #[test]
    fn empty_matrix_is_regular() {
        let mut lu = DenseLu::new();
        lu.analyse(&Pattern::from_entries(0, &[]), &[]);
        assert!(lu.factor(&[]).is_ok());
        lu.solve(&mut []);
    }
}
