//! The directions of a marker, in whatever form they are written.

use crate::error::ModelError;
use crate::geometry::{Vector, cross, norm, unit};
use crate::orientation;
use crate::text::Fields;
use crate::units::Unit;
use linkwork_dae::rotation::matrix;

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

/// Ways to write an orientation as bodies do.
const ORIENTATIONS: [&str; 6] = [
    "quaternion",
    "rotation_vector",
    "cardan",
    "euler",
    "rotation_axis",
    "rotation_angle",
];

impl Directions {
    pub fn read(fields: &Fields<'_>) -> Result<Directions, ModelError> {
        if fields.in_plane() {
            let angle = fields.optional_number("angle", Unit::Angle)?;
            return Ok(angle.map_or(Directions::None, Directions::Plane));
        }
        let (axis, normal) = (direction(fields, "axis")?, direction(fields, "normal")?);
        if let Some(form) = ORIENTATIONS.into_iter().find(|key| fields.has(key)) {
            if axis.or(normal).is_some() {
                let message = "`axis` and `normal` give the orientation already";
                return Err(fields.error(form, message));
            }
            let r = matrix(orientation::read(fields)?);
            let column = |j: usize| [r[0][j], r[1][j], r[2][j]];
            return Ok(Directions::Space {
                axis: column(2),
                normal: Some(column(0)),
            });
        }
        match (axis, normal) {
            (None, None) => Ok(Directions::None),
            (None, Some(_)) => Err(fields.error("normal", "needs `axis` as well")),
            (Some(z), Some(x)) if !(norm(cross(z, x)) > 1e-6) => {
                Err(fields.error("normal", "`normal` must not be along `axis`"))
            }
            (Some(axis), normal) => Ok(Directions::Space { axis, normal }),
        }
    }

    /// The angle in the plane.
    pub fn angle(self) -> Option<f64> {
        match self {
            Directions::Plane(angle) => Some(angle),
            _ => None,
        }
    }
}

fn direction(fields: &Fields<'_>, key: &'static str) -> Result<Option<Vector>, ModelError> {
    if !fields.has(key) {
        return Ok(None);
    }
    let v = fields.direction(key)?;
    let length = norm(v);
    if length > 0.0 && length.is_finite() {
        return Ok(Some(unit(v)));
    }
    Err(fields.error(key, "a direction needs a length"))
}
