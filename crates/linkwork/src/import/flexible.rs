//! Flexible bodies as finite-element programs reduce them: a header in TOML and its arrays beside it as `.npz`.
//!
//! ```toml
//! format = "linkwork flexible body 1"
//! arrays = "rod.npz"
//! units = "SI"
//! points = 27
//! modes = 12
//! mass = 39.0
//! centre_of_mass = [0.5, 0, 0]
//! inertia = [0.2, 3.3, 3.3]
//! frequencies_hz = [58.4, 58.4, 160.2]
//!
//! [frames]
//! left = 25
//! ```
//!
//! ```text
//!  points (p, 3)   masses (p)   inertias (p, 3)   modes, mode_rotations (n, p, 3)   stiffness (n, n)   damping_ratio (n)
//!  modal_mass (n, n), may be left out: inertia of the modes in place of that of the lumped masses
//! ```
//!
//! Modes are orthogonal with these masses unless the header has `orthogonal = false`. Frames name points, counted from 0. What the header tells of sizes, mass, centre of mass, moments
//! of inertia about it and frequencies of the free body is held against the arrays: other units, other modes and mixed files show there. So do
//! displacements and rotations of modes that no distances of points bring together, and frames far from all masses. `linkwork.flexible` in Python writes such files.

mod beside;
mod npz;

pub use beside::{insert, read_document};

use super::{Choices, Import};
use linkwork_mbs::carrier::{Modal, ModalPoint};
use linkwork_mbs::text::Fields;
use linkwork_mbs::text::tree::{Content, Table};
use linkwork_mbs::{Body, Model, ModelError, Unit};
use npz::{Array, Arrays};
use std::path::Path;

/// Most inertia that two modes have in common, as a share of their own: digits that a file may have lost.
const OVERLAP: f64 = 1e-3;

/// Squares of frequencies that are rounding beside the highest.
const MOVES: f64 = 1e-12;

/// First line of every header.
const FORMAT: &str = "linkwork flexible body 1";

/// Whether a text is such a header.
pub fn is_header(text: &str) -> bool {
    let mut words = text.lines().next().unwrap_or("").splitn(2, '=');
    words.next().map(str::trim) == Some("format")
        && words
            .next()
            .is_some_and(|w| w.trim().starts_with("\"linkwork flexible body"))
}

/// Reads a header and its arrays into a model of one free body.
pub fn read(source: &str, file: &str, choices: &Choices) -> Result<Import, Vec<ModelError>> {
    let header = Table::parse(source)?;
    let fields = Fields::section("flexible body", &header);
    let modal = read_modal(&fields, &header, Path::new(file)).map_err(|e| vec![e])?;
    let stem = Path::new(file)
        .file_stem()
        .map(|s| s.to_string_lossy().into_owned());
    let sound = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    let name: String = stem.unwrap_or_default();
    let name: String = name
        .chars()
        .map(|c| if sound(c) { c } else { '_' })
        .collect();
    let name = if name.is_empty() { "body".into() } else { name };
    let used = vec![format!(
        "{} points, {} modes, {} frames",
        modal.points.len(),
        modal.modes(),
        modal.frames.len()
    )];
    let mut model = Model::new(&name).gravity(choices.gravity);
    model.add_body(Body::modal(name, modal));
    Ok(Import {
        file: file.to_string(),
        model,
        used,
        notes: Vec::new(),
    })
}

