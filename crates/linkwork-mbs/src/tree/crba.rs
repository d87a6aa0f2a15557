//! Mass matrix from composite bodies (Featherstone 2008, chapter 6).
//!
//! ```text
//!  Y_i = sum of the inertias from i outwards;   F = Y_i J_k;   M_kj = J_j' F   for all j inwards
//! ```
//!
//! The force stays about the origin of body `i`; only the arm to the origin of each inner body
//! enters, so far-away roots cost no digits.

use super::branches::Branches;
use super::spatial::{Force, Motion, Vec3};
use super::{Inertia, Kinematics, Tree};

/// Motions of all coordinates, one list for each component: products along a path run over
/// neighbouring numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Lanes {
    w: [Vec<f64>; 3],
    v: [Vec<f64>; 3],
    p: [Vec<f64>; 3],
    /// Whether any motion has a linear part; columns of hinges have none.
    slides: bool,
}

impl Lanes {
    pub fn new(n: usize) -> Lanes {
        let three = || [vec![0.0; n], vec![0.0; n], vec![0.0; n]];
        Lanes {
            w: three(),
            v: three(),
            p: three(),
            slides: false,
        }
    }

    #[inline]
    pub fn set(&mut self, k: usize, m: Motion, p: Vec3) {
        self.slides |= m.v != Vec3::ZERO;
        for c in 0..3 {
            self.w[c][k] = m.w.array()[c];
            self.v[c][k] = m.v.array()[c];
            self.p[c][k] = p.array()[c];
        }
    }

    /// `out = m_j' F` for every coordinate `j` on the path of `i`, `F` about the point `p`; the
    /// order is that of a row of [`Branches`].
    #[inline]
    pub fn dot_path(&self, branches: &Branches, i: usize, f: Force, p: Vec3, out: &mut [f64]) {
        let mut end = out.len();
        for run in branches.runs(i) {
            let from = end - run.len();
            self.dot(run, f, p, &mut out[from..end]);
            end = from;
        }
    }

    #[inline]
    fn dot<'a>(&'a self, run: std::ops::Range<usize>, f: Force, p: Vec3, out: &mut [f64]) {
        let n = out.len();
        let lane = |l: &'a [f64]| &l[run.clone()][..n];
        let [wx, wy, wz] = self.w.each_ref().map(|l| lane(l));
        let [vx, vy, vz] = self.v.each_ref().map(|l| lane(l));
        let [px, py, pz] = self.p.each_ref().map(|l| lane(l));
        for k in 0..n {
            let (x, y, z) = (p.x - px[k], p.y - py[k], p.z - pz[k]);
            let nx = f.n.x + (y * f.f.z - z * f.f.y);
            let ny = f.n.y + (z * f.f.x - x * f.f.z);
            let nz = f.n.z + (x * f.f.y - y * f.f.x);
            out[k] = wx[k] * nx + wy[k] * ny + wz[k] * nz;
        }
        if self.slides {
            for k in 0..n {
                out[k] += vx[k] * f.f.x + vy[k] * f.f.y + vz[k] * f.f.z;
            }
        }
    }
}

/// Mass matrix of one tree.
#[derive(Clone, Debug, Default)]
pub struct Crba {
    composite: Vec<Inertia>,
    columns: Lanes,
    /// Entries in the order of the branches.
    pub mass: Vec<f64>,
}

impl Crba {
    /// Room for a tree.
    pub fn new(tree: &Tree, branches: &Branches) -> Crba {
        Crba {
            composite: vec![Inertia::ZERO; tree.bodies()],
            columns: Lanes::new(tree.nv()),
            mass: vec![0.0; branches.entries()],
        }
    }

    /// Fills the mass matrix at the pose of `kin`.
    pub fn run(&mut self, tree: &Tree, branches: &Branches, kin: &Kinematics) {
        for (i, node) in tree.nodes.iter().enumerate() {
            let pose = &kin.pose[i];
            self.composite[i] = node.inertia.turned(&pose.r);
            for k in node.dofs() {
                self.columns.set(k, kin.column[k], pose.p);
            }
        }
        for i in (0..tree.nodes.len()).rev() {
            let node = &tree.nodes[i];
            let y = self.composite[i];
            let pose = &kin.pose[i];
            for k in node.dofs() {
                let f = y.apply(kin.column[k]);
                let row = &mut self.mass[branches.row(k)];
                self.columns.dot_path(branches, k, f, pose.p, row);
            }
            if let Some(p) = node.parent {
                let p = p as usize;
                self.composite[p] = self.composite[p] + y.shifted_back(pose.arm);
            }
        }
    }
}
