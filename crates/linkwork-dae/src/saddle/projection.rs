//! Velocities and positions moved onto the constraints, in the mass metric.

use super::{Saddle, SaddleError, given, place};
use crate::chart;
use crate::state::State;
use crate::system::{System, Terms};

/// Position projection: wanted `|C|` relative to the size of its row times the coordinates.
const POSITION_TOLERANCE: f64 = 1e-12;
const POSITION_ITERATIONS: usize = 20;
/// Contraction above which the position projection renews its matrix.
const SLOW: f64 = 0.03;

impl Saddle {
    /// Moves the velocity by the least kinetic energy so that `C_q v + C_t = 0` on the kept rows.
    pub fn project_velocity(
        &mut self,
        sys: &mut dyn System,
        s: &mut State,
    ) -> Result<(), SaddleError> {
        let mut want = Terms {
            mass: Some(&mut self.mass),
            generators: given(&mut self.generators),
            c_q: Some(&mut self.c_q),
            cv: Some(&mut self.constraint),
            ..Terms::default()
        };
        sys.eval(&place(s), &mut want)?;
        self.factor()?;
        self.load_constraint();
        self.solve();
        self.check_solution()?;
        for (v, d) in s.v.iter_mut().zip(&self.rhs) {
            *v += d;
        }
        Ok(())
    }

    /// Kinetic energy that the velocity projection has just taken, of constraints that do not move by themselves:
    /// with `M dv = -C_q' s` and `C_q dv = -r` it is `dv' M dv/2 = r' s/2`.
    pub(crate) fn taken(&self) -> f64 {
        let impulses = self.rhs[self.dims.nv..].iter().zip(&self.rows);
        0.5 * (impulses.map(|(s, &i)| s * self.constraint[i as usize])).sum::<f64>()
    }

    /// Moves the positions in the mass metric onto `C = 0` of the kept rows; returns the number of
    /// iterations. On failure the positions are those of the last iterate.
    pub fn project_position(
        &mut self,
        sys: &mut dyn System,
        s: &mut State,
    ) -> Result<usize, SaddleError> {
        self.close(sys, s, true)
    }

    /// The same; without `renew` the first step is made with the factors at hand.
    pub(super) fn close(
        &mut self,
        sys: &mut dyn System,
        s: &mut State,
        mut renew: bool,
    ) -> Result<usize, SaddleError> {
        let nc = self.dims.nc;
        // non-holonomic rows have no position equation; the correction does not move along them
        self.constraint[nc..].fill(0.0);
        let mut last = f64::INFINITY;
        for iteration in 0..POSITION_ITERATIONS {
            let mut want = Terms {
                c: Some(&mut self.constraint[..nc]),
                ..Terms::default()
            };
            if renew {
                want.mass = Some(&mut self.mass);
                want.generators = given(&mut self.generators);
                want.c_q = Some(&mut self.c_q);
            }
            sys.eval(&place(s), &mut want)?;
            let (residual, worst) = self.open(&s.q);
            if residual <= POSITION_TOLERANCE {
                return Ok(iteration);
            }
            // Rounding: no further progress, but everything is closed to working accuracy.
            if residual >= 0.5 * last && residual <= 100.0 * POSITION_TOLERANCE {
                return Ok(iteration);
            }
            if !residual.is_finite() {
                return Err(self.not_projected(residual, worst));
            }
            if renew {
                self.factor()?;
            }
            renew = residual > SLOW * last;
            last = residual;
            self.load_constraint();
            self.solve();
            self.check_solution()?;
            chart::advance(sys, &mut s.q, &self.rhs[..self.dims.nv]);
        }
        let mut want = Terms {
            c: Some(&mut self.constraint[..nc]),
            ..Terms::default()
        };
        sys.eval(&place(s), &mut want)?;
        let (residual, worst) = self.open(&s.q);
        if residual <= POSITION_TOLERANCE {
            return Ok(POSITION_ITERATIONS);
        }
        Err(self.not_projected(residual, worst))
    }

    /// Largest `|C_i|` over the size of its terms, and its kept row.
    fn open(&mut self, q: &[f64]) -> (f64, usize) {
        let nv = self.dims.nv;
        let size = &mut self.rhs[nv..self.equilibration.len()];
        size.fill(0.0);
        for e in &self.c_q_entry {
            size[e.row - nv] +=
                self.c_q[e.value].abs() * self.coordinate_scale[e.column].max(q[e.column].abs());
        }
        let mut worst = (0.0, 0);
        for (k, (&i, size)) in self.rows.iter().zip(size.iter()).enumerate() {
            let c = self.constraint[i as usize].abs();
            let relative = if *size > 0.0 { c / size } else { c };
            if relative > worst.0 || relative.is_nan() {
                worst = (relative, k);
            }
        }
        worst
    }

    fn not_projected(&self, residual: f64, worst: usize) -> SaddleError {
        SaddleError::NotProjected {
            row: self.row(self.dims.nv + worst),
            residual,
        }
    }
}
