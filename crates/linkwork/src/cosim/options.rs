//! What may be asked of a co-simulation: the same names in Rust, on the command line and in the
//! `[simulation]` table of a system file.

use crate::options::{Checkpoints, Outputs, written};
use crate::settings::{DEFAULT_OUTPUTS, OptionError};
use linkwork_dae::cosim::plan::share_of_step;
use linkwork_dae::cosim::{Approach, MAX_DEGREE};
use linkwork_mbs::error::ModelError;
use linkwork_mbs::field::{Form, Key};
use linkwork_mbs::text::Fields;
use linkwork_mbs::units::Unit;
use std::path::PathBuf;

/// Names of the approaches.
pub static APPROACHES: &[(&str, Approach)] = &[
    ("extrapolation", Approach::Extrapolation),
    ("interpolation", Approach::Interpolation),
];

/// The keys of the `[simulation]` table of a system.
pub static SIMULATION_KEYS: &[Key] = &[
    Key::required(
        "t_end",
        Unit::Time,
        "End time; `--t-end` may give it instead.",
    ),
    Key::optional(
        "rtol",
        Unit::None,
        "1e-4",
        "Relative tolerance of the result: macro steps are so short that their errors add up to a few of it.",
    ),
    Key::optional(
        "micro",
        Unit::None,
        "0.1",
        "Tolerance of the subsystems as a share of what a macro step may err by, at most 0.1.",
    ),
    Key::optional(
        "degree",
        Unit::None,
        "2",
        "Degree of the polynomials that inputs follow within a macro step, 0 to 3.",
    ),
    Key::optional(
        "approach",
        Unit::None,
        "extrapolation",
        "Which of the two runs goes on: `extrapolation`, or `interpolation` to predicted values.",
    )
    .takes(Form::Word),
    Key::optional(
        "step",
        Unit::Time,
        "chosen by the tolerance",
        "Constant macro step; switches error control off.",
    ),
    Key::optional(
        "first_step",
        Unit::Time,
        "a thousandth of the run",
        "First macro step.",
    ),
    Key::optional("max_step", Unit::Time, "no bound", "Longest macro step."),
    Key::optional(
        "max_steps",
        Unit::None,
        "no bound",
        "Attempted macro steps before the run is given up.",
    ),
    Key::optional(
        "outputs",
        Unit::None,
        "200",
        "Output intervals of equal length, or \"steps\" for every micro step.",
    ),
    Key::optional(
        "threads",
        Unit::None,
        "as many as the machine has",
        "Threads; the results do not depend on them.",
    ),
    Key::optional(
        "forward_only",
        Unit::None,
        "false",
        "Never repeat a step, as with parts that cannot go back: half the work, a weaker guarantee.",
    )
    .takes(Form::Flag),
    Key::optional(
        "checkpoint",
        Unit::None,
        "none",
        "File that keeps the run for `--restart`, also when it fails.",
    )
    .takes(Form::Word),
    Key::optional(
        "checkpoint_steps",
        Unit::None,
        "only at the end",
        "Accepted macro steps between two checkpoints.",
    ),
    Key::optional(
        "checkpoint_interval",
        Unit::Time,
        "only at the end",
        "Simulated time between two checkpoints.",
    ),
];

/// Everything that can be asked of a co-simulation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CosimOptions {
    /// End time, s.
    pub t_end: Option<f64>,
    /// Relative tolerance (default 1e-4).
    pub rtol: Option<f64>,
    /// Tolerance of the subsystems as a share of what a macro step may err by (default 0.1).
    pub micro: Option<f64>,
    /// Degree of the polynomials (default 2).
    pub degree: Option<usize>,
    /// Which run goes on (default `extrapolation`).
    pub approach: Option<String>,
    /// Constant macro step, s.
    pub step: Option<f64>,
    /// First macro step, s.
    pub first_step: Option<f64>,
    /// Longest macro step, s.
    pub max_step: Option<f64>,
    /// Attempted macro steps before the run is given up.
    pub max_steps: Option<u64>,
    /// Which points are kept (default: 200 uniform intervals).
    pub outputs: Option<Outputs>,
    /// Threads (default: as many as the machine has).
    pub threads: Option<usize>,
    /// Whether no step is ever repeated (default: no).
    pub forward_only: Option<bool>,
    /// Files to go on from and to save to.
    pub checkpoints: Checkpoints,
}

