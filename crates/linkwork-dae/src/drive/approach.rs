//! Up to a place where the equations are not smooth: the step that ran over it is taken once more.
//!
//! Beyond its zero a frozen law is continued, as smoothly as it can be: a force `k delta^(3/2)` as an odd function of the
//! depth, which has no second derivative at zero. A step over such a place may end well, but its dense output,
//! polynomials, is off by `h^(5/2)` in the middle, which no estimate of the error at its end tells. Methods of
//! one step go back to where it began, and come to the place near the end of a step, whose error is estimated.

use super::{Cause, Engine};

/// Share of a step that it leads beyond the zero: what is off there is smaller by that, and the zero, which the first step has
/// told, lies within.
const BEYOND: f64 = 1e-3;

impl Engine<'_> {
    /// Before an attempt becomes a step: keeps where it began.
    pub(super) fn keep_begin(&mut self) {
        if self.switching && self.stepper.keeps_step() {
            self.begun.copy_from(self.stepper.state());
        }
    }

    /// Whether a step up to `to` was taken once more, with the step that would have been taken without that.
    pub(super) fn approached(&mut self, to: f64, uncut: f64) -> (bool, f64) {
        let Some([stop, before]) = self.progress.approach else {
            return (false, uncut);
        };
        if to >= stop {
            self.progress.approach = None;
        }
        (to >= stop, before)
    }

    /// Whether equations, as they are, are not smooth where functions have crossed.
    pub(super) fn is_rough(&mut self) -> bool {
        let own = self.watch.len() - self.modes.switches().len();
        let Some(switching) = self.sys.switching() else {
            return false;
        };
        let mut crossed = self.watch.crossed().iter().filter(|c| c.switch < own);
        crossed.any(|c| switching.is_rough(c))
    }

    /// Goes back to the beginning of a step in which functions have crossed at `at`, where that is worth it.
    pub(super) fn approaches(
        &mut self,
        at: f64,
        [begin, to]: [f64; 2],
        uncut: f64,
    ) -> Result<bool, Cause> {
        let again = at - begin;
        let stop = at + BEYOND * again;
        let is_steady = self.controller.keeps_grid() || !self.stepper.keeps_step();
        if is_steady || stop >= to || self.begun.t != begin || !self.is_rough() {
            return Ok(false);
        }
        self.stats.take_back_step();
        self.watch.go_back();
        self.consistent.copy_from(&self.begun);
        let Engine {
            sys,
            saddle,
            algebraic,
            consistent,
            ..
        } = self;
        algebraic.solve(*sys, consistent).map_err(Cause::Restart)?;
        saddle.accelerate(*sys, consistent).map_err(Cause::Output)?;
        self.progress.next = self.start_stepper(Some(stop - begin));
        self.progress.approach = Some([stop, uncut]);
        Ok(true)
    }
}
