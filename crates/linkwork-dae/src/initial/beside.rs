//! Starts beside a singular pose, where the start itself chooses no branch of motion.
//!
//! The pose is moved at random, a little, and put back onto all constraints: what comes out lies on one of the
//! branches that meet there, on one side of the pose.

use super::assemble::Noise;
use super::report::PoseCheck;
use super::{not_kept, start};
use crate::chart;
use crate::state::State;
use crate::system::{Guess, System};

/// Distance from the pose, relative to the coordinate scales: as far as accelerations of branches are looked for.
const DISTANCE: f64 = 1e-2;
/// Poses tried, each to both sides.
const SAMPLES: u64 = 8;
/// Guesses at most.
const MOST: usize = 4;
/// Starts in directions that agree so well (cosine) lie on the same side of the same branch.
const SAME: f64 = 0.9;

/// Guesses that start beside a pose, one for each side of each branch that is found.
pub fn beside(sys: &mut dyn System, guess: &Guess, pose: &State) -> Vec<Guess> {
    let scale = sys.facts().scale.clone();
    let mut ways: Vec<(Vec<f64>, Guess)> = Vec::new();
    let both = |seed| [(seed, 1.0), (seed, -1.0)];
    for (seed, sign) in (1..=SAMPLES).flat_map(both) {
        let mut noise = Noise::new(seed);
        let shake = scale.iter().map(|s| sign * DISTANCE * s * noise.next());
        let shake: Vec<f64> = shake.collect();
        let mut moved = guess.clone();
        moved.q.copy_from_slice(&pose.q);
        chart::advance(sys, &mut moved.q, &shake);
        let Ok(found) = start(sys, &moved) else {
            continue;
        };
        if !not_kept(sys, guess, &found.state).is_empty() {
            continue;
        }
        let offset = found.state.q.iter().zip(&pose.q).zip(&scale);
        let offset: Vec<f64> = offset.map(|((to, from), s)| (to - from) / s).collect();
        let length = dot(&offset, &offset).sqrt();
        if matches!(found.report.pose, PoseCheck::Singular { .. }) || !(length > 0.1 * DISTANCE) {
            continue;
        }
        let direction: Vec<f64> = offset.iter().map(|x| x / length).collect();
        let known = (ways.iter()).any(|(other, _)| dot(other, &direction) > SAME);
        if known {
            continue;
        }
        moved.q.copy_from_slice(&found.state.q);
        ways.push((direction, moved));
        if ways.len() == MOST {
            break;
        }
    }
    ways.into_iter().map(|(_, guess)| guess).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
