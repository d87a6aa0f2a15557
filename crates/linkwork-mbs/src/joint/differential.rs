//! Differential: turns of several shafts against a common housing have a fixed sum.
//!
//! ```text
//!  C = r_1 phi_1 + r_2 phi_2 + ...          phi_k of shaft k against body_a, zero at the start
//! ```
//!
//! The drive of an axle is `phi_left + phi_right - 2 phi_cage = 0`; Willis' equation of an epicyclic gear
//! `phi_sun + i phi_ring - (1 + i) phi_carrier = 0`. Torques are in the proportion of the factors. The bearings of
//! the shafts are joints of their own.

use super::by_scalar::derived;
use super::fixture::{UP, Way};
use super::mounted::told;
use super::{
    Constraint, Fixture, Joint, JointPattern, JointPoint, JointTerms, Leg, MAX_ROWS, Poses, Reacts,
    Want, further_bodies, rows,
};
use crate::field::{Form, Value};
use crate::geometry::{Components, Site};
use crate::part::{Keys, Kind, OfKind, Part};
use crate::units::Unit;
use linkwork_dae::scalar::Scalar;
use std::sync::Arc;

/// A differential: a weighted sum of the turns of several shafts vanishes.
#[derive(Clone, Debug, PartialEq)]
pub struct Differential {
    /// The axis, on body a; once placed also that of the first shaft.
    fixture: Fixture,
    /// Factors of the turns, one for each shaft.
    pub factors: Vec<f64>,
    /// The other shafts, once placed.
    others: Vec<Shaft>,
}

impl Differential {
    /// Shafts about a global direction of the start pose, with the factors of their turns.
    pub fn about(axis: impl Components, factors: impl IntoIterator<Item = f64>) -> Differential {
        Differential {
            fixture: Fixture::at([0.0; 3], axis).without_points(),
            factors: factors.into_iter().collect(),
            others: Vec::new(),
        }
    }

    fn first(&self) -> Shaft {
        Shaft {
            fixture: self.fixture.clone(),
            factor: self.factors.first().copied().unwrap_or(1.0),
        }
    }
}

/// One shaft: its turn against the housing, times a factor.
#[derive(Clone, Debug, PartialEq)]
struct Shaft {
    fixture: Fixture,
    factor: f64,
}

impl Kind for Differential {
    const NAME: &'static str = "differential";
    const SUMMARY: &'static str = "Turns of two or more shafts about one axis of body_a, each times a factor, have the sum zero: the \
              drive of an axle, an epicyclic gear. The bearings are joints of their own.";
}

impl Default for Differential {
    fn default() -> Differential {
        Differential::about(UP, [])
    }
}

impl Part for Differential {
    fn keys(&mut self, k: &mut Keys<'_>) {
        let further = further_bodies(k);
        let doc = "Factors of the turns of body_b and of the further bodies: a list of numbers.";
        let write = |list: &Vec<f64>| Value::numbers(list);
        k.key("factors", Unit::None, doc).special(
            Form::List,
            &mut self.factors,
            |f, key| f.numbers(key),
            write,
            |draw| vec![1.5 + draw()],
        );
        let (given, shafts) = (self.factors.len(), 1 + further.unwrap_or_default());
        let fits = further.is_none() || given == shafts;
        k.rule(
            "factors",
            fits,
            format!("{given} factors for {shafts} shafts"),
        );
        let finite = self.factors.iter().all(|x| x.is_finite());
        k.rule("factors", finite, "its factors must be finite");
        self.fixture.axis(k, Way::About);
        k.placed(|| (self.others.iter()).try_for_each(|shaft| shaft.fixture.check()));
    }
}

impl Part for Shaft {
    fn keys(&mut self, _: &mut Keys<'_>) {}
}

impl Constraint for Shaft {
    fn constraint<S: Scalar>(&self, at: Poses<'_, S>) -> [S; MAX_ROWS] {
        let Poses { a, b, .. } = at;
        rows([self.fixture.angle(a, b, at.turn()) * self.factor])
    }
}

const ROWS: &[&str] = &["sum of the turns"];

impl OfKind for Shaft {
    fn kind(&self) -> &'static str {
        Differential::NAME
    }
}

impl Joint for Shaft {
    told!(ROWS);
    fn reacts(&self) -> Reacts {
        Reacts::TORQUE
    }
    fn place(&mut self, a: &Site, b: &Site) {
        self.fixture.place(a, b);
    }
    derived!(evaluate);
    fn turns(&self) -> usize {
        usize::from(self.fixture.counts())
    }
    fn wind(&self, at: &JointPoint<'_>, turns: &mut [f64]) {
        self.fixture.wind(at, turns);
    }
}

impl Joint for Differential {
    told!(ROWS);
    fn reacts(&self) -> Reacts {
        Reacts::TORQUE
    }
    fn place(&mut self, a: &Site, b: &Site) {
        self.fixture.place(a, b);
        // bodies in the x-y plane know their turns
        self.fixture.turn = self.fixture.rest;
    }
    fn place_further(&mut self, sites: &[Site]) {
        let [a, _, further @ ..] = sites else { return };
        let axis = self.fixture.axis_a.direction;
        let factors = self.factors.iter().skip(1);
        self.others = (further.iter().zip(factors))
            .map(|(site, &factor)| {
                let mut fixture = Fixture::at([0.0; 3], a.pose.direction(axis)).without_points();
                fixture.place(a, site);
                fixture.turn = fixture.rest;
                Shaft { fixture, factor }
            })
            .collect();
    }
    fn pattern(&self, flat: bool) -> JointPattern {
        self.first().pattern(flat)
    }
    fn eval(&self, at: &JointPoint<'_>, want: Want, out: &mut JointTerms) {
        self.first().eval(at, want, out);
    }
    fn turns(&self) -> usize {
        self.first().turns()
    }
    fn wind(&self, at: &JointPoint<'_>, turns: &mut [f64]) {
        self.first().wind(at, turns);
    }
    fn sides(&self) -> usize {
        self.factors.len() + 1
    }
    fn legs(&self) -> Vec<Leg> {
        let others = self.others.iter().enumerate();
        others
            .map(|(k, shaft)| Leg {
                sides: [Some(0), Some(k + 2)],
                joint: Arc::new(shaft.clone()),
            })
            .collect()
    }
}
