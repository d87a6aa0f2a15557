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
//! has a normal and no axis, as planes do, that is the z axis. In the plane the x axis is the axis.

use super::fields::{quoted, suggestion};
use super::tree::{Content, Entry, Table, Value};
use super::{Fields, outline};
use crate::error::ModelError;
use crate::expr::Constants;
use crate::field::{Form, Key};
use crate::spatial::orientation;
use crate::units::Unit;
use linkwork_dae::rotation::matrix;
use std::ops::Range;

const BODY: Key = Key::optional("body", Unit::None, "ground", "The body.").takes(Form::Word);
const POINT: Key = Key::optional(
    "point",
    Unit::Length,
    "origin of the body",
    "Its place, in the frame of the body.",
)
.takes(Form::Vector);
const AT: Key = Key::optional(
    "at",
    Unit::Length,
    "not used",
    "Its global place in the start pose.",
)
.takes(Form::Vector);
const CHANNELS: Key = Key::optional(
    "channels",
    Unit::None,
    "false",
    "What of it is to be among the results: a list of \"position\" (sensor `NAME`) and \"orientation\" \
     (sensor `NAME_orientation`, in the plane `NAME_angle`), or true for both; rates come with them.",
)
.takes(Form::Words);

/// The keys of a marker in the plane.
pub static PLANAR_MARKER_KEYS: &[Key] = &[
    BODY,
    POINT,
    AT,
    Key::optional(
        "angle",
        Unit::Angle,
        "no directions",
        "Angle of its x axis against that of the body.",
    ),
    CHANNELS,
];

/// The keys of a marker in space.
pub static MARKER_KEYS: &[Key] = &[
    BODY,
    POINT.takes(Form::Vector3),
    AT.takes(Form::Vector3),
    Key::optional(
        "axis",
        Unit::None,
        "no directions",
        "Its z axis, in the frame of the body.",
    )
    .takes(Form::Vector3),
    Key::optional(
        "normal",
        Unit::None,
        "any across `axis`",
        "Its x axis, or a direction that is to be x as far as `axis` allows, in the frame of the body.",
    )
    .takes(Form::Vector3),
    Key::optional(
        "quaternion",
        Unit::None,
        "not used",
        "Its orientation against the body, instead of `axis`: scalar part, then vector part.",
    )
    .takes(Form::List),
    Key::optional(
        "rotation_vector",
        Unit::Angle,
        "not used",
        "The same as the axis of rotation times its angle.",
    )
    .takes(Form::Vector3),
    Key::optional(
        "cardan",
        Unit::Angle,
        "not used",
        "The same as angles about x, the new y and the new z.",
    )
    .takes(Form::Vector3),
    Key::optional(
        "euler",
        Unit::Angle,
        "not used",
        "The same as angles about z, the new x and the new z.",
    )
    .takes(Form::Vector3),
    Key::optional(
        "rotation_axis",
        Unit::None,
        "not used",
        "The same as the axis that `rotation_angle` turns about.",
    )
    .takes(Form::Vector3),
    Key::optional(
        "rotation_angle",
        Unit::Angle,
        "not used",
        "The angle about `rotation_axis`.",
    ),
    CHANNELS,
];

/// Ways to write an orientation as bodies do.
const ORIENTATIONS: [&str; 5] = [
    "quaternion",
    "rotation_vector",
    "cardan",
    "euler",
    "rotation_axis",
];

/// A marker that was read.
#[derive(Debug)]
struct Marker<'a> {
    name: &'a str,
    place: Option<Range<usize>>,
    body: &'a str,
    /// The key `point` or `at`, with its value.
    point: Option<&'a Entry>,
    /// Its directions, as far as they are given.
    directions: Directions,
    /// What of it is wanted among the results.
    channels: Vec<&'static str>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Directions {
    /// In the plane.
    angle: Option<f64>,
    /// z, in space.
    axis: Option<[f64; 3]>,
    /// x, in space.
    normal: Option<[f64; 3]>,
}

impl Directions {
    fn any(&self) -> bool {
        self.angle.is_some() || self.axis.is_some()
    }
}

