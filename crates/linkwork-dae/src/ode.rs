//! A mechanism as ordinary differential equations, for explicit methods.
//!
//! ```text
//!  y = (q, v, x),   y' = (T^-1 v, a, f),   [ M  C_q'; C_q  0 ] (a, lambda) = (Q, gamma)
//! ```
//!
//! `T` is the identity unless `q` are coordinates of a [`crate::chart`]. The constraints enter at the acceleration level only, so positions and velocities drift away
//! from theirs. Two remedies:
//!
//! - *projected*: the end of each step is moved onto both in the mass metric, the least change of
//!   kinetic energy. Orders are kept (Eich 1993; Hairer & Wanner 1996, VII.2);
//! - *penalty*: positions and velocities are drawn back at a rate `chi` within the equations. Adds
//!   real eigenvalues `-chi`, which is what stabilised methods are made for, and nothing has to be
//!   iterated.
//!
//! A third way does not let them drift at all:
//!
//! - *state space*: only as many coordinates as there are freedoms are taken at their word, the
//!   others follow from the constraints wherever anything is evaluated ([`crate::reduced`]). All of
//!   them are integrated; what is integrated of the dependent ones serves to predict them, and no
//!   history is lost when the choice changes.
//!
//! A system without constraints is the same in all of them. Algebraic states have no place here.

use crate::chart::{self, Rates};
use crate::corrector::Retry;
use crate::linear::LinearSolver;
use crate::memory::Memory;
use crate::reduced::Reduced;
use crate::saddle::{Openness, Saddle, SaddleError};
use crate::state::{Peak, State, Weights, peak};
use crate::stats::Stats;
use crate::system::{Row, Rows, System};

/// How constraints are held by an explicit method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// Positions and velocities are projected after each step.
    Projection,
    /// Constraint errors decay at a rate.
    Penalty,
    /// Dependent coordinates follow from the independent ones at every point.
    Partition,
}

impl From<SaddleError> for Retry {
    fn from(e: SaddleError) -> Retry {
        match e {
            SaddleError::Eval(e) => Retry::Eval(e),
            SaddleError::Singular { row } => Retry::Singular { unknown: row },
            SaddleError::NotProjected { row, .. } | SaddleError::Unsettled { row } => {
                Retry::Diverged {
                    rate: f64::INFINITY,
                    worst: row,
                }
            }
        }
    }
}

/// A system as ordinary differential equations that hold their constraints.
pub struct Ode {
    hold: Hold,
    /// Whether there is anything to relax: a penalty, and constraints.
    relaxing: bool,
    chi: f64,
    saddle: Saddle,
    pub(crate) reduced: Reduced,
    at: State,
    open: Openness,
    /// Velocity of a relaxing flow, or rates of coordinates.
    flow: Vec<f64>,
    /// What the velocities of a point of an attempt are.
    rates: Rates,
}

impl Ode {
    /// Saves or restores the penalty and the factors' pivots.
    pub fn memory(&mut self, m: &mut Memory) {
        let Ode {
            hold,
            relaxing: _,
            chi,
            saddle,
            reduced,
            at: _,
            open: _,
            flow: _,
            rates: _,
        } = self;
        m.f64(chi);
        saddle.memory(m);
        if *hold == Hold::Partition {
            reduced.memory(m);
        }
    }

    /// Equations that hold their constraints in the given way; [`Ode::bind`] names the system.
    pub fn new(hold: Hold, solver: Box<dyn LinearSolver>) -> Ode {
        Ode {
            hold,
            relaxing: false,
            chi: 0.0,
            saddle: Saddle::unbound(solver),
            reduced: Reduced::default(),
            at: State::default(),
            open: Openness::default(),
            flow: Vec::new(),
            rates: Rates::Tangent,
        }
    }

    /// Second-order equations: on a chart, points of an attempt consist of coordinates and their
    /// rates, `(q, q', x)`, and so do their derivatives, `(q', q'', f)`. The base has to be at the
    /// beginning of the step, where it makes no difference; only for constraints held by partition.
    pub fn of_second_order(mut self) -> Ode {
        self.rates = Rates::Chart;
        self
    }

