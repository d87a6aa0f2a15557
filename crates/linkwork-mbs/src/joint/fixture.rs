//! How a joint with an axis sits on its two bodies: a point, an axis and a normal on each.

use super::lower_pair::Parts;
use super::{JointPoint, by_scalar};
use crate::field::{Fallback, Form, Key, Value};
use crate::geometry::{
    Axis, Components, Given, Marker, Pose, Site, Vector, atan2, cross, dot, lifted, nearest_turn,
    norm, perpendiculars, scaled, sub, unit,
};
use crate::model::Axes;
use crate::part::Keys;
use crate::units::Unit;
use linkwork_dae::scalar::Scalar;

/// How the axis of a joint lies between bodies that move in the x-y plane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lie {
    /// The bodies move in space, or the axis is aslant.
    #[default]
    Space,
    /// The axis is along z.
    Upright,
    /// The axis is in the plane.
    Level,
}

/// Points, axes and normals on both bodies. What is not given follows from the start pose.
#[derive(Clone, Debug, PartialEq)]
pub struct Fixture {
    /// The point on body a.
    pub a: Marker,
    /// The point on body b.
    pub b: Marker,
    /// The axis on body a.
    pub axis_a: Axis,
    /// The axis on body b; `None`: parallel to that of body a in the start pose.
    pub axis_b: Option<Axis>,
    /// The direction on body a that angles are measured from; `None`: any.
    pub normal_a: Option<Axis>,
    /// The direction on body b that angles are measured to; `None`: along the one on body a in the
    /// start pose.
    pub normal_b: Option<Axis>,
    /// Between bodies that move in the x-y plane: angle of body b minus that of body a where the
    /// joint has no turn. `None`: as the normals say.
    pub turn: Option<f64>,
    /// How it lies, once placed.
    pub lie: Lie,
    /// The same as the start pose or given directions say, once placed.
    pub rest: Option<f64>,
    /// The primitives of the joint that sits here, once placed: put together once, not in every
    /// evaluation.
    #[doc(hidden)]
    pub built: Option<Box<Parts>>,
}

/// What the axis of a fixture is for, which says how it may lie in planar models.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Something turns about it: z in planar models.
    About,
    /// Something moves along it or across it: in the plane.
    Along,
    /// Directions are compared: z unless given.
    Compared,
}

/// A direction of a fixture besides the axis on body a.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Further {
    /// The axis on body b.
    AxisB,
    /// The normal on body a.
    NormalA,
    /// The normal on body b.
    NormalB,
}

/// The axis of everything that turns in the x-y plane.
pub(crate) const UP: Vector = [0.0, 0.0, 1.0];

pub(crate) const ANGLE: Key = Key::optional(
    "angle",
    Unit::Angle,
    "as in the start pose",
    "Angle of body_b minus angle of body_a, of bodies that move in the plane.",
);
pub(crate) const AXIS: Key = Key::direction(
    "axis",
    "this or `axis_a`; z where planar bodies turn",
    "Direction of the axis in global components in the start pose.",
);
pub(crate) const AXIS_A: Key = Key::direction(
    "axis_a",
    "this or `axis`",
    "Direction of the axis in the frame of body_a.",
);
pub(crate) const AXIS_B: Key = Key::direction(
    "axis_b",
    "as in the start pose",
    "Direction of the axis in the frame of body_b.",
);
/// The axis of what is guided along it or across it, which lies in the plane of planar models.
pub(crate) const ALONG: Key = Key {
    default: Some(Fallback::Words("this or `axis_a`")),
    form: Form::Direction,
    ..AXIS
};
pub(crate) const ALONG_A: Key = AXIS_A.takes(Form::Direction);
/// The normal where none is given on body_a.
pub(crate) const ANY: &str = "any";
pub(crate) const NORMAL_A: Key = Key::direction(
    "normal_a",
    ANY,
    "Direction across the axis, in the frame of body_a, from which angles are measured.",
);
pub(crate) const NORMAL_B: Key = Key::direction(
    "normal_b",
    "as in the start pose",
    "Direction across the axis, in the frame of body_b, to which angles are measured.",
);

