//! Mode shapes of straight beams, by Ritz's method with polynomials.
//!
//! Bending in the two planes, tension and torsion are problems of their own. Displacement `v` and turn `h` of a
//! section are polynomials of `s = x/L`,
//!
//! ```text
//!  stiffness  integral of EI h'^2 + GA (v' - h)^2       mass  integral of rho A v^2 + rho I h^2
//!  tension, torsion                EA v'^2,  GJ v'^2           rho A v^2,  rho (Iy + Iz) v^2
//! ```
//!
//! with `h = v'` and without rotary inertia for Euler and Bernoulli, and independent of `v` for Timoshenko; its degree
//! is such that `h = v'` is possible, so nothing locks. Integrals are sums over Gauss points, which are the mass points
//! of the body: they are exact. Second-order displacements are shortenings `-1/2 z' B z` along x with
//! `B = integral of v_j' v_k'`, by which axial forces stiffen or soften bending.

mod polynomial;
mod ritz;

use super::{Modal, ModalPoint, Recovered};
use crate::force::Resistance;
use crate::geometry::Vector;
use crate::material::Material;
use crate::part::Word;
use crate::section::Section;
use polynomial::{gauss, legendre, times, weight};
use ritz::{Family, Forms, Shape};

/// Which modes a beam has, and with that to what its frame is fixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModeSet {
    /// Modes of the free beam; the frame follows the mean of the motion.
    Free,
    /// Modes of the beam clamped at its start, where the frame is.
    Clamped,
    /// Modes between pins; the frame is at the start, and its x axis goes through the end.
    Pinned,
    /// Deflections by loads at both ends and modes between clamped ends, combined (Craig & Bampton 1968).
    Interface,
}

impl Word for ModeSet {
    const WORDS: &'static [(&'static str, ModeSet)] = &[
        ("interface", ModeSet::Interface),
        ("free", ModeSet::Free),
        ("clamped", ModeSet::Clamped),
        ("pinned", ModeSet::Pinned),
    ];
}

impl ModeSet {
    /// Motions of the whole among the shapes of bending, and among those of tension and torsion.
    fn rigid(self) -> [usize; 2] {
        match self {
            ModeSet::Free | ModeSet::Interface => [2, 1],
            ModeSet::Clamped | ModeSet::Pinned => [0, 0],
        }
    }
}

/// A straight beam along x from the origin, and what it may do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StraightBeam {
    /// Length, m.
    pub length: f64,
    /// Cross-section.
    pub section: Section,
    /// Material; with its damping time the damping is in proportion to the stiffness.
    pub material: Material,
    /// Whether sections may shear and resist to be turned.
    pub timoshenko: bool,
    /// Kind of modes.
    pub set: ModeSet,
    /// Number of modes of bending along y and z, of tension and of torsion.
    pub modes: [usize; 4],
    /// Whether axial forces stiffen it.
    pub stiffening: bool,
}

impl StraightBeam {
    /// Most modes of a kind; their polynomials have twice the degree and more.
    pub const MOST_MODES: usize = 20;

    fn degree(&self) -> usize {
        let most = self.modes.into_iter().max().unwrap_or(0);
        2 * most.min(Self::MOST_MODES) + 8
    }

    /// `weight legendre` as a displacement; with its turn for Euler and Bernoulli.
    fn moved(&self, ends: [usize; 2], degree: usize) -> Shape {
        let (length, euler) = (self.length, !self.timoshenko);
        Box::new(move |s| {
            let f = times(weight(ends, s), legendre(degree, s));
            let (first, second) = (f[1] / length, f[2] / (length * length));
            match euler {
                true => [f[0], first, second, first, second, f[3] / length.powi(3)],
                false => [f[0], first, second, 0.0, 0.0, 0.0],
            }
        })
    }

    /// The same as a turn.
    fn turned(&self, ends: [usize; 2], degree: usize) -> Shape {
        let length = self.length;
        Box::new(move |s| {
            let f = times(weight(ends, s), legendre(degree, s));
            let [turn, bent] = [f[0] / length, f[1] / (length * length)];
            [0.0, 0.0, 0.0, turn, bent, f[2] / length.powi(3)]
        })
    }

