//! Derivatives of the state-space equations `p' = F(t, w, p)`, `p = (w', x)`, by implicit
//! differentiation.
//!
//! With `Z = dq/dw = [H; I]` (rows of `u`, of `w`) and `E` that places dependent entries, a change
//! of `w`, of `w'` or of time moves
//!
//! ```text
//!            by w                       by w'     by t
//!  q         Z                          0         -E C_u^-1 C_t
//!  v         -E C_u^-1 (C_q v + C_t)_q Z   Z      -E C_u^-1 ((C_q v + C_t)_q q_t + (C_q v + C_t)_t)
//!  a at fixed w''   -E C_u^-1 of the change of C_q a - gamma
//!  r         K dq + D dv + M da + r_t              r = M a + C_q' lambda - Q
//!  L' M Z dw'' = -L' dr                            because L' (C_q' - Q_lambda) = 0
//! ```
//!
//! `L`, with the identity in the rows of `w`, is `Z` unless forces follow reactions. The rows of
//! `w''` are kept multiplied by `L' M Z`: nothing is inverted. What the blocks of a
//! system do not contain follows from them along the motion. With `d/dt = v d/dq + a d/dv + ..`,
//! derivatives by `q` and `d/dt` commute, so
//!
//! ```text
//!  (C_q a - gamma)_q = d/dt (C_q v + C_t)_q        (C_q a - gamma)_v = 2 (C_q v + C_t)_q
//! ```
//!
//! The first is one directional derivative of an exact block, taken by a difference of order 4
//! over a thousandth of a step: relative error 1e-12. Derivatives by time alone are taken likewise,
//! at the price of two evaluations where nothing depends on time.

use super::{Factors, Reduced, place};
use crate::corrector::Retry;
use crate::jacobian::JacobianStrategy;
use crate::jacobian::differences::Differences;
use crate::memory::Memory;
use crate::state::{State, Weights};
use crate::stats::Stats;
use crate::system::{At, BlockPatterns, Blocks, Dims, Part, Parts, System, Terms};

/// Arm of differences along the motion and along time, as a share of the step.
const ARM: f64 = 1e-3;
/// Points of the difference of order 4 and their weights.
const STENCIL: [(f64, f64); 4] = [
    (1.0, 2.0 / 3.0),
    (-1.0, -2.0 / 3.0),
    (2.0, -1.0 / 12.0),
    (-2.0, 1.0 / 12.0),
];

/// See the [module](self). `d` freedoms, `x` first-order states; matrices are row by row.
#[derive(Default)]
pub struct Slope {
    dims: Dims,
    d: usize,
    /// `L' M Z`, d x d.
    pub mass: Vec<f64>,
    /// By `w`: rows of `w''` (multiplied), then of `x`; (d + nx) x d.
    pub by_w: Vec<f64>,
    /// By `w'` and `x`; (d + nx) x (d + nx).
    pub by_p: Vec<f64>,
    /// By time; d + nx.
    pub by_t: Vec<f64>,
    patterns: BlockPatterns,
    blocks: Blocks,
    /// Source of blocks that the system cannot supply.
    differences: Differences,
    moved: State,
    moved_blocks: Blocks,
    /// `(C_q a - gamma)_q` in the pattern of `(C_q v + C_t)_q`.
    ca_q: Vec<f64>,
    clock: Clock,
    /// Changes of q, v and r by w and t, and of v, r by w'; nv x (d + 1).
    q: Vec<f64>,
    v: Vec<f64>,
    r: Vec<f64>,
    a: Vec<f64>,
    /// Changes on the constraint rows, m x (d + 1).
    c: Vec<f64>,
    /// `L`, nv x (d + 1), its last column unused.
    left: Vec<f64>,
    /// `(C_q' - Q_lambda)'` on the kept rows, m x nv, and its factors.
    reactions: Vec<f64>,
    reaction_factors: Factors,
    f: Vec<f64>,
}

/// Terms of the equations and their derivatives by time alone.
#[derive(Default)]
struct Clock {
    now: Values,
    rate: Values,
}

#[derive(Default)]
struct Values {
    r: Vec<f64>,
    cv: Vec<f64>,
    /// `gamma` when evaluated, then `C_q a - gamma`.
    ca: Vec<f64>,
    c_q: Vec<f64>,
    f: Vec<f64>,
}

