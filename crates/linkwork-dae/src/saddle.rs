//! The acceleration-level system of a constrained mechanism, factored.
//!
//! ```text
//!  [ M    C_q' ] [ a      ]   [ Q     ]
//!  [ C_q  0    ] [ lambda ] = [ gamma ]
//! ```
//!
//! `C_q` has all constraint rows, holonomic and non-holonomic. Derivatives of first-order states
//! come along: `xdot = f`.
//!
//! The same matrix gives consistent accelerations and multipliers, the velocity projection
//! `min |v - v0|_M  s.t.  C_q v + C_t = 0` and the Newton steps of the position projection onto
//! `C = 0`; the mass metric makes both projections the smallest change of kinetic energy
//! (Eich-Soellner & Führer 1998).
//!
//! Where multipliers of other rows are [given](crate::law), `lambda_t = ratio lambda_n` or a number, the first
//! row has the columns `C_q,n' + ratio C_q,t'` and the right-hand side `Q - C_q,t' lambda_t`; projections
//! do not know of them.
//!
//! Only kept rows enter; they must be independent. Rows and columns are scaled symmetrically with
//! `1/sqrt(M_ii)` and the reciprocal norm of the rows of `C_q` in that metric, so that small
//! inertias next to unit constraint entries do not look singular. Bad at: redundant rows and
//! singular poses, which it refuses with the name of an equation (see [`crate::initial`] for
//! those).

mod flow;
mod projection;
mod tableau;

pub(crate) use flow::Openness;

use crate::law::{Bond, Tie};
use crate::linear::{LinearSolver, Pattern, Work};
use crate::memory::Memory;
use crate::state::State;
use crate::system::{At, Dims, EvalError, Part, Row, Rows, System, Terms};
use tableau::Tableau;

/// Pivot ratio of the scaled matrix below which it counts as singular: some hundred roundings.
const SINGULAR: f64 = 1e-13;
/// Inertias below this share of the largest one (at the scale of the coordinate) do not set the
/// scale of their row any more; they may be zero as long as the constraints fix the coordinate.
const NEGLIGIBLE_INERTIA: f64 = 1e-8;
/// Wanted change of the multipliers, relative to the largest, when forces follow them; friction
/// contracts by about its coefficient per iteration.
const SETTLED: f64 = 1e-14;
const SETTLING_ITERATIONS: usize = 100;

/// Why the acceleration-level system gave no answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SaddleError {
    /// The system could not be evaluated.
    #[error(transparent)]
    Eval(#[from] EvalError),
    /// The matrix has no inverse: a velocity without inertia or a dependent constraint.
    #[error("the acceleration equations are singular at {row:?}")]
    Singular {
        /// [`Row::Velocity`]: a direction without inertia; [`Row::Constraint`]: a dependent row.
        row: Row,
    },
    /// The positions could not be moved onto the constraints.
    #[error("the position projection stopped with residual {residual:.3e} at {row:?}")]
    NotProjected {
        /// The constraint furthest from closed, relative to its size.
        row: Row,
        /// Its residual.
        residual: f64,
    },
    /// Reactions and the forces that follow them found no balance.
    #[error("reactions and the forces that follow them do not settle at {row:?}")]
    Unsettled {
        /// The reaction that changed most in the last iteration.
        row: Row,
    },
}

/// The factored matrix `[M C_q'; C_q 0]` on the kept rows, with everything it needs allocated.
pub struct Saddle {
    dims: Dims,
    rows: Vec<u32>,
    solver: Box<dyn LinearSolver>,
    /// Slot in the matrix of each entry of `M`.
    mass_slot: Vec<usize>,
    mass_at: Vec<(u32, u32)>,
    /// Entries of `C_q` in kept rows: index in the pattern, row of the matrix, column, both slots.
    c_q_entry: Vec<CqEntry>,
    diagonal_slot: Vec<usize>,
    values: Vec<f64>,
    /// Symmetric scaling of the unknowns.
    equilibration: Vec<f64>,
    coordinate_scale: Vec<f64>,
    mass: Vec<f64>,
    c_q: Vec<f64>,
    force: Vec<f64>,
    constraint: Vec<f64>,
    f: Vec<f64>,
    /// Auxiliary equations of the system, and their values.
    tableau: Option<Tableau>,
    generators: Vec<f64>,
    /// Own unknowns of auxiliary equations come last.
    rhs: Vec<f64>,
    /// Whether forces follow reactions.
    reactive: bool,
    ties: Vec<Tie>,
    /// Entries of `C_q` in rows whose multiplier is given: index in the pattern, row, column.
    given_entry: Vec<(usize, usize, usize)>,
    /// Those that follow a kept row: index in the pattern, row of the matrix, column, slot, ratio.
    tied_entry: Vec<TiedEntry>,
    /// What friction can bear, for each tie, and the given multipliers.
    capacity: Vec<f64>,
    given: Vec<f64>,
}

