//! Rack and pinion: a wheel rolls along a straight rack.

use super::by_scalar::derived;
use super::fixture::{Further, Way};
use super::mounted::{sits_on, told};
use super::{Constraint, Fixture, Joint, JointPoint, MAX_ROWS, Poses, rows};
use crate::field::Key;
use crate::geometry::{Axis, Vector, dot, sub};
use crate::part::{Keys, Kind, Part};
use crate::units::Unit;
use linkwork_dae::scalar::Scalar;

/// A rack (body a) and a pinion (body b). Guides and bearings are joints of their own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RackPinion {
    /// Points, the axis of the pinion, and as normal of body a the direction of the rack.
    pub fixture: Fixture,
    /// Way of the pinion along the rack per radian, m; its sign says to which side it rolls.
    pub radius: f64,
}

impl RackPinion {
    /// The centre of the pinion, its axis and the direction of the rack are global, in the start
    /// pose.
    pub fn at(centre: Vector, axis: Vector, rack: Vector, radius: f64) -> RackPinion {
        let mut fixture = Fixture::at(centre, axis);
        fixture.normal_a = Some(Axis::global(rack));
        RackPinion { fixture, radius }
    }
}

const RACK: [Key; 2] = [
    Key::direction(
        "rack",
        "this or `normal_a`",
        "Direction of the rack in global components in the start pose.",
    ),
    Key::direction(
        "normal_a",
        "this or `rack`",
        "Direction of the rack in the frame of body_a.",
    ),
];

impl Kind for RackPinion {
    const NAME: &'static str = "rack_pinion";
    const SUMMARY: &'static str = "A pinion, body_b, rolls along a rack of body_a: its centre moves along the rack in \
              proportion to its turn. Without a turn the two points are level.";
}

impl Part for RackPinion {
    fn keys(&mut self, k: &mut Keys<'_>) {
        let doc = "Way of the pinion along the rack per radian of its turn against the rack, about its \
                   axis; negative if it rolls backwards.";
        k.key("radius", Unit::Length, doc).number(&mut self.radius);
        self.fixture.points(k);
        self.fixture.axes(k, Way::About);
        self.fixture.further(k, Further::NormalA, RACK, true);
        self.fixture.normal_b(k);
    }
}

impl Constraint for RackPinion {
    fn constraint<S: Scalar>(&self, at: Poses<'_, S>) -> [S; MAX_ROWS] {
        let Poses { a, b, .. } = at;
        let d = sub(b.point(self.fixture.b.point), a.point(self.fixture.a.point));
        let way = dot(a.direction(self.fixture.triad(0)[0]), d);
        rows([way - self.fixture.angle(a, b, at.turn()) * self.radius])
    }
}

impl Joint for RackPinion {
    told!(&["way with the turn"]);
    sits_on!(fixture);
    derived!(evaluate);
    fn turns(&self) -> usize {
        1
    }
    fn wind(&self, at: &JointPoint<'_>, turns: &mut [f64]) {
        self.fixture.wind(at, turns);
    }
    fn extent(&self) -> f64 {
        self.radius.abs()
    }
}
