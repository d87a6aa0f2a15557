//! Stabilised index 2 (Gear, Gupta & Leimkuhler 1985): position and velocity constraints hold.
//!
//! ```text
//!  q' - v + C_q' xi = 0;  unknowns y = e/s1 (e: of v), d (of q), lambda/(s1 s2), xi/s1
//!
//!  [ M + D/s2   K/(s1 s2)   C_q'  0    ] [ y              ]     [ r / (s1 s2)                ]
//!  [ -I         I           0     C_q' ] [ d              ]     [ (qdot - v + C_q' xi) / s1  ]
//!  [ C_q        CV_q/s1     0     0    ] [ lambda/(s1 s2) ] = - [ (C_q v + C_t) / s1         ]
//!  [ 0          C_q         0     0    ] [ xi/s1          ]     [ C                          ]
//! ```
//!
//! The rows are ordered so that each multiplier is paired with the constraint row of the same
//! structure, which keeps the pattern nearly symmetric. The derivative of `C_q' xi` is left out:
//! `xi` is of the size of the local error. Bad at: the matrix is twice as large as in index 3.

use super::place::{Placement, Power};
use super::{Formulation, Frame, ROUNDING, add};
use crate::linear::Pattern;
use crate::state::{Link, Stage, Weights, norm};
use crate::system::{Blocks, Part, Parts, Row, Rows, System, Terms};

/// See the [module](self).
#[derive(Default)]
pub struct Ggl {
    frame: Frame,
    placement: Placement,
    c: Vec<f64>,
    cv: Vec<f64>,
    c_q: Vec<f64>,
}

impl Formulation for Ggl {
    fn bind(&mut self, sys: &dyn System, keep: &Rows) -> (Pattern, Vec<u32>) {
        let frame = Frame::new(sys, keep);
        let nv = frame.dims.nv as u32;
        let nk = frame.keep.len() as u32;
        let n = 2 * (nv + nk) as usize;
        let p = sys.patterns();
        let mut placement = Placement::default();
        placement.block(p, Part::Mass, Power::One, |i, j| Some((i, j)));
        placement.block(p, Part::Rv, Power::PerVdot, |i, j| Some((i, j)));
        placement.block(p, Part::Rq, Power::PerBoth, |i, j| Some((i, nv + j)));
        let lambda = |i| frame.kept(i).map(|k| 2 * nv + k);
        let xi = |i| frame.kept(i).map(|k| 2 * nv + nk + k);
        placement.block(p, Part::Cq, Power::One, |i, j| lambda(i).map(|k| (j, k)));
        placement.block(p, Part::Cq, Power::One, |i, j| lambda(i).map(|k| (k, j)));
        placement.block(p, Part::CVq, Power::PerQdot, |i, j| {
            lambda(i).map(|k| (k, nv + j))
        });
        placement.block(p, Part::Cq, Power::One, |i, j| xi(i).map(|k| (nv + j, k)));
        placement.block(p, Part::Cq, Power::One, |i, j| xi(i).map(|k| (k, nv + j)));
        for i in 0..nv {
            placement.constant(nv + i, i, -1.0);
            placement.constant(nv + i, nv + i, 1.0);
        }
        let pattern = placement.finish(n);
        let (body, constraint) = (&frame.body[..], &frame.constraint_body[..]);
        let groups = [body, body, constraint, constraint].concat();
        self.c = vec![0.0; frame.dims.nc];
        self.cv = vec![0.0; frame.dims.nc];
        self.c_q = vec![0.0; frame.c_q.len()];
        self.placement = placement;
        self.frame = frame;
        (pattern, groups)
    }

    fn size(&self) -> usize {
        2 * (self.frame.dims.nv + self.frame.keep.len())
    }