impl CosimOptions {
    /// These options where they are given, else those of `below`.
    #[must_use]
    pub fn or(self, below: CosimOptions) -> CosimOptions {
        CosimOptions {
            t_end: self.t_end.or(below.t_end),
            rtol: self.rtol.or(below.rtol),
            micro: self.micro.or(below.micro),
            degree: self.degree.or(below.degree),
            approach: self.approach.or(below.approach),
            step: self.step.or(below.step),
            first_step: self.first_step.or(below.first_step),
            max_step: self.max_step.or(below.max_step),
            max_steps: self.max_steps.or(below.max_steps),
            outputs: self.outputs.or(below.outputs),
            threads: self.threads.or(below.threads),
            forward_only: self.forward_only.or(below.forward_only),
            checkpoints: self.checkpoints.or(below.checkpoints),
        }
    }

    /// What the option of this name is given as.
    pub fn value(&self, option: &str) -> Option<String> {
        match option {
            "t_end" => self.t_end.map(written),
            "rtol" => self.rtol.map(written),
            "micro" => self.micro.map(written),
            "degree" => self.degree.map(written),
            "approach" => self.approach.clone(),
            "step" => self.step.map(written),
            "first_step" => self.first_step.map(written),
            "max_step" => self.max_step.map(written),
            "max_steps" => self.max_steps.map(written),
            "outputs" => self.outputs.map(|o| o.to_string()),
            "threads" => self.threads.map(written),
            "forward_only" => self.forward_only.map(written),
            _ => self.checkpoints.value(option),
        }
    }

    /// Reads the `[simulation]` table of a system.
    pub fn read(f: &Fields<'_>) -> Result<CosimOptions, ModelError> {
        f.allow(SIMULATION_KEYS.iter().map(|k| k.name));
        let count = |key| {
            let given = f.has(key).then(|| f.count_or(key, 0));
            given.transpose()
        };
        let approaches: Vec<&'static str> = APPROACHES.iter().map(|a| a.0).collect();
        let approach = if f.has("approach") {
            Some(f.choice("approach", &approaches, None)?.to_string())
        } else {
            None
        };
        Ok(CosimOptions {
            t_end: f.optional_number("t_end", Unit::Time)?,
            rtol: f.optional_number("rtol", Unit::None)?,
            micro: f.optional_number("micro", Unit::None)?,
            degree: count("degree")?,
            approach,
            step: f.optional_number("step", Unit::Time)?,
            first_step: f.optional_number("first_step", Unit::Time)?,
            max_step: f.optional_number("max_step", Unit::Time)?,
            max_steps: count("max_steps")?.map(|n| n as u64),
            outputs: crate::options::read_outputs(f)?,
            threads: count("threads")?,
            forward_only: if f.has("forward_only") {
                Some(f.flag_or("forward_only", false)?)
            } else {
                None
            },
            checkpoints: Checkpoints {
                checkpoint: f.optional_text("checkpoint")?.map(PathBuf::from),
                checkpoint_steps: count("checkpoint_steps")?.map(|n| n as u64),
                checkpoint_interval: f.optional_number("checkpoint_interval", Unit::Time)?,
                restart: None,
            },
        })
    }

