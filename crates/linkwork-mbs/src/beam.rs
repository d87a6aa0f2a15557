//! Beams that bend far: chains of bodies at nodes and elements between them.
//!
//! A beam follows points. At each of them it has the direction of the circle through the point and its
//! neighbours, and between them one screw motion, so circular arcs are exact. Nodes are bodies whose x axis is
//! along the beam; each gets from the element of length `L` on either side
//!
//! ```text
//!  mass rho A L/2      rotary inertia rho L/2 diag(Iy + Iz, Iy, Iz)      static moment rho A L^2/12 towards it
//! ```
//!
//! The static moment is the end correction of the trapezoidal rule: it cancels between equal elements, and at a free
//! end the centre of mass is `L/6` inside. Without it frequencies converge with the first order of `L`.

use crate::body::Body;
use crate::force::{BeamElement, screw_motion};
use crate::geometry::{
    Axis, Components, Marker, Pose, Vector, add, apply, cross, dot, norm, perpendiculars, scaled,
    sub, unit,
};
use crate::handle::BodyRef;
use crate::joint::Fixture;
use crate::material::Material;
use crate::model::{Axes, Model};
use crate::section::Section;
use linkwork_dae::rotation::{Quaternion, compose, exp, matrix, normalise, tangent};

/// A beam that may bend far.
#[derive(Clone, Debug, PartialEq)]
pub struct Beam {
    /// Name; nodes are `name_start`, `name_1`, ..., `name_end` and elements `name_e1` and so on.
    pub name: String,
    /// At least two points that its centre line goes through, m.
    pub points: Vec<Vector>,
    /// Number of elements between neighbouring points.
    pub elements: usize,
    /// Direction of the y axis of the section at the first point; `None`: any, in the plane of planar models.
    pub normal: Option<Vector>,
    /// Cross-section.
    pub section: Section,
    /// Material.
    pub material: Material,
    /// Moments of inertia by length about x, y and z, kg m; `None`: those of the section.
    pub rotary_inertia: Option<Vector>,
    /// Start velocity of the first point, m/s.
    pub velocity: Vector,
    /// Start angular velocity of the whole, in global components, rad/s.
    pub angular_velocity: Vector,
}

/// A place along a beam.
#[derive(Clone, Copy, Debug)]
struct BeamNode {
    place: Vector,
    turn: Quaternion,
    /// Lengths of the elements before and behind; zero at ends.
    lengths: [f64; 2],
}

impl Beam {
    /// A beam through points.
    pub fn through<P: Components>(
        name: impl Into<String>,
        points: impl IntoIterator<Item = P>,
        elements: usize,
        section: Section,
        material: Material,
    ) -> Beam {
        Beam {
            name: name.into(),
            points: points.into_iter().map(|p| p.vector()).collect(),
            elements,
            normal: None,
            section,
            material,
            rotary_inertia: None,
            velocity: [0.0; 3],
            angular_velocity: [0.0; 3],
        }
    }

    /// Names of the nodes.
    pub fn node_names(&self) -> Vec<String> {
        let count = self.count();
        let name = |i: usize| match i {
            0 => format!("{}_start", self.name),
            i if i == count => format!("{}_end", self.name),
            i => format!("{}_{i}", self.name),
        };
        (0..=count).map(name).collect()
    }

    fn count(&self) -> usize {
        self.elements * self.points.len().saturating_sub(1)
    }

    /// Why there can be no such beam.
    pub fn problem(&self) -> Option<String> {
        if self.points.len() < 2 || self.elements == 0 {
            return Some("it needs two points and an element between them".into());
        }
        if self.points.as_flattened().iter().any(|x| !x.is_finite()) {
            return Some("its points must be finite".into());
        }
        let pairs = self.points.windows(2).enumerate();
        for (i, pair) in pairs {
            if norm(sub(pair[1], pair[0])) == 0.0 {
                return Some(format!("its points {} and {} coincide", i + 1, i + 2));
            }
        }
        let bends = self.points.windows(3).enumerate();
        for (i, three) in bends {
            let [before, behind] = [sub(three[1], three[0]), sub(three[2], three[1])].map(unit);
            if !(dot(before, behind) > 0.0) {
                return Some(format!(
                    "it turns by more than a right angle at its point {}; more points turn less each",
                    i + 2
                ));
            }
        }
        let tangents = self.tangents();
        let across = self
            .normal
            .map(|normal| norm(cross(unit(normal), tangents[0])));
        if across.is_some_and(|x| !(x > 1e-6)) {
            return Some("its normal must not be along it".into());
        }
        let rotary = self.rotary_inertia.iter().flatten();
        if rotary.into_iter().any(|x| !(*x > 0.0 && x.is_finite())) {
            return Some("its rotary inertia must be greater than zero".into());
        }
        self.section.problem()
    }

