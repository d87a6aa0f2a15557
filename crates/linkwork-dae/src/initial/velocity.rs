//! Start velocities: `min 1/2 (v - v0)' W (v - v0)  s.t.  C_q v + C_t = 0`.

use super::close::sharpen;
use super::consistency;
use super::least_change::LeastChange;
use crate::state::State;
use crate::system::{At, EvalError, Guess, Part, System, Terms};

/// Least weighted change of the velocity guess that meets `C_q v + C_t = 0`, trusted entries held
/// where possible.
pub(super) fn solve_velocity(
    sys: &mut dyn System,
    s: &mut State,
    guess: &Guess,
    kept: &[usize],
    weight: &[f64],
) -> Result<(), EvalError> {
    let plain = least_velocity(sys, s, &guess.v, kept, weight)?;
    let unchanged = plain == guess.v;
    let mut chosen = plain;
    if let Some(sharper) = sharpen(weight).filter(|_| !unchanged) {
        let held = least_velocity(sys, s, &guess.v, kept, &sharper)?;
        s.v.copy_from_slice(&held);
        if consistency::velocity_violations(sys, s, &held, kept)?.is_none() {
            chosen = held;
        }
    }
    s.v.copy_from_slice(&chosen);
    Ok(())
}

fn least_velocity(
    sys: &mut dyn System,
    s: &State,
    guess: &[f64],
    kept: &[usize],
    weight: &[f64],
) -> Result<Vec<f64>, EvalError> {
    // Holonomic rows are linear in v; repetition removes the bias of the regularised step and is
    // Newton's method for non-holonomic rows that are not.
    const REPETITIONS: usize = 8;
    let mut change = None;
    let mut c_q = vec![0.0; sys.patterns()[Part::Cq].len()];
    let mut cv = vec![0.0; sys.dims().rows()];
    let may_be_nonlinear = sys.dims().ng > 0;
    let mut v = guess.to_vec();
    let mut d = vec![0.0; v.len()];
    for repetition in 0..REPETITIONS {
        let at = At {
            t: s.t,
            q: &s.q,
            v: &v,
            a: &[],
            lambda: &[],
            x: &s.x,
        };
        let mut want = Terms {
            c_q: Some(&mut c_q),
            cv: Some(&mut cv),
            ..Terms::default()
        };
        sys.eval(&at, &mut want)?;
        if kept.iter().all(|&i| cv[i] == 0.0) {
            break;
        }
        let change = change.get_or_insert_with(|| LeastChange::new(sys, kept, weight));
        if repetition == 0 || may_be_nonlinear {
            change.rescale(&c_q);
            if !change.factor(&c_q, 0.0) {
                break;
            }
        }
        change.step(&cv, &mut d);
        for (v, d) in v.iter_mut().zip(&d) {
            *v += d;
        }
    }
    Ok(v)
}
