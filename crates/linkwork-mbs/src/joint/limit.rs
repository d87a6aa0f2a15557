//! Stops: an angle about an axis of body a, or a displacement along it, stays between two values.
//!
//! ```text
//!  x - lower >= 0,   upper - x >= 0
//! ```
//!
//! A stop is met by an impact and holds while it presses, see [`linkwork_dae::law`].

use super::by_scalar::{self, derived};
use super::drive::measured;
use super::{Constraint, Driven, Fixture, Joint, MAX_ROWS, Poses};
use crate::part::{Keys, Kind, Part};
use crate::units::Unit;
use linkwork_dae::law::Law;
use linkwork_dae::scalar::Scalar;

/// Stops of an angle or a displacement between two bodies.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Limit {
    /// The quantity.
    pub quantity: Driven,
    /// Points, axis and normals.
    pub fixture: Fixture,
    /// The least value, rad or m.
    pub lower: Option<f64>,
    /// The largest value, rad or m.
    pub upper: Option<f64>,
    /// Speed of departure over speed of approach.
    pub restitution: f64,
}

/// The key of the speed of departure over the speed of approach at an impact; beyond 1 it would gain energy.
pub(super) fn restitution(k: &mut Keys<'_>, slot: &mut f64) {
    let doc = "Speed of departure over speed of approach at an impact, 0 to 1.";
    k.key("restitution", Unit::None, doc)
        .or(0.0)
        .between(0.0, 1.0, slot);
}

impl Kind for Limit {
    const NAME: &'static str = "limit";
    const SUMMARY: &'static str = "Stops: an angle about an axis of body_a or a displacement along it stays between two \
              values; met by an impact.";
}

impl Part for Limit {
    fn keys(&mut self, k: &mut Keys<'_>) {
        self.quantity
            .keys(k, "What is limited: `angle` or `displacement`.");
        let unit = self.quantity.unit(k);
        k.key("lower", unit, "The least value, in rad or m.")
            .or("no stop")
            .like(-2.0, 1.0)
            .number(&mut self.lower);
        k.key("upper", unit, "The largest value, in rad or m.")
            .or("no stop")
            .like(2.0, 0.5)
            .number(&mut self.upper);
        if k.draw().is_some() && self.lower.is_none() {
            self.upper.get_or_insert(2.0);
        }
        let given = self.lower.is_some() || self.upper.is_some();
        k.rule("lower", given, "give `lower`, `upper` or both");
        if let (Some(low), Some(high)) = (self.lower, self.upper) {
            let why = format!("the lower stop {low} must be below the upper one {high}");
            k.rule("upper", low < high, why);
        }
        restitution(k, &mut self.restitution);
        self.quantity.seat(k, &mut self.fixture);
    }
}

impl Constraint for Limit {
    fn constraint<S: Scalar>(&self, at: Poses<'_, S>) -> [S; MAX_ROWS] {
        let Poses { a, b, turns, .. } = at;
        let mut out = [S::from(0.0); MAX_ROWS];
        let x = self.quantity.measure(&self.fixture, a, b, turns);
        let stops = [
            self.lower.map(|low| x - low),
            self.upper.map(|high| -x + high),
        ];
        for (out, stop) in out.iter_mut().zip(stops.into_iter().flatten()) {
            *out = stop;
        }
        out
    }
}

impl Joint for Limit {
    fn row_names(&self) -> &'static [&'static str] {
        match (self.lower, self.upper) {
            (Some(_), Some(_)) => &["lower stop", "upper stop"],
            (Some(_), None) => &["lower stop"],
            _ => &["upper stop"],
        }
    }
    measured!(quantity);
    fn laws(&self) -> Vec<(usize, Law)> {
        let restitution = self.restitution;
        (0..self.rows())
            .map(|row| (row, Law::OneSided { restitution }))
            .collect()
    }
    derived!(evaluate);
}
