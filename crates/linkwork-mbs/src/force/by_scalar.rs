//! Forces that write their law once and get every derivative from the scalar.
//!
//! ```text
//!  -dQ/dq   Dual<N>     R (I + theta^), one lane per freedom that exists, x' and omega fixed
//!  -dQ/dv   Dual<N>     lanes in x' and omega
//!  by_input Dual<6>     lanes in the inputs
//! ```

use super::{
    ForceEnergy, ForcePattern, ForcePoint, ForceTerms, ForceWant, MAX_INPUTS, OutOfDomain,
};
use crate::expr::{Formula, Now};
use crate::geometry::{Frame, Vector, cross, sub};
use crate::lanes::{COLUMNS, with_lanes};
use linkwork_dae::scalar::{Dual, Scalar};

/// Where a law is asked.
#[derive(Clone, Copy, Debug)]
pub struct Bodies<'a, S> {
    /// Values of the force's formulas.
    pub inputs: &'a [S; MAX_INPUTS],
    /// Body a.
    pub a: &'a Frame<S>,
    /// Body b.
    pub b: &'a Frame<S>,
    /// The angles that the force keeps count of.
    pub turns: &'a [f64],
    /// Sides of its switching functions that are frozen; empty: where they are.
    pub sides: &'a [bool],
}

/// A force law for any scalar.
pub trait Law {
    /// Forces (global) and torques about the centres of mass (body axes) on body a, then body b.
    fn wrench<S: Scalar>(&self, at: Bodies<'_, S>) -> Result<[S; COLUMNS], OutOfDomain>;

    /// Values of the formulas at a time, in the order of [`super::Force::inputs`], for when none
    /// of them names a signal.
    fn values(&self, now: Now) -> [f64; MAX_INPUTS] {
        let _ = now;
        [0.0; MAX_INPUTS]
    }
}

/// Pattern and evaluation of a force, or the latter alone, by its law: [`by_scalar`](self) or [`super::evolution`].
macro_rules! derived {
    ($by:ident) => {
        fn pattern(&self, flat: bool) -> $crate::force::ForcePattern {
            $crate::force::$by::probe(self, flat)
        }
        derived!(eval $by);
    };
    (eval $by:ident) => {
        fn eval(
            &self,
            at: &$crate::force::ForcePoint<'_>,
            want: $crate::force::ForceWant,
            out: &mut $crate::force::ForceTerms,
        ) -> Result<(), $crate::force::OutOfDomain> {
            $crate::force::$by::evaluate(self, at, want, out)
        }
    };
}
pub(super) use derived;

/// Inputs that follow formulas of time, in their order.
pub fn at_time<'a>(now: Now, formulas: impl IntoIterator<Item = &'a Formula>) -> [f64; MAX_INPUTS] {
    let mut values = [0.0; MAX_INPUTS];
    for (value, formula) in values.iter_mut().zip(formulas) {
        *value = formula.eval_at(now);
    }
    values
}

/// The energy account of a force that stores none.
pub fn spent<L: Law>(law: &L, at: &ForcePoint<'_>) -> ForceEnergy {
    ForceEnergy::spent(power(law, &inputs(law, at), at))
}

/// Power of a law on both bodies; zero where it has no value.
pub fn power<L: Law>(law: &L, inputs: &[f64; MAX_INPUTS], at: &ForcePoint<'_>) -> f64 {
    let v = [at.a.velocity, at.a.omega, at.b.velocity, at.b.omega];
    let q = law.wrench(at.bodies(inputs));
    q.map_or(0.0, |q| {
        q.iter().zip(v.as_flattened()).map(|(q, v)| q * v).sum()
    })
}

/// Adds a force (global) at a body point to the half of a body: 0 for a, 1 for b.
#[inline]
pub fn push<S: Scalar>(
    on: &mut [S; COLUMNS],
    side: usize,
    frame: &Frame<S>,
    point: Vector<S>,
    force: Vector<S>,
) {
    let torque = cross(point, frame.pose.turn_back(force));
    for i in 0..3 {
        on[6 * side + i] += force[i];
        on[6 * side + 3 + i] += torque[i];
    }
}

