//! Zeros of switching functions that follow each other ever faster, or without end.

use super::Engine;
use super::events::values;
use crate::memory::Memory;
use crate::state::{State, norm};

/// Events in a row, each within a billionth of the step before it of the last, that count as chatter: so many, and
/// one for each contact that is closed, since all of a heap may change at one time.
pub(super) const CHATTER: u32 = 20;
const NO_PROGRESS: f64 = 1e-9;
/// So many behind a stride are the same chatter.
const AGAIN: u32 = 4;
/// Agreement of the ratios of four successive zeros that shows where they pile up.
const GEOMETRIC: f64 = 0.1;
/// Zeros of a function closer than this, relative to the time, are at once.
const AT_ONCE: f64 = 1e-12;

/// How the zeros of switching functions follow each other.
pub(super) struct Pile {
    /// Times of the last three zeros of each function, newest first; NaN: none yet.
    times: Vec<[f64; 3]>,
    /// Where those of each function pile up, if whoever switches was told at the last one; else NaN.
    ends: Vec<f64>,
    pub last: f64,
    /// Events in a row without progress, since when, and whether they were too many.
    pub streak: u32,
    pub since: f64,
    pub stuck: bool,
    /// Length of the last stride over a chatter that goes on.
    pub stride: Option<f64>,
}

impl Pile {
    pub fn new(switches: usize) -> Pile {
        Pile {
            times: vec![[f64::NAN; 3]; switches],
            ends: vec![f64::NAN; switches],
            last: f64::NAN,
            streak: 0,
            since: f64::NAN,
            stuck: false,
            stride: None,
        }
    }

    pub fn clear(&mut self) {
        self.times.fill([f64::NAN; 3]);
        self.ends.fill(f64::NAN);
        self.last = f64::NAN;
        (self.streak, self.since, self.stuck) = (0, f64::NAN, false);
        self.stride = None;
    }

    /// Notes a zero of a function. Where it and the three before it follow each other in geometric
    /// progression, the time at which they pile up.
    pub fn note(&mut self, switch: usize, t: f64) -> Option<f64> {
        let [b, c, d] = self.times[switch];
        self.times[switch] = [t, b, c];
        let (new, ratio, before) = (t - b, (t - b) / (b - c), (b - c) / (c - d));
        let shrinks = ratio < 1.0 && (ratio - before).abs() < GEOMETRIC * ratio;
        shrinks.then(|| t + new * ratio / (1.0 - ratio))
    }

    /// Whoever switches is told whether the zeros of a function pile up. Returns where they do if it was told so before: it has not
    /// ended them.
    pub fn tell(&mut self, switch: usize, accumulates: Option<f64>) -> Option<f64> {
        let before = self.ends[switch];
        self.ends[switch] = accumulates.unwrap_or(f64::NAN);
        accumulates.filter(|_| !before.is_nan())
    }

    /// Whether the zero of a function noted last came at once behind the one before it.
    pub fn returns(&self, switch: usize) -> bool {
        let [now, ..] = self.times[switch];
        self.interval(switch) <= AT_ONCE * now.abs().max(1.0)
    }

    /// Time between the last two zeros of a function.
    pub fn interval(&self, switch: usize) -> f64 {
        let [now, before, _] = self.times[switch];
        now - before
    }

    /// Whether the last event was at this time.
    pub fn is_at(&self, t: f64) -> bool {
        self.last == t
    }

    /// Counts an event after which the run begins anew; tells whether this goes nowhere, as more than `most` do. `returns`: all
    /// functions that crossed have done so again before anything has moved.
    pub fn chatters(&mut self, t: f64, uncut: f64, most: u32, returns: bool) -> bool {
        if returns || t - self.last <= NO_PROGRESS * uncut {
            self.streak += 1;
        } else {
            (self.streak, self.since) = (0, t);
            self.stride = None;
        }
        self.last = t;
        self.stuck = self.streak >= if self.stride.is_some() { AGAIN } else { most };
        self.stuck
    }

    /// The functions with a zero in the present row of events.
    pub fn row(&self) -> impl Iterator<Item = usize> {
        let last = self.times.iter().map(|[last, ..]| *last).enumerate();
        last.filter(|(_, last)| *last >= self.since)
            .map(|(switch, _)| switch)
    }

    /// The run cannot go on from here.
    pub fn stick(&mut self, t: f64) {
        (self.last, self.stuck) = (t, true);
    }

    pub fn memory(&mut self, m: &mut Memory) {
        let Pile {
            times,
            ends,
            last,
            streak,
            since,
            stuck: _,
            stride,
        } = self;
        for times in times {
            m.slice(times);
        }
        m.slice(ends);
        m.f64(last);
        m.u32(streak);
        m.f64(since);
        let mut length = stride.unwrap_or(0.0);
        m.f64(&mut length);
        *stride = (length > 0.0).then_some(length);
    }
}

impl Engine<'_> {
    /// How fast the motion is where steps are cut at a zero of a function, in tolerances of the run per second. Where it turns round the
    /// speed is none, but was that of a quarter of the time since the zero before.
    pub(super) fn pace(&self, switch: usize) -> f64 {
        let speed = norm(&self.cut.v, &self.weights.q);
        let before = 0.25 * self.pile.interval(switch) * norm(&self.cut.a, &self.weights.q);
        // how a method shares them out over steps says nothing of where zeros pile up
        self.weights.share() * speed.max(before)
    }

    /// What a tolerance in a single position, velocity or state makes of a switching function at `consistent`.
    pub(super) fn tolerance_of_switch(&mut self, switch: usize) -> f64 {
        let Engine {
            sys,
            watch,
            modes,
            consistent,
            weights,
            scratch,
            ..
        } = self;
        let mut at = |s: &State| watch.value(switch, |out| values(*sys, modes, s, out));
        scratch.copy_from(consistent);
        let (here, mut most) = (at(scratch), 0.0);
        type Of = fn(&mut State) -> &mut [f64];
        let parts: [(Of, &[f64]); 3] = [
            (|s| &mut s.q, &weights.q),
            (|s| &mut s.v, &weights.v),
            (|s| &mut s.x, &weights.x),
        ];
        for (of, weights_of) in parts {
            for (i, w) in weights_of.iter().enumerate() {
                let kept = of(scratch)[i];
                of(scratch)[i] += 1.0 / (w * weights.share());
                let change = (at(scratch) - here).abs();
                of(scratch)[i] = kept;
                // where it has no value nothing is told
                if change.is_finite() && change > most {
                    most = change;
                }
            }
        }
        most
    }
}
