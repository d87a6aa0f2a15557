//! Forces with states of their own, `x' = f(t, u, x, bodies)`, written once for any scalar.
//!
//! ```text
//!  -dQ/dq, df/dq   Dual<N>   R (I + theta^), one lane per freedom that exists, x' and omega fixed
//!  -dQ/dv, df/dv   Dual<N>   lanes in x' and omega
//!   dQ/dx, df/dx   Dual<4>   lanes in the states
//!   dQ/du, df/du   Dual<6>   lanes in the inputs
//! ```

use super::{ForcePattern, ForcePoint, ForceTerms, ForceWant, OutOfDomain};
use super::{MAX_INPUTS, MAX_STATES, MAX_SWITCHES};
use crate::expr::Now;
use crate::geometry::Frame;
use crate::lanes::{COLUMNS, with_lanes};
use linkwork_dae::scalar::{Dual, Scalar};

/// What a force is given beside its bodies.
#[derive(Clone, Copy, Debug)]
pub struct Known<S> {
    /// Values of its formulas.
    pub inputs: [S; MAX_INPUTS],
    /// Its states.
    pub states: [S; MAX_STATES],
    /// Sides of its switching functions that are frozen.
    pub sides: [Option<bool>; MAX_SWITCHES],
}

/// What it answers.
#[derive(Clone, Copy, Debug)]
pub struct Flow<S> {
    /// Forces (global) and torques about the centres of mass (body axes) on body a, then body b.
    pub wrench: [S; COLUMNS],
    /// Rates of its states; zero beyond those it has.
    pub rates: [S; MAX_STATES],
}

/// A force law with states, for any scalar.
pub trait Evolution {
    /// Loads on the bodies and rates of the states.
    fn flow<S: Scalar>(
        &self,
        given: &Known<S>,
        a: &Frame<S>,
        b: &Frame<S>,
        turns: &[f64],
    ) -> Result<Flow<S>, OutOfDomain>;

    /// Values of the formulas at a time, in the order of [`super::Force::inputs`], for when none
    /// of them names a signal.
    fn values(&self, now: Now) -> [f64; MAX_INPUTS] {
        let _ = now;
        [0.0; MAX_INPUTS]
    }
}

/// Inputs and states at a point.
pub fn given<F: Evolution>(law: &F, at: &ForcePoint<'_>) -> Known<f64> {
    let mut given = Known {
        inputs: [0.0; MAX_INPUTS],
        states: [0.0; MAX_STATES],
        sides: std::array::from_fn(|k| at.sides.get(k).copied()),
    };
    if at.inputs.is_empty() {
        given.inputs = law.values(at.now);
    }
    for (value, input) in given.inputs.iter_mut().zip(at.inputs) {
        *value = *input;
    }
    for (value, state) in given.states.iter_mut().zip(at.states) {
        *value = *state;
    }
    given
}

/// Numbers without derivatives.
fn constant<S: Scalar>(given: &Known<f64>) -> Known<S> {
    Known {
        inputs: given.inputs.map(S::from),
        states: given.states.map(S::from),
        sides: given.sides,
    }
}

/// Fills the wanted terms of a force from its law.
pub fn evaluate<F: Evolution>(
    law: &F,
    at: &ForcePoint<'_>,
    want: ForceWant,
    out: &mut ForceTerms,
) -> Result<(), OutOfDomain> {
    let given = given(law, at);
    if want.any(ForceWant::Q | ForceWant::RATES) {
        let flow = law.flow(&given, at.a, at.b, at.turns)?;
        (out.q, out.states.f) = (flow.wrench, flow.rates);
    }
    if want.any(ForceWant::STIFFNESS | ForceWant::DAMPING | ForceWant::SLOPES) {
        with_lanes!(at.lanes, differentiate(law, at, &given, want, out))?;
    }
    let (a, b) = (Frame::constant(at.a), Frame::constant(at.b));
    if want.any(ForceWant::SLOPES) {
        let by = Known {
            states: std::array::from_fn(|i| Dual::<MAX_STATES>::variable(given.states[i], i)),
            ..constant(&given)
        };
        let flow = law.flow(&by, &a, &b, at.turns)?;
        out.states.by_state = std::array::from_fn(|i| flow.wrench.map(|q| q.d[i]));
        out.states.f_x = flow.rates.map(|f| f.d);
    }
    if want.any(ForceWant::BY_INPUT | ForceWant::SLOPES) && !at.inputs.is_empty() {
        let (a, b) = (Frame::constant(at.a), Frame::constant(at.b));
        let by = Known {
            inputs: std::array::from_fn(|i| Dual::<MAX_INPUTS>::variable(given.inputs[i], i)),
            ..constant(&given)
        };
        let flow = law.flow(&by, &a, &b, at.turns)?;
        out.by_input = std::array::from_fn(|i| flow.wrench.map(|q| q.d[i]));
        out.states.f_u = flow.rates.map(|f| f.d);
    }
    Ok(())
}

fn differentiate<const N: usize, F: Evolution>(
    law: &F,
    at: &ForcePoint<'_>,
    given: &Known<f64>,
    want: ForceWant,
    out: &mut ForceTerms,
) -> Result<(), OutOfDomain> {
    let [of_a, of_b] = &at.lanes.of;
    let given = constant::<Dual<N>>(given);
    if want.any(ForceWant::STIFFNESS | ForceWant::SLOPES) {
        let (a, b) = (Frame::moved(at.a, of_a), Frame::moved(at.b, of_b));
        let flow = law.flow(&given, &a, &b, at.turns)?;
        (out.stiffness) = (flow.wrench).map(|q| at.lanes.spread::<N>(&q.d.map(|d| -d)));
        out.states.f_q = flow.rates.map(|f| at.lanes.spread::<N>(&f.d));
    }
    if want.any(ForceWant::DAMPING | ForceWant::SLOPES) {
        let (a, b) = (Frame::faster(at.a, of_a), Frame::faster(at.b, of_b));
        let flow = law.flow(&given, &a, &b, at.turns)?;
        (out.damping) = (flow.wrench).map(|q| at.lanes.spread::<N>(&q.d.map(|d| -d)));
        out.states.f_v = flow.rates.map(|f| at.lanes.spread::<N>(&f.d));
    }
    Ok(())
}

/// Entries that can be nonzero, in the x-y plane where `flat`.
pub fn probe<F: Evolution>(law: &F, flat: bool) -> ForcePattern {
    super::probe::probe(flat, true, |at, out| evaluate(law, at, ForceWant::ALL, out))
}
