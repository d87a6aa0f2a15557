//! Decent shapes for bodies without: links between joints, plates, wheels, blocks on guides, and boxes or
//! cylinders with the body's own inertia.
//!
//! ```text
//!  uniform rod   l^2 = 12 J/m          disc        r^2 = 2 J/m
//!  uniform box   a_x^2 = 6 (J_y + J_z - J_x)/m, and so on about the principal axes
//! ```

use super::principal::principal;
use super::turn::{UPRIGHT, about_z, from_z, of_axes};
use super::{Geometry, Shape};
use crate::view::scene::{Body, Part, Quaternion, Scene, Vector};
use std::collections::HashSet;

/// Half width of a link in sizes of the mechanism.
const LINK: f64 = 0.022;
/// Above this number of bodies links are plain boxes: drawing them all counts more than looks.
const MANY: usize = 60;
/// Colour of tyres.
const RUBBER: &str = "#3b3f45";

/// Shapes of all bodies: those given, and some for bodies without.
pub(in crate::view) fn all(scene: &Scene, given: Vec<Shape>) -> Vec<Shape> {
    let mut ends: Vec<Vec<(&Part, Vector)>> = vec![Vec::new(); scene.bodies.len()];
    for part in scene.joints.iter().chain(&scene.forces) {
        for (body, point) in [(part.a, part.point_a), (part.b, part.point_b)] {
            if let Some(list) = usize::try_from(body).ok().and_then(|i| ends.get_mut(i)) {
                list.push((part, point));
            }
        }
    }
    let dressed: HashSet<i32> = given.iter().map(|s| s.body).collect();
    let mut shapes = given;
    for (i, body) in scene.bodies.iter().enumerate() {
        if dressed.contains(&(i as i32)) {
            continue;
        }
        let mut drawing = Drawing {
            body: i as i32,
            size: scene.size,
            many: scene.bodies.len() > MANY,
            shapes: &mut shapes,
        };
        drawing.body(body, &ends[i]);
    }
    shapes
}

struct Drawing<'a> {
    body: i32,
    size: f64,
    many: bool,
    shapes: &'a mut Vec<Shape>,
}

