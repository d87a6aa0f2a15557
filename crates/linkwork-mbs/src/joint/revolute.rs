//! Revolute joint: two points coincide and two axes stay parallel.

use super::Fixture;
use super::fixture::{Lie, UP, Way};
use super::lower_pair::{LowerPair, PairBuilder, Parts, on_fixture};
use crate::assembly::{JointPass, JointPlaces};
use crate::geometry::{Components, Marker};
use crate::kernel::Flat;
use crate::part::{Keys, Kind, Part};
use crate::tree::Mobility;
use crate::tree::topology::Pair;

/// A hinge.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Revolute {
    /// Where it is and which way its axis points.
    pub fixture: Fixture,
}

impl Revolute {
    /// At a global place of the start pose, with its axis along a global direction.
    pub fn at(place: impl Components, axis: impl Components) -> Revolute {
        Revolute {
            fixture: Fixture::at(place, axis),
        }
    }

    /// About z at a global place of the start pose.
    pub fn pin(place: impl Components) -> Revolute {
        Revolute::at(place, UP)
    }

    /// About z between two body points.
    pub fn between(a: impl Components, b: impl Components) -> Revolute {
        let mut pin = Revolute::pin([0.0; 3]);
        (pin.fixture.a, pin.fixture.b) = (Marker::body(a), Marker::body(b));
        pin
    }
}

impl Kind for Revolute {
    const NAME: &'static str = "revolute";
    const SUMMARY: &'static str =
        "A hinge: a point of body_a and a point of body_b coincide, and an axis is common.";
}

impl Part for Revolute {
    fn keys(&mut self, k: &mut Keys<'_>) {
        self.fixture.points(k);
        self.fixture.axes(k, Way::About);
    }
}

impl LowerPair for Revolute {
    const ROWS: &'static [&'static str] = &[
        "x coincidence",
        "y coincidence",
        "z coincidence",
        "first tilt of the axis",
        "second tilt of the axis",
    ];
    const PAIR: Option<Pair> = Some(Pair::Moves(Mobility::Revolute));

    on_fixture!();
    fn flat_rows(&self) -> Option<&'static [&'static str]> {
        (self.fixture.lie == Lie::Upright).then_some(&["x coincidence", "y coincidence"])
    }
    #[inline(always)]
    fn straight(&self, places: &JointPlaces, pass: &mut JointPass<'_>) -> bool {
        let f = &self.fixture;
        f.lie == Lie::Upright && pass.coincidence::<Flat>([&f.a.point, &f.b.point], places)
    }
    fn parts(&self) -> Parts {
        let flat = self.fixture.lie == Lie::Upright;
        PairBuilder::between(&self.fixture, flat)
            .coincidence()
            .parallel()
            .done()
    }
}
