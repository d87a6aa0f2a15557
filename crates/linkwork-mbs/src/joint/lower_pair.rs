//! Joints that are a list of primitives on a [`Fixture`]: the lower pairs and their kin.

use super::Want;
use super::fixture::Lie;
use super::{
    Fixture, Joint, JointPattern, JointPoint, JointTerms, Latch, Primitive, Reacts, primitive,
};
use crate::assembly::{JointPass, JointPlaces};
use crate::force::Against;
use crate::geometry::{Site, Vector};
use crate::part::{OfKind, Part};
use crate::tree::Mobility;
use crate::tree::topology::{Hinge, Pair};
use std::borrow::Cow;

/// At most six primitives.
#[derive(Clone, Copy, Debug, PartialEq)]
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
pub(super) struct PairBuilder<'a> {
    fixture: &'a Fixture,
    /// Whether both bodies move in the x-y plane.
    flat: bool,
    a: [Vector; 3],
    b: [Vector; 3],
    parts: Parts,
}

impl PairBuilder<'_> {
    pub fn on(fixture: &Fixture) -> PairBuilder<'_> {
        PairBuilder::between(fixture, false)
    }

    /// The same, between bodies that move in the x-y plane where `flat`.
    pub fn between(fixture: &Fixture, flat: bool) -> PairBuilder<'_> {
        PairBuilder {
            flat,
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
        let (a, b, flat) = (self.fixture.a.point, self.fixture.b.point, self.flat);
        self.with(Primitive::Coincidence { a, b, flat })
    }

    /// The axes stay parallel: that of b is perpendicular to two directions of a.
    pub fn parallel(self) -> Self {
        match self.fixture.lie {
            Lie::Upright if self.flat => return self,
            Lie::Level if self.flat => return self.equal_turn(),
            _ => {}
        }
        self.perpendicular(0, 2).perpendicular(1, 2)
    }

    /// The normals stay aligned about the axes.
    pub fn no_turn(self) -> Self {
        match self.fixture.lie {
            Lie::Upright if self.flat => return self.equal_turn(),
            Lie::Level if self.flat => return self,
            _ => {}
        }
        self.perpendicular(0, 1)
    }

    fn equal_turn(self) -> Self {
        let offset = self.fixture.zero();
        self.with(Primitive::Turn { offset })
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
        if self.flat {
            let [x, y, _] = self.a[2];
            let (a, b) = (self.fixture.a.point, self.fixture.b.point);
            let normal = [-y, x, 0.0];
            return self.with(Primitive::Slot { normal, a, b });
        }
        self.level(0).level(1)
    }

    pub fn done(self) -> Parts {
        self.parts
    }
}

/// The fixture of a joint that has it as a field.
macro_rules! on_fixture {
    () => {
        fn fixture(&self) -> &Fixture {
            &self.fixture
        }
        fn fixture_mut(&mut self) -> &mut Fixture {
            &mut self.fixture
        }
    };
}
pub(super) use on_fixture;

/// A joint that is a list of primitives on a fixture.
pub(super) trait LowerPair: Part + OfKind {
    const ROWS: &'static [&'static str];
    const REACTS: Reacts = Reacts::BOTH;
    /// Which of the two bodies must have an orientation.
    const ORIENTED: [bool; 2] = [true, true];
    /// Whether the normals matter.
    const NORMALS: bool = false;
    /// Whether the points matter.
    const POINTS: bool = true;

    /// Its rows in words where it becomes simpler between bodies that move in the x-y plane.
    fn flat_rows(&self) -> Option<&'static [&'static str]> {
        None
    }

    /// Evaluates it straight into place, where that is worth while; else answers false.
    #[inline(always)]
    fn straight(&self, places: &JointPlaces, pass: &mut JointPass<'_>) -> bool {
        let _ = (places, pass);
        false
    }

    /// What it leaves free as the joint that carries a body, where that is a row of [`Pair`].
    const PAIR: Option<Pair> = None;

    fn fixture(&self) -> &Fixture;
    fn fixture_mut(&mut self) -> &mut Fixture;
    /// Its primitives between the bodies as they are placed.
    fn parts(&self) -> Parts;

    /// The same, as they were put together when the joint was placed.
    fn built(&self) -> Cow<'_, Parts> {
        match &self.fixture().built {
            Some(parts) => Cow::Borrowed(parts),
            None => Cow::Owned(self.parts()),
        }
    }
}

impl<T: LowerPair> Joint for T {
    fn row_names(&self) -> &'static [&'static str] {
        self.flat_rows().unwrap_or(T::ROWS)
    }
    fn run(&self, places: &JointPlaces, pass: &mut JointPass<'_>) {
        if !self.straight(places, pass) {
            pass.through_table(self, places);
        }
    }
    fn eval(&self, at: &JointPoint<'_>, want: Want, out: &mut JointTerms) {
        primitive::evaluate(self.built().list(), at, want, out);
    }
    fn place(&mut self, a: &Site, b: &Site) {
        self.fixture_mut().place(a, b);
        if T::NORMALS && self.flat_rows().is_some() {
            let fixture = self.fixture_mut();
            fixture.turn = Some(fixture.zero());
        }
        let parts = self.parts();
        self.fixture_mut().built = Some(Box::new(parts));
    }
    fn pattern(&self, _: bool) -> JointPattern {
        primitive::pattern(self.built().list())
    }
    fn needs_orientation(&self) -> [bool; 2] {
        // a pin in the x-y plane holds points as well
        match self.flat_rows().map(|_| self.built()) {
            Some(parts) if matches!(parts.list(), [Primitive::Coincidence { .. }]) => [false; 2],
            _ => T::ORIENTED,
        }
    }
    fn markers(&self) -> [Option<Vector>; 2] {
        let points = [self.fixture().a.point, self.fixture().b.point];
        points.map(|p| T::POINTS.then_some(p))
    }
    fn reacts(&self) -> Reacts {
        let turns = |p: &Primitive| matches!(p, Primitive::Turn { .. });
        match self.flat_rows() {
            Some(_) => Reacts {
                force: T::REACTS.force,
                torque: self.built().list().iter().any(turns),
            },
            None => T::REACTS,
        }
    }
    fn force_rows(&self) -> usize {
        let push =
            |p: &&Primitive| matches!(p, Primitive::Coincidence { .. } | Primitive::Dot2 { .. });
        let parts = self.built();
        let first = parts.list().iter().take_while(push);
        first.map(Primitive::rows).sum::<usize>().min(3)
    }
    fn latch(&self) -> Option<Box<dyn Joint>> {
        let against = match T::PAIR {
            Some(Pair::Moves(Mobility::Revolute)) => Against::Turning,
            Some(Pair::Moves(Mobility::Prismatic)) => Against::Sliding,
            _ => return None,
        };
        let fixture = Fixture {
            built: None,
            ..self.fixture().clone()
        };
        Some(Latch { fixture, against }.into())
    }
    fn hinge(&self) -> Option<Hinge> {
        let f = self.fixture();
        if self.flat_rows().is_some() {
            let points = [f.a.point, f.b.point];
            return T::PAIR.and_then(|pair| Hinge::flat(pair, points, f.triad(0)[2], f.zero()));
        }
        let sides = [(f.a.point, f.triad(0)), (f.b.point, f.triad(1))];
        T::PAIR.map(|pair| Hinge::pair(pair, sides))
    }
}
