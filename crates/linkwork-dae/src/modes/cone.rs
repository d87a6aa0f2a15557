//! Friction of contacts in space: two rows while it sticks, a force against the slip while it slides.
//!
//! ```text
//!  mode      function that is positive in it              behind its zero
//!  sticks    (f_s N)^2 - |mu|^2                           gives way along mu
//!  gives     d.g, d the direction in which it began       sticks, or begins in another direction
//!            v - |g|^2/v                                  slides
//!  slides    |g_i| +- g_j/2, g_i the larger rate          sticks where g is nothing, or g_j has become the larger
//! ```
//!
//! All of them are smooth, or corners of theirs would have to be looked for as closely as zeros.
//!
//! At rest a slip has no direction, and close to that it turns at once to where it is pulled: explicit methods
//! would have to follow that with tiny steps. So the force keeps the direction of the multipliers with which
//! friction gave way, until the slip is clear of its tolerance.

use super::{Mode, Modes};
use crate::law::{Cone, Law};
use crate::saddle::{Saddle, SaddleError};
use crate::state::{State, Weights};
use crate::system::System;

/// The smaller rate counts this much against the larger one.
const LEAN: f64 = 0.5;
/// A slip is clear of its tolerance when it is this many times as large.
const CLEAR: f64 = 100.0;

/// How a contact gives way.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Heading {
    /// The direction of the slip.
    pub direction: [f64; 2],
    /// The slip that has a direction of its own.
    pub clear: f64,
}

impl Mode {
    /// Sliding along a slip.
    pub(super) fn along(slip: [f64; 2]) -> Mode {
        let second = slip[1].abs() > slip[0].abs();
        Mode::Skids {
            second,
            positive: slip[usize::from(second)] > 0.0,
        }
    }
}

fn size([x, y]: [f64; 2]) -> f64 {
    x.hypot(y)
}

impl Modes {
    /// The two entries of a cone in a list of all rows; of other laws one.
    pub(super) fn slip(&self, k: usize, of_rows: &[f64]) -> [f64; 2] {
        let first = of_rows[self.laws[k].row as usize];
        match self.laws[k].law {
            Law::Cone(cone) => [first, of_rows[cone.second as usize]],
            _ => [first, 0.0],
        }
    }

    /// The switching functions of a cone.
    pub(super) fn lasts(&self, k: usize, cone: Cone, lambda: &[f64]) -> [f64; 2] {
        let slip = self.slip(k, &self.cv);
        match self.mode[k] {
            Mode::Sticks => {
                let most = -cone.sticking * lambda[cone.by as usize];
                let [x, y] = self.slip(k, lambda);
                [most * most.abs() - (x * x + y * y), f64::INFINITY]
            }
            Mode::Gives => {
                let Heading { direction, clear } = self.heading[k];
                let [x, y] = slip;
                let along = direction[0] * x + direction[1] * y;
                [along, clear - (x * x + y * y) / clear]
            }
            Mode::Skids { second, positive } => {
                let [x, y] = slip;
                let (main, other) = if second { (y, x) } else { (x, y) };
                let main = if positive { main } else { -main };
                [main - LEAN * other, main + LEAN * other]
            }
            _ => [f64::INFINITY; 2],
        }
    }

    /// The second row of a cone sticks with the first.
    pub(super) fn lead(&mut self, k: usize) {
        let Law::Cone(cone) = self.laws[k].law else {
            return;
        };
        if let Some(second) = self.law(cone.second) {
            self.mode[second] = match self.mode[k] {
                Mode::Sticks => Mode::Sticks,
                _ => Mode::Off,
            };
        }
    }

    /// Changes the modes of cones whose functions have crossed.
    pub(super) fn turn_cones(
        &mut self,
        cones: &[usize],
        sys: &mut dyn System,
        s: &State,
        w: &Weights,
    ) -> Result<(), SaddleError> {
        if cones.is_empty() {
            return Ok(());
        }
        let Some(mut free) = self.free.take() else {
            return Ok(());
        };
        let taken = free.take_impulses(sys, s).map(<[f64]>::to_vec);
        for &k in cones {
            if let Ok(rates) = &taken {
                self.turn_cone(k, &free, rates, &s.lambda, w);
            }
        }
        self.free = Some(free);
        taken.map(|_| ())
    }

    fn turn_cone(&mut self, k: usize, free: &Saddle, rates: &[f64], lambda: &[f64], w: &Weights) {
        let (along, share) = (self.entries[k].iter(), w.share());
        let tolerance = |&(e, j): &(usize, usize)| free.c_q()[e].abs() / (share * w.v[j]);
        let least = along.map(tolerance).fold(0.0, f64::max);
        let slip = self.slip(k, rates);
        match self.mode[k] {
            Mode::Sticks => self.give_way(k, self.slip(k, lambda), least),
            _ if size(slip) <= least => self.turn(k, Mode::Sticks),
            // beyond half of what is clear it is on its way out
            Mode::Gives if size(slip) < 0.5 * self.heading[k].clear => {
                self.give_way(k, slip, least);
            }
            _ => self.turn(k, Mode::along(slip)),
        }
    }

    /// Slides with a slip, or where that is not clear of its tolerance in the direction of what it bears.
    pub(super) fn slide_off(
        &mut self,
        k: usize,
        bears: [f64; 2],
        slip: [f64; 2],
        free: &Saddle,
        w: &Weights,
    ) {
        let [_, least] = self.tolerances(k, free.c_q(), w);
        if size(slip) > CLEAR * least {
            self.turn(k, Mode::along(slip));
        } else {
            self.give_way(k, bears, least);
        }
    }

    /// Begins to slide in a direction.
    fn give_way(&mut self, k: usize, direction: [f64; 2], least: f64) {
        let length = size(direction);
        if length > 0.0 {
            self.heading[k] = Heading {
                direction: direction.map(|x| x / length),
                clear: CLEAR * least,
            };
            self.turn(k, Mode::Gives);
            self.changed = true;
        }
    }
}
