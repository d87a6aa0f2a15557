//! Index 3: position constraints, one increment for positions and velocities.
//!
//! ```text
//!  v = qdot;  unknowns d (of q) and lambda / (s1 s2)
//!
//!  [ M + D/s2 + K/(s1 s2)   C_q' ] [ d                 ]     [ r / (s1 s2) ]
//!  [ C_q                    0    ] [ lambda / (s1 s2)  ] = - [ C           ]
//! ```
//!
//! Bad at: velocities satisfy their constraint only to the order of the method; accelerations and
//! multipliers of the discrete equations are noisy after a change of step or order, so outputs
//! take them from the acceleration level instead.

use super::place::{Placement, Power};
use super::{Formulation, Frame, Matrix, ROUNDING, add};
use crate::linear::Pattern;
use crate::state::{Link, Stage, Weights, norm};
use crate::system::{Blocks, Part, Parts, Row, Rows, System, Terms};

/// See the [module](self).
#[derive(Default)]
pub struct Index3 {
    frame: Frame,
    placement: Placement,
    c: Vec<f64>,
    rhs: Vec<f64>,
}

impl Formulation for Index3 {
    fn bind(&mut self, sys: &dyn System, keep: &Rows) -> (Pattern, Vec<u32>) {
        let frame = Frame::new(sys, keep);
        let nv = frame.dims.nv as u32;
        let n = frame.dims.nv + frame.keep.len();
        let p = sys.patterns();
        let mut placement = Placement::default();
        placement.block(p, Part::Mass, Power::One, |i, j| Some((i, j)));
        placement.block(p, Part::Rv, Power::PerVdot, |i, j| Some((i, j)));
        placement.block(p, Part::Rq, Power::PerBoth, |i, j| Some((i, j)));
        let row = |i| frame.kept(i).map(|k| nv + k);
        placement.block(p, Part::Cq, Power::One, |i, j| row(i).map(|i| (i, j)));
        placement.block(p, Part::Cq, Power::One, |i, j| row(i).map(|i| (j, i)));
        let pattern = placement.finish(n);
        let groups = [&frame.body[..], &frame.constraint_body].concat();
        self.c = vec![0.0; frame.dims.nc];
        self.rhs = vec![0.0; n];
        self.placement = placement;
        self.frame = frame;
        (pattern, groups)
    }

    fn size(&self) -> usize {
        self.rhs.len()
    }

    fn unknown(&self, index: usize) -> Row {
        let nv = self.frame.dims.nv;
        if index < nv {
            Row::Position(index)
        } else {
            Row::Constraint(self.frame.keep[index - nv] as usize)
        }
    }

    fn parts(&self) -> Parts {
        Parts::from(Part::Mass) | Part::Cq | Part::Rq | Part::Rv
    }

    fn predict(&mut self, st: &mut Stage) {
        let s2 = st.link.vdot;
        for i in 0..st.dv.len() {
            let e = st.qdot[i] - st.s.v[i];
            st.dv[i] = e;
            st.s.a[i] += s2 * e;
            st.s.v[i] = st.qdot[i];
        }
    }

    fn request<'a>(&'a mut self, _: &Stage, r: &'a mut [f64]) -> Terms<'a> {
        let (force, _) = r.split_at_mut(self.frame.dims.nv);
        Terms {
            r: Some(force),
            c: Some(&mut self.c),
            ..Terms::default()
        }
    }

    fn finish(&mut self, st: &Stage, r: &mut [f64]) {
        let (force, c) = r.split_at_mut(self.frame.dims.nv);
        let scale = -1.0 / (st.link.qdot * st.link.vdot);
        for x in force {
            *x *= scale;
        }
        for (c, &row) in c.iter_mut().zip(&self.frame.keep) {
            *c = -self.c[row as usize];
        }
    }

    fn combine(&mut self, blocks: &Blocks, link: Link, values: &mut [f64]) {
        self.placement.combine(blocks, link, values);
    }

    fn apply(&mut self, dz: &[f64], st: &mut Stage) {
        let Link { qdot: s1, vdot: s2 } = st.link;
        let s12 = s1 * s2;
        let (d, multipliers) = dz.split_at(self.frame.dims.nv);
        for x in [&mut st.s.q, &mut st.dq] {
            add(x, 1.0, d);
        }
        for x in [&mut st.qdot, &mut st.s.v, &mut st.dv] {
            add(x, s1, d);
        }
        add(&mut st.s.a, s12, d);
        for (&x, &row) in multipliers.iter().zip(&self.frame.keep) {
            st.s.lambda[row as usize] += s12 * x;
        }
    }

    fn weigh(&self, w: &Weights, link: Link, out: &mut [f64]) {
        let nv = self.frame.dims.nv;
        for (out, (q, v)) in out[..nv].iter_mut().zip(w.q.iter().zip(&w.v)) {
            // an increment d moves the velocity by s1 d, which must be resolved as well
            *out = q.max(link.qdot * v);
        }
        out[nv..].fill(0.0);
    }

    fn noise(&self, st: &Stage, weight: &[f64]) -> f64 {
        ROUNDING * norm(&st.s.q, weight)
    }

    fn filters(&self) -> bool {
        !self.frame.keep.is_empty()
    }

    /// Subtracts `w` with `C_q w = C_q e`, `Mhat w + C_q' s = 0`: one solve with the factors at
    /// hand. Only this part of a velocity error is a true error of the motion; the normal rest does
    /// not shrink with the step (Gear, Gupta & Leimkuhler 1985; Fuehrer & Leimkuhler 1991).
    fn filter(&mut self, matrix: &mut Matrix, e: &mut [f64]) {
        let nv = self.frame.dims.nv;
        self.rhs.fill(0.0);
        self.frame
            .add_c_q(&matrix.blocks[Part::Cq], e, &mut self.rhs[nv..]);
        matrix.solver.solve(&mut self.rhs);
        for (e, w) in e.iter_mut().zip(&self.rhs) {
            *e -= w;
        }
    }
}