#[derive(Clone, Copy, Debug)]
struct TiedEntry {
    value: usize,
    row: usize,
    column: usize,
    slot: usize,
    ratio: f64,
}

#[derive(Clone, Copy, Debug)]
struct CqEntry {
    value: usize,
    row: usize,
    column: usize,
    lower: usize,
    upper: usize,
}

impl Saddle {
    /// Lays out the matrix for the kept rows; everything is allocated here.
    pub fn new(sys: &dyn System, rows: &Rows, solver: Box<dyn LinearSolver>) -> Saddle {
        let mut saddle = Saddle::unbound(solver);
        saddle.bind(sys, rows);
        saddle
    }

    /// A matrix without a system; [`Saddle::bind`] gives it one.
    pub(crate) fn unbound(solver: Box<dyn LinearSolver>) -> Saddle {
        Saddle {
            dims: Dims::default(),
            rows: Vec::new(),
            solver,
            mass_slot: Vec::new(),
            mass_at: Vec::new(),
            c_q_entry: Vec::new(),
            diagonal_slot: Vec::new(),
            values: Vec::new(),
            equilibration: Vec::new(),
            coordinate_scale: Vec::new(),
            mass: Vec::new(),
            c_q: Vec::new(),
            force: Vec::new(),
            constraint: Vec::new(),
            f: Vec::new(),
            tableau: None,
            generators: Vec::new(),
            rhs: Vec::new(),
            reactive: false,
            ties: Vec::new(),
            given_entry: Vec::new(),
            tied_entry: Vec::new(),
            capacity: Vec::new(),
            given: Vec::new(),
        }
    }

    /// Lays out the matrix for a system and its kept rows.
    pub(crate) fn bind(&mut self, sys: &dyn System, rows: &Rows) {
        let dims = sys.dims();
        let n = dims.nv + rows.c.len();
        let patterns = sys.patterns();
        let mut place = vec![None; dims.rows()];
        for (k, &i) in rows.c.iter().enumerate() {
            if let Some(p) = place.get_mut(i as usize) {
                *p = Some(dims.nv + k);
            }
        }
        self.coordinate_scale.clone_from(&sys.facts().scale);
        let scale = &self.coordinate_scale[..dims.nv];
        let mut tableau = Tableau::new(sys, &place, n, scale);
        let mass_at = patterns[Part::Mass].clone();
        let mut entries = mass_at.clone();
        // The diagonal is always stored: it takes the shift of the null-vector and minimum-norm
        // solves, which must not change the pattern.
        entries.extend((0..n as u32).map(|i| (i, i)));
        let kept: Vec<(usize, usize, usize)> = patterns[Part::Cq]
            .iter()
            .enumerate()
            .filter_map(|(k, &(i, j))| Some((k, place.get(i as usize).copied()??, j as usize)))
            .collect();
        match &tableau {
            Some(tableau) => entries.extend(tableau.positions()),
            None => {
                for &(_, i, j) in &kept {
                    entries.push((i as u32, j as u32));
                    entries.push((j as u32, i as u32));
                }
            }
        }
        let own = |row: u32| {
            let all = patterns[Part::Cq].iter().enumerate();
            all.filter(move |(_, e)| e.0 == row)
                .map(|(k, e)| (k, e.1 as usize))
        };
        let (mut given_entry, mut tied) = (Vec::new(), Vec::new());
        for tie in &rows.ties {
            match tie.to {
                Bond::Capacity { .. } | Bond::Reaction { .. } => {
                    given_entry.extend(own(tie.row).map(|(k, j)| (k, tie.row as usize, j)));
                }
                Bond::Follows { row, ratio } => {
                    let Some(to) = place.get(row as usize).copied().flatten() else {
                        continue;
                    };
                    tied.extend(own(tie.row).map(|(k, j)| (k, to, j, ratio)));
                }
            }
        }
        entries.extend(tied.iter().map(|&(_, to, j, _)| (j as u32, to as u32)));
        let order = n + tableau.as_ref().map_or(0, Tableau::unknowns);
        let pattern = Pattern::from_entries(order, &entries);
        if let Some(tableau) = &mut tableau {
            tableau.finish(&pattern);
        }
        self.tableau = tableau;
        self.generators = vec![0.0; sys.facts().auxiliary.as_ref().map_or(0, |a| a.base)];
        let slot = |i: usize, j: usize| pattern.slot(i as u32, j as u32).unwrap_or(0);
        self.solver.analyse(&pattern, &[]);
        if let Some(tableau) = &self.tableau {
            self.solver.suggest(tableau.order());
        }
        self.dims = dims;
        self.rows.clone_from(&rows.c);
        self.mass_slot = mass_at
            .iter()
            .map(|&(i, j)| slot(i as usize, j as usize))
            .collect();
        self.c_q_entry = kept
            .iter()
            .map(|&(value, row, column)| CqEntry {
                value,
                row,
                column,
                lower: slot(row, column),
                upper: slot(column, row),
            })
            .collect();
        self.given_entry = given_entry;
        self.tied_entry = tied
            .iter()
            .map(|&(value, row, column, ratio)| TiedEntry {
                value,
                row,
                column,
                slot: slot(column, row),
                ratio,
            })
            .collect();
        self.ties.clone_from(&rows.ties);
        self.capacity = vec![0.0; rows.ties.len()];
        self.given = vec![0.0; dims.rows()];
        self.diagonal_slot = (0..n).map(|i| slot(i, i)).collect();
        self.values = vec![0.0; pattern.nnz()];
        self.equilibration = vec![1.0; n];
        self.mass = vec![0.0; mass_at.len()];
        self.mass_at = mass_at;
        self.c_q = vec![0.0; patterns[Part::Cq].len()];
        self.force = vec![0.0; dims.nv];
        self.constraint = vec![0.0; dims.rows()];
        self.f = vec![0.0; dims.nx];
        self.rhs = vec![0.0; order];
        let follows = |tie: &Tie| matches!(tie.to, Bond::Reaction { .. });
        self.reactive = !patterns[Part::Rl].is_empty() || rows.ties.iter().any(follows);
    }

