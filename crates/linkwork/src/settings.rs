//! Options made whole: names looked up, defaults filled in, combinations checked.

use crate::options::{Options, Outputs};
use linkwork_dae::drive::Plan;
use linkwork_dae::formulation::{FORMULATIONS, FormulationEntry};
use linkwork_dae::jacobian::{JACOBIANS, JacobianEntry};
use linkwork_dae::linear::{LINEAR_SOLVERS, LinearSolverEntry};
use linkwork_dae::state::Tolerances;
use linkwork_dae::stepper::gen_alpha::DEFAULT_RHO;
use linkwork_dae::stepper::{STEPPERS, StepperEntry};
use linkwork_mbs::spelling::nearest;

/// Method when none is asked for.
pub const DEFAULT_METHOD: &str = "bdf";
/// Output intervals when none are asked for.
pub const DEFAULT_OUTPUTS: usize = 200;
/// Most output intervals; all rows are held in memory.
const MAX_OUTPUTS: usize = 1_000_000;
/// Relative tolerance of methods with variable order when none is asked for.
const DEFAULT_RTOL: f64 = 1e-4;
/// The same for methods of order 2, which need a tighter one for the same global error: their
/// estimate sees one step only.
const DEFAULT_RTOL_OF_ORDER_2: f64 = 1e-5;

/// An option that cannot be honoured.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct OptionError {
    /// Name of the option, as in `[simulation]`.
    pub option: &'static str,
    /// What is wrong with it.
    pub message: String,
    /// What works.
    pub help: Option<String>,
}

/// A complete, consistent set of options.
#[derive(Clone, Copy)]
pub struct Settings {
    /// End time.
    pub t_end: f64,
    /// Time discretisation.
    pub method: &'static StepperEntry,
    /// Which equations are solved.
    pub formulation: &'static FormulationEntry,
    /// Where derivatives come from.
    pub jacobian: &'static JacobianEntry,
    /// Linear solver.
    pub linear: &'static LinearSolverEntry,
    /// Highest order asked for.
    pub max_order: Option<usize>,
    /// Spectral radius of generalised-alpha.
    pub rho: f64,
    /// Relative tolerance.
    pub rtol: f64,
    /// Absolute tolerance of positions.
    pub atol: Option<f64>,
    /// Absolute tolerance of velocities.
    pub atol_v: Option<f64>,
    /// Fixed step.
    pub step: Option<f64>,
    /// First step.
    pub first_step: Option<f64>,
    /// Longest step.
    pub max_step: Option<f64>,
    /// Attempted steps before the run is given up.
    pub max_steps: Option<u64>,
    /// Which points are kept.
    pub outputs: Outputs,
    /// Accepted steps between two checkpoints.
    pub checkpoint_steps: Option<u64>,
    /// Simulated time between two checkpoints.
    pub checkpoint_interval: Option<f64>,
}

impl Settings {
    /// Completes and checks options for a run that starts at `t_start`.
    pub fn new(options: &Options, t_start: f64) -> Result<Settings, OptionError> {
        let Options {
            scheme,
            tolerance,
            steps,
            checkpoints,
            ..
        } = options;
        let wanted = scheme.method.as_deref().unwrap_or(DEFAULT_METHOD);
        let method = find("method", wanted, STEPPERS, |e| e.name)?;
        let formulation = formulation_of(method, scheme.formulation.as_deref())?;
        let wanted = scheme.jacobian.as_deref().unwrap_or(JACOBIANS[0].name);
        let jacobian = find("jacobian", wanted, JACOBIANS, |e| e.name)?;
        let wanted = scheme.linear.as_deref().unwrap_or(LINEAR_SOLVERS[0].name);
        let linear = find("linear", wanted, LINEAR_SOLVERS, |e| e.name)?;
        let settings = Settings {
            t_end: options.t_end.ok_or_else(|| OptionError {
                option: "t_end",
                message: "the end time is missing".into(),
                help: Some("write `t_end = 1.0` in [simulation], or give `--t-end 1.0`".into()),
            })?,
            method,
            formulation,
            jacobian,
            linear,
            max_order: scheme.max_order,
            rho: scheme.rho.unwrap_or(DEFAULT_RHO),
            rtol: tolerance.rtol.unwrap_or(default_rtol(method)),
            atol: tolerance.atol,
            atol_v: tolerance.atol_v,
            step: steps.step,
            first_step: steps.first_step,
            max_step: steps.max_step,
            max_steps: steps.max_steps,
            outputs: options.outputs.unwrap_or(Outputs::Uniform(DEFAULT_OUTPUTS)),
            checkpoint_steps: checkpoints.checkpoint_steps,
            checkpoint_interval: checkpoints.checkpoint_interval,
        };
        settings.check_ranges(t_start)?;
        settings.check_company(options)?;
        Ok(settings)
    }

