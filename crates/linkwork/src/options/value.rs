//! Options by name, as they would be written on a command line: complaints quote them.

use super::{Checkpoints, Coordinates, Options, Outputs};
use std::fmt;
use std::path::PathBuf;

/// A number as people write it: `1`, `0.25`, `1e-8`.
pub(crate) fn written(number: impl fmt::Debug) -> String {
    let text = format!("{number:?}");
    match text.strip_suffix(".0") {
        Some(whole) => whole.to_string(),
        None => text,
    }
}

impl Options {
    /// Whether the option of this name is given.
    pub fn has(&self, option: &str) -> bool {
        self.value(option).is_some()
    }

    /// What the option of this name is given as.
    pub fn value(&self, option: &str) -> Option<String> {
        let (scheme, tolerance, steps) = (&self.scheme, &self.tolerance, &self.steps);
        match option {
            "t_end" => self.t_end.map(written),
            "coordinates" | "cut" | "formalism" => self.coordinates.value(option),
            "method" => scheme.method.clone(),
            "formulation" => scheme.formulation.clone(),
            "jacobian" => scheme.jacobian.clone(),
            "linear" => scheme.linear.clone(),
            "max_order" => scheme.max_order.map(written),
            "rho" => scheme.rho.map(written),
            "alpha" => scheme.alpha.map(written),
            "error_constant" => scheme.error_constant.clone(),
            "error_estimate" => scheme.error_estimate.clone(),
            "order_control" => scheme.order_control.clone(),
            "scaling" => scheme.scaling.clone(),
            "rtol" => tolerance.rtol.map(written),
            "atol" => tolerance.atol.map(written),
            "atol_v" => tolerance.atol_v.map(written),
            "step" => steps.step.map(written),
            "first_step" => steps.first_step.map(written),
            "max_step" => steps.max_step.map(written),
            "max_steps" => steps.max_steps.map(written),
            "outputs" => self.outputs.map(|o| o.to_string()),
            _ => self.checkpoints.value(option),
        }
    }
}

impl Coordinates {
    /// What the option of this name is given as.
    pub fn value(&self, option: &str) -> Option<String> {
        match option {
            "coordinates" => self.coordinates.clone(),
            "cut" => self.cut.as_ref().map(|names| names.join(",")),
            "formalism" => self.formalism.clone(),
            _ => None,
        }
    }

    /// The same with the option of this name left open.
    pub(crate) fn without(&self, option: &str) -> Coordinates {
        let mut rest = self.clone();
        match option {
            "coordinates" => rest.coordinates = None,
            "cut" => rest.cut = None,
            "formalism" => rest.formalism = None,
            _ => {}
        }
        rest
    }
}

impl Checkpoints {
    /// What the option of this name is given as.
    pub fn value(&self, option: &str) -> Option<String> {
        let name = |path: &Option<PathBuf>| path.as_ref().map(|p| p.display().to_string());
        match option {
            "checkpoint" => name(&self.checkpoint),
            "checkpoint_steps" => self.checkpoint_steps.map(written),
            "checkpoint_interval" => self.checkpoint_interval.map(written),
            "restart" => name(&self.restart),
            _ => None,
        }
    }
}

impl fmt::Display for Outputs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outputs::Uniform(n) => write!(f, "{n}"),
            Outputs::Steps => f.write_str("steps"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::SIMULATION_KEYS;
    use linkwork_mbs::text::Fields;
    use linkwork_mbs::text::tree::Table;

    #[test]
    fn numbers_look_as_they_are_written() {
        for word in ["1", "0.25", "1e-8", "-3", "1e300", "NaN"] {
            let number: f64 = word.parse().unwrap();
            assert_eq!(written(number), word);
        }
    }

    /// Whatever can stand in `[simulation]` can be asked for by its name.
    #[test]
    fn every_option_has_its_value() {
        let words = [
            ("coordinates", "joint"),
            ("cut", "hinge"),
            ("formalism", "explicit"),
            ("method", "bdf"),
            ("formulation", "ggl"),
            ("jacobian", "exact"),
            ("linear", "dense"),
            ("error_constant", "unit"),
            ("error_estimate", "stiff"),
            ("order_control", "order"),
            ("scaling", "right"),
            ("outputs", "steps"),
            ("checkpoint", "run.ckpt"),
        ];
        for key in SIMULATION_KEYS {
            let word = words.iter().find(|(name, _)| *name == key.name);
            let (text, value) = match word {
                Some(("cut", word)) => (format!("cut = [\"{word}\"]"), *word),
                Some((name, word)) => (format!("{name} = \"{word}\""), *word),
                None => (format!("{} = 3", key.name), "3"),
            };
            let table = Table::parse(&text).unwrap();
            let options = Options::read(Fields::section("simulation", &table)).unwrap();
            assert_eq!(options.value(key.name).as_deref(), Some(value), "{text}");
            assert!(!Options::default().has(key.name));
        }
    }
}
