//! Across a jump that nobody has named, once it is bracketed: up to it from the left, on to the right.
//!
//! Steps end a little before the bracket where a method looks past the end of its steps. The past, which has located the jump,
//! leads on to its clean end; the bracket itself is passed in a straight line, and the run begins anew behind it.

use super::events::{Happens, Place};
use super::search::{Found, Search};
use super::starter::{Means, Starter};
use super::{Cause, Engine, Observer, View};
use crate::chart;
use crate::system::{After, Row};

/// Share of the last step over which the past leads on to a jump.
const NEAR: f64 = 0.2;
/// Order of stretches that are no steps of the method.
const STRETCH_ORDER: usize = 4;
/// Behind a jump one-step methods begin with this share of their step.
const AFTER_FOUND: f64 = 0.5;

impl Engine<'_> {
    /// The newest state is before a bracket, or at its clean end: goes on behind it.
    pub(super) fn cross(&mut self, uncut: f64, observer: &mut dyn Observer) -> Result<(), Cause> {
        let Some([_, lo, hi]) = self.progress.suspect.take() else {
            return Ok(());
        };
        let t = self.stepper.state().t;
        let Some([lo, hi]) = self.confirm(t, uncut, [lo, hi]) else {
            return Ok(());
        };
        if self.progress.behind.is_some_and(|h| lo - t > NEAR * h) {
            self.progress.suspect = Some([self.stop_before(lo), lo, hi]);
            return Ok(());
        }
        if !self.plan.consistent {
            self.consistent.copy_from(self.stepper.state());
        }
        self.refresh_other_side(After::Restart)?;
        if lo > t {
            self.lead(lo, observer)?;
        }
        self.cut.copy_from(&self.consistent);
        let (s, dt) = (&mut self.consistent, hi - lo);
        s.t = hi;
        for i in 0..s.v.len() {
            // accelerations are solved for below: until then they are the step
            let a = s.a[i];
            s.a[i] = dt * (s.v[i] + 0.5 * dt * a);
            s.v[i] += dt * a;
        }
        chart::advance(self.sys, &mut s.q, &s.a);
        for (x, xdot) in s.x.iter_mut().zip(&s.xdot) {
            *x += dt * xdot;
        }
        self.refresh_other_side(After::Jump)?;
        let (before, after) = (&self.cut, &self.consistent);
        let mut worst = (0.0, Row::Velocity(0));
        for i in 0..after.v.len() {
            let e = ((after.a[i] - before.a[i]) * self.weights.v[i]).abs();
            if e > worst.0 {
                worst = (e, Row::Velocity(i));
            }
        }
        for i in 0..after.x.len() {
            let e = ((after.xdot[i] - before.xdot[i]) * self.weights.x[i]).abs();
            if e > worst.0 {
                worst = (e, Row::State(i));
            }
        }
        let whose = (self.sys.switching()).and_then(|k| k.jumped(before, after));
        self.search.found = Some(Found {
            between: [lo, hi],
            row: worst.1,
            whose,
        });
        self.stats.located += 1;
        self.show(Place::OtherSide, Happens::Found, After::Restart, observer)?;
        let whole = self.settle(After::Restart, uncut, observer)?;
        let h = AFTER_FOUND * uncut;
        let back = self.stepper.looks_back();
        if back > 0.0 && whole == After::Restart {
            self.leave(hi + 2.0 * back * h, observer)?;
        }
        self.go_on(whole, h)?;
        Ok(())
    }

    /// Takes `consistent`, the newest state, to `t`, which is near, as the past promises: that is as stable as the steps were,
    /// and never looks past its end.
    fn lead(&mut self, t: f64, observer: &mut dyn Observer) -> Result<(), Cause> {
        self.search.before.copy_from(&self.consistent);
        self.stepper.extrapolate(t, &mut self.consistent);
        let mut means = Means {
            sys: self.sys,
            saddle: &mut self.saddle,
            algebraic: &mut self.algebraic,
            stats: &mut self.stats,
        };
        // where that fails it keeps the accelerations that it had
        let _ = means.land(&mut self.consistent);
        self.show_stretch(observer)
    }

    /// Takes `consistent` to `t`, at a distance that is tiny beside a step, by two steps of the classical Runge-Kutta method.
    fn leave(&mut self, t: f64, observer: &mut dyn Observer) -> Result<(), Cause> {
        self.search.before.copy_from(&self.consistent);
        self.bridge_step(0.5 * (self.consistent.t + t));
        self.bridge_step(t);
        self.show_stretch(observer)
    }

    /// Shows what lies between `before` and `consistent` as one step, with cubics between its ends.
    pub(super) fn show_stretch(&mut self, observer: &mut dyn Observer) -> Result<(), Cause> {
        // whoever wants to stop is asked again behind the jump
        observer.on_step(&mut View {
            from: self.search.before.t,
            to: self.consistent.t,
            order: STRETCH_ORDER,
            steps: 1,
            occasion: None,
            stats: &self.stats,
            sys: self.sys,
            stepper: &mut *self.stepper,
            between: Some([&self.search.before, &self.consistent]),
            saddle: &mut self.saddle,
            modes: &self.modes,
            scratch: &mut self.scratch,
            now: &self.consistent,
        })?;
        Ok(())
    }

    /// One step of `consistent`.
    fn bridge_step(&mut self, end: f64) {
        let Engine {
            sys,
            saddle,
            algebraic,
            stats,
            consistent,
            search,
            ..
        } = self;
        let mut means = Means {
            sys: *sys,
            saddle,
            algebraic,
            stats,
        };
        let Search {
            at, after, room, ..
        } = &mut *search;
        let [y, rates, sum] = room;
        let step = Starter::step([at, after], [y, rates, sum], consistent, end, &mut means);
        let landed = step.and_then(|()| means.land(after));
        if landed.is_none() {
            // it is passed as it can be: by a straight line
            let dt = end - consistent.t;
            after.copy_from(consistent);
            after.t = end;
            for (v, a) in after.v.iter_mut().zip(&consistent.a) {
                *v += dt * a;
            }
        }
        consistent.copy_from(after);
    }
}
