//! One recipe for a run: which parts it is made of, whether they fit, and the engine they make.

use crate::control::fixed::{Fixed, Steady};
use crate::control::{CONTROLLERS, ControllerEntry, StepController};
use crate::cosim::mechanism::Integrator;
use crate::drive::{Engine, Plan, Way};
use crate::formulation::{FORMULATIONS, Formulation, FormulationEntry, Means};
use crate::implicit::Implicit;
use crate::initial::{self, Start, StartError};
use crate::jacobian::{Jacobian, JacobianStrategy};
use crate::law::{Law, RowLaw};
use crate::linear::{LINEAR_SOLVERS, LinearSolverEntry};
use crate::ode::{Hold, Ode};
use crate::saddle::Saddle;
use crate::stepper::{Family, Needs, STEPPERS, Stepper, StepperEntry, Tuning};
use crate::system::{Parts, Reader, Row, Rows, System, stage_form};

/// What chooses the steps.
#[derive(Clone, Copy)]
pub enum Control {
    /// The controller that suits the method.
    Usual,
    /// Another one.
    By(&'static ControllerEntry),
    /// Nobody: they are of one length.
    Fixed(f64),
}

/// Everything that a run is made of, as plain data.
#[derive(Clone)]
pub struct Recipe {
    /// Time discretisation.
    pub method: &'static StepperEntry,
    /// Which equations are solved.
    pub formulation: &'static FormulationEntry,
    /// Derivatives of an implicit method; `None`: those that suit the system.
    pub jacobian: Option<Jacobian>,
    /// A strategy of one's own instead.
    pub strategy: Option<fn() -> Box<dyn JacobianStrategy>>,
    /// Linear solver.
    pub linear: &'static LinearSolverEntry,
    /// Step control.
    pub control: Control,
    /// Highest order of a method whose order varies; more than it has is no limit.
    pub max_order: Option<usize>,
    /// Free parameters of the method.
    pub tuning: Tuning,
    /// End time, tolerances and bounds of steps.
    pub plan: Plan,
}

/// Parts that do not fit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    /// The method does not run with the formulation.
    #[error("method `{method}` does not run with formulation `{formulation}`")]
    Formulation {
        /// Name of the method.
        method: &'static str,
        /// Name of the formulation.
        formulation: &'static str,
    },
    /// An explicit method cannot solve for algebraic states.
    #[error("method `{method}` is explicit and cannot solve the algebraic equation of {state}")]
    Algebraic {
        /// Name of the method.
        method: &'static str,
        /// The unknown.
        row: Row,
        /// The unknown in words.
        state: String,
    },
    /// Nothing damps what error control does to reactions.
    #[error(
        "method `{method}` without damping cannot choose its steps in formulation `index3`: every change of the \
         step leaves noise in the reactions that nothing takes away"
    )]
    Undamped {
        /// Name of the method.
        method: &'static str,
        /// What sets its damping.
        parameter: &'static str,
    },
    /// Exact derivatives that the system does not have.
    #[error("the system does not supply its derivatives")]
    NoDerivatives,
    /// Exact derivatives do not follow excitations.
    #[error("only derivatives by differences follow excitations")]
    NotFollowed,
}

impl Unfit {
    /// What works instead, in words.
    pub fn help(&self) -> String {
        let pairs = |fits: &dyn Fn(&StepperEntry) -> bool, without: &str| {
            let words = |s: &StepperEntry| {
                let of = s.formulations.iter().filter(|f| **f != without);
                let of: Vec<&str> = of.copied().collect();
                format!("{} with {}", s.name, of.join(" or "))
            };
            let pairs: Vec<String> = STEPPERS.iter().filter(|s| fits(s)).map(words).collect();
            format!("these combinations work: {}", pairs.join("; "))
        };
        match self {
            Unfit::Formulation {
                method,
                formulation,
            } => {
                let own = STEPPERS.iter().find(|s| s.name == *method);
                let own = own.map_or(String::new(), |s| s.formulations.join(", "));
                let with = STEPPERS
                    .iter()
                    .filter(|s| s.formulations.contains(formulation));
                let with: Vec<&str> = with.map(|s| s.name).collect();
                let with = with.join(", ");
                format!("`{method}` runs with {own}; `{formulation}` is for {with}")
            }
            Unfit::Algebraic { .. } => pairs(&|s| s.is_implicit(), ""),
            Unfit::Undamped { parameter, .. } => {
                format!("give it damping ({parameter}), a fixed step, or formulation `ggl`")
            }
            Unfit::NoDerivatives => "take derivatives by differences, or those that suit".into(),
            Unfit::NotFollowed => "leave `follow` out, or take differences".into(),
        }
    }
}

impl StepperEntry {
    /// Whether the method runs with the formulation.
    pub fn takes(&self, formulation: &FormulationEntry) -> Result<(), Unfit> {
        let mut all = self.formulations.iter().chain(self.steady);
        if all.any(|name| *name == formulation.name) {
            return Ok(());
        }
        Err(Unfit::Formulation {
            method: self.name,
            formulation: formulation.name,
        })
    }
}