fn read_modal(f: &Fields<'_>, header: &Table, file: &Path) -> Result<Modal, ModelError> {
    let format = f.text("format")?;
    if format != FORMAT {
        return Err(f.error(
            "format",
            format!("the format is `{format}`, not `{FORMAT}`"),
        ));
    }
    let units = f.text("units")?;
    if units != "SI" {
        return Err(f.error("units", format!("units are `{units}`, not `SI`")));
    }
    let (points, modes) = (f.count_or("points", 0)?, f.count_or("modes", 0)?);
    let arrays = f.text("arrays")?;
    if arrays.contains(['/', '\\']) {
        let message = format!("the arrays `{arrays}` must be beside the header");
        return Err(f.error("arrays", message));
    }
    let folder = file.parent().unwrap_or(Path::new(""));
    let bytes = crate::beside::bytes(folder, arrays).map_err(|why| f.error("arrays", why))?;
    let arrays = Arrays::read(&bytes).map_err(|why| f.error("arrays", why))?;
    let array = |name: &str, shape: &[usize]| -> Result<Array, ModelError> {
        let found = arrays.get(name).map_err(|why| f.error("arrays", why))?;
        if found.shape != shape {
            let message = format!("`{name}` has the shape {:?}, not {shape:?}", found.shape);
            return Err(f.error("arrays", message));
        }
        match found.values.iter().position(|x| !x.is_finite()) {
            None => Ok(found),
            Some(at) => {
                let message = format!("number {at} of `{name}` is {}", found.values[at]);
                Err(f.error("arrays", message))
            }
        }
    };
    let places = array("points", &[points, 3])?;
    let masses = array("masses", &[points])?;
    let inertias = array("inertias", &[points, 3])?;
    let shapes = array("modes", &[modes, points, 3])?;
    let turns = array("mode_rotations", &[modes, points, 3])?;
    let three = |list: &Array, i: usize| [0, 1, 2].map(|k| list.values[3 * i + k]);
    let point = |i: usize| ModalPoint {
        place: three(&places, i),
        mass: masses.values[i],
        inertia: three(&inertias, i),
        displacement: (0..modes).map(|k| three(&shapes, k * points + i)).collect(),
        rotation: (0..modes).map(|k| three(&turns, k * points + i)).collect(),
        ..ModalPoint::default()
    };
    let modal_mass = match arrays.has("modal_mass") {
        true => array("modal_mass", &[modes, modes])?.values,
        false => Vec::new(),
    };
    let modal = Modal {
        modal_mass,
        points: (0..points).map(point).collect(),
        stiffness: array("stiffness", &[modes, modes])?.values,
        damping_ratio: array("damping_ratio", &[modes])?.values,
        frames: read_frames(f, header)?,
        start: vec![[0.0; 2]; modes],
        ..Modal::default()
    };
    if let Some(why) = modal.problem() {
        return Err(f.error("arrays", why));
    }
    check(f, &modal)?;
    let orthogonal = f.flag_or("orthogonal", true)?;
    if let Some((i, j, share)) = modal.overlap().filter(|o| orthogonal && o.2 > OVERLAP) {
        let message = format!(
            "modes {i} and {j} are not orthogonal: their common inertia is {share:.3} of their own"
        );
        let help = "shapes and masses must belong together; for modes that are not meant to be orthogonal, say \
                    `orthogonal = false`";
        return Err(f.error("arrays", message).with_help(help));
    }
    f.allow(["frames"]);
    f.unknown_keys().into_iter().next().map_or(Ok(modal), Err)
}

fn read_frames(f: &Fields<'_>, header: &Table) -> Result<Vec<(String, usize)>, ModelError> {
    let Some(Content::Table(table)) = header.get("frames").map(|v| &v.content) else {
        return Ok(Vec::new());
    };
    let frames = table.entries.iter().map(|entry| match entry.value.content {
        Content::Number(x) if x >= 0.0 && x.fract() == 0.0 => Ok((entry.key.clone(), x as usize)),
        _ => Err(f.error(
            "frames",
            format!("frame `{}` is the number of a point", entry.key),
        )),
    });
    frames.collect()
}

/// Holds what the header tells against the arrays.
fn check(f: &Fields<'_>, modal: &Modal) -> Result<(), ModelError> {
    let hold = |key: &'static str, what: String, found: f64, told: f64, unit: &str| {
        match (found - told).abs() <= 1e-3 * told.abs() {
            true => Ok(()),
            false => Err(f.error(
                key,
                format!(
                    "{what} is {found} {unit} by the arrays and {told} {unit} by the header, {} times as much",
                    told / found
                ),
            )),
        }
    };
    hold(
        "mass",
        "the mass".into(),
        modal.mass(),
        f.number("mass", Unit::Mass)?,
        "kg",
    )?;
    check_whole(f, modal)?;
    check_units(f, modal)?;
    let told = f.quantities("frequencies_hz", Unit::Frequency)?;
    let found = modal.frequencies().unwrap_or_default();
    if told.len() != found.len() {
        let message = format!(
            "there are {} frequencies for {} modes",
            told.len(),
            found.len()
        );
        return Err(f.error("frequencies_hz", message));
    }
    let highest = found.last().copied().unwrap_or(0.0);
    if let Some(least) = found.first().filter(|least| **least <= MOVES * highest) {
        let message = format!(
            "a mode moves without stiffness: the square of its angular frequency is {:.1e} 1/s^2, that of the highest \
             {highest:.1e}",
            least.max(0.0)
        );
        let help = "motions of the whole are those of the body frame: leave them out of the modes";
        return Err(f.error("arrays", message).with_help(help));
    }
    for (k, (told, found)) in told.iter().zip(found).enumerate() {
        let found = found.max(0.0).sqrt() / std::f64::consts::TAU;
        hold(
            "frequencies_hz",
            format!("frequency {}", k + 1),
            found,
            *told,
            "Hz",
        )?;
    }
    Ok(())
}