/// The markers of a model.
#[derive(Debug, Default)]
pub(super) struct Markers<'a> {
    list: Vec<Marker<'a>>,
    /// Names of those that could not be read.
    failed: Vec<&'a str>,
}

/// Why a table that names markers cannot be made one that does not.
pub(super) enum Refused {
    /// A mistake.
    Mistake(ModelError),
    /// One of its markers is wrong, and was reported.
    Reported,
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

impl<'a> Markers<'a> {
    /// Reads all markers; complaints go to `errors`.
    pub fn read(
        tables: &[&'a Table],
        planar: bool,
        bodies: &'a [String],
        parameters: &'a Constants,
        errors: &mut Vec<ModelError>,
    ) -> Markers<'a> {
        let mut all = Markers::default();
        for table in tables.iter().copied() {
            let fields = match Fields::item("marker", table, bodies) {
                Ok(fields) => fields.knowing(parameters),
                Err(e) => {
                    errors.push(e);
                    all.failed
                        .extend(outline::name(table).map(|(name, _)| name));
                    continue;
                }
            };
            let keys = if planar {
                PLANAR_MARKER_KEYS
            } else {
                MARKER_KEYS
            };
            fields.allow(keys.iter().map(|k| k.name));
            let read = read_one(&fields, table, planar);
            let unknown = fields.unknown_keys();
            let sound = unknown.is_empty();
            errors.extend(unknown);
            match read {
                Ok(marker) if sound => all.list.push(marker),
                other => {
                    errors.extend(other.err());
                    all.failed.push(fields.name());
                }
            }
        }
        all
    }

