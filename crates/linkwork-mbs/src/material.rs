//! Elastic materials of beams.

use crate::part::{Entry, Keys, Part};
use crate::section::Section;
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
pub static MATERIAL: Entry<Material> = Entry {
    kind: "material",
    summary: "An elastic material.",
    in_plane: true,
    blank: || Box::new(Material::new(0.0, 0.0, 0.0)),
};

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
}

impl Part for Material {
    fn keys(&mut self, k: &mut Keys<'_>) {
        k.key("young", Unit::Pressure, "Young's modulus.")
            .like(2e11, 1e10)
            .positive(&mut self.young);
        // a material has its shear modulus; the ratio is another way to say it
        let mut ratio: Option<f64> = None;
        let mut shear: Option<f64> = k.asks().then_some(self.shear);
        if k.draw().is_none() {
            k.key("poisson", Unit::None, "Poisson's ratio.")
                .or("this or `shear`")
                .number(&mut ratio);
        }
        k.key("shear", Unit::Pressure, "Shear modulus.")
            .or("this or `poisson`")
            .like(8e10, 1e10)
            .positive(&mut shear);
        let given = ratio.unwrap_or(0.3);
        let why = format!("Poisson's ratio lies between -1 and 0.5, it is {given}");
        k.rule("poisson", given > -1.0 && given <= 0.5, why);
        k.read(|f| match (shear, ratio) {
            (Some(_), Some(_)) => Err(f.error("poisson", "the shear modulus is given as well")),
            (None, None) if !f.has("shear") && !f.has("poisson") => {
                Err(f.error_here("`poisson` or `shear` is missing"))
            }
            _ => Ok(()),
        });
        self.shear = shear.unwrap_or(0.5 * self.young / (1.0 + given));
        k.key("density", Unit::Density, "Density.")
            .like(5e3, 3e3)
            .positive(&mut self.density);
        let doc = "Kelvin-Voigt damping: a stress of this time multiplied by the rate of the elastic one.";
        k.key("damping_time", Unit::Time, doc)
            .or(0.0)
            .not_negative(&mut self.damping_time);
    }
}
