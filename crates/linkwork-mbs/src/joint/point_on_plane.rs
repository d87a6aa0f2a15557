//! Point on plane: a point of one body stays in a plane of the other.

use super::fixture::Way;
use super::lower_pair::{LowerPair, PairBuilder, Parts, on_fixture};
use super::{Fixture, Reacts};
use crate::geometry::Vector;
use crate::part::{Keys, Kind, Part};
use crate::tree::Mobility;
use crate::tree::topology::Pair;

/// A foot on a plane; the axis is its normal.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PointOnPlane {
    /// Where it is and which way its axis points.
    pub fixture: Fixture,
}

impl PointOnPlane {
    /// At a global place of the start pose, with its axis along a global direction.
    pub fn at(place: Vector, axis: Vector) -> PointOnPlane {
        PointOnPlane {
            fixture: Fixture::at(place, axis),
        }
    }
}

impl Kind for PointOnPlane {
    const NAME: &'static str = "point_on_plane";
    const SUMMARY: &'static str = "A point of body_b stays in the plane through a point of body_a normal to an axis of body_a.";
    const IN_PLANE: bool = false;
}

impl Part for PointOnPlane {
    fn keys(&mut self, k: &mut Keys<'_>) {
        self.fixture.points(k);
        self.fixture.axis(k, Way::About);
    }
}

impl LowerPair for PointOnPlane {
    const ROWS: &'static [&'static str] = &["distance from the plane"];
    const REACTS: Reacts = Reacts::FORCE;
    const ORIENTED: [bool; 2] = [true, false];
    const PAIR: Option<Pair> = Some(Pair::Moves(Mobility::BallOnPlane));

    on_fixture!();
    fn parts(&self) -> Parts {
        PairBuilder::on(&self.fixture).level(2).done()
    }
}
