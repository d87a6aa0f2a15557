//! Matrices of a linear law, shared by the kinds that are one.

use super::ControlTerms;
use linkwork_dae::linear::{DenseLu, LinearSolver, Pattern};

/// `f = A x + B u`, `y = C x + D u`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Linear {
    /// A, n rows of n.
    pub a: Vec<Vec<f64>>,
    /// B, n rows of m.
    pub b: Vec<Vec<f64>>,
    /// C, p rows of n.
    pub c: Vec<Vec<f64>>,
    /// D, p rows of m.
    pub d: Vec<Vec<f64>>,
}

/// `sum_j row_j x_j` in ascending order; zeros do not take part, whatever stands beside them.
fn product(row: &[f64], x: &[f64]) -> f64 {
    let terms = row.iter().zip(x).filter(|(a, _)| **a != 0.0);
    terms.map(|(a, x)| a * x).sum()
}

fn copy(to: &mut [f64], rows: &[Vec<f64>]) {
    for (to, from) in to.iter_mut().zip(rows.iter().flatten()) {
        *to = *from;
    }
}

impl Linear {
    /// Number of outputs.
    pub fn outputs(&self) -> usize {
        self.d.len()
    }

    /// Whether D has an entry.
    pub fn feedthrough(&self) -> bool {
        self.d.iter().flatten().any(|d| *d != 0.0)
    }

    /// The continuous law whose bilinear transform, `s = (2/T) (z - 1)/(z + 1)`, this discrete one is: stable where that
    /// is, with the same states and outputs where inputs do not change.
    ///
    /// ```text
    ///  P = (A + I)^-1      x' = (2/T) P ((A - I) x + B u)      y = C P (2 x - B u) + D u
    /// ```
    pub fn continuous(&self, period: f64) -> Result<Linear, String> {
        let n = self.a.len();
        let places: Vec<(u32, u32)> = (0..n as u32)
            .flat_map(|j| (0..n as u32).map(move |i| (i, j)))
            .collect();
        let values: Vec<f64> = places
            .iter()
            .map(|&(i, j)| self.a[i as usize][j as usize] + f64::from(u8::from(i == j)))
            .collect();
        let mut lu = DenseLu::new();
        lu.analyse(&Pattern::from_entries(n, &places), &[]);
        lu.factor(&values)
            .map_err(|_| "`a` has an eigenvalue of -1, which no continuous law has".to_string())?;
        let width = self.b.first().map_or(0, Vec::len);
        // columns of P, and of P B
        let mut solved = |columns: usize, entry: &dyn Fn(usize, usize) -> f64| {
            let mut rows = vec![vec![0.0; columns]; n];
            let mut column = vec![0.0; n];
            for j in 0..columns {
                (0..n).for_each(|i| column[i] = entry(i, j));
                lu.solve(&mut column);
                rows.iter_mut().zip(&column).for_each(|(r, x)| r[j] = *x);
            }
            rows
        };
        let p = solved(n, &|i, j| f64::from(u8::from(i == j)));
        let pb = solved(width, &|i, j| self.b[i][j]);
        let rate = 2.0 / period;
        let unit = |i: usize, j: usize| f64::from(u8::from(i == j));
        // (A + I)^-1 (A - I) = I - 2 P
        let of_p = |i: usize, j: usize| rate * (unit(i, j) - 2.0 * p[i][j]);
        let through = |c: &[f64], of: &[Vec<f64>], j: usize| -> f64 {
            c.iter().zip(of).map(|(c, row)| c * row[j]).sum()
        };
        let rows = |height: usize, width: usize, entry: &dyn Fn(usize, usize) -> f64| {
            let row = |i| (0..width).map(|j| entry(i, j)).collect();
            (0..height).map(row).collect::<Vec<Vec<f64>>>()
        };
        Ok(Linear {
            a: rows(n, n, &of_p),
            b: rows(n, width, &|i, j| rate * pb[i][j]),
            c: rows(self.c.len(), n, &|i, j| 2.0 * through(&self.c[i], &p, j)),
            d: rows(self.d.len(), width, &|i, j| {
                self.d[i][j] - through(&self.c[i], &pb, j)
            }),
        })
    }

    /// Refuses matrices whose sizes do not fit `n` states and `m` inputs.
    pub fn check(&self, n: usize, m: usize) -> Result<(), String> {
        let p = self.c.len();
        let sizes = [
            ("a", &self.a, n, n),
            ("b", &self.b, n, m),
            ("c", &self.c, p, n),
            ("d", &self.d, p, m),
        ];
        if p == 0 {
            return Err("there is no output: `c` has no rows".into());
        }
        for (name, rows, height, width) in sizes {
            if rows.len() != height || rows.iter().any(|row| row.len() != width) {
                return Err(format!(
                    "`{name}` must have {height} rows of {width} numbers ({n} states, {m} inputs, {p} outputs)"
                ));
            }
            if rows.iter().flatten().any(|x| !x.is_finite()) {
                return Err(format!("`{name}` must be finite"));
            }
        }
        Ok(())
    }

    /// `A x + B u`, one row.
    pub fn rate(&self, i: usize, x: &[f64], u: &[f64]) -> f64 {
        product(&self.a[i], x) + product(&self.b[i], u)
    }

    /// `C x + D u`, one row.
    pub fn value(&self, i: usize, x: &[f64], u: &[f64]) -> f64 {
        product(&self.c[i], x) + product(&self.d[i], u)
    }

    /// Fills the outputs and their derivatives.
    pub fn output(&self, u: &[f64], x: &[f64], out: &mut ControlTerms) {
        for i in 0..self.c.len() {
            out.y[i] = self.value(i, x, u);
        }
        copy(&mut out.y_x, &self.c);
        copy(&mut out.y_u, &self.d);
    }

    /// Fills the rates and their derivatives.
    pub fn rates(&self, u: &[f64], x: &[f64], out: &mut ControlTerms) {
        for i in 0..self.a.len() {
            out.f[i] = self.rate(i, x, u);
        }
        copy(&mut out.f_x, &self.a);
        copy(&mut out.f_u, &self.b);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A discrete law with two states against its continuous form: `G(z) = G_c((2/T) (z - 1)/(z + 1))` at real z.
    #[test]
    fn the_continuous_law_is_the_bilinear_transform() {
        let law = Linear {
            a: vec![vec![0.5, 0.2], vec![-0.3, 0.7]],
            b: vec![vec![1.0], vec![0.5]],
            c: vec![vec![2.0, -1.0]],
            d: vec![vec![0.1]],
        };
        let period = 0.02;
        let smooth = law.continuous(period).unwrap();
        // C (s - A)^-1 B + D
        let transfer = |law: &Linear, s: f64| {
            let [[a, b], [c, d]] =
                [0, 1].map(|i| [0, 1].map(|j| if i == j { s } else { 0.0 } - law.a[i][j]));
            let det = a * d - b * c;
            let [u, v] = [law.b[0][0], law.b[1][0]];
            let x = [(d * u - b * v) / det, (a * v - c * u) / det];
            law.value(0, &x, &[1.0])
        };
        for z in [1.0, 1.5, 3.0, -4.0] {
            let s = 2.0 / period * (z - 1.0) / (z + 1.0);
            let (held, free) = (transfer(&law, z), transfer(&smooth, s));
            assert!((held - free).abs() < 1e-12, "{z}: {held} {free}");
        }
        let mut odd = law;
        odd.a = vec![vec![-1.0, 0.0], vec![0.0, 0.5]];
        assert!(odd.continuous(period).is_err());
    }
}
