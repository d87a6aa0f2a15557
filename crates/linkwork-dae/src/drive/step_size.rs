//! Lengths of steps: the first one, those that meet a target, and what limits them.

use super::{Engine, Observer, SMALLEST_STEP};
use crate::state::{State, Weights, norm};
use crate::stepper::Choice;

/// Rotation, rad, that history and step may span on a chart.
const LARGEST_ROTATION: f64 = 0.9 * std::f64::consts::PI;

/// How far a step may be stretched to meet the end of the run or a time event.
const END_STRETCH: f64 = 1.0 + 1e-9;
pub(super) const EVENT_STRETCH: f64 = 1.001;

/// The next step in view of what comes at a time.
pub(super) struct Ahead {
    pub next: Choice,
    /// Its length if nothing came.
    pub wanted: f64,
    /// A time event before the end of the run.
    pub event: Option<f64>,
    /// What the step must not pass, likewise.
    pub target: Option<f64>,
}

/// A step from `t` that never passes `to`, meets it exactly, and does not leave a crumb for the
/// step after it; it may be larger than `h` by the factor `stretch`.
pub(crate) fn fit(h: f64, t: f64, to: f64, stretch: f64) -> f64 {
    const CRUMB: f64 = 1e-9;
    let left = to - t;
    if h * stretch >= left {
        // the difference of two times may be rounded; their sum must be the later one
        let candidates = [left, left.next_up(), left.next_down()];
        let exact = candidates.into_iter().find(|h| t + h == to);
        exact.unwrap_or(left)
    } else if h > 0.5 * left * (1.0 + CRUMB) {
        0.5 * left
    } else {
        h
    }
}

/// First step at order 1: its error is `h^2/2` times the second derivative of positions and, where
/// known, of velocities; a quarter of the tolerance is allowed, and a hundredth of what the motion
/// takes. In equilibrium nothing tells how long that is, so the first step is cautious. Every further
/// order has another derivative, larger by the rate of the motion.
pub(super) fn first_step(s: &State, jerk: &[f64], w: &Weights, rate: f64, order: usize) -> f64 {
    const LARGEST_SHARE: f64 = 1e-2;
    const CAUTIOUS_SHARE: f64 = 1e-4;
    let second = norm(&s.a, &w.q).max(norm(jerk, &w.v));
    let at_rest = s.v.iter().all(|v| *v == 0.0) && !(second > 1e-6);
    let share = if at_rest {
        CAUTIOUS_SHARE
    } else {
        LARGEST_SHARE
    };
    let h = match order {
        1 => (0.5 / second).sqrt(),
        k => (0.5 / second / rate.powi(k as i32 - 1)).powf(1.0 / (k as f64 + 1.0)),
    };
    let largest = share / rate;
    if h < largest { h } else { largest }
}

impl Engine<'_> {
    /// The next step: what control wants, limits of rotation and of what is known ahead, cut to meet what comes at a time.
    pub(super) fn look_at_the_clock(
        &mut self,
        t: f64,
        smallest: f64,
        observer: &mut dyn Observer,
    ) -> Ahead {
        let mut next = self.progress.next;
        let event = self.next_event(t);
        let target = self.progress.target(event, t + smallest);
        let mut wanted = next.h.min(self.plan.max_step).min(self.failures.largest());
        if self.curved {
            wanted = wanted.min(self.rotation_limit(next.order, self.stepper.state()));
        }
        if self.switching {
            wanted = wanted.min(self.feature_limit());
        }
        // what a run without an end would take
        let endless = match target {
            Some(to) => fit(wanted, t, to, EVENT_STRETCH),
            None => wanted,
        };
        let target = target.filter(|to| self.is_within(*to));
        next.h = match target {
            Some(_) => endless,
            None => {
                let cut = fit(endless, t, self.plan.t_end, END_STRETCH);
                // an event at the very end belongs to a run that goes on
                if cut != endless || t + cut >= self.plan.t_end || self.seeds_to_the_end(t) {
                    self.keep_uncut(observer);
                }
                cut
            }
        };
        Ahead {
            next,
            wanted,
            event: event.filter(|event| self.is_within(*event)),
            target,
        }
    }

    /// The step with which history and step of a stepper span less than half a turn: beyond that
    /// coordinates about a base are far from linear, and within reach of their singularity.
    pub(super) fn rotation_limit(&self, order: usize, s: &State) -> f64 {
        let Some(chart) = self.sys.chart() else {
            return f64::INFINITY;
        };
        let (steps, turn) = (self.stepper.span(order), chart.turn(&s.v));
        if steps > 1 {
            // a history knows how fast the motion becomes faster
            return LARGEST_ROTATION / (steps as f64 * turn);
        }
        // w h + b h^2/2 is the rotation of a step that starts with speed w and acceleration b
        let root = (turn * turn + 2.0 * chart.turn(&s.a) * LARGEST_ROTATION).sqrt();
        2.0 * LARGEST_ROTATION / (turn + root)
    }

    /// The next time event, be it behind the end of the run: how steps begin and meet it must not depend on that
    /// end, or a run in parts would take others than the whole.
    pub(super) fn next_event(&mut self, t: f64) -> Option<f64> {
        let next = self.sys.time_events()?.next_time_event(t);
        next.filter(|event| *event > t)
    }

    /// Whether an instant lies before the end of the run.
    pub(super) fn is_within(&self, t: f64) -> bool {
        let t_end = self.plan.t_end;
        t < t_end - SMALLEST_STEP * t_end.abs()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_meet_their_target_exactly() {
        let (mut t, mut seed) = (0.0f64, 0.3);
        for k in 1..2000 {
            let to = f64::from(k) * 0.1;
            let mut steps = 0;
            while t < to {
                seed = (seed * 7.31 + 0.377) % 1.0;
                let h = fit(0.01 + 0.2 * seed, t, to, EVENT_STRETCH);
                assert!(h <= 0.21 * EVENT_STRETCH);
                t += h;
                steps += 1;
            }
            assert_eq!(t, to, "after {steps} steps");
        }
    }

    #[test]
    fn no_crumb_is_left_before_a_target() {
        // a little short: stretched; between one and two steps: halved; else untouched
        assert_eq!(fit(1.0, 0.0, 1.0005, EVENT_STRETCH), 1.0005);
        assert_eq!(fit(1.0, 0.0, 1.5, EVENT_STRETCH), 0.75);
        assert_eq!(fit(1.0, 0.0, 2.5, EVENT_STRETCH), 1.0);
        assert_eq!(fit(1.0, 0.0, 0.25, EVENT_STRETCH), 0.25);
    }
}
