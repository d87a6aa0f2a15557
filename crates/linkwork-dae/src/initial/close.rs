//! Assembly from a guess: restarts when it fails, trusted entries held when it succeeds.

use super::TRUSTED;
use super::assemble::{Assembly, Ending, Noise, Place, assemble};
use super::least_change::LeastChange;
use crate::chart;
use crate::system::{EvalError, Guess, System};

/// Unknowns beyond which a failed assembly is not tried again from shaken guesses.
const RESTART_LIMIT: usize = 2000;
/// Closes all rows: from the guess, from shaken guesses when that fails, and once more with the
/// trusted entries at their exact values. Returns the total number of iterations too.
pub(super) fn close(
    sys: &mut dyn System,
    guess: &Guess,
    weight: &[f64],
) -> Result<(Assembly, usize), EvalError> {
    const SHAKES: [f64; 5] = [0.02, 0.1, 0.3, 0.6, 1.0];
    let nc = sys.dims().nc;
    let place = Place {
        t: guess.t,
        v: &guess.v,
        x: &guess.x,
    };
    let all: Vec<usize> = sys.facts().lasting().take_while(|i| *i < nc).collect();
    let nc = all.len();
    let mut change = LeastChange::new(sys, &all, weight);
    let mut best = assemble(sys, place, &guess.q, &mut change, nc)?;
    let mut iterations = best.iterations;
    if best.ending != Ending::Closed && guess.q.len() <= RESTART_LIMIT {
        for (seed, shake) in SHAKES.iter().enumerate() {
            let mut noise = Noise::new(100 + seed as u64);
            let moves: Vec<f64> = (weight.iter().zip(change.scale()))
                .map(|(w, s)| noise.next() * shake * s * if *w < TRUSTED { 1.0 } else { 0.0 })
                .collect();
            let mut shaken = guess.q.clone();
            chart::advance(sys, &mut shaken, &moves);
            let Ok(tried) = assemble(sys, place, &shaken, &mut change, nc) else {
                continue;
            };
            iterations += tried.iterations;
            if tried.ending == Ending::Closed || tried.rms < best.rms {
                best = tried;
            }
            if best.ending == Ending::Closed {
                break;
            }
        }
    }
    let moved_little = weight
        .iter()
        .zip(best.q.iter().zip(&guess.q))
        .zip(change.scale())
        .filter(|((w, _), _)| **w >= TRUSTED)
        .all(|((_, (q, g)), s)| (q - g).abs() < 1e-3 * s);
    if best.ending == Ending::Closed
        && moved_little
        && let Some(sharper) = sharpen(weight)
    {
        let held: Vec<f64> = (best.q.iter().zip(&guess.q))
            .zip(weight)
            .map(|((q, g), w)| if *w >= TRUSTED { *g } else { *q })
            .collect();
        if held != best.q {
            let mut change = LeastChange::new(sys, &all, &sharper);
            if let Ok(a) = assemble(sys, place, &held, &mut change, nc) {
                iterations += a.iterations;
                if a.ending == Ending::Closed {
                    best = a;
                }
            }
        }
    }
    Ok((best, iterations))
}

/// Weights for a second pass that holds trusted entries to rounding; `None` without any.
pub(super) fn sharpen(weight: &[f64]) -> Option<Vec<f64>> {
    weight.iter().any(|w| *w >= TRUSTED).then(|| {
        weight
            .iter()
            .map(|w| if *w >= TRUSTED { w * w } else { *w })
            .collect()
    })
}
