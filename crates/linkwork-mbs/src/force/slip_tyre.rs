//! Rolling tyre on a flat road with forces linear in slip.
//!
//! With the wheel centre `W`, the unit axle vector `a`, `A = sqrt(1 - a_z^2)` and up `e_z`:
//!
//! ```text
//!  rho = W_z / A                          loaded radius: the wheel plane meets the road
//!  P = W + rho d,  d = -(e_z - a_z a)/A   point of contact
//!  t = (a x e_z)/A,  n = e_z x t          rolling direction, lateral direction
//!  v_P = W' + omega x (rho d)             material velocity there
//!  F_z = k (r0 - rho) - c W_z'
//!  F_t = -C_t (v_P . t)/V    F_n = -C_n (v_P . n)/V
//! ```
//!
//! The force acts on body b at P. Slip is made dimensionless with a constant speed `V`, so that it
//! stays defined at rest. Undefined when the axle points straight up.

use super::by_scalar::spent;
use super::{Bodies, Force, ForcePoint, Law, derived};
use super::{ForceEnergy, OutOfDomain};
use crate::geometry::{Axis, Frame, Marker, Site, Vector, add, cross, dot, scaled, sub};
use crate::joint::COLUMNS;
use crate::joint::mounted::stands;
use crate::part::{Keys, Kind, Part};
use crate::units::Unit;
use linkwork_dae::scalar::Scalar;

/// A rolling tyre on a flat road with forces linear in slip.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SlipTyre {
    /// The wheel centre, on body b.
    pub point: Marker,
    /// The axle, on body b.
    pub axis: Axis,
    /// Vertical stiffness `k`, N/m.
    pub stiffness: f64,
    /// Vertical damping `c`, N s/m.
    pub damping: f64,
    /// Radius without load `r0`, m.
    pub radius: f64,
    /// Force per longitudinal slip `C_t`, N.
    pub longitudinal_stiffness: f64,
    /// Force per lateral slip `C_n`, N (per radian of slip angle).
    pub cornering_stiffness: f64,
    /// Speed that slip refers to `V`, m/s.
    pub reference_speed: f64,
}

pub(super) const AXLE: &str = "The axle, in the frame of the body.";

impl Kind for SlipTyre {
    const NAME: &'static str = "slip_tyre";
    const SUMMARY: &'static str = "A rolling wheel on the plane z = 0: vertical spring and damper, horizontal forces \
              linear in slip.";
    const IN_PLANE: bool = false;
    fn blank() -> SlipTyre {
        let axis = Axis::body([0.0, 1.0, 0.0]);
        let blank = SlipTyre::default();
        SlipTyre { axis, ..blank }
    }
}

impl Part for SlipTyre {
    fn keys(&mut self, k: &mut Keys<'_>) {
        k.point(&mut self.point);
        k.key("axis", Unit::None, AXLE)
            .or("[0, 1, 0]")
            .axis(&mut self.axis);
        k.key(
            "stiffness",
            Unit::Stiffness,
            "Vertical force per compression.",
        )
        .like(20.0, 5.0)
        .positive(&mut self.stiffness);
        let doc = "Vertical force per speed of the centre.";
        k.key("damping", Unit::Damping, doc)
            .or(0.0)
            .like(2.0, 1.0)
            .not_negative(&mut self.damping);
        k.key("radius", Unit::Length, "Radius of the tyre without load.")
            .like(1.0, 0.3)
            .positive(&mut self.radius);
        let doc = "Force per slip in the rolling direction.";
        k.key("longitudinal_stiffness", Unit::Force, doc)
            .like(5.0, 1.0)
            .not_negative(&mut self.longitudinal_stiffness);
        k.key(
            "cornering_stiffness",
            Unit::Force,
            "Force per lateral slip.",
        )
        .like(4.0, 1.0)
        .not_negative(&mut self.cornering_stiffness);
        let doc = "Speed that slip refers to; constant, so that slip is defined at rest.";
        k.key("reference_speed", Unit::Velocity, doc)
            .like(2.0, 1.0)
            .positive(&mut self.reference_speed);
    }
}

