//! Units: what a number of the model text means, and suffixes such as `"30 deg"` or `"4.53 N/mm"`.
//!
//! Numbers without a suffix are in SI units. A suffix is a product of symbols with integer powers,
//! reduced to a factor and five exponents (kg, m, s, rad, turn). Radians and turns may be left out
//! (`N m` for a torsional stiffness), but never confused: `Hz` is not an angular velocity.

mod dimension;

pub use dimension::Dimension;

use crate::spelling::nearest;

/// The physical kind of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A plain number.
    None,
    /// m
    Length,
    /// rad
    Angle,
    /// kg
    Mass,
    /// kg m^2
    Inertia,
    /// s
    Time,
    /// Hz
    Frequency,
    /// m/s
    Velocity,
    /// rad/s
    AngularVelocity,
    /// m/s^2
    Acceleration,
    /// rad/s^2
    AngularAcceleration,
    /// N
    Force,
    /// N m
    Torque,
    /// N/m
    Stiffness,
    /// N s/m
    Damping,
    /// N m/rad
    AngularStiffness,
    /// N m s/rad
    AngularDamping,
    /// m^2
    Area,
    /// m^4
    SecondMoment,
    /// Pa
    Pressure,
    /// kg/m^3
    Density,
}

/// Exponents of kg, m, s, rad, turn.
type Exponents = [i32; 5];

impl Unit {
    pub(crate) const ALL: [Unit; 21] = [
        Unit::None,
        Unit::Length,
        Unit::Angle,
        Unit::Mass,
        Unit::Inertia,
        Unit::Time,
        Unit::Frequency,
        Unit::Velocity,
        Unit::AngularVelocity,
        Unit::Acceleration,
        Unit::AngularAcceleration,
        Unit::Force,
        Unit::Torque,
        Unit::Stiffness,
        Unit::Damping,
        Unit::AngularStiffness,
        Unit::AngularDamping,
        Unit::Area,
        Unit::SecondMoment,
        Unit::Pressure,
        Unit::Density,
    ];

