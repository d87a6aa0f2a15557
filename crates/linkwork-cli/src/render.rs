//! Errors for people: the file, the line, the underlined value, the reason, the help.

use linkwork::mbs::ModelError;
use linkwork::{Explanation, OptionError};
use miette::{
    Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, NamedSource, Severity,
    SourceCode,
};
use std::cell::Cell;
use std::fmt::Display;
use std::io::{self, IsTerminal};

/// Columns of a rendered error when stderr is no terminal.
const WIDTH: usize = 100;

/// A text that errors point into.
pub struct SourceText {
    /// Name of the file.
    pub name: String,
    /// Its content.
    pub text: String,
}

#[derive(Debug, thiserror::Error)]
#[error("{message}")]
struct Complaint {
    message: String,
    help: Option<String>,
    labels: Vec<LabeledSpan>,
    source_code: Option<NamedSource<String>>,
}

impl Diagnostic for Complaint {
    fn severity(&self) -> Option<Severity> {
        Some(Severity::Error)
    }

    fn help(&self) -> Option<Box<dyn Display + '_>> {
        Some(Box::new(self.help.as_ref()?))
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        (!self.labels.is_empty()).then(|| Box::new(self.labels.iter().cloned()) as Box<_>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.source_code.as_ref().map(|s| s as &dyn SourceCode)
    }
}

/// Lines longer than this are not drawn: nobody reads them, and a report has only so many columns.
const LONGEST_LINE: usize = 2000;

/// A mistake in a model.
pub fn model_error(error: &ModelError, source: &SourceText) -> String {
    if source.text.lines().any(|line| line.len() > LONGEST_LINE) {
        let place = error.span.as_ref().map_or(String::new(), |span| {
            let before = source.text.as_bytes().iter().take(span.start);
            let line = 1 + before.filter(|b| **b == b'\n').count();
            format!(" ({}, line {line})", source.name)
        });
        let reason = if error.label.is_empty() {
            String::new()
        } else {
            format!(": {}", error.label)
        };
        let message = format!("{}{reason}{place}", error.message);
        return plain(&message, error.help.as_deref());
    }
    let length = source.text.len();
    let label = |span: &std::ops::Range<usize>, words: &str| {
        // a place beyond the text must not keep the words from being shown
        let (start, end) = (span.start.min(length), span.end.min(length));
        LabeledSpan::at(start..end.max(start), words.to_string())
    };
    let mut labels: Vec<LabeledSpan> = Vec::new();
    labels.extend(error.span.as_ref().map(|s| label(s, &error.label)));
    labels.extend(error.related.iter().map(|(s, words)| label(s, words)));
    render(&Complaint {
        message: error.message.clone(),
        help: error.help.clone(),
        source_code: (!labels.is_empty())
            .then(|| NamedSource::new(&source.name, source.text.clone())),
        labels,
    })
}

/// An option that cannot be honoured, and was not given either.
pub fn option_error(error: &OptionError) -> String {
    plain(&error.message, help_of(error).as_deref())
}

/// The help of an option that was not given names what gives it here.
pub fn help_of(error: &OptionError) -> Option<String> {
    let help = error.help.clone()?;
    Some(match error.option {
        "t_end" => format!("{help}, or give `--t-end 1.0`"),
        _ => help,
    })
}

/// An option with the value it should have, as it is given here.
fn flag(option: &str, value: Option<&str>) -> String {
    let flag = format!("--{}", option.replace('_', "-"));
    value.map_or(flag.clone(), |value| format!("{flag} {value}"))
}

/// A failure in lines; advice names options of the command line.
pub fn failure(why: &Explanation) -> String {
    why.text(|advice| advice.text(&flag))
}

/// What is wrong with an option that was given on the command line: `option` is its name in model
/// text, `value` what was given.
pub fn on_command_line(option: &str, value: &str, message: &str, help: Option<&str>) -> String {
    let given = format!("--{} {value}", option.replace('_', "-"));
    // complaints that begin with the option go on after it
    let rest = message.strip_prefix(option).and_then(|rest| {
        let beyond_value = rest.strip_prefix(" = ").and_then(|r| r.split_once(' '));
        let words = rest.strip_prefix(' ').filter(|r| !r.starts_with('`'));
        beyond_value.map(|(_, rest)| rest).or(words)
    });
    let message = match rest {
        Some(rest) => format!("{given} {rest}"),
        // complaints about files name them
        None if ["restart", "checkpoint"].contains(&option) => message.to_string(),
        None => format!("{given}: {message}"),
    };
    plain(&message, help)
}

/// An error without a place.
pub fn plain(message: &str, help: Option<&str>) -> String {
    render(&Complaint {
        message: message.to_string(),
        help: help.map(str::to_string),
        labels: Vec::new(),
        source_code: None,
    })
}

thread_local! {
    static PLAIN: Cell<bool> = const { Cell::new(false) };
}

/// What is rendered within has no colours, whatever stderr is.
pub fn without_colour<T>(work: impl FnOnce() -> T) -> T {
    let before = PLAIN.replace(true);
    let done = work();
    PLAIN.set(before);
    done
}

fn render(complaint: &Complaint) -> String {
    let wanted = std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty());
    let colour = wanted && !PLAIN.get();
    let theme = if colour && io::stderr().is_terminal() {
        GraphicalTheme::unicode()
    } else {
        GraphicalTheme::unicode_nocolor()
    };
    let mut text = String::new();
    let handler = GraphicalReportHandler::new_themed(theme)
        .with_width(WIDTH)
        .with_links(false);
    if handler.render_report(&mut text, complaint).is_err() {
        text = format!("error: {}\n", complaint.message);
    }
    text
}
