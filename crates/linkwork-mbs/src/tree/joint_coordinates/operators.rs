//! How absolute velocities and accelerations follow from those of the joints, and the derivatives.
//!
//! A coordinate `j` with axis `w` moves everything that it carries, as seen from a frame that is just
//! before it. That frame, velocity `V, W` and acceleration `A, B` (linear, angular), is the parent
//! moved along by those columns of the same joint that are fixed in the parent. A variation of `q_j`
//! that leaves all speeds alone is a displacement fixed in that frame. For a body at `x` with axes `R`,
//! with `u` the displacement of `x`, `y` and `z` velocity and acceleration of `x` seen from the frame:
//!
//! ```text
//!  w' = W x w                       u' = W x u + w x y
//!  w'' = B x w + W x (W x w)        u'' = B x u + W x (W x u) + 2 W x (w x y) + w x z
//!
//!                 dx          theta (body axes)
//!  J              u           R' w
//!  (J v)_q        u'          R' w'
//!  (J a + b)_q    u''         R' (w'' - omega x w')
//!  b_v            2 u' + k x d    R' (2 w' - omega x w + k)        b = J' v, the rate of J times v
//! ```
//!
//! where `d` is the arm from the joint to `x` and `k = omega_rel x w` for columns that are fixed in the
//! child, `omega_rel` being their own rotation: speeds of rotation vectors are no rates.

use crate::tree::{Kinematics, Motion, Tree, Vec3};

/// Rows of one operator: for each body six rows over the coordinates of its path.
#[derive(Clone, Debug, Default)]
pub(super) struct Operator {
    data: Vec<f64>,
}

/// Where rows of operators are.
#[derive(Clone, Debug, Default)]
pub(super) struct Paths {
    /// First entry of each body, and the length of its rows.
    place: Vec<(usize, usize)>,
    /// Coordinates of the path of each body, the root's first.
    coordinates: Vec<u32>,
    /// The body of the tree that each coordinate belongs to.
    node: Vec<u32>,
    size: usize,
}

impl Paths {
    /// Paths of bodies that are carried by some bodies of the tree.
    pub fn new(tree: &Tree, nodes: &[Option<usize>]) -> Paths {
        let mut all = Paths {
            node: tree.body_of_dof(),
            ..Paths::default()
        };
        for node in nodes {
            let mut path: Vec<u32> = Vec::new();
            let mut at = *node;
            while let Some(n) = at {
                path.extend(tree.dofs(n).rev().map(|k| k as u32));
                at = tree.parent(n);
            }
            path.reverse();
            all.place.push((all.coordinates.len(), path.len()));
            all.coordinates.extend(path);
        }
        all.size = 6 * all.coordinates.len();
        all
    }

    /// The body of the tree that a coordinate belongs to.
    pub fn node(&self, k: usize) -> usize {
        self.node[k] as usize
    }

    /// Coordinates that move a body.
    pub fn of(&self, body: usize) -> &[u32] {
        let (first, length) = self.place[body];
        &self.coordinates[first..first + length]
    }
}

impl Operator {
    pub fn new(paths: &Paths) -> Operator {
        Operator {
            data: vec![0.0; paths.size],
        }
    }

    /// One row of a body.
    #[inline]
    pub fn row(&self, paths: &Paths, body: usize, freedom: usize) -> &[f64] {
        let (first, length) = paths.place[body];
        &self.data[6 * first + freedom * length..][..length]
    }

    #[inline]
    fn put(&mut self, first: usize, length: usize, n: usize, x: Vec3, theta: Vec3) {
        let rows = &mut self.data[6 * first..6 * (first + length)];
        let values = [x.x, x.y, x.z, theta.x, theta.y, theta.z];
        for (f, value) in values.into_iter().enumerate() {
            rows[f * length + n] = value;
        }
    }
}

/// The frame just before a joint, at the origin of its child.
#[derive(Clone, Copy, Debug, Default)]
struct Before {
    /// Angular velocity, velocity.
    v: Motion,
    /// Angular acceleration, acceleration of the point.
    a: Motion,
    /// Angular velocity of the columns that are fixed in the child.
    relative: Vec3,
}

