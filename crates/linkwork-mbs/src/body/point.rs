//! Point masses: position only.

use super::{Body, BodyEntry, EXACT, MASS, POSITION, VELOCITY};
use crate::units::Unit;

pub(super) const ENTRY: BodyEntry = BodyEntry {
    kind: "point",
    in_plane: None,
    summary: "A point mass: x, y and z, no orientation.",
    keys: &[MASS, POSITION, VELOCITY, EXACT],
    read: |f| Body::point(f.name(), f.not_negative("mass", Unit::Mass)?).read_motion(f),
};

pub(super) const BEAD: BodyEntry = BodyEntry {
    kind: "bead",
    in_plane: Some("point"),
    summary: "A point mass that moves parallel to the x-y plane: x and y, no orientation.",
    keys: &[MASS, POSITION, VELOCITY, EXACT],
    read: |f| {
        let body = Body::bead(f.name(), f.not_negative("mass", Unit::Mass)?).read_motion(f)?;
        match body.velocity[2] == 0.0 {
            true => Ok(body),
            false => Err(f.error("velocity", "a bead cannot leave its plane")),
        }
    },
};
