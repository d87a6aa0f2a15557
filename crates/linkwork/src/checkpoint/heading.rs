//! What must agree for a saved run to be continued, and what does not, in words.

use crate::coordinates::{self, FORMALISMS};
use crate::options::{Coordinates, written};
use crate::settings::Settings;
use linkwork_dae::stepper::Tuning;

/// What a saved run belongs to: one `key = value` per line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading(String);

const MODEL: &str = "model";

/// An option and its value.
pub(crate) type Line = (&'static str, String);

fn or_default(x: Option<f64>) -> String {
    x.map_or("by default".to_string(), |x| format!("{x:e}"))
}

/// Which unknowns describe a mechanism.
pub(crate) fn coordinate_lines(asked: &Coordinates) -> [Line; 3] {
    let cut = asked.cut.as_ref().filter(|names| !names.is_empty());
    [
        ("coordinates", coordinates::word(asked).to_string()),
        ("cut", cut.map_or("none".into(), |names| names.join(","))),
        (
            "formalism",
            asked.formalism.as_deref().unwrap_or(FORMALISMS[0]).into(),
        ),
    ]
}

/// How steps are made.
pub(crate) fn scheme_lines(settings: &Settings) -> [Line; 12] {
    let Tuning {
        rho,
        alpha,
        error_constant,
        scaling,
        error_estimate,
    } = settings.tuning;
    let word = |w: &dyn std::fmt::Debug| format!("{w:?}").to_lowercase();
    let max_order = settings.max_order.map_or("by default".into(), written);
    let order_control = settings.order_control.map_or("usual", |c| c.name);
    [
        ("method", settings.method.name.to_string()),
        ("formulation", settings.formulation.name.to_string()),
        ("jacobian", settings.jacobian.name.to_string()),
        ("linear", settings.linear.name.to_string()),
        ("max_order", max_order),
        ("order_control", order_control.to_string()),
        ("rho", format!("{rho:e}")),
        ("alpha", format!("{alpha:e}")),
        ("error_constant", word(&error_constant)),
        ("scaling", word(&scaling)),
        ("error_estimate", word(&error_estimate)),
        ("max_step", or_default(settings.max_step)),
    ]
}

impl Heading {
    /// The heading of a run of the model with this hash, in these coordinates if it has a choice.
    pub fn new(model: u64, coordinates: Option<&Coordinates>, settings: &Settings) -> Heading {
        let mut lines: Vec<Line> = Vec::new();
        match coordinates {
            Some(asked) => lines.extend(coordinate_lines(asked)),
            None => lines.push(("coordinates", "its own".into())),
        }
        lines.extend(scheme_lines(settings));
        lines.extend([
            ("rtol", format!("{:e}", settings.rtol)),
            ("atol", or_default(settings.atol)),
            ("atol_v", or_default(settings.atol_v)),
            ("step", or_default(settings.step)),
        ]);
        let lines: Vec<(String, String)> = lines
            .into_iter()
            .map(|(key, value)| (key.to_string(), value))
            .collect();
        Heading::of_lines(model, &lines)
    }

    /// The heading of something with this hash and these keys and values, of one line each.
    pub(crate) fn of_lines(model: u64, lines: &[(String, String)]) -> Heading {
        let mut text = format!(
            "program = {}\n{MODEL} = {model:016x}\n",
            env!("CARGO_PKG_VERSION")
        );
        for (key, value) in lines {
            text.push_str(&format!("{key} = {value}\n"));
        }
        Heading(text)
    }

    /// The heading of a file.
    pub(super) fn from_text(text: String) -> Heading {
        Heading(text)
    }

    pub(super) fn text(&self) -> &str {
        &self.0
    }

    fn lines(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.lines().filter_map(|line| line.split_once(" = "))
    }

    /// What keeps a run with the heading `saved` from going on under this one, in words.
    pub fn differences(&self, saved: &Heading) -> Vec<String> {
        let was = |key: &str| saved.lines().find(|(k, _)| *k == key).map(|(_, v)| v);
        let mut differences: Vec<String> = self
            .lines()
            .filter(|(key, _)| *key != MODEL)
            .filter_map(|(key, now)| match was(key) {
                Some(was) if was == now => None,
                Some(was) => Some(format!("{key} was {was}, now it is {now}")),
                None => Some(format!("{key} is not in its heading")),
            })
            .collect();
        let model = self.lines().find(|(key, _)| *key == MODEL);
        if model.map(|(_, now)| now) != was(MODEL) {
            differences.insert(0, "the model is not the same (its text, or a --set)".into());
        }
        differences
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Options;

    fn heading(change: impl FnOnce(&mut Options)) -> Heading {
        let mut options = Options {
            t_end: Some(1.0),
            ..Options::default()
        };
        change(&mut options);
        let settings = Settings::new(&options, 0.0).unwrap();
        Heading::new(7, Some(&options.coordinates), &settings)
    }

    #[test]
    fn differences_are_named() {
        let usual = heading(|_| ());
        assert!(usual.differences(&usual).is_empty());
        // saying what is the default changes nothing
        let said = heading(|o| {
            o.coordinates.coordinates = Some("absolute".into());
            o.coordinates.formalism = Some("residual".into());
            o.coordinates.cut = Some(Vec::new());
            o.scheme.method = Some("bdf".into());
        });
        assert!(said.differences(&usual).is_empty());
        let other = Heading(usual.0.replace("0007", "0008"));
        assert_eq!(
            usual.differences(&other),
            ["the model is not the same (its text, or a --set)"]
        );
        type Change = fn(&mut Options);
        let cases: [(&str, Change); 6] = [
            ("rtol was 1e-4, now it is 1e-6", |o| {
                o.tolerance.rtol = Some(1e-6)
            }),
            ("coordinates was absolute, now it is joint", |o| {
                o.coordinates.coordinates = Some("joint".into())
            }),
            ("cut was none, now it is elbow,knee", |o| {
                o.coordinates.cut = Some(vec!["elbow".into(), "knee".into()])
            }),
            ("formalism was residual, now it is explicit", |o| {
                o.coordinates.formalism = Some("explicit".into())
            }),
            ("formulation was ggl, now it is index1", |o| {
                o.scheme.formulation = Some("index1".into())
            }),
            ("max_order was by default, now it is 3", |o| {
                o.scheme.max_order = Some(3)
            }),
        ];
        for (words, change) in cases {
            assert_eq!(heading(change).differences(&usual), [words]);
        }
    }
}