    fn unknown(&self, index: usize) -> Row {
        let (nv, nk) = (self.frame.dims.nv, self.frame.keep.len());
        if index < nv {
            Row::Velocity(index)
        } else if index < 2 * nv {
            Row::Position(index - nv)
        } else {
            let k = (index - 2 * nv) % nk.max(1);
            Row::Constraint(self.frame.keep[k] as usize)
        }
    }

    fn parts(&self) -> Parts {
        Parts::from(Part::Mass) | Part::Cq | Part::Rq | Part::Rv | Part::CVq
    }

    fn predict(&mut self, _: &mut Stage) {}

    fn request<'a>(&'a mut self, st: &Stage, r: &'a mut [f64]) -> Terms<'a> {
        let (force, _) = r.split_at_mut(self.frame.dims.nv);
        let stabilised = st.xi.iter().any(|&x| x != 0.0);
        Terms {
            r: Some(force),
            c: Some(&mut self.c),
            cv: Some(&mut self.cv),
            // C_q' xi is zero at the prediction
            c_q: stabilised.then_some(&mut self.c_q[..]),
            ..Terms::default()
        }
    }

    fn finish(&mut self, st: &Stage, r: &mut [f64]) {
        let (nv, nk) = (self.frame.dims.nv, self.frame.keep.len());
        let Link { qdot: s1, vdot: s2 } = st.link;
        let (force, rest) = r.split_at_mut(nv);
        let (kinematic, rest) = rest.split_at_mut(nv);
        let (velocity, position) = rest.split_at_mut(nk);
        let per_both = -1.0 / (s1 * s2);
        for x in force {
            *x *= per_both;
        }
        let per_qdot = -1.0 / s1;
        for ((x, qdot), v) in kinematic.iter_mut().zip(&st.qdot).zip(&st.s.v) {
            *x = per_qdot * (qdot - v);
        }
        if st.xi.iter().any(|&x| x != 0.0) {
            self.frame
                .add_c_q_transposed(per_qdot, &self.c_q, &st.xi, kinematic);
        }
        for (k, &row) in self.frame.keep.iter().enumerate() {
            velocity[k] = per_qdot * self.cv[row as usize];
            position[k] = -self.c[row as usize];
        }
    }

    fn combine(&mut self, blocks: &Blocks, link: Link, values: &mut [f64]) {
        self.placement.combine(blocks, link, values);
    }

    fn apply(&mut self, dz: &[f64], st: &mut Stage) {
        let (nv, nk) = (self.frame.dims.nv, self.frame.keep.len());
        let Link { qdot: s1, vdot: s2 } = st.link;
        let s12 = s1 * s2;
        let (y, rest) = dz.split_at(nv);
        let (d, rest) = rest.split_at(nv);
        let (lambda, xi) = rest.split_at(nk);
        for x in [&mut st.s.v, &mut st.dv] {
            add(x, s1, y);
        }
        add(&mut st.s.a, s12, y);
        for x in [&mut st.s.q, &mut st.dq] {
            add(x, 1.0, d);
        }
        add(&mut st.qdot, s1, d);
        for (k, &row) in self.frame.keep.iter().enumerate() {
            st.s.lambda[row as usize] += s12 * lambda[k];
            st.xi[row as usize] += s1 * xi[k];
        }
    }

    fn weigh(&self, w: &Weights, link: Link, out: &mut [f64]) {
        let nv = self.frame.dims.nv;
        for (o, w) in out.iter_mut().zip(&w.v) {
            *o = link.qdot * w;
        }
        out[nv..2 * nv].copy_from_slice(&w.q);
        out[2 * nv..].fill(0.0);
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
        let (lambda, xi) = rest.split_at_mut(nk);
        for i in 0..nv {
            y[i] = st.s.v[i].abs().max(w.speed(i)) / s1;
            d[i] = st.s.q[i].abs().max(w.scale()[i]);
        }
        for (k, &row) in self.frame.keep.iter().enumerate() {
            lambda[k] = st.s.lambda[row as usize] / (s1 * s2);
            xi[k] = st.xi[row as usize] / s1;
        }
    }
}
