//! Dependent velocities under non-holonomic rows, which positions know nothing of:
//!
//! ```text
//!  (C_q; G_v) v + (C_t; ..) = 0,   g(q, v, t) = 0       more rows than there are dependent positions
//! ```
//!
//! Velocities are parted by themselves, with all rows, so that fewer of them are independent than positions. By
//! Newton's method with the matrix of each point, because `g` need not be linear.

use super::partition::Partition;
use super::{CLOSED, EXCHANGE, Entry, ITERATIONS, STALLED, place};
use crate::corrector::Retry;
use crate::memory::Memory;
use crate::state::State;
use crate::stats::Stats;
use crate::system::{Part, Row, Rows, System, Terms};

/// See the [module](self).
#[derive(Default)]
pub(super) struct Velocities {
    keep: Vec<u32>,
    entries: Vec<Entry>,
    partition: Partition,
    chosen: bool,
    tangent: Vec<f64>,
    c_q: Vec<f64>,
    cv: Vec<f64>,
    rhs: Vec<f64>,
}

impl Velocities {
    /// For the kept rows of a system; `None` where all of them are holonomic.
    pub fn new(sys: &dyn System, keep: &Rows) -> Option<Velocities> {
        let dims = sys.dims();
        let last = keep.c.last()?;
        if (*last as usize) < dims.nc {
            return None;
        }
        let m = keep.c.len();
        let pattern = sys.patterns()[Part::Cq].iter().enumerate();
        let entries = pattern.filter_map(|(value, &(i, j))| {
            let row = keep.c.binary_search(&i).ok()?;
            let column = j as usize;
            Some(Entry { value, row, column })
        });
        Some(Velocities {
            entries: entries.collect(),
            partition: Partition::new(m, sys.facts().scale.clone()),
            chosen: false,
            tangent: vec![0.0; m * dims.nv.saturating_sub(m)],
            c_q: vec![0.0; sys.patterns()[Part::Cq].len()],
            cv: vec![0.0; dims.rows()],
            rhs: vec![0.0; m],
            keep: keep.c.clone(),
        })
    }

    pub fn memory(&mut self, m: &mut Memory) {
        m.bool(&mut self.chosen);
        self.partition.memory(m);
    }

    /// Judges the choice at the beginning of a step, chooses anew where it has become bad.
    pub fn begin(
        &mut self,
        sys: &mut dyn System,
        s: &State,
        stats: &mut Stats,
    ) -> Result<(), Retry> {
        self.evaluate(sys, s)?;
        let usable = self.chosen
            && self.partition.factor().is_ok()
            && self.partition.slopes(&mut self.tangent) <= EXCHANGE;
        if !usable {
            self.chosen = false;
            self.partition.choose().map_err(|k| self.singular(k))?;
            self.partition.slopes(&mut self.tangent);
            self.chosen = true;
            stats.partitions += 1;
        }
        Ok(())
    }

    /// Dependent velocities of a point from its independent ones.
    pub fn find(
        &mut self,
        sys: &mut dyn System,
        s: &mut State,
        stats: &mut Stats,
    ) -> Result<(), Retry> {
        let (mut last, mut worst) = (f64::INFINITY, 0);
        // those that depend on nothing but what rests come to rest: what they were before is the measure
        let scales = self.partition.scale().iter().zip(&s.v);
        let mut speed = scales.fold(0.0f64, |m, (scale, v)| m.max((v / scale).abs()));
        for _ in 0..ITERATIONS {
            self.evaluate(sys, s)?;
            stats.projection_evaluations += 1;
            self.partition.factor().map_err(|k| self.singular(k))?;
            for (r, &row) in self.rhs.iter_mut().zip(&self.keep) {
                *r = self.cv[row as usize];
            }
            self.partition.solve(&mut self.rhs, 1);
            let mut size = 0.0f64;
            for (&u, d) in self.partition.dependent.iter().zip(&self.rhs) {
                let scale = self.partition.scale()[u];
                s.v[u] -= d;
                speed = speed.max((s.v[u] / scale).abs());
                let share = (d / scale).abs();
                if share > size || share.is_nan() {
                    (size, worst) = (share, u);
                }
            }
            if !size.is_finite() {
                break;
            }
            // rows that follow the clock have rounding of their own: a size a second is its measure
            let stalled = size >= 0.5 * last && size <= STALLED * speed.max(1.0);
            if size <= CLOSED * speed || stalled {
                return Ok(());
            }
            last = size;
        }
        Err(Retry::Slow {
            iterations: ITERATIONS,
            worst: Row::Velocity(worst),
        })
    }

    /// Takes rows and their derivatives by velocities at a point.
    fn evaluate(&mut self, sys: &mut dyn System, s: &State) -> Result<(), Retry> {
        let mut want = Terms {
            c_q: Some(&mut self.c_q),
            cv: Some(&mut self.cv),
            ..Terms::default()
        };
        sys.eval(&place(s), &mut want)?;
        let c_q = &self.c_q;
        let entries = self.entries.iter();
        (self.partition).fill(entries.map(|e| (e.row, e.column, c_q[e.value])));
        Ok(())
    }

    fn singular(&self, k: usize) -> Retry {
        let row = self.keep.get(k).or(self.keep.last());
        Retry::Singular {
            unknown: Row::Constraint(row.map_or(0, |&row| row as usize)),
        }
    }
}