    /// Symbol of the SI unit; empty for plain numbers.
    pub fn symbol(self) -> &'static str {
        self.row().0
    }

    /// A noun for messages: "a length".
    pub fn noun(self) -> &'static str {
        self.row().1
    }

    /// Two or three ways to write such a quantity, for messages.
    pub fn examples(self) -> &'static str {
        self.row().2
    }

    fn row(self) -> (&'static str, &'static str, &'static str, Exponents) {
        match self {
            Unit::None => ("", "a plain number", "0.5", [0, 0, 0, 0, 0]),
            Unit::Length => ("m", "a length", "0.005, \"5 mm\"", [0, 1, 0, 0, 0]),
            Unit::Angle => ("rad", "an angle", "0.5236, \"30 deg\"", [0, 0, 0, 1, 0]),
            Unit::Mass => ("kg", "a mass", "0.002, \"2 g\"", [1, 0, 0, 0, 0]),
            Unit::Inertia => (
                "kg m^2",
                "a moment of inertia",
                "2.2e-6, \"22 g cm^2\"",
                [1, 2, 0, 0, 0],
            ),
            Unit::Time => ("s", "a time", "0.03, \"30 ms\"", [0, 0, 1, 0, 0]),
            Unit::Frequency => ("Hz", "a frequency", "50, \"50 Hz\"", [0, 0, -1, 0, 1]),
            Unit::Velocity => ("m/s", "a velocity", "0.25, \"25 cm/s\"", [0, 1, -1, 0, 0]),
            Unit::AngularVelocity => (
                "rad/s",
                "an angular velocity",
                "125.7, \"1200 rpm\", \"90 deg/s\"",
                [0, 0, -1, 1, 0],
            ),
            Unit::Acceleration => (
                "m/s^2",
                "an acceleration",
                "9.81, \"9.81 m/s^2\"",
                [0, 1, -2, 0, 0],
            ),
            Unit::AngularAcceleration => (
                "rad/s^2",
                "an angular acceleration",
                "3.14, \"180 deg/s^2\"",
                [0, 0, -2, 1, 0],
            ),
            Unit::Force => ("N", "a force", "1500, \"1.5 kN\"", [1, 1, -2, 0, 0]),
            Unit::Torque => ("N m", "a torque", "0.033, \"33 N mm\"", [1, 2, -2, 0, 0]),
            Unit::Stiffness => (
                "N/m",
                "a stiffness",
                "4530, \"4.53 N/mm\"",
                [1, 0, -2, 0, 0],
            ),
            Unit::Damping => (
                "N s/m",
                "a damping coefficient",
                "12, \"12 N s/m\"",
                [1, 0, -1, 0, 0],
            ),
            Unit::AngularStiffness => (
                "N m/rad",
                "a torsional stiffness",
                "2.5, \"2.5 N m/rad\"",
                [1, 2, -2, -1, 0],
            ),
            Unit::AngularDamping => (
                "N m s/rad",
                "a torsional damping coefficient",
                "0.01, \"0.01 N m s/rad\"",
                [1, 2, -1, -1, 0],
            ),
            Unit::Area => ("m^2", "an area", "1e-4, \"1 cm^2\"", [0, 2, 0, 0, 0]),
            Unit::SecondMoment => (
                "m^4",
                "a second moment of area",
                "8.3e-10, \"833 mm^4\"",
                [0, 4, 0, 0, 0],
            ),
            Unit::Pressure => (
                "Pa",
                "a modulus or a stress",
                "2.1e11, \"210 GPa\"",
                [1, -1, -2, 0, 0],
            ),
            Unit::Density => (
                "kg/m^3",
                "a density",
                "7850, \"7.85 g/cm^3\"",
                [1, -3, 0, 0, 0],
            ),
        }
    }

    /// Value in SI units of a text such as `"4.53 N/mm"` or `"3"`.
    pub fn parse(self, text: &str) -> Result<f64, UnitError> {
        let (number, suffix) = split_number(text).ok_or_else(|| UnitError {
            message: format!("`{text}` does not start with a number"),
            help: format!("expected {}, for example {}", self.noun(), self.examples()),
        })?;
        if suffix.is_empty() {
            return Ok(number);
        }
        let (factor, dimension) = parse_suffix(suffix).map_err(|mut e| {
            e.help = match e.help.as_str() {
                "" => format!("expected {}, for example {}", self.noun(), self.examples()),
                suggestion => format!(
                    "{suggestion}; expected {}, for example {}",
                    self.noun(),
                    self.examples()
                ),
            };
            e
        })?;
        if !Dimension::of(dimension).is_of(self) {
            return Err(UnitError {
                message: format!("`{suffix}` is not the unit of {}", self.noun()),
                help: format!("expected {}, for example {}", self.noun(), self.examples()),
            });
        }
        Ok(number * factor)
    }
}

/// Value in SI units and unit of a text such as `"2e4 N/m"`, whatever its kind.
pub(crate) fn quantity(text: &str) -> Result<(f64, Dimension), UnitError> {
    let (number, suffix) = split_number(text).ok_or_else(|| UnitError {
        message: format!("`{text}` does not start with a number"),
        help: "quantities are written \"2e4 N/m\"".into(),
    })?;
    let (factor, exponents) = parse_suffix(suffix)?;
    Ok((number * factor, Dimension::of(exponents)))
}

/// Whether a text is a unit or a product of units.
pub(crate) fn is_unit(text: &str) -> bool {
    parse_suffix(text).is_ok()
}

/// Why a text is not a quantity of the wanted kind.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct UnitError {
    /// What is wrong.
    pub message: String,
    /// What was expected, with examples.
    pub help: String,
}

const TURN: f64 = std::f64::consts::TAU;
const DEGREE: f64 = std::f64::consts::PI / 180.0;

