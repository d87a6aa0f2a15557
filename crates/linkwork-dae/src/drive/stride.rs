//! Contacts and friction whose modes change again and again at one time: they are taken over a short stride as a whole.
//!
//! The first is as long as accelerations need to change a rate by its tolerance. As long as they chatter on each is twice as long as the
//! one before, up to the time in which a gap would open by its tolerance.

use super::pile::Pile;
use super::{Cause, Engine, Observer, SMALLEST_STEP};
use crate::saddle::SaddleError;
use crate::state::norm;
use crate::system::After;

/// No stride is a larger share than this of the step that would have been taken.
const SHARE: f64 = 0.1;
/// Strides in a row to where the modes of the end have accelerations.
const TRIES: u32 = 20;

impl Engine<'_> {
    /// Whether all that crossed last are contacts and friction that have done so before without going further than a tolerance.
    pub(super) fn has_returned(&mut self) -> bool {
        let own = self.watch.len() - self.modes.switches().len();
        let lull = self.lull();
        let Engine {
            sys,
            watch,
            pile,
            modes,
            cut,
            consistent,
            weights,
            ..
        } = self;
        let mut crossed = watch.crossed().iter();
        crossed.all(|c| {
            let interval = pile.interval(c.switch);
            c.switch >= own
                && interval <= lull
                && modes.stays(c.switch - own, interval, *sys, [cut, consistent], weights)
        })
    }

    /// Time in which accelerations on neither side of an event move anything by a tolerance.
    fn lull(&self) -> f64 {
        let [before, after] = [&self.cut, &self.consistent].map(|s| norm(&s.a, &self.weights.q));
        (2.0 / (self.weights.share() * before.max(after))).sqrt()
    }

    /// Takes `consistent` over a stride, with the modes of its end. Only where contacts or friction have crossed last. `false`: there
    /// is no room for it.
    pub(super) fn stride(
        &mut self,
        uncut: f64,
        observer: &mut dyn Observer,
    ) -> Result<bool, Cause> {
        let own = self.watch.len() - self.modes.switches().len();
        let all = self.watch.crossed().iter();
        let crossed: Vec<usize> = all.filter_map(|c| c.switch.checked_sub(own)).collect();
        if crossed.is_empty() {
            return Err(self.chatter());
        }
        if !(self.left(self.consistent.t) > 0.0) {
            // what comes at this time ends it
            self.pile.pass(self.consistent.t);
            return Ok(false);
        }
        self.search.before.copy_from(&self.consistent);
        let mut tries = 0;
        loop {
            self.stride_once(&crossed, uncut)?;
            match self.refresh_other_side(After::Jump) {
                // it may be left further on
                Err(Cause::Output(SaddleError::Singular { .. })) if tries < TRIES => tries += 1,
                done => break done?,
            }
        }
        self.show_stretch(observer)?;
        self.cut.copy_from(&self.consistent);
        self.pile.pass(self.cut.t);
        Ok(true)
    }

    /// What no stride may pass.
    fn clock(&mut self, t: f64) -> f64 {
        let event = self.next_event(t);
        let target = self.progress.target(event, t).unwrap_or(f64::INFINITY);
        target.min(self.plan.t_end)
    }

    fn left(&mut self, t: f64) -> f64 {
        self.clock(t) - t
    }

    fn stride_once(&mut self, crossed: &[usize], uncut: f64) -> Result<(), Cause> {
        let t = self.consistent.t;
        let left = self.left(t);
        let twice = 2.0 * self.pile.stride.unwrap_or(0.0);
        let most = self.lull().min(SHARE * uncut);
        let least = SMALLEST_STEP * t.abs();
        let choose =
            |[rate, gap]: [f64; 2]| rate.max(twice).min(gap).min(most).max(least).min(left);
        let Engine {
            sys,
            modes,
            consistent,
            weights,
            ..
        } = self;
        modes
            .stride(crossed, choose, *sys, consistent, weights)
            .map_err(Cause::Output)?;
        if self.consistent.t - t == left {
            self.consistent.t = self.clock(t);
        }
        self.pile.stride = Some(self.consistent.t - t);
        self.stats.strides += 1;
        Ok(())
    }
}

impl Pile {
    /// Time goes on from here.
    pub fn pass(&mut self, t: f64) {
        self.last = t;
        (self.streak, self.since, self.stuck) = (0, t, false);
    }
}
