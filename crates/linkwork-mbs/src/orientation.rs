//! Orientations as people write and read them.
//!
//! ```text
//!  quaternion       cos(a/2), then sin(a/2) times the axis
//!  rotation vector  axis times angle
//!  cardan           angles about x, then the new y, then the new z
//!  euler            angles about z, then the new x, then the new z
//!  yaw pitch roll   angles about z, then the new y, then the new x: what results show
//! ```

use crate::error::ModelError;
use crate::field::{Form, Key, Value};
use crate::geometry::{Matrix, Vector, norm};
use crate::part::{Keys, Slot};
use crate::text::Fields;
use crate::units::Unit;
use linkwork_dae::rotation::{IDENTITY, Quaternion, compose, exp, matrix, normalise};

/// The rotation by a rotation vector.
pub fn rotation_by(vector: Vector) -> Matrix {
    matrix(exp(vector))
}

/// The quaternion of turns about the numbered axes, each in the frame that those before it made.
fn turns(axes: [usize; 3], angles: Vector) -> Quaternion {
    let mut all = IDENTITY;
    for (axis, angle) in axes.into_iter().zip(angles) {
        let mut vector = [0.0; 3];
        vector[axis] = angle;
        all = compose(all, exp(vector));
    }
    all
}

/// Yaw, pitch and roll of a rotation; at a pitch of a right angle roll is zero.
pub fn yaw_pitch_roll(r: &Matrix) -> Vector {
    let pitch = (-r[2][0]).atan2(r[0][0].hypot(r[1][0]));
    if r[0][0] == 0.0 && r[1][0] == 0.0 {
        return [(-r[0][1]).atan2(r[1][1]), pitch, 0.0];
    }
    [r[1][0].atan2(r[0][0]), pitch, r[2][1].atan2(r[2][2])]
}

/// Ways to write an orientation beside the quaternion, with what they are called and mean.
const FORMS: [Key; 5] = [
    Key::optional(
        "rotation_vector",
        Unit::Angle,
        "not used",
        "Orientation: the axis of rotation times its angle.",
    )
    .takes(Form::Vector),
    Key::optional(
        "cardan",
        Unit::Angle,
        "not used",
        "Orientation: angles about x, the new y and the new z.",
    )
    .takes(Form::Vector),
    Key::optional(
        "euler",
        Unit::Angle,
        "not used",
        "Orientation: angles about z, the new x and the new z.",
    )
    .takes(Form::Vector),
    Key::direction(
        "rotation_axis",
        "not used",
        "Orientation: the axis that `rotation_angle` turns about.",
    ),
    Key::optional(
        "rotation_angle",
        Unit::Angle,
        "not used",
        "Orientation: the angle about `rotation_axis`.",
    ),
];

/// Visits the keys of an orientation, of which one or none is given; what holds then is told in words.
pub(crate) fn keys(k: &mut Keys<'_>, otherwise: &'static str, slot: &mut impl Slot<Quaternion>) {
    let doc = "Orientation: scalar part, then vector part; normalised.";
    k.tell(Key::optional("quaternion", Unit::None, otherwise, doc).takes(Form::List));
    FORMS.into_iter().for_each(|key| k.tell(key));
    if let Some(Some(turn)) = k.read(read) {
        Slot::<Quaternion>::put(slot, turn);
    }
    if let Some(draw) = k.draw() {
        Slot::<Quaternion>::put(slot, exp([draw(), draw(), draw()]));
    }
    if let Some(turn) = Slot::<Quaternion>::get(slot) {
        k.write("quaternion", || Value::numbers(turn));
    }
}

/// The orientation in the one form that is given.
fn read(f: &Fields<'_>) -> Result<Option<Quaternion>, ModelError> {
    let forms = ["quaternion", "rotation_vector", "cardan", "euler"];
    let mut given = forms
        .into_iter()
        .chain(["rotation_axis"])
        .filter(|key| f.has(key));
    let form = given.next();
    if let (Some(first), Some(second)) = (form, given.next()) {
        return Err(f.error(second, format!("`{first}` already gives the orientation")));
    }
    if f.has("rotation_angle") && !f.has("rotation_axis") {
        return Err(f.error("rotation_angle", "needs `rotation_axis` as well"));
    }
    let Some(form) = form else {
        return Ok(None);
    };
    let turn = match form {
        "quaternion" => {
            let numbers = f.numbers("quaternion")?;
            let [a, b, c, d] = numbers[..] else {
                let message = format!("`quaternion` has 4 numbers, not {}", numbers.len());
                return Err(f.error("quaternion", message));
            };
            let length = norm([a, b, norm([c, d, 0.0])]);
            if !(length > 0.0 && length.is_finite()) {
                return Err(f.error("quaternion", "a quaternion needs a length"));
            }
            let q = [a, b, c, d];
            // What was written with all its digits is to be read back unchanged.
            match (length - 1.0).abs() < 4.0 * f64::EPSILON {
                true => q,
                false => normalise(q),
            }
        }
        "rotation_vector" => exp(f.vector("rotation_vector", Unit::Angle)?),
        "cardan" => turns([0, 1, 2], f.vector("cardan", Unit::Angle)?),
        "euler" => turns([2, 0, 2], f.vector("euler", Unit::Angle)?),
        _ => {
            let axis = f.vector("rotation_axis", Unit::None)?;
            let length = norm(axis);
            if !(length > 0.0 && length.is_finite()) {
                return Err(f.error("rotation_axis", "a direction needs a length"));
            }
            let angle = f.number("rotation_angle", Unit::Angle)?;
            exp(axis.map(|x| x * (angle / length)))
        }
    };
    Ok(Some(turn))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::product;

    fn about(axis: usize, angle: f64) -> Matrix {
        let mut v = [0.0; 3];
        v[axis] = angle;
        rotation_by(v)
    }

    #[test]
    fn successive_turns_are_products() {
        let (a, b, c) = (0.3, -0.8, 1.2);
        let want = product(&product(&about(0, a), &about(1, b)), &about(2, c));
        let got = matrix(turns([0, 1, 2], [a, b, c]));
        for i in 0..9 {
            assert!((want.as_flattened()[i] - got.as_flattened()[i]).abs() < 1e-15);
        }
    }

    #[test]
    fn yaw_pitch_and_roll_are_found_again() {
        for angles in [[0.4, -0.3, 2.0], [-3.0, 1.2, 0.1], [0.0, 0.0, 0.0]] {
            let r = matrix(turns([2, 1, 0], angles));
            let back = yaw_pitch_roll(&r);
            for i in 0..3 {
                assert!((back[i] - angles[i]).abs() < 1e-14);
            }
        }
    }
}
