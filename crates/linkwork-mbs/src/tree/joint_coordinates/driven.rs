//! Driven coordinates, as excitations of the system.
//!
//! A drive is an equation `g(q) - u(t) = 0`. Where `g` is one joint coordinate `k` up to a factor and a
//! constant, `s q_k + c`, the coordinate is a known function of time, and derivative blocks depend on
//! time through it:
//!
//! ```text
//!  q_k = (u(t) - c) / s        dB/du = dB/dq_k / s          for every block B of other coordinates
//! ```
//!
//! An excitation moved by `du` is the drive moved together with its joint: the joint stands at
//! `q_k + du / s`, the residual of the equation stays, everything else is as the moved joint has it.
//! Speeds and accelerations stay, too.
//!
//! Which coordinate, if any, is read off `C_q` at the start and at some poses beside it: a row with one
//! entry that is the same everywhere. So it does not matter whether the joint is a hinge, a slider or a
//! coordinate of a larger joint, which body of the drive is the parent, or whether others are welded on.
//! Drives across several joints have more entries: none of their coordinates alone is `u`.

use super::JointCoordinates;
use crate::curve::Curve;
use linkwork_dae::system::{At, Excitation, Part, System, Terms};
use std::sync::Arc;

/// A coordinate that follows a function of time.
#[derive(Clone, Debug)]
struct Prescribed {
    name: String,
    coordinate: usize,
    /// Constraint row here.
    row: usize,
    /// The row by the coordinate.
    factor: f64,
    /// Typical size of the coordinate.
    size: f64,
    value: Curve,
}

/// All of them, and how far they are off their values.
#[derive(Clone, Debug, Default)]
pub(super) struct DrivenCoordinates {
    list: Arc<[Prescribed]>,
    offset: Vec<f64>,
    is_moved: bool,
    q: Vec<f64>,
}

impl DrivenCoordinates {
    /// Their names, and what moves each joint by its typical size: how blocks bend depends on the
    /// mechanism, not on how far it is driven.
    pub fn facts(&self) -> impl Iterator<Item = Excitation> {
        self.list.iter().map(|follower| Excitation {
            name: follower.name.clone(),
            scale: follower.size * follower.factor.abs(),
        })
    }

    pub fn values(&self, t: f64, out: &mut [f64]) {
        for ((out, follower), offset) in out.iter_mut().zip(&*self.list).zip(&self.offset) {
            *out = follower.value.eval(t) + offset;
        }
    }

    pub fn move_by(&mut self, offset: &[f64]) {
        self.offset.copy_from_slice(offset);
        self.is_moved = offset.iter().any(|x| *x != 0.0);
    }

    /// Coordinates with the driven ones off their values.
    pub fn moved<'a>(&'a mut self, q: &'a [f64]) -> &'a [f64] {
        if !self.is_moved {
            return q;
        }
        self.q.copy_from_slice(q);
        for (follower, offset) in self.list.iter().zip(&self.offset) {
            self.q[follower.coordinate] += offset / follower.factor;
        }
        &self.q
    }

    /// Moves the drives along with their joints.
    pub fn close(&self, c: &mut [f64]) {
        if self.is_moved {
            for (follower, offset) in self.list.iter().zip(&self.offset) {
                c[follower.row] -= offset;
            }
        }
    }
}

/// Poses at which a row is looked at, the start among them.
const POSES: usize = 4;
/// How far they are from the start, in typical sizes of the coordinates.
const DISTANCE: f64 = 0.3;
/// What counts as rounding, beside the largest entry of a row.
const ROUNDING: f64 = 1e-10;

