//! How the numbers of one joint reach their places in the equations of the whole.

use super::points::Frames;
use crate::joint::primitive::{Places, coincidence};
use crate::joint::{COLUMNS, Joint, JointTerms, MAX_ROWS, Want};
use crate::kernel::{Flat, Solid, Space};
use crate::lanes::Lanes;
use linkwork_dae::system::{Blocks, Part, Parts};
use std::ops::Range;

/// Entries of an element matrix that go to consecutive places of a block.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gather {
    /// First place in the block.
    pub first: usize,
    /// Row-major position of each entry in the element matrix.
    pub from: Vec<u8>,
}

/// An entry of an element matrix (row-major position) and its place in a block.
pub(crate) type ElementSlot = (u8, u32);

/// Which bodies a joint connects, and where its equations and entries belong.
#[derive(Clone, Debug)]
pub struct JointPlaces {
    /// Frames of the two bodies.
    pub(crate) a: usize,
    pub(crate) b: usize,
    /// Whether both bodies move in the x-y plane.
    pub(crate) flat: bool,
    /// Whether each of them has coordinates.
    pub(crate) on: [bool; 2],
    /// How many turns the bodies have if its entries are those of the coincidence of two points of bodies with
    /// all freedoms of their space, which go straight into place.
    pub(crate) straight: Option<usize>,
    pub(crate) lanes: Lanes,
    /// Its own rows that exist, those of positions first.
    pub(crate) kept: Vec<u8>,
    /// First row of positions, and how many.
    pub(crate) row: usize,
    pub(crate) rows: usize,
    /// First row of velocities, and how many.
    pub(crate) velocity_row: usize,
    pub(crate) velocity_rows: usize,
    pub(crate) c_q: Gather,
    pub(crate) cv_q: Gather,
    /// In place of these, where several parts of one joint add up.
    pub(crate) shared: Option<Box<Shared>>,
    /// Entries of `(C_q' lambda)_q` in K.
    pub(crate) hess: Vec<ElementSlot>,
    /// Entries of `(G_v' mu)_v` in D.
    pub(crate) hess_v: Vec<ElementSlot>,
    /// Its remembered angles.
    pub(crate) turns: Range<usize>,
    /// Whether it follows functions of time.
    pub(crate) driven: bool,
    /// Whether it must stay an equation: events may let it go, its reaction presses, or forces
    /// read its multipliers.
    pub(crate) stays: bool,
    /// Whether it has dry friction.
    pub(crate) rubs: bool,
}

/// Where a part of a joint with more than two sides adds its rows and entries.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shared {
    /// Whether another part has begun.
    pub further: bool,
    pub c_q: Vec<ElementSlot>,
    pub cv_q: Vec<ElementSlot>,
    /// All entries of the joint, which the first part clears.
    pub of_c_q: Range<usize>,
    pub of_cv_q: Range<usize>,
}

impl JointPlaces {
    /// Whether it is one of several parts of a joint and not the first.
    pub(crate) fn is_further(&self) -> bool {
        self.shared.as_ref().is_some_and(|shared| shared.further)
    }

    /// The row of the whole behind each of its own that exists.
    #[inline]
    pub(crate) fn rows(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let first = self.row..self.row + self.rows;
        let then = self.velocity_row..self.velocity_row + self.velocity_rows;
        let own = self.kept.iter().map(|i| usize::from(*i));
        own.zip(first.chain(then))
    }

    /// Finds out whether its entries are those of a coincidence of points in a space.
    pub(crate) fn find_straight(&mut self) {
        let sides = usize::from(self.on[0]) + usize::from(self.on[1]);
        let (entries, bent) = (self.c_q.from.len(), self.hess.len());
        let fits = |turns: usize, axes: usize| {
            entries == sides * axes * (1 + turns) && bent == sides * turns * turns
        };
        let spaces = [(Flat::TURNS, Flat::AXES), (Solid::TURNS, Solid::AXES)];
        let found = spaces.into_iter().find(|(turns, axes)| fits(*turns, *axes));
        self.straight = found.map(|(turns, _)| turns);
    }

