//! Whether dependent positions are on the branch that the motion is on.
//!
//! Newton's method may find another assembly of the mechanism, with all constraints closed. If `u`
//! and `u*` both satisfy `C = 0`, the mean of `C_u` between them is singular, because
//! `0 = C(u*) - C(u) = mean(C_u) (u* - u)`. So with `C_u0` of the beginning of the step, where the
//! branch is known, somewhere on the way to another branch `|I - C_u0^-1 C_u| >= 1`; for
//! constraints that are quadratic in `u` it is about 2 at its far end. So points are refused
//!
//! - where `|I - C_u0^-1 C_u|` exceeds 3/4, which it does where `det C_u` has another sign;
//! - where Newton's method has moved the prediction by more than a share of the way from the
//!   beginning of the step: the motion may have passed a pose where `C_u` is singular and `w`
//!   turns back, with a second `u` for the same `w` on this side of it. If that pose is `a` ahead
//!   and the motion ends `b` behind it, the false point is off by `2 b` after a way of `|a - b|`;
//!   `b < a/4` is what the first test refuses.

use super::Reduced;
use super::anchor::largest;
use crate::corrector::Retry;
use crate::state::State;
use crate::system::Row;

/// Largest `|I - C_u0^-1 C_u|` over a step.
const SAME_BRANCH: f64 = 0.75;
/// Largest correction of a prediction as a share of the way from the beginning of the step, and
/// what is granted beside that, in typical sizes: motions that the clock sets going are not
/// predicted from rest. No pose with a second solution is as near as that, because partitions are
/// exchanged well before one, unless links are a hundred times shorter than the mechanism.
const PREDICTED: f64 = 0.4;
const GRANTED: f64 = 1e-3;

impl Reduced {
    /// Refuses positions that are further from their prediction than a regular step takes them.
    pub(super) fn check_prediction(&self, s: &State) -> Result<(), Retry> {
        let scale = self.partition.scale();
        let (mut way, mut off, mut worst) = (0.0f64, 0.0, 0);
        for (i, q) in s.q.iter().enumerate() {
            way = way.max(((q - self.anchor_q[i]) / scale[i]).abs());
            let by = ((q - self.predicted[i]) / scale[i]).abs();
            if by > off {
                (off, worst) = (by, i);
            }
        }
        if off <= PREDICTED * way + GRANTED {
            return Ok(());
        }
        Err(Retry::Branch {
            departure: off / way,
            worst: Row::Position(worst),
        })
    }

    /// Refuses a constraint matrix that has departed too far from that of the beginning of the
    /// step.
    pub(super) fn check_branch(&mut self) -> Result<(), Retry> {
        let mut departure = self.bound_departure();
        if !(departure <= SAME_BRANCH) {
            self.fill_by_coordinates();
            departure = self.anchor.departure(&self.partition);
            if self.moved {
                // the factors at hand belong to other values
                self.factor()?;
            } else {
                self.anchor.restore(&mut self.partition);
            }
        }
        // NaN must not pass
        if departure <= SAME_BRANCH {
            return Ok(());
        }
        let worst = self.partition.dependent.first().copied().unwrap_or(0);
        Err(Retry::Branch {
            departure,
            worst: Row::Position(worst),
        })
    }

    /// A bound of `|I - C_u0^-1 C_u|` that costs next to nothing, see [`anchor`](super::anchor).
    fn bound_departure(&mut self) -> f64 {
        self.tally.fill(0.0);
        let values = self.by_coordinates.iter().zip(&self.anchor_values);
        for (&(row, column), (b, a)) in self.curved.places.iter().zip(values) {
            self.tally[column] += self.anchor.spread(row) * (b - a).abs();
        }
        for (sum, (scale, place)) in
            (self.tally.iter_mut()).zip(self.partition.scale().iter().zip(&self.place))
        {
            *sum *= if *place == u32::MAX { 0.0 } else { *scale };
        }
        largest(&self.tally)
    }
}
