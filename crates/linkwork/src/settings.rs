//! Options made whole: names looked up, defaults filled in, combinations checked.

mod names;

use crate::auto::Advice;
use crate::options::{Options, Outputs, written};
use linkwork_dae::control::{CONTROLLERS, ControllerEntry};
use linkwork_dae::drive::Plan;
use linkwork_dae::formulation::{FormulationEntry, Means};
use linkwork_dae::jacobian::{JACOBIANS, JacobianEntry, suited};
use linkwork_dae::linear::{LINEAR_SOLVERS, LinearSolverEntry};
use linkwork_dae::ode::Hold;
use linkwork_dae::state::Tolerances;
use linkwork_dae::stepper::{Needs, STEPPERS, StepperEntry, Tuning, Unfit};
use linkwork_dae::system::{Parts, System};
pub use names::{ERROR_CONSTANTS, ERROR_ESTIMATES, SCALINGS, names, order_controls};
use names::{find, formulation_of, methods, order_control, tuning};

/// The method that is chosen from the model.
pub const AUTO: &str = "auto";
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

impl OptionError {
    /// An option that names a part which does not fit.
    pub(crate) fn unfit(option: &'static str, why: &Unfit) -> OptionError {
        OptionError {
            option,
            message: why.to_string(),
            help: Some(why.help()),
        }
    }
}

/// A complete, consistent set of options.
#[derive(Clone, Copy)]
pub struct Settings {
    /// Whether method, formulation and tolerance are still to be chosen from the model.
    pub auto: bool,
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
    /// Free parameters of method and formulation.
    pub tuning: Tuning,
    /// How a BDF method chooses step and order, where not as usual.
    pub order_control: Option<&'static ControllerEntry>,
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
    /// Whether derivative blocks are read and not only solved with, see
    /// [`System::store_blocks`](linkwork_dae::system::System::store_blocks).
    pub(crate) fn reads_blocks(&self) -> bool {
        let reduced = matches!(self.formulation.means, Means::Ode(Hold::Partition));
        let by_differences = !self.jacobian.name.starts_with("exact") && self.jacobian.name != AUTO;
        reduced || by_differences
    }

    /// Settles what depends on the system: where its derivatives come from, and whether it is stated in
    /// a way that the method can use.
    pub fn suit(&mut self, sys: &dyn System) -> Result<(), OptionError> {
        if self.jacobian.name == AUTO {
            self.jacobian = suited(sys, Parts::ALL);
        }
        let none = !Parts::ALL.without(sys.exact_parts()).is_empty();
        if self.jacobian.name.starts_with("exact") && none {
            let others: Vec<&str> = JACOBIANS
                .iter()
                .map(|e| e.name)
                .filter(|name| !name.starts_with("exact"))
                .collect();
            return Err(OptionError {
                option: "jacobian",
                message: "the system does not supply its derivatives".into(),
                help: Some(format!("use one of {}", others.join(", "))),
            });
        }
        let steps = matches!(self.formulation.means, Means::Placement(_)) || self.auto;
        if sys.stage_form().is_some() && !steps {
            let name = self.method.name;
            return Err(OptionError {
                option: "formalism",
                message: format!("formalism has no effect with {name}, which takes accelerations"),
                help: Some("leave it out, or take an implicit method".into()),
            });
        }
        Ok(())
    }

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
        let auto = wanted == AUTO;
        let wanted = if auto { DEFAULT_METHOD } else { wanted };
        let method = find("method", wanted, STEPPERS, |e| e.name)?;
        let formulation = formulation_of(method, scheme.formulation.as_deref())?;
        let wanted = scheme.jacobian.as_deref().unwrap_or(AUTO);
        let jacobian = find("jacobian", wanted, JACOBIANS, |e| e.name)?;
        let wanted = scheme.linear.as_deref().unwrap_or(LINEAR_SOLVERS[0].name);
        let linear = find("linear", wanted, LINEAR_SOLVERS, |e| e.name)?;
        let settings = Settings {
            t_end: options.t_end.ok_or_else(|| OptionError {
                option: "t_end",
                message: "the end time is missing".into(),
                help: Some("write `t_end = 1.0` in [simulation], or give `--t-end 1.0`".into()),
            })?,
            auto,
            method,
            formulation,
            jacobian,
            linear,
            max_order: scheme.max_order,
            tuning: tuning(scheme)?,
            order_control: match &scheme.order_control {
                Some(wanted) => Some(order_control(wanted)?),
                None => None,
            },
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

    /// Name of what chooses step and order of a multistep method; `None` for other methods and fixed
    /// steps.
    pub fn order_control_name(&self) -> Option<&'static str> {
        let usual = CONTROLLERS
            .iter()
            .find(|c| c.name == self.method.controller);
        let entry = self.order_control.or(usual).filter(|c| c.multistep);
        entry.filter(|_| self.step.is_none()).map(|c| c.name)
    }

