//! Where on its way a run has had its work.
//!
//! Work is counted, not timed: evaluations and factorisations are the same on every machine. It may lie anywhere: at a
//! start from which fast modes die out, at an impact. Another run of the same motion has it in the same places.

use linkwork_dae::drive::{Flow, Observer, ObserverError, View};
use linkwork_dae::stats::Stats;

/// Points kept; when there are as many every second one is dropped.
const MOST: usize = 128;

/// What counters stand for, in evaluations and factorisations.
pub(crate) fn work(s: &Stats) -> f64 {
    (s.evaluations() + 2 * s.factorisations + s.solves) as f64
}

/// What rows stand for: accelerations and reactions that satisfy the equations, an evaluation, factors and a solve each,
/// as the right-hand side of an explicit step.
pub(crate) fn of_rows(rows: usize) -> f64 {
    4.0 * rows as f64
}

/// What rows of a motion alone stand for: nothing is solved for.
pub(crate) fn of_motion(rows: usize) -> f64 {
    rows as f64
}

/// Work over time.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Pace {
    /// Times, and the work up to there.
    points: Vec<[f64; 2]>,
    /// The steps that one point stands for, and those since the last.
    every: usize,
    since: usize,
}

impl Default for Pace {
    fn default() -> Pace {
        Pace {
            points: Vec::new(),
            every: 1,
            since: 0,
        }
    }
}

impl Pace {
    /// The share of all its work, `total`, that a run has had up to a time.
    pub fn share(&self, t: f64, total: f64, [from, to]: [f64; 2]) -> f64 {
        let next = self.points.partition_point(|p| p[0] <= t);
        let before = next.checked_sub(1).map_or([from, 0.0], |i| self.points[i]);
        let after = (self.points.get(next)).map_or([to, total], |p| *p);
        let part = (t - before[0]) / (after[0] - before[0]).max(f64::MIN_POSITIVE);
        (before[1] + part.clamp(0.0, 1.0) * (after[1] - before[1])) / total.max(1.0)
    }
}

impl Observer for Pace {
    fn on_step(&mut self, view: &mut View<'_>) -> Result<Flow, ObserverError> {
        self.since += 1;
        if self.since >= self.every {
            self.since = 0;
            self.points.push([view.to, work(view.stats)]);
        }
        if self.points.len() >= MOST {
            let mut i = 0;
            self.points.retain(|_| {
                i += 1;
                i % 2 == 0
            });
            self.every *= 2;
        }
        Ok(Flow::Continue)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_lie_between_points() {
        let pace = Pace {
            points: vec![[1.0, 60.0], [2.0, 80.0]],
            ..Pace::default()
        };
        let share = |t: f64| pace.share(t, 100.0, [0.0, 4.0]);
        assert_eq!([0.0, 0.5, 1.0, 1.5].map(share), [0.0, 0.3, 0.6, 0.7]);
        assert_eq!([2.0, 3.0, 4.0].map(share), [0.8, 0.9, 1.0]);
        // nothing is known: evenly
        assert_eq!(Pace::default().share(1.0, 10.0, [0.0, 4.0]), 0.25);
    }
}
