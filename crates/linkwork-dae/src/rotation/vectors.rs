//! Rotation vectors about base orientations, among coordinates that are plain numbers.

use super::{
    IDENTITY, Quaternion, Vector, bend_rate, compose, dot, exp, inverse, inverse_excess, log,
    matrix, normalise, tangent, tangent_derivative, tangent_excess, tangent_inverse,
};
use crate::chart::Chart;
use crate::memory::Memory;
use std::f64::consts::{PI, TAU};

/// Coordinates longer than this are given up for those of the same rotation that are shorter: a
/// whole turn is a singularity.
const LONGEST: f64 = 1.5 * PI;

/// The [`Chart`] of a system whose `q` holds rotation vectors; it owns their bases.
#[derive(Clone, Debug, Default)]
pub struct RotationVectors {
    rotations: Vec<Rotation>,
    /// Which of the first entries of `q` belong to rotations.
    curved: Vec<bool>,
}

#[derive(Clone, Debug)]
struct Rotation {
    /// Index in `q` of the first of three entries.
    first: usize,
    start: Quaternion,
    base: Quaternion,
    /// The new base seen from the last one.
    moved: Vector,
    /// Its inverse.
    back: Quaternion,
}

fn three(x: &[f64], first: usize) -> Vector {
    [x[first], x[first + 1], x[first + 2]]
}

fn put(x: &mut [f64], first: usize, value: Vector) {
    x[first..first + 3].copy_from_slice(&value);
}

/// The coordinates of a rotation that lie nearest to some others.
fn nearest(psi: Vector, to: Vector) -> Vector {
    let angle = dot(psi, psi).sqrt();
    if angle < 0.5 * PI || TAU - angle > LONGEST {
        return psi;
    }
    let other = psi.map(|x| x * (1.0 - TAU / angle));
    let square = |a: Vector| {
        let d = std::array::from_fn(|i| a[i] - to[i]);
        dot(d, d)
    };
    if square(other) < square(psi) {
        other
    } else {
        psi
    }
}

impl RotationVectors {
    /// Rotation vectors at the given places of `q`, with the orientations where their bases start.
    pub fn new(rotations: impl IntoIterator<Item = (usize, Quaternion)>) -> RotationVectors {
        let rotation = |(first, start)| Rotation {
            first,
            start,
            base: start,
            moved: [0.0; 3],
            back: IDENTITY,
        };
        let rotations: Vec<Rotation> = rotations.into_iter().map(rotation).collect();
        let length = rotations.iter().map(|r| r.first + 3).max().unwrap_or(0);
        let mut curved = vec![false; length];
        for r in &rotations {
            curved[r.first..r.first + 3].fill(true);
        }
        RotationVectors { rotations, curved }
    }

    /// Number of rotations.
    pub fn len(&self) -> usize {
        self.rotations.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rotations.is_empty()
    }

    /// The orientation of the rotation `k`: body to space axes.
    pub fn orientation(&self, k: usize, q: &[f64]) -> Quaternion {
        let r = &self.rotations[k];
        compose(r.base, exp(three(q, r.first)))
    }

    /// Coordinates of an orientation of the rotation `k` about its base, the short way.
    pub fn coordinates(&self, k: usize, orientation: Quaternion) -> Vector {
        log(compose(inverse(self.rotations[k].base), orientation))
    }

    /// Puts all bases back to where they started.
    pub fn reset(&mut self) {
        for r in &mut self.rotations {
            r.base = r.start;
        }
    }

    /// Saves or restores the bases.
    pub fn memory(&mut self, m: &mut Memory) {
        m.section("rotation");
        for r in &mut self.rotations {
            m.slice(&mut r.base);
        }
    }
}

impl Chart for RotationVectors {
    fn tangent(&self, q: &[f64], qdot: &[f64], v: &mut [f64]) {
        v.copy_from_slice(qdot);
        for r in &self.rotations {
            put(v, r.first, tangent(three(q, r.first), three(qdot, r.first)));
        }
    }

    fn rate(&self, q: &[f64], v: &[f64], qdot: &mut [f64]) {
        qdot.copy_from_slice(v);
        for r in &self.rotations {
            let rate = tangent_inverse(three(q, r.first), three(v, r.first));
            put(qdot, r.first, rate);
        }
    }

    fn advance(&self, q: &mut [f64], d: &[f64]) {
        let (head, tail) = q.split_at_mut(self.curved.len());
        let (d_head, d_tail) = d.split_at(self.curved.len());
        let plain = head.iter_mut().zip(d_head).zip(&self.curved);
        for ((q, d), _) in plain.filter(|(_, curved)| !**curved) {
            *q += d;
        }
        for (q, d) in tail.iter_mut().zip(d_tail) {
            *q += d;
        }
        for r in &self.rotations {
            let psi = three(q, r.first);
            let moved = log(compose(exp(psi), exp(three(d, r.first))));
            put(q, r.first, nearest(moved, psi));
        }
    }

    fn pattern(&self) -> Vec<(u32, u32)> {
        let all = self.rotations.iter().flat_map(|r| {
            let first = r.first as u32;
            (0..9).map(move |k| (first + k / 3, first + k % 3))
        });
        all.collect()
    }

    fn rate_derivative(&self, q: &[f64], qdot: &[f64], out: &mut [f64]) {
        let (blocks, _) = out.as_chunks_mut::<9>();
        for (r, out) in self.rotations.iter().zip(blocks) {
            let m = tangent_derivative(three(q, r.first), three(qdot, r.first));
            out.copy_from_slice(m.as_flattened());
        }
    }

