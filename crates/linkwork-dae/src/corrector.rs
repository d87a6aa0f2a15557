//! Solves the equations of a stage: Newton's iteration, and what is done about its matrix.
//!
//! On blocks that are fresh at the prediction the error left after one correction is quadratic,
//! `kappa |d_1|^2`. The curvature `kappa = |d_2| / |d_1|^2` is remembered; where it predicts a
//! small enough error one iteration is accepted, and every few steps a second one checks it. On kept
//! factors convergence is linear. Without constraints the slowest rate measured with the same factors is believed
//! in the same way. With constraints only rates of the solve itself are: the normals turn, and rates of earlier
//! solves would let step counts hang on rounding.
//!
//! Corrections that do not shrink are no failure where the residual is rounding: see [`rounding`].

mod newton;
pub mod rounding;
#[cfg(test)]
mod tests;
mod workspace;

use crate::formulation::{Formulation, Matrix};
use crate::jacobian::{JacobianStrategy, Made, Refresh, Situation};
use crate::memory::Memory;
use crate::state::{Stage, Weights, norm};
use crate::stats::Stats;
use crate::system::{EvalError, Row, System};
use newton::{Course, Linearised, MAX_GROWTH, Test};
use rounding::Rounding;
pub use workspace::Workspace;

/// Why a step could not be solved; all of these may succeed with a smaller step.
#[derive(Clone, Debug, PartialEq)]
pub enum Retry {
    /// Corrections grow.
    Diverged {
        /// Ratio of the last two corrections.
        rate: f64,
        /// The unknown with the largest correction.
        worst: Row,
    },
    /// Corrections shrink too slowly.
    Slow {
        /// Iterations spent.
        iterations: u32,
        /// The unknown with the largest correction.
        worst: Row,
    },
    /// The iteration matrix has no inverse.
    Singular {
        /// The unknown that cannot be determined.
        unknown: Row,
    },
    /// Rounding alone makes corrections above the tolerance: the matrix is nearly singular.
    Rounding {
        /// Size of such corrections over the tolerance.
        floor: f64,
        /// The unknown with the largest correction.
        worst: Row,
    },
    /// The equations have no value at a trial point.
    Eval(EvalError),
    /// Dependent positions may have been found on another assembly branch of the mechanism.
    Branch {
        /// How far the constraint matrix has departed from that of the beginning of the step,
        /// relative to it, or the positions from their prediction, relative to the way made.
        /// Infinite: the determinant has changed its sign.
        departure: f64,
        /// A coordinate that depends on the others.
        worst: Row,
    },
}

impl From<EvalError> for Retry {
    fn from(e: EvalError) -> Retry {
        Retry::Eval(e)
    }
}

/// What a solve needs besides the stage.
pub struct Context<'a> {
    /// The equations.
    pub sys: &'a mut dyn System,
    /// Their placement.
    pub form: &'a mut Formulation,
    /// The source of blocks.
    pub jacobian: &'a mut dyn JacobianStrategy,
    /// The iteration matrix.
    pub matrix: &'a mut Matrix,
    /// Error weights.
    pub w: &'a Weights,
    /// Counters.
    pub stats: &'a mut Stats,
}

/// Solves the equations of a stage from a stepper's prediction.
pub trait Corrector: Send {
    /// Allocates for a system with `n` unknowns in a step and a matrix of the given order.
    fn bind(&mut self, sys: &dyn System, n: usize, order: usize);

    /// Solves; returns the iterations spent.
    fn solve(&mut self, cx: &mut Context<'_>, st: &mut Stage) -> Result<u32, Retry>;

    /// The next solves are of another kind: forgets what the last ones have taught.
    fn restart(&mut self);

    /// Saves or restores what is known about the next solve.
    fn memory(&mut self, m: &mut Memory);
}

/// Whether a correction that fresh derivatives do not make smaller is as good as none: equations whose terms are large
/// have more noise than the probe of rounding knows of. It is held to the tolerance of the run, of which a
/// step may use a share.
fn is_noise(d: f64, w: &Weights) -> bool {
    d <= 1.0 && d * w.share() <= newton::TOLERANCE
}

/// Corrections up to this many times the probe of rounding are rounding.
const FLOORS: f64 = 4.0;
/// Steps between two checks of the curvature.
const CHECK_EVERY: u32 = 16;
/// Iterations with one matrix.
const MAX_ITERATIONS: u32 = 6;
/// Matrices made within one solve.
const MAX_MATRICES: u32 = 3;

/// A stage with the matrix at hand.
struct Step<'a, 'b> {
    cx: &'a mut Context<'b>,
    st: &'a mut Stage,
    work: &'a mut Workspace,
    /// Whether the residual has come with the blocks.
    has_residual: bool,
}

impl Linearised for Step<'_, '_> {
    fn correct(&mut self) -> Result<f64, Retry> {
        let Step { cx, st, work, .. } = self;
        if !std::mem::take(&mut self.has_residual) {
            work.residual(cx, st)?;
        }
        cx.matrix.solve(&mut work.r);
        cx.stats.solves += 1;
        cx.stats.newton_iterations += 1;
        let d = norm(&work.r, &work.weight);
        if !d.is_finite() {
            return Err(work.not_finite(cx));
        }
        cx.form.apply(cx.sys.chart(), &work.r, st);
        Ok(d)
    }

