//! How absolute velocities follow from those of the joints, and their derivatives by positions.
//!
//! A coordinate `j` with axis `w` moves everything that it carries, as seen from a frame that is just
//! before it. That frame, velocity `V, W` (linear, angular), is the parent moved along by those columns of
//! the same joint that are fixed in the parent. A variation of `q_j` that leaves all speeds alone is a
//! displacement fixed in that frame. For a body at `x` with axes `R`, with `u` the displacement of `x` and
//! `y` the velocity of `x` seen from the frame:
//!
//! ```text
//!                 dx                  theta (body axes)
//!  J              u                   R' w
//!  (J v)_q        W x u + w x y       R' (W x w)
//! ```

use super::perch::Perch;
use crate::tree::{Kinematics, Tree, Twist, Vec3};

/// Bodies of a tree that are perches.
pub(super) struct Perches<'a> {
    pub list: &'a [Perch],
    pub at: &'a [Option<usize>],
}

impl Perches<'_> {
    fn at(&self, node: usize) -> Option<&Perch> {
        self.list.get((*self.at.get(node)?)?)
    }
}

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
    /// The body of the tree and the column of each of them.
    steps: Vec<[u32; 2]>,
    /// The body of the tree that each coordinate belongs to.
    node: Vec<u32>,
    size: usize,
}

impl Paths {
    /// Paths of bodies that are carried by some bodies of the tree.
    pub fn new(tree: &Tree, nodes: &[Option<usize>], perches: &Perches<'_>) -> Paths {
        let mut all = Paths {
            node: tree.body_of_dof(),
            ..Paths::default()
        };
        for node in nodes {
            let mut path: Vec<[usize; 3]> = Vec::new();
            let mut at = *node;
            while let Some(n) = at {
                path.extend(tree.dofs(n).rev().map(|k| [k, n, k]));
                if let Some(perch) = perches.at(n) {
                    let column = tree.nv() + perch.column;
                    let modes = (0..perch.modes).rev();
                    path.extend(modes.map(|m| [perch.first + m, n, column + m]));
                }
                at = tree.parent(n);
            }
            path.reverse();
            all.place.push((all.coordinates.len(), path.len()));
            for [coordinate, node, column] in path {
                all.coordinates.push(coordinate as u32);
                all.steps.push([node as u32, column as u32]);
            }
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

/// A body in the world.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Body {
    pub r: crate::tree::Mat3,
    pub p: Vec3,
    /// Angular velocity and velocity of the centre of mass.
    pub v: Twist,
    /// Angular acceleration and acceleration of the centre of mass.
    pub a: Twist,
}

/// All of them at one point.
#[derive(Clone, Debug, Default)]
pub(super) struct Operators {
    pub j: Operator,
    pub w: Operator,
    /// Velocity of the frame just before each joint, at the origin of its child.
    before: Vec<Twist>,
}

impl Operators {
    /// Room for `J`, and where `all` is set for its derivative.
    pub fn new(tree: &Tree, paths: &Paths, all: bool) -> Operators {
        Operators {
            j: Operator::new(paths),
            w: match all {
                true => Operator::new(paths),
                false => Operator::default(),
            },
            before: vec![Twist::ZERO; tree.bodies()],
        }
    }

    /// Renews `J`, and where `all` is set its derivative, for which velocities of the kinematics and the
    /// bodies must be those of the point.
    pub fn renew(
        &mut self,
        tree: &Tree,
        paths: &Paths,
        kin: &Kinematics,
        bodies: &[Body],
        v: &[f64],
        all: bool,
    ) {
        if all {
            for (i, before) in self.before.iter_mut().enumerate() {
                *before = self::before(tree, kin, i, v);
            }
        }
        for (body, &(first, length)) in bodies.iter().zip(&paths.place) {
            for n in 0..length {
                let [node, column] = paths.steps[first + n].map(|x| x as usize);
                let column = kin.column[column];
                let d = body.p - kin.pose[node].p;
                let (w, u) = (column.w, column.v + column.w.cross(d));
                let turned = |x: Vec3| body.r.apply_transposed(x);
                self.j.put(first, length, n, u, turned(w));
                if all {
                    let own = self.before[node].shifted(d);
                    let x = own.w.cross(u) + w.cross(body.v.v - own.v);
                    self.w.put(first, length, n, x, turned(own.w.cross(w)));
                }
            }
        }
    }
}

fn before(tree: &Tree, kin: &Kinematics, i: usize, v: &[f64]) -> Twist {
    let mut velocity = match tree.parent(i) {
        Some(p) => kin.v[p].shifted(kin.pose[i].arm),
        None => Twist::ZERO,
    };
    for (n, k) in tree.dofs(i).enumerate() {
        if tree.joint(i).rides_on_parent(n) {
            velocity += kin.column[k] * v[k];
        }
    }
    velocity
}
