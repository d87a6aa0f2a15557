//! Fixed joint: no relative motion.

use super::Fixture;
use super::fixture::{Lie, UP, Way};
use super::lower_pair::{LowerPair, PairBuilder, Parts, on_fixture};
use crate::geometry::Components;
use crate::part::{Keys, Kind, Part};
use crate::tree::topology::Pair;

/// A weld.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fixed {
    /// Where it is and which way its axis points.
    pub fixture: Fixture,
}

impl Fixed {
    /// At a global place of the start pose.
    pub fn at(place: impl Components) -> Fixed {
        Fixed {
            fixture: Fixture::at(place, UP),
        }
    }
}

impl Kind for Fixed {
    const NAME: &'static str = "fixed";
    const SUMMARY: &'static str = "Body_b does not move relative to body_a; the axis (z unless given) and the normals only say which directions are compared.";
}

impl Part for Fixed {
    fn keys(&mut self, k: &mut Keys<'_>) {
        self.fixture.points(k);
        self.fixture.axes(k, Way::Compared);
        self.fixture.normals(k);
        self.fixture.fixed_angle(k);
    }
}

impl LowerPair for Fixed {
    const ROWS: &'static [&'static str] = &[
        "x coincidence",
        "y coincidence",
        "z coincidence",
        "first tilt of the axis",
        "second tilt of the axis",
        "turn about the axis",
    ];
    const NORMALS: bool = true;
    const PAIR: Option<Pair> = Some(Pair::Weld);

    on_fixture!();
    fn flat_rows(&self) -> Option<&'static [&'static str]> {
        (self.fixture.lie != Lie::Space).then_some(&[
            "x coincidence",
            "y coincidence",
            "equal angle",
        ])
    }
    fn parts(&self) -> Parts {
        PairBuilder::between(&self.fixture, self.fixture.lie != Lie::Space)
            .coincidence()
            .parallel()
            .no_turn()
            .done()
    }
}
