//! `[[section]]`, `[[material]]` and `[[beam]]`: what beams are made of, by name, and beams.
//!
//! ```toml
//! [[section]]
//! name = "tube40"
//! kind = "tube"
//! diameter = "40 mm"
//! wall = "2 mm"
//!
//! [[material]]
//! name = "steel"
//! young = "210 GPa"
//! poisson = 0.3
//! density = 7850
//!
//! [[beam]]
//! name = "arm"
//! points = [[0, 0], [2, 0]]
//! elements = 8
//! section = "tube40"
//! material = "steel"
//! ```
//!
//! A beam is read before bodies are numbered, because its nodes are bodies.

use super::Fields;
use crate::beam::Beam;
use crate::error::ModelError;
use crate::field::{Form, Key};
use crate::geometry::Vector;
use crate::material::Material;
use crate::section::Section;
use crate::units::Unit;

/// Most elements of a beam.
const MOST: usize = 10_000;

/// The keys of a `[[beam]]` besides `name`.
pub static BEAM_KEYS: &[Key] = &[
    Key::required(
        "points",
        Unit::Length,
        "Points that the centre line goes through: a list of [x, y, z], [x, y] in planar models. Two points make a straight \
         beam; otherwise it follows the circles through neighbouring points.",
    )
    .takes(Form::List),
    Key::optional(
        "elements",
        Unit::None,
        "8",
        "Number of elements between neighbouring points.",
    ),
    SECTION,
    MATERIAL,
    Key::optional(
        "normal",
        Unit::None,
        "any where the section resists bending about y and z alike",
        "Direction of the y axis of the section at the first point; in planar models it is in the plane.",
    )
    .takes(Form::Vector),
    Key::optional(
        "rotary_inertia",
        Unit::None,
        "that of the section",
        "Moments of inertia by length about x, y and z, kg m.",
    )
    .takes(Form::List),
    Key::optional(
        "velocity",
        Unit::Velocity,
        "[0, 0, 0]",
        "Start velocity of the first point.",
    )
    .takes(Form::Vector),
    Key::optional(
        "angular_velocity",
        Unit::AngularVelocity,
        "[0, 0, 0]",
        "Start angular velocity of the whole, in global components; a number in planar models.",
    )
    .takes(Form::Vector),
];

/// The key that names a section.
pub(crate) const SECTION: Key =
    Key::required("section", Unit::None, "Name of its cross-section.").takes(Form::Word);
/// The key that names a material.
pub(crate) const MATERIAL: Key =
    Key::required("material", Unit::None, "Name of its material.").takes(Form::Word);

/// Sections and materials by name. What could not be read has a place as well, so that its users are not blamed.
#[derive(Debug, Default)]
pub(super) struct Stock {
    pub sections: Vec<(String, Section)>,
    pub materials: Vec<(String, Material)>,
}

impl Stock {
    /// In place of a section that could not be read.
    pub fn any_section() -> Section {
        Section::ring(1.0, 0.0)
    }

    /// In place of a material that could not be read.
    pub fn any_material() -> Material {
        Material::new(1.0, 0.0, 1.0)
    }
}

fn find<T: Copy>(f: &Fields<'_>, key: &'static str, list: &[(String, T)]) -> Result<T, ModelError> {
    let name = f.text(key)?;
    let found = list.iter().find(|(own, _)| own == name);
    found.map(|(_, item)| *item).ok_or_else(|| {
        let names = || list.iter().map(|(name, _)| name.as_str());
        f.error(key, format!("there is no {key} `{name}`"))
            .with_label(super::fields::suggestion(name, names(), "no such name"))
            .with_help(format!("every {key} starts with the header [[{key}]]"))
    })
}

impl Fields<'_> {
    /// The cross-section that the key `section` names.
    pub fn section_by_name(&self) -> Result<Section, ModelError> {
        find(self, "section", self.stock.map_or(&[], |s| &s.sections))
    }

    /// The material that the key `material` names.
    pub fn material_by_name(&self) -> Result<Material, ModelError> {
        find(self, "material", self.stock.map_or(&[], |s| &s.materials))
    }
}

/// Reads a beam.
pub(super) fn read_beam(f: &Fields<'_>) -> Result<Beam, ModelError> {
    let elements = f.count_or("elements", 8)?;
    if elements == 0 || elements > MOST {
        return Err(f.error("elements", format!("`elements` lies between 1 and {MOST}")));
    }
    let (section, material) = (f.section_by_name()?, f.material_by_name()?);
    let mut beam = Beam::through(f.name(), points(f)?, elements, section, material);
    let [y, z] = section.second_moments;
    beam.normal = f.optional_vector("normal", Unit::None)?;
    match (f.in_plane(), beam.normal) {
        (true, Some(_)) => {
            let message =
                "in planar models the normal is across the beam, in the plane: leave it out";
            return Err(f.error("normal", message));
        }
        (false, None) if (y - z).abs() > 1e-9 * y.max(z) => {
            return Err(f
                .error_here(
                    "`normal` is missing: its section does not resist bending about y and z alike",
                )
                .with_help("`normal` is the direction of the y axis of the section"));
        }
        _ => {}
    }
    if f.has("rotary_inertia") {
        let list = f.quantities("rotary_inertia", Unit::None)?;
        let wrong = || f.error("rotary_inertia", "`rotary_inertia` has three numbers");
        beam.rotary_inertia = Some(list.as_slice().try_into().map_err(|_| wrong())?);
    }
    beam.velocity = f.vector_or("velocity", Unit::Velocity, [0.0; 3])?;
    beam.angular_velocity = match f.in_plane() {
        true => [
            0.0,
            0.0,
            f.number_or("angular_velocity", Unit::AngularVelocity, 0.0)?,
        ],
        false => f.vector_or("angular_velocity", Unit::AngularVelocity, [0.0; 3])?,
    };
    match beam.problem() {
        Some(why) => Err(f.error("points", why)),
        None => Ok(beam),
    }
}

fn points(f: &Fields<'_>) -> Result<Vec<Vector>, ModelError> {
    let numbers = f.quantities("points", Unit::Length)?;
    let (size, shape) = match f.in_plane() {
        true => (2, "[x, y]"),
        false => (3, "[x, y, z]"),
    };
    if numbers.len() < 2 * size || numbers.len() % size != 0 {
        let message = format!("`points` is a list of at least two points {shape}");
        return Err(f.error("points", message));
    }
    let point = |p: &[f64]| [p[0], p[1], p.get(2).copied().unwrap_or(0.0)];
    Ok(numbers.chunks_exact(size).map(point).collect())
}
