//! Rigid body in space: centre of mass and orientation, constant mass and moments of inertia.

use super::{Body, BodyEntry, CENTRE, EXACT, MASS, POSITION, Shape, VELOCITY};
use crate::error::ModelError;
use crate::field::{Form, Key};
use crate::geometry::{Matrix, cross, dot};
use crate::orientation::{
    self, CARDAN, EULER, QUATERNION, ROTATION_ANGLE, ROTATION_AXIS, ROTATION_VECTOR,
};
use crate::text::Fields;
use crate::units::Unit;

pub(super) const ENTRY: BodyEntry = BodyEntry {
    kind: "rigid",
    in_plane: None,
    summary: "A rigid body: x, y and z of its centre of mass, and an orientation.",
    keys: &[
        MASS,
        Key::required(
            "inertia",
            Unit::Inertia,
            "Moments of inertia about the centre of mass in body axes: a number for all three \
             axes, [Jxx, Jyy, Jzz], [Jxx, Jyy, Jzz, Jxy, Jxz, Jyz] or three rows; off-diagonal \
             entries are those of the matrix, minus the products of inertia.",
        )
        .takes(Form::List),
        CENTRE,
        POSITION,
        QUATERNION,
        ROTATION_VECTOR,
        CARDAN,
        EULER,
        ROTATION_AXIS,
        ROTATION_ANGLE,
        VELOCITY,
        Key::optional(
            "angular_velocity",
            Unit::AngularVelocity,
            "[0, 0, 0]",
            "Start angular velocity, in body axes.",
        )
        .takes(Form::Vector),
        EXACT,
    ],
    read: |f| {
        let mass = f.not_negative("mass", Unit::Mass)?;
        let inertia = read_inertia(f)?;
        let mut body = Body::rigid(f.name(), mass, [0.0; 3]).read_motion(f)?;
        body.shape = Shape::Rigid { inertia };
        body.orientation = orientation::read(f)?;
        body.centre_of_mass = f.vector_or("centre_of_mass", Unit::Length, [0.0; 3])?;
        body.angular_velocity = f.vector_or("angular_velocity", Unit::AngularVelocity, [0.0; 3])?;
        Ok(body)
    },
};

fn read_inertia(f: &Fields<'_>) -> Result<Matrix, ModelError> {
    let numbers = f.quantities("inertia", Unit::Inertia)?;
    let inertia = match numbers[..] {
        [a] => [[a, 0.0, 0.0], [0.0, a, 0.0], [0.0, 0.0, a]],
        [a, b, c] => [[a, 0.0, 0.0], [0.0, b, 0.0], [0.0, 0.0, c]],
        [a, b, c, d, e, g] => [[a, d, e], [d, b, g], [e, g, c]],
        [a, b, c, d, e, g, h, i, j] => [[a, b, c], [d, e, g], [h, i, j]],
        _ => {
            let message = format!("`inertia` has 1, 3, 6 or 9 numbers, not {}", numbers.len());
            return Err(f.error("inertia", message));
        }
    };
    match inertia_problem(&inertia) {
        Some(why) => Err(f.error("inertia", why)),
        None => Ok(inertia),
    }
}

/// Why a matrix cannot be an inertia: it is symmetric and no rotation has negative energy.
pub(super) fn inertia_problem(j: &Matrix) -> Option<String> {
    if j.as_flattened().iter().any(|x| !x.is_finite()) {
        return Some("moments of inertia must be finite".into());
    }
    let size = j[0][0].abs().max(j[1][1].abs()).max(j[2][2].abs());
    let same = |a: f64, b: f64| (a - b).abs() <= 1e-12 * size;
    if !(same(j[0][1], j[1][0]) && same(j[0][2], j[2][0]) && same(j[1][2], j[2][1])) {
        return Some("the matrix of the moments of inertia must be symmetric".into());
    }
    // Principal minors; roundings of a rod without thickness must pass.
    let least = -1e-12 * size;
    let minor = |a: usize, b: usize| j[a][a] * j[b][b] - j[a][b] * j[a][b];
    let determinant = dot(j[0], cross(j[1], j[2]));
    let sound = (0..3).all(|i| j[i][i] >= 0.0)
        && [minor(0, 1), minor(0, 2), minor(1, 2)]
            .into_iter()
            .all(|m| m >= least * size)
        && determinant >= least * size * size;
    (!sound).then(|| "the moments of inertia must not be negative about any axis".into())
}
