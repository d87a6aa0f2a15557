//! Constant velocity joint: a coupling of two shafts that passes turns on evenly at any bend.
//!
//! The relative rotation of the shafts is a turn about an axis in the bisecting plane, without any
//! part along the shafts: with `R = exp(beta n^)`, `n` across the axis, `R` is symmetric in the two
//! directions across the axis, `x_a . y_b = y_a . x_b`. Turning both shafts by the same angle about
//! their own axes turns `n` with them and keeps that symmetry: the speeds are equal.

use super::by_scalar::derived;
use super::fixture::{AXIS_B, Further, Way};
use super::mounted::{sits_on, told};
use super::rows;
use super::{Constraint, Fixture, Joint, MAX_ROWS, Poses};
use crate::field::Key;
use crate::geometry::{Axis, Site, Vector, add, cross, dot, scaled, sub};
use crate::part::{Keys, Kind, Part};
use linkwork_dae::scalar::Scalar;

/// A ball joint that passes on turns about the axes of two shafts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConstantVelocity {
    /// The centre and the axes of the shafts; the normals correspond to each other.
    pub fixture: Fixture,
}

impl ConstantVelocity {
    /// At a global place of the start pose, with the shafts along global directions.
    pub fn at(place: Vector, axis_a: Vector, axis_b: Vector) -> ConstantVelocity {
        let mut fixture = Fixture::at(place, axis_a);
        fixture.axis_b = Some(Axis::global(axis_b));
        ConstantVelocity { fixture }
    }
}

/// The vector `u` turned with the unit vector `from` to the unit vector `to` by the shortest way:
/// `u + w x u + w x (w x u) / (1 + from . to)`, `w = from x to`.
fn carried(u: Vector, from: Vector, to: Vector) -> Vector {
    let w = cross(from, to);
    let once = cross(w, u);
    let twice = cross(w, once);
    add(add(u, once), scaled(twice, 1.0 / (1.0 + dot(from, to))))
}

impl Kind for ConstantVelocity {
    const NAME: &'static str = "constant_velocity";
    const SUMMARY: &'static str = "A coupling of two shafts: a point of body_a and a point of body_b coincide, and both \
              bodies turn equally fast about their axes at any bend below a right angle.";
    const IN_PLANE: bool = false;
}

impl Part for ConstantVelocity {
    fn keys(&mut self, k: &mut Keys<'_>) {
        self.fixture.points(k);
        self.fixture.axis(k, Way::About);
        let doc = "Direction of the shaft of body_b in global components in the start pose.";
        let second = Key::direction("second_axis", "along the first", doc);
        let keys = [second, AXIS_B];
        self.fixture.further(k, Further::AxisB, keys, false);
        self.fixture.normals(k);
    }
}

impl Constraint for ConstantVelocity {
    fn constraint<S: Scalar>(&self, at: Poses<'_, S>) -> [S; MAX_ROWS] {
        let Poses { a, b, .. } = at;
        let [x, y, z] = sub(b.point(self.fixture.b.point), a.point(self.fixture.a.point));
        let [x_a, y_a, _] = self.fixture.triad(0).map(|u| a.direction(u));
        let [x_b, y_b, _] = self.fixture.triad(1).map(|u| b.direction(u));
        let twist = (dot(x_a, y_b) - dot(y_a, x_b)) * 0.5;
        rows([x, y, z, twist])
    }
}

impl Joint for ConstantVelocity {
    told!(&[
        "x coincidence",
        "y coincidence",
        "z coincidence",
        "equal turn",
    ]);
    sits_on!(points of fixture);
    fn place(&mut self, a: &Site, b: &Site) {
        let open = self.fixture.normal_b.is_none();
        self.fixture.place(a, b);
        if open {
            let [normal, _, axis] = self.fixture.triad(0).map(|u| a.pose.direction(u));
            let other = b.pose.direction(self.fixture.triad(1)[2]);
            let normal = carried(normal, axis, other);
            self.fixture.aim_normal(1, b, normal);
        }
    }
    derived!(evaluate);
}
