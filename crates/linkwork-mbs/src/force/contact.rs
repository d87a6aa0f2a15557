//! Contact of a sphere on body b with a plane or a sphere on body a.
//!
//! ```text
//!  N = k delta^e (1 + 3/2 c delta')        Hunt & Crossley 1975; never pulls
//!  T = -mu N v_t / sqrt(v_t^2 + v_s^2)     friction, regularised
//! ```
//!
//! `delta` is the depth of penetration, `v_t` the sliding velocity. A radius of zero makes the
//! sphere a point. The period of a body of mass m on the spring is about
//! `2 pi sqrt(m/(k delta^(e-1)))`: steps must resolve it while the contact lasts. They end where it begins and where it
//! ends: `delta^e` is not smooth there, and what a step over the corner is off by, no estimate of its error tells.

use super::by_scalar::{inputs, power};
use super::{Bodies, Force, ForcePattern, ForcePoint, Law, derived, full, press};
use super::{ForceEnergy, OutOfDomain};
use crate::field::Key;
use crate::geometry::{Axis, Frame, Marker, Site, Vector, add, cross, dot, norm, scaled, sub};
use crate::joint::COLUMNS;
use crate::joint::fixture::{ALONG, ALONG_A};
use crate::part::{Keys, Kind, Part};
use crate::units::Unit;
use linkwork_dae::scalar::Scalar;

/// What the sphere of body b meets on body a.
#[derive(Clone, Debug, PartialEq)]
pub enum Partner {
    /// A plane through the point of body a with its normal pointing out of the material.
    Plane(Axis),
    /// A sphere about the point of body a, with its radius, m.
    Sphere(f64),
}

const RADIUS_A: Key = Key::optional(
    "radius_a",
    Unit::Length,
    "a plane instead",
    "Radius of a sphere on body_a; without it `axis` or `axis_a` is the normal of a plane.",
);

impl Default for Partner {
    fn default() -> Partner {
        Partner::Plane(Axis::default())
    }
}

impl Partner {
    /// Distance of the centres at which a sphere begins to touch it, where it is a sphere.
    pub(crate) fn reach(&self, radius: f64) -> Option<f64> {
        match self {
            Partner::Plane(_) => None,
            Partner::Sphere(own) => Some(own + radius),
        }
    }

    /// The keys of a plane or a sphere.
    pub(crate) fn keys(&mut self, k: &mut Keys<'_>) {
        let of_sphere = k.table().is_some_and(|f| f.has("radius_a"));
        let drawn = k.draw().is_some_and(|draw| draw() > 0.0);
        if of_sphere || drawn {
            *self = Partner::Sphere(0.0);
        }
        match self {
            Partner::Plane(normal) => {
                k.direction([ALONG, ALONG_A], true, ([0.0, 0.0, 2.0], 1.0), normal);
                k.tell(RADIUS_A);
            }
            Partner::Sphere(radius) => {
                for key in [ALONG, ALONG_A] {
                    k.tell(key);
                    k.forbid(key.name, |f| f.has(key.name), "a sphere has no normal");
                }
                k.item(RADIUS_A).like(2.0, 1.0).positive(radius);
            }
        }
    }
}

/// A sphere or point of body b that meets a plane or a sphere of body a.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contact {
    /// Point of the plane or centre of the sphere, on body a.
    pub a: Marker,
    /// Centre of the sphere, on body b.
    pub b: Marker,
    /// What is on body a.
    pub partner: Partner,
    /// Radius of the sphere on body b, m.
    pub radius: f64,
    /// Stiffness `k`, N/m^e.
    pub stiffness: f64,
    /// Exponent `e`.
    pub exponent: f64,
    /// Damping `c`, s/m.
    pub damping: f64,
    /// Coefficient of friction `mu`.
    pub friction: f64,
    /// Speed of transition of friction `v_s`, m/s.
    pub transition_speed: f64,
}

