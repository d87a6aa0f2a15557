//! Creep forces of a wheel on a rail, by the theory of Kalker with saturation at the limit of friction.
//!
//! ```text
//!  N = lambda |n|                                   normal force, from the multiplier of the contact
//!  V = |v - 2 v_0|/2                                rolling speed; v of the material point at the contact, v_0 of
//!                                                   the centre of mass, both against the rail
//!  nu_1 = v.t_1/V   nu_2 = v.t_2/V   phi = omega.n/V       creepages along, across, and spin
//!  c^3 = 3 N (1 - sigma) E/(2 pi (A + B) G sqrt(g))        size of the ellipse of contact (Hertz)
//!  T_1 = -mu N tanh(G c^2 C11 nu_1/(mu N))
//!  T_2 = -mu N tanh(G c^2 (C22 nu_2 + c C23 phi)/(mu N))   together at most mu N
//! ```
//!
//! After Jaschinski (1990). Not a force of model text: it comes with a joint of kind `wheel_rail` that has friction
//! ([`Joint::companion`](crate::joint::Joint::companion)). Where the limit of the sum takes hold it has a kink, where steps end.

use super::by_scalar::{Bodies, Law, inputs, press, spent};
use super::smooth::tanh;
use super::{Force, ForceEnergy, ForcePattern, ForcePoint, OutOfDomain, derived, full};
use crate::expr::Formula;
use crate::geometry::{Frame, Site, Vector, add, cross, dot, norm, scaled, sub};
use crate::joint::{COLUMNS, WheelRail};
use crate::part::{Keys, OfKind, Part};
use linkwork_dae::scalar::Scalar;
use std::f64::consts::PI;

/// Creep forces of a wheel on a rail, which follow its normal force.
#[derive(Clone, Debug)]
pub struct WheelCreep {
    contact: WheelRail,
    /// The multiplier of the contact.
    load: Formula,
}

/// What happens at the contact.
struct Creeping<S> {
    /// Global.
    place: Vector<S>,
    /// Along and across, in the plane of contact.
    directions: [Vector<S>; 2],
    normal: S,
    /// Along, across, spin.
    creepage: [S; 3],
    force: [S; 2],
    /// How far the sum is below its limit: `1 - (T_1^2 + T_2^2)/(mu N)^2` before it is limited.
    left: f64,
}

fn cube_root<S: Scalar>(x: S) -> S {
    let v = x.value();
    let r = v.cbrt();
    let d = r / (3.0 * v);
    x.lift([r, d, -2.0 / 3.0 * d / v, 10.0 / 9.0 * d / (v * v)])
}

fn unit<S: Scalar>(u: Vector<S>) -> Vector<S> {
    scaled(u, S::from(1.0) / norm(u))
}

impl WheelCreep {
    /// At a contact, pressed by its multiplier.
    pub(crate) fn of(contact: WheelRail, load: Formula) -> WheelCreep {
        WheelCreep { contact, load }
    }

    /// On the given side of the limit; without one where it is.
    fn creep<S: Scalar>(
        &self,
        load: S,
        [a, b]: [&Frame<S>; 2],
        sides: &[bool],
    ) -> Result<Creeping<S>, OutOfDomain> {
        let seat = self.contact.seat(&a.pose, &b.pose);
        let touch = self.contact.contact(&seat);
        let place = add(a.pose.point(self.contact.fixture.a.point), touch.place);
        let at = |f: &Frame<S>| add(f.velocity, cross(f.spin(), sub(place, f.pose.position)));
        let ground = at(a);
        let sliding = sub(at(b), ground);
        let mean = sub(b.velocity, ground);
        let speed = norm(sub(sliding, scaled(mean, S::from(2.0)))) * 0.5;
        if !(speed.value() > 0.0) {
            return Err(OutOfDomain::because(
                "the wheel does not roll, or has left its rail",
            ));
        }
        let up = unit(touch.normal);
        let along = unit(cross(seat.axle, up));
        let across = cross(up, along);
        let spin = dot(sub(b.spin(), a.spin()), up);
        let creepage = [dot(sliding, along), dot(sliding, across), spin].map(|v| v / speed);
        let normal = load * norm(touch.normal);
        let (mut force, mut left) = ([S::from(0.0); 2], 1.0);
        if normal.value() > 0.0 {
            let curvatures = self.contact.curvatures(&touch);
            (force, left) = self.tangential(normal, creepage, curvatures, sides)?;
        }
        Ok(Creeping {
            place,
            directions: [along, across],
            normal,
            creepage,
            force,
            left,
        })
    }

