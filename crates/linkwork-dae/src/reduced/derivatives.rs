//! Derivatives of the terms of a system that its state-space form needs: the blocks of the system,
//! and what follows from them along the motion and along time.
//!
//! With `d/dt = v d/dq + a d/dv + ..`, derivatives by `q` and `d/dt` commute, so
//!
//! ```text
//!  (C_q a - gamma)_q = d/dt (C_q v + C_t)_q        (C_q a - gamma)_v = 2 (C_q v + C_t)_q
//! ```
//!
//! (on a chart with more terms, see [`super::curved`]). The first is one directional derivative of an exact block, taken by a central difference over
//! a small share of a step, good to ten digits of what it does to the step. Derivatives by time
//! alone are taken likewise; they vanish exactly where nothing depends on time.

use super::{Reduced, place};
use crate::chart::Chart;
use crate::corrector::Retry;
use crate::jacobian::differences::Differences;
use crate::memory::Memory;
use crate::state::{State, Weights};
use crate::stats::Stats;
use crate::system::{At, BlockPatterns, Blocks, Dims, Part, Parts, System, Terms};

/// Arm of differences along the motion and along time, as a share of the step. What rounding adds
/// to a step, `h^2 eps / (ARM h)`, is small however short the step is.
pub(crate) const ARM: f64 = 1e-5;

/// See the [module](self).
#[derive(Default)]
pub(super) struct Derivatives {
    dims: Dims,
    /// Index of each row among the kept ones.
    kept: Vec<Option<u32>>,
    patterns: BlockPatterns,
    blocks: Blocks,
    /// Source of blocks that the system cannot supply.
    differences: Differences,
    /// Whether several of their columns are found at once.
    grouped: bool,
    moved: State,
    moved_blocks: Blocks,
    /// `(C_q a - gamma)_q` in the pattern of `(C_q v + C_t)_q`; on a chart the rate of the latter.
    ca_q: Vec<f64>,
    bend: Bend,
    /// Whether `ca_q` is the derivative along the tangent instead.
    by_columns: bool,
    now: Values,
    /// Derivatives by time alone.
    pub rate: Values,
}

/// What a chart adds, empty without one: `B`, `A`, the rate of `C_q`, and scratch.
#[derive(Default)]
struct Bend {
    pattern: Vec<(u32, u32)>,
    b: Vec<f64>,
    a: Vec<f64>,
    c_q: Vec<f64>,
    x: Vec<f64>,
    y: Vec<f64>,
    qdot: Vec<f64>,
}

impl Bend {
    fn new(sys: &dyn System, width: usize) -> Bend {
        let pattern = sys.chart().map_or(Vec::new(), Chart::pattern);
        if pattern.is_empty() {
            return Bend::default();
        }
        let n = sys.dims().nv;
        Bend {
            b: vec![0.0; pattern.len()],
            a: vec![0.0; pattern.len()],
            c_q: vec![0.0; sys.patterns()[Part::Cq].len()],
            x: vec![0.0; n * width],
            y: vec![0.0; n * width],
            qdot: vec![0.0; n],
            pattern,
        }
    }

    /// `out = B x` for values in the order of the pattern.
    fn multiply(&self, values: &[f64], x: &[f64], width: usize, out: &mut [f64]) {
        out.fill(0.0);
        add_product(&self.pattern, values, x, width, out);
    }
}

/// `out += B x` for a matrix by its places and values.
fn add_product(pattern: &[(u32, u32)], values: &[f64], x: &[f64], width: usize, out: &mut [f64]) {
    for (&(i, j), b) in pattern.iter().zip(values) {
        let from = &x[j as usize * width..][..width];
        for (o, x) in out[i as usize * width..][..width].iter_mut().zip(from) {
            *o += b * x;
        }
    }
}

