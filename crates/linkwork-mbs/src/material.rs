//! Elastic materials of beams.

use crate::error::ModelError;
use crate::field::Key;
use crate::section::Section;
use crate::text::Fields;
use crate::units::Unit;

/// An elastic material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Young's modulus, Pa.
    pub young: f64,
    /// Shear modulus, Pa.
    pub shear: f64,
    /// Density, kg/m^3.
    pub density: f64,
    /// Kelvin-Voigt damping: stress by the rate of strain as a time, s.
    pub damping_time: f64,
}

/// The keys of a `[[material]]` besides `name`.
pub static MATERIAL_KEYS: &[Key] = &[
    Key::required("young", Unit::Pressure, "Young's modulus."),
    Key::optional("poisson", Unit::None, "this or `shear`", "Poisson's ratio."),
    Key::optional(
        "shear",
        Unit::Pressure,
        "this or `poisson`",
        "Shear modulus.",
    ),
    Key::required("density", Unit::Density, "Density."),
    Key::optional(
        "damping_time",
        Unit::Time,
        "0",
        "Kelvin-Voigt damping: a stress of this time multiplied by the rate of the elastic one.",
    ),
];

impl Material {
    /// A material with Young's modulus (Pa), Poisson's ratio and density (kg/m^3).
    pub fn new(young: f64, poisson: f64, density: f64) -> Material {
        Material {
            young,
            shear: 0.5 * young / (1.0 + poisson),
            density,
            damping_time: 0.0,
        }
    }

    /// EA, GAy, GAz, GJ, EIy, EIz of a section.
    pub fn stiffness(&self, section: &Section) -> [f64; 6] {
        let [shear_y, shear_z] = section.shear_areas;
        let [bend_y, bend_z] = section.second_moments;
        [
            self.young * section.area,
            self.shear * shear_y,
            self.shear * shear_z,
            self.shear * section.torsion_constant,
            self.young * bend_y,
            self.young * bend_z,
        ]
    }

    pub(crate) fn read(f: &Fields<'_>) -> Result<Material, ModelError> {
        let young = f.positive("young", Unit::Pressure)?;
        let shear = match (f.has("shear"), f.optional_number("poisson", Unit::None)?) {
            (true, Some(_)) => {
                return Err(f.error("poisson", "the shear modulus is given as well"));
            }
            (true, None) => f.positive("shear", Unit::Pressure)?,
            (false, Some(ratio)) if ratio > -1.0 && ratio <= 0.5 => 0.5 * young / (1.0 + ratio),
            (false, Some(ratio)) => {
                let message = format!("Poisson's ratio lies between -1 and 0.5, it is {ratio}");
                return Err(f.error("poisson", message));
            }
            (false, None) => {
                return Err(f.error_here("`poisson` or `shear` is missing"));
            }
        };
        Ok(Material {
            young,
            shear,
            density: f.positive("density", Unit::Density)?,
            damping_time: f.not_negative_or("damping_time", Unit::Time, 0.0)?,
        })
    }
}
