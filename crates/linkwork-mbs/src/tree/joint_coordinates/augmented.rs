//! The linear problem with the motions of bodies and the forces they carry as unknowns of their own.
//!
//! Derivatives of a chain in joint coordinates are full. They are chains of local relations, though,
//! and a sparse solver that gets these takes a time in proportion to the number of bodies, with springs
//! between any bodies, loops and states. For each coordinate of the assembly there are
//!
//! ```text
//!  displacement   xi = N xi_p + S d
//!  velocity       nu = N nu_p + S y + (V_T theta_p + V_D d)/s1
//!  acceleration   al = N al_p + S y + (A_W omega_p + A_Y y)/s2 + (A_T theta_p + A_D d)/(s1 s2)
//!  force          F = M~ al + D~ nu/s2 + K~ xi/(s1 s2) + C~_q' lambda + r~_x x/(s1 s2)
//!                     + sum over children of N' F + (T_T theta_p + T_D d)/(s1 s2)
//!  stabiliser     G = C~_q' xi + sum over children of N' G
//! ```
//!
//! and the rows
//!
//! ```text
//!  motion         S' F + (R_T theta_p + R_D d)/(s1 s2)          C_q' xi in q' = v      S' G
//!  constraints    C~_q xi,    C~_q nu + (C~_q v)_q xi/s1        states     f~_q xi + s1 f~_v nu
//! ```
//!
//! Amplitudes of modes are coordinates here as there: `xi = d`, `nu = al = y`, and `F` is their row of motion.
//!
//! All that with the numbers of [`super::relations`]. Those that vanish at any state of this mechanism are left
//! out, in the plane most of them: they are found by trying two states, and a product of smooth
//! functions that is zero at a random state is zero everywhere.

mod builder;

use super::Layout;
use super::operators::Body;
use super::perch::Perch;
use super::relations::{self as r, Link, Numbers, Point};
use super::spread::Place;
use crate::assembly::{Assembly, Carried};
use crate::tree::{Frame, Kinematics, Tree, Twist, Vec3};
use builder::{Builder, Unnumbered};
use linkwork_dae::auxiliary::{Auxiliary, Entry};
use linkwork_dae::system::{BlockPatterns, Blocks, Part};
use std::sync::Arc;

/// Blocks of the assembly that only derivatives need, in the order of their generators.
const OTHERS: [Part; 6] = [Part::Rv, Part::Rq, Part::CVq, Part::Rx, Part::Fq, Part::Fv];

/// A number of a link and the generator it becomes.
#[derive(Clone, Copy, Debug)]
struct Pick {
    number: u16,
    generator: u32,
}

/// Where the generators of one link are.
#[derive(Clone, Debug, Default)]
struct Picks {
    pose: Vec<Pick>,
    motion: Vec<Pick>,
}

/// See the [module](self).
#[derive(Clone, Debug, Default)]
pub(super) struct Augmented {
    pub auxiliary: Arc<Auxiliary>,
    /// Number of all generators.
    pub generators: usize,
    picks: Vec<Picks>,
    /// First generators of each perch, of the pose and of others.
    perches: Vec<[usize; 2]>,
    /// First generators of `M`, `C_q` and the [`OTHERS`].
    mass: usize,
    c_q: usize,
    others: [usize; OTHERS.len()],
}

/// What the layout is made from.
pub(super) struct Ingredients<'a> {
    pub tree: &'a Tree,
    pub bodies: &'a [Carried],
    pub perches: &'a [Perch],
    /// What each coordinate of the assembly is, and of perches.
    pub places: &'a [Place],
    pub frames: &'a [Frame],
    pub links: &'a [Link],
    /// Patterns of the assembly.
    pub patterns: &'a BlockPatterns,
    /// Row here of each row of the assembly.
    pub rows: &'a [Option<u32>],
    /// Number of holonomic rows here.
    pub holonomic: usize,
    /// Typical length of each body, and inertia of what it carries.
    pub length: &'a [f64],
    pub inertia: &'a [f64],
}

/// Small numbers without pattern, the same every time.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = (self.0)
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next())
    }
}

