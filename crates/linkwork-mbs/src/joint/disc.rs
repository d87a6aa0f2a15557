//! A thin disc that touches a plane: where it touches, and how fast it slips there.
//!
//! With the normal `k` of the plane, the unit axis `e` of the disc and its centre `c`:
//!
//! ```text
//!  heading   h = k x e / |k x e|          along the plane and along the disc
//!  up        u = e x h                    up the disc
//!  contact   p = c - r u
//!  height    k . (c - a) - r |k x e|      of p over the plane through a
//! ```
//!
//! A disc that lies flat touches everywhere: there the heading does not exist.

use super::{AT_A, AT_B, POINT_A, POINT_B, read_markers, write_markers};
use crate::error::ModelError;
use crate::field::{Form, Key, Value};
use crate::geometry::{
    Axis, Frame, Marker, Pose, Site, Vector, add, cross, dot, norm, scaled, sub,
};
use crate::joint::Draw;
use crate::text::Fields;
use crate::units::Unit;
use linkwork_dae::scalar::Scalar;

/// A thin disc of body b and a plane of body a.
#[derive(Clone, Debug, PartialEq)]
pub struct Disc {
    /// A point of the plane, on body a.
    pub a: Marker,
    /// The centre of the disc, on body b.
    pub b: Marker,
    /// The normal of the plane, to the side of the disc, on body a.
    pub normal: Axis,
    /// The axis of the disc, on body b.
    pub axis: Axis,
    /// The radius, m.
    pub radius: f64,
}

pub(super) const NORMAL: Key = Key::optional(
    "normal",
    Unit::None,
    "[0, 0, 1]",
    "Normal of the plane in global components in the start pose.",
)
.takes(Form::Vector);
pub(super) const NORMAL_A: Key = Key::optional(
    "normal_a",
    Unit::None,
    "not used",
    "Normal of the plane in the frame of body_a.",
)
.takes(Form::Vector);
pub(super) const AXIS: Key = Key::optional(
    "axis",
    Unit::None,
    "this or `axis_b`",
    "Axis of the disc in global components in the start pose.",
)
.takes(Form::Vector);
pub(super) const AXIS_B: Key = Key::optional(
    "axis_b",
    Unit::None,
    "this or `axis`",
    "Axis of the disc in the frame of body_b.",
)
.takes(Form::Vector);
pub(super) const RADIUS: Key = Key::required("radius", Unit::Length, "Radius of the disc.");

/// Keys of a joint that is a disc on a plane.
pub(super) const KEYS: &[Key] = &[
    RADIUS, POINT_A, POINT_B, AT_A, AT_B, NORMAL, NORMAL_A, AXIS, AXIS_B,
];
/// The equations of a disc that does not slip, in words.
pub(super) const SLIP: &[&str] = &["slip along the heading", "slip across the heading"];

/// A direction given globally, on the body, or by default globally.
pub(super) fn read_direction(
    f: &Fields<'_>,
    [global, body]: [&'static str; 2],
    default: Option<Vector>,
) -> Result<Axis, ModelError> {
    let (key, axis) = match (f.has(global), f.has(body), default) {
        (true, true, _) => return Err(f.error(body, "the global direction is given as well")),
        (true, false, _) => (global, Axis::global(f.direction(global)?)),
        (false, false, Some(default)) => return Ok(Axis::global(default)),
        (false, false, None) => {
            return Err(f.error_here(format!("`{global}` or `{body}` is missing")));
        }
        (false, true, _) => (body, Axis::body(f.direction(body)?)),
    };
    match axis.is_valid() {
        true => Ok(axis),
        false => Err(f.error(key, "a direction needs a length")),
    }
}

impl Disc {
    /// On the plane through the global origin with normal z; centre and axis are global, in the
    /// start pose.
    pub fn on_floor(centre: Vector, axis: Vector, radius: f64) -> Disc {
        Disc {
            a: Marker::global([0.0; 3]),
            b: Marker::global(centre),
            normal: Axis::global([0.0, 0.0, 1.0]),
            axis: Axis::global(axis),
            radius,
        }
    }

    pub(super) fn read(f: &Fields<'_>) -> Result<Disc, ModelError> {
        let [a, b] = read_markers(f)?;
        Ok(Disc {
            a,
            b,
            normal: read_direction(f, ["normal", "normal_a"], Some([0.0, 0.0, 1.0]))?,
            axis: read_direction(f, ["axis", "axis_b"], None)?,
            radius: f.positive("radius", Unit::Length)?,
        })
    }

    pub(super) fn fields(&self) -> Vec<(&'static str, Value)> {
        let mut fields = write_markers(&self.a, &self.b);
        fields.extend([
            ("normal_a", Value::Vector(self.normal.direction)),
            ("axis_b", Value::Vector(self.axis.direction)),
            ("radius", Value::Number(self.radius)),
        ]);
        fields
    }

    pub(super) fn example(draw: Draw<'_>) -> Disc {
        let mut vector = |x: f64| -> Vector { [x + draw(), draw(), draw()] };
        Disc {
            a: vector(0.0).into(),
            b: vector(0.0).into(),
            normal: vector(1.5).into(),
            axis: vector(-1.5).into(),
            radius: 1.5 + draw(),
        }
    }

    pub(super) fn place(&mut self, a: &Site, b: &Site) {
        self.a.place(a);
        self.b.place(b);
        self.normal.place(a);
        self.axis.place(b);
    }

    pub(super) fn check(&self) -> Result<(), String> {
        if !(self.radius > 0.0 && self.radius.is_finite()) {
            return Err(format!(
                "the radius must be greater than zero, it is {}",
                self.radius
            ));
        }
        match self.normal.is_valid() && self.axis.is_valid() {
            true => Ok(()),
            false => Err("a direction needs a length".to_string()),
        }
    }

    /// How far the lowest point of the disc is above the plane.
    pub(super) fn height<S: Scalar>(&self, a: &Pose<S>, b: &Pose<S>) -> S {
        let k = a.direction(self.normal.direction);
        let e = b.direction(self.axis.direction);
        let d = sub(b.point(self.b.point), a.point(self.a.point));
        dot(k, d) - norm(cross(k, e)) * self.radius
    }

    /// Velocity of the disc against body a where they touch: along the heading and across it.
    pub(super) fn slip<S: Scalar>(&self, a: &Frame<S>, b: &Frame<S>) -> [S; 2] {
        let k = a.pose.direction(self.normal.direction);
        let e = b.pose.direction(self.axis.direction);
        let along = cross(k, e);
        let heading = scaled(along, S::from(1.0) / norm(along));
        let arm = scaled(cross(e, heading), S::from(-self.radius));
        let contact = add(b.pose.point(self.b.point), arm);
        let of_disc = add(b.velocity_at(self.b.point), cross(b.spin(), arm));
        let from_a = sub(contact, a.pose.position);
        let of_plane = add(a.velocity, cross(a.spin(), from_a));
        let v = sub(of_disc, of_plane);
        [dot(heading, v), dot(cross(k, heading), v)]
    }
}
