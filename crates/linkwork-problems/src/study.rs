//! Runs a system with parts chosen by name: what tests, benches and published tables share.

use crate::comparators;
use linkwork_dae::chart;
use linkwork_dae::control::StepController;
use linkwork_dae::drive::{Ending, Engine, Observer, Plan};
use linkwork_dae::formulation::FORMULATIONS;
use linkwork_dae::initial::Start;
use linkwork_dae::jacobian::excitation::Following;
use linkwork_dae::jacobian::{JACOBIANS, JacobianStrategy};
use linkwork_dae::linear::{LINEAR_SOLVERS, LinearSolverEntry};
use linkwork_dae::recipe::{Control, Recipe, Unfit};
use linkwork_dae::saddle::Saddle;
use linkwork_dae::state::{State, Tolerances};
use linkwork_dae::stats::Stats;
use linkwork_dae::stepper::{STEPPERS, Stepper, StepperEntry, Tuning};
use linkwork_dae::system::System;

/// Names of the parts of a run, and its plan.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Stepper.
    pub method: &'static str,
    /// Formulation.
    pub formulation: &'static str,
    /// Derivatives, or "auto".
    pub jacobian: &'static str,
    /// Another Jacobian strategy than the named one.
    pub own_jacobian: Option<fn() -> Box<dyn JacobianStrategy>>,
    /// Linear solver.
    pub linear: &'static str,
    /// Another linear solver than the named one.
    pub own_linear: Option<&'static LinearSolverEntry>,
    /// Step and order by one of the [rules](comparators::ORDER_RULES) instead of those that suit the method.
    pub order_rule: Option<&'static str>,
    /// Free parameters of the method.
    pub tuning: Tuning,
    /// Highest order of a method whose order varies; more than it has is no limit.
    pub max_order: usize,
    /// End time and tolerances.
    pub plan: Plan,
}

/// What a run gave.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// How it ended.
    pub ending: Ending,
    /// Last state, with the accelerations and multipliers of the discrete equations.
    pub state: State,
    /// Counters.
    pub stats: Stats,
    /// What the step controller did of its own accord.
    pub notes: Vec<String>,
    /// What came of following the excitations.
    pub following: Option<Following>,
}

fn by_name<'a, T>(
    table: &'a [T],
    name: &str,
    of: impl Fn(&T) -> &'static str,
) -> Result<&'a T, String> {
    table
        .iter()
        .find(|e| of(e) == name)
        .ok_or_else(|| format!("nothing is called `{name}`"))
}

/// All methods: those of the library, then comparators.
pub fn methods() -> impl Iterator<Item = &'static StepperEntry> {
    STEPPERS.iter().chain(comparators::METHODS)
}

/// Names of all choices of derivatives: those of the library, then comparators.
pub fn jacobians() -> impl Iterator<Item = &'static str> {
    let comparators = comparators::JACOBIANS.iter().map(|e| e.0);
    JACOBIANS.iter().map(|e| e.name).chain(comparators)
}

fn unfit(why: Unfit) -> String {
    format!("{why}; {}", why.help())
}

impl Setup {
    /// A run to `t_end` with the same relative and absolute tolerance, which is that of a step as papers print it.
    pub fn new(method: &'static str, formulation: &'static str, t_end: f64, tol: f64) -> Setup {
        let mut tolerances = Tolerances::relative(tol);
        tolerances.atol = Some(tol);
        tolerances.of_step = true;
        Setup {
            method,
            formulation,
            jacobian: "exact",
            own_jacobian: None,
            linear: "sparse",
            own_linear: None,
            order_rule: None,
            tuning: Tuning::default(),
            max_order: usize::MAX,
            plan: Plan::new(t_end, tolerances),
        }
    }

    /// The parts that the names stand for.
    pub fn recipe(&self) -> Result<Recipe, String> {
        let comparator = comparators::JACOBIANS.iter().find(|e| e.0 == self.jacobian);
        let strategy = self.own_jacobian.or(comparator.map(|e| e.1));
        let jacobian = match self.jacobian {
            "auto" => None,
            _ if strategy.is_some() => None,
            name => Some(by_name(JACOBIANS, name, |e| e.name)?.jacobian),
        };
        let mut methods = methods();
        let method = methods.find(|e| e.name == self.method);
        let method = method.ok_or_else(|| format!("there is no method `{}`", self.method))?;
        // the rules of a comparator are not among the step controllers of the library
        let rules = comparators::ORDER_RULES;
        let own = rules.iter().find(|e| e.name == method.controller);
        let rule = self.order_rule.or(own.map(|e| e.name));
        Ok(Recipe {
            formulation: by_name(FORMULATIONS, self.formulation, |e| e.name)?,
            jacobian,
            strategy,
            control: match rule {
                Some(name) => Control::By(by_name(rules, name, |e| e.name)?),
                None => Control::Usual,
            },
            linear: match self.own_linear {
                Some(own) => own,
                None => by_name(LINEAR_SOLVERS, self.linear, |e| e.name)?,
            },
            tuning: self.tuning,
            max_order: Some(self.max_order),
            ..Recipe::new(method, self.plan.clone())
        })
    }