impl Drawing<'_> {
    fn add(&mut self, geometry: Geometry, position: Vector, quaternion: Quaternion) {
        self.shapes.push(Shape {
            body: self.body,
            geometry,
            position,
            quaternion,
            colour: None,
        });
    }

    fn body(&mut self, body: &Body, ends: &[(&Part, Vector)]) {
        let wheels = self.wheels(ends);
        let points = distinct(ends, 1e-6 * self.size);
        if body.kind == "point" {
            self.add(
                Geometry::Sphere {
                    radius: 0.07 * self.size,
                },
                [0.0; 3],
                UPRIGHT,
            );
        } else if wheels && points.len() < 2 {
        } else if body.planar {
            self.planar(body, ends, &points);
        } else {
            self.spatial(body, &points);
        }
    }

    /// Wheels and spheres that parts speak of; whether there are any.
    fn wheels(&mut self, ends: &[(&Part, Vector)]) -> bool {
        let mut any = false;
        for (part, point) in ends {
            let Some(radius) = part.radius.filter(|_| part.b == self.body) else {
                continue;
            };
            let (geometry, axis) = match part.kind.as_str() {
                "contact" => (Geometry::Sphere { radius }, None),
                "tyre" | "slip_tyre" | "creep" => (disc(radius, 0.45), Some([0.0, 1.0, 0.0])),
                "rolling_disc" | "no_slip_wheel" => (disc(radius, 0.1), None),
                _ => continue,
            };
            let axis = part.axis_b.or(axis).unwrap_or([0.0, 0.0, 1.0]);
            self.add(geometry, *point, from_z(axis));
            if part.kind.contains("tyre")
                && let Some(shape) = self.shapes.last_mut()
            {
                shape.colour = Some(RUBBER.to_string());
            }
            any = true;
        }
        any
    }

    fn planar(&mut self, body: &Body, ends: &[(&Part, Vector)], points: &[Vector]) {
        let size = self.size;
        let half = LINK * size;
        let thickness = 2.0 * half;
        let gyration = if body.mass > 0.0 {
            (body.inertia[2][2] / body.mass).sqrt()
        } else {
            0.0
        };
        let own = self.body;
        let guided =
            |p: &&Part| matches!(p.kind.as_str(), "prismatic" | "point_on_line") && p.b == own;
        if let Some((guide, at)) = ends.iter().find(|(p, _)| guided(p)) {
            // the guide belongs to body a; at the start its direction is known in this frame only
            // where a is the ground or turns with it
            let axis = guide.axis_a.unwrap_or([1.0, 0.0, 0.0]);
            let block = [6.0 * half, 3.6 * half, 1.4 * thickness];
            let angle = axis[1].atan2(axis[0]) - heading(body, guide);
            self.add(Geometry::Box { size: block }, *at, about_z(angle));
        }
        let reach = |p: &Vector| p[0].hypot(p[1]);
        match points {
            [] => {
                let edge = limit(6f64.sqrt() * gyration, size);
                self.add(
                    Geometry::Box {
                        size: [edge, edge, thickness],
                    },
                    [0.0; 3],
                    UPRIGHT,
                );
            }
            [p] if reach(p) > 0.05 * size => {
                let d = reach(p);
                let rod = 3f64.sqrt() * gyration;
                let other = if rod > 0.7 * d {
                    // a rod through its centre of mass
                    let half_length = if rod < 1.4 * d { d } else { rod.min(3.0 * d) };
                    p.map(|x| -x / d * half_length)
                } else {
                    let radius = limit(2f64.sqrt() * gyration, size)
                        .min(0.9 * d)
                        .max(1.5 * half);
                    self.add(
                        Geometry::Cylinder {
                            radius,
                            length: thickness,
                        },
                        [0.0; 3],
                        UPRIGHT,
                    );
                    [0.0; 3]
                };
                self.link(*p, other, half, thickness);
            }
            [_] => {
                if !ends.iter().any(|(p, _)| guided(p)) {
                    let radius = limit(2f64.sqrt() * gyration, size);
                    self.add(
                        Geometry::Cylinder {
                            radius,
                            length: thickness,
                        },
                        [0.0; 3],
                        UPRIGHT,
                    );
                }
            }
            _ => self.plate(points, half, thickness),
        }
    }

    /// A link through two points, a rounded plate through more.
    fn plate(&mut self, points: &[Vector], half: f64, thickness: f64) {
        let flat: Vec<[f64; 2]> = points.iter().map(|p| [p[0], p[1]]).collect();
        let corners = hull(&flat);
        if let [a, b] = corners[..] {
            self.link([a[0], a[1], 0.0], [b[0], b[1], 0.0], half, thickness);
            return;
        }
        const ROUND: usize = 24;
        let circle = |p: &[f64; 2]| {
            let p = *p;
            (0..ROUND).map(move |k| {
                let angle = std::f64::consts::TAU * k as f64 / ROUND as f64;
                [p[0] + half * angle.cos(), p[1] + half * angle.sin()]
            })
        };
        let rounded: Vec<[f64; 2]> = corners.iter().flat_map(circle).collect();
        self.add(
            Geometry::Extrusion {
                outline: hull(&rounded),
                thickness,
            },
            [0.0; 3],
            UPRIGHT,
        );
    }

    /// A flat link with round ends.
    fn link(&mut self, a: Vector, b: Vector, half: f64, thickness: f64) {
        let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
        let middle = [0, 1, 2].map(|k| 0.5 * (a[k] + b[k]));
        self.add(
            Geometry::Box {
                size: [dx.hypot(dy), 2.0 * half, thickness],
            },
            middle,
            about_z(dy.atan2(dx)),
        );
        if self.many {
            return;
        }
        for end in [a, b] {
            self.add(
                Geometry::Cylinder {
                    radius: half,
                    length: thickness,
                },
                end,
                UPRIGHT,
            );
        }
    }

    fn spatial(&mut self, body: &Body, points: &[Vector]) {
        let size = self.size;
        let radius = 0.5 * LINK * size;
        let reach = |p: &Vector| p.iter().map(|x| x * x).sum::<f64>().sqrt();
        let (moments, axes) = principal(body.inertia);
        let edges = edges(moments, body.mass);
        let far: Vec<&Vector> = points.iter().filter(|p| reach(p) > 1.5 * radius).collect();
        let bulky = edges.iter().copied().fold(0.0, f64::max) > 0.02 * size;
        match far[..] {
            [a, b] if points.len() == 2 => self.rod(*a, *b, 1.2 * radius),
            _ => far.iter().for_each(|p| self.rod([0.0; 3], **p, radius)),
        }
        // many attachments say more than the inertia does
        let share = if far.len() > 2 { 0.6 } else { 1.0 };
        if !bulky || (far.len() == 2 && points.len() == 2) {
            if far.is_empty() || !bulky {
                self.add(
                    Geometry::Sphere {
                        radius: 2.0 * radius,
                    },
                    [0.0; 3],
                    UPRIGHT,
                );
            }
            return;
        }
        self.ellipsoid(
            edges.map(|e| share * e.clamp(1.5 * radius, 1.2 * size)),
            axes,
        );
    }

    /// A box along principal axes, or a cylinder where two edges are alike.
    fn ellipsoid(&mut self, edges: Vector, axes: [Vector; 3]) {
        let alike = |a: f64, b: f64| (a - b).abs() < 0.06 * a.max(b);
        for k in 0..3 {
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            if alike(edges[i], edges[j]) && !alike(edges[i], edges[k]) {
                // a cylinder of that inertia: m r^2 / 4 in place of m a^2 / 12
                let radius = edges[i] / 3f64.sqrt();
                self.add(
                    Geometry::Cylinder {
                        radius,
                        length: edges[k],
                    },
                    [0.0; 3],
                    from_z(axes[k]),
                );
                return;
            }
        }
        self.add(Geometry::Box { size: edges }, [0.0; 3], of_axes(axes));
    }

    fn rod(&mut self, a: Vector, b: Vector, radius: f64) {
        let d = [0, 1, 2].map(|k| b[k] - a[k]);
        let length = d.iter().map(|x| x * x).sum::<f64>().sqrt();
        if !(length > 0.0) {
            return;
        }
        let middle = [0, 1, 2].map(|k| 0.5 * (a[k] + b[k]));
        let geometry = if self.many {
            Geometry::Cylinder { radius, length }
        } else {
            Geometry::Capsule { radius, length }
        };
        self.add(geometry, middle, from_z(d));
    }
}

