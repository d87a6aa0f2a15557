//! The lower pairs and their kin, each a row of constants and its equations on a [`Fixture`].

use super::fixture::{AXIS_B, Further, Lie, UP, Way};
use super::lower_pair::{LowerPair, PairBuilder, PairKind};
use super::{Fixture, Reacts};
use crate::assembly::{JointPass, JointPlaces};
use crate::field::Key;
use crate::geometry::{Axis, Components, Marker, Vector};
use crate::kernel::Flat;
use crate::part::Keys;
use crate::tree::Mobility;
use crate::tree::topology::Pair;

/// A hinge: two points coincide and two axes stay parallel.
pub type Revolute = LowerPair<Hinged>;
/// A slider: one body moves along a line of the other and does not turn.
pub type Prismatic = LowerPair<Sliding>;
/// A sleeve on a shaft: one body slides along a line of the other and turns about it.
pub type Cylindrical = LowerPair<Sleeve>;
/// A cross with a pin along the axis of body a and a pin along the axis of body b, which stay perpendicular.
pub type Universal = LowerPair<Cross>;
/// A plate on a table, which turns about its normal; the axis is the normal of the plane.
pub type Planar = LowerPair<Plate>;
/// A weld: no relative motion.
pub type Fixed = LowerPair<Weld>;
/// A body that keeps its orientation relative to another: a table on a parallel guide. The points do not matter.
pub type Orientation = LowerPair<KeptTurn>;
/// Two directions that stay parallel; the bodies move as they like and turn about them. The points do not matter.
pub type ParallelAxes = LowerPair<KeptAxis>;
/// A pin in a straight slot: a point of one body stays on a line of the other.
pub type PointOnLine = LowerPair<Slot>;
/// A foot on a plane: a point of one body stays in a plane of the other, whose normal is the axis.
pub type PointOnPlane = LowerPair<Foot>;

macro_rules! kinds {
    ($($name:ident),+) => {
        $(
            /// A kind of [`LowerPair`].
            #[derive(Clone, Copy, Debug, Default, PartialEq)]
            pub struct $name;
        )+
    };
}

kinds!(
    Hinged, Sliding, Sleeve, Cross, Plate, Weld, KeptTurn, KeptAxis, Slot, Foot
);

/// Pairs that one axis says all about.
pub trait OnAxis {}

impl OnAxis for Hinged {}
impl OnAxis for Sliding {}
impl OnAxis for Sleeve {}
impl OnAxis for Plate {}
impl OnAxis for Slot {}
impl OnAxis for Foot {}

impl<P: PairKind + OnAxis> LowerPair<P> {
    /// At a global place of the start pose, with its axis along a global direction.
    pub fn at(place: impl Components, axis: impl Components) -> LowerPair<P> {
        LowerPair::on(Fixture::at(place, axis))
    }
}

