//! LU factors of a small matrix, rows exchanged, for many right-hand sides at once.
//!
//! Matrices are row by row. A block of right-hand sides is too, so that the inner loops run along
//! its rows. Matrices are stored and factored densely, but solves pass over zeros: constraints
//! couple few bodies, and as many right-hand sides as there are constraints are nothing unusual.
//! Bad at: a thousand rows and more, which belong to [`crate::linear`].

/// Pivots below this share of the largest entry count as zero: some hundred roundings.
const SINGULAR: f64 = 1e-13;

/// See the [module](self).
#[derive(Clone, Debug, Default)]
pub(crate) struct Factors {
    n: usize,
    lu: Vec<f64>,
    pivot: Vec<usize>,
    /// Entries beside the diagonal that are not zero, row by row, as (column, value); where those of
    /// each row begin, and where those right of the diagonal do.
    entries: Vec<(u32, f64)>,
    row: Vec<[u32; 2]>,
}

impl Factors {
    /// Room for matrices of size `n`.
    pub fn new(n: usize) -> Factors {
        Factors {
            n,
            lu: vec![0.0; n * n],
            pivot: vec![0; n],
            entries: Vec::with_capacity(n * n),
            row: vec![[0; 2]; n + 1],
        }
    }

    /// Room for the entries of the next matrix.
    pub fn entries(&mut self) -> &mut [f64] {
        &mut self.lu
    }

    /// Factors the entries in place; fails with the column that depends on those before it.
    pub fn factor(&mut self) -> Result<(), usize> {
        let n = self.n;
        let largest = self.lu.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        for k in 0..n {
            let mut p = k;
            for i in k + 1..n {
                if self.lu[i * n + k].abs() > self.lu[p * n + k].abs() {
                    p = i;
                }
            }
            let pivot = self.lu[p * n + k];
            // NaN must not pass
            if !(pivot.abs() > SINGULAR * largest) {
                return Err(k);
            }
            self.pivot[k] = p;
            if p != k {
                for j in 0..n {
                    self.lu.swap(k * n + j, p * n + j);
                }
            }
            let (above, below) = self.lu.split_at_mut((k + 1) * n);
            let row = &above[k * n + k + 1..];
            for other in below.chunks_exact_mut(n) {
                let factor = other[k] / pivot;
                other[k] = factor;
                if factor != 0.0 {
                    subtract(&mut other[k + 1..], factor, row);
                }
            }
        }
        self.list();
        Ok(())
    }

    /// Lists the entries beside the diagonal that are not zero.
    fn list(&mut self) {
        let n = self.n;
        self.entries.clear();
        for (i, row) in self.lu.chunks_exact(n.max(1)).enumerate() {
            let (left, right) = row.split_at(i);
            let first = self.entries.len() as u32;
            let left = (0..).zip(left).filter(|(_, x)| **x != 0.0);
            self.entries.extend(left.map(|(k, x)| (k, *x)));
            self.row[i] = [first, self.entries.len() as u32];
            let right = (i as u32 + 1..)
                .zip(&right[1..])
                .filter(|(_, x)| **x != 0.0);
            self.entries.extend(right.map(|(k, x)| (k, *x)));
        }
        self.row[n] = [self.entries.len() as u32; 2];
    }

    /// Entries of a row left and right of the diagonal.
    fn row(&self, i: usize) -> [&[(u32, f64)]; 2] {
        let ([first, middle], [last, _]) = (self.row[i], self.row[i + 1]);
        let [first, middle, last] = [first, middle, last].map(|x| x as usize);
        [&self.entries[first..middle], &self.entries[middle..last]]
    }

    /// Solves for `width` right-hand sides in place.
    pub fn solve(&self, x: &mut [f64], width: usize) {
        let n = self.n;
        for k in 0..n {
            let p = self.pivot[k];
            if p != k {
                for j in 0..width {
                    x.swap(k * width + j, p * width + j);
                }
            }
        }
        if width == 1 {
            return self.substitute(x);
        }
        for i in 1..n {
            let (above, row) = x.split_at_mut(i * width);
            for &(k, factor) in self.row(i)[0] {
                let above = &above[k as usize * width..][..width];
                subtract(&mut row[..width], factor, above);
            }
        }
        for i in (0..n).rev() {
            let (row, below) = x.split_at_mut((i + 1) * width);
            let row = &mut row[i * width..];
            for &(k, factor) in self.row(i)[1] {
                let below = &below[(k as usize - i - 1) * width..][..width];
                subtract(row, factor, below);
            }
            let pivot = self.lu[i * n + i];
            row.iter_mut().for_each(|x| *x /= pivot);
        }
    }

    /// Forward and back substitution of one right-hand side, rows exchanged already.
    fn substitute(&self, x: &mut [f64]) {
        let n = self.n;
        for i in 0..n {
            let known = self.row(i)[0].iter();
            x[i] -= known.map(|&(k, l)| l * x[k as usize]).sum::<f64>();
        }
        for i in (0..n).rev() {
            let known = self.row(i)[1].iter();
            let sum: f64 = known.map(|&(k, u)| u * x[k as usize]).sum();
            x[i] = (x[i] - sum) / self.lu[i * n + i];
        }
    }

    /// Copies factors of the same size without allocating.
    pub fn copy_from(&mut self, other: &Factors) {
        self.lu.copy_from_slice(&other.lu);
        self.pivot.copy_from_slice(&other.pivot);
        self.entries.clone_from(&other.entries);
        self.row.copy_from_slice(&other.row);
    }
}

/// `x -= c y`.
fn subtract(x: &mut [f64], c: f64, y: &[f64]) {
    for (x, y) in x.iter_mut().zip(y) {
        *x -= c * y;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solves_with_exchanges() {
        let a = [0.0, 2.0, 1.0, 4.0, -1.0, 0.5, 1.0, 1.0, 3.0];
        let mut factors = Factors::new(3);
        factors.entries().copy_from_slice(&a);
        factors.factor().unwrap();
        let x = [[1.0, -2.0], [0.5, 3.0], [-1.5, 0.25]];
        let mut b = [0.0; 6];
        for i in 0..3 {
            for j in 0..2 {
                b[2 * i + j] = (0..3).map(|k| a[3 * i + k] * x[k][j]).sum();
            }
        }
        factors.solve(&mut b, 2);
        for (b, x) in b.iter().zip(x.as_flattened()) {
            assert!((b - x).abs() < 1e-14);
        }
        // one column at a time is the same
        let mut one: Vec<f64> = (0..3)
            .map(|i| (0..3).map(|k| a[3 * i + k] * x[k][1]).sum())
            .collect();
        factors.solve(&mut one, 1);
        for (b, x) in one.iter().zip(x) {
            assert!((b - x[1]).abs() < 1e-14);
        }
    }

    #[test]
    fn dependent_columns_are_named() {
        let mut factors = Factors::new(2);
        factors.entries().copy_from_slice(&[1.0, 2.0, 2.0, 4.0]);
        assert_eq!(factors.factor(), Err(1));
        factors.entries().copy_from_slice(&[f64::NAN; 4]);
        assert_eq!(factors.factor(), Err(0));
    }
}
