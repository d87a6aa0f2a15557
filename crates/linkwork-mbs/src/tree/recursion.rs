//! Solves `(M + D/s2 + K/(s1 s2)) d = b` for a tree by one sweep in and one out, O(N).
//!
//! The matrix is full, but with the [`Generators`](super::Generators) its halves have low rank. Put
//!
//! ```text
//!  p = (J + dAv/s2 + dA/(s1 s2),  J_w/s2 + dV_w/(s1 s2))        9 numbers
//!  phi = Y J + phi_v/s2 + phi_q/(s1 s2)                          6 numbers
//!  g = (Y J, D' J)                                               9 numbers
//! ```
//!
//! and let `x_i` be the sum of `p d` from the root to `i`, `y_i` that of `phi d` from `i` outwards. Row
//! `i` reads `g' x_p + J' (phi d + sum of y over the children) + own d = b`. From the leaves,
//! `y_i = W_i x_p + w_i` holds with a 6 x 9 matrix `W`:
//!
//! ```text
//!  W~ = sum of W, w~ = sum of w over the children           u = phi + W~ p,   r = g + W~' J
//!  delta = J' u + own                                       d = (b - J' w~ - r' x_p) / delta
//!  W = W~ - u r' / delta,   w = w~ + u (b - J' w~) / delta
//! ```
//!
//! This is the articulated-body recursion, to which it reduces for `1/s2 = 0`, carried over to a
//! matrix that is not symmetric; in exact arithmetic it is LU elimination from the leaves, and
//! `delta` are its pivots. No pivots are exchanged: for steps that resolve the motion the matrix is
//! near to `M`, whose pivots are positive. A joint with several coordinates has matrices in place of
//! `u, r, delta`. With sparse LU on the unknowns `(d, x, y)`, 16 for each revolute joint, the same
//! solution costs seven times as much for a thousand bodies and forty times for ten thousand.
//!
//! Rotation vectors: where `dv = s1 (1 + B) d`, the parts of `p` and `phi` that come from velocities and
//! accelerations are mixed by `1 + B` within the joint.

use super::Tree;
use super::generators::{Generator, WIDTH};
use super::joint::MOST_DOF;
use super::spatial::{Force, Motion, Vec3};
use linkwork_dae::linear::{FactorInfo, LinearSolver, Pattern, Singular};
use linkwork_dae::memory::Memory;
use linkwork_dae::state::Link;
use linkwork_dae::system::Blocks;

/// Pivots below this share of their terms are taken for zero: some hundred roundings.
const SINGULAR: f64 = 1e-14;

#[derive(Clone, Copy, Debug)]
struct Node {
    parent: Option<u32>,
    dof: u32,
    nd: u32,
    /// Where a rotation vector starts among the coordinates of the joint.
    turn: Option<u32>,
}

/// `1/s2` and `1/(s1 s2)`.
#[derive(Clone, Copy, Debug)]
struct Weights {
    v: f64,
    q: f64,
}

/// Numbers kept of one coordinate.
const FACTOR_ENTRIES: usize = 37;

/// Factors of one coordinate.
#[derive(Clone, Copy, Debug, Default)]
struct Factor {
    j: Motion,
    p: Motion,
    p_w: Vec3,
    u: Force,
    r: Force,
    r_w: Vec3,
    yj: Force,
    /// `1/delta` where the joint has one coordinate.
    per: f64,
}

/// The columns of `W`: by angular and linear part of `p`, then by the last three.
#[derive(Clone, Copy, Debug, Default)]
struct Gain {
    w: [Force; 3],
    v: [Force; 3],
    e: [Force; 3],
}

/// `sum of u_k columns_k`.
#[inline]
fn combine(c: &[Force; 3], u: Vec3) -> Force {
    c[0] * u.x + c[1] * u.y + c[2] * u.z
}

/// `columns_k' j`.
#[inline]
fn project(c: &[Force; 3], j: Motion) -> Vec3 {
    Vec3::new(j.dot(c[0]), j.dot(c[1]), j.dot(c[2]))
}

impl Gain {
    #[inline]
    fn apply(&self, p: Motion, p_w: Vec3) -> Force {
        combine(&self.w, p.w) + combine(&self.v, p.v) + combine(&self.e, p_w)
    }

    /// Subtracts `u r'`.
    #[inline]
    fn subtract(&mut self, u: Force, r: Force, r_w: Vec3) {
        let columns = [(&mut self.w, r.n), (&mut self.v, r.f), (&mut self.e, r_w)];
        for (columns, r) in columns {
            for (c, r) in columns.iter_mut().zip(r.array()) {
                *c = *c - u * r;
            }
        }
    }

