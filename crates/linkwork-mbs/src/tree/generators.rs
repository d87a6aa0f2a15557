//! The linearised equations of motion as a few vectors for each coordinate.
//!
//! With `eta` the displacement of a body that joint increments `d` make, `nu` their rates and `nu'`
//! their accelerations, the variations of velocity and acceleration of body `i` are
//!
//! ```text
//!  dv_i = eta_i x v_i + e_i,                     e_i  = sum over the path of  dV d + J nu
//!  da_i = eta_i x a_i + th_i - v_i x e_i,        th_i = sum over the path of  dA d + dAv nu + J nu'
//!
//!  s   = -J x w,  w = sum of J_k v_k over columns fixed in the parent
//!  dV  = v_p x J + s
//!  dAv = (v_p + v_i) x J - J x w  [- (J v) x J  if fixed in the parent]
//!  dA  = a_p x J + v_p x (v_p x J) + (v_p + v_i) x s - J x w' - s x w + (J v) x (J x w)
//! ```
//!
//! (`w'` is `w` with accelerations; with `w = 0` this is the form of Carpentier & Mansard 2018.) The
//! force of a body varies by `eta x* f + I th + D e` with `D = v x* I - I v x + (. x* I v)`. Its right
//! half is zero and it consists of a symmetric matrix and the momentum `(n, f)`:
//!
//! ```text
//!  D = [ B - [n]   0 ]        B = [w] I + ([w] I)' - (h v' + v h') + 2 (h.v) 1
//!      [ -2 [f]    0 ]
//! ```
//!
//! With `Y, D, F` of the composite body from `i` outwards, the derivatives of the joint forces are
//!
//! ```text
//!  tau_i by d_k   = J_i' phi_k,  phi_k = Y dA + D dV + J x* F       k outwards of i
//!                 = (Y J_i)' dA_k + (D' J_i)' dV_k                  k inwards of i
//!  within a joint = J_j' phi_l, plus (J_l x J_j)' F where j is fixed in the child
//! ```
//!
//! so each half of the matrix has rank 6 or 9 between any two parts of the tree. External forces given
//! in body axes turn with their bodies; that is part of `F`.

use super::spatial::{Force, Mat3, Motion, Sym3, Vec3};
use super::{Inertia, Kinematics, Tree};

/// The vectors of one coordinate, in world axes about the origin of its body.
#[derive(Clone, Copy, Debug, Default)]
pub struct Generator {
    /// Column of the joint.
    pub j: Motion,
    /// `dA`: what the acceleration gains by a displacement.
    pub da: Motion,
    /// `dAv`: what the acceleration gains by a speed.
    pub dav: Motion,
    /// Angular part of `dV`.
    pub dv: Vec3,
    /// `Y J`.
    pub yj: Force,
    /// Angular part of `D' J`.
    pub dj: Vec3,
    /// `Y dAv + D J`.
    pub phi_v: Force,
    /// `Y dA + D dV + J x* F`.
    pub phi_q: Force,
}

/// Numbers of one [`Generator`] in a list.
pub(super) const WIDTH: usize = 42;

impl Generator {
    fn write(&self, out: &mut [f64]) {
        let parts = [
            self.j.w,
            self.j.v,
            self.da.w,
            self.da.v,
            self.dav.w,
            self.dav.v,
            self.dv,
            self.yj.n,
            self.yj.f,
            self.dj,
            self.phi_v.n,
            self.phi_v.f,
            self.phi_q.n,
            self.phi_q.f,
        ];
        for (to, u) in out.chunks_exact_mut(3).zip(&parts) {
            to.copy_from_slice(&u.array());
        }
    }

