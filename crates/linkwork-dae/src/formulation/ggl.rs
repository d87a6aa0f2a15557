//! Stabilised index 2 (Gear, Gupta & Leimkuhler 1985): position and velocity constraints hold.
//!
//! ```text
//!  W (q' - v) + C_q' xi = 0;  unknowns y = e/s1 (e: of v), d (of q), (lambda, mu)/(s1 s2), xi/s1
//!
//!  [ M + D/s2   K/(s1 s2)   C_q' G_v'  0    ] [ y            ]     [ r / (s1 s2)                ]
//!  [ -W         W           0    0     C_q' ] [ d            ]     [ (W(qdot-v) + C_q' xi) / s1 ]
//!  [ C_q        CV_q/s1     0    0     0    ] [ lambda/(s1 s2)] = -[ (C_q v + C_t) / s1         ]
//!  [ G_v        G_q/s1      0    0     0    ] [ mu/(s1 s2)   ]     [ g / s1                     ]
//!  [ 0          C_q         0    0     0    ] [ xi/s1        ]     [ C                          ]
//! ```
//!
//! The rows are ordered so that each multiplier is paired with the constraint row of the same
//! structure, which keeps the pattern nearly symmetric. The derivative of `C_q' xi` is left out:
//! `xi` is of the size of the local error. On a chart the second row is `W (T(q) qdot - v) + C_q' xi`
//! and the increment `d` a tangent step, which makes its block `W (I + B)`.
//!
//! `W` decides which coordinates take up the part of the discretisation error that is normal to the
//! constraints. It is `diag(1/scale^2)`: every coordinate in proportion to its size, whatever the
//! units. With `W = I` elastic coordinates of a millimetre share the error of a rotation of one
//! radian, which excites their vibrations (ten times the steps on an elastic slider crank).
//! First-order states (see [`super`]) join at the velocity
//! level. Bad at: the matrix is twice as large as in index 3, unless there are no constraints
//! ([`Formulation::condensed`]).

use super::index3::Index3;
use super::place::{Placement, Power};
use super::{Formulation, Frame, ROUNDING, add, placed};
use crate::auxiliary::Place;
use crate::chart::Chart;
use crate::linear::Pattern;
use crate::state::{Link, Stage, Weights, norm};
use crate::system::{Blocks, Part, Parts, Row, Rows, System, Terms};

/// See the [module](self).
#[derive(Default)]
pub struct Ggl {
    frame: Frame,
    placement: Placement,
    /// Diagonal of `W`.
    metric: Vec<f64>,
    c: Vec<f64>,
    cv: Vec<f64>,
    c_q: Vec<f64>,
}

/// Diagonal of `W`, relative to the coordinate of the largest scale.
fn metric(sys: &dyn System) -> Vec<f64> {
    let scale = sys.facts().scale.clone();
    let largest = scale.iter().fold(0.0f64, |m, &s| m.max(s));
    let relative = scale.iter().map(|s| (largest / s).powi(2));
    relative
        .map(|w| if w.is_finite() { w } else { 1.0 })
        .collect()
}

