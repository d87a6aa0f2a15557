//! Rigid body: centre of mass and angle, constant mass and moment of inertia.

use super::{Body, BodyEntry, EXACT, MASS, POSITION, VELOCITY};
use crate::field::Key;
use crate::units::Unit;

pub(super) const ENTRY: BodyEntry = BodyEntry {
    kind: "rigid",
    summary: "A rigid body: x and y of its centre of mass, and an angle.",
    keys: &[
        MASS,
        Key::required(
            "inertia",
            Unit::Inertia,
            "Moment of inertia about the centre of mass.",
        ),
        POSITION,
        Key::optional("angle", Unit::Angle, "0", "Start angle."),
        VELOCITY,
        Key::optional(
            "angular_velocity",
            Unit::AngularVelocity,
            "0",
            "Start angular velocity.",
        ),
        EXACT,
    ],
    read: |f| {
        let mass = f.not_negative("mass", Unit::Mass)?;
        let inertia = f.not_negative("inertia", Unit::Inertia)?;
        let mut body = Body::rigid(f.name(), mass, inertia).read_motion(f)?;
        body.angle = f.number_or("angle", Unit::Angle, 0.0)?;
        body.angular_velocity = f.number_or("angular_velocity", Unit::AngularVelocity, 0.0)?;
        Ok(body)
    },
};
