//! Prescribed motions at an instant of the clock: their speeds may jump, by impulses, their values may not.

use crate::assemble::Plan;
use crate::joint::Course;
use linkwork_dae::system::EvalError;

/// What is rounding, beside typical sizes of values and beside speeds.
const ROUNDING: f64 = 1e-9;

/// Whether the speed of any prescribed motion of a model is another one on the other side of an instant, given by a
/// time on either side. No motion leaps: that is an error.
pub(super) fn kicks(plan: &Plan, sides: [f64; 2]) -> Result<bool, EvalError> {
    let mut kicked = false;
    for part in &plan.joints {
        for course in part.joint.courses() {
            let Change { value, kick } = Change::of(&course, sides, plan.length);
            if let Some([from, to]) = value {
                return Err(EvalError::Domain {
                    what: format!("joint `{}`, {}", part.name, course.words),
                    why: format!(
                        "its value leaps from {from} to {to} at t = {:.9}, which no force can follow; a smooth step \
                         over some time can be followed",
                        0.5 * (sides[0] + sides[1])
                    ),
                });
            }
            kicked |= kick;
        }
    }
    Ok(kicked)
}

/// What a function of time does at an instant.
struct Change {
    /// Its values on both sides, if they differ.
    value: Option<[f64; 2]>,
    /// Whether its rates differ.
    kick: bool,
}

impl Change {
    fn of(course: &Course<'_>, [before, after]: [f64; 2], length: f64) -> Change {
        let [a, b] = [before, after].map(|t| course.curve.derivatives(t, 2));
        // what it does on the way between the two times is no jump
        let smooth = |k: usize| (after - before) * (a[k + 1].abs() + b[k + 1].abs());
        let turns = course
            .repeats
            .map_or(0.0, |turn| ((b[0] - a[0]) / turn).round() * turn);
        let leap = (b[0] - a[0] - turns).abs();
        let size = length.min(1.0).max(a[0].abs());
        let kick = (b[1] - a[1]).abs();
        Change {
            value: (leap > smooth(0) + ROUNDING * size).then_some([a[0], b[0]]),
            kick: kick > smooth(1) + ROUNDING * a[1].abs().max(b[1].abs()),
        }
    }
}
