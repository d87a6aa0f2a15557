//! Straight beam as a flexible body: modes by section and material.

use super::modal::{
    AMPLITUDES, ANGLE, RATES, RAYLEIGH, SPIN, VELOCITY, check_frames, numbers, placed,
};
use super::{BodyEntry, EXACT, POSITION};
use crate::carrier::{Modal, ModeSet, StraightBeam};
use crate::error::ModelError;
use crate::field::{Form, Key};
use crate::orientation::{
    CARDAN, EULER, QUATERNION, ROTATION_ANGLE, ROTATION_AXIS, ROTATION_VECTOR,
};
use crate::text::{Fields, MATERIAL, SECTION};
use crate::units::Unit;

/// Frames that every such body has.
pub(crate) const ENDS: [&str; 2] = ["start", "end"];

pub(super) const ENTRY: BodyEntry = BodyEntry {
    kind: "flexible_beam",
    in_plane: None,
    summary: "A straight beam along the x axis of its frame, from its origin, with small deformations: modes of bending, \
              tension and torsion from section and material. It has the frames `start` and `end`; attach to \
              `body.end`. Written as a `modal` body.",
    keys: &[
        LENGTH,
        SECTION,
        MATERIAL,
        Key::optional(
            "modes",
            Unit::None,
            "[3, 3, 1, 1]",
            "Number of modes of bending along y, bending along z, tension and torsion, up to 12 of each.",
        )
        .takes(Form::List),
        MODE_SET,
        THEORY,
        STIFFENING,
        DAMPING_RATIO,
        RAYLEIGH,
        FRAMES,
        FRAME_PLACES,
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
    read: |f| placed(f, read(f, false)?),
};

pub(super) const IN_PLANE: BodyEntry = BodyEntry {
    kind: "planar_flexible_beam",
    in_plane: Some("flexible_beam"),
    summary: "A straight beam along the x axis of its frame, from its origin, that bends in the x-y plane, with small \
              deformations: modes of bending and tension from section and material. It has the frames `start` and `end`; \
              attach to `body.end`. Written as a `modal` body.",
    keys: &[
        LENGTH,
        SECTION,
        MATERIAL,
        Key::optional(
            "modes",
            Unit::None,
            "[3, 1]",
            "Number of modes of bending and tension, up to 12 of each.",
        )
        .takes(Form::List),
        MODE_SET,
        THEORY,
        STIFFENING,
        DAMPING_RATIO,
        RAYLEIGH,
        FRAMES,
        FRAME_PLACES,
        POSITION,
        ANGLE,
        AMPLITUDES,
        VELOCITY,
        SPIN,
        RATES,
        EXACT,
    ],
    read: |f| placed(f, read(f, true)?),
};

const LENGTH: Key = Key::required("length", Unit::Length, "Length.");
const MODE_SET: Key = Key::optional(
    "mode_set",
    Unit::None,
    "interface",
    "Which modes: `free` (of the free beam), `clamped` (at its start), `pinned` (between pins) or `interface` (deflections \
     by loads at both ends and modes between clamped ends: Craig and Bampton). It also says what the frame follows.",
)
.takes(Form::Word);
const THEORY: Key = Key::optional(
    "theory",
    Unit::None,
    "timoshenko",
    "`timoshenko`: sections shear and have rotary inertia; `euler`: they do not.",
)
.takes(Form::Word);
const STIFFENING: Key = Key::optional(
    "stiffening",
    Unit::None,
    "true",
    "Whether axial forces stiffen or soften bending: those of a rotation, of accelerations along the axis and of what \
     is attached.",
)
.takes(Form::Flag);
const DAMPING_RATIO: Key = Key::optional(
    "damping_ratio",
    Unit::None,
    "0",
    "Damping ratio of all modes, or of each.",
)
.takes(Form::List);
const FRAMES: Key = Key::optional(
    "frames",
    Unit::None,
    "[]",
    "Names of frames besides `start` and `end`.",
)
.takes(Form::List);
const FRAME_PLACES: Key = Key::optional(
    "frame_places",
    Unit::None,
    "none",
    "Where these are, as parts of the length: 0.5 is the middle.",
)
.takes(Form::List);

fn read(f: &Fields<'_>, flat: bool) -> Result<Modal, ModelError> {
    let modes = match (f.has("modes"), flat) {
        (true, _) => counts(f, flat)?,
        (false, false) => [3, 3, 1, 1],
        (false, true) => [3, 0, 1, 0],
    };
    let set = f.choice("mode_set", &ModeSet::NAMES, Some("interface"))?;
    let theory = f.choice("theory", &["timoshenko", "euler"], Some("timoshenko"))?;
    let beam = StraightBeam {
        length: f.positive("length", Unit::Length)?,
        section: f.section_by_name()?,
        material: f.material_by_name()?,
        timoshenko: theory == "timoshenko",
        set: ModeSet::by_name(set),
        modes,
        stiffening: f.flag_or("stiffening", true)?,
    };
    let names = f.texts("frames")?;
    check_frames(f, &names)?;
    let places = numbers(f, "frame_places", Unit::None, names.len())?;
    if !names.is_empty() && !f.has("frame_places") {
        return Err(f.error("frames", "`frame_places` must say where they are"));
    }
    if let Some(place) = places.iter().find(|x| !(0.0..=1.0).contains(*x)) {
        let message = format!("places are parts of the length, from 0 to 1, not {place}");
        return Err(f.error("frame_places", message));
    }
    let ends = ENDS.into_iter().zip([0.0, 1.0]);
    let frames = ends.chain(names.iter().copied().zip(places));
    let frames: Vec<(String, f64)> = frames.map(|(name, s)| (name.to_string(), s)).collect();
    let mut modal = beam.modal(&frames).map_err(|why| f.error_here(why))?;
    modal.flat = flat;
    if flat {
        let points = modal.points.iter_mut();
        points.for_each(|p| p.inertia = [0.0, 0.0, p.inertia[2]]);
    }
    let n = modal.modes();
    modal.damping_ratio = ratios(f, n)?;
    let rayleigh = numbers(f, "rayleigh", Unit::None, 2)?;
    // that of the material is in proportion to the stiffness as well
    modal.rayleigh = [rayleigh[0], modal.rayleigh[1] + rayleigh[1]];
    let amplitudes = numbers(f, "amplitudes", Unit::None, n)?;
    let rates = numbers(f, "amplitude_rates", Unit::None, n)?;
    modal.start = amplitudes
        .into_iter()
        .zip(rates)
        .map(|(q, v)| [q, v])
        .collect();
    match modal.problem() {
        Some(why) => Err(f.error_here(why)),
        None => Ok(modal),
    }
}

fn counts(f: &Fields<'_>, flat: bool) -> Result<[usize; 4], ModelError> {
    let list = f.quantities("modes", Unit::None)?;
    let whole = |x: &f64| x.fract() == 0.0 && (0.0..=12.0).contains(x);
    let given = match (flat, list.as_slice()) {
        (false, &[y, z, tension, torsion]) => Some([y, z, tension, torsion]),
        (true, &[bending, tension]) => Some([bending, 0.0, tension, 0.0]),
        _ => None,
    };
    match given.filter(|given| given.iter().all(whole)) {
        Some(given) => Ok(given.map(|x| x as usize)),
        None => Err(f.error(
            "modes",
            match flat {
                false => {
                    "`modes` has four whole numbers up to 12: bending along y and z, tension, torsion"
                }
                true => "`modes` has two whole numbers up to 12: bending and tension",
            },
        )),
    }
}

fn ratios(f: &Fields<'_>, n: usize) -> Result<Vec<f64>, ModelError> {
    match f.is_list("damping_ratio") {
        true => numbers(f, "damping_ratio", Unit::None, n),
        false => Ok(vec![
            f.not_negative_or("damping_ratio", Unit::None, 0.0)?;
            n
        ]),
    }
}