/// Terms of the equations.
#[derive(Default)]
pub(super) struct Values {
    pub r: Vec<f64>,
    pub cv: Vec<f64>,
    /// `gamma` when evaluated, then `C_q a - gamma`.
    pub ca: Vec<f64>,
    c_q: Vec<f64>,
    pub f: Vec<f64>,
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

impl Derivatives {
    /// Allocates for a system.
    /// Blocks of up to `width` columns will be multiplied.
    pub fn new(sys: &dyn System, reduced: &Reduced, width: usize) -> Derivatives {
        let (dims, patterns) = (sys.dims(), sys.patterns());
        let mut differences = Differences::new(sys, Parts::ALL.without(sys.facts().exact));
        differences.groups_mut().use_all();
        let grouped = differences.groups_mut().colour() < differences.columns();
        let mut kept = vec![None; dims.rows()];
        for (k, &row) in (0..).zip(&reduced.keep) {
            kept[row as usize] = Some(k);
        }
        Derivatives {
            dims,
            kept,
            patterns: patterns.clone(),
            blocks: Blocks::new(patterns),
            moved_blocks: Blocks::new(patterns),
            differences,
            grouped,
            moved: State::new(dims),
            ca_q: vec![0.0; patterns[Part::CVq].len()],
            bend: Bend::new(sys, width),
            by_columns: !sys.facts().exact.has(Part::CVq),
            now: Values::new(dims, patterns[Part::Cq].len()),
            rate: Values::new(dims, patterns[Part::Cq].len()),
        }
    }

    /// Saves or restores what later derivatives by time go through.
    pub fn memory(&mut self, m: &mut Memory) {
        self.blocks.memory(m);
        let Bend { b, a, c_q, .. } = &mut self.bend;
        for values in [&mut self.ca_q, b, a, c_q] {
            m.slice(values);
        }
    }

    /// Blocks at the state, by differences where the system has no exact ones.
    pub fn evaluate(
        &mut self,
        sys: &mut dyn System,
        s: &State,
        w: &Weights,
        stats: &mut Stats,
    ) -> Result<(), Retry> {
        let exact = sys.facts().exact;
        let missing = Parts::ALL.without(exact);
        if !exact.is_empty() {
            sys.linearise(&s.at(), &mut Terms::default(), exact, &mut self.blocks)?;
        }
        if !missing.is_empty() {
            let (mass, c_q) = self.blocks.mass_and_c_q();
            let mut terms = Terms {
                mass: missing.has(Part::Mass).then_some(mass),
                c_q: (missing.has(Part::Cq) && !c_q.is_empty()).then_some(c_q),
                ..Terms::default()
            };
            sys.eval(&s.at(), &mut terms)?;
            let (known, at, out) = (Terms::default(), s.at(), &mut self.blocks);
            let spent = if self.grouped {
                self.differences.by_groups(sys, &at, w, &known, out)?
            } else {
                let all = (self.differences).by_columns(sys, &at, w, &known, false, Some(out))?;
                all.0
            };
            stats.residual_evaluations_for_jacobians += u64::from(spent);
        }
        if let Some(chart) = sys.chart() {
            chart.rate_derivative(&s.q, &s.v, &mut self.bend.b);
            chart.bend_rate(&s.v, &s.a, &mut self.bend.a);
        }
        Ok(())
    }

    /// `(C_q a - gamma)_q` as the rate of `(C_q v + C_t)_q` along the motion, for a step `h`; the
    /// state is at the base of a chart.
    pub fn along_motion(&mut self, sys: &mut dyn System, s: &State, h: f64) -> Result<(), Retry> {
        let arm = ARM * h;
        self.ca_q.fill(0.0);
        self.bend.c_q.fill(0.0);
        let curved = !self.bend.pattern.is_empty();
        if self.by_columns {
            return self.column_by_column(sys, s);
        }
        let parts = if curved {
            Parts::from(Part::CVq) | Part::Cq
        } else {
            Part::CVq.into()
        };
        for dt in [arm, -arm] {
            self.moved.t = s.t + dt;
            self.moved.x.copy_from_slice(&s.x);
            for i in 0..self.dims.nv {
                self.moved.q[i] = s.q[i] + dt * (s.v[i] + 0.5 * dt * s.a[i]);
                self.moved.v[i] = s.v[i] + dt * s.a[i];
            }
            if let (true, Some(chart)) = (curved, sys.chart()) {
                self.bend.qdot.copy_from_slice(&self.moved.v);
                chart.tangent(&self.moved.q, &self.bend.qdot, &mut self.moved.v);
            }
            let (mut none, out) = (Terms::default(), &mut self.moved_blocks);
            sys.linearise(&place(&self.moved), &mut none, parts, out)?;
            for (c, x) in self.bend.c_q.iter_mut().zip(&out[Part::Cq]) {
                *c += 0.5 / dt * x;
            }
            for (c, x) in self.ca_q.iter_mut().zip(&out[Part::CVq]) {
                *c += 0.5 / dt * x;
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
                self.now.eval(sys, &self.moved.at())?;
                let pattern = self.patterns[Part::CVq].iter().zip(&mut self.ca_q);
                for (&(i, _), c) in pattern.filter(|(e, _)| e.1 as usize == j) {
                    *c += side / (2.0 * step) * self.now.ca[i as usize];
                }
            }
            self.moved.q[j] = s.q[j];
        }
        Ok(())
    }