    /// The stepper alone.
    pub fn stepper(&self, sys: &dyn System) -> Result<Box<dyn Stepper>, String> {
        self.recipe()?.stepper(sys).map_err(unfit)
    }

    /// The step controller that goes with the stepper.
    pub fn controller(&self) -> Result<Box<dyn StepController>, String> {
        let recipe = self.recipe()?;
        let highest = recipe.method.variable_order.unwrap_or(1);
        Ok(recipe.controller(highest))
    }

    /// Consistent start, then the run.
    pub fn run(
        &self,
        sys: &mut dyn System,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, String> {
        let start = self.start(sys)?;
        self.run_from(sys, &start, self.controller()?, observer)
    }

    /// Consistent start.
    pub fn start(&self, sys: &mut dyn System) -> Result<Start, String> {
        self.recipe()?.start(sys).map_err(|e| e.explain(sys))
    }

    /// Everything put together, with a step controller of one's own.
    pub fn engine<'a>(
        &self,
        sys: &'a mut dyn System,
        start: &Start,
        controller: Box<dyn StepController>,
    ) -> Result<Engine<'a>, String> {
        let mut parts = self.recipe()?.integrator(sys).map_err(unfit)?;
        parts.controller = controller;
        Ok(parts.engine(sys, &start.rows))
    }

    /// The run from a start, with a step controller of one's own.
    pub fn run_from(
        &self,
        sys: &mut dyn System,
        start: &Start,
        controller: Box<dyn StepController>,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, String> {
        let mut engine = self.engine(sys, start, controller)?;
        let ending = engine.run(&start.state, &start.rows, observer);
        Ok(Outcome {
            ending,
            state: engine.state().clone(),
            stats: engine.stats,
            notes: engine.notes(),
            following: engine.following(),
        })
    }
}

/// An independent solution: the classical Runge-Kutta method of order 4 on accelerations from the
/// constraints at the acceleration level, `n` equal steps. Its error is of order `h^4`; constraint
/// drift is of the same size. Systems with algebraic states are not for it, nor rotations of half a
/// turn and more.
pub fn runge_kutta(
    sys: &mut dyn System,
    start: &Start,
    t_end: f64,
    n: usize,
) -> Result<State, String> {
    let solver = (by_name(LINEAR_SOLVERS, "sparse", |e| e.name)?.build)();
    let mut saddle = Saddle::new(sys, &start.rows, solver);
    let mut accelerate = |sys: &mut dyn System, s: &mut State| {
        saddle.accelerate(sys, s).map_err(|e| format!("{e:?}"))
    };
    let mut s = start.state.clone();
    let h = (t_end - s.t) / n as f64;
    let t0 = s.t;
    let mut stage = s.clone();
    for step in 0..n {
        s.t = t0 + step as f64 * h;
        accelerate(sys, &mut s)?;
        let mut sum = [
            vec![0.0; s.q.len()],
            vec![0.0; s.v.len()],
            vec![0.0; s.x.len()],
        ];
        stage.copy_from(&s);
        for (c, b) in [(0.5, 1.0), (0.5, 2.0), (1.0, 2.0), (0.0, 1.0)] {
            // derivatives of this stage, then the next stage from them
            let mut rates = [stage.v.clone(), stage.a.clone(), stage.xdot.clone()];
            chart::rate(sys, &stage.q, &stage.v, &mut rates[0]);
            let from = [&s.q, &s.v, &s.x];
            let to = [&mut stage.q, &mut stage.v, &mut stage.x];
            for (k, to) in to.into_iter().enumerate() {
                for i in 0..to.len() {
                    sum[k][i] += b / 6.0 * h * rates[k][i];
                    to[i] = from[k][i] + c * h * rates[k][i];
                }
            }
            stage.t = s.t + c * h;
            accelerate(sys, &mut stage)?;
        }
        for (x, sum) in [&mut s.q, &mut s.v, &mut s.x].into_iter().zip(&sum) {
            for (x, d) in x.iter_mut().zip(sum) {
                *x += d;
            }
        }
    }
    s.t = t_end;
    accelerate(sys, &mut s)?;
    Ok(s)
}
