//! `(J' r)_q` at constant absolute residuals `r`: forces `f` and torques `t` (world axes) on bodies.
//!
//! The column of coordinate `j` turns with coordinate `l` if `l` carries it, else the point of attack
//! moves with `l` while the column stays:
//!
//! ```text
//!  row j, column l     l moves j:       w_l . sum of u_j x f
//!                      l does not:      w_j . sum of (u_l x f + w_l x t)      l is further out
//! ```
//!
//! with `u = s + w x d` at each body. The sums need the forces, the torques and the moments
//! `sum of d f'` of everything further out, which one sweep collects.

use super::operators::Paths;
use super::square::{Point, Square};
use crate::tree::{Tree, Vec3};

/// Two coordinates, their entry, and whether the column's moves the row's.
#[derive(Clone, Copy, Debug)]
struct Couple {
    row: u32,
    column: u32,
    entry: u32,
    moved: bool,
}

/// Forces on everything that a body of the tree carries.
#[derive(Clone, Copy, Debug, Default)]
struct Burden {
    force: Vec3,
    torque: Vec3,
    /// Columns of the sum of `d f'`.
    moment: [Vec3; 3],
}

impl Burden {
    fn add(&mut self, o: &Burden, arm: Vec3) {
        self.force += o.force;
        self.torque += o.torque;
        for (i, f) in o.force.array().into_iter().enumerate() {
            self.moment[i] += o.moment[i] + arm * f;
        }
    }

    /// Sum of `u x f`.
    fn turned(&self, w: Vec3, s: Vec3) -> Vec3 {
        let [x, y, z] = self.moment;
        let trace = x.x + y.y + z.z;
        s.cross(self.force) + x * w.x + y * w.y + z * w.z - w * trace
    }
}

/// See the [module](self).
#[derive(Clone, Debug, Default)]
pub(super) struct Bend {
    pairs: Vec<Couple>,
    carried: Vec<Burden>,
    /// Of each coordinate: sum of `u x f`, and the same with `w x t`.
    turned: Vec<[Vec3; 2]>,
}

impl Bend {
    /// The entries of a block that it adds to.
    pub fn new(tree: &Tree, paths: &Paths, square: &Square) -> Bend {
        let mut pairs = Vec::new();
        let mut pair = |row: usize, column: usize, moved: bool| {
            if let Some(entry) = square.entry(tree, paths.node(row), row, column) {
                pairs.push(Couple {
                    row: row as u32,
                    column: column as u32,
                    entry,
                    moved,
                });
            }
        };
        for node in 0..tree.bodies() {
            let own = tree.dofs(node);
            for j in own.clone() {
                let on_parent = tree.joint(node).rides_on_parent(j - own.start);
                for l in own.clone() {
                    pair(j, l, !on_parent);
                }
                let mut at = tree.parent(node);
                while let Some(n) = at {
                    for l in tree.dofs(n) {
                        pair(j, l, true);
                        pair(l, j, false);
                    }
                    at = tree.parent(n);
                }
            }
        }
        Bend {
            pairs,
            carried: vec![Burden::default(); tree.bodies()],
            turned: vec![[Vec3::ZERO; 2]; tree.nv()],
        }
    }

    /// Adds the entries at the forces of the bodies, given with torques in world axes.
    pub fn run(&mut self, at: &Point<'_>, loads: &[(Vec3, Vec3)], out: &mut [f64]) {
        let (tree, kin) = (at.tree, at.kin);
        self.carried.fill(Burden::default());
        for ((body, node), (force, torque)) in at.bodies.iter().zip(at.nodes).zip(loads) {
            if let Some(node) = *node {
                let own = Burden {
                    force: *force,
                    torque: *torque,
                    moment: [Vec3::ZERO; 3],
                };
                self.carried[node].add(&own, body.p - kin.pose[node].p);
            }
        }
        for node in (0..tree.bodies()).rev() {
            let sum = self.carried[node];
            if let Some(parent) = tree.parent(node) {
                self.carried[parent].add(&sum, kin.pose[node].arm);
            }
            for k in tree.dofs(node) {
                let s = kin.column[k];
                let turned = sum.turned(s.w, s.v);
                self.turned[k] = [turned, turned + s.w.cross(sum.torque)];
            }
        }
        for pair in &self.pairs {
            let (j, l) = (pair.row as usize, pair.column as usize);
            let x = if pair.moved {
                kin.column[l].w.dot(self.turned[j][0])
            } else {
                kin.column[j].w.dot(self.turned[l][1])
            };
            out[pair.entry as usize] += x;
        }
    }
}