impl Kind for Contact {
    const NAME: &'static str = "contact";
    const SUMMARY: &'static str =
        "A sphere or point of body_b on a plane or sphere of body_a, with damping and friction.";
}

impl Part for Contact {
    fn keys(&mut self, k: &mut Keys<'_>) {
        k.ends(
            &mut self.a,
            &mut self.b,
            "give the points of both bodies one by one",
        );
        self.partner.keys(k);
        k.key("radius", Unit::Length, "Radius of the sphere on body_b.")
            .or(0.0)
            .like(3.0, 1.0)
            .not_negative(&mut self.radius);
        let doc = "Force per depth to the exponent, N/m^e.";
        k.key("stiffness", Unit::None, doc)
            .like(10.0, 1.0)
            .positive(&mut self.stiffness);
        let doc = "1.5 for elastic spheres, 1 for a spring.";
        k.key("exponent", Unit::None, doc)
            .or(1.5)
            .like(1.5, 0.1)
            .positive(&mut self.exponent);
        let doc = "Loss per speed of approach, s/m; about (1 - restitution)/speed.";
        k.key("damping", Unit::None, doc)
            .or(0.0)
            .like(0.2, 0.1)
            .not_negative(&mut self.damping);
        k.key("friction", Unit::None, "Coefficient of friction.")
            .or(0.0)
            .like(0.3, 0.1)
            .not_negative(&mut self.friction);
        let doc = "Sliding speed below which friction falls to zero.";
        k.key("transition_speed", Unit::Velocity, doc)
            .or(0.01)
            .like(0.5, 0.1)
            .positive(&mut self.transition_speed);
    }
}

/// State of a contact.
struct Pressing<S> {
    place: Vector<S>,
    depth: S,
    /// Pressing force.
    normal: S,
    /// Force on body b.
    force: Vector<S>,
}

impl Contact {
    /// Normal out of body a and depth, which is negative where the bodies do not touch.
    fn meet<S: Scalar>(&self, a: &Frame<S>, b: &Frame<S>) -> Result<(Vector<S>, S), OutOfDomain> {
        let d = sub(b.pose.point(self.b.point), a.pose.point(self.a.point));
        Ok(match &self.partner {
            Partner::Plane(normal) => {
                let n = a.pose.direction(normal.direction);
                (n, -dot(n, d) + self.radius)
            }
            Partner::Sphere(radius) => {
                let length = norm(d);
                if length.value() == 0.0 {
                    return Err(OutOfDomain::because("the centres of its spheres coincide"));
                }
                let n = scaled(d, S::from(1.0) / length);
                (n, -length + (self.radius + radius))
            }
        })
    }

    /// `None` where the bodies do not touch. On the side of those that do the law goes on as an odd function of the depth.
    fn touch<S: Scalar>(
        &self,
        a: &Frame<S>,
        b: &Frame<S>,
        sides: &[bool],
    ) -> Result<Option<Pressing<S>>, OutOfDomain> {
        let (n, depth) = self.meet(a, b)?;
        if !sides.first().copied().unwrap_or(depth.value() > 0.0) {
            return Ok(None);
        }
        let place = sub(b.pose.point(self.b.point), n.map(|x| x * self.radius));
        let at = |frame: &Frame<S>| {
            let arm = sub(place, frame.pose.position);
            add(frame.velocity, cross(frame.spin(), arm))
        };
        let v = sub(at(b), at(a));
        let opening = dot(v, n);
        let sign = depth.value().signum();
        let x = depth.value().abs().max(f64::MIN_POSITIVE);
        let e = self.exponent;
        // no higher derivative is asked of a force
        let power = depth.lift([
            sign * x.powf(e),
            e * x.powf(e - 1.0),
            sign * e * (e - 1.0) * x.powf(e - 2.0),
            e * (e - 1.0) * (e - 2.0) * x.powf(e - 3.0),
        ]);
        let loss = opening * (-1.5 * self.damping) + 1.0;
        if !(loss.value() > 0.0) {
            return Ok(None);
        }
        let normal = power * loss * self.stiffness;
        let sliding = sub(v, scaled(n, opening));
        let speed = (dot(sliding, sliding) + self.transition_speed * self.transition_speed).sqrt();
        let drag = normal * -self.friction / speed;
        Ok(Some(Pressing {
            place,
            depth,
            normal,
            force: add(scaled(n, normal), scaled(sliding, drag)),
        }))
    }
}

