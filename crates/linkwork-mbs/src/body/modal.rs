//! Flexible bodies: a floating frame and mode shapes on mass points.

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
use linkwork_dae::rotation::exp;

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
        MASSES,
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
        STIFFNESS,
        CUBIC,
        ADDED_MASS,
        DAMPING_RATIO,
        DAMPING,
        RAYLEIGH,
        MODE_NAMES,
        SHORTENING,
        OUTPUTS,
        OUTPUT_UNITS,
        OUTPUT_FACTORS,
        EXPECTED_MASS,
        EXPECTED_FREQUENCIES,
        FRAMES,
        FRAME_POINTS,
        POSITION,
        QUATERNION,
        ROTATION_VECTOR,
        CARDAN,
        EULER,
        ROTATION_AXIS,
        ROTATION_ANGLE,
        AMPLITUDES,
        VELOCITY,
        Key::optional(
            "angular_velocity",
            Unit::AngularVelocity,
            "[0, 0, 0]",
            "Start angular velocity, in body axes.",
        )
        .takes(Form::Vector),
        RATES,
        EXACT,
    ],
    read: |f| read_checked(f, false),
};

pub(super) const IN_PLANE: BodyEntry = BodyEntry {
    kind: "planar_modal",
    in_plane: Some("modal"),
    summary: "A flexible body that moves and bends parallel to the x-y plane: x, y and angle of a floating frame, and \
              amplitudes of mode shapes, which are small deformations. Joints, forces and sensors are attached to its \
              named points as bodies called `body.frame`.",
    keys: &[
        Key::required(
            "points",
            Unit::Length,
            "Places of its points in the body frame, a list of [x, y].",
        )
        .takes(Form::List),
        MASSES,
        Key::optional(
            "inertias",
            Unit::Inertia,
            "0",
            "Lumped moments of inertia of the points about z.",
        )
        .takes(Form::List),
        Key::required(
            "modes",
            Unit::None,
            "Mode shapes, a row for each: the displacements x, y of all points by one unit of its \
             amplitude. None may be a motion of the whole body.",
        )
        .takes(Form::List),
        Key::optional(
            "mode_rotations",
            Unit::None,
            "0",
            "The same for the rotations of the points about z, rad.",
        )
        .takes(Form::List),
        STIFFNESS,
        CUBIC,
        ADDED_MASS,
        DAMPING_RATIO,
        DAMPING,
        RAYLEIGH,
        MODE_NAMES,
        SHORTENING,
        OUTPUTS,
        OUTPUT_UNITS,
        OUTPUT_FACTORS,
        EXPECTED_MASS,
        EXPECTED_FREQUENCIES,
        FRAMES,
        FRAME_POINTS,
        POSITION,
        ANGLE,
        AMPLITUDES,
        VELOCITY,
        SPIN,
        RATES,
        EXACT,
    ],
    read: |f| read_checked(f, true),
};

fn read_checked(f: &Fields<'_>, flat: bool) -> Result<Body, ModelError> {
    let modal = read(f, flat)?;
    if let Some(why) = modal.problem() {
        return Err(f.error_here(why));
    }
    check_source(f, &modal)?;
    placed(f, modal)
}

const MASSES: Key =
    Key::required("masses", Unit::Mass, "Lumped masses of the points.").takes(Form::List);
const STIFFNESS: Key = Key::required(
    "stiffness",
    Unit::None,
    "Stiffness of the modes: a number for each, or a matrix by rows. The square of the angular \
     frequency for modes of unit mass.",
)
.takes(Form::List);
const CUBIC: Key = Key::optional(
    "cubic_energy",
    Unit::None,
    "[]",
    "Strain energy beyond that of the stiffness: a list of [i, j, k, factor], the factor times the amplitudes of modes i, j \
     and k, counted from 1.",
)
.takes(Form::List);
const ADDED_MASS: Key = Key::optional(
    "added_mass",
    Unit::None,
    "0",
    "Inertia of the modes beside that of the points: a matrix by rows.",
)
.takes(Form::List);
const DAMPING_RATIO: Key = Key::optional(
    "damping_ratio",
    Unit::None,
    "0",
    "Damping ratio of each mode.",
)
.takes(Form::List);
const DAMPING: Key = Key::optional(
    "damping",
    Unit::None,
    "0",
    "Further damping of the modes: a matrix by rows.",
)
.takes(Form::List);
const MODE_NAMES: Key = Key::optional(
    "mode_names",
    Unit::None,
    "1, 2, 3 and so on",
    "What the modes are called in messages.",
)
.takes(Form::List);
const SHORTENING: Key = Key::optional(
    "shortening",
    Unit::None,
    "0",
    "Second-order displacements along -x, by which axial forces stiffen: for each point a matrix B by rows, \
     z' B z/2 for amplitudes z. Points with mass must lie on the x axis.",
)
.takes(Form::List);
const OUTPUTS: Key = Key::optional(
    "outputs",
    Unit::None,
    "[]",
    "Names of further results that are sums over the amplitudes, such as stresses.",
)
.takes(Form::List);
const OUTPUT_UNITS: Key =
    Key::optional("output_units", Unit::None, "none", "Their units.").takes(Form::List);
