//! The iteration of DASSL (Brenan, Campbell & Petzold 1996, section 5.2.2), for comparison.
//!
//! ```text
//!  (alpha' M + D + ..) d_i = -c F(z_i),    c = 2 / (1 + alpha / alpha')
//!  rho = (|d_i| / |d_1|)^(1/(i-1)),   converged when  rho / (1 - rho) |d_i| <= 0.33
//! ```
//!
//! `alpha'` is the leading coefficient that the matrix was made with, `alpha` that of the step; the
//! factor `c` makes up for their difference (Petzold 1982). At most four iterations; norms are root
//! mean squares. `rho / (1 - rho)` is remembered as long as the leading coefficient stays, so that
//! most steps are accepted after one iteration: cheap, and noisy.
//!
//! Rows and unknowns are scaled by `alpha`. Their scaling is kept with an old
//! matrix: with that of the step the inertia terms of the matrix would be those of the step, and old
//! matrices would serve for longer than they did in DASSL.

use linkwork_dae::corrector::{Context, Corrector, Retry, Workspace};
use linkwork_dae::jacobian::{Made, Refresh, Situation};
use linkwork_dae::memory::Memory;
use linkwork_dae::state::{Link, Stage, State};
use linkwork_dae::system::System;

/// Corrections that shrink less than this are not converging.
const MAX_RATE: f64 = 0.9;
/// `rho / (1 - rho)` while nothing is known.
const UNKNOWN: f64 = 100.0;
/// Remaining error that is accepted, over the error tolerance.
const TOLERANCE: f64 = 0.33;
/// Iterations with one matrix.
const MAX_ITERATIONS: u32 = 4;
/// Matrices tried in one solve: kept, recombined, evaluated, evaluated with all columns.
const MAX_MATRICES: u32 = 4;

/// What one solve teaches about the next.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Known {
    /// `rho / (1 - rho)`.
    remaining: f64,
    /// The leading coefficient it belongs to.
    lead: f64,
}

impl Default for Known {
    fn default() -> Known {
        Known {
            remaining: UNKNOWN,
            lead: 0.0,
        }
    }
}

/// See the [module](self).
#[derive(Default)]
pub struct Iteration {
    work: Workspace,
    known: Known,
}

impl Corrector for Iteration {
    fn bind(&mut self, sys: &dyn System, n: usize, _: usize) {
        self.work.bind(sys, n);
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
        self.known = Known::default();
    }

    fn memory(&mut self, m: &mut Memory) {
        let Iteration { work, known } = self;
        m.section("rules");
        work.memory(m);
        m.f64(&mut known.remaining);
        m.f64(&mut known.lead);
    }
}

/// How the iterations with one matrix ended.
enum End {
    Converged,
    TooSlow { rate: f64 },
}

impl Iteration {
    fn iterate(&mut self, cx: &mut Context<'_>, st: &mut Stage) -> Result<u32, Retry> {
        cx.form.predict(cx.sys.chart(), st);
        if self.known.lead != st.link.vdot {
            self.known = Known {
                lead: st.link.vdot,
                ..Known::default()
            };
        }
        self.work.start.copy_from(st);
        let needed = cx.form.parts();
        let now = self.work.situation(cx, st);
        let mut refresh = cx.jacobian.decide(&now);
        let mut iterations = 0;
        for _ in 0..MAX_MATRICES {
            let made = Made::by(refresh, needed);
            let before = iterations;
            let end = self.with_one_matrix(cx, st, refresh, &mut iterations)?;
            let converged = matches!(end, End::Converged);
            self.work.book(made, iterations - before, converged);
            let End::TooSlow { rate } = end else {
                return Ok(iterations);
            };
            if made == Made::Evaluated && !cx.jacobian.incomplete() {
                return Err(self.work.given_up(cx, rate, iterations));
            }
            st.copy_from(&self.work.start);
            let tried = Some(made);
            refresh = match cx.jacobian.decide(&Situation { tried, ..now }) {
                Refresh::Keep => Refresh::Renew(needed),
                renew => renew,
            };
        }
        Err(self.work.given_up(cx, 0.0, iterations))
    }

    fn with_one_matrix(
        &mut self,
        cx: &mut Context<'_>,
        st: &mut Stage,
        refresh: Refresh,
        iterations: &mut u32,
    ) -> Result<End, Retry> {
        let Iteration { work, known } = self;
        let mut has_residual = false;
        match refresh {
            Refresh::Renew(parts) => {
                work.renew(cx, st, parts)?;
                known.remaining = UNKNOWN;
                has_residual = true;
            }
            Refresh::Keep => cx.stats.factors_kept += 1,
        }
        let link = st.link;
        let old = cx.matrix.link;
        let relaxation = 2.0 / (1.0 + link.vdot / old.vdot);
        cx.form.weigh(cx.w, old, &mut work.weight);
        let mut first = f64::NAN;
        for i in 0..MAX_ITERATIONS {
            st.link = old;
            if !std::mem::take(&mut has_residual) {
                let result = work.residual(cx, st);
                if result.is_err() {
                    st.link = link;
                    result?;
                }
            }
            work.r.iter_mut().for_each(|r| *r *= relaxation);
            cx.matrix.solve(&mut work.r);
            cx.stats.solves += 1;
            cx.stats.newton_iterations += 1;
            let d = root_mean_square(&work.r, &work.weight);
            let noise = cx.form.noise(st, &work.weight);
            if d.is_finite() {
                cx.form.apply(cx.sys.chart(), &work.r, st);
            }
            st.link = link;
            if !d.is_finite() {
                return Err(work.not_finite(cx));
            }
            if link != old {
                relink(st, &work.start, link);
            }
            *iterations += 1;
            if d <= noise {
                return Ok(End::Converged);
            }
            if i == 0 {
                first = d;
            } else {
                let rate = (d / first).powf(1.0 / f64::from(i));
                work.rate = rate;
                if rate > MAX_RATE {
                    return Ok(End::TooSlow { rate });
                }
                known.remaining = rate / (1.0 - rate);
            }
            if known.remaining * d <= TOLERANCE {
                return Ok(End::Converged);
            }
        }
        Ok(End::TooSlow { rate: work.rate })
    }
}

/// Weighted root mean square of the entries of `x` that have a weight.
fn root_mean_square(x: &[f64], inverse_weight: &[f64]) -> f64 {
    let (mut sum, mut count) = (0.0, 0u32);
    for (x, w) in x.iter().zip(inverse_weight) {
        let e = x * w;
        sum += e * e;
        count += u32::from(*w != 0.0);
    }
    (sum / f64::from(count.max(1))).sqrt()
}

/// Gives the derivatives of a stage what its increments since the prediction are worth with the
/// discretisation of the step.
fn relink(st: &mut Stage, start: &Stage, link: Link) {
    let Stage {
        s,
        qdot,
        dq,
        dv,
        dx,
        ..
    } = st;
    let State { a, xdot, .. } = s;
    for (rate, (rate0, d)) in qdot.iter_mut().zip(start.qdot.iter().zip(dq)) {
        *rate = rate0 + link.qdot * *d;
    }
    for (rate, (rate0, d)) in a.iter_mut().zip(start.s.a.iter().zip(dv)) {
        *rate = rate0 + link.vdot * *d;
    }
    for (rate, (rate0, d)) in xdot.iter_mut().zip(start.s.xdot.iter().zip(dx)) {
        // algebraic states have no rate: nobody has moved it
        if rate != rate0 {
            *rate = rate0 + link.vdot * *d;
        }
    }
}
