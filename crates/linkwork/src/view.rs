//! A result as one HTML page that shows itself in any browser, from disk and without a network: the
//! mechanism in motion, plots of all channels, the solver's story, verdict and model text.
//!
//! ```text
//!  Model --scene--> Scene ---+
//!  Table --thin---> Columns -+--> Page --html--> one file: style, data (JSON), script
//!  Observer Lanes-> Story ---+
//! ```
//!
//! The script is built from `web/` and kept beside this file, so that building needs no Node. Nothing
//! from a model reaches the page as markup or script: data is JSON without `<`, `>` and `&`, the script
//! writes text nodes only, and the page allows no other script than its own.

mod base64;
pub mod columns;
pub mod coupled;
pub mod lanes;
pub mod mesh;
pub mod modes;
pub mod pages;
pub mod scene;
pub mod shape;

pub use columns::Columns;
pub use lanes::{Lanes, Story};
pub use modes::ModeShape;
pub use scene::Scene;

use crate::events::Mark;
use serde::Serialize;

/// The script of the page.
const SCRIPT: &str = include_str!("view/page.js");
/// The style of the page.
const STYLE: &str = include_str!("view/page.css");
/// SHA-256 of the script, as a content security policy wants it.
const SCRIPT_HASH: &str = include_str!("view/page.js.sha256");

/// A text that the page shows.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Source {
    /// File name or the like.
    pub name: String,
    /// The text.
    pub text: String,
    /// What names of its parts are preceded by in results.
    pub prefix: String,
}

/// All that a page shows.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Page {
    /// Name of the model.
    pub title: String,
    /// What was done: "run", "modes", "equilibrium", "check", "cosim".
    pub what: &'static str,
    /// The outcome in a word or two.
    pub verdict: String,
    /// "good", "doubtful" or "bad".
    pub tone: &'static str,
    /// What speaks against the result.
    pub doubts: Vec<String>,
    /// What it means.
    pub notes: Vec<String>,
    /// Why there is no more of it.
    pub failure: Option<String>,
    /// The outcome as one object: recipe, account, counters.
    pub summary: serde_json::Value,
    /// Texts of the model.
    pub sources: Vec<Source>,
    /// What to draw; `None` for systems without bodies.
    pub scene: Option<Scene>,
    /// Channels over time.
    pub table: Option<Columns>,
    /// What happened on the way, and how much more there was.
    pub events: Vec<Mark>,
    /// Events that there is no room for.
    pub events_left_out: u64,
    /// Macro points of a co-simulation.
    pub coupling: Option<Columns>,
    /// The solver's story.
    pub lanes: Option<Story>,
    /// Mode shapes about the only row of the table.
    pub modes: Vec<ModeShape>,
    /// The program that wrote it.
    pub version: &'static str,
}

impl Page {
    /// The page as one file.
    pub fn html(&self) -> String {
        // plain structs with text keys cannot fail to serialise
        let json = serde_json::to_string(self).unwrap_or_default();
        let title = escaped(&self.title);
        let data = inert(&json);
        let hash = SCRIPT_HASH.trim();
        let mut page = String::with_capacity(SCRIPT.len() + STYLE.len() + data.len() + 1024);
        page.push_str("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
        page.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
        page.push_str(&format!(
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
             script-src 'sha256-{hash}'; style-src 'unsafe-inline'; img-src data: blob:\">\n"
        ));
        page.push_str(&format!(
            "<title>{title} - linkwork</title>\n<style>{STYLE}</style>\n"
        ));
        page.push_str("</head>\n<body>\n<div id=\"app\"></div>\n");
        page.push_str("<script type=\"application/json\" id=\"data\">");
        page.push_str(&data);
        page.push_str("</script>\n<script>");
        page.push_str(SCRIPT);
        page.push_str("</script>\n</body>\n</html>\n");
        page
    }
}

/// JSON that can end no script element and opens no comment in one; still the same JSON.
fn inert(json: &str) -> String {
    let mut safe = String::with_capacity(json.len() + json.len() / 50);
    for c in json.chars() {
        match c {
            '<' => safe.push_str("\\u003c"),
            '>' => safe.push_str("\\u003e"),
            '&' => safe.push_str("\\u0026"),
            '\u{2028}' => safe.push_str("\\u2028"),
            '\u{2029}' => safe.push_str("\\u2029"),
            c => safe.push(c),
        }
    }
    safe
}

fn escaped(text: &str) -> String {
    crate::plot::escaped(text).replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use linkwork_dae::system::Channel;

    const HOSTILE: &str =
        "</script><script>alert(1)</script><!--\u{2028}&quot;\"'<img src=x onerror=alert(2)>";

    #[test]
    fn nothing_of_a_model_becomes_markup() {
        let mut table = crate::table::Table::new(&[Channel::new(HOSTILE, HOSTILE)]);
        table.push(0.0, &[1.0]);
        let page = Page {
            title: HOSTILE.to_string(),
            verdict: HOSTILE.to_string(),
            doubts: vec![HOSTILE.to_string()],
            summary: serde_json::json!({ HOSTILE: HOSTILE }),
            sources: vec![Source {
                name: HOSTILE.into(),
                text: HOSTILE.into(),
                prefix: String::new(),
            }],
            table: Some(Columns::new(&table, None)),
            ..Page::default()
        };
        let html = page.html();
        // one script with data, one with the program, and nothing else that could begin one
        assert_eq!(
            html.matches("<script").count(),
            2 + SCRIPT.matches("<script").count()
        );
        assert_eq!(html.matches("</script").count(), 2);
        assert!(!html.contains("<img src=x"));
        let begin = html.find("id=\"data\">").expect("there is data") + 10;
        let end = begin + html[begin..].find("</script>").expect("it ends");
        let data: serde_json::Value = serde_json::from_str(&html[begin..end]).expect("it is JSON");
        assert_eq!(data["title"], HOSTILE);
        assert_eq!(data["table"]["channels"][0]["name"], HOSTILE);
    }

    #[test]
    fn the_script_ends_no_element() {
        assert!(!SCRIPT.contains("</script") && !SCRIPT.contains("<!--"));
        assert!(!STYLE.contains("</style"));
    }
}