/// Digits of lengths that a file may have lost, as a share of the size of the body.
const PLACED: f64 = 1e-3;
/// Most that lumping changes a moment of inertia: masses at the two ends of a rod have three times its own.
const LUMPED: f64 = 3.0;

/// The body as a rigid one.
fn check_whole(f: &Fields<'_>, modal: &Modal) -> Result<(), ModelError> {
    let three = |key: &'static str, unit: Unit| -> Result<[f64; 3], ModelError> {
        let list = f.quantities(key, unit)?;
        let wrong = || f.error(key, format!("`{key}` has 3 numbers, not {}", list.len()));
        list.as_slice().try_into().map_err(|_| wrong())
    };
    let (told, found) = (
        three("centre_of_mass", Unit::Length)?,
        modal.centre_of_mass(),
    );
    let inertia = three("inertia", Unit::Inertia)?;
    // by the header, so that points in other units do not excuse themselves
    let whole: f64 = inertia.iter().sum();
    let size = (whole / modal.mass()).sqrt();
    for (axis, (found, told)) in AXES.into_iter().zip(found.into_iter().zip(told)) {
        if !((found - told).abs() <= PLACED * size) {
            return Err(f.error(
                "centre_of_mass",
                format!(
                    "the centre of mass is at {axis} = {found} m by the arrays and {told} m by the header; the body is about \
                     {size:.2e} m large"
                ),
            ));
        }
    }
    let moments = modal.moments_of_inertia().into_iter().zip(inertia);
    for (axis, (found, told)) in AXES.into_iter().zip(moments) {
        let slack = PLACED * whole;
        if !(told - slack <= LUMPED * found && found <= LUMPED * told + slack) {
            return Err(f.error(
                "inertia",
                format!(
                    "the moment of inertia about {axis} is {found} kg m^2 by the arrays and {told} kg m^2 by the header, {} \
                     times as much",
                    told / found
                ),
            ));
        }
    }
    Ok(())
}

const AXES: [char; 3] = ['x', 'y', 'z'];
/// Between 1 and a thousand, by which units differ.
const OTHER_UNITS: f64 = 31.6;

/// Whether modes, rotations and frames are in the units of the points.
fn check_units(f: &Fields<'_>, modal: &Modal) -> Result<(), ModelError> {
    let help = "points, modes, rotations and frames must be in SI units: m and rad";
    let refused = |message: String| Err(f.error("arrays", message).with_help(help));
    let off = |ratio: f64| !(ratio < OTHER_UNITS && ratio > 1.0 / OTHER_UNITS);
    if let Some((mode, ratio)) = modal.turning_ratio().filter(|(_, ratio)| off(*ratio)) {
        return refused(format!(
            "mode {mode} displaces neighbouring points by {ratio:.3e} times what its rotations make of their distances, and no \
             mode does so more nearly"
        ));
    }
    if let Some((mode, ratio)) = modal.inertia_ratio().filter(|(_, ratio)| off(*ratio)) {
        return refused(format!(
            "mode {mode} has {ratio:.3e} times the inertia that the masses give it, and no mode is closer"
        ));
    }
    let (centre, reach) = (modal.centre_of_mass(), modal.reach());
    for (name, point) in &modal.frames {
        let c = modal.points[*point].place;
        let away = (0..3)
            .map(|i| (c[i] - centre[i]).powi(2))
            .sum::<f64>()
            .sqrt();
        if reach > 0.0 && away > OTHER_UNITS * reach {
            return refused(format!(
                "frame `{name}` is {away} m from the centre of mass, and masses are no farther than {reach} m, {:.0} times less",
                away / reach
            ));
        }
    }
    Ok(())
}
