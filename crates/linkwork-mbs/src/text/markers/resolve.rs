//! What a marker stands for where a joint, force or sensor names it.

use super::directions::Directions;
use super::{MarkerText, Markers, written};
use crate::error::ModelError;
use crate::field::{Form, Key};
use crate::joint::fixture::ANY;
use crate::text::Fields;
use crate::text::fields::{quoted, suggestion};
use crate::text::tree::{Content, Entry, Table, Value};
use std::ops::Range;

/// Why a table that names markers cannot be made one that does not.
pub(in crate::text) enum Refused {
    /// A mistake.
    Mistake(ModelError),
    /// One of its markers is wrong, and was reported.
    Reported,
}

impl From<ModelError> for Refused {
    fn from(error: ModelError) -> Refused {
        Refused::Mistake(error)
    }
}

impl Refused {
    /// What is to be reported.
    pub fn mistake(self) -> Option<ModelError> {
        match self {
            Refused::Mistake(e) => Some(e),
            Refused::Reported => None,
        }
    }
}

/// The keys of one side of an item.
struct SideKeys {
    marker: &'static str,
    body: &'static str,
    point: &'static str,
    at: &'static str,
    axis: &'static str,
    normal: &'static str,
}

/// Of items with a single place. Their forces may have a `normal` that is a number.
const ONE: [SideKeys; 1] = [SideKeys {
    marker: "marker",
    body: "body",
    point: "point",
    at: "at",
    axis: "axis",
    normal: "",
}];
const TWO: [SideKeys; 2] = [
    SideKeys {
        marker: "marker_a",
        body: "body_a",
        point: "point_a",
        at: "at_a",
        axis: "axis_a",
        normal: "normal_a",
    },
    SideKeys {
        marker: "marker_b",
        body: "body_b",
        point: "point_b",
        at: "at_b",
        axis: "axis_b",
        normal: "normal_b",
    },
];

/// The keys of a kind.
#[derive(Clone, Copy)]
struct KindKeys<'k>(&'k [Key]);

impl<'k> KindKeys<'k> {
    fn get(self, name: &str) -> Option<&'k Key> {
        self.0.iter().find(|key| key.name == name)
    }

    fn has(self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// A force on one body has it in `body_b`.
    fn body(self, slot: &SideKeys) -> &'static str {
        match self.has(slot.body) {
            true => slot.body,
            false => "body_b",
        }
    }
}

impl<'a> Markers<'a> {
    /// The table of an item with markers replaced by what they stand for; `None` where it names none.
    /// `keys` are those of its kind.
    pub fn resolve(
        &self,
        fields: &Fields<'_>,
        table: &Table,
        keys: &[Key],
    ) -> Result<Option<Table>, Refused> {
        let keys = KindKeys(keys);
        let single = keys.has("point");
        let (slots, strangers): (&[SideKeys], &[&'static str]) = match single {
            true => (&ONE, &["marker_a", "marker_b"]),
            false => (&TWO, &["marker"]),
        };
        if let Some(&stranger) = strangers.iter().find(|key| table.get(key).is_some()) {
            let names: Vec<&str> = slots.iter().map(|s| s.marker).collect();
            let what = if single { "one place" } else { "two places" };
            let message = format!("this kind has {what}, and no `{stranger}`");
            let error = fields.error(stranger, message);
            return Err(error.with_label(format!("write {}", quoted(names))).into());
        }
        let mut resolved: Option<Table> = None;
        let mut angles = [None; 2];
        for (slot, angle) in slots.iter().zip(&mut angles) {
            let Some(marker) = self.named(fields, slot.marker)? else {
                continue;
            };
            let to = resolved.get_or_insert_with(|| table.clone());
            let span = to.get(slot.marker).and_then(|value| value.span.clone());
            to.remove(slot.marker);
            *angle = marker.directions.angle();
            let given = marker.given(slot, keys, span);
            marker.refuse_doubles(fields, table, slot, &given)?;
            for (key, value) in given {
                to.set(key, value);
            }
        }
        let Some(mut to) = resolved else {
            return Ok(None);
        };
        // between two directions in the plane there is an angle
        if let ([Some(a), Some(b)], true) = (angles, keys.has("angle")) {
            if table.get("angle").is_some() {
                let message = "`angle` is given by the markers as well";
                return Err(fields.error("angle", message).into());
            }
            let span = table.get("marker_b").and_then(|value| value.span.clone());
            to.set("angle", written(span, Content::Number(a - b)));
        }
        let any = keys
            .get("normal_a")
            .is_some_and(|k| k.default == Some(ANY.into()));
        let marked = table.get("marker_b").is_some() && table.get("normal_b").is_none();
        if any && marked && to.get("normal_b").is_some() && to.get("normal_a").is_none() {
            let message =
                "this marker has directions, and nothing says where angles start on body_a";
            let error = fields.error("marker_b", message);
            let help = "give `normal_a`, a `marker_a` with directions, or a `marker_b` without";
            return Err(error.with_help(help).into());
        }
        Ok(Some(to))
    }

    fn named(
        &self,
        fields: &Fields<'_>,
        key: &'static str,
    ) -> Result<Option<&MarkerText<'a>>, Refused> {
        let Some(name) = fields.optional_text(key)? else {
            return Ok(None);
        };
        if let Some(marker) = self.list.iter().find(|m| m.name == name) {
            return Ok(Some(marker));
        }
        if self.failed.contains(&name) {
            return Err(Refused::Reported);
        }
        let known = || self.list.iter().map(|m| m.name);
        let help = match known().next() {
            Some(_) => format!("markers are {}", quoted(known())),
            None => "markers are written under the header [[marker]]".into(),
        };
        let error = fields.error(key, format!("there is no marker `{name}`"));
        Err(error
            .with_label(suggestion(name, known(), "no marker has this name"))
            .with_help(help)
            .into())
    }
}