    /// Its multipliers; zero for rows that do not exist or where there are none.
    #[inline]
    pub(crate) fn multipliers(&self, lambda: &[f64]) -> [f64; MAX_ROWS] {
        let mut own = [0.0; MAX_ROWS];
        if !lambda.is_empty() {
            for (first, kept) in self.runs() {
                for (own_row, value) in kept.iter().zip(&lambda[first..first + kept.len()]) {
                    own[usize::from(*own_row)] = *value;
                }
            }
        }
        own
    }

    /// Its own rows by runs of rows of the whole, with the first of each: of positions, of velocities. Loops over
    /// them are shorter than over [`JointPlaces::rows`], and most of what placing costs.
    #[inline(always)]
    fn runs(&self) -> [(usize, &[u8]); 2] {
        let (positions, velocities) = self.kept.split_at(self.rows);
        [(self.row, positions), (self.velocity_row, velocities)]
    }

    /// Puts values of its own rows into those of the whole, or adds them; those of positions only, or all.
    #[inline(always)]
    fn put(&self, out: &mut [f64], values: &[f64; MAX_ROWS], runs: usize, add: bool) {
        for (first, kept) in self.runs().into_iter().take(runs) {
            for (out, own) in out[first..first + kept.len()].iter_mut().zip(kept) {
                let value = values[usize::from(*own)];
                *out = if add { *out + value } else { value };
            }
        }
    }
}

/// One evaluation of all joints: where, what is wanted, and where it goes.
#[derive(Debug)]
pub struct JointPass<'a> {
    pub(super) t: f64,
    pub(super) on: Frames<'a>,
    pub(super) lambda: &'a [f64],
    pub(super) want: Want,
    pub(super) parts: Parts,
    pub(super) loads: &'a mut [[f64; 6]],
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
        let lambda = to.multipliers(self.lambda);
        let point = to.point(self.t, self.on, &lambda);
        let (want, terms) = (self.want, &mut *self.terms);
        joint.eval(&point, want, terms);
        if want.any(Want::LOAD) {
            add_loads(self.loads, to.a, to.b, &terms.load, 1.0);
        }
        if want.any(Want::HESS) {
            let values = terms.hess.as_flattened();
            scatter(&mut self.blocks[Part::Rq], &to.hess, values);
        }
        if want.any(Want::HESS_V) {
            let values = terms.hess_v.as_flattened();
            scatter(&mut self.blocks[Part::Rv], &to.hess_v, values);
        }
        if let Some(shared) = &to.shared {
            return self.add_rows(to, shared);
        }
        if want.any(Want::C) {
            to.put(self.c, &terms.c, 1, false);
        }
        if want.any(Want::CV) {
            to.put(self.cv, &terms.cv, 2, false);
        }
        if want.any(Want::GAMMA) {
            to.put(self.gamma, &terms.gamma, 2, false);
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
    }

    /// Adds the rows of one part of a joint to those of the others; the first begins.
    #[inline(never)]
    fn add_rows(&mut self, to: &JointPlaces, shared: &Shared) {
        let (want, terms) = (self.want, &*self.terms);
        let rows = [
            (Want::C, &terms.c, &mut *self.c, 1),
            (Want::CV, &terms.cv, &mut *self.cv, 2),
            (Want::GAMMA, &terms.gamma, &mut *self.gamma, 2),
        ];
        for (wanted, values, out, runs) in rows {
            if want.any(wanted) {
                to.put(out, values, runs, shared.further);
            }
        }
        let add = |block: &mut [f64], all: &Range<usize>, slots: &[ElementSlot], values: &[f64]| {
            if !shared.further {
                block[all.clone()].fill(0.0);
            }
            scatter(block, slots, values);
        };
        if want.any(Want::C_Q) {
            let values = terms.c_q.as_flattened();
            if !self.c_q.is_empty() {
                add(self.c_q, &shared.of_c_q, &shared.c_q, values);
            }
            if self.parts.has(Part::Cq) {
                let block = &mut self.blocks[Part::Cq];
                add(block, &shared.of_c_q, &shared.c_q, values);
            }
        }
        if want.any(Want::CV_Q) {
            let values = terms.cv_q.as_flattened();
            let block = &mut self.blocks[Part::CVq];
            add(block, &shared.of_cv_q, &shared.cv_q, values);
        }
    }

    /// Evaluates the coincidence of two points straight into place.
    ///
    /// Hinges are most of what a mechanism is made of, and moving their numbers through a table costs
    /// as much as computing them. The order of the entries, body a before body b, is that of
    /// `primitive::pattern`. Sides that lack some of the freedoms of the space (points, planar bodies
    /// seen in space) are left to the table: answers false.
    #[inline(always)]
    pub(crate) fn coincidence<X: Space>(
        &mut self,
        points: [&[f64; 3]; 2],
        to: &JointPlaces,
    ) -> bool {
        let whole = to.straight == Some(X::TURNS);
        let lacks_lambda = self.want.any(Want::LOAD | Want::HESS) && self.lambda.is_empty();
        if !whole || lacks_lambda {
            return false;
        }
        let frames = [&self.on.frames[to.a], &self.on.frames[to.b]];
        let lambda = self.lambda.get(to.row..).unwrap_or(&[]);
        let want = self.want;
        coincidence::<X, _>(
            points,
            frames,
            lambda,
            want,
            &mut Straight { pass: self, to },
        );
        true
    }
}