/// Symbol, factor to SI, exponents.
const SYMBOLS: &[(&str, f64, Exponents)] = &[
    ("m", 1.0, [0, 1, 0, 0, 0]),
    ("mm", 1e-3, [0, 1, 0, 0, 0]),
    ("cm", 1e-2, [0, 1, 0, 0, 0]),
    ("km", 1e3, [0, 1, 0, 0, 0]),
    ("um", 1e-6, [0, 1, 0, 0, 0]),
    ("µm", 1e-6, [0, 1, 0, 0, 0]),
    ("in", 0.0254, [0, 1, 0, 0, 0]),
    ("kg", 1.0, [1, 0, 0, 0, 0]),
    ("g", 1e-3, [1, 0, 0, 0, 0]),
    ("mg", 1e-6, [1, 0, 0, 0, 0]),
    ("s", 1.0, [0, 0, 1, 0, 0]),
    ("ms", 1e-3, [0, 0, 1, 0, 0]),
    ("us", 1e-6, [0, 0, 1, 0, 0]),
    ("µs", 1e-6, [0, 0, 1, 0, 0]),
    ("min", 60.0, [0, 0, 1, 0, 0]),
    ("h", 3600.0, [0, 0, 1, 0, 0]),
    ("rad", 1.0, [0, 0, 0, 1, 0]),
    ("mrad", 1e-3, [0, 0, 0, 1, 0]),
    ("deg", DEGREE, [0, 0, 0, 1, 0]),
    ("°", DEGREE, [0, 0, 0, 1, 0]),
    ("rev", TURN, [0, 0, 0, 1, 0]),
    ("rpm", TURN / 60.0, [0, 0, -1, 1, 0]),
    ("Hz", 1.0, [0, 0, -1, 0, 1]),
    ("kHz", 1e3, [0, 0, -1, 0, 1]),
    ("N", 1.0, [1, 1, -2, 0, 0]),
    ("mN", 1e-3, [1, 1, -2, 0, 0]),
    ("kN", 1e3, [1, 1, -2, 0, 0]),
    ("MN", 1e6, [1, 1, -2, 0, 0]),
    ("Nm", 1.0, [1, 2, -2, 0, 0]),
    ("Nmm", 1e-3, [1, 2, -2, 0, 0]),
    ("kNm", 1e3, [1, 2, -2, 0, 0]),
    ("J", 1.0, [1, 2, -2, 0, 0]),
    ("W", 1.0, [1, 2, -3, 0, 0]),
    ("Pa", 1.0, [1, -1, -2, 0, 0]),
    ("kPa", 1e3, [1, -1, -2, 0, 0]),
    ("MPa", 1e6, [1, -1, -2, 0, 0]),
    ("GPa", 1e9, [1, -1, -2, 0, 0]),
];

/// Symbols that can stand behind a number, and what each is in SI units.
pub fn symbols() -> impl Iterator<Item = (&'static str, String)> {
    let power = |name: &str, e: i32| match e {
        1 => name.to_string(),
        _ => format!("{name}^{e}"),
    };
    SYMBOLS.iter().map(move |(symbol, factor, exponents)| {
        let bases = || ["kg", "m", "s", "rad", "turn"].iter().zip(exponents);
        let above: Vec<String> = (bases().filter(|(_, e)| **e > 0))
            .map(|(name, e)| power(name, *e))
            .collect();
        let below: Vec<String> = (bases().filter(|(_, e)| **e < 0))
            .map(|(name, e)| power(name, -e))
            .collect();
        let below = match &below[..] {
            [] => String::new(),
            [one] => format!("/{one}"),
            many => format!("/({})", many.join(" ")),
        };
        (*symbol, format!("{factor} {}{below}", above.join(" ")))
    })
}

/// Length in bytes of the unsigned decimal number that a text starts with; zero when there is none.
pub(crate) fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digits = |from: usize| {
        from + bytes
            .iter()
            .skip(from)
            .take_while(|b| b.is_ascii_digit())
            .count()
    };
    let mut end = digits(0);
    let mut seen = end;
    if bytes.get(end) == Some(&b'.') {
        let after = digits(end + 1);
        seen += after - end - 1;
        end = after;
    }
    if seen == 0 {
        return 0;
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let from = end + 1 + usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let after = digits(from);
        if after > from {
            end = after;
        }
    }
    end
}

