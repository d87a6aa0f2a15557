//! Cross-sections of beams: areas and moments by which they resist, and the table of all kinds.
//!
//! `y` is along the normal of a beam and `z` along its third direction, so that in planar models the height
//! is in the plane. Areas that resist shear are those of Cowper (1966) without lateral contraction.

use crate::error::ModelError;
use crate::field::{Form, Key};
use crate::force::Resistance;
use crate::text::Fields;
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

/// One kind of section: documentation and reader.
#[derive(Clone, Copy, Debug)]
pub struct SectionEntry {
    /// Name in model text.
    pub kind: &'static str,
    /// What it is, in one sentence.
    pub summary: &'static str,
    /// The keys it understands besides `name` and `kind`.
    pub keys: &'static [Key],
    /// Reads the section.
    pub read: fn(&Fields<'_>) -> Result<Section, ModelError>,
}

const TORSION: Key = Key::optional(
    "torsion_constant",
    Unit::SecondMoment,
    "that of the shape",
    "Torsion constant.",
);
const SHEAR: Key = Key::optional(
    "shear_areas",
    Unit::Area,
    "those of the shape",
    "Areas that resist shear along y and z.",
)
.takes(Form::List);

/// All kinds of sections.
pub static SECTIONS: &[SectionEntry] = &[
    SectionEntry {
        kind: "rectangle",
        summary: "A rectangle.",
        keys: &[
            Key::required(
                "height",
                Unit::Length,
                "Extent along y, the normal of the beam.",
            ),
            Key::required("width", Unit::Length, "Extent along z."),
            TORSION,
            SHEAR,
        ],
        read: |f| {
            let [height, width] = [
                f.positive("height", Unit::Length)?,
                f.positive("width", Unit::Length)?,
            ];
            amended(f, Section::rectangle(height, width))
        },
    },
    SectionEntry {
        kind: "circle",
        summary: "A full circle.",
        keys: &[
            Key::required("diameter", Unit::Length, "Diameter."),
            TORSION,
            SHEAR,
        ],
        read: |f| amended(f, Section::ring(f.positive("diameter", Unit::Length)?, 0.0)),
    },
    SectionEntry {
        kind: "tube",
        summary: "A ring.",
        keys: &[
            Key::required("diameter", Unit::Length, "Outer diameter."),
            Key::required("wall", Unit::Length, "Thickness of the wall."),
            TORSION,
            SHEAR,
        ],
        read: |f| {
            let diameter = f.positive("diameter", Unit::Length)?;
            let wall = f.positive("wall", Unit::Length)?;
            if 2.0 * wall > diameter {
                return Err(f.error("wall", "the wall is thicker than half of the diameter"));
            }
            amended(f, Section::ring(diameter, diameter - 2.0 * wall))
        },
    },
    SectionEntry {
        kind: "general",
        summary: "Any section by its numbers.",
        keys: &[
            Key::required("area", Unit::Area, "Area."),
            Key::required(
                "second_moments",
                Unit::SecondMoment,
                "Second moments of area about y and z.",
            )
            .takes(Form::List),
            Key::optional(
                "torsion_constant",
                Unit::SecondMoment,
                "sum of the second moments",
                "Torsion constant.",
            ),
            Key::optional(
                "shear_areas",
                Unit::Area,
                "the area",
                "Areas that resist shear along y and z.",
            )
            .takes(Form::List),
            Key::optional(
                "section_moduli",
                Unit::None,
                "no stresses",
                "Second moments about y and z divided by the distance of the outer fibre, m^3.",
            )
            .takes(Form::List),
        ],
        read: |f| {
            let area = f.positive("area", Unit::Area)?;
            let second_moments = two(f, "second_moments", Unit::SecondMoment)?;
            let moduli = match f.has("section_moduli") {
                true => Some(two(f, "section_moduli", Unit::None)?),
                false => None,
            };
            amended(
                f,
                Section {
                    area,
                    shear_areas: [area; 2],
                    torsion_constant: second_moments[0] + second_moments[1],
                    second_moments,
                    resistance: moduli.map(|[y, z]| Resistance::Corners([area, y, z])),
                },
            )
        },
    },
];

fn two(f: &Fields<'_>, key: &'static str, unit: Unit) -> Result<[f64; 2], ModelError> {
    let list = f.quantities(key, unit)?;
    let found: [f64; 2] = list.as_slice().try_into().map_err(|_| {
        let count = list.len();
        f.error(
            key,
            format!("`{key}` has two numbers, for y and z, not {count}"),
        )
    })?;
    match found.iter().all(|x| *x > 0.0 && x.is_finite()) {
        true => Ok(found),
        false => Err(f
            .error(key, format!("`{key}` must be greater than zero"))
            .with_help("lines without resistance to bending, such as cables, are no beams")),
    }
}

/// With what the text says otherwise.
fn amended(f: &Fields<'_>, mut section: Section) -> Result<Section, ModelError> {
    let torsion = section.torsion_constant;
    section.torsion_constant = f.positive_or("torsion_constant", Unit::SecondMoment, torsion)?;
    if f.has("shear_areas") {
        section.shear_areas = two(f, "shear_areas", Unit::Area)?;
    }
    Ok(section)
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