    /// Adds a gain between quantities about a point that lies further by `arm`.
    #[inline]
    fn add_shifted(&mut self, o: &Gain, arm: Vec3) {
        let v = o.v.map(|c| c.shifted_back(arm));
        let w = o.w.map(|c| c.shifted_back(arm));
        // an angular motion moves the further point by w x arm
        self.w[0] += w[0] + v[2] * arm.y - v[1] * arm.z;
        self.w[1] += w[1] + v[0] * arm.z - v[2] * arm.x;
        self.w[2] += w[2] + v[1] * arm.x - v[0] * arm.y;
        for k in 0..3 {
            self.v[k] += v[k];
            self.e[k] += o.e[k].shifted_back(arm);
        }
    }
}

type Small = [[f64; MOST_DOF]; MOST_DOF];

/// The recursion for one tree; see the [module](self).
#[derive(Clone, Debug, Default)]
pub struct Recursion {
    nodes: Vec<Node>,
    /// Whether right-hand sides are accelerations, to be multiplied by `M` first.
    accelerations: bool,
    factor: Vec<Factor>,
    arm: Vec<Vec3>,
    gain: Vec<Gain>,
    /// `delta^-1` of joints with several coordinates.
    inverse: Vec<Small>,
    inverse_at: Vec<u32>,
    x: Vec<(Motion, Vec3)>,
    y: Vec<Force>,
    usable: bool,
}

impl Recursion {
    /// The recursion for a tree. With `accelerations`, right-hand sides are premultiplied by `M`:
    /// the matrix is then `1 + M^-1 (D/s2 + K/(s1 s2))`.
    pub fn new(tree: &Tree, accelerations: bool) -> Recursion {
        let nodes: Vec<Node> = (tree.nodes.iter())
            .map(|n| Node {
                parent: n.parent,
                dof: n.dof,
                nd: n.joint.dof() as u32,
                turn: n.joint.rotation_vector().map(|t| t as u32),
            })
            .collect();
        let mut inverse_at = Vec::with_capacity(nodes.len());
        let mut several = 0;
        for n in &nodes {
            inverse_at.push(several);
            several += u32::from(n.nd > 1);
        }
        let n = nodes.len();
        Recursion {
            accelerations,
            factor: vec![Factor::default(); tree.nv()],
            arm: vec![Vec3::ZERO; n],
            gain: vec![Gain::default(); n],
            inverse: vec![Small::default(); several as usize],
            inverse_at,
            x: vec![Default::default(); n],
            y: vec![Force::ZERO; n],
            nodes,
            usable: false,
        }
    }

    /// Factors from generators (see [`super::Generators::write`]) and, for rotation vectors, the bend
    /// of their chart: `B` of `dv = s1 (1 + B) d`, nine numbers for each, by rows.
    pub fn prepare(
        &mut self,
        generators: &[f64],
        bend: &[f64],
        link: Link,
    ) -> Result<FactorInfo, Singular> {
        self.usable = false;
        let c = Weights {
            v: 1.0 / link.vdot,
            q: 1.0 / (link.qdot * link.vdot),
        };
        self.gain.fill(Gain::default());
        let mut ratio = f64::INFINITY;
        let (mut rest, mut bend) = (generators, bend);
        for i in (0..self.nodes.len()).rev() {
            let Node {
                parent,
                dof,
                nd,
                turn,
            } = self.nodes[i];
            let nd = nd as usize;
            let singular = Singular {
                column: dof as usize,
            };
            let length = 3 + nd * (WIDTH + nd + 1);
            let (others, mine) = rest.split_at(rest.len().saturating_sub(length));
            rest = others;
            if mine.len() < length {
                return Err(singular);
            }
            let arm = Vec3::read(mine);
            let (columns, own) = mine[3..].split_at(nd * WIDTH);
            let columns = columns.as_chunks::<WIDTH>().0;
            let mut gain = self.gain[i];
            let factors = &mut self.factor[dof as usize..][..nd];
            if let ([f], [column]) = (&mut factors[..], columns) {
                let delta =
                    f.fill(&Generator::read(column), c, &gain) + own[0] * c.q + own[1] * c.v;
                // what the pivot of the mass matrix alone would be compared with
                let size = f.j.dot(f.yj).abs();
                if !(delta.abs() > SINGULAR * size) || !delta.is_finite() {
                    return Err(singular);
                }
                ratio = ratio.min(delta.abs() / size);
                f.per = 1.0 / delta;
                if parent.is_some() {
                    gain.subtract(f.u * f.per, f.r, f.r_w);
                }
            } else {
                let mut mixed = None;
                if let Some(turn) = turn {
                    let (others, own) = bend.split_at(bend.len().saturating_sub(9));
                    bend = others;
                    mixed = Some((turn as usize, own));
                }
                let inverse = joint(factors, columns, own, mixed, c, &gain).ok_or(singular)?;
                for k in 0..nd {
                    let mut row = (Force::ZERO, Vec3::ZERO);
                    for l in 0..nd {
                        row.0 += factors[l].r * inverse[k][l];
                        row.1 += factors[l].r_w * inverse[k][l];
                    }
                    gain.subtract(factors[k].u, row.0, row.1);
                }
                self.inverse[self.inverse_at[i] as usize] = inverse;
            }
            self.arm[i] = arm;
            if let Some(p) = parent {
                self.gain[p as usize].add_shifted(&gain, arm);
            }
        }
        self.usable = true;
        Ok(FactorInfo {
            pivot_ratio: ratio.min(1.0),
            reused_pivots: true,
            nnz: self.factor.len() * FACTOR_ENTRIES,
        })
    }

