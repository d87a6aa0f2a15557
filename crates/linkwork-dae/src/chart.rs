//! Configurations that are not vectors: coordinates about a base.
//!
//! A rotation has no global coordinates without a singularity or a constraint. A [`Chart`] has
//! local ones: `q` is read *about a base configuration* that the system keeps, and the base follows
//! the motion, so that `q` stays small and its singularities far away. For rotation vectors `psi`
//!
//! ```text
//!  R = R_base exp(psi)          v = T(psi) psi'       v: angular velocity in body axes
//! ```
//!
//! Velocities and every derivative of a system (`C_q`, `r_q`, ...) belong to the *tangent*: they are
//! taken along `R exp(theta)`, never along `psi`. Only three kinds of places know the difference:
//! steppers, which difference or integrate `q` itself; the increment of a Newton step,
//! `psi += T^-1 theta`; and whoever moves a configuration, through [`advance`].
//!
//! Steppers move the base at the start of a step, where the last step needs no dense output any
//! more, and carry along whatever they keep in coordinates. That is an exact change of coordinates
//! of the points in the history, so order and step survive it. Entries that are plain numbers are
//! untouched throughout: there `T` is the identity.

use crate::state::Stage;
use crate::system::System;

/// What the discrete derivative `qdot` of a stage is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rates {
    /// The derivative of the coordinates, as multistep methods make it: `v = T(q) qdot`.
    #[default]
    Chart,
    /// A velocity already, `v = qdot`: Newmark's formulas on a chart that is re-based in every step
    /// are those of a Lie group (Bruels, Cardona & Arnold 2012).
    Tangent,
}

/// Coordinates of a curved configuration about a base.
pub trait Chart {
    /// `v = T(q) qdot`.
    fn tangent(&self, q: &[f64], qdot: &[f64], v: &mut [f64]);

    /// `qdot = T(q)^-1 v`.
    fn rate(&self, q: &[f64], v: &[f64], qdot: &mut [f64]);

    /// Moves the configuration along the tangent step `d`.
    fn advance(&self, q: &mut [f64], d: &[f64]);

    /// Places (row, column) that [`Chart::rate_derivative`] and [`Chart::rate_excess`] fill.
    fn pattern(&self) -> Vec<(u32, u32)>;

    /// The derivative of `T(q) qdot` along the tangent at constant `qdot`, in the order of the
    /// pattern.
    fn rate_derivative(&self, q: &[f64], qdot: &[f64], out: &mut [f64]);

    /// `T(q)^-1 - I`, in the order of the pattern.
    fn rate_excess(&self, q: &[f64], out: &mut [f64]);

    /// `T(q) - I`, in the order of the pattern.
    fn tangent_excess(&self, q: &[f64], out: &mut [f64]);

    /// The turning from the axes of one configuration to those of another, in the order of the
    /// pattern: vectors of the tangent at `from`, seen in the axes at `to`.
    fn transport(&self, from: &[f64], to: &[f64], out: &mut [f64]);

    /// The rate, at the base, of the derivative of `T(q) q'` by `q` along a motion with the velocity
    /// `v` and the acceleration `a` there, in the order of the pattern. It is also the derivative of
    /// the acceleration `(T q')'` by `q` at constant `q'`, `q''`.
    fn bend_rate(&self, v: &[f64], a: &[f64], out: &mut [f64]);

    /// Moves the base to the configuration `q`, about the present base, at time `t`; `false`: it is
    /// there already, and nothing changes. Curved entries of `q` read 0 about the new base.
    fn rebase(&mut self, t: f64, q: &[f64]) -> bool;

    /// A configuration and its velocity about the base before the last [`Chart::rebase`], now about
    /// the present one. Of the coordinates of a configuration the ones are taken that continue
    /// those of the base, so that the points of a history lie on one smooth curve.
    fn carry(&self, t: f64, q: &mut [f64], v: &mut [f64]);

    /// Entries of `(q, v)`, counted through, that [`Chart::carry`] reads and writes.
    fn carried(&self) -> Vec<usize>;

    /// The fastest rotation, rad/s: a history may not span more than half a turn or so.
    fn turn(&self, v: &[f64]) -> f64;
}

/// Moves a configuration along a tangent step.
pub fn advance(sys: &dyn System, q: &mut [f64], d: &[f64]) {
    match sys.chart() {
        Some(chart) => chart.advance(q, d),
        None => {
            for (q, d) in q.iter_mut().zip(d) {
                *q += d;
            }
        }
    }
}

/// Rates of the coordinates at a configuration and its velocity.
pub fn rate(sys: &dyn System, q: &[f64], v: &[f64], qdot: &mut [f64]) {
    match sys.chart() {
        Some(chart) => chart.rate(q, v, qdot),
        None => qdot.copy_from_slice(v),
    }
}

impl Stage {
    /// The velocity that belongs to the discrete derivative of the coordinates.
    pub fn velocity(&self, chart: &dyn Chart, v: &mut [f64]) {
        match self.rates {
            Rates::Chart => chart.tangent(&self.s.q, &self.qdot, v),
            Rates::Tangent => v.copy_from_slice(&self.qdot),
        }
    }

    /// `B` of `dv = s1 (I + B) theta`: what a tangent increment `theta` does to the velocity that
    /// belongs to `qdot`, in the order of the pattern of the chart.
    pub fn bend(&self, chart: &dyn Chart, out: &mut [f64]) {
        match self.rates {
            Rates::Chart => {
                chart.rate_derivative(&self.s.q, &self.qdot, out);
                let per_qdot = 1.0 / self.link.qdot;
                for x in out {
                    *x *= per_qdot;
                }
            }
            Rates::Tangent => chart.rate_excess(&self.s.q, out),
        }
    }
}
