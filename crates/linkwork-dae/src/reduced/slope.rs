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
//! (`curved`); forces see `v + B dq` and `a + A dq`.
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
    /// Changes of q, v and r by w or t, and of v, r by w'; nv x d, or nv.
    q: Vec<f64>,
    v: Vec<f64>,
    r: Vec<f64>,
    a: Vec<f64>,
    /// Changes on the constraint rows, m x d, or m.
    c: Vec<f64>,
    /// `L`, nv x d.
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
        // freedoms, or time
        let (n, p, width) = (dims.nv, d + dims.nx, d.max(1));
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
            left: vec![0.0; n * d],
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
            &mut self.left,
        ] {
            m.slice(values);
        }
        self.blocks.memory(m);
    }

    /// Renews all derivatives at the beginning of a step of size `h`, the base of a chart.
    pub fn renew(
        &mut self,
        sys: &mut dyn System,
        reduced: &mut Reduced,
        s: &State,
        h: f64,
        w: &Weights,
        stats: &mut Stats,
    ) -> Result<(), Retry> {
        stats.jacobian_evaluations += 1;
        self.blocks.evaluate(sys, s, w, stats)?;
        if !reduced.keep.is_empty() {
            self.blocks.along_motion(sys, s, h)?;
        }
        self.move_by_positions(reduced);
        self.find_left(reduced)?;
        self.by_positions(reduced);
        self.by_velocities(reduced);
        self.by_states(reduced);
        self.renew_by_time(sys, reduced, s, h)
    }

    /// Renews derivatives by time alone, through blocks that may be those of an earlier step.
    pub fn renew_by_time(
        &mut self,
        sys: &mut dyn System,
        reduced: &Reduced,
        s: &State,
        h: f64,
    ) -> Result<(), Retry> {
        self.blocks.along_time(sys, s, h)?;
        self.move_by_time(reduced, s);
        self.by_time(reduced);
        Ok(())
    }

    /// Whether time mattered when it was last looked at.
    pub fn depends_on_time(&self) -> bool {
        self.by_t.iter().any(|x| *x != 0.0)
    }

    /// Changes of the positions by `w`: the tangent.
    fn move_by_positions(&mut self, reduced: &Reduced) {
        let d = self.d;
        self.q.fill(0.0);
        for (k, &w) in reduced.independent().iter().enumerate() {
            self.q[w * d + k] = 1.0;
        }
        for (i, &u) in reduced.dependent().iter().enumerate() {
            self.q[u * d..(u + 1) * d].copy_from_slice(&reduced.tangent()[i * d..(i + 1) * d]);
        }
    }

    /// Changes of the positions by time: `-E C_u^-1 C_t`.
    fn move_by_time(&mut self, reduced: &Reduced, s: &State) {
        let d = self.d;
        self.q.fill(0.0);
        for (i, &u) in reduced.dependent().iter().enumerate() {
            // C_t = -C_q v on the constraints, so C_u^-1 C_t = H w' - u'
            let along = (reduced.independent().iter()).zip(&reduced.tangent()[i * d..]);
            let follows: f64 = along.map(|(&w, h)| h * s.v[w]).sum();
            self.q[u] = s.v[u] - follows;
        }
    }

    /// `L` from `B = C_q' - Q_lambda`: `L_u = -(B_u')^-1 B_w'`.
    fn find_left(&mut self, reduced: &Reduced) -> Result<(), Retry> {
        self.left.copy_from_slice(&self.q[..self.dims.nv * self.d]);
        if !self.blocks.reactive() {
            return Ok(());
        }
        let (n, d) = (self.dims.nv, self.d);
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
                self.c[i * d + k] = -self.reactions[i * n + w];
            }
        }
        (self.reaction_factors.factor()).map_err(|k| reduced.singular(k))?;
        self.reaction_factors.solve(&mut self.c[..m * d], d);
        for (i, &u) in reduced.dependent().iter().enumerate() {
            self.left[u * d..(u + 1) * d].copy_from_slice(&self.c[i * d..(i + 1) * d]);
        }
        Ok(())
    }

    /// What follows from changes of the positions in `width` columns: those of `v`, of `a` at fixed `w''`, of `r` and
    /// `f`; with the rates by time where time is what changes.
    fn follow(&mut self, reduced: &Reduced, width: usize, timed: bool) {
        let (n, m) = (self.dims.nv, reduced.dependent().len());
        let Slope {
            blocks,
            q,
            v,
            r,
            a,
            c,
            f,
            ..
        } = self;
        let (q, v) = (&q[..n * width], &mut v[..n * width]);
        let (r, a) = (&mut r[..n * width], &mut a[..n * width]);
        let (c, f) = (&mut c[..m * width], &mut f[..self.dims.nx * width]);
        let rates = |rate: &[f64], c: &mut [f64]| {
            for (c, &i) in c.iter_mut().zip(&reduced.keep).filter(|_| timed) {
                *c += rate[i as usize];
            }
        };
        c.fill(0.0);
        blocks.add_velocity_rows(1.0, q, width, c);
        rates(&blocks.rate.cv, c);
        place(reduced, width, c, v);
        // a at fixed w''
        c.fill(0.0);
        blocks.add_acceleration_rows(q, width, c);
        blocks.add_velocity_rows(2.0, v, width, c);
        rates(&blocks.rate.ca, c);
        place(reduced, width, c, a);
        blocks.add_bend(q, width, v, a);
        r.fill(0.0);
        blocks.add(Part::Rq, q, width, r);
        blocks.add(Part::Rv, v, width, r);
        blocks.add(Part::Mass, a, width, r);
        f.fill(0.0);
        blocks.add(Part::Fq, q, width, f);
        blocks.add(Part::Fv, v, width, f);
        if timed {
            let [of_r, of_f] = [&blocks.rate.r, &blocks.rate.f];
            let given = of_r.iter().chain(of_f);
            for (x, rate) in r.iter_mut().chain(f).zip(given) {
                *x += rate;
            }
        }
    }

    /// Columns by `w`.
    fn by_positions(&mut self, reduced: &Reduced) {
        let d = self.d;
        self.follow(reduced, d, false);
        for l in 0..d {
            for k in 0..d {
                self.by_w[l * d + k] = -dot(&self.left, &self.r, (l, k), d);
            }
        }
        self.by_w[d * d..].copy_from_slice(&self.f[..self.dims.nx * d]);
    }

    /// The column by time.
    fn by_time(&mut self, reduced: &Reduced) {
        let d = self.d;
        self.follow(reduced, 1, true);
        for l in 0..d {
            let rows = self.left.chunks_exact(d).zip(&self.r);
            self.by_t[l] = -rows.map(|(left, r)| left[l] * r).sum::<f64>();
        }
        self.by_t[d..].copy_from_slice(&self.f[..self.dims.nx]);
    }

    /// Columns by `w'`, and the mass.
    fn by_velocities(&mut self, reduced: &Reduced) {
        let (d, m) = (self.d, reduced.dependent().len());
        let p = d + self.dims.nx;
        let c = &mut self.c[..m * d];
        c.fill(0.0);
        self.blocks.add_velocity_rows(2.0, &self.q, d, c);
        place(reduced, d, c, &mut self.a);
        self.r.fill(0.0);
        self.blocks.add(Part::Rv, &self.q, d, &mut self.r);
        self.blocks.add(Part::Mass, &self.a, d, &mut self.r);
        for l in 0..d {
            for k in 0..d {
                self.by_p[l * p + k] = -dot(&self.left, &self.r, (l, k), d);
            }
        }
        self.r.fill(0.0);
        self.blocks.add(Part::Mass, &self.q, d, &mut self.r);
        for l in 0..d {
            for k in 0..d {
                self.mass[l * d + k] = dot(&self.left, &self.r, (l, k), d);
            }
        }
        self.f.fill(0.0);
        self.blocks.add(Part::Fv, &self.q, d, &mut self.f);
        for i in 0..self.dims.nx {
            self.by_p[(d + i) * p..][..d].copy_from_slice(&self.f[i * d..][..d]);
        }
    }

    /// Columns by `x`.
    fn by_states(&mut self, reduced: &Reduced) {
        let (d, nx) = (self.d, self.dims.nx);
        let p = d + nx;
        for row in self.by_p.chunks_exact_mut(p.max(1)) {
            row[d..].fill(0.0);
        }
        let rx = self.blocks.entries(Part::Rx);
        for ((i, j), x) in rx {
            for l in 0..reduced.independent().len() {
                self.by_p[l * p + d + j as usize] -= self.left[i as usize * d + l] * x;
            }
        }
        let fx = self.blocks.entries(Part::Fx);
        for ((i, j), x) in fx {
            self.by_p[(d + i as usize) * p + d + j as usize] += x;
        }
    }
}

/// `out = -E C_u^-1 c`, from changes on the constraint rows.
fn place(reduced: &Reduced, width: usize, c: &mut [f64], out: &mut [f64]) {
    reduced.solve(c, width);
    out.fill(0.0);
    for (i, &u) in reduced.dependent().iter().enumerate() {
        for k in 0..width {
            out[u * width + k] = -c[i * width + k];
        }
    }
}

/// Product of column `l` of `a` and column `k` of `b`.
fn dot(a: &[f64], b: &[f64], (l, k): (usize, usize), width: usize) -> f64 {
    let rows = a.chunks_exact(width).zip(b.chunks_exact(width));
    rows.map(|(a, b)| a[l] * b[k]).sum()
}
