//! A mechanism in as many coordinates as it has freedoms: coordinate partitioning.
//!
//! ```text
//!  q = (u, w)        C(u, w, t) = 0        u by Newton's method from a prediction
//!  v = (u', w')      C_u u' = -C_w w' - C_t
//!  a, lambda         [ M C_q'; C_q 0 ] (a, lambda) = (Q, gamma)
//! ```
//!
//! (Wehage & Haug 1982.) The independent coordinates `w` are integrated, the dependent ones `u`
//! follow at every point where anything is evaluated, so constraints hold to rounding. Which are
//! which is chosen by full pivoting of `C_q` and may change from step to step.
//!
//! Newton's method may find another assembly of the mechanism; such points are refused (`branch`).
//!
//! Where `q` are coordinates of a [`crate::chart`], independent ones are chosen among them all the
//! same, and `C_q T` takes the place of `C_q` in the first line; see `curved` for the second.
//!
//! Non-holonomic rows make more velocities dependent than positions (`velocities`).
//!
//! Bad at: large systems, because matrices are dense.

mod anchor;
mod branch;
mod curved;
mod derivatives;
mod factors;
mod partition;
pub mod slope;
mod velocities;

use anchor::Anchor;
use curved::Curved;
pub(crate) use derivatives::ARM;
pub(crate) use factors::Factors;
use partition::Partition;
use velocities::Velocities;

use crate::chart::{self, Rates};
use crate::corrector::Retry;
use crate::memory::Memory;
use crate::state::State;
use crate::stats::Stats;
use crate::system::{At, Part, Row, Rows, System, Terms};

/// Largest entry of `H`, in typical sizes, before coordinates are exchanged.
const EXCHANGE: f64 = 2.0;
/// Corrections of positions, in typical sizes, that are rounding.
const CLOSED: f64 = 1e-14;
/// The same where the iteration makes no progress any more.
const STALLED: f64 = 1e-11;
/// Contraction above which the iteration renews its matrix, and the size of a first correction,
/// in typical sizes, above which it does so at once.
const SLOW: f64 = 0.03;
const FAR: f64 = 1e-3;
const ITERATIONS: u32 = 12;

/// An entry of `C_q` in a kept row.
#[derive(Clone, Copy, Debug)]
struct Entry {
    value: usize,
    row: usize,
    column: usize,
}

/// See the [module](self).
#[derive(Default)]
pub struct Reduced {
    /// Kept holonomic rows.
    keep: Vec<u32>,
    entries: Vec<Entry>,
    curved: Curved,
    partition: Partition,
    /// Whether columns have been chosen, whether the anchor below is that of the step, and whether
    /// its evaluation has been counted.
    chosen: bool,
    anchored: bool,
    counted: bool,
    /// `C_u` and `H` at the beginning of the step.
    anchor: Anchor,
    /// `C_q T` at its places, here and at the beginning of the step.
    by_coordinates: Vec<f64>,
    anchor_values: Vec<f64>,
    /// Whether the factors at hand are not those of the beginning of the step.
    moved: bool,
    /// Index of each coordinate among the dependent ones, `u32::MAX` for others.
    place: Vec<u32>,
    tally: Vec<f64>,
    anchor_q: Vec<f64>,
    predicted: Vec<f64>,
    tangent: Vec<f64>,
    c: Vec<f64>,
    c_q: Vec<f64>,
    cv: Vec<f64>,
    rhs: Vec<f64>,
    work: Vec<f64>,
    /// Where there are non-holonomic rows.
    velocities: Option<Velocities>,
}

impl Reduced {
    /// Allocates for a system and its kept rows.
    pub fn bind(&mut self, sys: &dyn System, keep: &Rows) {
        let dims = sys.dims();
        let velocities = Velocities::new(sys, keep);
        let keep: Vec<u32> = (keep.c.iter().copied())
            .filter(|&row| (row as usize) < dims.nc)
            .collect();
        let m = keep.len();
        let mut index = vec![None; dims.rows()];
        for (k, &row) in keep.iter().enumerate() {
            index[row as usize] = Some(k);
        }
        let pattern = &sys.patterns()[Part::Cq];
        let mut entries = Vec::with_capacity(pattern.len());
        for (value, &(i, j)) in pattern.iter().enumerate() {
            if let Some(row) = index[i as usize] {
                let column = j as usize;
                entries.push(Entry { value, row, column });
            }
        }
        let scale = sys.facts().scale.clone();
        let free = dims.nv.saturating_sub(m);
        let curved = Curved::new(sys, &entries);
        *self = Reduced {
            by_coordinates: vec![0.0; curved.places.len()],
            anchor_values: vec![0.0; curved.places.len()],
            moved: false,
            tally: vec![0.0; dims.nv],
            place: vec![0; dims.nv],
            curved,
            entries,
            partition: Partition::new(m, scale),
            chosen: false,
            anchored: false,
            counted: false,
            anchor: Anchor::new(m),
            anchor_q: vec![0.0; dims.nq],
            predicted: vec![0.0; dims.nq],
            tangent: vec![0.0; m * free],
            c: vec![0.0; dims.nc],
            c_q: vec![0.0; pattern.len()],
            cv: vec![0.0; dims.rows()],
            rhs: vec![0.0; m],
            work: vec![0.0; m],
            velocities,
            keep,
        };
    }