    #[inline]
    pub(super) fn read(s: &[f64; WIDTH]) -> Generator {
        let at = |k: usize| Vec3::new(s[k], s[k + 1], s[k + 2]);
        Generator {
            j: Motion::new(at(0), at(3)),
            da: Motion::new(at(6), at(9)),
            dav: Motion::new(at(12), at(15)),
            dv: at(18),
            yj: Force::new(at(21), at(24)),
            dj: at(27),
            phi_v: Force::new(at(30), at(33)),
            phi_q: Force::new(at(36), at(39)),
        }
    }
}

/// Inertia, `D` and load of a body with everything outwards of it.
#[derive(Clone, Copy, Debug, Default)]
struct Composite {
    y: Inertia,
    b: Sym3,
    momentum: Force,
    load: Force,
}

impl Composite {
    #[inline]
    fn add_shifted(&mut self, o: &Composite, arm: Vec3) {
        let f = o.momentum.f;
        self.y = self.y + o.y.shifted_back(arm);
        self.b = self.b + o.b + Sym3::scalar(2.0 * arm.dot(f)) - Sym3::product(f, arm);
        self.momentum += o.momentum.shifted_back(arm);
        self.load += o.load.shifted_back(arm);
    }

    /// `D (e, .)`.
    #[inline]
    fn d(&self, e: Vec3) -> Force {
        Force::new(
            self.b.apply(e) - self.momentum.n.cross(e),
            self.momentum.f.cross(e) * -2.0,
        )
    }
}

/// Generators of one tree at one state.
#[derive(Clone, Debug, Default)]
pub struct Generators {
    composite: Vec<Composite>,
    /// One for each coordinate.
    pub column: Vec<Generator>,
    /// What is added within a joint, by body: row-major.
    own: Vec<f64>,
    own_at: Vec<usize>,
}

impl Generators {
    /// Room for a tree.
    pub fn new(tree: &Tree) -> Generators {
        let mut own_at = Vec::with_capacity(tree.bodies() + 1);
        let mut length = 0;
        for node in &tree.nodes {
            own_at.push(length);
            length += node.joint.dof().pow(2);
        }
        own_at.push(length);
        Generators {
            composite: vec![Composite::default(); tree.bodies()],
            column: vec![Generator::default(); tree.nv()],
            own: vec![0.0; length],
            own_at,
        }
    }

    /// Linearises at the poses, velocities and accelerations of `kin`, which include gravity at the
    /// root; `v` and `a` are the same speeds and accelerations of the joints. `external` are forces
    /// on the bodies, each in the frame of its body, or empty.
    pub fn run(&mut self, tree: &Tree, kin: &Kinematics, v: &[f64], a: &[f64], external: &[Force]) {
        let root = Motion::new(Vec3::ZERO, -tree.gravity);
        for (i, node) in tree.nodes.iter().enumerate() {
            let pose = &kin.pose[i];
            let (v_i, a_i) = (kin.v[i], kin.a[i]);
            let (v_p, a_p) = match node.parent {
                Some(p) => {
                    let p = p as usize;
                    (kin.v[p].shifted(pose.arm), kin.a[p].shifted(pose.arm))
                }
                None => (Motion::ZERO, root),
            };
            self.composite[i] = body(&node.inertia.turned(&pose.r), v_i, a_i);
            if let Some(f) = external.get(i) {
                let load = &mut self.composite[i].load;
                *load = *load - f.turned(&pose.r);
            }
            let (mut w, mut w_a) = (Motion::ZERO, Motion::ZERO);
            for (k, at) in node.dofs().enumerate() {
                if node.joint.rides_on_parent(k) {
                    w += kin.column[at] * v[at];
                    w_a += kin.column[at] * a[at];
                }
            }
            for (k, at) in node.dofs().enumerate() {
                let j = kin.column[at];
                let g = &mut self.column[at];
                let carried = v_p.cross(j);
                g.j = j;
                g.dv = carried.w;
                g.dav = carried + v_i.cross(j);
                g.da = a_p.cross(j) + v_p.cross(carried);
                if node.joint.rides_on_parent(0) {
                    let turn = j.cross(w);
                    let s = turn * -1.0;
                    let speed = v_i - v_p;
                    g.dv += s.w;
                    g.dav += s;
                    if node.joint.rides_on_parent(k) {
                        g.dav = g.dav - speed.cross(j);
                    }
                    g.da += (v_p + v_i).cross(s) - j.cross(w_a) - s.cross(w) + speed.cross(turn);
                }
            }
        }
        for i in (0..tree.nodes.len()).rev() {
            let node = &tree.nodes[i];
            let all = self.composite[i];
            let columns = &mut self.column[node.dofs()];
            for g in columns.iter_mut() {
                g.yj = all.y.apply(g.j);
                g.dj = all.b.apply(g.j.w)
                    + all.momentum.n.cross(g.j.w)
                    + all.momentum.f.cross(g.j.v) * 2.0;
                g.phi_v = all.y.apply(g.dav) + all.d(g.j.w);
                g.phi_q = all.y.apply(g.da) + all.d(g.dv) + g.j.cross_force(all.load);
            }
            let nd = columns.len();
            let own = &mut self.own[self.own_at[i]..self.own_at[i + 1]];
            for j in 0..nd {
                for l in 0..nd {
                    own[j * nd + l] = if node.joint.rides_on_parent(j) {
                        0.0
                    } else {
                        columns[l].j.cross(columns[j].j).dot(all.load)
                    };
                }
            }
            if let Some(p) = node.parent {
                self.composite[p as usize].add_shifted(&all, kin.pose[i].arm);
            }
        }
    }

