//! A piece of a beam that bends as far as it likes: geometrically exact, between two frames.
//!
//! The frames `H = (x, R)` have their first axis along the beam. One screw motion leads from the one to the
//! other, and along it strains are constant (Sonneville, Cardona & Brüls 2014):
//!
//! ```text
//!  phi = log(Ra' Rb)      u = T^-1(-phi) Ra'(xb - xa)      d = (u, phi)      L = |u0|
//!  strain e = (d - d0)/L = (axial, shear y, z; torsion, bending y, z)
//!  n = C e + time C e'    C = diag(EA, GAy*, GAz*, GJ, EIy, EIz)             energy L/2 e' C e
//!  1/GAy* = 1/GAy + L^2/(12 EIz)      1/GAz* = 1/GAz + L^2/(12 EIy)
//!
//!  dd = T6^-1(d) hb - T6^-1(-d) ha    h = (R'dx, theta)    =>    fb = -T6^-1(d)' n    fa = T6^-1(-d)' n
//!  T6^-1 = [ T, X; 0, T ]     T = 1 + phi^/2 + g1 phi^2     X = u^/2 + g1 (u^ phi^ + phi^ u^) + (phi.u) g2 phi^2
//! ```
//!
//! The flexibility added to shear is what constant strains leave out of the bending under a load at the end
//! (MacNeal 1978): one element gives the exact linear deflection, and errors fall with the fourth power of the
//! length. Strains do not change when the whole moves, and nothing locks, because no shape functions have to agree. Forces are constant
//! along an element and best at its middle. Bad at: rotations of more than a radian within an element, which cost
//! accuracy, and of half a turn, where a rotation has no single vector.

mod screw;

use super::by_scalar::{evaluate, probe};
use super::{Bodies, Force, ForcePattern, ForcePoint, ForceTerms, Law, push};
use super::{ForceEnergy, ForceWant, OutOfDomain};
use crate::error::ModelError;
use crate::field::{Form, Value};
use crate::geometry::{
    Axis, Frame, Given, Site, Vector, apply, apply_transposed, cross, lifted, norm, sub,
};
use crate::joint::fixture::{UP, Way};
use crate::joint::{COLUMNS, Fixture};
use crate::part::{Item, Keys, Kind, Part, Slot};
use crate::text::Fields;
use crate::units::Unit;
use linkwork_dae::scalar::Scalar;
use screw::Screw;
pub(crate) use screw::screw_motion;

/// Largest rotation between the ends, rad.
const FARTHEST: f64 = 0.97 * std::f64::consts::PI;

/// A geometrically exact piece of a beam between two frames.
#[derive(Clone, Debug, PartialEq)]
pub struct BeamElement {
    /// Ends; axes are along the beam, normals along the first direction across it.
    pub fixture: Fixture,
    /// EA, GAy, GAz in N; GJ, EIy, EIz in N m^2.
    pub stiffness: [f64; 6],
    /// Kelvin-Voigt damping: stress by the rate of strain, as a time in which it is that by the strain, s.
    pub damping_time: f64,
    /// Displacement (m) and rotation (rad) of the second end in the frame of the first without strain, as one
    /// screw motion `d0`; `None`: as in the start pose.
    pub undeformed: Option<[f64; 6]>,
    /// Area and moduli of resistance, by which outer fibres are stressed.
    pub resistance: Option<Resistance>,
    /// Name of the beam that it is a piece of.
    pub of: Option<String>,
}

/// What turns forces and moments of a section into the stress of its outer fibres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Resistance {
    /// With corners: area (m^2), moduli about y and z (m^3).
    Corners([f64; 3]),
    /// Round: area (m^2), modulus (m^3).
    Round([f64; 2]),
}

impl Resistance {
    /// Largest normal stress of an axial force and two bending moments, without sign.
    pub fn stress(&self, axial: f64, [y, z]: [f64; 2]) -> f64 {
        match self {
            Resistance::Corners([area, of_y, of_z]) => {
                axial.abs() / area + y.abs() / of_y + z.abs() / of_z
            }
            Resistance::Round([area, modulus]) => axial.abs() / area + y.hypot(z) / modulus,
        }
    }

