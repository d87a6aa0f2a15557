//! A way to run a model, and all of them.

use super::{Ask, StudyError};
use crate::options::{OPTIONS, Options, Outputs, written};
use linkwork_dae::stepper::{Family, STEPPERS, StepperEntry};
use linkwork_mbs::spelling::nearest;
use serde::Serialize;

/// Points of time at which motions are compared.
const POINTS: usize = 200;
/// Options of a model that all its settings share.
pub const KEPT: [&str; 6] = ["t_end", "atol", "atol_v", "max_step", "max_steps", "linear"];
/// Relative tolerance that absolute ones belong to where a model names none.
const USUAL_RTOL: f64 = 1e-4;

/// Method, formulation, coordinates and tolerance.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Setting {
    /// Time discretisation.
    pub method: &'static str,
    /// Which equations are solved.
    pub formulation: &'static str,
    /// Unknowns; `None` where a system brings its own.
    pub coordinates: Option<String>,
    /// Relative tolerance.
    pub rtol: f64,
}

impl Setting {
    /// The same at another tolerance.
    pub(super) fn at(&self, rtol: f64) -> Setting {
        Setting {
            rtol,
            ..self.clone()
        }
    }

    /// Whether two differ in the tolerance at most.
    pub fn is_akin(&self, other: &Setting) -> bool {
        self.at(other.rtol) == *other
    }

    pub(super) fn family(&self) -> Option<Family> {
        let entry = STEPPERS.iter().find(|e| e.name == self.method);
        entry.map(|e| e.family)
    }

    /// What has to be said beside what all settings share. Absolute tolerances go with the relative one.
    fn own(&self, base: &Options) -> Options {
        let mut own = Options::new()
            .method(self.method)
            .formulation(self.formulation)
            .rtol(self.rtol);
        own.coordinates.clone_from(&self.coordinates);
        let ratio = self.rtol / base.rtol.unwrap_or(USUAL_RTOL);
        own.atol = base.atol.map(|tol| tol * ratio);
        own.atol_v = base.atol_v.map(|tol| tol * ratio);
        own
    }

    /// The options of a run.
    pub(super) fn options(&self, base: &Options) -> Options {
        let shared = base.clone().only(|o| KEPT.contains(&o.name));
        let own = self.own(base).outputs(Outputs::Uniform(POINTS));
        own.or(shared)
    }

    /// The lines to put into `[simulation]`.
    pub fn lines(&self, base: &Options) -> Vec<String> {
        let own = self.own(base);
        let line = |name: &str| {
            let option = OPTIONS.iter().find(|o| o.name == name)?;
            let value = (option.get)(&own)?;
            let quoted = option.row.choices.is_some();
            Some(if quoted {
                format!("{name} = \"{value}\"")
            } else {
                format!("{name} = {value}")
            })
        };
        let names = [
            "method",
            "formulation",
            "coordinates",
            "rtol",
            "atol",
            "atol_v",
        ];
        names.into_iter().filter_map(line).collect()
    }

    /// The setting without its tolerance: `bdf, ggl, joint`.
    pub fn words(&self) -> String {
        let mut words = format!("{}, {}", self.method, self.formulation);
        if let Some(coordinates) = &self.coordinates {
            words.push_str(", ");
            words.push_str(coordinates);
        }
        words
    }

    /// With its tolerance.
    pub fn whole(&self) -> String {
        format!("{}, rtol {}", self.words(), written(self.rtol))
    }
}

/// Every setting that is asked for, without its tolerance, the preferred ones first.
pub(super) fn all(ask: &Ask) -> Result<Vec<Setting>, StudyError> {
    let offered = || STEPPERS.iter();
    for name in &ask.methods {
        known("method", name, STEPPERS.iter().map(|e| e.name))?;
    }
    for name in &ask.formulations {
        let all = STEPPERS.iter().flat_map(|e| e.formulations.iter().copied());
        known("formulation", name, all)?;
    }
    let methods: Vec<&StepperEntry> = if ask.methods.is_empty() {
        offered().collect()
    } else {
        let wanted = |e: &&StepperEntry| ask.methods.iter().any(|m| m == e.name);
        STEPPERS.iter().filter(wanted).collect()
    };
    let coordinates: Vec<Option<String>> = match &ask.coordinates[..] {
        [] => vec![None],
        names => names.iter().cloned().map(Some).collect(),
    };
    let mut settings = Vec::new();
    for method in methods {
        for formulation in method.formulations {
            let wanted = &ask.formulations;
            if !wanted.is_empty() && !wanted.iter().any(|f| f == formulation) {
                continue;
            }
            settings.extend(coordinates.iter().map(|coordinates| Setting {
                method: method.name,
                formulation,
                coordinates: coordinates.clone(),
                rtol: f64::NAN,
            }));
        }
    }
    if settings.is_empty() {
        let message = "none of these methods runs with one of these formulations";
        return Err(StudyError::new(
            message,
            "`linkwork list methods` says which go together",
        ));
    }
    Ok(settings)
}

fn known(
    what: &str,
    name: &str,
    names: impl Iterator<Item = &'static str> + Clone,
) -> Result<(), StudyError> {
    if names.clone().any(|n| n == name) {
        return Ok(());
    }
    let help = match nearest(name, names) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`linkwork list methods` names them".to_string(),
    };
    Err(StudyError::new(
        format!("there is no {what} `{name}`"),
        help,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_comes_with_every_formulation_and_coordinates() {
        let ask = Ask {
            methods: vec!["bdf".into(), "dopri5".into()],
            coordinates: vec!["absolute".into(), "joint".into()],
            ..Ask::default()
        };
        let words: Vec<String> = all(&ask)
            .expect("they exist")
            .iter()
            .map(Setting::words)
            .collect();
        assert_eq!(words.len(), (3 + 2) * 2);
        assert_eq!(words[0], "bdf, ggl, absolute");
        assert!(words.contains(&"dopri5, state-space, joint".to_string()));
        let wrong = Ask {
            methods: vec!["bfd".into()],
            ..Ask::default()
        };
        let error = all(&wrong).expect_err("it is misspelt");
        assert_eq!(error.help.as_deref(), Some("did you mean `bdf`?"));
        let ask = Ask {
            methods: vec!["bdf".into()],
            formulations: vec!["projected".into()],
            ..Ask::default()
        };
        assert!(all(&ask).is_err());
    }

    /// What is printed is what was run, whatever the model says.
    #[test]
    fn lines_say_what_was_run() {
        let base = Options::new()
            .t_end(2.0)
            .rtol(1e-3)
            .atol(1e-5)
            .rho(0.3)
            .step(0.1);
        let setting = Setting {
            method: "gen-alpha",
            formulation: "index3",
            coordinates: Some("joint".into()),
            rtol: 1e-6,
        };
        let run = setting.options(&base);
        assert_eq!(
            (run.t_end, run.atol, run.rtol),
            (Some(2.0), Some(1e-8), Some(1e-6))
        );
        assert_eq!((run.rho, run.step), (None, None));
        let lines = setting.lines(&base);
        let expected = [
            "method = \"gen-alpha\"",
            "formulation = \"index3\"",
            "coordinates = \"joint\"",
            "rtol = 1e-6",
            "atol = 1e-8",
        ];
        assert_eq!(lines, expected);
    }
}
