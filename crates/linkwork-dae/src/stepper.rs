//! Time discretisations: predict, solve, estimate the error, keep a history.

pub mod adams;
pub mod bdf;
mod dense;
pub mod gen_alpha;
mod history;
pub mod radau;
mod radius;
pub mod rock;
pub mod rosenbrock;
pub mod runge_kutta;
mod stiffness;
pub mod tableau;
mod track;

use crate::corrector::Retry;
use crate::implicit::Implicit;
use crate::jacobian::excitation::Following;
use crate::memory::Memory;
use crate::ode::Ode;
use crate::state::{State, Weights};
use crate::stats::Stats;
use crate::system::{Row, Rows, System};
use adams::Adams;
use bdf::{Bdf, Form};
use gen_alpha::{GenAlpha, Parameters};
use radau::Radau;
use rock::{Kind, Rock};
use rosenbrock::{ErrorEstimate, Rosenbrock, Scheme};
use runge_kutta::RungeKutta;
use tableau::{DOP853, DOPRI5, Tableau};

/// Reach of implicit steps.
const ITERATIONS_REACH: f64 = 1.1;

/// Step size and order of the next attempt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// Step size.
    pub h: f64,
    /// Order.
    pub order: usize,
}

impl Choice {
    /// Saves or restores both.
    pub fn memory(&mut self, m: &mut Memory) {
        let Choice { h, order } = self;
        m.f64(h);
        m.usize(order);
    }
}

/// What an attempted step found out; nothing is accepted yet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trial {
    /// Error over tolerance at orders k-2, k-1, k, k+1; infinite: not on offer.
    pub err: [f64; 4],
    /// Weighted norms of the differences behind them, without error constants.
    pub difference: [f64; 4],
    /// The order k of the attempt.
    pub order: usize,
    /// The unknown that rules the error at order k.
    pub worst: Row,
    /// Corrector iterations.
    pub iterations: u32,
    /// Worst ratio of a correction to the one before it, of methods whose steps are limited by their
    /// iteration; else 0.
    pub contraction: f64,
    /// Fastest relative rate of the motion so far, 1/s.
    pub rate: f64,
}

impl Trial {
    /// Error over tolerance at the order of the attempt.
    pub fn error(&self) -> f64 {
        self.err[2]
    }

    /// Error over tolerance at a neighbouring order; infinite when not on offer.
    pub fn error_at(&self, order: usize) -> f64 {
        match (order + 2).checked_sub(self.order) {
            Some(i) if order > 0 && i < 4 => self.err[i],
            _ => f64::INFINITY,
        }
    }
}

/// A time discretisation.
pub trait Stepper: Send {
    /// Whether [`Stepper::start`] wants the rates of the accelerations and of `xdot`.
    fn wants_jerk(&self) -> bool {
        false
    }

    /// Order of the first step.
    fn first_order(&self) -> usize {
        1
    }

    /// Binds to a system; analyses and allocates.
    fn bind(&mut self, sys: &mut dyn System, keep: &Rows);

    /// Starts from a consistent state, forgetting all history: at the beginning of a run and after
    /// every jump. `jerk` is empty when it is not wanted. Does not allocate.
    fn start(&mut self, sys: &dyn System, s: &State, jerk: &[f64], h: f64);

    /// The equations are not smooth where it has just started, so that errors of the next step do not fall with its order:
    /// an estimate that takes that for granted must not.
    fn beware(&mut self) {}

    /// Whether the step size that was good before a jump of the forces is a good one after it; a
    /// method without memory says yes.
    fn keeps_step(&self) -> bool {
        false
    }

    /// Forces have changed a little at the newest state, of which `s` has the new accelerations and
    /// reactions: takes over what it keeps of them and goes on with history, order and step. `false`:
    /// it has to start again. Does not allocate.
    fn renew(&mut self, sys: &dyn System, s: &State) -> bool {
        let _ = (sys, s);
        false
    }

    /// Whether it can begin with a history, see [`Stepper::seed`].
    fn takes_history(&self) -> bool {
        false
    }

    /// Begins with a history instead of a single state: consistent states `h` apart, oldest first, of
    /// which the last becomes the newest. Dense output covers all of them. Does not allocate.
    fn seed(&mut self, sys: &dyn System, states: &[State], h: f64) {
        let _ = (sys, states, h);
    }