    fn numbers(&self) -> &[f64] {
        match self {
            Resistance::Corners(x) => x,
            Resistance::Round(x) => x,
        }
    }
}

impl Kind for BeamElement {
    const NAME: &'static str = "beam";
    const SUMMARY: &'static str = "A piece of a beam that may bend far, between frames on two bodies, which carry its mass; \
              `[[beam]]` makes whole chains.";
}

impl Default for BeamElement {
    fn default() -> BeamElement {
        BeamElement {
            fixture: Fixture::default(),
            stiffness: [0.0; 6],
            damping_time: 0.0,
            undeformed: None,
            resistance: None,
            of: None,
        }
    }
}

impl Part for BeamElement {
    fn keys(&mut self, k: &mut Keys<'_>) {
        self.fixture.points(k);
        self.fixture.axes(k, Way::Along);
        self.fixture.normals(k);
        if let Some(draw) = k.draw() {
            // not far from the axis on body a
            self.fixture.axis_b = Some([1.0, draw(), draw()].into());
        }
        let doc = "EA, GAy, GAz in N, then GJ, EIy, EIz in N m^2: axial, shear along y and z, torsion, bending about \
                   y and z. x is the axis and y the normal.";
        let like = ([4.0, 2.0, 3.0, 1.0, 2.0, 1.5], 1.0);
        six(
            k.key("stiffness", Unit::None, doc),
            like,
            &mut self.stiffness,
        );
        let doc = "Kelvin-Voigt damping: a stress of this time multiplied by the rate of the elastic one.";
        k.key("damping_time", Unit::Time, doc)
            .or(0.0)
            .like(0.2, 0.1)
            .not_negative(&mut self.damping_time);
        let doc = "Without strain: displacement (m) and rotation vector (rad) of the screw motion from the frame on body_a to \
                   that on body_b, along axis, normal and third direction. A straight piece: [length, 0, 0, 0, 0, 0].";
        let undeformed = k
            .key("undeformed", Unit::None, doc)
            .or("as in the start pose");
        let like = ([1.5, 0.1, 0.2, 0.3, 0.4, -0.2], 0.2);
        six(undeformed, like, &mut self.undeformed);
        let doc = "[A, Wy, Wz] of a section with corners or [A, W] of a round one: area in m^2 and section moduli in m^3, for \
                   the stress of outer fibres.";
        k.key("resistance", Unit::None, doc)
            .or("no stresses")
            .special(
                Form::List,
                &mut self.resistance,
                |f, _| read_resistance(f),
                |x: &Resistance| Value::numbers(x.numbers()),
                |draw| Resistance::Corners([0.2, 0.01, 0.02 + 0.01 * draw()]),
            );
        let doc = "Name of the beam that it is a piece of: the strain energy of all pieces is told as `of.strain_energy`.";
        k.key("of", Unit::None, doc)
            .or("its own is told alone")
            .text(&mut self.of);
        k.placed(|| self.sound());
    }
}

/// Six numbers; examples are some way around others.
fn six(item: Item<'_, '_>, (middle, spread): ([f64; 6], f64), slot: &mut impl Slot<[f64; 6]>) {
    item.special(
        Form::List,
        slot,
        read_six,
        |x| Value::numbers(x),
        |draw| middle.map(|x| x + spread * draw()),
    );
}

fn read_six(f: &Fields<'_>, key: &'static str) -> Result<[f64; 6], ModelError> {
    let list = f.quantities(key, Unit::None)?;
    let wrong = || f.error(key, format!("`{key}` has 6 numbers, not {}", list.len()));
    list.as_slice().try_into().map_err(|_| wrong())
}

fn read_resistance(f: &Fields<'_>) -> Result<Resistance, ModelError> {
    match f.quantities("resistance", Unit::None)?[..] {
        [area, y, z] => Ok(Resistance::Corners([area, y, z])),
        [area, modulus] => Ok(Resistance::Round([area, modulus])),
        _ => Err(f.error("resistance", "`resistance` is [A, Wy, Wz] or [A, W]")),
    }
}