/// What is wrong with an axis in the plane.
const SPARE: &str = "bodies of a planar model turn about z: leave the axis out";

/// The part of `u` across a unit vector, as a unit vector.
fn across(u: Vector, axis: Vector) -> Vector {
    let along = dot(u, axis);
    if along.abs() < 8.0 * f64::EPSILON {
        return u;
    }
    unit(sub(u, scaled(axis, along)))
}

/// The axis about or along which something moves, by its global key or the one on body a.
pub(crate) fn about(k: &mut Keys<'_>, way: Way, keys: [Key; 2], slot: &mut Axis) {
    let in_plane = k.table().is_some_and(|f| f.in_plane());
    let spare = way == Way::Compared || way == Way::About && in_plane;
    k.direction(keys, !spare, ([1.5, 0.0, 0.0], 1.0), slot);
    let [x, y, _] = slot.direction;
    if way == Way::About && in_plane && [x, y] != [0.0; 2] {
        let [global, body] = keys.map(|key| key.name);
        k.read(|f| -> Result<(), _> {
            Err(f.error(if f.has(global) { global } else { body }, SPARE))
        });
    }
}

impl Default for Fixture {
    fn default() -> Fixture {
        Fixture {
            a: Marker::ORIGIN,
            b: Marker::ORIGIN,
            ..Fixture::at([0.0; 3], UP)
        }
    }
}

impl Fixture {
    /// Both points at a global place and both axes along a global direction of the start pose.
    pub fn at(place: impl Components, axis: impl Components) -> Fixture {
        let place = place.vector();
        Fixture {
            a: Marker::global(place),
            b: Marker::global(place),
            axis_a: Axis::global(axis),
            axis_b: None,
            normal_a: None,
            normal_b: None,
            turn: None,
            lie: Lie::Space,
            rest: None,
            built: None,
        }
    }

    /// About z, between points of bodies that move in the x-y plane, with angles as those bodies
    /// have them.
    pub fn upright(a: impl Into<Marker>, b: impl Into<Marker>) -> Fixture {
        Fixture {
            a: a.into(),
            b: b.into(),
            turn: Some(0.0),
            ..Fixture::at([0.0; 3], UP)
        }
    }

    /// For what compares directions alone.
    pub(crate) fn without_points(mut self) -> Fixture {
        (self.a, self.b) = ([0.0; 3].into(), [0.0; 3].into());
        self
    }

    /// Renews the turn of body b against body a that is remembered.
    pub(super) fn wind(&self, at: &JointPoint<'_>, turns: &mut [f64]) {
        let known = at.turns.first().copied().unwrap_or(0.0);
        by_scalar::renew(turns, [self.angle(&at.a.pose, &at.b.pose, known)]);
    }

