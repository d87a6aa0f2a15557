//! Index 3: position constraints, one increment for positions and velocities.
//!
//! ```text
//!  v = qdot;  unknowns d (of q) and lambda / (s1 s2)
//!
//!  [ M + D/s2 + K/(s1 s2)   C_q'  G_v' ] [ d                 ]     [ r / (s1 s2) ]
//!  [ C_q                    0     0    ] [ lambda / (s1 s2)  ] = - [ C           ]
//!  [ G_v + G_q/s1           0     0    ] [ mu / (s1 s2)      ]     [ g / s1      ]
//! ```
//!
//! On a chart `v = T(q) qdot` and `d` is a tangent step, so that `dv = s1 (I + B) d`: the blocks
//! that multiply velocities, `M`, `D` and `G_v`, gain a factor `I + B`.
//!
//! This is the optimal scaling (Bottasso, Dopico & Trainelli 2008): rows and unknowns in position
//! units, a condition number that does not depend on the step. Without it the condition grows like
//! h^-4 and the multipliers solved for carry rounding of h^-2; both worse variants are kept as
//! [`Scaling`] to be measured.
//!
//! Non-holonomic rows and first-order states (see [`super`]) join at the velocity level.
//!
//! Bad at: velocities satisfy their constraint only to the order of the method; accelerations and
//! multipliers of the discrete equations are noisy after a change of step or order, so outputs
//! take them from the acceleration level instead.

use super::place::{Placement, Power};
use super::{Formulation, Frame, Matrix, ROUNDING, add, placed};
use crate::auxiliary::Place;
use crate::chart::Chart;
use crate::linear::Pattern;
use crate::state::{Link, Stage, Weights, norm};
use crate::system::{Blocks, Part, Parts, Row, Rows, System, Terms};

/// How the equations and the multipliers are scaled before the linear algebra.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scaling {
    /// Forces and multipliers as they are: condition O(h^-4).
    None,
    /// Multipliers in position units: condition O(h^-2).
    Right,
    /// Multipliers and force rows in position units: condition O(1).
    #[default]
    Both,
}

impl Scaling {
    /// Factor of the force rows against the optimal scaling, as powers of `s1 s2`.
    fn rows(self) -> i32 {
        i32::from(self != Scaling::Both)
    }

    /// Factor of the multiplier columns.
    fn multipliers(self) -> i32 {
        -i32::from(self == Scaling::None)
    }
}

/// See the [module](self).
#[derive(Default)]
pub struct Index3 {
    scaling: Scaling,
    frame: Frame,
    placement: Placement,
    c: Vec<f64>,
    cv: Vec<f64>,
    rhs: Vec<f64>,
}

impl Index3 {
    /// The same equations in another scaling.
    pub fn scaled(scaling: Scaling) -> Index3 {
        Index3 {
            scaling,
            ..Index3::default()
        }
    }
}

