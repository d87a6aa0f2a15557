//! Point on line: a point of one body stays on a line of the other.

use super::fixture::{Lie, Way};
use super::lower_pair::{LowerPair, PairBuilder, Parts, on_fixture};
use super::{Fixture, Reacts};
use crate::geometry::Components;
use crate::part::{Keys, Kind, Part};
use crate::tree::Mobility;
use crate::tree::topology::Pair;

/// A pin in a straight slot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PointOnLine {
    /// Where it is and which way its axis points.
    pub fixture: Fixture,
}

impl PointOnLine {
    /// At a global place of the start pose, with its axis along a global direction.
    pub fn at(place: impl Components, axis: impl Components) -> PointOnLine {
        PointOnLine {
            fixture: Fixture::at(place, axis),
        }
    }
}

impl Kind for PointOnLine {
    const NAME: &'static str = "point_on_line";
    const SUMMARY: &'static str =
        "A point of body_b stays on a line through a point of body_a along an axis of body_a.";
}

impl Part for PointOnLine {
    fn keys(&mut self, k: &mut Keys<'_>) {
        self.fixture.points(k);
        self.fixture.axis(k, Way::Along);
    }
}

impl LowerPair for PointOnLine {
    const ROWS: &'static [&'static str] = &[
        "first distance from the axis",
        "second distance from the axis",
    ];
    const REACTS: Reacts = Reacts::FORCE;
    const ORIENTED: [bool; 2] = [true, false];
    const PAIR: Option<Pair> = Some(Pair::Moves(Mobility::BallOnLine));

    on_fixture!();
    fn flat_rows(&self) -> Option<&'static [&'static str]> {
        (self.fixture.lie == Lie::Level).then_some(&["distance from the line"])
    }
    fn parts(&self) -> Parts {
        let flat = self.fixture.lie == Lie::Level;
        PairBuilder::between(&self.fixture, flat).on_line().done()
    }
}
