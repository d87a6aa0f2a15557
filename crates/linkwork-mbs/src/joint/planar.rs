//! Planar joint: one body slides on a plane of the other and turns about its normal.

use super::Fixture;
use super::fixture::Way;
use super::lower_pair::{LowerPair, PairBuilder, Parts, on_fixture};
use crate::geometry::Vector;
use crate::part::{Keys, Kind, Part};
use crate::tree::Mobility;
use crate::tree::topology::Pair;

/// A plate on a table; the axis is the normal of the plane.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Planar {
    /// Where it is and which way its axis points.
    pub fixture: Fixture,
}

impl Planar {
    /// At a global place of the start pose, with its axis along a global direction.
    pub fn at(place: Vector, axis: Vector) -> Planar {
        Planar {
            fixture: Fixture::at(place, axis),
        }
    }
}

impl Kind for Planar {
    const NAME: &'static str = "planar";
    const SUMMARY: &'static str = "A point of body_b stays in a plane of body_a, and a direction of body_b normal to it: `axis` is the normal.";
    const IN_PLANE: bool = false;
}

impl Part for Planar {
    fn keys(&mut self, k: &mut Keys<'_>) {
        self.fixture.points(k);
        self.fixture.axes(k, Way::About);
    }
}

impl LowerPair for Planar {
    const ROWS: &'static [&'static str] = &[
        "first tilt of the axis",
        "second tilt of the axis",
        "distance from the plane",
    ];
    const PAIR: Option<Pair> = Some(Pair::Moves(Mobility::Planar));

    on_fixture!();
    fn parts(&self) -> Parts {
        PairBuilder::on(&self.fixture).parallel().level(2).done()
    }
}