impl Formulation for Index3 {
    fn bind(&mut self, sys: &dyn System, keep: &Rows) -> (Pattern, Vec<u32>) {
        let mut frame = Frame::new(sys, keep);
        let nv = frame.dims.nv as u32;
        let nk = frame.keep.len() as u32;
        let n = frame.dims.nv + frame.keep.len() + frame.dims.nx;
        let p = &*placed(sys);
        let mut placement = Placement::default();
        let rows = self.scaling.rows();
        let force = |qdot, vdot| Power::of(1.0, rows + qdot, rows + vdot);
        let (mass, damping) = (force(0, 0), force(0, -1));
        let bend = &frame.bend[..];
        placement.velocity_block(p, Part::Mass, mass, bend, |i, j| Some((i, j)));
        placement.velocity_block(p, Part::Rv, damping, bend, |i, j| Some((i, j)));
        placement.block(p, Part::Rq, force(-1, -1), |i, j| Some((i, j)));
        let row = |i| frame.kept(i).map(|k| nv + k);
        let columns = self.scaling.multipliers();
        let reaction = force(columns, columns);
        placement.block(p, Part::Cq, Power::ONE, |i, j| row(i).map(|i| (i, j)));
        if !p.whole_r_l {
            placement.block(p, Part::Cq, reaction, |i, j| row(i).map(|i| (j, i)));
        }
        placement.block(p, Part::Rl, reaction, |i, j| row(j).map(|j| (i, j)));
        if frame.dims.ng > 0 {
            let velocity_only = |i: u32| row(i).filter(|_| i as usize >= frame.dims.nc);
            placement.block(p, Part::CVq, Power::PER_QDOT, |i, j| {
                velocity_only(i).map(|i| (i, j))
            });
            placement.bend(p, Part::Cq, Power::ONE, bend, |i, j| {
                velocity_only(i).map(|i| (i, j))
            });
        }
        frame.place_states(p, &mut placement, rows, bend, (0, 0, nv + nk));
        if let Some(auxiliary) = sys.facts().auxiliary.as_deref() {
            let nc = frame.dims.nc as u32;
            let to = |place: Place| match place {
                Place::Velocity(i) => Some((i, Power::of(1.0, rows, rows))),
                Place::Closure(i) => row(i).map(|k| (k, Power::ONE)),
                Place::Constraint(i) => row(i).filter(|_| i >= nc).map(|k| (k, Power::ONE)),
                Place::State(i) => Some(frame.state_row(i, nv + nk)),
                Place::Position(_) | Place::Own(_) => None,
            };
            let from = |place: Place| match place {
                Place::Velocity(j) | Place::Position(j) => Some((j, Power::ONE)),
                Place::Constraint(i) => row(i).map(|k| (k, Power::of(1.0, columns, columns))),
                Place::State(j) => Some((nv + nk + j, Power::ONE)),
                Place::Closure(_) | Place::Own(_) => None,
            };
            (frame.auxiliary, frame.order) =
                placement.auxiliary(auxiliary, n as u32, bend, to, from);
        }
        let pattern = placement.finish(n + frame.auxiliary.len());
        self.c = vec![0.0; frame.dims.nc];
        self.cv = vec![0.0; frame.dims.rows()];
        self.rhs = vec![0.0; n];
        self.placement = placement;
        self.frame = frame;
        (pattern, Vec::new())
    }

    fn order(&self) -> &[u32] {
        &self.frame.order
    }

    fn size(&self) -> usize {
        self.rhs.len()
    }

    fn unknown(&self, index: usize) -> Row {
        let (nv, nk) = (self.frame.dims.nv, self.frame.keep.len());
        if index < nv {
            Row::Position(index)
        } else if index < nv + nk {
            Row::Constraint(self.frame.keep[index - nv] as usize)
        } else if index < self.size() {
            Row::State(index - nv - nk)
        } else {
            self.frame.owner(index, self.size())
        }
    }

    fn parts(&self) -> Parts {
        let parts = Parts::from(Part::Mass) | Part::Cq | Part::Rq | Part::Rv;
        let parts = if self.frame.dims.ng > 0 {
            parts | Part::CVq
        } else {
            parts
        };
        self.frame.with_others(parts)
    }

    fn predict(&mut self, chart: Option<&dyn Chart>, st: &mut Stage) {
        self.frame.follow(chart, st);
    }

    fn request<'a>(&'a mut self, _: &Stage, r: &'a mut [f64]) -> Terms<'a> {
        let (force, rest) = r.split_at_mut(self.frame.dims.nv);
        let f = &mut rest[self.frame.keep.len()..];
        Terms {
            r: Some(force),
            c: Some(&mut self.c),
            cv: (self.frame.dims.ng > 0).then_some(&mut self.cv[..]),
            f: (!f.is_empty()).then_some(f),
            ..Terms::default()
        }
    }

