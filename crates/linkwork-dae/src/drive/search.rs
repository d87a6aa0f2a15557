//! Discontinuities that nobody has named, told from steps that fail.
//!
//! ```text
//!  p(t): the past, extrapolated        e(t) = |p_v' - a(t, p)|, |p_x' - f(t, p)|  in tolerances per second
//!  level: max of e within the last step            w(t): how fast p goes astray
//!  points ahead, each twice as far as the one before:  dirty:  e_k > 5 max(level, e_{k-1} w_k/w_{k-1})
//! ```
//!
//! Asked when a step fails by far or by much more than the last accepted one promised, fails over a stretch over which
//! one has failed before, or is given up by the corrector (after Gear & Østerby 1984); and when a step whose error estimate
//! does not know all of it departs from its past as none before ([`Stepper::departure`](crate::stepper::Stepper::departure)). How the defect grows is told from
//! one point ahead to the next: the level within the last step may be that of the discretisation, which an extrapolation
//! does not magnify. The first dirty point ahead and the clean one before it are a bracket, which is
//! halved. What has changed across a bracket of no width is a jump, what
//! has not was a fast but smooth change, and nothing is done about it. Ordinary steps lead up to the clean
//! end of the bracket, where the search is repeated with the past up to there; how the run goes on behind it is told in
//! [`cross`](super::cross). Kinks are left to error control, which passes them at the price of a few rejected steps.

use super::{Cause, Engine, Observer, Occasion, SMALLEST_STEP};
use crate::state::State;
use crate::stepper::Choice;
use crate::system::{Dims, Row};

/// Failure beyond which a step is suspected at once.
const FAR: f64 = 20.0;
/// The same relative to what the last accepted step promised at its order. A derivative that grows from step to step, as
/// they do, makes a third of that.
const UNEXPECTED: f64 = 4.0;
/// Excess over the level that is dirty.
const DIRTY: f64 = 5.0;
/// What a jump changes at least.
const JUMP: f64 = 3.0;
/// How far behind a bracket a kink would have grown beyond that, in its widths.
const FARTHER: f64 = 8.0;
/// Dirty ends that are remembered while a bracket is halved: the last of so many lies farther behind it than that.
const LEFT_BEHIND: usize = 4;
/// Width of the bracket, relative to the step before it.
const WIDTH: f64 = 4e-7;
/// Share of the tolerance that a jump may do within the bracket.
const HARMLESS: f64 = 0.5;
/// Share of a step that leads up to a jump and fails, after which it is looked for again.
const SHORT_OF: f64 = 0.9;
/// Halvings after which a change that is still smooth is given up.
const SMOOTH_AFTER: u32 = 5;
const HALVINGS: u32 = 60;
/// Shares of the step at which it is looked for, and how far the step looks at forces by itself.
const SHARES: [f64; 3] = [0.25, 0.5, 1.0];
/// Where the level is taken, in steps before the newest state.
const LEVEL: [f64; 2] = [0.0, 0.79];
/// Half the interval over which the past is differenced, in last steps.
const DIFFERENCE: f64 = 1e-4;
/// Level below which everything is rounding, relative to the accelerations.
const ROUNDING: f64 = 1e-9;

/// See the [module](self).
pub(super) struct Search {
    pub at: State,
    pub before: State,
    pub after: State,
    differential: Vec<bool>,
    /// For steps of the starter.
    pub room: [Vec<f64>; 3],
    /// A bracket ahead of the newest state, within a step that would have been accepted.
    ahead: Option<[f64; 2]>,
    pub found: Option<Found>,
}

pub(super) struct Found {
    pub between: [f64; 2],
    pub row: Row,
    pub whose: Option<String>,
}

/// A bracket of no width, the defect behind it, and dirty ends that it had before, with theirs.
struct Edge {
    between: [f64; 2],
    e: f64,
    behind: [(f64, f64); LEFT_BEHIND],
}

/// The past as seen from the newest state.
#[derive(Clone, Copy)]
struct Past {
    t: f64,
    /// The last step.
    h: f64,
    /// The step that would be taken if nothing were ahead.
    uncut: f64,
    level: f64,
}

impl Past {
    /// Whether a defect matters within a step; the last one may have been cut short in front of it.
    fn matters(&self, e: f64) -> bool {
        e * self.uncut > 1.0
    }

    /// Whether defects so close together tell of a jump, and of one that matters. A kink that ends a rest is large
    /// beside nothing.
    fn is_jump(&self, before: f64, behind: f64) -> bool {
        behind > JUMP * before && self.matters(behind)
    }
}

impl Search {
    pub fn new(dims: Dims, differential: Vec<bool>) -> Search {
        Search {
            at: State::new(dims),
            before: State::new(dims),
            after: State::new(dims),
            differential,
            room: std::array::from_fn(|_| vec![0.0; 2 * dims.nv + dims.nx]),
            ahead: None,
            found: None,
        }
    }