impl Formulation for Ggl {
    fn bind(&mut self, sys: &dyn System, keep: &Rows) -> (Pattern, Vec<u32>) {
        let frame = Frame::new(sys, keep);
        let nv = frame.dims.nv as u32;
        let nk = frame.keep.len() as u32;
        let holonomic = frame.holonomic as u32;
        let p = &*placed(sys);
        let mut placement = Placement::default();
        placement.block(p, Part::Mass, Power::ONE, |i, j| Some((i, j)));
        placement.block(p, Part::Rv, Power::PER_VDOT, |i, j| Some((i, j)));
        placement.block(p, Part::Rq, Power::PER_BOTH, |i, j| Some((i, nv + j)));
        let lambda = |i| frame.kept(i).map(|k| 2 * nv + k);
        let xi = |i| frame.kept(i).filter(|&k| k < holonomic);
        let xi = |i| xi(i).map(|k| 2 * nv + nk + k);
        if !p.whole_r_l {
            placement.block(p, Part::Cq, Power::ONE, |i, j| lambda(i).map(|k| (j, k)));
        }
        placement.block(p, Part::Cq, Power::ONE, |i, j| lambda(i).map(|k| (k, j)));
        placement.block(p, Part::Rl, Power::ONE, |i, j| lambda(j).map(|k| (i, k)));
        placement.block(p, Part::CVq, Power::PER_QDOT, |i, j| {
            lambda(i).map(|k| (k, nv + j))
        });
        placement.block(p, Part::Cq, Power::ONE, |i, j| xi(i).map(|k| (nv + j, k)));
        placement.block(p, Part::Cq, Power::ONE, |i, j| xi(i).map(|k| (k, nv + j)));
        self.metric = match frame.holonomic {
            // nothing is normal to no constraints
            0 => vec![1.0; frame.dims.nv],
            _ => metric(sys),
        };
        for (i, &w) in (0..nv).zip(&self.metric) {
            placement.constant(nv + i, i, -w);
            placement.constant(nv + i, nv + i, w);
        }
        for (entry, &(i, j)) in (0..).zip(&frame.bend) {
            placement.bend_entry(entry, nv + i, nv + j, self.metric[i as usize]);
        }
        // velocities are unknowns of their own: nothing follows the positions
        let states = (nv, 0, 2 * nv + nk + holonomic);
        frame.place_states(p, &mut placement, 0, &[], states);
        let first_state = states.2;
        let owners = sys.facts().auxiliary.as_deref().map(|auxiliary| {
            let to = |place: Place| match place {
                Place::Velocity(i) => Some((i, Power::ONE)),
                Place::Position(i) => Some((nv + i, Power::ONE)),
                Place::Constraint(i) => lambda(i).map(|k| (k, Power::ONE)),
                Place::Closure(i) => xi(i).map(|k| (k, Power::ONE)),
                Place::State(i) => Some(frame.state_row(i, first_state)),
                Place::Own(_) => None,
            };
            let from = |place: Place| match place {
                Place::State(i) => Some((first_state + i, Power::ONE)),
                other => to(other),
            };
            let first = first_state + frame.dims.nx as u32;
            placement.auxiliary(auxiliary, first, &[], to, from)
        });
        self.c = vec![0.0; frame.dims.nc];
        self.cv = vec![0.0; frame.dims.rows()];
        self.c_q = vec![0.0; frame.c_q.len()];
        self.frame = frame;
        (self.frame.auxiliary, self.frame.order) = owners.unwrap_or_default();
        let pattern = placement.finish(self.size() + self.frame.auxiliary.len());
        self.placement = placement;
        let (pairs, others) = (0..2 * nv, 2 * nv + nk + holonomic..pattern.n as u32);
        let multipliers = (0..nk).chain(0..holonomic).map(|k| nv + k);
        let groups = pairs
            .map(|i| i % nv)
            .chain(multipliers)
            .chain(others)
            .collect();
        (pattern, groups)
    }

    fn order(&self) -> &[u32] {
        &self.frame.order
    }

    fn size(&self) -> usize {
        let Frame {
            dims,
            keep,
            holonomic,
            ..
        } = &self.frame;
        2 * dims.nv + keep.len() + holonomic + dims.nx
    }

    fn unknown(&self, index: usize) -> Row {
        let (nv, nk) = (self.frame.dims.nv, self.frame.keep.len());
        let states = self.size() - self.frame.dims.nx;
        if index < nv {
            Row::Velocity(index)
        } else if index < 2 * nv {
            Row::Position(index - nv)
        } else if index < states {
            let k = index - 2 * nv;
            Row::Constraint(self.frame.keep[if k < nk { k } else { k - nk }] as usize)
        } else if index < self.size() {
            Row::State(index - states)
        } else {
            self.frame.owner(index, self.size())
        }
    }

    fn parts(&self) -> Parts {
        let parts = Parts::from(Part::Mass) | Part::Cq | Part::Rq | Part::Rv | Part::CVq;
        self.frame.with_others(parts)
    }

    fn predict(&mut self, _: Option<&dyn Chart>, _: &mut Stage) {}

    fn request<'a>(&'a mut self, st: &Stage, r: &'a mut [f64]) -> Terms<'a> {
        let states = r.len() - self.frame.dims.nx;
        let (rest, f) = r.split_at_mut(states);
        let (force, _) = rest.split_at_mut(self.frame.dims.nv);
        let stabilised = st.xi.iter().any(|&x| x != 0.0);
        Terms {
            r: Some(force),
            c: Some(&mut self.c),
            cv: Some(&mut self.cv),
            // C_q' xi is zero at the prediction
            c_q: stabilised.then_some(&mut self.c_q[..]),
            f: (!f.is_empty()).then_some(f),
            ..Terms::default()
        }
    }

