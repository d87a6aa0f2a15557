//! How a joint with an axis sits on its two bodies: a point, an axis and a normal on each.

use super::lower_pair::Parts;
use super::{Draw, read_markers, write_markers};
use crate::error::ModelError;
use crate::field::{Form, Key, Value};
use crate::geometry::{
    Axis, Components, Given, Marker, Pose, Site, Vector, atan2, cross, dot, lifted, nearest_turn,
    norm, perpendiculars, scaled, sub, unit,
};
use crate::text::Fields;
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
    /// The angle of the start pose, where neither `turn` nor normals are given.
    pub rest: Option<f64>,
    /// The primitives of the joint that sits here, once placed: put together once, not in every
    /// evaluation.
    #[doc(hidden)]
    pub built: Option<Box<Parts>>,
}

/// The axis of everything that turns in the x-y plane.
pub(crate) const UP: Vector = [0.0, 0.0, 1.0];

pub(crate) const ANGLE: Key = Key::optional(
    "angle",
    Unit::Angle,
    "as in the start pose",
    "Angle of body_b minus angle of body_a, of bodies that move in the plane.",
);
pub(crate) const AXIS: Key = Key::optional(
    "axis",
    Unit::None,
    "this or `axis_a`; z where planar bodies turn",
    "Direction of the axis in global components in the start pose.",
)
.takes(Form::Vector);
pub(crate) const AXIS_A: Key = Key::optional(
    "axis_a",
    Unit::None,
    "this or `axis`",
    "Direction of the axis in the frame of body_a.",
)
.takes(Form::Vector);
pub(crate) const AXIS_B: Key = Key::optional(
    "axis_b",
    Unit::None,
    "as in the start pose",
    "Direction of the axis in the frame of body_b.",
)
.takes(Form::Vector);
/// The axis of what is guided along it or across it, which lies in the plane of planar models.
pub(crate) const ALONG: Key = Key {
    default: Some("this or `axis_a`"),
    form: Form::Direction,
    ..AXIS
};
pub(crate) const ALONG_A: Key = AXIS_A.takes(Form::Direction);
/// The normal where none is given on body_a.
pub(crate) const ANY: &str = "any";
pub(crate) const NORMAL_A: Key = Key::optional(
    "normal_a",
    Unit::None,
    ANY,
    "Direction across the axis, in the frame of body_a, from which angles are measured.",
)
.takes(Form::Vector);
pub(crate) const NORMAL_B: Key = Key::optional(
    "normal_b",
    Unit::None,
    "as in the start pose",
    "Direction across the axis, in the frame of body_b, to which angles are measured.",
)
.takes(Form::Vector);