    /// What was found last.
    pub fn occasion(&self) -> Option<Occasion<'_>> {
        let found = self.found.as_ref()?;
        Some(Occasion::Found {
            between: found.between,
            row: found.row,
            whose: found.whose.as_deref(),
        })
    }
}

impl Engine<'_> {
    /// Looks for a discontinuity ahead after a failed attempt. Says how to go on: `again`, unless one was
    /// found.
    pub(super) fn look_ahead(
        &mut self,
        t: f64,
        tried: Choice,
        again: Choice,
        observer: &mut dyn Observer,
    ) -> Result<Choice, Cause> {
        if let Some([stop, _, _]) = &mut self.progress.suspect
            && t + tried.h >= *stop
        {
            // the motion meets it before the past promised: from nearer by that is seen
            *stop = t + SHORT_OF * tried.h;
            return Ok(tried);
        }
        let ahead = match self.search.ahead.take() {
            None if self.is_suspect(t, tried) => self.seek(t, tried),
            ahead => ahead,
        };
        let Some([lo, hi]) = ahead else {
            return Ok(again);
        };
        let smallest = SMALLEST_STEP * t.abs().max(self.progress.first);
        let stop = self.stop_before(lo);
        self.progress.suspect = Some([stop, lo, hi]);
        if stop - t <= smallest {
            let uncut = self.progress.behind.unwrap_or(tried.h);
            self.cross(uncut, observer)?;
            return Ok(self.progress.next);
        }
        Ok(tried)
    }

    /// Where a step that leads to `lo` ends: a method that looks past the end of its steps may meet a jump there, and must stop
    /// before.
    pub(super) fn stop_before(&self, lo: f64) -> f64 {
        let (t, reach) = (self.stepper.state().t, self.stepper.reach());
        match reach > 1.0 {
            true => t + (lo - t) / reach * (1.0 - 1e-9),
            false => lo,
        }
    }

    /// Whether the error estimate of a step that passed has not seen a jump: how far the step is off, if so.
    pub(super) fn leaps(&mut self, t: f64, tried: Choice) -> Option<f64> {
        let [off, expected] = self.stepper.departure()?;
        let is_known = self.progress.suspect.is_some() || self.controller.keeps_grid();
        if is_known || off <= UNEXPECTED * expected.max(1.0) {
            return None;
        }
        self.search.ahead = self.seek(t, tried);
        self.search.ahead.is_some().then_some(off)
    }

    /// A jump within the reach of a step, between two times.
    fn seek(&mut self, t: f64, tried: Choice) -> Option<[f64; 2]> {
        if self.stepper.takes_history() && tried.order < 2 {
            return None;
        }
        let past = self.past(self.progress.behind?, tried.h)?;
        let reach = self.stepper.reach();
        let shares = SHARES.into_iter().chain((reach > 1.0).then_some(reach));
        self.bracket(past, shares.map(|share| t + share * tried.h))
    }

    /// Whether a failure looks like a jump.
    fn is_suspect(&mut self, t: f64, tried: Choice) -> bool {
        let (error, order) = (self.progress.error, tried.order as f64);
        let again = (self.progress.stumbled.replace(t + tried.h)).is_some_and(|end| t < end);
        let unexpected = self.progress.promised.is_some_and(|[h, e, k]| {
            // NaN is more than anything
            k == order && !(error <= UNEXPECTED * e * (tried.h / h).powf(k + 1.0))
        });
        error > FAR || again || unexpected
    }

    /// What the last step, `h`, says about how well the past is known.
    fn past(&mut self, h: f64, uncut: f64) -> Option<Past> {
        let (t, level) = (self.stepper.state().t, 0.0);
        let mut past = Past { t, h, uncut, level };
        for back in LEVEL {
            past.level = past.level.max(self.defect(past, t - back * h)?.0);
        }
        let mut size = 0.0f64;
        for (a, w) in self.search.at.a.iter().zip(&self.weights.v) {
            size = size.max((a * w).abs());
        }
        past.level = past.level.max(ROUNDING * size).max(f64::MIN_POSITIVE);
        Some(past)
    }

    /// How far the equations are from what the past promises at `t`, and how fast the past goes astray there.
    fn defect(&mut self, past: Past, t: f64) -> Option<(f64, f64)> {
        let Engine {
            sys,
            stepper,
            saddle,
            algebraic,
            weights,
            stats,
            search,
            ..
        } = self;
        let Search {
            at,
            before,
            after,
            differential,
            ..
        } = search;
        let dt = DIFFERENCE * past.h;
        stepper.extrapolate(t - dt, before);
        stepper.extrapolate(t + dt, after);
        let astray = stepper.extrapolate(t, at);
        stats.search_evaluations += 1;
        algebraic.solve(*sys, at).ok()?;
        saddle.accelerate(*sys, at).ok()?;
        let mut top = 0.0f64;
        let mut see = |rate: f64, a: f64, b: f64, w: f64| {
            let e = (((a - b) / (2.0 * dt) - rate) * w).abs();
            // NaN must not pass
            top = if e <= top { top } else { e };
        };
        for i in 0..at.v.len() {
            see(at.a[i], after.v[i], before.v[i], weights.v[i]);
        }
        for (i, _) in (differential.iter().enumerate()).filter(|(_, d)| **d) {
            see(at.xdot[i], after.x[i], before.x[i], weights.x[i]);
        }
        top.is_finite().then_some((top, astray))
    }

    /// The jump in the first of the stretches between the given times that ends dirty, between two times.
    fn bracket(&mut self, past: Past, ahead: impl Iterator<Item = f64>) -> Option<[f64; 2]> {
        let mut clean = (past.t, past.level, 1.0);
        for hi in ahead {
            let (e, astray) = self.defect(past, hi)?;
            let (lo, e_lo, from) = clean;
            let dirty = e > DIRTY * past.level.max(e_lo * astray / from);
            if dirty
                && past.matters(e)
                && let Some(edge) = self.halve(past, [lo, hi], [e_lo, e])
            {
                return self.is_no_kink(past, &edge).then_some(edge.between);
            }
            clean = (hi, e, astray);
        }
        None
    }

    /// A jump is there at once, a kink grows behind its place. Dirty ends that were left behind may tell already.
    fn is_no_kink(&mut self, past: Past, edge: &Edge) -> bool {
        let ([lo, hi], most) = (edge.between, JUMP * edge.e);
        let far = hi + FARTHER * (hi - lo);
        let told = edge.behind.iter().any(|&(t, e)| t >= far && e < most);
        told || self.defect(past, far).is_some_and(|(e, _)| e < most)
    }

    /// Halves the stretch from `lo` to `hi`, where the defects are `e_lo` and `e_hi`.
    fn halve(
        &mut self,
        past: Past,
        [mut lo, mut hi]: [f64; 2],
        [mut e_lo, mut e_hi]: [f64; 2],
    ) -> Option<Edge> {
        let mut behind = [(hi, e_hi); LEFT_BEHIND];
        let least = 8.0 * f64::EPSILON * hi.abs();
        for halving in 1..=HALVINGS {
            let width = hi - lo;
            if width <= least || (width <= WIDTH * past.h && width * e_hi <= HARMLESS) {
                break;
            }
            if halving > SMOOTH_AFTER && !past.is_jump(e_lo, e_hi) {
                return None;
            }
            let middle = 0.5 * (lo + hi);
            let (e, _) = self.defect(past, middle)?;
            // the past goes astray by itself: what counts is on which side of the jump this is
            if e > DIRTY * past.level && e * e > e_lo * e_hi {
                behind.rotate_right(1);
                behind[0] = (hi, e_hi);
                (hi, e_hi) = (middle, e);
            } else {
                (lo, e_lo) = (middle, e);
            }
        }
        past.is_jump(e_lo, e_hi).then_some(Edge {
            between: [lo, hi],
            e: e_hi,
            behind,
        })
    }

    /// Looks again from where the search has led to: a jump that depends on the motion lies a little
    /// elsewhere than the past promised.
    pub(super) fn confirm(&mut self, t: f64, uncut: f64, [lo, hi]: [f64; 2]) -> Option<[f64; 2]> {
        const FURTHER: [f64; 3] = [30.0, 1e3, 3e4];
        let past = self.past(self.progress.behind?, uncut)?;
        let dirty = |astray: f64| DIRTY * past.level * astray;
        let (e, astray) = self.defect(past, hi)?;
        let (e_lo, astray_lo) = match lo > t {
            true => self.defect(past, lo)?,
            false => (past.level, 1.0),
        };
        let is_dirty = e > dirty(astray);
        // from afar the past may have gone astray: what counts is the change across the bracket
        if is_dirty && past.is_jump(past.level.max(e_lo), e) {
            return Some([lo.max(t), hi]);
        }
        if e_lo > dirty(astray_lo) && e_lo * e_lo > past.level * e {
            return Some(self.halve(past, [t, lo], [past.level, e_lo])?.between);
        }
        if is_dirty {
            return None;
        }
        for factor in FURTHER {
            let hi = lo.max(t) + factor * (hi - lo);
            let (e, astray) = self.defect(past, hi)?;
            if e > dirty(astray) {
                return Some(self.halve(past, [t, hi], [past.level, e])?.between);
            }
        }
        None
    }
}
