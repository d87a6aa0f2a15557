//! Rolling ellipsoid: a sphere or an ellipsoid rolls on a plane without slipping.
//!
//! ```text
//!  n            normal of the plane, in the axes of the ellipsoid
//!  s = -A^2 n/h       h = sqrt(n' A^2 n)       its lowest point, A = diag(semi-axes)
//!  n . (c - p) = h                            it touches the plane
//!  t . (v_b(P) - v_a(P)) = 0                  no slip at the contact P = c + s, along t_1 and t_2
//! ```
//!
//! The contact point follows in closed form from the normal where the tangent plane is parallel to the plane. It may
//! spin about the normal.

use super::Rolling;
use super::by_scalar::derived;
use super::fixture::{Lie, Way};
use super::mounted::{sits_on, told};
use super::{Constraint, Fixture, Joint, MAX_ROWS, Poses, rows};
use crate::field::Key;
use crate::geometry::Site;
use crate::geometry::{Components, Frame, Pose, Vector, add, cross, dot, sub};
use crate::part::{Keys, Kind, Part};
use crate::units::Unit;
use linkwork_dae::scalar::Scalar;

/// A ball or an egg on a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RollingEllipsoid {
    /// A point of the plane on body a, the centre of the ellipsoid on body b; the axis is the normal of the plane.
    pub fixture: Fixture,
    /// Half the lengths of the ellipsoid along the axes of body b, m.
    pub semi_axes: Vector,
}

impl RollingEllipsoid {
    /// A sphere about a body point, on the plane through a global place with a global normal.
    pub fn sphere(
        place: impl Components,
        normal: impl Components,
        centre: impl Components,
        radius: f64,
    ) -> RollingEllipsoid {
        let mut fixture = Fixture::at(place, normal);
        fixture.b = crate::geometry::Marker::body(centre);
        RollingEllipsoid {
            fixture,
            semi_axes: [radius; 3],
        }
    }

    /// From the centre to the lowest point in body axes, and how far below the centre it is.
    fn lowest<S: Scalar>(&self, normal: Vector<S>, b: &Pose<S>) -> (Vector<S>, S) {
        let n = b.turn_back(normal);
        let squared = self.semi_axes.map(|x| x * x);
        let stretched: Vector<S> = std::array::from_fn(|i| n[i] * squared[i]);
        let height = dot(n, stretched).sqrt();
        (stretched.map(|x| -(x / height)), height)
    }
}

const RADIUS: Key = Key::optional(
    "radius",
    Unit::Length,
    "this or `semi_axes`",
    "Radius of a sphere.",
);

impl Kind for RollingEllipsoid {
    const NAME: &'static str = "rolling_ellipsoid";
    const SUMMARY: &'static str = "A sphere or an ellipsoid of body_b touches a plane of body_a and rolls on it without slip; `axis` is the normal of the plane.";
    const IN_PLANE: bool = false;
}

impl Part for RollingEllipsoid {
    fn keys(&mut self, k: &mut Keys<'_>) {
        let (a, b) = (&mut self.fixture.a, &mut self.fixture.b);
        k.ends(a, b, "a point of the plane is not the centre of a ball");
        self.fixture.axis(k, Way::About);
        let round = k.table().is_some_and(|f| f.has("radius"));
        k.tell(RADIUS);
        let radius = k.read(|f| match f.has("semi_axes") {
            true if round => Err(f.error("semi_axes", "the radius is given as well")),
            _ if round => f.positive("radius", Unit::Length),
            _ => Ok(0.0),
        });
        let doc = "Half the lengths of an ellipsoid along the axes of body_b.";
        match radius {
            Some(radius) if round => self.semi_axes = [radius; 3],
            _ if round => {}
            Some(_) => k
                .key("semi_axes", Unit::Length, doc)
                .vector(&mut self.semi_axes),
            None => k
                .key("semi_axes", Unit::Length, doc)
                .or("this or `radius`")
                .like(0.8, 0.3)
                .vector(&mut self.semi_axes),
        }
        let sound = self.semi_axes.iter().all(|x| *x > 0.0 && x.is_finite());
        k.rule(
            "semi_axes",
            sound,
            "the semi-axes must be greater than zero",
        );
    }
}

impl Constraint for RollingEllipsoid {
    fn constraint<S: Scalar>(&self, at: Poses<'_, S>) -> [S; MAX_ROWS] {
        let Poses { a, b, .. } = at;
        let normal = a.direction(self.fixture.triad(0)[2]);
        let above = sub(b.point(self.fixture.b.point), a.point(self.fixture.a.point));
        let (_, height) = self.lowest(normal, b);
        rows([dot(normal, above) - height])
    }
}

impl Rolling for RollingEllipsoid {
    fn rolling<S: Scalar>(&self, a: &Frame<S>, b: &Frame<S>) -> [S; MAX_ROWS] {
        let [along, across, normal] = self.fixture.triad(0).map(|u| a.pose.direction(u));
        let (arm, _) = self.lowest(normal, &b.pose);
        let arm = b.pose.turn(arm);
        let place = add(b.pose.point(self.fixture.b.point), arm);
        let of_b = add(b.velocity_at(self.fixture.b.point), cross(b.spin(), arm));
        let from_a = sub(place, a.pose.position);
        let slip = sub(of_b, add(a.velocity, cross(a.spin(), from_a)));
        rows([S::from(0.0), dot(along, slip), dot(across, slip)])
    }
}

impl Joint for RollingEllipsoid {
    told!(&["contact with the plane"], &["first slip", "second slip"]);
    sits_on!(points of fixture);
    derived!(evaluate_both);
    fn place(&mut self, a: &Site, b: &Site) {
        self.fixture.place(a, b);
        self.fixture.lie = Lie::Space;
    }
    fn extent(&self) -> f64 {
        self.semi_axes.into_iter().fold(0.0, f64::max)
    }
}
