//! Revolute joint: two points coincide and two axes stay parallel.

use super::fixture::{AXIS, AXIS_A, AXIS_B};
use super::lower_pair::{BOTH, Builder, LowerPair, Parts};
use super::{AT, AT_A, AT_B, Fixture, JointEntry, POINT_A, POINT_B, Reacts};
use crate::spatial::geometry::Vector;
use crate::tree::Joint;
use crate::tree::topology::Pair;

/// A hinge.
#[derive(Clone, Debug, PartialEq)]
pub struct Revolute {
    /// Where it is and which way its axis points.
    pub fixture: Fixture,
}

impl Revolute {
    /// At a global place of the start pose, with its axis along a global direction.
    pub fn at(place: Vector, axis: Vector) -> Revolute {
        Revolute {
            fixture: Fixture::at(place, axis),
        }
    }
}

pub(super) const ENTRY: JointEntry = JointEntry {
    kind: "revolute",
    summary: "A hinge: a point of body_a and a point of body_b coincide, and an axis is common.",
    keys: &[AT, POINT_A, POINT_B, AT_A, AT_B, AXIS, AXIS_A, AXIS_B],
    read: |f| {
        let fixture = Fixture::read(f)?;
        Ok(Revolute { fixture }.into())
    },
    example: |draw| {
        let mut fixture = Fixture::example(draw);
        (fixture.normal_a, fixture.normal_b) = (None, None);
        Revolute { fixture }.into()
    },
};

impl LowerPair for Revolute {
    const KIND: &'static str = ENTRY.kind;
    const ROWS: &'static [&'static str] = &[
        "x coincidence",
        "y coincidence",
        "z coincidence",
        "first tilt of the axis",
        "second tilt of the axis",
    ];
    const REACTS: Reacts = BOTH;
    const NORMALS: bool = false;
    const PAIR: Option<Pair> = Some(Pair::Moves(Joint::Revolute));

    fn fixture(&self) -> &Fixture {
        &self.fixture
    }
    fn fixture_mut(&mut self) -> &mut Fixture {
        &mut self.fixture
    }
    fn parts(&self) -> Parts {
        Builder::on(&self.fixture).coincidence().parallel().done()
    }
}
