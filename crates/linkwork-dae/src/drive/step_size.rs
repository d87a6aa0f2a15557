//! Lengths of steps: the first one, and those that meet a target.

use crate::state::{State, Weights, norm};

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

#[cfg(test)]
mod tests {
    use super::super::EVENT_STRETCH;
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
