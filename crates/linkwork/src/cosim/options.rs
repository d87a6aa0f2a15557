//! What may be asked of a co-simulation: the same names in Rust, on the command line and in the
//! `[simulation]` table of a system file.

use crate::options::Group::{Accuracy, Checkpoints, Coupling, Results};
use crate::options::{APPROACHES, Outputs, Row, Usual, approaches, is, options, or, pick, written};
use crate::settings::OptionError;
use linkwork_dae::cosim::Plan;
use linkwork_dae::cosim::plan::share_of_step;
use std::path::PathBuf;

options! {
    /// Everything that can be asked of a co-simulation.
    pub struct CosimOptions, COSIM_OPTIONS {
        /// End time.
        t_end: f64 = Row::new(Coupling, Usual::Nothing).seconds(),
        /// Relative tolerance of the result: macro steps are so short that their errors add up to a few
        /// of it.
        rtol: f64 = is(Accuracy, "1e-4")
            .must(|x| (1e-11..=0.1).contains(&x), "between 1e-11 and 0.1").same(),
        /// Tolerance of the subsystems as a share of what a macro step may err by, at most 0.1.
        micro: f64 = is(Accuracy, "0.1")
            .must(|x| x > 0.0 && x <= 0.1, "greater than 0 and at most 0.1").same(),
        /// Degree of the polynomials that inputs follow within a macro step, 0 to 3.
        degree: usize = is(Coupling, "2").must(|x| x <= 3.0, "0, 1, 2 or 3").same(),
        /// Which of the two runs of a macro step goes on: `extrapolation`, or `interpolation` to predicted
        /// values.
        approach: String = is(Coupling, "extrapolation").of(approaches).same(),
        /// Constant macro step; switches error control off.
        step: f64 = or(Accuracy, "chosen by the tolerance").seconds().positive().same(),
        /// First macro step.
        first_step: f64 = or(Accuracy, "a thousandth of the run").seconds().positive(),
        /// Longest macro step.
        max_step: f64 = or(Accuracy, "no bound").seconds().positive().same(),
        /// Attempted macro steps before the run is given up.
        max_steps: u64 = or(Accuracy, "no bound").counted(),
        /// Output intervals of equal length, or "steps" for every micro step.
        outputs: Outputs = is(Results, "200").must(|n| (1.0..=1e6).contains(&n), "between 1 and 1000000"),
        /// Threads; the results do not depend on them.
        threads: usize = or(Coupling, "as many as the machine has").counted(),
        /// Never repeat a step, as with parts that cannot go back: half the work, and an error judged by the
        /// coupling variables alone.
        forward_only: bool = is(Coupling, "false"),
        /// File that the run is saved to at its end, also when it fails or is interrupted.
        /// A model gives a name without directories; the file stands beside the results.
        checkpoint: PathBuf = or(Checkpoints, "none"),
        /// Accepted macro steps between two checkpoints.
        checkpoint_steps: u64 = or(Checkpoints, "only at the end").counted(),
        /// Simulated time between two checkpoints.
        checkpoint_interval: f64 = or(Checkpoints, "only at the end").seconds().positive(),
        /// File of a saved run of the same system and options to go on with; the end time, the outputs
        /// and the threads may differ. Tables begin after the saved state.
        restart: PathBuf = or(Checkpoints, "start anew").not_in_text(),
    }
}

/// A macro step with a smaller error would need subsystems that are solved beyond rounding.
const SMALLEST_STEP_RTOL: f64 = 1e-12;

/// A complete, consistent set of options.
#[derive(Clone, Debug)]
pub struct CosimSettings {
    /// What the conductor is asked for.
    pub plan: Plan,
    /// What one macro step may err by: `rtol^((k+2)/(k+1))`.
    pub step_rtol: f64,
    /// Relative tolerance of the subsystems.
    pub micro_rtol: f64,
    /// Which points are kept.
    pub outputs: Outputs,
    /// Whether no step is ever repeated.
    pub forward_only: bool,
    /// The options with all defaults that are values.
    pub options: CosimOptions,
}

impl CosimOptions {
    /// The options, complete and checked, for a run that starts at `t_start`.
    pub fn settings(&self, t_start: f64) -> Result<CosimSettings, OptionError> {
        self.check()?;
        let t_end = self.t_end.ok_or_else(OptionError::no_end)?;
        if !(t_end.is_finite() && t_end > t_start) {
            return Err(OptionError::end_before_start(t_end, t_start));
        }
        self.check_compatibility()?;
        let options = self.completed();
        let mut plan = Plan::new(t_end, options.rtol.unwrap_or_default());
        plan.degree = options.degree.unwrap_or_default();
        plan.approach = pick(APPROACHES, &options.approach);
        plan.step = options.step;
        plan.first_step = options.first_step;
        plan.max_step = options.max_step.unwrap_or(plan.max_step);
        plan.max_steps = options.max_steps.unwrap_or(plan.max_steps);
        let machine = || std::thread::available_parallelism().map_or(1, |n| n.get());
        plan.threads = options.threads.unwrap_or_else(machine);
        let step_rtol = plan.rtol * share_of_step(plan.rtol, plan.degree);
        if step_rtol < SMALLEST_STEP_RTOL {
            return Err(too_tight(plan.rtol, plan.degree));
        }
        Ok(CosimSettings {
            step_rtol,
            micro_rtol: options.micro.unwrap_or_default() * step_rtol,
            outputs: options.outputs.clone().unwrap_or(Outputs::Steps),
            forward_only: options.forward_only.unwrap_or_default(),
            plan,
            options,
        })
    }

    /// Options that would have no effect beside the others are refused, not ignored.
    fn check_compatibility(&self) -> Result<(), OptionError> {
        let constant = self.step.is_some();
        let saved = self.checkpoint.is_some();
        let forward_only = self.forward_only.unwrap_or(false);
        let rules = [
            (
                "first_step",
                constant,
                "beside a constant step",
                "leave out `step` or `first_step`",
            ),
            (
                "max_step",
                constant,
                "beside a constant step",
                "leave out `step` or `max_step`",
            ),
            (
                "checkpoint",
                forward_only,
                "with forward_only",
                "a run whose parts cannot go back cannot be saved",
            ),
            (
                "restart",
                forward_only,
                "with forward_only",
                "a run whose parts cannot go back cannot be saved",
            ),
            (
                "checkpoint_steps",
                !saved,
                "without checkpoint",
                "name the file with `checkpoint`",
            ),
            (
                "checkpoint_interval",
                !saved,
                "without checkpoint",
                "name the file with `checkpoint`",
            ),
        ];
        match rules.into_iter().find(|r| r.1 && self.has(r.0)) {
            Some((option, _, other, help)) => Err(OptionError::beside(option, other, help)),
            None => Ok(()),
        }
    }
}

fn too_tight(rtol: f64, degree: usize) -> OptionError {
    let k = degree as f64;
    let least = SMALLEST_STEP_RTOL.powf((k + 1.0) / (k + 2.0));
    OptionError {
        option: "rtol",
        message: format!(
            "rtol = {} cannot be used: it must be at least {least:.0e} with degree {degree}",
            written(rtol)
        ),
        help: None,
    }
}
