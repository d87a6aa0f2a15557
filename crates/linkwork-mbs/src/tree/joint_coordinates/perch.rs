//! Frames of flexible bodies that joints of the tree sit on: perches.
//!
//! The frame of the body and its modes move a perch, by the map of its carrier ([`crate::carrier`]):
//!
//! ```text
//!  xi = J xi_b        nu = J nu_b + W xi_b/s1        al = J al_b + b_v nu_b/s2 + A xi_b/(s1 s2)
//!  F_b += J' F + (J' l)_q xi_b/(s1 s2)               G_b += J' G               b: frame and amplitudes of the body
//! ```
//!
//! A joint that carries a flexible body at a frame that modes move makes a perch of it, too, the other way round: the joint moves the
//! perch, and the frame of the body follows. With the columns of `J` by the frame of the body, `J_b`, and by amplitudes, `J_z`,
//!
//! ```text
//!  xi_b = P (xi - J_z dz)     nu_b = P (nu - J_z nu_z - W xi_b/s1)     al_b = P (al - J_z al_z - b_v nu_b/s2 - A xi_b/(s1 s2))
//!  F = P' (F_b - (J_b' l)_q xi_b/(s1 s2))     F_z -= J_z' F + (J_z' l)_q xi_b/(s1 s2)                       P = J_b^-1
//! ```
//!
//! In the tree a perch is a body without inertia and without coordinates; where it is and how it moves against the frame of
//! its body comes from the amplitudes. Several perches of a body share them, so no joint of a tree could be that.

use super::JointCoordinates;
use crate::assembly::{Assembly, Carried, Connection};
use crate::carrier::{Carrier, CarrierPoint, FrameMap};
use crate::tree::topology::{Support, Topology};
use crate::tree::{Mat3, Placement, Twist, Vec3};
use linkwork_dae::rotation::IDENTITY;
use std::sync::Arc;

/// A frame of a flexible body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FlexibleSite {
    /// The body, counted as [`Assembly::carried`] does.
    pub body: usize,
    /// Number of the frame on it.
    pub frame: usize,
    /// Whether the body is carried by it, and does not carry it.
    pub carries: bool,
}

/// The sides of a joint of the tree that are perches: what it sits on, and what it carries its body by.
pub(super) fn of_joint(
    joints: &[Connection],
    body: usize,
    support: Support,
) -> [Option<FlexibleSite>; 2] {
    let Support::Joint {
        joint,
        parent,
        reversed,
    } = support
    else {
        return [None; 2];
    };
    let mut sides = joints[joint].perches;
    if reversed {
        sides.reverse();
    }
    let site = |side: usize, body: Option<usize>| {
        Some(FlexibleSite {
            body: body?,
            frame: sides[side]?,
            carries: side == 1,
        })
    };
    [site(0, parent.checked_sub(1)), site(1, Some(body))]
}

/// The numbers of these among all perches.
pub(super) fn of(
    sites: &[FlexibleSite],
    joints: &[Connection],
    body: usize,
    support: Support,
) -> [Option<usize>; 2] {
    let find = |own: Option<FlexibleSite>| sites.iter().position(|s| Some(*s) == own);
    of_joint(joints, body, support).map(find)
}

/// All perches of a tree, in the order in which they are needed.
pub(super) fn sites(joints: &[Connection], topology: &Topology) -> Vec<FlexibleSite> {
    let mut all = Vec::new();
    for &(body, support) in &topology.order {
        for site in of_joint(joints, body, support).into_iter().flatten() {
            if !all.contains(&site) {
                all.push(site);
            }
        }
    }
    all
}