impl MarkerText<'_> {
    /// What the marker stands for on one side of an item that has these keys. What it says of the body
    /// is written where the item names it.
    fn given(
        &self,
        slot: &SideKeys,
        keys: KindKeys<'_>,
        span: Option<Range<usize>>,
    ) -> Vec<(&'static str, Value)> {
        let body = Content::Text(self.body.to_string());
        let mut given = vec![(keys.body(slot), written(span, body))];
        if let Some(Entry { key, value, .. }) = self.point
            && keys.has(slot.point)
        {
            let key = if key == "at" { slot.at } else { slot.point };
            given.push((key, value.clone()));
        }
        let mut put = |key: &'static str, direction: &[f64]| {
            if keys.has(key) {
                given.push((key, self.vector(direction)));
            }
        };
        match self.directions {
            Directions::None => {}
            Directions::Plane(angle) => {
                let (s, c) = angle.sin_cos();
                let guided = |name| keys.get(name).is_some_and(|k| k.form == Form::Direction);
                // where there is an `angle`, two markers say it
                let turned = keys.has("angle");
                match guided("axis") {
                    true if slot.axis == "axis_b" && turned => {}
                    true => {
                        put(slot.axis, &[c, s]);
                        if !turned {
                            put(slot.normal, &[-s, c]);
                        }
                    }
                    false if turned => {}
                    false => put(slot.normal, &[c, s]),
                }
            }
            Directions::Space { axis, normal } => match (keys.has(slot.axis), normal) {
                (true, None) => put(slot.axis, &axis),
                (true, Some(normal)) => {
                    put(slot.axis, &axis);
                    put(slot.normal, &normal);
                }
                (false, _) => put(slot.normal, &axis),
            },
        }
        given
    }

    /// Refuses items that say again what the marker says.
    fn refuse_doubles(
        &self,
        fields: &Fields<'_>,
        table: &Table,
        slot: &SideKeys,
        given: &[(&'static str, Value)],
    ) -> Result<(), ModelError> {
        let mut doubles = vec![slot.point, slot.at, "at"];
        doubles.extend(given.iter().map(|(key, _)| *key));
        if doubles.contains(&slot.axis) {
            doubles.push("axis");
        }
        match doubles.into_iter().find(|key| table.get(key).is_some()) {
            None => Ok(()),
            Some(key) => Err(fields
                .error(key, format!("marker `{}` gives `{key}` already", self.name))
                .with_label(format!("leave out this or `{}`", slot.marker))
                .with_related(self.place.clone(), "the marker")),
        }
    }
}
