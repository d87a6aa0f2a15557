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
//! with the numbers of [`super::relations`]. Those that vanish at any state of this mechanism are left
//! out, in the plane most of them: they are found by trying two states, and a product of smooth
//! functions that is zero at a random state is zero everywhere.

use super::operators::Body;
use super::relations::{self as r, Link, Numbers, Point};
use crate::assembly::Carried;
use crate::tree::{Frame, Kinematics, Tree, Vec3};
use linkwork_dae::auxiliary::{Auxiliary, Entry, Place};
use linkwork_dae::system::{BlockPatterns, Blocks, Part};

/// What each coordinate of the assembly has.
const KINDS: usize = 5;
const XI: usize = 0;
const NU: usize = 1;
const AL: usize = 2;
const FORCE: usize = 3;
const STABILISER: usize = 4;

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
    pub auxiliary: Auxiliary,
    /// Number of all generators.
    pub generators: usize,
    picks: Vec<Picks>,
    /// First generators of `M`, `C_q` and the [`OTHERS`].
    mass: usize,
    c_q: usize,
    others: [usize; OTHERS.len()],
}

/// What the layout is made from.
pub(super) struct Model<'a> {
    pub tree: &'a Tree,
    pub bodies: &'a [Carried],
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

/// A value before generators are numbered.
#[derive(Clone, Copy)]
enum Value {
    One,
    Pose(u32),
    Motion(u32),
    Block(Part, usize),
}

struct Builder<'a> {
    model: &'a Model<'a>,
    /// Own unknowns of each coordinate of the assembly.
    own: Vec<[u32; KINDS]>,
    /// Typical size of each coordinate, and inertia.
    size: Vec<f64>,
    inertia: Vec<f64>,
    entries: Vec<(Entry, Value)>,
    owner: Vec<u32>,
}

/// Powers of `s1` and `s2`.
type Level = (i8, i8);
const PLAIN: Level = (0, 0);
const PER_QDOT: Level = (-1, 0);
const PER_VDOT: Level = (0, -1);
const PER_BOTH: Level = (-1, -1);

