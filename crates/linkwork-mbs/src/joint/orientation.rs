//! Orientation joint: no relative turn, any relative displacement.

use super::fixture::{Lie, UP, Way};
use super::lower_pair::{LowerPair, PairBuilder, Parts, on_fixture};
use super::{Fixture, Reacts};
use crate::part::{Keys, Kind, Part};

/// A body that keeps its orientation relative to another: a table on a parallel guide.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Orientation {
    /// Axis and normals, which say what directions are compared; the points do not matter.
    pub fixture: Fixture,
}

impl Orientation {
    /// As in the start pose.
    pub fn kept() -> Orientation {
        Orientation {
            fixture: Fixture::at([0.0; 3], UP).without_points(),
        }
    }
}

impl Kind for Orientation {
    const NAME: &'static str = "orientation";
    const SUMMARY: &'static str = "Body_b does not turn relative to body_a, and moves as it likes; the axis (z unless given) and the normals only say which directions are compared.";
}

impl Part for Orientation {
    fn keys(&mut self, k: &mut Keys<'_>) {
        self.fixture.axes(k, Way::Compared);
        self.fixture.normals(k);
        self.fixture.fixed_angle(k);
    }
}

impl LowerPair for Orientation {
    const ROWS: &'static [&'static str] = &[
        "first tilt of the axis",
        "second tilt of the axis",
        "turn about the axis",
    ];
    const REACTS: Reacts = Reacts::TORQUE;
    const NORMALS: bool = true;
    const POINTS: bool = false;

    on_fixture!();
    fn flat_rows(&self) -> Option<&'static [&'static str]> {
        (self.fixture.lie != Lie::Space).then_some(&["equal angle"])
    }
    fn parts(&self) -> Parts {
        PairBuilder::between(&self.fixture, self.fixture.lie != Lie::Space)
            .parallel()
            .no_turn()
            .done()
    }
}
