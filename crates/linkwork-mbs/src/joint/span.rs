//! Two points and a length between them: what rods and ropes sit on.

use crate::geometry::{Marker, Pose, Site, norm, sub};
use crate::part::Keys;
use crate::units::Unit;
use linkwork_dae::scalar::Scalar;

/// A point of each body and a length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Span {
    /// The point on body a.
    pub a: Marker,
    /// The point on body b.
    pub b: Marker,
    /// The length, m; `None`: as in the start pose.
    pub length: Option<f64>,
    /// Whether it stays in the x-y plane.
    pub(super) flat: bool,
}

impl Span {
    /// Between two body points.
    pub fn between(a: impl Into<Marker>, b: impl Into<Marker>, length: Option<f64>) -> Span {
        Span {
            a: a.into(),
            b: b.into(),
            length,
            flat: false,
        }
    }

    /// The keys; why it needs two points, what the length is and what holds where none is given.
    pub(super) fn keys(&mut self, k: &mut Keys<'_>, [why, doc, otherwise]: [&'static str; 3]) {
        k.ends(&mut self.a, &mut self.b, why);
        k.key("length", Unit::Length, doc)
            .or(otherwise)
            .positive(&mut self.length);
    }

    /// Its length once placed.
    pub(super) fn reach(&self) -> f64 {
        self.length.unwrap_or(0.0)
    }

    /// How far the points are apart.
    pub(super) fn apart<S: Scalar>(&self, a: &Pose<S>, b: &Pose<S>) -> S {
        let mut d = sub(b.point(self.b.point), a.point(self.a.point));
        if self.flat {
            d[2] = S::from(0.0);
        }
        norm(d)
    }

    /// Expresses it in body axes, using the start poses.
    pub(super) fn place(&mut self, a: &Site, b: &Site) {
        self.a.place(a);
        self.b.place(b);
        let d = sub(b.pose.point(self.b.point), a.pose.point(self.a.point));
        self.length.get_or_insert(norm(d));
        self.flat = a.flat && b.flat && d[2] == 0.0;
    }
}