    /// What the last factors took, and what solves with them take; nothing where a system knows its
    /// accelerations.
    pub fn work(&self) -> Work {
        self.solver.work()
    }

    /// Saves or restores the pivots, for the same kept rows.
    pub fn memory(&mut self, m: &mut Memory) {
        m.section("saddle");
        m.same(self.rows.len() as u64);
        for &row in &self.rows {
            m.same(u64::from(row));
        }
        self.solver.memory(m);
    }

    /// Accelerations, multipliers and rates of first-order states at `(t, q, v, x)` of the state;
    /// multipliers of dropped rows are 0. A system that knows its accelerations is asked for them.
    pub fn accelerate(&mut self, sys: &mut dyn System, s: &mut State) -> Result<(), SaddleError> {
        if self.rows.is_empty() && !self.reactive && self.ties.is_empty() {
            let a = &mut self.rhs[..self.dims.nv];
            let own = sys.forward_dynamics();
            if let Some(done) = own.and_then(|own| own.accelerate(&place(s), a, &mut self.f)) {
                done?;
                return self.store_dynamics(s);
            }
        }
        self.accelerate_by_factors(sys, s)
    }

    /// The same from the factored matrix in any case, which finds out whether it is singular.
    pub(crate) fn accelerate_by_factors(
        &mut self,
        sys: &mut dyn System,
        s: &mut State,
    ) -> Result<(), SaddleError> {
        self.evaluate_dynamics(sys, s)?;
        self.factor_with_ties()?;
        self.load_dynamics();
        self.solve();
        self.store_dynamics(s)?;
        self.settle(sys, s)
    }

    /// Where forces follow reactions: repeats the solve with the forces of the last reactions until
    /// both agree. The multipliers of the state are where it starts.
    fn settle(&mut self, sys: &mut dyn System, s: &mut State) -> Result<(), SaddleError> {
        if !self.reactive {
            return Ok(());
        }
        let nv = self.dims.nv;
        let (mut worst, mut last) = (0, f64::INFINITY);
        for _ in 0..SETTLING_ITERATIONS {
            let mut want = Terms {
                force: Some(&mut self.force),
                ..Terms::default()
            };
            sys.eval(&place(s), &mut want)?;
            self.give_multipliers(s);
            self.load_dynamics();
            self.solve();
            let (mut change, mut size) = (0.0f64, 0.0f64);
            for (k, &i) in self.rows.iter().enumerate() {
                let new = self.rhs[nv + k];
                let moved = (new - s.lambda[i as usize]).abs();
                size = size.max(new.abs());
                if moved > change {
                    (change, worst) = (moved, i as usize);
                }
            }
            self.store_dynamics(s)?;
            // the second test: rounding, no further progress
            if change <= SETTLED * size || (change >= last && change <= 1e3 * SETTLED * size) {
                return Ok(());
            }
            last = change;
        }
        Err(SaddleError::Unsettled {
            row: Row::Constraint(worst),
        })
    }

