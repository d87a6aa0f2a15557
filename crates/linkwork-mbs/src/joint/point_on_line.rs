//! Point on line: a point of one body stays on a line of the other.

use super::fixture::{ALONG, ALONG_A, Lie};
use super::lower_pair::{Builder, LowerPair, Parts};
use super::{AT, AT_A, AT_B, Fixture, JointEntry, POINT_A, POINT_B, Reacts};
use crate::geometry::Components;
use crate::tree::Joint;
use crate::tree::topology::Pair;

/// A pin in a straight slot.
#[derive(Clone, Debug, PartialEq)]
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

pub(super) const ENTRY: JointEntry = JointEntry {
    kind: "point_on_line",
    summary: "A point of body_b stays on a line through a point of body_a along an axis of body_a.",
    in_plane: true,
    keys: &[AT, POINT_A, POINT_B, AT_A, AT_B, ALONG, ALONG_A],
    read: |f| {
        let fixture = Fixture::read(f)?;
        Ok(PointOnLine { fixture }.into())
    },
    example: |draw| {
        let mut fixture = Fixture::example(draw);
        (fixture.normal_a, fixture.normal_b) = (None, None);
        fixture.axis_b = None;
        PointOnLine { fixture }.into()
    },
};

impl LowerPair for PointOnLine {
    const KIND: &'static str = ENTRY.kind;
    const ROWS: &'static [&'static str] = &[
        "first distance from the axis",
        "second distance from the axis",
    ];
    const REACTS: Reacts = Reacts {
        force: true,
        torque: false,
    };
    const ORIENTED: [bool; 2] = [true, false];
    const NORMALS: bool = false;
    const PAIR: Option<Pair> = Some(Pair::Moves(Joint::BallOnLine));

    fn fixture(&self) -> &Fixture {
        &self.fixture
    }
    fn fixture_mut(&mut self) -> &mut Fixture {
        &mut self.fixture
    }
    fn flat_rows(&self) -> Option<&'static [&'static str]> {
        (self.fixture.lie == Lie::Level).then_some(&["distance from the line"])
    }
    fn parts(&self) -> Parts {
        let flat = self.fixture.lie == Lie::Level;
        Builder::between(&self.fixture, flat).on_line().done()
    }
}
