//! Macro steps that have to be made again: a member failed, or jumped within the step.

use super::super::account::{Ending, MacroStep};
use super::super::workers::hold;
use super::super::{Trouble, Why};
use super::{Conductor, Watch, failed};
use crate::drive::Flow;

/// Failures within the span of the first of them before the subsystem is given up. Short steps may
/// succeed again and again before a wall without ever passing it, so that counting those in a row
/// would not do.
const MAX_FAILURES: u32 = 30;
/// A macro step that is cut where a member jumps ends half of this share of the whole step behind the jump, and a
/// jump that is no further from its end happens there. Were it a share of what the cut leaves of the step, one
/// at its very beginning would be raced towards without ever being passed.
const BEHIND_JUMP: f64 = 1e-3;
/// The same in the smallest steps: so much may rounding move a jump.
const LEAST_BEHIND: f64 = 128.0;
/// Cuts on the way to one jump: where it lies depends a little on the step.
const MAX_CUTS: u32 = 4;

/// A step that is cut short because a member jumps within it.
#[derive(Clone, Copy)]
pub(super) struct Cut {
    /// Its end.
    pub to: f64,
    /// Its length before it was cut first.
    whole: f64,
    times: u32,
}

impl Conductor<'_, '_, '_> {
    /// How a step to `to` is cut short for a jump, if it is.
    pub(super) fn cut_for(&self, jump: f64, to: f64, h: f64) -> Option<Cut> {
        let (whole, times) = self.cut.map_or((h, 0), |cut| (cut.whole, cut.times));
        let behind = (BEHIND_JUMP * whole).max(LEAST_BEHIND * self.smallest());
        let is_cut = self.estimated && times < MAX_CUTS && jump + behind < to;
        is_cut.then_some(Cut {
            to: jump + 0.5 * behind,
            whole,
            times: times + 1,
        })
    }

    /// The first member whose event has ended the run within the last step, and when.
    pub(super) fn ended(&self) -> Option<Ending> {
        let ends = self.workers.members().iter().enumerate();
        let ends = ends.filter_map(|(i, runs)| Some((i, hold(&runs.main).sub.ended()?)));
        let (member, t) = ends.min_by(|a, b| a.1.total_cmp(&b.1))?;
        Some(Ending::Ended { member, t })
    }

    /// When the first of the members jumped.
    pub(super) fn jump(&self) -> Option<f64> {
        let jumps = self.workers.members().iter();
        jumps
            .filter_map(|s| hold(&s.main).sub.jumped())
            .min_by(f64::total_cmp)
    }

    /// A member has jumped within the step: it is made again and ends just behind the jump, so that the
    /// others hear of it.
    pub(super) fn cut_at(&mut self, cut: Cut, h: f64, watch: &mut dyn Watch) -> Flow {
        self.cut = Some(cut);
        let step = MacroStep {
            t: self.t,
            h,
            degree: 0,
            error: 0.0,
            accepted: false,
        };
        self.report.rejected += 1;
        self.report.steps.push(step);
        self.repeat();
        watch.on_step(&step, &self.inputs)
    }

    /// The first member that could not make the step.
    pub(super) fn trouble(&self) -> Option<(usize, Trouble)> {
        for (i, runs) in self.workers.members().iter().enumerate() {
            for post in [Some(&runs.main), runs.twin.as_ref()].into_iter().flatten() {
                if let Err(trouble) = &hold(post).result {
                    return Some((i, trouble.clone()));
                }
            }
        }
        None
    }

    /// A member could not make the step: a shorter one may do, unless nothing can be repeated.
    pub(super) fn fail(
        &mut self,
        member: usize,
        trouble: Trouble,
        h: f64,
        watch: &mut dyn Watch,
    ) -> Result<Flow, Ending> {
        match trouble.why {
            Why::Stopped => return Err(Ending::Stopped),
            // a shorter macro step would take as many micro steps in the end
            Why::TooManySteps { .. } => return Err(failed(member, trouble)),
            _ => {}
        }
        if self.failures == 0 {
            self.beyond = self.t + h;
        }
        self.failures += 1;
        if !self.estimated || self.plan.step.is_some() || self.failures > MAX_FAILURES {
            return Err(failed(member, trouble));
        }
        let step = MacroStep {
            t: self.t,
            h,
            degree: 0,
            error: f64::INFINITY,
            accepted: false,
        };
        self.trouble = Some((member, trouble));
        self.report.failed += 1;
        self.report.steps.push(step);
        self.h = h * self.controller.failed();
        self.repeat();
        Ok(watch.on_step(&step, &self.inputs))
    }

    /// The step has to be made again.
    pub(super) fn repeat(&mut self) {
        for (u, signal) in self.inputs.iter_mut().zip(&self.signals) {
            *u = signal.value();
        }
        self.set_back(true);
    }

    pub(super) fn set_back(&self, back: bool) {
        for runs in self.workers.members() {
            let mut main = hold(&runs.main);
            main.back = back;
            main.result = Ok(());
            if let Some(twin) = &runs.twin {
                hold(twin).result = Ok(());
            }
        }
    }

    /// Puts all members back to the last point that counts.
    pub(super) fn go_back(&mut self) {
        if !self.estimated {
            return;
        }
        for runs in self.workers.members() {
            let tape = self.workers.tape(runs);
            // a member that cannot even go back has said why it failed
            let _ = hold(&runs.main).sub.restore(&mut hold(tape));
        }
    }
}
