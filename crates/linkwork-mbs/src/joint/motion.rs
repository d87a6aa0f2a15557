//! Motion: all six relative motions of two bodies follow functions of time.
//!
//! The point of body b is at `(x, y, z)` in the axes of the fixture of body a. The triad of body b
//! is that of body a turned by Cardan angles `(alpha, beta, gamma)`: with the prescribed triad
//! `(n, m, k)` on body a, `n . k_b = m . k_b = n . m_b = 0`.

use super::by_scalar::derived;
use super::fixture::Way;
use super::mounted::{sits_on, told};
use super::{Constraint, Course, Fixture, Joint, JointPoint, MAX_ROWS, Poses, by_scalar};
use crate::curve::Curve;
use crate::geometry::{Matrix, Vector, dot, product, sub};
use crate::part::{Keys, Kind, Part};
use crate::units::Unit;
use linkwork_dae::scalar::{Jet, Scalar};
use std::f64::consts::TAU;

/// A body carried along a prescribed path with a prescribed attitude.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Motion {
    /// Points, axes and normals: normal, third direction and axis are the x, y and z of the motion.
    pub fixture: Fixture,
    /// Displacements x, y, z, m.
    pub displacement: [Curve; 3],
    /// Cardan angles about x, the new y, the new z, rad.
    pub angle: [Curve; 3],
}

const ALONG: [(&str, &str); 3] = [
    ("x", "Displacement along the normal of body_a."),
    ("y", "Displacement along axis x normal of body_a."),
    ("z", "Displacement along the axis of body_a."),
];
const ABOUT: [(&str, &str); 3] = [
    ("alpha", "First Cardan angle, about x."),
    ("beta", "Second Cardan angle, about the new y."),
    ("gamma", "Third Cardan angle, about the new z."),
];

impl Kind for Motion {
    const NAME: &'static str = "motion";
    const SUMMARY: &'static str = "All six motions of body_b relative to body_a follow functions of time (formulas of `t` or tables [[t, value], ...]): x, y, z are \
              along the normal, the third direction and the axis of body_a (global z unless given).";
}

impl Part for Motion {
    fn keys(&mut self, k: &mut Keys<'_>) {
        for (slot, (name, doc)) in self.displacement.iter_mut().zip(ALONG) {
            k.key(name, Unit::Length, doc)
                .or(0.0)
                .curve("t", Unit::Time, slot);
        }
        for (slot, (name, doc)) in self.angle.iter_mut().zip(ABOUT) {
            k.key(name, Unit::Angle, doc)
                .or(0.0)
                .curve("t", Unit::Time, slot);
        }
        self.fixture.points(k);
        self.fixture.axes(k, Way::Compared);
        self.fixture.normals(k);
    }
}

/// Rotation about a coordinate axis.
fn turn<S: Scalar>(axis: usize, angle: S) -> Matrix<S> {
    let (s, c) = angle.sin_cos();
    let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
    let mut m = [[S::from(0.0); 3]; 3];
    m[axis][axis] = S::from(1.0);
    (m[j][j], m[j][k]) = (c, -s);
    (m[k][j], m[k][k]) = (s, c);
    m
}

impl Constraint for Motion {
    fn functions(&self, t: Jet) -> [Jet; MAX_ROWS] {
        let all = self.displacement.iter().chain(&self.angle);
        let mut u = [Jet::from(0.0); MAX_ROWS];
        for (u, curve) in u.iter_mut().zip(all) {
            *u = curve.eval(t);
        }
        u
    }

    fn constraint<S: Scalar>(&self, at: Poses<'_, S>) -> [S; MAX_ROWS] {
        let Poses { u, a, b, .. } = at;
        let [on_a, on_b] = [(0, a), (1, b)].map(|(side, pose)| {
            let triad = self.fixture.triad(side);
            triad.map(|u| pose.direction(u))
        });
        let d = sub(b.point(self.fixture.b.point), a.point(self.fixture.a.point));
        let [alpha, beta, gamma] = [u[3], u[4], u[5]];
        let turned = product(&product(&turn(0, alpha), &turn(1, beta)), &turn(2, gamma));
        // The prescribed direction j in global components.
        let wanted = |j: usize| -> Vector<S> {
            std::array::from_fn(|i| {
                on_a[0][i] * turned[0][j] + on_a[1][i] * turned[1][j] + on_a[2][i] * turned[2][j]
            })
        };
        let ahead = |i: usize| dot(on_a[i], d) - u[i];
        let (n, m) = (wanted(0), wanted(1));
        [
            ahead(0),
            ahead(1),
            ahead(2),
            dot(n, on_b[2]),
            dot(m, on_b[2]),
            dot(n, on_b[1]),
        ]
    }
}

impl Joint for Motion {
    told!(&[
        "prescribed x",
        "prescribed y",
        "prescribed z",
        "first prescribed tilt",
        "second prescribed tilt",
        "prescribed turn",
    ]);
    sits_on!(fixture);
    derived!(evaluate);
    fn c_t(&self, at: &JointPoint<'_>) -> [f64; MAX_ROWS] {
        by_scalar::rate_by_time(self, at)
    }
    fn prescribed(&self) -> Vec<(usize, &Curve)> {
        // the angles enter through products
        self.displacement.iter().enumerate().collect()
    }
    fn courses(&self) -> Vec<Course<'_>> {
        let words = self.row_names();
        let along = self.displacement.iter().map(|curve| (curve, None));
        let about = self.angle.iter().map(|curve| (curve, Some(TAU)));
        let all = words.iter().zip(along.chain(about));
        all.map(|(words, (curve, repeats))| Course {
            words,
            curve,
            repeats,
        })
        .collect()
    }
}