    /// Saves or restores the choice of coordinates; the anchor follows from the accepted state.
    pub fn memory(&mut self, m: &mut Memory) {
        m.section("reduced");
        m.bool(&mut self.chosen);
        m.bool(&mut self.counted);
        self.partition.memory(m);
        if let Some(velocities) = &mut self.velocities {
            velocities.memory(m);
        }
        if m.has_read() {
            self.anchored = false;
        }
    }

    /// Forgets the beginning of the step: a new one has been reached.
    pub fn advance(&mut self) {
        self.anchored = false;
        self.counted = false;
    }

    /// Coordinates that follow from the others, ascending.
    pub fn dependent(&self) -> &[usize] {
        &self.partition.dependent
    }

    /// Coordinates that are integrated, ascending.
    pub fn independent(&self) -> &[usize] {
        &self.partition.independent
    }

    /// Whether rows of velocities are in force.
    pub fn has_velocity_rows(&self) -> bool {
        self.velocities.is_some()
    }

    /// `H = du/dw` at the beginning of the step, row by row.
    pub fn tangent(&self) -> &[f64] {
        &self.tangent
    }

    /// Makes the accepted state `s` the beginning of the step: judges the partition there, chooses
    /// another where it has become bad.
    pub fn begin(
        &mut self,
        sys: &mut dyn System,
        s: &State,
        stats: &mut Stats,
    ) -> Result<(), Retry> {
        if let (Some(velocities), false) = (&mut self.velocities, self.anchored) {
            velocities.begin(sys, s, stats)?;
            self.anchored = self.keep.is_empty();
        }
        if self.keep.is_empty() {
            return Ok(());
        }
        if !self.anchored {
            self.renew(sys, s)?;
            self.fill_by_coordinates();
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
            if !self.counted {
                stats.projection_evaluations += 1;
                self.counted = true;
            }
            self.anchor.take(&self.partition);
            self.anchor_values.copy_from_slice(&self.by_coordinates);
            self.place.fill(u32::MAX);
            for (k, &u) in (0..).zip(&self.partition.dependent) {
                self.place[u] = k;
            }
            self.moved = false;
            self.anchor_q.copy_from_slice(&s.q);
            self.anchored = true;
        }
        // what an earlier attempt has left must not matter
        self.restore();
        Ok(())
    }

    /// Dependent positions and velocities of `s` from its independent ones; those that are there
    /// serve as a prediction. A point that may be on another branch than the beginning of the step
    /// is refused.
    pub fn recover(
        &mut self,
        sys: &mut dyn System,
        s: &mut State,
        stats: &mut Stats,
    ) -> Result<(), Retry> {
        if self.keep.is_empty() && self.velocities.is_none() {
            return Ok(());
        }
        let found = self.find(sys, s, stats);
        if found.is_err() {
            stats.newton_failures += 1;
        }
        found
    }

    /// The same where the rates `qdot` of the coordinates are given, not velocities: those of the
    /// dependent coordinates are found, and the velocities of `s` follow.
    pub fn recover_rates(
        &mut self,
        sys: &mut dyn System,
        s: &mut State,
        qdot: &mut [f64],
        stats: &mut Stats,
    ) -> Result<(), Retry> {
        if self.keep.is_empty() && self.velocities.is_none() {
            tangent(sys, &s.q, qdot, &mut s.v);
            return Ok(());
        }
        let found = self.find_rates(sys, s, qdot, stats);
        if found.is_err() {
            stats.newton_failures += 1;
        }
        found
    }

    /// Rates of the rates, `q''`, at a state with consistent accelerations.
    pub fn second_rates(&mut self, sys: &dyn System, s: &State, qdot: &[f64], out: &mut [f64]) {
        self.curved.second_rates(sys, s, qdot, out);
    }

