//! Flexible body in space: a floating frame and mode shapes on mass points.

use super::{Body, BodyEntry, EXACT, POSITION};
use crate::carrier::{Modal, ModalPoint, Recovered};
use crate::error::ModelError;
use crate::field::{Form, Key, Value};
use crate::geometry::Vector;
use crate::orientation::{
    self, CARDAN, EULER, QUATERNION, ROTATION_ANGLE, ROTATION_AXIS, ROTATION_VECTOR,
};
use crate::text::Fields;
use crate::units::Unit;

pub(super) const ENTRY: BodyEntry = BodyEntry {
    kind: "modal",
    in_plane: None,
    summary: "A flexible body: x, y, z and orientation of a floating frame, and amplitudes of mode \
              shapes, which are small deformations. Joints, forces and sensors are attached to its \
              named points as bodies called `body.frame`.",
    keys: &[
        Key::required(
            "points",
            Unit::Length,
            "Places of its points in the body frame, a list of [x, y, z].",
        )
        .takes(Form::List),
        Key::required("masses", Unit::Mass, "Lumped masses of the points.").takes(Form::List),
        Key::optional(
            "inertias",
            Unit::Inertia,
            "0",
            "Lumped moments of inertia of the points about the axes of the body, a list of [Jx, Jy, Jz].",
        )
        .takes(Form::List),
        Key::required(
            "modes",
            Unit::None,
            "Mode shapes, a row for each: the displacements x, y, z of all points by one unit of its \
             amplitude. None may be a motion of the whole body.",
        )
        .takes(Form::List),
        Key::optional(
            "mode_rotations",
            Unit::None,
            "0",
            "The same for the rotations of the points about x, y, z, rad.",
        )
        .takes(Form::List),
        Key::required(
            "stiffness",
            Unit::None,
            "Stiffness of the modes: a number for each, or a matrix by rows. The square of the angular \
             frequency for modes of unit mass.",
        )
        .takes(Form::List),
        Key::optional(
            "damping_ratio",
            Unit::None,
            "0",
            "Damping ratio of each mode.",
        )
        .takes(Form::List),
        Key::optional(
            "damping",
            Unit::None,
            "0",
            "Further damping of the modes: a matrix by rows.",
        )
        .takes(Form::List),
        RAYLEIGH,
        Key::optional(
            "mode_names",
            Unit::None,
            "1, 2, 3 and so on",
            "What the modes are called in messages.",
        )
        .takes(Form::List),
        Key::optional(
            "shortening",
            Unit::None,
            "0",
            "Second-order displacements along -x, by which axial forces stiffen: for each point a matrix B by rows, \
             z' B z/2 for amplitudes z. Points with mass must lie on the x axis.",
        )
        .takes(Form::List),
        Key::optional(
            "outputs",
            Unit::None,
            "[]",
            "Names of further results that are sums over the amplitudes, such as stresses.",
        )
        .takes(Form::List),
        Key::optional("output_units", Unit::None, "none", "Their units.").takes(Form::List),
        Key::optional(
            "output_factors",
            Unit::None,
            "none",
            "A row for each: factors of the amplitudes.",
        )
        .takes(Form::List),
        Key::optional(
            "expected_mass",
            Unit::Mass,
            "not checked",
            "Mass that the source of these numbers told; refused where the points have another.",
        ),
        Key::optional(
            "expected_frequencies",
            Unit::Frequency,
            "not checked",
            "Lowest frequencies of the free body that the source of these numbers told; refused where modes and stiffness have \
             others.",
        )
        .takes(Form::List),
        Key::optional(
            "frames",
            Unit::None,
            "[]",
            "Names of frames that are fixed to points and turn with them.",
        )
        .takes(Form::List),
        Key::optional(
            "frame_points",
            Unit::None,
            "1, 2, 3 and so on",
            "Which points these are, counted from 1.",
        )
        .takes(Form::List),
        POSITION,
        QUATERNION,
        ROTATION_VECTOR,
        CARDAN,
        EULER,
        ROTATION_AXIS,
        ROTATION_ANGLE,
        Key::optional(
            "amplitudes",
            Unit::None,
            "0",
            "Start amplitudes of the modes.",
        )
        .takes(Form::List),
        Key::optional(
            "velocity",
            Unit::Velocity,
            "[0, 0, 0]",
            "Start velocity of the origin of the body.",
        )
        .takes(Form::Vector),
        Key::optional(
            "angular_velocity",
            Unit::AngularVelocity,
            "[0, 0, 0]",
            "Start angular velocity, in body axes.",
        )
        .takes(Form::Vector),
        Key::optional(
            "amplitude_rates",
            Unit::None,
            "0",
            "Start rates of the amplitudes.",
        )
        .takes(Form::List),
        EXACT,
    ],
    read: |f| {
        let modal = read(f)?;
        if let Some(why) = modal.problem() {
            return Err(f.error_here(why));
        }
        check_source(f, &modal)?;
        placed(f, modal)
    },
};

