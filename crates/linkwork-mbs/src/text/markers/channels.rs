//! Channels of markers: sensors that nobody wrote.

use super::directions::Directions;
use super::{MarkerText, Markers, written};
use crate::text::tree::{Content, Entry, Table, Value};

impl Markers<'_> {
    /// Sensors for what is wanted among the results, as tables.
    pub fn sensors(&self, planar: bool) -> Vec<Table> {
        let all = self.list.iter();
        all.flat_map(|marker| {
            let wanted = marker.channels.iter();
            wanted.map(move |&channel| match (channel, planar) {
                ("position", _) => marker.position(),
                (_, true) => marker.angle(),
                (_, false) => marker.orientation(),
            })
        })
        .collect()
    }
}

impl MarkerText<'_> {
    fn position(&self) -> Table {
        let mut table = self.sensor(self.name.to_string(), "point");
        table.set("body", self.word(self.body));
        if let Some(Entry { key, value, .. }) = self.point {
            table.set(key, value.clone());
        }
        table
    }

    fn angle(&self) -> Table {
        let mut table = self.sensor(format!("{}_angle", self.name), "angle");
        table.set("body_b", self.word(self.body));
        if let Directions::Plane(angle) = self.directions {
            table.set("normal_a", self.vector(&[1.0, 0.0]));
            table.set("normal_b", self.vector(&[angle.cos(), angle.sin()]));
        }
        table
    }

    fn orientation(&self) -> Table {
        let mut table = self.sensor(format!("{}_orientation", self.name), "orientation");
        table.set("body_b", self.word(self.body));
        if let Directions::Space { axis, normal } = self.directions {
            table.set("axis_b", self.vector(&axis));
            if let Some(normal) = normal {
                table.set("normal_b", self.vector(&normal));
            }
        }
        table
    }

    fn sensor(&self, name: String, kind: &str) -> Table {
        let mut table = Table {
            span: self.place.clone(),
            ..Table::default()
        };
        table.set("name", self.word(&name));
        table.set("kind", self.word(kind));
        table
    }

    fn word(&self, word: &str) -> Value {
        written(self.place.clone(), Content::Text(word.to_string()))
    }
}
