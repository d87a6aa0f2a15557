//! Spheres that may meet: their gap, `|d| - r`, tells nothing of a meeting within a step, before which and after which they
//! are far apart.
//!
//! ```text
//!  v h + a h^2/2 = |d| - r           v, a: sizes of the relative velocity and acceleration of the centres
//! ```
//!
//! A step of `h` ends where they touch at the earliest; from there on steps are short beside what it takes to go as far as
//! `r`. Directions are left out: paths bend, and what flies past at a distance costs a step for each time that it takes to
//! go that far.

use super::Assembly;
use crate::geometry::{Vector, add, cross, norm, sub};
use linkwork_dae::state::State;

/// Two points, each on its frame, and how near they are when what is between them begins to act.
#[derive(Clone, Debug)]
pub(crate) struct Meeting {
    pub frames: [usize; 2],
    pub points: [Vector; 2],
    pub reach: f64,
}

impl Assembly {
    /// How far the two points are apart, and how fast they move relative to each other, with frames as they are placed.
    fn approach(&self, meeting: &Meeting) -> [f64; 2] {
        let [a, b] = meeting.frames.map(|i| &self.turned.frames[i]);
        let [at_a, at_b] = [(a, 0), (b, 1)].map(|(frame, k)| {
            let arm = frame.pose.direction(meeting.points[k]);
            let place = add(frame.pose.position, arm);
            (place, add(frame.velocity, cross(frame.spin(), arm)))
        });
        [norm(sub(at_b.0, at_a.0)), norm(sub(at_b.1, at_a.1))]
    }

    /// Accelerations of the points that may meet: velocities of bodies that move as they are accelerated.
    pub(super) fn accelerate_meetings(&mut self, s: &State) {
        let mut found = std::mem::take(&mut self.accelerated);
        if !found.is_empty() {
            self.place(&s.q, &s.a);
            for (meeting, found) in self.plan.meetings.iter().zip(&mut found) {
                [_, *found] = self.approach(meeting);
            }
        }
        self.accelerated = found;
    }

    /// The longest step that leaps over no meeting, with so many looks at what is passed; frames are placed.
    pub(super) fn look_at_meetings(&self, looks: f64) -> f64 {
        let meetings = self.plan.meetings.iter().zip(&self.accelerated);
        meetings.fold(f64::INFINITY, |longest, (meeting, a)| {
            let [apart, v] = self.approach(meeting);
            let takes = |way: f64| 2.0 * way / (v + (v * v + 2.0 * a * way).sqrt());
            let begins = takes((apart - meeting.reach).max(0.0));
            // at rest beside each other: nothing over nothing
            longest.min(begins.max(looks * takes(meeting.reach)))
        })
    }
}
