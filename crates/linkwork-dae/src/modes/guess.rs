//! Modes as positions and velocities have them: at the start of a run, and of friction after an impact.

use super::{Mode, Modes, Overlap, STILL, TOUCHING, holds};
use crate::initial::Start;
use crate::law::Law;
use crate::saddle::{Saddle, SaddleError};
use crate::state::State;
use crate::system::System;

/// Whether a start is beyond a stop, a rope or a contact.
pub fn overlap(sys: &mut dyn System, start: &Start) -> Option<Overlap> {
    let mut modes = Modes::new(sys);
    modes.bind(sys, &start.rows);
    modes.begin(sys, &start.state).ok()?.err()
}

impl Modes {
    /// Modes at the start of a run, as positions and velocities have them.
    pub fn begin(
        &mut self,
        sys: &mut dyn System,
        s: &State,
    ) -> Result<Result<(), Overlap>, SaddleError> {
        self.changes.clear();
        self.lost = 0.0;
        self.sunk.fill(0.0);
        self.quiet.fill(0.0);
        if self.is_empty() {
            return Ok(Ok(()));
        }
        self.outlook.begin();
        let holding: Vec<bool> = (0..self.laws.len()).map(|k| holds(sys, k)).collect();
        self.evaluate(sys, s, false)?;
        let Some(mut free) = self.free.take() else {
            return Ok(Ok(()));
        };
        let taken = free
            .take_impulses(sys, s)
            .map(|cv| self.cv.copy_from_slice(cv));
        let found = taken.and_then(|()| {
            for k in 0..self.laws.len() {
                let row = self.laws[k].row as usize;
                let [size, speed] = self.sizes(k, free.c_q(), &s.v);
                self.measure(k, free.c_q());
                if let Law::OneSided { .. } = self.laws[k].law {
                    if !holding[k] {
                        self.mode[k] = Mode::Off;
                        continue;
                    }
                    let gap = self.c[row];
                    if gap < -TOUCHING * size {
                        return Ok(Err(Overlap {
                            name: self.laws[k].name.clone(),
                            by: -gap,
                        }));
                    }
                    let rests = gap <= TOUCHING * size && self.cv[row].abs() <= STILL * speed;
                    self.mode[k] = if rests { Mode::Closed } else { Mode::Open };
                    let (mut y, u) = (vec![0.0; s.v.len()], self.cv[row]);
                    if rests && self.turns_by_itself(k, (&mut free, &mut y), u, speed)? {
                        self.mode[k] = Mode::Open;
                        self.sunk[k] = gap.min(0.0) - TOUCHING * size;
                    }
                }
            }
            self.rub(free.c_q(), &s.v);
            Ok(Ok(()))
        });
        self.free = Some(free);
        self.spare.fill(false);
        self.changed = true;
        found
    }

    /// Whether a gap at zero is at its least, whatever anything does: its row depends on those that last, as that of a rope along a
    /// stretched chain, and it changes no faster than where it turns within what is none. Nothing can press there.
    /// `y` is left as the answer to a unit impulse.
    pub(super) fn turns_by_itself(
        &self,
        k: usize,
        (free, y): (&mut Saddle, &mut [f64]),
        u: f64,
        speed: f64,
    ) -> Result<bool, SaddleError> {
        // C = k s^2/2 has the row k s
        let flat = (2.0 * TOUCHING).sqrt();
        let own = &self.entries[k];
        if u.abs() > flat * speed {
            return Ok(false);
        }
        if self.lasting.is_empty() {
            return Ok(own.iter().all(|&(e, _)| free.c_q()[e] == 0.0));
        }
        free.respond(own, y)?;
        let g: f64 = own.iter().map(|&(e, j)| free.c_q()[e] * y[j]).sum();
        Ok(g <= flat * flat * free.lone_response(own))
    }

    /// Takes the size of a row of `C_q`.
    pub(super) fn measure(&mut self, k: usize, c_q: &[f64]) {
        let square = |&(e, _): &(usize, usize)| c_q[e] * c_q[e];
        let slope = self.entries[k].iter().map(square).sum::<f64>().sqrt();
        let size = |&(e, j): &(usize, usize)| c_q[e].abs() * self.scale[j];
        let size = self.entries[k].iter().map(size).sum::<f64>();
        self.outlook.take_slope(k, slope, TOUCHING * size);
    }

    /// Modes of friction as the rates in `cv` have them.
    pub(super) fn rub(&mut self, c_q: &[f64], v: &[f64]) {
        for k in 0..self.laws.len() {
            let law = self.laws[k].law;
            if !matches!(law, Law::Dry(_) | Law::Cone(_)) {
                continue;
            }
            let [_, speed] = self.sizes(k, c_q, v);
            let pressed = law.pressed_by().is_none_or(|by| self.is_closed(by));
            let slip = self.slip(k, &self.cv);
            let mode = if !pressed {
                Mode::Off
            } else if slip[0].hypot(slip[1]) <= STILL * speed {
                Mode::Sticks
            } else if let Law::Cone(_) = law {
                Mode::along(slip)
            } else {
                Mode::Slides {
                    positive: slip[0] > 0.0,
                }
            };
            self.turn(k, mode);
        }
    }
}