    /// What `tau_j` by `d_l` has beside `J_j' phi_l`, within the joint of a body; row-major.
    #[inline]
    pub(super) fn own(&self, body: usize) -> &[f64] {
        &self.own[self.own_at[body]..self.own_at[body + 1]]
    }

    /// Numbers that [`Generators::write`] makes.
    pub fn length(tree: &Tree) -> usize {
        let of = |nd: usize| 3 + nd * (WIDTH + nd + 1);
        tree.nodes.iter().map(|n| of(n.joint.dof())).sum()
    }

    /// The generators as one list for a [`super::Recursion`]: for each body the arm from its parent,
    /// the vectors of its coordinates, then stiffness and damping within the joint. `stiffness` and
    /// `damping` belong to joint forces and are added.
    pub fn write(
        &self,
        tree: &Tree,
        kin: &Kinematics,
        stiffness: &[f64],
        damping: &[f64],
        out: &mut [f64],
    ) {
        let mut rest = out;
        for (i, node) in tree.nodes.iter().enumerate() {
            let nd = node.joint.dof();
            let (mine, others) = rest.split_at_mut(3 + nd * (WIDTH + nd + 1));
            rest = others;
            mine[..3].copy_from_slice(&kin.pose[i].arm.array());
            let (columns, own) = mine[3..].split_at_mut(nd * WIDTH);
            for (to, g) in columns
                .chunks_exact_mut(WIDTH)
                .zip(&self.column[node.dofs()])
            {
                g.write(to);
            }
            let (k, d) = own.split_at_mut(nd * nd);
            k.copy_from_slice(self.own(i));
            for (l, at) in node.dofs().enumerate() {
                k[l * nd + l] += stiffness[at];
                d[l] = damping[at];
            }
        }
    }
}

#[inline]
fn body(inertia: &Inertia, v: Motion, a: Motion) -> Composite {
    let momentum = inertia.apply(v);
    let i = inertia.i.matrix();
    let wi = Mat3 {
        x: v.w.cross(i.x),
        y: v.w.cross(i.y),
        z: v.w.cross(i.z),
    };
    let h = inertia.h;
    Composite {
        y: *inertia,
        b: Sym3::twice_symmetric_part(&wi) - Sym3::product(h, v.v) + Sym3::scalar(2.0 * h.dot(v.v)),
        momentum,
        load: inertia.apply(a) + v.cross_force(momentum),
    }
}
