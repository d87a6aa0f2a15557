//! Which derivatives of a force can be nonzero, found by trying.

use super::{ForcePattern, ForcePoint, ForceTerms, MAX_INPUTS, MAX_STATES, OutOfDomain};
use crate::joint::MAX_TURNS;
use crate::joint::by_scalar::{arbitrary, numbers};
use crate::lanes::{COLUMNS, Lanes};

/// Points that are tried, and how fast bodies are at each: what has a speed of transition is constant to rounding
/// above it, and shows that it depends on the speed below only.
const SPEEDS: [f64; 11] = [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1e-3, 1e-6, 1e-9];

/// Entries that are nonzero at some of a few points in general position, in the x-y plane where
/// `flat`; points outside the domain of the law count nothing.
pub(super) fn probe(
    flat: bool,
    has_states: bool,
    evaluate: impl Fn(&ForcePoint<'_>, &mut ForceTerms) -> Result<(), OutOfDomain>,
) -> ForcePattern {
    let mut draw = numbers(0.413);
    let mut pattern = ForcePattern::default();
    let mut out = ForceTerms::default();
    let lanes = Lanes::of_free(flat);
    for speed in SPEEDS {
        let [a, b] = [(); 2].map(|()| {
            let mut frame = arbitrary(flat, &mut draw);
            let parts = [&mut frame.velocity, &mut frame.omega];
            parts.into_iter().flatten().for_each(|v| *v *= speed);
            frame
        });
        let t = 1.0 + draw();
        let inputs: [f64; MAX_INPUTS] = std::array::from_fn(|_| draw());
        let states: Vec<f64> = match has_states {
            true => (0..MAX_STATES).map(|_| draw()).collect(),
            false => Vec::new(),
        };
        let at = ForcePoint {
            now: t.into(),
            a: &a,
            b: &b,
            inputs: &inputs,
            turns: &[0.0; MAX_TURNS],
            states: &states,
            sides: &[],
            lanes: &lanes,
        };
        if evaluate(&at, &mut out).is_err() {
            continue;
        }
        let note = |entry: (usize, usize), x: f64, list: &mut Vec<(u8, u8)>| {
            let entry = (entry.0 as u8, entry.1 as u8);
            if x != 0.0 && !list.contains(&entry) {
                list.push(entry);
            }
        };
        for i in 0..COLUMNS {
            for j in 0..COLUMNS {
                note((i, j), out.stiffness[i][j], &mut pattern.stiffness);
                note((i, j), out.damping[i][j], &mut pattern.damping);
            }
            for j in 0..MAX_INPUTS {
                note((i, j), out.by_input[j][i], &mut pattern.by_input);
            }
            for k in 0..states.len() {
                note((i, k), out.states.by_state[k][i], &mut pattern.by_state);
                note((k, i), out.states.f_q[k][i], &mut pattern.f_q);
                note((k, i), out.states.f_v[k][i], &mut pattern.f_v);
            }
        }
    }
    let lists = [
        &mut pattern.stiffness,
        &mut pattern.damping,
        &mut pattern.by_input,
        &mut pattern.by_state,
        &mut pattern.f_q,
        &mut pattern.f_v,
    ];
    for list in lists {
        list.sort_unstable();
    }
    pattern
}