    /// Accelerations and the multipliers of least scaled norm where kept rows are dependent but
    /// consistent. Returns the largest violation of `C_q a = gamma`, relative to the size of its
    /// terms, with its row.
    ///
    /// Method of multipliers (Hestenes 1969): each solve with `-eps` in the zero block takes the
    /// last `lambda` as its centre, so `lambda` never leaves the range of `C_q` and the constraint
    /// error falls by `eps` over the smallest nonzero squared singular value per solve.
    pub(crate) fn accelerate_minimum_norm(
        &mut self,
        sys: &mut dyn System,
        s: &mut State,
    ) -> Result<(f64, Row), SaddleError> {
        const EPSILON: f64 = 1e-8;
        const SOLVES: usize = 4;
        self.evaluate_dynamics(sys, s)?;
        self.equilibrate();
        self.fill(0.0, EPSILON);
        if self.solver.factor(&self.values).is_err() {
            return Err(self.singular());
        }
        let nv = self.dims.nv;
        let mut centre = vec![0.0; self.rows.len()];
        for _ in 0..SOLVES {
            self.load_dynamics();
            for (k, c) in centre.iter().enumerate() {
                self.rhs[nv + k] -= EPSILON * c / self.equilibration[nv + k].powi(2);
            }
            self.solve();
            for (k, c) in centre.iter_mut().enumerate() {
                *c = self.rhs[nv + k];
            }
        }
        self.store_dynamics(s)?;
        let mut size = vec![0.0; self.rows.len()];
        let mut violation = vec![0.0; self.rows.len()];
        for (k, &i) in self.rows.iter().enumerate() {
            violation[k] = -self.constraint[i as usize];
            size[k] = self.constraint[i as usize].abs();
        }
        for e in &self.c_q_entry {
            let term = self.c_q[e.value] * s.a[e.column];
            violation[e.row - nv] += term;
            // What the forces would do without constraints: the scale at rest.
            let unconstrained = self.force[e.column] * self.equilibration[e.column].powi(2);
            size[e.row - nv] += term.abs() + (self.c_q[e.value] * unconstrained).abs();
        }
        let mut worst = (0.0, Row::Constraint(0));
        for (k, &i) in self.rows.iter().enumerate() {
            let relative = violation[k].abs() / size[k].max(f64::MIN_POSITIVE);
            if relative > worst.0 || relative.is_nan() {
                worst = (relative, Row::Constraint(i as usize));
            }
        }
        Ok(worst)
    }

    fn evaluate_dynamics(&mut self, sys: &mut dyn System, s: &State) -> Result<(), EvalError> {
        Rows::give(&self.ties, sys, s, &mut self.capacity);
        self.give_multipliers(s);
        let mut want = Terms {
            mass: Some(&mut self.mass),
            c_q: Some(&mut self.c_q),
            force: Some(&mut self.force),
            gamma: Some(&mut self.constraint),
            f: (!self.f.is_empty()).then_some(&mut self.f[..]),
            generators: given(&mut self.generators),
            ..Terms::default()
        };
        sys.eval(&place(s), &mut want)
    }

    /// Takes the multipliers that are given, with the reactions of a state.
    fn give_multipliers(&mut self, s: &State) {
        if !self.ties.is_empty() {
            self.given.copy_from_slice(&s.lambda);
            Rows::follow(&self.ties, &self.capacity, &mut self.given);
        }
    }

    /// Right-hand side `(Q, gamma)`.
    fn load_dynamics(&mut self) {
        let nv = self.dims.nv;
        self.rhs[..nv].copy_from_slice(&self.force);
        for &(value, row, column) in &self.given_entry {
            self.rhs[column] -= self.c_q[value] * self.given[row];
        }
        for (r, &i) in self.rhs[nv..].iter_mut().zip(&self.rows) {
            *r = self.constraint[i as usize];
        }
    }