    /// Directions at the points.
    fn tangents(&self) -> Vec<Vector> {
        let chords: Vec<Vector> = self.points.windows(2).map(|p| sub(p[1], p[0])).collect();
        let by_square = |a: Vector| scaled(a, 1.0 / dot(a, a));
        let inner = chords
            .windows(2)
            .map(|c| unit(add(by_square(c[0]), by_square(c[1]))));
        let inner: Vec<Vector> = inner.collect();
        // a circle meets both ends of a chord at the same angle
        let mirrored = |t: Option<&Vector>, chord: Vector| {
            let chord = unit(chord);
            t.map_or(chord, |t| sub(scaled(chord, 2.0 * dot(*t, chord)), *t))
        };
        let mut all = vec![mirrored(inner.first(), chords[0])];
        all.extend(&inner);
        all.push(mirrored(inner.last(), chords[chords.len() - 1]));
        all
    }

    fn nodes(&self, axes: Axes) -> Vec<BeamNode> {
        let tangents = self.tangents();
        let first = tangents[0];
        let normal = match (self.normal, axes) {
            (Some(normal), _) => normal,
            (None, Axes::Plane) => cross([0.0, 0.0, 1.0], first),
            (None, Axes::Space) => perpendiculars(first)[0],
        };
        let mut turn = arc([1.0, 0.0, 0.0], first);
        let aside = |turn: Quaternion, u: Vector| apply(&matrix(turn), u);
        let (y, z) = (aside(turn, [0.0, 1.0, 0.0]), aside(turn, [0.0, 0.0, 1.0]));
        let angle = dot(normal, z).atan2(dot(normal, y));
        turn = compose(turn, exp([angle, 0.0, 0.0]));
        let node = |place: Vector, turn: Quaternion| BeamNode {
            place,
            turn,
            lengths: [0.0; 2],
        };
        let mut nodes = vec![node(self.points[0], turn)];
        for (k, pair) in self.points.windows(2).enumerate() {
            let next = compose(arc(tangents[k], tangents[k + 1]), turn);
            let [from, to] = [(pair[0], turn), (pair[1], next)];
            let [u, phi] = screw_motion(
                &Pose::new(from.0, matrix(from.1)),
                &Pose::new(to.0, matrix(to.1)),
            );
            let length = norm(u) / self.elements as f64;
            for i in 1..=self.elements {
                let part = i as f64 / self.elements as f64;
                let (u, phi) = (scaled(u, part), scaled(phi, part));
                let along = apply(&matrix(turn), tangent(scaled(phi, -1.0), u));
                let next = node(add(pair[0], along), compose(turn, exp(phi)));
                if let Some(last) = nodes.last_mut() {
                    last.lengths[1] = length;
                }
                nodes.push(BeamNode {
                    lengths: [length, 0.0],
                    ..next
                });
            }
            turn = next;
        }
        nodes
    }

    /// The bodies at the nodes.
    pub fn bodies(&self, axes: Axes) -> Vec<Body> {
        let (rho, section) = (self.material.density, &self.section);
        let [y, z] = section.second_moments;
        let own = [y + z, y, z].map(|x| rho * x);
        let rotary = self.rotary_inertia.unwrap_or(own);
        let nodes = self.nodes(axes);
        let bodies = nodes.iter().zip(self.node_names()).map(|(node, name)| {
            let [before, behind] = node.lengths;
            let half = 0.5 * (before + behind);
            let mass = rho * section.area * half;
            let moment = rho * section.area * (behind * behind - before * before) / 12.0;
            let centre = [moment / mass, 0.0, 0.0];
            let rotary = rotary.map(|x| half * x);
            let r = matrix(node.turn);
            let arm = sub(add(node.place, apply(&r, centre)), self.points[0]);
            let velocity = add(self.velocity, cross(self.angular_velocity, arm));
            let omega = self.angular_velocity;
            let body = match axes {
                Axes::Plane => {
                    let angle = r[1][0].atan2(r[0][0]);
                    Body::planar(name, mass, rotary[2])
                        .turned(angle)
                        .spinning(omega[2])
                }
                Axes::Space => Body::rigid(name, mass, rotary)
                    .oriented(normalise(node.turn))
                    .spinning(crate::geometry::apply_transposed(&r, omega)),
            };
            body.at(node.place).centred(centre).moving(velocity)
        });
        bodies.collect()
    }

