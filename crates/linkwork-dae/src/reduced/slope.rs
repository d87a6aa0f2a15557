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
//! Here `v` and `a` stand for rates of the coordinates, those of a chart at its base
//! ([`super::curved`]); forces see `v + B dq` and `a + A dq`.
//!
//! `L`, with the identity in the rows of `w`, is `Z` unless forces follow reactions. The rows of
//! `w''` are kept multiplied by `L' M Z`: nothing is inverted.

use super::derivatives::Derivatives;
use super::{Factors, Reduced};
use crate::corrector::Retry;
use crate::memory::Memory;
use crate::state::{State, Weights};
use crate::stats::Stats;
use crate::system::{Dims, Part, System};

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
    blocks: Derivatives,
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

impl Slope {
    /// Allocates for a system and its freedoms.
    pub fn bind(&mut self, sys: &dyn System, reduced: &Reduced) {
        let dims = sys.dims();
        let (d, m) = (reduced.independent().len(), reduced.dependent().len());
        let (n, p, width) = (dims.nv, d + dims.nx, d + 1);
        *self = Slope {
            dims,
            d,
            mass: vec![0.0; d * d],
            by_w: vec![0.0; p * d],
            by_p: vec![0.0; p * p],
            by_t: vec![0.0; p],
            blocks: Derivatives::new(sys, reduced, width),
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

    /// Renews all derivatives at the beginning of a step of size `h`, the base of a chart; those by
    /// time only where `timed`, else they are 0.
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
        self.blocks.evaluate(sys, s, w, stats)?;
        if !reduced.keep.is_empty() {
            self.blocks.along_motion(sys, s, h)?;
        }
        self.blocks.along_time(sys, s, timed.then_some(h))?;
        self.move_positions(reduced, s, timed);
        self.find_left(reduced)?;
        self.by_positions(reduced);
        self.by_velocities(reduced);
        self.by_states(reduced);
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
        if !self.blocks.reactive() {
            return Ok(());
        }
        let (n, d, width) = (self.dims.nv, self.d, self.d + 1);
        let m = reduced.dependent().len();
        self.reactions.fill(0.0);
        let c_q = self.blocks.entries(Part::Cq);
        let by_lambda = self.blocks.entries(Part::Rl);
        let entries = c_q
            .map(|((i, j), x)| (i, j, x))
            .chain(by_lambda.map(|((j, i), x)| (i, j, x)));
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
        self.blocks
            .add_velocity_rows(1.0, &self.q, width, &mut self.c);
        add_rate(&self.blocks.rate.cv, reduced, width, &mut self.c);
        reduced.solve(&mut self.c, width);
        self.v.fill(0.0);
        for (i, &u) in reduced.dependent().iter().enumerate() {
            for k in 0..width {
                self.v[u * width + k] = -self.c[i * width + k];
            }
        }
        // a at fixed w''
        self.c.fill(0.0);
        self.blocks
            .add_acceleration_rows(&self.q, width, &mut self.c);
        self.blocks
            .add_velocity_rows(2.0, &self.v, width, &mut self.c);
        add_rate(&self.blocks.rate.ca, reduced, width, &mut self.c);
        self.place_accelerations(reduced);
        self.blocks
            .add_bend(&self.q, width, &mut self.v, &mut self.a);
        // r, then its share along the tangent
        self.r.fill(0.0);
        self.blocks.add(Part::Rq, &self.q, width, &mut self.r);
        self.blocks.add(Part::Rv, &self.v, width, &mut self.r);
        self.blocks.add(Part::Mass, &self.a, width, &mut self.r);
        for (row, rate) in self.r.chunks_exact_mut(width).zip(&self.blocks.rate.r) {
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
        self.blocks.add(Part::Fq, &self.q, width, &mut self.f);
        self.blocks.add(Part::Fv, &self.v, width, &mut self.f);
        for (i, row) in self.f.chunks_exact(width).enumerate() {
            self.by_w[(d + i) * d..(d + i + 1) * d].copy_from_slice(&row[..d]);
            self.by_t[d + i] = row[d] + self.blocks.rate.f[i];
        }
    }

    /// Columns by `w'`, and the mass.
    fn by_velocities(&mut self, reduced: &Reduced) {
        let (d, width) = (self.d, self.d + 1);
        let p = d + self.dims.nx;
        self.c.fill(0.0);
        self.blocks
            .add_velocity_rows(2.0, &self.q, width, &mut self.c);
        self.place_accelerations(reduced);
        self.r.fill(0.0);
        self.blocks.add(Part::Rv, &self.q, width, &mut self.r);
        self.blocks.add(Part::Mass, &self.a, width, &mut self.r);
        for l in 0..d {
            for k in 0..d {
                self.by_p[l * p + k] = -dot(&self.left, &self.r, (l, k), width);
            }
        }
        self.r.fill(0.0);
        self.blocks.add(Part::Mass, &self.q, width, &mut self.r);
        for l in 0..d {
            for k in 0..d {
                self.mass[l * d + k] = dot(&self.left, &self.r, (l, k), width);
            }
        }
        self.f.fill(0.0);
        self.blocks.add(Part::Fv, &self.q, width, &mut self.f);
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
        let rx = self.blocks.entries(Part::Rx);
        for ((i, j), x) in rx {
            for l in 0..reduced.independent().len() {
                self.by_p[l * p + d + j as usize] -= self.left[i as usize * width + l] * x;
            }
        }
        let fx = self.blocks.entries(Part::Fx);
        for ((i, j), x) in fx {
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

/// Product of column `l` of `a` and column `k` of `b`.
fn dot(a: &[f64], b: &[f64], (l, k): (usize, usize), width: usize) -> f64 {
    let rows = a.chunks_exact(width).zip(b.chunks_exact(width));
    rows.map(|(a, b)| a[l] * b[k]).sum()
}