    fn finish(&mut self, _: Option<&dyn Chart>, st: &Stage, r: &mut [f64]) {
        let (force, rest) = r.split_at_mut(self.frame.dims.nv);
        let (constraint, f) = rest.split_at_mut(self.frame.keep.len());
        let Link { qdot: s1, vdot: s2 } = st.link;
        let scale = -(s1 * s2).powi(self.scaling.rows() - 1);
        for x in force {
            *x *= scale;
        }
        let (holonomic, other) = constraint.split_at_mut(self.frame.holonomic);
        let (keep, keep_other) = self.frame.keep.split_at(self.frame.holonomic);
        for (c, &row) in holonomic.iter_mut().zip(keep) {
            *c = -self.c[row as usize];
        }
        for (g, &row) in other.iter_mut().zip(keep_other) {
            *g = -self.cv[row as usize] / s1;
        }
        self.frame.finish_states(st, f);
    }

    fn combine(&mut self, blocks: &Blocks, bend: &[f64], link: Link, values: &mut [f64]) {
        self.placement.combine(blocks, bend, link, values);
    }

    fn apply(&mut self, chart: Option<&dyn Chart>, dz: &[f64], st: &mut Stage) {
        let Link { qdot: s1, vdot: s2 } = st.link;
        let s12 = s1 * s2;
        let (d, rest) = dz.split_at(self.frame.dims.nv);
        let (multipliers, states) = rest.split_at(self.frame.keep.len());
        self.frame.move_positions(chart, d, st);
        if chart.is_some() {
            self.frame.follow(chart, st);
        } else {
            for x in [&mut st.s.v, &mut st.dv] {
                add(x, s1, d);
            }
            add(&mut st.s.a, s12, d);
        }
        let unit = s12.powi(1 + self.scaling.multipliers());
        for (&x, &row) in multipliers.iter().zip(&self.frame.keep) {
            st.s.lambda[row as usize] += unit * x;
        }
        self.frame.apply_states(states, st);
    }

    fn weigh(&self, w: &Weights, link: Link, out: &mut [f64]) {
        let (nv, nk) = (self.frame.dims.nv, self.frame.keep.len());
        for (out, (q, v)) in out[..nv].iter_mut().zip(w.q.iter().zip(&w.v)) {
            // an increment d moves the velocity by s1 d, which must be resolved as well
            *out = q.max(link.qdot * v);
        }
        out[nv..nv + nk].fill(0.0);
        out[nv + nk..].copy_from_slice(&w.x);
    }

    fn noise(&self, st: &Stage, weight: &[f64]) -> f64 {
        ROUNDING * norm(&st.s.q, &weight[..st.s.q.len()])
    }

    fn sizes(&self, st: &Stage, w: &Weights, out: &mut [f64]) {
        let Link { qdot: s1, vdot: s2 } = st.link;
        let (q, rest) = out.split_at_mut(self.frame.dims.nv);
        let (multipliers, states) = rest.split_at_mut(self.frame.keep.len());
        for (i, x) in q.iter_mut().enumerate() {
            *x = st.s.q[i].abs().max(w.scale()[i]);
        }
        for (x, &row) in multipliers.iter_mut().zip(&self.frame.keep) {
            *x = st.s.lambda[row as usize] / (s1 * s2).powi(1 + self.scaling.multipliers());
        }
        self.frame.state_sizes(st, w, states);
    }

    fn filters(&self) -> bool {
        self.frame.holonomic > 0
    }

    /// Subtracts `w` with `C_q w = C_q e`, `Mhat w + C_q' s = 0`: one solve with the factors at
    /// hand. Only this part of a velocity error is a true error of the motion; the normal rest does
    /// not shrink with the step (Gear, Gupta & Leimkuhler 1985; Fuehrer & Leimkuhler 1991).
    fn filter(&mut self, matrix: &mut Matrix, e: &mut [f64]) {
        let (nv, nk) = (self.frame.dims.nv, self.frame.keep.len());
        self.rhs.fill(0.0);
        self.frame
            .add_c_q(&matrix.blocks[Part::Cq], e, &mut self.rhs[nv..nv + nk]);
        matrix.solve(&mut self.rhs);
        for (e, w) in e.iter_mut().zip(&self.rhs) {
            *e -= w;
        }
    }
}