    /// The elements with their names, between the nodes of which the first is this body.
    pub fn pieces(&self, first: usize) -> Vec<(String, BodyRef, BodyRef, BeamElement)> {
        let piece = |i: usize| {
            let [a, b] = [i - 1, i].map(|i| BodyRef::from_index(first + i));
            let origin = Marker::ORIGIN;
            let element = BeamElement {
                fixture: Fixture {
                    a: origin,
                    b: origin,
                    axis_a: Axis::body([1.0, 0.0, 0.0]),
                    axis_b: Some(Axis::body([1.0, 0.0, 0.0])),
                    normal_a: Some(Axis::body([0.0, 1.0, 0.0])),
                    normal_b: Some(Axis::body([0.0, 1.0, 0.0])),
                    ..Fixture::at([0.0; 3], [1.0, 0.0, 0.0])
                },
                stiffness: self.material.stiffness(&self.section),
                damping_time: self.material.damping_time,
                undeformed: None,
                resistance: self.section.resistance,
                of: Some(self.name.clone()),
            };
            (format!("{}_e{i}", self.name), a, b, element)
        };
        (1..=self.count()).map(piece).collect()
    }
}

impl Model {
    /// Adds the bodies and elements of a beam; returns its nodes.
    pub fn add_beam(&mut self, beam: &Beam) -> Vec<BodyRef> {
        let first = self.bodies.len();
        let bodies = beam.bodies(self.axes);
        let nodes = bodies.into_iter().map(|body| self.add_body(body)).collect();
        for (name, a, b, element) in beam.pieces(first) {
            self.add_force(name, a, b, element);
        }
        nodes
    }
}

/// The shortest rotation from one unit vector to another.
fn arc(from: Vector, to: Vector) -> Quaternion {
    let cosine = dot(from, to);
    if cosine < -0.999_999_9 {
        let [x, y, z] = perpendiculars(from)[0];
        return [0.0, x, y, z];
    }
    let [x, y, z] = cross(from, to);
    normalise([1.0 + cosine, x, y, z])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arcs_are_exact_and_lose_no_mass() {
        let (section, material) = (
            Section::rectangle(0.02, 0.01),
            Material::new(2e11, 0.3, 7800.0),
        );
        let place = |angle: f64| [100.0 * angle.sin(), 100.0 * (1.0 - angle.cos()), 0.0];
        let points = [0.0, 0.1, 0.35, 0.7].map(place);
        for axes in [Axes::Plane, Axes::Space] {
            let beam = Beam::through("arm", points, 3, section, material);
            assert_eq!(beam.problem(), None);
            let nodes = beam.nodes(axes);
            assert_eq!(nodes.len(), 10);
            for node in &nodes {
                let radius = norm(sub(node.place, [0.0, 100.0, 0.0]));
                assert!((radius - 100.0).abs() < 1e-11, "{radius}");
                let along = apply(&matrix(node.turn), [1.0, 0.0, 0.0]);
                let out = scaled(sub(node.place, [0.0, 100.0, 0.0]), 0.01);
                assert!(dot(along, out).abs() < 1e-13);
            }
            let mass: f64 = beam.bodies(axes).iter().map(|b| b.mass).sum();
            assert!((mass / (7800.0 * 2e-4 * 70.0) - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn bad_beams_are_told() {
        let make = |points: &[[f64; 3]]| {
            let (section, material) = (Section::ring(0.1, 0.0), Material::new(1.0, 0.3, 1.0));
            Beam::through("b", points.iter().copied(), 2, section, material)
        };
        let told = |points: &[[f64; 3]]| make(points).problem().unwrap_or_default();
        assert!(told(&[[0.0; 3]]).contains("two points"));
        assert!(told(&[[0.0; 3], [0.0; 3]]).contains("coincide"));
        let back = told(&[[0.0; 3], [1.0, 0.0, 0.0], [0.5, 0.0, 0.0]]);
        assert!(back.contains("right angle"), "{back}");
        let mut straight = make(&[[0.0; 3], [1.0, 0.0, 0.0]]);
        straight.normal = Some([2.0, 0.0, 0.0]);
        assert!(straight.problem().unwrap().contains("normal"));
    }
}
