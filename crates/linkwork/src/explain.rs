//! A failure in words: when, why, what ruled the last attempts, what to try next.

use crate::plural::count;
use crate::settings::Settings;
use linkwork_dae::corrector::Retry;
use linkwork_dae::drive::{Cause, Failure};
use linkwork_dae::initial::StartError;
use linkwork_dae::initial::Undetermined;
use linkwork_dae::log::{Attempt, Outcome};
use linkwork_dae::saddle::SaddleError;
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
    pub advice: Vec<String>,
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
pub fn failure(sys: &dyn System, settings: &Settings, why: &Failure) -> Explanation {
    Explanation {
        t: why.t,
        cause: cause(sys, why),
        attempts: why.recent.iter().map(|a| line(sys, a)).collect(),
        advice: advice(sys, settings, why, Place::Alone),
    }
}

/// A part of a coupled system that could not go on: the same, with what can be changed there.
pub(crate) fn failure_of_part(sys: &dyn System, settings: &Settings, why: &Failure) -> Explanation {
    Explanation {
        advice: advice(sys, settings, why, Place::Part),
        ..failure(sys, settings, why)
    }
}

/// Where options are given.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// On the command line.
    Alone,
    /// In the file of a system, or in the model of a part.
    Part,
}

impl Place {
    fn rtol(self, rtol: f64) -> String {
        match self {
            Place::Alone => format!("--rtol {rtol:.0e}"),
            // that of a part follows from that of the whole
            Place::Part => "a larger rtol of the system".into(),
        }
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
            .map(|line| line.trim_start_matches("Try: ").to_string())
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
            "{} crossed {events} times without time going on: each of the states that it switches \
             between leads back to the other",
            switches.join(", ")
        ),
        Cause::Output(e) => format!("the output could not be computed: {}", saddle(sys, e)),
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
            let owner = sys.owner(row);
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

fn advice(sys: &dyn System, settings: &Settings, why: &Failure, place: Place) -> Vec<String> {
    let tally = Tally::new(sys, &why.recent);
    let culprit = tally.culprits.first().map(|(owner, _)| owner.as_str());
    let t = why.t;
    // (how often it was seen, what to try); sorted by the first, stable in the order written here
    let mut ideas: Vec<(usize, String)> = Vec::new();
    if let Some(eval) = &tally.eval {
        ideas.push((
            why.recent.len(),
            format!("correct the formula or table behind \"{eval}\": it has no value just after t = {t:.6}"),
        ));
    }
    if tally.singular > 0 && tally.evals == 0 {
        ideas.push((
            tally.singular,
            format!(
                "look at the pose at t = {t:.6}: the mechanism is at or near a dead point or a branching{}",
                culprit.map_or(String::new(), |c| format!(", seen at `{c}`"))
            ),
        ));
    }
    if tally.rounding > 0 && tally.evals == 0 {
        let rtol = (100.0 * settings.rtol).min(1e-2);
        ideas.push((
            tally.rounding,
            format!(
                "loosen the tolerance, which is below the rounding in this pose: {}",
                place.rtol(rtol)
            ),
        ));
    }
    if tally.rejected > 0 {
        let at = culprit.map_or(String::new(), |c| format!(" of `{c}`"));
        ideas.push((
            tally.rejected,
            format!(
                "look for a jump or kink in the forces or drives{at} near t = {t:.6} and smooth it"
            ),
        ));
        if tally.rounding == 0 {
            let rtol = (10.0 * settings.rtol).min(1e-2);
            ideas.push((
                tally.rejected,
                format!("loosen the tolerance: {}", place.rtol(rtol)),
            ));
        }
    }
    if tally.newton > 0 {
        let exact = settings.jacobian.name.starts_with("exact");
        let has_exact = Parts::ALL.without(sys.exact_parts()).is_empty();
        if has_exact && !exact {
            ideas.push((
                tally.newton,
                match place {
                    Place::Alone => "use exact derivatives: --jacobian exact".into(),
                    Place::Part => {
                        "use exact derivatives: jacobian = \"exact\" in [simulation] of the model"
                            .into()
                    }
                },
            ));
        }
        let at = culprit.map_or(String::new(), |c| format!(" acting on `{c}`"));
        ideas.push((
            tally.newton,
            format!("check stiffness and damping of the forces{at}; values far from physical ones cannot be followed"),
        ));
    }
    let troubles = tally.rejected + tally.newton + tally.singular + tally.evals;
    if let (Cause::StepTooSmall { .. }, 0) = (&why.cause, troubles) {
        let at = fastest(sys, &why.recent).map_or(String::new(), |c| format!(" of `{c}`"));
        ideas.push((
            usize::MAX,
            format!("look for forces that grow without bound towards t = {t:.6}: every step{at} had to be shorter than the last"),
        ));
    }
    if let Cause::OutOfAttempts { attempts } = why.cause {
        let more = attempts.saturating_mul(10);
        ideas.push((usize::MAX, format!("allow more: --max-steps {more}")));
        // a run that was well under way has no other trouble
        if settings.step.is_none() && 2 * troubles < why.recent.len() {
            return ideas.pop().into_iter().map(|(_, idea)| idea).collect();
        }
    }
    if settings.step.is_some() {
        ideas.push((
            usize::MAX,
            "leave --step out, so that the step follows the error".into(),
        ));
    }
    ideas.sort_by_key(|&(n, _)| std::cmp::Reverse(n));
    let mut advice: Vec<String> = ideas.into_iter().map(|(_, idea)| idea).collect();
    let other = linkwork_dae::stepper::STEPPERS
        .iter()
        .find(|s| s.name != settings.method.name);
    // a formula without a value has none in any method
    let method_matters = troubles > tally.evals;
    if let Some(other) = other.filter(|_| method_matters) {
        advice.push(match place {
            Place::Alone => format!("try another method: --method {}", other.name),
            Place::Part => format!(
                "try another method: method = \"{}\" in [[subsystem]] of the system file",
                other.name
            ),
        });
    }
    advice
}

/// The part that ruled most of the accepted steps.
fn fastest(sys: &dyn System, recent: &[Attempt]) -> Option<String> {
    let mut owners: Vec<(String, usize)> = Vec::new();
    for attempt in recent {
        if let Outcome::Accepted { worst, .. } = attempt.outcome {
            let owner = sys.owner(worst);
            match owners.iter_mut().find(|(o, _)| *o == owner) {
                Some((_, n)) => *n += 1,
                None => owners.push((owner, 1)),
            }
        }
    }
    owners.sort_by_key(|&(_, n)| std::cmp::Reverse(n));
    owners.into_iter().next().map(|(owner, _)| owner)
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "failed at t = {}: {}", self.t, self.cause)?;
        if !self.attempts.is_empty() {
            writeln!(f, "\nlast attempts:")?;
            writeln!(
                f,
                "  {:>14}  {:>9}  {:>5}  {:>9}  outcome",
                "t", "h", "order", "error/tol"
            )?;
            for a in &self.attempts {
                let err = a.err.map_or("-".to_string(), |e| format!("{e:.2e}"));
                writeln!(
                    f,
                    "  {:>14.9}  {:>9.2e}  {:>5}  {:>9}  {}",
                    a.t, a.h, a.order, err, a.ruled_by
                )?;
            }
        }
        if !self.advice.is_empty() {
            writeln!(f, "\nwhat to try:")?;
            for (i, idea) in self.advice.iter().enumerate() {
                writeln!(f, "  {}. {idea}", i + 1)?;
            }
        }
        Ok(())
    }
}
