//! Point mass: position only.

use super::{Body, BodyEntry, MASS, POSE, POSITION, START_VELOCITY, VELOCITY};
use crate::units::Unit;

pub(super) const ENTRY: BodyEntry = BodyEntry {
    kind: "point",
    summary: "A point mass: x and y, no angle.",
    keys: &[MASS, POSITION, VELOCITY, POSE, START_VELOCITY],
    read: |f| Body::point(f.name(), f.positive("mass", Unit::Mass)?).read_motion(f),
};
