//! Universal joint: two points coincide and an axis of each body stays perpendicular to the other.

use super::Fixture;
use super::fixture::{AXIS_B, Further, Way};
use super::lower_pair::{LowerPair, PairBuilder, Parts, on_fixture};
use crate::field::Key;
use crate::geometry::{Axis, Vector};
use crate::part::{Keys, Kind, Part};
use crate::tree::Mobility;
use crate::tree::topology::Pair;

/// A cross with a pin along the axis of body a and a pin along the axis of body b.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Universal {
    /// Where it is and which way its two axes point.
    pub fixture: Fixture,
}

impl Universal {
    /// At a global place of the start pose, with the pins on body a and body b along global
    /// directions.
    pub fn at(place: Vector, axis_a: Vector, axis_b: Vector) -> Universal {
        let mut fixture = Fixture::at(place, axis_a);
        fixture.axis_b = Some(Axis::global(axis_b));
        Universal { fixture }
    }
}

impl Kind for Universal {
    const NAME: &'static str = "universal";
    const SUMMARY: &'static str = "A cross: a point of body_a and a point of body_b coincide, and an axis of body_a \
              stays perpendicular to an axis of body_b.";
    const IN_PLANE: bool = false;
}

impl Part for Universal {
    fn keys(&mut self, k: &mut Keys<'_>) {
        self.fixture.points(k);
        self.fixture.axis(k, Way::About);
        let doc = "Direction of the axis of body_b in global components in the start pose.";
        let second = Key::direction("second_axis", "this or `axis_b`", doc);
        let keys = [second, AXIS_B];
        self.fixture.further(k, Further::AxisB, keys, true);
    }
}

impl LowerPair for Universal {
    const ROWS: &'static [&'static str] = &[
        "x coincidence",
        "y coincidence",
        "z coincidence",
        "angle of the axes",
    ];
    const PAIR: Option<Pair> = Some(Pair::Moves(Mobility::Universal));

    on_fixture!();
    fn parts(&self) -> Parts {
        PairBuilder::on(&self.fixture)
            .coincidence()
            .perpendicular(2, 2)
            .done()
    }
}
