//! Matrices of a linear law, shared by the kinds that are one.

use super::ControlTerms;

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