/// The only entry of a row at several poses, where it has one that is the same everywhere: its place
/// in the pattern.
fn only_entry(poses: &[Vec<f64>], places: &[usize], size: impl Fn(usize) -> f64) -> Option<usize> {
    let weight = |n: usize| {
        let at = poses.iter().map(|c_q| c_q[n].abs());
        at.fold(0.0, f64::max) * size(n)
    };
    let weights: Vec<f64> = places.iter().map(|n| weight(*n)).collect();
    let largest = weights.iter().copied().fold(0.0, f64::max);
    let mut in_use = (places.iter().zip(&weights)).filter(|(_, w)| **w > ROUNDING * largest);
    let (&n, _) = in_use.next()?;
    let first = poses.first()?[n];
    let steady = poses
        .iter()
        .all(|c_q| (c_q[n] - first).abs() <= ROUNDING * first.abs());
    (in_use.next().is_none() && steady && first.is_finite()).then_some(n)
}

impl JointCoordinates {
    /// Finds the coordinates that drives prescribe.
    pub(super) fn find_driven(&mut self) {
        let layout = self.layout.clone();
        let mut rows = Vec::new();
        for joint in &layout.joints {
            for (row, value) in &joint.prescribed {
                let here = layout.rows.iter().position(|r| *r as usize == *row);
                if let (Some(here), false) = (here, value.is_constant()) {
                    rows.push((here, value, &joint.name, joint.kind, joint.prescribed.len()));
                }
            }
        }
        if rows.is_empty() {
            return;
        }
        let Some(poses) = self.normals_nearby() else {
            return;
        };
        let scale = self.facts.scale.clone();
        let size = |k: usize| scale[k];
        let curved = |k: usize| {
            if k >= layout.joint_coordinates {
                return true;
            }
            let node = layout.node_of[k] as usize;
            let own = k - self.tree.dofs(node).start;
            let turn = self.tree.joint(node).rotation_vector();
            turn.is_some_and(|at| (at..at + 3).contains(&own))
        };
        let pattern = &self.facts.patterns[Part::Cq];
        let mut list: Vec<Prescribed> = Vec::new();
        for (row, value, name, kind, count) in rows {
            let places: Vec<usize> = (pattern.iter().enumerate())
                .filter(|(_, (i, _))| *i as usize == row)
                .map(|(n, _)| n)
                .collect();
            let Some(n) = only_entry(&poses, &places, |n| size(pattern[n].1 as usize)) else {
                continue;
            };
            let coordinate = pattern[n].1 as usize;
            if curved(coordinate) || list.iter().any(|f| f.coordinate == coordinate) {
                continue;
            }
            let mut words = format!("{kind} `{name}`");
            if count > 1 {
                // "joint `leg`, prescribed x"
                let row = self.assembly.facts().names.describe(self.inner_row(row));
                let part = row.rsplit(", ").next().unwrap_or_default();
                words = format!("{words}, {part}");
            }
            list.push(Prescribed {
                name: words,
                coordinate,
                row,
                factor: poses[0][n],
                size: size(coordinate),
                value: value.clone(),
            });
        }
        self.driven = DrivenCoordinates {
            offset: vec![0.0; list.len()],
            list: list.into(),
            is_moved: false,
            q: vec![0.0; layout.dims.nq],
        };
    }

    /// `C_q` at the start and at some poses beside it; `None` where it has no value.
    fn normals_nearby(&self) -> Option<Vec<Vec<f64>>> {
        let layout = &*self.layout;
        let mut copy = self.clone();
        let mut seed = 0x9e37_79b9_7f4a_7c15u64;
        let mut draw = || {
            // the same poses for equal models (Knuth's linear congruential generator)
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            DISTANCE * ((seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0)
        };
        let mut all = Vec::with_capacity(POSES);
        for pose in 0..POSES {
            let mut q = layout.guess.q.clone();
            if pose > 0 {
                for (q, scale) in q.iter_mut().zip(&self.facts.scale) {
                    *q += draw() * scale;
                }
            }
            let mut c_q = vec![0.0; self.facts.patterns[Part::Cq].len()];
            let at = At {
                t: layout.guess.t,
                q: &q,
                v: &[],
                a: &[],
                lambda: &[],
                x: &layout.guess.x,
            };
            let mut want = Terms {
                c_q: Some(&mut c_q),
                ..Terms::default()
            };
            copy.eval(&at, &mut want).ok()?;
            all.push(c_q);
        }
        Some(all)
    }
}