    fn bending(&self, plane: usize, rule: &[[f64; 2]]) -> Option<Family> {
        let [_, shear_y, shear_z, _, bend_y, bend_z] = self.material.stiffness(&self.section);
        let (shear, bend) = [(shear_y, bend_z), (shear_z, bend_y)][plane];
        let rho = self.material.density;
        let second = self.section.second_moments[1 - plane];
        let rotary = if self.timoshenko { rho * second } else { 0.0 };
        let line = rho * self.section.area;
        let length = self.length;
        let forms = Forms {
            stiffness: &|a, b| {
                length * (bend * a[4] * b[4] + shear * (a[1] - a[3]) * (b[1] - b[3]))
            },
            mass: &|a, b| length * (line * a[0] * b[0] + rotary * a[3] * b[3]),
            rule,
        };
        let (count, p) = (self.modes[plane], self.degree());
        let between = |v: [usize; 2], h: [usize; 2], more: usize| -> Vec<Shape> {
            let mut all: Vec<Shape> = (0..=p).map(|k| self.moved(v, k)).collect();
            if self.timoshenko {
                all.extend((0..p + more).map(|k| self.turned(h, k)));
            }
            all
        };
        let euler = !self.timoshenko;
        let trial = match self.set {
            ModeSet::Free => between([0, 0], [0, 0], 0),
            ModeSet::Clamped => between([if euler { 2 } else { 1 }, 0], [1, 0], 0),
            ModeSet::Pinned => between([1, 1], [0, 0], 2),
            ModeSet::Interface => {
                let ends = if euler { 2 } else { 1 };
                let fixed = between([ends, ends], [1, 1], 0);
                let inner = Family::lowest(fixed, &forms, 0, count.saturating_sub(2))?;
                inner.after(self.deflections(if euler { 0.0 } else { bend / shear }))
            }
        };
        Family::lowest(trial, &forms, self.set.rigid()[0], count)
    }

