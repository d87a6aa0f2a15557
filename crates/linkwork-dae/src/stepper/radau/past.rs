//! The last accepted step: its polynomials are the dense output and promise the next step.
//!
//! ```text
//!  v(t) = v_c + (t-t_n)_s (a_n - v_c'(t_n)),     q(t) = q_n + int v dt,     x as v
//! ```
//!
//! Collocation polynomials `v_c` are of degree s, and off by `h^(s+1)` within the step. What they are off in their slope at its
//! beginning is the estimate of the error, and filtered as that is nothing stiff is in it: with the polynomial `(t)_s` of degree s + 1 that
//! has a slope there alone they become one order better, and the integral of velocities another (as a continuous extension; Hairer & Wanner
//! 1996, IV.8, for the estimate). On a chart coordinates are no integrals of velocities: they are mended as velocities are.
//! The part across the constraints is of lower order in index 3; where it matters, rows are put back onto them.

use super::scheme::{MOST, Scheme};
use crate::chart::Chart;
use crate::formulation::Defect;
use crate::memory::Memory;
use crate::state::{Stage, State};
use crate::stepper::dense::astray;
use crate::system::Dims;

const FEWEST: usize = 3;

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
    /// Whether coordinates are integrals of velocities.
    flat: bool,
    /// Slopes that the motion has beyond the polynomials at the beginning of the step, times its length.
    departure: Defect,
    /// What the integral of velocities misses of the way.
    missed: Vec<f64>,
}

impl Past {
    pub fn new(dims: Dims, chart: bool) -> Past {
        let points = |n: usize, count: usize| vec![vec![0.0; n]; count];
        Past {
            known: false,
            stages: FEWEST,
            t: 0.0,
            h: 0.0,
            q: points(dims.nq, MOST + 1),
            v: points(dims.nv, MOST + 1),
            x: points(dims.nx, MOST + 1),
            lambda: points(dims.rows(), MOST),
            flat: !chart,
            departure: Defect {
                q: vec![0.0; dims.nq],
                v: vec![0.0; dims.nv],
                x: vec![0.0; dims.nx],
            },
            missed: vec![0.0; dims.nq],
        }
    }

    /// Takes over the step that led from one state to another by these stages of a scheme; what it departs by comes over `s`.
    pub fn take(
        &mut self,
        (from, to): (&State, &State),
        stages: &mut [Stage],
        scheme: &Scheme,
        departure: &Defect,
    ) {
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
        let own = &mut self.departure;
        for (own, given) in [
            (&mut own.q, &departure.q),
            (&mut own.v, &departure.v),
            (&mut own.x, &departure.x),
        ] {
            for (own, given) in own.iter_mut().zip(given) {
                *own = scheme.real * given;
            }
        }
        if self.flat {
            let h = self.h;
            sum(
                &scheme.over_step[..=stages.len()],
                &self.v,
                &mut self.missed,
            );
            for (missed, (to, from)) in self.missed.iter_mut().zip(to.q.iter().zip(&from.q)) {
                *missed = to - from - h * *missed;
            }
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
        let theta = (t - self.t) / self.h;
        let [once, twice] = scheme.departure(theta);
        let Defect { q, v, x } = &self.departure;
        for (out, d) in [(&mut out.v, v), (&mut out.x, x)] {
            for (out, d) in out.iter_mut().zip(d) {
                *out += once * d;
            }
        }
        if !self.flat {
            for (out, d) in out.q.iter_mut().zip(q) {
                *out += once * d;
            }
            return;
        }
        let weights = scheme.integral(theta);
        sum(&weights[..=self.stages], &self.v, &mut out.q);
        // most of what is missed is what the last velocity was moved by onto its constraints
        let share = weights[self.stages] / scheme.weights()[self.stages - 1];
        for (i, out) in out.q.iter_mut().enumerate() {
            *out = self.q[0][i] + self.h * (*out + twice * v[i]) + share * self.missed[i];
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
            flat: _,
            departure,
            missed,
        } = self;
        m.section("past");
        m.bool(known);
        m.index(stages, FEWEST..=MOST);
        m.f64(t);
        m.f64(h);
        let points = [q, v, x, lambda].into_iter().flatten();
        for values in points {
            m.slice(values);
        }
        let Defect { q, v, x } = departure;
        for values in [q, v, x, missed] {
            m.slice(values);
        }
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

    /// Stages that collocate rates of as many degrees as there are stages give velocities of one more, positions of one more
    /// again; on a chart both as velocities.
    #[test]
    fn polynomials_come_back() {
        for (k, scheme) in Scheme::all().iter().enumerate() {
            for chart in [false, true] {
                let degree = scheme.stages as i32 + if chart { 1 } else { 2 };
                let (from, to) = (at(0.3, degree), at(0.8, degree));
                let mut past = Past::new(dims(), chart);
                let all: Vec<State> = (scheme.nodes.iter())
                    .map(|c| at(0.3 + 0.5 * c, degree))
                    .collect();
                let mut stages: Vec<Stage> = all.iter().map(|_| Stage::new(dims())).collect();
                let mut departure = Defect {
                    q: vec![0.5 * from.v[0] / scheme.real],
                    v: vec![0.5 * from.a[0] / scheme.real],
                    x: Vec::new(),
                };
                for (i, st) in stages.iter_mut().enumerate() {
                    let collocated = |rate: fn(&State) -> f64| -> f64 {
                        let each = scheme.inertial.rows[1][i].iter().zip(&all);
                        0.5 * each.map(|(a, s)| a * rate(s)).sum::<f64>()
                    };
                    st.s.q[0] = from.q[0] + collocated(|s| s.v[0]);
                    st.s.v[0] = from.v[0] + collocated(|s| s.a[0]);
                    departure.q[0] += scheme.error[i] * (st.s.q[0] - from.q[0]);
                    departure.v[0] += scheme.error[i] * (st.s.v[0] - from.v[0]);
                }
                past.take((&from, &to), &mut stages, scheme, &departure);
                let mut out = State::new(dims());
                for t in [0.3, 0.41, 0.55, 0.7, 0.8] {
                    past.interpolate(scheme, t, &mut out);
                    let exact = at(t, degree);
                    let off = [out.q[0] - exact.q[0], out.v[0] - exact.v[0]];
                    assert!(off.iter().all(|d| d.abs() < 1e-12), "{k} {t}: {off:?}");
                }
                assert!(past.astray(scheme, 0.8) <= past.astray(scheme, 1.2));
            }
        }
    }
}