    /// Refers everything to the centres of mass and body axes; finds what was not given.
    pub fn place(&mut self, a: &Site, b: &Site) {
        let (given, axis_given) = (self.normals_given(), self.axis_b.is_some());
        self.a.place(a);
        self.b.place(b);
        let carried = |u: Vector| Axis {
            direction: unit(b.pose.local_direction(a.pose.direction(u))),
            given: Given::Placed,
        };
        self.axis_a.place(a);
        let axis_a = self.axis_a.direction;
        let axis_b = self.axis_b.get_or_insert_with(|| carried(axis_a));
        axis_b.place(b);
        let axis_b = axis_b.direction;
        let normal_a = self.normal_a.get_or_insert_with(|| Axis {
            direction: perpendiculars(axis_a)[0],
            given: Given::Placed,
        });
        normal_a.place(a);
        normal_a.direction = across(normal_a.direction, axis_a);
        let normal_a = normal_a.direction;
        // The axes of a universal joint are perpendicular: the normal of one may be along the other.
        let any = || Axis {
            direction: perpendiculars(axis_b)[0],
            given: Given::Placed,
        };
        let normal_b = self.normal_b.get_or_insert_with(|| {
            let normal = carried(normal_a);
            match norm(cross(normal.direction, axis_b)) > 1e-3 {
                true => normal,
                false => any(),
            }
        });
        normal_b.place(b);
        normal_b.direction = across(normal_b.direction, axis_b);
        let [x, y, z] = axis_a;
        let height = |site: &Site, p: Vector| site.pose.point(p)[2];
        let (low, high) = (height(a, self.a.point), height(b, self.b.point));
        let together = (low - high).abs() <= 1e-9 * (1.0 + low.abs());
        self.lie = match (x, y, z) {
            _ if !(a.flat && b.flat && together) => Lie::Space,
            (0.0, 0.0, _) => Lie::Upright,
            (_, _, 0.0) => Lie::Level,
            _ => Lie::Space,
        };
        let start = b.pose.angle - a.pose.angle;
        let told = match self.lie {
            Lie::Space => return self.rest = None,
            Lie::Upright => (given != [false; 2]).then_some([self.normal_a, self.normal_b]),
            Lie::Level => axis_given.then_some([Some(self.axis_a), self.axis_b]),
        };
        let in_body = |axis: Option<Axis>| {
            let [x, y, _] = axis.map_or([1.0, 0.0, 0.0], |axis| axis.direction);
            y.atan2(x)
        };
        let by_directions = |[a, b]: [Option<Axis>; 2]| in_body(a) - in_body(b);
        // whole turns are those of the start
        let rest = told.map_or(start, |told| nearest_turn(by_directions(told), start));
        self.rest = Some(rest);
    }

    /// Between bodies in the x-y plane: the angle of body b minus that of body a without a turn.
    pub(super) fn zero(&self) -> f64 {
        self.turn.or(self.rest).unwrap_or(0.0)
    }

    /// Which of the normals are given.
    pub(crate) fn normals_given(&self) -> [bool; 2] {
        [self.normal_a.is_some(), self.normal_b.is_some()]
    }

    /// Normal, third direction and axis on body a (0) or b (1), right-handed, once placed.
    pub fn triad(&self, side: usize) -> [Vector; 3] {
        let (axis, normal) = if side == 0 {
            (Some(self.axis_a), self.normal_a)
        } else {
            (self.axis_b, self.normal_b)
        };
        let direction = |axis: Option<Axis>| axis.map_or([0.0; 3], |axis| axis.direction);
        let (axis, normal) = (direction(axis), direction(normal));
        [normal, cross(axis, normal), axis]
    }

    /// The angle about the axis of body a from the normal on body a to the normal on body b, among
    /// those that differ by whole turns the one nearest to `turn`. Bodies in the x-y plane have angles
    /// that know their turns.
    pub fn angle<S: Scalar>(&self, a: &Pose<S>, b: &Pose<S>, turn: f64) -> S {
        if let (Lie::Upright, Some(offset)) = (self.lie, self.turn) {
            let angle = b.angle - a.angle - offset;
            return if self.axis_a.direction[2] < 0.0 {
                -angle
            } else {
                angle
            };
        }
        let [normal, third, _] = self.triad(0);
        let seen = a.turn_back(b.direction(self.triad(1)[0]));
        let angle = atan2(dot(seen, lifted(third)), dot(seen, lifted(normal)));
        nearest_turn(angle, turn)
    }

    /// Whether angles have to be kept count of.
    pub fn counts(&self) -> bool {
        !(self.lie == Lie::Upright && self.turn.is_some())
    }

    /// Replaces the normal on body a (0) or b (1) of a placed fixture by the part of a global
    /// direction across the axis; by nothing, which [`Fixture::check`] refuses, where the direction
    /// is along the axis.
    pub fn aim_normal(&mut self, side: usize, site: &Site, direction: Vector) {
        let axis = self.triad(side)[2];
        let u = unit(site.pose.local_direction(direction));
        let across = sub(u, scaled(axis, dot(u, axis)));
        let direction = if norm(across) > 1e-6 {
            unit(across)
        } else {
            [0.0; 3]
        };
        let normal = Some(Axis {
            direction,
            given: Given::Placed,
        });
        if side == 0 {
            self.normal_a = normal;
        } else {
            self.normal_b = normal;
        }
    }

