//! Cable: an inextensible rope that runs through points of several bodies without friction.
//!
//! ```text
//!  C = |p_1 - p_0| + |p_2 - p_1| + ... - length
//! ```
//!
//! The multiplier is minus the tension, the same in every part: blocks and tackles, hoists, tendons. The cable
//! is always taut, so it must not be pushed. Points are small eyes or pulleys; a large pulley is a
//! body that a `rack_pinion` or `gear` turns.

use super::by_scalar::derived;
use super::mounted::told;
use super::{
    Constraint, Joint, JointPattern, JointPoint, JointTerms, Leg, MAX_ROWS, Poses, Reacts, Want,
    further_bodies, rows,
};
use crate::field::{Form, Key, Value};
use crate::geometry::{Marker, Site, Vector, norm, sub};
use crate::part::{Keys, Kind, OfKind, Part};
use crate::units::Unit;
use linkwork_dae::scalar::Scalar;
use std::sync::Arc;

/// A cable over points of several bodies: the sum of its stretches is its length.
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
    fn first(&self) -> Stretch {
        let point = |k: usize| self.points.get(k).map_or([0.0; 3], |marker| marker.point);
        Stretch {
            a: point(0),
            b: point(1),
            less: self.length.unwrap_or(0.0),
        }
    }
}

/// A part of a cable between two points: what is between them, less a length.
#[derive(Clone, Debug, PartialEq)]
struct Stretch {
    a: Vector,
    b: Vector,
    less: f64,
}

impl Kind for Cable {
    const NAME: &'static str = "cable";
    const SUMMARY: &'static str = "A cable of constant length runs through points of two or more bodies without friction, with the \
              same tension everywhere. Its reaction is the pull of its first part on body_b.";
}

impl Default for Cable {
    fn default() -> Cable {
        Cable::through([Marker::ORIGIN; 2])
    }
}

const POINTS: Key = Key::optional(
    "points",
    Unit::Length,
    "origins",
    "Attachment points in the frames of the further bodies: a list of vectors.",
)
.takes(Form::List);

/// The keys of points that a cable runs through, one for each body.
pub(crate) fn run_through(k: &mut Keys<'_>, points: &mut Vec<Marker>) {
    let further = further_bodies(k);
    if let [a, b, ..] = &mut points[..] {
        k.ends(a, b, "a cable needs several points");
    }
    k.tell(POINTS);
    if let Some(further) = further {
        let given = k.read(|f| match f.vectors("points", Unit::Length)? {
            given if given.is_empty() || given.len() == further => Ok(given),
            given => {
                let message = format!("{} points for {further} further bodies", given.len());
                Err(f.error("points", message))
            }
        });
        let mut given = given.unwrap_or_default();
        given.resize(further, [0.0; 3]);
        points.extend(given.into_iter().map(Marker::body));
    }
    if let [_, _, further @ ..] = &points[..]
        && !further.is_empty()
    {
        let vector = |p: &Marker| Value::Vector(p.point);
        k.write("points", || {
            Value::List(further.iter().map(vector).collect())
        });
    }
}

/// Places the points that a cable runs through; its length at the start.
pub(crate) fn laid(points: &mut [Marker], sites: &[Site]) -> f64 {
    for (point, site) in points.iter_mut().zip(sites) {
        point.place(site);
    }
    let places: Vec<Vector> = (points.iter().zip(sites))
        .map(|(point, site)| site.pose.point(point.point))
        .collect();
    let spans = places.windows(2).map(|pair| norm(sub(pair[1], pair[0])));
    spans.sum()
}

impl Part for Cable {
    fn keys(&mut self, k: &mut Keys<'_>) {
        run_through(k, &mut self.points);
        k.key("length", Unit::Length, "Length of the cable.")
            .or("as it is at the start")
            .like(1.5, 1.0)
            .positive(&mut self.length);
        let long = self.length.is_some_and(|x| x > 0.0 && x.is_finite());
        k.sound(long, "its length must be greater than zero");
    }
}

impl Constraint for Stretch {
    fn constraint<S: Scalar>(&self, at: Poses<'_, S>) -> [S; MAX_ROWS] {
        let Poses { a, b, .. } = at;
        rows([norm(sub(b.point(self.b), a.point(self.a))) - self.less])
    }
}

const ROWS: &[&str] = &["length of the cable"];

impl Part for Stretch {
    fn keys(&mut self, _: &mut Keys<'_>) {}
}

impl OfKind for Stretch {
    fn kind(&self) -> &'static str {
        Cable::NAME
    }
}

impl Joint for Stretch {
    told!(ROWS);
    fn needs_orientation(&self) -> [bool; 2] {
        [false, false]
    }
    fn markers(&self) -> [Option<Vector>; 2] {
        [Some(self.a), Some(self.b)]
    }
    fn reacts(&self) -> Reacts {
        Reacts::FORCE
    }
    fn place(&mut self, _: &Site, _: &Site) {}
    derived!(evaluate);
}

impl Joint for Cable {
    told!(ROWS);
    fn needs_orientation(&self) -> [bool; 2] {
        [false, false]
    }
    fn markers(&self) -> [Option<Vector>; 2] {
        self.first().markers()
    }
    fn reacts(&self) -> Reacts {
        Reacts::FORCE
    }
    fn place(&mut self, a: &Site, b: &Site) {
        if self.points.len() == 2 {
            self.place_further(&[*a, *b]);
        }
    }
    fn place_further(&mut self, sites: &[Site]) {
        let length = laid(&mut self.points, sites);
        self.length.get_or_insert(length);
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
            joint: Arc::new(Stretch {
                a: pair[0].point,
                b: pair[1].point,
                less: 0.0,
            }),
        };
        pairs.map(leg).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Pose;

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
