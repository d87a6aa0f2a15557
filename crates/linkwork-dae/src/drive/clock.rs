//! Instants of the clock: what happens there, and going on behind them.

use super::events::{Happens, Place};
use super::{Cause, Engine, Flow, Observer};
use crate::system::After;

impl Engine<'_> {
    /// Lets a time event happen at the accepted state and goes on from its other side. `uncut` is the
    /// step that the clock has shortened.
    pub(super) fn pass_event(
        &mut self,
        uncut: f64,
        observer: &mut dyn Observer,
    ) -> Result<Flow, Cause> {
        self.stats.events += 1;
        if !self.plan.consistent {
            self.consistent.copy_from(self.stepper.state());
        }
        self.cut.copy_from(&self.consistent);
        let mut after = match self.sys.time_events() {
            Some(events) => {
                let told = events.on_time_event(&mut self.consistent);
                let told = told.map_err(|why| Cause::Output(why.into()));
                self.or_contradiction(told, Happens::Clock)?
            }
            None => After::Continue,
        };
        if after == After::Continue && !self.stepper.keeps_step() && self.past_is_too_long() {
            after = After::Restart;
        }
        if after == After::Continue {
            if self.stepper.keeps_step() {
                self.progress.next.h = uncut;
            } else {
                self.progress.kink = Some(uncut);
            }
            self.show(Place::OtherSide, Happens::Clock, after, observer)?;
            return Ok(Flow::Continue);
        }
        let kicked = match after {
            After::Jump => self
                .modes
                .kick(self.sys, &mut self.consistent, &self.weights),
            After::Continue | After::Restart | After::Stop => Ok(()),
        };
        let other_side = kicked
            .map_err(Cause::Output)
            .and_then(|()| self.refresh_other_side(after));
        self.or_contradiction(other_side, Happens::Clock)?;
        self.show(Place::OtherSide, Happens::Clock, after, observer)?;
        let whole = self.settle(after, uncut, observer)?;
        self.go_on(whole, uncut)
    }

    /// Whether the next instant is much closer than the last step was long. A step up to there beside a
    /// history that long, on which the error estimate relies to be as smooth, has an error that nobody sees:
    /// in the estimate of order 1 it is multiplied by `h/(h + h_last)`.
    fn past_is_too_long(&mut self) -> bool {
        const SHORT: f64 = 0.5;
        let t = self.stepper.state().t;
        let ahead = self.next_event(t).map_or(f64::INFINITY, |next| next - t);
        self.progress.behind.is_some_and(|h| ahead < SHORT * h)
    }

    /// A step from a kink has failed with the history from before it: begins anew there.
    pub(super) fn leave_kink(&mut self, uncut: f64) -> Result<(), Cause> {
        if !self.plan.consistent {
            self.consistent.copy_from(self.stepper.state());
        }
        self.refresh_other_side(After::Restart)?;
        self.go_on(After::Restart, uncut)?;
        Ok(())
    }
}