    /// The table of an item with markers replaced by what they stand for; `None` where it names none.
    /// `keys` are those of its kind.
    pub fn resolve(
        &self,
        fields: &Fields<'_>,
        table: &Table,
        keys: &[&'static str],
    ) -> Result<Option<Table>, Refused> {
        let single = keys.contains(&"point");
        let (slots, strangers): (&[Slot], &[&'static str]) = match single {
            true => (&[ONE], &["marker_a", "marker_b"]),
            false => (&TWO, &["marker"]),
        };
        if let Some(&stranger) = strangers.iter().find(|key| table.get(key).is_some()) {
            let names: Vec<&str> = slots.iter().map(|s| s.marker).collect();
            let what = if single { "one place" } else { "two places" };
            return Err(Refused::Mistake(
                fields
                    .error(
                        stranger,
                        format!("this kind has {what}, and no `{stranger}`"),
                    )
                    .with_label(format!("write {}", quoted(names))),
            ));
        }
        let mut resolved: Option<Table> = None;
        let mut angles = [const { None }; 2];
        for (side, slot) in slots.iter().enumerate() {
            let Some(marker) = self.named(fields, slot.marker)? else {
                continue;
            };
            let to = resolved.get_or_insert_with(|| table.clone());
            let span = to.get(slot.marker).and_then(|value| value.span.clone());
            to.remove(slot.marker);
            angles[side] = marker.directions.angle.map(|angle| (angle, span.clone()));
            for (key, value) in marker.keys(slot, keys, single, span) {
                to.set(key, value);
            }
            marker
                .refuse_doubles(fields, table, slot, keys)
                .map_err(Refused::Mistake)?;
        }
        // two directions in the plane fix the angle of the bodies
        if let (Some(to), [Some((a, _)), Some((b, span))]) = (&mut resolved, angles)
            && keys.contains(&"angle")
        {
            if table.get("angle").is_some() {
                let message = "`angle` is given by the markers as well";
                return Err(Refused::Mistake(fields.error("angle", message)));
            }
            to.set("angle", written(span, Content::Number(a - b)));
        }
        Ok(resolved)
    }

    fn named(
        &self,
        fields: &Fields<'_>,
        key: &'static str,
    ) -> Result<Option<&Marker<'a>>, Refused> {
        let name = match fields.optional_text(key).map_err(Refused::Mistake)? {
            Some(name) => name,
            None => return Ok(None),
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
        Err(Refused::Mistake(
            fields
                .error(key, format!("there is no marker `{name}`"))
                .with_label(suggestion(name, known(), "no marker has this name"))
                .with_help(help),
        ))
    }

    /// Sensors for what is wanted among the results, as tables.
    pub fn sensors(&self, planar: bool) -> Vec<Table> {
        let mut tables = Vec::new();
        for marker in &self.list {
            for &channel in &marker.channels {
                tables.push(match channel {
                    "position" => marker.point_sensor(),
                    _ => marker.orientation_sensor(planar),
                });
            }
        }
        tables
    }
}

/// The keys of one side of an item.
struct Slot {
    marker: &'static str,
    body: &'static str,
    point: &'static str,
    at: &'static str,
    axis: &'static str,
    normal: &'static str,
}

const ONE: Slot = Slot {
    marker: "marker",
    body: "body",
    point: "point",
    at: "at",
    axis: "axis",
    normal: "",
};
const TWO: [Slot; 2] = [
    Slot {
        marker: "marker_a",
        body: "body_a",
        point: "point_a",
        at: "at_a",
        axis: "axis_a",
        normal: "normal_a",
    },
    Slot {
        marker: "marker_b",
        body: "body_b",
        point: "point_b",
        at: "at_b",
        axis: "axis_b",
        normal: "normal_b",
    },
];

impl Slot {
    /// A force on one body has it in `body_b`.
    fn body(&self, keys: &[&'static str]) -> &'static str {
        match keys.contains(&self.body) {
            true => self.body,
            false => "body_b",
        }
    }
}

impl Marker<'_> {
    /// What the marker stands for on one side of an item that has these keys. What it says of the body
    /// is written where the item names it.
    fn keys(
        &self,
        slot: &Slot,
        keys: &[&'static str],
        single: bool,
        span: Option<Range<usize>>,
    ) -> Vec<(&'static str, Value)> {
        let body = Content::Text(self.body.to_string());
        let mut given = vec![(slot.body(keys), written(span, body))];
        if let Some(Entry { key, value, .. }) = self.point
            && keys.contains(&slot.point)
        {
            let key = if key == "at" { slot.at } else { slot.point };
            given.push((key, value.clone()));
        }
        let vector = |components: &[f64]| {
            let numbers = components
                .iter()
                .map(|&x| written(self.place.clone(), Content::Number(x)));
            written(self.place.clone(), Content::List(numbers.collect()))
        };
        let Directions {
            angle,
            axis,
            normal,
        } = self.directions;
        if let Some(angle) = angle
            && keys.contains(&slot.axis)
        {
            given.push((slot.axis, vector(&[angle.cos(), angle.sin()])));
        }
        if let Some(axis) = axis {
            if keys.contains(&slot.axis) {
                given.push((slot.axis, vector(&axis)));
                let normal = normal.filter(|_| !single && keys.contains(&slot.normal));
                given.extend(normal.map(|n| (slot.normal, vector(&n))));
            } else if keys.contains(&slot.normal) {
                given.push((slot.normal, vector(&axis)));
            }
        }
        given
    }

    /// Refuses items that say again what the marker says.
    fn refuse_doubles(
        &self,
        fields: &Fields<'_>,
        table: &Table,
        slot: &Slot,
        keys: &[&'static str],
    ) -> Result<(), ModelError> {
        let mut doubles = vec![slot.body(keys), slot.point, slot.at, "at"];
        if self.directions.any() {
            doubles.extend([slot.axis, slot.normal]);
            if keys.contains(&slot.axis) {
                doubles.push("axis");
            }
        }
        match doubles.into_iter().find(|key| table.get(key).is_some()) {
            None => Ok(()),
            Some(key) => Err(fields
                .error(key, format!("marker `{}` gives `{key}` already", self.name))
                .with_label(format!("leave out this or `{}`", slot.marker))
                .with_related(self.place.clone(), "the marker")),
        }
    }

    fn point_sensor(&self) -> Table {
        let mut table = self.sensor(self.name.to_string(), "point");
        table.set("body", self.word(self.body));
        if let Some(Entry { key, value, .. }) = self.point {
            table.set(key, value.clone());
        }
        table
    }

    fn orientation_sensor(&self, planar: bool) -> Table {
        let (suffix, kind) = if planar {
            ("angle", "angle")
        } else {
            ("orientation", "orientation")
        };
        let mut table = self.sensor(format!("{}_{suffix}", self.name), kind);
        let keys = ["body_a", "body_b", "axis_b", "normal_b"];
        for (key, value) in self.keys(&TWO[1], &keys, false, self.place.clone()) {
            table.set(key, value);
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

fn written(span: Option<Range<usize>>, content: Content) -> Value {
    Value {
        span,
        given_by: None,
        content,
    }
}

fn read_one<'a>(
    fields: &Fields<'a>,
    table: &'a Table,
    planar: bool,
) -> Result<Marker<'a>, ModelError> {
    let components = if planar { 2 } else { 3 };
    fields.body_or_ground("body")?;
    let body = fields.optional_text("body")?.unwrap_or("ground");
    for key in ["point", "at"] {
        if fields.has(key) {
            vector(fields, key, Unit::Length, components)?;
        }
    }
    if fields.has("point") && fields.has("at") {
        return Err(fields.error("point", "the global place of the marker is given as well"));
    }
    let directions = match planar {
        true => Directions {
            angle: fields.optional_number("angle", Unit::Angle)?,
            ..Directions::default()
        },
        false => directions(fields)?,
    };
    let channels = fields.words("channels", &["position", "orientation"])?;
    if body == "ground" && !channels.is_empty() {
        return Err(fields.error("channels", "a marker on the ground does not move"));
    }
    Ok(Marker {
        name: fields.name(),
        place: table.span.clone(),
        body,
        point: table.entry("point").or_else(|| table.entry("at")),
        directions,
        channels,
    })
}

/// Numbers of a vector; what is wrong with them is told here, not where the marker is used.
fn vector(
    fields: &Fields<'_>,
    key: &'static str,
    unit: Unit,
    components: usize,
) -> Result<Vec<f64>, ModelError> {
    let numbers = fields.quantities(key, unit)?;
    if numbers.len() == components {
        return Ok(numbers);
    }
    let form = if components == 2 {
        "[x, y]"
    } else {
        "[x, y, z]"
    };
    let message = format!(
        "`{key}` must have {components} components, not {}",
        numbers.len()
    );
    Err(fields
        .error(key, message)
        .with_label(format!("expected {form}")))
}

fn directions(fields: &Fields<'_>) -> Result<Directions, ModelError> {
    let turned = ORIENTATIONS.into_iter().find(|key| fields.has(key));
    let direction = |key: &'static str| -> Result<Option<[f64; 3]>, ModelError> {
        if !fields.has(key) {
            return Ok(None);
        }
        let v = vector(fields, key, Unit::None, 3)?;
        let length = v.iter().fold(0.0_f64, |sum, x| sum.hypot(*x));
        match v[..] {
            [x, y, z] if length > 0.0 && length.is_finite() => {
                Ok(Some([x / length, y / length, z / length]))
            }
            _ => Err(fields.error(key, "a direction needs a length")),
        }
    };
    let (axis, normal) = (direction("axis")?, direction("normal")?);
    if let (Some(form), Some(_)) = (turned, axis.or(normal)) {
        return Err(fields.error(form, "`axis` and `normal` give the orientation already"));
    }
    if fields.has("rotation_angle") || turned.is_some() {
        let r = matrix(orientation::read(fields)?);
        let column = |j: usize| Some([r[0][j], r[1][j], r[2][j]]);
        return Ok(Directions {
            axis: column(2),
            normal: column(0),
            angle: None,
        });
    }
    if let (None, Some(_)) = (axis, normal) {
        return Err(fields.error("normal", "needs `axis` as well"));
    }
    if let (Some(a), Some(n)) = (axis, normal) {
        let along: f64 = a.iter().zip(n).map(|(a, n)| a * n).sum();
        if along.abs() > 1.0 - 1e-9 {
            return Err(fields.error("normal", "`normal` must not be along `axis`"));
        }
    }
    Ok(Directions {
        axis,
        normal,
        angle: None,
    })
}
