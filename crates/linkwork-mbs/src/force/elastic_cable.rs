//! Elastic cable: a rope, belt or tendon that runs through points of several bodies without friction.
//!
//! ```text
//!  T = max(k (L - L_0) + c L', 0)       L = |p_1 - p_0| + |p_2 - p_1| + ...
//! ```
//!
//! The tension is the same in every part and follows the length of all: the force on each body depends on all
//! others. The assembly takes it apart into the pulls of its parts, which follow one formula of all their lengths
//! ([`Force::legs`]); steps end where it becomes slack or taut.

use super::by_scalar::{Bodies, Law, probe, spent};
use super::line::{draw, line};
use super::{Force, ForceEnergy, ForceLeg, ForcePattern, ForcePoint, LineForce};
use super::{OutOfDomain, derived};
use crate::expr::Formula;
use crate::geometry::{Marker, Site, Vector};
use crate::joint::COLUMNS;
use crate::joint::cable::{laid, run_through};
use crate::joint::mounted::stretches;
use crate::part::{Keys, Kind, Part};
use crate::sensor::DistanceSensor;
use crate::units::Unit;
use linkwork_dae::scalar::Scalar;
use std::sync::Arc;

/// An elastic cable over points of several bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct ElasticCable {
    /// Its points, one for each body.
    pub points: Vec<Marker>,
    /// Stiffness of the whole, N/m.
    pub stiffness: f64,
    /// Damping of the whole, N s/m.
    pub damping: f64,
    /// Length without tension, m; `None`: as it is at the start, which it is once placed.
    pub free_length: Option<f64>,
}

impl ElasticCable {
    /// A cable through points, one for each body, without tension as it is at the start.
    pub fn through(
        points: impl IntoIterator<Item = Marker>,
        [stiffness, damping]: [f64; 2],
    ) -> ElasticCable {
        ElasticCable {
            points: points.into_iter().collect(),
            stiffness,
            damping,
            free_length: None,
        }
    }

    fn ends(&self) -> [Vector; 2] {
        [0, 1].map(|k| self.points.get(k).map_or([0.0; 3], |marker| marker.point))
    }

    fn tension<S: Scalar>(&self, length: S, rate: S) -> S {
        let free = self.free_length.unwrap_or(0.0);
        let pull = (length - free) * self.stiffness + rate * self.damping;
        match pull.value() > 0.0 {
            true => pull,
            false => S::from(0.0),
        }
    }
}

impl Kind for ElasticCable {
    const NAME: &'static str = "elastic_cable";
    const SUMMARY: &'static str = "A rope, belt or tendon runs through points of two or more bodies without friction: a spring and \
              damper that pulls, with the same tension everywhere. Its parts are told as `NAME.1`, \
              `NAME.2` and so on: `length` and `force`.";
}

impl Default for ElasticCable {
    fn default() -> ElasticCable {
        ElasticCable::through([Marker::ORIGIN; 2], [0.0; 2])
    }
}

impl Part for ElasticCable {
    fn keys(&mut self, k: &mut Keys<'_>) {
        run_through(k, &mut self.points);
        k.key("stiffness", Unit::Stiffness, "Tension per elongation.")
            .like(20.0, 5.0)
            .positive(&mut self.stiffness);
        k.key("damping", Unit::Damping, "Tension per rate of the length.")
            .or(0.0)
            .like(1.0, 0.5)
            .not_negative(&mut self.damping);
        k.key("free_length", Unit::Length, "Length without tension.")
            .or("as it is at the start")
            .like(0.3, 0.1)
            .positive(&mut self.free_length);
    }
}

impl Law for ElasticCable {
    fn wrench<S: Scalar>(&self, at: Bodies<'_, S>) -> Result<[S; COLUMNS], OutOfDomain> {
        draw(&at, self.ends(), |length, rate| self.tension(length, rate))
    }
}

impl Force for ElasticCable {
    stretches!();
    fn place(&mut self, a: &Site, b: &Site) {
        if self.points.len() == 2 {
            self.place_further(&[*a, *b]);
        }
    }
    fn place_further(&mut self, sites: &[Site]) {
        let length = laid(&mut self.points, sites);
        self.free_length.get_or_insert(length);
    }
    fn sides(&self) -> usize {
        self.points.len()
    }
    fn legs(&self, name: &str) -> Vec<ForceLeg> {
        let part = |k: usize| format!("{name}.{}", k + 1);
        let (k, c) = (self.stiffness, self.damping);
        let lengths: Vec<String> = (1..self.points.len()).map(|k| part(k - 1)).collect();
        let free = self.free_length.unwrap_or(0.0);
        let sum = |of: &str| {
            let parts: Vec<String> = (0..lengths.len()).map(|k| format!("{of}{k}")).collect();
            parts.join(" + ")
        };
        let text = format!(
            "max({k:?}*({} - {free:?}) + {c:?}*({}), 0)",
            sum("s"),
            sum("v")
        );
        let named = |word: &str| {
            let (of, k) = word.split_at(1);
            let length = k.parse().ok().and_then(|k: usize| lengths.get(k));
            let length = length.map_or("", String::as_str);
            match of {
                "s" => length.to_string(),
                _ => format!("{length}.velocity"),
            }
        };
        // numbers are checked: it can be read
        let tension = Formula::parse_with_signals(&text).unwrap_or_default();
        let tension = tension.with_signals(named);
        let pairs = self.points.windows(2).enumerate();
        let leg = |(k, pair): (usize, &[Marker])| {
            let line = LineForce {
                a: pair[0],
                b: pair[1],
                force: tension.clone(),
                limits: [f64::NEG_INFINITY, f64::INFINITY],
                ..LineForce::default()
            };
            ForceLeg {
                name: part(k),
                sides: [k, k + 1],
                force: Arc::new(line),
                sensor: Arc::new(DistanceSensor::between(pair[0], pair[1])),
            }
        };
        pairs.map(leg).collect()
    }
    fn pattern(&self, flat: bool) -> ForcePattern {
        // it may be slack where one happens to look
        let taut = ElasticCable {
            free_length: Some(0.0),
            stiffness: self.stiffness + 1e3 * self.damping,
            ..self.clone()
        };
        probe(&taut, flat)
    }

    derived!(eval by_scalar);

    fn energy(&self, at: &ForcePoint<'_>) -> ForceEnergy {
        spent(self, at)
    }
    fn channels(&self) -> &'static [(&'static str, &'static str)] {
        &[("length", "m"), ("force", "N")]
    }
    fn observe(&self, at: &ForcePoint<'_>, out: &mut [f64]) {
        let (_, length, rate) = line(at.a, at.b, self.ends());
        out[..2].copy_from_slice(&[length, self.tension(length, rate)]);
    }
}
