//! Does the motion stay where rows depend on each other?
//!
//! Next to some poses rows are independent, and the motion never goes there: a table on parallel rods of one
//! length swings without a turn, and on that way one rod is always implied by the others. Such rows are redundant
//! for the motion. At a change point it is the other way round: the motion leaves the pose, and there they are
//! independent. So the motion that the independent rows allow is followed a little to both sides.

use super::assemble::NEARLY_CLOSED;
use super::least_change::LeastChange;
use super::rank::{self, Rank};
use super::{solver_for, velocity};
use crate::chart;
use crate::saddle::Saddle;
use crate::state::State;
use crate::system::{Guess, Part, Rows, System, Terms};

/// How far the motion is followed, relative to the coordinate scales.
const DISTANCES: [f64; 2] = [1e-3, 1e-2];

/// Whether all rows stay closed, and those that depend on others do so still, along the motion from a closed
/// configuration.
pub(super) fn is_steady(
    sys: &mut dyn System,
    guess: &Guess,
    state: &State,
    here: &Rank,
    weight_v: &[f64],
) -> bool {
    steady(sys, guess, state, here, weight_v).unwrap_or(false)
}

fn steady(
    sys: &mut dyn System,
    guess: &Guess,
    state: &State,
    here: &Rank,
    weight_v: &[f64],
) -> Option<bool> {
    let rows = Rows::of(here.kept.iter().map(|&i| i as u32).collect());
    let mut s = state.clone();
    velocity::solve_velocity(sys, &mut s, guess, &here.kept, weight_v).ok()?;
    let solver = solver_for(sys.dims().nv + rows.c.len());
    let mut saddle = Saddle::new(sys, &rows, solver);
    saddle.accelerate_by_factors(sys, &mut s).ok()?;
    let all: Vec<usize> = sys.facts().lasting().collect();
    let unit = vec![1.0; s.q.len()];
    let mut full = LeastChange::new(sys, &all, &unit);
    let largest = |x: &[f64]| {
        let relative = x
            .iter()
            .zip(full.scale())
            .map(|(x, scale)| (x / scale).abs());
        relative.fold(0.0, f64::max)
    };
    let (rate, pull) = (largest(&s.v), largest(&s.a));
    if !(rate + pull > 0.0) {
        return None;
    }
    let (mut c, mut c_q) = (
        vec![0.0; sys.dims().rows()],
        vec![0.0; sys.patterns()[Part::Cq].len()],
    );
    for distance in DISTANCES {
        // rate e + pull e^2/2 = distance
        let e = 2.0 * distance / (rate + (rate * rate + 2.0 * pull * distance).sqrt());
        for e in [e, -e] {
            let mut x = s.clone();
            x.t += e;
            let step = s.v.iter().zip(&s.a).map(|(v, a)| e * v + 0.5 * e * e * a);
            chart::advance(sys, &mut x.q, &step.collect::<Vec<f64>>());
            saddle.project_position(sys, &mut x).ok()?;
            let nc = sys.dims().nc;
            let mut want = Terms {
                c: Some(&mut c[..nc]),
                c_q: Some(&mut c_q),
                ..Terms::default()
            };
            sys.eval(&x.at(), &mut want).ok()?;
            full.rescale(&c_q);
            let there = rank::analyse(&full.scaled_rows(&c_q), &[]);
            let closed = full.relative(&c_q, &c, &x.q) <= NEARLY_CLOSED;
            if !closed || there.kept.len() > here.kept.len() {
                return Some(false);
            }
        }
    }
    Some(true)
}
