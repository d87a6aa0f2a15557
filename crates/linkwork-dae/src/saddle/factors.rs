//! Scales, values and factors of the acceleration-level matrix, and why there are none.

use super::{Saddle, SaddleError};
use crate::linear::FactorInfo;
use crate::system::Row;

/// Pivot ratio of the scaled matrix below which it counts as singular: some hundred roundings.
const SINGULAR: f64 = 1e-13;
/// Inertias below this share of the largest one (at the scale of the coordinate) do not set the
/// scale of their row any more; they may be zero as long as the constraints fix the coordinate.
const NEGLIGIBLE_INERTIA: f64 = 1e-8;

impl Saddle {
    pub(super) fn check_solution(&mut self) -> Result<(), SaddleError> {
        if self.rhs.iter().all(|x| x.is_finite()) {
            return Ok(());
        }
        let at = self.rhs.iter().position(|x| !x.is_finite()).unwrap_or(0);
        Err(SaddleError::Singular { row: self.row(at) })
    }

    pub(super) fn factor(&mut self) -> Result<(), SaddleError> {
        self.equilibrate();
        self.fill(0.0, 0.0);
        self.factor_values()
    }

    /// Small pivots in an order that was chosen elsewhere say little: others are looked for before the matrix is
    /// called singular.
    fn factor_values(&mut self) -> Result<(), SaddleError> {
        let sound = |info: &FactorInfo| info.pivot_ratio > SINGULAR;
        let found = match self.solver.factor(&self.values) {
            Ok(info) if !sound(&info) => self.solver.factor_by_size(&self.values),
            found => found,
        };
        match found {
            Ok(info) if sound(&info) => Ok(()),
            _ => Err(self.singular()),
        }
    }

    /// The same with the columns of multipliers that others follow.
    pub(super) fn factor_with_ties(&mut self) -> Result<(), SaddleError> {
        if self.tied_entry.is_empty() {
            return self.factor();
        }
        self.equilibrate();
        self.fill(0.0, 0.0);
        let d = &self.equilibration;
        for e in &self.tied_entry {
            self.values[e.slot] += d[e.column] * self.c_q[e.value] * e.ratio * d[e.row];
        }
        self.factor_values()
    }

    /// Scales from the diagonal of `M` and from the rows of `C_q` in that metric.
    pub(super) fn equilibrate(&mut self) {
        let nv = self.dims.nv;
        let (velocity, multiplier) = self.equilibration.split_at_mut(nv);
        velocity.fill(0.0);
        let mut largest = 0.0f64;
        for (&(i, j), m) in self.mass_at.iter().zip(&self.mass) {
            if i == j {
                velocity[i as usize] = m.abs();
                largest = largest.max(m.abs() * self.coordinate_scale[i as usize].powi(2));
            }
        }
        for (d, scale) in velocity.iter_mut().zip(&self.coordinate_scale) {
            let least = NEGLIGIBLE_INERTIA * largest / (scale * scale);
            let inertia = if *d > least { *d } else { least };
            *d = if inertia > 0.0 {
                1.0 / inertia.sqrt()
            } else {
                *scale
            };
        }
        if let Some(tableau) = &self.tableau {
            for (d, scale) in velocity.iter_mut().zip(&self.coordinate_scale) {
                *d = tableau.velocity_scale(*scale);
            }
        }
        multiplier.fill(0.0);
        for e in &self.c_q_entry {
            multiplier[e.row - nv] += (self.c_q[e.value] * velocity[e.column]).powi(2);
        }
        for d in multiplier {
            *d = if *d > 0.0 { 1.0 / d.sqrt() } else { 1.0 };
        }
    }

    /// Scaled values, with `shift` added to the velocity diagonal and `-shrink` in the zero block.
    pub(super) fn fill(&mut self, shift: f64, shrink: f64) {
        let d = &self.equilibration;
        self.values.fill(0.0);
        for ((&slot, &(i, j)), m) in self.mass_slot.iter().zip(&self.mass_at).zip(&self.mass) {
            self.values[slot] += d[i as usize] * m * d[j as usize];
        }
        match &self.tableau {
            Some(tableau) => tableau.add(&self.generators, d, &mut self.values),
            None => {
                for e in &self.c_q_entry {
                    let g = d[e.row] * self.c_q[e.value] * d[e.column];
                    self.values[e.lower] += g;
                    self.values[e.upper] += g;
                }
            }
        }
        let nv = self.dims.nv;
        for &slot in &self.diagonal_slot[..nv] {
            self.values[slot] += shift;
        }
        for &slot in &self.diagonal_slot[nv..] {
            self.values[slot] -= shrink;
        }
    }

    pub(super) fn solve(&mut self) {
        self.rhs[self.equilibration.len()..].fill(0.0);
        for (x, d) in self.rhs.iter_mut().zip(&self.equilibration) {
            *x *= d;
        }
        self.solver.solve(&mut self.rhs);
        for (x, d) in self.rhs.iter_mut().zip(&self.equilibration) {
            *x *= d;
        }
    }

    /// Names the cause of a singular matrix by one inverse iteration on the shifted matrix: the
    /// solution is dominated by the null vector, `(a, .)` for a direction without inertia and
    /// `(0, lambda)` with `C_q' lambda = 0` for dependent rows.
    pub(super) fn singular(&mut self) -> SaddleError {
        const SHIFT: f64 = 1e-9;
        let nv = self.dims.nv;
        self.fill(SHIFT, SHIFT);
        let at;
        if let Err(e) = self.solver.factor(&self.values) {
            at = e.column;
        } else {
            let n = self.equilibration.len();
            self.rhs[n..].fill(0.0);
            for (k, x) in self.rhs[..n].iter_mut().enumerate() {
                // Any vector with a share of every direction will do; this one has no symmetry.
                *x = 1.0 + 0.5 * (k as f64 * 0.618_033_988_749_895).fract();
            }
            self.solver.solve(&mut self.rhs);
            let largest = |x: &[f64]| {
                let mut best = (0, 0.0);
                for (k, x) in x.iter().enumerate() {
                    if x.abs() > best.1 {
                        best = (k, x.abs());
                    }
                }
                best
            };
            let a = largest(&self.rhs[..nv]);
            let l = largest(&self.rhs[nv..n]);
            let bad = self.rhs.iter().position(|x| !x.is_finite());
            at = match bad {
                Some(k) => k,
                // A massless direction shows in `a` with 1/SHIFT; dependent rows leave `a` regular.
                None if a.1 > SHIFT.sqrt() / SHIFT || a.1 >= l.1 => a.0,
                None => nv + l.0,
            };
        }
        SaddleError::Singular { row: self.row(at) }
    }

    pub(super) fn row(&self, unknown: usize) -> Row {
        if let (Some(tableau), true) = (&self.tableau, unknown >= self.equilibration.len()) {
            return Row::Velocity(tableau.owner(unknown));
        }
        match unknown.checked_sub(self.dims.nv) {
            None => Row::Velocity(unknown),
            Some(k) => Row::Constraint(self.rows.get(k).map_or(0, |&i| i as usize)),
        }
    }
}
