//! Bushing: a soft connection of two bodies with full stiffness and damping.
//!
//! Measures are the displacement of the point of body b and its rotation vector, both in the triad
//! (normal, third direction, axis) of body a; zero where the triads of both bodies coincide.
//!
//! ```text
//!  f = K z + D z'        U = z' K z / 2,   K, D: 6 x 6, symmetric
//! ```
//!
//! The load is `-J' f` with the exact derivative of the measures, so the bushing conserves the energy
//! that it stores at any rotation. Close to half a turn it is out of its domain: there a rotation has
//! no single vector. One that resists displacements alone does not look at rotations, so that a point of
//! an axle can turn in it.

use super::measure::{displacements, observe, offset, pull};
use super::{Bodies, Force, ForcePoint, Law, derived};
use super::{ForceEnergy, OutOfDomain};
use crate::error::ModelError;
use crate::field::{Form, Value};
use crate::geometry::Pose;
use crate::joint::fixture::Way;
use crate::joint::mounted::sits_on;
use crate::joint::{COLUMNS, Fixture};
use crate::part::{Item, Keys, Kind, Part};
use crate::text::Fields;
use crate::units::Unit;
use linkwork_dae::scalar::Scalar;

type SixBySix = [[f64; 6]; 6];
/// Largest rotation, rad.
const FARTHEST: f64 = 0.97 * std::f64::consts::PI;

/// A soft connection of two bodies with full stiffness and damping.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bushing {
    /// Where it is and its directions.
    pub fixture: Fixture,
    /// Stiffness: N/m, N, N m.
    pub stiffness: SixBySix,
    /// Damping: N s/m, N s, N m s.
    pub damping: SixBySix,
}

const DOC: &str = "6 numbers (three translations, three rotations, along normal, third direction, \
                   axis) or 6 rows of 6; SI units.";

impl Kind for Bushing {
    const NAME: &'static str = "bushing";
    const SUMMARY: &'static str = "A soft connection with full 6 x 6 stiffness and damping.";
}

impl Part for Bushing {
    fn keys(&mut self, k: &mut Keys<'_>) {
        self.fixture.points(k);
        self.fixture.axes(k, Way::About);
        self.fixture.normals(k);
        square(
            k.key("stiffness", Unit::None, DOC),
            5.0,
            &mut self.stiffness,
        );
        square(
            k.key("damping", Unit::None, DOC).or(0.0),
            0.5,
            &mut self.damping,
        );
        for (what, m) in [("stiffness", &self.stiffness), ("damping", &self.damping)] {
            k.placed(|| problem(m).map_or(Ok(()), |why| Err(format!("{what}: {why}"))));
        }
    }
}

/// A symmetric matrix; examples are of the given size.
fn square(item: Item<'_, '_>, size: f64, slot: &mut SixBySix) {
    item.special(
        Form::List,
        slot,
        read_square,
        |m| Value::matrix(&m.map(|row| row.to_vec())),
        |draw| {
            let root: SixBySix = std::array::from_fn(|_| std::array::from_fn(|_| draw()));
            // a product with its transpose is symmetric and not negative
            let entry = |i: usize, j: usize| (0..6).map(|k| root[i][k] * root[j][k]).sum::<f64>();
            std::array::from_fn(|i| std::array::from_fn(|j| size * entry(i, j)))
        },
    );
}

fn read_square(f: &Fields<'_>, key: &'static str) -> Result<SixBySix, ModelError> {
    let numbers = f.quantities(key, Unit::None)?;
    let square: SixBySix = match numbers.len() {
        6 => {
            std::array::from_fn(|i| std::array::from_fn(|j| if i == j { numbers[i] } else { 0.0 }))
        }
        36 => std::array::from_fn(|i| std::array::from_fn(|j| numbers[6 * i + j])),
        n => {
            let message = format!("`{key}` has 6 or 36 numbers, not {n}");
            return Err(f.error(key, message));
        }
    };
    match problem(&square) {
        Some(why) => Err(f.error(key, why)),
        None => Ok(square),
    }
}