    /// Highest order that the method may use.
    pub fn highest_order(&self) -> usize {
        match self.method.variable_order {
            Some(highest) => self.max_order.unwrap_or(highest),
            None => 2,
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
                message: format!(
                    "{option} = {} cannot be used: it must be {must}",
                    written(value)
                ),
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
        if !(0.0..=1.0).contains(&self.tuning.rho) {
            return bad("rho", self.tuning.rho, "between 0 and 1");
        }
        if !(0.0..=1.0 / 3.0).contains(&self.tuning.alpha) {
            return bad("alpha", self.tuning.alpha, "between 0 and 1/3");
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
        if self.auto {
            let given = [
                ("formulation", options.scheme.formulation.is_some()),
                ("rho", options.scheme.rho.is_some()),
                ("alpha", options.scheme.alpha.is_some()),
                ("error_constant", options.scheme.error_constant.is_some()),
                ("error_estimate", options.scheme.error_estimate.is_some()),
                ("order_control", options.scheme.order_control.is_some()),
                ("scaling", options.scheme.scaling.is_some()),
                ("max_order", options.scheme.max_order.is_some()),
                ("step", options.steps.step.is_some()),
                ("restart", options.checkpoints.restart.is_some()),
                ("checkpoint", options.checkpoints.checkpoint.is_some()),
            ];
            if let Some((option, _)) = given.into_iter().find(|(_, given)| *given) {
                return Err(OptionError {
                    option,
                    message: format!(
                        "{option} cannot be given when the method is chosen automatically"
                    ),
                    help: Some("name the method that the first run chose".into()),
                });
            }
        }
        let refuse = |option, message: String, help: &str| {
            Err(OptionError {
                option,
                message,
                help: Some(help.into()),
            })
        };
        for (option, what) in [
            ("rho", "no spectral radius to choose"),
            ("alpha", "no damping alpha to choose"),
            ("error_constant", "an error estimate of its own"),
            ("error_estimate", "an error estimate of its own"),
        ] {
            if options.has(option) && !self.method.tuning.contains(&option) {
                return refuse(
                    option,
                    format!("`{method}` has {what}"),
                    &format!(
                        "{option} works with method = {}",
                        methods(|e| e.tuning.contains(&option))
                    ),
                );
            }
        }
        if options.scheme.jacobian.is_some() && matches!(self.method.needs, Needs::Ode(_)) {
            return refuse(
                "jacobian",
                format!("`{method}` has no use for a choice of derivatives"),
                &format!(
                    "jacobian works with method = {}",
                    methods(|e| matches!(e.needs, Needs::Implicit(_)))
                ),
            );
        }
        let usual = "order";
        if self.order_control.is_some() && self.method.controller != usual {
            return refuse(
                "order_control",
                format!("`{method}` does not choose its order in this way"),
                &format!(
                    "order_control works with method = {}",
                    methods(|e| e.controller == usual)
                ),
            );
        }
        if options.scheme.scaling.is_some() && self.formulation.name != "index3" {
            return refuse(
                "scaling",
                format!(
                    "formulation `{}` has one scaling only",
                    self.formulation.name
                ),
                "scaling works with formulation = index3",
            );
        }
        match (self.max_order, self.method.variable_order) {
            (Some(_), None) => {
                let variable = methods(|e| e.variable_order.is_some());
                return refuse(
                    "max_order",
                    format!("`{method}` has one order only"),
                    &format!("max_order works with method = {variable}"),
                );
            }
            (Some(n), Some(highest)) if n > highest => {
                return refuse(
                    "max_order",
                    format!("max_order = {n} is more than `{method}` has"),
                    &format!("its orders are 1 to {highest}"),
                );
            }
            _ => {}
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
            if self.order_control.is_some() {
                return refuse(
                    "order_control",
                    "order_control has no effect beside a fixed step".into(),
                    "give either step or order_control; max_order sets the order of fixed steps",
                );
            }
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

impl Settings {
    /// The same with what was found to suit the model.
    pub(crate) fn advised(mut self, advice: &Advice) -> Result<Settings, OptionError> {
        self.method = find("method", advice.method, STEPPERS, |e| e.name)?;
        self.formulation = formulation_of(self.method, Some(advice.formulation))?;
        self.rtol = advice.rtol;
        Ok(self)
    }
}

/// Default relative tolerance of a method.
pub fn default_rtol(method: &StepperEntry) -> f64 {
    if method.controller == "elementary" {
        DEFAULT_RTOL_OF_ORDER_2
    } else {
        DEFAULT_RTOL
    }
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
