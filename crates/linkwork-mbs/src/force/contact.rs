//! Contact of a sphere on body b with a plane or a sphere on body a.
//!
//! ```text
//!  N = k delta^e (1 + 3/2 c delta')        Hunt & Crossley 1975; never pulls
//!  T = -mu N v_t / sqrt(v_t^2 + v_s^2)     friction, regularised
//! ```
//!
//! `delta` is the depth of penetration, `v_t` the sliding velocity. A radius of zero makes the
//! sphere a point. The period of a body of mass m on the spring is about
//! `2 pi sqrt(m/(k delta^(e-1)))`: steps must resolve it while the contact lasts.

use super::by_scalar::{evaluate, inputs, power};
use super::{
    Force, ForceEntry, ForcePattern, ForcePoint, ForceTerms, Law, MAX_INPUTS, full, press,
};
use super::{ForceEnergy, ForceWant, OutOfDomain};
use crate::error::ModelError;
use crate::field::{Key, Value};
use crate::geometry::{Axis, Frame, Marker, Site, Vector, add, cross, dot, norm, scaled, sub};
use crate::joint::fixture::{ALONG, ALONG_A};
use crate::joint::{AT_A, AT_B, COLUMNS, POINT_A, POINT_B, read_markers, write_markers};
use crate::text::Fields;
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

impl Partner {
    /// The radius of a sphere, or the normal of a plane.
    pub(crate) fn read(f: &Fields<'_>) -> Result<Partner, ModelError> {
        if f.has("radius_a") {
            for key in ["axis", "axis_a"] {
                if f.has(key) {
                    return Err(f.error(key, "a sphere has no normal"));
                }
            }
            return Ok(Partner::Sphere(f.positive("radius_a", Unit::Length)?));
        }
        let (key, normal) = if f.has("axis") {
            if f.has("axis_a") {
                return Err(f.error("axis_a", "the global direction is given as well"));
            }
            ("axis", Axis::global(f.direction("axis")?))
        } else {
            ("axis_a", Axis::body(f.direction("axis_a")?))
        };
        match normal.is_valid() {
            true => Ok(Partner::Plane(normal)),
            false => Err(f.error(key, "a direction needs a length")),
        }
    }

    /// Refuses planes without a normal and spheres without a radius.
    pub(crate) fn check(&self) -> Result<(), String> {
        match self {
            Partner::Plane(normal) if !normal.is_valid() => {
                Err("the normal of the plane needs a direction".into())
            }
            Partner::Sphere(radius) if !(*radius > 0.0 && radius.is_finite()) => Err(format!(
                "the radius must be greater than zero, it is {radius}"
            )),
            _ => Ok(()),
        }
    }
}

/// A sphere or point of body b that meets a plane or a sphere of body a.
#[derive(Clone, Debug, PartialEq)]
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

pub(super) const ENTRY: ForceEntry = ForceEntry {
    kind: "contact",
    summary: "A sphere or point of body_b on a plane or sphere of body_a, with damping and friction.",
    in_plane: true,
    keys: &[
        POINT_A,
        POINT_B,
        AT_A,
        AT_B,
        ALONG,
        ALONG_A,
        Key::optional(
            "radius_a",
            Unit::Length,
            "a plane instead",
            "Radius of a sphere on body_a; without it `axis` or `axis_a` is the normal of a plane.",
        ),
        Key::optional(
            "radius",
            Unit::Length,
            "0",
            "Radius of the sphere on body_b.",
        ),
        Key::required(
            "stiffness",
            Unit::None,
            "Force per depth to the exponent, N/m^e.",
        ),
        Key::optional(
            "exponent",
            Unit::None,
            "1.5",
            "1.5 for elastic spheres, 1 for a spring.",
        ),
        Key::optional(
            "damping",
            Unit::None,
            "0",
            "Loss per speed of approach, s/m; about (1 - restitution)/speed.",
        ),
        Key::optional("friction", Unit::None, "0", "Coefficient of friction."),
        Key::optional(
            "transition_speed",
            Unit::Velocity,
            "0.01",
            "Sliding speed below which friction falls to zero.",
        ),
    ],
    read: |f| {
        if f.has("at") {
            return Err(f.error("at", "give the points of both bodies one by one"));
        }
        let [a, b] = read_markers(f)?;
        Ok(Contact {
            a,
            b,
            partner: Partner::read(f)?,
            radius: f.not_negative_or("radius", Unit::Length, 0.0)?,
            stiffness: f.positive("stiffness", Unit::None)?,
            exponent: f.positive_or("exponent", Unit::None, 1.5)?,
            damping: f.not_negative_or("damping", Unit::None, 0.0)?,
            friction: f.not_negative_or("friction", Unit::None, 0.0)?,
            transition_speed: f.positive_or("transition_speed", Unit::Velocity, 0.01)?,
        }
        .into())
    },
    example: |draw| {
        let (a, b) = ([draw(), draw(), draw()], [draw(), draw(), draw()]);
        let partner = if draw() > 0.0 {
            Partner::Plane([draw(), draw(), 2.0].into())
        } else {
            Partner::Sphere(2.0 + draw())
        };
        Contact {
            a: a.into(),
            b: b.into(),
            partner,
            radius: 3.0 + draw(),
            stiffness: 10.0 + draw(),
            exponent: 1.5,
            damping: 0.2,
            friction: 0.3,
            transition_speed: 0.5,
        }
        .into()
    },
};

