//! What must agree for a saved run to be continued, and what does not, in words.

/// What a saved run belongs to: one `key = value` per line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading(String);

const MODEL: &str = "model";

impl Heading {
    /// The heading of something with this hash and these names and values, of one line each.
    pub(crate) fn new<K: std::fmt::Display>(model: u64, lines: &[(K, String)]) -> Heading {
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
            differences.insert(
                0,
                "the model is not the same (its text, or a changed value)".into(),
            );
        }
        differences
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Options;
    use crate::settings::Settings;

    fn heading(options: Options) -> Heading {
        let settings = Settings::new(&options.t_end(1.0), 0.0).unwrap();
        Heading::new(7, &settings.options.lines())
    }

    #[test]
    fn differences_are_named() {
        let usual = heading(Options::new().method("bdf"));
        assert!(usual.differences(&usual).is_empty());
        // saying what is the default changes nothing
        let said = Options::new().coordinates("absolute").formalism("residual");
        let said = heading(said.cut(&[]).method("auto"));
        assert!(said.differences(&heading(Options::new())).is_empty());
        let other = Heading(usual.0.replace("0007", "0008"));
        assert_eq!(
            usual.differences(&other),
            ["the model is not the same (its text, or a changed value)"]
        );
        let cases = [
            ("rtol was 1e-6, now it is 1e-4", Options::new().rtol(1e-4)),
            (
                "coordinates was absolute, now it is joint",
                Options::new().coordinates("joint"),
            ),
            (
                "cut was found by a search from the ground, now it is elbow,knee",
                Options::new().cut(&["elbow", "knee"]),
            ),
            (
                "formalism was residual, now it is explicit",
                Options::new().formalism("explicit"),
            ),
            (
                "formulation was ggl, now it is index1",
                Options::new().formulation("index1"),
            ),
            (
                "max_order was the highest of the method, now it is 3",
                Options::new().max_order(3),
            ),
        ];
        for (words, options) in cases {
            let now = heading(options.method("bdf"));
            assert_eq!(now.differences(&usual), [words]);
        }
    }
}