pub(super) const RAYLEIGH: Key = Key::optional(
    "rayleigh",
    Unit::None,
    "[0, 0]",
    "Further damping in proportion to mass (1/s) and stiffness (s).",
)
.takes(Form::List);

/// The body with its place and motion at the start.
pub(super) fn placed(f: &Fields<'_>, modal: Modal) -> Result<Body, ModelError> {
    let mut body = Body::modal(f.name(), modal).read_motion(f)?;
    body.orientation = orientation::read(f)?;
    body.angular_velocity = f.vector_or("angular_velocity", Unit::AngularVelocity, [0.0; 3])?;
    Ok(body)
}

/// Holds what the source told of the body against its numbers: other units or other modes show there.
fn check_source(f: &Fields<'_>, modal: &Modal) -> Result<(), ModelError> {
    let apart = |found: f64, told: f64| !((found - told).abs() <= 0.01 * told.abs());
    if let Some(told) = f.optional_number("expected_mass", Unit::Mass)? {
        let found = modal.mass();
        if apart(found, told) {
            let message = format!(
                "its points have a mass of {found} kg, {told} kg were expected, {} times as much",
                told / found
            );
            return Err(f.error("expected_mass", message));
        }
    }
    if !f.has("expected_frequencies") {
        return Ok(());
    }
    let told = f.quantities("expected_frequencies", Unit::Frequency)?;
    let found = modal.frequencies().unwrap_or_default();
    for (k, told) in told.iter().enumerate() {
        let found = found.get(k).map_or(0.0, |w| w.max(0.0).sqrt());
        let found = found / std::f64::consts::TAU;
        if apart(found, *told) {
            let message = format!(
                "frequency {} of the free body is {found} Hz, {told} Hz were expected, {} times as much",
                k + 1,
                told / found
            );
            return Err(f.error("expected_frequencies", message).with_help(
                "mode shapes, masses and stiffness must be in SI units, and belong together",
            ));
        }
    }
    Ok(())
}

/// As many numbers as wanted, or zeros.
pub(super) fn numbers(
    f: &Fields<'_>,
    key: &'static str,
    unit: Unit,
    count: usize,
) -> Result<Vec<f64>, ModelError> {
    if !f.has(key) {
        return Ok(vec![0.0; count]);
    }
    let list = f.quantities(key, unit)?;
    match list.len() == count {
        true => Ok(list),
        false => Err(f.error(
            key,
            format!("`{key}` needs {count} numbers, not {}", list.len()),
        )),
    }
}

fn triples(list: &[f64]) -> impl Iterator<Item = Vector> {
    list.as_chunks::<3>().0.iter().copied()
}

