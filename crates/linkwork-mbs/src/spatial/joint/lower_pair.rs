//! Joints that are a list of primitives on a [`Fixture`]: the lower pairs and their kin.

use super::mounted::Mounted;
use super::{Fixture, JointPattern, JointPoint, JointTerms, Primitive, Reacts, primitive};
use crate::joint::Want;
use crate::spatial::geometry::Vector;
use crate::tree::topology::{Hinge, Pair};
use std::fmt::Debug;

/// At most six primitives.
#[derive(Clone, Copy, Debug)]
pub struct Parts {
    list: [Primitive; 6],
    count: usize,
}

impl Parts {
    fn new() -> Parts {
        let nothing = Primitive::Dot1 {
            a: [0.0; 3],
            b: [0.0; 3],
            value: 0.0,
        };
        Parts {
            list: [nothing; 6],
            count: 0,
        }
    }

    fn push(mut self, part: Primitive) -> Parts {
        if let Some(place) = self.list.get_mut(self.count) {
            *place = part;
            self.count += 1;
        }
        self
    }

    fn list(&self) -> &[Primitive] {
        &self.list[..self.count]
    }
}

/// Primitives on a fixture, put together in words.
pub(super) struct Builder<'a> {
    fixture: &'a Fixture,
    a: [Vector; 3],
    b: [Vector; 3],
    parts: Parts,
}

impl Builder<'_> {
    pub fn on(fixture: &Fixture) -> Builder<'_> {
        Builder {
            a: fixture.triad(0),
            b: fixture.triad(1),
            fixture,
            parts: Parts::new(),
        }
    }

    fn with(mut self, part: Primitive) -> Self {
        self.parts = self.parts.push(part);
        self
    }

    /// A direction of body a (0 normal, 1 third, 2 axis) stays perpendicular to one of body b.
    pub fn perpendicular(self, of_a: usize, of_b: usize) -> Self {
        let (a, b) = (self.a[of_a], self.b[of_b]);
        self.with(Primitive::Dot1 { a, b, value: 0.0 })
    }

    /// The points coincide.
    pub fn coincidence(self) -> Self {
        let (a, b) = (self.fixture.a.point, self.fixture.b.point);
        self.with(Primitive::Coincidence { a, b })
    }

    /// The axes stay parallel: that of b is perpendicular to two directions of a.
    pub fn parallel(self) -> Self {
        self.perpendicular(0, 2).perpendicular(1, 2)
    }

    /// The normals stay aligned about the axes.
    pub fn no_turn(self) -> Self {
        self.perpendicular(0, 1)
    }

    /// The point of b does not leave that of a along a direction of a.
    pub fn level(self, of_a: usize) -> Self {
        let part = Primitive::Dot2 {
            axis: self.a[of_a],
            a: self.fixture.a.point,
            b: self.fixture.b.point,
            value: 0.0,
        };
        self.with(part)
    }

    /// The point of b stays on the axis of a.
    pub fn on_line(self) -> Self {
        self.level(0).level(1)
    }

    pub fn done(self) -> Parts {
        self.parts
    }
}

/// A joint that is a list of primitives on a fixture.
pub(super) trait LowerPair: Debug + Send + Sync {
    const KIND: &'static str;
    const ROWS: &'static [&'static str];
    const REACTS: Reacts;
    /// Which of the two bodies must have an orientation.
    const ORIENTED: [bool; 2] = [true, true];
    /// Whether the normals matter.
    const NORMALS: bool;

    /// What it leaves free as the joint that carries a body, where that is a row of [`Pair`].
    const PAIR: Option<Pair> = None;

    fn fixture(&self) -> &Fixture;
    fn fixture_mut(&mut self) -> &mut Fixture;
    fn parts(&self) -> Parts;
}

impl<T: LowerPair> Mounted for T {
    type On = Fixture;
    const KIND: &'static str = <T as LowerPair>::KIND;
    const ROWS: &'static [&'static str] = <T as LowerPair>::ROWS;

    fn mount(&self) -> &Fixture {
        self.fixture()
    }
    fn mount_mut(&mut self) -> &mut Fixture {
        self.fixture_mut()
    }
    fn terms(&self, at: &JointPoint<'_>, want: Want, out: &mut JointTerms) {
        primitive::evaluate(self.parts().list(), at, want, out);
    }
    fn entries(&self) -> JointPattern {
        primitive::pattern(self.parts().list())
    }
    fn oriented(&self) -> [bool; 2] {
        T::ORIENTED
    }
    fn exerts(&self) -> Reacts {
        T::REACTS
    }
    fn carries(&self) -> Option<Hinge> {
        let f = self.fixture();
        let sides = [(f.a.point, f.triad(0)), (f.b.point, f.triad(1))];
        T::PAIR.map(|pair| Hinge::pair(pair, sides))
    }
    fn has_key(&self, key: &str) -> bool {
        (T::NORMALS || !matches!(key, "normal_a" | "normal_b"))
            && (T::ORIENTED[1] || key != "axis_b")
    }
}

/// Force and torque.
pub(super) const BOTH: Reacts = Reacts {
    force: true,
    torque: true,
};
