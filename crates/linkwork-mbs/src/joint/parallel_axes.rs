//! Parallel axes: a direction of one body stays parallel to a direction of the other.

use super::fixture::Way;
use super::lower_pair::{LowerPair, PairBuilder, Parts, on_fixture};
use super::{Fixture, Reacts};
use crate::geometry::Vector;
use crate::part::{Keys, Kind, Part};

/// Two directions that stay parallel; the bodies move as they like and turn about them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ParallelAxes {
    /// The two axes; the points do not matter.
    pub fixture: Fixture,
}

impl ParallelAxes {
    /// Along a global direction of the start pose.
    pub fn along(axis: Vector) -> ParallelAxes {
        ParallelAxes {
            fixture: Fixture::at([0.0; 3], axis).without_points(),
        }
    }
}

impl Kind for ParallelAxes {
    const NAME: &'static str = "parallel_axes";
    const SUMMARY: &'static str = "An axis of body_b stays parallel to an axis of body_a; displacements and the turn about it are free.";
    const IN_PLANE: bool = false;
}

impl Part for ParallelAxes {
    fn keys(&mut self, k: &mut Keys<'_>) {
        self.fixture.axes(k, Way::About);
    }
}

impl LowerPair for ParallelAxes {
    const ROWS: &'static [&'static str] = &["first tilt of the axis", "second tilt of the axis"];
    const REACTS: Reacts = Reacts::TORQUE;
    const POINTS: bool = false;

    on_fixture!();
    fn parts(&self) -> Parts {
        PairBuilder::on(&self.fixture).parallel().done()
    }
}