/// The leading number of a text and the trimmed rest; `None` when it does not start with one.
pub(crate) fn split_number(text: &str) -> Option<(f64, &str)> {
    let text = text.trim();
    let sign = usize::from(text.starts_with(['+', '-']));
    let length = number_length(&text[sign..]);
    if length == 0 {
        return None;
    }
    let (number, rest) = text.split_at(sign + length);
    Some((number.parse().ok()?, rest.trim_start()))
}

/// Factor and exponents of a suffix such as `N/(m/s)`.
fn parse_suffix(suffix: &str) -> Result<(f64, Exponents), UnitError> {
    let fail = |message: String| UnitError {
        message,
        help: String::new(),
    };
    let mut factor = 1.0;
    let mut dimension: Exponents = [0; 5];
    // Sign of the exponents inside each open parenthesis: division turns it around.
    let mut signs: Vec<i32> = vec![1];
    let mut divide = false;
    let mut chars = suffix.char_indices().peekable();
    while let Some(&(at, c)) = chars.peek() {
        let outer = *signs.last().unwrap_or(&1);
        let sign = if divide { -outer } else { outer };
        match c {
            ' ' | '*' | '·' => {
                chars.next();
            }
            '/' => {
                if divide {
                    return Err(fail(format!(
                        "two divisions in a row in the unit `{suffix}`"
                    )));
                }
                chars.next();
                divide = true;
            }
            '(' => {
                if signs.len() > 8 {
                    return Err(fail(format!("too many parentheses in the unit `{suffix}`")));
                }
                chars.next();
                signs.push(sign);
                divide = false;
            }
            ')' => {
                if signs.len() == 1 || divide {
                    return Err(fail(format!("misplaced `)` in the unit `{suffix}`")));
                }
                chars.next();
                signs.pop();
            }
            '1' => {
                chars.next();
                divide = false;
            }
            c if c.is_alphabetic() || c == '°' => {
                let mut end = at;
                while let Some(&(i, c)) = chars.peek() {
                    if !(c.is_alphabetic() || c == '°') {
                        break;
                    }
                    end = i + c.len_utf8();
                    chars.next();
                }
                let symbol = &suffix[at..end];
                let power = read_power(&mut chars).ok_or_else(|| {
                    fail(format!(
                        "the power of `{symbol}` must be an integer from -9 to 9"
                    ))
                })?;
                let Some((_, scale, exponents)) = SYMBOLS.iter().find(|(s, _, _)| *s == symbol)
                else {
                    let help = nearest(symbol, SYMBOLS.iter().map(|(s, _, _)| *s))
                        .map_or(String::new(), |s| format!("did you mean `{s}`?"));
                    return Err(UnitError {
                        message: format!("unknown unit `{symbol}`"),
                        help,
                    });
                };
                let power = sign * power;
                factor *= scale.powi(power);
                for (d, e) in dimension.iter_mut().zip(exponents) {
                    *d = d.saturating_add(e * power);
                }
                divide = false;
            }
            other => return Err(fail(format!("unexpected `{other}` in the unit `{suffix}`"))),
        }
    }
    if divide || signs.len() > 1 {
        return Err(fail(format!("the unit `{suffix}` is not complete")));
    }
    Ok((factor, dimension))
}

