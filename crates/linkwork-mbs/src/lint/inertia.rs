//! Masses and moments of inertia.

use super::parts::Mass;
use super::{Finding, Scene, Severity};
use crate::body::Shape;
use crate::handle::BodyRef;
use linkwork_dae::dense::Matrix;
use linkwork_dae::system::{Part, Row, System};

/// Decades between masses that double precision can still carry through a solve.
const MASS_RATIO: f64 = 1e8;
/// A radius of gyration this many times the size of the mechanism is no radius.
const WIDE: f64 = 10.0;
/// One below this share of it is suspicious, but may be a dainty part.
const NARROW: f64 = 1e-3;

/// Moments of inertia may exceed the sum of the other two by this factor: those of measured thin
/// parts do, by rounding.
const LENIENT: f64 = 1.25;

/// Directions of coordinates without inertia that the joints do not hold: the kernel of the columns
/// of `C_q` that belong to them.
pub(super) fn massless_direction(scene: &Scene<'_>) -> Vec<Finding> {
    let Some(equations) = &scene.equations else {
        return Vec::new();
    };
    let sys = &equations.assembly;
    let light: Vec<usize> = (0..equations.inert.len())
        .filter(|&i| !equations.inert[i])
        .collect();
    let mut a = Matrix::zero(sys.facts().dims.rows(), light.len());
    for (&(i, j), x) in sys.facts().patterns[Part::Cq].iter().zip(&equations.c_q) {
        if let Ok(k) = light.binary_search(&(j as usize)) {
            a[(i as usize, k)] += x;
        }
    }
    let free: Vec<Row> = columns_without_pivot(&mut a)
        .into_iter()
        .map(|k| Row::Position(light[k]))
        .collect();
    free.iter()
        .map(|row| {
            let part = sys.facts().names.owner(*row);
            scene.finding(
                "massless-direction",
                Severity::Error,
                &part,
                format!(
                    "{} can move and has no inertia",
                    sys.facts().names.describe(*row)
                ),
                "give the body mass and inertia, or hold it with joints",
            )
        })
        .collect()
}

/// Columns that depend on others, by elimination with full pivoting.
fn columns_without_pivot(a: &mut Matrix) -> Vec<usize> {
    const DEPENDENT: f64 = 1e-9;
    let (m, n) = (a.rows(), a.columns());
    let mut row_used = vec![false; m];
    let mut free: Vec<usize> = (0..n).collect();
    let mut top = 0.0f64;
    while !free.is_empty() {
        let mut best = (0, 0, 0.0);
        for i in (0..m).filter(|&i| !row_used[i]) {
            for (k, &j) in free.iter().enumerate() {
                if a[(i, j)].abs() > best.2 {
                    best = (i, k, a[(i, j)].abs());
                }
            }
        }
        let (i, k, size) = best;
        top = top.max(size);
        if !(size > DEPENDENT * top) {
            break;
        }
        row_used[i] = true;
        let pivot = free.remove(k);
        for r in (0..m).filter(|&r| !row_used[r]) {
            let l = a[(r, pivot)] / a[(i, pivot)];
            for &j in &free {
                let u = a[(i, j)];
                a[(r, j)] -= l * u;
            }
        }
    }
    free
}

/// Joined bodies without mass.
pub(super) fn massless_chain(scene: &Scene<'_>) -> Vec<Finding> {
    let massless = |b: BodyRef| scene.mass(b).filter(|body| body.mass == 0.0);
    let joints = scene.joints();
    (joints.iter())
        .filter_map(|j| Some((j, massless(j.a)?, massless(j.b)?)))
        .map(|(j, a, b)| {
            scene.finding(
                "massless-chain",
                Severity::Hint,
                j.name,
                format!(
                    "joint `{}` connects `{}` and `{}`, both without mass",
                    j.name, a.name, b.name
                ),
                "a chain without mass passes forces on at once; give one of them some mass if the motion looks odd",
            )
        })
        .collect()
}

/// Masses far apart.
pub(super) fn mass_ratio(scene: &Scene<'_>) -> Vec<Finding> {
    let by_mass = |a: &&Mass<'_>, b: &&Mass<'_>| a.mass.total_cmp(&b.mass);
    let all = scene.masses();
    let bodies = || all.iter().filter(|b| b.mass > 0.0);
    let (Some(light), Some(heavy)) = (bodies().min_by(by_mass), bodies().max_by(by_mass)) else {
        return Vec::new();
    };
    if heavy.mass <= MASS_RATIO * light.mass {
        return Vec::new();
    }
    let message = format!(
        "body `{}` has {:.0e} kg beside {:.0e} kg of `{}`",
        light.name, light.mass, heavy.mass, heavy.name
    );
    let help = format!(
        "check the units (g, kg, t); if both are right, let `{}` be massless or `{}` the ground",
        light.name, heavy.name
    );
    let finding = scene.finding("mass-ratio", Severity::Warning, light.name, message, help);
    vec![finding.at("mass")]
}

/// Radii of gyration that do not fit the mechanism.
pub(super) fn gyration(scene: &Scene<'_>) -> Vec<Finding> {
    // a lone body has no size to compare with
    if scene.is_loose() {
        return Vec::new();
    }
    let bodies = scene.masses();
    let radii = bodies.iter().filter_map(|b| {
        let [_, inertia] = b.inertia?;
        (b.mass > 0.0 && inertia > 0.0).then(|| (b, (inertia / b.mass).sqrt()))
    });
    radii
        .filter_map(|(b, radius)| {
            let ratio = radius / scene.length;
            let severity = if ratio > WIDE {
                Severity::Warning
            } else if ratio < NARROW {
                Severity::Hint
            } else {
                return None;
            };
            let message = format!(
                "body `{}`: mass and inertia belong to a body of about {:.1e} m in a mechanism of {:.1e} m",
                b.name, radius, scene.length
            );
            let help = "the inertia is about the centre of mass, in kg m^2; units can be written: \"22 g cm^2\"";
            Some(scene.finding("gyration", severity, b.name, message, help).at("inertia"))
        })
        .collect()
}

/// Moments of inertia that no distribution of mass has. With `P` the matrix of second moments,
/// `J = tr(P) - P`: each moment is at most the sum of the other two.
pub(super) fn triangle(scene: &Scene<'_>) -> Vec<Finding> {
    let bodies = scene.model.bodies.iter();
    let rigid = bodies.filter_map(|b| match b.shape {
        Shape::Rigid { inertia } => Some((b, [inertia[0][0], inertia[1][1], inertia[2][2]])),
        _ => None,
    });
    rigid
        .filter_map(|(b, j)| {
            let axis = (0..3).find(|&i| j[i] > LENIENT * (j[(i + 1) % 3] + j[(i + 2) % 3]))?;
            let message = format!(
                "body `{}`: the moment of inertia about {} is {}, more than the other two together ({} and {}): no mass is spread like that",
                b.name,
                ["x", "y", "z"][axis],
                j[axis],
                j[(axis + 1) % 3],
                j[(axis + 2) % 3],
            );
            let help = "a flat body has the sum of the other two about its normal, every other body less; check digits, units and the order Jxx, Jyy, Jzz";
            let finding = scene.finding("triangle", Severity::Warning, &b.name, message, help);
            Some(finding.at("inertia"))
        })
        .collect()
}
