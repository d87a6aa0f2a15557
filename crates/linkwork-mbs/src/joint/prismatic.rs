//! Prismatic joint: one body slides along a line of the other and does not turn.

use super::Fixture;
use super::fixture::{Lie, Way};
use super::lower_pair::{LowerPair, PairBuilder, Parts, on_fixture};
use crate::geometry::Components;
use crate::part::{Keys, Kind, Part};
use crate::tree::Mobility;
use crate::tree::topology::Pair;

/// A slider.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Prismatic {
    /// Where it is and which way its axis points.
    pub fixture: Fixture,
}

impl Prismatic {
    /// At a global place of the start pose, with its axis along a global direction.
    pub fn at(place: impl Components, axis: impl Components) -> Prismatic {
        Prismatic {
            fixture: Fixture::at(place, axis),
        }
    }
}

impl Kind for Prismatic {
    const NAME: &'static str = "prismatic";
    const SUMMARY: &'static str =
        "A slider: body_b moves along an axis of body_a and does not turn.";
}

impl Part for Prismatic {
    fn keys(&mut self, k: &mut Keys<'_>) {
        self.fixture.points(k);
        self.fixture.axes(k, Way::Along);
        self.fixture.normals(k);
        self.fixture.fixed_angle(k);
    }
}

impl LowerPair for Prismatic {
    const ROWS: &'static [&'static str] = &[
        "first tilt of the axis",
        "second tilt of the axis",
        "turn about the axis",
        "first distance from the axis",
        "second distance from the axis",
    ];
    const NORMALS: bool = true;
    const PAIR: Option<Pair> = Some(Pair::Moves(Mobility::Prismatic));

    on_fixture!();
    fn flat_rows(&self) -> Option<&'static [&'static str]> {
        (self.fixture.lie == Lie::Level).then_some(&["distance from the guide", "equal angle"])
    }
    fn parts(&self) -> Parts {
        if self.fixture.lie == Lie::Level {
            let parts = PairBuilder::between(&self.fixture, true);
            return parts.on_line().parallel().done();
        }
        PairBuilder::on(&self.fixture)
            .parallel()
            .no_turn()
            .on_line()
            .done()
    }
}