fn read(f: &Fields<'_>) -> Result<Modal, ModelError> {
    let places = f.quantities("points", Unit::Length)?;
    if places.is_empty() || places.len() % 3 != 0 {
        return Err(f.error("points", "`points` is a list of [x, y, z]"));
    }
    let count = places.len() / 3;
    let masses = f.quantities("masses", Unit::Mass)?;
    let masses = match masses.len() == count {
        true => masses,
        false => {
            let message = format!("there are {count} points, and {} masses", masses.len());
            return Err(f.error("masses", message));
        }
    };
    let inertias = numbers(f, "inertias", Unit::Inertia, 3 * count)?;
    let shapes = f.quantities("modes", Unit::None)?;
    let row = 3 * count;
    if shapes.is_empty() || shapes.len() % row != 0 {
        let message = format!("each of the `modes` needs {row} numbers, three for each point");
        return Err(f.error("modes", message));
    }
    let n = shapes.len() / row;
    let rotations = numbers(f, "mode_rotations", Unit::None, n * row)?;
    let given = f.quantities("stiffness", Unit::None)?;
    let stiffness = match given.len() {
        len if len == n * n => given,
        len if len == n => {
            let mut all = vec![0.0; n * n];
            (0..n).for_each(|k| all[k * n + k] = given[k]);
            all
        }
        len => {
            let message =
                format!("`stiffness` has {n} numbers or a matrix of {n} rows, not {len} numbers");
            return Err(f.error("stiffness", message));
        }
    };
    let shortenings = match f.has("shortening") {
        true => numbers(f, "shortening", Unit::None, count * n * n)?,
        false => Vec::new(),
    };
    let names = f.texts("mode_names")?;
    if ![0, n].contains(&names.len()) {
        let message = format!("there are {n} modes, and {} names", names.len());
        return Err(f.error("mode_names", message));
    }
    let rayleigh = numbers(f, "rayleigh", Unit::None, 2)?;
    let of_point = |list: &[f64], i: usize| -> Vec<Vector> {
        let rows = list.chunks_exact(row);
        rows.map(|row| [row[3 * i], row[3 * i + 1], row[3 * i + 2]])
            .collect()
    };
    let points = triples(&places).zip(triples(&inertias)).zip(&masses);
    let points = points
        .enumerate()
        .map(|(i, ((place, inertia), mass))| ModalPoint {
            place,
            mass: *mass,
            inertia,
            displacement: of_point(&shapes, i),
            rotation: of_point(&rotations, i),
            shortening: shortenings
                .get(i * n * n..(i + 1) * n * n)
                .unwrap_or(&[])
                .to_vec(),
        });
    let amplitudes = numbers(f, "amplitudes", Unit::None, n)?;
    let rates = numbers(f, "amplitude_rates", Unit::None, n)?;
    Ok(Modal {
        points: points.collect(),
        stiffness,
        damping_ratio: numbers(f, "damping_ratio", Unit::None, n)?,
        damping: match f.has("damping") {
            true => numbers(f, "damping", Unit::None, n * n)?,
            false => Vec::new(),
        },
        rayleigh: [rayleigh[0], rayleigh[1]],
        names: names.into_iter().map(str::to_string).collect(),
        frames: read_frames(f, count)?,
        recovered: read_outputs(f, n)?,
        start: amplitudes
            .into_iter()
            .zip(rates)
            .map(|(q, v)| [q, v])
            .collect(),
    })
}

fn read_outputs(f: &Fields<'_>, modes: usize) -> Result<Vec<Recovered>, ModelError> {
    let names = f.texts("outputs")?;
    let units = f.texts("output_units")?;
    let factors = numbers(f, "output_factors", Unit::None, modes * names.len())?;
    if !names.is_empty() && !f.has("output_factors") {
        return Err(f.error("outputs", "`output_factors` must say what they are"));
    }
    if !units.is_empty() && units.len() != names.len() {
        let message = format!(
            "there are {} outputs, and {} units",
            names.len(),
            units.len()
        );
        return Err(f.error("output_units", message));
    }
    let rows = names.iter().zip(factors.chunks(modes.max(1)));
    let all = rows.enumerate().map(|(i, (name, row))| Recovered {
        name: name.to_string(),
        unit: units.get(i).copied().unwrap_or("").to_string(),
        factors: row.to_vec(),
    });
    Ok(all.collect())
}

/// Refuses what cannot be the name of a frame.
pub(super) fn check_frames(f: &Fields<'_>, names: &[&str]) -> Result<(), ModelError> {
    for name in names {
        let sound = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
        if name.is_empty() || !name.chars().all(sound) {
            return Err(f.error("frames", format!("`{name}` cannot be the name of a frame")));
        }
    }
    Ok(())
}

