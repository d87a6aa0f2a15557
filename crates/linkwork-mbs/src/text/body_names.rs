//! Names of bodies in the order of their indices, found without looking through all of them.

use std::collections::BTreeMap;

/// Names that keys of a model text may refer to as bodies: bodies, nodes of beams, then frames of flexible
/// bodies, `body.frame`.
#[derive(Clone, Debug, Default)]
pub struct BodyNames {
    names: Vec<String>,
    places: BTreeMap<String, usize>,
}

impl BodyNames {
    /// No body at all.
    pub const NONE: &'static BodyNames = &EMPTY;

    /// These names; of equal ones the first is found.
    pub fn new(names: Vec<String>) -> BodyNames {
        let mut places = BTreeMap::new();
        for (index, name) in names.iter().enumerate() {
            places.entry(name.clone()).or_insert(index);
        }
        BodyNames { names, places }
    }

    /// Index of a name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.places.get(name).copied()
    }

    /// All names in order.
    pub fn all(&self) -> &[String] {
        &self.names
    }
}

static EMPTY: BodyNames = BodyNames {
    names: Vec::new(),
    places: BTreeMap::new(),
};
