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

use crate::tree::spatial::{Sym3, Twist, Vec3, Wrench};
use crate::tree::vector::linear;
use crate::tree::{Inertia, Kinematics, Tree};

/// The vectors of one coordinate, in world axes about the origin of its body.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Generator {
    /// Column of the joint.
    pub j: Twist,
    /// `dA`: what the acceleration gains by a displacement.
    pub da: Twist,
    /// `dAv`: what the acceleration gains by a speed.
    pub dav: Twist,
    /// Angular part of `dV`.
    pub dv: Vec3,
    /// `Y J`.
    pub yj: Wrench,
    /// Angular part of `D' J`.
    pub dj: Vec3,
    /// `Y dAv + D J`.
    pub phi_v: Wrench,
    /// `Y dA + D dV + J x* F`.
    pub phi_q: Wrench,
}

/// Inertia, `D` and load of a body with everything outwards of it.
#[derive(Clone, Copy, Debug, Default)]
struct Composite {
    y: Inertia,
    b: Sym3,
    momentum: Wrench,
    load: Wrench,
}

impl Composite {
    /// The same about the point that lies back by `arm`.
    #[inline]
    fn shifted_back(&self, arm: Vec3) -> Composite {
        let f = self.momentum.f;
        Composite {
            y: self.y.shifted_back(arm),
            b: self.b + Sym3::scalar(2.0 * arm.dot(f)) - Sym3::product(f, arm),
            momentum: self.momentum.shifted_back(arm),
            load: self.load.shifted_back(arm),
        }
    }

    /// `D (e, .)`.
    #[inline]
    fn d(&self, e: Vec3) -> Wrench {
        Wrench::new(
            self.b.apply(e) - self.momentum.n.cross(e),
            self.momentum.f.cross(e) * -2.0,
        )
    }
}

linear!(Composite {
    y,
    b,
    momentum,
    load
});

/// A state of a tree, with the forces on its bodies.
#[derive(Clone, Copy, Debug)]
pub struct Point<'a> {
    /// Coordinates.
    pub q: &'a [f64],
    /// Speeds.
    pub v: &'a [f64],
    /// Accelerations.
    pub a: &'a [f64],
    /// Forces on the bodies, each in the frame of its body, or empty.
    pub external: &'a [Wrench],
}

/// The generators of one tree.
#[derive(Clone, Debug, Default)]
pub(super) struct Generators {
    /// One for each coordinate.
    pub list: Vec<Generator>,
    /// Load of each body with everything outwards of it.
    load: Vec<Wrench>,
    collected: Vec<Composite>,
}

impl Generators {
    /// Room for a tree.
    pub fn new(tree: &Tree) -> Generators {
        Generators {
            list: vec![Generator::default(); tree.nv()],
            load: vec![Wrench::ZERO; tree.bodies()],
            collected: vec![Composite::default(); tree.slots as usize],
        }
    }

    /// What `tau_j` by `d_l` has beside `J_j' phi_l`, for two coordinates of one joint.
    #[inline]
    pub fn within(&self, tree: &Tree, body: usize, j: usize, l: usize) -> f64 {
        let node = &tree.nodes[body];
        let first = node.dof as usize;
        if node.joint.dof() == 1 || node.joint.rides_on_parent(j - first) {
            return 0.0;
        }
        self.list[l].j.cross(self.list[j].j).dot(self.load[body])
    }

    /// Linearises at a state. `kin` receives poses, velocities and accelerations, with gravity at the
    /// root.
    pub fn run(&mut self, tree: &Tree, kin: &mut Kinematics, point: &Point<'_>) {
        let root = -tree.gravity;
        for (i, node) in tree.nodes.iter().enumerate() {
            kin.place_body(tree, i, point.q);
            let (v_p, a_p) = kin.move_body(tree, i, point.v, point.a, root);
            let v_i = kin.v[i];
            let own = &mut self.list[node.dofs()];
            if let ([g], false) = (&mut own[..], node.joint.rides_on_parent(0)) {
                // v_i and v_p differ by a multiple of the column: v_i x J = v_p x J
                g.carry(kin.column[node.dof as usize], v_p, a_p);
                g.dav = g.dav * 2.0;
                continue;
            }
            let (mut w, mut w_a) = (Twist::ZERO, Twist::ZERO);
            for (k, at) in node.dofs().enumerate() {
                if node.joint.rides_on_parent(k) {
                    w += kin.column[at] * point.v[at];
                    w_a += kin.column[at] * point.a[at];
                }
            }
            for (k, (at, g)) in node.dofs().zip(own).enumerate() {
                let j = kin.column[at];
                g.carry(j, v_p, a_p);
                g.dav += v_i.cross(j);
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
        self.inward(tree, kin, point.external);
    }

    fn inward(&mut self, tree: &Tree, kin: &Kinematics, external: &[Wrench]) {
        self.collected.fill(Composite::default());
        let mut carried = Composite::default();
        for (i, node) in tree.nodes.iter().enumerate().rev() {
            let pose = &kin.pose[i];
            let mut all = body(&node.inertia.turned(&pose.r), kin.v[i], kin.a[i]);
            if let Some(f) = external.get(i) {
                all.load = all.load - f.turned(&pose.r);
            }
            if node.sweep.continued {
                all += carried;
            }
            if let Some(slot) = node.sweep.slot {
                all += self.collected[slot as usize];
            }
            for g in &mut self.list[node.dofs()] {
                g.yj = all.y.apply(g.j);
                g.dj = all.b.apply(g.j.w)
                    + all.momentum.n.cross(g.j.w)
                    + all.momentum.f.cross(g.j.v) * 2.0;
                g.phi_v = all.y.apply(g.dav) + all.d(g.j.w);
                g.phi_q = all.y.apply(g.da) + all.d(g.dv) + g.j.cross_force(all.load);
            }
            self.load[i] = all.load;
            if node.sweep.chained {
                carried = all.shifted_back(pose.arm);
            } else if node.parent.is_some() {
                self.collected[tree.slot_of_parent(node)] += all.shifted_back(pose.arm);
            }
        }
    }
}

impl Generator {
    /// What the motion of the parent does to a column.
    #[inline]
    fn carry(&mut self, j: Twist, v_p: Twist, a_p: Twist) {
        let carried = v_p.cross(j);
        self.j = j;
        self.dv = carried.w;
        self.dav = carried;
        self.da = a_p.cross(j) + v_p.cross(carried);
    }
}

#[inline]
fn body(inertia: &Inertia, v: Twist, a: Twist) -> Composite {
    let momentum = inertia.apply(v);
    let wi = inertia.i.matrix().crossed_by(v.w);
    let h = inertia.h;
    Composite {
        y: *inertia,
        b: Sym3::twice_symmetric_part(&wi) - Sym3::product(h, v.v) + Sym3::scalar(2.0 * h.dot(v.v)),
        momentum,
        load: inertia.apply(a) + v.cross_force(momentum),
    }
}
