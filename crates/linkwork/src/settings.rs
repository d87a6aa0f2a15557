//! Options made whole: names looked up, defaults filled in, combinations checked.

mod parts;

use crate::options::{AUTO, COORDINATES, ERROR_ESTIMATES, Options, Outputs, named, pick, written};
use linkwork_dae::drive::Plan;
use linkwork_dae::formulation::FORMULATIONS;
use linkwork_dae::jacobian::{JACOBIANS, Jacobian, RENEWALS};
use linkwork_dae::linear::LINEAR_SOLVERS;
use linkwork_dae::recipe::{Control, Recipe, Unfit};
use linkwork_dae::state::Tolerances;
use linkwork_dae::stepper::{Family, STEPPERS, StepperEntry, Tuning};
use linkwork_dae::system::System;

/// Relative tolerance when none is asked for. Errors of many steps add up, and motions that part take
/// them along: three digits at the end of a run need about six in a step.
pub(crate) const DEFAULT_RTOL: f64 = 1e-6;

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
    /// A refusal with help.
    pub(crate) fn new(option: &'static str, message: String, help: &str) -> OptionError {
        OptionError {
            option,
            message,
            help: Some(help.into()),
        }
    }

    /// The end time is needed.
    pub(crate) fn no_end() -> OptionError {
        let help = "write `t_end = 1.0` in [simulation]";
        OptionError::new("t_end", "the end time is missing".into(), help)
    }

    /// The end time must come after the start.
    pub(crate) fn end_before_start(t_end: f64, t_start: f64) -> OptionError {
        let t_end = written(t_end);
        OptionError {
            option: "t_end",
            message: format!(
                "t_end = {t_end} cannot be used: it must be later than the start, {t_start} s"
            ),
            help: None,
        }
    }

    /// A fixed step that never gets there.
    fn endless(h: f64, steps: f64) -> OptionError {
        let message = format!(
            "step = {} cannot be used: the run would take {steps:.0e} steps, more than {MOST_STEPS:.0e}",
            written(h)
        );
        OptionError::new(
            "step",
            message,
            "take a larger one, or leave it out: steps then follow the tolerance",
        )
    }

    /// An option that does nothing beside another.
    pub(crate) fn beside(option: &'static str, other: &str, help: &str) -> OptionError {
        OptionError::new(option, format!("{option} has no effect {other}"), help)
    }
}

/// Steps of a fixed length beyond which no run comes to its end: years of computing.
const MOST_STEPS: f64 = 1e12;

/// A complete, consistent set of options.
#[derive(Clone)]
pub struct Settings {
    /// Whether method, formulation and tolerance are still to be chosen from the model.
    pub auto: bool,
    /// What the run is made of.
    pub recipe: Recipe,
    /// Which points are kept.
    pub outputs: Outputs,
    /// The options with all defaults that are values.
    pub options: Options,
    /// Those that were given.
    given: Options,
}

impl Settings {
    /// Completes and checks options for a run that starts at `t_start`.
    pub fn new(options: &Options, t_start: f64) -> Result<Settings, OptionError> {
        options.check()?;
        let t_end = options.t_end.ok_or_else(OptionError::no_end)?;
        if !(t_end.is_finite() && t_end > t_start) {
            return Err(OptionError::end_before_start(t_end, t_start));
        }
        if let Some(h) = options.step.filter(|h| (t_end - t_start) / h > MOST_STEPS) {
            return Err(OptionError::endless(h, (t_end - t_start) / h));
        }
        if let Some(outputs) = &options.outputs {
            outputs.check(t_start, t_end)?;
        }
        let mut complete = options.completed();
        complete.cut = complete.cut.filter(|names| !names.is_empty());
        let absolute = || COORDINATES[0].into();
        complete.coordinates = complete.coordinates.or_else(|| Some(absolute()));
        if let Some(first) = bound_to(options) {
            complete.method = Some(first.name.into());
        }
        let auto = complete.method.as_deref() == Some(AUTO);
        let method = named(STEPPERS, &complete.method, |e| e.name).unwrap_or(&STEPPERS[0]);
        let mut recipe = Recipe {
            jacobian: jacobian(&complete),
            linear: named(LINEAR_SOLVERS, &complete.linear, |e| e.name)
                .unwrap_or(&LINEAR_SOLVERS[0]),
            control: match complete.step {
                Some(h) => Control::Fixed(h),
                None => Control::Usual,
            },
            max_order: complete.max_order,
            tuning: tuning(&complete),
            ..Recipe::new(method, plan(&complete, t_end))
        };
        if let Some(entry) = named(FORMULATIONS, &complete.formulation, |e| e.name) {
            recipe.formulation = entry;
        }
        let mut settings = Settings {
            auto,
            recipe,
            outputs: complete.outputs.clone().unwrap_or(Outputs::Steps),
            options: complete,
            given: options.clone(),
        };
        settings.check_compatibility(options)?;
        settings.name_parts();
        Ok(settings)
    }