    /// Motions of the whole and deflections by forces and moments at the ends; `EI/GA` where sections shear.
    fn deflections(&self, sheared: f64) -> Vec<Shape> {
        let l = self.length;
        let slip = 6.0 * sheared / (l * l);
        vec![
            Box::new(|_| [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
            Box::new(move |s| [s - 0.5, 1.0 / l, 0.0, 1.0 / l, 0.0, 0.0]),
            Box::new(move |s| {
                let second = 2.0 / (l * l);
                [s * s, 2.0 * s / l, second, 2.0 * s / l, second, 0.0]
            }),
            Box::new(move |s| {
                let (turn, bent) = (3.0 * s * s / l, 6.0 * s / (l * l));
                let sheared = 6.0 / l.powi(3);
                [
                    s * s * s - slip * s,
                    turn - slip / l,
                    bent,
                    turn,
                    bent,
                    sheared,
                ]
            }),
        ]
    }

    /// Tension or torsion with a stiffness and an inertia by length.
    fn along(&self, index: usize, stiff: f64, line: f64, rule: &[[f64; 2]]) -> Option<Family> {
        let length = self.length;
        let forms = Forms {
            stiffness: &|a, b| length * stiff * a[1] * b[1],
            mass: &|a, b| length * line * a[0] * b[0],
            rule,
        };
        let (count, p) = (self.modes[index], self.degree());
        let between =
            |ends: [usize; 2]| -> Vec<Shape> { (0..=p).map(|k| self.moved(ends, k)).collect() };
        let trial = match self.set {
            ModeSet::Free => between([0, 0]),
            ModeSet::Clamped | ModeSet::Pinned => between([1, 0]),
            ModeSet::Interface => {
                let inner = Family::lowest(between([1, 1]), &forms, 0, count.saturating_sub(1))?;
                inner.after(vec![
                    Box::new(|_| [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
                    Box::new(move |s| [s - 0.5, 1.0 / length, 0.0, 0.0, 0.0, 0.0]),
                ])
            }
        };
        Family::lowest(trial, &forms, self.set.rigid()[1], count)
    }

    /// The flexible body, with frames at parts of the length, 0 to 1; says why where there is none.
    pub fn modal(&self, frames: &[(String, f64)]) -> Result<Modal, String> {
        if !(self.length > 0.0 && self.length.is_finite()) {
            return Err(format!(
                "its length must be greater than zero, it is {}",
                self.length
            ));
        }
        if let Some(why) = self.section.problem() {
            return Err(why);
        }
        let most = self.modes.into_iter().max().unwrap_or(0);
        if most > Self::MOST_MODES {
            let limit = Self::MOST_MODES;
            return Err(format!(
                "it can have up to {limit} modes of a kind, not {most}"
            ));
        }
        let rule = gauss(self.degree() + 6);
        let rho = self.material.density;
        let [second_y, second_z] = self.section.second_moments;
        let polar = second_y + second_z;
        let [stretch, _, _, twist, ..] = self.material.stiffness(&self.section);
        let families = [
            self.bending(0, &rule),
            self.bending(1, &rule),
            self.along(2, stretch, rho * self.section.area, &rule),
            self.along(3, twist, rho * polar, &rule),
        ];
        let mut found = Vec::with_capacity(4);
        for family in families {
            found.push(family.ok_or("its modes cannot be told apart")?);
        }
        let kinds = ["bending along y", "bending along z", "tension", "torsion"];
        let list: Vec<(usize, usize)> = (0..4)
            .flat_map(|f| (0..found[f].modes.len()).map(move |k| (f, k)))
            .collect();
        let n = list.len();
        if n == 0 {
            return Err("a flexible body has at least one mode".into());
        }
        let mut stiffness = vec![0.0; n * n];
        for (i, (f, k)) in list.iter().enumerate() {
            stiffness[i * n + i] = found[*f].modes[*k].0.max(0.0);
        }
        let bends = |i: usize| list[i].0 < 2;
        let point = |s: f64, w: f64| {
            let shapes = list.iter().map(|(f, k)| (*f, found[*f].sample(*k, s)));
            let (displacement, rotation) = shapes
                .map(|(f, at)| -> (Vector, Vector) {
                    match f {
                        0 => ([0.0, at[0], 0.0], [0.0, 0.0, at[3]]),
                        1 => ([0.0, 0.0, at[0]], [0.0, -at[3], 0.0]),
                        2 => ([at[0], 0.0, 0.0], [0.0; 3]),
                        _ => ([0.0; 3], [at[0], 0.0, 0.0]),
                    }
                })
                .unzip();
            let part = rho * w * self.length;
            let rotary = if self.timoshenko { part } else { 0.0 };
            let mut shortening = Vec::new();
            if self.stiffening {
                shortening = vec![0.0; n * n];
                for [t, u] in &rule {
                    let slopes: Vec<f64> = (list.iter())
                        .map(|(f, k)| found[*f].sample(*k, s * t)[1])
                        .collect();
                    for i in 0..n {
                        for j in (0..n).filter(|j| bends(i) && list[*j].0 == list[i].0) {
                            shortening[i * n + j] += s * self.length * u * slopes[i] * slopes[j];
                        }
                    }
                }
            }
            ModalPoint {
                place: [s * self.length, 0.0, 0.0],
                mass: part * self.section.area,
                inertia: [part * polar, rotary * second_y, rotary * second_z],
                displacement,
                rotation,
                shortening,
            }
        };
        let mut points: Vec<ModalPoint> = rule.iter().map(|[s, w]| point(*s, *w)).collect();
        let first = points.len();
        points.extend(frames.iter().map(|(_, s)| point(*s, 0.0)));
        let recovered = self.section_forces(frames, &list, &found);
        let frames = frames.iter().enumerate();
        Ok(Modal {
            recovered,
            points,
            stiffness,
            damping_ratio: vec![0.0; n],
            names: list
                .iter()
                .map(|(f, k)| format!("{} {}", kinds[*f], k + 1))
                .collect(),
            frames: frames
                .map(|(i, (name, _))| (name.clone(), first + i))
                .collect(),
            start: vec![[0.0; 2]; n],
            rayleigh: [0.0, self.material.damping_time],
            ..Modal::default()
        })
    }
}

impl StraightBeam {
    /// Axial force, shear forces, torque and bending moments at the frames, along and about the axes of an undeformed section, and the
    /// stresses of four outer fibres: at the corners of a section that has some, from (+y, +z) on about x, or at +y, +z, -y and -z.
    fn section_forces(
        &self,
        frames: &[(String, f64)],
        list: &[(usize, usize)],
        found: &[Family],
    ) -> Vec<Recovered> {
        let [stretch, shear_y, shear_z, twist, bend_y, bend_z] =
            self.material.stiffness(&self.section);
        // shear by its strain, or where there is none by the moment that it balances
        let sheared = |shear: f64, bend: f64| match self.timoshenko {
            true => [0.0, shear, 0.0, -shear, 0.0, 0.0],
            false => [0.0, 0.0, 0.0, 0.0, 0.0, -bend],
        };
        let by_strain = |stiff: f64| [0.0, stiff, 0.0, 0.0, 0.0, 0.0];
        let by_bending = |stiff: f64| [0.0, 0.0, 0.0, 0.0, stiff, 0.0];
        // factors of a shape and its derivatives; a turn along z is one about -y
        let quantities = [
            ("force.axial", "N", 2, by_strain(stretch)),
            ("shear.normal", "N", 0, sheared(shear_y, bend_z)),
            ("shear.third", "N", 1, sheared(shear_z, bend_y)),
            ("torque", "N m", 3, by_strain(twist)),
            ("bending.normal", "N m", 1, by_bending(-bend_y)),
            ("bending.third", "N m", 0, by_bending(bend_z)),
        ];
        let mut all = Vec::new();
        for (frame, s) in frames {
            for (what, unit, family, stiff) in quantities {
                if found[family].modes.is_empty() {
                    continue;
                }
                let factor = |(f, k): &(usize, usize)| match *f == family {
                    true => (found[*f].sample(*k, *s).iter().zip(stiff))
                        .map(|(x, c)| c * x)
                        .sum(),
                    false => 0.0,
                };
                all.push(Recovered {
                    name: format!("{frame}.{what}"),
                    unit: unit.into(),
                    factors: list.iter().map(factor).collect(),
                });
            }
            let Some(resistance) = self.section.resistance else {
                continue;
            };
            let (area, moduli, fibres) = match resistance {
                Resistance::Corners([area, y, z]) => (area, [y, z], CORNERS),
                Resistance::Round([area, modulus]) => (area, [modulus; 2], QUARTERS),
            };
            // tension, less the bending about z where y is positive, and that about y where z is
            for (k, [y, z]) in fibres.into_iter().enumerate() {
                let factor = |(f, mode): &(usize, usize)| {
                    let shape = found[*f].sample(*mode, *s);
                    match f {
                        0 => -y * bend_z * shape[4] / moduli[1],
                        1 => -z * bend_y * shape[4] / moduli[0],
                        2 => stretch * shape[1] / area,
                        _ => 0.0,
                    }
                };
                all.push(Recovered {
                    name: format!("{frame}.stress.{}", k + 1),
                    unit: "Pa".into(),
                    factors: list.iter().map(factor).collect(),
                });
            }
        }
        all
    }
}

/// Where outer fibres are, in parts of the extents of a section.
const CORNERS: [[f64; 2]; 4] = [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]];
const QUARTERS: [[f64; 2]; 4] = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]];

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    fn frequencies(set: ModeSet, timoshenko: bool, slender: f64, modes: [usize; 4]) -> Vec<f64> {
        let height = 1.0 / slender;
        let beam = StraightBeam {
            length: 1.0,
            section: Section::rectangle(height, height),
            material: Material::new(1.0, 0.3, 1.0),
            timoshenko,
            set,
            modes,
            stiffening: true,
        };
        let modal = beam.modal(&[("end".into(), 1.0)]).unwrap();
        assert_eq!(modal.problem(), None);
        let n = modal.modes();
        (0..n).map(|k| modal.stiffness[k * n + k].sqrt()).collect()
    }