/// A perch in the tree.
#[derive(Debug)]
pub(super) struct Perch {
    pub site: FlexibleSite,
    carrier: Arc<dyn Carrier>,
    /// The body of the tree that moves by amplitudes: its own, or that of the flexible body that it carries.
    pub node: usize,
    /// The frame of what it moves against on the body of the tree that that belongs to.
    outer: Placement,
    /// Number of coordinates of the frame of the body, before the amplitudes.
    pub own: usize,
    pub modes: usize,
    /// The first amplitude here.
    pub first: usize,
    /// Its first column behind those of the joints.
    pub column: usize,
    /// Coordinates of the body by which loads bend.
    pub bent: std::ops::Range<usize>,
}

impl Perch {
    pub fn new(
        site: FlexibleSite,
        (assembly, bodies): (&Assembly, &[Carried]),
        (outer, node): (Placement, usize),
        [joints, column]: [usize; 2],
    ) -> Option<Perch> {
        let carrier = assembly.carrier(site.body)?;
        let before = bodies[..site.body].iter().map(|b| b.modes).sum::<usize>();
        let body = &bodies[site.body];
        Some(Perch {
            site,
            bent: carrier.bent(site.frame),
            carrier,
            node,
            outer,
            own: body.freedoms.len(),
            modes: body.modes,
            first: joints + before,
            column,
        })
    }

    /// Number of coordinates that move it.
    pub fn columns(&self) -> usize {
        self.own + self.modes
    }

    /// How it followed the coordinates of its body in the last pass.
    pub fn map<'a>(&self, assembly: &'a Assembly) -> Option<&'a FrameMap> {
        assembly.frame_map(self.site.body, self.site.frame)
    }
}

/// Numbers of the relations.
impl Perch {
    /// Entries of the rows of freedoms.
    pub fn block(&self) -> usize {
        self.own * self.columns()
    }

    /// How many depend on the pose only: `J` by rows, or `P` beside `-P J_z`, and then `-J_z`.
    pub fn pose_numbers(&self) -> usize {
        let more = if self.site.carries {
            self.own * self.modes
        } else {
            0
        };
        self.block() + more
    }

    /// How many others there are: `W`, `b_v`, `A` and `(J' l)_q`, or these multiplied by `-P`.
    pub fn motion_numbers(&self) -> usize {
        3 * self.block() + self.bent.len() * self.bent.len()
    }

    /// Rows of a matrix that are freedoms.
    fn rows(&self, from: &[f64], to: &mut [f64]) {
        let columns = self.columns();
        let rows = to.chunks_exact_mut(columns);
        for (to, freedom) in rows.zip(self.carrier.freedoms()) {
            to.copy_from_slice(&from[freedom * columns..(freedom + 1) * columns]);
        }
    }

    /// The former, of the last pass.
    pub fn fill_pose(&self, assembly: &Assembly, out: &mut [f64]) {
        let Some(map) = self.map(assembly) else {
            return;
        };
        let (out, more) = out[..self.pose_numbers()].split_at_mut(self.block());
        self.rows(&map.j, out);
        if self.site.carries {
            let rows = out.chunks_exact(self.columns());
            for (to, row) in more.chunks_exact_mut(self.modes.max(1)).zip(rows) {
                to.iter_mut()
                    .zip(&row[self.own..])
                    .for_each(|(to, x)| *to = -x);
            }
            self.turn_back(&map.j, out);
            let (own, columns) = (self.own, self.columns());
            for (i, row) in out.chunks_exact_mut(columns).enumerate() {
                row[own..].iter_mut().for_each(|x| *x = -*x);
                // P itself stands in place of P J_b
                for (j, x) in row[..own].iter_mut().enumerate() {
                    *x = self.back(&map.j, i, j);
                }
            }
        }
    }