/// Which numbers of each link are not zero at some state.
fn probe(model: &Ingredients<'_>) -> Vec<[bool; r::COUNT]> {
    let tree = model.tree;
    let mut found = vec![[false; r::COUNT]; model.links.len()];
    let mut random = Random(7);
    let mut kin = Kinematics::new(tree);
    let in_plane = |b: usize| !model.bodies[b].freedoms.contains(&3);
    for _ in 0..2 {
        let mut list = || -> Vec<f64> { (0..tree.nv()).map(|_| random.next()).collect() };
        let (q, v, a) = (list(), list(), list());
        kin.place(tree, &q);
        let mut twist = |flat: bool| {
            let (mut w, mut v) = (random.vector(), random.vector());
            if flat {
                (w, v.z) = (Vec3::Z * w.z, 0.0);
            }
            Twist::new(w, v)
        };
        for node in 0..tree.bodies() {
            kin.move_body(tree, node, &v, &a, Vec3::ZERO);
            if let Some(perch) = model.perches.iter().find(|p| p.node == node) {
                let flat = in_plane(perch.site.body);
                kin.carry(node, twist(flat), twist(flat));
            }
        }
        let place = |frame: &Frame| {
            let at = kin.frame(frame);
            Body {
                r: at.r,
                p: at.p,
                v: kin.point_velocity(frame, at.p),
                a: kin.point_acceleration(frame, at.p),
            }
        };
        let bodies: Vec<Body> = model.frames.iter().map(place).collect();
        let point = Point {
            tree,
            kin: &kin,
            bodies: &bodies,
        };
        for (found, link) in found.iter_mut().zip(model.links) {
            if link.perch.is_some() {
                continue;
            }
            let (mut force, mut torque) = (random.vector(), random.vector());
            if in_plane(link.body) {
                force.z = 0.0;
                torque = Vec3::Z * torque.z;
            }
            let mut numbers: Numbers = [0.0; r::COUNT];
            link.pose(&point, &mut numbers);
            link.motion(&point, (&v, &a), (force, torque), &mut numbers);
            for (found, x) in found.iter_mut().zip(numbers) {
                *found |= x != 0.0;
            }
        }
    }
    found
}

impl Augmented {
    pub fn new(model: &Ingredients<'_>) -> Augmented {
        let mut b = Builder::new(model);
        let found = probe(model);
        let mut picks = vec![Picks::default(); model.links.len()];
        let (mut poses, mut motions) = (0, 0);
        let mut perched = vec![[0; 2]; model.perches.len()];
        let sizes = |p: &Perch| [p.pose_numbers(), p.motion_numbers()];
        let [mut pose_count, mut motion_count] = [0; 2];
        for (first, perch) in perched.iter_mut().zip(model.perches) {
            *first = [pose_count, motion_count];
            let [pose, motion] = sizes(perch);
            pose_count += pose;
            motion_count += motion;
        }
        for ((link, found), picks) in model.links.iter().zip(&found).zip(&mut picks) {
            if let Some(k) = link.perch {
                let perch = &model.perches[k];
                match perch.site.carries {
                    true => b.hung(link, perch, perched[k]),
                    false => b.perch(link, perch, perched[k]),
                }
                continue;
            }
            let mut value = |n: usize| {
                if !found[n] {
                    return None;
                }
                let (list, count) = if n < r::BASE {
                    (&mut picks.pose, &mut poses)
                } else {
                    (&mut picks.motion, &mut motions)
                };
                let known = list.iter().find(|p| p.number as usize == n);
                let generator = known.map_or(*count, |p| p.generator);
                if known.is_none() {
                    list.push(Pick {
                        number: n as u16,
                        generator,
                    });
                    *count += 1;
                }
                Some(if n < r::BASE {
                    Unnumbered::Pose(generator)
                } else {
                    Unnumbered::Twist(generator)
                })
            };
            b.motions(link, &mut value);
            b.forces(link, &mut value);
        }
        b.blocks();
        let order = b.order();
        let patterns = model.patterns;
        let first_pose = poses as usize;
        let mass = first_pose + pose_count;
        let c_q = mass + patterns[Part::Mass].len();
        let base = c_q + patterns[Part::Cq].len();
        for picks in &mut picks {
            for pick in &mut picks.motion {
                pick.generator += base as u32;
            }
        }
        let first_motion = base + motions as usize;
        let mut next = first_motion + motion_count;
        let others = OTHERS.map(|part| {
            let first = next;
            next += patterns[part].len();
            first
        });
        let number = |value: Unnumbered| match value {
            Unnumbered::One => None,
            Unnumbered::Pose(n) => Some(n),
            Unnumbered::Twist(n) => Some(base as u32 + n),
            Unnumbered::PerchPose(n) => Some((first_pose + n) as u32),
            Unnumbered::PerchTwist(n) => Some((first_motion + n) as u32),
            Unnumbered::Block(Part::Mass, n) => Some((mass + n) as u32),
            Unnumbered::Block(Part::Cq, n) => Some((c_q + n) as u32),
            Unnumbered::Block(part, n) => {
                let at = OTHERS.iter().position(|p| *p == part).unwrap_or(0);
                Some((others[at] + n) as u32)
            }
        };
        let entries = (b.entries.into_iter())
            .map(|(entry, value)| Entry {
                value: number(value),
                ..entry
            })
            .collect();
        Augmented {
            auxiliary: Arc::new(Auxiliary {
                owner: b.owner,
                entries,
                order,
                base,
                inertia: model.inertia.iter().copied().fold(0.0, f64::max),
            }),
            generators: next,
            picks,
            perches: (perched.into_iter())
                .map(|[pose, motion]| [first_pose + pose, first_motion + motion])
                .collect(),
            mass,
            c_q,
            others,
        }
    }

