//! Spherical joint: two points coincide.

use super::Want;
use super::{Joint, JointPattern, JointPoint, JointTerms, Primitive, Reacts, primitive};
use crate::assembly::{JointPass, JointPlaces};
use crate::geometry::{Marker, Site, Vector};
use crate::kernel::{Flat, Solid};
use crate::part::{Keys, Kind, Part};
use crate::tree;
use crate::tree::topology::{Hinge, Pair};

/// A ball in a socket.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spherical {
    /// The point on body a.
    pub a: Marker,
    /// The point on body b.
    pub b: Marker,
    flat: bool,
}

impl Spherical {
    /// At a global place of the start pose.
    pub fn at(place: Vector) -> Spherical {
        Spherical {
            a: Marker::global(place),
            b: Marker::global(place),
            flat: false,
        }
    }

    /// Between two body points.
    pub fn between(a: Vector, b: Vector) -> Spherical {
        Spherical {
            a: a.into(),
            b: b.into(),
            flat: false,
        }
    }

    fn parts(&self) -> [Primitive; 1] {
        [Primitive::Coincidence {
            a: self.a.point,
            b: self.b.point,
            flat: self.flat,
        }]
    }
}

impl Kind for Spherical {
    const NAME: &'static str = "spherical";
    const SUMMARY: &'static str =
        "A point of body_a and a point of body_b coincide; all rotations are free.";
    const IN_PLANE: bool = false;
}

impl Part for Spherical {
    fn keys(&mut self, k: &mut Keys<'_>) {
        k.points(&mut self.a, &mut self.b);
    }
}

impl Joint for Spherical {
    fn row_names(&self) -> &'static [&'static str] {
        let rows = &["x coincidence", "y coincidence", "z coincidence"];
        if self.flat { &rows[..2] } else { rows }
    }
    fn needs_orientation(&self) -> [bool; 2] {
        [false, false]
    }
    fn markers(&self) -> [Option<Vector>; 2] {
        [Some(self.a.point), Some(self.b.point)]
    }
    fn reacts(&self) -> Reacts {
        Reacts::FORCE
    }
    fn place(&mut self, a: &Site, b: &Site) {
        self.a.place(a);
        self.b.place(b);
        let height = |site: &Site, p: Vector| site.pose.point(p)[2];
        self.flat = a.flat && b.flat && height(a, self.a.point) == height(b, self.b.point);
    }
    fn run(&self, places: &JointPlaces, pass: &mut JointPass<'_>) {
        let points = [&self.a.point, &self.b.point];
        let done = if self.flat {
            pass.coincidence::<Flat>(points, places)
        } else {
            pass.coincidence::<Solid>(points, places)
        };
        if !done {
            pass.through_table(self, places);
        }
    }
    fn pattern(&self, _: bool) -> JointPattern {
        primitive::pattern(&self.parts())
    }
    fn eval(&self, at: &JointPoint<'_>, want: Want, out: &mut JointTerms) {
        primitive::evaluate(&self.parts(), at, want, out);
    }
    fn hinge(&self) -> Option<Hinge> {
        let points = [self.a.point, self.b.point];
        if self.flat {
            let pair = Pair::Moves(tree::Mobility::Revolute);
            return Hinge::flat(pair, points, [0.0, 0.0, 1.0], 0.0);
        }
        Some(Hinge::ball(points[0], points[1]))
    }
}
