//! Forces that follow reactions: both are found together.

use super::{Saddle, SaddleError, place};
use crate::state::State;
use crate::system::{Row, System, Terms};

/// Wanted change of the multipliers, relative to the largest, when forces follow them; friction
/// contracts by about its coefficient per iteration.
const SETTLED: f64 = 1e-14;
const SETTLING_ITERATIONS: usize = 100;

impl Saddle {
    /// Evaluations of forces that follow reactions since they were asked for last.
    pub(crate) fn take_settled(&mut self) -> u64 {
        std::mem::take(&mut self.settled)
    }

    /// Where forces follow reactions: repeats the solve with the forces of the last reactions until
    /// both agree. The multipliers of the state are where it starts.
    pub(super) fn settle(
        &mut self,
        sys: &mut dyn System,
        s: &mut State,
    ) -> Result<(), SaddleError> {
        if !self.reactive {
            return Ok(());
        }
        let nv = self.dims.nv;
        let (mut worst, mut last) = (0, f64::INFINITY);
        for _ in 0..SETTLING_ITERATIONS {
            let mut want = Terms {
                force: Some(&mut self.force),
                ..Terms::default()
            };
            self.settled += 1;
            sys.eval(&place(s), &mut want)?;
            self.give_multipliers(s);
            self.load_dynamics();
            self.solve();
            let (mut change, mut size) = (0.0f64, 0.0f64);
            for (k, &i) in self.rows.iter().enumerate() {
                let new = self.rhs[nv + k];
                let moved = (new - s.lambda[i as usize]).abs();
                size = size.max(new.abs());
                if moved > change {
                    (change, worst) = (moved, i as usize);
                }
            }
            self.store_dynamics(s)?;
            // the second test: rounding, no further progress
            if change <= SETTLED * size || (change >= last && change <= 1e3 * SETTLED * size) {
                return Ok(());
            }
            last = change;
        }
        Err(SaddleError::Unsettled {
            row: Row::Constraint(worst),
        })
    }
}
