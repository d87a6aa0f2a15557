//! Creep forces of a steel wheel on a rail, saturating at the limit of friction.
//!
//! ```text
//!  xi = v_P / V                 creepages of the material point at the contact
//!  F = -mu N tanh(f xi/(mu N))  rolling and lateral, each
//! ```
//!
//! The wheel stands on a horizontal plane at its rolling radius below the centre; what carries it
//! there (a joint, a contact) is not part of this element. `N` is a formula, so that it may follow a
//! signal. `f` are the creep coefficients of linear theory (Kalker 1967: `G a b C_11`, `G a b C_22`).

use super::by_scalar::{at_time, inputs, probe, spent};
use super::slip_tyre::AXLE;
use super::slip_tyre::Wheel;
use super::smooth::tanh;
use super::{Bodies, Force, ForcePattern, ForcePoint, Law, MAX_INPUTS, derived, press};
use super::{ForceEnergy, OutOfDomain};
use crate::expr::{Formula, Now};
use crate::geometry::{Axis, Frame, Marker, Site, Vector, add, cross, dot, scaled};
use crate::joint::COLUMNS;
use crate::joint::mounted::stands;
use crate::part::{Keys, Kind, Part};
use crate::units::Unit;
use linkwork_dae::scalar::Scalar;

/// Creep forces between a wheel and a rail.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Creep {
    /// The wheel centre, on body b.
    pub point: Marker,
    /// The axle, on body b.
    pub axis: Axis,
    /// Rolling radius, m.
    pub radius: f64,
    /// Normal force `N`, N.
    pub normal: Formula,
    /// Coefficient of friction `mu`.
    pub friction: f64,
    /// Creep coefficients: rolling and lateral, N.
    pub coefficients: [f64; 2],
    /// Speed of the vehicle `V`, m/s.
    pub speed: f64,
}

impl Kind for Creep {
    const NAME: &'static str = "creep";
    const SUMMARY: &'static str =
        "Creep forces between a wheel and a rail, linear in creepage up to friction.";
    const IN_PLANE: bool = false;
    fn blank() -> Creep {
        let axis = Axis::body([0.0, 1.0, 0.0]);
        let blank = Creep::default();
        Creep { axis, ..blank }
    }
}

impl Part for Creep {
    fn keys(&mut self, k: &mut Keys<'_>) {
        k.point(&mut self.point);
        k.key("axis", Unit::None, AXLE)
            .or("[0, 1, 0]")
            .axis(&mut self.axis);
        k.key("radius", Unit::Length, "Rolling radius.")
            .like(1.0, 0.3)
            .positive(&mut self.radius);
        k.key("normal", Unit::Force, "Normal force; may name signals.")
            .like(5.0, 1.0)
            .formula(&mut self.normal);
        k.key("friction", Unit::None, "Coefficient of friction.")
            .or(0.3)
            .like(0.4, 0.1)
            .positive(&mut self.friction);
        let [rolling, lateral] = &mut self.coefficients;
        let doc = "Force per creepage in the rolling direction.";
        k.key("longitudinal_coefficient", Unit::Force, doc)
            .like(6.0, 1.0)
            .positive(rolling);
        k.key(
            "lateral_coefficient",
            Unit::Force,
            "Force per lateral creepage.",
        )
        .like(5.0, 1.0)
        .positive(lateral);
        let doc = "Speed of the vehicle, which creepage refers to.";
        k.key("speed", Unit::Velocity, doc)
            .like(3.0, 1.0)
            .positive(&mut self.speed);
    }
}

/// What happens at the contact; pairs are rolling and lateral.
struct Rail<S> {
    place: Vector<S>,
    directions: [Vector<S>; 2],
    creepage: [S; 2],
    force: [S; 2],
}

impl Creep {
    /// Place of the contact, directions and forces.
    fn forces<S: Scalar>(&self, normal: S, b: &Frame<S>) -> Result<Rail<S>, OutOfDomain> {
        let wheel = Wheel::of(b, self.point.point, self.axis.direction)?;
        let arm = wheel.down.map(|x| x * self.radius);
        let v = add(b.velocity_at(self.point.point), cross(b.spin(), arm));
        let directions = [wheel.forward, wheel.lateral];
        let creepage = directions.map(|u| dot(v, u) / self.speed);
        let mut force = [S::from(0.0); 2];
        if normal.value() > 0.0 {
            let most = normal * self.friction;
            force =
                std::array::from_fn(|i| -(most * tanh(creepage[i] * self.coefficients[i] / most)));
        }
        Ok(Rail {
            place: add(wheel.centre, arm),
            directions,
            creepage,
            force,
        })
    }
}

impl Law for Creep {
    fn wrench<S: Scalar>(&self, at: Bodies<'_, S>) -> Result<[S; COLUMNS], OutOfDomain> {
        let Bodies { inputs, b, .. } = at;
        let rail = self.forces(inputs[0], b)?;
        let (directions, forces) = (rail.directions, rail.force);
        let force = add(
            scaled(directions[0], forces[0]),
            scaled(directions[1], forces[1]),
        );
        let mut on = [S::from(0.0); COLUMNS];
        press(&mut on, 1, b, rail.place, force);
        Ok(on)
    }

    fn values(&self, now: Now) -> [f64; MAX_INPUTS] {
        at_time(now, [&self.normal])
    }
}

impl Force for Creep {
    fn needs_orientation(&self) -> [bool; 2] {
        [false, true]
    }
    stands!();
    fn inputs(&self) -> Vec<&Formula> {
        vec![&self.normal]
    }
    fn place(&mut self, _: &Site, b: &Site) {
        self.point.place(b);
        self.axis.place(b);
    }
    fn pattern(&self, flat: bool) -> ForcePattern {
        // with a load, so that no state hides an entry
        let mut pattern = probe(
            &Creep {
                normal: Formula::constant(1.0),
                ..self.clone()
            },
            flat,
        );
        pattern.by_input = (6..12).map(|row| (row, 0)).collect();
        pattern
    }

    derived!(eval by_scalar);

    fn energy(&self, at: &ForcePoint<'_>) -> ForceEnergy {
        spent(self, at)
    }
    fn channels(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("creepage.rolling", ""),
            ("creepage.lateral", ""),
            ("force.rolling", "N"),
            ("force.lateral", "N"),
        ]
    }
    fn observe(&self, at: &ForcePoint<'_>, out: &mut [f64]) {
        match self.forces(inputs(self, at)[0], at.b) {
            Ok(rail) => {
                out[..2].copy_from_slice(&rail.creepage);
                out[2..4].copy_from_slice(&rail.force);
            }
            Err(_) => out[..4].fill(f64::NAN),
        }
    }
}