/// Angle of a body against that which its guide belongs to, at the start, where that is the ground.
fn heading(body: &Body, guide: &Part) -> f64 {
    if guide.a < 0 {
        2.0 * body.quaternion[3].atan2(body.quaternion[0])
    } else {
        0.0
    }
}

fn disc(radius: f64, width: f64) -> Geometry {
    Geometry::Cylinder {
        radius,
        length: width * radius,
    }
}

fn limit(length: f64, size: f64) -> f64 {
    if length.is_finite() {
        length.clamp(0.06 * size, 0.5 * size)
    } else {
        0.06 * size
    }
}

/// Edges of the uniform box with these principal moments.
fn edges(moments: Vector, mass: f64) -> Vector {
    let sum: f64 = moments.iter().sum();
    [0, 1, 2].map(|k| {
        let square = 6.0 * (sum - 2.0 * moments[k]) / mass;
        if square > 0.0 && square.is_finite() {
            square.sqrt()
        } else {
            0.0
        }
    })
}

fn distinct(ends: &[(&Part, Vector)], near: f64) -> Vec<Vector> {
    let mut points: Vec<Vector> = Vec::new();
    for (part, p) in ends {
        // torques have no point
        if matches!(part.kind.as_str(), "torque" | "torsion_spring" | "gear") {
            continue;
        }
        let known = |q: &Vector| (0..3).all(|k| (p[k] - q[k]).abs() <= near);
        if p.iter().all(|x| x.is_finite()) && !points.iter().any(known) {
            points.push(*p);
        }
    }
    points
}

/// Corners of the convex hull, counter-clockwise; two where all points are on a line.
fn hull(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let mut sorted = points.to_vec();
    sorted.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    let span = sorted.iter().flatten().fold(0.0f64, |m, x| m.max(x.abs()));
    let flat = 1e-9 * span * span;
    let cross = |o: [f64; 2], a: [f64; 2], b: [f64; 2]| {
        (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])
    };
    let chain = |points: &mut dyn Iterator<Item = [f64; 2]>| {
        let mut kept: Vec<[f64; 2]> = Vec::new();
        for p in points {
            while let [.., o, a] = kept[..]
                && cross(o, a, p) <= flat
            {
                kept.pop();
            }
            kept.push(p);
        }
        kept.pop();
        kept
    };
    let mut lower = chain(&mut sorted.iter().copied());
    lower.extend(chain(&mut sorted.iter().rev().copied()));
    lower
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hull_of_points_on_a_line_is_its_ends() {
        let line = [[0.0, 0.0], [1.0, 2.0], [0.5, 1.0], [-1.0, -2.0]];
        let mut ends = hull(&line);
        ends.sort_by(|a, b| a[0].total_cmp(&b[0]));
        assert_eq!(ends, [[-1.0, -2.0], [1.0, 2.0]]);
        let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.5, 0.5]];
        assert_eq!(hull(&square).len(), 4);
    }

    #[test]
    fn a_box_comes_back_from_its_inertia() {
        let (mass, size) = (3.0, [0.2, 0.5, 1.1]);
        let square = size.map(|x: f64| x * x);
        let moment = |i: usize, j: usize| mass / 12.0 * (square[i] + square[j]);
        let moments = [moment(1, 2), moment(0, 2), moment(0, 1)];
        let found = edges(moments, mass);
        for k in 0..3 {
            assert!((found[k] - size[k]).abs() < 1e-12);
        }
    }
}
