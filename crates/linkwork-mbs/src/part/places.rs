//! Keys of points and directions, each given globally or on a body.

use super::keys::{Item, Keys, Slot};
use crate::field::{Form, Key, Value};
use crate::geometry::{Axis, Given, Marker, Vector};
use crate::text::Fields;
use crate::units::Unit;

/// The key of a point.
const fn point(name: &'static str, default: &'static str, doc: &'static str) -> Key {
    Key::optional(name, Unit::Length, default, doc).takes(Form::Vector)
}

const AT: Key = point(
    "at",
    "not used",
    "Global place, in the start pose, of the attachment points of both bodies.",
);

/// The point of a part on a single body: in its frame, or globally.
const POINT: [Key; 2] = [
    point(
        "point",
        "origin of the body",
        "The point, in the frame of the body.",
    ),
    point(
        "at",
        "not used",
        "Global place of the point in the start pose.",
    ),
];

/// The same on the first body of two.
const POINT_A: [Key; 2] = [
    point(
        "point_a",
        "origin of body_a",
        "Attachment point in the frame of body_a.",
    ),
    point(
        "at_a",
        "not used",
        "Global place, in the start pose, of the attachment point of body_a.",
    ),
];

/// The same on the second.
const POINT_B: [Key; 2] = [
    point(
        "point_b",
        "origin of body_b",
        "Attachment point in the frame of body_b.",
    ),
    point(
        "at_b",
        "not used",
        "Global place, in the start pose, of the attachment point of body_b.",
    ),
];

/// What a direction must have.
const LENGTH: &str = "a direction needs a length";

impl Keys<'_> {
    /// Attachment points: `at` for both, or `point_a`/`at_a` and `point_b`/`at_b`.
    pub fn points(&mut self, a: &mut Marker, b: &mut Marker) {
        self.tell(AT);
        if self.table().is_some_and(|f| f.has("at")) {
            let place = self.read(|f| {
                for key in ["point_a", "point_b", "at_a", "at_b"] {
                    if f.has(key) {
                        return Err(f.error(key, "`at` already gives both attachment points"));
                    }
                }
                Ok(Marker::global(f.vector("at", Unit::Length)?))
            });
            (*a, *b) = (place.unwrap_or(*a), place.unwrap_or(*b));
            return;
        }
        self.place(POINT_A, a);
        self.place(POINT_B, b);
    }

    /// Attachment points that cannot be at one place, and why.
    pub fn ends(&mut self, a: &mut Marker, b: &mut Marker, why: &'static str) {
        self.forbid("at", |f| f.has("at"), why);
        self.place(POINT_A, a);
        self.place(POINT_B, b);
    }

    /// The point of a part on a single body: `point` or `at`.
    pub fn point(&mut self, point: &mut Marker) {
        self.place(POINT, point);
    }

    /// The point on the second body alone.
    pub fn point_b(&mut self, point: &mut Marker) {
        self.place(POINT_B, point);
    }

    fn place(&mut self, [point, at]: [Key; 2], marker: &mut Marker) {
        self.tell(point);
        self.tell(at);
        let read = self.read(|f| match (f.has(at.name), f.has(point.name)) {
            (true, true) => Err(f.error(
                point.name,
                "the global place of this point is given as well",
            )),
            (true, false) => Ok(Marker::global(f.vector(at.name, at.unit)?)),
            (false, true) => Ok(Marker::body(f.vector(point.name, point.unit)?)),
            (false, false) => Ok(*marker),
        });
        *marker = read.unwrap_or(*marker);
        if let Some(draw) = self.draw() {
            *marker = [draw(), draw(), draw()].into();
        }
        let key = match marker.given {
            Given::Globally => at.name,
            _ => point.name,
        };
        self.write(key, || Value::Vector(marker.point));
    }

    /// A direction given globally or on a body, by the first or the second key, which may be the
    /// same: then it is given on the body. Where neither is given it stays as it is, or is `needed`.
    /// Examples are `spread` around `middle`.
    pub fn direction(
        &mut self,
        [global, body]: [Key; 2],
        needed: bool,
        (middle, spread): (Vector, f64),
        slot: &mut impl Slot<Axis>,
    ) {
        let single = global.name == body.name;
        if !single {
            self.tell(global);
        }
        self.tell(body);
        let read = self.read(
            |f| match (f.has(global.name) && !single, f.has(body.name)) {
                (true, true) => Err(f.error(body.name, "the global direction is given as well")),
                (true, false) => one(f, global.name).map(|u| Some(Axis::global(u))),
                (false, true) => one(f, body.name).map(|u| Some(Axis::body(u))),
                (false, false) if needed => {
                    let message = format!("`{}` or `{}` is missing", global.name, body.name);
                    Err(f.error_here(message))
                }
                (false, false) => Ok(None),
            },
        );
        if let Some(axis) = read.flatten() {
            Slot::<Axis>::put(slot, axis);
        }
        if let Some(draw) = self.draw() {
            let near = |x: f64| if spread > 0.0 { x + spread * draw() } else { x };
            Slot::<Axis>::put(slot, middle.map(near).into());
        }
        let Some(&axis) = Slot::<Axis>::get(slot) else {
            return;
        };
        let key = match axis.given {
            Given::Globally => global.name,
            _ => body.name,
        };
        self.write(key, || Value::Vector(axis.direction));
        self.sound(axis.is_valid(), LENGTH);
    }
}

fn one(f: &Fields<'_>, key: &'static str) -> Result<Vector, crate::ModelError> {
    let direction = f.direction(key)?;
    match Axis::body(direction).is_valid() {
        true => Ok(direction),
        false => Err(f.error(key, LENGTH)),
    }
}

impl Item<'_, '_> {
    /// A direction in the frame of a body.
    pub fn axis(self, slot: &mut Axis) {
        let axis = *slot;
        self.special(
            Form::Vector,
            slot,
            |f, key| one(f, key).map(Axis::body),
            |axis| Value::Vector(axis.direction),
            |draw| axis.direction.map(|x| 2.0 * x + draw()).into(),
        );
    }
}
