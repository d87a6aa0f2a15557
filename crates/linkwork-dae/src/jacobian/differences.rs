//! Blocks by one-sided differences, one column at a time.
//!
//! `M` and `C_q` are terms of the system and never differenced; the columns of the multipliers are
//! `C_q'` itself. What remains are the columns of `r_q`, `r_v`, `r_x`, `(C_q v + C_t)_q`, `f_q`,
//! `f_v` and `f_x`:
//!
//! ```text
//!  column j = (r(.. + delta e_j) - r) / delta,   delta = sqrt(eps) max(|y_j|, typical size)
//! ```
//!
//! On a chart positions move along the tangent. The typical size keeps a coordinate that passes through zero from drowning in rounding
//! (Brenan, Campbell & Petzold 1996, 5.4.1, with the error weights for the same purpose).

use super::renewal::Renewal;
use super::{JacobianStrategy, Refresh, Situation};
use crate::memory::Memory;
use crate::state::Weights;
use crate::system::{At, Blocks, Dims, EvalError, Part, Parts, System, Terms};

/// See the [module](self).
pub struct Differences {
    /// When force blocks are renewed.
    pub renewal: Renewal,
    dims: Dims,
    q: Vec<f64>,
    /// A step along the tangent.
    step: Vec<f64>,
    v: Vec<f64>,
    x: Vec<f64>,
    base: Values,
    moved: Values,
    by_q: Vec<(Part, Columns)>,
    by_v: Vec<(Part, Columns)>,
    by_x: Vec<(Part, Columns)>,
}

impl Default for Differences {
    fn default() -> Differences {
        Differences {
            renewal: Renewal::Aged { max_age: 30 },
            dims: Dims::default(),
            q: Vec::new(),
            step: Vec::new(),
            v: Vec::new(),
            x: Vec::new(),
            base: Values::default(),
            moved: Values::default(),
            by_q: Vec::new(),
            by_v: Vec::new(),
            by_x: Vec::new(),
        }
    }
}

/// The terms that are differenced.
#[derive(Default)]
struct Values {
    r: Vec<f64>,
    cv: Vec<f64>,
    f: Vec<f64>,
}

impl Values {
    fn new(dims: Dims) -> Values {
        Values {
            r: vec![0.0; dims.nv],
            cv: vec![0.0; dims.rows()],
            f: vec![0.0; dims.nx],
        }
    }

    fn want(&mut self) -> Terms<'_> {
        Terms {
            r: Some(&mut self.r),
            cv: (!self.cv.is_empty()).then_some(&mut self.cv[..]),
            f: (!self.f.is_empty()).then_some(&mut self.f[..]),
            ..Terms::default()
        }
    }

    /// The term that a block is the derivative of.
    fn of(&self, part: Part) -> &[f64] {
        match part {
            Part::CVq => &self.cv,
            Part::Fq | Part::Fv | Part::Fx => &self.f,
            _ => &self.r,
        }
    }
}

/// Entries of a block sorted by column: (row, index in the block).
#[derive(Default)]
struct Columns {
    start: Vec<usize>,
    entries: Vec<(u32, u32)>,
}

impl Columns {
    fn new(pattern: &[(u32, u32)], n: usize) -> Columns {
        let mut order: Vec<(u32, u32, u32)> =
            (0..).zip(pattern).map(|(k, &(i, j))| (j, i, k)).collect();
        order.sort_unstable();
        let start = (0..=n)
            .map(|j| order.partition_point(|e| (e.0 as usize) < j))
            .collect();
        let entries = order.into_iter().map(|(_, i, k)| (i, k)).collect();
        Columns { start, entries }
    }
}

/// An increment of the wanted size that is exactly representable at `x`.
fn increment(x: f64, direction: f64, size: f64) -> f64 {
    let delta = f64::EPSILON.sqrt() * x.abs().max(size);
    let moved = x + delta.copysign(direction);
    moved - x
}

/// Column `j` of the wanted blocks from the values at two points `delta` apart.
fn write(
    blocks: &[(Part, Columns)],
    parts: Parts,
    j: usize,
    (base, moved): (&Values, &Values),
    delta: f64,
    out: &mut Blocks,
) {
    for (part, columns) in blocks.iter().filter(|(part, _)| parts.has(*part)) {
        let (low, high) = (base.of(*part), moved.of(*part));
        let out = &mut out[*part];
        for &(i, k) in &columns.entries[columns.start[j]..columns.start[j + 1]] {
            out[k as usize] = (high[i as usize] - low[i as usize]) / delta;
        }
    }
}

