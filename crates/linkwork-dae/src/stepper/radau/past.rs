//! The last accepted step: its polynomials are the dense output and promise the next step.
//!
//! With five stages and more the collocation polynomials are as accurate as the end points. With
//! three they are not, and velocities of index 3 are of order 3 at the stages; there the motion is the
//! quintic polynomial through positions, velocities and consistent accelerations of both ends, but where
//! forces are stiff: these magnify what positions are off to accelerations that are no part of the motion. On a
//! chart the polynomial is one of coordinates, and velocities are a quartic with the same ends and
//! the velocity of the quintic half-way; without a chart that is its derivative.

use super::scheme::{MOST, Scheme};
use crate::chart::Chart;
use crate::memory::Memory;
use crate::state::{Stage, State};
use crate::stepper::dense::astray;
use crate::system::Dims;

/// Stages up to which the ends of a step tell more than its stages.
const FEW: usize = 3;

/// First and second derivatives of coordinates at both ends, accelerations there, and the velocity
/// half-way.
#[derive(Clone, Debug, Default)]
struct Ends {
    qdot: [Vec<f64>; 2],
    qddot: [Vec<f64>; 2],
    a: [Vec<f64>; 2],
    middle: Vec<f64>,
}

/// See the [module](self).
#[derive(Clone, Debug, Default)]
pub(super) struct Past {
    /// Whether there is a step to speak of.
    pub known: bool,
    stages: usize,
    pub t: f64,
    pub h: f64,
    /// Values at the beginning, then of the stages.
    q: Vec<Vec<f64>>,
    v: Vec<Vec<f64>>,
    x: Vec<Vec<f64>>,
    /// Of the stages.
    lambda: Vec<Vec<f64>>,
    /// Whether the motion is that through the ends.
    by_ends: bool,
    ends: Ends,
    /// Derivative of the tangent operator of a chart, with its places.
    bend: Vec<f64>,
    bend_at: Vec<(u32, u32)>,
    scratch: [Vec<f64>; 2],
}

impl Past {
    pub fn new(dims: Dims, bend_at: Vec<(u32, u32)>) -> Past {
        let points = |n: usize, count: usize| vec![vec![0.0; n]; count];
        let pair = || [vec![0.0; dims.nv], vec![0.0; dims.nv]];
        Past {
            known: false,
            stages: FEW,
            t: 0.0,
            h: 0.0,
            q: points(dims.nq, MOST + 1),
            v: points(dims.nv, MOST + 1),
            x: points(dims.nx, MOST + 1),
            lambda: points(dims.rows(), MOST),
            by_ends: false,
            ends: Ends {
                qdot: pair(),
                qddot: pair(),
                a: pair(),
                middle: vec![0.0; dims.nv],
            },
            bend: vec![0.0; bend_at.len()],
            bend_at,
            scratch: pair(),
        }
    }

    /// Takes over the step that led from one state to another by these stages.
    pub fn take(&mut self, from: &State, to: &State, stages: &mut [Stage]) {
        (self.t, self.h) = (from.t, to.t - from.t);
        (self.stages, self.known) = (stages.len(), true);
        self.q[0].copy_from_slice(&from.q);
        self.v[0].copy_from_slice(&from.v);
        self.x[0].copy_from_slice(&from.x);
        for (i, st) in stages.iter_mut().enumerate() {
            std::mem::swap(&mut self.q[i + 1], &mut st.s.q);
            std::mem::swap(&mut self.v[i + 1], &mut st.s.v);
            std::mem::swap(&mut self.x[i + 1], &mut st.s.x);
            std::mem::swap(&mut self.lambda[i], &mut st.s.lambda);
        }
        // the end has been made consistent with the constraints
        self.v[stages.len()].copy_from_slice(&to.v);
    }

