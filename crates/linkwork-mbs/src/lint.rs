//! What looks wrong with the numbers of a model that can be read: masses, inertias, units, springs.
//!
//! Nothing here keeps a model from running. Adding a rule takes one function in a file of `lint/`
//! and one row in [`RULES`].

mod attachment;
mod inertia;
mod modes;
mod parameters;
mod parts;
mod spring;
mod still;
mod tables;
mod units;

use crate::assemble::assemble;
use crate::assembly::Assembly;
use crate::model::Model;
use crate::text::Document;
use linkwork_dae::system::{Part, System, Terms};
use std::ops::Range;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The model cannot run like this.
    Error,
    /// Most likely not what was meant.
    Warning,
    /// Worth knowing.
    Hint,
}

impl Severity {
    /// The severity in one word.
    pub fn word(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Hint => "hint",
        }
    }
}

/// Something that looks wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Name of the rule.
    pub rule: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// Name of the part; empty for the model as a whole.
    pub part: String,
    /// Key of the part that holds the number.
    pub key: Option<&'static str>,
    /// One sentence.
    pub message: String,
    /// What to do about it.
    pub help: String,
    /// Bytes of the model text; `None` for models built in code.
    pub span: Option<Range<usize>>,
}

/// What the rules look at.
pub struct Scene<'a> {
    /// The model.
    pub model: &'a Model,
    /// Its text, where there is one.
    pub document: Option<&'a Document>,
    /// Typical length, m.
    pub length: f64,
    /// Duration of the simulation, s, where it is known.
    pub duration: Option<f64>,
    /// The assembled model; `None` when it cannot be assembled.
    equations: Option<Equations>,
}

/// Mass matrix and constraint Jacobian in the start pose.
struct Equations {
    assembly: Assembly,
    /// Whether each coordinate has inertia.
    inert: Vec<bool>,
    c_q: Vec<f64>,
}

/// A rule.
pub struct Rule {
    /// Name in reports.
    pub name: &'static str,
    /// What it looks for.
    pub summary: &'static str,
    /// Looks.
    pub check: fn(&Scene<'_>) -> Vec<Finding>,
}

/// All rules.
pub static RULES: &[Rule] = &[
    Rule {
        name: "massless-direction",
        summary: "a direction that can move and has no inertia: it has no acceleration",
        check: inertia::massless_direction,
    },
    Rule {
        name: "massless-chain",
        summary: "bodies without mass that are joined with each other",
        check: inertia::massless_chain,
    },
    Rule {
        name: "mass-ratio",
        summary: "masses more than eight decades apart: rounding of the heavy one hides the light one",
        check: inertia::mass_ratio,
    },
    Rule {
        name: "gyration",
        summary: "a moment of inertia that does not fit mass and size",
        check: inertia::gyration,
    },
    Rule {
        name: "triangle",
        summary: "a moment of inertia in space that is larger than the other two together",
        check: inertia::triangle,
    },
    Rule {
        name: "unattached",
        summary: "a body without joint and force",
        check: attachment::unattached,
    },
    Rule {
        name: "locked",
        summary: "joints that leave no degree of freedom, and no drive; with the hinge whose axis is to blame",
        check: still::locked,
    },
    Rule {
        name: "nothing-acts",
        summary: "no gravity, no force, no drive, no velocity: gravity was forgotten",
        check: still::nothing_acts,
    },
    Rule {
        name: "zero-length",
        summary: "a spring or damper whose ends coincide: its direction is undefined",
        check: spring::zero_length,
    },
    Rule {
        name: "fast-spring",
        summary: "a spring whose vibration is far faster than the motion: it forces tiny steps",
        check: spring::fast_spring,
    },
    Rule {
        name: "fast-mode",
        summary: "a mode of a flexible body that vibrates very often within the simulation and that nothing damps",
        check: modes::fast_mode,
    },
    Rule {
        name: "fast-contact",
        summary: "a contact so stiff for its mass that its vibration forces tiny steps",
        check: spring::fast_contact,
    },
    Rule {
        name: "gravity",
        summary: "gravity that is not in m/s^2, or points up",
        check: units::gravity,
    },
    Rule {
        name: "degrees",
        summary: "an angle that looks like degrees and is read as radians",
        check: units::degrees,
    },
    Rule {
        name: "overshoot",
        summary: "a table whose spline leaves the range of its points by more than a tenth",
        check: tables::overshoot,
    },
    Rule {
        name: "unused-parameter",
        summary: "a parameter that nothing uses",
        check: parameters::unused,
    },
    Rule {
        name: "density",
        summary: "a mass far too large for the size of the mechanism",
        check: units::density,
    },
];

/// Looks at a model text; findings are sorted, the worst first. `duration` is that of the
/// simulation, s.
pub fn lint(document: &Document, duration: Option<f64>) -> Vec<Finding> {
    look(&document.model, Some(document), duration)
}

/// Looks at a model built in code.
pub fn lint_model(model: &Model, duration: Option<f64>) -> Vec<Finding> {
    look(model, None, duration)
}

fn look(model: &Model, document: Option<&Document>, duration: Option<f64>) -> Vec<Finding> {
    let equations = Equations::new(model);
    let scene = Scene {
        model,
        document,
        length: equations.as_ref().map_or(1.0, |e| e.assembly.length()),
        duration,
        equations,
    };
    let mut findings: Vec<Finding> = RULES.iter().flat_map(|r| (r.check)(&scene)).collect();
    for finding in &mut findings {
        finding.span = document.and_then(|d| d.place(&finding.part, finding.key));
    }
    findings.sort_by_key(|f| (f.severity, f.span.as_ref().map_or(usize::MAX, |s| s.start)));
    findings
}

impl Scene<'_> {
    /// Whether nothing is attached, so that the mechanism has no size.
    fn is_loose(&self) -> bool {
        self.joints().is_empty() && self.forces().is_empty()
    }

    /// A finding about a part.
    fn finding(
        &self,
        rule: &'static str,
        severity: Severity,
        part: &str,
        message: String,
        help: impl Into<String>,
    ) -> Finding {
        Finding {
            rule,
            severity,
            part: part.to_string(),
            key: None,
            message,
            help: help.into(),
            span: None,
        }
    }
}

impl Finding {
    /// The same about one key.
    fn at(mut self, key: &'static str) -> Finding {
        self.key = Some(key);
        self
    }
}

impl Equations {
    fn new(model: &Model) -> Option<Equations> {
        let mut assembly = assemble(model).ok()?;
        let dims = assembly.facts().dims;
        let guess = assembly.facts().guess.clone();
        let mut mass = vec![0.0; assembly.facts().patterns[Part::Mass].len()];
        let mut c_q = vec![0.0; assembly.facts().patterns[Part::Cq].len()];
        let at = guess.point();
        let mut want = Terms {
            mass: Some(&mut mass),
            c_q: Some(&mut c_q),
            ..Terms::default()
        };
        assembly.eval(&at, &mut want).ok()?;
        let mut inert = vec![false; dims.nv];
        for (&(i, _), m) in assembly.facts().patterns[Part::Mass].iter().zip(&mass) {
            inert[i as usize] |= *m != 0.0;
        }
        Some(Equations {
            assembly,
            inert,
            c_q,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_have_unique_names_and_words() {
        for (i, rule) in RULES.iter().enumerate() {
            assert!(RULES[..i].iter().all(|r| r.name != rule.name));
            assert!(rule.summary.len() > 10);
        }
    }
}
