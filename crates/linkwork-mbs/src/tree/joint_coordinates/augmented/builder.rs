//! Entries of the augmented problem, joint by joint and block by block, and the order in which they are
//! eliminated.

use super::super::perch::Perch;
use super::super::relations::{self as r, Link};
use super::Ingredients;
use linkwork_dae::auxiliary::{Entry, Place};
use linkwork_dae::system::Part;

/// What each coordinate of the assembly has.
const KINDS: usize = 5;
const XI: usize = 0;
const NU: usize = 1;
const AL: usize = 2;
const FORCE: usize = 3;
const STABILISER: usize = 4;

/// A value before generators are numbered.
#[derive(Clone, Copy)]
pub(super) enum Unnumbered {
    One,
    Pose(u32),
    Twist(u32),
    /// Numbers of perches.
    PerchPose(usize),
    PerchTwist(usize),
    Block(Part, usize),
}

pub(super) struct Builder<'a> {
    model: &'a Ingredients<'a>,
    /// Own unknowns of each coordinate of the assembly.
    own: Vec<[u32; KINDS]>,
    /// Typical size of each coordinate, and inertia.
    size: Vec<f64>,
    inertia: Vec<f64>,
    pub(super) entries: Vec<(Entry, Unnumbered)>,
    pub(super) owner: Vec<u32>,
}

/// Powers of `s1` and `s2`.
type Level = (i8, i8);
const PLAIN: Level = (0, 0);
const PER_QDOT: Level = (-1, 0);
const PER_VDOT: Level = (0, -1);
const PER_BOTH: Level = (-1, -1);

impl Builder<'_> {
    fn own(&self, kind: usize, coordinate: usize) -> Place {
        match (self.model.places[coordinate].modal, kind) {
            (None, _) => Place::Own(self.own[coordinate][kind]),
            (Some(k), XI | STABILISER) => Place::Position(k),
            (Some(k), _) => Place::Velocity(k),
        }
    }

    /// The coordinate of a body for a freedom.
    fn coordinate(&self, body: usize, freedom: usize) -> Option<usize> {
        let carried = &self.model.bodies[body];
        let at = carried.freedoms.iter().position(|f| *f == freedom)?;
        Some(carried.first + at)
    }

    fn push(&mut self, row: Place, column: Place, value: Unnumbered, factor: f64, level: Level) {
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
        value: Unnumbered,
        level: Level,
        unit: f64,
    ) {
        let size = self.size[coordinate];
        let scale = match kind {
            // a row of the formulation
            _ if self.model.places[coordinate].modal.is_some() => -1.0,
            FORCE => size / self.inertia[coordinate],
            STABILISER => size,
            _ => 1.0 / size,
        };
        let row = self.own(kind, coordinate);
        self.push(row, column, value, -scale * unit, level);
    }

    /// The unit of an own unknown.
    fn unit(&self, kind: usize, coordinate: usize) -> f64 {
        if self.model.places[coordinate].modal.is_some() {
            return 1.0;
        }
        let size = self.size[coordinate];
        match kind {
            FORCE => self.inertia[coordinate] / size,
            STABILISER => 1.0 / size,
            _ => size,
        }
    }
}

/// Gives the value of a number, unless it is always zero.
pub(super) type Values<'a> = dyn FnMut(usize) -> Option<Unnumbered> + 'a;