/// Adds a force (global) at a place (global) to the half of a body: 0 for a, 1 for b.
#[inline]
pub fn press<S: Scalar>(
    on: &mut [S; COLUMNS],
    side: usize,
    frame: &Frame<S>,
    place: Vector<S>,
    force: Vector<S>,
) {
    let arm = sub(place, frame.pose.position);
    let torque = frame.pose.turn_back(cross(arm, force));
    for i in 0..3 {
        on[6 * side + i] += force[i];
        on[6 * side + 3 + i] += torque[i];
    }
}

/// Adds a torque (global) to the half of a body: 0 for a, 1 for b.
#[inline]
pub fn twist<S: Scalar>(on: &mut [S; COLUMNS], side: usize, frame: &Frame<S>, torque: Vector<S>) {
    let torque = frame.pose.turn_back(torque);
    for i in 0..3 {
        on[6 * side + 3 + i] += torque[i];
    }
}

/// Values of the inputs at a point.
pub fn inputs<F: Law>(law: &F, at: &ForcePoint<'_>) -> [f64; MAX_INPUTS] {
    if at.inputs.is_empty() {
        return law.values(at.now);
    }
    let mut values = [0.0; MAX_INPUTS];
    for (value, input) in values.iter_mut().zip(at.inputs) {
        *value = *input;
    }
    values
}

/// Fills the wanted terms of a force from its law.
pub fn evaluate<F: Law>(
    law: &F,
    at: &ForcePoint<'_>,
    want: ForceWant,
    out: &mut ForceTerms,
) -> Result<(), OutOfDomain> {
    let given = inputs(law, at);
    if want.any(ForceWant::Q) {
        out.q = law.wrench(at.bodies(&given))?;
    }
    if want.any(ForceWant::STIFFNESS | ForceWant::DAMPING) {
        with_lanes!(at.lanes, differentiate(law, at, &given, want, out))?;
    }
    if want.any(ForceWant::BY_INPUT) && !at.inputs.is_empty() {
        type Number = Dual<MAX_INPUTS>;
        let by: [Number; MAX_INPUTS] = std::array::from_fn(|i| Number::variable(given[i], i));
        let (a, b) = (Frame::constant(at.a), Frame::constant(at.b));
        let q = law.wrench(Bodies {
            inputs: &by,
            a: &a,
            b: &b,
            turns: at.turns,
            sides: at.sides,
        })?;
        out.by_input = std::array::from_fn(|i| q.map(|q| q.d[i]));
    }
    Ok(())
}

fn differentiate<const N: usize, F: Law>(
    law: &F,
    at: &ForcePoint<'_>,
    given: &[f64; MAX_INPUTS],
    want: ForceWant,
    out: &mut ForceTerms,
) -> Result<(), OutOfDomain> {
    let [of_a, of_b] = &at.lanes.of;
    let given = given.map(Dual::<N>::from);
    let ask = |a: Frame<Dual<N>>, b: Frame<Dual<N>>| {
        law.wrench(Bodies {
            inputs: &given,
            a: &a,
            b: &b,
            turns: at.turns,
            sides: at.sides,
        })
    };
    if want.any(ForceWant::STIFFNESS) {
        let q = ask(Frame::moved(at.a, of_a), Frame::moved(at.b, of_b))?;
        out.stiffness = q.map(|q| at.lanes.spread::<N>(&q.d.map(|d| -d)));
    }
    if want.any(ForceWant::DAMPING) {
        let q = ask(Frame::faster(at.a, of_a), Frame::faster(at.b, of_b))?;
        out.damping = q.map(|q| at.lanes.spread::<N>(&q.d.map(|d| -d)));
    }
    Ok(())
}

/// Entries that can be nonzero, in the x-y plane where `flat`.
pub fn probe<F: Law>(law: &F, flat: bool) -> ForcePattern {
    super::probe::probe(flat, false, |at, out| {
        evaluate(law, at, ForceWant::ALL, out)
    })
}
