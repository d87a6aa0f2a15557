//! Accelerations and multipliers where kept rows are dependent but consistent.

use super::{Saddle, SaddleError};
use crate::state::State;
use crate::system::{Row, System};

impl Saddle {
    /// Accelerations and the multipliers of least scaled norm where kept rows are dependent but
    /// consistent. Returns the largest violation of `C_q a = gamma`, relative to the size of its
    /// terms, with its row.
    ///
    /// Method of multipliers (Hestenes 1969): each solve with `-eps` in the zero block takes the
    /// last `lambda` as its centre, so `lambda` never leaves the range of `C_q` and the constraint
    /// error falls by `eps` over the smallest nonzero squared singular value per solve.
    pub(crate) fn accelerate_minimum_norm(
        &mut self,
        sys: &mut dyn System,
        s: &mut State,
    ) -> Result<(f64, Row), SaddleError> {
        const EPSILON: f64 = 1e-8;
        const SOLVES: usize = 4;
        self.evaluate_dynamics(sys, s)?;
        self.equilibrate();
        self.fill(0.0, EPSILON);
        if self.solver.factor(&self.values).is_err() {
            return Err(self.singular());
        }
        let nv = self.dims.nv;
        let mut centre = vec![0.0; self.rows.len()];
        for _ in 0..SOLVES {
            self.load_dynamics();
            for (k, c) in centre.iter().enumerate() {
                self.rhs[nv + k] -= EPSILON * c / self.equilibration[nv + k].powi(2);
            }
            self.solve();
            for (k, c) in centre.iter_mut().enumerate() {
                *c = self.rhs[nv + k];
            }
        }
        self.store_dynamics(s)?;
        let mut size = vec![0.0; self.rows.len()];
        let mut violation = vec![0.0; self.rows.len()];
        for (k, &i) in self.rows.iter().enumerate() {
            violation[k] = -self.constraint[i as usize];
            size[k] = self.constraint[i as usize].abs();
        }
        for e in &self.c_q_entry {
            let term = self.c_q[e.value] * s.a[e.column];
            violation[e.row - nv] += term;
            // What the forces would do without constraints: the scale at rest.
            let unconstrained = self.force[e.column] * self.equilibration[e.column].powi(2);
            size[e.row - nv] += term.abs() + (self.c_q[e.value] * unconstrained).abs();
        }
        let mut worst = (0.0, Row::Constraint(0));
        for (k, &i) in self.rows.iter().enumerate() {
            let relative = violation[k].abs() / size[k].max(f64::MIN_POSITIVE);
            if relative > worst.0 || relative.is_nan() {
                worst = (relative, Row::Constraint(i as usize));
            }
        }
        Ok(worst)
    }
}
