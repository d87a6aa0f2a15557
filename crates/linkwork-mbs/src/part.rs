//! Parts of a model and their keys in model text.
//!
//! A part visits its keys in one list, [`Part::keys`], each with the field that it stands for. The
//! same list reads a part, writes it, refuses values without meaning, documents the kind and draws
//! examples for tests: what it does depends on the [`Keys`] that it is given.

mod keys;
mod lists;
mod numbers;
mod places;

use keys::Job;
pub use keys::{Draw, Item, Keys, Slot, Word};
pub use lists::Rows;

use crate::error::ModelError;
use crate::expr::Formula;
use crate::field::{Key, Value};
use crate::model::Axes;
use crate::text::Fields;
use std::fmt::{self, Debug};

/// A part of a model: what stands in one table of its text.
pub trait Part: Debug + Send + Sync + Twin {
    /// Visits all keys (besides name, kind and bodies), in the order of the documentation.
    fn keys(&mut self, k: &mut Keys<'_>);

    /// All keys, for documentation.
    fn list(&self) -> Vec<Key> {
        let mut keys = Vec::new();
        let job = Job::Tell(&mut keys);
        self.twin().keys(&mut Keys { job });
        keys
    }

    /// The part as keys of the model text (without name, kind and bodies).
    fn fields(&self) -> Vec<(&'static str, Value)> {
        self.fields_in(Axes::Plane)
    }

    /// The same as planar models or models in space have them: there directions say what angles of bodies
    /// in the plane would.
    fn fields_in(&self, axes: Axes) -> Vec<(&'static str, Value)> {
        let mut fields = Vec::new();
        let job = Job::Write(&mut fields, axes);
        self.twin().keys(&mut Keys { job });
        fields
    }

    /// Refuses values without meaning, once the part is placed; the text completes "force `name`: ".
    fn check(&self) -> Result<(), String> {
        let mut verdict = Ok(());
        let job = Job::Check(&mut verdict);
        self.twin().keys(&mut Keys { job });
        verdict
    }

    /// Name of its kind in planar models, where it has another there.
    fn kind_in_plane(&self) -> Option<&'static str> {
        None
    }
}

/// Copies a part behind a pointer; there is nothing to write for parts that can be cloned.
pub trait Twin {
    /// The same part once more.
    fn twin(&self) -> Box<dyn Part>;
}

impl<P: Part + Clone + 'static> Twin for P {
    fn twin(&self) -> Box<dyn Part> {
        Box::new(self.clone())
    }
}

/// A part that is one of a kind, with a name in model text. There is nothing to write for a [`Kind`].
pub trait OfKind {
    /// Name of the kind in model text.
    fn kind(&self) -> &'static str;
}

impl<K: Kind> OfKind for K {
    fn kind(&self) -> &'static str {
        K::NAME
    }
}

/// What is known of all parts of a kind.
pub trait Kind: Default {
    /// Name in model text.
    const NAME: &'static str;
    /// What it does, in one sentence.
    const SUMMARY: &'static str;
    /// Whether it has a meaning in planar models.
    const IN_PLANE: bool = true;

    /// A part of this kind before its keys are read.
    fn blank() -> Self {
        Self::default()
    }
}

/// One kind of parts: a row of a registry.
pub struct Entry<P: ?Sized> {
    /// Name in model text.
    pub kind: &'static str,
    /// What it does, in one sentence.
    pub summary: &'static str,
    /// Whether it has a meaning in planar models.
    pub in_plane: bool,
    /// A part of this kind before its keys are read.
    pub blank: fn() -> Box<P>,
}

impl<P: Part + ?Sized> Entry<P> {
    /// The row of a kind.
    pub const fn of<K: Kind + Into<Box<P>>>() -> Entry<P> {
        Entry {
            kind: K::NAME,
            summary: K::SUMMARY,
            in_plane: K::IN_PLANE,
            blank: || K::blank().into(),
        }
    }

    /// Its name, where it has a meaning.
    pub fn kind_in(&self, axes: Axes) -> Option<&'static str> {
        match axes {
            Axes::Space => Some(self.kind),
            Axes::Plane if !self.in_plane => None,
            Axes::Plane => (self.blank)().kind_in_plane().or(Some(self.kind)),
        }
    }

    /// The keys it understands besides those that all parts of its family have.
    pub fn keys(&self) -> Vec<Key> {
        (self.blank)().list()
    }

    /// Reads a part; all mistakes of its table.
    pub fn read(&self, f: &Fields<'_>) -> Result<Box<P>, Vec<ModelError>> {
        let (mut part, mut mistakes) = ((self.blank)(), Vec::new());
        let job = Job::Read(f, &mut mistakes);
        part.keys(&mut Keys { job });
        match mistakes.is_empty() {
            true => Ok(part),
            false => Err(mistakes),
        }
    }

    /// A part with arbitrary values, for tests and documentation.
    pub fn example(&self, draw: Draw<'_>) -> Box<P> {
        self.example_of(draw, None)
    }

    /// The same with a formula that its inputs follow.
    pub fn example_of(&self, draw: Draw<'_>, input: Option<Formula>) -> Box<P> {
        let mut part = (self.blank)();
        let job = Job::Draw(draw, input);
        part.keys(&mut Keys { job });
        part
    }
}

impl<P: ?Sized> Debug for Entry<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry")
            .field("kind", &self.kind)
            .finish_non_exhaustive()
    }
}
