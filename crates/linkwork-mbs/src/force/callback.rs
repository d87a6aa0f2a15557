//! Force that a function of the program gives: values of signals in, force and torque out.
//!
//! ```text
//!  (F, T) = f(t, s)            s: signals, or formulas of time and signals
//!  dQ/ds = dQ/d(F, T) f_s      the first exact, f_s by central differences
//! ```
//!
//! `F` and `T` are in global components and act on body b at a point, the opposite on body a at the same place. How
//! signals depend on the motion is known exactly. The function should be smooth: where it is not, steps become short.

use super::by_scalar::{self, Bodies, Law, power, press, push, twist};
use super::{Force, ForcePattern, ForcePoint, ForceTerms, MAX_INPUTS};
use super::{ForceEnergy, ForceWant, OutOfDomain};
use crate::error::ModelError;
use crate::expr::Formula;
use crate::field::Value;
use crate::geometry::{Components, Marker, Site, Vector, lifted};
use crate::joint::COLUMNS;
use crate::part::{Keys, OfKind, Part};
use linkwork_dae::scalar::Scalar;
use std::fmt;
use std::sync::Arc;

/// Components of a force and a torque.
const COMPONENTS: usize = 6;

/// What a program computes: time and signals in, components of force and torque out, or why not.
type Program = dyn Fn(f64, &[f64]) -> Result<[f64; COMPONENTS], String> + Send + Sync;

/// A force and a torque that a closure computes from signals.
///
/// ```
/// use linkwork_mbs::{Body, BodyRef, Model, assemble, force::Callback};
///
/// let mut model = Model::new("lift").gravity([0.0, 0.0, -9.81]);
/// let body = model.add_body(Body::rigid("pod", 2.0, [1.0, 1.0, 1.0]));
/// let hold = Callback::new(["pod.z", "pod.z.velocity"], |_, s| {
///     let lift = 2.0 * 9.81 - 50.0 * s[0] - 10.0 * s[1];
///     Ok([0.0, 0.0, lift, 0.0, 0.0, 0.0])
/// })?;
/// model.add_force("hover", BodyRef::GROUND, body, hold);
/// assemble(&model)?;
/// # Ok::<(), linkwork_mbs::ModelError>(())
/// ```
#[derive(Clone)]
pub struct Callback {
    signals: Vec<Formula>,
    function: Arc<Program>,
    acts: Acting,
}

/// Where given components act.
#[derive(Clone, Debug)]
struct Acting {
    /// On body b.
    point: Marker,
}

impl fmt::Debug for Callback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Callback")
            .field("signals", &self.signals)
            .field("point", &self.acts.point)
            .finish_non_exhaustive()
    }
}

impl Callback {
    /// A force at the origin of body b by a function of at most six signals, given by name or as formulas of
    /// time and signals. The function gets the time and their values in this order, and answers with the
    /// global components of force and torque on body b, or with the reason why there is no force; the run
    /// then ends with this reason and the name of the force, unless shorter steps avoid the state.
    pub fn new<'a>(
        signals: impl IntoIterator<Item = &'a str>,
        function: impl Fn(f64, &[f64]) -> Result<[f64; COMPONENTS], String> + Send + Sync + 'static,
    ) -> Result<Callback, ModelError> {
        let formula = |text: &str| {
            Formula::parse_with_signals(text)
                .map_err(|e| ModelError::new(format!("signal `{text}` of a callback: {e}")))
        };
        let signals: Result<Vec<Formula>, ModelError> = signals.into_iter().map(formula).collect();
        let signals = signals?;
        if signals.len() > MAX_INPUTS {
            let message = format!(
                "a callback reads at most {MAX_INPUTS} signals, not {}",
                signals.len()
            );
            return Err(ModelError::new(message));
        }
        Ok(Callback {
            signals,
            function: Arc::new(function),
            acts: Acting {
                point: Marker::body([0.0; 3]),
            },
        })
    }

    /// The same with the force at another point of body b.
    pub fn at(mut self, point: impl Components) -> Callback {
        self.acts.point = Marker::body(point);
        self
    }

    /// Values of the signals; `None` beyond those there are.
    fn inputs(&self, at: &ForcePoint<'_>) -> [f64; MAX_INPUTS] {
        let mut values = [0.0; MAX_INPUTS];
        for (k, (value, formula)) in values.iter_mut().zip(&self.signals).enumerate() {
            *value = at.input(k, formula);
        }
        values
    }

    fn call(&self, t: f64, s: &[f64]) -> Result<[f64; COMPONENTS], OutOfDomain> {
        let components = (self.function)(t, s).map_err(|why| OutOfDomain(why.into()))?;
        match components.iter().all(|x| x.is_finite()) {
            true => Ok(components),
            false => Err(OutOfDomain::because("its function gives no finite number")),
        }
    }

    fn components(&self, at: &ForcePoint<'_>) -> Result<[f64; COMPONENTS], OutOfDomain> {
        self.call(at.now.t, &self.inputs(at)[..self.signals.len()])
    }

    /// Derivative of the components by a signal; on one side where the function ends on the other.
    fn slope(&self, t: f64, s: &mut [f64], k: usize) -> Result<[f64; COMPONENTS], OutOfDomain> {
        let here = s[k];
        let h = f64::EPSILON.cbrt() * here.abs().max(1e-2);
        let mut side = |x: f64| {
            s[k] = x;
            let found = self.call(t, s);
            s[k] = here;
            found.map(|y| (x, y))
        };
        let (hi, lo) = match (side(here + h), side(here - h)) {
            (Ok(hi), Ok(lo)) => (hi, lo),
            (Ok(hi), Err(_)) => (hi, side(here)?),
            (Err(_), lo) => (side(here)?, lo?),
        };
        Ok(std::array::from_fn(|i| (hi.1[i] - lo.1[i]) / (hi.0 - lo.0)))
    }
}

