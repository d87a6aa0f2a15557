//! Do equations hold that were not solved for? Removed rows at velocity and acceleration level.
//!
//! A row `G_j = sum c_k G_k` is implied by the kept rows only if its right-hand sides are the same
//! combination: `C_t,j = sum c_k C_t,k` and `gamma_j = sum c_k gamma_k`. Two drives of one
//! coordinate that agree in position at the start but not in speed fail here.

use super::rank::Dependence;
use crate::state::State;
use crate::system::{At, EvalError, Part, System, Terms};

/// Violations relative to the size of the terms of the equation.
const VELOCITY: f64 = 1e-8;
const ACCELERATION: f64 = 1e-7;
/// Terms this small against `|C_q| v` and `|C_q| v^2` of the whole motion are rounding.
const ROUNDING: f64 = 1e-10;
/// Rows listed in an error.
const LISTED: usize = 12;

/// Violated rows among `rows` of `C_q v + C_t = 0` with their residuals, worst first. `guess` is where
/// the velocities come from: rows that have stopped them leave its rounding.
pub(super) fn velocity_violations(
    sys: &mut dyn System,
    s: &State,
    guess: &[f64],
    rows: &[usize],
) -> Result<Option<Vec<(usize, f64)>>, EvalError> {
    let dims = sys.dims();
    let mut c_q = vec![0.0; sys.patterns()[Part::Cq].len()];
    let (mut cv, mut c_t) = (vec![0.0; dims.rows()], vec![0.0; dims.rows()]);
    let mut want = Terms {
        c_q: Some(&mut c_q),
        cv: Some(&mut cv),
        ..Terms::default()
    };
    sys.eval(&s.at(), &mut want)?;
    let rest = vec![0.0; dims.nv];
    let mut want = Terms {
        cv: Some(&mut c_t),
        ..Terms::default()
    };
    sys.eval(&At { v: &rest, ..s.at() }, &mut want)?;
    let scale = sys.facts().scale.clone();
    let speed = |j: usize| s.v[j].abs().max(guess[j].abs());
    let rate = (0..dims.nv).fold(0.0, |r, j| f64::max(r, speed(j) / scale[j]));
    let mut size: Vec<f64> = c_t.iter().map(|x| x.abs()).collect();
    // a row that sees none of the motion still has its rounding
    let mut rounding = vec![0.0; dims.rows()];
    for (&(i, j), g) in sys.patterns()[Part::Cq].iter().zip(&c_q) {
        let (i, j) = (i as usize, j as usize);
        size[i] += g.abs() * speed(j);
        rounding[i] += ROUNDING * g.abs() * scale[j] * rate;
    }
    // A row at rest next to moving ones only has their rounding.
    let floor = 1e-6 * size.iter().copied().fold(0.0, f64::max);
    let violated: Vec<(usize, f64)> = rows
        .iter()
        .filter(|&&i| exceeds(cv[i], VELOCITY * size[i].max(floor) + rounding[i]))
        .map(|&i| (i, cv[i]))
        .collect();
    Ok((!violated.is_empty()).then(|| sorted(violated)))
}

/// Dependent rows whose acceleration equation contradicts the kept ones, worst first.
pub(super) fn acceleration_violations(
    sys: &mut dyn System,
    s: &State,
    dependent: &[&Dependence],
) -> Result<Option<Vec<(usize, f64)>>, EvalError> {
    if dependent.is_empty() {
        return Ok(None);
    }
    let dims = sys.dims();
    let mut c_q = vec![0.0; sys.patterns()[Part::Cq].len()];
    let mut gamma = vec![0.0; dims.rows()];
    let mut want = Terms {
        c_q: Some(&mut c_q),
        gamma: Some(&mut gamma),
        ..Terms::default()
    };
    sys.eval(&s.at(), &mut want)?;
    let scale = sys.facts().scale.clone();
    let rate =
        s.v.iter()
            .zip(&scale)
            .map(|(v, s)| (v / s).abs())
            .fold(0.0, f64::max);
    let mut centripetal = vec![0.0; dims.rows()];
    for (&(i, j), g) in sys.patterns()[Part::Cq].iter().zip(&c_q) {
        centripetal[i as usize] += g.abs() * scale[j as usize] * rate * rate;
    }
    let mut violated = Vec::new();
    for d in dependent {
        let mut difference = gamma[d.row];
        let mut size = gamma[d.row].abs();
        for &(k, c) in &d.on {
            difference -= c * gamma[k];
            size += (c * gamma[k]).abs();
        }
        let allowed = ACCELERATION * size + ROUNDING * centripetal[d.row];
        if exceeds(difference, allowed) {
            violated.push((d.row, difference));
            violated.extend(d.on.iter().map(|&(k, _)| (k, 0.0)));
        }
    }
    Ok((!violated.is_empty()).then(|| sorted(violated)))
}

/// The rows with the largest residuals, those below a tenth of the worst left out.
pub(super) fn worst(residual: &[f64]) -> Vec<(usize, f64)> {
    let largest = residual.iter().fold(0.0f64, |l, r| l.max(r.abs()));
    sorted(
        residual
            .iter()
            .enumerate()
            .filter(|(_, r)| r.is_nan() || r.abs() >= 0.1 * largest)
            .map(|(i, r)| (i, *r))
            .collect(),
    )
}

/// NaN exceeds everything.
fn exceeds(x: f64, allowed: f64) -> bool {
    x.is_nan() || x.abs() > allowed
}

fn sorted(mut rows: Vec<(usize, f64)>) -> Vec<(usize, f64)> {
    rows.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()).then(a.0.cmp(&b.0)));
    rows.dedup_by_key(|r| r.0);
    rows.truncate(LISTED);
    rows
}
