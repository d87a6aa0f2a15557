//! The directions of a marker.

use crate::geometry::Vector;

/// Directions in the frame of the body, as far as they are given.
#[derive(Clone, Copy, Debug)]
pub(super) enum Directions {
    /// None.
    None,
    /// The angle of the x axis of a marker in the plane.
    Plane(f64),
    /// The z axis in space, and x where it is given.
    Space {
        axis: Vector,
        normal: Option<Vector>,
    },
}

impl Directions {
    /// The angle in the plane.
    pub fn angle(self) -> Option<f64> {
        match self {
            Directions::Plane(angle) => Some(angle),
            _ => None,
        }
    }
}
