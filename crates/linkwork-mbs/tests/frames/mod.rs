//! Random states of two bodies, in space or in the x-y plane, and small motions of them.

// Not every test uses all of it.
#![allow(dead_code)]

#[path = "../numbers/mod.rs"]
mod numbers;

pub use numbers::Numbers;

use linkwork_mbs::force::MAX_STATES;
use linkwork_mbs::geometry::{Frame, Pose, Site, Vector, add, apply, product, scaled};
use linkwork_mbs::joint::by_scalar::arbitrary;
use linkwork_mbs::joint::{COLUMNS, MAX_ROWS};
use linkwork_mbs::orientation::rotation_by;
use linkwork_mbs::text::tree::Table;
use linkwork_mbs::text::{BodyNames, Fields};

/// A body in space at the origin.
pub const SOLID: Site = Site {
    flat: false,
    ..Site::GROUND
};
/// One in the x-y plane.
pub const FLAT: Site = Site::GROUND;

/// A part of the registry as it is in the plane: its keys written with two components and read in a
/// planar model. Where an axis in the plane has no meaning it is left out.
pub fn in_plane<T>(
    fields: &[(&'static str, linkwork_mbs::field::Value)],
    bodies: &[String],
    read: impl Fn(&Fields<'_>) -> Option<T>,
) -> Option<T> {
    use linkwork_mbs::field::Value;
    for with_axes in [true, false] {
        let mut text = String::from("name = \"p\"\nbody_a = \"a\"\nbody_b = \"b\"\n");
        for (key, value) in fields {
            match value {
                Value::Vector(_) if key.starts_with("axis") && !with_axes => {}
                Value::Vector([x, y, _]) => text += &format!("{key} = [{x:?}, {y:?}]\n"),
                Value::Number(_) if *key == "angle" => {}
                _ => text += &format!("{key} = {value}\n"),
            }
        }
        let table = Table::parse(&text).expect(&text);
        let names = BodyNames::new(bodies.to_vec());
        let part = Fields::item("part", &table, &names)
            .expect(&text)
            .planar(true);
        if let Some(found) = read(&part) {
            return Some(found);
        }
    }
    None
}

/// Two bodies in motion, time, multipliers.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    pub t: f64,
    pub frames: [Frame; 2],
    pub lambda: [f64; MAX_ROWS],
    /// States of a force, smaller than those of the bodies.
    pub x: [f64; MAX_STATES],
    /// Whether both bodies move in the x-y plane.
    pub flat: bool,
}

impl Case {
    pub fn random(n: &mut Numbers, flat: bool) -> Case {
        let mut frame = || arbitrary(flat, &mut || n.next());
        let frames = [frame(), frame()];
        Case {
            t: n.next(),
            frames,
            lambda: std::array::from_fn(|_| n.next()),
            x: [0.31, -0.22, 0.17, -0.41],
            flat,
        }
    }

    /// The columns that exist.
    pub fn columns(&self) -> impl Iterator<Item = usize> + use<> {
        let flat = self.flat;
        (0..COLUMNS).filter(move |j| !flat || matches!(j % 6, 0 | 1 | 5))
    }

    /// A move of the whole scene.
    pub fn whole(&self, n: &mut Numbers) -> Pose {
        arbitrary(self.flat, &mut || n.next()).pose
    }

    /// Velocities in the order of the columns.
    pub fn v(&self) -> [f64; COLUMNS] {
        let [a, b] = &self.frames;
        let all = [a.velocity, a.omega, b.velocity, b.omega];
        std::array::from_fn(|j| all[j / 3][j % 3])
    }

    /// Moved along the tangent: `x + d`, `R exp(d)`.
    pub fn moved(&self, d: &[f64; COLUMNS]) -> Case {
        let mut c = *self;
        for (frame, d) in c.frames.iter_mut().zip(d.chunks_exact(6)) {
            frame.pose.position = add(frame.pose.position, [d[0], d[1], d[2]]);
            let turn = rotation_by([d[3], d[4], d[5]]);
            frame.pose.rotation = product(&frame.pose.rotation, &turn);
            if self.flat {
                frame.pose.angle += d[5];
            }
        }
        c
    }

    /// Moved along one direction of the tangent.
    pub fn shifted(&self, j: usize, h: f64) -> Case {
        let mut d = [0.0; COLUMNS];
        d[j] = h;
        self.moved(&d)
    }

    /// With one velocity changed.
    pub fn faster(&self, j: usize, h: f64) -> Case {
        let mut c = *self;
        let frame = &mut c.frames[j / 6];
        if j % 6 < 3 {
            frame.velocity[j % 3] += h;
        } else {
            frame.omega[j % 3] += h;
        }
        c
    }

    /// The same motion a little later, with accelerations `a`.
    pub fn after(&self, h: f64, a: &[f64; COLUMNS]) -> Case {
        let v = self.v();
        // The rotation vector of the motion is omega h + omega' h^2/2 up to the third order.
        let d = std::array::from_fn(|j| h * v[j] + 0.5 * h * h * a[j]);
        let mut c = self.moved(&d);
        c.t += h;
        for (j, a) in a.iter().enumerate() {
            c = c.faster(j, h * a);
        }
        c
    }

    /// The whole scene moved.
    pub fn seen_from(&self, whole: &Pose) -> Case {
        let mut c = *self;
        for frame in &mut c.frames {
            frame.pose.position = whole.point(frame.pose.position);
            frame.pose.rotation = product(&whole.rotation, &frame.pose.rotation);
            frame.velocity = whole.direction(frame.velocity);
            frame.pose.angle += whole.angle;
        }
        c
    }
}

/// A moment about the origin: of a force (global) and torque (body axes) on a body.
pub fn moment(frame: &Frame, load: &[f64]) -> Vector {
    use linkwork_mbs::geometry::cross;
    let force = [load[0], load[1], load[2]];
    let torque = apply(&frame.pose.rotation, [load[3], load[4], load[5]]);
    add(torque, cross(frame.pose.position, force))
}

/// A matrix with zeros outside its pattern.
pub fn masked<const R: usize>(
    m: &[[f64; COLUMNS]; R],
    pattern: &[(u8, u8)],
) -> [[f64; COLUMNS]; R] {
    let mut out = [[0.0; COLUMNS]; R];
    for &(i, j) in pattern {
        out[i as usize][j as usize] = m[i as usize][j as usize];
    }
    out
}

/// Whether a pattern lists every entry once.
pub fn unique(pattern: &[(u8, u8)]) -> bool {
    let mut sorted = pattern.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    sorted.len() == pattern.len()
}

pub fn minus(a: Vector) -> Vector {
    scaled(a, -1.0)
}
