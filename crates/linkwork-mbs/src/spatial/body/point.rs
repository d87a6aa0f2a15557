//! Point mass in space: position only.

use super::{Body, BodyEntry, EXACT, MASS, POSITION, VELOCITY};
use crate::units::Unit;

pub(super) const ENTRY: BodyEntry = BodyEntry {
    kind: "point",
    summary: "A point mass: x, y and z, no orientation.",
    keys: &[MASS, POSITION, VELOCITY, EXACT],
    read: |f| Body::point(f.name(), f.not_negative("mass", Unit::Mass)?).read_motion(f),
};