impl Builder<'_> {
    fn own(&self, kind: usize, coordinate: usize) -> Place {
        Place::Own(self.own[coordinate][kind])
    }

    /// The coordinate of a body for a freedom.
    fn coordinate(&self, body: usize, freedom: usize) -> Option<usize> {
        let carried = &self.model.bodies[body];
        let at = carried.freedoms.iter().position(|f| *f == freedom)?;
        Some(carried.first + at)
    }

    fn push(&mut self, row: Place, column: Place, value: Value, factor: f64, level: Level) {
        let entry = Entry {
            row,
            column,
            value: None,
            factor,
            qdot: level.0,
            vdot: level.1,
        };
        self.entries.push((entry, value));
    }

    /// An entry of an own row in own units: displacements over their size, forces times it, over the
    /// inertia.
    fn relate(
        &mut self,
        kind: usize,
        coordinate: usize,
        column: Place,
        value: Value,
        level: Level,
        unit: f64,
    ) {
        let size = self.size[coordinate];
        let scale = match kind {
            FORCE => size / self.inertia[coordinate],
            STABILISER => size,
            _ => 1.0 / size,
        };
        let row = self.own(kind, coordinate);
        self.push(row, column, value, -scale * unit, level);
    }

    /// The unit of an own unknown.
    fn unit(&self, kind: usize, coordinate: usize) -> f64 {
        let size = self.size[coordinate];
        match kind {
            FORCE => self.inertia[coordinate] / size,
            STABILISER => 1.0 / size,
            _ => size,
        }
    }
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
fn probe(model: &Model<'_>) -> Vec<[bool; r::COUNT]> {
    let tree = model.tree;
    let mut found = vec![[false; r::COUNT]; model.links.len()];
    let mut random = Random(7);
    let mut kin = Kinematics::new(tree);
    let in_plane = |b: usize| !model.bodies[b].freedoms.contains(&3);
    for _ in 0..2 {
        let mut list = || -> Vec<f64> { (0..tree.nv()).map(|_| random.next()).collect() };
        let (q, v, a) = (list(), list(), list());
        kin.place(tree, &q);
        kin.move_along(tree, &v, &a, Vec3::ZERO);
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
    pub fn new(model: &Model<'_>) -> Augmented {
        let mut b = Builder::new(model);
        let found = probe(model);
        let mut picks = vec![Picks::default(); model.links.len()];
        let (mut poses, mut motions) = (0, 0);
        for ((link, found), picks) in model.links.iter().zip(&found).zip(&mut picks) {
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
                    Value::Pose(generator)
                } else {
                    Value::Motion(generator)
                })
            };
            b.motions(link, &mut value);
            b.forces(link, &mut value);
        }
        b.blocks();
        let order = b.order();
        let patterns = model.patterns;
        let mass = poses as usize;
        let c_q = mass + patterns[Part::Mass].len();
        let base = c_q + patterns[Part::Cq].len();
        for picks in &mut picks {
            for pick in &mut picks.motion {
                pick.generator += base as u32;
            }
        }
        let mut next = base + motions as usize;
        let others = OTHERS.map(|part| {
            let first = next;
            next += patterns[part].len();
            first
        });
        let number = |value: Value| match value {
            Value::One => None,
            Value::Pose(n) => Some(n),
            Value::Motion(n) => Some(base as u32 + n),
            Value::Block(Part::Mass, n) => Some((mass + n) as u32),
            Value::Block(Part::Cq, n) => Some((c_q + n) as u32),
            Value::Block(part, n) => {
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
            auxiliary: Auxiliary {
                owner: b.owner,
                entries,
                order,
                base,
                inertia: model.inertia.iter().copied().fold(0.0, f64::max),
            },
            generators: next,
            picks,
            mass,
            c_q,
            others,
        }
    }

    /// Generators of the acceleration level.
    pub fn fill_base(
        &self,
        links: &[Link],
        at: &Point<'_>,
        (mass, c_q): (&[f64], &[f64]),
        out: &mut [f64],
    ) {
        let mut numbers: Numbers = [0.0; r::COUNT];
        for (link, picks) in links.iter().zip(&self.picks) {
            link.pose(at, &mut numbers);
            for pick in &picks.pose {
                out[pick.generator as usize] = numbers[pick.number as usize];
            }
        }
        out[self.mass..][..mass.len()].copy_from_slice(mass);
        out[self.c_q..][..c_q.len()].copy_from_slice(c_q);
    }

    /// All other generators; `carried` has room for the forces that bodies carry, and starts with the
    /// residuals of the bodies.
    pub fn fill_others(
        &self,
        links: &[Link],
        at: &Point<'_>,
        (v, a): (&[f64], &[f64]),
        carried: &mut [(Vec3, Vec3)],
        blocks: &Blocks,
        out: &mut [f64],
    ) {
        for link in links.iter().rev() {
            let (f, t) = carried[link.body];
            if let Some(p) = link.parent {
                let arm = at.bodies[link.body].p - at.bodies[p].p;
                carried[p].0 += f;
                carried[p].1 += t + arm.cross(f);
            }
        }
        let mut numbers: Numbers = [0.0; r::COUNT];
        for (link, picks) in links.iter().zip(&self.picks) {
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

/// Gives the value of a number, unless it is always zero.
type Values<'a> = dyn FnMut(usize) -> Option<Value> + 'a;

impl<'a> Builder<'a> {
    fn new(model: &'a Model<'a>) -> Builder<'a> {
        let count = model.bodies.iter().map(|b| b.freedoms.len()).sum();
        let mut b = Builder {
            model,
            own: vec![[0; KINDS]; count],
            size: vec![1.0; count],
            inertia: vec![1.0; count],
            entries: Vec::new(),
            owner: Vec::new(),
        };
        // own rows may refer to lower unknowns only: motions outwards, forces inwards
        let mut told_by = vec![0u32; model.bodies.len()];
        for link in model.links {
            let carried = &model.bodies[link.body];
            let inherited = link.parent.map_or(0, |p| told_by[p]);
            told_by[link.body] = match link.dofs.is_empty() {
                true => inherited,
                false => link.dofs.start as u32,
            };
            for kind in [XI, NU, AL] {
                for (n, freedom) in carried.freedoms.iter().enumerate() {
                    b.own[carried.first + n][kind] = b.owner.len() as u32;
                    b.owner.push(told_by[link.body]);
                    b.inertia[carried.first + n] = model.inertia[link.body];
                    if *freedom < 3 {
                        b.size[carried.first + n] = model.length[link.body];
                    }
                }
            }
        }
        for link in model.links.iter().rev() {
            let carried = &model.bodies[link.body];
            for kind in [FORCE, STABILISER] {
                for n in 0..carried.freedoms.len() {
                    b.own[carried.first + n][kind] = b.owner.len() as u32;
                    b.owner.push(told_by[link.body]);
                }
            }
        }
        b
    }

    /// From the tips inwards, as articulated bodies are made (Featherstone 2008, section 7.2): forces of a
    /// body, its motions, its joint. Own pivots are ones and those of a joint its articulated inertia.
    /// States come first, a constraint as soon as both its bodies have met.
    fn order(&self) -> Vec<Place> {
        let model = self.model;
        let states = model.patterns[Part::Fx].iter().map(|(i, _)| *i);
        let mut order: Vec<Place> = states.map(Place::State).collect();
        let mut at = vec![0; model.bodies.len()];
        for (n, link) in model.links.iter().enumerate() {
            at[link.body] = n;
        }
        let mut body_of = Vec::with_capacity(self.own.len());
        for (body, carried) in model.bodies.iter().enumerate() {
            body_of.resize(carried.first + carried.freedoms.len(), body);
        }
        // the body where the paths of all bodies of a row meet; none for the ground
        let mut met: Vec<Option<Option<usize>>> = vec![None; model.rows.len()];
        let meet = |mut a: Option<usize>, mut b: Option<usize>| loop {
            match (a, b) {
                (Some(x), Some(y)) if x == y => return a,
                (Some(x), Some(y)) if at[x] > at[y] => a = model.links[at[x]].parent,
                (Some(_), Some(y)) => b = model.links[at[y]].parent,
                _ => return None,
            }
        };
        for &(i, j) in &model.patterns[Part::Cq] {
            let body = Some(body_of[j as usize]);
            let row = &mut met[i as usize];
            *row = Some(row.map_or(body, |other| meet(other, body)));
        }
        let mut meeting: Vec<Vec<u32>> = vec![Vec::new(); model.bodies.len()];
        for (row, met) in model.rows.iter().zip(&met) {
            if let (Some(row), Some(Some(body))) = (row, met) {
                meeting[*body].push(*row);
            }
        }
        for link in model.links.iter().rev() {
            for row in &meeting[link.body] {
                order.extend([Place::Constraint(*row), Place::Closure(*row)]);
            }
            let carried = &model.bodies[link.body];
            let own = carried.first..carried.first + carried.freedoms.len();
            for kind in [FORCE, STABILISER, AL, NU, XI] {
                order.extend(own.clone().map(|c| self.own(kind, c)));
            }
            for k in link.dofs.clone() {
                order.extend([Place::Velocity(k as u32), Place::Position(k as u32)]);
            }
        }
        order
    }

    /// Coordinates of the parent for rotations.
    fn turns(&self, link: &Link) -> Vec<(usize, usize)> {
        let Some(p) = link.parent else {
            return Vec::new();
        };
        let at = |j: usize| Some((j, self.coordinate(p, 3 + j)?));
        link.turns.clone().filter_map(at).collect()
    }

    /// Displacement, velocity and acceleration of the child.
    fn motions(&mut self, link: &Link, value: &mut Values<'_>) {
        let carried = &self.model.bodies[link.body];
        let turns = self.turns(link);
        for (n, &freedom) in carried.freedoms.iter().enumerate() {
            let c = carried.first + n;
            let linear = freedom < 3;
            let row = freedom % 3;
            let (by_turn, first) = if linear { (r::N_X, 0) } else { (r::N_T, 3) };
            let along = link.parent.filter(|_| linear);
            let along = along.and_then(|p| self.coordinate(p, freedom));
            for kind in [XI, NU, AL] {
                if let Some(p) = along {
                    let unit = self.unit(kind, p);
                    self.relate(kind, c, self.own(kind, p), Value::One, PLAIN, unit);
                }
                for &(j, p) in &turns {
                    if let Some(x) = value(by_turn + 3 * row + j) {
                        self.relate(kind, c, self.own(kind, p), x, PLAIN, 1.0);
                    }
                }
                for (m, k) in link.dofs.clone().enumerate() {
                    let column = match kind {
                        XI => Place::Position(k as u32),
                        _ => Place::Velocity(k as u32),
                    };
                    if let Some(x) = value(r::S + 6 * m + first + row) {
                        self.relate(kind, c, column, x, PLAIN, 1.0);
                    }
                }
            }
            for &(j, p) in &turns {
                let (xi, nu) = (self.own(XI, p), self.own(NU, p));
                let by_speed = if linear { r::A_W } else { r::B_W };
                let mut list = vec![(AL, nu, by_speed, PER_VDOT)];
                if linear {
                    list.push((NU, xi, r::V_T, PER_QDOT));
                    list.push((AL, xi, r::A_T, PER_BOTH));
                }
                for (kind, column, at, level) in list {
                    if let Some(x) = value(at + 3 * row + j) {
                        self.relate(kind, c, column, x, level, 1.0);
                    }
                }
            }
            for (m, k) in link.dofs.clone().enumerate() {
                let (d, y) = (Place::Position(k as u32), Place::Velocity(k as u32));
                for (kind, column, at, level) in [
                    (NU, d, r::V_D, PER_QDOT),
                    (AL, y, r::A_Y, PER_VDOT),
                    (AL, d, r::A_D, PER_BOTH),
                ] {
                    if let Some(x) = value(at + 6 * m + first + row) {
                        self.relate(kind, c, column, x, level, 1.0);
                    }
                }
            }
        }
    }

    /// What the child hands to its parent and to the equations of its joint.
    fn forces(&mut self, link: &Link, value: &mut Values<'_>) {
        let carried = &self.model.bodies[link.body];
        let turns = self.turns(link);
        for (n, &freedom) in carried.freedoms.iter().enumerate() {
            let c = carried.first + n;
            let linear = freedom < 3;
            let row = freedom % 3;
            let (by_turn, first) = if linear { (r::N_X, 0) } else { (r::N_T, 3) };
            let along = link.parent.filter(|_| linear);
            let along = along.and_then(|p| self.coordinate(p, freedom));
            for (kind, place) in [
                (FORCE, Place::Velocity as fn(u32) -> Place),
                (STABILISER, Place::Position as fn(u32) -> Place),
            ] {
                let (from, unit) = (self.own(kind, c), self.unit(kind, c));
                if let Some(p) = along {
                    self.relate(kind, p, from, Value::One, PLAIN, unit);
                }
                for &(j, p) in &turns {
                    if let Some(x) = value(by_turn + 3 * row + j) {
                        self.relate(kind, p, from, x, PLAIN, unit);
                    }
                }
                for (m, k) in link.dofs.clone().enumerate() {
                    if let Some(x) = value(r::S + 6 * m + first + row) {
                        self.push(place(k as u32), from, x, unit, PLAIN);
                    }
                }
            }
        }
        for &(i, p) in &turns {
            let theta = self.own(XI, p);
            for &(j, other) in &turns {
                if let Some(x) = value(r::T_T + 3 * i + j) {
                    self.relate(FORCE, p, self.own(XI, other), x, PER_BOTH, 1.0);
                }
            }
            for (m, k) in link.dofs.clone().enumerate() {
                if let Some(x) = value(r::T_D + 3 * m + i) {
                    self.relate(FORCE, p, Place::Position(k as u32), x, PER_BOTH, 1.0);
                }
                if let Some(x) = value(r::R_T + 3 * m + i) {
                    self.push(Place::Velocity(k as u32), theta, x, 1.0, PER_BOTH);
                }
            }
        }
        for (m, k) in link.dofs.clone().enumerate() {
            for (n, l) in link.dofs.clone().enumerate() {
                if let Some(x) = value(r::by_coordinates(m, n)) {
                    let (row, column) = (Place::Velocity(k as u32), Place::Position(l as u32));
                    self.push(row, column, x, 1.0, PER_BOTH);
                }
            }
        }
    }

    /// Blocks of the assembly.
    fn blocks(&mut self) {
        let patterns = self.model.patterns;
        for (part, kind, level) in [
            (Part::Mass, AL, PLAIN),
            (Part::Rv, NU, PER_VDOT),
            (Part::Rq, XI, PER_BOTH),
        ] {
            for (n, &(i, j)) in patterns[part].iter().enumerate() {
                let (i, j) = (i as usize, j as usize);
                let (column, unit) = (self.own(kind, j), self.unit(kind, j));
                self.relate(FORCE, i, column, Value::Block(part, n), level, unit);
            }
        }
        for (n, &(i, x)) in patterns[Part::Rx].iter().enumerate() {
            let value = Value::Block(Part::Rx, n);
            self.relate(FORCE, i as usize, Place::State(x), value, PER_BOTH, 1.0);
        }
        for (n, &(i, j)) in patterns[Part::Cq].iter().enumerate() {
            let Some(row) = self.model.rows[i as usize] else {
                continue;
            };
            let (j, value) = (j as usize, Value::Block(Part::Cq, n));
            let unit = self.size[j];
            self.relate(FORCE, j, Place::Constraint(row), value, PLAIN, 1.0);
            self.push(Place::Constraint(row), self.own(NU, j), value, unit, PLAIN);
            if (row as usize) < self.model.holonomic {
                self.relate(STABILISER, j, Place::Closure(row), value, PLAIN, 1.0);
                self.push(Place::Closure(row), self.own(XI, j), value, unit, PLAIN);
            }
        }
        for (n, &(i, j)) in patterns[Part::CVq].iter().enumerate() {
            if let Some(row) = self.model.rows[i as usize] {
                let (j, value) = (j as usize, Value::Block(Part::CVq, n));
                let unit = self.size[j];
                self.push(
                    Place::Constraint(row),
                    self.own(XI, j),
                    value,
                    unit,
                    PER_QDOT,
                );
            }
        }
        for (part, kind, level) in [(Part::Fq, XI, PLAIN), (Part::Fv, NU, (1, 0))] {
            for (n, &(i, j)) in patterns[part].iter().enumerate() {
                let (j, value) = (j as usize, Value::Block(part, n));
                let unit = self.size[j];
                self.push(Place::State(i), self.own(kind, j), value, unit, level);
            }
        }
    }
}