impl Law for Acting {
    fn wrench<S: Scalar>(&self, at: Bodies<'_, S>) -> Result<[S; COLUMNS], OutOfDomain> {
        let Bodies { inputs, a, b, .. } = at;
        let [x, y, z, tx, ty, tz] = *inputs;
        let (force, torque) = ([x, y, z], [tx, ty, tz]);
        let mut on = [S::from(0.0); COLUMNS];
        push(&mut on, 1, b, lifted(self.point.point), force);
        twist(&mut on, 1, b, torque);
        let place = b.pose.point(self.point.point);
        press(&mut on, 0, a, place, force.map(|x| -x));
        twist(&mut on, 0, a, torque.map(|x| -x));
        Ok(on)
    }
}

/// The kind: it has no model text, since functions have none.
const KIND: &str = "callback";

impl Part for Callback {
    fn keys(&mut self, k: &mut Keys<'_>) {
        k.point(&mut self.acts.point);
        let names: Vec<&str> = self.signals.iter().map(Formula::text).collect();
        k.write("signals", || Value::Text(names.join(", ")));
    }
}

impl OfKind for Callback {
    fn kind(&self) -> &'static str {
        KIND
    }
}

impl Force for Callback {
    fn needs_orientation(&self) -> [bool; 2] {
        [false, false]
    }
    fn markers(&self) -> [Option<Vector>; 2] {
        [None, Some(self.acts.point.point)]
    }
    fn inputs(&self) -> Vec<&Formula> {
        self.signals.iter().collect()
    }
    fn place(&mut self, _: &Site, b: &Site) {
        self.acts.point.place(b);
    }
    fn pattern(&self, flat: bool) -> ForcePattern {
        let of_components = by_scalar::probe(&self.acts, flat);
        let mut by_input: Vec<(u8, u8)> = Vec::new();
        for k in 0..self.signals.len() as u8 {
            let mut rows: Vec<u8> = of_components.by_input.iter().map(|(i, _)| *i).collect();
            rows.sort_unstable();
            rows.dedup();
            by_input.extend(rows.into_iter().map(|i| (i, k)));
        }
        ForcePattern {
            by_input,
            ..of_components
        }
    }
    fn eval(
        &self,
        at: &ForcePoint<'_>,
        want: ForceWant,
        out: &mut ForceTerms,
    ) -> Result<(), OutOfDomain> {
        let components = self.components(at)?;
        let acting = ForcePoint {
            inputs: &components,
            ..*at
        };
        by_scalar::evaluate(&self.acts, &acting, want, out)?;
        if want.any(ForceWant::BY_INPUT) && !at.inputs.is_empty() {
            let by_component = out.by_input;
            let mut s = Callback::inputs(self, at);
            for k in 0..self.signals.len() {
                let slope = self.slope(at.now.t, &mut s[..self.signals.len()], k)?;
                out.by_input[k] = std::array::from_fn(|i| {
                    let parts = by_component.iter().zip(slope);
                    parts.map(|(by, slope)| by[i] * slope).sum()
                });
            }
        }
        Ok(())
    }
    fn energy(&self, at: &ForcePoint<'_>) -> ForceEnergy {
        let components = self.components(at);
        ForceEnergy::spent(components.map_or(0.0, |c| power(&self.acts, &c, at)))
    }
    fn channels(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("force.x", "N"),
            ("force.y", "N"),
            ("force.z", "N"),
            ("torque.x", "N m"),
            ("torque.y", "N m"),
            ("torque.z", "N m"),
        ]
    }
    fn observe(&self, at: &ForcePoint<'_>, out: &mut [f64]) {
        let components = self.components(at).unwrap_or([f64::NAN; COMPONENTS]);
        out[..COMPONENTS].copy_from_slice(&components);
    }
}