impl Revolute {
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

impl Universal {
    /// At a global place of the start pose, with the pins on body a and body b along global
    /// directions.
    pub fn at(place: Vector, axis_a: Vector, axis_b: Vector) -> Universal {
        let mut fixture = Fixture::at(place, axis_a);
        fixture.axis_b = Some(Axis::global(axis_b));
        LowerPair::on(fixture)
    }
}

impl Fixed {
    /// At a global place of the start pose.
    pub fn at(place: impl Components) -> Fixed {
        LowerPair::on(Fixture::at(place, UP))
    }
}

impl Orientation {
    /// As in the start pose.
    pub fn kept() -> Orientation {
        LowerPair::on(Fixture::at([0.0; 3], UP).without_points())
    }
}

impl ParallelAxes {
    /// Along a global direction of the start pose.
    pub fn along(axis: Vector) -> ParallelAxes {
        LowerPair::on(Fixture::at([0.0; 3], axis).without_points())
    }
}

impl PairKind for Hinged {
    const NAME: &'static str = "revolute";
    const SUMMARY: &'static str =
        "A hinge: a point of body_a and a point of body_b coincide, and an axis is common.";
    const ROWS: &'static [&'static str] = &[
        "x coincidence",
        "y coincidence",
        "z coincidence",
        "first tilt of the axis",
        "second tilt of the axis",
    ];
    const FLAT: (&'static [Lie], &'static [&'static str]) =
        (&[Lie::Upright], &["x coincidence", "y coincidence"]);
    const PAIR: Option<Pair> = Some(Pair::Moves(Mobility::Revolute));

    #[inline(always)]
    fn straight(f: &Fixture, places: &JointPlaces, pass: &mut JointPass<'_>) -> bool {
        f.lie == Lie::Upright && pass.coincidence::<Flat>([&f.a.point, &f.b.point], places)
    }
    fn parts(on: PairBuilder<'_>) -> PairBuilder<'_> {
        on.coincidence().parallel()
    }
}

impl PairKind for Sliding {
    const NAME: &'static str = "prismatic";
    const SUMMARY: &'static str =
        "A slider: body_b moves along an axis of body_a and does not turn.";
    const WAY: Way = Way::Along;
    const NORMALS: bool = true;
    const ROWS: &'static [&'static str] = &[
        "first tilt of the axis",
        "second tilt of the axis",
        "turn about the axis",
        "first distance from the axis",
        "second distance from the axis",
    ];
    const FLAT: (&'static [Lie], &'static [&'static str]) =
        (&[Lie::Level], &["distance from the guide", "equal angle"]);
    const PAIR: Option<Pair> = Some(Pair::Moves(Mobility::Prismatic));

    fn parts(on: PairBuilder<'_>) -> PairBuilder<'_> {
        match on.is_flat() {
            true => on.on_line().parallel(),
            false => on.parallel().no_turn().on_line(),
        }
    }
}

impl PairKind for Sleeve {
    const NAME: &'static str = "cylindrical";
    const SUMMARY: &'static str =
        "A sleeve: body_b moves along an axis of body_a and turns about it.";
    const IN_PLANE: bool = false;
    const ROWS: &'static [&'static str] = &[
        "first tilt of the axis",
        "second tilt of the axis",
        "first distance from the axis",
        "second distance from the axis",
    ];
    const PAIR: Option<Pair> = Some(Pair::Moves(Mobility::Cylindrical));

    fn parts(on: PairBuilder<'_>) -> PairBuilder<'_> {
        on.parallel().on_line()
    }
}

impl PairKind for Cross {
    const NAME: &'static str = "universal";
    const SUMMARY: &'static str = "A cross: a point of body_a and a point of body_b coincide, and an axis of body_a \
              stays perpendicular to an axis of body_b.";
    const IN_PLANE: bool = false;
    const ROWS: &'static [&'static str] = &[
        "x coincidence",
        "y coincidence",
        "z coincidence",
        "angle of the axes",
    ];
    const PAIR: Option<Pair> = Some(Pair::Moves(Mobility::Universal));

    fn axes(fixture: &mut Fixture, k: &mut Keys<'_>) {
        fixture.axis(k, Way::About);
        let doc = "Direction of the axis of body_b in global components in the start pose.";
        let second = Key::direction("second_axis", "this or `axis_b`", doc);
        fixture.further(k, Further::AxisB, [second, AXIS_B], true);
    }
    fn parts(on: PairBuilder<'_>) -> PairBuilder<'_> {
        on.coincidence().perpendicular(2, 2)
    }
}

impl PairKind for Plate {
    const NAME: &'static str = "planar";
    const SUMMARY: &'static str = "A point of body_b stays in a plane of body_a, and a direction of body_b normal to it: `axis` is the normal.";
    const IN_PLANE: bool = false;
    const ROWS: &'static [&'static str] = &[
        "first tilt of the axis",
        "second tilt of the axis",
        "distance from the plane",
    ];
    const PAIR: Option<Pair> = Some(Pair::Moves(Mobility::Planar));

    fn parts(on: PairBuilder<'_>) -> PairBuilder<'_> {
        on.parallel().level(2)
    }
}

impl PairKind for Weld {
    const NAME: &'static str = "fixed";
    const SUMMARY: &'static str = "Body_b does not move relative to body_a; the axis (z unless given) and the normals only say which directions are compared.";
    const WAY: Way = Way::Compared;
    const NORMALS: bool = true;
    const ROWS: &'static [&'static str] = &[
        "x coincidence",
        "y coincidence",
        "z coincidence",
        "first tilt of the axis",
        "second tilt of the axis",
        "turn about the axis",
    ];
    const FLAT: (&'static [Lie], &'static [&'static str]) = (
        &[Lie::Upright, Lie::Level],
        &["x coincidence", "y coincidence", "equal angle"],
    );
    const PAIR: Option<Pair> = Some(Pair::Weld);

    fn parts(on: PairBuilder<'_>) -> PairBuilder<'_> {
        on.coincidence().parallel().no_turn()
    }
}

impl PairKind for KeptTurn {
    const NAME: &'static str = "orientation";
    const SUMMARY: &'static str = "Body_b does not turn relative to body_a, and moves as it likes; the axis (z unless given) and the normals only say which directions are compared.";
    const WAY: Way = Way::Compared;
    const POINTS: bool = false;
    const NORMALS: bool = true;
    const ROWS: &'static [&'static str] = &[
        "first tilt of the axis",
        "second tilt of the axis",
        "turn about the axis",
    ];
    const FLAT: (&'static [Lie], &'static [&'static str]) =
        (&[Lie::Upright, Lie::Level], &["equal angle"]);
    const REACTS: Reacts = Reacts::TORQUE;

    fn parts(on: PairBuilder<'_>) -> PairBuilder<'_> {
        on.parallel().no_turn()
    }
}

impl PairKind for KeptAxis {
    const NAME: &'static str = "parallel_axes";
    const SUMMARY: &'static str = "An axis of body_b stays parallel to an axis of body_a; displacements and the turn about it are free.";
    const IN_PLANE: bool = false;
    const POINTS: bool = false;
    const ROWS: &'static [&'static str] = &["first tilt of the axis", "second tilt of the axis"];
    const REACTS: Reacts = Reacts::TORQUE;

    fn parts(on: PairBuilder<'_>) -> PairBuilder<'_> {
        on.parallel()
    }
}

impl PairKind for Slot {
    const NAME: &'static str = "point_on_line";
    const SUMMARY: &'static str =
        "A point of body_b stays on a line through a point of body_a along an axis of body_a.";
    const ROWS: &'static [&'static str] = &[
        "first distance from the axis",
        "second distance from the axis",
    ];
    const FLAT: (&'static [Lie], &'static [&'static str]) =
        (&[Lie::Level], &["distance from the line"]);
    const REACTS: Reacts = Reacts::FORCE;
    const ORIENTED: [bool; 2] = [true, false];
    const PAIR: Option<Pair> = Some(Pair::Moves(Mobility::BallOnLine));

    fn axes(fixture: &mut Fixture, k: &mut Keys<'_>) {
        fixture.axis(k, Way::Along);
    }
    fn parts(on: PairBuilder<'_>) -> PairBuilder<'_> {
        on.on_line()
    }
}

impl PairKind for Foot {
    const NAME: &'static str = "point_on_plane";
    const SUMMARY: &'static str = "A point of body_b stays in the plane through a point of body_a normal to an axis of body_a.";
    const IN_PLANE: bool = false;
    const ROWS: &'static [&'static str] = &["distance from the plane"];
    const REACTS: Reacts = Reacts::FORCE;
    const ORIENTED: [bool; 2] = [true, false];
    const PAIR: Option<Pair> = Some(Pair::Moves(Mobility::BallOnPlane));

    fn axes(fixture: &mut Fixture, k: &mut Keys<'_>) {
        fixture.axis(k, Way::About);
    }
    fn parts(on: PairBuilder<'_>) -> PairBuilder<'_> {
        on.level(2)
    }
}