impl Values {
    fn new(dims: Dims, c_q: usize) -> Values {
        Values {
            r: vec![0.0; dims.nv],
            cv: vec![0.0; dims.rows()],
            ca: vec![0.0; dims.rows()],
            c_q: vec![0.0; c_q],
            f: vec![0.0; dims.nx],
        }
    }

    fn eval(&mut self, sys: &mut dyn System, at: &At<'_>) -> Result<(), Retry> {
        let mut want = Terms {
            r: Some(&mut self.r),
            f: (!self.f.is_empty()).then_some(&mut self.f[..]),
            ..Terms::default()
        };
        if !self.cv.is_empty() {
            want.cv = Some(&mut self.cv);
            want.gamma = Some(&mut self.ca);
            want.c_q = Some(&mut self.c_q);
        }
        sys.eval(at, &mut want)?;
        self.ca.iter_mut().for_each(|x| *x = -*x);
        for (&(i, j), c) in sys.patterns()[Part::Cq].iter().zip(&self.c_q) {
            self.ca[i as usize] += c * at.a[j as usize];
        }
        Ok(())
    }

    fn lists(&mut self) -> [&mut Vec<f64>; 4] {
        [&mut self.r, &mut self.cv, &mut self.ca, &mut self.f]
    }
}

impl Clock {
    /// Derivatives by time at fixed `q, v, a, lambda, x`.
    fn renew(&mut self, sys: &mut dyn System, s: &State, arm: f64) -> Result<(), Retry> {
        self.rate.lists().into_iter().for_each(|x| x.fill(0.0));
        for pair in STENCIL.chunks_exact(2) {
            for (side, weight) in pair {
                let t = s.t + side * arm;
                self.now.eval(sys, &At { t, ..s.at() })?;
                let lists = self.rate.lists().into_iter().zip(self.now.lists());
                for (rate, now) in lists {
                    for (rate, now) in rate.iter_mut().zip(now) {
                        *rate += weight / arm * *now;
                    }
                }
            }
            // equal on both sides of now: nothing depends on time
            if (self.rate.lists().into_iter().flatten()).all(|x| *x == 0.0) {
                break;
            }
        }
        Ok(())
    }
}

impl Slope {
    /// Allocates for a system and its freedoms.
    pub fn bind(&mut self, sys: &dyn System, reduced: &Reduced) {
        let dims = sys.dims();
        let (d, m) = (reduced.independent().len(), reduced.dependent().len());
        let (n, p, width) = (dims.nv, d + dims.nx, d + 1);
        let patterns = sys.patterns();
        *self = Slope {
            dims,
            d,
            mass: vec![0.0; d * d],
            by_w: vec![0.0; p * d],
            by_p: vec![0.0; p * p],
            by_t: vec![0.0; p],
            patterns: patterns.clone(),
            blocks: Blocks::new(patterns),
            moved_blocks: Blocks::new(patterns),
            differences: Differences::default(),
            moved: State::new(dims),
            ca_q: vec![0.0; patterns[Part::CVq].len()],
            clock: Clock {
                now: Values::new(dims, patterns[Part::Cq].len()),
                rate: Values::new(dims, patterns[Part::Cq].len()),
            },
            q: vec![0.0; n * width],
            v: vec![0.0; n * width],
            r: vec![0.0; n * width],
            a: vec![0.0; n * width],
            c: vec![0.0; m * width],
            left: vec![0.0; n * width],
            reactions: vec![0.0; m * n],
            reaction_factors: Factors::new(m),
            f: vec![0.0; dims.nx * width],
        };
        self.differences.bind(sys);
    }

    /// Saves or restores the derivatives.
    pub(crate) fn memory(&mut self, m: &mut Memory) {
        for values in [
            &mut self.mass,
            &mut self.by_w,
            &mut self.by_p,
            &mut self.by_t,
        ] {
            m.slice(values);
        }
    }

    /// Renews all derivatives at the beginning of a step of size `h`; those by time only where
    /// `timed`, else they are 0.
    pub fn renew(
        &mut self,
        sys: &mut dyn System,
        reduced: &mut Reduced,
        s: &State,
        (h, timed): (f64, bool),
        w: &Weights,
        stats: &mut Stats,
    ) -> Result<(), Retry> {
        stats.jacobian_evaluations += 1;
        self.evaluate(sys, s, w, stats)?;
        if !reduced.keep.is_empty() {
            self.along_motion(sys, s, ARM * h)?;
        }
        if timed {
            self.clock.renew(sys, s, ARM * h)?;
        } else {
            let rates = self.clock.rate.lists();
            rates.into_iter().for_each(|x| x.fill(0.0));
        }
        self.move_positions(reduced, s, timed);
        self.find_left(reduced)?;
        self.by_positions(reduced);
        self.by_velocities(reduced);
        self.by_states(reduced);
        Ok(())
    }

