//! What the parts of a run cost, so that its counters become one number that no machine changes.
//!
//! ```text
//!  work = evaluations e + derivatives d + factorisations f + pivot searches p + solves s + steps h
//! ```
//!
//! in instructions of compiled code (baseline x86-64), more or less. `f`, `p` and `s` follow from the
//! multiplications that the linear solver counted for the factors at the start of the run, `e` and `d` from
//! the freedoms of the bodies and the entries of the derivative blocks, each of which stands for a coupling
//! that a pass over the system computes, `h` from the unknowns, which a step predicts, weighs and keeps. The
//! multiples were counted by callgrind on ten models. Factors and solves are right within a third,
//! evaluations within a factor of two; formulas of time make derivatives dearer than is seen here.

use crate::settings::Settings;
use crate::sparsity;
use linkwork_dae::linear::Work;
use linkwork_dae::state::State;
use linkwork_dae::stats::Stats;
use linkwork_dae::stepper::Family;
use linkwork_dae::system::{Part, Rows, System};
use serde::Serialize;

/// Of an evaluation, for each velocity.
const PER_FREEDOM: f64 = 265.0;
/// Of an evaluation, for each entry of the derivative blocks of constraints and forces.
const PER_COUPLING: f64 = 15.0;
/// Of derivatives, for each entry of the blocks of constraints.
const PER_CONSTRAINT_ENTRY: f64 = 155.0;
/// Of derivatives, for each entry of the block of damping: forces with many of them are the dear ones.
const PER_DAMPING_ENTRY: f64 = 575.0;
/// Of a factorisation, for each multiplication.
const PER_FACTOR: f64 = 7.0;
/// Of a factorisation, for each entry of the factors.
const PER_ENTRY: f64 = 27.0;
/// Of a search for pivots, for each entry of the factors.
const PER_PIVOT: f64 = 1000.0;
/// Of a solve, for each entry of the factors.
const PER_SOLVE: f64 = 13.0;
/// Of scaling and placing accelerations, for each entry of the factors.
const PER_PLACE: f64 = 40.0;
/// Of finding dependent coordinates in each evaluation, as a share of a factorisation of accelerations.
const RECOVERY: f64 = 0.4;
/// Systems of collocation are complex but for one: what a mean one costs beside a real one.
const COMPLEX: f64 = 2.5;
/// Stages of collocation, which are all predicted and kept.
const STAGES: f64 = 5.0;
/// Of a step, for each unknown.
const PER_UNKNOWN: f64 = 100.0;
/// A history of up to 12 differences, predicted and corrected, beside one of a few.
const HISTORY: f64 = 4.0;

/// Instructions, more or less.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Price {
    /// Of an evaluation of the equations.
    pub evaluation: f64,
    /// Of the derivatives.
    pub derivatives: f64,
    /// Of a factorisation.
    pub factorisation: f64,
    /// Of a search for pivots.
    pub pivots: f64,
    /// Of a solve.
    pub solve: f64,
    /// Of whatever else a step does.
    pub step: f64,
}

impl Price {
    /// All of them, to be saved or restored.
    pub(crate) fn parts(&mut self) -> [&mut f64; 6] {
        let Price {
            evaluation,
            derivatives,
            factorisation,
            pivots,
            solve,
            step,
        } = self;
        [evaluation, derivatives, factorisation, pivots, solve, step]
    }

    /// The work that counters stand for.
    pub fn work(&self, s: &Stats) -> f64 {
        let passes = s.residual_evaluations
            + s.residual_evaluations_for_jacobians
            + s.jacobian_updates
            + s.right_hand_sides
            + s.projection_evaluations
            + s.settling_evaluations
            + s.search_evaluations;
        let attempts = s.steps + s.rejected + s.newton_failures;
        passes as f64 * self.evaluation
            + s.jacobian_evaluations as f64 * self.derivatives
            + s.factorisations as f64 * self.factorisation
            + s.pivot_searches as f64 * self.pivots
            + s.solves as f64 * self.solve
            + attempts as f64 * self.step
    }
}

/// What passes over a system cost: evaluation and derivatives.
pub(crate) fn passes(sys: &dyn System) -> [f64; 2] {
    let patterns = sys.patterns();
    let count = |part: Part| patterns[part].len() as f64;
    let all: f64 = Part::ALL.into_iter().map(count).sum();
    let couplings = all - count(Part::Mass) + patterns.generators as f64;
    let evaluation = PER_FREEDOM * sys.dims().nv as f64 + PER_COUPLING * couplings;
    let constraints = count(Part::Cq) + count(Part::CVq);
    let more = PER_CONSTRAINT_ENTRY * constraints + PER_DAMPING_ENTRY * count(Part::Rv);
    [evaluation, evaluation + more]
}

/// What the parts of a run cost whose passes cost this.
pub(crate) fn price(
    sys: &mut dyn System,
    settings: &Settings,
    (state, rows): (&State, &Rows),
    [evaluation, derivatives]: [f64; 2],
) -> Price {
    let dims = sys.dims();
    let Work { factor, solve } = factors(sys, settings, state, rows);
    let mut price = Price {
        evaluation,
        derivatives,
        factorisation: PER_FACTOR * factor + PER_ENTRY * solve,
        pivots: PER_PIVOT * solve,
        solve: PER_SOLVE * solve,
        step: PER_UNKNOWN * (dims.nq + dims.nv + dims.rows() + dims.nx) as f64,
    };
    let method = settings.recipe.method;
    if !method.is_implicit() {
        price.factorisation += PER_PLACE * solve;
    }
    if settings.recipe.is_reduced() {
        // dependent coordinates are found with factors of their own
        price.evaluation += RECOVERY * price.factorisation;
    }
    if method.family == Family::Adams {
        price.step *= HISTORY;
    }
    if method.family == Family::Collocation {
        price.step *= STAGES;
        price.factorisation *= COMPLEX;
        price.solve *= COMPLEX;
    }
    if method.family == Family::LinearlyImplicit {
        // full matrices of the freedoms, and a solve of the constraints for each of their columns
        let free = dims.nv.saturating_sub(dims.rows()) as f64;
        let size = 2.0 * free + dims.nx as f64;
        price.derivatives += size * (price.solve + PER_COUPLING * dims.nv as f64);
    }
    price
}

/// What factors at the start take: of the iteration matrix, or of that of accelerations.
fn factors(sys: &mut dyn System, settings: &Settings, state: &State, rows: &Rows) -> Work {
    let recipe = &settings.recipe;
    if recipe.method.is_implicit() {
        let found = sparsity::of(sys, settings, state, rows);
        return found.ok().flatten().map_or_else(Work::default, |s| s.work);
    }
    let mut saddle = recipe.saddle(sys, rows);
    let mut state = state.clone();
    // where there are no accelerations there will be no run either, which says why
    let _ = saddle.accelerate(sys, &mut state);
    saddle.work()
}
