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

use super::fixture::UP;
use crate::field::Key;
use crate::geometry::{
    Axis, Frame, Marker, Pose, Site, Vector, add, cross, dot, norm, scaled, sub,
};
use crate::part::Keys;
use crate::units::Unit;
use linkwork_dae::scalar::Scalar;

/// A thin disc of body b and a plane of body a.
#[derive(Clone, Debug, Default, PartialEq)]
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

const NORMAL: Key = Key::direction(
    "normal",
    "[0, 0, 1]; [0, 1] in planar models",
    "Normal of the plane in global components in the start pose.",
);
const NORMAL_A: Key = Key::direction(
    "normal_a",
    "not used",
    "Normal of the plane in the frame of body_a.",
);
const AXIS: Key = Key::direction(
    "axis",
    "this or `axis_b`; z in planar models",
    "Axis of the disc in global components in the start pose.",
);
const AXIS_B: Key = Key::direction(
    "axis_b",
    "this or `axis`",
    "Axis of the disc in the frame of body_b.",
);
/// The equations of a disc that does not slip, in words.
pub(super) const SLIP: &[&str] = &["slip along the heading", "slip across the heading"];

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

    pub(super) fn keys(&mut self, k: &mut Keys<'_>) {
        let why = "a point of the plane is not the centre of a disc";
        k.ends(&mut self.a, &mut self.b, why);
        let in_plane = k.table().is_some_and(|f| f.in_plane());
        if in_plane {
            (self.normal, self.axis) = (Axis::global([0.0, 1.0, 0.0]), Axis::global(UP));
        }
        let near = ([1.5, 0.0, 0.0], 1.0);
        k.direction([NORMAL, NORMAL_A], false, near, &mut self.normal);
        let near = ([-1.5, 0.0, 0.0], 1.0);
        k.direction([AXIS, AXIS_B], !in_plane, near, &mut self.axis);
        k.key("radius", Unit::Length, "Radius of the disc.")
            .positive(&mut self.radius);
    }

    pub(super) fn place(&mut self, a: &Site, b: &Site) {
        self.a.place(a);
        self.b.place(b);
        self.normal.place(a);
        self.axis.place(b);
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
