//! Cross-sections of beams: areas and moments by which they resist, and the table of all kinds.
//!
//! `y` is along the normal of a beam and `z` along its third direction, so that in planar models the height
//! is in the plane. Areas that resist shear are those of Cowper (1966) without lateral contraction.

use crate::force::Resistance;
use crate::part::{Entry, Keys, Part};
use crate::units::Unit;
use std::f64::consts::PI;

/// How a cross-section resists.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Section {
    /// Area, m^2.
    pub area: f64,
    /// Areas that resist shear along y and z, m^2.
    pub shear_areas: [f64; 2],
    /// Torsion constant, m^4.
    pub torsion_constant: f64,
    /// Second moments of area about y and z, m^4.
    pub second_moments: [f64; 2],
    /// Section moduli for the stress of outer fibres.
    pub resistance: Option<Resistance>,
}

impl Section {
    /// A rectangle with its extents along y and z, m.
    pub fn rectangle(height: f64, width: f64) -> Section {
        let area = height * width;
        let second_moments = [height * width.powi(3) / 12.0, width * height.powi(3) / 12.0];
        let moduli = [
            area,
            second_moments[0] / (0.5 * width),
            second_moments[1] / (0.5 * height),
        ];
        let (long, short) = (height.max(width), height.min(width));
        // Saint-Venant's series, whose terms fall with the fifth power
        let odd = (0..40).map(|k| f64::from(2 * k + 1));
        let series: f64 = odd
            .map(|n| (n * PI * long / (2.0 * short)).tanh() / n.powi(5))
            .sum();
        let torsion =
            long * short.powi(3) / 3.0 * (1.0 - 192.0 * short / (PI.powi(5) * long) * series);
        Section {
            area,
            shear_areas: [area * 5.0 / 6.0; 2],
            torsion_constant: torsion,
            second_moments,
            resistance: Some(Resistance::Corners(moduli)),
        }
    }

    /// A ring with its outer and inner diameter, m; a circle where the inner one is zero.
    pub fn ring(outer: f64, inner: f64) -> Section {
        let area = PI * (outer * outer - inner * inner) / 4.0;
        let second = PI * (outer.powi(4) - inner.powi(4)) / 64.0;
        let ratio = (inner / outer).powi(2);
        let both = (1.0 + ratio).powi(2);
        let factor = 6.0 * both / (7.0 * both + 20.0 * ratio);
        Section {
            area,
            shear_areas: [area * factor; 2],
            torsion_constant: 2.0 * second,
            second_moments: [second; 2],
            resistance: Some(Resistance::Round([area, second / (0.5 * outer)])),
        }
    }

    /// Why it cannot be the section of a beam.
    pub fn problem(&self) -> Option<String> {
        let [shear_y, shear_z] = self.shear_areas;
        let [y, z] = self.second_moments;
        let numbers = [
            ("area", self.area),
            ("shear area along y", shear_y),
            ("shear area along z", shear_z),
            ("torsion constant", self.torsion_constant),
            ("second moment of area about y", y),
            ("second moment of area about z", z),
        ];
        let wrong = numbers.iter().find(|(_, x)| !(*x > 0.0 && x.is_finite()));
        wrong.map(|(what, x)| format!("the {what} must be greater than zero, it is {x}"))
    }
}

/// A section as text has it: what it looks like, and what of its numbers is said otherwise.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    contour: Contour,
    torsion_constant: Option<f64>,
    shear_areas: Option<[f64; 2]>,
}

#[derive(Clone, Debug, PartialEq)]
enum Contour {
    /// Height and width.
    Rectangle([f64; 2]),
    /// Diameter.
    Circle(f64),
    /// Diameter and wall.
    Tube([f64; 2]),
    General {
        area: f64,
        second_moments: [f64; 2],
        moduli: Option<[f64; 2]>,
    },
}

/// One kind of section.
pub type SectionEntry = Entry<Profile>;

/// All kinds of sections.
pub static SECTIONS: &[SectionEntry] = &[
    SectionEntry {
        kind: "rectangle",
        summary: "A rectangle.",
        in_plane: true,
        blank: || Profile::blank(Contour::Rectangle([0.0; 2])),
    },
    SectionEntry {
        kind: "circle",
        summary: "A full circle.",
        in_plane: true,
        blank: || Profile::blank(Contour::Circle(0.0)),
    },
    SectionEntry {
        kind: "tube",
        summary: "A ring.",
        in_plane: true,
        blank: || Profile::blank(Contour::Tube([0.0; 2])),
    },
    SectionEntry {
        kind: "general",
        summary: "Any section by its numbers.",
        in_plane: true,
        blank: || {
            Profile::blank(Contour::General {
                area: 0.0,
                second_moments: [0.0; 2],
                moduli: None,
            })
        },
    },
];

