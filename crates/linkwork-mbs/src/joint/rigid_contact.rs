//! Rigid contact of a sphere or point of body b with a plane or a sphere of body a.
//!
//! ```text
//!  gap = n.d - radius  or  |d| - radius - radius_a  >= 0          N = -lambda >= 0
//!  slip = t.(v_b - v_a) at the place of contact                    |T| <= mu N
//! ```
//!
//! The smooth law is the force `contact`; here nothing is penetrated: the bodies meet by an impact with
//! restitution, and while they touch the gap is a constraint. Friction sticks as a constraint too, see
//! [`linkwork_dae::law`]. It needs a direction to slide in, which bodies in the x-y plane have.

use super::limit::restitution;
use super::mounted::told;
use super::{
    Constraint, Joint, JointPattern, JointPoint, JointTerms, MAX_ROWS, Poses, Reacts, Rolling,
    Want, by_scalar, rows,
};
use crate::force::Partner;
use crate::geometry::{Frame, Marker, Pose, Site, Vector, add, cross, dot, norm, scaled, sub};
use crate::part::{Keys, Kind, Part};
use crate::units::Unit;
use linkwork_dae::law::{Law, Limit};
use linkwork_dae::scalar::Scalar;

/// A sphere or point of body b that meets a plane or a sphere of body a.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RigidContact {
    /// Point of the plane or centre of the sphere, on body a.
    pub a: Marker,
    /// Centre of the sphere, on body b.
    pub b: Marker,
    /// What is on body a.
    pub partner: Partner,
    /// Radius of the sphere on body b, m.
    pub radius: f64,
    /// Speed of departure over speed of approach.
    pub restitution: f64,
    /// Coefficient of friction while it slides.
    pub friction: f64,
    /// Coefficient of friction while it sticks.
    pub static_friction: f64,
    flat: bool,
}

impl RigidContact {
    /// A sphere on a plane, or on another sphere.
    pub fn new(
        a: impl Into<Marker>,
        b: impl Into<Marker>,
        partner: Partner,
        radius: f64,
    ) -> RigidContact {
        RigidContact {
            a: a.into(),
            b: b.into(),
            partner,
            radius,
            restitution: 0.0,
            friction: 0.0,
            static_friction: 0.0,
            flat: false,
        }
    }

    fn rubs(&self) -> bool {
        self.static_friction > 0.0
    }

    /// Normal on the side of body b, and the gap.
    fn meet<S: Scalar>(&self, a: &Pose<S>, b: &Pose<S>) -> (Vector<S>, S) {
        let mut d = sub(b.point(self.b.point), a.point(self.a.point));
        match &self.partner {
            Partner::Plane(normal) => {
                let n = a.direction(normal.direction);
                (n, dot(n, d) - self.radius)
            }
            Partner::Sphere(radius) => {
                if self.flat {
                    d[2] = S::from(0.0);
                }
                let length = norm(d);
                let n = scaled(d, S::from(1.0) / length);
                (n, length - (self.radius + radius))
            }
        }
    }
}

impl Kind for RigidContact {
    const NAME: &'static str = "rigid_contact";
    const SUMMARY: &'static str = "A sphere or point of body_b does not enter a plane or sphere of body_a: an impact, then a \
              constraint while it presses; with friction that sticks in the plane.";
}

impl Part for RigidContact {
    fn keys(&mut self, k: &mut Keys<'_>) {
        let why = "give the points of both bodies one by one";
        k.ends(&mut self.a, &mut self.b, why);
        self.partner.keys(k);
        k.key("radius", Unit::Length, "Radius of the sphere on body_b.")
            .or(0.0)
            .like(3.0, 1.0)
            .not_negative(&mut self.radius);
        restitution(k, &mut self.restitution);
        // friction needs a plane to slide in, which examples do not have
        if k.draw().is_none() {
            let doc = "Coefficient of friction while it slides; in planar models.";
            k.key("friction", Unit::None, doc)
                .or(0.0)
                .not_negative(&mut self.friction);
            k.key(
                "static_friction",
                Unit::None,
                "Coefficient of friction while it sticks.",
            )
            .or(self.friction)
            .called("that of sliding")
            .not_negative(&mut self.static_friction);
        }
        let why = format!(
            "static friction {} must not be below that of sliding, {}",
            self.static_friction, self.friction
        );
        k.rule(
            "static_friction",
            !(self.static_friction < self.friction),
            why,
        );
        k.placed(|| match self.rubs() && !self.flat {
            true => Err(
                "friction of a rigid contact is for bodies that move in the x-y plane; in space use the \
                 force `contact`"
                    .into(),
            ),
            false => Ok(()),
        });
    }
}

impl Constraint for RigidContact {
    fn constraint<S: Scalar>(&self, at: Poses<'_, S>) -> [S; MAX_ROWS] {
        let Poses { a, b, .. } = at;
        rows([self.meet(a, b).1])
    }
}

impl Rolling for RigidContact {
    fn rolling<S: Scalar>(&self, a: &Frame<S>, b: &Frame<S>) -> [S; MAX_ROWS] {
        let mut out = [S::from(0.0); MAX_ROWS];
        if !self.rubs() {
            return out;
        }
        let (n, gap) = self.meet(&a.pose, &b.pose);
        let centre = b.pose.point(self.b.point);
        let at = |frame: &Frame<S>, place: Vector<S>| {
            let arm = sub(place, frame.pose.position);
            add(frame.velocity, cross(frame.spin(), arm))
        };
        // each body at its own surface, which is one place while they touch
        let on_b = sub(centre, scaled(n, S::from(self.radius)));
        let on_a = sub(on_b, scaled(n, gap));
        let v = sub(at(b, on_b), at(a, on_a));
        out[1] = v[1] * n[0] - v[0] * n[1];
        out
    }
}

impl Joint for RigidContact {
    told!(&["gap"]);
    fn velocity_row_names(&self) -> &'static [&'static str] {
        match self.rubs() {
            true => &["slip"],
            false => &[],
        }
    }
    fn needs_orientation(&self) -> [bool; 2] {
        let plane = matches!(self.partner, Partner::Plane(_));
        [plane, self.radius > 0.0 && self.rubs()]
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
        if let Partner::Plane(normal) = &mut self.partner {
            normal.place(a);
        }
        self.flat = a.flat && b.flat;
    }
    fn extent(&self) -> f64 {
        self.radius
    }
    fn laws(&self) -> Vec<(usize, Law)> {
        let restitution = self.restitution;
        let mut laws = vec![(0, Law::OneSided { restitution })];
        if self.rubs() {
            let limit = Limit::Pressed {
                by: 0,
                sticking: self.static_friction,
                sliding: self.friction,
            };
            laws.push((1, Law::Dry(limit)));
        }
        laws
    }
    fn pattern(&self, flat: bool) -> JointPattern {
        by_scalar::probe(flat, |at, out| self.eval(at, Want::ALL, out))
    }
    fn eval(&self, at: &JointPoint<'_>, want: Want, out: &mut JointTerms) {
        match self.rubs() {
            true => by_scalar::evaluate_both(self, at, want, out),
            false => by_scalar::evaluate(self, at, want, out),
        }
    }
}