    /// Allocates for a system and its kept rows.
    pub fn bind(&mut self, sys: &dyn System, keep: &Rows) {
        let dims = sys.dims();
        self.saddle.bind(sys, keep);
        self.at = State::new(dims);
        self.open = Openness {
            c: vec![0.0; dims.nc],
            cv: vec![0.0; dims.rows()],
        };
        self.flow = vec![0.0; dims.nv];
        self.chi = 0.0;
        self.relaxing = self.hold == Hold::Penalty && !keep.c.is_empty();
        if self.hold == Hold::Partition {
            self.reduced.bind(sys, keep);
        }
    }

    /// Hears where the next step begins, before its first right-hand side.
    pub fn begin(
        &mut self,
        sys: &mut dyn System,
        stats: &mut Stats,
        s: &State,
    ) -> Result<(), Retry> {
        match self.hold {
            Hold::Partition => self.reduced.begin(sys, s, stats),
            Hold::Projection | Hold::Penalty => Ok(()),
        }
    }

    /// Hears that a new point has been reached.
    pub fn advance(&mut self) {
        self.reduced.advance();
    }

    /// Whether constraint errors decay at a rate that must be chosen.
    pub fn relaxes(&self) -> bool {
        self.relaxing
    }

    /// Decay rate of constraint errors.
    pub fn chi(&self) -> f64 {
        self.chi
    }

    /// Chooses the decay rate of constraint errors.
    pub fn set_chi(&mut self, chi: f64) {
        self.chi = chi;
    }

    /// Number of equations.
    pub fn size(&self) -> usize {
        2 * self.at.v.len() + self.at.x.len()
    }

    /// The right-hand side.
    pub fn rates(
        &mut self,
        sys: &mut dyn System,
        stats: &mut Stats,
        t: f64,
        y: &[f64],
        ydot: &mut [f64],
    ) -> Result<(), Retry> {
        let found = self.find_rates(sys, stats, t, y, ydot);
        stats.settling_evaluations += self.saddle.take_settled();
        found
    }

    fn find_rates(
        &mut self,
        sys: &mut dyn System,
        stats: &mut Stats,
        t: f64,
        y: &[f64],
        ydot: &mut [f64],
    ) -> Result<(), Retry> {
        stats.right_hand_sides += 1;
        stats.factorisations += 1;
        unpack(t, y, &mut self.at);
        if self.relaxing {
            let nv = self.at.v.len();
            stats.solves += 2;
            self.saddle
                .relax(sys, &mut self.at, self.chi, &mut self.open, &mut self.flow)?;
            chart::rate(sys, &self.at.q, &self.flow, &mut ydot[..nv]);
            ydot[nv..2 * nv].copy_from_slice(&self.at.a);
            ydot[2 * nv..].copy_from_slice(&self.at.xdot);
        } else if self.takes_rates() {
            let nv = self.at.v.len();
            self.flow.copy_from_slice(&y[nv..2 * nv]);
            (self.reduced).recover_rates(sys, &mut self.at, &mut self.flow, stats)?;
            stats.solves += 1;
            self.saddle.accelerate(sys, &mut self.at)?;
            let (qdot, rest) = ydot.split_at_mut(nv);
            let (qddot, xdot) = rest.split_at_mut(nv);
            qdot.copy_from_slice(&self.flow);
            (self.reduced).second_rates(sys, &self.at, &self.flow, qddot);
            xdot.copy_from_slice(&self.at.xdot);
        } else {
            if self.hold == Hold::Partition {
                self.reduced.recover(sys, &mut self.at, stats)?;
            }
            stats.solves += 1;
            self.saddle.accelerate(sys, &mut self.at)?;
            pack_rates(sys, &self.at, ydot);
        }
        Ok(())
    }

    /// Dependent coordinates of a point within the last step from the independent ones, where they follow from them; `false`
    /// where they do not.
    pub fn put_back(&mut self, sys: &mut dyn System, s: &mut State) -> bool {
        if self.hold != Hold::Partition {
            return false;
        }
        self.at.copy_from(s);
        let found = (self.reduced).recover(sys, &mut self.at, &mut Stats::default());
        if found.is_ok() {
            s.q.copy_from_slice(&self.at.q);
            s.v.copy_from_slice(&self.at.v);
        }
        found.is_ok()
    }

