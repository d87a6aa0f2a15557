//! Newton with rate and curvature monitoring.
//!
//! ```text
//!  d_i = -Jhat^-1 F(z_i),   z_{i+1} = z_i + d_i,   sigma = |d_i| / |d_{i-1}|
//!  remaining error <= sigma / (1 - sigma) |d_i|              (Hairer & Wanner 1996, IV.8)
//! ```
//!
//! On blocks that are fresh at the prediction the error left after one correction is quadratic,
//! `kappa |d_1|^2`. The curvature `kappa = |d_2| / |d_1|^2` is remembered; where it predicts a
//! small enough error one iteration is accepted, and every few steps a second one checks it. On kept
//! blocks the rate of earlier solves may vouch for a single iteration, see `corrector/trust.rs`, and solves with
//! factors of another step size are refined, see `formulation/followed.rs`.
//!
//! Corrections that do not shrink are no failure where the residual is rounding: see [`rounding`].
//! The iteration as DASSL has it, for comparison, is in [`dassl`].

pub mod dassl;
pub mod rounding;
mod trust;

use crate::formulation::{Formulation, Matrix};
use crate::jacobian::differences::columns;
use crate::jacobian::{Effort, JacobianStrategy, Made, Refresh, Situation};
use crate::memory::Memory;
use crate::state::{Stage, Weights, norm, peak};
use crate::stats::Stats;
use crate::system::{EvalError, Parts, Row, System};
use dassl::Dassl;
use rounding::Rounding;
use trust::Trust;

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
    pub form: &'a mut dyn Formulation,
    /// The source of blocks.
    pub jacobian: &'a mut dyn JacobianStrategy,
    /// The iteration matrix.
    pub matrix: &'a mut Matrix,
    /// Error weights.
    pub w: &'a Weights,
    /// Counters.
    pub stats: &'a mut Stats,
}

/// Accepted remaining error, as a share of the error tolerance.
const TOLERANCE: f64 = 1e-2;
/// The same where corrections are rounding.
const ROUNDING_TOLERANCE: f64 = 1.0;
/// Corrections up to this many times the probe of rounding are rounding.
const FLOORS: f64 = 4.0;
/// Steps between two checks of the curvature.
const CHECK_EVERY: u32 = 16;
/// Iterations with one matrix.
const MAX_ITERATIONS: u32 = 6;
/// Matrices made within one solve.
const MAX_MATRICES: u32 = 3;
/// Corrections that shrink less than this are not converging.
const MAX_RATE: f64 = 0.9;
/// Error that a solve with factors of another step size may leave, as a share of what the iteration
/// leaves by its rate.
const REFINED: f64 = 0.3;
/// Corrections that grow more than this are beyond hope.
const MAX_GROWTH: f64 = 2.0;

/// The corrector. Keeps what one solve teaches about the next.
pub struct Newton {
    r: Vec<f64>,
    weight: Vec<f64>,
    start: Stage,
    rounding: Rounding,
    rate: f64,
    /// Iterations of the last solve with its last matrix, its sweeps of refinement, and how the matrix
    /// came about.
    iterations: u32,
    sweeps: u32,
    made: Made,
    curvature: Option<f64>,
    unchecked: u32,
    trust: Trust,
    failed: bool,
    /// Iterate as DASSL does.
    pub dassl: Option<Dassl>,
}

impl Default for Newton {
    fn default() -> Newton {
        Newton {
            r: Vec::new(),
            weight: Vec::new(),
            start: Stage::default(),
            rounding: Rounding::default(),
            rate: 0.0,
            iterations: 0,
            sweeps: 0,
            made: Made::default(),
            curvature: None,
            unchecked: 0,
            trust: Trust::default(),
            failed: false,
            dassl: None,
        }
    }
}

impl Newton {
    /// Allocates for a system with `n` unknowns in a step.
    pub fn bind(&mut self, sys: &dyn System, n: usize, order: usize) {
        self.r = vec![0.0; n];
        self.weight = vec![0.0; n];
        self.start = Stage::new(sys.dims());
        self.rounding = Rounding::new(n, order);
        self.forget();
    }

    /// Forgets rate, curvature and trust: after a failure, a restart or anything that is not smooth.
    pub fn forget(&mut self) {
        self.rate = 0.0;
        self.curvature = None;
        self.unchecked = 0;
        self.trust = Trust::default();
        self.dassl = self.dassl.map(|_| Dassl::default());
    }

    /// Saves or restores what is known about the next solve.
    pub fn memory(&mut self, m: &mut Memory) {
        let Newton {
            r: _,
            weight: _,
            start: _,
            rounding: _,
            rate,
            iterations,
            sweeps,
            made,
            curvature,
            unchecked,
            trust,
            failed,
            dassl,
        } = self;
        m.section("newton");
        m.f64(rate);
        m.u32(iterations);
        m.u32(sweeps);
        made.memory(m);
        m.option(curvature);
        m.u32(unchecked);
        trust.memory(m);
        m.bool(failed);
        m.same(u64::from(dassl.is_some()));
        if let Some(dassl) = dassl {
            dassl.memory(m);
        }
    }

