//! Cable: an inextensible rope that runs through points of several bodies without friction.
//!
//! ```text
//!  C = |p_1 - p_0| + |p_2 - p_1| + ... - length
//! ```
//!
//! The multiplier is minus the tension, the same in every part: blocks and tackles, hoists, tendons. The cable
//! is always taut, so it must not be pushed. Points are small eyes or pulleys; a large pulley is a
//! body that a `rack_pinion` or `gear` turns.

use super::{
    AT_A, AT_B, BODIES, Constraint, Joint, JointEntry, JointPattern, JointPoint, JointTerms, Leg,
    MAX_ROWS, POINT_A, POINT_B, Reacts, Want, by_scalar, read_markers, write_markers,
};
use crate::field::{Form, Key, Value};
use crate::geometry::{Marker, Pose, Site, Vector, norm, sub};
use crate::units::Unit;
use linkwork_dae::scalar::Scalar;
use std::sync::Arc;

/// See the [module](self).
#[derive(Clone, Debug, PartialEq)]
pub struct Cable {
    /// Its points, one for each body.
    pub points: Vec<Marker>,
    /// Length; `None`: as it is at the start, which it is once placed.
    pub length: Option<f64>,
}

impl Cable {
    /// A cable through points, one for each body, as long as it is at the start.
    pub fn through(points: impl IntoIterator<Item = Marker>) -> Cable {
        Cable {
            points: points.into_iter().collect(),
            length: None,
        }
    }

    /// Sets the length.
    #[must_use]
    pub fn length(mut self, length: f64) -> Cable {
        self.length = Some(length);
        self
    }

    /// The first part, which has all of the length to make up for.
    fn first(&self) -> Part {
        let point = |k: usize| self.points.get(k).map_or([0.0; 3], |marker| marker.point);
        Part {
            a: point(0),
            b: point(1),
            less: self.length.unwrap_or(0.0),
        }
    }
}

/// A part of a cable between two points: what is between them, less a length.
#[derive(Clone, Debug, PartialEq)]
struct Part {
    a: Vector,
    b: Vector,
    less: f64,
}

pub(super) const ENTRY: JointEntry = JointEntry {
    kind: "cable",
    summary: "A cable of constant length runs through points of two or more bodies without friction, with the \
              same tension everywhere. Its reaction is the pull of its first part on body_b.",
    in_plane: true,
    keys: &[
        BODIES,
        POINT_A,
        POINT_B,
        AT_A,
        AT_B,
        Key::optional(
            "points",
            Unit::Length,
            "origins",
            "Attachment points in the frames of the further bodies: a list of vectors.",
        )
        .takes(Form::List),
        Key::optional(
            "length",
            Unit::Length,
            "as it is at the start",
            "Length of the cable.",
        ),
    ],
    read: |f| {
        let mut points = read_markers(f)?.to_vec();
        let further = f.bodies("bodies")?.len();
        let given = f.vectors("points", Unit::Length)?;
        if !given.is_empty() && given.len() != further {
            let message = format!("{} points for {further} further bodies", given.len());
            return Err(f.error("points", message));
        }
        let origins = std::iter::repeat_n([0.0; 3], further - given.len());
        points.extend(given.into_iter().chain(origins).map(Marker::body));
        let length = match f.has("length") {
            true => Some(f.positive("length", Unit::Length)?),
            false => None,
        };
        Ok(Cable { points, length }.into())
    },
    example: |draw| {
        let mut point = || Marker::body([draw(), draw(), draw()]);
        let cable = Cable::through([point(), point()]);
        cable.length(1.5 + draw()).into()
    },
};

impl Constraint for Part {
    fn constraint<S: Scalar>(
        &self,
        _: &[S; MAX_ROWS],
        a: &Pose<S>,
        b: &Pose<S>,
        _: &[f64],
    ) -> [S; MAX_ROWS] {
        let mut out = [S::from(0.0); MAX_ROWS];
        out[0] = norm(sub(b.point(self.b), a.point(self.a))) - self.less;
        out
    }
}

const ROWS: &[&str] = &["length of the cable"];
const PULL: Reacts = Reacts {
    force: true,
    torque: false,
};

