//! Closing the loops: positions with `C(q, t) = 0` near a guess.
//!
//! Levenberg-Marquardt on the scaled residual, `mu` following the squared residual: steps are the
//! least weighted change far out, and near the solution convergence is quadratic even when rows
//! are redundant (Yamashita & Fukushima 2001: an error bound replaces full rank). A step is taken
//! when the residual falls by a share of what the linear model promises; `mu` grows until it does.
//! At a singular pose convergence is linear. Bad at: guesses beyond a fold of the mechanism, where
//! the residual has a minimum that is not a zero; a few deterministic restarts from shaken guesses
//! help.

use super::least_change::{LEAST_MU, LeastChange};
use crate::chart;
use crate::system::{At, EvalError, Part, System, Terms};

/// Wanted residual relative to the size of its terms.
pub(super) const CLOSED: f64 = 1e-12;
/// What rounding may leave when no step improves the residual any more.
pub(super) const NEARLY_CLOSED: f64 = 100.0 * CLOSED;
const ITERATIONS: usize = 200;
const REJECTIONS: usize = 25;
/// Iterations with next to no gain after which the residual counts as minimal.
const IDLE: usize = 8;

/// How an assembly ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// All rows closed.
    Closed,
    /// The residual cannot be made smaller by small moves.
    Stuck,
    /// Too many iterations.
    Exhausted,
}

/// The end of an assembly; `q` is the best configuration seen.
#[derive(Clone, Debug)]
pub(super) struct Assembly {
    pub ending: Ending,
    pub iterations: usize,
    pub q: Vec<f64>,
    pub c: Vec<f64>,
    pub c_q: Vec<f64>,
    /// Scaled residual, root mean square.
    pub rms: f64,
}

/// What positions are assembled at: time, and velocities and states that terms may depend on.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub t: f64,
    pub v: &'a [f64],
    pub x: &'a [f64],
}

fn evaluate(
    sys: &mut dyn System,
    place: Place<'_>,
    q: &[f64],
    c: &mut [f64],
    c_q: Option<&mut [f64]>,
) -> Result<(), EvalError> {
    let at = At {
        t: place.t,
        q,
        v: place.v,
        a: &[],
        lambda: &[],
        x: place.x,
    };
    let mut want = Terms {
        c: Some(c),
        c_q,
        ..Terms::default()
    };
    sys.eval(&at, &mut want)
}

/// Moves `q` until the rows of `change` are closed. Evaluation errors count only at the start;
/// later they make a trial step shorter.
pub(super) fn assemble(
    sys: &mut dyn System,
    place: Place<'_>,
    q: &[f64],
    change: &mut LeastChange,
    rows: usize,
) -> Result<Assembly, EvalError> {
    let nc = sys.dims().nc;
    let count = rows.max(1) as f64;
    let mut now = Assembly {
        ending: Ending::Exhausted,
        iterations: 0,
        q: q.to_vec(),
        c: vec![0.0; nc],
        c_q: vec![0.0; sys.patterns()[Part::Cq].len()],
        rms: 0.0,
    };
    evaluate(sys, place, &now.q, &mut now.c, Some(&mut now.c_q))?;
    let (mut trial_q, mut trial_c) = (now.q.clone(), now.c.clone());
    let mut trial_c_q = now.c_q.clone();
    let mut d = vec![0.0; now.q.len()];
    let mut nu = 1.0;
    let (mut rejections, mut idle) = (0, 0);
    let mut polished = false;
    change.rescale(&now.c_q);
    loop {
        let squares = change.squares(&now.c);
        now.rms = (squares / count).sqrt();
        let relative = change.relative(&now.c_q, &now.c, &now.q);
        if relative <= CLOSED && (polished || relative <= 0.01 * CLOSED) {
            now.ending = Ending::Closed;
            return Ok(now);
        }
        let stopped = |ending| {
            if relative <= NEARLY_CLOSED {
                Ending::Closed
            } else {
                ending
            }
        };
        if now.iterations >= ITERATIONS {
            now.ending = stopped(Ending::Exhausted);
            return Ok(now);
        }
        if rejections >= REJECTIONS || idle >= IDLE {
            now.ending = stopped(Ending::Stuck);
            return Ok(now);
        }
        // One more step after closing: it costs one solve and gains the digits that rank
        // decisions live on.
        polished = relative <= CLOSED;
        now.iterations += 1;
        let mu = (nu * squares / count).clamp(LEAST_MU, 1e12);
        if !change.factor(&now.c_q, mu) {
            now.ending = stopped(Ending::Stuck);
            return Ok(now);
        }
        let promised = squares - change.step(&now.c, &mut d);
        trial_q.copy_from_slice(&now.q);
        chart::advance(sys, &mut trial_q, &d);
        let got = evaluate(sys, place, &trial_q, &mut trial_c, Some(&mut trial_c_q))
            .ok()
            .filter(|()| trial_c_q.iter().all(|x| x.is_finite()))
            .map(|()| squares - change.squares(&trial_c))
            .filter(|gain| gain.is_finite());
        let gain = got.map_or(-1.0, |gain| gain / promised.max(f64::MIN_POSITIVE));
        if gain > 1e-3 {
            idle = if gain * promised < 1e-3 * squares {
                idle + 1
            } else {
                0
            };
            std::mem::swap(&mut now.q, &mut trial_q);
            std::mem::swap(&mut now.c, &mut trial_c);
            std::mem::swap(&mut now.c_q, &mut trial_c_q);
            change.rescale(&now.c_q);
            rejections = 0;
            if gain > 0.75 {
                nu = (nu * 0.25f64).max(1e-6);
            } else if gain < 0.25 {
                nu *= 4.0;
            }
        } else {
            if relative <= NEARLY_CLOSED {
                now.ending = Ending::Closed;
                return Ok(now);
            }
            rejections += 1;
            nu = if mu <= LEAST_MU {
                4.0 * LEAST_MU * count / squares
            } else {
                nu * 4.0
            };
        }
    }
}

/// Numbers in [-1, 1], the same in every run (Steele, Lea & Flood 2014, SplitMix).
pub(super) struct Noise(u64);

impl Noise {
    pub fn new(seed: u64) -> Noise {
        Noise(seed)
    }

    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        (z >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}