    /// Derivatives by time at fixed `q, v, a, lambda, x`, for a step `h`.
    pub fn along_time(&mut self, sys: &mut dyn System, s: &State, h: f64) -> Result<(), Retry> {
        self.rate.lists().into_iter().for_each(|x| x.fill(0.0));
        let arm = ARM * h;
        // forwards: the step may begin where a force jumps, and its own way is smooth
        let (near, far) = (s.t + arm, s.t + 2.0 * arm);
        let (a, b) = (near - s.t, far - s.t);
        let near = (near, b / (a * (b - a)));
        let far = (far, -a / (b * (b - a)));
        for (t, weight) in [(s.t, -near.1 - far.1), near, far] {
            self.now.eval(sys, &At { t, ..s.at() })?;
            let lists = self.rate.lists().into_iter().zip(self.now.lists());
            for (rate, now) in lists {
                for (rate, now) in rate.iter_mut().zip(now) {
                    *rate += weight * *now;
                }
            }
        }
        Ok(())
    }

    /// Whether forces follow reactions.
    pub fn reactive(&self) -> bool {
        !self.patterns[Part::Rl].is_empty()
    }

    /// Entries of a block.
    pub fn entries(&self, part: Part) -> impl Iterator<Item = ((u32, u32), f64)> {
        let places = self.patterns[part].iter().copied();
        places.zip(self.blocks[part].iter().copied())
    }

    /// `out += B x` for a block and `width` columns.
    pub fn add(&self, part: Part, x: &[f64], width: usize, out: &mut [f64]) {
        add_product(&self.patterns[part], &self.blocks[part], x, width, out);
    }

    /// Turns changes of rates into those of velocities, `v += B q`, and `a += A q` likewise.
    pub fn add_bend(&self, q: &[f64], width: usize, v: &mut [f64], a: &mut [f64]) {
        let bend = &self.bend;
        add_product(&bend.pattern, &bend.b, q, width, v);
        add_product(&bend.pattern, &bend.a, q, width, a);
    }

    /// `out += factor (C_q v + C_t)_q x` on the kept rows.
    pub fn add_velocity_rows(&mut self, factor: f64, x: &[f64], width: usize, out: &mut [f64]) {
        self.add_rows(Part::CVq, &self.blocks[Part::CVq], factor, x, width, out);
        if self.bend.pattern.is_empty() {
            return;
        }
        let mut bent = std::mem::take(&mut self.bend.x);
        self.bend.multiply(&self.bend.b, x, width, &mut bent);
        self.add_rows(Part::Cq, &self.blocks[Part::Cq], factor, &bent, width, out);
        self.bend.x = bent;
    }

    /// `out += (C_q a - gamma)_q x` on the kept rows.
    pub fn add_acceleration_rows(&mut self, x: &[f64], width: usize, out: &mut [f64]) {
        self.add_rows(Part::CVq, &self.ca_q, 1.0, x, width, out);
        if self.bend.pattern.is_empty() {
            return;
        }
        let mut bent = std::mem::take(&mut self.bend.y);
        self.bend.multiply(&self.bend.a, x, width, &mut bent);
        self.add_rows(Part::Cq, &self.blocks[Part::Cq], 1.0, &bent, width, out);
        self.bend.multiply(&self.bend.b, x, width, &mut bent);
        if self.by_columns {
            // along the tangent at constant v: left is what B does to v, (C_q a - gamma)_v B
            self.add_velocity_rows(2.0, &bent, width, out);
        } else {
            self.add_rows(Part::Cq, &self.bend.c_q, 1.0, &bent, width, out);
            self.add_rows(Part::CVq, &self.blocks[Part::CVq], -1.0, &bent, width, out);
        }
        self.bend.y = bent;
    }

    fn add_rows(
        &self,
        part: Part,
        values: &[f64],
        factor: f64,
        x: &[f64],
        width: usize,
        out: &mut [f64],
    ) {
        for (&(i, j), b) in self.patterns[part].iter().zip(values) {
            let Some(i) = self.kept[i as usize] else {
                continue;
            };
            let from = &x[j as usize * width..][..width];
            for (o, x) in out[i as usize * width..][..width].iter_mut().zip(from) {
                *o += factor * b * x;
            }
        }
    }
}