    /// The latter, at coordinates of the assembly, for a force and a moment in its axes.
    pub fn fill_motion(&self, assembly: &Assembly, q: &[f64], load: &[f64; 6], out: &mut [f64]) {
        let Some(map) = self.map(assembly) else {
            return;
        };
        let (maps, bend) = out.split_at_mut(3 * self.block());
        let parts = maps.chunks_exact_mut(self.block());
        for (to, from) in parts.zip([&map.w, &map.bias_v, &map.a]) {
            self.rows(from, to);
            if self.site.carries {
                self.turn_back(&map.j, to);
                to.iter_mut().for_each(|x| *x = -*x);
            }
        }
        let count = self.bent.len();
        let bend = &mut bend[..count * count];
        let FlexibleSite { body, frame, .. } = self.site;
        assembly.bend_frame((body, frame), q, load, bend);
        if self.site.carries {
            // rows of turns go to the perch: P' has E' there
            let turns = self.bent.start..self.own;
            let mut column = [0.0; 3];
            for k in 0..count {
                for (i, x) in column[..turns.len()].iter_mut().enumerate() {
                    *x = bend[i * count + k];
                }
                for i in 0..turns.len() {
                    let sum = turns.clone().zip(&column);
                    let sum = sum.map(|(row, x)| self.back(&map.j, row, turns.start + i) * x);
                    bend[i * count + k] = sum.sum();
                }
            }
            bend.iter_mut().for_each(|x| *x = -*x);
        }
    }

    /// An entry of `P = [1, R u^ E; 0, E]`, where `J_b = [1, -R u^; 0, E']`.
    fn back(&self, j: &[f64], row: usize, column: usize) -> f64 {
        let freedoms = self.carrier.freedoms();
        let columns = self.columns();
        let entry = |i: usize, k: usize| j[freedoms[i] * columns + k];
        let turns = self.bent.start;
        match (row < turns, column < turns) {
            (true, true) => f64::from(u8::from(row == column)),
            (false, true) => 0.0,
            (false, false) => entry(column, row),
            (true, false) => {
                let inner = turns..self.own;
                -inner.map(|k| entry(row, k) * entry(column, k)).sum::<f64>()
            }
        }
    }

    /// Multiplies rows of freedoms by `P` from the left.
    fn turn_back(&self, j: &[f64], rows: &mut [f64]) {
        let (columns, own) = (self.columns(), self.own);
        let mut column = [0.0; 6];
        for k in 0..columns {
            for (i, x) in column[..own].iter_mut().enumerate() {
                *x = rows[i * columns + k];
            }
            for i in 0..own {
                let sum = (0..own).map(|l| self.back(j, i, l) * column[l]);
                rows[i * columns + k] = sum.sum();
            }
        }
    }
}

/// What a perch does against the frame of its body.
#[derive(Clone, Debug)]
pub(super) struct Relative {
    /// Coordinates, velocities and accelerations of the body, whose frame is at rest.
    states: [Vec<f64>; 3],
    map: FrameMap,
    place: Placement,
    /// Angle about z.
    pub angle: f64,
}

impl Relative {
    pub fn new(perch: &Perch) -> Relative {
        Relative {
            states: std::array::from_fn(|_| vec![0.0; perch.columns()]),
            map: FrameMap::new(perch.columns()),
            place: Placement::IDENTITY,
            angle: 0.0,
        }
    }

    /// At amplitudes, their rates and accelerations, of those that are not given zeros.
    fn renew(&mut self, perch: &Perch, states: [&[f64]; 3]) {
        for (to, from) in self.states.iter_mut().zip(states) {
            let given = from.get(perch.first..perch.first + perch.modes);
            match given {
                Some(given) => to[perch.own..].copy_from_slice(given),
                None => to[perch.own..].fill(0.0),
            }
        }
        let [q, v, a] = &self.states;
        let at = CarrierPoint {
            q,
            v,
            a,
            orientation: IDENTITY,
            gravity: [0.0; 3],
        };
        let (carrier, frame) = (&perch.carrier, perch.site.frame);
        let ((p, turn), (origin, _)) = (carrier.pose(frame, &at), carrier.pose(0, &at));
        self.place = Placement {
            r: Mat3::of_quaternion(turn),
            p: Vec3::from(p) - Vec3::from(origin),
        };
        self.angle = carrier.angle(frame, &at);
        // modal frames have a map everywhere
        let _ = carrier.map(frame, &at, &mut self.map);
    }