    /// Highest order that the method may use.
    pub fn highest_order(&self) -> usize {
        if varies_order(self.method) {
            self.max_order.unwrap_or(MAX_BDF_ORDER)
        } else {
            2
        }
    }

    /// The settings as the plan of a driver.
    pub fn plan(&self) -> Plan {
        let tolerances = Tolerances {
            rtol: self.rtol,
            atol: self.atol,
            atol_v: self.atol_v,
        };
        let mut plan = Plan::new(self.t_end, tolerances);
        plan.first_step = self.first_step;
        plan.max_step = self.max_step.unwrap_or(plan.max_step);
        plan.max_attempts = self.max_steps.unwrap_or(plan.max_attempts);
        plan.consistent = self.formulation.consistent;
        plan
    }

    fn check_ranges(&self, t_start: f64) -> Result<(), OptionError> {
        let bad = |option, value: f64, must: &str| {
            Err(OptionError {
                option,
                message: format!("{option} = {value} cannot be used: it must be {must}"),
                help: None,
            })
        };
        if !(self.t_end.is_finite() && self.t_end > t_start) {
            return bad(
                "t_end",
                self.t_end,
                &format!("later than the start, {t_start} s"),
            );
        }
        if !(self.rtol >= 1e-14 && self.rtol <= 0.1) {
            return bad("rtol", self.rtol, "between 1e-14 and 0.1");
        }
        let positive = [
            ("atol", self.atol),
            ("atol_v", self.atol_v),
            ("step", self.step),
            ("first_step", self.first_step),
            ("max_step", self.max_step),
            ("checkpoint_interval", self.checkpoint_interval),
        ];
        for (option, value) in positive {
            if let Some(x) = value.filter(|x| !(x.is_finite() && *x > 0.0)) {
                return bad(option, x, "greater than zero");
            }
        }
        if !(0.0..=1.0).contains(&self.rho) {
            return bad("rho", self.rho, "between 0 and 1");
        }
        if let Some(0) = self.max_order {
            return bad("max_order", 0.0, "at least 1");
        }
        if let Outputs::Uniform(n) = self.outputs
            && (n == 0 || n > MAX_OUTPUTS)
        {
            return bad("outputs", n as f64, &format!("between 1 and {MAX_OUTPUTS}"));
        }
        for (option, value) in [
            ("max_steps", self.max_steps),
            ("checkpoint_steps", self.checkpoint_steps),
        ] {
            if let Some(0) = value {
                return bad(option, 0.0, "at least 1");
            }
        }
        Ok(())
    }

    /// Options that would have no effect beside the others are refused, not ignored.
    fn check_company(&self, options: &Options) -> Result<(), OptionError> {
        let method = self.method.name;
        let refuse = |option, message: String, help: &str| {
            Err(OptionError {
                option,
                message,
                help: Some(help.into()),
            })
        };
        if options.scheme.rho.is_some() && !self.method.tuning.contains(&"rho") {
            return refuse(
                "rho",
                format!("`{method}` has no spectral radius to choose"),
                &format!(
                    "rho works with method = {}",
                    methods(|e| e.tuning.contains(&"rho"))
                ),
            );
        }
        if options.scheme.max_order.is_some() && !varies_order(self.method) {
            return refuse(
                "max_order",
                format!("`{method}` has one order only"),
                &format!("max_order works with method = {}", methods(varies_order)),
            );
        }
        if let Some(n) = self.max_order.filter(|&n| n > MAX_BDF_ORDER) {
            return refuse(
                "max_order",
                format!("max_order = {n} is more than `{method}` has"),
                "orders are 1 to 5; from 7 on the method is unstable",
            );
        }
        let often = [
            ("checkpoint_steps", self.checkpoint_steps.is_some()),
            ("checkpoint_interval", self.checkpoint_interval.is_some()),
        ];
        if let (None, Some((option, _))) = (
            &options.checkpoints.checkpoint,
            often.into_iter().find(|(_, given)| *given),
        ) {
            return refuse(
                option,
                format!("{option} has no effect without a checkpoint"),
                "name the file: checkpoint = run.ckpt",
            );
        }
        if self.step.is_some() {
            let adaptive = [
                ("first_step", self.first_step.is_some()),
                ("max_step", self.max_step.is_some()),
            ];
            if let Some((option, _)) = adaptive.into_iter().find(|(_, given)| *given) {
                return refuse(
                    option,
                    format!("{option} has no effect beside a fixed step"),
                    "give either step, or first_step and max_step",
                );
            }
        }
        Ok(())
    }
}

const MAX_BDF_ORDER: usize = 5;

/// Whether a method chooses its order as it goes.
fn varies_order(method: &StepperEntry) -> bool {
    method.controller == "order"
}

/// The methods with a property, for messages.
fn methods(has: fn(&StepperEntry) -> bool) -> String {
    let names: Vec<&str> = STEPPERS.iter().filter(|e| has(e)).map(|e| e.name).collect();
    names.join(", ")
}

