//! Joints that are a list of primitives on a [`Fixture`]: the lower pairs and their kin, listed in `pairs.rs`.

use super::Want;
use super::fixture::{Lie, Way};
use super::{
    Fixture, Joint, JointPattern, JointPoint, JointTerms, Latch, Primitive, Reacts, primitive,
};
use crate::assembly::{JointPass, JointPlaces};
use crate::force::Against;
use crate::geometry::{Site, Vector};
use crate::part::{Keys, Kind, Part};
use crate::tree::Mobility;
use crate::tree::topology::{Hinge, Pair};
use std::borrow::Cow;
use std::fmt::Debug;
use std::marker::PhantomData;
use std::ops::Range;

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
pub struct PairBuilder<'a> {
    fixture: &'a Fixture,
    /// Whether both bodies move in the x-y plane.
    flat: bool,
    a: [Vector; 3],
    b: [Vector; 3],
    parts: Parts,
}

impl PairBuilder<'_> {
    /// Between bodies that move in the x-y plane where `flat`.
    fn between(fixture: &Fixture, flat: bool) -> PairBuilder<'_> {
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

    /// Whether both bodies move in the x-y plane.
    pub fn is_flat(&self) -> bool {
        self.flat
    }
}

/// What a lower pair is, beside its fixture: a row of constants and its list of primitives.
pub trait PairKind: Copy + Debug + Default + PartialEq + Send + Sync + 'static {
    /// Name in model text.
    const NAME: &'static str;
    /// What it does, in one sentence.
    const SUMMARY: &'static str;
    /// Whether it has a meaning in planar models.
    const IN_PLANE: bool = true;
    /// What its axis is for.
    const WAY: Way = Way::About;
    /// Whether the points matter.
    const POINTS: bool = true;
    /// Whether the normals matter.
    const NORMALS: bool = false;
    /// Its equations in words.
    const ROWS: &'static [&'static str];
    /// The same where it becomes simpler between bodies that move in the x-y plane, and how its axis lies there.
    const FLAT: (&'static [Lie], &'static [&'static str]) = (&[], &[]);
    /// What it exerts.
    const REACTS: Reacts = Reacts::BOTH;
    /// Which of the two bodies must have an orientation.
    const ORIENTED: [bool; 2] = [true, true];
    /// What it leaves free as the joint that carries a body, where that is a row of [`Pair`].
    const PAIR: Option<Pair> = None;

    /// The keys of its axes.
    fn axes(fixture: &mut Fixture, k: &mut Keys<'_>) {
        fixture.axes(k, Self::WAY);
    }

    /// Evaluates it straight into place, where that is worth while; else answers false.
    #[inline(always)]
    fn straight(fixture: &Fixture, places: &JointPlaces, pass: &mut JointPass<'_>) -> bool {
        let _ = (fixture, places, pass);
        false
    }

    /// Its primitives between the bodies as they are placed.
    fn parts(on: PairBuilder<'_>) -> PairBuilder<'_>;
}

/// A joint that is a list of primitives on a fixture.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LowerPair<P> {
    /// Where it is and which way its axes and normals point.
    pub fixture: Fixture,
    kind: PhantomData<P>,
}

impl<P: PairKind> LowerPair<P> {
    /// On a fixture.
    pub fn on(fixture: Fixture) -> LowerPair<P> {
        LowerPair {
            fixture,
            kind: PhantomData,
        }
    }

    /// Its rows in words where it is a simpler one in the x-y plane.
    fn flat_rows(&self) -> Option<&'static [&'static str]> {
        let (lies, rows) = P::FLAT;
        lies.contains(&self.fixture.lie).then_some(rows)
    }

    fn parts(&self) -> Parts {
        let flat = self.flat_rows().is_some();
        P::parts(PairBuilder::between(&self.fixture, flat)).parts
    }

    /// The same, as they were put together when the joint was placed.
    fn built(&self) -> Cow<'_, Parts> {
        match &self.fixture.built {
            Some(parts) => Cow::Borrowed(parts),
            None => Cow::Owned(self.parts()),
        }
    }
}