    /// Refuses directions without length and normals along their axis.
    pub fn check(&self) -> Result<(), String> {
        if self.turn.is_some_and(|x| !x.is_finite()) {
            return Err("its angle must be finite".into());
        }
        if self.turn.is_some() && self.lie == Lie::Space {
            return Err("only bodies that move in the x-y plane have an angle".into());
        }
        for side in 0..2 {
            for u in self.triad(side) {
                if !((norm(u) - 1.0).abs() < 1e-9) {
                    return Err(
                        "the axis needs a length, and a normal must not be along it".to_string()
                    );
                }
            }
        }
        Ok(())
    }

    /// The keys of the points.
    pub fn points(&mut self, k: &mut Keys<'_>) {
        k.points(&mut self.a, &mut self.b);
    }

    /// The keys of the axis on body a.
    pub fn axis(&mut self, k: &mut Keys<'_>, way: Way) {
        let keys = match way {
            Way::Along => [ALONG, ALONG_A],
            Way::About | Way::Compared => [AXIS, AXIS_A],
        };
        about(k, way, keys, &mut self.axis_a);
        k.placed(|| self.check());
    }

    /// The keys of the axes on both bodies.
    pub fn axes(&mut self, k: &mut Keys<'_>, way: Way) {
        self.axis(k, way);
        self.further(k, Further::AxisB, [AXIS_B; 2], false);
    }

    /// The keys of the normals on both bodies.
    pub fn normals(&mut self, k: &mut Keys<'_>) {
        self.normal_a(k);
        self.normal_b(k);
    }

    /// The key of the normal on body a.
    pub fn normal_a(&mut self, k: &mut Keys<'_>) {
        self.further(k, Further::NormalA, [NORMAL_A; 2], false);
    }

    /// The key of the normal on body b.
    pub fn normal_b(&mut self, k: &mut Keys<'_>) {
        self.further(k, Further::NormalB, [NORMAL_B; 2], false);
    }

    /// The keys of another direction than the axis of body a. It follows from the start pose where it
    /// is not given, unless it is `needed`. Some joints have a key of their own that gives it globally.
    pub fn further(&mut self, k: &mut Keys<'_>, which: Further, keys: [Key; 2], needed: bool) {
        // an angle says what these directions would
        if k.writes().is_some() && self.turn.is_some() {
            return;
        }
        let (near, slot) = match which {
            Further::AxisB => (([-1.5, 0.0, 0.0], 1.0), &mut self.axis_b),
            Further::NormalA => (([0.1, 1.0, 2.0], 0.0), &mut self.normal_a),
            Further::NormalB => (([-0.3, 2.0, 1.0], 0.0), &mut self.normal_b),
        };
        k.direction(keys, needed, near, slot);
        k.forbid(
            "axis_b",
            |f| which == Further::AxisB && f.has("axis") && f.has("axis_b"),
            "the global direction is given as well",
        );
    }

    /// The key of the angle of what does not turn. It says what `axis_b` and the normals would.
    pub fn fixed_angle(&mut self, k: &mut Keys<'_>) {
        // it has a meaning in the plane alone
        if k.draw().is_none() {
            k.item(ANGLE).number(&mut self.turn);
        }
    }

    /// What measures an angle takes that of the bodies in planar models, unless normals are given. In space
    /// normals say the same.
    pub fn measured(&mut self, k: &mut Keys<'_>) {
        if k.table().is_some_and(|f| f.in_plane()) && self.normals_given() == [false; 2] {
            self.turn = Some(0.0);
        }
        if let (Some(Axes::Space), Some(turn)) = (k.writes(), self.turn) {
            let (sin, cos) = turn.sin_cos();
            k.write(NORMAL_A.name, || Value::Vector([1.0, 0.0, 0.0]));
            k.write(NORMAL_B.name, || Value::Vector([cos, 0.0 - sin, 0.0]));
        }
    }
}