    /// Blocks at the state, by differences where the system has no exact ones.
    fn evaluate(
        &mut self,
        sys: &mut dyn System,
        s: &State,
        w: &Weights,
        stats: &mut Stats,
    ) -> Result<(), Retry> {
        let exact = sys.exact_parts();
        let missing = Parts::ALL.without(exact);
        sys.linearise(&s.at(), &mut Terms::default(), exact, &mut self.blocks)?;
        if !missing.is_empty() {
            let mut none = Terms::default();
            let spent =
                (self.differences).fill(sys, &s.at(), &mut none, missing, w, &mut self.blocks)?;
            stats.residual_evaluations_for_jacobians += u64::from(spent);
        }
        Ok(())
    }

    /// `(C_q a - gamma)_q` as the rate of `(C_q v + C_t)_q` along the motion.
    fn along_motion(&mut self, sys: &mut dyn System, s: &State, arm: f64) -> Result<(), Retry> {
        self.ca_q.fill(0.0);
        if !sys.exact_parts().has(Part::CVq) {
            return self.column_by_column(sys, s);
        }
        for (side, weight) in STENCIL {
            let dt = side * arm;
            self.moved.t = s.t + dt;
            self.moved.x.copy_from_slice(&s.x);
            for i in 0..self.dims.nv {
                self.moved.q[i] = s.q[i] + dt * (s.v[i] + 0.5 * dt * s.a[i]);
                self.moved.v[i] = s.v[i] + dt * s.a[i];
            }
            let (mut none, out) = (Terms::default(), &mut self.moved_blocks);
            sys.linearise(&place(&self.moved), &mut none, Part::CVq.into(), out)?;
            for (c, x) in self.ca_q.iter_mut().zip(&out[Part::CVq]) {
                *c += weight / arm * x;
            }
        }
        Ok(())
    }

    /// The same by differences of `C_q a - gamma` itself, for a system without exact blocks.
    fn column_by_column(&mut self, sys: &mut dyn System, s: &State) -> Result<(), Retry> {
        self.moved.copy_from(s);
        let arm = f64::EPSILON.cbrt();
        for j in 0..self.dims.nv {
            let step = arm * s.q[j].abs().max(1.0);
            for side in [1.0, -1.0] {
                self.moved.q[j] = s.q[j] + side * step;
                self.clock.now.eval(sys, &self.moved.at())?;
                let pattern = self.patterns[Part::CVq].iter().zip(&mut self.ca_q);
                for (&(i, _), c) in pattern.filter(|(e, _)| e.1 as usize == j) {
                    *c += side / (2.0 * step) * self.clock.now.ca[i as usize];
                }
            }
            self.moved.q[j] = s.q[j];
        }
        Ok(())
    }

    /// Changes of the positions: the tangent, and `-E C_u^-1 C_t`.
    fn move_positions(&mut self, reduced: &Reduced, s: &State, timed: bool) {
        let (d, width) = (self.d, self.d + 1);
        self.q.fill(0.0);
        for (k, &w) in reduced.independent().iter().enumerate() {
            self.q[w * width + k] = 1.0;
        }
        for (i, &u) in reduced.dependent().iter().enumerate() {
            self.q[u * width..u * width + d]
                .copy_from_slice(&reduced.tangent()[i * d..(i + 1) * d]);
            if timed {
                // C_t = -C_q v on the constraints, so C_u^-1 C_t = H w' - u'
                let along = reduced
                    .independent()
                    .iter()
                    .zip(&reduced.tangent()[i * d..]);
                let follows: f64 = along.map(|(&w, h)| h * s.v[w]).sum();
                self.q[u * width + d] = s.v[u] - follows;
            }
        }
    }

