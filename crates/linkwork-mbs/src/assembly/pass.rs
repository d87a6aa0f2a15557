//! How the numbers of one joint reach their places in the equations of the whole.

use crate::joint::{COLUMNS, Joint, JointPoint, JointTerms, MAX_ROWS, Want};
use crate::space::{Frame, Vector};
use linkwork_dae::system::{Blocks, Part, Parts};

/// Entries of an element matrix that go to consecutive places of a block.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gather {
    /// First place in the block.
    pub first: usize,
    /// Row-major position of each entry in the element matrix.
    pub from: Vec<u8>,
}

/// An entry of an element matrix (row-major position) and its place in a block.
pub(crate) type Slot = (u8, u32);

/// What a joint connects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sides {
    /// Two rigid bodies.
    Rigid,
    /// The ground and a rigid body b.
    GroundAndRigid,
    /// Anything else.
    Other,
}

/// Which bodies a joint connects, and where its equations and entries belong.
#[derive(Clone, Debug)]
pub struct JointPlaces {
    /// Frames of the two bodies.
    pub(crate) a: usize,
    pub(crate) b: usize,
    pub(crate) sides: Sides,
    /// First constraint row.
    pub(crate) row: usize,
    pub(crate) rows: usize,
    pub(crate) c_q: Gather,
    pub(crate) cv_q: Gather,
    /// Entries of `(C_q' lambda)_q` in K.
    pub(crate) hess: Vec<Slot>,
}

/// One evaluation of all joints: where, what is wanted, and where it goes.
#[derive(Debug)]
pub struct JointPass<'a> {
    pub(super) t: f64,
    pub(super) frames: &'a [Frame],
    pub(super) lambda: &'a [f64],
    pub(super) want: Want,
    pub(super) parts: Parts,
    pub(super) loads: &'a mut [[f64; 4]],
    pub(super) c: &'a mut [f64],
    pub(super) cv: &'a mut [f64],
    pub(super) gamma: &'a mut [f64],
    pub(super) c_q: &'a mut [f64],
    pub(super) blocks: &'a mut Blocks,
    pub(super) terms: &'a mut JointTerms,
}