/// A joint that goes straight into place.
struct Straight<'a, 'b> {
    pass: &'a mut JointPass<'b>,
    to: &'a JointPlaces,
}

impl<X: Space> Places<X> for Straight<'_, '_> {
    #[inline(always)]
    fn rows(&mut self, what: Want, values: X::V) {
        let to = match what {
            Want::C => &mut *self.pass.c,
            Want::CV => &mut *self.pass.cv,
            _ => &mut *self.pass.gamma,
        };
        to[self.to.row..self.to.row + X::AXES].copy_from_slice(values.as_ref());
    }
    #[inline(always)]
    fn c_q(&mut self, on: [X::E; 2]) {
        let on = [on[0].as_ref(), on[1].as_ref()];
        let first = self.to.c_q.first;
        if !self.pass.c_q.is_empty() {
            halves(self.pass.c_q, first, self.to.on, on);
        }
        if self.pass.parts.has(Part::Cq) {
            halves(&mut self.pass.blocks[Part::Cq], first, self.to.on, on);
        }
    }
    #[inline(always)]
    fn cv_q(&mut self, on: [X::VT; 2]) {
        let on = [on[0].as_ref(), on[1].as_ref()];
        let block = &mut self.pass.blocks[Part::CVq];
        halves(block, self.to.cv_q.first, self.to.on, on);
    }
    #[inline(always)]
    fn load(&mut self, l: X::V, moments: [X::T; 2]) {
        X::load(&mut self.pass.loads[self.to.b], l, moments[1], 1.0);
        X::load(&mut self.pass.loads[self.to.a], l, moments[0], -1.0);
    }
    #[inline(always)]
    fn hess(&mut self, on: [X::TT; 2]) {
        let k = &mut self.pass.blocks[Part::Rq];
        let mut slots = self.to.hess.iter();
        for (side, (factor, m)) in [-1.0, 1.0].into_iter().zip(on).enumerate() {
            if self.to.on[side] {
                for (m, (_, slot)) in m.as_ref().iter().zip(slots.by_ref()) {
                    k[*slot as usize] += factor * m;
                }
            }
        }
    }
}

/// Writes the entries of those bodies that have coordinates.
#[inline(always)]
fn halves(block: &mut [f64], first: usize, exists: [bool; 2], on: [&[f64]; 2]) {
    let mut at = first;
    for (exists, on) in exists.into_iter().zip(on) {
        if exists {
            block[at..at + on.len()].copy_from_slice(on);
            at += on.len();
        }
    }
}

/// Adds the twelve local entries of an element to its two bodies (the ground takes its share too).
#[inline(always)]
pub(super) fn add_loads(
    loads: &mut [[f64; 6]],
    a: usize,
    b: usize,
    local: &[f64; COLUMNS],
    factor: f64,
) {
    for (on, local) in [a, b].into_iter().zip(local.chunks_exact(6)) {
        for (on, local) in loads[on].iter_mut().zip(local) {
            *on += factor * local;
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
pub(super) fn scatter(block: &mut [f64], slots: &[ElementSlot], values: &[f64]) {
    for &(from, to) in slots {
        block[to as usize] += values[from as usize];
    }
}