    /// Right-hand side `(0, -residual)`.
    fn load_constraint(&mut self) {
        let nv = self.dims.nv;
        self.rhs[..nv].fill(0.0);
        for (r, &i) in self.rhs[nv..].iter_mut().zip(&self.rows) {
            *r = -self.constraint[i as usize];
        }
    }

    fn store_dynamics(&mut self, s: &mut State) -> Result<(), SaddleError> {
        self.check_solution()?;
        let nv = self.dims.nv;
        s.a.copy_from_slice(&self.rhs[..nv]);
        s.xdot.copy_from_slice(&self.f);
        s.lambda.fill(0.0);
        for (x, &i) in self.rhs[nv..].iter().zip(&self.rows) {
            s.lambda[i as usize] = *x;
        }
        Rows::follow(&self.ties, &self.capacity, &mut s.lambda);
        Ok(())
    }

    fn check_solution(&mut self) -> Result<(), SaddleError> {
        if self.rhs.iter().all(|x| x.is_finite()) {
            return Ok(());
        }
        let at = self.rhs.iter().position(|x| !x.is_finite()).unwrap_or(0);
        Err(SaddleError::Singular { row: self.row(at) })
    }

    fn factor(&mut self) -> Result<(), SaddleError> {
        self.equilibrate();
        self.fill(0.0, 0.0);
        match self.solver.factor(&self.values) {
            Ok(info) if info.pivot_ratio > SINGULAR => Ok(()),
            _ => Err(self.singular()),
        }
    }

    /// The same with the columns of multipliers that others follow.
    fn factor_with_ties(&mut self) -> Result<(), SaddleError> {
        if self.tied_entry.is_empty() {
            return self.factor();
        }
        self.equilibrate();
        self.fill(0.0, 0.0);
        let d = &self.equilibration;
        for e in &self.tied_entry {
            self.values[e.slot] += d[e.column] * self.c_q[e.value] * e.ratio * d[e.row];
        }
        match self.solver.factor(&self.values) {
            Ok(info) if info.pivot_ratio > SINGULAR => Ok(()),
            _ => Err(self.singular()),
        }
    }

    /// Factors at a state for [`Saddle::respond`]; returns the rates of all rows.
    pub(crate) fn take_impulses(
        &mut self,
        sys: &mut dyn System,
        s: &State,
    ) -> Result<&[f64], SaddleError> {
        let mut want = Terms {
            mass: Some(&mut self.mass),
            generators: given(&mut self.generators),
            c_q: Some(&mut self.c_q),
            cv: Some(&mut self.constraint),
            ..Terms::default()
        };
        sys.eval(&place(s), &mut want)?;
        self.factor()?;
        Ok(&self.constraint)
    }

    /// The change of velocity by a unit impulse along `entries` of `C_q`, (index, column), that keeps the
    /// kept rows: `[M C_q'; C_q 0] (y, .) = (W', 0)`.
    pub(crate) fn respond(
        &mut self,
        entries: &[(usize, usize)],
        y: &mut [f64],
    ) -> Result<(), SaddleError> {
        self.rhs.fill(0.0);
        for &(value, column) in entries {
            self.rhs[column] += self.c_q[value];
        }
        self.solve();
        self.check_solution()?;
        y.copy_from_slice(&self.rhs[..self.dims.nv]);
        Ok(())
    }

    /// Values of `C_q`, of the last evaluation.
    pub(crate) fn c_q(&self) -> &[f64] {
        &self.c_q
    }

    /// Whether it is laid out for these rows.
    pub(crate) fn keeps(&self, rows: &Rows) -> bool {
        self.rows == rows.c && self.ties == rows.ties
    }

    /// The kept rows.
    pub fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// Scales from the diagonal of `M` and from the rows of `C_q` in that metric.
    fn equilibrate(&mut self) {
        let nv = self.dims.nv;
        let (velocity, multiplier) = self.equilibration.split_at_mut(nv);
        velocity.fill(0.0);
        let mut largest = 0.0f64;
        for (&(i, j), m) in self.mass_at.iter().zip(&self.mass) {
            if i == j {
                velocity[i as usize] = m.abs();
                largest = largest.max(m.abs() * self.coordinate_scale[i as usize].powi(2));
            }
        }
        for (d, scale) in velocity.iter_mut().zip(&self.coordinate_scale) {
            let least = NEGLIGIBLE_INERTIA * largest / (scale * scale);
            let inertia = if *d > least { *d } else { least };
            *d = if inertia > 0.0 {
                1.0 / inertia.sqrt()
            } else {
                *scale
            };
        }
        if let Some(tableau) = &self.tableau {
            for (d, scale) in velocity.iter_mut().zip(&self.coordinate_scale) {
                *d = tableau.velocity_scale(*scale);
            }
        }
        multiplier.fill(0.0);
        for e in &self.c_q_entry {
            multiplier[e.row - nv] += (self.c_q[e.value] * velocity[e.column]).powi(2);
        }
        for d in multiplier {
            *d = if *d > 0.0 { 1.0 / d.sqrt() } else { 1.0 };
        }
    }

