//! The keys of a marker.

use crate::field::{Form, Key};
use crate::units::Unit;

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
    POINT,
    AT,
    Key::optional(
        "axis",
        Unit::None,
        "no directions",
        "Its z axis, in the frame of the body.",
    )
    .takes(Form::Vector),
    Key::optional(
        "normal",
        Unit::None,
        "any across `axis`",
        "Its x axis, or a direction that is to be x as far as `axis` allows, in the frame of the body.",
    )
    .takes(Form::Vector),
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
    .takes(Form::Vector),
    Key::optional(
        "cardan",
        Unit::Angle,
        "not used",
        "The same as angles about x, the new y and the new z.",
    )
    .takes(Form::Vector),
    Key::optional(
        "euler",
        Unit::Angle,
        "not used",
        "The same as angles about z, the new x and the new z.",
    )
    .takes(Form::Vector),
    Key::optional(
        "rotation_axis",
        Unit::None,
        "not used",
        "The same as the axis that `rotation_angle` turns about.",
    )
    .takes(Form::Vector),
    Key::optional(
        "rotation_angle",
        Unit::Angle,
        "not used",
        "The angle about `rotation_axis`.",
    ),
    CHANNELS,
];