    /// `M b`: from the root the motion, from the leaves the force; what is outwards of each body goes
    /// to `y`.
    fn multiply(&mut self, b: &mut [f64]) {
        for i in 0..self.nodes.len() {
            let Node {
                parent, dof, nd, ..
            } = self.nodes[i];
            let mut x = match parent {
                Some(p) => self.x[p as usize].0.shifted(self.arm[i]),
                None => Motion::ZERO,
            };
            for k in dof..dof + nd {
                x += self.factor[k as usize].j * b[k as usize];
            }
            self.x[i].0 = x;
        }
        self.y.fill(Force::ZERO);
        for i in (0..self.nodes.len()).rev() {
            let Node {
                parent, dof, nd, ..
            } = self.nodes[i];
            let arm = self.arm[i];
            let mut y = self.y[i];
            for k in dof..dof + nd {
                y += self.factor[k as usize].yj * b[k as usize];
            }
            let inner = match parent {
                Some(p) => {
                    self.y[p as usize] += y.shifted_back(arm);
                    self.x[p as usize].0.shifted(arm)
                }
                None => Motion::ZERO,
            };
            for k in dof..dof + nd {
                let f = &self.factor[k as usize];
                b[k as usize] = inner.dot(f.yj) + f.j.dot(y);
            }
        }
    }

    /// Solves in place with the last factors.
    pub fn solve_in_place(&mut self, b: &mut [f64]) {
        if !self.usable {
            b.fill(f64::NAN);
            return;
        }
        if self.accelerations {
            self.multiply(b);
        }
        self.y.fill(Force::ZERO);
        for i in (0..self.nodes.len()).rev() {
            let Node {
                parent, dof, nd, ..
            } = self.nodes[i];
            let mut w = self.y[i];
            if nd == 1 {
                let f = &self.factor[dof as usize];
                let rate = (b[dof as usize] - f.j.dot(w)) * f.per;
                b[dof as usize] = rate;
                w += f.u * rate;
            } else {
                let at = dof as usize..(dof + nd) as usize;
                let inverse = &self.inverse[self.inverse_at[i] as usize];
                let mut wanted = [0.0; MOST_DOF];
                for (to, k) in wanted.iter_mut().zip(at.clone()) {
                    *to = b[k] - self.factor[k].j.dot(w);
                }
                for (row, k) in inverse.iter().zip(at) {
                    b[k] = row.iter().zip(&wanted).map(|(a, b)| a * b).sum();
                    w += self.factor[k].u * b[k];
                }
            }
            if let Some(p) = parent {
                self.y[p as usize] += w.shifted_back(self.arm[i]);
            }
        }
        for i in 0..self.nodes.len() {
            let Node {
                parent, dof, nd, ..
            } = self.nodes[i];
            let (mut x, mut x_w) = match parent {
                Some(p) => {
                    let (x, x_w) = self.x[p as usize];
                    (x.shifted(self.arm[i]), x_w)
                }
                None => Default::default(),
            };
            if nd == 1 {
                let f = &self.factor[dof as usize];
                let d = b[dof as usize] - (x.dot(f.r) + x_w.dot(f.r_w)) * f.per;
                b[dof as usize] = d;
                x += f.p * d;
                x_w += f.p_w * d;
            } else {
                let at = dof as usize..(dof + nd) as usize;
                let inverse = &self.inverse[self.inverse_at[i] as usize];
                let mut along = [0.0; MOST_DOF];
                for (to, k) in along.iter_mut().zip(at.clone()) {
                    let f = &self.factor[k];
                    *to = x.dot(f.r) + x_w.dot(f.r_w);
                }
                for (row, k) in inverse.iter().zip(at) {
                    let f = &self.factor[k];
                    let lost: f64 = row.iter().zip(&along).map(|(a, b)| a * b).sum();
                    b[k] -= lost;
                    x += f.p * b[k];
                    x_w += f.p_w * b[k];
                }
            }
            self.x[i] = (x, x_w);
        }
    }
}

