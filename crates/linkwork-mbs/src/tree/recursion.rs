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
//! solution costs eight times as much for a thousand bodies and forty times for ten thousand.
//!
//! Rotation vectors: where `dv = s1 (1 + B) d`, the parts of `p` and `phi` that come from velocities and
//! accelerations are mixed by `1 + B` within the joint. Formulations with velocity increments `y` of their own and
//! rows `(1 + B) d - y = g` reduce to the same matrix with `b + (M + D/s2) g` on the right.

mod gain;

use super::generators::{Generator, WIDTH};
use super::joint::MOST_DOF;
use super::small::{Small, inverted};
use super::spatial::{Force, Motion, Vec3};
use super::{Sweep, Tree};
use gain::Gain;
use linkwork_dae::linear::{FactorInfo, LinearSolver, Pattern, Singular};
use linkwork_dae::memory::Memory;
use linkwork_dae::state::Link;
use linkwork_dae::system::Blocks;
use std::ops::Range;

/// Pivots below this share of their terms are taken for zero: some hundred roundings.
const SINGULAR: f64 = 1e-14;

#[derive(Clone, Copy, Debug)]
struct Node {
    sweep: Sweep,
    /// Place of the parent where it is not chained.
    to: u32,
    /// Whether the body hangs on the ground.
    rooted: bool,
    dof: u32,
    nd: u32,
    /// Where a rotation vector starts among the coordinates of the joint, and its number.
    turn: Option<(u32, u32)>,
    /// Place of `delta^-1` where there are several coordinates.
    inverse: u32,
}

impl Node {
    #[inline]
    fn dofs(&self) -> Range<usize> {
        self.dof as usize..(self.dof + self.nd) as usize
    }
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
    /// Of a product with a right-hand side, the part of inner coordinates.
    inner: f64,
}

/// What velocities alone contribute to the columns of a coordinate.
#[derive(Clone, Copy, Debug, Default)]
struct Rate {
    p: Motion,
    p_w: Vec3,
    phi: Force,
    dj: Vec3,
    damping: f64,
}

/// What the unknowns of the linear equations are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknowns {
    /// Position increments `d`; velocities follow them.
    Positions,
    /// Velocity increments `y` in units of positions, then `d`, with `(1 + B) d - y` given.
    Both,
}

/// The recursion for one tree; see the [module](self).
#[derive(Clone, Debug)]
pub struct Recursion {
    nodes: Vec<Node>,
    unknowns: Unknowns,
    accelerations: bool,
    factor: Vec<Factor>,
    /// For [`Unknowns::Both`].
    rate: Vec<Rate>,
    /// `B`, nine numbers for each rotation vector.
    bend: Vec<f64>,
    arm: Vec<Vec3>,
    /// `delta^-1` of joints with several coordinates.
    inverse: Vec<Small>,
    gain: Vec<Gain>,
    x: Vec<(Motion, Vec3)>,
    y: Vec<(Force, Force)>,
    usable: bool,
}

impl Recursion {
    /// The recursion for a tree. With `accelerations`, force rows of right-hand sides are
    /// accelerations and premultiplied by `M`: the matrix is then `1 + M^-1 (D/s2 + K/(s1 s2))`.
    pub fn new(tree: &Tree, unknowns: Unknowns, accelerations: bool) -> Recursion {
        let (mut several, mut turns) = (0, 0);
        let nodes: Vec<Node> = (tree.nodes.iter())
            .map(|n| {
                let nd = n.joint.dof() as u32;
                let turn = n.joint.rotation_vector().map(|t| (t as u32, turns));
                let inverse = several;
                several += u32::from(nd > 1);
                turns += u32::from(turn.is_some());
                Node {
                    sweep: n.sweep,
                    to: tree.slot_of_parent(n) as u32,
                    rooted: n.parent.is_none(),
                    dof: n.dof,
                    nd,
                    turn,
                    inverse,
                }
            })
            .collect();
        let slots = tree.slots as usize;
        let rates = match unknowns {
            Unknowns::Positions => 0,
            Unknowns::Both => tree.nv(),
        };
        Recursion {
            unknowns,
            accelerations,
            factor: vec![Factor::default(); tree.nv()],
            rate: vec![Rate::default(); rates],
            bend: vec![0.0; 9 * turns as usize],
            arm: vec![Vec3::ZERO; nodes.len()],
            inverse: vec![Small::default(); several as usize],
            gain: vec![Gain::default(); slots],
            x: vec![Default::default(); slots],
            y: vec![Default::default(); slots],
            nodes,
            usable: false,
        }
    }