fn any(blocks: &[(Part, Columns)], parts: Parts) -> bool {
    blocks.iter().any(|(part, _)| parts.has(*part))
}

impl JacobianStrategy for Differences {
    fn bind(&mut self, sys: &dyn System) {
        let dims = sys.dims();
        let p = sys.patterns();
        let columns = |parts: &[Part], n: usize| {
            let of = |&part: &Part| (part, Columns::new(&p[part], n));
            parts.iter().map(of).collect()
        };
        self.by_q = columns(&[Part::Rq, Part::CVq, Part::Fq], dims.nv);
        self.by_v = columns(&[Part::Rv, Part::Fv], dims.nv);
        self.by_x = columns(&[Part::Rx, Part::Fx], dims.nx);
        self.q = vec![0.0; dims.nq];
        self.step = vec![0.0; dims.nv];
        self.v = vec![0.0; dims.nv];
        self.x = vec![0.0; dims.nx];
        self.base = Values::new(dims);
        self.moved = Values::new(dims);
        self.dims = dims;
    }

    fn decide(&mut self, now: &Situation) -> Refresh {
        self.renewal.decide(now, Parts::from(Part::Mass) | Part::Cq)
    }

    fn fill(
        &mut self,
        sys: &mut dyn System,
        at: &At<'_>,
        want: &mut Terms<'_>,
        parts: Parts,
        w: &Weights,
        out: &mut Blocks,
    ) -> Result<u32, EvalError> {
        sys.eval(at, want)?;
        if parts.has(Part::Mass) {
            let mut mass = Terms {
                mass: Some(&mut out[Part::Mass]),
                ..Terms::default()
            };
            sys.eval(at, &mut mass)?;
        }
        if parts.has(Part::Cq) {
            let mut c_q = Terms {
                c_q: Some(&mut out[Part::Cq]),
                ..Terms::default()
            };
            sys.eval(at, &mut c_q)?;
        }
        if parts.without(Parts::from(Part::Mass) | Part::Cq).is_empty() {
            return Ok(0);
        }
        sys.eval(at, &mut self.base.want())?;
        let mut spent = 1;
        self.q.copy_from_slice(at.q);
        self.v.copy_from_slice(at.v);
        self.x.copy_from_slice(at.x);
        for j in 0..self.dims.nv {
            if any(&self.by_q, parts) {
                let delta = increment(at.q[j], at.v[j], w.scale()[j]);
                if let Some(chart) = sys.chart() {
                    self.q.copy_from_slice(at.q);
                    self.step.fill(0.0);
                    self.step[j] = delta;
                    chart.advance(&mut self.q, &self.step);
                } else {
                    self.q[j] = at.q[j] + delta;
                }
                sys.eval(&At { q: &self.q, ..*at }, &mut self.moved.want())?;
                spent += 1;
                self.q[j] = at.q[j];
                write(&self.by_q, parts, j, (&self.base, &self.moved), delta, out);
            }
            if any(&self.by_v, parts) {
                let delta = increment(at.v[j], at.a[j], w.speed(j));
                self.v[j] = at.v[j] + delta;
                sys.eval(&At { v: &self.v, ..*at }, &mut self.moved.want())?;
                spent += 1;
                self.v[j] = at.v[j];
                write(&self.by_v, parts, j, (&self.base, &self.moved), delta, out);
            }
        }
        if any(&self.by_x, parts) {
            for j in 0..self.dims.nx {
                let delta = increment(at.x[j], 1.0, w.scale_x()[j]);
                self.x[j] = at.x[j] + delta;
                sys.eval(&At { x: &self.x, ..*at }, &mut self.moved.want())?;
                spent += 1;
                self.x[j] = at.x[j];
                write(&self.by_x, parts, j, (&self.base, &self.moved), delta, out);
            }
        }
        Ok(spent)
    }

    fn memory(&mut self, m: &mut Memory) {
        // everything else is scratch or follows from the pattern
        m.section("differ");
        self.renewal.memory(m);
    }
}