impl BeamElement {
    /// Refuses what resists nothing and what is turned too far.
    fn sound(&self) -> Result<(), String> {
        let names = ["EA", "GAy", "GAz", "GJ", "EIy", "EIz"];
        for (name, x) in names.into_iter().zip(self.stiffness) {
            if !(x > 0.0 && x.is_finite()) {
                return Err(format!(
                    "its stiffness {name} must be greater than zero, it is {x}; a line without resistance to bending is no beam"
                ));
            }
        }
        let length = self.length();
        if !(length > 0.0 && length.is_finite()) {
            return Err(format!(
                "its length without strain must be greater than zero, it is {length}"
            ));
        }
        let [.., x, y, z] = self.rest();
        let turned = norm([x, y, z]);
        if !(turned < FARTHEST) {
            return Err(format!(
                "its ends are turned against each other by {turned} rad; more elements turn less each"
            ));
        }
        let resistance = self
            .resistance
            .as_ref()
            .map_or(&[][..], Resistance::numbers);
        if !resistance.iter().all(|x| *x > 0.0 && x.is_finite()) {
            return Err("area and moduli of resistance must be greater than zero".into());
        }
        Ok(())
    }

    fn rest(&self) -> [f64; 6] {
        self.undeformed.unwrap_or([1.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    }

    /// Length without strain.
    pub fn length(&self) -> f64 {
        let [x, y, z, ..] = self.rest();
        norm([x, y, z])
    }

    /// `C`.
    fn resisting(&self) -> [f64; 6] {
        let [axial, shear_y, shear_z, torsion, bend_y, bend_z] = self.stiffness;
        let length = self.length();
        let softened =
            |shear: f64, bend: f64| 1.0 / (1.0 / shear + length * length / (12.0 * bend));
        let shear = [softened(shear_y, bend_z), softened(shear_z, bend_y)];
        [axial, shear[0], shear[1], torsion, bend_y, bend_z]
    }

    /// Axis, normal and third direction of an end, in the axes of its body.
    fn triad(&self, side: usize) -> [Vector; 3] {
        let [normal, third, axis] = self.fixture.triad(side);
        [axis, normal, third]
    }

    fn screw<S: Scalar>(&self, a: &Frame<S>, b: &Frame<S>) -> Screw<S> {
        let axes =
            |frame: &Frame<S>, side: usize| self.triad(side).map(|u| frame.pose.direction(u));
        let from = a.pose.point(self.fixture.a.point);
        let to = b.pose.point(self.fixture.b.point);
        Screw::new([axes(a, 0), axes(b, 1)], sub(to, from))
    }

    /// Velocities of both ends in their own axes.
    fn velocities<S: Scalar>(
        &self,
        screw: &Screw<S>,
        a: &Frame<S>,
        b: &Frame<S>,
    ) -> [[Vector<S>; 2]; 2] {
        let points = [self.fixture.a.point, self.fixture.b.point];
        let end = |side: usize, frame: &Frame<S>| {
            let speed = apply(&screw.axes[side], frame.velocity_at(points[side]));
            let omega = apply(&self.triad(side).map(lifted), frame.omega);
            [speed, omega]
        };
        [end(0, a), end(1, b)]
    }

    /// Strains multiplied by the length, and their rates.
    fn stretch<S: Scalar>(&self, screw: &Screw<S>, a: &Frame<S>, b: &Frame<S>) -> [[S; 6]; 2] {
        let rest = self.rest();
        let strain = [screw.u, screw.phi];
        let strain = strain.as_flattened();
        let strain = std::array::from_fn(|i| strain[i] - rest[i]);
        let mut rate = [S::from(0.0); 6];
        if self.damping_time != 0.0 {
            let ends = self.velocities(screw, a, b);
            rate.copy_from_slice(screw.rate(&ends).as_flattened());
        }
        [strain, rate]
    }

    /// `n`.
    fn stress<S: Scalar>(&self, [strain, rate]: &[[S; 6]; 2]) -> [S; 6] {
        let (c, length) = (self.resisting(), self.length());
        std::array::from_fn(|i| (strain[i] + rate[i] * self.damping_time) * (c[i] / length))
    }

    /// Force and moment of the section at the middle, in its axes: axial, shear y and z, torsion, bending y and z.
    fn section(&self, at: &ForcePoint<'_>) -> [f64; 6] {
        let screw = self.screw(at.a, at.b);
        self.stress(&self.stretch(&screw, at.a, at.b))
    }
}

impl Law for BeamElement {
    fn wrench<S: Scalar>(&self, at: Bodies<'_, S>) -> Result<[S; COLUMNS], OutOfDomain> {
        let Bodies { a, b, .. } = at;
        let screw = self.screw(a, b);
        if !(screw.cosine > FARTHEST.cos()) {
            return Err(OutOfDomain::because(
                "its ends are turned against each other by nearly half a turn",
            ));
        }
        let n = self.stress(&self.stretch(&screw, a, b));
        let loads = screw.loads([n[0], n[1], n[2]], [n[3], n[4], n[5]]);
        let mut on = [S::from(0.0); COLUMNS];
        let ends = [(a, self.fixture.a.point), (b, self.fixture.b.point)];
        for (side, (frame, point)) in ends.into_iter().enumerate() {
            let [force, moment] = loads[side];
            let force = apply_transposed(&screw.axes[side], force);
            push(&mut on, side, frame, lifted(point), force);
            let moment = apply_transposed(&self.triad(side).map(lifted), moment);
            for i in 0..3 {
                on[6 * side + 3 + i] += moment[i];
            }
        }
        Ok(on)
    }
}

const FORCES: [(&str, &str); 10] = [
    ("x", "m"),
    ("y", "m"),
    ("z", "m"),
    ("force.axial", "N"),
    ("shear.normal", "N"),
    ("shear.third", "N"),
    ("torque", "N m"),
    ("bending.normal", "N m"),
    ("bending.third", "N m"),
    ("strain_energy", "J"),
];

impl Force for BeamElement {
    fn markers(&self) -> [Option<Vector>; 2] {
        [Some(self.fixture.a.point), Some(self.fixture.b.point)]
    }
    fn place(&mut self, a: &Site, b: &Site) {
        if a.flat && b.flat && self.fixture.normals_given() == [false; 2] {
            // bending in the plane is bending about the third direction
            self.fixture.axis_a.place(a);
            let across = cross(UP, self.fixture.axis_a.direction);
            self.fixture.normal_a = Some(Axis {
                direction: across,
                given: Given::Placed,
            });
        }
        self.fixture.place(a, b);
        if self.undeformed.is_none() {
            let still = |site: &Site| Frame {
                pose: site.pose,
                ..Frame::GROUND
            };
            let screw = self.screw(&still(a), &still(b));
            let [[x, y, z], [p, q, r]] = [screw.u, screw.phi];
            self.undeformed = Some([x, y, z, p, q, r]);
        }
    }
    fn extent(&self) -> f64 {
        self.length()
    }
    fn pattern(&self, flat: bool) -> ForcePattern {
        probe(self, flat)
    }
    fn eval(
        &self,
        at: &ForcePoint<'_>,
        want: ForceWant,
        out: &mut ForceTerms,
    ) -> Result<(), OutOfDomain> {
        let viscous = self.damping_time != 0.0;
        let want = match viscous {
            true => want,
            false => want & (ForceWant::Q | ForceWant::STIFFNESS),
        };
        evaluate(self, at, want, out)
    }
    fn energy(&self, at: &ForcePoint<'_>) -> ForceEnergy {
        let screw = self.screw(at.a, at.b);
        let [strain, rate] = self.stretch(&screw, at.a, at.b);
        let form = |x: &[f64; 6]| -> f64 {
            let all = self.resisting().into_iter().zip(x);
            all.map(|(c, x)| c * x * x).sum::<f64>() / self.length()
        };
        ForceEnergy {
            potential: 0.5 * form(&strain),
            power: -self.damping_time * form(&rate),
        }
    }
    fn strains(&self) -> Option<&str> {
        Some(self.of.as_deref().unwrap_or_default())
    }
    fn channels(&self) -> &'static [(&'static str, &'static str)] {
        const STRESSES: [(&str, &str); 11] = {
            let mut all = [("stress", "Pa"); 11];
            let mut i = 0;
            while i < FORCES.len() {
                all[i] = FORCES[i];
                i += 1;
            }
            all
        };
        match self.resistance {
            Some(_) => &STRESSES,
            None => &FORCES,
        }
    }
    fn observe(&self, at: &ForcePoint<'_>, out: &mut [f64]) {
        let n = self.section(at);
        out[..3].copy_from_slice(&at.b.pose.point(self.fixture.b.point));
        out[3..9].copy_from_slice(&n);
        out[9] = self.energy(at).potential;
        if let (Some(resistance), Some(stress)) = (&self.resistance, out.get_mut(10)) {
            *stress = resistance.stress(n[0], [n[4], n[5]]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::MAX_INPUTS;
    use super::*;
    use crate::geometry::{Pose, add};
    use linkwork_dae::rotation::{exp, matrix};

    /// A motion of the whole turns forces along with the beam and changes neither their sizes nor the energy.
    #[test]
    fn strains_do_not_see_motions_of_the_whole() {
        let (section, material) = (
            crate::Section::rectangle(0.2, 0.1),
            crate::Material::new(1.0, 0.3, 1.0),
        );
        let straight = [[0.0; 3], [1.0, 0.0, 0.0]];
        let beam = crate::Beam::through("b", straight, 1, section, material);
        let element = BeamElement {
            stiffness: [3e3, 2e3, 1e3, 40.0, 70.0, 90.0],
            damping_time: 0.02,
            undeformed: Some([0.5, 0.0, 0.0, 0.1, -0.2, 0.3]),
            ..beam.pieces(0).remove(0).3
        };
        let frame = |place: Vector, turn: Vector, velocity: Vector, omega: Vector| Frame {
            pose: Pose::new(place, matrix(exp(turn))),
            velocity,
            omega,
        };
        let ends = [
            frame(
                [0.1, 0.2, -0.3],
                [0.3, -0.4, 0.5],
                [1.0, 2.0, 0.5],
                [0.3, 0.1, -0.2],
            ),
            frame(
                [0.5, 0.5, -0.1],
                [0.6, -0.2, 0.9],
                [0.5, 1.0, -0.7],
                [-0.4, 0.2, 0.6],
            ),
        ];
        let inputs = [0.0; MAX_INPUTS];
        let on = |[a, b]: &[Frame; 2]| {
            element
                .wrench(Bodies {
                    inputs: &inputs,
                    a,
                    b,
                    turns: &[],
                    sides: &[],
                })
                .unwrap()
        };
        let still = on(&ends);
        let largest = still.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        for turn in [[0.0, 0.0, 2.0], [1.0, -2.0, 0.5], [3.0, 0.2, 0.1]] {
            let r = matrix(exp(turn));
            let (shift, spin) = ([3.0, -7.0, 2.0], [2.0, -1.0, 3.0]);
            let moved = ends.map(|f| {
                let place = apply(&r, f.pose.position);
                let turned = crate::geometry::product(&r, &f.pose.rotation);
                Frame {
                    pose: Pose::new(add(place, shift), turned),
                    // the whole moves and spins as well
                    velocity: add(
                        apply(&r, f.velocity),
                        add([0.4, 0.5, 0.6], cross(spin, place)),
                    ),
                    omega: add(f.omega, apply_transposed(&turned, spin)),
                }
            });
            let turned = on(&moved);
            for side in 0..2 {
                let force = |x: &[f64; COLUMNS]| [0, 1, 2].map(|i| x[6 * side + i]);
                // moments are in the axes of the ends
                let moment = |x: &[f64; COLUMNS]| [3, 4, 5].map(|i| x[6 * side + i]);
                let off = sub(force(&turned), apply(&r, force(&still)));
                let apart = sub(moment(&turned), moment(&still));
                assert!(norm(off) < 1e-13 * largest, "{turn:?}: {off:?}");
                assert!(norm(apart) < 1e-13 * largest, "{turn:?}: {apart:?}");
            }
        }
    }
}