const OUTPUT_FACTORS: Key = Key::optional(
    "output_factors",
    Unit::None,
    "none",
    "A row for each: factors of the amplitudes.",
)
.takes(Form::List);
const EXPECTED_MASS: Key = Key::optional(
    "expected_mass",
    Unit::Mass,
    "not checked",
    "Mass that the source of these numbers told; refused where the points have another.",
);
const EXPECTED_FREQUENCIES: Key = Key::optional(
    "expected_frequencies",
    Unit::Frequency,
    "not checked",
    "Lowest frequencies of the free body that the source of these numbers told; refused where modes and stiffness have \
     others.",
)
.takes(Form::List);
const FRAMES: Key = Key::optional(
    "frames",
    Unit::None,
    "[]",
    "Names of frames that are fixed to points and turn with them.",
)
.takes(Form::List);
const FRAME_POINTS: Key = Key::optional(
    "frame_points",
    Unit::None,
    "1, 2, 3 and so on",
    "Which points these are, counted from 1.",
)
.takes(Form::List);
pub(super) const AMPLITUDES: Key = Key::optional(
    "amplitudes",
    Unit::None,
    "0",
    "Start amplitudes of the modes.",
)
.takes(Form::List);
pub(super) const RATES: Key = Key::optional(
    "amplitude_rates",
    Unit::None,
    "0",
    "Start rates of the amplitudes.",
)
.takes(Form::List);
pub(super) const VELOCITY: Key = Key::optional(
    "velocity",
    Unit::Velocity,
    "[0, 0, 0]",
    "Start velocity of the origin of the body.",
)
.takes(Form::Vector);
pub(super) const ANGLE: Key = Key::optional("angle", Unit::Angle, "0", "Start angle about z.");
pub(super) const SPIN: Key = Key::optional(
    "angular_velocity",
    Unit::AngularVelocity,
    "0",
    "Start angular velocity about z.",
);

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
    if body.is_flat() {
        let angle = f.number_or("angle", Unit::Angle, 0.0)?;
        body.orientation = exp([0.0, 0.0, angle]);
        body.angular_velocity[2] = f.number_or("angular_velocity", Unit::AngularVelocity, 0.0)?;
        return match body.velocity[2] == 0.0 {
            true => Ok(body),
            false => Err(f.error("velocity", "a planar body cannot leave its plane")),
        };
    }
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

/// Components that numbers are, along and about the axes.
const MOVES: [&[usize]; 2] = [&[0, 1, 2], &[0, 1]];
const TURNS: [&[usize]; 2] = [&[0, 1, 2], &[2]];

/// Vectors of which some components are listed.
fn vectors(list: &[f64], components: &[usize]) -> Vec<Vector> {
    let one = |given: &[f64]| {
        let mut vector = [0.0; 3];
        for (i, x) in components.iter().zip(given) {
            vector[*i] = *x;
        }
        vector
    };
    list.chunks_exact(components.len()).map(one).collect()
}

