//! What holds a pose: the stiffness along the directions that the constraints leave free.

use crate::eigen::eigenpairs;
use crate::linearise::{FullBlocks, LineariseError, largest_of};
use crate::state::State;
use crate::system::{Row, Rows, System};
use crate::tangent::Tangent;

/// Stiffnesses below this share of the largest count as none, or of the forces at work where these are less: forces that
/// turn with the pose make a stiffness, which is known as they are, by what is left of their balance.
const NEUTRAL: f64 = 1e-9;
/// Beside it rounding makes stiffnesses of this share of the largest.
const ROUNDED: f64 = 1e-13;

/// A direction in which the mechanism can move.
#[derive(Clone, Debug, PartialEq)]
pub struct Direction {
    /// The coordinate with the largest share.
    pub row: Row,
    /// Stiffness in J per typical size squared; negative where the pose is pushed away.
    pub stiffness: f64,
    /// Change of every coordinate.
    pub shape: Vec<f64>,
}

/// The principal stiffnesses of a pose.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Support {
    /// Number of free directions.
    pub dof: usize,
    /// Directions without stiffness.
    pub neutral: Vec<Direction>,
    /// Directions with negative stiffness.
    pub unstable: Vec<Direction>,
    /// Smallest positive stiffness over the largest; 1 without directions.
    pub weakest: f64,
}

impl Support {
    /// "stable", "neutral" or "unstable".
    pub fn word(&self) -> &'static str {
        if !self.unstable.is_empty() {
            "unstable"
        } else if !self.neutral.is_empty() {
            "neutral"
        } else {
            "stable"
        }
    }
}

/// Principal stiffnesses `Z' (K - Rx Fx^-1 Fq) Z` at a state; states whose equations do not
/// determine them are held. Forces at work are in J, times the sizes of their coordinates.
pub(super) fn support(
    sys: &mut dyn System,
    s: &State,
    rows: &Rows,
    forces: f64,
) -> Result<Support, LineariseError> {
    let b = FullBlocks::at(sys, s)?;
    let tangent =
        Tangent::new(sys, &b.c_q, rows).map_err(|row| LineariseError::SingularPose { row })?;
    let z = tangent.velocity_basis();
    let mut k = b.r_q.times(&z);
    if let Ok(x) = b.f_x.solve(&b.f_q.times(&z).scaled(-1.0), 1e-12) {
        k = k.plus(&b.r_x.times(&x));
    }
    let reduced = z.transposed().times(&k);
    let pairs = eigenpairs(&reduced)?;
    let largest = pairs.iter().fold(0.0f64, |m, p| m.max(p.value.abs()));
    let none = NEUTRAL * forces.min(largest) + ROUNDED * largest;
    let mut support = Support {
        dof: pairs.len(),
        weakest: 1.0,
        ..Support::default()
    };
    for pair in &pairs {
        let stiffness = pair.value.re;
        let shape: Vec<f64> = (0..z.rows())
            .map(|i| {
                z.row(i)
                    .iter()
                    .zip(&pair.vector)
                    .map(|(z, x)| z * x.re)
                    .sum()
            })
            .collect();
        let direction = Direction {
            row: largest_of(&shape, tangent.scale()),
            stiffness,
            shape,
        };
        if stiffness.abs() <= none {
            support.neutral.push(direction);
        } else if stiffness < 0.0 {
            support.unstable.push(direction);
        } else {
            support.weakest = support.weakest.min(stiffness / largest);
        }
    }
    Ok(support)
}