fn read_frames(f: &Fields<'_>, points: usize) -> Result<Vec<(String, usize)>, ModelError> {
    if !f.has("frames") {
        return Ok(Vec::new());
    }
    let names = f.texts("frames")?;
    let given = match f.has("frame_points") {
        true => f.quantities("frame_points", Unit::None)?,
        false => (1..=names.len()).map(|i| i as f64).collect(),
    };
    let is_point = |x: &f64| x.fract() == 0.0 && (1.0..=points as f64).contains(x);
    if given.len() != names.len() || !given.iter().all(is_point) {
        let message =
            format!("`frame_points` needs a number from 1 to {points} for each of the `frames`");
        let key = if f.has("frame_points") {
            "frame_points"
        } else {
            "frames"
        };
        return Err(f.error(key, message));
    }
    check_frames(f, &names)?;
    let frames = names.into_iter().zip(given);
    Ok(frames
        .map(|(name, at)| (name.to_string(), at as usize - 1))
        .collect())
}

/// The keys of the shapes.
pub(super) fn fields(modal: &Modal) -> Vec<(&'static str, Value)> {
    let vectors = |of: fn(&ModalPoint) -> Vector| {
        let rows: Vec<Vec<f64>> = modal.points.iter().map(|p| of(p).to_vec()).collect();
        Value::matrix(&rows)
    };
    let shapes = |of: fn(&ModalPoint) -> &[Vector]| {
        let mode = |k: usize| modal.points.iter().flat_map(|p| of(p)[k]).collect();
        let rows: Vec<Vec<f64>> = (0..modal.modes()).map(mode).collect();
        Value::matrix(&rows)
    };
    let list = |values: &mut dyn Iterator<Item = f64>| Value::numbers(&values.collect::<Vec<_>>());
    let stiffness = modal.stiffness.chunks_exact(modal.modes().max(1));
    let stiffness: Vec<Vec<f64>> = stiffness.map(<[f64]>::to_vec).collect();
    let names = modal
        .frames
        .iter()
        .map(|(name, _)| Value::Text(name.clone()));
    let called = modal.names.iter().map(|name| Value::Text(name.clone()));
    let mut more = Vec::new();
    if modal.points.iter().any(|p| !p.shortening.is_empty()) {
        let pairs = modal.modes() * modal.modes();
        let all = modal
            .points
            .iter()
            .flat_map(|p| match p.shortening.is_empty() {
                true => vec![0.0; pairs],
                false => p.shortening.clone(),
            });
        more.push(("shortening", Value::numbers(&all.collect::<Vec<_>>())));
    }
    if !modal.names.is_empty() {
        more.push(("mode_names", Value::List(called.collect())));
    }
    if !modal.recovered.is_empty() {
        let texts = |of: fn(&Recovered) -> &String| {
            let all = modal.recovered.iter().map(|r| Value::Text(of(r).clone()));
            Value::List(all.collect())
        };
        let rows: Vec<Vec<f64>> = modal.recovered.iter().map(|r| r.factors.clone()).collect();
        more.push(("outputs", texts(|r| &r.name)));
        more.push(("output_units", texts(|r| &r.unit)));
        more.push(("output_factors", Value::matrix(&rows)));
    }
    if !modal.damping.is_empty() {
        more.push(("damping", Value::numbers(&modal.damping)));
    }
    if modal.rayleigh != [0.0; 2] {
        more.push(("rayleigh", Value::numbers(&modal.rayleigh)));
    }
    let mut all = vec![
        ("points", vectors(|p| p.place)),
        ("masses", list(&mut modal.points.iter().map(|p| p.mass))),
        ("inertias", vectors(|p| p.inertia)),
        ("modes", shapes(|p| &p.displacement)),
        ("mode_rotations", shapes(|p| &p.rotation)),
        ("stiffness", Value::matrix(&stiffness)),
        ("damping_ratio", Value::numbers(&modal.damping_ratio)),
        ("frames", Value::List(names.collect())),
        (
            "frame_points",
            list(&mut modal.frames.iter().map(|(_, point)| (point + 1) as f64)),
        ),
        ("amplitudes", list(&mut modal.start.iter().map(|s| s[0]))),
        (
            "amplitude_rates",
            list(&mut modal.start.iter().map(|s| s[1])),
        ),
    ];
    all.append(&mut more);
    all
}
