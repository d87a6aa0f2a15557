//! Screw: one body turns about a line of the other and advances along it in proportion.

use super::by_scalar::derived;
use super::fixture::Way;
use super::mounted::{sits_on, told};
use super::{Constraint, Fixture, Joint, JointPoint, MAX_ROWS, Poses};
use crate::geometry::{Vector, dot, sub};
use crate::part::{Keys, Kind, Part};
use crate::tree;
use crate::tree::topology::{Hinge, Pair};
use crate::units::Unit;
use linkwork_dae::scalar::Scalar;
use std::f64::consts::TAU;

/// A nut (body b) on a spindle (body a).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Screw {
    /// Points, axis and the normals that the angle is measured between.
    pub fixture: Fixture,
    /// Advance along the axis of body a per turn, m; negative for a left-handed thread.
    pub pitch: f64,
}

impl Screw {
    /// At a global place of the start pose, with its axis along a global direction.
    pub fn at(place: Vector, axis: Vector, pitch: f64) -> Screw {
        Screw {
            fixture: Fixture::at(place, axis),
            pitch,
        }
    }
}

impl Kind for Screw {
    const NAME: &'static str = "screw";
    const SUMMARY: &'static str = "A thread: body_b turns about an axis of body_a and advances along it by a fixed \
              length per turn. Without a turn the two points coincide.";
    const IN_PLANE: bool = false;
}

impl Part for Screw {
    fn keys(&mut self, k: &mut Keys<'_>) {
        let doc = "Advance per turn; negative for a left-handed thread.";
        k.key("pitch", Unit::Length, doc).number(&mut self.pitch);
        self.fixture.points(k);
        self.fixture.axes(k, Way::About);
        self.fixture.normals(k);
    }
}

impl Constraint for Screw {
    fn constraint<S: Scalar>(&self, at: Poses<'_, S>) -> [S; MAX_ROWS] {
        let Poses { a, b, .. } = at;
        let [normal, third, axis] = self.fixture.triad(0).map(|u| a.direction(u));
        let other = b.direction(self.fixture.triad(1)[2]);
        let d = sub(b.point(self.fixture.b.point), a.point(self.fixture.a.point));
        let advance = self.fixture.angle(a, b, at.turn()) * (self.pitch / TAU);
        [
            dot(normal, other),
            dot(third, other),
            dot(normal, d),
            dot(third, d),
            dot(axis, d) - advance,
            S::from(0.0),
        ]
    }
}

impl Joint for Screw {
    told!(&[
        "first tilt of the axis",
        "second tilt of the axis",
        "first distance from the axis",
        "second distance from the axis",
        "advance with the turn",
    ]);
    sits_on!(fixture);
    derived!(evaluate);
    fn turns(&self) -> usize {
        1
    }
    fn wind(&self, at: &JointPoint<'_>, turns: &mut [f64]) {
        self.fixture.wind(at, turns);
    }
    fn extent(&self) -> f64 {
        self.pitch.abs()
    }
    fn hinge(&self) -> Option<Hinge> {
        let f = &self.fixture;
        let sides = [(f.a.point, f.triad(0)), (f.b.point, f.triad(1))];
        let pitch = self.pitch / TAU;
        Some(Hinge::pair(
            Pair::Moves(tree::Mobility::Screw { pitch }),
            sides,
        ))
    }
}
