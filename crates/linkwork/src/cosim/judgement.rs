//! What a co-simulation is worth, in words: why it failed, what speaks against it.

use super::build::CoupledSystem;
use super::options::CosimSettings;
use crate::advice::Advice;
use crate::doubts::Doubt;
use crate::explain::{self, Explanation};
use crate::notes::Note;
use crate::settings::Settings;
use linkwork_dae::cosim::account::{Ending, Guarantee};
use linkwork_dae::cosim::{Report, Why};

/// More repeated steps than this share of the accepted ones are a sign of trouble.
const MANY_REJECTIONS: f64 = 0.5;
const FEW_REJECTIONS: u64 = 20;
/// The energy that approximation brings into a connection may be this many tolerances of what goes
/// through: twice what the motion itself may be off by.
const ENERGY_MULTIPLE: f64 = 30.0;
const LARGEST_ENERGY_BOUND: f64 = 0.05;

impl CoupledSystem {
    /// Why it failed, in words; `None` if it did not.
    pub(super) fn explain(&self, micro: &[Settings], report: &Report) -> Option<Explanation> {
        let told = |cause: String, advice: &[&str]| Explanation {
            t: report.t,
            cause,
            attempts: Vec::new(),
            advice: advice.iter().map(|a| Advice::from(*a)).collect(),
        };
        let part = |i: usize| &self.parts[i.min(self.parts.len() - 1)];
        match &report.ending {
            Ending::Finished | Ending::Stopped | Ending::Ended { .. } => None,
            Ending::Failed { member, trouble } => {
                let sys = &*part(*member).system;
                let name = &part(*member).name;
                let mut words = match &trouble.why {
                    Why::Integration(failure) => {
                        let mut words = explain::failure(sys, &micro[*member], failure);
                        let in_part = |advice| Advice::InPart(Box::new(advice));
                        words.advice = words.advice.into_iter().map(in_part).collect();
                        words
                    }
                    Why::TooManySteps { steps } => told(
                        format!(
                            "more than {steps} micro steps within one macro step; it came to t = {:e}",
                            trouble.t
                        ),
                        &[
                            "check stiffness and damping of its forces and of the elements at its ports: values far from physical ones cannot be followed",
                            "a method for stiff equations, `method = \"bdf\"` in its [[subsystem]], if it has another",
                            "shorter macro steps, `max_step` in [simulation], if so many are meant",
                        ],
                    ),
                    Why::Stopped => told("it was stopped".into(), &[]),
                    Why::Start(why) => explain::no_start(sys, why),
                    Why::NotFinite { what } => told(format!("{what} is not a number"), &[]),
                    Why::Memory(why) => told(format!("it could not be put back: {why}"), &[]),
                    Why::Told(why) => told(why.clone(), &[]),
                };
                words.cause = format!("subsystem `{name}`: {}", words.cause);
                Some(words)
            }
            Ending::StepTooSmall { h, member } | Ending::OutOfReach { h, member } => {
                let by_force = self.wires.driven_by_force();
                let mut advice = vec![
                    "a looser tolerance".to_string(),
                    format!(
                        "look for forces that grow without bound towards t = {:.6}, in the models and in the elements",
                        report.t
                    ),
                ];
                if !by_force.is_empty() {
                    advice.push(format!(
                        "scheme = \"displacement/displacement\" for stiff elements; by a force are driven: {}",
                        by_force.join(", ")
                    ));
                }
                if self.wires.has_elements() {
                    advice.push(
                        "cut the system elsewhere: a stiff element belongs into a subsystem".into(),
                    );
                }
                let small = match &report.ending {
                    Ending::OutOfReach { .. } => {
                        "no number of macro steps as short as the last ones reaches the end"
                    }
                    _ => "the macro step became too small to advance time",
                };
                let cause = format!(
                    "{small} (h = {h:.2e} s); subsystem `{}` ruled the error",
                    part(*member).name
                );
                let advice: Vec<&str> = advice.iter().map(String::as_str).collect();
                Some(told(cause, &advice))
            }
            Ending::OutOfSteps => Some(told(
                "the allowed macro steps are used up".into(),
                &["a larger max_steps", "a looser tolerance"],
            )),
            Ending::AlgebraicLoop { connection } => Some(told(
                format!(
                    "outputs and inputs depend on each other at the same instant; `{}` never settles",
                    self.wires.connections[*connection].name
                ),
                &["put a `filter` into the loop, in one of the models"],
            )),
        }
    }

    /// What is connected with nothing runs as it would alone, and may not be meant to.
    fn loose(&self) -> Option<Note> {
        if self.wires.connections.is_empty() {
            return Some(Note::Unconnected);
        }
        let loose = self.parts.iter().filter(|part| {
            let prefix = format!("{}.", part.name);
            let fed = self.input_names.iter().any(|n| n.starts_with(&prefix));
            !fed && part.outputs.is_empty()
        });
        let loose: Vec<String> = loose.map(|part| format!("`{}`", part.name)).collect();
        (!loose.is_empty()).then_some(Note::Loose(loose))
    }

    /// What a run has taught.
    pub(super) fn notes(&self, report: &Report) -> Vec<Note> {
        let forward_only = report.guarantee == Guarantee::ForwardOnly;
        let forward_only = forward_only.then_some(Note::ForwardOnly);
        self.loose().into_iter().chain(forward_only).collect()
    }

    /// What speaks against a run as a whole.
    pub(super) fn doubts(&self, settings: &CosimSettings, report: &Report) -> Vec<Doubt> {
        let mut doubts = Vec::new();
        let (some, of, most) = (report.exceeded, report.accepted, report.largest_error);
        if some > 0 {
            doubts.push(match report.guarantee {
                Guarantee::ForwardOnly => Doubt::InputsOff { some, of, most },
                Guarantee::Estimated => Doubt::CouplingErrors { some, of, most },
            });
        }
        let (repeated, accepted) = (report.rejected + report.failed, report.accepted);
        if repeated > FEW_REJECTIONS && repeated as f64 > MANY_REJECTIONS * accepted as f64 {
            doubts.push(Doubt::ManyRepetitions { repeated, accepted });
        }
        let bound = match settings.plan.step {
            None => (ENERGY_MULTIPLE * settings.plan.rtol).min(LARGEST_ENERGY_BOUND),
            Some(_) => LARGEST_ENERGY_BOUND,
        };
        for (account, connection) in report.connections.iter().zip(self.connections()) {
            let through = account.energy_through;
            let off = |residual: &f64| residual.abs() > bound * through;
            let residual = account.energy_residual.filter(off);
            doubts.extend(residual.map(|residual| Doubt::ConnectionEnergy {
                connection: connection.to_string(),
                residual,
                through,
                bound,
            }));
        }
        doubts
    }
}