    /// Generators of the acceleration level.
    pub fn fill_base(
        &self,
        layout: &Layout,
        (at, assembly): (&Point<'_>, &Assembly),
        (mass, c_q): (&[f64], &[f64]),
        out: &mut [f64],
    ) {
        for (perch, [first, _]) in layout.perches.iter().zip(&self.perches) {
            perch.fill_pose(assembly, &mut out[*first..]);
        }
        let mut numbers: Numbers = [0.0; r::COUNT];
        for (link, picks) in layout.links.iter().zip(&self.picks) {
            if link.perch.is_some() {
                continue;
            }
            link.pose(at, &mut numbers);
            for pick in &picks.pose {
                out[pick.generator as usize] = numbers[pick.number as usize];
            }
        }
        out[self.mass..][..mass.len()].copy_from_slice(mass);
        out[self.c_q..][..c_q.len()].copy_from_slice(c_q);
    }

    /// All other generators, with the coordinates of the assembly, velocities and accelerations; `carried` has room for the forces that bodies carry, and starts with the
    /// residuals of the bodies.
    pub fn fill_others(
        &self,
        layout: &Layout,
        (at, assembly): (&Point<'_>, &Assembly),
        [inner, v, a]: [&[f64]; 3],
        carried: &mut [(Vec3, Vec3)],
        blocks: &Blocks,
        out: &mut [f64],
    ) {
        for link in layout.links.iter().rev() {
            let (f, t) = carried[link.body];
            if let Some(p) = link.parent {
                let arm = at.bodies[link.body].p - at.bodies[p].p;
                carried[p].0 += f;
                carried[p].1 += t + arm.cross(f);
            }
        }
        let mut numbers: Numbers = [0.0; r::COUNT];
        for (link, picks) in layout.links.iter().zip(&self.picks) {
            if let Some(k) = link.perch {
                let perch = &layout.perches[k];
                let own = match (perch.site.carries, link.parent) {
                    (true, Some(parent)) => parent,
                    _ => link.body,
                };
                let (f, t) = carried[own];
                let t = at.bodies[own].r.apply_transposed(t);
                let load = [f.x, f.y, f.z, t.x, t.y, t.z];
                let to = &mut out[self.perches[k][1]..];
                perch.fill_motion(assembly, inner, &load, to);
                continue;
            }
            link.motion(at, (v, a), carried[link.body], &mut numbers);
            for pick in &picks.motion {
                out[pick.generator as usize] = numbers[pick.number as usize];
            }
        }
        for (part, first) in OTHERS.into_iter().zip(self.others) {
            let block = &blocks[part];
            out[first..][..block.len()].copy_from_slice(block);
        }
    }
}