impl Law for Contact {
    fn wrench<S: Scalar>(&self, at: Bodies<'_, S>) -> Result<[S; COLUMNS], OutOfDomain> {
        let Bodies { a, b, sides, .. } = at;
        let mut on = [S::from(0.0); COLUMNS];
        if let Some(touch) = self.touch(a, b, sides)? {
            press(&mut on, 0, a, touch.place, touch.force.map(|x| -x));
            press(&mut on, 1, b, touch.place, touch.force);
        }
        Ok(on)
    }
}

impl Force for Contact {
    fn needs_orientation(&self) -> [bool; 2] {
        let plane = matches!(self.partner, Partner::Plane(_));
        // friction turns a sphere, but not a point
        [plane, self.radius > 0.0 && self.friction > 0.0]
    }
    fn markers(&self) -> [Option<Vector>; 2] {
        [Some(self.a.point), Some(self.b.point)]
    }
    fn place(&mut self, a: &Site, b: &Site) {
        self.a.place(a);
        self.b.place(b);
        if let Partner::Plane(normal) = &mut self.partner {
            normal.place(a);
        }
    }
    fn extent(&self) -> f64 {
        self.radius
    }
    fn reach(&self) -> Option<f64> {
        self.partner.reach(self.radius)
    }
    fn pattern(&self, _: bool) -> ForcePattern {
        ForcePattern {
            stiffness: full(),
            damping: if self.damping > 0.0 || self.friction > 0.0 {
                full()
            } else {
                Vec::new()
            },
            ..ForcePattern::default()
        }
    }

    derived!(eval by_scalar);

    fn switches(&self) -> Vec<(&'static str, f64)> {
        let size = self.radius + self.partner.reach(0.0).unwrap_or(0.0);
        // points have no size: that of the unit
        vec![("touch", if size > 0.0 { size } else { 1.0 })]
    }
    fn switch_values(&self, at: &ForcePoint<'_>, out: &mut [f64]) {
        out[0] = self.meet(at.a, at.b).map_or(f64::NAN, |(_, depth)| depth);
    }

    fn is_rough(&self, sides: &[bool]) -> bool {
        // odd powers are continued as they are
        sides.first() == Some(&true) && self.exponent % 2.0 != 1.0
    }

    fn energy(&self, at: &ForcePoint<'_>) -> ForceEnergy {
        let Ok(Some(touch)) = self.touch(at.a, at.b, at.sides) else {
            return ForceEnergy::default();
        };
        let e = self.exponent;
        let depth = touch.depth.abs();
        let given = inputs(self, at);
        // the stored energy changes by the elastic force times the rate of the depth
        let undamped = Contact {
            damping: 0.0,
            friction: 0.0,
            ..self.clone()
        };
        ForceEnergy {
            potential: self.stiffness * depth.powf(e + 1.0) / (e + 1.0),
            power: power(self, &given, at) - power(&undamped, &given, at),
        }
    }
    fn channels(&self) -> &'static [(&'static str, &'static str)] {
        &[("depth", "m"), ("force", "N")]
    }
    fn observe(&self, at: &ForcePoint<'_>, out: &mut [f64]) {
        let found = match self.touch(at.a, at.b, at.sides) {
            Ok(Some(touch)) => [touch.depth, touch.normal],
            _ => [0.0, 0.0],
        };
        // a row at the very end of a contact may be beyond it by rounding
        out[..2].copy_from_slice(&found.map(|x| x.max(0.0)));
    }
}
