//! The smallest weighted change that meets linearised constraints, dependent rows allowed.
//!
//! With `A = D C_q S`, `S` the coordinate scales over the root of the weights, `D` the reciprocal
//! row norms of `C_q` times the coordinate scales, and a residual `b = D c`:
//!
//! ```text
//!  min |p|^2 + |A p + b|^2 / mu      [ I   A'    ] [ p ]   [  0 ]
//!                                    [ A  -mu I  ] [ y ] = [ -b ]      d = S p,  A p + b = mu y
//! ```
//!
//! The matrix is regular whatever the rank of `A`; as `mu` goes to zero, `p` goes to the
//! minimum-norm least-squares solution (Björck 1996, section 2.7). The augmented form does not
//! square the condition number as the normal equations would.

use super::assemble::CLOSED;
use super::rank::{SparseRows, ZERO_ROW};
use crate::linear::{LinearSolver, Pattern};
use crate::system::{Dims, Part, System};

/// Smallest `mu`: directions with singular values below its root are given up.
pub(super) const LEAST_MU: f64 = 1e-14;

pub(super) struct LeastChange {
    dims: Dims,
    /// Rows in use.
    rows: Vec<usize>,
    entries: Vec<Entry>,
    values: Vec<f64>,
    unit_slot: Vec<usize>,
    shrink_slot: Vec<usize>,
    solver: Box<dyn LinearSolver>,
    /// Coordinate scales, and the same over the root of the weights.
    scale: Vec<f64>,
    step_scale: Vec<f64>,
    /// Row scales `D`, one per row in use.
    row_scale: Vec<f64>,
    rhs: Vec<f64>,
    mu: f64,
}

#[derive(Clone, Copy)]
struct Entry {
    value: usize,
    row: usize,
    column: usize,
    lower: usize,
    upper: usize,
}

impl LeastChange {
    /// Lays out the system for some rows and weights (1: free to move, 1e6: nearly fixed).
    pub fn new(sys: &dyn System, rows: &[usize], weight: &[f64]) -> LeastChange {
        let dims = sys.dims();
        let n = dims.nv + rows.len();
        let mut place = vec![None; dims.rows()];
        for (k, &i) in rows.iter().enumerate() {
            place[i] = Some(k);
        }
        let kept: Vec<(usize, usize, usize)> = sys.patterns()[Part::Cq]
            .iter()
            .enumerate()
            .filter_map(|(k, &(i, j))| Some((k, place[i as usize]?, j as usize)))
            .collect();
        let mut at: Vec<(u32, u32)> = (0..n as u32).map(|i| (i, i)).collect();
        for &(_, i, j) in &kept {
            let i = (dims.nv + i) as u32;
            at.push((i, j as u32));
            at.push((j as u32, i));
        }
        let pattern = Pattern::from_entries(n, &at);
        let slot = |i: usize, j: usize| pattern.slot(i as u32, j as u32).unwrap_or(0);
        let mut solver = super::solver_for(n);
        solver.analyse(&pattern, &[]);
        let mut scale = sys.facts().scale.clone();
        for s in &mut scale {
            if !(*s > 0.0 && s.is_finite()) {
                *s = 1.0;
            }
        }
        LeastChange {
            entries: kept
                .iter()
                .map(|&(value, row, column)| Entry {
                    value,
                    row,
                    column,
                    lower: slot(dims.nv + row, column),
                    upper: slot(column, dims.nv + row),
                })
                .collect(),
            values: vec![0.0; pattern.nnz()],
            unit_slot: (0..dims.nv).map(|i| slot(i, i)).collect(),
            shrink_slot: (dims.nv..n).map(|i| slot(i, i)).collect(),
            step_scale: scale
                .iter()
                .zip(weight)
                .map(|(s, w)| s / w.sqrt())
                .collect(),
            scale,
            row_scale: vec![1.0; rows.len()],
            rhs: vec![0.0; n],
            rows: rows.to_vec(),
            mu: LEAST_MU,
            solver,
            dims,
        }
    }

