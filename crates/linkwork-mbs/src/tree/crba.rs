//! Mass matrix from composite bodies (Featherstone 2008, chapter 6).
//!
//! ```text
//!  Y_i = sum of the inertias from i outwards;   F = Y_i J_k;   M_kj = J_j' F   for all j inwards
//! ```
//!
//! The force stays about the origin of body `i`; only the arm to the origin of each inner body
//! enters, so far-away roots cost no digits.

use super::branches::Branches;
use super::spatial::{Twist, Vec3, Wrench};
use super::{Inertia, Kinematics, Tree};

/// Motions of all coordinates, one list for each component: products along a path run over
/// neighbouring numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct MotionLanes {
    w: [Vec<f64>; 3],
    v: [Vec<f64>; 3],
    p: [Vec<f64>; 3],
    /// Whether any motion has a linear part; columns of hinges have none.
    slides: bool,
}

impl MotionLanes {
    pub fn new(n: usize) -> MotionLanes {
        let three = || [vec![0.0; n], vec![0.0; n], vec![0.0; n]];
        MotionLanes {
            w: three(),
            v: three(),
            p: three(),
            slides: false,
        }
    }

    #[inline]
    pub fn set(&mut self, k: usize, m: Twist, p: Vec3) {
        self.set_turning(k, m.w, p);
        // linear parts are zero until the first that is not
        self.slides |= m.v != Vec3::ZERO;
        if self.slides {
            for (lane, x) in self.v.iter_mut().zip(m.v.array()) {
                lane[k] = x;
            }
        }
    }

    /// A motion that has no linear part at any time.
    #[inline]
    pub fn set_turning(&mut self, k: usize, w: Vec3, p: Vec3) {
        for (lane, x) in self.w.iter_mut().zip(w.array()) {
            lane[k] = x;
        }
        for (lane, x) in self.p.iter_mut().zip(p.array()) {
            lane[k] = x;
        }
    }

    /// `out = m_j' F` for every coordinate `j` on the path of `i`, `F` about the point `p`; the
    /// order is that of a row of [`Branches`].
    #[inline]
    pub fn dot_path(&self, branches: &Branches, i: usize, f: Wrench, p: Vec3, out: &mut [f64]) {
        let mut end = out.len();
        let mut next = Some(i);
        while let Some(last) = next {
            let first = branches.run_start(last);
            let from = end - (last + 1 - first);
            self.dot(first, f, p, &mut out[from..end]);
            end = from;
            next = branches.up(first);
        }
    }

    #[inline]
    fn dot<'a>(&'a self, first: usize, f: Wrench, p: Vec3, out: &mut [f64]) {
        let n = out.len();
        let lane = |l: &'a Vec<f64>| &l[first..][..n];
        let [wx, wy, wz] = self.w.each_ref().map(lane);
        let [px, py, pz] = self.p.each_ref().map(lane);
        let turning = |k: usize| {
            let (x, y, z) = (p.x - px[k], p.y - py[k], p.z - pz[k]);
            let nx = f.n.x + (y * f.f.z - z * f.f.y);
            let ny = f.n.y + (z * f.f.x - x * f.f.z);
            let nz = f.n.z + (x * f.f.y - y * f.f.x);
            wx[k] * nx + wy[k] * ny + wz[k] * nz
        };
        if self.slides {
            let [vx, vy, vz] = self.v.each_ref().map(lane);
            for k in 0..n {
                out[k] = turning(k) + (vx[k] * f.f.x + vy[k] * f.f.y + vz[k] * f.f.z);
            }
        } else {
            for k in 0..n {
                out[k] = turning(k);
            }
        }
    }
}

/// Mass matrix of one tree.
#[derive(Clone, Debug, Default)]
pub struct Crba {
    /// Inertias that bodies with children further on have collected.
    collected: Vec<Inertia>,
    columns: MotionLanes,
    /// Entries in the order of the branches.
    pub mass: Vec<f64>,
}

impl Crba {
    /// Room for a tree.
    pub fn new(tree: &Tree, branches: &Branches) -> Crba {
        Crba {
            collected: vec![Inertia::ZERO; tree.slots as usize],
            columns: MotionLanes::new(tree.nv()),
            mass: vec![0.0; branches.entries()],
        }
    }

    /// Fills the mass matrix at the pose of `kin`.
    pub fn run(&mut self, tree: &Tree, branches: &Branches, kin: &Kinematics) {
        for (node, pose) in tree.nodes.iter().zip(&kin.pose) {
            if node.turns() {
                self.columns
                    .set_turning(node.dof as usize, pose.r.z, pose.p);
                continue;
            }
            for k in node.dofs() {
                self.columns.set(k, kin.column[k], pose.p);
            }
        }
        self.collected.fill(Inertia::ZERO);
        // along a chain the inertia goes from hand to hand
        let mut carried = Inertia::ZERO;
        for (node, pose) in tree.nodes.iter().zip(&kin.pose).rev() {
            let mut y = node.inertia.turned(&pose.r);
            if node.sweep.continued {
                y += carried;
            }
            if let Some(slot) = node.sweep.slot {
                y += self.collected[slot as usize];
            }
            let columns = &self.columns;
            let mut fill = |k: usize, f: Wrench| {
                let row = &mut self.mass[branches.row(k)];
                columns.dot_path(branches, k, f, pose.p, row);
            };
            if node.turns() {
                let axis = pose.r.z;
                let force = Wrench::new(y.i.apply(axis), axis.cross(y.h));
                fill(node.dof as usize, force);
            } else {
                for k in node.dofs() {
                    fill(k, y.apply(kin.column[k]));
                }
            }
            self.mass[branches.row(node.dof as usize).end - 1] += node.armature;
            if node.sweep.chained {
                carried = y.shifted_back(pose.arm);
            } else if node.parent.is_some() {
                self.collected[tree.slot_of_parent(node)] += y.shifted_back(pose.arm);
            }
        }
    }
}
