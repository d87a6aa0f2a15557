//! What is wrong with a model, as plain data: the reader of the message decides how to show it.

use std::ops::Range;

/// One mistake in a model, with the place in the model text where it was made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ModelError {
    /// One sentence: what is wrong, naming the item and the key.
    pub message: String,
    /// A few words to print at the marked place.
    pub label: String,
    /// What to do about it.
    pub help: Option<String>,
    /// Bytes of the model text that the label belongs to; `None` for models built in code.
    pub span: Option<Range<usize>>,
    /// Other places that take part in the mistake, each with its own label.
    pub related: Box<[(Range<usize>, String)]>,
    /// Whose mistake it is, where it is that of one part.
    pub whose: Option<Box<Whose>>,
}

/// A part of a model, and a key of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Whose {
    /// Name of the part; empty for the model itself.
    pub part: String,
    /// The key, where it is one.
    pub key: Option<String>,
}

impl ModelError {
    /// An error without a place.
    pub fn new(message: impl Into<String>) -> ModelError {
        ModelError {
            message: message.into(),
            label: "here".into(),
            help: None,
            span: None,
            related: Box::default(),
            whose: None,
        }
    }

    /// The same error as one of a part of the model and, where it is one, of a key.
    #[must_use]
    pub fn of(mut self, part: &str, key: Option<&str>) -> ModelError {
        self.whose = Some(Box::new(Whose {
            part: part.to_string(),
            key: key.map(str::to_string),
        }));
        self
    }

    /// The same error, pointing at bytes of the model text.
    #[must_use]
    pub fn at(mut self, span: impl Into<Option<Range<usize>>>) -> ModelError {
        self.span = span.into();
        self
    }

    /// The same error with a label for the marked place.
    #[must_use]
    pub fn with_label(mut self, label: impl Into<String>) -> ModelError {
        self.label = label.into();
        self
    }

    /// The same error with advice.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> ModelError {
        self.help = Some(help.into());
        self
    }

    /// The same error with one more marked place; nothing is added when there is none.
    #[must_use]
    pub fn with_related(
        mut self,
        span: impl Into<Option<Range<usize>>>,
        label: impl Into<String>,
    ) -> ModelError {
        if let Some(span) = span.into() {
            let mut related = std::mem::take(&mut self.related).into_vec();
            related.push((span, label.into()));
            self.related = related.into();
        }
        self
    }

    /// Line and column (both from 1, columns in characters) of the marked place in `source`.
    pub fn line_column(&self, source: &str) -> Option<(usize, usize)> {
        let start = self.span.as_ref()?.start.min(source.len());
        let before = source.get(..start)?;
        let line = before.bytes().filter(|b| *b == b'\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        Some((line, column))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_and_column_count_characters_from_one() {
        let e = ModelError::new("x").at(9..10);
        assert_eq!(e.line_column("a = 1\nµb = 2\n"), Some((2, 3)));
        assert_eq!(ModelError::new("x").line_column("a"), None);
    }
}