/// Directions of a wheel that stands on a horizontal plane.
pub(super) struct Wheel<S> {
    /// The wheel centre.
    pub centre: Vector<S>,
    /// Cosine of the camber: height of the centre over the distance to the contact.
    pub lean: S,
    /// From the centre to the contact.
    pub down: Vector<S>,
    /// Rolling direction.
    pub forward: Vector<S>,
    /// Lateral direction.
    pub lateral: Vector<S>,
}

impl<S: Scalar> Wheel<S> {
    pub fn of(b: &Frame<S>, centre: Vector, axle: Vector) -> Result<Wheel<S>, OutOfDomain> {
        let (zero, one) = (S::from(0.0), S::from(1.0));
        let up = [zero, zero, one];
        let a = b.pose.direction(axle);
        let square = one - a[2] * a[2];
        if !(square.value() > 1e-12) {
            return Err(OutOfDomain::because("its axle points straight up"));
        }
        let lean = square.sqrt();
        let i = one / lean;
        let forward = scaled(cross(a, up), i);
        Ok(Wheel {
            centre: b.pose.point(centre),
            lean,
            down: scaled(sub(scaled(a, a[2]), up), i),
            forward,
            lateral: cross(up, forward),
        })
    }
}

/// What happens at the contact.
struct Patch<S> {
    /// From the wheel centre to the contact.
    arm: Vector<S>,
    radius: S,
    /// Rolling, lateral, vertical force.
    parts: [S; 3],
    force: Vector<S>,
    /// Velocity of the material point, rolling and lateral.
    slip: [S; 2],
}

impl SlipTyre {
    fn contact<S: Scalar>(&self, b: &Frame<S>) -> Result<Patch<S>, OutOfDomain> {
        let Wheel {
            centre: w,
            lean,
            down,
            forward,
            lateral,
        } = Wheel::of(b, self.point.point, self.axis.direction)?;
        let up = [S::from(0.0), S::from(0.0), S::from(1.0)];
        let w_rate = b.velocity_at(self.point.point);
        let radius = w[2] / lean;
        let arm = scaled(down, radius);
        let v = add(w_rate, cross(b.spin(), arm));
        let slip = [dot(v, forward), dot(v, lateral)];
        let parts = [
            slip[0] * (-self.longitudinal_stiffness / self.reference_speed),
            slip[1] * (-self.cornering_stiffness / self.reference_speed),
            (-radius + self.radius) * self.stiffness - w_rate[2] * self.damping,
        ];
        let force = add(
            add(scaled(forward, parts[0]), scaled(lateral, parts[1])),
            scaled(up, parts[2]),
        );
        Ok(Patch {
            arm,
            radius,
            parts,
            force,
            slip,
        })
    }
}

impl Law for SlipTyre {
    fn wrench<S: Scalar>(&self, at: Bodies<'_, S>) -> Result<[S; COLUMNS], OutOfDomain> {
        let Bodies { b, .. } = at;
        let c = self.contact(b)?;
        let centre = b.pose.direction(self.point.point);
        let torque = b.pose.turn_back(cross(add(centre, c.arm), c.force));
        let mut on = [S::from(0.0); COLUMNS];
        on[6..9].copy_from_slice(&c.force);
        on[9..].copy_from_slice(&torque);
        Ok(on)
    }
}

impl Force for SlipTyre {
    fn needs_orientation(&self) -> [bool; 2] {
        [false, true]
    }
    stands!();
    fn place(&mut self, _: &Site, b: &Site) {
        self.point.place(b);
        self.axis.place(b);
    }
    derived!(by_scalar);

    fn energy(&self, at: &ForcePoint<'_>) -> ForceEnergy {
        // no energy is stored: the loaded radius also changes with the lean of the wheel
        spent(self, at)
    }
    fn channels(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("radius", "m"),
            ("force.rolling", "N"),
            ("force.lateral", "N"),
            ("force.vertical", "N"),
            ("slip.rolling", "m/s"),
            ("slip.lateral", "m/s"),
        ]
    }
    fn observe(&self, at: &ForcePoint<'_>, out: &mut [f64]) {
        match self.contact(at.b) {
            Ok(c) => {
                let [rolling, lateral, vertical] = c.parts;
                let [along, across] = c.slip;
                out[..6].copy_from_slice(&[c.radius, rolling, lateral, vertical, along, across]);
            }
            Err(_) => out[..6].fill(f64::NAN),
        }
    }
}