/// A body in the world.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Body {
    pub r: crate::tree::Mat3,
    pub p: Vec3,
    /// Angular velocity and velocity of the centre of mass.
    pub v: Motion,
    /// Angular acceleration and acceleration of the centre of mass.
    pub a: Motion,
}

/// All of them at one point.
#[derive(Clone, Debug, Default)]
pub(super) struct Operators {
    pub j: Operator,
    pub w: Operator,
    pub a: Operator,
    pub bias_v: Operator,
    before: Vec<Before>,
}

impl Operators {
    /// Room for `J`, and where `all` is set for the derivatives.
    pub fn new(tree: &Tree, paths: &Paths, all: bool) -> Operators {
        let derivative = || match all {
            true => Operator::new(paths),
            false => Operator::default(),
        };
        Operators {
            j: Operator::new(paths),
            w: derivative(),
            a: derivative(),
            bias_v: derivative(),
            before: vec![Before::default(); tree.bodies()],
        }
    }

    /// Renews `J`, and where `all` is set the derivatives, for which velocities and accelerations of
    /// the kinematics and the bodies must be those of the point.
    pub fn renew(
        &mut self,
        tree: &Tree,
        paths: &Paths,
        kin: &Kinematics,
        bodies: &[Body],
        (v, a): (&[f64], &[f64]),
        all: bool,
    ) {
        if all {
            for i in 0..tree.bodies() {
                self.before[i] = before(tree, kin, i, v, a);
            }
        }
        for (b, body) in bodies.iter().enumerate() {
            let (first, length) = paths.place[b];
            for n in 0..length {
                let k = paths.coordinates[first + n] as usize;
                let node = paths.node(k);
                let column = kin.column[k];
                let d = body.p - kin.pose[node].p;
                let (w, u) = (column.w, column.v + column.w.cross(d));
                let turned = |x: Vec3| body.r.apply_transposed(x);
                self.j.put(first, length, n, u, turned(w));
                if !all {
                    continue;
                }
                let f = &self.before[node];
                let own = f.v.shifted(d);
                let y = body.v.v - own.v;
                let turn = f.v.w;
                let point = f.a.v + f.a.w.cross(d) + turn.cross(turn.cross(d));
                let z = body.a.v - point - turn.cross(y) * 2.0;
                let (w1, wy) = (turn.cross(w), w.cross(y));
                let u1 = turn.cross(u) + wy;
                let w2 = f.a.w.cross(w) + turn.cross(w1);
                let u2 =
                    f.a.w.cross(u) + turn.cross(turn.cross(u)) + turn.cross(wy) * 2.0 + w.cross(z);
                let fixed_in_child = !tree.joint(node).rides_on_parent(k - tree.dofs(node).start);
                let own_turn = if fixed_in_child {
                    f.relative.cross(w)
                } else {
                    Vec3::ZERO
                };
                let spin = body.v.w;
                self.w.put(first, length, n, u1, turned(w1));
                let theta = turned(w2 - spin.cross(w1));
                self.a.put(first, length, n, u2, theta);
                let theta = turned(w1 * 2.0 - spin.cross(w) + own_turn);
                let x = u1 * 2.0 + own_turn.cross(d);
                self.bias_v.put(first, length, n, x, theta);
            }
        }
    }
}

fn before(tree: &Tree, kin: &Kinematics, i: usize, v: &[f64], a: &[f64]) -> Before {
    let arm = kin.pose[i].arm;
    let (mut velocity, mut rate) = match tree.parent(i) {
        Some(p) => (kin.v[p].shifted(arm), kin.a[p].shifted(arm)),
        None => (Motion::ZERO, Motion::ZERO),
    };
    let parent = velocity;
    let mut relative = Vec3::ZERO;
    for (n, k) in tree.dofs(i).enumerate() {
        let s = kin.column[k];
        if tree.joint(i).rides_on_parent(n) {
            velocity += s * v[k];
            let acceleration = a.get(k).copied().unwrap_or(0.0);
            rate += s * acceleration + parent.cross(s) * v[k];
        } else {
            relative += s.w * v[k];
        }
    }
    Before {
        v: velocity,
        a: Motion::new(rate.w, rate.v + velocity.w.cross(velocity.v)),
        relative,
    }
}
