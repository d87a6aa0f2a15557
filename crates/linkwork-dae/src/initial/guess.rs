//! Is the guess usable? Lengths, finite numbers, finite terms at the first evaluation.

use super::failure::StartError;
use crate::state::State;
use crate::system::{At, Guess, Part, Row, System, Terms};

/// Weights are limited to what the step equations resolve.
const WEIGHT_RANGE: (f64, f64) = (1e-8, 1e8);

/// Lengths and finiteness of the guess; returns usable weights of `q` and `v`.
pub(super) fn check_guess(
    sys: &dyn System,
    guess: &Guess,
) -> Result<(Vec<f64>, Vec<f64>), StartError> {
    let dims = sys.dims();
    for (what, found, expected) in [
        ("positions", guess.q.len(), dims.nq),
        ("velocities", guess.v.len(), dims.nv),
        ("states", guess.x.len(), dims.nx),
    ] {
        if found != expected {
            return Err(StartError::WrongLength {
                what,
                found,
                expected,
            });
        }
    }
    let partial = || {
        Box::new(State {
            t: guess.t,
            q: guess.q.clone(),
            v: guess.v.clone(),
            x: guess.x.clone(),
            ..State::new(dims)
        })
    };
    if !guess.t.is_finite() {
        return Err(StartError::NotFinite {
            what: "the start time".to_string(),
            state: partial(),
        });
    }
    type Naming = fn(usize) -> Row;
    for (values, row, what) in [
        (&guess.q, Row::Position as Naming, "start value of"),
        (&guess.v, Row::Velocity, "start value of"),
        (&guess.x, Row::State, "start value of"),
        (&guess.weight_q, Row::Position, "assembly weight of"),
        (&guess.weight_v, Row::Velocity, "assembly weight of"),
    ] {
        if let Some(i) = values.iter().position(|x| !x.is_finite()) {
            return Err(StartError::NotFinite {
                what: format!("{what} {}", sys.describe(row(i))),
                state: partial(),
            });
        }
    }
    let usable = |weight: &[f64], n: usize| {
        let mut w = weight.to_vec();
        w.resize(n, 1.0);
        for w in &mut w {
            *w = w.clamp(WEIGHT_RANGE.0, WEIGHT_RANGE.1);
        }
        w
    };
    Ok((
        usable(&guess.weight_q, dims.nq),
        usable(&guess.weight_v, dims.nv),
    ))
}

/// Every term must be finite at the guess; returns `C` there.
pub(super) fn check_first_evaluation(
    sys: &mut dyn System,
    s: &State,
) -> Result<Vec<f64>, StartError> {
    let dims = sys.dims();
    let mass_at = sys.patterns()[Part::Mass].clone();
    let c_q_at = sys.patterns()[Part::Cq].clone();
    let (mut mass, mut c_q) = (vec![0.0; mass_at.len()], vec![0.0; c_q_at.len()]);
    let mut force = vec![0.0; dims.nv];
    let mut c = vec![0.0; dims.nc];
    let [mut cv, mut gamma] = [(); 2].map(|()| vec![0.0; dims.rows()]);
    let mut f = vec![0.0; dims.nx];
    let mut want = Terms {
        r: None,
        mass: Some(&mut mass),
        force: Some(&mut force),
        c: Some(&mut c),
        c_q: Some(&mut c_q),
        cv: Some(&mut cv),
        gamma: Some(&mut gamma),
        f: (dims.nx > 0).then_some(&mut f[..]),
        generators: None,
    };
    let at = At {
        a: &[],
        lambda: &[],
        ..s.at()
    };
    sys.eval(&at, &mut want)
        .map_err(|e| super::eval_failed(e, s))?;
    let bad = |x: &[f64]| x.iter().position(|x| !x.is_finite());
    let culprit = if let Some(k) = bad(&mass) {
        Some(("the mass matrix", Row::Velocity(mass_at[k].0 as usize)))
    } else if let Some(i) = bad(&force) {
        Some(("the force", Row::Velocity(i)))
    } else if let Some(i) = bad(&c) {
        Some(("the residual", Row::Constraint(i)))
    } else if let Some(k) = bad(&c_q) {
        Some(("the Jacobian", Row::Constraint(c_q_at[k].0 as usize)))
    } else if let Some(i) = bad(&cv) {
        Some(("the velocity equation", Row::Constraint(i)))
    } else if let Some(i) = bad(&gamma) {
        Some(("the acceleration equation", Row::Constraint(i)))
    } else {
        bad(&f).map(|i| ("the rate", Row::State(i)))
    };
    match culprit {
        None => Ok(c),
        Some((term, row)) => Err(StartError::NotFinite {
            what: format!("{term} of {}", sys.describe(row)),
            state: Box::new(s.clone()),
        }),
    }
}
