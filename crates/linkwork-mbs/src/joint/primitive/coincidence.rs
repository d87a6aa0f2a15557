//! Two points coincide.

use super::super::{JointTerms, Want};
use super::MOVE_B;
use crate::geometry::{Frame, Vector};
use crate::kernel::{Ends, Space};

/// Where the numbers of a coincidence go.
pub(crate) trait Places<X: Space> {
    /// `C`, its rate or `gamma`.
    fn rows(&mut self, what: Want, values: X::V);
    /// Entries of `C_q` on both bodies.
    fn c_q(&mut self, on: [X::E; 2]);
    /// Entries of `(C_q v)_q` by the turns of both bodies.
    fn cv_q(&mut self, on: [X::VT; 2]);
    /// `C_q' lambda`: the force on body b, opposite on body a, and its moments, that on a to be
    /// subtracted.
    fn load(&mut self, l: X::V, moments: [X::T; 2]);
    /// Entries of `(C_q' lambda)_q` by the turns: to be subtracted for body a, added for body b.
    fn hess(&mut self, on: [X::TT; 2]);
}

/// With `J = d(p_b - p_a)`, which is `-1` and `1` for the axes and `d(arm)` for the turns:
///
/// ```text
///  (C_q v)_theta = -+ d(arm)'       gamma = -+ arm'' of turning
///  load_theta = -+ moment           hess_theta,theta = -+ d(moment)
/// ```
#[inline(always)]
pub(crate) fn coincidence<X: Space, P: Places<X>>(
    points: [&Vector; 2],
    frames: [&Frame; 2],
    lambda: &[f64],
    want: Want,
    to: &mut P,
) {
    let ends = Ends::<X>::new(frames, points);
    if want.any(Want::C) {
        to.rows(Want::C, ends.apart());
    }
    if want.any(Want::CV) {
        to.rows(Want::CV, ends.velocity());
    }
    if want.any(Want::GAMMA) {
        let [a, b] = ends.both(X::second);
        to.rows(Want::GAMMA, X::minus(a, b));
    }
    if want.any(Want::C_Q) {
        let [a, b] = ends.both(X::by_turn);
        to.c_q([X::entries(-1.0, a), X::entries(1.0, b)]);
    }
    if want.any(Want::CV_Q) {
        let [a, b] = ends.both(X::rate_by_turn);
        to.cv_q([X::opposite(a), b]);
    }
    if want.any(Want::LOAD | Want::HESS) {
        let l = X::vector(lambda);
        if want.any(Want::HESS) {
            to.hess(ends.both(|f, s, arm| X::moment_by_turn(f, s, arm, l)));
        }
        if want.any(Want::LOAD) {
            to.load(l, ends.both(|f, s, arm| X::moment(f, s, arm, l)));
        }
    }
}

/// The table of a joint, from a row on.
pub(super) struct FromRow<'a> {
    pub(super) row: usize,
    pub(super) out: &'a mut JointTerms,
}

impl<X: Space> Places<X> for FromRow<'_> {
    fn rows(&mut self, what: Want, values: X::V) {
        let to = match what {
            Want::C => &mut self.out.c,
            Want::CV => &mut self.out.cv,
            _ => &mut self.out.gamma,
        };
        to[self.row..self.row + X::AXES].copy_from_slice(values.as_ref());
    }
    fn c_q(&mut self, on: [X::E; 2]) {
        for (first, e) in [0, MOVE_B].into_iter().zip(on) {
            let e = e.as_ref();
            for i in 0..X::AXES {
                let row = &mut self.out.c_q[self.row + i];
                row[first + i] = e[i];
                let turns = &e[X::AXES + i * X::TURNS..][..X::TURNS];
                row[first + X::TURN..][..X::TURNS].copy_from_slice(turns);
            }
        }
    }
    fn cv_q(&mut self, on: [X::VT; 2]) {
        for (first, t) in [0, MOVE_B].into_iter().zip(on) {
            for (i, t) in t.as_ref().chunks_exact(X::TURNS).enumerate() {
                let row = &mut self.out.cv_q[self.row + i];
                row[first + X::TURN..][..X::TURNS].copy_from_slice(t);
            }
        }
    }
    fn load(&mut self, l: X::V, moments: [X::T; 2]) {
        for (side, (factor, moment)) in [-1.0, 1.0].into_iter().zip(moments).enumerate() {
            let half: &mut [f64; 6] = match self.out.load.as_chunks_mut::<6>() {
                ([a, _], _) if side == 0 => a,
                ([_, b], _) => b,
                _ => return,
            };
            X::load(half, l, moment, factor);
        }
    }
    fn hess(&mut self, on: [X::TT; 2]) {
        for (side, (factor, m)) in [-1.0, 1.0].into_iter().zip(on).enumerate() {
            let first = side * MOVE_B + X::TURN;
            for (i, m) in m.as_ref().chunks_exact(X::TURNS).enumerate() {
                for (j, m) in m.iter().enumerate() {
                    self.out.hess[first + i][first + j] += factor * m;
                }
            }
        }
    }
}
