//! The keys of a marker.

use super::directions::Directions;
use crate::error::ModelError;
use crate::field::{Form, Value};
use crate::geometry::{Marker, Vector, cross, norm, unit};
use crate::model::Axes;
use crate::orientation;
use crate::part::{Entry, Keys, Part};
use crate::text::Fields;
use crate::units::Unit;
use linkwork_dae::rotation::{Quaternion, matrix};

/// A marker as text has it.
#[derive(Clone, Debug, PartialEq)]
pub struct MarkerDraft {
    axes: Axes,
    body: String,
    place: Marker,
    /// Of its x axis in the plane.
    angle: Option<f64>,
    /// z in space.
    axis: Option<Vector>,
    /// x in space.
    normal: Option<Vector>,
    /// Instead of both.
    orientation: Option<Quaternion>,
    /// What of it is wanted among the results.
    pub(super) channels: Vec<&'static str>,
}

/// The keys of a marker in the plane.
pub static PLANAR_MARKER: Entry<MarkerDraft> = Entry {
    kind: "marker",
    summary: "A named frame on a body.",
    in_plane: true,
    blank: || blank(Axes::Plane),
};

/// The keys of a marker in space.
pub static MARKER: Entry<MarkerDraft> = Entry {
    kind: "marker",
    summary: "A named frame on a body.",
    in_plane: false,
    blank: || blank(Axes::Space),
};

fn blank(axes: Axes) -> Box<MarkerDraft> {
    Box::new(MarkerDraft {
        axes,
        body: "ground".into(),
        place: Marker::ORIGIN,
        angle: None,
        axis: None,
        normal: None,
        orientation: None,
        channels: Vec::new(),
    })
}

impl Part for MarkerDraft {
    fn keys(&mut self, k: &mut Keys<'_>) {
        k.key("body", Unit::None, "The body.")
            .or("ground")
            .text(&mut self.body);
        k.read(|f| f.body_or_ground("body"));
        k.point(&mut self.place);
        match self.axes {
            Axes::Plane => {
                let doc = "Angle of its x axis against that of the body.";
                k.key("angle", Unit::Angle, doc)
                    .or("no directions")
                    .number(&mut self.angle);
            }
            Axes::Space => self.orientation_keys(k),
        }
        let doc = "What of it is to be among the results: a list of \"position\" (sensor `NAME`) and \"orientation\" \
                   (sensor `NAME_orientation`, in the plane `NAME_angle`), or true for both; rates come with them.";
        k.key("channels", Unit::None, doc)
            .or(false)
            .words(&["position", "orientation"], &mut self.channels);
        let moves = self.body != "ground" || self.channels.is_empty();
        k.rule("channels", moves, "a marker on the ground does not move");
    }
}

impl MarkerDraft {
    fn orientation_keys(&mut self, k: &mut Keys<'_>) {
        let doc = "Its z axis, in the frame of the body.";
        let item = k.key("axis", Unit::None, doc).or("no directions");
        item.special(Form::Vector, &mut self.axis, read, write, |draw| {
            [draw(), draw(), 2.0]
        });
        let doc = "Its x axis, or a direction that is to be x as far as `axis` allows, in the frame of the body.";
        let item = k.key("normal", Unit::None, doc).or("any across `axis`");
        item.special(Form::Vector, &mut self.normal, read, write, |draw| {
            [2.0, draw(), draw()]
        });
        // examples have either
        if k.draw().is_some() && self.axis.is_some() {
            return;
        }
        orientation::keys(k, "not used", &mut self.orientation);
        if k.draw().is_some() {
            self.normal = None;
        }
        let (axis, normal) = (self.axis, self.normal);
        let twice = self.orientation.is_some() && axis.or(normal).is_some();
        let both = "`axis` and `normal` give the orientation already";
        let form = k.table().and_then(|f| {
            let forms = ["quaternion", "rotation_vector", "cardan", "euler"];
            forms.into_iter().find(|key| f.has(key))
        });
        k.rule(form.unwrap_or("rotation_axis"), !twice, both);
        let alone = axis.is_none() && normal.is_some();
        k.rule("normal", !alone, "needs `axis` as well");
        let along = match (axis, normal) {
            (Some(z), Some(x)) => !(norm(cross(unit(z), unit(x))) > 1e-6),
            _ => false,
        };
        k.rule("normal", !along, "`normal` must not be along `axis`");
    }

    /// The directions in the frame of the body.
    pub(super) fn directions(&self) -> Directions {
        if let Some(turn) = self.orientation {
            let r = matrix(turn);
            let column = |j: usize| [r[0][j], r[1][j], r[2][j]];
            return Directions::Space {
                axis: column(2),
                normal: Some(column(0)),
            };
        }
        match (self.angle, self.axis) {
            (Some(angle), _) => Directions::Plane(angle),
            (None, Some(axis)) => Directions::Space {
                axis: unit(axis),
                normal: self.normal.map(unit),
            },
            (None, None) => Directions::None,
        }
    }
}

fn read(fields: &Fields<'_>, key: &'static str) -> Result<Vector, ModelError> {
    let direction = fields.direction(key)?;
    let length = norm(direction);
    match length > 0.0 && length.is_finite() {
        true => Ok(direction),
        false => Err(fields.error(key, "a direction needs a length")),
    }
}

fn write(direction: &Vector) -> Value {
    Value::Vector(*direction)
}
