//! Rigid body in space: centre of mass and orientation, constant mass and moments of inertia.

use super::{Body, BodyEntry, Draft, Shape};
use crate::error::ModelError;
use crate::field::{Form, Value};
use crate::geometry::{Matrix, cross, dot};
use crate::part::Keys;
use crate::text::Fields;
use crate::units::Unit;

pub(super) const ENTRY: BodyEntry = BodyEntry {
    kind: "rigid",
    summary: "A rigid body: x, y and z of its centre of mass, and an orientation.",
    in_plane: false,
    blank: || Draft::blank(Body::rigid("", 0.0, [0.0; 3]), keys),
};

pub(super) fn keys(body: &mut Body, k: &mut Keys<'_>) {
    body.mass_key(k);
    if let Shape::Rigid { inertia } = &mut body.shape {
        let doc = "Moments of inertia about the centre of mass in body axes: a number for all three \
                   axes, [Jxx, Jyy, Jzz], [Jxx, Jyy, Jzz, Jxy, Jxz, Jyz] or three rows; off-diagonal \
                   entries are those of the matrix, minus the products of inertia.";
        k.key("inertia", Unit::Inertia, doc).special(
            Form::List,
            inertia,
            read_inertia,
            |j: &Matrix| Value::List(j.iter().map(|row| Value::numbers(row)).collect()),
            |draw| matrix([(); 6].map(|()| 0.2 * draw()), 2.0),
        );
        let why = inertia_problem(inertia);
        k.rule("inertia", why.is_none(), why.unwrap_or_default());
    }
    body.centre_key(k);
    body.position_key(k);
    body.orientation_keys(k);
    body.velocity_key(k);
    body.spin_key(k);
    body.exact_key(k);
}

/// The symmetric matrix of Jxx, Jyy, Jzz, Jxy, Jxz, Jyz, and more on its diagonal.
fn matrix([a, b, c, d, e, g]: [f64; 6], more: f64) -> Matrix {
    [[a + more, d, e], [d, b + more, g], [e, g, c + more]]
}

fn read_inertia(f: &Fields<'_>, key: &'static str) -> Result<Matrix, ModelError> {
    let numbers = f.quantities(key, Unit::Inertia)?;
    match numbers[..] {
        [a] => Ok(matrix([a, a, a, 0.0, 0.0, 0.0], 0.0)),
        [a, b, c] => Ok(matrix([a, b, c, 0.0, 0.0, 0.0], 0.0)),
        [a, b, c, d, e, g] => Ok(matrix([a, b, c, d, e, g], 0.0)),
        [a, b, c, d, e, g, h, i, j] => Ok([[a, b, c], [d, e, g], [h, i, j]]),
        _ => {
            let message = format!("`inertia` has 1, 3, 6 or 9 numbers, not {}", numbers.len());
            Err(f.error(key, message))
        }
    }
}

/// Why a matrix cannot be an inertia: it is symmetric and no rotation has negative energy.
fn inertia_problem(j: &Matrix) -> Option<String> {
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
