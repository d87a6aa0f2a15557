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
use crate::field::{Form, Value};
use crate::geometry::Vector;
use crate::material::Material;
use crate::part::{Entry as PartEntry, Keys, Part};
use crate::section::Profile;
use crate::units::Unit;

/// Most elements of a beam.
const MOST: usize = 10_000;

/// Something that the text names.
#[derive(Clone, Debug, PartialEq)]
pub struct Named<T> {
    /// Its name.
    pub name: String,
    /// What it is.
    pub item: T,
}

impl Named<Profile> {
    /// A section called so.
    pub(crate) fn section() -> Named<Profile> {
        let (name, item) = ("section".into(), Stock::any_section());
        Named { name, item }
    }
}

impl Named<Material> {
    /// A material called so.
    pub(crate) fn material() -> Named<Material> {
        let (name, item) = ("material".into(), Stock::any_material());
        Named { name, item }
    }
}

impl Keys<'_> {
    /// The cross-section by its name.
    pub(crate) fn section(&mut self, slot: &mut Named<Profile>) {
        let item = self.key("section", Unit::None, "Name of its cross-section.");
        let read = |f: &Fields<'_>, key| find(f, key, f.stock.map_or(&[], |s| &s.sections));
        item.special(Form::Word, slot, read, name_of, |_| Named::section());
    }

    /// The material by its name.
    pub(crate) fn material(&mut self, slot: &mut Named<Material>) {
        let item = self.key("material", Unit::None, "Name of its material.");
        let read = |f: &Fields<'_>, key| find(f, key, f.stock.map_or(&[], |s| &s.materials));
        item.special(Form::Word, slot, read, name_of, |_| Named::material());
    }
}

fn name_of<T>(named: &Named<T>) -> Value {
    Value::Text(named.name.clone())
}

/// A beam as text has it.
#[derive(Clone, Debug, PartialEq)]
pub struct BeamDraft {
    /// The beam.
    pub beam: Beam,
    section: Named<Profile>,
    material: Named<Material>,
}

/// The keys of a `[[beam]]` besides `name`.
pub static BEAM: PartEntry<BeamDraft> = PartEntry {
    kind: "beam",
    summary: "A beam that may bend far.",
    in_plane: true,
    blank: || {
        let (section, material) = (Named::section(), Named::material());
        let none: [Vector; 0] = [];
        let beam = Beam::through("", none, 8, section.item.section(), material.item);
        Box::new(BeamDraft {
            beam,
            section,
            material,
        })
    },
};

impl Part for BeamDraft {
    fn keys(&mut self, k: &mut Keys<'_>) {
        let beam = &mut self.beam;
        let doc = "Points that the centre line goes through: a list of [x, y, z], [x, y] in planar models. Two points make \
                   a straight beam; otherwise it follows the circles through neighbouring points.";
        k.key("points", Unit::Length, doc)
            .vectors(&mut beam.points, 3);
        let doc = "Number of elements between neighbouring points.";
        k.key("elements", Unit::None, doc)
            .or("8")
            .count([1, MOST], &mut beam.elements);
        k.section(&mut self.section);
        k.material(&mut self.material);
        (beam.section, beam.material) = (self.section.item.section(), self.material.item);
        let doc = "Direction of the y axis of the section at the first point; in planar models it is in the plane.";
        k.key("normal", Unit::None, doc)
            .or("any where the section resists bending about y and z alike")
            .vector(&mut beam.normal);
        k.read(|f| check_normal(f, beam));
        let doc = "Moments of inertia by length about x, y and z, kg m.";
        k.key("rotary_inertia", Unit::None, doc)
            .or("that of the section")
            .like(1.5, 1.0)
            .array(&mut beam.rotary_inertia);
        let doc = "Start velocity of the first point.";
        k.key("velocity", Unit::Velocity, doc)
            .or("[0, 0, 0]")
            .vector(&mut beam.velocity);
        let doc =
            "Start angular velocity of the whole, in global components; a number in planar models.";
        let unit = Unit::AngularVelocity;
        k.key("angular_velocity", unit, doc)
            .or("[0, 0, 0]")
            .special(
                Form::Vector,
                &mut beam.angular_velocity,
                |f, key| match f.in_plane() {
                    true => Ok([0.0, 0.0, f.number(key, unit)?]),
                    false => f.vector(key, unit),
                },
                |omega: &Vector| Value::Vector(*omega),
                |draw| [draw(), draw(), draw()],
            );
        let why = beam.problem();
        k.rule("points", why.is_none(), why.unwrap_or_default());
    }
}

fn check_normal(f: &Fields<'_>, beam: &Beam) -> Result<(), ModelError> {
    let [y, z] = beam.section.second_moments;
    match (f.in_plane(), beam.normal) {
        (true, Some(_)) => {
            let message =
                "in planar models the normal is across the beam, in the plane: leave it out";
            Err(f.error("normal", message))
        }
        (false, None) if (y - z).abs() > 1e-9 * y.max(z) => Err(f
            .error_here(
                "`normal` is missing: its section does not resist bending about y and z alike",
            )
            .with_help("`normal` is the direction of the y axis of the section")),
        _ => Ok(()),
    }
}

/// Sections and materials by name. What could not be read has a place as well, so that its users are not blamed.
#[derive(Debug, Default)]
pub(super) struct Stock {
    pub sections: Vec<(String, Profile)>,
    pub materials: Vec<(String, Material)>,
}

impl Stock {
    /// In place of a section that could not be read.
    pub fn any_section() -> Profile {
        Profile::circle(1.0)
    }

    /// In place of a material that could not be read.
    pub fn any_material() -> Material {
        Material::new(1.0, 0.0, 1.0)
    }
}

fn find<T: Clone>(
    f: &Fields<'_>,
    key: &'static str,
    list: &[(String, T)],
) -> Result<Named<T>, ModelError> {
    let name = f.text(key)?;
    let found = list.iter().find(|(own, _)| own == name);
    let named = found.map(|(name, item)| Named {
        name: name.clone(),
        item: item.clone(),
    });
    named.ok_or_else(|| {
        let names = || list.iter().map(|(name, _)| name.as_str());
        f.error(key, format!("there is no {key} `{name}`"))
            .with_label(super::fields::suggestion(name, names(), "no such name"))
            .with_help(format!("every {key} starts with the header [[{key}]]"))
    })
}
