//! Times on the command line, written as in model text: `0.03`, `30ms`.

use linkwork::mbs::units::Unit;

/// A time in seconds from a number or a number with a unit.
pub(super) fn seconds(text: &str) -> Result<f64, String> {
    // what is no time as a number is refused with the option's own bounds
    if let Ok(number) = text.trim().parse() {
        return Ok(number);
    }
    Unit::Time
        .parse(text)
        .map_err(|e| format!("{}; {}", e.message, e.help))
}

#[cfg(test)]
mod tests {
    use super::seconds;

    #[test]
    fn times_may_have_a_unit() {
        assert_eq!(seconds("0.5"), Ok(0.5));
        assert_eq!(seconds("30ms"), Ok(0.03));
        assert_eq!(seconds("30 ms"), Ok(0.03));
        assert_eq!(seconds("2 min"), Ok(120.0));
        assert!(seconds("3 kg").unwrap_err().contains("a time"));
        assert!(seconds("soon").unwrap_err().contains("number"));
    }
}
