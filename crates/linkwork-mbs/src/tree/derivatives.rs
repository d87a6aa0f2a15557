//! Derivatives of inverse dynamics by positions and velocities, entry by entry.
//!
//! From the [`Generators`]; the cost is that of the pairs of coordinates on common paths, `O(N d)`.
//! For joints with rotation vectors derivatives are along the tangent: increments of the angular
//! velocity's kind, in child axes.

use super::branches::Branches;
use super::crba::Lanes;
use super::spatial::{Force, Motion, Vec3};
use super::{Generators, Kinematics, Tree};

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
    j: Lanes,
    da: Lanes,
    dav: Lanes,
    dv: Lanes,
    row: Vec<f64>,
}

impl Derivatives {
    /// Room for a tree.
    pub fn new(tree: &Tree, branches: &Branches) -> Derivatives {
        let entries = || vec![0.0; branches.entries()];
        let lanes = || Lanes::new(tree.nv());
        Derivatives {
            q_lower: entries(),
            q_upper: entries(),
            v_lower: entries(),
            v_upper: entries(),
            j: lanes(),
            da: lanes(),
            dav: lanes(),
            dv: lanes(),
            row: vec![0.0; tree.nv()],
        }
    }

    /// Fills all entries from the list that `generators` has made with `kin`.
    pub fn run(
        &mut self,
        tree: &Tree,
        branches: &Branches,
        kin: &Kinematics,
        generators: &Generators,
        list: &[f64],
    ) {
        let angular = |w: Vec3| Motion::new(w, Vec3::ZERO);
        for (i, node) in tree.nodes.iter().enumerate() {
            let p = kin.pose[i].p;
            for (l, k) in node.dofs().enumerate() {
                let g = generators.column(list, i, l);
                self.j.set(k, g.j, p);
                self.da.set(k, g.da, p);
                self.dav.set(k, g.dav, p);
                self.dv.set(k, angular(g.dv), p);
            }
        }
        for (i, node) in tree.nodes.iter().enumerate() {
            let p = kin.pose[i].p;
            let nd = node.joint.dof();
            let own = generators.own(list, i, nd);
            for (l, k) in node.dofs().enumerate() {
                let g = generators.column(list, i, l);
                let at = branches.row(k);
                let n = at.len();
                let turn = Force::new(g.dj, Vec3::ZERO);
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
                for m in 0..=l {
                    let there = at.start + n - 1 - (l - m);
                    let other = generators.column(list, i, m);
                    self.q_upper[there] += own[m * nd + l];
                    self.q_lower[there] = g.j.dot(other.phi_q) + own[l * nd + m];
                    self.v_lower[there] = g.j.dot(other.phi_v);
                }
            }
        }
    }
}