impl Joint for Part {
    fn kind(&self) -> &'static str {
        ENTRY.kind
    }
    fn row_names(&self) -> &'static [&'static str] {
        ROWS
    }
    fn needs_orientation(&self) -> [bool; 2] {
        [false, false]
    }
    fn markers(&self) -> [Option<Vector>; 2] {
        [Some(self.a), Some(self.b)]
    }
    fn reacts(&self) -> Reacts {
        PULL
    }
    fn place(&mut self, _: &Site, _: &Site) {}
    fn pattern(&self, flat: bool) -> JointPattern {
        by_scalar::probe(flat, |at, out| {
            by_scalar::evaluate(self, at, Want::ALL, out)
        })
    }
    fn eval(&self, at: &JointPoint<'_>, want: Want, out: &mut JointTerms) {
        by_scalar::evaluate(self, at, want, out);
    }
    fn fields(&self) -> Vec<(&'static str, Value)> {
        Vec::new()
    }
}

impl Joint for Cable {
    fn kind(&self) -> &'static str {
        ENTRY.kind
    }
    fn row_names(&self) -> &'static [&'static str] {
        ROWS
    }
    fn needs_orientation(&self) -> [bool; 2] {
        [false, false]
    }
    fn markers(&self) -> [Option<Vector>; 2] {
        self.first().markers()
    }
    fn reacts(&self) -> Reacts {
        PULL
    }
    fn place(&mut self, a: &Site, b: &Site) {
        if self.points.len() == 2 {
            self.place_further(&[*a, *b]);
        }
    }
    fn place_further(&mut self, sites: &[Site]) {
        for (point, site) in self.points.iter_mut().zip(sites) {
            point.place(site);
        }
        let places: Vec<Vector> = (self.points.iter().zip(sites))
            .map(|(point, site)| site.pose.point(point.point))
            .collect();
        let spans = places.windows(2).map(|pair| norm(sub(pair[1], pair[0])));
        self.length = self.length.or_else(|| Some(spans.sum()));
    }
    fn check(&self) -> Result<(), String> {
        match self.length {
            Some(length) if length > 0.0 && length.is_finite() => Ok(()),
            _ => Err("its length must be greater than zero".into()),
        }
    }
    fn extent(&self) -> f64 {
        self.length.unwrap_or(0.0)
    }
    fn pattern(&self, flat: bool) -> JointPattern {
        self.first().pattern(flat)
    }
    fn eval(&self, at: &JointPoint<'_>, want: Want, out: &mut JointTerms) {
        self.first().eval(at, want, out);
    }
    fn sides(&self) -> usize {
        self.points.len()
    }
    fn legs(&self) -> Vec<Leg> {
        let pairs = self.points.windows(2).enumerate().skip(1);
        let leg = |(k, pair): (usize, &[Marker])| Leg {
            sides: [Some(k), Some(k + 1)],
            joint: Arc::new(Part {
                a: pair[0].point,
                b: pair[1].point,
                less: 0.0,
            }),
        };
        pairs.map(leg).collect()
    }
    fn fields(&self) -> Vec<(&'static str, Value)> {
        let [a, b, further @ ..] = &self.points[..] else {
            return Vec::new();
        };
        let mut fields = write_markers(a, b);
        if !further.is_empty() {
            let points = further.iter().map(|p| Value::Vector(p.point)).collect();
            fields.push(("points", Value::List(points)));
        }
        fields.extend(self.length.map(|length| ("length", Value::Number(length))));
        fields
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cable_is_as_long_as_its_parts() {
        let at = |x: f64, y: f64| Site {
            pose: Pose::flat([x, y, 0.0], 0.3),
            ..Site::GROUND
        };
        let sites = [at(0.0, 0.0), at(3.0, 4.0), at(3.0, 5.0)];
        let mut cable = Cable::through([Marker::ORIGIN; 3]);
        cable.place_further(&sites);
        assert_eq!((cable.length, cable.sides()), (Some(6.0), 3));
        let legs = cable.legs();
        assert_eq!((legs.len(), legs[0].sides), (1, [Some(1), Some(2)]));
    }
}