    /// The largest gap between the points of a step where forces are looked at, relative to the step.
    fn largest_gap(&self) -> f64 {
        1.0
    }

    /// How far a step looks at forces, relative to itself: beyond 1 past its own end. Iterations of an
    /// implicit step look about in place.
    fn reach(&self) -> f64 {
        1.0
    }

    /// How far a step looks back behind its beginning, relative to itself.
    fn looks_back(&self) -> f64 {
        0.0
    }

    /// Positions, velocities and states that the past promises at `t`, somewhat beyond the newest state,
    /// and how fast their derivatives go astray there: 1 within the last step.
    fn extrapolate(&self, t: f64, out: &mut State) -> f64;

    /// How many steps the history and a step of this order span together. On a chart rotations over
    /// that span must stay well below a turn.
    fn span(&self, order: usize) -> usize {
        let _ = order;
        1
    }

    /// Tries a step without accepting it. Does not allocate.
    ///
    /// On a chart this begins by moving the base to the newest state, not earlier: the dense output
    /// of the last step is about the base that it was made with.
    fn attempt(
        &mut self,
        sys: &mut dyn System,
        w: &Weights,
        stats: &mut Stats,
        next: Choice,
    ) -> Result<Trial, Retry>;

    /// How far the end of the last attempt is from what the steps before it promise, and how far that was to be expected, in
    /// tolerances; of methods whose error estimate knows only a part of the step, and does not see what has happened before.
    fn departure(&self) -> Option<[f64; 2]> {
        None
    }

    /// Makes the last attempt part of the history.
    fn accept(&mut self);

    /// Error over tolerance that steps like the last accepted one would make at a lower order, in the
    /// long run; infinite when that is not known.
    fn error_at(&self, order: usize) -> f64 {
        let _ = order;
        f64::INFINITY
    }

    /// The newest accepted state.
    fn state(&self) -> &State;

    /// Positions and velocities within the last accepted step, at the order of that step.
    fn interpolate(&self, t: f64, out: &mut State);

    /// Moves an interpolated state onto the constraints by what the method integrates: coordinates that only follow from others
    /// have errors within a step that its estimate does not know of. `false`: all are integrated alike.
    fn put_back(&mut self, sys: &mut dyn System, s: &mut State) -> bool {
        let _ = (sys, s);
        false
    }

    /// Whether steps are so long that the motion within them leaves the constraints by more than the ends are off: what is told
    /// of it is put back onto them.
    fn leaves_constraints(&self) -> bool {
        false
    }

    /// Stage `i` of the last accepted step without accelerations, with the multipliers of its equations, where that step led over
    /// this span; answers its weight in integrals over the step. `None` behind the last one, and of methods
    /// whose stages are no states of the motion.
    fn stage(&self, span: [f64; 2], i: usize, out: &mut State) -> Option<f64> {
        let _ = (span, i, out);
        None
    }

    /// Highest order on offer.
    fn max_order(&self) -> usize;

    /// Whether steps up to an order are so many that their errors add up to much more than one: at low order, and where each
    /// uses all of its tolerance. One-step methods of higher order take few steps, with estimates far above their errors.
    fn adds_up(&self, order: usize) -> bool {
        order <= 2
    }

    /// Saves or restores the accepted history and all that the next attempt depends on. Restoring
    /// needs a stepper that was started with the same system and rows.
    fn memory(&mut self, m: &mut Memory);

    /// What has come of following the excitations; `None` where derivatives do not follow any.
    fn following(&self) -> Option<Following> {
        None
    }

    /// What the run has taught about the choice of method, in sentences with their evidence.
    fn notes(&self, out: &mut Vec<String>) {
        let _ = out;
    }
}

/// Free parameters of the methods; each method reads those it knows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tuning {
    /// Spectral radius at infinity (gen-alpha), 0 to 1.
    pub rho: f64,
    /// Damping (hht), 0 to 1/3.
    pub alpha: f64,
    /// Weight of the new acceleration in positions and in velocities (newmark): `beta`, `gamma`.
    pub beta: f64,
    /// See `beta`.
    pub gamma: f64,
    /// Error estimate of linearly implicit methods (rosenbrock, w).
    pub error_estimate: ErrorEstimate,
    /// Whether something is known to be stiff (radau): then it does not try first how far a matrix leads that knows of inertia
    /// and constraints alone.
    pub stiff: bool,
}