fn read(f: &Fields<'_>, flat: bool) -> Result<Modal, ModelError> {
    let (moves, turns) = (MOVES[usize::from(flat)], TURNS[usize::from(flat)]);
    let places = f.quantities("points", Unit::Length)?;
    if places.is_empty() || places.len() % moves.len() != 0 {
        let what = if flat { "[x, y]" } else { "[x, y, z]" };
        return Err(f.error("points", format!("`points` is a list of {what}")));
    }
    let count = places.len() / moves.len();
    let masses = f.quantities("masses", Unit::Mass)?;
    let masses = match masses.len() == count {
        true => masses,
        false => {
            let message = format!("there are {count} points, and {} masses", masses.len());
            return Err(f.error("masses", message));
        }
    };
    let inertias = numbers(f, "inertias", Unit::Inertia, turns.len() * count)?;
    let shapes = f.quantities("modes", Unit::None)?;
    let row = moves.len() * count;
    if shapes.is_empty() || shapes.len() % row != 0 {
        let each = if flat { "two" } else { "three" };
        let message = format!("each of the `modes` needs {row} numbers, {each} for each point");
        return Err(f.error("modes", message));
    }
    let n = shapes.len() / row;
    let rotations = numbers(f, "mode_rotations", Unit::None, n * turns.len() * count)?;
    let [places, shapes] = [places, shapes].map(|list| vectors(&list, moves));
    let [inertias, rotations] = [inertias, rotations].map(|list| vectors(&list, turns));
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
    let of_point = |list: &[Vector], i: usize| -> Vec<Vector> {
        list.chunks_exact(count).map(|row| row[i]).collect()
    };
    let points = places.iter().zip(&inertias).zip(&masses);
    let points = points
        .enumerate()
        .map(|(i, ((place, inertia), mass))| ModalPoint {
            place: *place,
            mass: *mass,
            inertia: *inertia,
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
        flat,
        points: points.collect(),
        added_mass: match f.has("added_mass") {
            true => numbers(f, "added_mass", Unit::None, n * n)?,
            false => Vec::new(),
        },
        cubic_energy: read_cubic(f, n)?,
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

fn read_cubic(f: &Fields<'_>, modes: usize) -> Result<Vec<([usize; 3], f64)>, ModelError> {
    const KEY: &str = "cubic_energy";
    if !f.has(KEY) {
        return Ok(Vec::new());
    }
    let list = f.quantities(KEY, Unit::None)?;
    let (terms, rest) = list.as_chunks::<4>();
    let is_mode = |x: &f64| x.fract() == 0.0 && (1.0..=modes as f64).contains(x);
    if !rest.is_empty() || terms.iter().any(|t| !t[..3].iter().all(is_mode)) {
        let message =
            format!("`{KEY}` is a list of [i, j, k, factor] with modes from 1 to {modes}");
        return Err(f.error(KEY, message));
    }
    let term = |[i, j, k, factor]: &[f64; 4]| ([i, j, k].map(|x| *x as usize - 1), *factor);
    Ok(terms.iter().map(term).collect())
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
    let flat = usize::from(modal.flat);
    let listed =
        |components: &'static [usize], x: &Vector| components.iter().map(|i| x[*i]).collect();
    let vectors = |of: fn(&ModalPoint) -> Vector, components: &'static [usize]| {
        let points = modal.points.iter();
        let rows: Vec<Vec<f64>> = points.map(|p| listed(components, &of(p))).collect();
        Value::matrix(&rows)
    };
    let shapes = |of: fn(&ModalPoint) -> &[Vector], components: &'static [usize]| {
        let point = |k: usize| move |p: &ModalPoint| -> Vec<f64> { listed(components, &of(p)[k]) };
        let mode = |k: usize| modal.points.iter().flat_map(point(k)).collect();
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
    if !modal.added_mass.is_empty() {
        more.push(("added_mass", Value::numbers(&modal.added_mass)));
    }
    if !modal.cubic_energy.is_empty() {
        let terms = modal.cubic_energy.iter().map(|([i, j, k], factor)| {
            let modes = [i, j, k].map(|k| (k + 1) as f64);
            vec![modes[0], modes[1], modes[2], *factor]
        });
        let terms: Vec<Vec<f64>> = terms.collect();
        more.push(("cubic_energy", Value::matrix(&terms)));
    }
    if !modal.damping.is_empty() {
        more.push(("damping", Value::numbers(&modal.damping)));
    }
    if modal.rayleigh != [0.0; 2] {
        more.push(("rayleigh", Value::numbers(&modal.rayleigh)));
    }
    let mut all = vec![
        ("points", vectors(|p| p.place, MOVES[flat])),
        ("masses", list(&mut modal.points.iter().map(|p| p.mass))),
        ("inertias", vectors(|p| p.inertia, TURNS[flat])),
        ("modes", shapes(|p| &p.displacement, MOVES[flat])),
        ("mode_rotations", shapes(|p| &p.rotation, TURNS[flat])),
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
