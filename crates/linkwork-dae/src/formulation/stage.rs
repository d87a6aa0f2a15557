//! What the unknowns of a layout are worth in a stage: weights, rounding, sizes, corrections.

use super::Formulation;
use super::layout::{Layout, Section, Unknown};
use crate::chart::Chart;
use crate::state::{Link, Stage, Weights, norm};
use crate::system::Rows;

/// A few roundings of the last addition to an unknown.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

impl Formulation {
    /// Inverse error weight of each unknown; 0 for multipliers.
    pub fn weigh(&self, w: &Weights, link: Link, out: &mut [f64]) {
        for s in &self.layout.sections {
            let out = &mut out[s.range.clone()];
            match s.unknown {
                Unknown::Motion => {
                    for (out, (q, v)) in out.iter_mut().zip(w.q.iter().zip(&w.v)) {
                        // an increment d moves the velocity by s1 d, which must be resolved as well
                        *out = q.max(link.qdot * v);
                    }
                }
                Unknown::Velocity => {
                    let unit = s.unit.value(link);
                    for (out, w) in out.iter_mut().zip(&w.v) {
                        *out = unit * w;
                    }
                }
                Unknown::Position => out.copy_from_slice(&w.q),
                Unknown::Multiplier | Unknown::Stabiliser => out.fill(0.0),
                Unknown::State => out.copy_from_slice(&w.x),
            }
        }
    }

    /// Rounding level of a correction in the weighted norm: smaller ones carry no information.
    pub fn noise(&self, st: &Stage, weight: &[f64]) -> f64 {
        let level = |s: &Section| {
            let x = match s.unknown {
                Unknown::Motion | Unknown::Position => &st.s.q,
                Unknown::Velocity => &st.s.v,
                _ => return 0.0,
            };
            norm(x, &weight[s.range.clone()]) / s.unit.value(st.link)
        };
        ROUNDING * self.layout.sections.iter().map(level).fold(0.0, f64::max)
    }

    /// Sizes of the unknowns themselves, in the units of their increments; at least the typical
    /// size of a coordinate, since equations contain others of its kind.
    pub fn sizes(&self, st: &Stage, w: &Weights, out: &mut [f64]) {
        for s in &self.layout.sections {
            let unit = s.unit.value(st.link);
            let size = |i: usize| match s.unknown {
                Unknown::Motion | Unknown::Position => st.s.q[i].abs().max(w.scale()[i]),
                Unknown::Velocity => st.s.v[i].abs().max(w.speed(i)),
                Unknown::Multiplier => st.s.lambda[self.layout.keep[i] as usize],
                Unknown::Stabiliser => st.xi[self.layout.keep[i] as usize],
                Unknown::State => st.s.x[i].abs().max(w.scale_x()[i]),
            };
            for (x, i) in out[s.range.clone()].iter_mut().zip(s.entries.clone()) {
                *x = size(i) / unit;
            }
        }
    }

    /// Completes a stepper's prediction: lets velocities follow where they do.
    pub fn predict(&mut self, chart: Option<&dyn Chart>, st: &mut Stage) {
        if self.layout.follows {
            follow(chart, st, &mut self.layout.step);
        }
    }

    /// Adds a correction to the stage: positions move along the tangent.
    pub fn apply(&mut self, chart: Option<&dyn Chart>, dz: &[f64], st: &mut Stage) {
        let Layout {
            sections,
            keep,
            ties,
            capacity,
            differential,
            step,
            ..
        } = &mut self.layout;
        for s in sections {
            let d = &dz[s.range.clone()];
            let unit = s.unit.value(st.link);
            let multipliers = match s.unknown {
                Unknown::Motion => {
                    move_positions(chart, d, st, step);
                    match chart {
                        Some(_) => follow(chart, st, step),
                        None => move_velocities(d, st.link.qdot, st),
                    }
                    continue;
                }
                Unknown::Velocity => {
                    move_velocities(d, unit, st);
                    continue;
                }
                Unknown::Position => {
                    move_positions(chart, d, st, step);
                    continue;
                }
                Unknown::State => {
                    move_states(d, differential, st);
                    continue;
                }
                Unknown::Multiplier => &mut st.s.lambda,
                Unknown::Stabiliser => &mut st.xi,
            };
            for (d, &row) in d.iter().zip(&keep[s.entries.clone()]) {
                multipliers[row as usize] += unit * d;
            }
        }
        Rows::follow(ties, capacity, &mut st.s.lambda);
    }
}

/// Moves the velocities of a stage and their discrete derivative.
fn move_velocities(d: &[f64], unit: f64, st: &mut Stage) {
    for x in [&mut st.s.v, &mut st.dv] {
        add(x, unit, d);
    }
    add(&mut st.s.a, unit * st.link.vdot, d);
}

/// Moves the positions of a stage and their discrete derivative by a tangent step.
fn move_positions(chart: Option<&dyn Chart>, d: &[f64], st: &mut Stage, step: &mut [f64]) {
    let d = match chart {
        None => d,
        Some(chart) => {
            chart.rate(&st.s.q, d, step);
            step
        }
    };
    for x in [&mut st.s.q, &mut st.dq] {
        add(x, 1.0, d);
    }
    add(&mut st.qdot, st.link.qdot, d);
}

fn move_states(d: &[f64], differential: &[bool], st: &mut Stage) {
    for (i, (d, differential)) in d.iter().zip(differential).enumerate() {
        st.s.x[i] += d;
        st.dx[i] += d;
        if *differential {
            st.s.xdot[i] += st.link.vdot * d;
        }
    }
}

/// Velocities that the discrete derivative of the positions stands for.
pub(super) fn rates<'a>(
    chart: Option<&dyn Chart>,
    st: &'a Stage,
    step: &'a mut [f64],
) -> &'a [f64] {
    match chart {
        None => &st.qdot,
        Some(chart) => {
            st.velocity(chart, step);
            step
        }
    }
}

/// Lets the velocities of a stage follow the discrete derivative of its positions.
fn follow(chart: Option<&dyn Chart>, st: &mut Stage, step: &mut [f64]) {
    let s2 = st.link.vdot;
    if let Some(chart) = chart {
        st.velocity(chart, step);
    }
    let v = if chart.is_some() {
        &*step
    } else {
        &st.qdot[..]
    };
    let moved = st.s.v.iter_mut().zip(&mut st.dv).zip(&mut st.s.a);
    for (v, ((to, dv), a)) in v.iter().zip(moved) {
        let e = v - *to;
        *dv += e;
        *a += s2 * e;
        *to = *v;
    }
}

/// `x += c d`.
pub(super) fn add(x: &mut [f64], c: f64, d: &[f64]) {
    for (x, d) in x.iter_mut().zip(d) {
        *x += c * d;
    }
}