fn problem(m: &SixBySix) -> Option<&'static str> {
    let largest = m.as_flattened().iter().fold(0.0f64, |l, x| l.max(x.abs()));
    if !largest.is_finite() {
        return Some("the numbers must be finite");
    }
    let uneven = |i: usize, j: usize| (m[i][j] - m[j][i]).abs() > 1e-9 * largest;
    if (0..6).any(|i| (0..i).any(|j| uneven(i, j))) {
        return Some("the matrix must be symmetric");
    }
    (0..6)
        .any(|i| m[i][i] < 0.0)
        .then_some("the diagonal must not be negative")
}

fn times<S: Scalar>(m: &SixBySix, x: &[S; 6]) -> [S; 6] {
    std::array::from_fn(|i| {
        let mut sum = S::from(0.0);
        for (m, x) in m[i].iter().zip(x) {
            if *m != 0.0 {
                sum += *x * *m;
            }
        }
        sum
    })
}

impl Bushing {
    fn law<S: Scalar>(&self, z: &[S; 6], rate: &[S; 6]) -> [S; 6] {
        let (elastic, viscous) = (times(&self.stiffness, z), times(&self.damping, rate));
        std::array::from_fn(|i| elastic[i] + viscous[i])
    }

    fn resists_turning(&self) -> bool {
        let turning = |m: &SixBySix| m[3..].as_flattened().iter().any(|x| *x != 0.0);
        turning(&self.stiffness) || turning(&self.damping)
    }

    fn measures<S: Scalar>(&self, a: &Pose<S>, b: &Pose<S>) -> [S; 6] {
        if self.resists_turning() {
            return offset(&self.fixture, a, b);
        }
        let [x, y, z] = displacements(&self.fixture, a, b);
        let none = S::from(0.0);
        [x, y, z, none, none, none]
    }

    fn offsets(&self, at: &ForcePoint<'_>) -> ([f64; 6], [f64; 6]) {
        let pairs = observe(at.a, at.b, |a, b| self.measures(a, b));
        (pairs.map(|p| p.0), pairs.map(|p| p.1))
    }
}

impl Law for Bushing {
    fn wrench<S: Scalar>(&self, at: Bodies<'_, S>) -> Result<[S; COLUMNS], OutOfDomain> {
        let Bodies { a, b, .. } = at;
        let mut far = false;
        let on = pull(
            a,
            b,
            |a, b| self.measures(a, b),
            |z, rate| {
                let turned = z[3..].iter().map(|x| x.value().powi(2)).sum::<f64>();
                far = !(turned < FARTHEST * FARTHEST);
                self.law(&z, &rate)
            },
        );
        if far {
            return Err(OutOfDomain::because(
                "its bodies are turned against each other by nearly half a turn",
            ));
        }
        Ok(on)
    }
}

impl Force for Bushing {
    sits_on!(fixture);
    derived!(by_scalar);

    fn energy(&self, at: &ForcePoint<'_>) -> ForceEnergy {
        let (z, rate) = self.offsets(at);
        let form = |m: &SixBySix, x: &[f64; 6]| -> f64 {
            times(m, x).iter().zip(x).map(|(a, b)| a * b).sum()
        };
        ForceEnergy {
            potential: 0.5 * form(&self.stiffness, &z),
            power: -form(&self.damping, &rate),
        }
    }
    fn channels(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("force.normal", "N"),
            ("force.third", "N"),
            ("force.axis", "N"),
            ("torque.normal", "N m"),
            ("torque.third", "N m"),
            ("torque.axis", "N m"),
        ]
    }
    fn observe(&self, at: &ForcePoint<'_>, out: &mut [f64]) {
        let (z, rate) = self.offsets(at);
        out[..6].copy_from_slice(&self.law(&z, &rate));
    }
}