    /// The right-hand side at a state that has its accelerations.
    pub fn rates_of(&mut self, sys: &dyn System, s: &State, ydot: &mut [f64]) {
        pack_rates(sys, s, ydot);
        if self.takes_rates() {
            let nv = s.v.len();
            let (qdot, rest) = ydot.split_at_mut(nv);
            (self.reduced).second_rates(sys, s, qdot, &mut rest[..nv]);
        }
    }

    fn takes_rates(&self) -> bool {
        self.rates == Rates::Chart && self.hold == Hold::Partition
    }

    /// The end of a step: holds the constraints at `y`, then gives the right-hand side there and
    /// the whole state.
    pub fn land(
        &mut self,
        sys: &mut dyn System,
        stats: &mut Stats,
        t: f64,
        y: &mut [f64],
        ydot: &mut [f64],
        s: &mut State,
    ) -> Result<(), Retry> {
        let landed = self.come_down(sys, stats, t, y, ydot, s);
        stats.settling_evaluations += self.saddle.take_settled();
        landed
    }

    fn come_down(
        &mut self,
        sys: &mut dyn System,
        stats: &mut Stats,
        t: f64,
        y: &mut [f64],
        ydot: &mut [f64],
        s: &mut State,
    ) -> Result<(), Retry> {
        if self.relaxing {
            self.find_rates(sys, stats, t, y, ydot)?;
            s.copy_from(&self.at);
        } else {
            unpack(t, y, s);
            stats.right_hand_sides += 1;
            stats.factorisations += 1;
            if self.hold == Hold::Partition {
                if self.takes_rates() {
                    self.flow.copy_from_slice(&s.v);
                    (self.reduced).recover_rates(sys, s, &mut self.flow, stats)?;
                } else {
                    self.reduced.recover(sys, s, stats)?;
                }
                self.saddle.return_to_slides(sys, s)?;
                self.saddle.accelerate(sys, s)?;
            } else {
                stats.projection_evaluations += self.saddle.land(sys, s)?;
            }
            pack(s, y);
            pack_rates(sys, s, ydot);
        }
        Ok(())
    }
}

/// `y` of a state.
pub fn pack(s: &State, y: &mut [f64]) {
    let nv = s.v.len();
    y[..nv].copy_from_slice(&s.q);
    y[nv..2 * nv].copy_from_slice(&s.v);
    y[2 * nv..].copy_from_slice(&s.x);
}

/// `y'` of a state with consistent accelerations.
pub fn pack_rates(sys: &dyn System, s: &State, ydot: &mut [f64]) {
    let nv = s.v.len();
    chart::rate(sys, &s.q, &s.v, &mut ydot[..nv]);
    ydot[nv..2 * nv].copy_from_slice(&s.a);
    ydot[2 * nv..].copy_from_slice(&s.xdot);
}

/// Positions, velocities and first-order states of `y`.
pub fn unpack(t: f64, y: &[f64], s: &mut State) {
    let nv = s.v.len();
    s.t = t;
    s.q.copy_from_slice(&y[..nv]);
    s.v.copy_from_slice(&y[nv..2 * nv]);
    s.x.copy_from_slice(&y[2 * nv..]);
}

/// Weighted maximum norm of an error of `y`, and the unknown that attains it.
pub fn measure(e: &[f64], w: &Weights) -> (f64, Row) {
    let nv = w.v.len();
    let worse = |a: (f64, Row), p: Peak, row: Row| {
        if p.norm > a.0 || p.norm.is_nan() {
            (p.norm, row)
        } else {
            a
        }
    };
    let q = peak(&e[..nv], &w.q);
    let v = peak(&e[nv..2 * nv], &w.v);
    let x = peak(&e[2 * nv..], &w.x);
    let worst = (q.norm, Row::Position(q.index));
    let worst = worse(worst, v, Row::Velocity(v.index));
    worse(worst, x, Row::State(x.index))
}