    /// Prepares dense output from the ends of an attempt, where it is to be made from them.
    pub fn meet_ends(
        &mut self,
        chart: Option<&dyn Chart>,
        from: &State,
        to: &State,
        (stages, stiff): (usize, bool),
    ) {
        self.by_ends = stages <= FEW && !stiff;
        if !self.by_ends {
            return;
        }
        let [one, two] = &mut self.scratch;
        let h = to.t - from.t;
        let Ends {
            qdot,
            qddot,
            a,
            middle,
        } = &mut self.ends;
        for (k, s) in [from, to].into_iter().enumerate() {
            a[k].copy_from_slice(&s.a);
            let Some(chart) = chart else {
                qdot[k].copy_from_slice(&s.v);
                qddot[k].copy_from_slice(&s.a);
                continue;
            };
            // v = T q', so that q'' = T^-1 (a - T' q')
            chart.rate(&s.q, &s.v, &mut qdot[k]);
            chart.rate_derivative(&s.q, &qdot[k], &mut self.bend);
            one.copy_from_slice(&s.a);
            for (&(i, j), b) in self.bend_at.iter().zip(&self.bend) {
                one[i as usize] -= b * s.v[j as usize];
            }
            chart.rate(&s.q, one, &mut qddot[k]);
        }
        for i in 0..middle.len() {
            let way = to.q[i] - from.q[i];
            let (first, last) = (qdot[0][i], qdot[1][i]);
            let change = h * (qddot[1][i] - qddot[0][i]);
            let sum = h * (qddot[1][i] + qddot[0][i]);
            one[i] = 1.875 * way / h - 0.4375 * (first + last) + 0.031_25 * change;
            let bow = 0.156_25 * (first - last) + 0.015_625 * sum;
            two[i] = from.q[i] + 0.5 * way + h * bow;
        }
        match chart {
            Some(chart) => chart.tangent(two, one, middle),
            None => middle.copy_from_slice(one),
        }
    }

    /// Carries all points along when the base of a chart has moved.
    pub fn carry(&mut self, chart: &dyn Chart, nodes: &[f64]) {
        if !self.known {
            return;
        }
        let nodes = std::iter::once(0.0).chain(nodes.iter().copied());
        let points = self.q.iter_mut().zip(&mut self.v).take(self.stages + 1);
        for ((q, v), c) in points.zip(nodes) {
            chart.carry(self.t + c * self.h, q, v);
        }
    }

    /// Number of stages of the step.
    pub fn stages(&self) -> usize {
        self.stages
    }

    /// A stage of the step, without accelerations; `None` behind the last one.
    pub fn stage(&self, scheme: &Scheme, i: usize, out: &mut State) -> Option<()> {
        if !self.known {
            return None;
        }
        out.t = self.t + scheme.nodes.get(i)? * self.h;
        out.q.copy_from_slice(&self.q[i + 1]);
        out.v.copy_from_slice(&self.v[i + 1]);
        out.x.copy_from_slice(&self.x[i + 1]);
        out.lambda.copy_from_slice(&self.lambda[i]);
        Some(())
    }

    /// Collocation polynomials of positions, velocities and states at `t`; `scheme` is that of the
    /// step.
    pub fn along(&self, scheme: &Scheme, t: f64, q: &mut [f64], v: &mut [f64], x: &mut [f64]) {
        let weights = scheme.through_all((t - self.t) / self.h);
        for (points, out) in [(&self.q, q), (&self.v, v), (&self.x, x)] {
            sum(&weights[..=self.stages], points, out);
        }
    }

    /// The polynomial of multipliers at `t`.
    pub fn multipliers(&self, scheme: &Scheme, t: f64, out: &mut [f64]) {
        let weights = scheme.through_nodes((t - self.t) / self.h);
        sum(&weights[..self.stages], &self.lambda, out);
    }

