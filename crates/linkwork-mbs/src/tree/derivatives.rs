//! Derivatives of inverse dynamics by positions and velocities, entry by entry.
//!
//! From a few vectors for each coordinate (`generators.rs`); the cost is that of the pairs of
//! coordinates on common paths, `O(N d)`.
//! For joints with rotation vectors derivatives are along the tangent: increments of the angular
//! velocity's kind, in child axes.

mod generators;

pub use generators::Point;

use super::branches::Branches;
use super::crba::MotionLanes;
use super::spatial::{Twist, Vec3, Wrench};
use super::{Kinematics, Tree};
use generators::Generators;

/// Derivatives of the joint forces of one tree, in the order of the branches: entry `j` of row `i` is
/// `tau_i` by coordinate `j` in the lower lists, `tau_j` by coordinate `i` in the upper ones.
#[derive(Clone, Debug, Default)]
pub struct Derivatives {
    /// By positions, lower triangle.
    pub q_lower: Vec<f64>,
    /// By positions, upper triangle.
    pub q_upper: Vec<f64>,
    /// By velocities, lower triangle.
    pub v_lower: Vec<f64>,
    /// By velocities, upper triangle.
    pub v_upper: Vec<f64>,
    generators: Generators,
    j: MotionLanes,
    da: MotionLanes,
    dav: MotionLanes,
    dv: MotionLanes,
    row: Vec<f64>,
}

impl Derivatives {
    /// Room for a tree.
    pub fn new(tree: &Tree, branches: &Branches) -> Derivatives {
        let entries = || vec![0.0; branches.entries()];
        let lanes = || MotionLanes::new(tree.nv());
        Derivatives {
            q_lower: entries(),
            q_upper: entries(),
            v_lower: entries(),
            v_upper: entries(),
            generators: Generators::new(tree),
            j: lanes(),
            da: lanes(),
            dav: lanes(),
            dv: lanes(),
            row: vec![0.0; tree.nv()],
        }
    }

    /// Fills all entries at a state. `kin` receives poses, velocities and accelerations, with gravity
    /// at the root.
    pub fn run(
        &mut self,
        tree: &Tree,
        branches: &Branches,
        kin: &mut Kinematics,
        point: &Point<'_>,
    ) {
        self.generators.run(tree, kin, point);
        let generators = &self.generators;
        let angular = |w: Vec3| Twist::new(w, Vec3::ZERO);
        for (i, node) in tree.nodes.iter().enumerate() {
            let p = kin.pose[i].p;
            for k in node.dofs() {
                let g = &generators.list[k];
                self.j.set(k, g.j, p);
                self.da.set(k, g.da, p);
                self.dav.set(k, g.dav, p);
                self.dv.set(k, angular(g.dv), p);
            }
        }
        for (i, node) in tree.nodes.iter().enumerate() {
            let p = kin.pose[i].p;
            for k in node.dofs() {
                let g = &generators.list[k];
                let at = branches.row(k);
                let n = at.len();
                let turn = Wrench::new(g.dj, Vec3::ZERO);
                let spare = &mut self.row[..n];
                for (lanes, also, lower) in [
                    (&self.da, &self.dv, &mut self.q_lower),
                    (&self.dav, &self.j, &mut self.v_lower),
                ] {
                    let lower = &mut lower[at.clone()];
                    lanes.dot_path(branches, k, g.yj, p, lower);
                    also.dot_path(branches, k, turn, p, spare);
                    for (x, y) in lower.iter_mut().zip(spare.iter()) {
                        *x += y;
                    }
                }
                let (q_upper, v_upper) =
                    (&mut self.q_upper[at.clone()], &mut self.v_upper[at.clone()]);
                self.j.dot_path(branches, k, g.phi_q, p, q_upper);
                self.j.dot_path(branches, k, g.phi_v, p, v_upper);
                // coordinates of the same joint: not inwards, not outwards
                for m in node.dof as usize..=k {
                    let there = at.start + n - 1 - (k - m);
                    let other = &generators.list[m];
                    self.q_upper[there] += generators.within(tree, i, m, k);
                    self.q_lower[there] = g.j.dot(other.phi_q) + generators.within(tree, i, k, m);
                    self.v_lower[there] = g.j.dot(other.phi_v);
                }
            }
        }
    }
}
