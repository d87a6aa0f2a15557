//! Rigid contact of a sphere or point of body b with a plane or a sphere of body a.
//!
//! ```text
//!  gap = n.d - radius  or  |d| - radius - radius_a  >= 0          N = -lambda >= 0
//!  slip = t.(v_b - v_a) at the place of contact                    |T| <= mu N
//! ```
//!
//! In space there are two directions `t` of slip, and two rows for its speed, with the sign of either.
//! The directions turn with the normal by the smallest rotation from where the contact was placed.
//!
//! The smooth law is the force `contact`; here nothing is penetrated: the bodies meet by an impact with
//! restitution, and while they touch the gap is a constraint. Friction sticks as a constraint too, see
//! [`linkwork_dae::law`].

use super::limit::restitution;
use super::mounted::told;
use super::{
    Constraint, Joint, JointPattern, JointPoint, JointTerms, MAX_ROWS, Poses, Reacts, Rolling,
    Want, by_scalar, rows,
};
use crate::force::Partner;
use crate::geometry::{
    Frame, Marker, Pose, Site, Vector, add, cross, dot, norm, perpendiculars, scaled, sub, unit,
};
use crate::part::{Keys, Kind, Part};
use crate::units::Unit;
use linkwork_dae::law::{Cone, Law, Limit};
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
    /// The normal where it was placed and two directions across it, on body a.
    triad: [Vector; 3],
}

/// Squares of speeds below this have no direction.
const STILL: f64 = 1e-60;

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
            ..RigidContact::default()
        }
    }

    fn rubs(&self) -> bool {
        self.static_friction > 0.0
    }

    /// Two directions across the normal, which has turned with it from where they were placed.
    fn across<S: Scalar>(&self, a: &Pose<S>, n: Vector<S>) -> [Vector<S>; 2] {
        let [z, x, y] = self.triad.map(|axis| a.direction(axis));
        let [nx, ny, nz] = [x, y, z].map(|axis| dot(n, axis));
        let bend = S::from(-1.0) / (nz + 1.0);
        let both = nx * ny * bend;
        let place = |u: S, v: S, w: S| add(add(scaled(x, u), scaled(y, v)), scaled(z, w));
        [
            place(nx * nx * bend + 1.0, both, -nx),
            place(both, ny * ny * bend + 1.0, -ny),
        ]
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
              constraint while it presses; with friction that sticks.";
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
        let doc = "Coefficient of friction while it slides.";
        k.key("friction", Unit::None, doc)
            .or(0.0)
            .like(0.3, 0.1)
            .not_negative(&mut self.friction);
        k.key(
            "static_friction",
            Unit::None,
            "Coefficient of friction while it sticks.",
        )
        .or(self.friction)
        .called("that of sliding")
        .like(0.6, 0.1)
        .not_negative(&mut self.static_friction);
        let why = format!(
            "static friction {} must not be below that of sliding, {}",
            self.static_friction, self.friction
        );
        k.rule(
            "static_friction",
            !(self.static_friction < self.friction),
            why,
        );
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
        let (n, _) = self.meet(&a.pose, &b.pose);
        let centre = b.pose.point(self.b.point);
        // of body b, which while they touch is that of both
        let place = sub(centre, scaled(n, S::from(self.radius)));
        let at = |frame: &Frame<S>| {
            let arm = sub(place, frame.pose.position);
            add(frame.velocity, cross(frame.spin(), arm))
        };
        let v = sub(at(b), at(a));
        if self.flat {
            out[1] = v[1] * n[0] - v[0] * n[1];
            return out;
        }
        let slip = self.across(&a.pose, n).map(|t| dot(v, t));
        let square = slip[0] * slip[0] + slip[1] * slip[1];
        for (i, s) in slip.into_iter().enumerate() {
            out[1 + i] = s;
            out[3 + i] = if !(square.value() > STILL) {
                s
            } else if s.value() < 0.0 {
                -square.sqrt()
            } else {
                square.sqrt()
            };
        }
        out
    }
}

impl Joint for RigidContact {
    told!(&["gap"]);
    fn velocity_row_names(&self) -> &'static [&'static str] {
        match (self.rubs(), self.flat) {
            (true, true) => &["slip"],
            (true, false) => &["slip 1", "slip 2", "speed 1", "speed 2"],
            (false, _) => &[],
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
    fn reach(&self) -> Option<f64> {
        self.partner.reach(self.radius)
    }
    fn place(&mut self, a: &Site, b: &Site) {
        self.a.place(a);
        self.b.place(b);
        if let Partner::Plane(normal) = &mut self.partner {
            normal.place(a);
        }
        self.flat = a.flat && b.flat;
        let apart = sub(b.pose.point(self.b.point), a.pose.point(self.a.point));
        let n = match &self.partner {
            Partner::Plane(normal) => normal.direction,
            Partner::Sphere(_) if norm(apart) > 0.0 => unit(a.pose.local_direction(apart)),
            Partner::Sphere(_) => [0.0, 0.0, 1.0],
        };
        let [x, y] = perpendiculars(n);
        self.triad = [n, x, y];
    }
    fn extent(&self) -> f64 {
        self.radius
    }
    fn laws(&self) -> Vec<(usize, Law)> {
        let restitution = self.restitution;
        let mut laws = vec![(0, Law::OneSided { restitution })];
        let (sticking, sliding) = (self.static_friction, self.friction);
        if self.rubs() && self.flat {
            let limit = Limit::Pressed {
                by: 0,
                sticking,
                sliding,
            };
            laws.push((1, Law::Dry(limit)));
        } else if self.rubs() {
            let cone = Cone {
                by: 0,
                sticking,
                sliding,
                second: 2,
                along: [3, 4],
            };
            laws.push((1, Law::Cone(cone)));
            laws.extend((2..5).map(|row| (row, Law::Led)));
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