    /// Dense output within the step.
    pub fn interpolate(&self, scheme: &Scheme, t: f64, out: &mut State) {
        self.along(scheme, t, &mut out.q, &mut out.v, &mut out.x);
        if !self.by_ends {
            return;
        }
        let (h, end) = (self.h, self.stages);
        let x = (t - self.t) / h;
        let y = 1.0 - x;
        let Ends {
            qdot,
            qddot,
            a,
            middle,
        } = &self.ends;
        let cube = x * x * x;
        let way = cube * (10.0 - x * (15.0 - 6.0 * x));
        let first = h * (x - cube * (6.0 - x * (8.0 - 3.0 * x)));
        let last = -h * cube * (4.0 - x * (7.0 - 3.0 * x));
        let bow = 0.5 * h * h * x * x * y * y;
        for (i, q) in out.q.iter_mut().enumerate() {
            let from = self.q[0][i];
            *q = from
                + way * (self.q[end][i] - from)
                + first * qdot[0][i]
                + last * qdot[1][i]
                + bow * (y * qddot[0][i] + x * qddot[1][i]);
        }
        let half = y - x;
        for (i, v) in out.v.iter_mut().enumerate() {
            *v = y * y * half * ((1.0 + 4.0 * x) * self.v[0][i] + h * x * a[0][i])
                + 16.0 * x * x * y * y * middle[i]
                - x * x * half * ((1.0 + 4.0 * y) * self.v[end][i] - h * y * a[1][i]);
        }
    }

    /// How fast the polynomials go astray at `t` beyond the step.
    pub fn astray(&self, scheme: &Scheme, t: f64) -> f64 {
        let mut nodes = [0.0; MOST + 1];
        let at = |c: f64| self.t + c * self.h;
        let inner = scheme.nodes[..self.stages - 1].iter().copied();
        for (node, c) in nodes.iter_mut().zip([1.0, 0.0].into_iter().chain(inner)) {
            *node = at(c);
        }
        astray(&nodes[..=self.stages], 1, t)
    }

    pub fn memory(&mut self, m: &mut Memory) {
        let Past {
            known,
            stages,
            t,
            h,
            q,
            v,
            x,
            lambda,
            by_ends,
            ends:
                Ends {
                    qdot,
                    qddot,
                    a,
                    middle,
                },
            bend: _,
            bend_at: _,
            scratch: _,
        } = self;
        m.section("past");
        m.bool(known);
        m.index(stages, FEW..=MOST);
        m.bool(by_ends);
        m.f64(t);
        m.f64(h);
        let points = [q, v, x, lambda].into_iter().flatten();
        let ends = qdot.iter_mut().chain(qddot).chain(a);
        for values in points.chain(ends) {
            m.slice(values);
        }
        m.slice(middle);
    }
}

/// The weighted sum of points.
fn sum(weights: &[f64], points: &[Vec<f64>], out: &mut [f64]) {
    out.fill(0.0);
    for (w, point) in weights.iter().zip(points) {
        for (out, x) in out.iter_mut().zip(point) {
            *out += w * x;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dims() -> Dims {
        Dims {
            nq: 1,
            nv: 1,
            ..Dims::default()
        }
    }

    fn at(t: f64, degree: i32) -> State {
        let mut s = State::new(dims());
        let d = f64::from(degree);
        s.t = t;
        s.q[0] = t.powi(degree);
        s.v[0] = d * t.powi(degree - 1);
        s.a[0] = d * (d - 1.0) * t.powi(degree - 2);
        s
    }

    /// From ends of three stages a quintic, from more stages as many degrees.
    #[test]
    fn polynomials_come_back() {
        for (k, scheme) in Scheme::all().iter().enumerate() {
            let degree = [5, 5, 7][k];
            let (from, to) = (at(0.3, degree), at(0.8, degree));
            let mut past = Past::new(dims(), Vec::new());
            past.meet_ends(None, &from, &to, (scheme.stages, false));
            let mut stages: Vec<Stage> = scheme.nodes.iter().map(|_| Stage::new(dims())).collect();
            for (st, c) in stages.iter_mut().zip(scheme.nodes) {
                st.s = at(0.3 + 0.5 * c, degree);
            }
            past.take(&from, &to, &mut stages);
            let mut out = State::new(dims());
            for t in [0.3, 0.41, 0.55, 0.7, 0.8] {
                past.interpolate(scheme, t, &mut out);
                let exact = at(t, degree);
                assert!((out.q[0] - exact.q[0]).abs() < 1e-14, "{k} {t}");
                assert!((out.v[0] - exact.v[0]).abs() < 1e-13, "{k} {t}");
            }
            assert!(past.astray(scheme, 0.8) <= past.astray(scheme, 1.2));
        }
    }
}