    /// Renews the row scales from `C_q` (values in pattern order).
    pub fn rescale(&mut self, c_q: &[f64]) {
        self.row_scale.fill(0.0);
        for e in &self.entries {
            self.row_scale[e.row] += (c_q[e.value] * self.scale[e.column]).powi(2);
        }
        let largest = self.row_scale.iter().copied().fold(0.0, f64::max).sqrt();
        let least = if largest > 0.0 {
            ZERO_ROW * largest
        } else {
            1.0
        };
        for d in &mut self.row_scale {
            let norm = d.sqrt();
            // A row of zeros keeps the residual it has; it is measured by the largest row.
            *d = if norm > least {
                1.0 / norm
            } else {
                1.0 / largest.max(least)
            };
        }
    }

    /// `C_q` times the coordinate scales, for the rank analysis of the rows in use.
    pub fn scaled_rows(&self, c_q: &[f64]) -> SparseRows {
        let mut rows = vec![Vec::new(); self.rows.len()];
        for e in &self.entries {
            rows[e.row].push((e.column as u32, c_q[e.value] * self.scale[e.column]));
        }
        for r in &mut rows {
            r.sort_unstable_by_key(|e| e.0);
        }
        SparseRows {
            columns: self.dims.nv,
            rows,
        }
    }

    /// Scaled residual of one row in use.
    pub fn scaled(&self, k: usize, residual: &[f64]) -> f64 {
        self.row_scale[k] * residual[self.rows[k]]
    }

    /// Sum of squares of the scaled residual over the rows in use.
    pub fn squares(&self, residual: &[f64]) -> f64 {
        (0..self.rows.len())
            .map(|k| self.scaled(k, residual).powi(2))
            .sum()
    }

    /// Largest residual relative to the size of its terms `sum |C_q| max(scale, |x|)`; a scale-free
    /// measure that knows what rounding allows. Near a change point the slopes of a row vanish, its terms do
    /// not: what is rounding beside the other rows is closed there too.
    pub fn relative(&self, c_q: &[f64], residual: &[f64], x: &[f64]) -> f64 {
        let mut size = vec![0.0; self.rows.len()];
        for e in &self.entries {
            size[e.row] += c_q[e.value].abs() * self.scale[e.column].max(x[e.column].abs());
        }
        let rounding = 4.0 * f64::EPSILON * size.iter().copied().fold(0.0, f64::max);
        let mut worst = 0.0f64;
        for (k, size) in size.iter().enumerate() {
            let r = residual[self.rows[k]].abs();
            let size = size.max(1.0 / self.row_scale[k] * ZERO_ROW);
            let relative = if r == 0.0 { 0.0 } else { r / size };
            let most = if r <= rounding { CLOSED } else { f64::INFINITY };
            worst = worst.max(relative.min(most));
        }
        worst
    }

    /// Factors the matrix for `C_q` and `mu`. Fails only when `C_q` is not finite.
    pub fn factor(&mut self, c_q: &[f64], mu: f64) -> bool {
        self.mu = mu.max(LEAST_MU);
        self.values.fill(0.0);
        for e in &self.entries {
            let a = self.row_scale[e.row] * c_q[e.value] * self.step_scale[e.column];
            self.values[e.lower] += a;
            self.values[e.upper] += a;
        }
        for &s in &self.unit_slot {
            self.values[s] += 1.0;
        }
        for &s in &self.shrink_slot {
            self.values[s] -= self.mu;
        }
        self.solver.factor(&self.values).is_ok()
    }

    /// The change `d` for a residual (by row); returns the predicted sum of squares.
    pub fn step(&mut self, residual: &[f64], d: &mut [f64]) -> f64 {
        let nv = self.dims.nv;
        self.rhs[..nv].fill(0.0);
        for k in 0..self.rows.len() {
            self.rhs[nv + k] = -self.scaled(k, residual);
        }
        self.solver.solve(&mut self.rhs);
        for (d, (p, s)) in d.iter_mut().zip(self.rhs.iter().zip(&self.step_scale)) {
            *d = p * s;
        }
        self.rhs[nv..].iter().map(|y| (self.mu * y).powi(2)).sum()
    }

    /// Typical size of each coordinate.
    pub fn scale(&self) -> &[f64] {
        &self.scale
    }
}
