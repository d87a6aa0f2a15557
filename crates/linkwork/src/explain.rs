//! A failure in words: when, why, what ruled the last attempts, what to try next.

use crate::advice::Advice;
use crate::doubts::Doubt;
use crate::plural::count;
use crate::settings::Settings;
use linkwork_dae::corrector::Retry;
use linkwork_dae::drive::{Cause, Failure};
use linkwork_dae::initial::StartError;
use linkwork_dae::initial::Undetermined;
use linkwork_dae::log::{Attempt, Outcome};
use linkwork_dae::modes::Overlap;
use linkwork_dae::recipe::Recipe;
use linkwork_dae::saddle::SaddleError;
use linkwork_dae::stepper::{STEPPERS, StepperEntry};
use linkwork_dae::system::{Parts, Row, System};
use serde::Serialize;
use std::fmt;

/// Why a run could not start or go on.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Explanation {
    /// The last time reached.
    pub t: f64,
    /// Why, in one or a few sentences.
    pub cause: String,
    /// The last attempts, oldest first.
    pub attempts: Vec<AttemptLine>,
    /// Things to try, most promising first.
    pub advice: Vec<Advice>,
}

/// One attempted step in words.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AttemptLine {
    /// Time before the step.
    pub t: f64,
    /// Step size.
    pub h: f64,
    /// Order.
    pub order: usize,
    /// Error over tolerance, if the step could be solved.
    pub err: Option<f64>,
    /// How it went and what ruled it.
    pub ruled_by: String,
}

/// A run that could not go on.
pub(crate) fn failure(sys: &dyn System, settings: &Settings, why: &Failure) -> Explanation {
    Explanation {
        t: why.t,
        cause: cause(sys, why),
        attempts: why.recent.iter().map(|a| line(sys, a)).collect(),
        advice: advice(sys, settings, why),
    }
}

/// A run that could not start. The words come from the start itself.
pub fn no_start(sys: &dyn System, why: &StartError) -> Explanation {
    let text = why.explain(sys);
    let (advice, cause): (Vec<&str>, Vec<&str>) =
        text.lines().partition(|line| line.starts_with("Try: "));
    Explanation {
        t: why.state().map_or(f64::NAN, |s| s.t),
        cause: format!("no consistent start was found. {}", cause.join("\n")),
        attempts: Vec::new(),
        advice: advice
            .iter()
            .map(|line| line.trim_start_matches("Try: ").into())
            .collect(),
    }
}

