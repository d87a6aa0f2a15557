//! Which of the contacts that touch press: all at once, on the level of accelerations.
//!
//! ```text
//!  0 <= N  complementary to  W a + G N - gamma >= 0        a: accelerations without these contacts
//! ```
//!
//! Where one of many contacts would pull, others may have to let go with it, and which do cannot be told one by
//! one. Rows that depend on others bear nothing in the solution and open, at rest.

use super::complement::complement;
use super::{Mode, Modes};
use crate::law::Law;
use crate::saddle::{Saddle, SaddleError};
use crate::state::State;
use crate::system::System;

/// Forces below this share of the largest are none.
const NOTHING: f64 = 1e-9;

impl Modes {
    /// Opens all closed contacts that do not press. `false`: friction is in play, and this does not tell.
    pub(super) fn press(&mut self, sys: &mut dyn System, s: &State) -> Result<bool, SaddleError> {
        let idle = |m: &Mode| matches!(m, Mode::Open | Mode::Closed | Mode::Off);
        if !self.mode.iter().all(idle) {
            return Ok(false);
        }
        let Some(mut free) = self.free.take() else {
            return Ok(false);
        };
        let found = self.pressing(&mut free, sys, s);
        self.free = Some(free);
        let found = found?;
        let largest = found.iter().fold(0.0f64, |m, (_, n)| m.max(*n));
        let mut opened = false;
        for (k, force) in found {
            if !(force > NOTHING * largest) {
                self.turn(k, Mode::Open);
                opened = true;
            }
        }
        Ok(opened)
    }

    /// The closed contacts and the forces with which they press.
    fn pressing(
        &self,
        free: &mut Saddle,
        sys: &mut dyn System,
        s: &State,
    ) -> Result<Vec<(usize, f64)>, SaddleError> {
        let one_sided = |k: &usize| matches!(self.laws[*k].law, Law::OneSided { .. });
        let closed = |k: &usize| self.mode[*k] == Mode::Closed;
        let of: Vec<usize> = (0..self.laws.len())
            .filter(one_sided)
            .filter(closed)
            .collect();
        let nv = s.v.len();
        let mut a = vec![0.0; nv];
        let gamma = free.take_accelerations(sys, s, &mut a)?.to_vec();
        let along = |k: usize, y: &[f64], c_q: &[f64]| -> f64 {
            let own = self.entries[k].iter();
            own.map(|&(e, column)| c_q[e] * y[column]).sum()
        };
        let opening: Vec<f64> = (of.iter())
            .map(|&k| along(k, &a, free.c_q()) - gamma[self.laws[k].row as usize])
            .collect();
        let mut y = vec![0.0; nv * of.len()];
        for (k, y) in of.iter().zip(y.chunks_exact_mut(nv)) {
            free.respond(&self.entries[*k], y)?;
        }
        let c_q = free.c_q();
        let forces = complement(&opening, |i, j| along(of[i], &y[nv * j..nv * (j + 1)], c_q));
        Ok(of.into_iter().zip(forces).collect())
    }
}