impl Profile {
    fn blank(contour: Contour) -> Box<Profile> {
        Box::new(Profile {
            contour,
            torsion_constant: None,
            shear_areas: None,
        })
    }

    /// A full circle.
    pub fn circle(diameter: f64) -> Profile {
        *Profile::blank(Contour::Circle(diameter))
    }

    /// Name of its kind in model text.
    pub fn kind(&self) -> &'static str {
        match self.contour {
            Contour::Rectangle(_) => "rectangle",
            Contour::Circle(_) => "circle",
            Contour::Tube(_) => "tube",
            Contour::General { .. } => "general",
        }
    }

    /// The section.
    pub fn section(&self) -> Section {
        let own = match self.contour {
            Contour::Rectangle([height, width]) => Section::rectangle(height, width),
            Contour::Circle(diameter) => Section::ring(diameter, 0.0),
            Contour::Tube([diameter, wall]) => Section::ring(diameter, diameter - 2.0 * wall),
            Contour::General {
                area,
                second_moments,
                moduli,
            } => Section {
                area,
                shear_areas: [area; 2],
                torsion_constant: second_moments[0] + second_moments[1],
                second_moments,
                resistance: moduli.map(|[y, z]| Resistance::Corners([area, y, z])),
            },
        };
        Section {
            torsion_constant: self.torsion_constant.unwrap_or(own.torsion_constant),
            shear_areas: self.shear_areas.unwrap_or(own.shear_areas),
            ..own
        }
    }
}

impl Part for Profile {
    fn keys(&mut self, k: &mut Keys<'_>) {
        let mut usual = ["that of the shape", "those of the shape"];
        match &mut self.contour {
            Contour::Rectangle([height, width]) => {
                let doc = "Extent along y, the normal of the beam.";
                k.key("height", Unit::Length, doc).positive(height);
                k.key("width", Unit::Length, "Extent along z.")
                    .positive(width);
            }
            Contour::Circle(diameter) => {
                k.key("diameter", Unit::Length, "Diameter.")
                    .positive(diameter);
            }
            Contour::Tube([diameter, wall]) => {
                k.key("diameter", Unit::Length, "Outer diameter.")
                    .like(3.0, 1.0)
                    .positive(diameter);
                k.key("wall", Unit::Length, "Thickness of the wall.")
                    .like(0.5, 0.2)
                    .positive(wall);
                let why = "the wall is thicker than half of the diameter";
                k.rule("wall", 2.0 * *wall <= *diameter, why);
            }
            Contour::General {
                area,
                second_moments,
                moduli,
            } => {
                k.key("area", Unit::Area, "Area.").positive(area);
                let doc = "Second moments of area about y and z.";
                let key = k.key("second_moments", Unit::SecondMoment, doc);
                key.like(1.5, 1.0).array(second_moments);
                positive(k, "second_moments", second_moments);
                let doc =
                    "Second moments about y and z divided by the distance of the outer fibre, m^3.";
                k.key("section_moduli", Unit::None, doc)
                    .or("no stresses")
                    .like(1.5, 1.0)
                    .array(moduli);
                positive(k, "section_moduli", moduli.as_slice().as_flattened());
                usual = ["sum of the second moments", "the area"];
            }
        }
        k.key("torsion_constant", Unit::SecondMoment, "Torsion constant.")
            .or(usual[0])
            .positive(&mut self.torsion_constant);
        let doc = "Areas that resist shear along y and z.";
        k.key("shear_areas", Unit::Area, doc)
            .or(usual[1])
            .like(1.5, 1.0)
            .array(&mut self.shear_areas);
        let areas = self.shear_areas.as_slice().as_flattened();
        positive(k, "shear_areas", areas);
    }
}

/// Lines without resistance to bending, such as cables, are no beams.
fn positive(k: &mut Keys<'_>, key: &str, numbers: &[f64]) {
    let sound = numbers.iter().all(|x| *x > 0.0 && x.is_finite());
    let why = format!(
        "`{key}` must be greater than zero: lines that do not resist, such as cables, are no beams"
    );
    k.rule(key, sound, why);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_resist_as_handbooks_say() {
        let square = Section::rectangle(1.0, 1.0);
        assert!((square.torsion_constant - 0.140_577).abs() < 1e-6);
        let flat = Section::rectangle(0.001, 1.0);
        assert!((flat.torsion_constant / (1e-9 / 3.0) - 1.0).abs() < 1e-3);
        let circle = Section::ring(2.0, 0.0);
        assert!((circle.torsion_constant - PI / 2.0).abs() < 1e-15);
        assert!((circle.shear_areas[0] / circle.area - 6.0 / 7.0).abs() < 1e-15);
        let thin = Section::ring(2.0, 1.999);
        assert!((thin.shear_areas[0] / thin.area - 0.5).abs() < 1e-3);
        assert_eq!(
            [square.problem(), circle.problem(), thin.problem()],
            [None, None, None]
        );
    }
}