/// `^2`, `^-1`, `²`, `³` or nothing; `None` when malformed.
fn read_power(chars: &mut std::iter::Peekable<std::str::CharIndices<'_>>) -> Option<i32> {
    match chars.peek().map(|&(_, c)| c) {
        Some('²') => {
            chars.next();
            Some(2)
        }
        Some('³') => {
            chars.next();
            Some(3)
        }
        Some('^') => {
            chars.next();
            let negative = chars.next_if(|&(_, c)| c == '-').is_some();
            let digit = chars.next()?.1.to_digit(10)? as i32;
            if chars
                .peek()
                .is_some_and(|&(_, c)| c.is_ascii_digit() || c == '.')
            {
                return None;
            }
            Some(if negative { -digit } else { digit })
        }
        _ => Some(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) {
        assert!(
            (a - b).abs() <= 4.0 * f64::EPSILON * b.abs(),
            "{a} is not {b}"
        );
    }

    #[test]
    fn suffixes_scale_to_si() {
        close(
            Unit::Angle.parse("30 deg").unwrap(),
            std::f64::consts::FRAC_PI_6,
        );
        close(Unit::Length.parse("5 mm").unwrap(), 0.005);
        close(Unit::Length.parse("5mm").unwrap(), 0.005);
        close(Unit::Stiffness.parse("4.53 N/mm").unwrap(), 4530.0);
        close(Unit::Torque.parse("0.033 N m").unwrap(), 0.033);
        close(Unit::Torque.parse("33 Nmm").unwrap(), 0.033);
        close(Unit::Mass.parse("2 g").unwrap(), 0.002);
        close(
            Unit::AngularVelocity.parse("1200 rpm").unwrap(),
            40.0 * std::f64::consts::PI,
        );
        close(Unit::Inertia.parse("3 kg m^2").unwrap(), 3.0);
        close(Unit::Inertia.parse("22 g*cm²").unwrap(), 2.2e-6);
        close(Unit::Damping.parse("2 N/(mm/s)").unwrap(), 2000.0);
        close(
            Unit::AngularStiffness.parse("1 N m/deg").unwrap(),
            180.0 / std::f64::consts::PI,
        );
        close(Unit::AngularStiffness.parse("7 N m").unwrap(), 7.0);
        close(Unit::Frequency.parse("-1e2 1/s").unwrap(), -100.0);
        close(Unit::None.parse(" 3.5e-1 ").unwrap(), 0.35);
    }

    /// What a list says of a symbol is read as that symbol is.
    #[test]
    fn listed_symbols_mean_what_is_said() {
        for (symbol, meaning) in symbols() {
            let (value, dimension) = quantity(&format!("1 {symbol}")).unwrap();
            // turns have no symbol of their own
            let (told, same) = quantity(&meaning.replace("turn/s", "Hz")).unwrap();
            close(value, told);
            assert_eq!(dimension, same, "{symbol}: {meaning}");
        }
        assert!(symbols().any(|row| row == ("Pa", "1 kg/(m s^2)".into())));
    }

    #[test]
    fn wrong_dimension_names_the_expected_one() {
        let e = Unit::Length.parse("3 kg").unwrap_err();
        assert_eq!(e.message, "`kg` is not the unit of a length");
        assert_eq!(e.help, "expected a length, for example 0.005, \"5 mm\"");
    }

    #[test]
    fn hertz_is_not_an_angular_velocity_nor_rpm_a_frequency() {
        assert!(Unit::AngularVelocity.parse("50 Hz").is_err());
        assert!(Unit::Frequency.parse("50 rpm").is_err());
        assert!(Unit::Length.parse("3 m/rad").is_err());
    }

    #[test]
    fn unknown_symbols_get_a_suggestion() {
        let e = Unit::Angle.parse("3 degg").unwrap_err();
        assert!(e.help.starts_with("did you mean `deg`?"), "{}", e.help);
    }

    #[test]
    fn malformed_suffixes_are_errors() {
        for bad in [
            "", "mm", "3 m^", "3 m^99", "3 m//s", "3 m)", "3 (m", "3 m/", "3 m^1.5", "3 ;", ".",
        ] {
            assert!(Unit::Length.parse(bad).is_err(), "{bad}");
        }
    }

    proptest::proptest! {
        #[test]
        fn never_panics(text in "\\PC*", tail in "[0-9.e+-]{0,4}[ a-zA-Zµ°/()^0-9*²-]{0,12}") {
            let _ = Unit::Inertia.parse(&text);
            let _ = Unit::Inertia.parse(&tail);
        }
    }
}