    /// The options name what the recipe is made of.
    fn name_parts(&mut self) {
        if self.auto {
            return;
        }
        let Recipe {
            method,
            formulation,
            ..
        } = self.recipe;
        self.options.method = Some(method.name.into());
        self.options.formulation = Some(formulation.name.into());
    }

    /// Settles what depends on the system: where its derivatives come from, and whether it is stated in
    /// a way that the method can use.
    pub fn suit(&mut self, sys: &dyn System) -> Result<(), OptionError> {
        let mut recipe = self.recipe.clone();
        let mut jacobian = recipe.jacobian_of(sys);
        if recipe.jacobian.is_none() {
            axes(&self.options, &mut jacobian);
        }
        recipe.jacobian = Some(jacobian);
        let of_parts = self.options.atol_of.as_deref().unwrap_or_default();
        recipe.plan.tolerances.own = parts::tolerances(of_parts, sys)?;
        recipe.check(sys).map_err(|why| self.unfit(&why))?;
        if sys.stage_form().is_some() && !recipe.method.is_implicit() {
            let other = format!("with {}, which takes accelerations", recipe.method.name);
            let help = "leave it out, or take an implicit method";
            return Err(OptionError::beside("formalism", &other, help));
        }
        let renewal = RENEWALS.iter().find(|e| e.renewal == jacobian.renewal);
        // methods that take accelerations have no use for them
        let used = recipe.method.is_implicit();
        self.options.jacobian = used.then(|| jacobian.name());
        self.options.renewal = renewal.filter(|_| used).map(|e| e.name.to_string());
        self.options.follow = used.then_some(jacobian.follow);
        self.recipe = recipe;
        Ok(())
    }

    /// The option to blame for parts that do not fit.
    pub(crate) fn unfit(&self, why: &Unfit) -> OptionError {
        let option = match why {
            Unfit::Formulation { .. } => "formulation",
            Unfit::Algebraic { .. } => "method",
            Unfit::Undamped { .. } if self.given.has("rho") => "rho",
            Unfit::Undamped { .. } if self.given.has("alpha") => "alpha",
            Unfit::Undamped { .. } => "formulation",
            Unfit::NoDerivatives => "jacobian",
            Unfit::NotFollowed => "follow",
        };
        let help = match why {
            Unfit::NoDerivatives => {
                let others = JACOBIANS.iter().filter(|e| !e.jacobian.is_exact());
                let others: Vec<&str> = others.map(|e| e.name).collect();
                format!("use one of {}", others.join(", "))
            }
            _ => why.help(),
        };
        OptionError::new(option, why.to_string(), &help)
    }

    /// End time.
    pub fn t_end(&self) -> f64 {
        self.recipe.plan.t_end
    }

    /// Relative tolerance.
    pub fn rtol(&self) -> f64 {
        self.recipe.plan.tolerances.rtol
    }

    /// Fixed step.
    pub fn step(&self) -> Option<f64> {
        self.options.step
    }

    /// Order by which the balance of energy is judged: the highest that a method of variable order may use, 2 for the others
    /// whatever theirs is. The account of energy is a sum over steps of its own accuracy, which orders of 5 and 8 would ask
    /// too much of.
    pub(crate) fn order_of_balance(&self) -> usize {
        match self.recipe.method.variable_order {
            Some(highest) => self.recipe.max_order.unwrap_or(highest),
            None => 2,
        }
    }

    /// Options that would have no effect beside the others are refused, not ignored.
    fn check_compatibility(&self, given: &Options) -> Result<(), OptionError> {
        let method = self.recipe.method;
        method
            .takes(self.recipe.formulation)
            .map_err(|why| self.unfit(&why))?;
        if self.auto {
            let chosen = |option: &&&str| given.has(option);
            if let Some(option) = CHOSEN_BY_AUTO.iter().find(chosen) {
                let message = "cannot be given when the method is chosen automatically";
                let help = "name the method that the first run chose";
                return Err(OptionError::new(
                    option,
                    format!("{option} {message}"),
                    help,
                ));
            }
        }
        for Use {
            option,
            works,
            without,
        } in USES
        {
            if given.has(option) && !works(method) {
                let offered = STEPPERS.iter().filter(|e| works(e));
                let offered: Vec<&str> = offered.map(|e| e.name).collect();
                let help = format!("{option} works with method = {}", offered.join(", "));
                let message = format!("`{}` {without}", method.name);
                return Err(OptionError::new(option, message, &help));
            }
        }
        self.check_values(given)
    }

