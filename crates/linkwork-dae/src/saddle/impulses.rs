//! What impulses along constraint rows do to velocities.

use super::{Saddle, SaddleError, given, place};
use crate::state::State;
use crate::system::{System, Terms};

impl Saddle {
    /// Factors at a state for [`Saddle::respond`]; returns the rates of all rows.
    pub(crate) fn take_impulses(
        &mut self,
        sys: &mut dyn System,
        s: &State,
    ) -> Result<&[f64], SaddleError> {
        let mut want = Terms {
            mass: Some(&mut self.mass),
            generators: given(&mut self.generators),
            c_q: Some(&mut self.c_q),
            cv: Some(&mut self.constraint),
            ..Terms::default()
        };
        sys.eval(&place(s), &mut want)?;
        self.factor()?;
        Ok(&self.constraint)
    }

    /// The same, with the accelerations that the kept rows alone leave; returns `gamma` of all rows.
    pub(crate) fn take_accelerations(
        &mut self,
        sys: &mut dyn System,
        s: &State,
        a: &mut [f64],
    ) -> Result<&[f64], SaddleError> {
        self.evaluate_dynamics(sys, s)?;
        self.factor()?;
        self.load_dynamics();
        self.solve();
        self.check_solution()?;
        a.copy_from_slice(&self.rhs[..self.dims.nv]);
        Ok(&self.constraint)
    }

    /// What a unit impulse along `entries` of `C_q` would change of its own rate at least, if no row were kept.
    pub(crate) fn lone_response(&self, entries: &[(usize, usize)]) -> f64 {
        let inertia = |j: usize| {
            let own = (self.mass_at.iter().zip(&self.mass))
                .find(|((row, column), _)| [*row as usize, *column as usize] == [j, j]);
            own.map(|(_, m)| *m).filter(|m| *m > 0.0)
        };
        let each = entries.iter().filter_map(|&(value, column)| {
            let c = self.c_q[value];
            inertia(column).map(|m| c * c / m)
        });
        each.fold(0.0, f64::max)
    }

    /// The change of velocity by a unit impulse along `entries` of `C_q`, (index, column), that keeps the
    /// kept rows: `[M C_q'; C_q 0] (y, .) = (W', 0)`.
    pub(crate) fn respond(
        &mut self,
        entries: &[(usize, usize)],
        y: &mut [f64],
    ) -> Result<(), SaddleError> {
        self.rhs.fill(0.0);
        for &(value, column) in entries {
            self.rhs[column] += self.c_q[value];
        }
        self.solve();
        self.check_solution()?;
        y.copy_from_slice(&self.rhs[..self.dims.nv]);
        Ok(())
    }

    /// Values of `C_q`, of the last evaluation.
    pub(crate) fn c_q(&self) -> &[f64] {
        &self.c_q
    }
}
