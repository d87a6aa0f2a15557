//! Model text: TOML read by hand from a tree with source positions, so that every complaint can
//! point at the bytes that caused it.
//!
//! ```
//! let document = linkwork_mbs::text::read(r#"
//!     [model]
//!     gravity = [0, -9.81]
//!
//!     [[body]]
//!     name = "bob"
//!     kind = "point"
//!     mass = "250 g"
//!     position = [1, 0]
//!
//!     [[joint]]
//!     name = "string"
//!     kind = "distance"
//!     body_b = "bob"
//! "#).unwrap();
//! assert_eq!(document.model.bodies[0].mass, 0.25);
//! ```

mod body_names;
pub mod fields;
mod head;
mod markers;
mod outline;
mod overrides;
mod parameters;
mod reader;
mod stock;
pub mod tree;
mod writer;

pub use body_names::BodyNames;
pub use fields::{Fields, SignalUse};
pub use head::MODEL;
pub use markers::{MARKER, MarkerDraft, PLANAR_MARKER};
pub use outline::LISTS;
pub use overrides::{apply_override, assign};
pub use reader::{check_item, read_tree, read_tree_with, read_with};
pub use stock::{BEAM, BeamDraft, Named};
pub use writer::{write, write_tree};

use std::ops::Range;
use std::sync::OnceLock;

use crate::error::ModelError;
use crate::expr::Constants;
use crate::model::Model;
use tree::Table;

/// What a model text says.
#[derive(Clone, Debug)]
pub struct Document {
    /// The mechanism.
    pub model: Model,
    /// How to simulate it.
    pub simulation: Simulation,
    /// Headers of the named items.
    places: Vec<outline::Header>,
    /// The whole text, for questions about single values.
    tree: Table,
    /// Where its named items are, once somebody asks.
    index: OnceLock<outline::Index>,
}

impl Document {
    /// Points an error found later (when the model is assembled, say) at the item it names.
    pub fn locate(&self, error: ModelError) -> ModelError {
        reader::locate(&self.places, error)
    }

    /// All tables and values, as they were written.
    pub fn tree(&self) -> &Table {
        &self.tree
    }

    /// The table of a named item; `[model]` when the name is empty.
    fn item(&self, name: &str) -> Option<&Table> {
        let index = self.index.get_or_init(|| outline::index(&self.tree));
        outline::find(&self.tree, index, name)
    }

    /// The value of a key of a named item, as it was written; of `[model]` when the name is empty.
    pub fn value(&self, item: &str, key: &str) -> Option<&tree::Value> {
        self.item(item)?.get(key)
    }

    /// Bytes of the value of a key, or of the header of its item where the text has no such value.
    pub fn place(&self, item: &str, key: Option<&str>) -> Option<Range<usize>> {
        let value = key.and_then(|key| self.value(item, key)?.span.clone());
        value
            .or_else(|| self.item(item)?.span.clone())
            .or_else(|| {
                // nodes of beams are named after these
                let (beam, _) = item.rsplit_once('_')?;
                self.item(beam)?.span.clone()
            })
            .or_else(|| {
                outline::parameters(&self.tree)?
                    .entry(item)?
                    .key_span
                    .clone()
            })
    }

    /// The parameters with their values, in the order of the text.
    pub fn parameters(&self) -> &Constants {
        &self.simulation.parameters
    }

    /// Parameters that nothing in the text names.
    pub fn unused_parameters(&self) -> Vec<&str> {
        let names = self.parameters().list().iter().map(|p| p.name.as_str());
        names
            .filter(|name| !self.tree.names_in_a_value(name))
            .collect()
    }

    /// The document as text, with numbers in place of parameters; reading it gives an equal model and
    /// simulation. Which keys of `[simulation]` are numbers is not known here: parameters that it
    /// names are written with their values.
    pub fn to_text(&self) -> String {
        writer::write_document(&self.model, &self.simulation)
    }
}

/// The `[simulation]` table, kept as it was written: which keys it has is for the simulation to say.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Simulation {
    table: Table,
    parameters: Constants,
}

impl Simulation {
    /// Starts reading the table. End with [`Fields::finish`], which refuses unknown keys.
    pub fn fields(&self) -> Fields<'_> {
        Fields::section("simulation", &self.table).knowing(&self.parameters)
    }
}

/// Reads a model; reports as many mistakes as it can find.
pub fn read(source: &str) -> Result<Document, Vec<ModelError>> {
    read_with(source, &[] as &[&str])
}
