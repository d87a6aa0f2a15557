//! Planar body: moves parallel to the x-y plane and turns about z.

use super::{Body, BodyEntry, Draft, Shape};
use crate::part::Keys;
use crate::units::Unit;

pub(super) const ENTRY: BodyEntry = BodyEntry {
    kind: "planar",
    summary: "A body that moves parallel to the x-y plane: x and y of its centre of mass, and an \
              angle about z.",
    in_plane: true,
    blank: || Draft::blank(Body::planar("", 0.0, 0.0), keys),
};

pub(super) fn keys(body: &mut Body, k: &mut Keys<'_>) {
    body.mass_key(k);
    if let Shape::Planar { inertia, .. } = &mut body.shape {
        let doc = "Moment of inertia about the axis through the centre of mass along z.";
        k.key("inertia", Unit::Inertia, doc).not_negative(inertia);
    }
    body.centre_key(k);
    body.position_key(k);
    if let Shape::Planar { angle, .. } = &mut body.shape {
        k.key("angle", Unit::Angle, "Start angle about z.")
            .or(0.0)
            .number(angle);
    }
    body.velocity_key(k);
    let [x, y, z] = &mut body.angular_velocity;
    let doc = "Start angular velocity about z.";
    k.key("angular_velocity", Unit::AngularVelocity, doc)
        .or(0.0)
        .number(z);
    k.placed(|| match [*x, *y] == [0.0; 2] {
        true => Ok(()),
        false => Err("a planar body cannot leave its plane".into()),
    });
    body.exact_key(k);
}
