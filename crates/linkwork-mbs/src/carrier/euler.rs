//! A rigid body in Euler parameters: four plain numbers for its rotation and their norm as an equation.
//!
//! ```text
//!  q = (x, e)     J = diag(I, B(e))     (e . e - 1)/2 = 0
//! ```
//!
//! The length of `e` means nothing to the frame, and the norm row alone holds it; see `four.rs`.

use super::four::{Four, Operators, dot};
use super::{Carrier, CarrierPoint, Coordinate, FrameMap, OwnPattern, OwnTerms, Reach, put};
use crate::body::Body;
use crate::geometry::{Matrix, Vector};
use linkwork_dae::rotation::{Quaternion, normalise};
use std::ops::Range;

/// Coordinates, the first Euler parameter among them.
const COUNT: usize = 7;
const E: usize = 3;
/// An Euler parameter is half an angle.
const SCALE: f64 = 0.5;

/// See the [module](self).
#[derive(Clone, Debug)]
pub(crate) struct EulerParameters {
    pub body: Body,
    pub inertia: Matrix,
}

fn four(x: &[f64]) -> Four {
    [x[E], x[E + 1], x[E + 2], x[E + 3]]
}

fn operators(at: &CarrierPoint<'_>) -> Operators {
    Operators::new(four(at.q), four(at.v), four(at.a))
}

impl Carrier for EulerParameters {
    fn coordinates(&self) -> Vec<Coordinate> {
        let body = &self.body;
        let (centre, e) = (body.centre(), body.orientation);
        let [of_velocity, of_spin] = body.velocity_trusts();
        let rates = Operators::rates(e, body.angular_velocity);
        let place = ["x", "y", "z"].into_iter().enumerate();
        let place = place.map(|(i, axis)| Coordinate {
            words: [axis.into(), format!("{axis} velocity")],
            start: [centre[i], body.velocity[i]],
            trust: [body.position_trust, of_velocity],
            scale: None,
            rate: 0.0,
            channel: None,
            mode: None,
        });
        let turn = (0..4).map(|i| Coordinate {
            words: ["its", "rate of its"].map(|what| format!("{what} Euler parameter {i}")),
            start: [e[i], rates[i]],
            trust: [body.orientation_trust, of_spin],
            scale: Some(SCALE),
            rate: 0.0,
            channel: None,
            mode: None,
        });
        place.chain(turn).collect()
    }

    fn rows(&self) -> &'static [&'static str] {
        &["norm of its Euler parameters"]
    }

    fn frame_inertia(&self, _: usize) -> (f64, Matrix) {
        (self.body.mass, self.inertia)
    }

    fn reach(&self, _: usize) -> [Reach; 6] {
        std::array::from_fn(|i| Reach {
            columns: if i < E { i..i + 1 } else { E..COUNT },
            constant: i < E,
        })
    }

    fn pose(&self, _: usize, at: &CarrierPoint<'_>) -> (Vector, Quaternion) {
        ([at.q[0], at.q[1], at.q[2]], normalise(four(at.q)))
    }

    fn map(&self, _: usize, at: &CarrierPoint<'_>, out: &mut FrameMap) -> Result<(), &'static str> {
        if four(at.q) == [0.0; 4] {
            return Err("all Euler parameters are zero");
        }
        let o = operators(at);
        for i in 0..E {
            out.j[i * COUNT + i] = 1.0;
        }
        let blocks = [
            (&mut out.j, &o.b),
            (&mut out.w, &o.w),
            (&mut out.a, &o.a),
            (&mut out.bias_v, &o.bias_v),
        ];
        for (to, block) in blocks {
            put(to, COUNT, [E, E], block);
        }
        out.bias[E..].copy_from_slice(&o.bias);
        Ok(())
    }

    fn bent(&self, _: usize) -> Range<usize> {
        E..COUNT
    }

    fn bend(&self, _: usize, at: &CarrierPoint<'_>, load: &[f64; 6], out: &mut [f64]) {
        let [.., x, y, z] = *load;
        let bent = operators(at).pull_by_e([x, y, z]);
        out.copy_from_slice(bent.as_flattened());
    }

    fn own_pattern(&self) -> OwnPattern {
        OwnPattern {
            r_q: (E..COUNT).map(|i| (i, i)).collect(),
            c_q: (E..COUNT).map(|i| (0, i)).collect(),
            ..OwnPattern::default()
        }
    }

    fn own(&self, at: &CarrierPoint<'_>, lambda: &[f64], _: bool, out: &mut OwnTerms) {
        let (e, rate) = (four(at.q), four(at.v));
        let mu = lambda.first().copied().unwrap_or(0.0);
        out.c[0] = 0.5 * (dot(e, e) - 1.0);
        out.cv[0] = dot(e, rate);
        out.gamma[0] = -dot(rate, rate);
        out.c_q[E..].copy_from_slice(&e);
        out.cv_q[E..].copy_from_slice(&rate);
        for i in E..COUNT {
            out.r[i] = at.q[i] * mu;
            out.r_q[i * COUNT + i] = mu;
        }
    }

    fn turn(&self, v: &[f64]) -> f64 {
        let rate = four(v);
        2.0 * dot(rate, rate).sqrt()
    }
}
