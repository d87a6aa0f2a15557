//! Units of computed values: what a formula of quantities with units is a quantity of.
//!
//! A plain number fits anywhere, as it does in model text, where it stands for SI units; as a factor it
//! is taken for a pure number. Radians and
//! turns are no dimensions of physics: products drop them (`angle*radius` is a length), sums and
//! plain multiples keep them, so that an angle is not taken for a length. Only rates lose them to a
//! factor, because `2*pi*f` is an angular velocity and `w/(2*pi)` a frequency.

use super::{Exponents, Unit};
use std::fmt;

/// What is known of the unit of a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Dimension {
    /// Nothing: the value comes from time or a signal.
    Unknown,
    /// Exponents of kg, m, s, rad, turn; all zero for a plain number.
    Known([f64; 5]),
}

/// Exponents that differ by less are equal: thirds do not add up to the last bit.
const CLOSE: f64 = 1e-9;

fn same(a: f64, b: f64) -> bool {
    (a - b).abs() < CLOSE
}

impl Dimension {
    /// A plain number.
    pub const PLAIN: Dimension = Dimension::Known([0.0; 5]);

    pub(super) fn of(exponents: Exponents) -> Dimension {
        Dimension::Known(exponents.map(f64::from))
    }

    /// Whether it may stand for any quantity.
    pub fn is_free(self) -> bool {
        match self {
            Dimension::Unknown => true,
            Dimension::Known(e) => e.iter().all(|x| same(*x, 0.0)),
        }
    }

    /// Whether such a value can be an angle.
    pub(crate) fn is_angle(self) -> bool {
        self.fits(Unit::Angle)
    }

    /// Whether such a value can stand where `unit` is wanted.
    pub fn fits(self, unit: Unit) -> bool {
        self.is_free() || self.is_of(unit)
    }

    /// Whether it is the unit of such a quantity. Radians and turns may be left out, but not replaced
    /// by each other.
    pub(super) fn is_of(self, unit: Unit) -> bool {
        let Dimension::Known(e) = self else {
            return false;
        };
        let wanted = unit.row().3.map(f64::from);
        (0..3).all(|i| same(e[i], wanted[i]))
            && (3..5).all(|i| same(e[i], wanted[i]) || same(e[i], 0.0))
    }

    /// The unit of a product, or of a quotient with `sign` -1.
    pub(crate) fn times(self, other: Dimension, sign: f64) -> Dimension {
        let (Dimension::Known(a), Dimension::Known(b)) = (self, other) else {
            return Dimension::Unknown;
        };
        let mut e = [0.0; 5];
        for i in 0..5 {
            e[i] = a[i] + sign * b[i];
        }
        let rate = same(e[0], 0.0) && same(e[1], 0.0) && same(e[2], -1.0);
        let multiple = other.is_free() || (self.is_free() && sign > 0.0);
        if rate || !multiple {
            [e[3], e[4]] = [0.0; 2];
        }
        Dimension::Known(e)
    }

    /// The unit of a power.
    pub(crate) fn power(self, p: f64) -> Dimension {
        match self {
            Dimension::Known(_) if p == 1.0 => self,
            Dimension::Known([kg, m, s, ..]) => Dimension::Known([kg * p, m * p, s * p, 0.0, 0.0]),
            Dimension::Unknown => Dimension::Unknown,
        }
    }

    /// The unit of a sum, or of the greater of two; `None` where they cannot be compared.
    pub(crate) fn common(self, other: Dimension) -> Option<Dimension> {
        let (Dimension::Known(a), Dimension::Known(b)) = (self, other) else {
            return Some(if self == Dimension::Unknown {
                other
            } else {
                self
            });
        };
        if self.is_free() {
            return Some(other);
        }
        if other.is_free() {
            return Some(self);
        }
        let straight = |e: [f64; 5]| same(e[3], 0.0) && same(e[4], 0.0);
        let equal = (0..3).all(|i| same(a[i], b[i]))
            && (straight(a) || straight(b) || (3..5).all(|i| same(a[i], b[i])));
        equal.then_some(if straight(a) { other } else { self })
    }
}

/// The symbol of the quantity that has this unit, or a product of base units.
impl fmt::Display for Dimension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Dimension::Known(e) = self else {
            return Ok(());
        };
        let known = |unit: &&Unit| {
            let row = unit.row().3.map(f64::from);
            (0..5).all(|i| same(e[i], row[i]))
        };
        if let Some(unit) = Unit::ALL.iter().find(known) {
            return f.write_str(unit.symbol());
        }
        let symbols = ["kg", "m", "s", "rad", "turn"];
        let mut before = "";
        for (symbol, power) in symbols.into_iter().zip(e).filter(|(_, p)| !same(**p, 0.0)) {
            write!(f, "{before}{symbol}")?;
            if !same(*power, 1.0) {
                write!(f, "^{power}")?;
            }
            before = " ";
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::quantity;
    use super::*;

    fn unit(text: &str) -> Dimension {
        quantity(&format!("1 {text}")).unwrap().1
    }

    #[test]
    fn products_and_powers_have_the_units_of_physics() {
        let (k, m) = (unit("N/m"), unit("kg"));
        let frequency = k.times(m, -1.0).power(0.5);
        assert!(frequency.fits(Unit::Frequency) && frequency.fits(Unit::AngularVelocity));
        assert!(!frequency.fits(Unit::Time));
        assert!(k.times(unit("mm"), 1.0).fits(Unit::Force));
        let torsion = unit("N m/rad");
        assert!(torsion.times(unit("deg"), 1.0).fits(Unit::Torque));
        assert!(
            torsion
                .times(unit("kg m^2"), -1.0)
                .power(0.5)
                .fits(Unit::Frequency)
        );
        assert!(unit("rad").times(unit("m"), 1.0).fits(Unit::Length));
    }

    #[test]
    fn plain_factors_keep_angles_and_turn_rates_into_frequencies() {
        let half = |d: Dimension| d.times(Dimension::PLAIN, -1.0);
        assert!(!half(unit("deg")).fits(Unit::Length));
        assert!(half(unit("deg")).fits(Unit::Angle));
        assert!(!unit("Hz").fits(Unit::AngularVelocity));
        assert!(
            Dimension::PLAIN
                .times(unit("Hz"), 1.0)
                .fits(Unit::AngularVelocity)
        );
        assert!(half(unit("rad/s")).fits(Unit::Frequency));
        assert!(!half(unit("N m/rad")).fits(Unit::Torque));
    }

    #[test]
    fn sums_need_one_unit() {
        assert!(unit("m").common(unit("mm")).is_some());
        assert!(unit("m").common(unit("s")).is_none());
        assert_eq!(unit("m").common(Dimension::PLAIN), Some(unit("m")));
        assert_eq!(Dimension::Unknown.common(unit("m")), Some(unit("m")));
        assert!(unit("Hz").common(unit("rad/s")).is_none());
    }

    #[test]
    fn units_are_shown_by_their_symbol() {
        assert_eq!(unit("N/mm").to_string(), "N/m");
        assert_eq!(unit("W").to_string(), "kg m^2 s^-3");
        assert_eq!(unit("m").power(0.5).to_string(), "m^0.5");
        assert_eq!(Dimension::PLAIN.to_string(), "");
        for unit in Unit::ALL {
            let shown = Dimension::of(unit.row().3).to_string();
            assert_eq!(shown, unit.symbol());
        }
    }
}