/// The entry of a registry by its name.
fn by_name<T>(
    registry: &'static [T],
    name: &str,
    of: fn(&T) -> &'static str,
) -> Option<&'static T> {
    registry.iter().find(|e| of(e) == name)
}

impl Recipe {
    /// A run by a method in the formulation that it prefers, with everything else as usual.
    pub fn new(method: &'static StepperEntry, plan: Plan) -> Recipe {
        let preferred = by_name(FORMULATIONS, method.formulations[0], |e| e.name);
        Recipe {
            method,
            formulation: preferred.unwrap_or(&FORMULATIONS[0]),
            jacobian: None,
            strategy: None,
            linear: &LINEAR_SOLVERS[0],
            control: Control::Usual,
            max_order: None,
            tuning: Tuning::default(),
            plan,
        }
    }

    /// The same by names; `None` if one of them is unknown.
    pub fn named(method: &str, formulation: &str, plan: Plan) -> Option<Recipe> {
        let method = by_name(STEPPERS, method, |e| e.name)?;
        Some(Recipe {
            formulation: by_name(FORMULATIONS, formulation, |e| e.name)?,
            ..Recipe::new(method, plan)
        })
    }

    /// The derivatives of a run of this system.
    pub fn jacobian_of(&self, sys: &dyn System) -> Jacobian {
        self.jacobian.unwrap_or_else(|| Jacobian::suited(sys))
    }

    /// Whether velocities are differences of positions, with errors normal to the constraints.
    fn filters(&self, sys: &dyn System) -> bool {
        self.formulation.name == "index3" && sys.dims().nc > 0
    }

    /// Whether the parts fit each other and the system.
    pub fn check(&self, sys: &dyn System) -> Result<(), Unfit> {
        let method = self.method.name;
        self.method.takes(self.formulation)?;
        let parameter = (self.method.undamped)(&self.tuning);
        if let (Some(parameter), true, false) = (
            parameter,
            self.filters(sys),
            matches!(self.control, Control::Fixed(_)),
        ) {
            return Err(Unfit::Undamped { method, parameter });
        }
        if self.method.is_implicit() {
            let jacobian = self.jacobian_of(sys);
            let supplied = Parts::ALL.without(sys.facts().exact).is_empty();
            return match jacobian.is_exact() && self.strategy.is_none() {
                true if !supplied => Err(Unfit::NoDerivatives),
                true if jacobian.follow => Err(Unfit::NotFollowed),
                _ => Ok(()),
            };
        }
        let differential = sys.facts().differential.clone();
        if let Some(i) = differential.iter().position(|d| !d) {
            let row = Row::State(i);
            let state = sys.describe(row);
            return Err(Unfit::Algebraic { method, row, state });
        }
        Ok(())
    }

    /// Whether independent coordinates are integrated alone.
    pub fn is_reduced(&self) -> bool {
        matches!(self.formulation.means, Means::Ode(Hold::Partition))
    }

    /// What the run does with derivative blocks.
    pub fn reader(&self, sys: &dyn System) -> Reader {
        let differenced = self.strategy.is_some() || !self.jacobian_of(sys).is_exact();
        // sliding friction ties columns of C_q together
        let dry = |law: &RowLaw| matches!(law.law, Law::Dry(_) | Law::Cone(_));
        match self.is_reduced()
            || sys.facts().laws.iter().any(dry)
            || (self.method.is_implicit() && differenced)
        {
            true => Reader::Entries,
            false => Reader::Solver,
        }
    }

    /// Finds a consistent start of the run.
    pub fn start(&self, sys: &mut dyn System) -> Result<Start, StartError> {
        sys.structure(self.reader(sys));
        let guess = sys.facts().guess.clone();
        initial::start(sys, &guess)
    }

    /// The equations of a step as the method solves them, for fewer unknowns where the system allows;
    /// `None` for methods that take accelerations.
    fn placement(&self, sys: &dyn System) -> Option<Formulation> {
        let Means::Placement(form) = self.formulation.means else {
            return None;
        };
        Some(form().condensed(stage_form(sys)))
    }

    /// The nonlinear problem of a step; `None` for methods that take accelerations.
    pub fn implicit(&self, sys: &dyn System) -> Option<Implicit> {
        let form = self.placement(sys)?;
        let jacobian = match self.strategy {
            Some(own) => own(),
            None => self.jacobian_of(sys).build(),
        };
        Some(Implicit::new(form, jacobian, (self.linear.build)()))
    }

    /// Unknowns of the matrix that a step factors.
    pub fn unknowns(&self, sys: &dyn System) -> usize {
        let dims = sys.dims();
        match self.placement(sys) {
            Some(mut form) => form.bind(stage_form(sys), &Rows::all(dims)).0.n,
            None => dims.nv + dims.rows(),
        }
    }

