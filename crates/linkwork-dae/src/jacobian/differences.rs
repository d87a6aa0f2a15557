//! Blocks by one-sided differences, one column at a time.
//!
//! `M` and `C_q` are terms of the system and never differenced; the columns of the multipliers are
//! `C_q'` itself. What remains are the columns of `r_q`, `r_v` and `(C_q v + C_t)_q`:
//!
//! ```text
//!  column j = (r(.. + delta e_j) - r) / delta,   delta = sqrt(eps) max(|y_j|, typical size)
//! ```
//!
//! The typical size keeps a coordinate that passes through zero from drowning in rounding
//! (Brenan, Campbell & Petzold 1996, 5.4.1, with the error weights for the same purpose).

use super::renewal::Renewal;
use super::{JacobianStrategy, Refresh, Situation};
use crate::state::Weights;
use crate::system::{At, Blocks, Dims, EvalError, Part, Parts, System, Terms};

/// See the [module](self).
pub struct Differences {
    /// When force blocks are renewed.
    pub renewal: Renewal,
    dims: Dims,
    columns: [Columns; 3],
    q: Vec<f64>,
    v: Vec<f64>,
    r0: Vec<f64>,
    cv0: Vec<f64>,
    r: Vec<f64>,
    cv: Vec<f64>,
}

impl Default for Differences {
    fn default() -> Differences {
        Differences {
            renewal: Renewal::Aged { max_age: 30 },
            dims: Dims::default(),
            columns: Default::default(),
            q: Vec::new(),
            v: Vec::new(),
            r0: Vec::new(),
            cv0: Vec::new(),
            r: Vec::new(),
            cv: Vec::new(),
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

    fn write(&self, j: usize, value: &[f64], base: &[f64], delta: f64, out: &mut [f64]) {
        for &(i, k) in &self.entries[self.start[j]..self.start[j + 1]] {
            out[k as usize] = (value[i as usize] - base[i as usize]) / delta;
        }
    }
}

const RQ: usize = 0;
const RV: usize = 1;
const CVQ: usize = 2;

/// An increment of the wanted size that is exactly representable at `x`.
fn increment(x: f64, direction: f64, size: f64) -> f64 {
    let delta = f64::EPSILON.sqrt() * x.abs().max(size);
    let moved = x + delta.copysign(direction);
    moved - x
}

impl JacobianStrategy for Differences {
    fn bind(&mut self, sys: &dyn System) {
        let dims = sys.dims();
        let p = sys.patterns();
        self.columns = [Part::Rq, Part::Rv, Part::CVq].map(|x| Columns::new(&p[x], dims.nv));
        self.q = vec![0.0; dims.nq];
        self.v = vec![0.0; dims.nv];
        self.r0 = vec![0.0; dims.nv];
        self.cv0 = vec![0.0; dims.nc];
        self.r = vec![0.0; dims.nv];
        self.cv = vec![0.0; dims.nc];
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
        let mut base = Terms {
            r: Some(&mut self.r0),
            cv: Some(&mut self.cv0),
            ..Terms::default()
        };
        sys.eval(at, &mut base)?;
        let mut spent = 1;
        self.q.copy_from_slice(at.q);
        self.v.copy_from_slice(at.v);
        for j in 0..self.dims.nv {
            if parts.has(Part::Rq) || parts.has(Part::CVq) {
                let delta = increment(at.q[j], at.v[j], w.scale()[j]);
                self.q[j] = at.q[j] + delta;
                let moved = At { q: &self.q, ..*at };
                let mut want = Terms {
                    r: Some(&mut self.r),
                    cv: Some(&mut self.cv),
                    ..Terms::default()
                };
                sys.eval(&moved, &mut want)?;
                spent += 1;
                self.q[j] = at.q[j];
                if parts.has(Part::Rq) {
                    self.columns[RQ].write(j, &self.r, &self.r0, delta, &mut out[Part::Rq]);
                }
                if parts.has(Part::CVq) {
                    self.columns[CVQ].write(j, &self.cv, &self.cv0, delta, &mut out[Part::CVq]);
                }
            }
            if parts.has(Part::Rv) {
                let delta = increment(at.v[j], at.a[j], w.speed(j));
                self.v[j] = at.v[j] + delta;
                let moved = At { v: &self.v, ..*at };
                let mut want = Terms {
                    r: Some(&mut self.r),
                    ..Terms::default()
                };
                sys.eval(&moved, &mut want)?;
                spent += 1;
                self.v[j] = at.v[j];
                self.columns[RV].write(j, &self.r, &self.r0, delta, &mut out[Part::Rv]);
            }
        }
        Ok(spent)
    }
}
