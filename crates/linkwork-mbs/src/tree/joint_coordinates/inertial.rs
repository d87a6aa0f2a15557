//! Inertia and weight of the tree in stored form, by recursion: `M` of composite bodies, `K` and `D` as
//! derivatives of inverse dynamics.

use super::square::Square;
use crate::tree::derivatives::Point;
use crate::tree::{Branches, Crba, Derivatives, Kinematics, Tree};
use linkwork_dae::system::{Blocks, Part, Parts};

/// See the [module](self).
#[derive(Clone, Debug)]
pub(super) struct Inertial {
    branches: Branches,
    crba: Crba,
    derivatives: Derivatives,
    /// Where entries of the branches, below and above the diagonal, are in `K` and in `D`.
    stiffness: Vec<[u32; 2]>,
    damping: Vec<[u32; 2]>,
}

/// Where entries of the branches are in a block.
fn slots(tree: &Tree, branches: &Branches, block: &Square) -> Vec<[u32; 2]> {
    let body = tree.body_of_dof();
    let entry = |i: usize, j: usize| block.entry(tree, body[i] as usize, i, j).unwrap_or(0);
    let mut out = vec![[0; 2]; branches.entries()];
    for i in 0..branches.len() {
        for (j, place) in branches.path(i).zip(branches.row(i).rev()) {
            out[place] = [entry(i, j), entry(j, i)];
        }
    }
    out
}

impl Inertial {
    /// For blocks that have an entry for any two coordinates on a common path.
    pub fn new(tree: &Tree, stiffness: &Square, damping: &Square) -> Inertial {
        let branches = Branches::new(tree);
        Inertial {
            crba: Crba::new(tree, &branches),
            derivatives: Derivatives::new(tree, &branches),
            stiffness: slots(tree, &branches, stiffness),
            damping: slots(tree, &branches, damping),
            branches,
        }
    }

    /// (row, column) of the entries of `M`.
    pub fn mass_pattern(&self) -> Vec<(u32, u32)> {
        self.branches.full_pattern()
    }

    /// `M` where the tree is placed.
    pub fn mass(&mut self, tree: &Tree, kin: &Kinematics, out: &mut [f64]) {
        self.crba.run(tree, &self.branches, kin);
        self.branches.spread(&self.crba.mass, &self.crba.mass, out);
    }

    /// Adds the derivatives of inverse dynamics to `K` and `D`; accelerations of the kinematics are
    /// those against gravity afterwards.
    pub fn add_derivatives(
        &mut self,
        tree: &Tree,
        kin: &mut Kinematics,
        point: &Point<'_>,
        parts: Parts,
        out: &mut Blocks,
    ) {
        self.derivatives.run(tree, &self.branches, kin, point);
        let d = &self.derivatives;
        for (part, slots, lower, upper) in [
            (Part::Rq, &self.stiffness, &d.q_lower, &d.q_upper),
            (Part::Rv, &self.damping, &d.v_lower, &d.v_upper),
        ] {
            if !parts.has(part) {
                continue;
            }
            let out = &mut out[part];
            for (&[below, above], (lower, upper)) in slots.iter().zip(lower.iter().zip(upper)) {
                out[below as usize] += lower;
                if above != below {
                    out[above as usize] += upper;
                }
            }
        }
    }
}