    fn noise(&self) -> f64 {
        self.cx.form.noise(self.st, &self.work.weight)
    }
}

/// Newton's iteration with the matrices that a Jacobian strategy decides on.
#[derive(Default)]
pub struct Newton {
    work: Workspace,
    rounding: Rounding,
    curvature: Option<f64>,
    /// Slowest rate measured with the factors at hand since they were kept.
    contraction: Option<f64>,
    /// Solves since one of them was measured.
    unchecked: u32,
}

impl Newton {
    fn iterate(&mut self, cx: &mut Context<'_>, st: &mut Stage) -> Result<u32, Retry> {
        cx.form.predict(cx.sys.chart(), st);
        cx.form.weigh(cx.w, st.link, &mut self.work.weight);
        let needed = cx.form.parts();
        let now = self.work.situation(cx, st);
        let mut refresh = cx.jacobian.decide(&now);
        // evaluated derivatives are never gone back from
        if refresh != Refresh::Renew(needed) || cx.jacobian.may_miss() {
            self.work.start.copy_from(st);
        }
        let (mut iterations, mut matrices) = (0, 0);
        loop {
            let made = Made::by(refresh, needed);
            let fresh = made == Made::Evaluated;
            match refresh {
                Refresh::Renew(parts) => self.work.renew(cx, st, parts)?,
                Refresh::Keep => cx.stats.factors_kept += 1,
            }
            matrices += u32::from(fresh);
            let test = self.test(cx, made);
            let mut step = Step {
                has_residual: refresh != Refresh::Keep,
                work: &mut self.work,
                cx,
                st,
            };
            let course = newton::iterate(&mut step, &test)?;
            iterations += course.iterations;
            self.work.book(made, course.iterations, course.converged);
            self.learn(&course, made, matrices <= 1, now.constrained);
            if course.converged {
                return Ok(iterations);
            }
            let doubtful = fresh && cx.jacobian.incomplete();
            if fresh && !doubtful {
                if self.is_rounding(cx, st, course.last)? {
                    return Ok(iterations);
                }
                if matrices >= MAX_MATRICES || course.ratio > MAX_GROWTH {
                    if is_noise(course.last, cx.w) {
                        self.curvature = None;
                        return Ok(iterations);
                    }
                    return Err(self.work.given_up(cx, course.ratio, iterations));
                }
            } else {
                // such a matrix may have led anywhere: begin again where the prediction was
                st.copy_from(&self.work.start);
            }
            let tried = Some(made);
            refresh = match cx.jacobian.decide(&Situation { tried, ..now }) {
                Refresh::Keep => Refresh::Renew(needed),
                renew => renew,
            };
        }
    }

    /// What is expected of a matrix.
    fn test(&self, cx: &Context<'_>, made: Made) -> Test {
        let fresh = made == Made::Evaluated;
        let patience = cx.jacobian.patience();
        let known = self.unchecked + 1 < CHECK_EVERY;
        let steady = made == Made::Kept && cx.sys.dims().rows() == 0;
        Test {
            most: match made {
                Made::Recombined => MAX_ITERATIONS.max(patience),
                Made::Kept | Made::Evaluated => MAX_ITERATIONS,
            },
            curvature: self.curvature.filter(|_| known && fresh),
            single: cx.form.one_iteration_tolerance(),
            contraction: self.contraction.filter(|_| known && steady),
            rate: self.work.rate,
            fresh,
            patient: !fresh && patience > 0,
        }
    }

    fn learn(&mut self, course: &Course, made: Made, first: bool, constrained: bool) {
        self.work.rate = course.rate;
        let fresh = made == Made::Evaluated;
        if made != Made::Kept {
            self.contraction = None;
        }
        if constrained && !fresh {
            return;
        }
        if !first || course.iterations == 1 {
            self.unchecked += 1;
            return;
        }
        self.unchecked = 0;
        if fresh {
            self.curvature = course.curvature;
        }
        if made == Made::Kept && course.converged {
            let slowest = self.contraction.unwrap_or(0.0);
            self.contraction = Some(slowest.max(course.ratio));
        }
    }

    /// Whether a correction that does not shrink is rounding, as small as can be; too large, it is a
    /// failure.
    fn is_rounding(&mut self, cx: &mut Context<'_>, st: &Stage, d: f64) -> Result<bool, Retry> {
        cx.form.sizes(st, cx.w, &mut self.rounding.size);
        let Matrix {
            pattern,
            values,
            solver,
            ..
        } = &mut *cx.matrix;
        self.rounding.probe(pattern, values, &mut **solver);
        cx.stats.solves += 1;
        let weight = &self.work.weight;
        let floor = norm(&self.rounding.correction[..weight.len()], weight);
        if d > FLOORS * floor {
            return Ok(false);
        }
        self.curvature = None;
        // no more can be had: as large as the tolerance will do
        if d <= 1.0 {
            return Ok(true);
        }
        let worst = self.work.worst(cx);
        Err(Retry::Rounding { floor, worst })
    }
}

impl Corrector for Newton {
    fn bind(&mut self, sys: &dyn System, n: usize, order: usize) {
        self.work.bind(sys, n);
        self.rounding = Rounding::new(n, order);
        self.restart();
    }

    fn solve(&mut self, cx: &mut Context<'_>, st: &mut Stage) -> Result<u32, Retry> {
        let result = self.iterate(cx, st);
        if result.is_err() {
            self.restart();
        }
        self.work.end(cx, result.is_err());
        result
    }

    fn restart(&mut self) {
        self.work.rate = 0.0;
        (self.curvature, self.contraction) = (None, None);
        self.unchecked = 0;
    }

    fn memory(&mut self, m: &mut Memory) {
        let Newton {
            work,
            rounding: _,
            curvature,
            contraction,
            unchecked,
        } = self;
        m.section("newton");
        work.memory(m);
        m.option(curvature);
        m.option(contraction);
        m.u32(unchecked);
    }
}