    fn rate_excess(&self, q: &[f64], out: &mut [f64]) {
        let (blocks, _) = out.as_chunks_mut::<9>();
        for (r, out) in self.rotations.iter().zip(blocks) {
            out.copy_from_slice(inverse_excess(three(q, r.first)).as_flattened());
        }
    }

    fn tangent_excess(&self, q: &[f64], out: &mut [f64]) {
        let (blocks, _) = out.as_chunks_mut::<9>();
        for (r, out) in self.rotations.iter().zip(blocks) {
            out.copy_from_slice(tangent_excess(three(q, r.first)).as_flattened());
        }
    }

    fn transport(&self, from: &[f64], to: &[f64], out: &mut [f64]) {
        let (blocks, _) = out.as_chunks_mut::<9>();
        for (r, out) in self.rotations.iter().zip(blocks) {
            let (from, to) = (exp(three(from, r.first)), exp(three(to, r.first)));
            out.copy_from_slice(matrix(compose(inverse(to), from)).as_flattened());
        }
    }

    fn bend_rate(&self, v: &[f64], a: &[f64], out: &mut [f64]) {
        let (blocks, _) = out.as_chunks_mut::<9>();
        for (r, out) in self.rotations.iter().zip(blocks) {
            let m = bend_rate(three(v, r.first), three(a, r.first));
            out.copy_from_slice(m.as_flattened());
        }
    }

    fn rebase(&mut self, _: f64, q: &[f64]) -> bool {
        if self.rotations.iter().all(|r| three(q, r.first) == [0.0; 3]) {
            return false;
        }
        for r in &mut self.rotations {
            r.moved = three(q, r.first);
            let turn = exp(r.moved);
            r.base = normalise(compose(r.base, turn));
            r.back = inverse(turn);
        }
        true
    }

    fn carry(&self, _: f64, q: &mut [f64], _: &mut [f64]) {
        for r in &self.rotations {
            let psi = three(q, r.first);
            let plain = std::array::from_fn(|i| psi[i] - r.moved[i]);
            let carried = log(compose(r.back, exp(psi)));
            put(q, r.first, nearest(carried, plain));
        }
    }

    /// Velocities are in body axes, whatever the base.
    fn carried(&self) -> Vec<usize> {
        let entries = self.rotations.iter().map(|r| r.first..r.first + 3);
        entries.flatten().collect()
    }

    fn turn(&self, v: &[f64]) -> f64 {
        let speed = |r: &Rotation| {
            let v = three(v, r.first);
            dot(v, v).sqrt()
        };
        self.rotations.iter().map(speed).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart() -> RotationVectors {
        RotationVectors::new([(1, exp([0.3, 0.2, -0.4])), (5, IDENTITY)])
    }

    fn close(a: &[f64], b: &[f64], bound: f64) -> bool {
        a.iter().zip(b).all(|(a, b)| (a - b).abs() <= bound)
    }

    #[test]
    fn the_same_orientations_about_another_base() {
        let mut c = chart();
        let base = [0.5, 0.3, -0.2, 0.4, 7.0, 1.1, -0.6, 0.2];
        let other = [0.1, 0.9, 0.2, -0.4, 2.0, -1.1, 0.3, 0.8];
        let before = [0, 1].map(|k| c.orientation(k, &other));
        assert!(c.rebase(0.0, &base));
        let (mut at, mut carried) = (base, other);
        c.carry(0.0, &mut at, &mut []);
        assert_eq!(at, [0.5, 0.0, 0.0, 0.0, 7.0, 0.0, 0.0, 0.0]);
        assert!(!c.rebase(0.0, &at), "it is there already");
        c.carry(0.0, &mut carried, &mut []);
        for (k, before) in before.iter().enumerate() {
            assert!(close(&c.orientation(k, &carried), before, 4e-16 * 4.0));
        }
        assert_eq!((carried[0], carried[4]), (0.1, 2.0));
    }

    /// A history that spans more than half a turn stays on one smooth curve.
    #[test]
    fn coordinates_continue_beyond_half_a_turn() {
        let mut c = RotationVectors::new([(0, IDENTITY)]);
        let axis = [0.6, 0.0, 0.8];
        let at = |angle: f64| axis.map(|x| angle * x);
        assert!(c.rebase(0.0, &at(1.0)));
        let mut q = at(-3.0);
        c.carry(0.0, &mut q, &mut []);
        assert!(close(&q, &at(-4.0), 1e-14), "{q:?}");
    }

    #[test]
    fn a_step_along_the_tangent_is_a_rotation_in_body_axes() {
        let c = chart();
        let mut q = [0.5, 0.3, -0.2, 0.4, 7.0, 1.1, -0.6, 0.2];
        let before = c.orientation(1, &q);
        let d = [1.0, 0.0, 0.0, 0.0, -2.0, 0.3, 0.2, 0.1];
        let still = [q[1], q[2], q[3]];
        c.advance(&mut q, &d);
        assert!(close(&[q[0], q[4]], &[1.5, 5.0], 0.0));
        assert!(close(&q[1..4], &still, 4e-16));
        let expected = compose(before, exp([0.3, 0.2, 0.1]));
        assert!(close(&c.orientation(1, &q), &expected, 4e-16 * 4.0));
    }
}