    /// The step of the last solve was accepted.
    pub fn accepted(&mut self) {
        self.trust.step_accepted();
    }

    /// Solves the stage equations from the stepper's prediction; returns the iterations spent.
    pub fn solve(&mut self, cx: &mut Context<'_>, st: &mut Stage) -> Result<u32, Retry> {
        self.trust.begin();
        let result = match self.dassl {
            None => self.iterate(cx, st),
            Some(_) => self.iterate_as_dassl(cx, st),
        };
        self.failed = result.is_err();
        if self.failed {
            (self.iterations, self.sweeps) = (0, 0);
            self.forget();
            cx.stats.newton_failures += 1;
        }
        result
    }

    fn iterate(&mut self, cx: &mut Context<'_>, st: &mut Stage) -> Result<u32, Retry> {
        cx.form.predict(cx.sys.chart(), st);
        cx.form.weigh(cx.w, st.link, &mut self.weight);
        let needed = cx.form.parts();
        let now = self.situation(cx, st);
        let mut refresh = cx.jacobian.decide(&now);
        let mut made = Made::by(refresh, needed);
        if made != Made::Evaluated {
            self.start.copy_from(st);
        }
        let patient = cx.jacobian.patience() > 0;
        let mut matrices = 0;
        let mut iterations = 0;
        let mut uses = 0;
        let mut sweeps = 0;
        let mut stalled = false;
        let mut old = f64::INFINITY;
        loop {
            let fresh = made == Made::Evaluated;
            match refresh {
                Refresh::Renew(parts) => {
                    self.renew(cx, st, parts)?;
                    if fresh {
                        self.trust.renew();
                    }
                    matrices += u32::from(fresh);
                    (uses, sweeps) = (0, 0);
                    if iterations == 0 && cx.jacobian.incomplete() {
                        self.start.copy_from(st);
                    }
                }
                Refresh::Keep => {
                    cx.stats.factors_kept += u64::from(iterations == 0);
                    if iterations == 0 && patient {
                        let within_reach = self.trust.is_within_reach();
                        cx.matrix.follow(cx.form, st.link, within_reach);
                    }
                    self.residual(cx, st)?;
                }
            }
            refresh = Refresh::Keep;
            let known = match uses {
                0 => self.trust.believed().unwrap_or(self.rate),
                _ => self.rate,
            };
            let share = REFINED * known;
            let solves = cx.matrix.solve_refined(&mut self.r, &self.weight, share);
            cx.stats.solves += u64::from(solves);
            sweeps += solves - 1;
            cx.stats.newton_iterations += 1;
            let d = norm(&self.r, &self.weight);
            if !d.is_finite() {
                return Err(self.not_finite(cx));
            }
            cx.form.apply(cx.sys.chart(), &self.r, st);
            iterations += 1;
            uses += 1;
            (self.iterations, self.sweeps, self.made) = (uses, sweeps, made);
            if uses == 1 {
                if d <= 0.1 * TOLERANCE
                    || (fresh && self.curvature_accepts(d, cx.form.one_iteration_tolerance()))
                {
                    return Ok(iterations);
                }
                if !fresh && patient && self.trust.accepts(d) {
                    return Ok(iterations);
                }
                old = d;
                continue;
            }
            let (rate, known) = (d / old, self.rate);
            if uses == 2 && made == Made::Kept && patient {
                self.trust.check(old, d);
            }
            if uses == 2 && fresh && matrices == 1 {
                self.curvature = Some(d / (old * old));
                self.unchecked = 0;
            }
            if rate <= MAX_RATE {
                self.rate = if uses == 2 && fresh {
                    rate
                } else {
                    rate.max(0.5 * self.rate)
                };
                let left = self.rate / (1.0 - self.rate) * d;
                if left <= TOLERANCE || d <= 0.1 * TOLERANCE {
                    return Ok(iterations);
                }
                let most = if fresh {
                    MAX_ITERATIONS
                } else {
                    MAX_ITERATIONS.max(cx.jacobian.patience())
                };
                let hopeless = left * self.rate.powi((most - uses.min(most)) as i32) > 0.5;
                if uses < most && !hopeless {
                    old = d;
                    continue;
                }
            } else if d <= TOLERANCE.max(cx.form.noise(st, &self.weight)) {
                return Ok(iterations);
            }
            // Corrections of a matrix with old constraint normals may stall or grow once, while what
            // the first one has leaked from the multipliers into the motion is put right.
            if !fresh && !stalled && rate <= MAX_GROWTH && patient {
                (stalled, self.rate) = (true, known);
                old = d;
                continue;
            }
            // not converging with this matrix
            let doubtful = fresh && cx.jacobian.incomplete();
            if fresh && !doubtful {
                let floor = self.noise_floor(cx, st);
                if d <= FLOORS * floor {
                    self.curvature = None;
                    if d <= ROUNDING_TOLERANCE {
                        return Ok(iterations);
                    }
                    let worst = cx.form.unknown(peak(&self.r, &self.weight).index);
                    return Err(Retry::Rounding { floor, worst });
                }
            }
            if !doubtful && (matrices >= MAX_MATRICES || (fresh && rate > 2.0)) {
                let worst = cx.form.unknown(peak(&self.r, &self.weight).index);
                return Err(if rate > MAX_RATE {
                    Retry::Diverged { rate, worst }
                } else {
                    Retry::Slow { iterations, worst }
                });
            }
            if !fresh || doubtful {
                // such a matrix may have led anywhere: begin again where the prediction was
                st.copy_from(&self.start);
            }
            let tried = Some(made);
            refresh = match cx.jacobian.decide(&Situation { tried, ..now }) {
                Refresh::Keep => Refresh::Renew(needed),
                renew => renew,
            };
            made = Made::by(refresh, needed);
        }
    }