/// Default relative tolerance of a method.
pub fn default_rtol(method: &StepperEntry) -> f64 {
    if varies_order(method) {
        DEFAULT_RTOL
    } else {
        DEFAULT_RTOL_OF_ORDER_2
    }
}

fn formulation_of(
    method: &'static StepperEntry,
    wanted: Option<&str>,
) -> Result<&'static FormulationEntry, OptionError> {
    let wanted = wanted.unwrap_or(method.formulations[0]);
    let entry = find("formulation", wanted, FORMULATIONS, |e| e.name)?;
    if method.formulations.contains(&entry.name) {
        return Ok(entry);
    }
    let pairs: Vec<String> = STEPPERS
        .iter()
        .map(|s| format!("{} with {}", s.name, s.formulations.join(" or ")))
        .collect();
    Err(OptionError {
        option: "formulation",
        message: format!(
            "method `{}` does not run with formulation `{wanted}`",
            method.name
        ),
        help: Some(format!("these combinations work: {}", pairs.join("; "))),
    })
}

fn find<T>(
    option: &'static str,
    wanted: &str,
    registry: &'static [T],
    name: fn(&T) -> &'static str,
) -> Result<&'static T, OptionError> {
    if let Some(entry) = registry.iter().find(|e| name(e) == wanted) {
        return Ok(entry);
    }
    let known: Vec<&str> = registry.iter().map(name).collect();
    let help = match nearest(wanted, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`? known are {}", known.join(", ")),
        None => format!("known are {}", known.join(", ")),
    };
    Err(OptionError {
        option,
        message: format!("`{wanted}` is not a known {option}"),
        help: Some(help),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(change: impl FnOnce(&mut Options)) -> Options {
        let mut o = Options {
            t_end: Some(1.0),
            ..Options::default()
        };
        change(&mut o);
        o
    }

    #[test]
    fn every_method_has_a_default_formulation_and_tolerance() {
        for stepper in STEPPERS {
            let o = options(|o| o.scheme.method = Some(stepper.name.into()));
            let s = Settings::new(&o, 0.0).expect(stepper.name);
            assert_eq!(s.formulation.name, stepper.formulations[0]);
            assert_eq!(s.rtol, default_rtol(stepper));
        }
        let s = Settings::new(&options(|_| ()), 0.0).unwrap();
        assert_eq!((s.method.name, s.formulation.name), ("bdf", "ggl"));
        assert_eq!((s.rtol, s.outputs), (1e-4, Outputs::Uniform(200)));
    }

    #[test]
    fn unknown_names_are_answered_with_the_nearest() {
        let e = Settings::new(&options(|o| o.scheme.method = Some("bfd".into())), 0.0)
            .err()
            .unwrap();
        assert_eq!(e.option, "method");
        assert!(e.help.unwrap().starts_with("did you mean `bdf`?"));
    }

    #[test]
    fn options_without_effect_are_refused() {
        type Change = fn(&mut Options);
        let cases: [(&str, Change); 13] = [
            ("checkpoint_steps", |o| {
                o.checkpoints.checkpoint_steps = Some(10)
            }),
            ("checkpoint_interval", |o| {
                o.checkpoints.checkpoint = Some("file".into());
                o.checkpoints.checkpoint_interval = Some(0.0);
            }),
            ("outputs", |o| o.outputs = Some(Outputs::Uniform(0))),
            ("outputs", |o| {
                o.outputs = Some(Outputs::Uniform(usize::MAX))
            }),
            ("rho", |o| o.scheme.rho = Some(0.5)),
            ("max_order", |o| {
                o.scheme.method = Some("gen-alpha".into());
                o.scheme.max_order = Some(2);
            }),
            ("max_order", |o| o.scheme.max_order = Some(6)),
            ("max_step", |o| {
                o.steps.step = Some(0.1);
                o.steps.max_step = Some(0.1);
            }),
            ("rtol", |o| o.tolerance.rtol = Some(0.0)),
            ("rtol", |o| o.tolerance.rtol = Some(f64::NAN)),
            ("atol", |o| o.tolerance.atol = Some(-1.0)),
            ("t_end", |o| o.t_end = Some(0.0)),
            ("t_end", |o| o.t_end = None),
        ];
        for (option, change) in cases {
            let e = Settings::new(&options(change), 0.0).err();
            assert_eq!(e.map(|e| e.option), Some(option));
        }
    }

    #[test]
    fn upper_layers_win() {
        let top = options(|o| o.tolerance.rtol = Some(1e-8));
        let below = options(|o| {
            o.t_end = Some(9.0);
            o.tolerance = crate::options::Tolerance {
                rtol: Some(1e-3),
                atol: Some(1e-5),
                atol_v: None,
            };
        });
        let both = top.or(below);
        assert_eq!(both.t_end, Some(1.0));
        assert_eq!(both.tolerance.rtol, Some(1e-8));
        assert_eq!(both.tolerance.atol, Some(1e-5));
    }
}