    #[test]
    fn frequencies_are_those_of_closed_forms() {
        let free = [
            4.730_040_745,
            7.853_204_624,
            10.995_607_84,
            14.137_165_49,
            17.278_759_66,
        ];
        let clamped = [
            1.875_104_069,
            4.694_091_133,
            7.854_757_438,
            10.995_540_73,
            14.137_168_39,
        ];
        let pinned = [1.0, 2.0, 3.0, 4.0, 5.0].map(|k| k * PI);
        let sets = [
            (ModeSet::Free, free, 1e-8),
            (ModeSet::Clamped, clamped, 1e-8),
            (ModeSet::Pinned, pinned, 1e-8),
        ];
        for (set, roots, bound) in sets {
            for (timoshenko, slender, bound) in [(false, 1e2, bound), (true, 1e4, 1e-4)] {
                let found = frequencies(set, timoshenko, slender, [5, 5, 5, 5]);
                let unit = 1.0 / (slender * 12f64.sqrt());
                for k in 0..5 {
                    let wanted = roots[k] * roots[k] * unit;
                    for w in [found[k], found[5 + k]] {
                        assert!(
                            (w / wanted - 1.0).abs() < bound,
                            "{set:?} {timoshenko} {k}: {w} {wanted}"
                        );
                    }
                    let number = match set {
                        ModeSet::Free => (k + 1) as f64,
                        _ => k as f64 + 0.5,
                    };
                    assert!(
                        (found[10 + k] / (number * PI) - 1.0).abs() < 1e-8,
                        "tension {k}"
                    );
                    let square = Section::rectangle(1.0, 1.0);
                    let speed = (square.torsion_constant * 6.0 / 2.6).sqrt();
                    assert!(
                        (found[15 + k] / (number * PI * speed) - 1.0).abs() < 1e-8,
                        "torsion {k}"
                    );
                }
            }
        }
    }

    /// With as many modes more as there are interfaces the lowest are those of the free beam.
    #[test]
    fn modes_of_interfaces_come_close_to_free_ones() {
        let free = frequencies(ModeSet::Free, true, 20.0, [3, 0, 2, 1]);
        let interface = frequencies(ModeSet::Interface, true, 20.0, [8, 0, 6, 5]);
        let pairs = [(0, 0), (1, 1), (2, 2), (3, 8), (4, 9), (5, 14)];
        for (a, b) in pairs {
            let off = interface[b] / free[a] - 1.0;
            assert!((-1e-9..3e-3).contains(&off), "{a}: {off:e}");
        }
    }
}