    /// `L` from `B = C_q' - Q_lambda`: `L_u = -(B_u')^-1 B_w'`.
    fn find_left(&mut self, reduced: &Reduced) -> Result<(), Retry> {
        self.left.copy_from_slice(&self.q);
        if self.patterns[Part::Rl].is_empty() {
            return Ok(());
        }
        let (n, d, width) = (self.dims.nv, self.d, self.d + 1);
        let m = reduced.dependent().len();
        self.reactions.fill(0.0);
        let c_q = self.patterns[Part::Cq].iter().zip(&self.blocks[Part::Cq]);
        let by_lambda = self.patterns[Part::Rl].iter().zip(&self.blocks[Part::Rl]);
        let entries = c_q
            .map(|(&(i, j), x)| (i, j, x))
            .chain(by_lambda.map(|(&(j, i), x)| (i, j, x)));
        for (i, j, x) in entries {
            if let Some(i) = reduced.kept(i as usize) {
                self.reactions[i * n + j as usize] += x;
            }
        }
        let lu = self.reaction_factors.entries();
        for i in 0..m {
            for (k, &u) in reduced.dependent().iter().enumerate() {
                lu[i * m + k] = self.reactions[i * n + u];
            }
            for (k, &w) in reduced.independent().iter().enumerate() {
                self.c[i * width + k] = -self.reactions[i * n + w];
            }
            self.c[i * width + d] = 0.0;
        }
        (self.reaction_factors.factor()).map_err(|k| reduced.singular(k))?;
        self.reaction_factors.solve(&mut self.c, width);
        for (i, &u) in reduced.dependent().iter().enumerate() {
            self.left[u * width..(u + 1) * width]
                .copy_from_slice(&self.c[i * width..(i + 1) * width]);
        }
        Ok(())
    }

    /// Columns by `w`, and as the last one by time.
    fn by_positions(&mut self, reduced: &Reduced) {
        let (d, width) = (self.d, self.d + 1);
        // v
        self.c.fill(0.0);
        let cv_q = &self.blocks[Part::CVq];
        product_rows(
            &self.patterns[Part::CVq],
            cv_q,
            &self.q,
            width,
            reduced,
            1.0,
            &mut self.c,
        );
        add_rate(&self.clock.rate.cv, reduced, width, &mut self.c);
        reduced.solve(&mut self.c, width);
        self.v.fill(0.0);
        for (i, &u) in reduced.dependent().iter().enumerate() {
            for k in 0..width {
                self.v[u * width + k] = -self.c[i * width + k];
            }
        }
        // a at fixed w''
        self.c.fill(0.0);
        let (pattern, cv_q) = (&self.patterns[Part::CVq], &self.blocks[Part::CVq]);
        product_rows(
            pattern,
            &self.ca_q,
            &self.q,
            width,
            reduced,
            1.0,
            &mut self.c,
        );
        product_rows(pattern, cv_q, &self.v, width, reduced, 2.0, &mut self.c);
        add_rate(&self.clock.rate.ca, reduced, width, &mut self.c);
        self.place_accelerations(reduced);
        // r, then its share along the tangent
        let b = &self.blocks;
        self.r.fill(0.0);
        product(
            &self.patterns[Part::Rq],
            &b[Part::Rq],
            &self.q,
            width,
            &mut self.r,
        );
        product(
            &self.patterns[Part::Rv],
            &b[Part::Rv],
            &self.v,
            width,
            &mut self.r,
        );
        product(
            &self.patterns[Part::Mass],
            &b[Part::Mass],
            &self.a,
            width,
            &mut self.r,
        );
        for (row, rate) in self.r.chunks_exact_mut(width).zip(&self.clock.rate.r) {
            row[d] += rate;
        }
        for l in 0..d {
            for k in 0..width {
                let sum = -dot(&self.left, &self.r, (l, k), width);
                if k < d {
                    self.by_w[l * d + k] = sum;
                } else {
                    self.by_t[l] = sum;
                }
            }
        }
        self.f.fill(0.0);
        product(
            &self.patterns[Part::Fq],
            &b[Part::Fq],
            &self.q,
            width,
            &mut self.f,
        );
        product(
            &self.patterns[Part::Fv],
            &b[Part::Fv],
            &self.v,
            width,
            &mut self.f,
        );
        for (i, row) in self.f.chunks_exact(width).enumerate() {
            self.by_w[(d + i) * d..(d + i + 1) * d].copy_from_slice(&row[..d]);
            self.by_t[d + i] = row[d] + self.clock.rate.f[i];
        }
    }

