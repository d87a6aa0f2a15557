//! Planar body: moves parallel to the x-y plane and turns about z.

use super::{Body, BodyEntry, CENTRE, EXACT, MASS, POSITION, Shape, VELOCITY};
use crate::field::Key;
use crate::units::Unit;

pub(super) const ENTRY: BodyEntry = BodyEntry {
    kind: "planar",
    in_plane: Some("rigid"),
    summary: "A body that moves parallel to the x-y plane: x and y of its centre of mass, and an \
              angle about z.",
    keys: &[
        MASS,
        Key::required(
            "inertia",
            Unit::Inertia,
            "Moment of inertia about the axis through the centre of mass along z.",
        ),
        CENTRE,
        POSITION,
        Key::optional("angle", Unit::Angle, "0", "Start angle about z."),
        VELOCITY,
        Key::optional(
            "angular_velocity",
            Unit::AngularVelocity,
            "0",
            "Start angular velocity about z.",
        ),
        EXACT,
    ],
    read: |f| {
        let mass = f.not_negative("mass", Unit::Mass)?;
        let inertia = f.not_negative("inertia", Unit::Inertia)?;
        let angle = f.number_or("angle", Unit::Angle, 0.0)?;
        let mut body = Body::planar(f.name(), mass, inertia).read_motion(f)?;
        body.shape = Shape::Planar { inertia, angle };
        body.angular_velocity[2] = f.number_or("angular_velocity", Unit::AngularVelocity, 0.0)?;
        body.centre_of_mass = f.vector_or("centre_of_mass", Unit::Length, [0.0; 3])?;
        if body.velocity[2] != 0.0 {
            return Err(f.error("velocity", "a planar body cannot leave its plane"));
        }
        Ok(body)
    },
};