impl<'a> Builder<'a> {
    pub(super) fn new(model: &'a Ingredients<'a>) -> Builder<'a> {
        let count = model.places.len();
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
    pub(super) fn order(&self) -> Vec<Place> {
        let model = self.model;
        let states = model.patterns[Part::Fx].iter().map(|(i, _)| *i);
        let mut order: Vec<Place> = states.map(Place::State).collect();
        let mut at = vec![0; model.bodies.len()];
        for (n, link) in model.links.iter().enumerate() {
            at[link.body] = n;
        }
        let body_of: Vec<usize> = model.places.iter().map(|place| place.body).collect();
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
            for place in &model.places[own.end..own.end + carried.modes] {
                let modal = place.modal.into_iter();
                order.extend(modal.flat_map(|k| [Place::Velocity(k), Place::Position(k)]));
            }
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
    pub(super) fn motions(&mut self, link: &Link, value: &mut Values<'_>) {
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
                    self.relate(kind, c, self.own(kind, p), Unnumbered::One, PLAIN, unit);
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
    pub(super) fn forces(&mut self, link: &Link, value: &mut Values<'_>) {
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
                    self.relate(kind, p, from, Unnumbered::One, PLAIN, unit);
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

    /// A perch on its flexible body, with the first of its numbers of the pose and of others.
    pub(super) fn perch(&mut self, link: &Link, perch: &Perch, [pose, motion]: [usize; 2]) {
        let carried = &self.model.bodies[link.body];
        let Some(body) = link.parent else {
            return;
        };
        let first = self.model.bodies[body].first;
        let columns = perch.columns();
        let (turns, block) = (perch.bent.start, carried.freedoms.len() * columns);
        for n in 0..carried.freedoms.len() {
            let p = carried.first + n;
            for column in 0..columns {
                let c = first + column;
                let number = n * columns + column;
                // a place follows that of the body, axis by axis
                if column < turns && column != n {
                    continue;
                }
                let by = match column < turns {
                    true => Unnumbered::One,
                    false => Unnumbered::PerchPose(pose + number),
                };
                for kind in [XI, NU, AL] {
                    let unit = self.unit(kind, c);
                    self.relate(kind, p, self.own(kind, c), by, PLAIN, unit);
                }
                for kind in [FORCE, STABILISER] {
                    let unit = self.unit(kind, p);
                    self.relate(kind, c, self.own(kind, p), by, PLAIN, unit);
                }
                if column < turns {
                    continue;
                }
                let (xi, nu) = (self.own(XI, c), self.own(NU, c));
                let unit = self.unit(XI, c);
                for (k, (kind, column, level)) in
                    [(NU, xi, PER_QDOT), (AL, nu, PER_VDOT), (AL, xi, PER_BOTH)]
                        .into_iter()
                        .enumerate()
                {
                    let value = Unnumbered::PerchTwist(motion + k * block + number);
                    self.relate(kind, p, column, value, level, unit);
                }
            }
        }
        let bent = perch.bent.len();
        for i in 0..bent {
            for j in 0..bent {
                let (row, column) = (first + turns + i, first + turns + j);
                let value = Unnumbered::PerchTwist(motion + 3 * block + i * bent + j);
                let unit = self.unit(XI, column);
                self.relate(FORCE, row, self.own(XI, column), value, PER_BOTH, unit);
            }
        }
    }

    /// A flexible body on the perch that carries it.
    pub(super) fn hung(&mut self, link: &Link, perch: &Perch, [pose, motion]: [usize; 2]) {
        let Some(parent) = link.parent else {
            return;
        };
        let [first, on] = [link.body, parent].map(|b| self.model.bodies[b].first);
        let (columns, own, turns) = (perch.columns(), perch.own, perch.bent.start);
        let number = |n: usize, column: usize| Unnumbered::PerchPose(pose + n * columns + column);
        for n in 0..own {
            let b = first + n;
            for column in 0..own {
                let by = match (n < turns, column < turns) {
                    (true, true) if n == column => Unnumbered::One,
                    (_, true) => continue,
                    _ => number(n, column),
                };
                let p = on + column;
                for kind in [XI, NU, AL] {
                    let unit = self.unit(kind, p);
                    self.relate(kind, b, self.own(kind, p), by, PLAIN, unit);
                }
                for kind in [FORCE, STABILISER] {
                    let unit = self.unit(kind, b);
                    self.relate(kind, p, self.own(kind, b), by, PLAIN, unit);
                }
            }
            for column in own..columns {
                let z = first + column;
                for kind in [XI, NU, AL] {
                    self.relate(kind, b, self.own(kind, z), number(n, column), PLAIN, 1.0);
                }
                // -J_z' of what the perch carries
                let at = pose + perch.block() + n * perch.modes + column - own;
                for kind in [FORCE, STABILISER] {
                    let (from, unit) = (self.own(kind, on + n), self.unit(kind, on + n));
                    self.relate(kind, z, from, Unnumbered::PerchPose(at), PLAIN, unit);
                }
            }
            for column in turns..columns {
                let c = first + column;
                let (xi, nu) = (self.own(XI, c), self.own(NU, c));
                let unit = self.unit(XI, c);
                let levels = [(NU, xi, PER_QDOT), (AL, nu, PER_VDOT), (AL, xi, PER_BOTH)];
                for (k, (kind, from, level)) in levels.into_iter().enumerate() {
                    let at = motion + k * perch.block() + n * columns + column;
                    self.relate(kind, b, from, Unnumbered::PerchTwist(at), level, unit);
                }
            }
        }
        let bent = perch.bent.len();
        for i in 0..bent {
            for j in 0..bent {
                // turns are those of the perch
                let row = if turns + i < own { on } else { first } + turns + i;
                let column = first + turns + j;
                let at = motion + 3 * perch.block() + i * bent + j;
                let unit = self.unit(XI, column);
                let value = Unnumbered::PerchTwist(at);
                self.relate(FORCE, row, self.own(XI, column), value, PER_BOTH, unit);
            }
        }
    }

    /// Blocks of the assembly.
    pub(super) fn blocks(&mut self) {
        let patterns = self.model.patterns;
        for (part, kind, level) in [
            (Part::Mass, AL, PLAIN),
            (Part::Rv, NU, PER_VDOT),
            (Part::Rq, XI, PER_BOTH),
        ] {
            for (n, &(i, j)) in patterns[part].iter().enumerate() {
                let (i, j) = (i as usize, j as usize);
                let (column, unit) = (self.own(kind, j), self.unit(kind, j));
                self.relate(FORCE, i, column, Unnumbered::Block(part, n), level, unit);
            }
        }
        for (n, &(i, x)) in patterns[Part::Rx].iter().enumerate() {
            let value = Unnumbered::Block(Part::Rx, n);
            self.relate(FORCE, i as usize, Place::State(x), value, PER_BOTH, 1.0);
        }
        for (n, &(i, j)) in patterns[Part::Cq].iter().enumerate() {
            let Some(row) = self.model.rows[i as usize] else {
                continue;
            };
            let (j, value) = (j as usize, Unnumbered::Block(Part::Cq, n));
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
                let (j, value) = (j as usize, Unnumbered::Block(Part::CVq, n));
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
                let (j, value) = (j as usize, Unnumbered::Block(part, n));
                let unit = self.size[j];
                self.push(Place::State(i), self.own(kind, j), value, unit, level);
            }
        }
    }
}