    /// Columns by `w'`, and the mass.
    fn by_velocities(&mut self, reduced: &Reduced) {
        let (d, width) = (self.d, self.d + 1);
        let p = d + self.dims.nx;
        let b = &self.blocks;
        self.c.fill(0.0);
        product_rows(
            &self.patterns[Part::CVq],
            &b[Part::CVq],
            &self.q,
            width,
            reduced,
            2.0,
            &mut self.c,
        );
        self.place_accelerations(reduced);
        let b = &self.blocks;
        self.r.fill(0.0);
        product(
            &self.patterns[Part::Rv],
            &b[Part::Rv],
            &self.q,
            width,
            &mut self.r,
        );
        product(
            &self.patterns[Part::Mass],
            &b[Part::Mass],
            &self.a,
            width,
            &mut self.r,
        );
        for l in 0..d {
            for k in 0..d {
                self.by_p[l * p + k] = -dot(&self.left, &self.r, (l, k), width);
            }
        }
        self.r.fill(0.0);
        product(
            &self.patterns[Part::Mass],
            &b[Part::Mass],
            &self.q,
            width,
            &mut self.r,
        );
        for l in 0..d {
            for k in 0..d {
                self.mass[l * d + k] = dot(&self.left, &self.r, (l, k), width);
            }
        }
        self.f.fill(0.0);
        product(
            &self.patterns[Part::Fv],
            &b[Part::Fv],
            &self.q,
            width,
            &mut self.f,
        );
        for (i, row) in self.f.chunks_exact(width).enumerate() {
            self.by_p[(d + i) * p..(d + i) * p + d].copy_from_slice(&row[..d]);
        }
    }

    /// Columns by `x`.
    fn by_states(&mut self, reduced: &Reduced) {
        let (d, nx, width) = (self.d, self.dims.nx, self.d + 1);
        let p = d + nx;
        for row in self.by_p.chunks_exact_mut(p.max(1)) {
            row[d..].fill(0.0);
        }
        let rx = self.patterns[Part::Rx].iter().zip(&self.blocks[Part::Rx]);
        for (&(i, j), x) in rx {
            for l in 0..reduced.independent().len() {
                self.by_p[l * p + d + j as usize] -= self.left[i as usize * width + l] * x;
            }
        }
        let fx = self.patterns[Part::Fx].iter().zip(&self.blocks[Part::Fx]);
        for (&(i, j), x) in fx {
            self.by_p[(d + i as usize) * p + d + j as usize] += x;
        }
    }

    /// `a = -E C_u^-1 c`, from the changes of `C_q a - gamma` in `c`.
    fn place_accelerations(&mut self, reduced: &Reduced) {
        let width = self.d + 1;
        reduced.solve(&mut self.c, width);
        self.a.fill(0.0);
        for (i, &u) in reduced.dependent().iter().enumerate() {
            for k in 0..width {
                self.a[u * width + k] = -self.c[i * width + k];
            }
        }
    }
}

/// Adds rates by time of all constraint rows to the last column of the kept ones.
fn add_rate(rate: &[f64], reduced: &Reduced, width: usize, c: &mut [f64]) {
    for (row, &i) in c.chunks_exact_mut(width).zip(&reduced.keep) {
        row[width - 1] += rate[i as usize];
    }
}

/// `out += B x` for a block and `width` columns.
fn product(pattern: &[(u32, u32)], values: &[f64], x: &[f64], width: usize, out: &mut [f64]) {
    for (&(i, j), b) in pattern.iter().zip(values) {
        let from = &x[j as usize * width..][..width];
        for (o, x) in out[i as usize * width..][..width].iter_mut().zip(from) {
            *o += b * x;
        }
    }
}

/// The same on the kept constraint rows, times a factor.
fn product_rows(
    pattern: &[(u32, u32)],
    values: &[f64],
    x: &[f64],
    width: usize,
    reduced: &Reduced,
    factor: f64,
    out: &mut [f64],
) {
    for (&(i, j), b) in pattern.iter().zip(values) {
        let Some(i) = reduced.kept(i as usize) else {
            continue;
        };
        let from = &x[j as usize * width..][..width];
        for (o, x) in out[i * width..][..width].iter_mut().zip(from) {
            *o += factor * b * x;
        }
    }
}

/// Product of column `l` of `a` and column `k` of `b`.
fn dot(a: &[f64], b: &[f64], (l, k): (usize, usize), width: usize) -> f64 {
    let rows = a.chunks_exact(width).zip(b.chunks_exact(width));
    rows.map(|(a, b)| a[l] * b[k]).sum()
}