/// The axis `axis` (global) or `axis_a` about which something turns; z in planar models.
pub(crate) fn read_axis(f: &Fields<'_>) -> Result<Axis, ModelError> {
    let (key, axis) = match (f.has("axis"), f.has("axis_a")) {
        (true, true) => return Err(f.error("axis_a", "the global direction is given as well")),
        (true, false) => ("axis", Axis::global(f.direction("axis")?)),
        (false, false) if f.in_plane() => return Ok(Axis::global(UP)),
        (false, _) => ("axis_a", Axis::body(f.direction("axis_a")?)),
    };
    let [x, y, _] = axis.direction;
    if f.in_plane() && [x, y] != [0.0; 2] {
        return Err(f.error(key, SPARE));
    }
    match axis.is_valid() {
        true => Ok(axis),
        false => Err(f.error(key, "a direction needs a length")),
    }
}

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

    /// Refers everything to the centres of mass and body axes; finds what was not given.
    pub fn place(&mut self, a: &Site, b: &Site) {
        let given = self.normals();
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
        let flat = self.lie != Lie::Space && given == [false; 2];
        self.rest = flat.then_some(b.pose.angle - a.pose.angle);
    }

    /// Between bodies in the x-y plane: the angle of body b minus that of body a without a turn.
    pub(super) fn zero(&self) -> f64 {
        let in_body = |axis: Option<Axis>| {
            let [x, y, _] = axis.map_or([1.0, 0.0, 0.0], |axis| axis.direction);
            y.atan2(x)
        };
        let by_normals = || in_body(self.normal_a) - in_body(self.normal_b);
        self.turn.or(self.rest).unwrap_or_else(by_normals)
    }

    /// Which of the normals are given.
    pub(crate) fn normals(&self) -> [bool; 2] {
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

    /// Reads the points, the axis and, where they are keys of the joint, the normals.
    pub fn read(f: &Fields<'_>) -> Result<Fixture, ModelError> {
        Fixture::read_or(f, None)
    }

    /// The same about an axis that is z in planar models.
    pub fn read_about(f: &Fields<'_>) -> Result<Fixture, ModelError> {
        let fixture = Fixture::read_or(f, f.in_plane().then_some(UP))?;
        let [x, y, _] = fixture.axis_a.direction;
        if f.in_plane() && [x, y] != [0.0; 2] {
            let key = if f.has("axis") { "axis" } else { "axis_a" };
            return Err(f.error(key, SPARE));
        }
        Ok(fixture)
    }

    /// The same with `angle`, for what does not turn.
    pub(super) fn with_angle(mut self, f: &Fields<'_>) -> Result<Fixture, ModelError> {
        self.turn = f.optional_number("angle", Unit::Angle)?;
        Ok(self)
    }

    /// The same for what measures an angle, which in planar models is that of the bodies.
    pub fn read_angle(f: &Fields<'_>) -> Result<Fixture, ModelError> {
        let mut fixture = Fixture::read_about(f)?;
        if f.in_plane() && fixture.normals() == [false; 2] {
            fixture.turn = Some(0.0);
        }
        Ok(fixture)
    }

    /// The same, with an axis in global components of the start pose for when none is given.
    pub fn read_or(f: &Fields<'_>, default: Option<Vector>) -> Result<Fixture, ModelError> {
        let [a, b] = read_markers(f)?;
        let direction = |key: &'static str, make: fn(Vector) -> Axis| {
            let axis = make(f.direction(key)?);
            if axis.is_valid() {
                Ok(axis)
            } else {
                Err(f.error(key, "a direction needs a length"))
            }
        };
        let optional =
            |key: &'static str| f.has(key).then(|| direction(key, Axis::body)).transpose();
        let axis_a = if f.has("axis") {
            for key in ["axis_a", "axis_b"] {
                if f.has(key) {
                    return Err(f.error(key, "the global direction is given as well"));
                }
            }
            direction("axis", Axis::global)?
        } else {
            match default {
                Some(axis) if !f.has("axis_a") => Axis::global(axis),
                _ => direction("axis_a", Axis::body)?,
            }
        };
        Ok(Fixture {
            a,
            b,
            axis_a,
            axis_b: optional("axis_b")?,
            normal_a: optional("normal_a")?,
            normal_b: optional("normal_b")?,
            turn: None,
            lie: Lie::Space,
            rest: None,
            built: None,
        })
    }

    /// Points and axes as keys.
    pub fn axis_fields(&self) -> Vec<(&'static str, Value)> {
        let mut fields = write_markers(&self.a, &self.b);
        fields.push(("axis_a", Value::Vector(self.axis_a.direction)));
        if self.turn.is_some() {
            // the angle says what axis_b and the normals would
            return fields;
        }
        if let Some(axis) = self.axis_b {
            fields.push(("axis_b", Value::Vector(axis.direction)));
        }
        fields
    }

    /// Points, axes and normals as keys.
    pub fn fields(&self) -> Vec<(&'static str, Value)> {
        let mut fields = self.axis_fields();
        if let Some(turn) = self.turn {
            fields.push(("angle", Value::Number(turn)));
            return fields;
        }
        for (key, normal) in [("normal_a", self.normal_a), ("normal_b", self.normal_b)] {
            if let Some(normal) = normal {
                fields.push((key, Value::Vector(normal.direction)));
            }
        }
        fields
    }

    /// Arbitrary points and directions, for examples.
    pub fn example(draw: Draw<'_>) -> Fixture {
        let mut vector = |x: f64| -> Vector { [x + draw(), draw(), draw()] };
        Fixture {
            a: vector(0.0).into(),
            b: vector(0.0).into(),
            axis_a: vector(1.5).into(),
            axis_b: Some(vector(-1.5).into()),
            normal_a: Some([0.1, 1.0, 2.0].into()),
            normal_b: Some([-0.3, 2.0, 1.0].into()),
            turn: None,
            lie: Lie::Space,
            rest: None,
            built: None,
        }
    }
}
