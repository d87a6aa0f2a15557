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

mod factors;
mod flow;
mod impulses;
mod layout;
mod minimum_norm;
mod projection;
mod reactions;
mod slide;
mod tableau;

pub(crate) use flow::Openness;

use crate::law::Tie;
use crate::linear::{LinearSolver, Work};
use crate::memory::Memory;
use crate::state::State;
use crate::system::{At, Dims, EvalError, Row, Rows, System, Terms};
use layout::{CqEntry, TiedEntry};
use tableau::Tableau;

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
    /// Whether forces follow reactions, and evaluations of these since they were asked for.
    reactive: bool,
    settled: u64,
    ties: Vec<Tie>,
    /// Entries of `C_q` in rows whose multiplier is given: index in the pattern, row, column.
    given_entry: Vec<(usize, usize, usize)>,
    /// Those that follow a kept row: index in the pattern, row of the matrix, column, slot, ratio.
    tied_entry: Vec<TiedEntry>,
    /// What friction can bear, for each tie, and the given multipliers.
    capacity: Vec<f64>,
    given: Vec<f64>,
    slide: slide::Slide,
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
            settled: 0,
            ties: Vec::new(),
            given_entry: Vec::new(),
            tied_entry: Vec::new(),
            capacity: Vec::new(),
            given: Vec::new(),
            slide: slide::Slide::default(),
        }
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

    /// Whether it is laid out for these rows.
    pub(crate) fn keeps(&self, rows: &Rows) -> bool {
        self.rows == rows.c && self.ties == rows.ties
    }

    /// The kept rows.
    pub fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// Accelerations, multipliers and rates of first-order states at `(t, q, v, x)` of the state;
    /// multipliers of dropped rows are 0. A system that knows its accelerations is asked for them. Relays that slide take the
    /// shares that keep them doing so.
    pub fn accelerate(&mut self, sys: &mut dyn System, s: &mut State) -> Result<(), SaddleError> {
        if slide::count(sys) > 0 {
            return self.slide_along(sys, s);
        }
        self.accelerate_once(sys, s)
    }

    /// The same with the equations as they are.
    fn accelerate_once(&mut self, sys: &mut dyn System, s: &mut State) -> Result<(), SaddleError> {
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
}

/// Room for values, where there is any.
fn given(values: &mut [f64]) -> Option<&mut [f64]> {
    (!values.is_empty()).then_some(values)
}

/// The state as a place to evaluate kinematics and forces.
fn place(s: &State) -> At<'_> {
    At { a: &[], ..s.at() }
}
