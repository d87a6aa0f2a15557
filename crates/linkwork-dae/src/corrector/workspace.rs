//! What every corrector works with.

use super::newton::MAX_RATE;
use super::{Context, Retry};
use crate::jacobian::differences::columns;
use crate::jacobian::{Effort, Made, Situation};
use crate::memory::Memory;
use crate::state::{Stage, peak};
use crate::system::{Parts, Row, System};

/// What every corrector works with: the residual, weights, the prediction to go back to, and how the
/// last solve went.
#[derive(Default)]
pub struct Workspace {
    /// The negative residual, then the correction.
    pub r: Vec<f64>,
    /// Inverse error weight of each unknown.
    pub weight: Vec<f64>,
    /// The prediction.
    pub start: Stage,
    /// Contraction rate of the last iterations.
    pub rate: f64,
    /// Iterations of the last solve with its last matrix, and how that came about.
    iterations: u32,
    made: Made,
    /// Iterations of the last solve on kept factors that did not serve.
    wasted: u32,
    failed: bool,
}

impl Workspace {
    /// Allocates for a system with `n` unknowns in a step.
    pub fn bind(&mut self, sys: &dyn System, n: usize) {
        self.r = vec![0.0; n];
        self.weight = vec![0.0; n];
        self.start = Stage::new(sys.dims());
        self.rate = 0.0;
    }

    /// Saves or restores how the last solve went.
    pub fn memory(&mut self, m: &mut Memory) {
        let Workspace {
            r: _,
            weight: _,
            start: _,
            rate,
            iterations,
            made,
            wasted,
            failed,
        } = self;
        m.f64(rate);
        m.u32(iterations);
        made.memory(m);
        m.u32(wasted);
        m.bool(failed);
    }

    /// Books iterations with a matrix.
    pub fn book(&mut self, made: Made, iterations: u32, converged: bool) {
        (self.made, self.iterations) = (made, iterations);
        if made == Made::Kept {
            self.wasted = if converged { 0 } else { iterations };
        }
    }

    /// Books how a solve ended.
    pub fn end(&mut self, cx: &mut Context<'_>, failed: bool) {
        self.failed = failed;
        if failed {
            (self.iterations, self.wasted, self.rate) = (0, 0, 0.0);
            cx.stats.newton_failures += 1;
        }
    }

    /// What a strategy may know before a solve. From here on iterations on kept factors count anew.
    pub fn situation(&mut self, cx: &Context<'_>, st: &Stage) -> Situation {
        let wasted = std::mem::take(&mut self.wasted);
        Situation {
            needed: cx.form.parts(),
            valid: cx.matrix.valid,
            age: cx.matrix.age,
            rate: self.rate,
            iterations: self.iterations,
            made: self.made,
            wasted,
            failed: self.failed,
            ratio: st.link.vdot / cx.matrix.link.vdot,
            constrained: cx.sys.dims().rows() > 0,
            update_price: cx.matrix.update_price(cx.sys),
            tried: None,
        }
    }

    /// Evaluates the residual of a stage.
    pub fn residual(&mut self, cx: &mut Context<'_>, st: &Stage) -> Result<(), Retry> {
        cx.stats.residual_evaluations += 1;
        cx.sys
            .eval(&st.s.at(), &mut cx.form.request(st, &mut self.r))?;
        cx.form.finish(cx.sys.chart(), st, &mut self.r);
        Ok(())
    }

    /// Residual and new blocks in one pass, then the factors.
    pub fn renew(&mut self, cx: &mut Context<'_>, st: &Stage, parts: Parts) -> Result<(), Retry> {
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

    /// The unknown with the largest correction.
    pub fn worst(&self, cx: &Context<'_>) -> Row {
        cx.form.unknown(peak(&self.r, &self.weight).index)
    }

    /// Why iterations with this ratio of the last corrections were given up.
    pub fn given_up(&self, cx: &Context<'_>, rate: f64, iterations: u32) -> Retry {
        let worst = self.worst(cx);
        match rate > MAX_RATE {
            true => Retry::Diverged { rate, worst },
            false => Retry::Slow { iterations, worst },
        }
    }

    /// What a correction that is no number comes to.
    pub fn not_finite(&self, cx: &Context<'_>) -> Retry {
        let bad = self.r.iter().position(|x| !x.is_finite()).unwrap_or(0);
        Retry::Diverged {
            rate: f64::INFINITY,
            worst: cx.form.unknown(bad),
        }
    }
}