fn cause(sys: &dyn System, why: &Failure) -> String {
    let failed = |a: &&Attempt| !matches!(a.outcome, Outcome::Accepted { .. });
    let without_value = |a: &&Attempt| matches!(a.outcome, Outcome::Unsolved(Retry::Eval(_)));
    // a formula at its end makes the steps small, and small steps make all other troubles
    let attempts = || why.recent.iter().rev();
    let telling = attempts()
        .find(without_value)
        .or_else(|| attempts().find(failed));
    let because = telling.map_or(String::new(), |a| {
        let words = outcome(sys, &a.outcome);
        format!("; the last attempt: {words}")
    });
    match &why.cause {
        Cause::StepTooSmall { h } if h.is_nan() => "the step size is not a number".to_string(),
        Cause::StepTooSmall { h } => {
            format!("the step became too small to advance time (h = {h:.2e} s){because}")
        }
        Cause::OutOfReach { h } => format!(
            "steps of {h:.1e} s never reach the end: they are below the rounding of the time that is left"
        ),
        Cause::TooManyRetries { retries } => {
            let times = count(*retries, "time", "times");
            format!("one step was tried {times} without success{because}")
        }
        Cause::Singular { attempts } => {
            let singular =
                |a: &Attempt| matches!(a.outcome, Outcome::Unsolved(Retry::Singular { .. }));
            let what = if why.recent.iter().any(singular) {
                "constraints depend on each other in this pose"
            } else {
                "rounding exceeds the tolerance here"
            };
            let tried = match attempts {
                1 => "the one step that was tried does not lead on".to_string(),
                n => format!("none of {n} steps of different lengths leads on"),
            };
            format!("{what}, and {tried}{because}")
        }
        Cause::OutOfAttempts { attempts } => {
            let used = match attempts {
                1 => "attempt is".to_string(),
                n => format!("{n} attempts are"),
            };
            format!("the allowed {used} used up")
        }
        Cause::Chatter { switches, events } => format!(
            "{} crossed {events} times without time going on: on either side the motion leads back to the other",
            switches.join(", ")
        ),
        Cause::PilesUp { switch, end } => format!(
            "{switch} crosses ever faster, without end before t = {end:.6} s: less than a tolerance moves until then, and no \
             jump leads beyond it"
        ),
        Cause::Overlap(overlap) => {
            let Overlap { name, by } = overlap.clone();
            Doubt::Beyond { name, by }.to_string()
        }
        Cause::Output(e) => format!("the output could not be computed: {}", saddle(sys, e)),
        Cause::Event { switches, why } => format!(
            "what {} leads to contradicts the rest of the model: {}",
            match &switches[..] {
                [] => "this instant".into(),
                all => all.join(", "),
            },
            saddle(sys, why)
        ),
        Cause::Observer(e) => format!("an observer of the run has failed: {e}"),
        Cause::Restart(Undetermined::Eval(e)) => {
            format!("the equations have no value after a jump of the inputs: {e}")
        }
        Cause::Restart(Undetermined::Singular { row }) => format!(
            "{} is undetermined after a jump of the inputs",
            sys.describe(*row)
        ),
        Cause::Restart(Undetermined::NotConverged { row }) => format!(
            "Newton's method for {} did not converge after a jump of the inputs",
            sys.describe(*row)
        ),
    }
}

fn saddle(sys: &dyn System, e: &SaddleError) -> String {
    match e {
        SaddleError::Eval(e) => e.to_string(),
        SaddleError::Singular { row } => format!(
            "accelerations and reactions are undetermined at {}",
            sys.describe(*row)
        ),
        SaddleError::Unsettled { row } => format!(
            "the reaction of {} and the forces that follow it do not settle",
            sys.describe(*row)
        ),
        SaddleError::NotProjected { row, residual } => format!(
            "{} could not be closed (residual {residual:.2e})",
            sys.describe(*row)
        ),
    }
}

fn outcome(sys: &dyn System, o: &Outcome) -> String {
    match o {
        Outcome::Accepted { .. } => "accepted".to_string(),
        Outcome::Rejected { worst, .. } => {
            format!("error test failed: {}", sys.describe(*worst))
        }
        Outcome::Unsolved(Retry::Diverged { rate, worst }) if rate.is_infinite() => {
            format!("values grew without bound: {}", sys.describe(*worst))
        }
        Outcome::Unsolved(Retry::Diverged { rate, worst }) => {
            format!("Newton diverged (rate {rate:.2}): {}", sys.describe(*worst))
        }
        Outcome::Unsolved(Retry::Slow { iterations, worst }) => format!(
            "Newton too slow ({}): {}",
            count(*iterations, "iteration", "iterations"),
            sys.describe(*worst)
        ),
        Outcome::Unsolved(Retry::Singular { unknown }) => {
            format!("singular matrix: {}", sys.describe(*unknown))
        }
        Outcome::Unsolved(Retry::Rounding { floor, worst }) => format!(
            "rounding alone makes {floor:.1e} tolerances: {}",
            sys.describe(*worst)
        ),
        Outcome::Unsolved(Retry::Eval(e)) => format!("no value: {e}"),
        Outcome::Unsolved(Retry::Branch { worst, .. }) => format!(
            "the step may have left its assembly branch: {}",
            sys.describe(*worst)
        ),
    }
}

fn line(sys: &dyn System, a: &Attempt) -> AttemptLine {
    let err = match a.outcome {
        Outcome::Accepted { err, .. } | Outcome::Rejected { err, .. } => Some(err),
        Outcome::Unsolved(_) => None,
    };
    AttemptLine {
        t: a.t,
        h: a.h,
        order: a.order,
        err,
        ruled_by: outcome(sys, &a.outcome),
    }
}