    fn find(
        &mut self,
        sys: &mut dyn System,
        s: &mut State,
        stats: &mut Stats,
    ) -> Result<(), Retry> {
        if !self.keep.is_empty() {
            self.find_positions(sys, s, stats)?;
            self.evaluate_velocities(sys, s, stats)?;
        }
        match &mut self.velocities {
            Some(velocities) => velocities.find(sys, s, stats),
            None => self.solve_velocities(&mut s.v, Rates::Tangent),
        }
    }

    fn find_rates(
        &mut self,
        sys: &mut dyn System,
        s: &mut State,
        qdot: &mut [f64],
        stats: &mut Stats,
    ) -> Result<(), Retry> {
        if !self.keep.is_empty() {
            self.find_positions(sys, s, stats)?;
            tangent(sys, &s.q, qdot, &mut s.v);
            self.evaluate_velocities(sys, s, stats)?;
            self.solve_velocities(qdot, Rates::Chart)?;
        }
        tangent(sys, &s.q, qdot, &mut s.v);
        if let Some(velocities) = &mut self.velocities {
            // which velocities depend on others is another choice there: all have to be right before
            velocities.find(sys, s, stats)?;
            chart::rate(sys, &s.q, &s.v, qdot);
        }
        Ok(())
    }

    fn find_positions(
        &mut self,
        sys: &mut dyn System,
        s: &mut State,
        stats: &mut Stats,
    ) -> Result<(), Retry> {
        self.predicted.copy_from_slice(&s.q);
        self.close(sys, s, stats)?;
        self.check_prediction(s)
    }

    /// Takes `C_q v + C_t` and `C_q T`, if the point is on the branch.
    fn evaluate_velocities(
        &mut self,
        sys: &mut dyn System,
        s: &State,
        stats: &mut Stats,
    ) -> Result<(), Retry> {
        let mut want = Terms {
            c_q: Some(&mut self.c_q),
            cv: Some(&mut self.cv),
            ..Terms::default()
        };
        sys.eval(&place(s), &mut want)?;
        stats.projection_evaluations += 1;
        self.curved.find_tangent(sys, &s.q);
        self.multiply();
        self.check_branch()
    }

    /// Dependent velocities, components as `rates` says, by iteration with factors of a point
    /// nearby; with those of the point itself where that takes long.
    fn solve_velocities(&mut self, v: &mut [f64], rates: Rates) -> Result<(), Retry> {
        for (r, &row) in self.rhs.iter_mut().zip(&self.keep) {
            *r = self.cv[row as usize];
        }
        let (mut last, mut worst) = (f64::INFINITY, 0);
        // dependent ones may rest while others, whose rounding they inherit, do not
        let scales = self.partition.scale().iter().zip(&*v);
        let fastest = scales.fold(0.0f64, |m, (scale, v)| m.max((v / scale).abs()));
        for _ in 0..ITERATIONS {
            self.work.copy_from_slice(&self.rhs);
            self.partition.solve(&mut self.work, 1);
            let (mut size, mut speed) = (0.0f64, 0.0f64);
            for (&u, d) in self.partition.dependent.iter().zip(&self.work) {
                let scale = self.partition.scale()[u];
                v[u] -= d;
                speed = speed.max((v[u] / scale).abs());
                let share = (d / scale).abs();
                if share > size || share.is_nan() {
                    (size, worst) = (share, u);
                }
            }
            if !size.is_finite() {
                break;
            }
            let stalled = size >= 0.5 * last && size <= STALLED * speed.max(fastest);
            let nothing = size <= CLOSED * CLOSED * fastest;
            if size <= CLOSED * speed || stalled || nothing {
                return Ok(());
            }
            // what is left of the residual: r - C_u d
            match rates {
                Rates::Chart => {
                    let values = self.curved.places.iter().zip(&self.by_coordinates);
                    for (&(row, column), x) in values {
                        if let Some(d) = self.work.get(self.place[column] as usize) {
                            self.rhs[row] -= x * d;
                        }
                    }
                }
                Rates::Tangent => {
                    for e in &self.entries {
                        if let Some(d) = self.work.get(self.place[e.column] as usize) {
                            self.rhs[e.row] -= self.c_q[e.value] * d;
                        }
                    }
                }
            }
            if size > SLOW * last && last.is_finite() {
                match rates {
                    Rates::Chart => self.fill_by_coordinates(),
                    Rates::Tangent => self.fill(),
                }
                self.factor()?;
            }
            last = size;
        }
        Err(Retry::Slow {
            iterations: ITERATIONS,
            worst: Row::Velocity(worst),
        })
    }

