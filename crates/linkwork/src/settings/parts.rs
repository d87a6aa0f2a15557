//! Absolute tolerances of single parts: `rod=1e-9`, `rod.velocity=1e-3`, `rod.angle=1e-6`.
//!
//! A part is what owns unknowns: a body, with joint coordinates a joint, a control or force with states. Its quantities are called as
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
    let (names, dims) = (&sys.facts().names, sys.dims());
    let positions = (0..dims.nv).map(Row::Position);
    let whole: Vec<Row> = positions.chain((0..dims.nx).map(Row::State)).collect();
    let velocities = (0..dims.nv).map(Row::Velocity);
    let of = |part: &str| -> Vec<Row> {
        let its = |r: &&Row| names.owner(**r) == part;
        whole.iter().filter(its).copied().collect()
    };
    let met = of(path);
    if !met.is_empty() {
        return Ok(met);
    }
    let (part, quantity) = path.rsplit_once('.').unwrap_or((path, ""));
    let own = of(part);
    if own.is_empty() {
        let mut parts: Vec<String> = whole.iter().map(|r| names.owner(*r)).collect();
        parts.dedup();
        let help = match nearest(part, parts.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("parts with unknowns are {}", parts.join(", ")),
        };
        let message = format!("nothing that has unknowns of its own is called `{part}`");
        return Err(OptionError::new(OPTION, message, &help));
    }
    let velocities: Vec<Row> = velocities.filter(|r| names.owner(*r) == part).collect();
    if quantity == VELOCITY && !velocities.is_empty() {
        return Ok(velocities);
    }
    let wanted = quantity.replace('_', " ");
    // "x" is a place, not the "x velocity"
    for rows in [&own, &velocities] {
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
    let mut known: Vec<String> = (own.iter().chain(&velocities))
        .map(|r| words(&names.describe(*r)).replace(' ', "_"))
        .collect();
    if !velocities.is_empty() {
        known.push(VELOCITY.into());
    }
    let message = format!("`{part}` has no quantity `{quantity}`");
    let help = format!("it has {}", known.join(", "));
    Err(OptionError::new(OPTION, message, &help))
}

/// What an unknown is, without whose it is.
fn words(description: &str) -> String {
    let own = description.split_once("`, ").map(|(_, words)| words);
    own.unwrap_or(description).to_string()
}