    /// The stepper.
    pub fn stepper(&self, sys: &dyn System) -> Result<Box<dyn Stepper>, Unfit> {
        self.check(sys)?;
        match (
            self.method.needs,
            self.formulation.means,
            self.implicit(sys),
        ) {
            (Needs::Ode(build), Means::Ode(hold), _) => {
                let ode = Ode::new(hold, (self.linear.build)());
                Ok(build(ode, &self.tuning))
            }
            (Needs::Implicit(build), _, Some(implicit)) => Ok(build(implicit, &self.tuning)),
            _ => Err(Unfit::Formulation {
                method: self.method.name,
                formulation: self.formulation.name,
            }),
        }
    }

    /// What chooses step and order under error control.
    pub fn controller_entry(&self) -> &'static ControllerEntry {
        match self.control {
            Control::By(entry) => entry,
            Control::Usual | Control::Fixed(_) => {
                let usual = by_name(CONTROLLERS, self.method.controller, |e| e.name);
                usual.unwrap_or(&CONTROLLERS[0])
            }
        }
    }

    /// The highest order to be used of a method that offers one.
    fn highest(&self, offered: usize) -> usize {
        self.max_order.map_or(offered, |n| n.min(offered))
    }

    /// The step controller for orders up to the highest of the method.
    pub fn controller(&self, highest: usize) -> Box<dyn StepController> {
        let order = self.highest(highest);
        match self.control {
            Control::Fixed(h) if self.method.family == Family::Collocation => {
                Box::new(Steady(Fixed::new(h, order)))
            }
            Control::Fixed(h) if self.method.variable_order.is_some() => {
                Box::new(Fixed::climbing(h, order))
            }
            Control::Fixed(h) => Box::new(Fixed::new(h, order)),
            Control::Usual | Control::By(_) => (self.controller_entry().build)(order),
        }
    }

    /// Accelerations and reactions of the rows that a start has kept.
    pub fn saddle(&self, sys: &dyn System, rows: &Rows) -> Saddle {
        Saddle::new(sys, rows, (self.linear.build)())
    }

    /// Everything put together, for the rows that a start has kept.
    pub fn engine<'a>(&self, sys: &'a mut dyn System, rows: &Rows) -> Result<Engine<'a>, Unfit> {
        self.engine_beside(&[], sys, rows)
    }

    /// The same with other recipes as further ways to take steps, see [`Engine::turn_to`]. The plan is
    /// that of this one.
    pub fn engine_beside<'a>(
        &self,
        others: &[&Recipe],
        sys: &'a mut dyn System,
        rows: &Rows,
    ) -> Result<Engine<'a>, Unfit> {
        let stored = others.iter().any(|r| r.reader(sys) == Reader::Entries);
        let reader = if stored {
            Reader::Entries
        } else {
            self.reader(sys)
        };
        sys.structure(reader);
        let ways: Result<Vec<_>, Unfit> = others.iter().map(|r| r.way(sys)).collect();
        let (ways, own) = (ways?, self.parts(sys)?);
        let mut engine = own.engine(sys, rows);
        for (stepper, controller) in ways {
            engine.add_way(stepper, controller);
        }
        Ok(engine)
    }

    /// The parts of an integrator; a subsystem finds its start itself.
    pub fn integrator(&self, sys: &mut dyn System) -> Result<Integrator, Unfit> {
        sys.structure(self.reader(sys));
        self.parts(sys)
    }

    /// What takes steps and what controls them.
    fn way(&self, sys: &dyn System) -> Result<Way, Unfit> {
        let stepper = self.stepper(sys)?;
        let controller = self.controller(stepper.max_order());
        Ok((stepper, controller))
    }

    /// The same with everything else, for a system whose blocks are laid out.
    fn parts(&self, sys: &dyn System) -> Result<Integrator, Unfit> {
        let (stepper, controller) = self.way(sys)?;
        let order = self.highest(stepper.max_order());
        // velocities that are positions over steps meet rounding first, all the sooner the higher the order
        let share = match stepper.adds_up(order) && !(order > 2 && self.filters(sys)) {
            true => self.plan.tolerances.share_of_step(order),
            false => 1.0,
        };
        Ok(Integrator {
            controller,
            stepper,
            linear: (self.linear.build)(),
            plan: Plan {
                consistent: self.formulation.consistent,
                share,
                ..self.plan.clone()
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every row of the table names formulations that exist and are realised as it needs them.
    #[test]
    fn every_named_combination_is_of_one_kind() {
        for stepper in STEPPERS {
            for name in stepper.formulations {
                let entry = FORMULATIONS.iter().find(|f| f.name == *name).unwrap();
                let fits = matches!(
                    (stepper.needs, entry.means),
                    (Needs::Implicit(_), Means::Placement(_)) | (Needs::Ode(_), Means::Ode(_))
                );
                assert!(fits, "{} with {name}", stepper.name);
            }
            let controller = by_name(CONTROLLERS, stepper.controller, |e| e.name);
            assert!(controller.is_some(), "{}", stepper.name);
        }
    }
}