impl Default for Tuning {
    fn default() -> Tuning {
        Tuning {
            rho: gen_alpha::DEFAULT_RHO,
            alpha: gen_alpha::DEFAULT_ALPHA,
            beta: 0.25,
            gamma: 0.5,
            error_estimate: ErrorEstimate::Plain,
            stiff: false,
        }
    }
}

/// A stepper by name.
pub struct StepperEntry {
    /// Name on the command line.
    pub name: &'static str,
    /// One line for lists.
    pub summary: &'static str,
    /// What it is akin to.
    pub family: Family,
    /// Formulations it runs with, the preferred one first.
    pub formulations: &'static [&'static str],
    /// Names of the fields of [`Tuning`] that it reads.
    pub tuning: &'static [&'static str],
    /// Highest order of a method whose order varies; `None` for one that has a single order.
    pub variable_order: Option<usize>,
    /// Constructor, over what it needs.
    pub needs: Needs,
    /// Step controller that suits it.
    pub controller: &'static str,
    /// Further formulations, for fixed steps or with damping.
    pub steady: &'static [&'static str],
    /// What would give it damping where it has none.
    pub undamped: fn(&Tuning) -> Option<&'static str>,
}

/// Methods that share their principle, and mostly their troubles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Backward differentiation, implicit, of variable order.
    Bdf,
    /// Generalised-alpha, implicit, of order 2.
    Alpha,
    /// Explicit Runge-Kutta.
    RungeKutta,
    /// Explicit Adams, of variable order.
    Adams,
    /// Explicit with a large domain of stability.
    Stabilised,
    /// One linear system in each stage instead of an iteration.
    LinearlyImplicit,
    /// Implicit Runge-Kutta, all stages solved together.
    Collocation,
}

impl StepperEntry {
    /// Whether steps solve nonlinear equations with derivatives that can be chosen.
    pub fn is_implicit(&self) -> bool {
        matches!(self.needs, Needs::Implicit(_))
    }
}

/// What a stepper is built over; a [recipe](crate::recipe::Recipe) supplies it.
#[derive(Clone, Copy)]
pub enum Needs {
    /// The nonlinear problem of a step.
    Implicit(fn(Implicit, &Tuning) -> Box<dyn Stepper>),
    /// Ordinary differential equations; no algebraic states.
    Ode(fn(Ode, &Tuning) -> Box<dyn Stepper>),
}

fn alpha_family(implicit: Implicit, p: Parameters) -> Box<dyn Stepper> {
    Box::new(GenAlpha::new(implicit, p))
}

fn pair(ode: Ode, tableau: &'static Tableau) -> Box<dyn Stepper> {
    Box::new(RungeKutta::new(ode, tableau))
}

