//! Directions that the constraints allow at a pose, and the least motion that meets a demand.
//!
//! With `S` the typical sizes of the coordinates and the kept rows of `C_q`, holonomic ones first,
//!
//! ```text
//!  (C_q S)' = Q [ R ]       Q = ( Q_h  Q_n  Q_f )      holonomic, non-holonomic, free
//!               [ 0 ]
//!  C_q d = 0 for holonomic rows       d = S (Q_n Q_f) z
//!  C_q d = 0 for all rows             d = S Q_f w
//!  C_q d = b with the least |S^-1 d|  d = S (Q_h Q_n) R^-T b
//! ```

use crate::dense::{Matrix, Qr};
use crate::system::{Row, Rows, System};

/// Diagonal entries of `R` below this share of the largest make the rows dependent.
const DEPENDENT: f64 = 1e-11;

/// The tangent space of the constraints at a pose.
#[derive(Clone, Debug)]
pub struct Tangent {
    scale: Vec<f64>,
    q: Matrix,
    r: Matrix,
    holonomic: usize,
    kept: usize,
}

/// Typical size of each tangent coordinate.
pub(crate) fn sizes(sys: &dyn System) -> Vec<f64> {
    let mut scale = sys.facts().scale.clone();
    for s in &mut scale {
        if !(*s > 0.0 && s.is_finite()) {
            *s = 1.0;
        }
    }
    scale
}

impl Tangent {
    /// Splits the tangent by the kept rows of `c_q` (all rows given). `Err` names a kept row that
    /// depends on the others.
    pub fn new(sys: &dyn System, c_q: &Matrix, rows: &Rows) -> Result<Tangent, Row> {
        let dims = sys.dims();
        let scale = sizes(sys);
        let kept: Vec<usize> = rows.c.iter().map(|&i| i as usize).collect();
        let columns = Matrix::new(dims.nv, kept.len(), |j, k| c_q[(kept[k], j)] * scale[j]);
        let norms: Vec<f64> = (0..kept.len())
            .map(|k| columns.column(k).iter().map(|x| x * x).sum::<f64>().sqrt())
            .collect();
        let Qr { q, r } = Qr::new(&columns, false);
        for (k, norm) in norms.iter().enumerate() {
            if k >= dims.nv || !(r[(k, k)].abs() > DEPENDENT * norm) {
                return Err(Row::Constraint(kept[k]));
            }
        }
        Ok(Tangent {
            scale,
            q,
            r,
            holonomic: kept.partition_point(|&i| i < dims.nc),
            kept: kept.len(),
        })
    }

    /// Typical sizes of the coordinates.
    pub fn scale(&self) -> &[f64] {
        &self.scale
    }

    /// Number of independent displacements.
    pub fn displacements(&self) -> usize {
        self.scale.len() - self.holonomic
    }

    /// Number of independent velocities; smaller by the non-holonomic rows.
    pub fn velocities(&self) -> usize {
        self.scale.len() - self.kept
    }

    /// One independent displacement.
    pub fn displacement(&self, k: usize) -> Vec<f64> {
        self.direction(self.holonomic + k)
    }

    /// One independent velocity.
    pub fn velocity(&self, k: usize) -> Vec<f64> {
        self.direction(self.kept + k)
    }

    fn direction(&self, column: usize) -> Vec<f64> {
        (self.scale.iter().enumerate())
            .map(|(i, s)| s * self.q[(i, column)])
            .collect()
    }

    /// The independent velocities as columns.
    pub fn velocity_basis(&self) -> Matrix {
        Matrix::new(self.scale.len(), self.velocities(), |i, j| {
            self.scale[i] * self.q[(i, self.kept + j)]
        })
    }

    /// Share of a velocity in each independent displacement.
    pub fn coordinates(&self, v: &[f64]) -> Vec<f64> {
        (self.holonomic..self.scale.len())
            .map(|k| {
                (v.iter().zip(&self.scale).enumerate())
                    .map(|(i, (v, s))| self.q[(i, k)] * v / s)
                    .sum()
            })
            .collect()
    }

    /// The smallest `d` with `C_q d = b`, one entry of `b` per kept row.
    pub fn least(&self, b: &[f64]) -> Vec<f64> {
        let mut y = vec![0.0; self.kept];
        for k in 0..self.kept {
            let mut sum = b[k];
            for (i, y) in y[..k].iter().enumerate() {
                sum -= self.r[(i, k)] * y;
            }
            y[k] = sum / self.r[(k, k)];
        }
        (self.scale.iter().enumerate())
            .map(|(i, s)| {
                s * y
                    .iter()
                    .enumerate()
                    .map(|(k, y)| self.q[(i, k)] * y)
                    .sum::<f64>()
            })
            .collect()
    }

    /// Coordinates that describe the free motion best: each is the one that moves most while those
    /// before it stand still.
    pub fn free_coordinates(&self) -> Vec<Row> {
        let n = self.scale.len();
        let mut rows = Matrix::new(n, self.displacements(), |i, j| {
            self.q[(i, self.holonomic + j)]
        });
        let mut chosen = Vec::new();
        for _ in 0..rows.columns() {
            let size = |i: usize| rows.row(i).iter().map(|x| x * x).sum::<f64>();
            let mut best = (0, 0.0);
            for i in 0..n {
                // equal sizes differ by rounding; the first should win then
                if size(i) > best.1 * (1.0 + 1e-9) {
                    best = (i, size(i));
                }
            }
            let (i, norm) = best;
            if norm == 0.0 {
                break;
            }
            chosen.push(Row::Position(i));
            let pivot = rows.row(i).to_vec();
            for k in 0..n {
                let share: f64 = rows
                    .row(k)
                    .iter()
                    .zip(&pivot)
                    .map(|(a, b)| a * b)
                    .sum::<f64>()
                    / norm;
                for (j, p) in pivot.iter().enumerate() {
                    rows[(k, j)] -= share * p;
                }
            }
        }
        chosen
    }
}
