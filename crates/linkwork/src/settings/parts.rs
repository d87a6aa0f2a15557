//! Absolute tolerances of single parts: `rod=1e-9`, `rod.velocity=1e-3`, `rod.angle=1e-6`.
//!
//! A part is what owns unknowns: a body, with joint coordinates a joint. Its quantities are called as
//! everywhere else ("body `rod`, angular velocity about its x axis"), from their first word on, with `_` for
//! a blank: `rod.angular_velocity` means all three.

use super::OptionError;
use linkwork_dae::system::{Row, System};
use linkwork_mbs::spelling::nearest;

const OPTION: &str = "atol_of";
/// All velocities of a part.
const VELOCITY: &str = "velocity";

/// The unknowns that tolerances are given for; later ones win.
pub(super) fn tolerances(
    given: &[String],
    sys: &dyn System,
) -> Result<Vec<(Row, f64)>, OptionError> {
    let mut own = Vec::new();
    for text in given {
        let unreadable = || {
            let message = format!("`{text}` is no tolerance of a part");
            OptionError::new(OPTION, message, "write part=number: rod=1e-9")
        };
        let (path, number) = text.split_once('=').ok_or_else(unreadable)?;
        let atol: f64 = number.trim().parse().map_err(|_| unreadable())?;
        if !(atol > 0.0 && atol.is_finite()) {
            let message = format!("`{text}` cannot be used: a tolerance must be above 0");
            return Err(OptionError::new(OPTION, message, "write rod=1e-9"));
        }
        let rows = rows(path.trim(), sys)?;
        own.extend(rows.into_iter().map(|row| (row, atol)));
    }
    Ok(own)
}

/// The unknowns that a path means.
fn rows(path: &str, sys: &dyn System) -> Result<Vec<Row>, OptionError> {
    let names = &sys.facts().names;
    let all = |row: fn(usize) -> Row| (0..sys.dims().nv).map(row);
    let of = |part: &str, row: fn(usize) -> Row| -> Vec<Row> {
        all(row).filter(|r| names.owner(*r) == part).collect()
    };
    let whole = of(path, Row::Position);
    if !whole.is_empty() {
        return Ok(whole);
    }
    let (part, quantity) = path.rsplit_once('.').unwrap_or((path, ""));
    let positions = of(part, Row::Position);
    if positions.is_empty() {
        let mut parts: Vec<String> = all(Row::Position).map(|r| names.owner(r)).collect();
        parts.dedup();
        let known = parts.iter().map(String::as_str);
        let help = match nearest(part, known) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("parts with unknowns are {}", parts.join(", ")),
        };
        let message = format!("nothing that has unknowns of its own is called `{part}`");
        return Err(OptionError::new(OPTION, message, &help));
    }
    let velocities = of(part, Row::Velocity);
    if quantity == VELOCITY {
        return Ok(velocities);
    }
    let wanted = quantity.replace('_', " ");
    // "x" is a place, not the "x velocity"
    for rows in [&positions, &velocities] {
        let meant = |r: &&Row| {
            let words = words(&names.describe(**r));
            let rest = words.strip_prefix(wanted.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        };
        let met: Vec<Row> = rows.iter().filter(meant).copied().collect();
        if !met.is_empty() {
            return Ok(met);
        }
    }
    let quantities = positions.iter().chain(&velocities);
    let mut known: Vec<String> = quantities
        .map(|r| words(&names.describe(*r)).replace(' ', "_"))
        .collect();
    known.push(VELOCITY.into());
    let message = format!("`{part}` has no quantity `{quantity}`");
    let help = format!("it has {}", known.join(", "));
    Err(OptionError::new(OPTION, message, &help))
}

/// What an unknown is, without whose it is.
fn words(description: &str) -> String {
    let own = description.split_once("`, ").map(|(_, words)| words);
    own.unwrap_or(description).to_string()
}