    /// What a strategy may know before a solve.
    fn situation(&self, cx: &Context<'_>, st: &Stage) -> Situation {
        Situation {
            needed: cx.form.parts(),
            valid: cx.matrix.valid,
            age: cx.matrix.age,
            rate: self.rate,
            iterations: self.iterations,
            refinement: f64::from(self.sweeps) * cx.matrix.sweep_price(),
            made: self.made,
            failed: self.failed,
            ratio: st.link.vdot / cx.matrix.link.vdot,
            constrained: cx.sys.dims().rows() > 0,
            refined: self.dassl.is_none(),
            filtered: cx.form.filters(),
            update_price: cx.matrix.update_price(cx.sys),
            tried: None,
        }
    }

    fn curvature_accepts(&mut self, d: f64, tolerance: f64) -> bool {
        let Some(curvature) = self.curvature else {
            return false;
        };
        self.unchecked += 1;
        self.unchecked < CHECK_EVERY && curvature * d * d <= tolerance
    }

    fn residual(&mut self, cx: &mut Context<'_>, st: &Stage) -> Result<(), Retry> {
        cx.stats.residual_evaluations += 1;
        cx.sys
            .eval(&st.s.at(), &mut cx.form.request(st, &mut self.r))?;
        cx.form.finish(cx.sys.chart(), st, &mut self.r);
        Ok(())
    }

    /// The weighted size of corrections that rounding makes.
    fn noise_floor(&mut self, cx: &mut Context<'_>, st: &Stage) -> f64 {
        cx.form.sizes(st, cx.w, &mut self.rounding.size);
        let Matrix {
            pattern,
            values,
            solver,
            ..
        } = &mut *cx.matrix;
        self.rounding.probe(pattern, values, &mut **solver);
        cx.stats.solves += 1;
        norm(&self.rounding.correction[..self.weight.len()], &self.weight)
    }

    /// Residual and new blocks in one pass, then the factors.
    fn renew(&mut self, cx: &mut Context<'_>, st: &Stage, parts: Parts) -> Result<(), Retry> {
        let whole = parts == cx.form.parts();
        cx.matrix.valid = false;
        cx.stats.residual_evaluations += 1;
        let mut want = cx.form.request(st, &mut self.r);
        let blocks = &mut cx.matrix.blocks;
        let spent = if blocks.generators().is_empty() {
            cx.jacobian
                .fill(cx.sys, &st.s.at(), &mut want, parts, cx.w, blocks)?
        } else {
            // generators are no derivatives of anything: only the system can make them
            cx.sys.linearise(&st.s.at(), &mut want, parts, blocks)?;
            Effort {
                column_by_column: if whole { columns(cx.sys, parts) } else { 0 },
                ..Effort::default()
            }
        };
        cx.form.finish(cx.sys.chart(), st, &mut self.r);
        cx.stats.count_blocks(&spent, whole);
        if whole {
            cx.matrix.age = 0;
        }
        if let Some(chart) = cx.sys.chart() {
            st.bend(chart, &mut cx.matrix.bend);
        }
        cx.stats.factorisations += 1;
        match cx.matrix.factor(cx.form, st.link) {
            Ok(info) => cx.stats.pivot_searches += u64::from(!info.reused_pivots),
            Err(singular) => {
                let unknown = cx.form.unknown(singular.column);
                return Err(Retry::Singular { unknown });
            }
        }
        cx.matrix.link = st.link;
        cx.matrix.valid = true;
        Ok(())
    }

    fn not_finite(&self, cx: &Context<'_>) -> Retry {
        let bad = self.r.iter().position(|x| !x.is_finite()).unwrap_or(0);
        Retry::Diverged {
            rate: f64::INFINITY,
            worst: cx.form.unknown(bad),
        }
    }
}