    /// The options, complete and checked, for a run that starts at `t_start`.
    pub fn settings(&self, t_start: f64) -> Result<CosimSettings, OptionError> {
        let bad = |option, value: f64, must: &str| {
            Err(OptionError {
                option,
                message: format!(
                    "{option} = {} cannot be used: it must be {must}",
                    written(value)
                ),
                help: None,
            })
        };
        let Some(t_end) = self.t_end else {
            return Err(OptionError {
                option: "t_end",
                message: "the end time is missing".into(),
                help: Some("write `t_end = 1.0` in [simulation], or give `--t-end 1.0`".into()),
            });
        };
        if !(t_end.is_finite() && t_end > t_start) {
            let must = format!("later than the start, {t_start} s");
            return bad("t_end", t_end, &must);
        }
        let rtol = self.rtol.unwrap_or(DEFAULT_RTOL);
        if !(1e-11..=0.1).contains(&rtol) {
            return bad("rtol", rtol, "between 1e-11 and 0.1");
        }
        let micro = self.micro.unwrap_or(DEFAULT_MICRO);
        if !(micro > 0.0 && micro <= 0.1) {
            return bad("micro", micro, "greater than 0 and at most 0.1");
        }
        let degree = self.degree.unwrap_or(DEFAULT_DEGREE);
        if degree > MAX_DEGREE {
            return bad("degree", degree as f64, "0, 1, 2 or 3");
        }
        let step_rtol = rtol * share_of_step(rtol, degree);
        if step_rtol < SMALLEST_STEP_RTOL {
            let k = degree as f64;
            let least = SMALLEST_STEP_RTOL.powf((k + 1.0) / (k + 2.0));
            let must = format!("at least {least:.0e} with degree {degree}");
            return bad("rtol", rtol, &must);
        }
        let steps = [
            ("step", self.step),
            ("first_step", self.first_step),
            ("max_step", self.max_step),
            ("checkpoint_interval", self.checkpoints.checkpoint_interval),
        ];
        for (option, value) in steps {
            if let Some(h) = value.filter(|h| !(h.is_finite() && *h > 0.0)) {
                return bad(option, h, "greater than zero");
            }
        }
        let counts = [
            ("max_steps", self.max_steps),
            ("checkpoint_steps", self.checkpoints.checkpoint_steps),
            ("threads", self.threads.map(|n| n as u64)),
        ];
        for (option, value) in counts {
            if value == Some(0) {
                return bad(option, 0.0, "at least 1");
            }
        }
        if let Some(Outputs::Uniform(n)) = self.outputs
            && (n == 0 || n > 1_000_000)
        {
            return bad("outputs", n as f64, "between 1 and 1000000");
        }
        if self.step.is_some() && self.first_step.is_some() {
            return Err(OptionError {
                option: "first_step",
                message: "a constant step has no first step of its own".into(),
                help: Some("leave out `step` or `first_step`".into()),
            });
        }
        if self.step.is_some() && self.max_step.is_some() {
            return Err(OptionError {
                option: "max_step",
                message: "max_step has no effect beside a constant step".into(),
                help: Some("leave out `step` or `max_step`".into()),
            });
        }
        let Checkpoints {
            checkpoint,
            checkpoint_steps,
            checkpoint_interval,
            restart,
        } = &self.checkpoints;
        let forward_only = self.forward_only.unwrap_or(false);
        for (option, given) in [
            ("checkpoint", checkpoint.is_some()),
            ("restart", restart.is_some()),
        ] {
            if given && forward_only {
                return Err(OptionError {
                    option,
                    message: format!("{option} has no effect with forward_only"),
                    help: Some("a run whose parts cannot go back cannot be saved".into()),
                });
            }
        }
        for (option, given) in [
            ("checkpoint_steps", checkpoint_steps.is_some()),
            ("checkpoint_interval", checkpoint_interval.is_some()),
        ] {
            if given && checkpoint.is_none() {
                return Err(OptionError {
                    option,
                    message: format!("{option} has no effect without checkpoint"),
                    help: Some("name the file with `checkpoint`".into()),
                });
            }
        }
        let wanted = self.approach.as_deref().unwrap_or(APPROACHES[0].0);
        let known = APPROACHES.iter().find(|a| a.0 == wanted);
        let Some((approach_name, approach)) = known else {
            return Err(OptionError {
                option: "approach",
                message: format!("there is no approach `{wanted}`"),
                help: Some("it is `extrapolation` or `interpolation`".into()),
            });
        };
        let machine = || std::thread::available_parallelism().map_or(1, |n| n.get());
        Ok(CosimSettings {
            t_end,
            rtol,
            step_rtol,
            micro,
            micro_rtol: micro * step_rtol,
            degree,
            approach: *approach,
            approach_name,
            step: self.step,
            first_step: self.first_step,
            max_step: self.max_step,
            max_steps: self.max_steps,
            outputs: self.outputs.unwrap_or(Outputs::Uniform(DEFAULT_OUTPUTS)),
            threads: self.threads.unwrap_or_else(machine),
            forward_only,
        })
    }
}

/// Relative tolerance when none is asked for.
const DEFAULT_RTOL: f64 = 1e-4;
/// Share of the micro tolerance when none is asked for: the two runs of a step differ by the noise
/// of the micro steps, and the errors of these add up over the run as those of macro steps do.
const DEFAULT_MICRO: f64 = 0.1;
/// A macro step with a smaller error would need subsystems that are solved beyond rounding.
const SMALLEST_STEP_RTOL: f64 = 1e-12;
const DEFAULT_DEGREE: usize = 2;

/// A complete, consistent set of options.
#[derive(Clone, Debug, PartialEq)]
pub struct CosimSettings {
    /// End time.
    pub t_end: f64,
    /// Relative tolerance.
    pub rtol: f64,
    /// What one macro step may err by: `rtol^((k+2)/(k+1))`.
    pub step_rtol: f64,
    /// Tolerance of the subsystems as a share of that.
    pub micro: f64,
    /// Relative tolerance of the subsystems.
    pub micro_rtol: f64,
    /// Degree of the polynomials.
    pub degree: usize,
    /// Which run goes on.
    pub approach: Approach,
    /// Its name.
    pub approach_name: &'static str,
    /// Constant macro step.
    pub step: Option<f64>,
    /// First macro step.
    pub first_step: Option<f64>,
    /// Longest macro step.
    pub max_step: Option<f64>,
    /// Attempted macro steps before the run is given up.
    pub max_steps: Option<u64>,
    /// Which points are kept.
    pub outputs: Outputs,
    /// Threads.
    pub threads: usize,
    /// Whether no step is ever repeated.
    pub forward_only: bool,
}
