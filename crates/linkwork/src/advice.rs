//! What to try after a failure. Advice that is about an option names it; whoever shows it adds how options
//! are given there.

use serde::{Serialize, Serializer};
use std::fmt;

/// Something to try; shown as a sentence.
#[derive(Clone, Debug, PartialEq)]
pub enum Advice {
    /// A formula or table has no value.
    CorrectFormula {
        /// What was said of it.
        what: String,
        /// Up to when it has one.
        t: f64,
    },
    /// Constraints depend on each other.
    LookAtPose {
        /// When.
        t: f64,
        /// The part where that was seen.
        part: Option<String>,
    },
    /// The tolerance cannot be met.
    LoosenTolerance {
        /// A relative tolerance that may be.
        rtol: f64,
        /// Whether the present one is below the rounding.
        rounding: bool,
    },
    /// Something jumps.
    SmoothForces {
        /// When.
        t: f64,
        /// The part where that was seen.
        part: Option<String>,
    },
    /// Derivatives are too rough.
    ExactDerivatives,
    /// Forces are too stiff to be followed.
    CheckStiffness {
        /// The part that they act on.
        part: Option<String>,
    },
    /// Forces grow without bound.
    LookForPole {
        /// When.
        t: f64,
        /// The part that had to be followed in ever shorter steps.
        part: Option<String>,
    },
    /// The bound on steps was too low.
    MoreSteps(u64),
    /// A fixed step cannot adapt.
    NoFixedStep,
    /// A method of another kind.
    OtherMethod(&'static str),
    /// Shorter steps of a motion that drives determine.
    MoreOutputs(usize),
    /// Anything else.
    Other(String),
    /// The same for a part of a coupled system.
    InPart(Box<Advice>),
}

impl Advice {
    /// The option that it is about and the value that it should have; none to leave it out.
    pub fn option(&self) -> Option<(&'static str, Option<String>)> {
        match self {
            Advice::LoosenTolerance { rtol, .. } => Some(("rtol", Some(format!("{rtol:.0e}")))),
            Advice::ExactDerivatives => Some(("jacobian", Some("exact".into()))),
            Advice::MoreSteps(n) => Some(("max_steps", Some(n.to_string()))),
            Advice::NoFixedStep => Some(("step", None)),
            Advice::OtherMethod(name) => Some(("method", Some(name.to_string()))),
            Advice::MoreOutputs(n) => Some(("outputs", Some(n.to_string()))),
            _ => None,
        }
    }

    /// The sentence, with options as `show` writes them.
    pub fn text(&self, show: &dyn Fn(&str, Option<&str>) -> String) -> String {
        let of = |word: &str, part: &Option<String>| {
            let named = |part: &String| format!("{word} `{part}`");
            part.as_ref().map_or(String::new(), named)
        };
        let option = self.option();
        let option = option.map_or(String::new(), |(name, value)| show(name, value.as_deref()));
        match self {
            Advice::CorrectFormula { what, t } => format!(
                "correct the formula or table behind \"{what}\": it has no value just after t = {t:.6}"
            ),
            Advice::LookAtPose { t, part } => format!(
                "look at the pose at t = {t:.6}: the mechanism is at or near a dead point or a branching{}",
                of(", seen at", part)
            ),
            Advice::LoosenTolerance { rounding, .. } => {
                let below = ", which is below the rounding in this pose";
                let below = if *rounding { below } else { "" };
                format!("loosen the tolerance{below}: {option}")
            }
            Advice::SmoothForces { t, part } => format!(
                "look for a jump or kink in the forces or drives{} near t = {t:.6} and smooth it",
                of(" of", part)
            ),
            Advice::ExactDerivatives => format!("use exact derivatives: {option}"),
            Advice::CheckStiffness { part } => format!(
                "check stiffness and damping of the forces{}; values far from physical ones cannot be \
                 followed",
                of(" acting on", part)
            ),
            Advice::LookForPole { t, part } => format!(
                "look for forces that grow without bound towards t = {t:.6}: every step{} had to be \
                 shorter than the last",
                of(" of", part)
            ),
            Advice::MoreSteps(_) => format!("allow more: {option}"),
            Advice::NoFixedStep => {
                format!("leave {option} out, so that the step follows the error")
            }
            Advice::OtherMethod(_) => format!("try another method: {option}"),
            Advice::MoreOutputs(_) => {
                format!("keep more points: {option} starts with shorter steps")
            }
            Advice::Other(words) => words.clone(),
            Advice::InPart(advice) => advice.text(&|name, value| match (name, value) {
                // that of a part follows from that of the whole
                ("rtol", _) => "a larger rtol of the system".into(),
                ("method", _) => {
                    format!("{} in [[subsystem]] of the system file", key(name, value))
                }
                _ => format!("{} in [simulation] of the model", key(name, value)),
            }),
        }
    }
}

/// An option as in a file.
fn key(name: &str, value: Option<&str>) -> String {
    match value {
        None => format!("`{name}`"),
        Some(value) if value.parse::<f64>().is_ok() => format!("{name} = {value}"),
        Some(value) => format!("{name} = \"{value}\""),
    }
}

impl fmt::Display for Advice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(&key))
    }
}

impl From<&str> for Advice {
    fn from(words: &str) -> Advice {
        Advice::Other(words.into())
    }
}

impl From<String> for Advice {
    fn from(words: String) -> Advice {
        Advice::Other(words)
    }
}

impl Serialize for Advice {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