    /// Factors from generators (see [`super::Generators`]) and, for rotation vectors, the bend
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
        if bend.len() == self.bend.len() {
            self.bend.copy_from_slice(bend);
        }
        self.gain.fill(Gain::default());
        let mut carried = Gain::default();
        let mut ratio = f64::INFINITY;
        let mut rest = generators;
        for (i, node) in self.nodes.iter().enumerate().rev() {
            let nd = node.nd as usize;
            let singular = Singular {
                column: node.dof as usize,
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
            let mut gain = if node.sweep.continued {
                carried
            } else {
                Gain::default()
            };
            if let Some(slot) = node.sweep.slot {
                gain.add(&self.gain[slot as usize]);
            }
            let factors = &mut self.factor[node.dofs()];
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
                if !node.rooted {
                    gain.subtract(f.u * f.per, f.r, f.r_w);
                }
            } else {
                let mixed = node
                    .turn
                    .map(|(at, k)| (at as usize, bend_of(&self.bend, k)));
                let inverse = joint(factors, columns, own, mixed, c, &gain).ok_or(singular)?;
                for k in 0..nd {
                    let mut row = (Force::ZERO, Vec3::ZERO);
                    for l in 0..nd {
                        row.0 += factors[l].r * inverse[k][l];
                        row.1 += factors[l].r_w * inverse[k][l];
                    }
                    gain.subtract(factors[k].u, row.0, row.1);
                }
                self.inverse[node.inverse as usize] = inverse;
            }
            if self.unknowns == Unknowns::Both {
                let damping = &own[nd * nd..];
                let rates = self.rate[node.dofs()].iter_mut().zip(columns).zip(damping);
                for ((rate, column), damping) in rates {
                    let g = Generator::read(column);
                    *rate = Rate {
                        p: g.j + g.dav * c.v,
                        p_w: g.j.w * c.v,
                        phi: g.yj + g.phi_v * c.v,
                        dj: g.dj,
                        damping: damping * c.v,
                    };
                }
            }
            self.arm[i] = arm;
            if node.sweep.chained {
                carried = gain.shifted(arm);
            } else if !node.rooted {
                self.gain[node.to as usize].add(&gain.shifted(arm));
            }
        }
        self.usable = true;
        Ok(FactorInfo {
            pivot_ratio: ratio.min(1.0),
            reused_pivots: true,
            nnz: self.factor.len() * FACTOR_ENTRIES,
        })
    }

    /// Solves in place with the last factors. The right-hand side has one number for each unknown:
    /// force rows, then, for [`Unknowns::Both`], those of `(1 + B) d - y`.
    pub fn solve_in_place(&mut self, b: &mut [f64]) {
        if !self.usable {
            b.fill(f64::NAN);
            return;
        }
        let (b, given) = b.split_at_mut(self.factor.len());
        if self.accelerations || !given.is_empty() {
            self.spread(b, given);
        }
        self.inward(b, given);
        self.outward(b);
        if given.is_empty() {
            return;
        }
        // y = (1 + B) d - given;  y comes first
        for (y, d) in b.iter_mut().zip(given.iter_mut()) {
            (*y, *d) = (*y - *d, *y);
        }
        for node in &self.nodes {
            let Some((at, k)) = node.turn else { continue };
            let first = (node.dof + at) as usize;
            for (row, y) in bend_of(&self.bend, k).chunks_exact(3).zip(&mut b[first..]) {
                *y += row
                    .iter()
                    .zip(&given[first..])
                    .map(|(b, d)| b * d)
                    .sum::<f64>();
            }
        }
    }

    /// From the root: the part of the products that comes from inner coordinates goes to `inner`.
    /// With accelerations the product is `M b`, and `(M + D/s2) given` is added.
    fn spread(&mut self, b: &[f64], given: &[f64]) {
        let mut carried = (Motion::ZERO, Vec3::ZERO);
        for (i, node) in self.nodes.iter().enumerate() {
            let (x, mut x_w) = if node.sweep.chained {
                carried
            } else if node.rooted {
                Default::default()
            } else {
                self.x[node.to as usize]
            };
            let mut x = x.shifted(self.arm[i]);
            let (inner, inner_w) = (x, x_w);
            for k in node.dofs() {
                let f = &mut self.factor[k];
                f.inner = inner.dot(f.yj);
                if self.accelerations {
                    x += f.j * b[k];
                }
                if let Some(given) = given.get(k) {
                    let rate = &self.rate[k];
                    f.inner += inner_w.dot(rate.dj);
                    x += rate.p * *given;
                    x_w += rate.p_w * *given;
                }
            }
            carried = (x, x_w);
            if let Some(slot) = node.sweep.slot {
                self.x[slot as usize] = carried;
            }
        }
    }

    /// From the leaves: completes the products and eliminates.
    fn inward(&mut self, b: &mut [f64], given: &[f64]) {
        let products = self.accelerations || !given.is_empty();
        self.y.fill(Default::default());
        let mut carried = (Force::ZERO, Force::ZERO);
        for (i, node) in self.nodes.iter().enumerate().rev() {
            let (mut y, mut w) = if node.sweep.continued {
                carried
            } else {
                Default::default()
            };
            if let Some(slot) = node.sweep.slot {
                y += self.y[slot as usize].0;
                w += self.y[slot as usize].1;
            }
            if products {
                for k in node.dofs() {
                    if self.accelerations {
                        y += self.factor[k].yj * b[k];
                    }
                    if let Some(given) = given.get(k) {
                        y += self.rate[k].phi * *given;
                    }
                }
                for k in node.dofs() {
                    let f = &self.factor[k];
                    let kept = if self.accelerations { 0.0 } else { b[k] };
                    b[k] = kept + f.inner + f.j.dot(y);
                    if let Some(given) = given.get(k) {
                        b[k] += self.rate[k].damping * given;
                    }
                }
            }
            if node.nd == 1 {
                let k = node.dof as usize;
                let f = &self.factor[k];
                let rate = (b[k] - f.j.dot(w)) * f.per;
                b[k] = rate;
                w += f.u * rate;
            } else {
                let inverse = &self.inverse[node.inverse as usize];
                let mut wanted = [0.0; MOST_DOF];
                for (to, k) in wanted.iter_mut().zip(node.dofs()) {
                    *to = b[k] - self.factor[k].j.dot(w);
                }
                for (row, k) in inverse.iter().zip(node.dofs()) {
                    b[k] = row.iter().zip(&wanted).map(|(a, b)| a * b).sum();
                    w += self.factor[k].u * b[k];
                }
            }
            let arm = self.arm[i];
            let out = (y.shifted_back(arm), w.shifted_back(arm));
            if node.sweep.chained {
                carried = out;
            } else if !node.rooted {
                let to = &mut self.y[node.to as usize];
                to.0 += out.0;
                to.1 += out.1;
            }
        }
    }

    /// From the root: increments.
    fn outward(&mut self, b: &mut [f64]) {
        let mut carried = (Motion::ZERO, Vec3::ZERO);
        for (i, node) in self.nodes.iter().enumerate() {
            let (x, mut x_w) = if node.sweep.chained {
                carried
            } else if node.rooted {
                Default::default()
            } else {
                self.x[node.to as usize]
            };
            let mut x = x.shifted(self.arm[i]);
            if node.nd == 1 {
                let k = node.dof as usize;
                let f = &self.factor[k];
                let d = b[k] - (x.dot(f.r) + x_w.dot(f.r_w)) * f.per;
                b[k] = d;
                x += f.p * d;
                x_w += f.p_w * d;
            } else {
                let inverse = &self.inverse[node.inverse as usize];
                let mut along = [0.0; MOST_DOF];
                for (to, k) in along.iter_mut().zip(node.dofs()) {
                    let f = &self.factor[k];
                    *to = x.dot(f.r) + x_w.dot(f.r_w);
                }
                for (row, k) in inverse.iter().zip(node.dofs()) {
                    let f = &self.factor[k];
                    let lost: f64 = row.iter().zip(&along).map(|(a, b)| a * b).sum();
                    b[k] -= lost;
                    x += f.p * b[k];
                    x_w += f.p_w * b[k];
                }
            }
            carried = (x, x_w);
            if let Some(slot) = node.sweep.slot {
                self.x[slot as usize] = carried;
            }
        }
    }
}

/// `B` of the rotation vector `k`.
fn bend_of(bend: &[f64], k: u32) -> &[f64] {
    &bend[9 * k as usize..][..9]
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
        m.same(u64::from(self.unknowns == Unknowns::Both));
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
        let (r, r_w) = gain.project(g.j);
        self.r = g.yj + r;
        self.r_w = g.dj + r_w;
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