    /// Options whose effect depends on the value of another.
    fn check_values(&self, given: &Options) -> Result<(), OptionError> {
        let method = self.recipe.method;
        if let (Some(n), Some(highest)) = (self.recipe.max_order, method.variable_order) {
            let (lowest, orders) = match method.family {
                Family::Collocation => (5, "5, 9 and 13".to_string()),
                _ => (1, format!("1 to {highest}")),
            };
            if !(lowest..=highest).contains(&n) {
                let compared = if n > highest { "more" } else { "less" };
                return Err(OptionError::new(
                    "max_order",
                    format!("max_order = {n} is {compared} than `{}` has", method.name),
                    &format!("its orders are {orders}"),
                ));
            }
        }
        for option in ["checkpoint_steps", "checkpoint_interval"] {
            if given.has(option) && given.checkpoint.is_none() {
                let help = "name the file: checkpoint = run.ckpt";
                return Err(OptionError::beside(option, "without a checkpoint", help));
            }
        }
        for option in ["atol_of", "rtol", "atol", "atol_v"] {
            // iterations end by tolerances, whatever the step
            let used = option != "atol_of" && method.is_implicit();
            if given.step.is_some() && given.has(option) && !used {
                let help = "give either step or tolerances";
                return Err(OptionError::beside(option, "beside a fixed step", help));
            }
        }
        let of_control = [
            ("first_step", "give either step, or first_step and max_step"),
            ("max_step", "give either step, or first_step and max_step"),
        ];
        for (option, help) in of_control {
            if given.step.is_some() && given.has(option) {
                return Err(OptionError::beside(option, "beside a fixed step", help));
            }
        }
        Ok(())
    }

    /// The same with a method instead of a choice; `None` where it has no use for what was given.
    pub(crate) fn by(&self, method: &str, formulation: &str) -> Option<Settings> {
        let mut settings = self.clone();
        settings.auto = false;
        settings.recipe.method = STEPPERS.iter().find(|e| e.name == method)?;
        settings.recipe.formulation = FORMULATIONS.iter().find(|e| e.name == formulation)?;
        let method = settings.recipe.method;
        let useless = USES
            .iter()
            .any(|u| self.given.has(u.option) && !(u.works)(method));
        settings.name_parts();
        (!useless).then_some(settings)
    }
}

/// The first method that works with all options that only some methods have a use for, where such
/// options are given without one.
fn bound_to(given: &Options) -> Option<&'static StepperEntry> {
    let mut binding = CHOSEN_BY_AUTO
        .iter()
        .copied()
        .chain(USES.iter().map(|u| u.option));
    if given.method.is_some() || !binding.any(|option| given.has(option)) {
        return None;
    }
    let formulation = named(FORMULATIONS, &given.formulation, |e| e.name);
    let works = |method: &&StepperEntry| {
        formulation.is_none_or(|f| method.takes(f).is_ok())
            && USES
                .iter()
                .all(|u| !given.has(u.option) || (u.works)(method))
    };
    let first = STEPPERS.iter().find(works);
    first.or(Some(&STEPPERS[0]))
}

/// What may not be given when the method is chosen from the model.
const CHOSEN_BY_AUTO: &[&str] = &[
    "formulation",
    "rho",
    "alpha",
    "beta",
    "gamma",
    "error_estimate",
    "max_order",
    "step",
];

/// An option that only some methods have a use for.
struct Use {
    option: &'static str,
    works: fn(&StepperEntry) -> bool,
    /// What a method without a use for it is like.
    without: &'static str,
}

const USES: &[Use] = &[
    Use {
        option: "rho",
        works: |e| e.tuning.contains(&"rho"),
        without: "has no spectral radius to choose",
    },
    Use {
        option: "alpha",
        works: |e| e.tuning.contains(&"alpha"),
        without: "has no damping alpha to choose",
    },
    Use {
        option: "beta",
        works: |e| e.tuning.contains(&"beta"),
        without: "has no beta to choose",
    },
    Use {
        option: "gamma",
        works: |e| e.tuning.contains(&"gamma"),
        without: "has no gamma to choose",
    },
    Use {
        option: "error_estimate",
        works: |e| e.tuning.contains(&"error_estimate"),
        without: "has an error estimate of its own",
    },
    Use {
        option: "jacobian",
        works: StepperEntry::is_implicit,
        without: "has no use for a choice of derivatives",
    },
    Use {
        option: "condition",
        works: StepperEntry::is_implicit,
        without: "factors no iteration matrix",
    },
    Use {
        option: "renewal",
        works: keeps_derivatives,
        without: "keeps no derivatives",
    },
    Use {
        option: "follow",
        works: keeps_derivatives,
        without: "keeps no derivatives",
    },
    Use {
        option: "max_order",
        works: |e| e.variable_order.is_some(),
        without: "has one order only",
    },
];