/// How often each kind of trouble occurs among the last attempts.
#[derive(Default)]
struct Tally {
    rejected: usize,
    newton: usize,
    singular: usize,
    /// Those of the singular ones that a looser tolerance would have accepted.
    rounding: usize,
    eval: Option<String>,
    evals: usize,
    culprits: Vec<(String, usize)>,
}

impl Tally {
    fn new(sys: &dyn System, recent: &[Attempt]) -> Tally {
        let mut tally = Tally::default();
        let mut blame = |row: Row| {
            let owner = sys.culprit(row);
            match tally.culprits.iter_mut().find(|(o, _)| *o == owner) {
                Some((_, n)) => *n += 1,
                None => tally.culprits.push((owner, 1)),
            }
        };
        for attempt in recent {
            match &attempt.outcome {
                Outcome::Accepted { .. } => {}
                Outcome::Rejected { worst, .. } => {
                    tally.rejected += 1;
                    blame(*worst);
                }
                Outcome::Unsolved(
                    Retry::Diverged { worst, .. }
                    | Retry::Slow { worst, .. }
                    | Retry::Branch { worst, .. },
                ) => {
                    tally.newton += 1;
                    blame(*worst);
                }
                Outcome::Unsolved(Retry::Rounding { worst, .. }) => {
                    tally.singular += 1;
                    tally.rounding += 1;
                    blame(*worst);
                }
                Outcome::Unsolved(Retry::Singular { unknown }) => {
                    tally.singular += 1;
                    blame(*unknown);
                }
                Outcome::Unsolved(Retry::Eval(e)) => {
                    tally.evals += 1;
                    tally.eval = Some(e.to_string());
                }
            }
        }
        tally.culprits.sort_by_key(|&(_, n)| std::cmp::Reverse(n));
        tally
    }
}

fn advice(sys: &dyn System, settings: &Settings, why: &Failure) -> Vec<Advice> {
    let tally = Tally::new(sys, &why.recent);
    let part = || tally.culprits.first().map(|(owner, _)| owner.clone());
    let (t, rtol) = (why.t, settings.rtol());
    // (how often it was seen, what to try); sorted by the first, stable in the order written here
    let mut ideas: Vec<(usize, Advice)> = Vec::new();
    if let Cause::PilesUp { .. } = why.cause {
        return vec![Advice::Other(
            "use a joint that rests in the end: a stop, a rope or a rigid contact".into(),
        )];
    }
    if let Some(what) = tally.eval.clone() {
        ideas.push((why.recent.len(), Advice::CorrectFormula { what, t }));
    }
    if tally.singular > 0 && tally.evals == 0 {
        ideas.push((tally.singular, Advice::LookAtPose { t, part: part() }));
    }
    let looser = |factor: f64, rounding| Advice::LoosenTolerance {
        rtol: (factor * rtol).min(1e-2),
        rounding,
    };
    if tally.rounding > 0 && tally.evals == 0 {
        ideas.push((tally.rounding, looser(100.0, true)));
    }
    if tally.rejected > 0 {
        ideas.push((tally.rejected, Advice::SmoothForces { t, part: part() }));
        if tally.rounding == 0 {
            ideas.push((tally.rejected, looser(10.0, false)));
        }
    }
    if tally.newton > 0 {
        let has_exact = Parts::ALL.without(sys.facts().exact).is_empty();
        if has_exact && !settings.recipe.jacobian_of(sys).is_exact() {
            ideas.push((tally.newton, Advice::ExactDerivatives));
        }
        ideas.push((tally.newton, Advice::CheckStiffness { part: part() }));
    }
    let troubles = tally.rejected + tally.newton + tally.singular + tally.evals;
    if let (Cause::StepTooSmall { .. }, 0) = (&why.cause, troubles) {
        let part = fastest(sys, &why.recent);
        ideas.push((usize::MAX, Advice::LookForPole { t, part }));
    }
    if let Cause::OutOfReach { .. } = why.cause {
        let end =
            "give an end that the motion can reach, and look for numbers in other units than meant";
        return vec![Advice::Other(end.into())];
    }
    if let Cause::OutOfAttempts { attempts } = why.cause {
        let more = Advice::MoreSteps(attempts.saturating_mul(10));
        // a run that was well under way has no other trouble
        if settings.step().is_none() && 2 * troubles < why.recent.len() {
            return vec![more];
        }
        ideas.push((usize::MAX, more));
    }
    if settings.step().is_some() {
        ideas.push((usize::MAX, Advice::NoFixedStep));
    }
    ideas.sort_by_key(|&(n, _)| std::cmp::Reverse(n));
    let mut advice: Vec<Advice> = ideas.into_iter().map(|(_, idea)| idea).collect();
    // a formula without a value has none in any method
    if troubles > tally.evals {
        advice.extend(other_method(sys, settings).map(Advice::OtherMethod));
    }
    advice
}