/// State of a contact.
struct Touch<S> {
    place: Vector<S>,
    depth: S,
    /// Pressing force.
    normal: S,
    /// Force on body b.
    force: Vector<S>,
}

impl Contact {
    /// `None` where the bodies do not touch.
    fn touch<S: Scalar>(
        &self,
        a: &Frame<S>,
        b: &Frame<S>,
    ) -> Result<Option<Touch<S>>, OutOfDomain> {
        let (pa, pb) = (a.pose.point(self.a.point), b.pose.point(self.b.point));
        let d = sub(pb, pa);
        let (n, depth) = match &self.partner {
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
        };
        if !(depth.value() > 0.0) {
            return Ok(None);
        }
        let place = sub(pb, n.map(|x| x * self.radius));
        let at = |frame: &Frame<S>| {
            let arm = sub(place, frame.pose.position);
            add(frame.velocity, cross(frame.spin(), arm))
        };
        let v = sub(at(b), at(a));
        let opening = dot(v, n);
        let x = depth.value();
        let e = self.exponent;
        // no higher derivative is asked of a force
        let power = depth.lift([
            x.powf(e),
            e * x.powf(e - 1.0),
            e * (e - 1.0) * x.powf(e - 2.0),
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
        Ok(Some(Touch {
            place,
            depth,
            normal,
            force: add(scaled(n, normal), scaled(sliding, drag)),
        }))
    }
}

impl Law for Contact {
    fn wrench<S: Scalar>(
        &self,
        _: f64,
        _: &[S; MAX_INPUTS],
        a: &Frame<S>,
        b: &Frame<S>,
        _: &[f64],
    ) -> Result<[S; COLUMNS], OutOfDomain> {
        let mut on = [S::from(0.0); COLUMNS];
        if let Some(touch) = self.touch(a, b)? {
            press(&mut on, 0, a, touch.place, touch.force.map(|x| -x));
            press(&mut on, 1, b, touch.place, touch.force);
        }
        Ok(on)
    }
}

impl Force for Contact {
    fn kind(&self) -> &'static str {
        ENTRY.kind
    }
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
    fn check(&self) -> Result<(), String> {
        self.partner.check()?;
        for (what, x) in [
            ("stiffness", self.stiffness),
            ("exponent", self.exponent),
            ("speed of transition", self.transition_speed),
        ] {
            if !(x > 0.0 && x.is_finite()) {
                return Err(format!("the {what} must be greater than zero, it is {x}"));
            }
        }
        for (what, x) in [
            ("radius", self.radius),
            ("damping", self.damping),
            ("coefficient of friction", self.friction),
        ] {
            if !(x >= 0.0 && x.is_finite()) {
                return Err(format!("the {what} must not be negative, it is {x}"));
            }
        }
        Ok(())
    }
    fn extent(&self) -> f64 {
        self.radius
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
    fn eval(
        &self,
        at: &ForcePoint<'_>,
        want: ForceWant,
        out: &mut ForceTerms,
    ) -> Result<(), OutOfDomain> {
        evaluate(self, at, want, out)
    }
    fn energy(&self, at: &ForcePoint<'_>) -> ForceEnergy {
        let Ok(Some(touch)) = self.touch(at.a, at.b) else {
            return ForceEnergy::default();
        };
        let e = self.exponent;
        let elastic = self.stiffness * touch.depth.powf(e);
        let given = inputs(self, at);
        let total = self
            .wrench(at.t, &given, at.a, at.b, at.turns)
            .map_or(0.0, |q| power(&q, at.a, at.b));
        // the stored energy changes by the elastic force times the rate of the depth
        let undamped = Contact {
            damping: 0.0,
            friction: 0.0,
            ..self.clone()
        };
        let stored = undamped
            .wrench(at.t, &given, at.a, at.b, at.turns)
            .map_or(0.0, |q| power(&q, at.a, at.b));
        ForceEnergy {
            potential: elastic * touch.depth / (e + 1.0),
            power: total - stored,
        }
    }
    fn channels(&self) -> &'static [(&'static str, &'static str)] {
        &[("depth", "m"), ("force", "N")]
    }
    fn observe(&self, at: &ForcePoint<'_>, out: &mut [f64]) {
        let found = match self.touch(at.a, at.b) {
            Ok(Some(touch)) => [touch.depth, touch.normal],
            _ => [0.0, 0.0],
        };
        out[..2].copy_from_slice(&found);
    }
    fn fields(&self) -> Vec<(&'static str, Value)> {
        let mut fields = write_markers(&self.a, &self.b);
        match &self.partner {
            Partner::Plane(normal) => fields.push(("axis_a", Value::Vector(normal.direction))),
            Partner::Sphere(radius) => fields.push(("radius_a", Value::Number(*radius))),
        }
        for (key, x) in [
            ("radius", self.radius),
            ("stiffness", self.stiffness),
            ("exponent", self.exponent),
            ("damping", self.damping),
            ("friction", self.friction),
            ("transition_speed", self.transition_speed),
        ] {
            fields.push((key, Value::Number(x)));
        }
        fields
    }
}
