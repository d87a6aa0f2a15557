//! What events and drives do to the motion from outside: rows let go and taken hold of, rates thrown back, velocities that jump.

use super::{Mode, Modes, holds};
use crate::law::Law;
use crate::saddle::{Saddle, SaddleError};
use crate::state::{State, Weights};
use crate::system::System;

impl Modes {
    /// Lets go of rows that the system does not hold any more, and takes hold of others. Contacts are not looked
    /// for while they are let go.
    pub fn release(&mut self, sys: &mut dyn System) {
        let (mut held, mut any) = (false, false);
        for k in 0..self.laws.len() {
            let holds = holds(sys, k);
            let mode = match (self.laws[k].law, self.mode[k]) {
                (Law::Held { .. }, _) if holds => Mode::Closed,
                (Law::Held { .. } | Law::OneSided { .. }, _) if !holds => Mode::Off,
                (Law::OneSided { .. }, Mode::Off) => Mode::Open,
                (_, mode) => mode,
            };
            if self.mode[k] != mode {
                self.mode[k] = mode;
                any = true;
                let of_lock = self.laws[k].law.is_held();
                held |= of_lock;
                self.locked |= of_lock && mode == Mode::Closed;
            }
        }
        if any {
            self.changed = true;
            self.outlook.forget();
            self.unpress();
        }
        if held {
            self.lay_out(sys);
        }
    }

    /// Reverses the rates of rows that an event has asked for, by an impulse along each. Tells whether any was.
    pub fn reverse(&mut self, sys: &mut dyn System, s: &mut State) -> Result<bool, SaddleError> {
        let wanted = sys.capacities().and_then(|c| c.reversal());
        let Some(wanted) = wanted else {
            return Ok(false);
        };
        let Some(mut free) = self.free.take() else {
            return Ok(false);
        };
        let done = self.reverse_with(&mut free, wanted, sys, s);
        self.free = Some(free);
        done.map(|()| true)
    }

    fn reverse_with(
        &mut self,
        free: &mut Saddle,
        (k, restitution): (usize, f64),
        sys: &mut dyn System,
        s: &mut State,
    ) -> Result<(), SaddleError> {
        // its row may be at rest
        self.outlook.wake_all(sys);
        let rate = free.take_impulses(sys, s)?[self.laws[k].row as usize];
        let mut y = vec![0.0; s.v.len()];
        free.respond(&self.entries[k], &mut y)?;
        let c_q = free.c_q();
        let along = self.entries[k].iter();
        let g: f64 = along.map(|&(e, column)| c_q[e] * y[column]).sum();
        if g > 0.0 {
            let impulse = -(1.0 + restitution) * rate / g;
            self.lost += 0.5 * (1.0 - restitution * restitution) * rate * rate / g;
            s.v.iter_mut().zip(&y).for_each(|(v, y)| *v += impulse * y);
        }
        Ok(())
    }

    /// Equations that always hold ask for other velocities than those at hand, which are moved there by impulses. Contacts that
    /// touch answer as they do where others hit: they push, and do not pull. Friction bears no impulse but that of its contact.
    pub fn kick(
        &mut self,
        sys: &mut dyn System,
        s: &mut State,
        w: &Weights,
    ) -> Result<(), SaddleError> {
        if self.laws.iter().all(|law| law.law.is_held()) {
            return Ok(());
        }
        self.outlook.wake_all(sys);
        if let Some(free) = &mut self.free {
            free.project_velocity(sys, s)?;
            let taken = free.taken();
            self.book(taken);
        }
        self.strike(&[], sys, s, w)?;
        self.changed = true;
        Ok(())
    }

    /// Whether a joint has been locked at this event.
    pub fn locks(&self) -> bool {
        self.locked
    }

    /// Velocities have been moved onto the rows in force, which took kinetic energy: an impact, if a joint was locked.
    pub fn book(&mut self, taken: f64) {
        if std::mem::take(&mut self.locked) {
            self.lost += taken;
        }
    }
}