    /// A motion of the frame at rest in world axes; `body` and `own` are those of the body and of the perch.
    fn turned([x, y, z, turn @ ..]: [f64; 6], body: &Mat3, own: &Mat3) -> Twist {
        Twist::new(own.apply(turn.into()), body.apply(Vec3::new(x, y, z)))
    }
}

impl JointCoordinates {
    /// What a body of the tree that amplitudes move is mounted on, in the world.
    fn outer(&self, k: usize) -> Placement {
        let perch = &self.layout.perches[k];
        match self.tree.parent(perch.node) {
            Some(node) => {
                let pose = &self.kin.pose[node];
                let place = Placement {
                    r: pose.r,
                    p: pose.p,
                };
                place.then(&perch.outer)
            }
            None => perch.outer,
        }
    }

    /// Axes of the flexible body of a perch, and its own.
    fn axes(&self, k: usize) -> [Mat3; 2] {
        let perch = &self.layout.perches[k];
        let both = [self.outer(k).r, self.kin.pose[perch.node].r];
        match perch.site.carries {
            true => [both[1], both[0]],
            false => both,
        }
    }

    /// From what it is mounted on to a body that amplitudes move.
    fn arm(&self, k: usize) -> Vec3 {
        self.kin.pose[self.layout.perches[k].node].p - self.outer(k).p
    }

    /// Poses of all bodies of the tree, at the coordinates of the scratch.
    pub(super) fn place_tree(&mut self) {
        let layout = self.layout.clone();
        if layout.perches.is_empty() {
            return self.kin.place(&self.tree, &self.scratch.q);
        }
        for node in 0..self.tree.bodies() {
            let Some(k) = layout.perch_at[node] else {
                self.kin.place_body(&self.tree, node, &self.scratch.q);
                continue;
            };
            let perch = &layout.perches[k];
            self.relative[k].renew(perch, [&self.scratch.q, &[], &[]]);
            let place = match perch.site.carries {
                true => self.relative[k].place.inverse(),
                false => self.relative[k].place,
            };
            self.tree.set_mount(node, perch.outer.then(&place));
            self.kin.place_body(&self.tree, node, &self.scratch.q);
            let [body, own] = self.axes(k);
            let arm = self.arm(k);
            let map = &self.relative[k].map;
            for m in 0..perch.modes {
                let column = perch.own + m;
                let along = std::array::from_fn(|i| map.j[i * perch.columns() + column]);
                let at = self.tree.nv() + perch.column + m;
                let column = Relative::turned(along, &body, &own);
                self.kin.column[at] = match perch.site.carries {
                    true => (column * -1.0).shifted(arm),
                    false => column,
                };
            }
        }
    }

    /// Velocities and accelerations of all bodies of the tree.
    pub(super) fn move_tree(&mut self, v: &[f64], a: &[f64]) {
        let layout = self.layout.clone();
        if layout.perches.is_empty() {
            return self.kin.move_along(&self.tree, v, a, Vec3::ZERO);
        }
        for node in 0..self.tree.bodies() {
            self.kin.move_body(&self.tree, node, v, a, Vec3::ZERO);
            if let Some(k) = layout.perch_at[node] {
                let perch = &layout.perches[k];
                let ([body, own], arm) = (self.axes(k), self.arm(k));
                let relative = &mut self.relative[k];
                relative.renew(perch, [&self.scratch.q, v, a]);
                let (map, states) = (&relative.map, &relative.states);
                let speed = map.times(&states[1]);
                let mut rate = map.times(&states[2]);
                rate.iter_mut().zip(map.bias).for_each(|(a, b)| *a += b);
                let [speed, rate] = [speed, rate].map(|x| Relative::turned(x, &body, &own));
                match perch.site.carries {
                    true => self.kin.carry_back(node, arm, [speed, rate]),
                    false => self.kin.carry(node, speed, rate),
                }
            }
        }
    }
}