    /// Forces along and across, and how far they are from their limit.
    fn tangential<S: Scalar>(
        &self,
        normal: S,
        creepage: [S; 3],
        [rolling, lateral]: [S; 2],
        sides: &[bool],
    ) -> Result<([S; 2], f64), OutOfDomain> {
        let of = &self.contact.creep;
        let bent = rolling + lateral;
        if !(bent.value() > 0.0) {
            return Err(OutOfDomain::because(
                "wheel and rail touch in more than a point",
            ));
        }
        let [integral, ratio] = of.ellipse;
        let pressed = 3.0 * (1.0 - of.poisson) * integral;
        let hertz = 2.0 * PI * of.shear_modulus * ratio.sqrt();
        let size = cube_root(normal * (pressed / hertz) / bent);
        let limit = normal * of.friction;
        let stiff = size * size * of.shear_modulus / limit;
        let [c11, c22, c23] = of.kalker;
        let [along, across, spin] = creepage;
        let demand = [
            stiff * along * c11,
            stiff * across * c22 + stiff * size * spin * c23,
        ];
        let force = demand.map(|x| -(limit * tanh(x)));
        let total = force[0] * force[0] + force[1] * force[1];
        let most = limit * limit;
        let left = 1.0 - total.value() / most.value();
        let force = match sides.first().copied().unwrap_or(left >= 0.0) {
            true => force,
            false => force.map(|t| t * (most / total).sqrt()),
        };
        Ok((force, left))
    }
}

impl Law for WheelCreep {
    fn wrench<S: Scalar>(&self, at: Bodies<'_, S>) -> Result<[S; COLUMNS], OutOfDomain> {
        let Bodies {
            inputs,
            a,
            b,
            sides,
            ..
        } = at;
        let found = self.creep(inputs[0], [a, b], sides)?;
        let [along, across] = found.directions;
        let force = add(
            scaled(along, found.force[0]),
            scaled(across, found.force[1]),
        );
        let mut on = [S::from(0.0); COLUMNS];
        press(&mut on, 1, b, found.place, force);
        press(&mut on, 0, a, found.place, force.map(|x| -x));
        Ok(on)
    }
}

impl Part for WheelCreep {
    fn keys(&mut self, _: &mut Keys<'_>) {}
}

impl OfKind for WheelCreep {
    fn kind(&self) -> &'static str {
        "wheel_creep"
    }
}

impl Force for WheelCreep {
    fn inputs(&self) -> Vec<&Formula> {
        vec![&self.load]
    }
    fn place(&mut self, _: &Site, _: &Site) {}
    fn pattern(&self, _: bool) -> ForcePattern {
        ForcePattern {
            stiffness: full(),
            damping: full(),
            by_input: (0..COLUMNS as u8).map(|row| (row, 0)).collect(),
            ..ForcePattern::default()
        }
    }

    derived!(eval by_scalar);

    fn switches(&self) -> Vec<(&'static str, f64)> {
        vec![("limit of friction", 1.0)]
    }
    fn switch_values(&self, at: &ForcePoint<'_>, out: &mut [f64]) {
        let found = self.creep(inputs(self, at)[0], [at.a, at.b], &[]);
        out[0] = found.map_or(f64::NAN, |c| c.left);
    }

    fn energy(&self, at: &ForcePoint<'_>) -> ForceEnergy {
        spent(self, at)
    }
    fn channels(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("normal", "N"),
            ("creepage.along", ""),
            ("creepage.across", ""),
            ("creepage.spin", "1/m"),
            ("creep.along", "N"),
            ("creep.across", "N"),
        ]
    }
    fn observe(&self, at: &ForcePoint<'_>, out: &mut [f64]) {
        let found = self.creep(inputs(self, at)[0], [at.a, at.b], at.sides);
        let values = found.map(|c| {
            let [nu, across, spin] = c.creepage;
            [c.normal, nu, across, spin, c.force[0], c.force[1]]
        });
        out[..6].copy_from_slice(&values.unwrap_or([f64::NAN; 6]));
    }
}
