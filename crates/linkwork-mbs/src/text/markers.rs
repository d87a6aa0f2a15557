//! `[[marker]]`: named frames on bodies, which joints, forces and sensors may name in place of a body
//! and what they would say of points and directions on it.
//!
//! ```toml
//! [[marker]]
//! name = "hub"
//! body = "wheel"
//! point = [0, 0, 0.1]
//! axis = [0, 1, 0]
//!
//! [[joint]]
//! name = "bearing"
//! kind = "revolute"
//! marker_a = "axle_end"
//! marker_b = "hub"
//! ```
//!
//! A marker is resolved before its user is read: it becomes the keys that the kind of the user has for
//! that side (`body_a`, `point_a`, `axis_a`, `normal_a`), so every kind takes markers and none knows of
//! them. In space the z axis of a marker is the axis of its user and the x axis the normal; where a kind
//! has a normal and no axis, as planes do, that is the z axis. In the plane everything turns about z: the
//! x axis is the normal that angles are measured from, and the axis of what is guided along it.

mod channels;
mod directions;
mod keys;
mod resolve;

pub use keys::{MARKER, MarkerDraft, PLANAR_MARKER};

use super::body_names::BodyNames;
use super::tree::{Content, Entry, Table, Value};
use super::{Fields, outline};
use crate::error::ModelError;
use crate::expr::Constants;
use directions::Directions;
use std::ops::Range;

/// A marker that was read.
#[derive(Debug)]
struct MarkerText<'a> {
    name: &'a str,
    place: Option<Range<usize>>,
    body: &'a str,
    /// The key `point` or `at`, with its value.
    point: Option<&'a Entry>,
    directions: Directions,
    /// What of it is wanted among the results.
    channels: Vec<&'static str>,
}

/// The markers of a model.
#[derive(Debug, Default)]
pub(super) struct Markers<'a> {
    list: Vec<MarkerText<'a>>,
    /// Names of those that could not be read.
    failed: Vec<&'a str>,
}

impl<'a> Markers<'a> {
    /// Reads all markers; complaints go to `errors`.
    pub fn read(
        tables: &[&'a Table],
        planar: bool,
        bodies: &'a BodyNames,
        parameters: &'a Constants,
        errors: &mut Vec<ModelError>,
    ) -> Markers<'a> {
        let entry = match planar {
            true => &PLANAR_MARKER,
            false => &MARKER,
        };
        let known = entry.keys();
        let mut all = Markers::default();
        for &table in tables {
            let fields = match Fields::item("marker", table, bodies) {
                Ok(fields) => fields.planar(planar).knowing(parameters),
                Err(e) => {
                    errors.push(e);
                    let name = outline::name(table);
                    all.failed.extend(name.map(|(name, _)| name));
                    continue;
                }
            };
            fields.allow(known.iter().map(|k| k.name));
            // what is wrong with numbers is told here, not where the marker is used
            let read = entry.read(&fields);
            let unknown = fields.unknown_keys();
            match read {
                Ok(draft) if unknown.is_empty() => {
                    let body = fields.optional_text("body").ok().flatten();
                    all.list.push(MarkerText {
                        name: fields.name(),
                        place: table.span.clone(),
                        body: body.unwrap_or("ground"),
                        point: table.entry("point").or_else(|| table.entry("at")),
                        directions: draft.directions(),
                        channels: draft.channels,
                    });
                }
                other => {
                    errors.extend(other.err().into_iter().flatten());
                    all.failed.push(fields.name());
                }
            }
            errors.extend(unknown);
        }
        all
    }
}

impl MarkerText<'_> {
    fn vector(&self, components: &[f64]) -> Value {
        let number = |&x: &f64| written(self.place.clone(), Content::Number(x));
        let numbers = components.iter().map(number).collect();
        written(self.place.clone(), Content::List(numbers))
    }
}

fn written(span: Option<Range<usize>>, content: Content) -> Value {
    Value {
        span,
        given_by: None,
        content,
    }
}
