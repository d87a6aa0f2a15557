//! Point masses: position only.

use super::{Body, BodyEntry, Draft};
use crate::part::Keys;
use linkwork_dae::rotation::IDENTITY;

pub(super) const ENTRY: BodyEntry = BodyEntry {
    kind: "point",
    summary: "A point mass: x, y and z, no orientation.",
    in_plane: false,
    blank: || Draft::blank(Body::point("", 0.0), keys),
};

pub(super) const BEAD: BodyEntry = BodyEntry {
    kind: "bead",
    summary: "A point mass that moves parallel to the x-y plane: x and y, no orientation.",
    in_plane: true,
    blank: || Draft::blank(Body::bead("", 0.0), keys),
};

pub(super) fn keys(body: &mut Body, k: &mut Keys<'_>) {
    body.mass_key(k);
    body.position_key(k);
    body.velocity_key(k);
    body.exact_key(k);
    let still = [body.angular_velocity, body.centre_of_mass] == [[0.0; 3]; 2];
    k.sound(
        still && body.orientation == IDENTITY,
        "a point has no orientation",
    );
}
