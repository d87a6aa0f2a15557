//! Velocities and momenta of the bodies of an assembly.
//!
//! Coordinates of a body are those of its centre of mass and, in its own axes, its rotation, so rows of
//! the mass matrix are momenta.

use super::Assembly;
use linkwork_dae::dense::Matrix;
use linkwork_dae::kinetic::{BodyMotions, MotionRow};
use linkwork_dae::system::Part;

/// Freedoms from this one on are rotations.
const ROTATIONS: usize = 3;

impl Assembly {
    /// Motions for the velocities in the columns of `v`.
    pub(super) fn momenta(&self, v: &Matrix) -> BodyMotions {
        let mut rows = Vec::with_capacity(v.rows());
        // targets have no part in the motion of bodies
        let last = self.plan.frames_of.len().saturating_sub(1);
        for body in &self.plan.bodies {
            rows.extend(body.freedoms.iter().map(|freedom| MotionRow {
                body: body.index.min(last),
                turns: Some(*freedom >= ROTATIONS),
            }));
        }
        let mut momentum = Matrix::zero(v.rows(), v.columns());
        let mass = self.plan.patterns[Part::Mass].iter().zip(&self.plan.mass);
        for (&(i, j), m) in mass.filter(|((i, _), _)| !self.plan.is_target(*i)) {
            for k in 0..v.columns() {
                momentum[(i as usize, k)] += m * v[(j as usize, k)];
            }
        }
        BodyMotions {
            names: self.body_names().map(str::to_string).collect(),
            rows,
            velocity: v.clone(),
            momentum,
        }
    }
}