    /// Scaled values, with `shift` added to the velocity diagonal and `-shrink` in the zero block.
    fn fill(&mut self, shift: f64, shrink: f64) {
        let d = &self.equilibration;
        self.values.fill(0.0);
        for ((&slot, &(i, j)), m) in self.mass_slot.iter().zip(&self.mass_at).zip(&self.mass) {
            self.values[slot] += d[i as usize] * m * d[j as usize];
        }
        match &self.tableau {
            Some(tableau) => tableau.add(&self.generators, d, &mut self.values),
            None => {
                for e in &self.c_q_entry {
                    let g = d[e.row] * self.c_q[e.value] * d[e.column];
                    self.values[e.lower] += g;
                    self.values[e.upper] += g;
                }
            }
        }
        let nv = self.dims.nv;
        for &slot in &self.diagonal_slot[..nv] {
            self.values[slot] += shift;
        }
        for &slot in &self.diagonal_slot[nv..] {
            self.values[slot] -= shrink;
        }
    }

    fn solve(&mut self) {
        self.rhs[self.equilibration.len()..].fill(0.0);
        for (x, d) in self.rhs.iter_mut().zip(&self.equilibration) {
            *x *= d;
        }
        self.solver.solve(&mut self.rhs);
        for (x, d) in self.rhs.iter_mut().zip(&self.equilibration) {
            *x *= d;
        }
    }

    /// Names the cause of a singular matrix by one inverse iteration on the shifted matrix: the
    /// solution is dominated by the null vector, `(a, .)` for a direction without inertia and
    /// `(0, lambda)` with `C_q' lambda = 0` for dependent rows.
    fn singular(&mut self) -> SaddleError {
        const SHIFT: f64 = 1e-9;
        let nv = self.dims.nv;
        self.fill(SHIFT, SHIFT);
        let at;
        if let Err(e) = self.solver.factor(&self.values) {
            at = e.column;
        } else {
            let n = self.equilibration.len();
            self.rhs[n..].fill(0.0);
            for (k, x) in self.rhs[..n].iter_mut().enumerate() {
                // Any vector with a share of every direction will do; this one has no symmetry.
                *x = 1.0 + 0.5 * (k as f64 * 0.618_033_988_749_895).fract();
            }
            self.solver.solve(&mut self.rhs);
            let largest = |x: &[f64]| {
                let mut best = (0, 0.0);
                for (k, x) in x.iter().enumerate() {
                    if x.abs() > best.1 {
                        best = (k, x.abs());
                    }
                }
                best
            };
            let a = largest(&self.rhs[..nv]);
            let l = largest(&self.rhs[nv..n]);
            let bad = self.rhs.iter().position(|x| !x.is_finite());
            at = match bad {
                Some(k) => k,
                // A massless direction shows in `a` with 1/SHIFT; dependent rows leave `a` regular.
                None if a.1 > SHIFT.sqrt() / SHIFT || a.1 >= l.1 => a.0,
                None => nv + l.0,
            };
        }
        SaddleError::Singular { row: self.row(at) }
    }

    fn row(&self, unknown: usize) -> Row {
        if let (Some(tableau), true) = (&self.tableau, unknown >= self.equilibration.len()) {
            return Row::Velocity(tableau.owner(unknown));
        }
        match unknown.checked_sub(self.dims.nv) {
            None => Row::Velocity(unknown),
            Some(k) => Row::Constraint(self.rows.get(k).map_or(0, |&i| i as usize)),
        }
    }
}

/// Room for values, where there is any.
fn given(values: &mut [f64]) -> Option<&mut [f64]> {
    (!values.is_empty()).then_some(values)
}

/// The state as a place to evaluate kinematics and forces.
fn place(s: &State) -> At<'_> {
    At { a: &[], ..s.at() }
}