impl JointPass<'_> {
    /// Evaluates any joint through the local table.
    #[inline(never)]
    pub(crate) fn through_table<J: Joint + ?Sized>(&mut self, joint: &J, to: &JointPlaces) {
        let point = JointPoint {
            t: self.t,
            a: &self.frames[to.a],
            b: &self.frames[to.b],
            lambda: (self.lambda.get(to.row..to.row + to.rows)).unwrap_or(&[]),
        };
        let (want, terms) = (self.want, &mut *self.terms);
        joint.eval(&point, want, terms);
        if want.any(Want::LOAD) {
            add_loads(self.loads, to.a, to.b, &terms.load);
        }
        if want.any(Want::C) {
            copy(self.c, to, &terms.c);
        }
        if want.any(Want::CV) {
            copy(self.cv, to, &terms.cv);
        }
        if want.any(Want::GAMMA) {
            copy(self.gamma, to, &terms.gamma);
        }
        if want.any(Want::C_Q) {
            let values = terms.c_q.as_flattened();
            if !self.c_q.is_empty() {
                gather(self.c_q, &to.c_q, values);
            }
            if self.parts.has(Part::Cq) {
                gather(&mut self.blocks[Part::Cq], &to.c_q, values);
            }
        }
        if want.any(Want::CV_Q) {
            let values = terms.cv_q.as_flattened();
            gather(&mut self.blocks[Part::CVq], &to.cv_q, values);
        }
        if want.any(Want::HESS) {
            let values = terms.hess.as_flattened();
            scatter(&mut self.blocks[Part::Rq], &to.hess, values);
        }
    }

    /// Evaluates the coincidence of two points straight into place.
    ///
    /// Revolute joints are most of what a mechanism is made of, and moving their numbers through a
    /// table costs as much as computing them. The order of the entries, body a before body b, is
    /// that of `primitive::coincidence_pattern`; so a joint on the ground has the second half of
    /// them. Other shapes (points, body b on the ground) are left to the table: answers false.
    #[inline(always)]
    pub(crate) fn coincidence(&mut self, marker: [Vector; 2], to: &JointPlaces) -> bool {
        let whole = match to.sides {
            Sides::Rigid => true,
            Sides::GroundAndRigid => false,
            Sides::Other => return false,
        };
        let want = self.want;
        let (a, b) = (&self.frames[to.a], &self.frames[to.b]);
        let sa = a.pose.direction(marker[0]);
        let sb = b.pose.direction(marker[1]);
        if want.any(Want::C) {
            let c = &mut self.c[to.row..to.row + 2];
            c[0] = b.pose.x + sb[0] - (a.pose.x + sa[0]);
            c[1] = b.pose.y + sb[1] - (a.pose.y + sa[1]);
        }
        if want.any(Want::CV) {
            let (va, vb) = (a.velocity_at(sa), b.velocity_at(sb));
            let cv = &mut self.cv[to.row..to.row + 2];
            cv[0] = vb[0] - va[0];
            cv[1] = vb[1] - va[1];
        }
        if want.any(Want::GAMMA) {
            let (wa, wb) = (a.omega * a.omega, b.omega * b.omega);
            let gamma = &mut self.gamma[to.row..to.row + 2];
            gamma[0] = wb * sb[0] - wa * sa[0];
            gamma[1] = wb * sb[1] - wa * sa[1];
        }
        if want.any(Want::C_Q) {
            let on_a = [-1.0, -1.0, sa[1], -sa[0]];
            let on_b = [1.0, 1.0, -sb[1], sb[0]];
            if !self.c_q.is_empty() {
                halves(self.c_q, to.c_q.first, whole, on_a, on_b);
            }
            if self.parts.has(Part::Cq) {
                halves(&mut self.blocks[Part::Cq], to.c_q.first, whole, on_a, on_b);
            }
        }
        if want.any(Want::CV_Q) {
            let on_a = [a.omega * sa[0], a.omega * sa[1]];
            let on_b = [-b.omega * sb[0], -b.omega * sb[1]];
            halves(
                &mut self.blocks[Part::CVq],
                to.cv_q.first,
                whole,
                on_a,
                on_b,
            );
        }
        if want.any(Want::LOAD | Want::HESS) {
            let lambda = &self.lambda[to.row..to.row + 2];
            let (lx, ly) = (lambda[0], lambda[1]);
            if want.any(Want::HESS) {
                let k = &mut self.blocks[Part::Rq];
                let turn = [lx * sa[0] + ly * sa[1], -(lx * sb[0] + ly * sb[1])];
                if let [(_, on_a), (_, on_b)] = to.hess[..] {
                    k[on_a as usize] += turn[0];
                    k[on_b as usize] += turn[1];
                } else if let [(_, on_b)] = to.hess[..] {
                    k[on_b as usize] += turn[1];
                }
            }
            if want.any(Want::LOAD) {
                let on_b = &mut self.loads[to.b];
                on_b[0] += lx;
                on_b[1] += ly;
                on_b[2] += ly * sb[0] - lx * sb[1];
                if whole {
                    let on_a = &mut self.loads[to.a];
                    on_a[0] -= lx;
                    on_a[1] -= ly;
                    on_a[2] -= ly * sa[0] - lx * sa[1];
                }
            }
        }
        true
    }
}

/// Writes the entries of both bodies, or of body b alone.
#[inline(always)]
fn halves<const N: usize>(
    block: &mut [f64],
    first: usize,
    whole: bool,
    on_a: [f64; N],
    on_b: [f64; N],
) {
    if whole {
        let to = &mut block[first..first + 2 * N];
        to[..N].copy_from_slice(&on_a);
        to[N..].copy_from_slice(&on_b);
    } else {
        block[first..first + N].copy_from_slice(&on_b);
    }
}

/// Adds the six local entries of an element to its two bodies (the ground takes its share too).
#[inline(always)]
pub(super) fn add_loads(loads: &mut [[f64; 4]], a: usize, b: usize, local: &[f64; COLUMNS]) {
    let on_a = &mut loads[a];
    on_a[0] += local[0];
    on_a[1] += local[1];
    on_a[2] += local[2];
    let on_b = &mut loads[b];
    on_b[0] += local[3];
    on_b[1] += local[4];
    on_b[2] += local[5];
}

/// Moves the one to three rows of a joint to their places.
#[inline(always)]
pub(super) fn copy(to: &mut [f64], joint: &JointPlaces, from: &[f64; MAX_ROWS]) {
    to[joint.row] = from[0];
    if joint.rows > 1 {
        to[joint.row + 1] = from[1];
        if joint.rows > 2 {
            to[joint.row + 2] = from[2];
        }
    }
}

#[inline(always)]
pub(super) fn gather(block: &mut [f64], places: &Gather, values: &[f64]) {
    let to = &mut block[places.first..places.first + places.from.len()];
    for (to, &from) in to.iter_mut().zip(&places.from) {
        *to = values[from as usize];
    }
}

#[inline(always)]
pub(super) fn scatter(block: &mut [f64], slots: &[Slot], values: &[f64]) {
    for &(from, to) in slots {
        block[to as usize] += values[from as usize];
    }
}
