//! Cylindrical joint: one body slides along a line of the other and turns about it.

use super::Fixture;
use super::fixture::Way;
use super::lower_pair::{LowerPair, PairBuilder, Parts, on_fixture};
use crate::geometry::Vector;
use crate::part::{Keys, Kind, Part};
use crate::tree::Mobility;
use crate::tree::topology::Pair;

/// A sleeve on a shaft.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cylindrical {
    /// Where it is and which way its axis points.
    pub fixture: Fixture,
}

impl Cylindrical {
    /// At a global place of the start pose, with its axis along a global direction.
    pub fn at(place: Vector, axis: Vector) -> Cylindrical {
        Cylindrical {
            fixture: Fixture::at(place, axis),
        }
    }
}

impl Kind for Cylindrical {
    const NAME: &'static str = "cylindrical";
    const SUMMARY: &'static str =
        "A sleeve: body_b moves along an axis of body_a and turns about it.";
    const IN_PLANE: bool = false;
}

impl Part for Cylindrical {
    fn keys(&mut self, k: &mut Keys<'_>) {
        self.fixture.points(k);
        self.fixture.axes(k, Way::About);
    }
}

impl LowerPair for Cylindrical {
    const ROWS: &'static [&'static str] = &[
        "first tilt of the axis",
        "second tilt of the axis",
        "first distance from the axis",
        "second distance from the axis",
    ];
    const PAIR: Option<Pair> = Some(Pair::Moves(Mobility::Cylindrical));

    on_fixture!();
    fn parts(&self) -> Parts {
        PairBuilder::on(&self.fixture).parallel().on_line().done()
    }
}