    fn finish(&mut self, chart: Option<&dyn Chart>, st: &Stage, r: &mut [f64]) {
        let (nv, nk) = (self.frame.dims.nv, self.frame.keep.len());
        let Link { qdot: s1, vdot: s2 } = st.link;
        let (force, rest) = r.split_at_mut(nv);
        let (kinematic, rest) = rest.split_at_mut(nv);
        let (velocity, rest) = rest.split_at_mut(nk);
        let (position, f) = rest.split_at_mut(self.frame.holonomic);
        let per_both = -1.0 / (s1 * s2);
        for x in force {
            *x *= per_both;
        }
        let per_qdot = -1.0 / s1;
        let qdot = match chart {
            None => &st.qdot,
            Some(chart) => {
                st.velocity(chart, &mut self.frame.step);
                &self.frame.step
            }
        };
        let rates = qdot.iter().zip(&st.s.v).zip(&self.metric);
        for (x, ((qdot, v), w)) in kinematic.iter_mut().zip(rates) {
            *x = per_qdot * w * (qdot - v);
        }
        if st.xi.iter().any(|&x| x != 0.0) {
            self.frame
                .add_c_q_transposed(per_qdot, &self.c_q, &st.xi, kinematic);
        }
        for (x, &row) in velocity.iter_mut().zip(&self.frame.keep) {
            *x = per_qdot * self.cv[row as usize];
        }
        for (x, &row) in position.iter_mut().zip(&self.frame.keep) {
            *x = -self.c[row as usize];
        }
        self.frame.finish_states(st, f);
    }

    fn combine(&mut self, blocks: &Blocks, bend: &[f64], link: Link, values: &mut [f64]) {
        self.placement.combine(blocks, bend, link, values);
    }

    fn apply(&mut self, chart: Option<&dyn Chart>, dz: &[f64], st: &mut Stage) {
        let (nv, nk) = (self.frame.dims.nv, self.frame.keep.len());
        let Link { qdot: s1, vdot: s2 } = st.link;
        let s12 = s1 * s2;
        let (y, rest) = dz.split_at(nv);
        let (d, rest) = rest.split_at(nv);
        let (lambda, rest) = rest.split_at(nk);
        let (xi, states) = rest.split_at(self.frame.holonomic);
        for x in [&mut st.s.v, &mut st.dv] {
            add(x, s1, y);
        }
        add(&mut st.s.a, s12, y);
        self.frame.move_positions(chart, d, st);
        for (x, &row) in lambda.iter().zip(&self.frame.keep) {
            st.s.lambda[row as usize] += s12 * x;
        }
        for (x, &row) in xi.iter().zip(&self.frame.keep) {
            st.xi[row as usize] += s1 * x;
        }
        self.frame.apply_states(states, st);
    }

    fn weigh(&self, w: &Weights, link: Link, out: &mut [f64]) {
        let nv = self.frame.dims.nv;
        let states = out.len() - w.x.len();
        for (o, w) in out.iter_mut().zip(&w.v) {
            *o = link.qdot * w;
        }
        out[nv..2 * nv].copy_from_slice(&w.q);
        out[2 * nv..states].fill(0.0);
        out[states..].copy_from_slice(&w.x);
    }

    fn noise(&self, st: &Stage, weight: &[f64]) -> f64 {
        let (y, d) = weight.split_at(self.frame.dims.nv);
        ROUNDING * (norm(&st.s.v, y) / st.link.qdot).max(norm(&st.s.q, d))
    }

    fn sizes(&self, st: &Stage, w: &Weights, out: &mut [f64]) {
        let (nv, nk) = (self.frame.dims.nv, self.frame.keep.len());
        let Link { qdot: s1, vdot: s2 } = st.link;
        let (y, rest) = out.split_at_mut(nv);
        let (d, rest) = rest.split_at_mut(nv);
        let (lambda, rest) = rest.split_at_mut(nk);
        let (xi, states) = rest.split_at_mut(self.frame.holonomic);
        for i in 0..nv {
            y[i] = st.s.v[i].abs().max(w.speed(i)) / s1;
            d[i] = st.s.q[i].abs().max(w.scale()[i]);
        }
        for (x, &row) in lambda.iter_mut().zip(&self.frame.keep) {
            *x = st.s.lambda[row as usize] / (s1 * s2);
        }
        for (x, &row) in xi.iter_mut().zip(&self.frame.keep) {
            *x = st.xi[row as usize] / s1;
        }
        self.frame.state_sizes(st, w, states);
    }

    /// Without constraints nothing is stabilised, `qdot = v` holds to rounding, and positions alone are
    /// unknowns enough.
    fn condensed(&self, sys: &dyn System) -> Option<Box<dyn Formulation>> {
        match sys.dims().rows() {
            0 => Some(Box::new(Index3::default())),
            _ => None,
        }
    }

    /// For the motion a twentieth would do. This form is chosen for its constraints, and what an
    /// iteration leaves of them is not tested anywhere else: with this bound the velocity
    /// constraints of the example models and problems hold to 1e-10 at tolerance 1e-6.
    fn one_iteration_tolerance(&self) -> f64 {
        1.5e-6
    }
}