/// Every stepper.
pub static STEPPERS: &[StepperEntry] = &[
    StepperEntry {
        name: "bdf",
        summary: "backward differentiation, variable step and order 1 to 5",
        family: Family::Bdf,
        formulations: &["ggl", "index3", "index1"],
        tuning: &[],
        variable_order: Some(history::MAX_ORDER),
        needs: Needs::Implicit(|implicit, _| Box::new(Bdf::new(implicit, Form::VariableStep))),
        controller: "order",
        steady: &[],
        undamped: |_| None,
    },
    StepperEntry {
        name: "radau",
        summary: "Radau IIA with 3, 5 or 7 stages, orders 5, 9 and 13; for vibrations and many digits",
        family: Family::Collocation,
        formulations: &["index3", "ggl"],
        tuning: &[],
        variable_order: Some(radau::MAX_ORDER),
        needs: Needs::Implicit(|implicit, tuning| Box::new(Radau::new(implicit, tuning.stiff))),
        controller: "collocation",
        steady: &[],
        undamped: |_| None,
    },
    StepperEntry {
        name: "gen-alpha",
        summary: "generalised-alpha, second order, damping set by the spectral radius rho",
        family: Family::Alpha,
        formulations: &["index3", "ggl"],
        tuning: &["rho"],
        variable_order: None,
        needs: Needs::Implicit(|implicit, t| alpha_family(implicit, Parameters::from_rho(t.rho))),
        controller: "elementary",
        steady: &[],
        undamped: |t| (t.rho >= 1.0).then_some("rho below 1"),
    },
    StepperEntry {
        name: "hht",
        summary: "Hilber-Hughes-Taylor, second order, damping alpha",
        family: Family::Alpha,
        formulations: &["index3", "ggl"],
        tuning: &["alpha"],
        variable_order: None,
        needs: Needs::Implicit(|implicit, t| alpha_family(implicit, Parameters::hht(t.alpha))),
        controller: "elementary",
        steady: &[],
        undamped: |t| (t.alpha <= 0.0).then_some("alpha above 0"),
    },
    StepperEntry {
        name: "newmark",
        summary: "Newmark's method, beta and gamma; second order without damping, the trapezoidal rule, by default; index3 with fixed steps or damping",
        family: Family::Alpha,
        formulations: &["ggl"],
        tuning: &["beta", "gamma"],
        variable_order: None,
        needs: Needs::Implicit(|implicit, t| {
            alpha_family(implicit, Parameters::newmark(t.beta, t.gamma))
        }),
        controller: "elementary",
        steady: &["index3"],
        undamped: |t| (t.gamma <= 0.5).then_some("gamma above 0.5"),
    },
    StepperEntry {
        name: "dopri5",
        summary: "explicit Runge-Kutta of Dormand and Prince, order 5; not for stiff systems",
        family: Family::RungeKutta,
        formulations: &["projected", "state-space"],
        tuning: &[],
        variable_order: None,
        needs: Needs::Ode(|ode, _| pair(ode, &DOPRI5)),
        controller: "pi",
        steady: &[],
        undamped: |_| None,
    },
    StepperEntry {
        name: "dop853",
        summary: "explicit Runge-Kutta of Dormand and Prince, order 8; for tight tolerances",
        family: Family::RungeKutta,
        formulations: &["projected", "state-space"],
        tuning: &[],
        variable_order: None,
        needs: Needs::Ode(|ode, _| pair(ode, &DOP853)),
        controller: "pi",
        steady: &[],
        undamped: |_| None,
    },
    StepperEntry {
        name: "adams",
        summary: "explicit Adams, variable step and order 1 to 12; fewest right-hand sides",
        family: Family::Adams,
        formulations: &["projected", "state-space"],
        tuning: &[],
        variable_order: Some(adams::MAX_ORDER),
        needs: Needs::Ode(|ode, _| Box::new(Adams::new(ode))),
        controller: "adams",
        steady: &[],
        undamped: |_| None,
    },
    StepperEntry {
        name: "rock4",
        summary: "stabilised explicit, order 4, 5 to 100 stages; for moderate damping",
        family: Family::Stabilised,
        formulations: &["projected", "penalty"],
        tuning: &[],
        variable_order: None,
        needs: Needs::Ode(|ode, _| Box::new(Rock::new(ode, Kind::Rock4))),
        controller: "pi",
        steady: &[],
        undamped: |_| None,
    },
    StepperEntry {
        name: "rkc2",
        summary: "stabilised explicit (Chebyshev), order 2, 2 to 200 stages; for strong damping",
        family: Family::Stabilised,
        formulations: &["projected", "penalty"],
        tuning: &[],
        variable_order: None,
        needs: Needs::Ode(|ode, _| Box::new(Rock::new(ode, Kind::Rkc2))),
        controller: "pi",
        steady: &[],
        undamped: |_| None,
    },
    StepperEntry {
        name: "rosenbrock",
        summary: "Rosenbrock-Nystrom, order 4, L-stable, no iteration; for stiff systems",
        family: Family::LinearlyImplicit,
        formulations: &["state-space"],
        tuning: &["error_estimate"],
        variable_order: None,
        needs: Needs::Ode(|ode, t| Box::new(Rosenbrock::new(ode, Scheme::nystrom4(), t))),
        controller: "predictive",
        steady: &[],
        undamped: |_| None,
    },
    StepperEntry {
        name: "w",
        summary: "W-method, order 2, no iteration; its derivatives may be old or rough",
        family: Family::LinearlyImplicit,
        formulations: &["state-space"],
        tuning: &["error_estimate"],
        variable_order: None,
        needs: Needs::Ode(|ode, t| Box::new(Rosenbrock::new(ode, Scheme::w23(), t))),
        controller: "predictive",
        steady: &[],
        undamped: |_| None,
    },
];
