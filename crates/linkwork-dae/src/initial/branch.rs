//! Accelerations at a singular pose that the mechanism passes along a branch.
//!
//! At the pose `C_q a = gamma` leaves more than the motion's freedom open: the condition that
//! holds the mechanism on its branch only shows in the next derivative. The multipliers grow like
//! one over the distance on both sides, with opposite signs, while the accelerations are smooth.
//! So both are taken from the regular poses a little before and behind on the branch that the
//! velocities point along,
//!
//! ```text
//!  x(e) = (x(+e) + x(-e)) / 2 = x0 + e^2 x2 + ...      x0 = (4 x(e/2) - x(e)) / 3
//! ```
//!
//! which cancels the odd terms, `1/e` included; one extrapolation step (Richardson 1911) removes
//! the square.

use crate::chart;
use crate::saddle::Saddle;
use crate::state::State;
use crate::system::System;

/// Distance from the pose, relative to the coordinate scales.
const DISTANCE: f64 = 1e-2;
/// Share of the distance by which projections may correct a point of the branch.
const ON_BRANCH: f64 = 0.2;
/// Agreement wanted of the two distances.
const SMOOTH: f64 = 1e-2;

/// Replaces `a` and `lambda` by their limits along the branch. False, and nothing changed, when
/// the velocities vanish or the branch cannot be followed.
pub(super) fn accelerate(sys: &mut dyn System, saddle: &mut Saddle, s: &mut State) -> bool {
    let scale = sys.facts().scale.clone();
    let rate =
        s.v.iter()
            .zip(&scale)
            .map(|(v, s)| (v / s).abs())
            .fold(0.0, f64::max);
    // Slower than this, the second-order terms of the path rule its direction.
    let pull =
        s.a.iter()
            .zip(&scale)
            .map(|(a, s)| (a / s).abs())
            .fold(0.0, f64::max);
    if rate.is_nan() || rate * rate <= DISTANCE * pull {
        return false;
    }
    let e = DISTANCE / rate;
    // The second pass predicts with accelerations of the branch instead of least constraint, so
    // that its points lie at equal distances on both sides.
    let Some(first) = limit(sys, saddle, s, e, &scale) else {
        return false;
    };
    let Some(second) = limit(sys, saddle, &first, e, &scale) else {
        return false;
    };
    s.a.copy_from_slice(&second.a);
    s.lambda.copy_from_slice(&second.lambda);
    true
}

/// The state with `a` and `lambda` extrapolated from two distances, if they are smooth there.
fn limit(
    sys: &mut dyn System,
    saddle: &mut Saddle,
    s: &State,
    e: f64,
    scale: &[f64],
) -> Option<State> {
    let far = mean(sys, saddle, s, e, scale)?;
    let near = mean(sys, saddle, s, 0.5 * e, scale)?;
    let rate = DISTANCE / e;
    let size = near
        .a
        .iter()
        .fold(0.0f64, |m, a| m.max(a.abs()))
        .max(rate * rate);
    let smooth = far
        .a
        .iter()
        .zip(&near.a)
        .all(|(f, n)| (f - n).abs() <= SMOOTH * size);
    let extrapolated = |far: &[f64], near: &[f64]| {
        far.iter()
            .zip(near)
            .map(|(f, n)| (4.0 * n - f) / 3.0)
            .collect()
    };
    smooth.then(|| State {
        a: extrapolated(&far.a, &near.a),
        lambda: extrapolated(&far.lambda, &near.lambda),
        ..s.clone()
    })
}

/// Mean of the states at times `-e` and `+e` along the branch.
fn mean(
    sys: &mut dyn System,
    saddle: &mut Saddle,
    s: &State,
    e: f64,
    scale: &[f64],
) -> Option<State> {
    let ahead = follow(sys, saddle, s, e, scale)?;
    let mut mean = follow(sys, saddle, s, -e, scale)?;
    for (m, a) in mean.a.iter_mut().zip(&ahead.a) {
        *m = 0.5 * (*m + a);
    }
    for (m, l) in mean.lambda.iter_mut().zip(&ahead.lambda) {
        *m = 0.5 * (*m + l);
    }
    Some(mean)
}

/// The state of the branch at time `t + e` to second order.
fn follow(
    sys: &mut dyn System,
    saddle: &mut Saddle,
    s: &State,
    e: f64,
    scale: &[f64],
) -> Option<State> {
    let mut x = s.clone();
    x.t += e;
    let mut step = vec![0.0; x.v.len()];
    for (i, step) in step.iter_mut().enumerate() {
        *step = e * s.v[i] + 0.5 * e * e * s.a[i];
        x.v[i] += e * s.a[i];
    }
    chart::advance(sys, &mut x.q, &step);
    let predicted = x.clone();
    saddle.project_position(sys, &mut x).ok()?;
    saddle.project_velocity(sys, &mut x).ok()?;
    let rate = DISTANCE / e.abs();
    let strayed = (0..x.v.len()).any(|i| {
        (x.q[i] - predicted.q[i]).abs() > ON_BRANCH * DISTANCE * scale[i]
            || (x.v[i] - predicted.v[i]).abs() > ON_BRANCH * rate * scale[i]
    });
    if strayed {
        return None;
    }
    saddle.accelerate(sys, &mut x).ok()?;
    Some(x)
}