    /// Goes back to the factors of the beginning of the step.
    fn restore(&mut self) {
        if self.moved {
            self.anchor.restore(&mut self.partition);
            self.moved = false;
        }
    }

    /// Solves `C_u x = b` at the beginning of the step, in place, for `width` right-hand sides.
    fn solve(&self, b: &mut [f64], width: usize) {
        self.partition.solve(b, width);
    }

    /// Index among the kept rows of a row of the system.
    fn kept(&self, row: usize) -> Option<usize> {
        self.keep.binary_search(&(row as u32)).ok()
    }

    /// Dependent positions by Newton's method, with the factors of the last point visited.
    fn close(
        &mut self,
        sys: &mut dyn System,
        s: &mut State,
        stats: &mut Stats,
    ) -> Result<(), Retry> {
        let mut last = f64::INFINITY;
        let mut worst = 0;
        for _ in 0..ITERATIONS {
            let mut want = Terms {
                c: Some(&mut self.c),
                ..Terms::default()
            };
            sys.eval(&place(s), &mut want)?;
            stats.projection_evaluations += 1;
            for (r, &row) in self.rhs.iter_mut().zip(&self.keep) {
                *r = self.c[row as usize];
            }
            self.partition.solve(&mut self.rhs, 1);
            let mut size = 0.0f64;
            for (&u, d) in self.partition.dependent.iter().zip(&self.rhs) {
                s.q[u] -= d;
                let scale = self.partition.scale()[u].max(s.q[u].abs());
                let share = (d / scale).abs();
                if share > size || share.is_nan() {
                    (size, worst) = (share, u);
                }
            }
            // of the first correction nothing is known
            let rate = if last.is_finite() { size / last } else { 1.0 };
            if !size.is_finite() || (rate > 2.0 && size > STALLED) {
                let worst = Row::Position(worst);
                return Err(Retry::Diverged { rate, worst });
            }
            // what is left after this correction, from the contraction seen
            let left = if rate < 0.5 {
                rate / (1.0 - rate) * size
            } else {
                size
            };
            let stalled = rate > 0.5 && size <= STALLED && last.is_finite();
            if left <= CLOSED || stalled {
                return Ok(());
            }
            if (rate > SLOW && last.is_finite()) || size > FAR {
                self.renew(sys, s)?;
                stats.projection_evaluations += 1;
                self.fill_by_coordinates();
                self.factor()?;
            }
            last = size;
        }
        Err(Retry::Slow {
            iterations: ITERATIONS,
            worst: Row::Position(worst),
        })
    }

    /// Takes `C_q` at a state, and what turns it into a derivative by coordinates.
    fn renew(&mut self, sys: &mut dyn System, s: &State) -> Result<(), Retry> {
        let mut want = Terms {
            c_q: Some(&mut self.c_q),
            ..Terms::default()
        };
        sys.eval(&place(s), &mut want)?;
        self.curved.find_tangent(sys, &s.q);
        self.multiply();
        Ok(())
    }

    /// `C_q T` from what was evaluated last.
    fn multiply(&mut self) {
        (self.curved).multiply(&self.entries, &self.c_q, &mut self.by_coordinates);
    }

    /// Hands over the `C_q` just evaluated.
    fn fill(&mut self) {
        let c_q = &self.c_q;
        let entries = self.entries.iter();
        (self.partition).fill(entries.map(|e| (e.row, e.column, c_q[e.value])));
    }

    /// Hands over `C_q T`.
    fn fill_by_coordinates(&mut self) {
        let places = self.curved.places.iter().zip(&self.by_coordinates);
        (self.partition).fill(places.map(|(&(row, column), x)| (row, column, *x)));
    }

    /// Factors `C_u` of what was handed over.
    fn factor(&mut self) -> Result<(), Retry> {
        self.moved = true;
        self.partition.factor().map_err(|k| self.singular(k))
    }

    fn constraint(&self, k: usize) -> Row {
        let row = self.keep.get(k).or(self.keep.last());
        Row::Constraint(row.map_or(0, |&row| row as usize))
    }

    fn singular(&self, k: usize) -> Retry {
        Retry::Singular {
            unknown: self.constraint(k),
        }
    }
}

/// Velocities that belong to rates of coordinates.
fn tangent(sys: &dyn System, q: &[f64], qdot: &[f64], v: &mut [f64]) {
    match sys.chart() {
        Some(chart) => chart.tangent(q, qdot, v),
        None => v.copy_from_slice(qdot),
    }
}

/// The state as a place to evaluate kinematics.
fn place(s: &State) -> At<'_> {
    At {
        a: &[],
        lambda: &[],
        ..s.at()
    }
}