impl LinearSolver for Recursion {
    fn analyse(&mut self, _: &Pattern, _: &[u32]) {
        self.usable = false;
    }

    /// The recursion has no use for entries: it works on generators alone.
    fn factor(&mut self, _: &[f64]) -> Result<FactorInfo, Singular> {
        self.usable = false;
        Err(Singular { column: 0 })
    }

    fn factor_blocks(
        &mut self,
        blocks: &Blocks,
        bend: &[f64],
        link: Link,
    ) -> Option<Result<FactorInfo, Singular>> {
        Some(self.prepare(blocks.generators(), bend, link))
    }

    fn solve(&mut self, b: &mut [f64]) {
        self.solve_in_place(b);
    }

    fn memory(&mut self, m: &mut Memory) {
        // there are no pivots to choose; factors are made anew from the blocks
        m.section("recursn");
        m.same(self.nodes.len() as u64);
        m.same(u64::from(self.accelerations));
    }
}

impl Factor {
    /// Fills everything but `per`; returns `J' u`.
    #[inline]
    fn fill(&mut self, g: &Generator, c: Weights, gain: &Gain) -> f64 {
        self.j = g.j;
        self.p = g.j + g.dav * c.v + g.da * c.q;
        self.p_w = g.j.w * c.v + g.dv * c.q;
        self.yj = g.yj;
        self.u = g.yj + g.phi_v * c.v + g.phi_q * c.q + gain.apply(self.p, self.p_w);
        self.r = g.yj + Force::new(project(&gain.w, g.j), project(&gain.v, g.j));
        self.r_w = g.dj + project(&gain.e, g.j);
        self.j.dot(self.u)
    }
}

/// Factors of a joint with several coordinates; returns `delta^-1`. `mixed` is where its rotation
/// vector starts and the bend of that.
fn joint(
    factors: &mut [Factor],
    columns: &[[f64; WIDTH]],
    own: &[f64],
    mixed: Option<(usize, &[f64])>,
    c: Weights,
    gain: &Gain,
) -> Option<Small> {
    let nd = factors.len();
    let mut change = Small::default();
    for (k, row) in change.iter_mut().enumerate().take(nd) {
        row[k] = 1.0;
    }
    if let Some((turn, bend)) = mixed {
        for (k, row) in bend.chunks_exact(3).enumerate() {
            for (l, b) in row.iter().enumerate() {
                change[turn + k][turn + l] += b;
            }
        }
    }
    let mut all = [Generator::default(); MOST_DOF];
    for (g, column) in all.iter_mut().zip(columns) {
        *g = Generator::read(column);
    }
    for (l, f) in factors.iter_mut().enumerate() {
        f.fill(&all[l], c, gain);
        if mixed.is_some() {
            f.p = all[l].da * c.q;
            f.p_w = all[l].dv * c.q;
            let mut phi = all[l].phi_q * c.q;
            for (g, row) in all.iter().zip(&change) {
                let k = row[l];
                f.p += (g.j + g.dav * c.v) * k;
                f.p_w += g.j.w * (c.v * k);
                phi += (g.yj + g.phi_v * c.v) * k;
            }
            f.u = phi + gain.apply(f.p, f.p_w);
        }
    }
    let mut delta = Small::default();
    for k in 0..nd {
        let damping = own[nd * nd + k] * c.v;
        for l in 0..nd {
            delta[k][l] =
                factors[k].j.dot(factors[l].u) + own[k * nd + l] * c.q + damping * change[k][l];
        }
    }
    inverted(delta, nd)
}

/// Inverse of the leading `n` rows and columns, rest 0, by Gauss-Jordan with row pivoting; `None`
/// where it is singular.
fn inverted(mut a: Small, n: usize) -> Option<Small> {
    let mut out = Small::default();
    for (k, row) in out.iter_mut().enumerate().take(n) {
        row[k] = 1.0;
    }
    let size = a[..n]
        .iter()
        .flat_map(|r| &r[..n])
        .fold(0.0f64, |m, x| m.max(x.abs()));
    for k in 0..n {
        let best = (k..n).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs()))?;
        a.swap(k, best);
        out.swap(k, best);
        let pivot = a[k][k];
        if !(pivot.abs() > SINGULAR * size) || !pivot.is_finite() {
            return None;
        }
        for j in 0..n {
            a[k][j] /= pivot;
            out[k][j] /= pivot;
        }
        for i in (0..n).filter(|&i| i != k) {
            let factor = a[i][k];
            for j in 0..n {
                a[i][j] -= factor * a[k][j];
                out[i][j] -= factor * out[k][j];
            }
        }
    }
    Some(out)
}