/// The first method of another kind that can integrate the system.
fn other_method(sys: &dyn System, settings: &Settings) -> Option<&'static str> {
    let recipe = &settings.recipe;
    let others = STEPPERS.iter();
    let mut others = others.filter(|s| s.family != recipe.method.family);
    let suits = |s: &&'static StepperEntry| Recipe::new(s, recipe.plan.clone()).check(sys).is_ok();
    others.find(suits).map(|s| s.name)
}

/// The part that ruled most of the accepted steps.
fn fastest(sys: &dyn System, recent: &[Attempt]) -> Option<String> {
    let mut owners: Vec<(String, usize)> = Vec::new();
    for attempt in recent {
        if let Outcome::Accepted { worst, .. } = attempt.outcome {
            let owner = sys.culprit(worst);
            match owners.iter_mut().find(|(o, _)| *o == owner) {
                Some((_, n)) => *n += 1,
                None => owners.push((owner, 1)),
            }
        }
    }
    owners.sort_by_key(|&(_, n)| std::cmp::Reverse(n));
    owners.into_iter().next().map(|(owner, _)| owner)
}

impl Explanation {
    /// The whole in lines, with each piece of advice as `show` writes it.
    pub fn text(&self, show: impl Fn(&Advice) -> String) -> String {
        let mut text = format!("failed at t = {}: {}\n", self.t, self.cause);
        if !self.attempts.is_empty() {
            text.push_str("\nlast attempts:\n");
            text.push_str(&format!(
                "  {:>14}  {:>9}  {:>5}  {:>9}  outcome\n",
                "t", "h", "order", "error/tol"
            ));
            for a in &self.attempts {
                let err = a.err.map_or("-".to_string(), |e| format!("{e:.2e}"));
                text.push_str(&format!(
                    "  {:>14.9}  {:>9.2e}  {:>5}  {:>9}  {}\n",
                    a.t, a.h, a.order, err, a.ruled_by
                ));
            }
        }
        if !self.advice.is_empty() {
            text.push_str("\nwhat to try:\n");
            for (i, idea) in self.advice.iter().enumerate() {
                text.push_str(&format!("  {}. {}\n", i + 1, show(idea)));
            }
        }
        text
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(Advice::to_string))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Options;
    use linkwork_mbs::text;

    /// Whatever has failed, another variant of it is no advice.
    #[test]
    fn another_method_is_of_another_kind() {
        let pendulum = crate::catalogue::MODELS
            .iter()
            .find(|m| m.name == "pendulum");
        let document = text::read(pendulum.expect("a model").text).expect("sound");
        let sys = linkwork_mbs::system(&document.model).expect("sound");
        for failed in STEPPERS {
            let options = Options {
                t_end: Some(1.0),
                method: Some(failed.name.into()),
                ..Options::default()
            };
            let settings = Settings::new(&options, 0.0).expect("sound");
            let name = other_method(&*sys, &settings).expect("there are others");
            let other = STEPPERS.iter().find(|s| s.name == name).expect("known");
            assert_ne!(
                other.family, failed.family,
                "{} after {}",
                name, failed.name
            );
        }
    }
}