/// Whether derivatives may serve for several steps.
fn keeps_derivatives(method: &StepperEntry) -> bool {
    method.is_implicit() && method.family != Family::Collocation
}

/// The derivatives that options name; `None`: those that suit the system.
fn jacobian(options: &Options) -> Option<Jacobian> {
    let mut jacobian = named(JACOBIANS, &options.jacobian, |e| e.name)?.jacobian;
    axes(options, &mut jacobian);
    Some(jacobian)
}

/// What is said of derivatives beside their name.
fn axes(options: &Options, jacobian: &mut Jacobian) {
    if let Some(entry) = named(RENEWALS, &options.renewal, |e| e.name) {
        jacobian.renewal = entry.renewal;
    }
    jacobian.follow = options.follow.unwrap_or(jacobian.follow);
}

fn tuning(options: &Options) -> Tuning {
    let usual = Tuning::default();
    Tuning {
        rho: options.rho.unwrap_or(usual.rho),
        alpha: options.alpha.unwrap_or(usual.alpha),
        beta: options.beta.unwrap_or(usual.beta),
        gamma: options.gamma.unwrap_or(usual.gamma),
        error_estimate: pick(ERROR_ESTIMATES, &options.error_estimate),
        ..usual
    }
}

fn plan(options: &Options, t_end: f64) -> Plan {
    let tolerances = Tolerances {
        atol: options.atol,
        atol_v: options.atol_v,
        // those of parts come once the system is known
        ..Tolerances::relative(options.rtol.unwrap_or(DEFAULT_RTOL))
    };
    let mut plan = Plan::new(t_end, tolerances);
    plan.first_step = options.first_step;
    plan.max_step = options.max_step.unwrap_or(plan.max_step);
    plan.max_attempts = options.max_steps.unwrap_or(plan.max_attempts);
    plan
}

#[cfg(test)]
mod tests {
    use super::*;

    fn to_one() -> Options {
        Options::new().t_end(1.0)
    }

    #[test]
    fn every_method_has_a_default_formulation_and_tolerance() {
        for stepper in STEPPERS {
            let s = Settings::new(&to_one().method(stepper.name), 0.0).expect(stepper.name);
            assert_eq!(s.recipe.formulation.name, stepper.formulations[0]);
            assert_eq!(s.rtol(), DEFAULT_RTOL);
        }
        let s = Settings::new(&to_one(), 0.0).unwrap();
        let names = (s.recipe.method.name, s.recipe.formulation.name);
        assert_eq!(names, ("bdf", "ggl"));
        assert!(s.auto);
        assert_eq!((s.rtol(), s.outputs), (1e-6, Outputs::Uniform(200)));
        assert_eq!(s.recipe.tuning, Tuning::default());
    }

    #[test]
    fn unknown_names_are_answered_with_the_nearest() {
        let e = Settings::new(&to_one().method("bfd"), 0.0).err().unwrap();
        assert_eq!(e.option, "method");
        assert!(e.help.unwrap().starts_with("did you mean `bdf`?"));
    }

    #[test]
    fn options_without_effect_are_refused() {
        let cases = [
            ("checkpoint_steps", to_one().checkpoint_steps(10)),
            (
                "checkpoint_interval",
                to_one()
                    .checkpoint("file".as_ref())
                    .checkpoint_interval(0.0),
            ),
            ("outputs", to_one().outputs(Outputs::Uniform(0))),
            ("outputs", to_one().outputs(Outputs::Uniform(usize::MAX))),
            ("rho", to_one().method("bdf").rho(0.5)),
            ("max_order", to_one().method("gen-alpha").max_order(2)),
            ("max_order", to_one().max_order(6)),
            ("max_step", to_one().step(0.1).max_step(0.1)),
            ("rtol", to_one().method("dop853").step(0.1).rtol(1e-4)),
            ("atol_v", to_one().method("adams").step(0.1).atol_v(1e-4)),
            ("rtol", to_one().rtol(0.0)),
            ("rtol", to_one().rtol(f64::NAN)),
            ("atol", to_one().atol(-1.0)),
            ("t_end", to_one().t_end(0.0)),
            ("t_end", Options::new()),
            ("renewal", to_one().method("dopri5").renewal("when-slow")),
            ("method", to_one().method("bfd")),
        ];
        for (option, options) in cases {
            let e = Settings::new(&options, 0.0).err();
            assert_eq!(e.map(|e| e.option), Some(option));
        }
    }
}