impl<P: PairKind> Kind for LowerPair<P> {
    const NAME: &'static str = P::NAME;
    const SUMMARY: &'static str = P::SUMMARY;
    const IN_PLANE: bool = P::IN_PLANE;
}

impl<P: PairKind> Part for LowerPair<P> {
    fn keys(&mut self, k: &mut Keys<'_>) {
        if P::POINTS {
            self.fixture.points(k);
        }
        P::axes(&mut self.fixture, k);
        if P::NORMALS {
            self.fixture.normals(k);
            self.fixture.fixed_angle(k);
        }
    }
}

impl<P: PairKind> Joint for LowerPair<P> {
    fn row_names(&self) -> &'static [&'static str] {
        self.flat_rows().unwrap_or(P::ROWS)
    }
    fn run(&self, places: &JointPlaces, pass: &mut JointPass<'_>) {
        if !P::straight(&self.fixture, places, pass) {
            pass.through_table(self, places);
        }
    }
    fn eval(&self, at: &JointPoint<'_>, want: Want, out: &mut JointTerms) {
        primitive::evaluate(self.built().list(), at, want, out);
    }
    fn place(&mut self, a: &Site, b: &Site) {
        self.fixture.place(a, b);
        if P::NORMALS && self.flat_rows().is_some() {
            self.fixture.turn = Some(self.fixture.zero());
        }
        self.fixture.built = Some(Box::new(self.parts()));
    }
    fn pattern(&self, _: bool) -> JointPattern {
        primitive::pattern(self.built().list())
    }
    fn needs_orientation(&self) -> [bool; 2] {
        // a pin in the x-y plane holds points as well
        match self.flat_rows().map(|_| self.built()) {
            Some(parts) if matches!(parts.list(), [Primitive::Coincidence { .. }]) => [false; 2],
            _ => P::ORIENTED,
        }
    }
    fn markers(&self) -> [Option<Vector>; 2] {
        let points = [self.fixture.a.point, self.fixture.b.point];
        points.map(|p| P::POINTS.then_some(p))
    }
    fn reacts(&self) -> Reacts {
        let turns = |p: &Primitive| matches!(p, Primitive::Turn { .. });
        match self.flat_rows() {
            Some(_) => Reacts {
                force: P::REACTS.force,
                torque: self.built().list().iter().any(turns),
            },
            None => P::REACTS,
        }
    }
    fn force_rows(&self) -> Range<usize> {
        let pushes = |p: &Primitive| {
            matches!(
                p,
                Primitive::Coincidence { .. } | Primitive::Dot2 { .. } | Primitive::Slot { .. }
            )
        };
        let parts = self.built();
        let mut rows = 0..0;
        for part in parts.list() {
            let own = part.rows();
            if pushes(part) {
                rows.end += own;
            } else if rows.is_empty() {
                // tilts of a slide come first
                rows = rows.end + own..rows.end + own;
            }
        }
        rows
    }
    fn latch(&self) -> Option<Box<dyn Joint>> {
        let against = match P::PAIR {
            Some(Pair::Moves(Mobility::Revolute)) => Against::Turning,
            Some(Pair::Moves(Mobility::Prismatic)) => Against::Sliding,
            _ => return None,
        };
        let fixture = Fixture {
            built: None,
            ..self.fixture.clone()
        };
        Some(Latch { fixture, against }.into())
    }
    fn hinge(&self) -> Option<Hinge> {
        let f = &self.fixture;
        if self.flat_rows().is_some() {
            let points = [f.a.point, f.b.point];
            return P::PAIR.and_then(|pair| Hinge::flat(pair, points, f.triad(0)[2], f.zero()));
        }
        let sides = [(f.a.point, f.triad(0)), (f.b.point, f.triad(1))];
        P::PAIR.map(|pair| Hinge::pair(pair, sides))
    }
}
